// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"
#include "numerics/lcp.hpp"
#include "numerics/orthogonal_factor.hpp"
#include "simulation/scene.hpp"

#include <memory>
#include <string>
#include <vector>

namespace percute::simulation {

/// A contact that is held closed.
struct HeldContact {
  enum class Friction { None, Sticks, Slides };

  int contact = 0;
  /// Whether it takes part with a force. One that does not stays closed all the same: it is
  /// redundant, or what it touches moves along with it.
  bool loaded = true;
  double slack = 0.0;  ///< m/s²: accelerations of the gap up to this were none when it was settled
  Friction friction = Friction::None;
  /// Unit vector of sliding in terms of the contact's tangents; one number where there is one.
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();
};

/// Tangents T of a contact, and how they turn.
struct TurningTangents {
  Matrix columns = {};                             ///< T, n × d
  Eigen::Vector2d rate = Eigen::Vector2d::Zero();  ///< d/dt(T)ᵀ v
  double friction = 0.0;                           ///< μ
};
TurningTangents turning_tangents(const AnySystem& system, int contact, const MotionState& at);

/// Masses on the motions that joints g(q) = 0 allow: the inverse is
///
///     M⁻¹ − M⁻¹ J (Jᵀ M⁻¹ J)⁻¹ Jᵀ M⁻¹,   J = ∇g.
///
/// What is called free here moves with joints and without contacts.
class JointedMass {
 public:
  explicit JointedMass(const AnySystem& system);

  /// Factors at this state, and the free acceleration. False where M is not positive definite or
  /// forces are not finite.
  bool prepare(const MotionState& at);
  void solve(Vector& x);  ///< x := that inverse x
  const Vector& free_acceleration() const { return free_; }
  double gap_acceleration(int contact, const MotionState& at, const Vector& acceleration);
  /// Size of the terms of that without contacts.
  double free_size(int contact, const MotionState& at);
  /// Power that contacts take with this acceleration: −vᵀ M (v′ − free v′).
  double lost_power(const MotionState& at, const Vector& acceleration);

  /// Nearest position (in the kinetic metric) with gaps of held contacts and joints 0.
  void project_position(const std::vector<HeldContact>& held, MotionState& state);
  /// Nearest velocity at which those and the sticking contacts do not move; also the contacts
  /// `more` have gap rate 0 then.
  void project_velocity(const std::vector<HeldContact>& held, const std::vector<int>& more,
                        MotionState& state);

  const AnySystem& system() const { return system_; }
  /// M alone.
  systems::MassSolver& solver() { return *solver_; }

 private:
  Matrix constraints(const std::vector<HeldContact>& held, const std::vector<int>& more,
                     const Vector& q, bool friction);
  void correct(const Matrix& rows, const Vector& residual, Vector& x);

  const AnySystem& system_;
  std::unique_ptr<systems::MassSolver> solver_;
  Vector free_;
  Matrix J_;
  Matrix MinvJ_;
  numerics::OrthogonalFactor joint_factor_;
  Vector curvature_;  // of joints
  Vector column_;
  Vector x_;
};

/// Accelerations of a system some of whose contacts are held closed.
class ContactMotion {
 public:
  explicit ContactMotion(JointedMass& mass) : mass_(mass), system_(mass.system()) {}

  /// v′ with the normal accelerations of the loaded contacts of `held` and the tangential ones of
  /// those that stick equal to 0. False where M is not positive definite.
  bool accelerate(const MotionState& at, const std::vector<HeldContact>& held,
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

 private:
  void note_loads(const MotionState& at, const std::vector<HeldContact>& held,
                  const Vector& acceleration);

  JointedMass& mass_;
  const AnySystem& system_;
  std::vector<TurningTangents> tangents_;
  Matrix rows_;    // R: what must not accelerate
  Matrix forces_;  // M⁻¹ B: what the unknown forces do
  Matrix schur_;   // Rᵀ M⁻¹ B
  numerics::OrthogonalFactor factor_;
  Vector bend_;  // d/dt(R)ᵀ v
  Vector bias_;
  Vector unknown_;
  Vector column_;
  Vector load_;
  Vector grip_;
  std::vector<Eigen::Vector2d> pull_;
  bool redundant_ = false;
};

/// Which of some contacts that are closed, with gap rates 0, stay closed. In rows of all of them,
/// each normal first, that is the complementarity problem of accelerations
///
///     acceleration = A force + b,   A = Rᵀ M⁻¹ R,   b = Rᵀ a_free + c,
///
/// with 0 ≤ force ⟂ acceleration ≥ 0 along normals and Coulomb's law along tangents.
class Settling {
 public:
  explicit Settling(JointedMass& mass) : mass_(mass) {}

  /// Contacts that stay, in `held`. A contact slides if it does so faster than `stick_speed`, or is
  /// told to slip. Returns why there is no solution, or "".
  std::string settle(const MotionState& at, const std::vector<int>& closed, bool friction,
                     double stick_speed, const std::vector<HeldContact>& slipping,
                     std::vector<HeldContact>& held);

 private:
  /// How a contact may go on: at rest in the plane all four, one that slides open or closed only.
  enum class Mode { Open, Sticks, SlidesUp, SlidesDown };

  std::size_t contacts() const { return start_.size() - 1; }
  bool slides(std::size_t j) const { return direction_[j].squaredNorm() > 0.0; }
  Eigen::Index normal(std::size_t j) const { return start_[j]; }
  Eigen::Index tangents(std::size_t j) const { return start_[j + 1] - start_[j] - 1; }
  double coefficient(std::size_t j) const { return friction_[static_cast<Eigen::Index>(j)]; }
  /// Friction of contact j that slides, at this normal force.
  Vector rubbing(std::size_t j, double force) const {
    return -coefficient(j) * force * direction_[j].head(tangents(j));
  }

  bool solve_normal();
  bool solve_coulomb();
  bool solve_by_modes();
  bool solve_modes(const std::vector<Mode>& modes, double scale);

  JointedMass& mass_;
  std::vector<int> start_;                  // rows of contact j: start[j] … start[j+1]
  std::vector<Eigen::Vector2d> direction_;  // of sliding; 0 where nothing slides
  Vector friction_;                         // μ; 0 where it is not used
  Matrix A_;
  Vector b_;
  Vector force_;  // solution
  numerics::LcpSolver lcp_;
  numerics::CoulombSolver coulomb_;
};

}  // namespace percute::simulation
