// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"
#include "numerics/lcp.hpp"
#include "simulation/contact_motion.hpp"
#include "simulation/run_ledger.hpp"

#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace percute::simulation {

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
                     std::vector<HeldContact>& held) {
    held.clear();
    const std::size_t m = closed.size();
    if (m == 0) return {};
    if (!mass_.prepare(at)) return "the mass matrix is not positive definite";

    const AnySystem& system = mass_.system();
    const Vector& free = mass_.free_acceleration();
    start_.assign(1, 0);
    friction_ = Vector::Zero(static_cast<Eigen::Index>(m));
    direction_.assign(m, Eigen::Vector2d::Zero());
    std::vector<Vector> rows;
    std::vector<double> bias;
    Vector column(at.q.size());
    bool resting = false;  // with friction
    for (std::size_t j = 0; j < m; ++j) {
      const int i = closed[j];
      system.gradient(i, at.q, column);
      rows.push_back(column);
      bias.push_back(column.dot(free) + system.gap_curvature(i, at.q, at.v));
      if (friction) {
        const TurningTangents T = turning_tangents(system, i, at);
        const auto d = T.columns.cols();
        if (T.friction > 0.0 && d > 0) {
          friction_[static_cast<Eigen::Index>(j)] = T.friction;
          Eigen::Vector2d u = Eigen::Vector2d::Zero();
          u.head(d) = T.columns.transpose() * at.v;
          const auto told =
              std::find_if(slipping.begin(), slipping.end(),
                           [i](const HeldContact& contact) { return contact.contact == i; });
          if (told != slipping.end()) {
            direction_[j] = told->direction;
          } else if (u.norm() > stick_speed) {
            direction_[j] = u.normalized();
          } else {
            resting = true;
          }
          for (Eigen::Index k = 0; k < d; ++k) {
            rows.emplace_back(T.columns.col(k));
            bias.push_back(rows.back().dot(free) + T.rate[k]);
          }
        }
      }
      start_.push_back(static_cast<int>(rows.size()));
    }
    const auto size = static_cast<Eigen::Index>(rows.size());
    Matrix R(at.q.size(), size);
    Matrix MinvR(at.q.size(), size);
    for (Eigen::Index k = 0; k < size; ++k) R.col(k) = rows[static_cast<std::size_t>(k)];
    solve_columns(R, [this](Vector& x) { mass_.solve(x); }, column, MinvR);
    A_ = R.transpose() * MinvR;
    A_ = (0.5 * (A_ + A_.transpose())).eval();
    b_ = Eigen::Map<const Vector>(bias.data(), size);
    force_ = Vector::Zero(size);
    reduce();
    if (!(resting ? solve_coulomb() : solve_normal()) && !solve_by_modes()) {
      return "no forces keep the closed contacts from penetrating";
    }
    const Vector acceleration = A_ * force_ + b_;

    // Who stays closed, with a load or without, and who moves along.
    double scale = std::max(b_.cwiseAbs().maxCoeff(), 1e-300);
    for (const int i : closed) scale = std::max(scale, mass_.free_size(i, at));
    for (std::size_t j = 0; j < m; ++j) {
      const auto row = normal(j);
      const bool loaded = force_[row] * A_(row, row) > kNothing * scale;
      if (!loaded && acceleration[row] > kNothing * scale) continue;
      HeldContact& contact = held.emplace_back();
      contact.contact = closed[j];
      contact.loaded = loaded;
      contact.slack = 10.0 * kNothing * scale;
      const auto d = tangents(j);
      if (d == 0) continue;
      contact.direction = direction_[j];
      contact.friction = HeldContact::Friction::Slides;
      if (slides(j)) continue;
      Eigen::Vector2d pull = Eigen::Vector2d::Zero();
      pull.head(d) = acceleration.segment(row + 1, d);
      if (pull.norm() <= 100.0 * kNothing * scale) {
        contact.friction = HeldContact::Friction::Sticks;
      } else {
        contact.direction = pull.normalized();
      }
    }
    return {};
  }

 private:
  /// Accelerations and loads below this part of what forces without contacts do are rounding.
  static constexpr double kNothing = 1e-11;

  std::size_t contacts() const { return start_.size() - 1; }
  bool slides(std::size_t j) const { return direction_[j].squaredNorm() > 0.0; }
  Eigen::Index normal(std::size_t j) const { return start_[j]; }
  Eigen::Index tangents(std::size_t j) const { return start_[j + 1] - start_[j] - 1; }
  double coefficient(std::size_t j) const { return friction_[static_cast<Eigen::Index>(j)]; }
  /// Friction of contact j that slides, at this normal force.
  Vector rubbing(std::size_t j, double force) const {
    return -coefficient(j) * force * direction_[j].head(tangents(j));
  }

  /// What slides keeps its direction s, and its friction is −μ ν s: what is left is a problem in
  /// the normal forces of all and the friction of those at rest, A with the friction of what
  /// slides.
  void reduce() {
    problem_.start.assign(1, 0);
    problem_.friction = friction_;
    rows_.clear();
    for (std::size_t j = 0; j < contacts(); ++j) {
      const Eigen::Index used = slides(j) ? 1 : 1 + tangents(j);
      for (Eigen::Index k = 0; k < used; ++k) rows_.push_back(normal(j) + k);
      problem_.start.push_back(static_cast<int>(rows_.size()));
      if (slides(j)) problem_.friction[static_cast<Eigen::Index>(j)] = 0.0;
    }
    reduced_ = A_(rows_, rows_);
    for (std::size_t j = 0; j < contacts(); ++j) {
      if (!slides(j)) continue;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        reduced_(static_cast<Eigen::Index>(i), problem_.start[j]) +=
            A_.row(rows_[i]).segment(normal(j) + 1, tangents(j)).dot(rubbing(j, 1.0));
      }
    }
  }
  bool any_slides() const { return rows_.size() < static_cast<std::size_t>(b_.size()); }
  /// Forces where those of reduce() are x.
  void expand(const Vector& x) {
    force_(rows_) = x;
    for (std::size_t j = 0; j < contacts(); ++j) {
      if (slides(j)) force_.segment(normal(j) + 1, tangents(j)) = rubbing(j, force_[normal(j)]);
    }
  }

  /// Without friction at rest: a linear complementarity problem, symmetric unless something slides.
  bool solve_normal() {
    numerics::LcpSolution solution;
    using enum numerics::LcpMethod;
    lcp_.solve(reduced_, b_(rows_), {.method = any_slides() ? Lemke : ActiveSet}, solution);
    if (solution.solved()) expand(solution.z);
    return solution.solved();
  }
  /// Contacts at rest have Coulomb's law in accelerations; those that slide are given the friction
  /// of the pass before.
  bool solve_coulomb() {
    problem_.A = A_(rows_, rows_).sparseView();
    numerics::CoulombSolution solution;
    constexpr int kPasses = 200;
    for (int pass = 0; pass < kPasses; ++pass) {
      const Vector before = force_;
      force_(rows_).setZero();
      problem_.b = (b_ + A_ * force_)(rows_);
      numerics::solve_coulomb(problem_, {}, solution);
      if (solution.status != numerics::SolverStatus::Solved) return false;
      expand(solution.p);
      const double change = (force_ - before).cwiseAbs().maxCoeff();
      if (!any_slides() || change <= 1e-14 * force_.cwiseAbs().maxCoeff()) return true;
    }
    return false;
  }
  /// Every choice of what contacts do, of at most 12, or 6 where some are at rest in the plane: of
  /// all solutions that which moves least.
  bool solve_by_modes() {
    bool at_rest = false;
    for (std::size_t j = 0; j < contacts(); ++j) {
      if (!slides(j) && tangents(j) > 1) return false;
      at_rest = at_rest || (!slides(j) && tangents(j) == 1);
    }
    if (contacts() > (at_rest ? 6U : 12U)) return false;
    problem_.A = reduced_.sparseView();
    problem_.b = b_(rows_);
    const std::vector<numerics::CoulombSolution> all = numerics::enumerate_coulomb(problem_);
    const auto least = std::min_element(all.begin(), all.end(), [](const auto& x, const auto& y) {
      return x.z.squaredNorm() < y.z.squaredNorm();
    });
    if (least != all.end()) expand(least->p);
    return least != all.end();
  }

  JointedMass& mass_;
  std::vector<int> start_;                  // rows of contact j: start[j] … start[j+1]
  std::vector<Eigen::Vector2d> direction_;  // of sliding; 0 where nothing slides
  Vector friction_;                         // μ; 0 where it is not used
  Matrix A_;
  Vector b_;
  Vector force_;                      // solution
  std::vector<Eigen::Index> rows_;    // of the reduced problem
  Matrix reduced_;                    // its A
  numerics::CoulombProblem problem_;  // and what else it has
  numerics::LcpSolver lcp_;
};

