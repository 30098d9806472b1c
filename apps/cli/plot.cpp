// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "output.hpp"

#include <percute/model/invalid_input.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

// Pictures are drawn by the package of Python, percute.plot. This program only starts it.
namespace percute::cli {

namespace {

constexpr const char* kPlotFooter = R"(
FILE says which picture it is:

    scene with [simulation]   gaps of its run and phases of its contacts; .gif, .mp4: the motion
    scene, problem            impulses and stored energies through the impact
    history, result           the same; a result without history: velocities and impulses
    comparison                laws side by side, as bars
    waves                     space–time diagram
    run                       gaps and phases of contacts

--what asks for another one: impulses, energies, velocities, forces, laws, outcome_plane, wave, gaps,
phases, energy_drift, motion or animation.

Python draws, with the packages percute, matplotlib and h5py. The environment variable
PERCUTE_PYTHON names the interpreter, else it is python3. All pictures: docs/howto/pictures.md.

Examples:
    percute plot cradle.toml                          # cradle.svg
    percute plot cradle.toml --what forces -o forces.pdf
    percute plot rocking_block.toml -o block.gif
    percute simulate rocking_block.toml -o run.h5 && percute plot run.h5 -o run.png
    percute compare cradle.toml --plot laws.svg

Exit status: 0; 2 bad input, or Python or a package is missing, with one message on stderr.)";

constexpr std::string_view kSuffixes[] = {".svg", ".png", ".pdf", ".gif", ".mp4"};

/// Starts Python with these arguments and waits for it: what it exits with.
int python(std::vector<std::string> words) {
  const char* chosen = std::getenv("PERCUTE_PYTHON");
  words.insert(words.begin(), chosen == nullptr || *chosen == '\0' ? "python3" : chosen);
  std::vector<char*> pointers(words.size() + 1, nullptr);
  std::ranges::transform(words, pointers.begin(), [](std::string& word) { return word.data(); });
  pid_t child = 0;
  if (posix_spawnp(&child, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0) {
    throw InvalidInput("", fmt::format("pictures are drawn by Python, and '{}' cannot be started; "
                                       "install Python 3.11 or newer, then '{}', or let "
                                       "PERCUTE_PYTHON name another interpreter",
                                       words[0], "python3 -m pip install percute matplotlib h5py"));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

void check_figure(const std::string& figure) {
  const std::string suffix = std::filesystem::path(figure).extension().string();
  if (std::ranges::find(kSuffixes, suffix) == std::end(kSuffixes)) {
    throw io::FileError(figure, "",
                        fmt::format("'{}' is no format of pictures; there are {}", suffix,
                                    fmt::join(kSuffixes, ", ")));
  }
  // Packages are looked for, not loaded: that takes a moment.
  constexpr const char* kLook =
      "import importlib.util as u, sys; sys.exit(next((20 + k for k, m in enumerate(('percute', "
      "'matplotlib', 'h5py')) if u.find_spec(m) is None), 0))";
  const int code = python({"-c", kLook});
  if (code == 0) return;
  constexpr const char* kInstall[] = {"percute", "matplotlib", "h5py"};
  const bool known = code >= 20 && code < 23;
  throw InvalidInput(
      "", known
              ? fmt::format("pictures need the package {0} of Python: 'python3 -m pip install "
                            "{0}', or let PERCUTE_PYTHON name an interpreter that has it",
                            kInstall[code - 20])
              : "pictures are drawn by Python 3.11 or newer; PERCUTE_PYTHON names something else");
}

ExitCode draw_figure(const std::string& file, const std::string& figure,
                     const std::vector<std::string>& more) {
  std::vector<std::string> words{"-m", "percute.plot", file, "-o", figure};
  words.insert(words.end(), more.begin(), more.end());
  return python(words) == 0 ? ExitCode::Accepted : ExitCode::BadInput;
}

ExitCode draw_document(const io::Document& document, const std::string& figure,
                       const std::vector<std::string>& more) {
  const TemporaryFile file(".json");
  Output out(file.path());
  out.write(io::to_json(document.root) + "\n");
  out.close();
  return draw_figure(file.path(), figure, more);
}

TemporaryFile::TemporaryFile(std::string_view suffix)
    : path_((std::filesystem::temp_directory_path() / "percute-XXXXXX").string()) {
  path_ += suffix;
  const int file = mkstemps(path_.data(), static_cast<int>(suffix.size()));
  if (file < 0) throw io::FileError(path_, "", "cannot write");
  close(file);
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void add_figure(CLI::App& command, FileCommand& options) {
  add_value(command, "--plot", options.figure,
            "draw it as .svg, .png, .pdf, .gif or .mp4; needs Python: 'percute help plot'", "FILE")
      .check(not_empty);
}

namespace {

struct PlotOptions {
  std::string file, figure, what = "auto", laws;
};

ExitCode plot(const PlotOptions& options) {
  std::string figure = options.figure;
  if (figure.empty()) {
    figure = std::filesystem::path(options.file).stem().string() + ".svg";
    std::error_code ignored;
    if (std::filesystem::exists(figure, ignored)) {
      throw io::FileError(figure, "", "is there already; -o names the picture");
    }
  }
  check_figure(figure);
  std::vector<std::string> more{"--say", "--what", options.what};
  if (!options.laws.empty()) more.insert(more.end(), {"--laws", options.laws});
  return draw_figure(options.file, figure, more);
}

}  // namespace

void add_plot(CLI::App& app, ExitCode& code) {
  add_command<PlotOptions>(
      app, code, "plot", "Draw a scene, a problem, or what other commands wrote.", kPlotFooter,
      plot, [](CLI::App& command, PlotOptions& options) {
        add_value(command, "FILE", options.file,
                  "scene, problem, result, history, comparison, waves or run", "")
            .required()
            ->check(not_empty);
        add_value(command, "-o,--output", options.figure,
                  "picture: .svg, .png, .pdf, .gif, .mp4; default: FILE as .svg, here", "FILE")
            .check(not_empty);
        add_value(command, "--what", options.what, "another picture than the usual one", "PICTURE");
        add_value(command, "--laws", options.laws, "laws of 'laws' and 'outcome_plane'", "A,B,...");
      });
}

}  // namespace percute::cli
