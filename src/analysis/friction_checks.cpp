// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/law_outcome.hpp"
#include "analysis/measures.hpp"

#include <percute/analysis/friction_checks.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/laws/lzb.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::analysis {

namespace {

constexpr double kTolerance = 1e-9;
constexpr laws::Lzb kLaw{.tolerance = kTolerance, .max_steps = 20'000, .max_events = 2'000};

/// Stiffnesses and exponents, which laws without an inner time have no use for.
ImpactProblem with_stiffnesses(const ImpactProblem& problem) {
  constexpr std::array kStiffness{1.0, 4.0, 0.25};
  constexpr std::array kExponent{1.5, 1.5, 1.0, 1.5, 1.0};
  ImpactProblem out = problem;
  for (std::size_t i = 0; i < out.contacts.size(); ++i) {
    out.contacts[i].material.stiffness = kStiffness[i % kStiffness.size()];
    out.contacts[i].material.exponent = kExponent[i % kExponent.size()];
  }
  return out;
}

ImpactProblem reversed(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  std::reverse(out.contacts.begin(), out.contacts.end());
  out.gradients = Matrix(Matrix(problem.gradients).rowwise().reverse()).sparseView();
  return out;
}

/// Masses 4 times, velocities twice: impulses 8 times, and stiffnesses that keep the times of all
/// contacts in proportion, 4 · 2^(1−η).
ImpactProblem in_units(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  const Eigen::Index n = problem.velocity.size();
  Matrix M(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) M(i, j) = 4.0 * problem.mass(i, j);
  }
  out.mass = MassMatrix::dense(M);
  out.velocity *= 2.0;
  for (Contact& contact : out.contacts) {
    contact.material.stiffness *= 4.0 * std::pow(2.0, 1.0 - contact.material.exponent);
  }
  return out;
}

/// Other tangents of the same planes: turned by 0.7 radians, or the other way in the plane.
ImpactProblem turned(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  for (Contact& contact : out.contacts) {
    if (contact.tangents.cols() == 1) contact.tangents *= -1.0;
    if (contact.tangents.cols() != 2) continue;
    Eigen::Matrix2d turn;
    turn << std::cos(0.7), -std::sin(0.7), std::sin(0.7), std::cos(0.7);
    contact.tangents = (contact.tangents * turn).eval();
  }
  return out;
}

bool infinite(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(), [](const Contact& contact) {
    return std::isinf(contact.material.friction) && contact.tangents.cols() > 0;
  });
}

