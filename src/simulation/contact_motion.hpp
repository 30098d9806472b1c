// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"
#include "numerics/lcp.hpp"
#include "numerics/orthogonal_factor.hpp"
#include "simulation/held_contact.hpp"

#include <percute/systems/any_system.hpp>

#include <memory>
#include <string>
#include <vector>

namespace percute::simulation {

struct Settling;

/// Accelerations of a system some of whose contacts are held closed, and which they are.
///
/// Joints g(q) = 0 are part of what is called free here: M⁻¹ stands for the inverse on the motions
/// that they allow, M⁻¹ − M⁻¹ J (Jᵀ M⁻¹ J)⁻¹ Jᵀ M⁻¹, J = ∇g.
class ContactMotion {
 public:
  explicit ContactMotion(const systems::AnySystem& system);

  /// v′ with the normal accelerations of the loaded contacts of `held` and the tangential ones of
  /// those that stick equal to 0. False where M is not positive definite.
  bool accelerate(double t, const Vector& q, const Vector& v, const std::vector<HeldContact>& held,
                  Vector& acceleration);
  /// Of the last accelerate(), contact by contact: what must not become negative while the set of
  /// held contacts is right.
  /// Normal force; for one without load, by how much the acceleration of its gap may still differ
  /// from 0.
  const Vector& load() const { return load_; }
  /// Sticks: μ ν − |friction force|. Otherwise infinite.
  const Vector& grip() const { return grip_; }
  /// Whether forces could be shared out in other ways too: then load() and grip() show one of many.
  bool redundant() const { return redundant_; }
  /// Where a contact that sticks would slide to: against its friction force.
  Eigen::Vector2d pull(std::size_t place) const { return pull_[place]; }

  /// Which of the contacts `closed`, whose gap rates are 0, stay closed: the complementarity
  /// problem of accelerations. A contact slides if it does so faster than `stick_speed`. False if
  /// there is no solution, with a reason.
  struct Settled {
    std::vector<HeldContact> held = {};
    Vector gap_acceleration = {};  ///< of each contact in `closed`, without forces of contacts
    std::string reason = {};       ///< why it failed
  };
  bool settle(double t, const Vector& q, const Vector& v, const std::vector<int>& closed,
              bool friction, double stick_speed, const std::vector<HeldContact>& slipping,
              Settled& out);

  /// Nearest state (in the kinetic metric) with gaps of held contacts and joints 0.
  /// Both return whether anything has changed.
  bool project_position(const std::vector<HeldContact>& held, Vector& q);
  /// Nearest velocity at which those and the sticking contacts do not move; also the contacts
  /// `more` have gap rate 0 then.
  bool project_velocity(const std::vector<HeldContact>& held, const std::vector<int>& more,
                        const Vector& q, Vector& v);

  /// Of the last accelerate() or settle(): without forces of contacts.
  const Vector& free_acceleration() const { return free_; }
  /// Power that contacts take at velocity v with the acceleration that the last accelerate() gave:
  /// −vᵀ M (v′ − free v′).
  double lost_power(const Vector& v, const Vector& acceleration);
  double gap_rate(int contact, const Vector& q, const Vector& v);
  double gap_acceleration(int contact, const Vector& q, const Vector& v,
                          const Vector& acceleration);
  /// Tangentsᵀ v.
  Eigen::Vector2d sliding_velocity(int contact, const Vector& q, const Vector& v) const;
  double kinetic_energy(const Vector& q, const Vector& v) { return solver_->kinetic_energy(q, v); }
  systems::MassSolver& mass() { return *solver_; }

 private:
  /// Rows of accelerations: normal and tangential ones of contacts.
  struct Tangents {
    Matrix columns = {};                             ///< n × d
    Eigen::Vector2d rate = Eigen::Vector2d::Zero();  ///< d/dt(tangents)ᵀ v
    double friction = 0.0;
  };

  bool prepare(double t, const Vector& q, const Vector& v);
  void invert(Vector& x);
  Tangents tangents(int contact, const Vector& q, const Vector& v) const;
  /// Size of the terms of the acceleration of a gap without contacts.
  double free_size(int contact, const Vector& q, const Vector& v);
  bool solve_normal(Settling& problem);
  bool solve_coulomb(Settling& problem);

  const systems::AnySystem& system_;
  std::unique_ptr<systems::MassSolver> solver_;
  int n_;
  int joints_;

  Vector free_;  // acceleration without contacts
  Matrix J_;     // n × joints
  Matrix MinvJ_;
  numerics::OrthogonalFactor joint_factor_;
  Vector curvature_;  // of joints
  Vector column_;
  Vector x_;

  Matrix rows_;    // R: what must not accelerate
  Matrix forces_;  // M⁻¹ B: what the unknown forces do
  Matrix schur_;   // Rᵀ M⁻¹ B
  Vector bias_;
  Vector bend_;  // d/dt(R)ᵀ v
  numerics::OrthogonalFactor factor_;
  Vector unknown_;
  Vector load_;
  bool redundant_ = false;
  Vector grip_;
  std::vector<Eigen::Vector2d> pull_;
  std::vector<Tangents> tangents_;
  numerics::LcpSolver lcp_;
  numerics::CoulombSolver coulomb_;
};

}  // namespace percute::simulation
