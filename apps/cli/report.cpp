// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "report.hpp"

#include "io/text.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace percute::cli {

namespace {

std::string title(const io::ProblemFile& file) {
  return fmt::format("{} · {} · {} · {}\n", io::printable(file.name, 200),
                     counted(file.bodies.size(), "body", "bodies"),
                     counted(file.problem.contacts.size(), "closed contact"), file.law.title());
}

/// One row per coordinate, in the order of the bodies. Units go to the headings, or to a column of
/// their own where bodies move and turn.
TextTable body_table(const io::ProblemFile& file, const ImpactResult& result) {
  const std::vector<Coordinate> rows = coordinates_of(file.bodies);
  const std::optional<std::string> common = common_unit(rows);
  const std::string unit = common && !common->empty() ? fmt::format(" [{}]", *common) : "";
  const auto in = [](const Vector& v) {
    return [&v](const Coordinate& row) { return v[row.index]; };
  };
  TextTable table;
  table.text("body", rows, &Coordinate::name);
  table.numbers("v⁻" + unit, rows, in(file.problem.velocity), true);
  table.numbers("v⁺" + unit, rows, in(result.velocity), true);
  if (!common) table.text("unit", rows, &Coordinate::unit);
  return table;
}

double precompression(const io::ProblemFile& file) {
  double sum = 0.0;
  for (const Contact& contact : file.problem.contacts) sum += contact.stored_energy;
  return sum;
}

/// Energy against which others are shown.
double energy_scale(const io::ProblemFile& file, const ImpactResult& result) {
  return std::max(result.energy.before, precompression(file));
}

/// Sliding velocities before the impact.
std::vector<Vector> sliding_before(const ImpactProblem& problem) {
  std::vector<Vector> sliding;
  sliding.reserve(problem.contacts.size());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    sliding.emplace_back(0);
    if (problem.contacts[i].directions == 0) continue;
    sliding.back() = tangents_of(problem, i).transpose() * problem.velocity;
  }
  return sliding;
}

double largest_of(const std::vector<Vector>& values) {
  double largest = 0.0;
  for (const Vector& value : values) largest = std::max(largest, value.lpNorm<Eigen::Infinity>());
  return largest;
}

TextTable contact_table(const io::ProblemFile& file, const ImpactResult& result) {
  const Vector gap_rate = file.problem.gradients.transpose() * file.problem.velocity;
  TextTable table;
  table.text("contact", file.contact_names);
  table.numbers("gap rate⁻", gap_rate, true);
  table.numbers("gap rate⁺", result.gap_rate, true);
  // Of all contacts; what is nothing beside the sliding before the impact is shown as zero.
  const auto tangential = [&](const char* heading, const std::vector<Vector>& values,
                              double least_scale) {
    const double scale = std::max(least_scale, largest_of(values));
    table.right(heading, values, [scale](const Vector& value) {
      return value.size() == 0 ? "—" : numbers_text(value, scale);
    });
  };
  const bool friction = largest_of(result.tangential_impulse) > 0.0;
  if (friction) {
    tangential("sliding⁺", result.tangential_velocity, largest_of(sliding_before(file.problem)));
  }
  table.numbers("impulse [N s]", result.impulse, false);
  if (friction) tangential("friction [N s]", result.tangential_impulse, 0.0);
  table.numbers("lost [J]", result.dissipated, false, energy_scale(file, result));
  if (!result.diagnostics.contacts.empty()) {
    table.right("compressions", result.diagnostics.contacts, &ContactSummary::compressions);
  }
  return table;
}

/// The limits a law has: " (law.max_steps, law.max_events)", or nothing.
std::string limits_of(const AnyLaw& law) {
  std::string out;
  const io::Node node = io::to_node(law);
  for (const io::Node::Member& member : *node.as<io::Node::Object>()) {
    if (!member.key.starts_with("max_")) continue;
    out += (out.empty() ? "law." : ", law.") + member.key;
  }
  return out.empty() ? "" : " (" + out + ")";
}

