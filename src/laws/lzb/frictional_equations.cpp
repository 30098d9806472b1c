// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictional_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

void FrictionSetup::assign(const ImpactProblem& problem, const ImpactSetup& setup) {
  FrictionRows::assign(problem.contacts);
  m = setup.m;
  rows = m + tangential();
  H = contact::all_directions(problem, *this);
  response = problem.mass.solve(H);
  A.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
  Eigen::Map<Matrix> all(A.data(), rows, rows);
  all.noalias() = H.transpose() * response;
  for (int r = 0; r < rows; ++r) {
    for (int s = 0; s < r; ++s) all(r, s) = all(s, r) = 0.5 * (all(r, s) + all(s, r));
  }
  U_before.resize(static_cast<std::size_t>(rows));
  Eigen::Map<Vector>(U_before.data(), rows).noalias() = H.transpose() * problem.velocity;
  std::copy_n(setup.U_before.begin(), m, U_before.begin());
}

void FrictionalEquations::assign(const ImpactSetup& setup, const FrictionSetup& rows,
                                 const Lzb& law, ContactPhases& phases) {
  setup_ = &setup;
  rows_ = &rows;
  law_ = &law;
  phases_ = &phases;
  for (auto* v : {&U_, &F_, &zero_}) v->assign(static_cast<std::size_t>(rows.rows), 0.0);
  c_.assign(static_cast<std::size_t>(rows.tangential()), 0.0);
  margins_.assign(static_cast<std::size_t>(setup.m), 1.0);
  direction_.assign(static_cast<std::size_t>(setup.m), 0.0);
  weights_.assign(2 * static_cast<std::size_t>(setup.m), 0.0);
  friction_.assign(rows, {});
  friction_.set_scales(
      {.speed = setup.velocity_scale,
       .time = setup.time_scale,
       .tolerance = kStepShare * law.tolerance,
       .instant = 10.0 * numerics::HybridClient::kShortestStep * setup.time_scale});
  friction_.move_to(rows.mobility());
}

// --------------------------------------------------------------------------------- right-hand side

/// dξ/dτ = −gain U_n,   dP/dτ = λ,   dP_t/dτ = f,   dD_t/dτ = −f·U_t,   dτ/dτ = 1, and in space,
/// but for what sticks, dU_t/dτ = A_tn λ + A_tt f.
bool FrictionalEquations::slopes(const double* y, double* out) {
  const int count = m();
  double* U = U_.data();
  velocities(y, U);
  double* lambda = out + count;
  for (int i = 0; i < count; ++i) {
    const ContactState& s = (*phases_)[i];
    const ContactLaw& contact = setup_->contact[i];
    if (s.phase == Phase::Open) {
      out[i] = -s.gain * U[i];
      lambda[i] = 0.0;
    } else if (s.phase == Phase::Resting) {
      // Driven together it loads; with tracked gaps, driven apart it opens one (ξ < 0).
      const bool drifts =
          setup_->tracked_gap && y[i] <= setup_->contact[i].spent && U[i] > setup_->drive;
      out[i] = drifts ? -U[i] : std::max(-U[i] - setup_->drive, 0.0);
      lambda[i] = y[i] > 0.0 ? contact.force(y[i], s.plastic) : 0.0;
    } else {
      if (contact.singular() && y[i] < -setup_->contact[i].spent) return false;
      out[i] = -s.gain * U[i];
      lambda[i] = contact.force(y[i], s.plastic);
    }
  }
  double* f = out + 2 * count;
  if (friction_.any_sticks()) rows_->drive(lambda, c_.data());
  friction_.forces(lambda, U + count, c_.data(), f);
  for (int i = 0; i < count; ++i) F_[i] = lambda[i];
  std::fill_n(out + losses(), count, 0.0);
  friction_.add_losses(f, U + count, 1.0, out + losses());
  out[clock()] = 1.0;
  if (!friction_.rows().spatial) return true;
  double* a = out + sliding();
  const auto accelerate = [&](int r) {
    const double* row = rows_->column(count + r);
    for (int j = 0; j < rows_->rows; ++j) a[r] += row[j] * lambda[j];
  };
  std::fill_n(a, rows_->tangential(), 0.0);
  for (int i = 0; i < count; ++i) {
    if (friction_.sticks(i)) continue;
    for (int r = rows_->row(i); r < rows_->row(i) + rows_->size(i); ++r) accelerate(r);
  }
  for (const int r : friction_.followers()) accelerate(r);
  return true;
}

