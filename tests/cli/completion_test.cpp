// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/laws/any_law.hpp>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;

class CompletionCli : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("three.json", "");
    write("cradle.toml", "");
    write("notes.txt", "");
    write("type.bash", R"(source <("$0" completion bash) || exit
compopt() { :; }
COMP_WORDS=("$0" "$@") COMP_CWORD=$#
_percute
printf '%s\n' "${COMPREPLY[@]}"
)");
  }
};

TEST_F(CompletionCli, BashOffersWhatFits) {
  // The first word after -c is $0.
  const auto offered = [this](const std::string& words) {
    const Outcome outcome =
        run("--version >&2; bash -c \"$(cat type.bash)\" '" PERCUTE_BINARY "' " + words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(offered("sol"), "solve\n");
  EXPECT_EQ(offered("-"), "-h\n--help\n-V\n--version\n");
  EXPECT_EQ(offered("solve --hi"), "--history\n");
  EXPECT_EQ(offered("solve --law sim"), "simultaneous_set\n");
  EXPECT_EQ(offered("solve --law = sim"), "simultaneous_set\n");
  EXPECT_EQ(offered("compare x.toml --laws lzb,sim"), "lzb,simultaneous_set\n");
  EXPECT_EQ(offered("simulate cr"), "cradle.toml\n");
  EXPECT_EQ(offered("fit t"), "three.json\n");
  EXPECT_EQ(offered("solve -o no"), "notes.txt\n");
  EXPECT_EQ(offered("solve no"), "\n");
  EXPECT_EQ(offered("completion z"), "zsh\n");
  EXPECT_EQ(offered("help wa"), "waves\n");
  EXPECT_EQ(offered("schema r"), "result\nrun\n");
  EXPECT_EQ(offered("plot no"), "notes.txt\n");
  EXPECT_EQ(offered("plot --what en"), "energies\nenergy_drift\n");
  std::string kinds;
  for (const std::string_view kind : law_kinds()) kinds += std::string(kind) + "\n";
  EXPECT_EQ(offered("waves --law ''"), kinds);
}

/// As fish asks for it, where there is one; it shows what help says beside each word.
TEST_F(CompletionCli, FishOffersWhatFits) {
  if (run("--version && command -v fish").code != 0) GTEST_SKIP() << "no fish";
  const auto offered = [this](const std::string& words) {
    const Outcome outcome = run("completion fish >f.fish; fish -c \"source f.fish; complete -C '" +
                                (PERCUTE_BINARY " " + words) + "'\"");
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  };
  EXPECT_THAT(offered("solve --hi"), HasSubstr("--history\twrite the evolution"));
  EXPECT_EQ(offered("solve --law sim"), "simultaneous_set\n");
  EXPECT_EQ(offered("solve --law=sim"), "--law=simultaneous_set\n");
  EXPECT_EQ(offered("compare x.toml --laws lzb,sim"), "lzb,simultaneous_set\n");
  EXPECT_EQ(offered("simulate cr"), "cradle.toml\n");
  EXPECT_EQ(offered("solve -o no"), "notes.txt\n");
  EXPECT_EQ(offered("solve --output=no"), "--output=notes.txt\n");
}

/// Every option that a help shows is offered to shells, and is in the manual.
TEST_F(CompletionCli, NothingIsForgotten) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_THAT(run(std::string("completion ") + shell).out, HasSubstr("completion --offer"));
  }
  int count = 0;
  for (const char* command :
       {"solve", "reproduce", "compare", "analyze", "simulate", "waves", "plot"}) {
    const std::string page = run(std::string("help --man ") + command).out;
    const std::string offers = run(std::string("completion --offer ") + command + " -").out;
    std::istringstream help(run(std::string("help ") + command).out);
    for (std::string line; std::getline(help, line);) {
      const auto start = line.find("--");
      if (line.substr(0, 3) != "  -" || start == std::string::npos) continue;
      const std::string name = line.substr(
          start + 2, line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", start + 2) - start - 2);
      ++count;
      EXPECT_THAT(offers, HasSubstr("--" + name + "\t")) << command;
      std::string escaped;
      for (const char c : name) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_THAT(page, HasSubstr("\\fB\\-\\-" + escaped + "\\fR")) << command;
    }
  }
  EXPECT_GT(count, 40);
  EXPECT_THAT(run("completion --offer help -").out, Not(HasSubstr("--manuals")));
}

TEST_F(CompletionCli, PagesOfTheManual) {
  const std::string page = run("help --man solve").out;
  for (const char* text :
       {".TH PERCUTE\\-SOLVE 1", ".SH NAME\npercute\\-solve \\- Resolve one impact",
        ".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH OPTIONS\n", ".SH EXAMPLES\n",
        ".SH EXIT STATUS\n", ".SH SEE ALSO\n"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  EXPECT_THAT(run("help --man").out, HasSubstr(".BR percute\\-solve (1)"));
  EXPECT_EQ(run("help --manuals .").code, 0);
  EXPECT_EQ(read("percute-solve.1"), page);
  expect_refused("help --manuals nowhere", {"nowhere/percute.1: cannot write"});
  expect_refused("completion tcsh", {"tcsh", "bash"});
}

}  // namespace
}  // namespace percute::cli
