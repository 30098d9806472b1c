// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/analysis_file.hpp"
#include "io/text.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace percute::cli {

namespace {

constexpr const char* kIcrFooter = R"(
FILE is a problem or a scene, as for 'percute solve': its law gives the outcome. Or it is a file of
a measurement, format = "percute-icr/1", with a problem or a scene (a path beside it, or in place)
and what was measured after the impact, one of

    measured.velocity    v⁺ of every coordinate; those impulses p ≥ 0 are taken that explain it best
    measured.impulse     p of every contact, N s

    format = "percute-icr/1"
    problem = "../scenes/three_balls.toml"

    [measured]
    velocity = [-0.0747, 0.1120, 0.9628]

Printed are, per contact, the impulse, the direction a = p/max p and both ratios of neighbours in a
row, p of the next contact over p of this one and the other way round; how far the impact went along
a, as restitution e = −p·G p/p·U⁻ − 1 and as KER, kinetic energy after over before; how much of the
measured jump of velocities no pushing contact explains; and the options of law 'icr' that repeat
the outcome.

Examples:
    percute identify-icr cradle.toml                         # of what lzb computes
    percute identify-icr cradle.toml --law compliant
    percute identify-icr examples/icr/steel_balls.toml --json       # percute-icr-result/1
    percute identify-icr steel_balls.toml --set 'measured.velocity=[-0.1, 0.1, 1.0]'

Exit status: 0; 1 the law did not reach an answer; 2 bad input, such as an outcome without impulses,
with one message on stderr.)";

std::string ratio_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.6f}", value) : "–";
}

TextTable ratio_table(const io::IcrFile& file, const analysis::IcrIdentification& found) {
  const auto contacts = places(found.impulse.size());
  const auto to_next = [&](const Vector& ratios) {
    return [&](Eigen::Index i) { return i < ratios.size() ? ratio_text(ratios[i]) : ""; };
  };
  TextTable table;
  table.text("contact", file.problem.contact_names);
  table.numbers("impulse [N s]", found.impulse, false);
  table.right("direction", contacts, to_next(found.direction));
  table.right("next/this", contacts, to_next(found.next_over_previous));
  table.right("this/next", contacts, to_next(found.previous_over_next));
  return table;
}

/// What to give `percute solve --law icr`. Nine digits repeat the outcome to as many.
std::string law_line(const io::IcrAnswer& answer) {
  if (!answer.law) return "  law       none repeats it: " + answer.no_law + "\n";
  const Vector& a = answer.law->direction;
  return fmt::format(
      "  law       --law icr --set 'law.direction=[{:.9g}]' --set law.restitution={:.9g}"
      " --set law.separating={}\n",
      fmt::join(std::vector<double>(a.begin(), a.end()), ", "),
      answer.law->restitution.value_or(0.0), name_of(answer.law->options.separating));
}

std::string text_of(const io::IcrFile& file, const io::IcrAnswer& answer) {
  const analysis::IcrIdentification& found = answer.ratios;
  std::string out =
      fmt::format("{} · {} · {}\n", io::printable(file.problem.name, 200),
                  counted(file.problem.contact_names.size(), "closed contact"),
                  answer.result ? file.problem.law.title() : "measured " + file.measured);
  if (answer.result && answer.result->status != Status::Ok) {
    out += fmt::format("  status    {}\n", name(answer.result->status));
  }
  out += "\n" + indented(ratio_table(file, found)) + "\n";
  out += fmt::format("  along it  restitution e {}, KER {}\n", ratio_text(found.restitution),
                     ratio_text(found.energy_ratio));
  if (file.measured == "velocity") {
    out +=
        fmt::format("  misfit    {:.3g} % of the jump of velocities is no work of these contacts\n",
                    100.0 * found.unexplained);
  }
  if (found.non_unique) {
    out += "  contacts  redundant: other impulses give the same velocities\n";
  }
  return out + law_line(answer);
}

ExitCode identify(const FileCommand& command) {
  const io::Document document = command.read();
  const io::IcrFile file = io::read_icr(document);
  const io::IcrAnswer answer = io::identify_icr(file, document);
  command.answer(
      command.output, [&] { return io::to_node(file, answer); },
      [&] { return text_of(file, answer); });
  return !answer.result || answer.result->ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
}

}  // namespace

void add_identify_icr(CLI::App& app, ExitCode& code) {
  add_command<FileCommand>(
      app, code, "identify-icr", "Find the impulse ratios of an outcome, measured or computed.",
      kIcrFooter, identify, [](CLI::App& command, FileCommand& options) {
        add_file(command, options, "FILE",
                 "problem, scene or measurement, .json or .toml; - is standard input");
        add_law(command, options);
        add_changes(command, options, "system.balls=5", "law.tolerance");
        add_printing(command, options, "the ratios (percute-icr-result/1)");
      });
}

}  // namespace percute::cli
