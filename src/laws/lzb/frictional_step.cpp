// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictional_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// One step of an impact with friction, what ends it, and decisions about friction.

namespace percute::laws {

// --------------------------------------------------------------------------------- right-hand side

/// Slopes in τ. False where they are not defined: a spent contact with a fractional exponent is
/// asked for more.
bool FrictionalRun::plain(const double* y, double* out) {
  const int count = m();
  double* U = scratch_.U.data();
  velocities_at(y, U);
  double* lambda = out + count;
  for (int i = 0; i < count; ++i) {
    const ContactState& s = (*phases_)[i];
    const ContactLaw& contact = setup_->contact[i];
    if (s.phase == Phase::Open) {
      out[i] = -s.gain * U[i];
      lambda[i] = 0.0;
    } else if (s.phase == Phase::Resting) {
      // Driven together it loads; with tracked gaps, driven apart it opens one (ξ < 0).
      const bool drifts = setup_->tracked_gap && y[i] <= setup_->spent[i] && U[i] > setup_->drive;
      out[i] = drifts ? -U[i] : std::max(-U[i] - setup_->drive, 0.0);
      lambda[i] = y[i] > 0.0 ? contact.force(y[i], s.plastic) : 0.0;
    } else {
      if (contact.singular() && y[i] < -setup_->spent[i]) return false;
      out[i] = -s.gain * U[i];
      lambda[i] = contact.force(y[i], s.plastic);
    }
  }
  double* f = out + 2 * count;
  if (friction_.any_sticks()) rows_->drive(lambda, scratch_.c.data());
  friction_.forces(lambda, U + count, scratch_.c.data(), f);
  for (int i = 0; i < count; ++i) scratch_.F[i] = lambda[i];
  double* loss = out + losses();
  for (int i = 0; i < count; ++i) {
    loss[i] = 0.0;
    for (int r = rows_->row(i); r < rows_->row(i) + rows_->size(i); ++r) {
      loss[i] -= f[r] * U[count + r];
    }
  }
  out[clock()] = 1.0;
  if (!friction_.spatial()) return true;
  double* a = out + sliding();
  for (int i = 0; i < count; ++i) {
    for (int r = rows_->row(i); r < rows_->row(i) + rows_->size(i); ++r) {
      a[r] = 0.0;
      if (friction_.sticks(i)) continue;
      const double* row = rows_->column(count + r);
      for (int j = 0; j < rows_->rows; ++j) a[r] += row[j] * lambda[j];
    }
  }
  return true;
}

bool FrictionalRun::slope(double x, double* y, double* out) {
  ++counts_.evaluations;
  const int landing = variable_.landing;
  if (landing >= 0) y[landing] = variable_.k == 2 ? x * x : -x;
  variable_.pace = 1.0;
  if (!plain(y, out)) return false;
  if (variable_.time()) return true;
  double& pace = variable_.pace;
  if (variable_.k == 2) pace = 2.0 * std::abs(x);
  if (landing >= 0) {
    if (!(out[landing] < -variable_.slowest)) return false;
    pace /= -out[landing];
  }
  for (int k = 0; k < size(); ++k) out[k] *= pace;
  return true;
}

/// U and dU/dτ; the slopes tell the forces.
void FrictionalRun::look(const double* slope, const double* y, RowMotion& motion) {
  const double pace = slope[clock()];
  velocities_at(y, motion.U.data());
  rows_->apply(scratch_.zero.data(), slope + impulses(), motion.a.data());
  if (pace == 1.0) return;
  // At the start in √τ, and at the end of a landing, time stands still.
  if (!(pace > 0.0)) {
    scratch_.state.resize(static_cast<std::size_t>(size()));
    plain(y, scratch_.state.data());
    rows_->apply(scratch_.zero.data(), scratch_.state.data() + impulses(), motion.a.data());
    return;
  }
  for (double& a : motion.a) a /= pace;
}

/// The present state anew, in time.
void FrictionalRun::refresh() {
  integrator_.restart();
  look(integrator_.slope(), integrator_.state(), now_);
}

/// One over the errors allowed. Rounding of gap rates, magnified by 1/e² during expansion, is no
/// error of the step.
void FrictionalRun::measure(const double* y) {
  const ImpactSetup& s = *setup_;
  const double tolerance = kStepShare * law_->tolerance;
  const double rounding = 1e-15 * s.velocity_scale * (y[clock()] - time());
  for (int i = 0; i < m(); ++i) {
    const double gain = (*phases_)[i].gain;
    scratch_.weights[i] =
        1.0 / (tolerance * (s.indentation_scale[i] + std::abs(y[i])) + rounding * gain);
    scratch_.weights[m() + i] = 1.0 / (tolerance * (s.impulse_scale + std::abs(y[m() + i])));
  }
}

/// Largest of the weighted errors in ξ, P, D_t and all velocities. Redundant contacts share
/// tangential impulses in ways that do not matter, so that these are judged by what they do.
double FrictionalRun::norm(const double* e) {
  const int count = m();
  const double tolerance = kStepShare * law_->tolerance;
  double worst = 0.0;
  rows_->apply(scratch_.zero.data(), e + count, scratch_.U.data());
  const double loss = 1.0 / (2.0 * tolerance * setup_->energy_scale);
  for (int i = 0; i < count; ++i) {
    worst = std::max({worst, std::abs(e[i]) * scratch_.weights[i],
                      std::abs(e[count + i]) * scratch_.weights[count + i],
                      std::abs(e[losses() + i]) * loss});
  }
  double velocity = 0.0;
  double sum = 0.0;
  for (const double U : scratch_.U) {
    velocity = std::max(velocity, std::abs(U));
    sum += U;
  }
  if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
  return std::max(worst, velocity / (tolerance * setup_->velocity_scale));
}

double FrictionalRun::time_scale() const {
  if (variable_.landing >= 0) return variable_.begin;
  return variable_.k == 2 ? std::sqrt(setup_->time_scale) : 10.0 * setup_->time_scale;
}

/// The step in x that goes on by dt in τ.
double FrictionalRun::in_variable(double dt) const {
  if (variable_.landing >= 0) {
    const double pace = integrator_.slope()[clock()];
    return pace > 0.0 ? dt / pace : std::numeric_limits<double>::infinity();
  }
  const double x = integrator_.time();
  return variable_.k == 1 ? dt : std::sqrt(x * x + dt) - x;
}

double FrictionalRun::longest_step() {
  constexpr double kDistance = 0.6;  // steps in time keep this part of the way to an opening
  double longest = friction_.longest_step(U_t(), a_t());
  if (variable_.landing >= 0) {
    // Two equal steps rather than a long one and a tiny one.
    const double left = -integrator_.time();
    const double next = integrator_.next_step();
    const double part = next < left ? 0.55 * left : left;
    return std::min(part, in_variable(longest));
  }
  const double blind = 1e4 * 0.1 * law_->tolerance * setup_->velocity_scale;
  longest = std::min(longest, kDistance * variable_.until_opening);
  longest = limit_blind_step(std::min(longest, variable_.dt), *setup_, *phases_, instant(), blind);
  return in_variable(longest);
}

bool FrictionalRun::interrupted() {
  constexpr double kLeast = 1e-3;  // of its way, or a landing makes no headway
  if (integrator_.steps() + integrator_.rejected() >= law_->max_steps) return true;
  return variable_.landing >= 0 && integrator_.next_step() < kLeast * -integrator_.time();
}

/// Whether the energy of the step balances: what bodies gain, contacts absorb and sliding takes,
///
///     ½ (U₀ + U₁)ᵀ (P₁ − P₀) + Σ ΔW_i + Σ ΔD_i = 0,
///
/// where W_i follows from ξ_i alone. Error estimates vanish by accident once in 1e5 impacts, and
/// this shows it. Steps too short to hide an error are not looked at, so that it cannot stop a run.
bool FrictionalRun::balances() const {
  constexpr double kShare = 0.1;       // of the tolerance
  constexpr double kRounding = 1e-13;  // of a sum of some hundred terms
  constexpr double kShort = 1e-3;      // of the time scale
  const double* before = integrator_.state();
  const double* after = integrator_.trial();
  if (after[clock()] - before[clock()] < kShort * setup_->time_scale) return true;
  double sum = 0.0;
  double size = 0.0;
  const auto add = [&](double part) {
    sum += part;
    size += std::abs(part);
  };
  for (int r = 0; r < rows_->rows; ++r) {
    const int k = impulses() + r;
    add(0.5 * (now_.U[r] + end_.U[r]) * (after[k] - before[k]));
  }
  for (int i = 0; i < m(); ++i) {
    add(phases_->absorbed_work(i, after[i]) - phases_->absorbed_work(i, before[i]));
    add(after[losses() + i] - before[losses() + i]);
  }
  return std::abs(sum) <= kShare * law_->tolerance * setup_->energy_scale + kRounding * size;
}

/// Nor may a resting contact have missed its phase.
bool FrictionalRun::trusted() {
  look(integrator_.trial_slope(), integrator_.trial(), end_);
  for (int i = 0; i < m(); ++i) {
    const double xi = integrator_.trial()[i];
    if (missed_its_phase(*setup_, *phases_, i, xi, end_.U[i], rows_->acts(i))) return false;
  }
  return balances();
}

/// Redundant contacts share the impulses of a step within their limits.
void FrictionalRun::accept(const double* from, double* to) {
  if (!friction_.redundant()) return;
  const int count = m();
  for (int r = 0; r < rows_->rows; ++r) scratch_.U[r] = to[count + r] - from[count + r];
  friction_.share(scratch_.U.data(), scratch_.U.data() + count);
  for (int r = count; r < rows_->rows; ++r) to[count + r] = from[count + r] + scratch_.U[r];
}

// ------------------------------------------------------------------- sliding that is slow to begin

bool FrictionalRun::stiff() {
  bool spatial = false;
  for (int i = 0; i < m(); ++i) spatial = spatial || (friction_.slides(i) && rows_->size(i) == 2);
  if (!spatial) return false;
  for (int i = 0; i < m(); ++i) scratch_.F[i] = phases_->force(i, integrator_.state()[i]);
  return friction_.stiff(scratch_.F.data(), U_t(), a_t(), scratch_.stiff);
}

void FrictionalRun::stiff_frame(Matrix& B, Matrix& C) {
  const auto rank = static_cast<Eigen::Index>(2 * scratch_.stiff.size());
  B.setZero(size(), rank);
  C.setZero(rank, size());
  const contact::Mobility A = rows_->mobility();
  Eigen::Index column = 0;
  for (const int i : scratch_.stiff) {
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

void FrictionalRun::stiff_part(Matrix& D) {
  const auto rank = static_cast<Eigen::Index>(2 * scratch_.stiff.size());
  D.setZero(rank, rank);
  for (std::size_t s = 0; s < scratch_.stiff.size(); ++s) {
    const int i = scratch_.stiff[s];
    const auto part = friction_.turning(i, scratch_.F[i], scratch_.U.data() + m());
    const auto k = static_cast<Eigen::Index>(2 * s);
    D.block<2, 2>(k, k) << part[0], part[1], part[2], part[3];
  }
  D *= variable_.pace;
}

// ------------------------------------------------------------------------------------------ guards

void FrictionalRun::add_guards(int i) {
  const ContactState& s = (*phases_)[i];
  double sign = 0.0;
  if (s.phase == Phase::Compressing) sign = -1.0;
  if (s.phase == Phase::Expanding || (s.phase == Phase::Open && !setup_->tracked_gap)) sign = 1.0;
  if (sign != 0.0) {
    guards_.push_back(
        {.contact = i, .kind = Kind::GapRate, .sign = sign, .floor = 10.0 * setup_->noise});
  }
  if (s.has_target && i != variable_.landing) {
    const bool above = s.phase == Phase::Expanding || (s.phase != Phase::Open && s.passive);
    guards_.push_back({.contact = i,
                       .kind = Kind::Target,
                       .sign = above ? 1.0 : -1.0,
                       .floor = setup_->closest[i]});
  }
  const bool loaded = s.phase == Phase::Compressing || s.phase == Phase::Expanding;
  const bool unseen = friction_.slides(i) && rows_->size(i) == 2;
  if (rows_->acts(i) && loaded && !unseen) {
    guards_.push_back({.contact = i, .kind = Kind::Friction, .floor = friction_.unarmed(i)});
  }
}

bool FrictionalRun::prepare_guards() {
  if (guards_known_) return false;
  guards_known_ = true;
  guards_.clear();
  for (int i = 0; i < m(); ++i) add_guards(i);
  return true;
}

double FrictionalRun::guard_value(const ImpactGuard& guard, const double* y,
                                  const double* U) const {
  const int i = guard.contact;
  if (guard.kind == Kind::GapRate) return guard.sign * U[i];
  if (guard.kind == Kind::Target) return guard.sign * (y[i] - (*phases_)[i].xi_target);
  if (!friction_.slides(i)) return scratch_.margins[i];
  return friction_.mode(i).direction[0] * friction_.sliding(i, U + m())[0] / setup_->velocity_scale;
}

/// dg/dx for slopes and accelerations.
double FrictionalRun::guard_slope(const ImpactGuard& guard, const double* slope,
                                  const double* a) const {
  const int i = guard.contact;
  if (guard.kind == Kind::GapRate) return guard.sign * a[i] * slope[clock()];
  if (guard.kind == Kind::Target) return guard.sign * slope[i];
  return friction_.mode(i).direction[0] * a[m() + rows_->row(i)] * slope[clock()] /
         setup_->velocity_scale;
}

void FrictionalRun::evaluate_guards(double /*x*/, const double* y, double* g) {
  const double* U = y == integrator_.trial() ? end_.U.data() : scratch_.U.data();
  if (U == scratch_.U.data()) velocities_at(y, scratch_.U.data());
  const bool forces = std::any_of(guards_.begin(), guards_.end(), [&](const ImpactGuard& guard) {
    return guard.kind == Kind::Friction && !friction_.slides(guard.contact);
  });
  if (forces) {
    double* F = scratch_.F.data();
    for (int i = 0; i < m(); ++i) F[i] = phases_->force(i, y[i]);
    if (friction_.any_sticks()) {
      rows_->drive(F, scratch_.c.data());
      friction_.forces(F, U + m(), scratch_.c.data(), F + m());
    }
    friction_.guards(F, U + m(), scratch_.c.data(), F + m(), scratch_.margins.data());
  }
  for (std::size_t k = 0; k < guards_.size(); ++k) g[k] = guard_value(guards_[k], y, U);
}

double FrictionalRun::unarmed(int k) const {
  return guards_[static_cast<std::size_t>(k)].floor;
}

auto FrictionalRun::late(int k, double g, double x) const -> Late {
  const ImpactGuard& guard = guards_[static_cast<std::size_t>(k)];
  if (guard.kind != Kind::Friction) return g < -guard.floor ? Late::AtOnce : Late::Ignore;
  const double end =
      variable_.time() ? time() + x - integrator_.time() : integrator_.trial()[clock()];
  const bool believed = end <= friction_.decided() + friction_.patience();
  return believed || g > -guard.floor ? Late::Ignore : Late::AtEnd;
}

/// The ends of a step tell whether something has happened in it, but for the forces of contacts
/// that stick, which are no part of the state.
int FrictionalRun::looks(double h) {
  constexpr int kForces = 3;
  constexpr int kDips = 8;
  int looks = 1;
  for (const ImpactGuard& guard : guards_) {
    const int i = guard.contact;
    if (guard.kind == Kind::Friction && !friction_.slides(i)) {
      if (friction_.sticks(i) && !std::isinf(rows_->mu(i))) looks = std::max(looks, kForces);
      continue;
    }
    const double g0 = guard_value(guard, integrator_.state(), now_.U.data());
    const double g1 = guard_value(guard, integrator_.trial(), end_.U.data());
    if (g0 <= guard.floor || g1 <= 0.0) continue;
    const double d0 = h * guard_slope(guard, integrator_.slope(), now_.a.data());
    const double d1 = h * guard_slope(guard, integrator_.trial_slope(), end_.a.data());
    if (numerics::may_dip_below_zero(g0, d0, g1, d1)) looks = std::max(looks, kDips);
  }
  return looks;
}

bool FrictionalRun::linear(int k, double* w) {
  const ImpactGuard& guard = guards_[static_cast<std::size_t>(k)];
  const int i = guard.contact;
  if (guard.kind == Kind::Friction && !friction_.slides(i)) return false;
  std::fill_n(w, size(), 0.0);
  if (guard.kind == Kind::Target) {
    w[i] = guard.sign;
    return true;
  }
  const bool slides = guard.kind == Kind::Friction;
  const double* row = rows_->column(slides ? m() + rows_->row(i) : i);
  const double factor =
      slides ? friction_.mode(i).direction[0] / setup_->velocity_scale : guard.sign;
  if (slides && friction_.spatial()) {
    w[sliding() + rows_->row(i)] = factor;
  } else {
    for (int j = 0; j < rows_->rows; ++j) w[impulses() + j] = factor * row[j];
  }
  return true;
}

// --------------------------------------------------------------------------------------- decisions

void FrictionalRun::note(int i, EventKind kind) {
  ++counts_.friction_events;
  if (recorder_ == nullptr) return;
  const double xi = integrator_.state()[i];
  log_.push_back({.time = time(),
                  .contact = i,
                  .kind = kind,
                  .impulse = impulse()[i],
                  .gap_rate = now_.U[i],
                  .stored_energy = phases_->stored_energy(i, xi),
                  .force = phases_->force(i, xi)});
}

/// Normal forces a moment ahead: contacts that have just closed have none yet, but ratios. Infinite
/// friction holds what is about to open, if only for an instant.
void FrictionalRun::forces_ahead(double ahead) {
  for (int i = 0; i < m(); ++i) {
    const ContactState& s = (*phases_)[i];
    const bool loaded = s.phase == Phase::Compressing || s.phase == Phase::Expanding;
    const double moved = -s.gain * ahead * (now_.U[i] + 0.5 * ahead * now_.a[i]);
    const double now = std::max(integrator_.state()[i], 0.0);
    const bool opens = now + moved <= 0.0;
    const bool holds = opens && std::isinf(rows_->mu(i)) && now > setup_->spent[i];
    const double xi = holds ? now : now + moved;
    scratch_.F[i] = loaded && xi > 0.0 ? setup_->contact[i].force(xi, s.plastic) : 0.0;
  }
}

/// Adds scratch_.impulses, if any, and what they take from the motion to the losses.
bool FrictionalRun::apply_impulses() {
  const std::vector<double>& p = scratch_.impulses;
  if (std::all_of(p.begin(), p.end(), [](double x) { return x == 0.0; })) return false;
  double* y = integrator_.state();
  scratch_.U = now_.U;
  const contact::Mobility A = rows_->mobility();
  for (int k = 0; k < rows_->tangential(); ++k) {
    y[impulses() + m() + k] += p[k];
    for (int j = 0; j < rows_->tangential() && friction_.spatial(); ++j)
      y[sliding() + k] += A(k, j) * p[j];
  }
  velocities_at(y, now_.U.data());
  for (int i = 0; i < m(); ++i) {
    for (int k = rows_->row(i); k < rows_->row(i) + rows_->size(i); ++k) {
      y[losses() + i] -= 0.5 * p[k] * (scratch_.U[m() + k] + now_.U[m() + k]);
    }
  }
  return true;
}

/// The velocities have jumped, and phases with them. Open contacts that approach now are touched at
/// once, all together whatever their order, for stopping them would make the velocities jump again.
void FrictionalRun::follow_jump() {
  for (int i = 0; i < m(); ++i) {
    const Phase phase = (*phases_)[i].phase;
    const double U = now_.U[i];
    if (std::abs(U) <= setup_->motion) continue;
    double& xi = integrator_.state()[i];
    const ContactPoint at = instant().point(i);
    if (phase == Phase::Compressing && U > 0.0) {
      xi = phases_->end_compression(i, at);
      const ContactState& after = (*phases_)[i];
      const bool expands = after.phase == Phase::Expanding && after.xi_target == 0.0;
      // It had only just been touched.
      if (expands && xi <= setup_->spent[i]) xi = phases_->reach_target(i, instant().point(i));
    } else if (phase == Phase::Expanding && U < 0.0) {
      xi = phases_->recompress(i, at);
    } else if (phase == Phase::Open && U < 0.0 &&
               (!setup_->tracked_gap || xi >= -setup_->spent[i])) {
      xi = phases_->reenter(i, at);
    }
  }
}

/// Infinite friction ends sliding by an impulse, before there is any pressure. A contact that this
/// parts before it has been compressed has no solution.
bool FrictionalRun::stop_infinite(double ahead) {
  constexpr int kPasses = 8;
  for (int pass = 0; pass < kPasses; ++pass) {
    forces_ahead(ahead);
    if (!friction_.stop_infinite(scratch_.F.data(), U_t(), scratch_.impulses.data())) return true;
    apply_impulses();
    for (int i = 0; i < m(); ++i) {
      if (!rows_->acts(i) || !std::isinf(rows_->mu(i)) || !(scratch_.F[i] > 0.0)) continue;
      const bool unloaded = integrator_.state()[i] <= setup_->spent[i];
      const bool moved = std::abs(scratch_.U[i] - now_.U[i]) > setup_->gap_rate_tol;
      counts_.without_solution = i;
      if (unloaded && moved && !(now_.U[i] < -setup_->gap_rate_tol)) return false;
    }
    follow_jump();
    settle(*setup_, *phases_, instant());
    refresh();
  }
  return false;  // drawn together while it is open, and apart as soon as it is held
}

/// Decides about friction of all contacts. False if infinite friction admits no motion.
bool FrictionalRun::decide() {
  const double ahead = friction_.look_ahead(time());
  if (!stop_infinite(ahead)) return false;
  counts_.without_solution = -1;
  rows_->drive(scratch_.F.data(), scratch_.c.data());
  scratch_.modes.clear();
  for (int i = 0; i < m(); ++i) scratch_.modes.push_back(friction_.mode(i));
  friction_.decide({.force = scratch_.F.data(),
                    .velocity = U_t(),
                    .acceleration = a_t(),
                    .drive = scratch_.c.data()},
                   scratch_.impulses.data());
  const bool stopped = apply_impulses();
  using ModeKind = contact::FrictionMode::Kind;
  bool same = !stopped;
  for (int i = 0; i < m() && same; ++i) {
    const contact::FrictionMode& was = scratch_.modes[static_cast<std::size_t>(i)];
    same = was.kind == friction_.mode(i).kind && !friction_.mode(i).fresh &&
           was.direction[0] * friction_.mode(i).direction[0] >= 0.0;
  }
  if (!same) refresh();
  for (int i = 0; i < m(); ++i) {
    const contact::FrictionMode& was = scratch_.modes[static_cast<std::size_t>(i)];
    const bool slid = was.kind == ModeKind::Slide && !was.fresh;
    if (slid && friction_.sticks(i)) note(i, EventKind::Sticking);
    const bool begins = friction_.slides(i) && friction_.mode(i).fresh;
    if (begins && (slid || was.kind == ModeKind::Stick)) note(i, EventKind::Sliding);
  }
  return true;
}

}  // namespace percute::laws