/// The contacts that are held closed now, the motion they allow, and their friction.
class HeldContacts {
 public:
  /// `memory`: what is known of friction and sliding is kept there.
  HeldContacts(const AnySystem& system, const RunOptions& options, const RunLedger& ledger,
               const Vector& q, EventDrivenMemory& memory)
      : system_(system),
        options_(options),
        ledger_(ledger),
        mass_(system),
        motion_(mass_),
        settling_(mass_),
        is_held_(static_cast<std::size_t>(system.contacts()), 0),
        has_friction_(simulation::has_friction(system, q)),
        law_has_friction_(memory.law_has_friction),
        sliding_speed_(memory.sliding_speed),
        column_(system.coordinates()) {}

  void hold(std::vector<HeldContact> contacts) {
    held_ = std::move(contacts);
    std::fill(is_held_.begin(), is_held_.end(), 0);
    for (const HeldContact& c : held_) is_held_[static_cast<std::size_t>(c.contact)] = 1;
  }
  const std::vector<HeldContact>& contacts() const { return held_; }
  bool holds(int contact) const { return is_held_[static_cast<std::size_t>(contact)] != 0; }
  bool none() const { return held_.empty(); }
  /// The contact is redundant: held, but without a force.
  void unload(int contact) {
    for (HeldContact& c : held_) {
      if (c.contact == contact) c.loaded = false;
    }
  }
  JointedMass& mass() { return mass_; }
  const ContactMotion& motion() const { return motion_; }
  /// With these contacts, or with others.
  bool accelerate(const MotionState& state, Vector& acceleration) {
    return motion_.accelerate(state, held_, acceleration);
  }
  bool accelerate(const MotionState& state, const std::vector<HeldContact>& held,
                  Vector& acceleration) {
    return motion_.accelerate(state, held, acceleration);
  }

