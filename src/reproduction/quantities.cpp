// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction.hpp"
#include "reproduction/rows.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/analysis/uniqueness.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

// Every number that `percute reproduce` can compare, by name.

namespace percute::reproduction {

namespace {

using analysis::ForcePeak;
using Eigen::Index;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Distance of the entries of "wave_profile" and "theory_profile", in balls.
constexpr double kProfileStep = 0.25;

/// Of a name, from 0.
using Indices = std::vector<std::size_t>;

struct Quantity {
  std::string_view name;
  Watch watch;
  double (*compute)(const Outcome& o, const Indices& k);
};

// -------------------------------------------------------------------------- what they are made of

[[noreturn]] void refuse(const std::string& why) {
  throw InvalidInput("expected", why);
}

template <class T>
const T& part(const std::optional<T>& what, const char* name) {
  if (!what) refuse(std::string("the case has no ") + name);
  return *what;
}

const Impact& impact(const Outcome& o) {
  const auto* found = std::get_if<Impact>(&o.of.subject);
  if (found == nullptr) refuse("the case is no impact");
  return *found;
}
const ImpactResult& result(const Outcome& o) {
  impact(o);
  return o.result;
}
const io::ProblemFile& file(const Outcome& o) {
  return impact(o).file;
}
const InChain& chain(const Outcome& o) {
  return part(o.chain, "chain");
}
const Covered& covered(const Outcome& o) {
  return part(o.coverage, "coverage");
}
const Moved& moved(const Outcome& o) {
  return part(o.motion, "motion");
}
const simulation::Run& run(const Outcome& o) {
  return moved(o).run;
}
const simulation::EnergyRecord& energy(const Outcome& o) {
  return run(o).energy;
}
simulation::Bounce bounce(const Outcome& o) {
  return run(o).bounce.value_or(simulation::Bounce{});
}
const AlgebraicDiagnostics& algebraic(const Outcome& o) {
  return part(result(o).diagnostics.algebraic, "algebraic law");
}

/// Of the bar of a scene, undeformed.
systems::BarVibrations vibrations(const Outcome& o) {
  const io::Document scene{.file = "system", .root = moved(o).file.system_keys};
  const auto key = [&](const char* name) {
    return io::Value(scene, *scene.root.find(name), name).number();
  };
  systems::ImpactingBar bar{.segments = static_cast<int>(key("segments"))};
  bar.angle = key("angle_deg") * std::numbers::pi / 180.0;
  if (key("model") == 1.0) bar.model = systems::ImpactingBar::Model::SeparateSprings;
  return systems::vibrations(bar);
}

/// What a contact of the problem went through, and of the row.
const ContactSummary& contact(const Outcome& o, std::size_t i) {
  return result(o).diagnostics.contacts.at(i);
}
const ContactSummary& in_row(const Outcome& o, std::size_t j) {
  return contact(o, static_cast<std::size_t>(chain(o).chain.contacts.at(j)));
}
std::size_t last(const Outcome& o) {
  return chain(o).chain.contacts.size() - 1;
}
std::size_t wall(const Outcome& o) {
  return chain(o).chain.wall_last ? last(o) : 0;
}

std::vector<ForcePeak> peaks(const Outcome& o, std::size_t j) {
  return analysis::force_peaks(result(o).history, chain(o).chain.contacts.at(j));
}
std::vector<ForcePeak> train(const Outcome& o) {
  return analysis::wave_train(peaks(o, wall(o)));
}

double force(const std::vector<ForcePeak>& list, std::size_t k) {
  return k < list.size() ? list[k].force : kMissing;
}
double time(const std::vector<ForcePeak>& list, std::size_t k) {
  return k < list.size() ? list[k].time : kMissing;
}

double period(const Outcome& o, double analysis::Period::* which) {
  const auto found = analysis::period(peaks(o, wall(o)));
  return found ? (*found).*which : kMissing;
}

double rebound(const Outcome& o, double analysis::Rebound::* which) {
  const auto found = analysis::rebound_of(file(o).problem, chain(o).chain, result(o));
  return found ? (*found).*which : kMissing;
}

/// The k-th instant at which contact j of a row let go, or was met after the start.
double change(const Outcome& o, const Indices& k, bool opening) {
  std::size_t count = 0;
  for (const ImpactEvent& event : result(o).history.events) {
    if (event.contact != chain(o).chain.contacts.at(k.at(0))) continue;
    const bool met = event.kind == EventKind::Activation || event.kind == EventKind::Reengagement;
    const bool counts = opening ? event.kind == EventKind::Opening : met && event.time > 0.0;
    if (counts && count++ == k.at(1)) return event.time;
  }
  return kMissing;
}

/// The sample of the history nearest to an instant; none after its end.
std::optional<Index> sample_at(const Outcome& o, double time) {
  const Vector& times = result(o).history.time;
  if (times.size() == 0 || time > times[times.size() - 1]) return {};
  Index nearest = 0;
  (times.array() - time).abs().minCoeff(&nearest);
  return nearest;
}

/// Largest distance from a curve of the force at the wall, over its largest force.
double curve_distance(const Outcome& o) {
  const Vector& curve = impact(o).curve;
  const int contact = chain(o).chain.contacts.at(wall(o));
  double distance = 0.0;
  for (Index k = 0; k < curve.size(); ++k) {
    const auto sample = sample_at(o, impact(o).curve_step * static_cast<double>(k));
    const double force = sample ? result(o).history.force(contact, *sample) : 0.0;
    distance = std::max(distance, std::abs(force - curve[k]));
  }
  return distance / curve.maxCoeff();
}

/// A number of the wave, or of its theory; missing where there is none.
template <class Number>
double of_wave(const Outcome& o, Number number) {
  const auto& waves = chain(o).waves;
  if (!waves) refuse("waves were not watched");
  return waves->wave ? number(*waves->wave) : kMissing;
}
template <class Number>
double of_theory(const Outcome& o, Number number) {
  return of_wave(
      o, [&](const analysis::Wave& wave) { return wave.theory ? number(*wave.theory) : kMissing; });
}

double wave_profile(const Outcome& o, double balls) {
  return of_wave(o, [&](const analysis::Wave& wave) {
    const InChain& in = chain(o);
    const double ahead = in.waves->balls[static_cast<std::size_t>(wave.ball)].before;
    const double v = in.waves->motion.velocity(wave.ball, wave.peak.time + balls / wave.speed);
    return (v - ahead) / (wave.peak.velocity - ahead);
  });
}

/// Percent of the kinetic energy after an impact.
double energy_percent(const Outcome& o, const Vector& velocity) {
  return 100.0 * file(o).problem.mass.kinetic_energy(velocity) / result(o).energy.after;
}

double sum(const std::vector<Vector>& list) {
  double total = 0.0;
  for (const Vector& entry : list) total += entry.sum();
  return total;
}

/// Coulomb's law with θ as the law of the case has it, 0 for others.
laws::Coulomb coulomb(const Outcome& o) {
  const auto* law = file(o).law.as<laws::Coulomb>();
  return law != nullptr ? *law : laws::Coulomb{.tangential = 0.0};
}

/// The k-th event of a kind.
const simulation::Event* event(const Outcome& o, simulation::EventKind kind, std::size_t k) {
  for (const simulation::Event& entry : moved(o).events) {
    if (entry.kind == kind && k-- == 0) return &entry;
  }
  return nullptr;
}

/// Largest |q_i| in degrees among the states that count.
template <class Counts>
double largest_angle(const Outcome& o, Index i, Counts counts) {
  double largest = 0.0;
  for (const Moved::State& state : moved(o).states) {
    if (counts(state)) largest = std::max(largest, std::abs(state.position[i]));
  }
  return largest / (std::numbers::pi / 180.0);
}

/// Of ball i in half swing k, balls counted from the one that flies off.
double swing_angle(const Outcome& o, const Indices& k) {
  const Motion& motion = std::get<Motion>(o.of.subject);
  const auto swing = static_cast<double>(k.at(0));
  const auto ball = static_cast<Index>(k.at(1));
  const Index last = moved(o).file.system.coordinates() - 1;
  return largest_angle(o, k.at(0) % 2 == 0 ? last - ball : ball, [&](const Moved::State& state) {
    return std::floor((state.time - motion.first_swing) / motion.swing) == swing;
  });
}

// --------------------------------------------------------------------------------------- the table

using O = const Outcome&;
using K = const Indices&;

using enum Watch;

// Indices count from 0 in brackets, and from 1 without: "impulse[0]", "v1", "impact_time_1".
constexpr auto kQuantities = std::to_array<Quantity>({
    // Any impact.
    {"v", Result, [](O o, K k) { return result(o).velocity[k.at(0)]; }},
    {"impulse", Result, [](O o, K k) { return result(o).impulse[k.at(0)]; }},
    {"gap_rate", Result, [](O o, K k) { return result(o).gap_rate[k.at(0)]; }},
    {"tangential_impulse", Result,
     [](O o, K k) { return result(o).tangential_impulse.at(k.at(0))[k.at(1)]; }},
    {"tangential_velocity", Result,
     [](O o, K k) { return result(o).tangential_velocity.at(k.at(0))[k.at(1)]; }},
    {"total_tangential_impulse", Result, [](O o, K) { return sum(result(o).tangential_impulse); }},
    {"energy_ratio", Result, [](O o, K) { return result(o).energy.after / result(o).energy.before; }},
    // After it; [0] before, [1] after.
    {"kinetic_energy", Result,
     [](O o, K k) {
       const bool before = !k.empty() && k.at(0) == 0;
       return before ? result(o).energy.before : result(o).energy.after;
     }},
    // Percent of it in what moves forward, and in the last coordinate.
    {"energy_share_forward", Result,
     [](O o, K) { return energy_percent(o, result(o).velocity.cwiseMax(0.0)); }},
    {"energy_share_last", Result,
     [](O o, K) {
       Vector last = Vector::Zero(result(o).velocity.size());
       last.tail(1) = result(o).velocity.tail(1);
       return energy_percent(o, last);
     }},
    {"dispersion", Result,
     [](O o, K) {
       return analysis::dispersion(file(o).problem.mass, result(o).velocity, file(o).bodies)
           .value_or(kMissing);
     }},
    {"dissipated", Result, [](O o, K k) { return result(o).dissipated[k.at(0)]; }},
    {"compressions", Result,
     [](O o, K k) { return static_cast<double>(contact(o, k.at(0)).compressions); }},
    {"opening_time", Result, [](O o, K k) { return contact(o, k.at(0)).opening_time; }},

    // Verdicts (1: holds) and counts.
    {"energetic", Result, [](O o, K) { return result(o).consistency.energetic ? 1.0 : 0.0; }},
    {"kinematic", Result, [](O o, K) { return result(o).consistency.kinematic ? 1.0 : 0.0; }},
    {"non_unique_impulse", Result, [](O o, K) { return result(o).non_unique_impulse ? 1.0 : 0.0; }},
    {"phases", Result, [](O o, K) { return double(result(o).diagnostics.phases.size()); }},
    {"phase_end", Result, [](O o, K k) { return result(o).diagnostics.phases.at(k.at(0)).to; }},
    {"energy_bound", Result, [](O o, K) { return part(algebraic(o).energy_bound, "bound"); }},
    {"restitution_factor", Result, [](O o, K) { return part(algebraic(o).restitution_factor, "factor"); }},
    {"collisions", Result, [](O o, K) { return double(algebraic(o).sequence.size()); }},
    {"sequence", Result, [](O o, K k) { return double(algebraic(o).sequence.at(k.at(0)).contact); }},

    // About the problem, or about all outcomes it may have.
    {"kinetic_angle", Rest,
     [](O o, K) {
       return analysis::analyze(file(o).problem).kinetic_angles(0, 1) * 180.0 / std::numbers::pi;
     }},
    {"rank", Rest, [](O o, K) { return double(analysis::analyze(file(o).problem).rank); }},
    {"delassus", Rest, [](O o, K k) { return laws::coulomb_impact(file(o).problem, coulomb(o)).problem.A.coeff(k.at(0), k.at(1)); }},
    // Different velocities that Coulomb's law allows.
    {"solutions", Rest,
     [](O o, K) { return double(analysis::over_modes(file(o).problem, coulomb(o)).velocities.size()); }},

    // What a law reaches.
    {"coverage", Rest,
     [](O o, K) {
       const Covered& cells = covered(o);
       return cells.admissible > 0 ? double(cells.reached) / cells.admissible : 0.0;
     }},
    {"admissible_cells", Rest, [](O o, K) { return double(covered(o).admissible); }},
    {"inconsistent", Rest, [](O o, K) { return double(covered(o).inconsistent); }},

    // Rows of balls; balls and contacts in the order of the row.
    {"velocity", Chain, [](O o, K k) { return chain(o).velocity[k.at(0)]; }},
    {"v_first", Chain, [](O o, K) { return chain(o).velocity[0]; }},
    {"v_last", Chain, [](O o, K) { return chain(o).velocity[chain(o).velocity.size() - 1]; }},
    {"impulse_ratio", Chain, [](O o, K k) { return chain(o).outcome.impulse_ratios[k.at(0)]; }},
    {"ratio", Chain, [](O o, K) { return chain(o).outcome.impulse_ratios[0]; }},
    {"forward_balls", Chain, [](O o, K) { return double(chain(o).outcome.forward_balls); }},
    {"forward_percent", Chain, [](O o, K) { return 100.0 * chain(o).outcome.forward_energy; }},
    {"last_ball_percent", Chain, [](O o, K) { return 100.0 * chain(o).outcome.last_ball_energy; }},
    // v_i = −v_{n+1−i} where both ends are struck alike.
    {"asymmetry", Chain,
     [](O o, K) {
       const Vector& v = chain(o).velocity;
       return (v + v.reverse()).cwiseAbs().maxCoeff();
     }},
    {"force", Chain, [](O o, K k) { return in_row(o, k.at(0)).maximal_force; }},
    {"force_time", Chain, [](O o, K k) { return in_row(o, k.at(0)).maximal_force_time; }},
    {"last_force", Chain, [](O o, K) { return in_row(o, last(o)).maximal_force; }},
    {"last_force_time", Chain, [](O o, K) { return in_row(o, last(o)).maximal_force_time; }},
    {"last_release", Chain, [](O o, K) { return in_row(o, last(o)).opening_time; }},
    {"F_max", Chain, [](O o, K) { return in_row(o, wall(o)).maximal_force; }},
    {"t_F_max", Chain, [](O o, K) { return in_row(o, wall(o)).maximal_force_time; }},
    {"release", Chain, [](O o, K) { return in_row(o, wall(o)).opening_time; }},
    {"wall_contacts", Chain, [](O o, K) { return double(in_row(o, wall(o)).impacts); }},
    {"e_eff", Chain, [](O o, K) { return rebound(o, &analysis::Rebound::effective_restitution); }},
    {"v_top", Chain, [](O o, K) { return rebound(o, &analysis::Rebound::top_velocity); }},

    // Largest forces at the wall, at contact j; trains of waves; instants of contacts.
    {"peak_force", Events, [](O o, K k) { return force(peaks(o, wall(o)), k.at(0)); }},
    {"peak_time", Events, [](O o, K k) { return time(peaks(o, wall(o)), k.at(0)); }},
    {"first_peak_force", Events, [](O o, K k) { return force(peaks(o, k.at(0)), 0); }},
    {"first_peak_time", Events, [](O o, K k) { return time(peaks(o, k.at(0)), 0); }},
    {"train", Events, [](O o, K) { return double(train(o).size()); }},
    {"train_force", Events, [](O o, K k) { return force(train(o), k.at(0)); }},
    {"train_time", Events, [](O o, K k) { return time(train(o), k.at(0)); }},
    {"period_shortest", Events, [](O o, K) { return period(o, &analysis::Period::shortest); }},
    {"period_longest", Events, [](O o, K) { return period(o, &analysis::Period::longest); }},
    {"opening", Events, [](O o, K k) { return change(o, k, true); }},
    {"closing", Events, [](O o, K k) { return change(o, k, false); }},
    // Velocity of ball i at instant k.
    {"profile", Events,
     [](O o, K k) {
       const auto sample = sample_at(o, impact(o).instants.at(k.at(0)));
       const int ball = chain(o).chain.balls.at(k.at(1));
       return sample ? result(o).history.velocity(ball, *sample) : result(o).velocity[ball];
     }},
    {"curve", Events, [](O o, K) { return curve_distance(o); }},

    // A wave in the middle of a row, and what its theory says.
    {"wave_speed", Waves, [](O o, K) { return of_wave(o, [](auto& w) { return w.speed; }); }},
    {"wave_peak_velocity", Waves,
     [](O o, K) { return of_wave(o, [](auto& w) { return w.peak.velocity; }); }},
    {"wave_force", Waves, [](O o, K) { return of_wave(o, [](auto& w) { return w.peak_force; }); }},
    {"half_width", Waves,
     [](O o, K) { return of_wave(o, [](auto& w) { return w.half_width.value_or(kMissing); }); }},
    {"balls_above_percent", Waves,
     [](O o, K) { return of_wave(o, [](auto& w) { return double(w.balls_above_percent); }); }},
    {"balls_above_permille", Waves,
     [](O o, K) { return of_wave(o, [](auto& w) { return double(w.balls_above_permille); }); }},
    {"steady_from", Waves,
     [](O o, K) { return of_wave(o, [](auto& w) { return double(w.steady_from + 1); }); }},
    {"wave_profile", Waves,
     [](O o, K k) { return wave_profile(o, kProfileStep * double(k.at(0))); }},
    {"theory_speed", Waves, [](O o, K) { return of_theory(o, [](auto& s) { return s.speed; }); }},
    {"theory_force", Waves,
     [](O o, K) { return of_theory(o, [](auto& s) { return s.peak_force; }); }},
    {"theory_support", Waves,
     [](O o, K) { return of_theory(o, [](auto& s) { return s.support; }); }},
    {"theory_half_width", Waves,
     [](O o, K) { return of_theory(o, [](auto& s) { return s.half_width; }); }},
    {"theory_profile", Waves,
     [](O o, K k) {
       const double x = kProfileStep * double(k.at(0));
       return of_theory(o, [x](auto& s) { return s.velocity(x) / s.peak_velocity; });
     }},

    // Motions; "impacts" also of one contact in an impact.
    {"impacts", Result,
     [](O o, K k) {
       return double(k.empty() ? run(o).impacts : std::int64_t{contact(o, k.at(0)).impacts});
     }},
    {"seconds", Result, [](O o, K) { return run(o).wall_time; }},
    {"first_impact_time", Result,
     [](O o, K) { return run(o).first_impact_time.value_or(kMissing); }},
    {"first_impact_velocity", Result,
     [](O o, K) { return run(o).first_impact_velocity.value_or(kMissing); }},
    {"expected_energy", Result, [](O o, K) { return energy(o).expected; }},
    {"energy_max", Result, [](O o, K) { return energy(o).max; }},
    {"energy_min", Result, [](O o, K) { return energy(o).min; }},
    {"d_rel", Result, [](O o, K) { return (energy(o).expected - energy(o).mean) / energy(o).expected; }},
    {"s_rel", Result, [](O o, K) { return energy(o).deviation / energy(o).expected; }},
    {"energy_drift", Result,
     [](O o, K) {
       const auto& e = energy(o);
       return std::max(std::abs(e.max - e.expected), std::abs(e.min - e.expected)) /
              std::abs(e.expected);
     }},
    {"apparent_restitution", Result,
     [](O o, K) { return bounce(o).apparent_restitution.value_or(kMissing); }},
    {"clusters", Result, [](O o, K) { return double(bounce(o).clusters.size()); }},
    {"first_cluster_us", Result,
     [](O o, K) {
       const auto clusters = bounce(o).clusters;
       return clusters.empty() ? kMissing : 1e6 * (clusters.front().end - clusters.front().start);
     }},
    {"omega_max", Rest, [](O o, K) { return vibrations(o).highest; }},
    {"step_limit", Rest, [](O o, K) { return vibrations(o).step_limit; }},
    {"first_bending_hz", Rest, [](O o, K) { return part(moved(o).file.first_bending_hz, "bar"); }},
    {"impact_time", Events,
     [](O o, K k) {
       const auto* found = event(o, simulation::EventKind::Impact, k.at(0));
       return found != nullptr ? found->time : kMissing;
     }},
    {"speed", Events,
     [](O o, K k) {
       const auto* found = event(o, simulation::EventKind::Impact, k.at(0));
       return found != nullptr ? found->velocity_after.norm() : kMissing;
     }},
    {"accumulation", Events,
     [](O o, K) {
       const auto* found = event(o, simulation::EventKind::Accumulation, 0);
       return found != nullptr ? found->time : kMissing;
     }},
    // Degrees: largest of ball i in half swing k, and of a body in the plane after impact k.
    {"angle", Events, [](O o, K k) { return swing_angle(o, k); }},
    {"tilt", Events,
     [](O o, K k) {
       return largest_angle(o, 2, [&](const Moved::State& state) {
         return state.impacts == static_cast<int>(k.at(0)) + 1;
       });
     }},
});

/// "opening[0][1]", "angle_1_2" and "v3" in their parts.
std::pair<const Quantity*, Indices> find(const std::string& text) {
  std::string word = text.substr(0, text.find('['));
  Indices indices;
  for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
    indices.push_back(std::stoul(text.substr(at + 1)));
  }
  for (std::size_t end = word.find_last_not_of("0123456789") + 1; end < word.size() && end > 0;
       end = word.find_last_not_of("0123456789") + 1) {
    indices.insert(indices.begin(), std::stoul(word.substr(end)) - 1);
    word.resize(word[end - 1] == '_' ? end - 1 : end);
  }
  const auto* const found = std::ranges::find(kQuantities, word, &Quantity::name);
  if (found == kQuantities.end()) refuse("there is no quantity called '" + text + "'");
  return {found, indices};
}

}  // namespace

Watch watch_for(const std::string& name) {
  return find(name).first->watch;
}

double quantity(const std::string& name, const Outcome& outcome) {
  const auto [found, indices] = find(name);
  // Numbers of a run that did not come to its end are none.
  const bool ended = !outcome.motion || outcome.motion->run.status == simulation::RunStatus::Ok;
  return ended || found->name == "seconds" ? found->compute(outcome, indices) : kMissing;
}

}  // namespace percute::reproduction
