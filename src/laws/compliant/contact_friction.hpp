// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>
#include <percute/numerics/stick_forces.hpp>

#include <Eigen/Cholesky>

#include <optional>
#include <vector>

namespace percute::laws {

/// Gradients of all contacts, then the tangents of those with friction, contact by contact: the
/// directions H of all impulses, M (v − v⁻) = H (P, P_t).
struct FrictionRows {
  SparseMatrix directions;
  std::vector<int> start;  ///< m + 1: tangential rows of contact i are start[i] … start[i+1]

  explicit FrictionRows(const ImpactProblem& problem);
  int tangential() const { return start.back(); }
  int size(int i) const {
    return start[static_cast<std::size_t>(i) + 1] - start[static_cast<std::size_t>(i)];
  }
};

/// Coulomb friction of forces: with the normal forces F and sliding velocities U_t of all contacts,
///
///     sliding    f = −μ F u,  u = U_t/|U_t|,
///     sticking   dU_t/dt = 0 of all contacts that stick, together,
///
/// where who slides and who sticks is kept between events. Velocities and forces are those of the
/// rows of FrictionRows; A is the Delassus matrix of all of them, normal rows first.
class ContactFriction {
 public:
  enum class Mode { Off, Slide, Stick };

  ContactFriction() = default;
  /// `stop`: sliding slower than this has stopped. `regularisation`: v_reg of f = −μ F
  /// U_t/max(|U_t|, v_reg) instead of Coulomb's law; then nothing ever changes its mode.
  ContactFriction(const ImpactProblem& problem, const FrictionRows& rows, const SparseMatrix& A,
                  double stop, std::optional<double> regularisation);

  /// Where bodies move on: A now, and how fast the rows' velocities would change without forces of
  /// contacts (tangential rows; at first 0).
  void move_to(const SparseMatrix& A, const Vector& acceleration);
  void set_stop(double speed) { stop_ = speed; }

  bool acts(int i) const { return size(i) > 0; }
  bool any() const { return !start_.empty() && start_.back() > 0; }
  int row(int i) const { return start_[static_cast<std::size_t>(i)]; }
  int size(int i) const { return start_[static_cast<std::size_t>(i) + 1] - row(i); }
  double coefficient(int i) const { return friction_[static_cast<std::size_t>(i)]; }
  Mode mode(int i) const { return modes_[static_cast<std::size_t>(i)]; }
  bool regularised() const { return regularisation_.has_value(); }
  bool any_sticks() const { return !sticking_.empty(); }

  /// Tangential forces f, in the present modes.
  void forces(const std::vector<double>& F, const double* U_t, double* f);

  /// Positive while contact i slides on: U_t along its direction at the start of the step.
  double along(int i, const double* U_t) const;
  /// Positive while contact i can stick: μ F − |f|, or whether all can where they are redundant.
  double margin(int i, const std::vector<double>& F, const double* U_t);

  /// Where contact i would go from rest, once it cannot be held any more.
  Eigen::Vector2d escape(int i, const std::vector<double>& F, const double* U_t);

  /// Takes over the present sliding directions; returns a contact whose sliding has died down, or
  /// −1.
  int refresh(const std::vector<double>& F, const double* U_t);

  void turn_off(int i);
  /// These contacts have just been closed: returns those among them that slide, and must not, or do
  /// not slide, and are to be settled. `infinite`: some must not, by infinite friction.
  std::vector<int> begin(const std::vector<int>& contacts, const double* U_t, bool& infinite);
  /// Contact i has just been closed: slides, or is among those to be settled.
  bool starts_sliding(int i, const double* U_t);
  /// Whether contact i has really stopped.
  bool stopped(int i, const double* U_t) const;
  /// Lets contact i slide along `direction` from rest.
  void release(int i, const double* direction, const double* U_t);
  /// Decides with the forces F who of the sticking contacts, and of those in `resting`, sticks and
  /// who slides where to.
  void settle(const std::vector<int>& resting, const std::vector<double>& F, const double* U_t);

  /// Impulses that stop all sliding of contacts with infinite friction at once: tangential rows.
  Vector stopping_impulse(const double* U_t) const;

 private:
  bool sticks(int i) const { return mode(i) == Mode::Stick; }
  Eigen::Vector2d sliding(int i, const double* U_t) const;
  void slide_forces(const std::vector<double>& F, const double* U_t, double* f) const;
  void drive(const std::vector<double>& F, const double* f);
  void stick_forces(const std::vector<double>& F, double* f);
  std::size_t solve_sticking(int i, const std::vector<double>& F, const double* U_t);
  void gather();
  double turns_above(std::size_t i) const;
  void follow_drive(int i, const std::vector<double>& F);

  std::vector<int> start_;
  std::vector<double> friction_;
  SparseMatrix A_;
  Vector acceleration_;  ///< of the tangential rows, without forces of contacts
  int m_ = 0;
  double stop_ = 0.0;
  std::optional<double> regularisation_;
  std::vector<Mode> modes_;
  std::vector<Eigen::Vector2d> direction_;  ///< u at the start of the step
  std::vector<bool> restarts_;              ///< slides from rest, still slowly
  std::vector<Eigen::Vector2d> offset_;     ///< of U_t: what was left where it came to rest

  // The contacts that stick, together.
  std::vector<int> sticking_;
  std::vector<int> stick_rows_;   ///< their rows, tangential
  numerics::StickProblem stick_;  ///< A of these rows; c and limits of the last forces
  Eigen::LLT<Matrix> factor_;
  bool redundant_ = false;
  numerics::StickSolver solver_;
  numerics::StickForces solution_;
  std::vector<double> trial_;
};

}  // namespace percute::laws