  /// Whether some contact has friction and the law of impacts uses it.
  bool friction() const { return has_friction_ && law_has_friction_; }
  bool has_friction() const { return has_friction_; }
  /// What the law did with the friction of an impact.
  void note_friction(const ImpactProblem& problem, const ImpactResult& result) {
    bool known = false;  // the law could have used it
    bool odd = false;    // friction without tangents is ignored by all laws
    for (const Contact& contact : problem.contacts) {
      if (contact.material.friction <= 0.0) continue;
      (contact.directions > 0 ? known : odd) = true;
    }
    if (known && !odd) law_has_friction_ = !result.consistency.friction_ignored;
  }
  /// How fast a closed contact slides, or could: the unit of what is taken as no sliding. Where all
  /// is at rest, the rounding of what presses the contact in a step.
  void note_sliding(int contact, const MotionState& state, double step) {
    constexpr double kRounded = 1e-4;  // of the velocities of a step, over stick_speed() of them
    if (!friction()) return;
    const Matrix T = system_.tangents(contact, state.q);
    if (T.cols() == 0) return;
    const Vector speeds = T.cwiseAbs().transpose() * state.v.cwiseAbs();
    system_.gradient(contact, state.q, column_);
    const double pressed = column_.cwiseAbs().dot(mass_.free_acceleration().cwiseAbs());
    sliding_speed_ = std::max({sliding_speed_, speeds.maxCoeff(), kRounded * step * pressed});
  }
  /// How fast a held contact that slides still does, along its direction.
  double sliding(const HeldContact& held, const MotionState& state) const {
    const Matrix T = system_.tangents(held.contact, state.q);
    Eigen::Vector2d u = Eigen::Vector2d::Zero();
    u.head(T.cols()) = T.transpose() * state.v;
    return u.dot(held.direction);
  }
  /// Contacts that slide more slowly do not slide: rounding of the fastest, m/s.
  double stick_speed() const {
    return 1e-10 * sliding_speed_ + 1e-8 * ledger_.micro_bounce_velocity();
  }

  /// Which of the contacts `closed` stay closed, and which of them slide; why there is no answer,
  /// or "".
  std::string settle(const MotionState& state, const std::vector<int>& closed,
                     std::vector<HeldContact>& settled) {
    return settling_.settle(state, closed, friction(), stick_speed(), {}, settled);
  }
  /// The same where some slip, and, if friction of what slides has no solution (both walls of a
  /// groove draw a body in), what slides no faster than rebounds that are taken as contact is at
  /// rest.
  std::string settle_slipping(const MotionState& state, const std::vector<int>& closed,
                              const std::vector<HeldContact>& slipping,
                              std::vector<HeldContact>& settled) {
    const auto settles = [&](double stick) {
      return settling_.settle(state, closed, friction(), stick, slipping, settled);
    };
    std::string reason = settles(stick_speed());
    if (reason.empty() || !friction()) return reason;
    double slow_slip = ledger_.micro_bounce_velocity();
    if (!options_.micro_bounce_velocity.given()) {
      slow_slip = std::max(slow_slip, MicroBounceVelocity::kPart * sliding_speed_);
    }
    return settles(std::max(stick_speed(), slow_slip));
  }
  /// Whether forces exist that keep the held contacts as they are: where they are not unique, all
  /// of them are asked.
  bool stay(const MotionState& state) {
    std::vector<int> closed;
    closed.reserve(held_.size());
    for (const HeldContact& c : held_) closed.push_back(c.contact);
    std::vector<HeldContact> settled;
    return settle(state, closed, settled).empty() &&
           std::equal(held_.begin(), held_.end(), settled.begin(), settled.end(),
                      [](const HeldContact& a, const HeldContact& b) {
                        return a.contact == b.contact && a.friction == b.friction;
                      });
  }

 private:
  const AnySystem& system_;
  const RunOptions& options_;
  const RunLedger& ledger_;
  JointedMass mass_;
  ContactMotion motion_;
  Settling settling_;
  std::vector<HeldContact> held_;
  std::vector<char> is_held_;  // by contact
  bool has_friction_;          // some contact has
  bool& law_has_friction_;     // and the law uses it
  double& sliding_speed_;      // fastest of a contact, or more, m/s
  Vector column_;              // memory to work in
};

}  // namespace percute::simulation
