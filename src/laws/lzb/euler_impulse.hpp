// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"
#include "laws/recorder.hpp"

#include <vector>

namespace percute::laws {

/// The explicit Euler scheme of the papers in the impulse of the primary contact (Liu, Zhao,
/// Brogliato 2008, section 5; 2009, section 2), with the corrections that make it work: increments
/// of contact j in its work, exponent η/(1+η), bounded restarts, energies clipped at zero. First
/// order; for comparison and teaching.
///
/// With P the impulse of contact i, the one with the largest energy,
///
///     dP_j/dP = λ_j/λ_i,   dU = G dP,   dE_j = −U_j dP_j  (in expansion −U_j dP_j/e_j²),
///     λ_j = (1+η)^(η/(1+η)) K_j^(1/(1+η)) E_j^(η/(1+η)).
class EulerRun {
 public:
  Status run(const ImpactProblem& problem, const ImpactSetup& setup, const Lzb& law,
             ContactPhases& phases, Recorder* recorder);

  double time() const { return time_; }
  const double* indentation() const { return xi_.data(); }
  const double* impulse() const { return P_.data(); }
  const std::vector<double>& gap_rates() const { return U_; }
  RunCounts counts() const { return {.steps = steps_, .evaluations = steps_}; }
  /// What contact i has lost: the scheme gives work, not energies, without error.
  double dissipated(int i) const;
  const std::vector<ImpactEvent>& log() const { return log_; }

 private:
  bool advance();
  int primary() const;
  double restart_increment(int i, double dt) const;
  double restart_time(int i) const;
  double first_critical_point() const;
  void update(int j, double dP, double U_new);
  void record();
  double energy(int i) const { return phases_->stored_energy(i, xi_[i]); }
  double force(int i) const { return phases_->force(i, xi_[i]); }

  const ImpactSetup* setup_ = nullptr;
  const Lzb* law_ = nullptr;
  ContactPhases* phases_ = nullptr;
  Recorder* recorder_ = nullptr;
  double step_ = 0.0;  ///< of the impulse of the primary contact
  int primary_ = -1;
  double time_ = 0.0;
  long steps_ = 0;
  std::vector<double> xi_, P_, W_;  ///< m, indentations, impulses, work absorbed
  std::vector<double> U_, next_;    ///< gap rates before and after the step
  std::vector<double> ratio_;       ///< m, r_j = dP_j / dP
  std::vector<ImpactEvent> log_;    ///< changes of the primary contact
};

}  // namespace percute::laws
