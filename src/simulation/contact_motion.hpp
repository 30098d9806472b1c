// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/orthogonal_factor.hpp"
#include "simulation/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
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
/// Tangents T(q) and d/dt(T)ᵀ v along the motion, by a central difference of order 4 over an
/// interval in which they turn by about kTurn, so that neither rounding nor the next terms leave
/// more than about 1e-12. How fast contacts turn is seen from how their gaps bend, vᵀ ∇²h v over
/// the terms of ∇hᵀ v; what tangents do in that interval shows whether it must be another.
inline TurningTangents turning_tangents(const AnySystem& system, int contact,
                                        const MotionState& at) {
  constexpr int kPasses = 4;  // to find an interval for the difference
  constexpr double kTurn = 1e-4;
  constexpr double kLittle = 1e-6;  // and much: other intervals are better
  constexpr double kMuch = 1e-3;
  const Vector& q = at.q;
  const Vector& v = at.v;
  TurningTangents out;
  out.friction = system.contact(contact, q).material.friction;
  out.columns = system.tangents(contact, q);
  const Vector speed = v.cwiseAbs();
  const double fastest = v.size() > 0 ? speed.maxCoeff() : 0.0;
  const auto d = out.columns.cols();
  if (fastest == 0.0 || d == 0) return out;
  Vector normal(q.size());
  system.gradient(contact, q, normal);
  const double bends = std::abs(system.gap_curvature(contact, q, v));
  const double terms = normal.cwiseAbs().dot(speed);
  double dt = kTurn * (bends > 0.0 && terms > 0.0 ? terms / bends : 1.0 / fastest);
  const auto moved = [&](double time) -> Matrix {
    const Vector there = q + time * v;
    Matrix T(system.coordinates(), d);
    system.tangents(contact, there, T);
    return T;
  };
  Matrix after = moved(dt);
  for (int pass = 0; pass < kPasses; ++pass) {
    // In terms of velocities: levers and directions have other units.
    const Matrix change = after - out.columns;
    if (change.isZero(0.0)) {
      if (pass == 0) return out;  // they stay as they are
      break;
    }
    const double turned = (change.cwiseAbs().transpose() * speed).maxCoeff();
    const double size =
        ((out.columns.cwiseAbs() + after.cwiseAbs()).transpose() * speed).maxCoeff();
    if (turned >= kLittle * size && turned <= kMuch * size) break;
    dt *= turned > 0.0 ? std::clamp(kTurn * size / turned, kTurn, 1.0 / kTurn) : 1.0 / kTurn;
    after = moved(dt);
  }
  out.rate.head(d) =
      (8.0 * (after - moved(-dt)) - (moved(2.0 * dt) - moved(-2.0 * dt))).transpose() * v /
      (12.0 * dt);
  return out;
}

/// Masses on the motions that joints g(q) = 0 allow: the inverse is
///
///     M⁻¹ − M⁻¹ J (Jᵀ M⁻¹ J)⁻¹ Jᵀ M⁻¹,   J = ∇g.
///
/// What is called free here moves with joints and without contacts.
class JointedMass {
 public:
  static constexpr double kIndependent = 1e-12;  ///< relative threshold of rank decisions

  explicit JointedMass(const AnySystem& system)
      : system_(system),
        solver_(system.solver()),
        free_(Vector::Zero(system.coordinates())),
        J_(system.coordinates(), system.joints()),
        MinvJ_(J_),
        curvature_(system.joints()),
        column_(system.coordinates()),
        x_(system.coordinates()) {}

  /// Factors at this state, and the free acceleration. False where M is not positive definite or
  /// forces are not finite.
  /// M, and with joints J, M⁻¹ J and the factors of Jᵀ M⁻¹ J; then the free acceleration
  /// a = M⁻¹ f − M⁻¹ J (Jᵀ M⁻¹ J)⁻¹ (Jᵀ M⁻¹ f + c).
  bool prepare(const MotionState& at) {
    if (!solver_->factor(at.q)) return false;
    system_.force(at.time, at.q, at.v, free_);
    solver_->solve(free_);
    if (J_.cols() > 0) {
      for (int k = 0; k < J_.cols(); ++k) {
        system_.joint_gradient(k, at.q, column_);
        J_.col(k) = column_;
        curvature_[k] = system_.joint_curvature(k, at.q, at.v);
      }
      solve_columns(J_, [this](Vector& x) { solver_->solve(x); }, column_, MinvJ_);
      joint_factor_.compute(J_.transpose() * MinvJ_, kIndependent);
      free_ -= MinvJ_ * joint_factor_.solve(J_.transpose() * free_ + curvature_);
    }
    return free_.allFinite();
  }
  /// x := that inverse x.
  void solve(Vector& x) {
    solver_->solve(x);
    if (J_.cols() > 0) x -= MinvJ_ * joint_factor_.solve(J_.transpose() * x);
  }
  const Vector& free_acceleration() const { return free_; }
  double gap_acceleration(int contact, const MotionState& at, const Vector& acceleration) {
    system_.gradient(contact, at.q, column_);
    return column_.dot(acceleration) + system_.gap_curvature(contact, at.q, at.v);
  }
  /// Size of the terms of that without contacts.
  double free_size(int contact, const MotionState& at) {
    system_.gradient(contact, at.q, column_);
    return column_.cwiseAbs().dot(free_.cwiseAbs()) +
           std::abs(system_.gap_curvature(contact, at.q, at.v));
  }
  /// Power that contacts take with this acceleration: −vᵀ M (v′ − free v′).
  double lost_power(const MotionState& at, const Vector& acceleration) {
    x_ = acceleration - free_;
    solver_->multiply(x_, column_);
    return -at.v.dot(column_);
  }