double dishonest(const LawContext& c, const ImpactResult& result) {
  const Diagnostics& d = result.diagnostics;
  switch (result.status) {
    case Status::Ok:
      return c.approaching() ? 0.0 : 1.0;
    case Status::NoImpact:
      return c.approaching() ? 1.0 : 0.0;
    case Status::Zeno:
      return d.residual_velocity ? 0.0 : 1.0;
    case Status::NotTerminated:
      return !d.reason.empty() || d.events >= kLaw.max_events ||
                     d.steps + d.rejected >= kLaw.max_steps
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

void check_outcome(const LawContext& c, const ImpactResult& result, double tolerance,
                   std::vector<Check>& checks) {
  checks.push_back({"finite", not_finite(result), 0.0});
  checks.push_back({"status", dishonest(c, result), 0.0});
  const Consistency::Margins& margin = result.consistency.margins;
  const double momenta = std::max(largest(c.problem.mass * c.problem.velocity),
                                  largest(c.problem.mass * result.velocity));
  double pushes = result.impulse.cwiseAbs().sum();
  for (const Vector& p : result.tangential_impulse) pushes += p.cwiseAbs().sum();
  checks.push_back({"momentum", margin.momentum, 1e-10 * momenta + 1e-13 * pushes});
  const double kinetic = std::max({result.energy.before, result.energy.after, c.scale.energy});
  const double rounding = c.rounding * pushes + 1e-14 * pushes * c.scale.velocity;
  checks.push_back({"work", std::abs(margin.identity), 1e-10 * kinetic + rounding});
  const double contacts = static_cast<double>(c.size());
  // A run that was cut after thousands of steps has added up their errors.
  const double steps = std::max(1.0, 0.01 * static_cast<double>(result.diagnostics.steps));
  const double unsure = std::max(1e-10, 10.0 * tolerance * contacts * steps);
  checks.push_back({"ledger", std::abs(result.energy.balance_error), unsure});
  if (!result.ok() || c.size() == 0) return;
  checks.push_back({"energy", -margin.energetic, unsure * c.scale.energy + rounding});
  checks.push_back({"separation", -margin.kinematic, c.scale.gap_rate_tol + c.rounding});
  checks.push_back({"push", -margin.kinetic, 1e-10});
  for (std::size_t i = 0; i < c.problem.contacts.size(); ++i) {
    if (c.problem.contacts[i].tangents.cols() == 0) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const double unit = 1e-10 * c.scale.effective_mass[k] * c.scale.velocity;
    const double friction = c.problem.contacts[i].material.friction;
    const double p = std::max(0.0, result.impulse[k]);
    const double allowed = std::isinf(friction) && p <= unit ? 0.0 : friction * p;
    checks.push_back({"cone", result.tangential_impulse[i].norm() - allowed,
                      unit + 1e-12 * (std::isinf(allowed) ? 0.0 : allowed)});
  }
  if (result.dissipated_by_friction.size() > 0) {
    checks.push_back({"loss", -result.dissipated_by_friction.minCoeff(), unsure * c.scale.energy});
  }
}

/// How much the outcome moves with v⁻, over what v⁻ moved: at least 1.
double amplification(const ImpactProblem& problem, const ImpactResult& result, double vs) {
  constexpr double kMove = 1e-8;
  double worst = 1.0;
  for (const double sign : {1.0, -1.0}) {
    ImpactProblem moved = problem;
    for (Eigen::Index k = 0; k < moved.velocity.size(); ++k) {
      moved.velocity[k] += sign * (k % 2 == 0 ? kMove : -kMove) * vs;
    }
    const ImpactResult other = percute::resolve(moved, kLaw);
    if (other.status != result.status) return INFINITY;
    worst = std::max(worst, difference(other, result) / (kMove * vs));
  }
  return worst;
}

void check_guises(const LawContext& c, const ImpactResult& result, LawReport& report) {
  if (result.status != Status::Ok) return;
  const double vs = c.scale.velocity;
  double factor = 0.0;  // unknown yet
  const auto same = [&](const char* name, const ImpactProblem& guise, auto&& restored) {
    const ImpactResult other = percute::resolve(guise, kLaw);
    const double bound = 200.0 * kTolerance * vs + c.rounding;
    double value = other.status == result.status ? difference(restored(other), result) : INFINITY;
    if (!(value <= bound) && factor == 0.0) factor = amplification(c.problem, result, vs);
    // Nothing can be said where an arbitrarily small change leads elsewhere.
    if (!(value <= bound) && std::isinf(factor)) return;
    report.checks.push_back({name, value, bound * std::max(1.0, factor)});
  };
  same("contacts", reversed(c.problem), [](ImpactResult other) {
    other.gap_rate.reverseInPlace();
    std::reverse(other.tangential_velocity.begin(), other.tangential_velocity.end());
    return other;
  });
  same("units", in_units(c.problem), [](ImpactResult other) {
    other.gap_rate *= 0.5;
    for (Vector& sliding : other.tangential_velocity) sliding *= 0.5;
    return other;
  });
  same("basis", turned(c.problem), [&](ImpactResult other) {
    for (std::size_t i = 0; i < c.problem.contacts.size(); ++i) {
      const Matrix& tangents = c.problem.contacts[i].tangents;
      if (tangents.cols() > 0) other.tangential_velocity[i] = tangents.transpose() * other.velocity;
    }
    return other;
  });
}

}  // namespace

std::vector<LawReport> check_friction(const RandomLaws& random) {
  std::vector<LawReport> reports;
  if (!sliding(random.problem)) return reports;
  const ImpactProblem problem = with_stiffnesses(random.problem);
  const LawContext c(problem);
  const auto report = [&](const char* name, const ImpactResult& result) -> LawReport& {
    LawReport& out = reports.emplace_back();
    out.name = name;
    out.status = result.status;
    out.answered = result.ok();
    return out;
  };
  {
    const ImpactResult result = percute::resolve(problem, kLaw);
    LawReport& lzb = report("lzb", result);
    check_outcome(c, result, problem.contacts.size() == 1 ? 0.0 : kTolerance, lzb.checks);
    check_guises(c, result, lzb);
  }
  const ImpactResult single = percute::resolve(problem, laws::DarbouxKellerSingle{});
  check_outcome(c, single, 0.0, report("darboux_keller_single", single).checks);
  if (problem.contacts.size() == 1) {
    const ImpactResult integrated = percute::resolve(problem, kLaw, Recording{.every = 0});
    LawReport& out = report("lzb integrated", integrated);
    check_outcome(c, integrated, kTolerance, out.checks);
    const double value =
        integrated.status == single.status ? difference(integrated, single) : INFINITY;
    out.checks.push_back({"closed form", value, 1e-8 * c.scale.velocity + c.rounding});
  }
  return reports;
}

}  // namespace percute::analysis
