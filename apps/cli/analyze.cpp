// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/analysis_file.hpp"
#include "output.hpp"
#include "report.hpp"
#include "text_table.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/complementarity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

namespace percute::cli {

namespace {

using analysis::ProblemAnalysis;

constexpr const char* kAnalyzeFooter = R"(
FILE is a problem or a scene, as for 'percute solve'. Printed are, per contact, gap rate and
effective mass, and

    Delassus matrix    G = Wᵀ M⁻¹ W: gap rates per impulse
    kinetic angles     inside the wedge of admissible positions; 90°: the two contacts do not feel
                       each other, less: an impulse at one closes the other (balls in a row: 60°),
                       more: it opens the other
    rank               below the number of contacts the impulses are not unique; nor are they where
                       contacts stick whose normals and tangents together depend on each other
    reachable energy   ½ Uᵀ G⁺ U: the kinetic energy that normal impulses can take at most; what is
                       left is motion that no contact feels
    outcomes           what any law without friction may answer: nothing approaches, contacts only
                       push, no energy is created ('percute compare' shows what laws do answer)
    friction           per contact that can slide: A_nn, A_tn, A_tt, what an impulse along n or t does
                       to velocities along n and t; the friction that sticking takes, |A_tn|/A_tt,
                       and that beyond which slip jams, A_nn/|A_tn| (friction draws the bodies
                       together before it stops them)

--choices adds what laws leave open:

    orders             distinct outcomes of collisions one after another (law binary), over all orders
    sequence           whether such a sequence ends, the most approaching contact first
    collapse           the restitution of all contacts below which it never does (three equal balls:
                       7 − 4√3 = 0.0718)
    modes, starts      with friction: distinct outcomes of Coulomb's law (with the file's options if
                       it is its law), over all combinations of open, sticking and sliding contacts,
                       and from 100 random starting points

Examples:
    percute analyze cradle.toml
    percute analyze problem.json --json        # percute-analysis/1; contacts count from 0
    percute analyze cradle.toml --set system.balls=5
    percute analyze examples/scenes/inelastic_collapse.toml --choices

Exit status: 0; 2 bad input, with one message on stderr.)";

struct AnalyzeOptions : FileCommand {
  bool choices = false;
};

const char* motion(double gap_rate, bool active, double scale) {
  if (!active) return "separating";
  return gap_rate < -1e-10 * scale ? "approaching" : "at rest";
}

TextTable contact_table(const io::ProblemFile& file, const ProblemAnalysis& analysis) {
  const double scale =
      analysis.gap_rates.size() > 0 ? analysis.gap_rates.cwiseAbs().maxCoeff() : 0.0;
  const auto motion_of = [&](Eigen::Index i) {
    const bool active = std::ranges::find(analysis.active, i) != analysis.active.end();
    return motion(analysis.gap_rates[i], active, scale);
  };
  TextTable table;
  table.text("contact", file.contact_names);
  table.numbers("gap rate [m/s]", analysis.gap_rates, true);
  table.text("", places(analysis.gap_rates.size()), motion_of);
  table.numbers("effective mass [kg]", analysis.effective_masses, false);
  return table;
}

std::string matrices(const io::ProblemFile& file, const ProblemAnalysis& analysis,
                     std::size_t columns) {
  // Larger ones are for --json.
  constexpr Eigen::Index kMost = 12;
  const Eigen::Index m = analysis.delassus.rows();
  if (m == 0) return "";
  if (m > kMost) return fmt::format("  (matrices of {} contacts: see --json)\n", m);
  const double largest = analysis.delassus.cwiseAbs().maxCoeff();
  const auto contacts = places(m);
  TextTable G;
  TextTable angles;
  G.text("G [1/kg]", file.contact_names);
  angles.text("angle [°]", file.contact_names);
  for (const Eigen::Index j : contacts) {
    const std::string& name = file.contact_names[static_cast<std::size_t>(j)];
    G.right(name, contacts,
            [&](Eigen::Index i) { return number_text(analysis.delassus(i, j), largest, true); });
    angles.right(name, contacts, [&](Eigen::Index i) {
      const double degrees = analysis.kinetic_angles(i, j) * 180.0 / std::numbers::pi;
      return i == j ? "–" : fmt::format("{:.4f}", degrees);
    });
  }
  return beside(G, angles, columns);
}

