// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/darboux_keller/contact_rows.hpp"
#include "numerics/hybrid_integrator.hpp"

#include <Eigen/Core>

namespace percute::laws {

/// Where slip has got to.
struct SlipState {
  double p = 0.0;
  Eigen::Vector2d p_t = Eigen::Vector2d::Zero();
  Eigen::Vector2d U_t = Eigen::Vector2d::Zero();
  double work = 0.0;  ///< ∫ U_n dp, on the bodies
  double loss = 0.0;  ///< −∫ U_t · dp_t
};

/// A stage of an impact lasts until what it counts by has risen to this.
struct StageEnd {
  enum class Count { GapRate, Impulse, Work };
  Count count = Count::GapRate;
  double value = 0.0;
  bool expansion = false;  ///< it is also over where the bodies approach again
};

/// Slip in space. With U_t = s u(φ), w(φ) = b − μ C u and dp = s dθ the equations of Keller have
/// nothing singular left where slip stops:
///
///     dφ/dθ = u⊥·w,   d ln s/dθ = u·w,   dp/dθ = s,   dp_t/dθ = −μ s u,
///
/// and s falls to 0 exponentially, φ settling meanwhile.
class TurningSlip : public numerics::HybridClient {
 public:
  /// `rate`: of φ and ln s by θ, or more.
  TurningSlip(const ContactRows& rows, double rate);
  TurningSlip(const TurningSlip&) = delete;
  TurningSlip& operator=(const TurningSlip&) = delete;

  enum class Step { Failed, Taken, StageOver, Approach };
  void start(const SlipState& state, const StageEnd& end);
  Step step();

  SlipState state() const;
  double gap_rate() const { return gap_rate(integrator_.state()); }
  long evaluations() const { return evaluations_; }
  long steps() const { return integrator_.steps(); }
  long rejected() const { return integrator_.rejected(); }

  // What HybridIntegrator asks.
  bool slope(double theta, const double* y, double* out);
  double norm(const double* error) const;
  double time_scale() const { return 1.0 / rate_; }
  int guards() const { return end_.expansion ? 2 : 1; }
  void evaluate_guards(double theta, const double* y, double* g) const;
  bool linear(int k, double* w) const;
  bool interrupted() const;

 private:
  double gap_rate(const double* y) const;

  const ContactRows& rows_;
  double rate_;
  StageEnd end_;
  long evaluations_ = 0;
  numerics::HybridIntegrator<TurningSlip> integrator_;
};

}  // namespace percute::laws
