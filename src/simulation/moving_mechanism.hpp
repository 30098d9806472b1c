// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/mechanism.hpp"
#include "laws/compliant/contact_dynamics.hpp"
#include "simulation/scene.hpp"

#include <percute/systems/any_system.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace percute::simulation {

/// The bodies of a moving system: state (q, v),
///
///     q' = v,   M(q) v' = f(t, q, v) + Σ ∇h_i F_i + Σ T_i f_i.
class MovingMechanism final : public contact::Mechanism {
 public:
  /// Why the motion is not defined at the state looked at last.
  enum class Undefined { No, Masses, Forces };

  MovingMechanism(const systems::AnySystem& system, const contact::FrictionRows& rows)
      : system_(system),
        rows_(rows),
        solver_(system.solver()),
        seen_{.state = {.q = Vector(system.coordinates()), .v = Vector(system.coordinates())},
              .loaded = std::vector<char>(rows.friction.size(), 0),
              .gaps = Vector::Zero(system.contacts()),
              .noise = Matrix::Zero(system.contacts(), 2)},
        H_(Matrix::Zero(n(), system.contacts() + rows.tangential() + 2)),
        A_(Matrix::Zero(rows.tangential(), rows.tangential())),
        answers_(Matrix::Zero(n(), rows.tangential())),
        x_(n()),
        y_(n()) {}

  systems::MassSolver& solver() { return *solver_; }
  double speed() const { return speed_; }  ///< largest √(vᵀMv) so far
  void set_speed(double speed) { speed_ = judged_ = speed; }
  /// Of a compression, s, and of contacts, m/s.
  void set_units(double time, double speed) {
    units_.time = time;
    units_.speed = speed;
  }
  Undefined undefined() const { return seen_.undefined; }
  /// Gap of contact i at the state looked at last, and its rate where it has a force.
  double gap(int i) const { return seen_.gaps[i]; }
  double rate(int i) const { return H_.col(i).dot(seen_.state.v); }
  int size() const override { return static_cast<int>(2 * n()); }
  bool look(double time, const double* y, const char* loaded, bool all, double* gap,
            double* U) override {
    seen_.state.read(time, y);
    seen_.undefined = Undefined::Masses;
    if (!solver_->factor(seen_.state.q)) return false;
    seen_.undefined = Undefined::No;
    const int m = system_.contacts();
    system_.gaps(seen_.state.q, seen_.gaps);
    std::copy(seen_.gaps.begin(), seen_.gaps.end(), gap);
    for (int i = 0; i < m; ++i) {
      seen_.loaded[i] = loaded[i];
      if (loaded[i] == 0 && !all) continue;
      system_.gradient(i, seen_.state.q, x_);
      U[i] = x_.dot(seen_.state.v);
      if (all) {
        seen_.noise(i, 0) = kGapNoise * x_.cwiseAbs().dot(seen_.state.q.cwiseAbs()) +
                            kLeastGap * units_.time * units_.speed;
        seen_.noise(i, 1) = kRateNoise * x_.cwiseAbs().dot(seen_.state.v.cwiseAbs());
      }
      if (loaded[i] == 0) continue;
      H_.col(i) = x_;
      if (!rows_.acts(i)) continue;
      system_.tangents(i, seen_.state.q, H_.middleCols(m + rows_.row(i), rows_.size(i)));
      for (int k = m + rows_.row(i); k < m + rows_.row(i) + rows_.size(i); ++k) {
        U[k] = H_.col(k).dot(seen_.state.v);
      }
    }
    return true;
  }
  double gap_noise(int i) const override { return seen_.noise(i, 0); }
  double rate_noise(int i) const override { return seen_.noise(i, 1); }
  bool slope(const double* forces, double* out) override {
    system_.force(seen_.state.time, seen_.state.q, seen_.state.v, x_);
    const int m = system_.contacts();
    for (int i = 0; i < m; ++i) {
      if (!loaded(i)) continue;
      x_ += forces[i] * H_.col(i);
      for (int k = m + rows_.row(i); k < m + rows_.row(i) + rows_.size(i); ++k) {
        x_ += forces[k] * H_.col(k);
      }
    }
    solver_->solve(x_);
    std::copy(seen_.state.v.begin(), seen_.state.v.end(), out);
    std::copy(x_.begin(), x_.end(), out + n());
    seen_.undefined = x_.allFinite() ? Undefined::No : Undefined::Forces;
    return seen_.undefined == Undefined::No;
  }
  void accelerations(const double* slope, double* a) override {
    const int m = system_.contacts();
    const Eigen::Map<const Vector> acceleration(slope + n(), n());
    for (int i = 0; i < m; ++i) {
      a[i] = 0.0;
      if (!loaded(i)) continue;
      a[i] = H_.col(i).dot(acceleration) + system_.gap_curvature(i, seen_.state.q, seen_.state.v);
    }
    turning(a + m);
    each_row([&](int k) { a[k] += H_.col(k).dot(acceleration); });
  }
  void drive(const double* F, double* c) override {
    const int m = system_.contacts();
    system_.force(seen_.state.time, seen_.state.q, seen_.state.v, x_);
    for (int i = 0; i < m; ++i) {
      if (loaded(i)) x_ += F[i] * H_.col(i);
    }
    solver_->solve(x_);
    turning(c);
    each_row([&](int k) { c[k - m] += H_.col(k).dot(x_); });
  }
  contact::Mobility mobility() override {
    const int m = system_.contacts();
    A_.setZero();
    each_row([&](int k) {
      x_ = H_.col(k);
      solver_->solve(x_);
      answers_.col(k - m) = x_;
      each_row([&](int l) { A_(l - m, k - m) = H_.col(l).dot(x_); });
    });
    A_ = (0.5 * (A_ + A_.transpose())).eval();
    return {.first = A_.data(),
            .stride = A_.outerStride(),
            .rows = H_.data() + m * H_.outerStride(),
            .answers = answers_.data(),
            .coordinates = static_cast<int>(n())};
  }
  bool frozen() const override { return false; }
  void respond(const double* p, double* change) override {
    x_.setZero();
    each_row([&](int k) { x_ += p[k - system_.contacts()] * H_.col(k); });
    solver_->solve(x_);
    for (int j = 0; j < n(); ++j) change[n() + j] += x_[j];
  }
  void sense(int k, double* row) override {
    Eigen::Map<Vector>(row + n(), n()) = H_.col(system_.contacts() + k);
  }
  double effective_mass(int i) override {
    system_.gradient(i, seen_.state.q, x_);
    y_ = x_;
    solver_->solve(y_);
    return 1.0 / x_.dot(y_);
  }
  void measure(const double* y, bool accepted) override {
    judged_ = std::max(speed_, length(y + n()));
    if (accepted) speed_ = judged_;
  }
  /// Velocities count by kinetic energy; positions by what velocities make of them in a step.
  double norm(const double* error, double step) override {
    const double unit = std::max(judged_, 1e-300);
    return std::max(length(error + n()), length(error) / step) / unit;
  }

