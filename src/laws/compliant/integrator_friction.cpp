// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace percute::laws {

namespace {

/// Contacts that have just touched have no force yet. Who sticks depends on the ratios of the
/// forces only: they are those of a moment later, in units of the time scale.
constexpr double kMoment = 1e-9;

}  // namespace

/// Normal forces of all contacts at a state, or, with gaps closing on at the same rates, a moment
/// ahead.
void CompliantIntegrator::normal_forces(const double* y, const std::vector<double>& U,
                                        double ahead) {
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    F_[k] = force(i, y[i] + ahead * std::min(U[k], 0.0), U[k]);
  }
}

/// Friction of contacts that have just closed.
void CompliantIntegrator::begin_friction(const std::vector<int>& contacts) {
  if (!friction_.any()) return;
  bool infinite = false;
  const std::vector<int> resting = friction_.begin(contacts, U_.data() + m(), infinite);
  if (infinite && !stop_infinite()) return;
  normal_forces(rk_.state(), U_, kMoment * time_unit_);
  friction_.settle(resting, F_, U_.data() + m());
}

/// Infinite friction stops sliding by an impulse, before there is any pressure. Contacts that stuck
/// by finite friction may slide afterwards.
bool CompliantIntegrator::stop_infinite() {
  const Vector p = friction_.stopping_impulse(U_.data() + m());
  const std::vector<double> before = U_;
  for (int row = 0; row < rows_.tangential(); ++row) rk_.state()[2 * m() + row] += p[row];
  gap_rates(rk_.state() + m(), U_);
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!friction_.acts(i) || friction_.mode(i) == ContactFriction::Mode::Off) continue;
    for (int row = friction_.row(i); row < friction_.row(i) + friction_.size(i); ++row) {
      const auto r = static_cast<std::size_t>(m()) + static_cast<std::size_t>(row);
      rk_.state()[friction_loss() + i] -= 0.5 * p[row] * (before[r] + U_[r]);
    }
    if (std::isinf(friction_.coefficient(i))) {
      if (U_[k] > scale_.gap_rate_tol && before[k] <= 0.0) {
        status_ = Status::NoSlipSolution;
        diagnostics_.reason = "stopping the sliding of contacts[" + std::to_string(i) +
                              "] alone separates it: infinite friction would act without pressure";
        return false;
      }
    } else {
      friction_.starts_sliding(i, U_.data() + m());
    }
  }
  return true;
}

void CompliantIntegrator::apply_friction(const Crossing& crossing) {
  const int i = crossing.contact;
  const double* U_t = U_.data() + m();
  if (crossing.change == Change::Slip) {
    log(i, EventKind::Sliding);
    friction_.release(i, crossing.direction.data(), U_t);
    return;
  }
  normal_forces(rk_.state(), U_, kMoment * time_unit_);
  if (!friction_.stopped(i, U_t)) {
    // It came close to a stop and slides on, another way.
    friction_.refresh(F_, U_t);
    return;
  }
  friction_.settle({i}, F_, U_t);
  log(i,
      friction_.mode(i) == ContactFriction::Mode::Stick ? EventKind::Sticking : EventKind::Sliding);
}

Vector CompliantIntegrator::all_impulses() const {
  return Eigen::Map<const Vector>(rk_.state() + m(), m() + rows_.tangential());
}

std::vector<Vector> CompliantIntegrator::tangential_impulse(const ImpactProblem& problem) const {
  std::vector<Vector> list;
  if (!friction_.any()) return list;
  list.reserve(problem.contacts.size());
  for (int i = 0; i < m(); ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    if (friction_.acts(i)) {
      list.emplace_back(
          Eigen::Map<const Vector>(rk_.state() + 2 * m() + friction_.row(i), friction_.size(i)));
    } else {
      list.emplace_back(Vector::Zero(contact.tangents.cols()));
    }
  }
  return list;
}

Vector CompliantIntegrator::dissipated_by_friction() const {
  if (!friction_.any()) return {};
  return Eigen::Map<const Vector>(rk_.state() + friction_loss(), m());
}

}  // namespace percute::laws
