// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/friction_referee.hpp"

#include "selftest/measures.hpp"
#include "selftest/solvers/radau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::selftest {

namespace {

/// State (h, v); rows of gap rates and sliding velocities are U = Hᵀ v, H = (W, T).
class RegularisedImpact final : public StiffSystem {
 public:
  RegularisedImpact(const ImpactProblem& problem, double creep, double tolerance)
      : problem_(problem), scale_(scales(problem)), tolerance_(tolerance) {
    creep_ = creep * scale_.velocity;
    const auto m = static_cast<Eigen::Index>(problem.contacts.size());
    Eigen::Index rows = m;
    for (const Contact& contact : problem.contacts) rows += contact.directions;
    H_.resize(problem.velocity.size(), rows);
    H_.leftCols(m) = Matrix(problem.gradients);
    Eigen::Index row = m;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const int d = problem.contacts[i].directions;
      first_.push_back(row);
      if (d > 0) H_.middleCols(row, d) = tangents_of(problem, i);
      row += d;
    }
    accelerations_ = problem.mass.solve(H_);
    indentation_.resize(m);
    for (Eigen::Index i = 0; i < m; ++i) {
      // The indentation at which all of ½ m_i vs² is stored.
      const double energy = 0.5 * scale_.effective_mass[i] * scale_.velocity * scale_.velocity;
      indentation_[i] = stored_at(material(i), energy);
    }
  }

  Eigen::Index size() const { return indentation_.size(); }
  Eigen::Index first(Eigen::Index i) const { return first_[static_cast<std::size_t>(i)]; }

  /// Gaps of precompressed contacts are negative.
  Vector start() const {
    Vector y(size() + problem_.velocity.size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      y[i] = -stored_at(material(i), contact(i).stored_energy);
    }
    y.tail(problem_.velocity.size()) = problem_.velocity;
    return y;
  }

  /// Time in which a body at vs crosses the least indentation.
  double shortest_time() const { return indentation_.minCoeff() / scale_.velocity; }

  bool pressed(const Vector& y) const {
    constexpr double kRounding = 1e-14;
    for (Eigen::Index i = 0; i < size(); ++i) {
      if (y[i] < -kRounding * indentation_[i]) return true;
    }
    return false;
  }

  /// Time until the next gap closes if nothing acts; infinite if none does.
  double until_closing(const Vector& y) const {
    const Vector U = H_.leftCols(size()).transpose() * y.tail(problem_.velocity.size());
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < size(); ++i) {
      if (U[i] < -scale_.gap_rate_tol) least = std::min(least, std::max(0.0, y[i]) / -U[i]);
    }
    return least;
  }

  void fly(double time, Vector& y) const {
    y.head(size()) += time * H_.leftCols(size()).transpose() * y.tail(problem_.velocity.size());
  }

  void slope(const Vector& y, Vector& f) const override {
    const Vector U = H_.transpose() * y.tail(problem_.velocity.size());
    Vector force = Vector::Zero(U.size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      force[i] = pressure(i, y[i]);
      const Eigen::Index d = contact(i).directions;
      if (d == 0) continue;
      const auto u = U.segment(first(i), d);
      force.segment(first(i), d) =
          -material(i).friction * force[i] / std::max(u.norm(), creep_) * u;
    }
    f.head(size()) = U.head(size());
    f.tail(problem_.velocity.size()) = accelerations_ * force;
  }

  void jacobian(const Vector& y, Matrix& J) const override {
    const Eigen::Index n = problem_.velocity.size();
    const Vector U = H_.transpose() * y.tail(n);
    J.setZero();
    J.topRightCorner(size(), n) = H_.leftCols(size()).transpose();
    for (Eigen::Index i = 0; i < size(); ++i) {
      if (y[i] >= 0.0) continue;
      const double force = pressure(i, y[i]);
      const double stiffening = material(i).exponent * force / y[i];  // dλ/dh
      J.block(size(), i, n, 1) += stiffening * accelerations_.col(i);
      const Eigen::Index d = contact(i).directions;
      if (d == 0) continue;
      // −μ λ u/max(|u|, ε), by λ and by u.
      const Vector u = U.segment(first(i), d);
      const double speed = u.norm();
      const double divisor = std::max(speed, creep_);
      const Matrix T = accelerations_.middleCols(first(i), d);
      J.block(size(), i, n, 1) -= material(i).friction * stiffening / divisor * (T * u);
      Matrix turn = Matrix::Identity(d, d) / divisor;
      if (speed > creep_) turn -= u * u.transpose() / (speed * speed * speed);
      J.bottomRightCorner(n, n) -=
          material(i).friction * force * T * turn * H_.middleCols(first(i), d).transpose();
    }
  }

  /// Indentations by their scales, velocities as what contacts feel of them.
  double norm(const Vector& difference) const override {
    const Vector U = H_.transpose() * difference.tail(problem_.velocity.size());
    const double gaps = (difference.head(size()).array() / indentation_.array()).abs().maxCoeff();
    return std::max(gaps, largest(U) / scale_.velocity) / tolerance_;
  }

 private:
  const Contact& contact(Eigen::Index i) const {
    return problem_.contacts[static_cast<std::size_t>(i)];
  }
  const Material& material(Eigen::Index i) const { return contact(i).material; }

  /// ξ with K ξ^(1+η)/(1+η) = E.
  static double stored_at(const Material& material, double energy) {
    const double power = 1.0 + material.exponent;
    return std::pow(energy * power / material.stiffness, 1.0 / power);
  }

  double pressure(Eigen::Index i, double gap) const {
    return gap < 0.0 ? material(i).stiffness * std::pow(-gap, material(i).exponent) : 0.0;
  }

  const ImpactProblem& problem_;
  ImpactScales scale_;
  double tolerance_;
  double creep_ = 0.0;               ///< ε, m/s
  Matrix H_;                         ///< n × (gradients, tangents)
  Matrix accelerations_;             ///< M⁻¹ H
  std::vector<Eigen::Index> first_;  ///< tangential row of each contact
  Vector indentation_;
};

