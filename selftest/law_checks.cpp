// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/law_checks.hpp"

#include "selftest/law_guises.hpp"
#include "selftest/law_outcome.hpp"
#include "selftest/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::selftest {

namespace {

/// Of an outcome, in U⁺ over vs: what solvers of the laws promise is ten times less.
constexpr double kAgreement = 1e-9;

/// Laws with Coulomb friction, whose outcome need not be unique.
bool frictional(const LawTrial& trial, const ImpactProblem& problem) {
  return std::holds_alternative<laws::Coulomb>(trial.law) ||
         (std::holds_alternative<laws::Poisson>(trial.law) && sliding(problem));
}

/// What rounding does to balances where large impulses of redundant contacts cancel.
struct Rounding {
  double momentum = 0.0;
  double energy = 0.0;
  double work = 0.0;  ///< of the impulses, through that of U⁺ = U⁻ + G p: 4 ε |p|ᵀ|G||p|
};

Rounding rounding_of(const LawContext& c, const ImpactResult& result) {
  Vector momentum = c.problem.gradients.cwiseAbs() * result.impulse.cwiseAbs();
  double energy = result.impulse.cwiseAbs().dot((result.gap_rate + c.U).cwiseAbs());
  for (std::size_t i = 0; i < c.problem.contacts.size(); ++i) {
    if (c.problem.contacts[i].directions == 0) continue;
    const Matrix tangents = tangents_of(c.problem, i);
    const Vector p = result.tangential_impulse[i].cwiseAbs();
    momentum += tangents.cwiseAbs() * p;
    const Vector before = tangents.transpose() * c.problem.velocity;
    energy += p.dot((result.tangential_velocity[i] + before).cwiseAbs());
  }
  // Rounding of v⁺ itself, times the impulses.
  const Vector velocity = c.problem.mass.solve(momentum).cwiseAbs();
  energy += largest(velocity) * momentum.sum();
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  return {.momentum = 1e-14 * largest(momentum),
          .energy = 1e-14 * energy,
          .work = 4.0 * kEpsilon * momentum.dot(velocity)};
}

/// Balances and verdicts of one outcome.
void check_outcome(const LawContext& c, const LawTrial& trial, const ImpactResult& result,
                   std::vector<Check>& checks) {
  checks.push_back({"finite", not_finite(result), 0.0});
  checks.push_back({"status", dishonest(c, trial, result), 0.0});
  const Consistency::Margins& margin = result.consistency.margins;
  const double momenta = std::max(largest(c.problem.mass * c.problem.velocity),
                                  largest(c.problem.mass * result.velocity));
  const Rounding rounding = rounding_of(c, result);
  checks.push_back({"momentum", margin.momentum, 1e-10 * momenta + rounding.momentum});
  const double kinetic = std::max({result.energy.before, result.energy.after, c.scale.energy});
  checks.push_back({"work", std::abs(margin.identity), 1e-10 * kinetic + rounding.energy});
  if (!result.ok() || c.size() == 0) return;

  // Impulses may be a thousand times m_i vs (a heavy body caught between light ones), and what
  // rounding leaves of U⁺ is multiplied by them.
  const double energy_bound =
      1e-10 * c.scale.energy + c.rounding * result.impulse.sum() + rounding.work;
  if (trial.energetic) checks.push_back({"energy", -margin.energetic, energy_bound});
  if (trial.kinematic) {
    checks.push_back({"separation", -margin.kinematic, c.scale.gap_rate_tol + c.rounding});
  }
  if (!std::holds_alternative<laws::RestitutionMatrix>(trial.law)) {
    checks.push_back({"push", -margin.kinetic, 1e-10});
    const bool slides =
        std::holds_alternative<laws::ScalarRestitution>(trial.law) && sliding(c.problem);
    if (!slides && !frictional(trial, c.problem)) {
      checks.push_back({"least", margin.energetic - c.most, energy_bound});
    }
  }
  for (std::size_t i = 0; i < c.problem.contacts.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double friction = c.problem.contacts[i].material.friction;
    // Infinite friction may stop a contact without pressure, the limit of ever smaller ones.
    if (c.problem.contacts[i].directions == 0 || std::isinf(friction)) continue;
    const double allowed = friction * std::max(0.0, result.impulse[k]);
    checks.push_back({"cone", result.tangential_impulse[i].norm() - allowed,
                      1e-10 * c.scale.effective_mass[k] * c.scale.velocity});
  }
  const double distance = distance_from_law(c, trial.law, result);
  if (distance < 0.0) return;
  if (!result.non_unique_impulse) {
    checks.push_back({"law", distance, 1e-10});
    return;
  }
  const AlgebraicLaw raw = with_raw_impulses(trial.law);
  const ImpactResult first = resolve(c.problem, raw);
  checks.push_back({"law", distance_from_law(c, raw, first), 1e-10});
  checks.push_back({"selection", difference(first, result), kAgreement * c.scale.velocity});
}

/// Compares outcomes of one law in several guises.
class LawComparison {
 public:
  LawComparison(const LawContext& c, const LawTrial& trial, const ImpactResult& result,
                LawReport& report)
      : c_(c),
        trial_(trial),
        result_(result),
        report_(report),
        frictional_(frictional(trial, c.problem)) {}

