// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/analysis_file.hpp"
#include "io/text.hpp"
#include "output.hpp"
#include "text_table.hpp"

#include <percute/analysis/chain_waves.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace percute::cli {

namespace {

using analysis::BallPassage;
using analysis::ChainWaves;
using analysis::ContactPassage;

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

struct WavesCommand : FileCommand {
  int samples = 0;  ///< 0: not given
};

TextTable contact_table(const io::ProblemFile& file, const ChainWaves& waves) {
  const auto& all = waves.contacts;
  TextTable table;
  table.text("contact", waves.chain.contacts,
             [&](int contact) { return file.contact_names[static_cast<std::size_t>(contact)]; });
  table.numbers("F peak [N]", all, [](const ContactPassage& c) { return c.peak.force; }, false);
  table.numbers("at [s]", all, [](const ContactPassage& c) { return c.peak.time; }, false);
  table.numbers("loaded [s]", all, &ContactPassage::duration, false);
  table.numbers("impulse [N s]", all, &ContactPassage::impulse, false);
  table.right("ICR", all, [](const ContactPassage& c) {
    return c.ratio_to_next ? fmt::format("{:.6f}", *c.ratio_to_next) : "–";
  });
  return table;
}

TextTable ball_table(const io::ProblemFile& file, const ChainWaves& waves) {
  const std::vector<std::string> names =
      io::coordinate_names(file.bodies, file.problem.velocity.size());
  const auto& all = waves.balls;
  double scale = 0.0;
  for (const BallPassage& ball : all) scale = std::max(scale, std::abs(ball.before));
  TextTable table;
  table.text("ball", waves.chain.balls,
             [&](int ball) { return names[static_cast<std::size_t>(ball)]; });
  table.numbers("v⁻ [m/s]", all, &BallPassage::before, true, scale);
  table.numbers(
      "v peak [m/s]", all, [](const BallPassage& b) { return b.peak.velocity; }, true, scale);
  table.numbers("at [s]", all, [](const BallPassage& b) { return b.peak.time; }, false);
  table.numbers("v⁺ [m/s]", all, &BallPassage::after, true, scale);
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
        "  column    e_eff {:.6f}, top ball leaves at {:.6g} m/s; wall hit {}, let go at {:.6g} "
        "s\n",
        waves.outcome.at_rest ? 0.0 : without_noise(e_eff, kShown),
        without_noise(waves.rebound->top_velocity, waves.outcome.resolution),
        counted(wall->impacts, "time"), wall->release);
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
  std::string out = fmt::format("{} · {} in a row · {} · {}\n", io::printable(file.name),
                                counted(waves.chain.size(), "ball"),
                                counted(waves.chain.contacts.size(), "contact"), file.law.title());
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

ExitCode waves_of_file(const WavesCommand& command) {
  // What cannot be written is refused before anything is computed.
  const bool to_file = !command.output.empty();
  if (to_file) (void)io::is_csv(command.output);
  const bool drawn = !command.figure.empty();
  if (drawn) check_figure(command.figure);
  const io::Document document = command.read();
  const io::ProblemFile file = io::read_problem_or_scene(document);
  const int samples = command.samples == 0 && (to_file || drawn) ? kSamples : command.samples;
  const auto run = [&](const Recording& recording) {
    return io::resolve(file, document, recording);
  };
  const auto chain = [&] {
    try {
      return analysis::chain_of(file.problem, file.bodies);
    } catch (const InvalidInput& error) {
      // Bodies and contacts are words of problems: a scene has a system.
      const io::Node* system = document.root.find("system");
      if (system == nullptr) throw;
      throw io::FileError(document.where(*system), "system", "is no chain: " + error.reason());
    }
  };
  const auto watch = [&] {
    const Progress progress("watching " + io::printable(file.name), !command.quiet);
    return analysis::watch_waves(file.problem, chain(), run,
                                 {.samples = samples, .tolerance = tolerance_of(file.law)});
  };
  const ChainWaves waves = io::located_in(document, watch, file.contact_names);
  if (to_file) io::write_waves(command.output, waves, file);
  command.answer(
      "", [&] { return io::to_node(waves, file); },
      [&] {
        std::string text = text_of(file, waves, terminal_columns());
        if (to_file) {
          text += fmt::format("  file      {} instants in {}\n", waves.field.time.size(),
                              io::printable(command.output));
        }
        return text;
      });
  const ExitCode code = waves.result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
  if (!drawn) return code;
  const TemporaryFile data(".h5");
  io::write_waves(data.path(), waves, file);
  return std::max(code, draw_figure(data.path(), command.figure));
}

}  // namespace

void add_waves(CLI::App& app, ExitCode& code) {
  add_command<WavesCommand>(
      app, code, "waves",
      "Show how an impact runs through a chain or column of balls: forces, waves, rebound.",
      kWavesFooter, waves_of_file, [](CLI::App& command, WavesCommand& options) {
        add_file(command, options);
        add_law(command, options);
        add_changes(command, options, "system.balls=100", "start.strikers");
        add_value(command, "-o,--output", options.output,
                  "write velocities and forces over time to FILE: .csv, .h5 or .hdf5", "FILE");
        add_value(command, "--samples", options.samples,
                  "number of instants to write, evenly spaced (200); with --json they are printed "
                  "too",
                  "N")
            .check(CLI::Range(2, 1'000'000));
        add_figure(command, options);
        add_printing(command, options, "everything (percute-waves/1)");
      });
}

}  // namespace percute::cli
