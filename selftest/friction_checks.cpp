// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/friction_checks.hpp"

#include "selftest/elastic_friction.hpp"
#include "selftest/friction_referee.hpp"
#include "selftest/impact_guises.hpp"
#include "selftest/law_outcome.hpp"
#include "selftest/measures.hpp"

#include <percute/laws/darboux_keller_single.hpp>
#include <percute/laws/lzb.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace percute::selftest {

namespace {

/// What bounds refer to.
struct Trial {
  const LawContext& c;
  const laws::Lzb& law;
  bool stored = false;  ///< a contact is compressed beforehand
};

bool infinite(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(), [](const Contact& contact) {
    return std::isinf(contact.material.friction) && contact.directions > 0;
  });
}

bool precompressed(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const Contact& contact) { return contact.stored_energy > 0.0; });
}

double dishonest(const Trial& trial, const ImpactResult& result) {
  const LawContext& c = trial.c;
  const Diagnostics& d = result.diagnostics;
  const bool impact = c.approaching() || trial.stored;
  switch (result.status) {
    case Status::Ok:
      return impact ? 0.0 : 1.0;
    case Status::NoImpact:
      return impact ? 1.0 : 0.0;
    case Status::Zeno:
      return d.residual_velocity ? 0.0 : 1.0;
    case Status::NotTerminated:
      return !d.reason.empty() || d.events >= trial.law.max_events ||
                     d.steps + d.rejected >= trial.law.max_steps
                 ? 0.0
                 : 1.0;
    case Status::NoSlipSolution:
      return infinite(c.problem) ? 0.0 : 1.0;
    case Status::NotApplicable:
      return d.reason.empty() ? 1.0 : 0.0;
    default:
      return 1.0;
  }
}

/// `tolerance`: of the integration; 0 for a closed form.
void check_outcome(const Trial& trial, const ImpactResult& result, double tolerance,
                   std::vector<Check>& checks) {
  const LawContext& c = trial.c;
  checks.push_back({"finite", not_finite(result), 0.0});
  checks.push_back({"status", dishonest(trial, result), 0.0});
  const Consistency::Margins& margin = result.consistency.margins;
  const double momenta = std::max(largest(c.problem.mass * c.problem.velocity),
                                  largest(c.problem.mass * result.velocity));
  double pushes = result.impulse.cwiseAbs().sum();
  for (const Vector& p : result.tangential_impulse) pushes += p.cwiseAbs().sum();
  checks.push_back({"momentum", margin.momentum, 1e-10 * momenta + 1e-13 * pushes});
  const double kinetic = std::max({result.energy.before, result.energy.after, c.scale.energy});
  const double rounding = c.rounding * pushes + 1e-14 * pushes * c.scale.velocity;
  checks.push_back({"work", std::abs(margin.identity), 1e-10 * kinetic + rounding});
  // A run that was cut has added up the errors of many steps.
  const auto contacts = static_cast<double>(c.size());
  const double many = result.ok() ? 1.0 : 10.0 * contacts;
  const double unsure = tolerance > 0.0 ? std::max(1e-9, tolerance) * many : 1e-10;
  checks.push_back({"ledger", std::abs(result.energy.balance_error), unsure});
  if (!result.ok() || c.size() == 0) return;
  checks.push_back({"energy", -margin.energetic, unsure * c.scale.energy + rounding});
  checks.push_back({"separation", -margin.kinematic, c.scale.gap_rate_tol + c.rounding});
  checks.push_back({"push", -margin.kinetic, 1e-10});
  for (std::size_t i = 0; i < c.problem.contacts.size(); ++i) {
    if (c.problem.contacts[i].directions == 0) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const double unit = 1e-10 * c.scale.effective_mass[k] * c.scale.velocity;
    const double friction = c.problem.contacts[i].material.friction;
    const double p = std::max(0.0, result.impulse[k]);
    const double allowed = std::isinf(friction) && p <= unit ? 0.0 : friction * p;
    checks.push_back({"cone", result.tangential_impulse[i].norm() - allowed,
                      unit + 1e-12 * (std::isinf(allowed) ? 0.0 : allowed)});
  }
  if (result.dissipated_by_friction.size() == 0) return;
  // Impulses that stop several contacts at once do work on one another.
  const Vector& loss = result.dissipated_by_friction;
  const double least = infinite(c.problem) ? loss.sum() : loss.minCoeff();
  checks.push_back({"loss", -least, unsure * c.scale.energy});
}

/// Compares outcomes of one impact in several guises.
class FrictionComparison {
 public:
  FrictionComparison(const LawContext& c, const laws::Lzb& law, const ImpactResult& result,
                     LawReport& report)
      : c_(c), law_(law), result_(result), report_(report) {}

