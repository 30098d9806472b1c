// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/hybrid_integrator.hpp"

#include <percute/laws/darboux_keller_single.hpp>

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace percute::laws {

/// One contact seen from itself: U_n = U_n⁻ + a p + b·p_t, U_t = U_t⁻ + b p + C p_t. A planar
/// contact has nothing in its second tangential row.
struct ContactRows {
  double a = 0.0;
  Eigen::Vector2d b = Eigen::Vector2d::Zero();
  Eigen::Matrix2d C = Eigen::Matrix2d::Zero();
  int tangents = 0;
  double friction = 0.0;  ///< μ; 0 where there are no tangents
  double restitution = 1.0;
  double U_n = 0.0;  ///< before the impact
  Eigen::Vector2d U_t = Eigen::Vector2d::Zero();
  double speed = 0.0;  ///< vs, scale of velocities

  /// dU_n/dp at the start: negative where friction draws the bodies together. Infinite friction:
  /// U_n once sliding has been stopped, over a unit of impulse.
  double initial_slope() const;
};

/// Where an impact has got to.
struct ImpactPlace {
  double p = 0.0;
  Eigen::Vector2d p_t = Eigen::Vector2d::Zero();
  double U_n = 0.0;
  Eigen::Vector2d U_t = Eigen::Vector2d::Zero();
  double work = 0.0;  ///< ∫ U_n dp, on the bodies
  double loss = 0.0;  ///< −∫ U_t · dp_t ≥ 0
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
  void start(const ImpactPlace& place, const StageEnd& end);
  Step step();

  ImpactPlace place() const;
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

/// The impulses of a contact as they grow, from the first touch to the end of expansion. While slip
/// does not turn, or the contact sticks, dp_t/dp = ρ is constant, and so are
///
///     dU_n/dp = a + b·ρ,   dU_t/dp = b + C ρ;   else TurningSlip.
class ContactPath {
 public:
  ContactPath(const ContactRows& rows, DarbouxKellerSingle::Termination termination);

  Status run();

  const ImpactPlace& end() const { return now_; }
  int compressions() const { return compressions_; }
  /// (p, p_t) on the way: ends of straight pieces, steps of curved ones.
  const std::vector<Eigen::Vector3d>& vertices() const { return vertices_; }
  const std::vector<ImpactPhase>& phases() const { return phases_; }
  long evaluations() const { return slip_ ? slip_->evaluations() : 0; }
  long steps() const { return slip_ ? slip_->steps() : 0; }
  long rejected() const { return slip_ ? slip_->rejected() : 0; }

 private:
  using Motion = ImpactPhase::Motion;

  bool stop_at_once();
  void come_to_rest(bool has_slid);
  void go_straight();
  bool turn();
  bool bends() const;
  void advance(double length);
  void note(double from);
  double counted() const;
  void end_compression();
  void begin_compression();
  double due() const;
  StageEnd stage_end() const;
  double length_to_end(double slope) const;

  const ContactRows& rows_;
  DarbouxKellerSingle::Termination termination_;
  Eigen::Matrix2d inverse_;  ///< C⁺
  double rate_ = 0.0;        ///< scale of dU/dp

  ImpactPlace now_;
  Motion motion_ = Motion::Slip;
  Eigen::Vector2d ratio_ = Eigen::Vector2d::Zero();  ///< ρ of a straight piece
  bool compressing_ = true;
  bool over_ = false;
  /// What compression has laid up for expansion: energy (energetic), impulse (Poisson).
  double store_ = 0.0;
  double store_from_ = 0.0;  ///< work or p where the present stage began

  std::optional<TurningSlip> slip_;  ///< where it turns
  int compressions_ = 0;
  std::vector<ImpactPhase> phases_;
  std::vector<Eigen::Vector3d> vertices_;
};

}  // namespace percute::laws
