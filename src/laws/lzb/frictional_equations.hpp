// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/instant_decision.hpp"
#include "contact/stick_set.hpp"
#include "laws/lzb/contact_phases.hpp"

#include <vector>

namespace percute::laws {

/// What friction adds to an impact: the tangents of all contacts with friction, contact by contact,
/// after the gradients. Velocities and impulses of all these rows,
///
///     U = U⁻ + A p,   A = Hᵀ M⁻¹ H,   H = [W T].
struct FrictionSetup : contact::FrictionRows {
  void assign(const ImpactProblem& problem, const ImpactSetup& setup);

  int m = 0;                     ///< contacts
  int rows = 0;                  ///< of H: m normal ones, then the tangential ones
  std::vector<double> A;         ///< rows × rows, symmetric
  std::vector<double> U_before;  ///< rows, rounding noise of gap rates snapped to 0
  Matrix H;                      ///< coordinates × rows
  Matrix response;               ///< M⁻¹ H

  const double* column(int j) const {
    return A.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows);
  }
  /// A between tangential rows.
  contact::Mobility mobility() const {
    return {.first = column(m) + m,
            .stride = rows,
            .rows = H.col(m).data(),
            .answers = response.col(m).data(),
            .coordinates = static_cast<int>(H.rows())};
  }
  /// Accelerations c of the tangential rows under normal forces λ.
  void drive(const double* lambda, double* c) const {
    for (int r = m; r < rows; ++r) {
      const double* a = column(r);
      double sum = 0.0;
      for (int j = 0; j < m; ++j) sum += a[j] * lambda[j];
      c[r - m] = sum;
    }
  }
  /// U = first + A p
  void apply(const double* first, const double* p, double* __restrict U) const {
    for (int r = 0; r < rows; ++r) {
      const double* a = column(r);
      double sum = first[r];
      for (int j = 0; j < rows; ++j) sum += a[j] * p[j];
      U[r] = sum;
    }
  }
};

/// The equations of an impact with friction by the law Lzb. State y = (ξ, P, P_t, D_t, τ):
///
///     dξ/dτ = −gain U_n,   dP/dτ = λ(ξ),   dP_t/dτ = f,   dD_t/dτ = −f·U_t,   U = U⁻ + A (P, P_t)
///
/// In space U_t is a part of the state as well: the direction of sliding that begins follows from
/// velocities far below the rounding of that sum. Phases of the contacts (ContactPhases) and modes
/// of friction (contact::Coulomb) are as they are: others change them.
class FrictionalEquations {
 public:
  void assign(const ImpactSetup& setup, const FrictionSetup& rows, const Lzb& law,
              ContactPhases& phases);

  const ImpactSetup& setup() const { return *setup_; }
  const FrictionSetup& rows() const { return *rows_; }
  ContactPhases& phases() { return *phases_; }
  const ContactPhases& phases() const { return *phases_; }
  const Lzb& law() const { return *law_; }
  contact::Coulomb& friction() { return friction_; }
  const contact::Coulomb& friction() const { return friction_; }

  int m() const { return setup_->m; }
  int impulses() const { return setup_->m; }  ///< first of P; P_t follows
  int losses() const { return setup_->m + rows_->rows; }
  int clock() const { return losses() + setup_->m; }
  int sliding() const { return clock() + 1; }  ///< first of U_t, in space
  int size() const { return sliding() + (friction_.rows().spatial ? rows_->tangential() : 0); }

  void velocities(const double* y, double* U) const {
    rows_->apply(rows_->U_before.data(), y + impulses(), U);
    if (!friction_.rows().spatial) return;
    for (int r = 0; r < rows_->tangential(); ++r) U[setup_->m + r] = y[sliding() + r];
  }
  /// Slopes in τ. False where they are not defined: a spent contact with a fractional exponent is
  /// asked for more.
  bool slopes(const double* y, double* out);
  /// U and dU/dτ; the slopes, in whatever variable, tell the forces.
  void look(const double* slope, const double* y, RowMotion& motion);
  /// Guards of friction of all contacts, for margin().
  void find_margins(const double* y, const double* U);
  double margin(int i) const { return margins_[static_cast<std::size_t>(i)]; }
  /// Normal force of contact i, if it is loaded, where the gap will have changed by `way`.
  double force_ahead(const double* y, int i, double way) const;
  /// Accelerations a of all rows under these normal forces, where the velocities are U.
  void respond(const double* F, const double* U, double* a);
  /// Accelerations of the tangential rows without friction, with these normal forces and those of
  /// resting contacts, which have no friction.
  const double* drive(const double* y, const double* F);

  /// Errors that are allowed in a step from `from`, where sliding is U_t, to `to`. Rounding of gap
  /// rates, magnified by 1/e² during expansion, is no error of the step.
  void measure(const double* from, const double* U_t, const double* to);
  /// Largest of the weighted errors in ξ, P, D_t and all velocities. Redundant contacts share
  /// tangential impulses in ways that do not matter, so that these are judged by what they do.
  double norm(const double* e);
  /// Whether the energy of a step balances: what bodies gain, contacts absorb and sliding takes,
  ///
  ///     ½ (U₀ + U₁)ᵀ (P₁ − P₀) + Σ ΔW_i + Σ ΔD_i = 0,
  ///
  /// where W_i follows from ξ_i alone. Error estimates vanish by accident once in 1e5 impacts, and
  /// this shows it. Steps too short to hide an error are not looked at, so that it cannot stop a
  /// run.
  bool balances(const double* from, const double* U0, const double* to, const double* U1) const;
  /// Adds impulses p of friction to the state, and what they take from the motion to the losses;
  /// U: velocities before and after.
  void add_impulses(const double* p, double* y, std::vector<double>& U);

  /// Sliding that is slow to begin, for LowRankRadau: whether there is any; the frame of its part
  /// of the Jacobian, and that part in the state of the last slopes.
  bool stiff(const double* y, const RowMotion& now);
  void stiff_frame(Matrix& B, Matrix& C);
  void stiff_part(Matrix& D) const;

 private:
  /// Of the tolerance, in a step: errors add up, twice as much in energies as in velocities.
  static constexpr double kStepShare = 0.02;

  const ImpactSetup* setup_ = nullptr;
  const FrictionSetup* rows_ = nullptr;
  const Lzb* law_ = nullptr;
  ContactPhases* phases_ = nullptr;
  contact::Coulomb friction_;
  std::vector<double> U_;          ///< rows
  std::vector<double> F_;          ///< rows: normal forces, friction
  std::vector<double> c_;          ///< tangential rows
  std::vector<double> zero_;       ///< rows
  std::vector<double> margins_;    ///< m
  std::vector<double> weights_;    ///< 2 m, of errors in ξ and P
  std::vector<double> direction_;  ///< m, weights of errors in U_t that is about to stop
  std::vector<double> slopes_;     ///< like the state
  std::vector<int> stiff_;         ///< contacts
};

}  // namespace percute::laws