  /// `other`: gap rates and sliding velocities in units and order of the result.
  void same(const char* name, const ImpactResult& other) {
    const double vs = c_.scale.velocity;
    const double bound = 200.0 * law_.tolerance * vs + c_.rounding;
    const Diagnostics& d = other.diagnostics;
    const bool cut = d.events >= law_.max_events || d.steps + d.rejected >= law_.max_steps;
    if (other.status == Status::NotTerminated && cut) return;  // it has not come to an end
    const double value = other.ok() ? difference(other, result_) : INFINITY;
    if (value <= bound) {
      report_.checks.push_back({name, value, bound});
      return;
    }
    if (factor_ == 0.0) factor_ = amplification();
    if (std::isinf(factor_)) {
      // Nothing can be said where an arbitrarily small change leads elsewhere.
      report_.non_unique = true;
      return;
    }
    report_.checks.push_back({name, value, bound * factor_});
  }

 private:
  /// How much the outcome moves with v⁻, over what v⁻ moved: at least 1.
  double amplification() const {
    constexpr double kMove = 1e-8;
    const double vs = c_.scale.velocity;
    double worst = 1.0;
    for (const double sign : {1.0, -1.0}) {
      ImpactProblem moved = c_.problem;
      for (Eigen::Index k = 0; k < moved.velocity.size(); ++k) {
        moved.velocity[k] += sign * (k % 2 == 0 ? kMove : -kMove) * vs;
      }
      const ImpactResult other = percute::resolve(moved, law_);
      if (!other.ok()) return INFINITY;
      worst = std::max(worst, difference(other, result_) / (kMove * vs));
    }
    return worst;
  }

  const LawContext& c_;
  const laws::Lzb& law_;
  const ImpactResult& result_;
  LawReport& report_;
  double factor_ = 0.0;  ///< 0: not asked for yet
};

void check_guises(const RandomProblem& random, const LawContext& c, const ImpactResult& result,
                  LawReport& report) {
  if (result.status != Status::Ok && result.status != Status::Zeno) return;
  const ImpactProblem& problem = random.problem;
  const laws::Lzb& law = random.law;
  const std::size_t m = problem.contacts.size();
  FrictionComparison comparison(c, law, result, report);

  ImpactResult contacts = percute::resolve(with_contacts_reversed(problem), law);
  contacts.gap_rate.reverseInPlace();
  std::reverse(contacts.tangential_velocity.begin(), contacts.tangential_velocity.end());
  comparison.same("contacts", contacts);

  const Units units{.mass = 7, .length_steps = -1, .time = 5};
  ImpactProblem scaled = problem;
  change_units(scaled, units);
  ImpactResult measured = percute::resolve(scaled, law);
  measured.gap_rate /= units.velocity_factor();
  for (Vector& sliding : measured.tangential_velocity) sliding /= units.velocity_factor();
  comparison.same("units", measured);

  ImpactResult turned = percute::resolve(with_tangents_turned(problem), law);
  for (std::size_t i = 0; i < m; ++i) {
    if (problem.contacts[i].directions == 0) continue;
    turned.tangential_velocity[i] = tangents_of(problem, i).transpose() * turned.velocity;
  }
  comparison.same("basis", turned);

  if (random.translation.size() > 0) {
    ImpactProblem moving = problem;
    moving.velocity += 0.75 * c.scale.velocity * random.translation;
    comparison.same("shift", percute::resolve(moving, law));
  }
  ImpactResult halves = percute::resolve(with_a_contact_halved(problem), law);
  halves.gap_rate.conservativeResize(static_cast<Eigen::Index>(m));
  halves.tangential_velocity.resize(m);
  comparison.same("halves", halves);
}

/// Without friction: exactly as if there were no tangents, and the limit of ever less friction.
void check_frictionless(const RandomProblem& random, std::vector<LawReport>& reports) {
  const ImpactProblem none = with_friction(random.problem, 0.0);
  ImpactProblem smooth = none;
  set_tangents(smooth, std::vector<Matrix>(smooth.contacts.size()));
  const ImpactResult result = percute::resolve(none, random.law);
  const ImpactResult without = percute::resolve(smooth, random.law);
  LawReport& report = reports.emplace_back();
  report.name = "lzb frictionless";
  report.status = result.status;
  report.answered = result.ok();
  const bool bits = result.velocity == without.velocity && result.status == without.status;
  report.checks.push_back({"same bits", bits ? 0.0 : 1.0, 0.0});
  if (!result.ok()) return;
  const LawContext c(none);
  constexpr double kLittle = 1e-13;
  const ImpactProblem little = with_friction(random.problem, kLittle);
  const Recording integrated{.every = 0};
  FrictionComparison(c, random.law, result, report)
      .same("limit", percute::resolve(little, random.law, integrated));
}

/// What the steps of a run of elastic contacts must obey, one by one.
void check_steps(const ImpactProblem& problem, const ImpactHistory& history, double tolerance,
                 std::vector<Check>& checks) {
  const LawContext c(problem);
  // Each sample is off by the tolerance of a step; impulses add up, and round, over the whole run.
  double most = 0.0;
  if (history.time.size() > 0) most = history.impulse.col(history.time.size() - 1).maxCoeff();
  const double unit = c.scale.effective_mass.minCoeff() * c.scale.velocity;
  // Where contacts stop, what is left of their sliding is taken away at once: 1e-10 vs, and ten
  // times as much each time that an instant has to be decided again.
  checks.push_back({"cone of steps", beyond_coulomb(problem, history),
                    100.0 * tolerance + (unit > 0.0 ? 1e-14 * most / unit : 0.0)});
  double energy = c.scale.energy;
  if (history.time.size() > 0) energy = std::max(energy, history.kinetic_energy[0]);
  // Errors of thousands of steps, of contacts that rattle on, add up.
  const double steps = std::max(1.0, 1e-3 * static_cast<double>(history.time.size()));
  const double gain = 10.0 * tolerance * static_cast<double>(c.size()) * energy * steps;
  checks.push_back({"energy of steps", energy_gained(history), gain});
}