struct Run {
  Vector velocity;
  long steps = 0;
  bool over = false;
};

Run integrate(const ImpactProblem& problem, const FrictionReferee& referee, double creep) {
  const RegularisedImpact impact(problem, creep, referee.tolerance);
  Radau radau(impact, impact.start());
  Run out;
  double h = 1e-3 * impact.shortest_time();
  const double least = 1e-15 * impact.shortest_time();
  while (out.steps < referee.max_steps && h > least) {
    if (!impact.pressed(radau.state())) {
      const double wait = impact.until_closing(radau.state());
      if (std::isinf(wait)) {
        out.over = true;
        break;
      }
      if (wait > h) {
        Vector y = radau.state();
        impact.fly(wait, y);
        radau.restart(std::move(y));
        h = 1e-3 * impact.shortest_time();
      }
    }
    ++out.steps;
    if (!radau.attempt(h)) {
      h *= 0.4;
      continue;
    }
    const double error = radau.error();
    if (!(error <= 1.0)) {
      h *= std::isfinite(error) ? std::clamp(0.9 * std::pow(error, -0.25), 0.2, 0.7) : 0.2;
      continue;
    }
    radau.accept();
    h *= std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.25), 0.5, 5.0);
  }
  out.velocity = radau.state().tail(problem.velocity.size());
  return out;
}

}  // namespace

std::optional<FrictionReferee::Opinion> FrictionReferee::operator()(
    const ImpactProblem& elastic) const {
  for (const Contact& contact : elastic.contacts) {
    if (std::isinf(contact.material.friction) && contact.directions > 0) return {};
  }
  constexpr double kLess = 0.1;
  const Run coarse = integrate(elastic, *this, creep);
  const Run fine = integrate(elastic, *this, kLess * creep);
  if (!coarse.over || !fine.over) return {};
  // v(ε) = v(0) + c ε
  const Vector less = fine.velocity - coarse.velocity;
  Opinion out;
  out.velocity = fine.velocity + kLess / (1.0 - kLess) * less;
  constexpr double kKinks = 1e4;
  out.error = less.lpNorm<Eigen::Infinity>() + kKinks * tolerance * scales(elastic).velocity;
  out.steps = coarse.steps + fine.steps;
  return out;
}

}  // namespace percute::selftest
