// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/plain_reference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace percute::bench {

namespace {

enum class Phase { Open, Compressing, Expanding };

/// ξ' = −U (compressing), −U/e² (expanding), 0 (open);  P' = K ξ^η;  U = U⁻ + G P.
class PlainSolver {
 public:
  explicit PlainSolver(const ImpactProblem& problem)
      : problem_(problem),
        G_(problem.mass.delassus(problem.gradients)),
        start_(problem.gradients.transpose() * problem.velocity),
        m_(start_.size()),
        phase_(static_cast<std::size_t>(m_), Phase::Open) {
    const double vs = start_.cwiseAbs().maxCoeff();
    noise_ = 1e-14 * vs;
    double shortest = 1e300;
    for (Eigen::Index i = 0; i < m_; ++i) {
      const Material& material = material_of(i);
      const double depth =
          std::pow((1.0 + material.exponent) * vs * vs / (2.0 * material.stiffness * G_(i, i)),
                   1.0 / (1.0 + material.exponent));
      shortest = std::min(shortest, depth / vs);
    }
    largest_step_ = 1e-3 * shortest;
    smallest_step_ = 1e-5 * shortest;
  }

  Vector solve() {
    Vector y = Vector::Zero(2 * m_);
    change_phases(y);
    double h = smallest_step_;
    while (busy()) {
      h = std::min({1.1 * h, largest_step_, before_opening(y)});
      Vector next = step(y, h);
      if (event_in(next)) {
        next = step_to_event(y, h);
        change_phases(next);
        h = smallest_step_;
      }
      y = std::move(next);
    }
    return problem_.velocity + problem_.mass.solve(Vector(problem_.gradients * y.tail(m_)));
  }

 private:
  const Material& material_of(Eigen::Index i) const {
    return problem_.contacts[static_cast<std::size_t>(i)].material;
  }
  Phase& phase(Eigen::Index i) { return phase_[static_cast<std::size_t>(i)]; }
  Phase phase(Eigen::Index i) const { return phase_[static_cast<std::size_t>(i)]; }

  bool busy() const {
    return std::any_of(phase_.begin(), phase_.end(), [](Phase p) { return p != Phase::Open; });
  }

  Vector gap_rates(const Vector& y) const { return start_ + G_ * y.tail(m_); }

  Vector slope(const Vector& y) const {
    Vector out = Vector::Zero(2 * m_);
    const Vector U = gap_rates(y);
    for (Eigen::Index i = 0; i < m_; ++i) {
      const Material& material = material_of(i);
      if (phase(i) == Phase::Open) continue;
      const double e = material.restitution;
      out[i] = phase(i) == Phase::Compressing ? -U[i] : -U[i] / (e * e);
      out[m_ + i] = material.stiffness * std::pow(std::max(y[i], 0.0), material.exponent);
    }
    return out;
  }

  Vector step(const Vector& y, double h) const {
    const Vector k1 = slope(y);
    const Vector k2 = slope(y + 0.5 * h * k1);
    const Vector k3 = slope(y + 0.5 * h * k2);
    const Vector k4 = slope(y + h * k3);
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }

  /// Has some contact passed the end of its phase?
  bool event_in(const Vector& y) const {
    const Vector U = gap_rates(y);
    for (Eigen::Index i = 0; i < m_; ++i) {
      if (phase(i) == Phase::Open && U[i] < -noise_) return true;
      if (phase(i) == Phase::Compressing && U[i] > noise_) return true;
      if (phase(i) == Phase::Expanding && (U[i] < -noise_ || y[i] <= 0.0)) return true;
    }
    return false;
  }

  Vector step_to_event(const Vector& y, double h) const {
    double before = 0.0;
    double after = h;
    while (after - before > 1e-15 * largest_step_) {
      const double middle = 0.5 * (before + after);
      (event_in(step(y, middle)) ? after : before) = middle;
    }
    return step(y, after);
  }

  void change_phases(Vector& y) {
    const Vector U = gap_rates(y);
    for (Eigen::Index i = 0; i < m_; ++i) {
      if (phase(i) == Phase::Expanding && y[i] <= 0.0) {
        phase(i) = Phase::Open;
        y[i] = 0.0;
      }
      if (U[i] < -noise_) phase(i) = Phase::Compressing;
      if (U[i] > noise_ && phase(i) == Phase::Compressing) phase(i) = Phase::Expanding;
    }
  }

  /// Steps shrink with the indentation left, because ξ^η is not smooth at 0.
  double before_opening(const Vector& y) const {
    double h = largest_step_;
    const Vector rate = slope(y);
    for (Eigen::Index i = 0; i < m_; ++i) {
      if (phase(i) == Phase::Expanding) {
        h = std::min(h, 0.1 * y[i] / std::abs(rate[i]) + smallest_step_);
      }
    }
    return h;
  }

  const ImpactProblem& problem_;
  Matrix G_;
  Vector start_;
  Eigen::Index m_;
  std::vector<Phase> phase_;
  double noise_ = 0.0;
  double largest_step_ = 0.0;
  double smallest_step_ = 0.0;
};

}  // namespace

Vector plain_reference(const ImpactProblem& problem) {
  return PlainSolver(problem).solve();
}

}  // namespace percute::bench