/// The set every law without friction picks its outcome from; nothing where it is not defined.
std::string outcome_lines(const io::ProblemFile& file, const ProblemAnalysis& analysis) {
  try {
    const analysis::OutcomeSet set = analysis::outcome_set(file.problem);
    // The plastic impact takes all that contacts which only push can take.
    const ImpactResult plastic = resolve(file.problem, laws::Moreau{.restitution = 0.0});
    return fmt::format(
        "  outcomes  admissible are gap rates U⁺ ≥ 0 with G⁻¹(U⁺ − U⁻) ≥ 0 and ½ U⁺ᵀG⁻¹U⁺ ≤ {} J,\n"
        "            energy ratios from {:.6f} to 1\n",
        number_text(set.reachable_energy, analysis.kinetic_energy),
        plastic.energy.after / plastic.energy.before);
  } catch (const InvalidInput&) {
    return "";
  }
}

/// In the order of the eye: what happens at a contact that slides as it does, and when it rests.
std::string friction_words(const analysis::LocalFriction& local) {
  if (local.friction == 0.0) return "no friction";
  const char* rest = local.sticks ? "sticks at rest" : "cannot stick";
  if (local.jams) return fmt::format("jams, then {}", local.sticks ? "sticks" : "slides");
  return local.may_jam ? fmt::format("{}; jams the other way", rest) : std::string(rest);
}

/// What friction can do at each contact that has tangents, the others left out of account.
std::string friction_table(const io::ProblemFile& file, const ProblemAnalysis& analysis) {
  const auto& all = analysis.friction;
  if (all.empty()) return "";
  double largest = 0.0;
  for (const analysis::LocalFriction& local : all) largest = std::max(largest, local.A_nn);
  using Local = analysis::LocalFriction;
  TextTable table;
  table.text("contact", all, [&](const Local& local) {
    return file.contact_names[static_cast<std::size_t>(local.contact)];
  });
  table.right("sliding [m/s]", all,
              [](const Local& local) { return numbers_text(local.sliding_velocity, 0.0); });
  table.right("A_nn [1/kg]", all,
              [&](const Local& local) { return number_text(local.A_nn, largest, true); });
  table.right("A_tn", all, [&](const Local& local) { return numbers_text(local.A_tn, largest); });
  table.right("A_tt", all, [&](const Local& local) {
    const Vector A_tt = local.A_tt.reshaped();
    return numbers_text(local.A_tt.cols() == 2 ? Vector(A_tt(Eigen::Vector3i(0, 1, 3))) : A_tt,
                        largest);
  });
  table.right("sticks from μ", all,
              [](const Local& local) { return fmt::format("{:.6f}", local.stick_coefficient); });
  table.right("jams above μ", all, [](const Local& local) {
    return local.jam_coefficient ? fmt::format("{:.6f}", *local.jam_coefficient) : "–";
  });
  table.text("", all, [](const Local& local) {
    return fmt::format("μ = {:.4g}: {}", local.friction, friction_words(local));
  });
  return "\n" + indented(table);
}

std::string text_of(const io::ProblemFile& file, const ProblemAnalysis& analysis,
                    std::size_t columns) {
  const std::size_t m = file.problem.contacts.size();
  std::string out = fmt::format("{} · {} · {}\n\n", file.name,
                                counted(file.problem.velocity.size(), "coordinate"),
                                counted(m, "closed contact"));
  if (m > 0) out += indented(contact_table(file, analysis)) + "\n";
  out += matrices(file, analysis, columns) + (m > 0 ? "\n" : "");
  const char* unique = "independent, so impulses are unique";
  if (analysis.redundant_sticking) {
    unique = "independent, but where all of them stick, impulses are not unique (velocities are)";
  }
  if (analysis.redundant) unique = "redundant, so impulses are not unique (velocities are)";
  out += fmt::format("  rank      {} of {} contacts: {}\n", analysis.rank, m, unique);
  const double T = analysis.kinetic_energy;
  out += fmt::format("  energy    kinetic {} J, within reach of normal impulses {} J",
                     number_text(T, T), number_text(analysis.reachable_energy, T));
  if (T > 0.0) out += fmt::format(" ({:.4g} %)", 100.0 * analysis.reachable_energy / T);
  return out + "\n" + outcome_lines(file, analysis) + friction_table(file, analysis);
}

