// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/bracketed_root.hpp"
#include "numerics/low_rank_radau.hpp"
#include "numerics/runge_kutta.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace percute::numerics {

/// What is linear in the state, along a step: `start` + a polynomial in θ with coefficients c.
template <class RK>
struct AlongStep {
  double start = 0.0;
  typename RK::DenseCoefficients c{};

  double operator()(double theta) const { return start + RK::evaluate(c.data(), theta); }

  /// Zero between places where it has opposite signs: Newton's method, as long as it stays inside.
  double root(CrossingEnd left, CrossingEnd right) const {
    constexpr double kWidth = 1e-15;
    double theta =
        left.theta + (right.theta - left.theta) * left.value / (left.value - right.value);
    for (int i = 0; i < 8 && theta > left.theta && theta < right.theta; ++i) {
      double rate = 0.0;
      const double change = -(start + RK::evaluate(c.data(), theta, rate)) / rate;
      theta += change;
      // The next change would be about the square of this one.
      if (std::abs(change) < 1e-8 && theta >= left.theta && theta <= right.theta) return theta;
    }
    return bracketed_root(*this, left.theta, right.theta, kWidth);
  }

  /// First zero after `from`; 2 if there is none. See first_crossing().
  double first_zero(double from, bool armed) const {
    return first_crossing(*this, from, armed,
                          [&](CrossingEnd left, CrossingEnd right) { return root(left, right); });
  }
};

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
    known_.resize(static_cast<std::size_t>(n));
    point_.resize(static_cast<std::size_t>(n));
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
    return sized([&](auto& client) { return attempt(client, h); });
  }

  /// Makes an explicit step of length h, whatever its error.
  bool take(double h) {
    return sized([&](auto& client) { return take(client, h); });
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
    if (!polynomial()) return;
    std::fill(known_.begin(), known_.end(), 0);
    if (implicit_) return fit_stages();
    dense_evaluations_ += DormandPrince8::kDenseStages;
    defined_ = sized([&](auto& client) {
      constexpr int kSize = std::remove_reference_t<decltype(client)>::kSize;
      return rk_.template prepare_dense<kSize>(slope_of(client), time_, h_);
    });
  }
  /// Slopes evaluated for the dense output and its defects.
  long dense_evaluations() const { return dense_evaluations_; }
  void forget_evaluations() { dense_evaluations_ = 0; }

  bool dense() const { return dense_; }
  bool defined() const { return defined_; }
  /// Whether the dense output is that of explicit steps.
  bool polynomial() const { return !implicit_ || Client::kScreens; }
  /// The state at the part θ of the step.
  const double* inside(double theta) {
    prepare_dense();
    if (polynomial()) {
      for (int i = 0; i < size(); ++i) point_[i] = inside(i, theta);
    } else {
      radau_.interpolate(theta, rk_.state(), point_.data());
    }
    return point_.data();
  }

  /// Its component i.
  double inside(int i, double theta) {
    if (!polynomial()) return inside(theta)[i];
    prepare_dense();
    return start()[i] + RK::evaluate(dense_coefficients(i).data(), theta);
  }

  /// The state, or as a cubic through both ends tells as long as there is no dense output.
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
    return sized([&](auto& client) { return defect(client, theta); });
  }

  /// What is linear in the state, from its value at the start and its gradient, for which
  /// terms(add) calls add(component, weight).
  template <class Terms>
  AlongStep<RK> along(double start, Terms&& terms) {
    prepare_dense();
    AlongStep<RK> g{.start = start};
    terms([&](int i, double weight) {
      const typename RK::DenseCoefficients& own = dense_coefficients(i);
      for (std::size_t d = 0; d < g.c.size(); ++d) g.c[d] += weight * own[d];
    });
    return g;
  }

 private:
  /// Calls use(client): the client, or what it makes of itself for its number of components.
  template <class Use>
  auto sized(Use&& use) {
    if constexpr (Client::kSized) {
      return client_.with_size(use);
    } else {
      return use(client_);
    }
  }
  template <class Own>
  static auto slope_of(Own& client) {
    return [&](double x, double* y, double* out) { return client.slope(x, y, out); };
  }
  template <class Own>
  bool take(Own& client, double h) {
    h_ = h;
    dense_ = false;
    return rk_.template attempt<Own::kSize>(slope_of(client), time_, h);
  }
  template <class Own>
  double attempt(Own& client, double h) {
    if (!take(client, h)) return INFINITY;
    client.measure(rk_.trial());
    return rk_.template error<Own::kSize>(h, [&](const double* e) { return client.norm(e); });
  }
  template <class Own>
  double defect(Own& client, double theta) {
    rk_.template interpolate<Own::kSize>(theta);
    ++dense_evaluations_;
    if (!client.slope(time_ + theta * h_, rk_.inside(), rk_.inside_slope())) return NAN;
    return rk_.template defect<Own::kSize>([&](const double* e) { return client.norm(e); });
  }

  /// Of component i, as a polynomial in θ.
  const typename RK::DenseCoefficients& dense_coefficients(int i) {
    const auto k = static_cast<std::size_t>(i);
    if (known_[k] == 0) coefficients_[k] = rk_.dense_coefficients(i);
    known_[k] = 1;
    return coefficients_[k];
  }

  /// Dense output of an implicit step, by the slopes at its stages.
  void fit_stages() {
    static_assert(RK::kInner == RadauTable::kStages - 1);
    std::array<double, RK::kInner> theta{};
    std::array<const double*, RK::kInner> slopes{};
    Vector y(size());
    Matrix f(size(), static_cast<Eigen::Index>(RK::kInner));
    for (int k = 0; k < RK::kInner; ++k) {
      theta[k] = RadauTable::kNodes[k];
      slopes[k] = f.col(k).data();
      radau_.interpolate(theta[k], rk_.state(), y.data());
      client_.slope(time_ + theta[k] * h_, y.data(), f.col(k).data());
    }
    dense_evaluations_ += RK::kInner;
    rk_.fit_dense(h_, theta, slopes);
  }

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
  long dense_evaluations_ = 0;
  std::vector<typename RK::DenseCoefficients> coefficients_;
  std::vector<char> known_;    ///< components whose coefficients are those of this step
  std::vector<double> point_;  ///< a state inside the step
};

}  // namespace percute::numerics
