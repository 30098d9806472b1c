// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/printable.hpp"
#include "io/waves_file.hpp"
#include "output.hpp"
#include "overrides.hpp"
#include "progress.hpp"
#include "text_table.hpp"

#include <percute/analysis/chain_waves.hpp>
#include <percute/io/problem_file.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <variant>

namespace percute::cli {

namespace {

using analysis::BallPassage;
using analysis::ChainWaves;
using analysis::ContactPassage;

constexpr const char* kWavesDescription =
    "Show how an impact runs through a chain or column of balls: forces, waves, rebound.";

constexpr const char* kWavesFooter = R"(
FILE is a problem or a scene, as for 'percute solve', whose bodies have one coordinate and whose
contacts join neighbours, or an end of the row to a wall. The law needs an inner time: lzb or
compliant. Printed are, in the order of the row,

    contacts   largest force and its instant, time under load, impulse, ICR = p / p of the next
    balls      velocity before, largest velocity on the way with its instant, velocity after
    wave       in ten balls and more, where the force is handed on: speed between the contacts in
               the middle, height and width there; for equal balls beside Nesterenko's long waves
    column     where all balls move towards a wall: e_eff = −Σ m v⁺ / Σ m v⁻, velocity of the top ball
    period     at a wall: shortest and longest time between force peaks (the last is left out)

Examples:
    percute waves cradle.toml
    percute waves cradle.toml --set system.balls=100            # a solitary wave
    percute waves cradle.toml -o waves.csv --samples 500        # velocities and forces over time
    percute waves cradle.toml -o waves.h5                       # groups /space_time, /contacts, /balls
    percute waves problem.json --law compliant --json           # percute-waves/1

Exit status: 0 accepted; 1 the law did not reach an answer; 2 bad input, such as a problem that is
no chain, with one message on stderr.)";

constexpr int kSamples = 200;

struct WavesCommand {
  std::string file = {};
  Overrides overrides = {};
  std::string output = {};
  int samples = 0;  ///< 0: not given
  bool json = false;
  bool quiet = false;
};

template <class Passage>
Vector values_of(const std::vector<Passage>& passages,
                 const std::function<double(const Passage&)>& value) {
  Vector out(static_cast<Eigen::Index>(passages.size()));
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    out[k] = value(passages[static_cast<std::size_t>(k)]);
  }
  return out;
}

TextTable contact_table(const io::ProblemFile& file, const ChainWaves& waves) {
  std::vector<std::string> names;
  std::vector<std::string> ratios;
  names.reserve(waves.contacts.size());
  ratios.reserve(waves.contacts.size());
  for (std::size_t k = 0; k < waves.contacts.size(); ++k) {
    const ContactPassage& contact = waves.contacts[k];
    names.push_back(file.contact_names[static_cast<std::size_t>(waves.chain.contacts[k])]);
    ratios.push_back(contact.ratio_to_next ? fmt::format("{:.6f}", *contact.ratio_to_next) : "–");
  }
  const auto column = [&](const std::function<double(const ContactPassage&)>& value) {
    return values_of(waves.contacts, value);
  };
  TextTable table;
  table.text("contact", names);
  table.numbers("F peak [N]", column([](const ContactPassage& c) { return c.peak.force; }), false);
  table.numbers("at [s]", column([](const ContactPassage& c) { return c.peak.time; }), false);
  table.numbers("loaded [s]", column([](const ContactPassage& c) { return c.duration; }), false);
  table.numbers("impulse [N s]", column([](const ContactPassage& c) { return c.impulse; }), false);
  table.right("ICR", ratios);
  return table;
}