  /// Nearest position (in the kinetic metric) with gaps of held contacts and joints 0.
  void project_position(const std::vector<HeldContact>& held, MotionState& state) {
    const Eigen::Index joints = J_.cols();
    const auto count = joints + static_cast<Eigen::Index>(held.size());
    if (count == 0) return;
    Vector& q = state.q;
    Vector gaps(system_.contacts());
    Vector g(joints);
    Vector residual(count);
    double last = std::numeric_limits<double>::infinity();
    Vector best = q;
    // Newton's method from where the constraints nearly hold: rounding is reached in two steps.
    for (int pass = 0; pass < 4; ++pass) {
      system_.joint(q, g);
      residual.head(joints) = g;
      system_.gaps(q, gaps);
      for (std::size_t j = 0; j < held.size(); ++j) {
        residual[joints + static_cast<Eigen::Index>(j)] = gaps[held[j].contact];
      }
      const double size = residual.cwiseAbs().maxCoeff();
      if (!(size < last)) {
        q = best;
        break;
      }
      best = q;
      last = size;
      if (size == 0.0 || !solver_->factor(q)) break;
      correct(constraints(held, {}, q, false), residual, q);
    }
  }
  /// Nearest velocity at which those and the sticking contacts do not move; also the contacts
  /// `more` have gap rate 0 then.
  void project_velocity(const std::vector<HeldContact>& held, const std::vector<int>& more,
                        MotionState& state) {
    const Matrix R = constraints(held, more, state.q, true);
    if (R.cols() == 0) return;
    const Vector residual = R.transpose() * state.v;
    if (residual.cwiseAbs().maxCoeff() == 0.0 || !solver_->factor(state.q)) return;
    correct(R, residual, state.v);
  }

  const AnySystem& system() const { return system_; }
  /// M alone.
  systems::MassSolver& solver() { return *solver_; }