/// "2 distinct outcomes, up to 0.53 apart; orders of collisions tried: 3, all there are", and a row
/// for each of them.
std::string distinct_text(const io::ProblemFile& file, const char* heading, const char* choices,
                          const analysis::DistinctOutcomes& outcomes) {
  // More of them are for --json.
  constexpr std::size_t kMost = 10;
  constexpr Eigen::Index kColumns = 9;
  const std::size_t count = outcomes.velocities.size();
  std::string out = fmt::format("  {:<9} {}", heading, counted(count, "distinct outcome"));
  if (count > 1) out += fmt::format(", up to {:.6g} apart", outcomes.spread);
  out += fmt::format("; {}: {}{}", choices, outcomes.tried + outcomes.failed,
                     outcomes.complete ? ", all there are" : "");
  if (outcomes.failed > 0) out += fmt::format("; {} of them lead to none", outcomes.failed);
  out += "\n";
  if (count < 2 || count > kMost || file.problem.velocity.size() > kColumns) return out;
  TextTable table;
  table.text("", outcomes.counts, [](long times) { return fmt::format("{}×", times); });
  for (const Coordinate& one : coordinates_of(file.bodies)) {
    table.numbers(
        one.name, outcomes.velocities, [&](const Vector& v) { return v[one.index]; }, true);
  }
  return out + indented(table);
}

std::string choices_text(const io::ProblemFile& file, const io::OpenChoices& choices) {
  std::string out =
      "\n" + distinct_text(file, "orders", "orders of collisions tried", choices.orders);
  const analysis::Termination& sequence = choices.sequence;
  out += fmt::format("  sequence  {}: {}", name(sequence.diagnosis),
                     counted(sequence.collisions, "collision"));
  if (sequence.diagnosis == analysis::Termination::Diagnosis::Accumulation) out += " and on";
  if (sequence.contraction) {
    out += fmt::format(", impulses shrink by {:.6g} from one visit to the next",
                       *sequence.contraction);
  }
  out += choices.collapse_threshold > 0.0
             ? fmt::format("\n  collapse  with one restitution below {:.6f} it never ends\n",
                           choices.collapse_threshold)
             : "\n  collapse  with no restitution: it always ends\n";
  if (choices.modes) {
    out += distinct_text(file, "modes", "combinations that satisfy Coulomb's law", *choices.modes);
  } else if (!choices.no_modes.empty()) {
    out += fmt::format("  modes     not known: {}\n", choices.no_modes);
  }
  if (choices.starting_points) {
    out += distinct_text(file, "starts", "starting points tried", *choices.starting_points);
  }
  return out;
}

ExitCode analyze_file(const AnalyzeOptions& options) {
  const io::Document document = options.read();
  const io::ProblemFile file = io::read_problem_or_scene(document);
  std::optional<io::OpenChoices> choices;
  const ProblemAnalysis analysis = io::located_in(document, [&] {
    ProblemAnalysis known = analysis::analyze(file.problem);
    if (options.choices) {
      const Progress progress("trying all orders", !options.quiet);
      const auto* coulomb = file.law.as<laws::Coulomb>();
      choices = io::open_choices(file.problem, coulomb != nullptr ? *coulomb : laws::Coulomb{});
    }
    return known;
  });
  const auto node = [&] {
    io::Node all = io::to_node(analysis);
    if (choices) all.add("choices", io::to_node(*choices));
    return all;
  };
  options.answer(options.output, node, [&] {
    return text_of(file, analysis, terminal_columns()) +
           (choices ? choices_text(file, *choices) : "");
  });
  return ExitCode::Accepted;
}

}  // namespace

void add_analyze(CLI::App& app, ExitCode& code) {
  add_command<AnalyzeOptions>(
      app, code, "analyze", "Say what is known about an impact before any law is chosen.",
      kAnalyzeFooter, analyze_file, [](CLI::App& command, AnalyzeOptions& options) {
        add_file(command, options);
        add_changes(command, options, "system.balls=5", "system.wall");
        command.add_flag(
            "--choices", options.choices,
            "also what laws leave open: orders of collisions, collapse, modes of friction");
        add_printing(command, options, "the analysis (percute-analysis/1)");
      });
}

}  // namespace percute::cli