  /// `unit`: velocities of the guise over those of the problem.
  void same(const char* name, const Guise& guise, double unit = 1.0, bool reversed = false) {
    const ImpactResult other = resolve(guise.problem, guise.law);
    if (grows()) return;
    const bool either = other.status == Status::Singular || result_.status == Status::Singular;
    if (other.ok() != result_.ok() && either && nearly_dependent(c_.problem)) return;
    if (other.ok() != result_.ok() && undecided(other, unit)) return;
    if (other.ok() != result_.ok() && !frictional_) {
      report_.checks.push_back({name, 1.0, 0.0});
      return;
    }
    if (!other.ok() || !result_.ok()) return;
    ImpactResult here = result_;
    ImpactResult there = in_order(other, unit, reversed);
    if (std::holds_alternative<laws::RestitutionMatrix>(trial_.law) &&
        nearly_dependent(c_.problem)) {
      // U⁺ = −R U⁻ is known, the impulses that make it only to ε over the least eigenvalue.
      here.tangential_velocity.clear();
      there.tangential_velocity.clear();
    }
    const double value = difference(there, here);
    // A shifted observer sees larger velocities, and their rounding.
    // So does every observer where a matrix of restitution makes velocities grow: impulses of
    // either sign may make contacts slide much faster than they did.
    double speed = std::max(c_.scale.velocity, largest(result_.gap_rate));
    for (const Vector& sliding : result_.tangential_velocity) {
      speed = std::max(speed, largest(sliding));
    }
    const double bound = kAgreement * speed + c_.rounding;
    if (!(value <= bound) && frictional_ && is_an_outcome(guise, other)) {
      report_.non_unique = true;
      return;
    }
    report_.checks.push_back({name, value, bound});
  }

 private:
  /// A matrix of restitution may create energy in every stage: where impulses have grown a
  /// hundredfold, rounding has too.
  bool grows() const {
    if (!std::holds_alternative<laws::RestitutionMatrix>(trial_.law) ||
        result_.diagnostics.algebraic->stages < 2) {
      return false;
    }
    const Vector unit = c_.scale.effective_mass * c_.scale.velocity;
    return largest(result_.impulse.cwiseQuotient(unit)) > 100.0;
  }

  /// Whether a contact with infinite friction is pressed cannot be told in a stage whose approach
  /// is hardly more than the tolerance.
  bool undecided(const ImpactResult& other, double unit) const {
    const double visible = 10.0 * c_.scale.gap_rate_tol;
    const auto late = [&](const ImpactResult& result, double speed) {
      return result.status == Status::NoSlipSolution &&
             -result.gap_rate.minCoeff() <= visible * speed;
    };
    return late(result_, 1.0) || late(other, unit);
  }