/// The status in plain words, "" for plain success.
std::string status_words(const AnyLaw& law, Status status, const Diagnostics& diagnostics) {
  const std::string last = "; the table shows the last state computed";
  const auto& algebraic = diagnostics.algebraic;
  const auto& residual = diagnostics.residual_velocity;
  const auto reason_or = [&](const std::string& words) {
    return diagnostics.reason.empty() ? words : diagnostics.reason;
  };
  switch (status) {
    case Status::Ok:
      break;
    case Status::NoImpact:
      return "nothing approaches and nothing is compressed, so the velocities stay as they are";
    case Status::Zeno:
      return "infinitely many impacts in finite time; the rest was finished plastically" +
             (residual ? fmt::format(" from a residual of {:.1e} m/s", *residual) : "");
    case Status::Cycle:
      return "the collisions repeat without end" + last;
    case Status::Singular:
      return "the contacts are redundant and this law needs independent ones";
    case Status::EnergyUnreachable:
      return "no impulse in the given direction leaves so little energy" +
             (algebraic && algebraic->energy_bound
                  ? fmt::format("; the smallest energy ratio it can leave is {:.9g}",
                                *algebraic->energy_bound)
                  : "");
    case Status::RayNotCompressive:
      return "impulses in the given direction compress no contact";
    case Status::NotApplicable:
      return reason_or("this law does not cover this system");
    case Status::Infeasible:
      return "no impulses satisfy this law" + last;
    case Status::NoSlipSolution:
      return reason_or("Coulomb's law has no solution at a contact" + last);
    case Status::NotTerminated:
      if (algebraic && algebraic->residual > 1e-10) {
        return fmt::format("the solver did not reach its accuracy (scaled error {:.1e})",
                           algebraic->residual) +
               last;
      }
      return reason_or(residual ? "an infinite cascade was left unfinished (law.finish = none)"
                                : fmt::format("a limit{} ended the run", limits_of(law))) +
             last;
    case Status::StepUnderflow:
      return reason_or("the integrator could not go on") + last;
  }
  return "";
}

std::string status_line(const AnyLaw& law, const ImpactResult& result) {
  if (result.status == Status::Ok) return "";
  return fmt::format("  status    {} {}: {}\n", accepted(result.status) ? "·" : "✗",
                     name(result.status), status_words(law, result.status, result.diagnostics));
}

std::string energy_lines(const io::ProblemFile& file, const ImpactResult& result) {
  const EnergyLedger& energy = result.energy;
  const double before = precompression(file);
  const auto joule = [scale = energy_scale(file, result)](double value) {
    return number_text(value, scale) + " J";
  };
  std::string out =
      fmt::format("  energy    kinetic {} → {}", joule(energy.before), joule(energy.after));
  if (energy.before > 0.0) out += fmt::format(" (ratio {:.6f})", energy.after / energy.before);
  if (before > 0.0) out += fmt::format(", precompression {}", joule(before));
  out += fmt::format("\n            dissipated {}", joule(energy.dissipated));
  // Rounding leaves traces that are no news.
  if (energy.stored > 1e-9 * energy_scale(file, result)) {
    out += fmt::format(", still stored {}", joule(energy.stored));
  }
  return out + fmt::format(", balance error {:.1e}\n", energy.balance_error + 0.0);
}

/// What a law did beyond its formulas.
std::string policy_lines(const AlgebraicDiagnostics& algebraic) {
  std::string out;
  const auto line = [&out](const std::string& words) { out += "          · " + words + "\n"; };
  if (algebraic.fremond_fallback) {
    line("energy would have grown: solved with the mean sliding velocity (tangential = 1)");
  }
  if (algebraic.restitution_factor) {
    line(fmt::format("energy would have grown: all restitutions were multiplied by {:.6f}",
                     *algebraic.restitution_factor));
  }
  if (algebraic.multiple_solutions) line("other velocities would satisfy the law as well");
  if (algebraic.stages > 1) line(fmt::format("the law was applied {} times", algebraic.stages));
  if (!algebraic.sequence.empty()) {
    line(fmt::format("{} collisions of single contacts in total", algebraic.sequence.size()));
  }
  return out;
}

std::string verdict_lines(const io::ProblemFile& file, const ImpactResult& result,
                          const std::optional<laws::OtherReengagement>& other) {
  const Consistency& verdict = result.consistency;
  const Consistency::Margins& margins = verdict.margins;
  std::string out;
  const auto line = [&out](bool good, const char* meaning, const std::string& margin) {
    out += fmt::format("  {}{} {} {}\n", out.empty() ? "verdicts  " : "          ",
                       good ? "✓" : "✗", padded(meaning, 30), margin);
  };
  const char* within = verdict.energetic ? ", within tolerance" : "";
  line(verdict.energetic, "no energy is created",
       margins.energetic < 0.0 ? fmt::format("gained {:.1e} J{}", -margins.energetic, within)
                               : fmt::format("lost {:.1e} J", margins.energetic));
  line(verdict.kinematic, "nothing approaches any more",
       fmt::format("smallest gap rate {:+.1e} m/s", margins.kinematic + 0.0));
  line(verdict.kinetic, "contacts only push",
       fmt::format("smallest impulse {:+.1e} effective mass × speed", margins.kinetic + 0.0));
  const auto& contacts = file.problem.contacts;
  const bool friction = std::ranges::any_of(contacts, friction_acts);
  if (friction || !verdict.friction_cone) {
    line(verdict.friction_cone, "friction inside its cone",
         fmt::format("smallest slack {:+.1e} N s", margins.friction_cone));
  }
  line(verdict.momentum, "momentum balance", fmt::format("defect {:.1e} N s", margins.momentum));
  line(verdict.identity, "work of the impulses", fmt::format("defect {:+.1e} J", margins.identity));
  if (verdict.friction_ignored) {
    out +=
        fmt::format("          · friction was ignored: {}\n",
                    io::printable(friction_left_out(file.law, contacts, file.contact_names), 300));
  }
  if (verdict.restitution_ignored) {
    out += "          · restitution was ignored: this force does not use it\n";
  }
  if (const std::string note = other ? reengagement_note(file, result, *other) : "";
      !note.empty()) {
    out += fmt::format("          · {} (law.reengagement; docs/howto/which_law.md)\n", note);
  }
  if (const auto& algebraic = result.diagnostics.algebraic) out += policy_lines(*algebraic);
  if (result.non_unique_impulse) {
    out += "          · the contacts are redundant: velocities are unique, impulses are not\n";
  }
  return out;
}