 private:
  /// What rounding leaves of a gap and of a gap rate, relative to the terms they are sums of; and
  /// the least gap that matters, relative to the way of a compression: bodies begin to move by far
  /// less.
  static constexpr double kGapNoise = 2e-15;
  static constexpr double kRateNoise = 1e-13;
  static constexpr double kLeastGap = 1e-16;

  /// The state looked at last.
  struct Seen {
    MotionState state;
    Undefined undefined = Undefined::No;
    std::vector<char> loaded;
    Vector gaps;
    Matrix noise;  ///< rounding of the gaps, and of their rates
  };

  Eigen::Index n() const { return seen_.state.q.size(); }
  bool loaded(int i) const { return seen_.loaded[static_cast<std::size_t>(i)] != 0; }
  /// Tangential rows of contacts with a force, counted after all contacts, as columns of H.
  template <class Each>
  void each_row(Each&& each) const {
    const int m = system_.contacts();
    for (int i = 0; i < m; ++i) {
      if (!loaded(i)) continue;
      for (int k = rows_.row(i); k < rows_.row(i) + rows_.size(i); ++k) each(m + k);
    }
  }
  /// Ṫᵀ v of the tangential rows: a central difference along v.
  void turning(double* out) {
    std::fill_n(out, rows_.tangential(), 0.0);
    if (seen_.state.v.isZero(0.0)) return;
    constexpr double kPart = 1e-3;  // of a compression, in which bodies hardly turn
    const double step = kPart * units_.time;
    for (const double way : {step, -step}) {
      y_ = seen_.state.q + way * seen_.state.v;
      for (int i = 0; i < system_.contacts(); ++i) {
        if (!loaded(i) || !rows_.acts(i)) continue;
        const Eigen::Index first = H_.cols() - 2;
        system_.tangents(i, y_, H_.middleCols(first, rows_.size(i)));
        for (int d = 0; d < rows_.size(i); ++d) {
          out[rows_.row(i) + d] += H_.col(first + d).dot(seen_.state.v) / (2.0 * way);
        }
      }
    }
  }
  /// √(xᵀ M x)
  double length(const double* x) {
    x_ = Eigen::Map<const Vector>(x, n());
    solver_->multiply(x_, y_);
    return std::sqrt(std::max(x_.dot(y_), 0.0));
  }

  const systems::AnySystem& system_;
  const contact::FrictionRows& rows_;
  std::unique_ptr<systems::MassSolver> solver_;
  double speed_ = 0.0;
  double judged_ = 0.0;  ///< with the end of the step being judged
  laws::ContactUnits units_{.speed = 0.0};
  Seen seen_;
  /// Gradients and tangents of contacts with a force, 0 elsewhere; two columns to spare.
  Matrix H_;
  Matrix A_;        ///< mobility of the tangential rows
  Matrix answers_;  ///< M⁻¹ of these rows
  Vector x_;        ///< memory to work in
  Vector y_;
};

}  // namespace percute::simulation