void FrictionalEquations::look(const double* slope, const double* y, RowMotion& motion) {
  const double pace = slope[clock()];
  velocities(y, motion.U.data());
  rows_->apply(zero_.data(), slope + impulses(), motion.a.data());
  if (pace == 1.0) return;
  // At the start in √τ, and at the end of a landing, time stands still.
  if (!(pace > 0.0)) {
    slopes_.resize(static_cast<std::size_t>(size()));
    slopes(y, slopes_.data());
    rows_->apply(zero_.data(), slopes_.data() + impulses(), motion.a.data());
    return;
  }
  for (double& a : motion.a) a /= pace;
}

void FrictionalEquations::find_margins(const double* y, const double* U) {
  double* F = F_.data();
  for (int i = 0; i < m(); ++i) F[i] = phases_->force(i, y[i]);
  if (friction_.any_sticks()) {
    rows_->drive(F, c_.data());
    friction_.forces(F, U + m(), c_.data(), F + m());
  }
  friction_.guards(F, U + m(), c_.data(), F + m(), margins_.data());
}

double FrictionalEquations::force_ahead(const double* y, int i, double way) const {
  const ContactState& s = (*phases_)[i];
  const bool loaded = s.phase == Phase::Compressing || s.phase == Phase::Expanding;
  const double then = std::max(y[i], 0.0) - s.gain * way;
  return loaded && then > 0.0 ? setup_->contact[i].force(then, s.plastic) : 0.0;
}

void FrictionalEquations::respond(const double* F, const double* U, double* a) {
  std::copy_n(F, m(), F_.begin());
  rows_->drive(F_.data(), c_.data());
  friction_.forces(F, U + m(), c_.data(), F_.data() + m());
  rows_->apply(zero_.data(), F_.data(), a);
}

const double* FrictionalEquations::drive(const double* y, const double* F) {
  for (int i = 0; i < m(); ++i) {
    F_[i] = (*phases_)[i].phase == Phase::Resting ? phases_->force(i, std::max(y[i], 0.0)) : F[i];
  }
  rows_->drive(F_.data(), c_.data());
  return c_.data();
}

// ------------------------------------------------------------------------------------------- steps

void FrictionalEquations::measure(const double* from, const double* U_t, const double* to) {
  const ImpactSetup& s = *setup_;
  const double tolerance = kStepShare * law_->tolerance;
  const double rounding = 1e-15 * s.velocity_scale * (to[clock()] - from[clock()]);
  for (int i = 0; i < m(); ++i) {
    const double gain = (*phases_)[i].gain;
    weights_[i] = 1.0 / (tolerance * (s.indentation_scale[i] + std::abs(to[i])) + rounding * gain);
    weights_[m() + i] = 1.0 / (tolerance * (s.impulse_scale + std::abs(to[m() + i])));
  }
  if (!friction_.rows().spatial) return;
  // The direction of what slows down to a stop is kept, whatever the tolerance.
  constexpr double kDirection = 0.02;
  for (int i = 0; i < m(); ++i) {
    direction_[i] = 0.0;
    if (rows_->size(i) != 2 || !friction_.slides(i)) continue;
    const double* U = to + sliding() + rows_->row(i);
    const double speed = std::hypot(U[0], U[1]);
    const double before = std::hypot(U_t[rows_->row(i)], U_t[rows_->row(i) + 1]);
    if (speed < before) direction_[i] = 1.0 / (kDirection * speed + s.noise);
  }
}