std::string cost_line(const Diagnostics& diagnostics) {
  if (diagnostics.evaluations == 0) return "";
  std::string out = fmt::format("  cost      {} ({} on events), {} ({} rejected), {}\n",
                                counted(diagnostics.evaluations, "evaluation"),
                                diagnostics.event_evaluations, counted(diagnostics.steps, "step"),
                                diagnostics.rejected, counted(diagnostics.events, "event"));
  if (diagnostics.verify_difference) {
    out += fmt::format("  verified  v⁺ moves by {:.1e} m/s at a tenth of the tolerance\n",
                       *diagnostics.verify_difference);
  }
  return out;
}

}  // namespace

std::vector<Coordinate> coordinates_of(const std::vector<Body>& bodies) {
  std::vector<Coordinate> all;
  for (const Body& body : bodies) {
    for (std::size_t k = 0; k < body.coordinates.size(); ++k) {
      all.push_back(
          {.name = body.coordinate_name(k), .unit = body.unit(k), .index = body.coordinates[k]});
    }
  }
  return all;
}

std::optional<std::string> common_unit(const std::vector<Coordinate>& coordinates) {
  if (coordinates.empty()) return "";
  const std::string& first = coordinates.front().unit;
  const bool mixed =
      std::ranges::any_of(coordinates, [&](const Coordinate& one) { return one.unit != first; });
  return mixed ? std::nullopt : std::optional(first);
}

std::string reengagement_note(const io::ProblemFile& file, const ImpactResult& result,
                              const laws::OtherReengagement& other) {
  // Errors of v⁺ stay below it in units of the tolerance (laws::Lzb): a smaller difference may be
  // one of the integration.
  constexpr double kTolerances = 100.0;
  // Tables show six decimals of the velocities.
  constexpr double kShown = 1e-6;
  const bool tracking = other.rule == laws::Lzb::Reengagement::TrackedGap;
  const char* own = tracking ? "zero_gap" : "tracked_gap";
  const char* tried = tracking ? "tracked_gap" : "zero_gap";
  if (!other.difference) {
    return fmt::format("the difference between {} and {} is not known: {} ends with {}", own, tried,
                       tried, name(other.status));
  }
  if (*other.difference <= std::max(kTolerances * result.diagnostics.tolerance, kShown)) return "";

  Eigen::Index most = 0;
  (result.velocity - other.velocity).cwiseAbs().maxCoeff(&most);
  const double scale =
      std::max(result.velocity.cwiseAbs().maxCoeff(), other.velocity.cwiseAbs().maxCoeff());
  std::string where;
  for (const Coordinate& one : coordinates_of(file.bodies)) {
    if (one.index != most) continue;
    where = fmt::format("{}: {} and {}{}{}", io::printable(one.name),
                        number_text(result.velocity[most], scale, true),
                        number_text(other.velocity[most], scale, true), one.unit.empty() ? "" : " ",
                        one.unit);
  }
  return fmt::format("{} and {} differ by {:.2g} of the largest speed, most for {}", own, tried,
                     *other.difference, where);
}

std::string report(const io::ProblemFile& file, const ImpactResult& result, std::size_t columns,
                   const std::optional<laws::OtherReengagement>& other) {
  std::string out = title(file) + "\n";
  const TextTable bodies = body_table(file, result);
  out += file.problem.contacts.empty() ? indented(bodies)
                                       : beside(bodies, contact_table(file, result), columns);
  return out + "\n" + status_line(file.law, result) + energy_lines(file, result) +
         verdict_lines(file, result, other) + cost_line(result.diagnostics);
}

}  // namespace percute::cli
