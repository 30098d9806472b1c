// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/collapse_in_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kMost = 5000;       ///< impacts: flights that shrink by 0.6 % each are over by then
constexpr int kLook = 32;         ///< impacts after which it is seen whether flights shrink
constexpr double kOver = 1e-14;   ///< of the time so far: flights are over
constexpr double kTiny = 1e-100;  ///< of rates: time for other units

/// When h + u t + ½ a t² comes down to 0.
double closing(double h, double u, double a) {
  if (h == 0.0) return u > 0.0 && a < 0.0 ? 2.0 * u / -a : kNever;
  const double square = u * u - 2.0 * a * h;
  if (square < 0.0) return kNever;
  const double root = std::sqrt(square);
  return root > u ? 2.0 * h / (root - u) : kNever;
}

}  // namespace

CollapseInGaps::CollapseInGaps(const systems::AnySystem& system, systems::MassSolver& mass,
                               const Vector& q, const std::vector<int>& contacts)
    : response_(system.coordinates(), static_cast<Eigen::Index>(contacts.size())),
      impulse_(Vector::Zero(response_.cols())) {
  Matrix W(response_.rows(), response_.cols());
  Vector column(response_.rows());
  for (Eigen::Index k = 0; k < W.cols(); ++k) {
    const int i = contacts[static_cast<std::size_t>(k)];
    system.gradient(i, q, column);
    W.col(k) = column;
    mass.solve(column);
    response_.col(k) = column;
    problems_.push_back(systems::impact_problem(system, q, Vector::Zero(column.size()), {i}));
  }
  delassus_ = W.transpose() * response_;
}

/// The impact of one contact: laws know it by its gap rate alone.
bool CollapseInGaps::strike(const AnyLaw& law, int contact, Vector& rates) {
  double& impulse = impulse_[contact];
  const double speed = -rates[contact];
  if (impulse == 0.0) {
    ImpactProblem& problem = problems_[static_cast<std::size_t>(contact)];
    problem.velocity = -speed / delassus_(contact, contact) * response_.col(contact);
    const ImpactResult result = resolve(problem, law);
    if (!result.ok() || result.status == Status::NoImpact) return false;
    impulse = result.impulse[0] / speed;
  }
  rates += impulse * speed * delassus_.col(contact);
  return true;
}

bool CollapseInGaps::follow(const AnyLaw& law, Vector gaps, Vector rates, Vector accelerations) {
  time_ = 0.0;
  std::vector<int> order;
  double mark = 0.0;
  double before = kNever;
  for (int count = 0; count < kMost; ++count) {
    int next = -1;
    double after = kNever;
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      const double t = closing(gaps[i], rates[i], accelerations[i]);
      if (t < after) {
        after = t;
        next = static_cast<int>(i);
      }
    }
    if (next < 0) return false;
    time_ += after;
    gaps += after * (rates + 0.5 * after * accelerations);
    rates += after * accelerations;
    gaps = gaps.cwiseMax(0.0);
    gaps[next] = 0.0;
    if (!(rates[next] < 0.0) || !strike(law, next, rates)) return false;
    order.push_back(next);
    if (after <= kOver * time_ && count >= 2 * gaps.size()) {
      // The later half of them is what it ends with.
      contacts_.assign(order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2), order.end());
      std::sort(contacts_.begin(), contacts_.end());
      contacts_.erase(std::unique(contacts_.begin(), contacts_.end()), contacts_.end());
      return true;
    }
    if (count % kLook == kLook - 1) {
      // Flights that are as long as before go on for ever.
      const double took = time_ - mark;
      if (!(took < before)) return false;
      before = took;
      mark = time_;
    }
    if (rates.cwiseAbs().maxCoeff() < kTiny) {
      gaps /= kTiny;
      rates /= kTiny;
      accelerations /= kTiny;
    }
  }
  return false;
}

}  // namespace percute::simulation