TextTable ball_table(const io::ProblemFile& file, const ChainWaves& waves) {
  std::vector<std::string> of_coordinates(static_cast<std::size_t>(file.problem.velocity.size()));
  for (const Body& body : file.bodies) {
    of_coordinates[static_cast<std::size_t>(body.coordinates.front())] = body.name;
  }
  std::vector<std::string> names;
  names.reserve(waves.chain.balls.size());
  for (const int ball : waves.chain.balls) {
    names.push_back(of_coordinates[static_cast<std::size_t>(ball)]);
  }
  const auto column = [&](const std::function<double(const BallPassage&)>& value) {
    return values_of(waves.balls, value);
  };
  const Vector before = column([](const BallPassage& b) { return b.before; });
  const double scale = before.cwiseAbs().maxCoeff();
  TextTable table;
  table.text("ball", names);
  table.numbers("v⁻ [m/s]", before, true, scale);
  table.numbers("v peak [m/s]", column([](const BallPassage& b) { return b.peak.velocity; }), true,
                scale);
  table.numbers("at [s]", column([](const BallPassage& b) { return b.peak.time; }), false);
  table.numbers("v⁺ [m/s]", column([](const BallPassage& b) { return b.after; }), true, scale);
  return table;
}

std::string wave_lines(const io::ProblemFile& file, const ChainWaves& waves) {
  if (!waves.wave) return "";
  const analysis::Wave& wave = *waves.wave;
  const auto contact = [&](int k) {
    const int index = waves.chain.contacts[static_cast<std::size_t>(k)];
    return io::printable(file.contact_names[static_cast<std::size_t>(index)]);
  };
  std::string text = fmt::format(
      "  wave      {:.6g} balls/s between contacts {} and {}; height {:.6g} m/s, F peak "
      "{:.6g} N in the middle\n",
      wave.speed, contact(wave.first_contact), contact(wave.last_contact), wave.height,
      wave.peak_force);
  text += fmt::format("            {} balls above 1 % of the height, {} above 0.1 %",
                      wave.balls_above_percent, wave.balls_above_permille);
  if (wave.half_width) text += fmt::format("; half width {:.5g} balls", *wave.half_width);
  text += "\n";
  if (wave.theory) {
    text += fmt::format(
        "  theory    Nesterenko's long wave of this height: {:.6g} balls/s, F peak {:.6g} N, half "
        "width {:.5g} balls\n",
        std::copysign(wave.theory->speed, wave.speed), wave.theory->peak_force,
        wave.theory->half_width);
  }
  return text;
}

/// Numbers that are no more than noise show as zero, without a sign.
double without_noise(double value, double noise) {
  return std::abs(value) > noise ? value : 0.0;
}

std::string column_lines(const ChainWaves& waves) {
  std::string text;
  const auto wall = waves.chain.wall_first ? waves.contacts.begin() : waves.contacts.end() - 1;
  if (waves.rebound) {
    constexpr double kShown = 5e-7;  // half of the last decimal
    const double e_eff = waves.rebound->effective_restitution;
    text += fmt::format(
        "  column    e_eff {:.6f}, top ball leaves at {:.6g} m/s; wall hit {} time{}, let go at "
        "{:.6g} s\n",
        waves.outcome.at_rest ? 0.0 : without_noise(e_eff, kShown),
        without_noise(waves.rebound->top_velocity, waves.outcome.resolution), wall->impacts,
        wall->impacts == 1 ? "" : "s", wall->release);
  }
  if (waves.period) {
    text += fmt::format("  period    {:.6g} to {:.6g} s between the {} force peaks at the wall\n",
                        waves.period->shortest, waves.period->longest, wall->peaks.size());
  }
  return text;
}

std::string outcome_line(const ChainWaves& waves) {
  const analysis::ChainOutcome& outcome = waves.outcome;
  std::string text = "  outcome   ";
  const bool walls = waves.chain.wall_first || waves.chain.wall_last;
  if (outcome.at_rest) {
    text += fmt::format("all balls at rest (to {:.2g} m/s); ", outcome.resolution);
  } else if (!walls) {
    // A wall turns the momentum round: nothing tells forward from back any more.
    text += fmt::format(
        "{} of {} balls move forward with {:.4f} % of the energy, the foremost has {:.4f} %; ",
        outcome.forward_balls, waves.balls.size(), 100.0 * outcome.forward_energy,
        100.0 * outcome.last_ball_energy);
  }
  if (outcome.energy_ratio) text += fmt::format("KER {:.6f}", *outcome.energy_ratio);
  if (outcome.dispersion) text += fmt::format(", C_KE {:.6f}", *outcome.dispersion);
  return text + "\n";
}