double FrictionalEquations::norm(const double* e) {
  const int count = m();
  const double tolerance = kStepShare * law_->tolerance;
  double worst = 0.0;
  rows_->apply(zero_.data(), e + count, U_.data());
  const double loss = 1.0 / (2.0 * tolerance * setup_->energy_scale);
  for (int i = 0; i < count; ++i) {
    worst = std::max(
        {worst, std::abs(e[i]) * weights_[i], std::abs(e[count + i]) * weights_[count + i]});
    // What sticks does no work: its forces may be large, and its velocities are rounding.
    if (!friction_.sticks(i)) worst = std::max(worst, std::abs(e[losses() + i]) * loss);
  }
  double velocity = 0.0;
  double sum = 0.0;
  for (const double U : U_) {
    velocity = std::max(velocity, std::abs(U));
    sum += U;
  }
  if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
  for (int i = 0; i < count && friction_.rows().spatial; ++i) {
    if (direction_[i] == 0.0) continue;
    const double* turned = e + sliding() + rows_->row(i);
    worst = std::max(worst, std::hypot(turned[0], turned[1]) * direction_[i]);
  }
  return std::max(worst, velocity / (tolerance * setup_->velocity_scale));
}

bool FrictionalEquations::balances(const double* from, const double* U0, const double* to,
                                   const double* U1) const {
  constexpr double kShare = 0.1;       // of the tolerance
  constexpr double kRounding = 1e-13;  // of a sum of some hundred terms
  constexpr double kShort = 1e-3;      // of the time scale
  if (to[clock()] - from[clock()] < kShort * setup_->time_scale) return true;
  double sum = 0.0;
  double size = 0.0;
  const auto add = [&](double part) {
    sum += part;
    size += std::abs(part);
  };
  for (int r = 0; r < rows_->rows; ++r) {
    const int k = impulses() + r;
    add(0.5 * (U0[r] + U1[r]) * (to[k] - from[k]));
  }
  for (int i = 0; i < m(); ++i) {
    add(phases_->absorbed_work(i, to[i]) - phases_->absorbed_work(i, from[i]));
    add(to[losses() + i] - from[losses() + i]);
  }
  return std::abs(sum) <= kShare * law_->tolerance * setup_->energy_scale + kRounding * size;
}

void FrictionalEquations::add_impulses(const double* p, double* y, std::vector<double>& U) {
  friction_.add_losses(p, U.data() + m(), 0.5, y + losses());
  const contact::Mobility A = rows_->mobility();
  for (int k = 0; k < rows_->tangential(); ++k) {
    y[impulses() + m() + k] += p[k];
    for (int j = 0; j < rows_->tangential() && friction_.rows().spatial; ++j) {
      y[sliding() + k] += A(k, j) * p[j];
    }
  }
  velocities(y, U.data());
  friction_.add_losses(p, U.data() + m(), 0.5, y + losses());
}

// ------------------------------------------------------------------- sliding that is slow to begin

bool FrictionalEquations::stiff(const double* y, const RowMotion& now) {
  if (!friction_.rows().spatial) return false;
  for (int i = 0; i < m(); ++i) F_[i] = phases_->force(i, y[i]);
  return friction_.stiff(F_.data(), now.U.data() + m(), now.a.data() + m(), stiff_);
}

void FrictionalEquations::stiff_frame(Matrix& B, Matrix& C) {
  const auto rank = static_cast<Eigen::Index>(2 * stiff_.size());
  B.setZero(size(), rank);
  C.setZero(rank, size());
  const contact::Mobility A = rows_->mobility();
  Eigen::Index column = 0;
  for (const int i : stiff_) {
    for (int k = rows_->row(i); k < rows_->row(i) + 2; ++k, ++column) {
      double* impulse = B.col(column).data() + impulses() + m();
      double* velocity = B.col(column).data() + sliding();
      impulse[k] = 1.0;
      friction_.respond(impulse);
      for (int r = 0; r < rows_->tangential(); ++r) {
        for (int j = 0; j < rows_->tangential(); ++j) velocity[r] += A(r, j) * impulse[j];
      }
      C(column, sliding() + k) = 1.0;
    }
  }
}

void FrictionalEquations::stiff_part(Matrix& D) const {
  friction_.turning(stiff_, F_.data(), U_.data() + m(), D);
}

}  // namespace percute::laws