 private:
  /// ∇g, and ∇h of held contacts, with the tangents of those that stick where `friction` is asked
  /// for, and of `more`.
  Matrix constraints(const std::vector<HeldContact>& held, const std::vector<int>& more,
                     const Vector& q, bool friction) {
    const std::size_t most = (friction ? 3 : 1) * held.size() + more.size();
    Matrix rows(q.size(), J_.cols() + static_cast<Eigen::Index>(most));
    Eigen::Index count = 0;
    for (int k = 0; k < J_.cols(); ++k) {
      system_.joint_gradient(k, q, column_);
      rows.col(count++) = column_;
    }
    for (const HeldContact& contact : held) {
      system_.gradient(contact.contact, q, column_);
      rows.col(count++) = column_;
      if (!friction || contact.friction != HeldContact::Friction::Sticks) continue;
      const Matrix T = system_.tangents(contact.contact, q);
      rows.middleCols(count, T.cols()) = T;
      count += T.cols();
    }
    for (const int i : more) {
      system_.gradient(i, q, column_);
      rows.col(count++) = column_;
    }
    rows.conservativeResize(Eigen::NoChange, count);
    return rows;
  }
  /// q or v moved to where `rows`ᵀ (change) = −residual, in the kinetic metric.
  void correct(const Matrix& rows, const Vector& residual, Vector& x) {
    Matrix MinvR(rows.rows(), rows.cols());
    solve_columns(rows, [this](Vector& y) { solver_->solve(y); }, column_, MinvR);
    if (rows.cols() == 1) {
      x -= MinvR.col(0) / rows.col(0).dot(MinvR.col(0)) * residual[0];
    } else {
      const numerics::OrthogonalFactor factor(rows.transpose() * MinvR, kIndependent);
      x -= MinvR * factor.solve(residual);
    }
  }

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
  /// Rows R that stay at rest and forces B, Rᵀ (a_free + M⁻¹ B x) + c = 0: a loaded contact pushes
  /// along its normal and, where it slides along s, rubs along −μ T s; one that sticks has its
  /// friction as further unknowns. Redundant rows share the least forces.
  bool accelerate(const MotionState& at, const std::vector<HeldContact>& held,
                  Vector& acceleration) {
    if (!mass_.prepare(at)) return false;
    acceleration = mass_.free_acceleration();
    redundant_ = false;
    if (held.empty()) return true;

    Eigen::Index count = 0;
    tangents_.resize(held.size());
    for (std::size_t j = 0; j < held.size(); ++j) {
      if (!held[j].loaded) continue;
      ++count;
      if (held[j].friction == Friction::None) continue;
      tangents_[j] = turning_tangents(system_, held[j].contact, at);
      if (held[j].friction == Friction::Sticks) count += tangents_[j].columns.cols();
    }
    rows_.resize(at.q.size(), count);
    forces_.resize(at.q.size(), count);
    bend_.resize(count);
    column_.resize(at.q.size());
    Eigen::Index row = 0;
    for (std::size_t j = 0; j < held.size(); ++j) {
      if (!held[j].loaded) continue;
      const int i = held[j].contact;
      system_.gradient(i, at.q, column_);
      rows_.col(row) = column_;
      bend_[row] = system_.gap_curvature(i, at.q, at.v);
      if (held[j].friction == Friction::Slides) {
        const auto& T = tangents_[j].columns;
        column_ -= tangents_[j].friction * (T * direction(held[j], T, at.v).head(T.cols()));
      }
      mass_.solve(column_);
      forces_.col(row++) = column_;
      if (held[j].friction != Friction::Sticks) continue;
      for (Eigen::Index d = 0; d < tangents_[j].columns.cols(); ++d) {
        column_ = tangents_[j].columns.col(d);
        rows_.col(row) = column_;
        bend_[row] = tangents_[j].rate[d];
        mass_.solve(column_);
        forces_.col(row++) = column_;
      }
    }
    if (count > 0) {
      schur_.noalias() = rows_.transpose() * forces_;
      bias_ = bend_;
      bias_.noalias() += rows_.transpose() * mass_.free_acceleration();
      if (count == 1) {
        unknown_.resize(1);
        unknown_[0] = -bias_[0] / schur_(0, 0);
      } else {
        factor_.compute(schur_, JointedMass::kIndependent);
        unknown_ = factor_.solve(-bias_);
        redundant_ = factor_.rank() < count;
      }
      acceleration.noalias() += forces_ * unknown_;
      if (count > 1) {
        // Rounding of these forces would move bodies that rest, in a long time far: once more, for
        // what is left.
        bias_ = bend_;
        bias_.noalias() += rows_.transpose() * acceleration;
        acceleration.noalias() -= forces_ * factor_.solve(bias_);
      }
    }

    note_loads(at, held, acceleration);
    return acceleration.allFinite();
  }
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
  using Friction = HeldContact::Friction;
  /// Accelerations below this part of what forces without contacts do are taken as 0, and so are
  /// those below HeldContact::slack: above what settle() lets pass, which is above rounding.
  static constexpr double kNoAcceleration = 1e-10;
  /// By so much friction may exceed its limit, which is rounding.
  static constexpr double kGrip = 1e-12;

  /// Where a contact slides to: in the plane the sense does not change by itself; in space it turns
  /// with the sliding velocity, once that is more than rounding.
  static Eigen::Vector2d direction(const HeldContact& held, const Matrix& T, const Vector& v) {
    if (T.cols() < 2) return held.direction;
    const Eigen::Vector2d u = T.transpose() * v;
    const double noise = 1e-12 * (T.cwiseAbs().transpose() * v.cwiseAbs()).maxCoeff();
    return u.norm() > noise && u.dot(held.direction) > 0.0 ? u.normalized() : held.direction;
  }
  /// What each of them can still take.
  void note_loads(const MotionState& at, const std::vector<HeldContact>& held,
                  const Vector& acceleration) {
    load_.resize(static_cast<Eigen::Index>(held.size()));
    grip_.resize(load_.size());
    pull_.resize(held.size());
    double unit = 0.0;
    for (const HeldContact& c : held) unit = std::max(unit, mass_.free_size(c.contact, at));
    Eigen::Index row = 0;
    for (std::size_t j = 0; j < held.size(); ++j) {
      const auto k = static_cast<Eigen::Index>(j);
      grip_[k] = std::numeric_limits<double>::infinity();
      if (!held[j].loaded) {
        load_[k] = std::max(kNoAcceleration * unit, held[j].slack) -
                   std::abs(mass_.gap_acceleration(held[j].contact, at, acceleration));
        continue;
      }
      load_[k] = unknown_[row++];
      if (held[j].friction != Friction::Sticks) continue;
      const auto d = tangents_[j].columns.cols();
      const double most = tangents_[j].friction * load_[k];
      grip_[k] = most * (1.0 + kGrip) - unknown_.segment(row, d).norm();
      pull_[j].setZero();
      pull_[j].head(d) = -unknown_.segment(row, d).normalized();
      row += d;
    }
  }

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

}  // namespace percute::simulation