std::string text_of(const io::ProblemFile& file, const ChainWaves& waves, std::size_t columns) {
  const std::size_t m = waves.chain.contacts.size();
  std::string out = fmt::format(
      "{} · {} ball{} in a row · {} contact{} · {}\n", io::printable(file.name), waves.chain.size(),
      waves.chain.size() == 1 ? "" : "s", m, m == 1 ? "" : "s", file.law.title());
  if (waves.result.status != Status::Ok) {
    out += fmt::format("  status    {}", name(waves.result.status));
    if (const auto residual = waves.result.diagnostics.residual_velocity) {
      out += fmt::format(": impacts without end, finished where gap rates were below {:.2g} m/s",
                         *residual);
    }
    out += "\n";
  }
  if (waves.contacts.empty()) return out;
  out += "\n" + beside(contact_table(file, waves), ball_table(file, waves), columns) + "\n";
  return out + wave_lines(file, waves) + column_lines(waves) + outcome_line(waves);
}

double tolerance_of(const AnyLaw& law) {
  const io::Node options = io::to_node(law);
  const io::Node* tolerance = options.find("tolerance");
  return tolerance == nullptr ? 0.0 : *tolerance->as<double>();
}

ChainWaves watch(const io::ProblemFile& file, const io::Document& document, int samples) {
  const auto run = [&](const Recording& recording) {
    return io::resolve(file, document, recording);
  };
  try {
    const analysis::Chain chain = analysis::chain_of(file.problem, file.bodies);
    return analysis::watch_waves(file.problem, chain, run,
                                 {.samples = samples, .tolerance = tolerance_of(file.law)});
  } catch (const io::FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    throw io::located(error, document, file.contact_names);
  }
}

ExitCode waves_of_file(const WavesCommand& command) {
  // What cannot be written is refused before anything is computed.
  const bool to_file = !command.output.empty();
  if (to_file) io::check_waves_path(command.output);
  const io::Document document = command.overrides.read(command.file);
  const io::ProblemFile file = io::read_problem_or_scene(document);
  const int samples = command.samples == 0 && to_file ? kSamples : command.samples;
  const ChainWaves waves = [&] {
    const Progress progress("watching " + io::printable(file.name), !command.quiet);
    return watch(file, document, samples);
  }();
  if (to_file) io::write_waves(command.output, waves, file);
  if (command.json) {
    Output().write(io::to_json(io::to_node(waves, file)) + "\n");
  } else if (!command.quiet) {
    std::string text = text_of(file, waves, terminal_columns());
    if (to_file) {
      text += fmt::format("  file      {} instants in {}\n", waves.field.time.size(),
                          io::printable(command.output));
    }
    Output().write(text);
  }
  return waves.result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
}

}  // namespace

void add_waves(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<WavesCommand>();
  CLI::App* command = app.add_subcommand("waves", kWavesDescription);
  command->footer(kWavesFooter);
  command
      ->add_option("FILE", options->file, "problem or scene, .json or .toml; - is standard input")
      ->type_name("")
      ->required();
  command->add_option("--law", options->overrides.law, "use this law instead of the file's")
      ->type_name("KIND");
  add_override_options(*command, options->overrides, "system.balls=100", "start.strikers");
  command
      ->add_option("-o,--output", options->output,
                   "write velocities and forces over time to FILE: .csv, .h5 or .hdf5")
      ->type_name("FILE");
  command
      ->add_option(
          "--samples", options->samples,
          "number of instants to write, evenly spaced (200); with --json they are printed too")
      ->type_name("N")
      ->check(CLI::Range(2, 1'000'000));
  command->add_flag("--json", options->json, "print everything as JSON (percute-waves/1)");
  command->add_flag("--quiet", options->quiet, "print no table and no progress");
  add_table_option(*command);
  command->callback([options, &code] { code = waves_of_file(*options); });
}

}  // namespace percute::cli