  /// Velocities of the other result in units and order of this one.
  ImpactResult in_order(const ImpactResult& other, double unit, bool reversed) const {
    ImpactResult out;
    const Eigen::Index m = c_.size();
    out.gap_rate = other.gap_rate.head(m) / unit;
    out.tangential_velocity = other.tangential_velocity;
    out.tangential_velocity.resize(static_cast<std::size_t>(m));
    if (reversed) {
      out.gap_rate.reverseInPlace();
      std::reverse(out.tangential_velocity.begin(), out.tangential_velocity.end());
    }
    for (Vector& velocity : out.tangential_velocity) velocity /= unit;
    return out;
  }

  /// Whether both outcomes satisfy the law as far as that can be told: then there are several.
  bool is_an_outcome(const Guise& guise, const ImpactResult& other) const {
    const double here = distance_from_law(c_, trial_.law, result_);
    const double there = distance_from_law(LawContext(guise.problem), guise.law, other);
    return here <= 1e-10 && there <= 1e-10;
  }

  const LawContext& c_;
  const LawTrial& trial_;
  const ImpactResult& result_;
  LawReport& report_;
  bool frictional_;
};

void check_guises(const LawContext& c, const RandomLaws& random, const LawTrial& trial,
                  const ImpactResult& result, LawReport& report) {
  const ImpactProblem& problem = random.problem;
  LawComparison comparison(c, trial, result, report);
  if (const auto guise = with_contacts_reversed(problem, trial.law)) {
    comparison.same("contacts", *guise, 1.0, true);
  }
  const auto* ratios = std::get_if<laws::ImpulseRatios>(&trial.law);
  const bool sees_observer =
      ratios != nullptr && ratios->closure == laws::ImpulseRatios::Closure::TotalEnergy;
  if (random.translation.size() > 0 && !sees_observer) {
    Guise moving{.problem = problem, .law = trial.law};
    moving.problem.velocity += 0.75 * c.scale.velocity * random.translation;
    comparison.same("shift", moving);
  }
  const Units units{.mass = 7, .length_steps = -1, .time = 5};
  comparison.same("units", with_units(problem, trial.law, units), units.velocity_factor());
  if (c.size() == 0) return;
  if (const auto guise = with_a_contact_twice(problem, trial.law, result.non_unique_impulse)) {
    comparison.same("twice", *guise);
  }
}

/// The same bits from a used workspace; only for laws that take one.
template <class Law>
void check_reuse(const ImpactProblem& problem, const Law& law, const ImpactResult& result,
                 laws::AlgebraicWorkspace& workspace, std::vector<Check>& checks) {
  if constexpr (LawTaking<Law, laws::AlgebraicWorkspace>) {
    const bool same = fingerprint(percute::resolve(problem, law, workspace)) == fingerprint(result);
    checks.push_back({"reuse", same ? 0.0 : 1.0, 0.0});
  }
}

}  // namespace

std::vector<LawReport> check_laws(const RandomLaws& random, laws::AlgebraicWorkspace& workspace) {
  const LawContext context(random.problem);
  std::vector<LawReport> reports;
  for (const LawTrial& trial : random.trials) {
    LawReport report{.name = trial.name};
    const ImpactResult result = resolve(random.problem, trial.law);
    report.status = result.status;
    report.answered = result.ok();
    check_outcome(context, trial, result, report.checks);
    std::visit(
        [&](const auto& law) {
          check_reuse(random.problem, law, result, workspace, report.checks);
        },
        trial.law);
    // An expensive law, whose parts are those of another one, is not repeated.
    const bool repeats = !report.name.starts_with("coulomb ") || report.name == "coulomb theta";
    if (result.status != Status::NoImpact && repeats) {
      check_guises(context, random, trial, result, report);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace percute::selftest