/// What regularised friction says of both laws.
void ask_referee(const ElasticFriction& trial, std::vector<LawReport>& reports) {
  const FrictionReferee referee;
  const std::optional<FrictionReferee::Opinion> opinion = referee(trial.problem);
  if (!opinion) return;
  LawReport& report = reports.emplace_back();
  report.name = "referee";
  const double lzb = largest(opinion->velocity - trial.lzb.velocity);
  const double compliant = largest(opinion->velocity - trial.compliant.velocity);
  double bound = trial.allowed + opinion->error;
  if (!(lzb <= bound)) {
    // Its friction is another one by ε: what changes of 1e-9 do, as many times larger.
    const double spread = outcome_spread(trial.problem, trial.lzb);
    bound += 0.1 * referee.creep / 1e-9 * spread;
    report.sensitive = lzb <= bound;
    if (report.sensitive) return;
  }
  report.checks.push_back({"lzb", lzb, bound});
  if (trial.compliant.ok()) report.checks.push_back({"compliant", compliant, bound});
}

/// Elastic contacts, friction included, under two laws that are one there.
void check_elastic(const RandomProblem& random, bool referee, std::vector<LawReport>& reports) {
  const ElasticFriction trial = compare_elastic(random.problem);
  const auto report = [&](const char* name, const ImpactResult& result) -> LawReport& {
    LawReport& out = reports.emplace_back();
    out.name = name;
    out.status = result.status;
    out.answered = result.ok();
    return out;
  };
  const laws::Lzb law = lzb_of_elastic_contacts();
  {
    LawReport& lzb = report("lzb tracked gaps", trial.lzb);
    const ImpactResult recorded = percute::resolve(trial.problem, law, Recording{.every = 1});
    check_steps(trial.problem, recorded.history, law.tolerance, lzb.checks);
  }
  if (!trial.asked) return;
  {
    LawReport& compliant = report("compliant", trial.compliant);
    check_steps(trial.problem, trial.compliant.history, law.tolerance, compliant.checks);
    if (!trial.compared) return;
    compliant.checks.push_back({"answer", trial.answered ? 0.0 : 1.0, 0.0});
    compliant.sensitive = trial.sensitive();
    if (trial.answered && !compliant.sensitive) {
      compliant.checks.push_back({"as lzb", trial.difference, trial.allowed});
    }
  }
  if (referee || !(trial.agree() || trial.sensitive())) ask_referee(trial, reports);
}

}  // namespace

std::vector<Check> check_frictional_result(const RandomProblem& random,
                                           const ImpactResult& result) {
  const LawContext c(random.problem);
  const Trial trial{.c = c, .law = random.law, .stored = precompressed(random.problem)};
  std::vector<Check> checks;
  check_outcome(trial, result, random.law.tolerance, checks);
  return checks;
}

std::vector<LawReport> check_friction(const RandomProblem& random, bool referee) {
  std::vector<LawReport> reports;
  const ImpactProblem& problem = random.problem;
  const laws::Lzb& law = random.law;
  const LawContext c(problem);
  const bool single = problem.contacts.size() == 1;
  const bool stored = precompressed(problem);
  const bool closed = single && !stored && law.contact_model == ContactModel::BiStiffness;
  const Trial trial{.c = c, .law = law, .stored = stored};
  const auto report = [&](const char* name, const ImpactResult& result) -> LawReport& {
    LawReport& out = reports.emplace_back();
    out.name = name;
    out.status = result.status;
    out.answered = result.ok();
    return out;
  };
  {
    const ImpactResult result = percute::resolve(problem, law);
    LawReport& lzb = report("lzb", result);
    check_outcome(trial, result, closed ? 0.0 : law.tolerance, lzb.checks);
    check_guises(random, c, result, lzb);
  }
  if (closed) {
    const ImpactResult exact = percute::resolve(problem, laws::DarbouxKellerSingle{});
    check_outcome(trial, exact, 0.0, report("darboux_keller_single", exact).checks);
    const ImpactResult integrated = percute::resolve(problem, law, Recording{.every = 0});
    LawReport& out = report("lzb integrated", integrated);
    check_outcome(trial, integrated, law.tolerance, out.checks);
    const double value =
        integrated.status == exact.status ? difference(integrated, exact) : INFINITY;
    out.checks.push_back({"closed form", value, 1e-8 * c.scale.velocity + c.rounding});
  }
  check_frictionless(random, reports);
  check_elastic(random, referee, reports);
  return reports;
}

}  // namespace percute::selftest
