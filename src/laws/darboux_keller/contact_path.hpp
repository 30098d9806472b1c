// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/darboux_keller/contact_rows.hpp"
#include "laws/darboux_keller/turning_slip.hpp"

#include <percute/laws/darboux_keller_single.hpp>

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace percute::laws {

/// Slip below this part of vs has stopped.
inline constexpr double kStopped = 1e-12;

/// C⁺ of a positive semidefinite C: directions without mobility stay as they are.
Eigen::Matrix2d pseudo_inverse(const Eigen::Matrix2d& C);

/// dU_n/dp at the start: negative where friction draws the bodies together. Infinite friction:
/// U_n once sliding has been stopped, over a unit of impulse.
double initial_slope(const ContactRows& rows);

/// The impulses of a contact as they grow, from the first touch to the end of expansion.
class ContactPath {
 public:
  ContactPath(const ContactRows& rows, DarbouxKellerSingle::Termination termination);

  Status run();

  double impulse() const { return p_; }
  const Eigen::Vector2d& tangential_impulse() const { return p_t_; }
  double normal_work() const { return W_; }    ///< ∫ U_n dp, on the bodies
  double friction_loss() const { return D_; }  ///< −∫ U_t · dp_t ≥ 0
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
  void end_compression();
  void begin_compression();
  StageEnd stage_end() const;
  double due() const;
  double length_to_end(double slope) const;

  const ContactRows& rows_;
  DarbouxKellerSingle::Termination termination_;
  Eigen::Matrix2d inverse_;  ///< C⁺
  double rate_ = 0.0;        ///< scale of dU/dp

  Motion motion_ = Motion::Slip;
  Eigen::Vector2d ratio_ = Eigen::Vector2d::Zero();  ///< dp_t/dp of a straight piece
  bool compressing_ = true;
  bool over_ = false;
  double p_ = 0.0;
  Eigen::Vector2d p_t_ = Eigen::Vector2d::Zero();
  double U_n_ = 0.0;
  Eigen::Vector2d U_t_ = Eigen::Vector2d::Zero();
  double W_ = 0.0;
  double D_ = 0.0;
  /// What compression has laid up for expansion: energy (energetic), impulse (Poisson).
  double store_ = 0.0;
  double store_from_ = 0.0;  ///< W or p where the present stage began

  std::optional<TurningSlip> slip_;  ///< where it turns
  int compressions_ = 0;
  std::vector<ImpactPhase> phases_;
  std::vector<Eigen::Vector3d> vertices_;
};

}  // namespace percute::laws
