// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/low_rank_radau.hpp"
#include "numerics/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace percute::numerics {

/// A step of HybridIntegrator that is being tried, explicit (Dormand and Prince, order 8) or
/// implicit (Radau IIA, order 9), and its dense output. The last components may be Quadratures, see
/// RungeKutta.
template <class Client, int Quadratures>
class TrialStep {
 public:
  using RK = RungeKutta<DormandPrince8, Quadratures>;

  explicit TrialStep(Client& client) : client_(client) {}

  void resize(int n) {
    rk_.resize(n);
    radau_.resize(n);
    coefficients_.resize(static_cast<std::size_t>(n));
    point_.assign(static_cast<std::size_t>(n), 0.0);
  }

  int size() const { return rk_.size(); }

  double* start() { return rk_.state(); }
  const double* start() const { return rk_.state(); }
  double* slope() { return rk_.slope(); }
  const double* slope() const { return rk_.slope(); }
  const double* end() const { return rk_.trial(); }
  double* end() { return rk_.trial(); }
  const double* end_slope() const { return rk_.trial_slope(); }
  double time() const { return time_; }  ///< where it starts
  void set_time(double time) { time_ = time; }
  double length() const { return h_; }
  bool implicit() const { return implicit_; }
  void set_implicit(bool implicit) { implicit_ = implicit; }

  /// Tries a step of length h; returns its error over the tolerance. `first`: none has been taken
  /// since the last restart.
  double attempt(double h, bool first) {
    h_ = h;
    dense_ = false;
    defined_ = true;
    constexpr bool kImplicit = requires(Client& client, Matrix& M) { client.stiff_part(M); };
    if constexpr (kImplicit) {
      if (implicit_) {
        client_.measure(rk_.state());
        Stiff stiff(client_);
        const double error = radau_.attempt(stiff, time_, h, rk_.state(), first);
        if (!(error < std::numeric_limits<double>::infinity())) return error;
        std::copy_n(radau_.end(), rk_.size(), rk_.trial());
        if (!client_.slope(time_ + h, rk_.trial(), rk_.trial_slope())) return INFINITY;
        return error;
      }
    }
    if (!take(h)) return INFINITY;
    client_.measure(rk_.trial());
    return rk_.error(h, [this](const double* e) { return client_.norm(e); });
  }

  /// Makes an explicit step of length h, whatever its error.
  bool take(double h) {
    h_ = h;
    dense_ = false;
    const auto f = [this](double x, double* y, double* out) { return client_.slope(x, y, out); };
    return rk_.attempt(f, time_, h);
  }

  /// How much longer the next step may be.
  double growth(double error) const {
    return implicit_ ? RadauTable::growth(error) : rk_.growth(error);
  }

  /// Takes the end for the start of the next step.
  void move_on(double time) {
    rk_.accept();
    time_ = time;
  }

  void end_inside() { rk_.end_inside(); }  ///< where defect() was asked for

  /// Makes the dense output ready; defined() tells whether it is.
  void prepare_dense() {
    if (dense_) return;
    dense_ = true;
    if (implicit_) return;
    const auto f = [this](double x, double* y, double* out) { return client_.slope(x, y, out); };
    defined_ = rk_.prepare_dense(f, time_, h_);
    for (int i = 0; i < size(); ++i) coefficients_[i] = rk_.dense_coefficients(i);
  }

  bool dense() const { return dense_; }
  bool defined() const { return defined_; }
  /// The state at the part θ of the step.
  const double* inside(double theta) {
    prepare_dense();
    if (implicit_) {
      radau_.interpolate(theta, rk_.state(), point_.data());
      return point_.data();
    }
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
      point_[i] = start()[i] + RK::evaluate(coefficients_[i].data(), theta);
    }
    return point_.data();
  }

  /// The same, or as a cubic through both ends tells as long as there is no dense output.
  const double* roughly_inside(double theta) {
    if (theta >= 1.0) return rk_.trial();
    if (theta <= 0.0) return rk_.state();
    if (dense_) return inside(theta);
    const double rest = 1.0 - theta;
    const double* y0 = rk_.state();
    const double* y1 = rk_.trial();
    const double* k0 = rk_.slope();
    const double* k1 = rk_.trial_slope();
    for (int i = 0; i < rk_.size(); ++i) {
      const double jump = y1[i] - y0[i];
      point_[i] =
          y0[i] +
          theta * (jump + rest * (h_ * k0[i] - jump + theta * (2.0 * jump - h_ * (k0[i] + k1[i]))));
    }
    return point_.data();
  }

  /// How far the slope of the dense output is from that of its state, over what is allowed;
  /// NaN where there is none.
  double defect(double theta) {
    rk_.interpolate(theta);
    if (!client_.slope(time_ + theta * h_, rk_.inside(), rk_.inside_slope())) return NAN;
    return rk_.defect([this](const double* e) { return client_.norm(e); });
  }

  /// Of component i, as a polynomial in θ.
  const typename RK::DenseCoefficients& dense_coefficients(int i) const {
    return coefficients_[static_cast<std::size_t>(i)];
  }

 private:
  /// The client as LowRankRadau sees it.
  class Stiff final : public StiffClient {
   public:
    explicit Stiff(Client& client) : client_(client) {}
    bool slope(double x, double* y, double* out) override { return client_.slope(x, y, out); }
    void stiff_frame(Matrix& B, Matrix& C) override { client_.stiff_frame(B, C); }
    void stiff_part(Matrix& D) override { client_.stiff_part(D); }
    void stiff_drift(const double* slope, Vector& c) override {
      if constexpr (requires { client_.stiff_drift(slope, c); }) client_.stiff_drift(slope, c);
    }
    double norm(const double* error) override { return client_.norm(error); }

   private:
    Client& client_;
  };

  Client& client_;
  RK rk_;
  LowRankRadau radau_;
  double time_ = 0.0;
  double h_ = 0.0;
  bool implicit_ = false;
  bool dense_ = false;
  bool defined_ = true;
  std::vector<typename RK::DenseCoefficients> coefficients_;
  std::vector<double> point_;  ///< a state inside the step
};

}  // namespace percute::numerics
