// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/coulomb.hpp"

#include "contact/friction_tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace percute::contact {

namespace {

double length(const double* x, int n) {
  return n == 1 ? std::abs(x[0]) : std::hypot(x[0], x[1]);
}

/// Sliding that stops does so in fewer steps, of which each takes nine tenths of the speed.
constexpr int kMostSlowSteps = 20;

/// 10^n, n from 0 to 3.
double tens(int n) {
  constexpr std::array<double, 4> kTens{1.0, 10.0, 100.0, 1000.0};
  return kTens[static_cast<std::size_t>(n)];
}

}  // namespace

void Coulomb::assign(const FrictionRows& rows, std::optional<double> regularisation) {
  rows_ = rows;
  regularisation_ = regularisation;
  const std::size_t m = rows_.friction.size();
  const auto n = static_cast<std::size_t>(rows_.tangential());
  modes_.assign(m, {});
  stick_.assign(rows_);
  candidates_.assign(rows_);
  gathered_ = false;
  shape_.clear();
  decided_ = -std::numeric_limits<double>::infinity();
  again_ = 0;
  scratch_.list.reserve(m);
  scratch_.limit.resize(m);
  scratch_.c.resize(n);
  scratch_.f.resize(n);
}

void Coulomb::turn_off(int i) {
  const bool stuck = sticks(i);
  modes_[static_cast<std::size_t>(i)] = {};
  if (!stuck) return;
  shape_.clear();
  gather_sticking();
}

FrictionMemory Coulomb::memory() const {
  const auto rows = static_cast<std::size_t>(rows_.tangential());
  const bool shared = !shape_.empty();
  FrictionMemory memory{.modes = modes_,
                        .decided = decided_,
                        .again = again_,
                        .places = std::vector<int>(rows, -1),
                        .shape = std::vector<double>(shared ? rows : 0, 0.0)};
  for (int r = 0; r < stick_.size(); ++r) {
    const auto k = static_cast<std::size_t>(stick_.row(r));
    memory.places[k] = stick_.place(r);
    if (shared) memory.shape[k] = shape_[static_cast<std::size_t>(r)];
  }
  return memory;
}

void Coulomb::resume(const FrictionMemory& memory, const Mobility& A) {
  modes_ = memory.modes;
  decided_ = memory.decided;
  again_ = memory.again;
  A_ = A;
  list_sticking();
  stick_.resume(scratch_.list, memory.places, A_);
  gathered_ = true;
  shape_.clear();
  for (int r = 0; r < stick_.size() && !memory.shape.empty(); ++r) {
    shape_.push_back(memory.shape[static_cast<std::size_t>(stick_.row(r))]);
  }
}

void Coulomb::move_to(const Mobility& A) {
  A_ = A;
  if (gathered_) {
    stick_.move_to(A_);
  } else {
    gather_sticking();
  }
}

void Coulomb::list_sticking() {
  scratch_.list.clear();
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (sticks(i)) scratch_.list.push_back(i);
  }
}

void Coulomb::gather_sticking() {
  list_sticking();
  stick_.gather(scratch_.list, A_);
  gathered_ = true;
}

/// Friction below it does nothing yet.
double Coulomb::least_force(int i) const {
  if (std::isinf(rows_.mu(i))) return 0.0;
  const int k = rows_.row(i);
  return kForceless * scales_.speed / (A_(k, k) * scales_.time);
}

double Coulomb::limit(int i, double F) const {
  if (!std::isinf(rows_.mu(i))) return rows_.mu(i) * std::max(F, 0.0);
  return F > 0.0 ? rows_.mu(i) : 0.0;
}

std::array<double, 2> Coulomb::sliding(int i, const double* U_t) const {
  std::array<double, 2> U = mode(i).offset;
  for (int d = 0; d < rows_.size(i); ++d) U[static_cast<std::size_t>(d)] += U_t[rows_.row(i) + d];
  return U;
}

/// What the tolerance does not resolve is rest as well, where no guard tells of a stop.
double Coulomb::rest() const {
  return std::max(kRest, rows_.spatial ? scales_.tolerance : 0.0) * scales_.speed;
}

double Coulomb::floor(int i) const {
  return slides(i) ? rest() / scales_.speed : 0.0;
}

double Coulomb::unarmed(int i, double time) const {
  if (time > decided_ || slides(i)) return floor(i);
  if (sticks(i)) return kSlip;
  return std::isinf(rows_.mu(i)) ? 0.0 : kForceless;
}

numerics::HybridClient::Late Coulomb::late(int i, double g, double from, double to) const {
  using Late = numerics::HybridClient::Late;
  if (believed(to) || g > -floor(i)) return Late::Ignore;
  // Friction that has pushed for long is decided again, and shows soon whether it does.
  return to - from > soon() ? Late::AtOnce : Late::AtEnd;
}

double Coulomb::speed(int i, const double* U_t) const {
  return length(U_t + rows_.row(i), rows_.size(i));
}

// -------------------------------------------------------------------------- forces of frozen modes

void Coulomb::forces(const double* F, const double* U_t, const double* c, double* f) {
  const auto m = static_cast<int>(modes_.size());
  for (int i = 0; i < m; ++i) {
    const int n = rows_.size(i);
    if (n == 0) continue;
    double* own = f + rows_.row(i);
    if (n == 1 && slides(i) && !regularisation_) {
      own[0] = -rows_.mu(i) * F[i] * mode(i).direction[0];
      continue;
    }
    own[0] = own[n - 1] = 0.0;
    if (!slides(i) && !regularisation_) continue;
    std::array<double, 2> u = mode(i).direction;
    if (n == 2 || regularisation_) {
      const std::array<double, 2> U = sliding(i, U_t);
      const double s = std::max(std::hypot(U[0], U[1]), regularisation_.value_or(0.0));
      if (s > 0.0) u = {U[0] / s, U[1] / s};
    }
    // Beyond the opening, where a stage may be, all goes on smoothly: P_t follows P.
    const bool pulls = regularisation_ && tension_;
    const double push = rows_.mu(i) * (pulls ? std::max(F[i], 0.0) : F[i]);
    for (int d = 0; d < n; ++d) own[d] = -push * u[static_cast<std::size_t>(d)];
  }
  if (stick_.empty()) return;
  const std::vector<int>& sticking = stick_.contacts();
  for (std::size_t s = 0; s < sticking.size(); ++s) {
    scratch_.limit[s] = limit(sticking[s], F[sticking[s]]);
  }
  for (int r = 0; r < stick_.size(); ++r) {
    double sum = c[stick_.row(r)];
    for (int j = 0; j < rows_.tangential(); ++j) sum += A_(stick_.row(r), j) * f[j];
    scratch_.c[r] = sum;
  }
  stick_.hold(scratch_.c.data(), scratch_.limit.data(), scratch_.f.data());
  for (int r = 0; r < stick_.size(); ++r) f[stick_.row(r)] = scratch_.f[r];
}

void Coulomb::respond(double* f) {
  for (int r = 0; r < stick_.size(); ++r) {
    scratch_.c[r] = 0.0;
    for (int j = 0; j < rows_.tangential(); ++j) scratch_.c[r] += A_(stick_.row(r), j) * f[j];
  }
  std::fill_n(scratch_.limit.begin(), stick_.contacts().size(), 1.0);
  stick_.hold(scratch_.c.data(), scratch_.limit.data(), scratch_.f.data());
  for (int r = 0; r < stick_.size(); ++r) f[stick_.row(r)] = scratch_.f[r];
}

/// Adds to forces f of a set what they lack to hold it against c, in proportion to the limits.
bool Coulomb::complete(StickSet& set, const double* c, double* f) {
  scratch_.lacking.resize(static_cast<std::size_t>(set.size()));
  scratch_.more.resize(scratch_.lacking.size());
  for (int r = 0; r < set.size(); ++r) {
    double sum = c[r];
    for (int q = 0; q < set.size(); ++q) sum += A_(set.row(r), set.row(q)) * f[q];
    scratch_.lacking[static_cast<std::size_t>(r)] = sum;
  }
  set.hold(scratch_.lacking.data(), scratch_.limit.data(), scratch_.more.data());
  for (int r = 0; r < set.size(); ++r) f[r] += scratch_.more[static_cast<std::size_t>(r)];
  return set.within(f, scratch_.limit.data(), kSlip);
}

/// Whether rows that follow the independent ones do so under forces f, by what a decision can tell
/// from rest. Those of infinite friction do as long as nothing could stop them.
bool Coulomb::dependents_follow(const StickSet& set, const double* c, const double* f) {
  if (!set.redundant()) return true;
  double scale = 0.0;
  scratch_.more.resize(static_cast<std::size_t>(set.size()));
  for (int r = 0; r < set.size(); ++r) {
    double sum = c[r];
    double size = std::abs(c[r]);
    for (int q = 0; q < set.size(); ++q) {
      const double part = A_(set.row(r), set.row(q)) * f[q];
      sum += part;
      size += std::abs(part);
    }
    scratch_.more[static_cast<std::size_t>(r)] = sum;
    scale = std::max(scale, size);
  }
  for (std::size_t s = 0; s < set.contacts().size(); ++s) {
    if (std::isinf(scratch_.limit[s])) continue;
    for (int r = set.begin()[s]; r < set.begin()[s + 1]; ++r) {
      if (!set.follows(r)) continue;
      const double own = kSlip * A_(set.row(r), set.row(r)) * scratch_.limit[s];
      if (std::abs(scratch_.more[static_cast<std::size_t>(r)]) > own + kStill * scale) return false;
    }
  }
  return true;
}

/// Whether forces of the set hardly matter to its motion: redundant contacts, and those that are so
/// but for a tilt.
bool Coulomb::shares(const StickSet& set) {
  return set.redundant() || set.weakest() < std::sqrt(kStill);
}

/// Whether forces within scratch_.limit hold the set against c, and if so which: f. Proportional
/// shares first; if they break a limit those of the last time, which mostly hold as motion is
/// smooth; else the convex problem tells.
bool Coulomb::hold_within(StickSet& set, const double* c, double* f) {
  set.hold(c, scratch_.limit.data(), f);
  if (set.within(f, scratch_.limit.data(), kSlip)) return true;
  if (!shares(set)) return false;
  const std::vector<int>& begin = set.begin();
  const std::size_t count = set.contacts().size();
  const bool known = &set == &stick_ && shape_.size() == static_cast<std::size_t>(set.size());
  for (std::size_t s = 0; s < count && known; ++s) {
    for (int r = begin[s]; r < begin[s + 1]; ++r) f[r] = shape_[r] * scratch_.limit[s];
  }
  if (known && complete(set, c, f)) return true;
  double scale = 0.0;
  for (int r = 0; r < set.size(); ++r) scale = std::max(scale, std::abs(c[r]));
  decision_.solve({.rank = set.rank(),
                   .L = set.factor(),
                   .start = &begin,
                   .b = c,
                   .limit = scratch_.limit.data(),
                   .scale = scale});
  // What the smoothing has left is made up for. Next to its limit that makes a contact creep:
  // forces that hold it prove that it does not.
  bool held = true;
  for (std::size_t s = 0; s < count; ++s) {
    for (int r = begin[s]; r < begin[s + 1]; ++r) {
      const bool limited = std::isfinite(scratch_.limit[s]);
      const double own = limited ? A_(set.row(r), set.row(r)) * scratch_.limit[s] : 0.0;
      held = held && std::abs(decision_.velocity()[r]) <= kSlip * std::max(own, scale);
    }
  }
  std::copy_n(decision_.force(), set.size(), f);
  if (!complete(set, c, f) && !held) return false;
  const bool limited =
      std::all_of(scratch_.limit.begin(), scratch_.limit.begin() + static_cast<long>(count),
                  [](double r) { return r > 0.0 && std::isfinite(r); });
  if (&set != &stick_ || !limited) return true;
  shape_.resize(static_cast<std::size_t>(set.size()));
  for (std::size_t s = 0; s < count; ++s) {
    for (int r = begin[s]; r < begin[s + 1]; ++r) shape_[r] = f[r] / scratch_.limit[s];
  }
  return true;
}

void Coulomb::guards(const double* F, const double* U_t, const double* c, const double* f,
                     double* g) {
  guard_limits(F, c, f, g);
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (!slides(i) || rows_.size(i) != 1 || regularisation_ || std::isinf(rows_.mu(i))) continue;
    g[i] = std::min(g[i], mode(i).direction[0] * sliding(i, U_t)[0] / scales_.speed);
  }
  if (stick_.redundant()) guard_dependents(U_t, g);
}

/// Friction has a force, or not more than it can.
void Coulomb::guard_limits(const double* F, const double* c, const double* f, double* g) {
  const auto m = static_cast<int>(modes_.size());
  bool beyond = false;
  for (int i = 0; i < m; ++i) {
    g[i] = 1.0;
    if (!rows_.acts(i) || regularisation_) continue;
    const double unit = scales_.speed / (A_(rows_.row(i), rows_.row(i)) * scales_.time);
    if (std::isinf(rows_.mu(i))) {
      if (sticks(i)) g[i] = F[i] / unit;  // nothing is held without pressure
      continue;
    }
    const double can = rows_.mu(i) * F[i];
    if (tension_ && slides(i)) g[i] = can / unit + kForceless;
    if (mode(i).kind == Kind::Off) g[i] = 2.0 * kForceless - can / unit;
    if (sticks(i)) {
      const double held = length(f + rows_.row(i), rows_.size(i));
      g[i] = (can * (1.0 + kSlip) - held) / unit + kForceless;
      beyond = beyond || g[i] < 0.0;
    }
  }
  if (!beyond) return;
  // What a decision cannot tell from rest is none.
  double scale = 0.0;
  for (int k = 0; k < rows_.tangential(); ++k) {
    double size = std::abs(c[k]);
    for (int j = 0; j < rows_.tangential(); ++j) size += std::abs(A_(k, j) * f[j]);
    scale = std::max(scale, size);
  }
  for (const int i : stick_.contacts()) {
    if (!std::isinf(rows_.mu(i))) g[i] += kStill * scale * scales_.time / scales_.speed;
  }
  if (!shares(stick_)) return;
  // Other shares may still hold all of them.
  for (std::size_t s = 0; s < stick_.contacts().size(); ++s) {
    const int i = stick_.contacts()[s];
    scratch_.limit[s] = limit(i, F[i]) * (1.0 + kSlip) + least_force(i);
  }
  for (int r = 0; r < stick_.size(); ++r) {
    double sum = c[stick_.row(r)];
    for (int j = 0; j < rows_.tangential(); ++j) sum += A_(stick_.row(r), j) * f[j];
    for (int q = 0; q < stick_.size(); ++q) {
      sum -= A_(stick_.row(r), stick_.row(q)) * f[stick_.row(q)];
    }
    scratch_.c[r] = sum;
  }
  const bool held = hold_within(stick_, scratch_.c.data(), scratch_.f.data());
  for (const int i : stick_.contacts()) {
    if (held) g[i] = std::max(g[i], 2.0 * kSlip);  // armed, see unarmed()
  }
}

/// What follows others that stick does so as long as it is at rest, or, with infinite friction, as
/// long as no force could hold it.
void Coulomb::guard_dependents(const double* U_t, double* g) const {
  for (std::size_t s = 0; s < stick_.contacts().size(); ++s) {
    const int i = stick_.contacts()[s];
    for (int r = stick_.begin()[s]; r < stick_.begin()[s + 1]; ++r) {
      if (!stick_.follows(r)) continue;
      const double left = std::isinf(rows_.mu(i)) ? 1.0 - stick_.own(r) / (kGrip * kGrip)
                                                  : kGrip - std::abs(U_t[stick_.row(r)]) / rest();
      g[i] = std::min(g[i], left);
    }
  }
}

void Coulomb::share(const double* P, double* p) {
  if (stick_.empty() || !stick_.redundant()) return;
  for (std::size_t s = 0; s < stick_.contacts().size(); ++s) {
    scratch_.limit[s] = limit(stick_.contacts()[s], P[stick_.contacts()[s]]);
  }
  for (int r = 0; r < stick_.size(); ++r) scratch_.f[r] = p[stick_.row(r)];
  if (stick_.within(scratch_.f.data(), scratch_.limit.data(), 0.0)) return;
  for (int r = 0; r < stick_.size(); ++r) {
    scratch_.c[r] = 0.0;
    for (int q = 0; q < stick_.size(); ++q)
      scratch_.c[r] -= A_(stick_.row(r), stick_.row(q)) * scratch_.f[q];
  }
  if (!hold_within(stick_, scratch_.c.data(), scratch_.f.data())) return;
  // Rows that only nearly depend on others would change velocities.
  for (int r = 0; r < stick_.size(); ++r) {
    double change = scratch_.c[r];
    double size = std::abs(change);
    for (int q = 0; q < stick_.size(); ++q) {
      const double part = A_(stick_.row(r), stick_.row(q)) * scratch_.f[q];
      change += part;
      size += std::abs(part);
    }
    if (std::abs(change) > kForceless * size) return;
  }
  for (int r = 0; r < stick_.size(); ++r) p[stick_.row(r)] = scratch_.f[r];
}

// ------------------------------------------------------------------------------- sliding in space

bool Coulomb::died(const double* U_t, const double* a_t) {
  bool any = false;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (!slides(i) || rows_.size(i) != 2) continue;
    FrictionMode& state = modes_[static_cast<std::size_t>(i)];
    const std::array<double, 2> U = sliding(i, U_t);
    const double s = std::hypot(U[0], U[1]);
    if (s > kGrip * rest()) state.fresh = false;
    const double* a = a_t + rows_.row(i);
    const double falling = -(U[0] * a[0] + U[1] * a[1]);
    // What began against the direction decided, or stops as it begins, was decided wrongly.
    const bool back = U[0] * state.direction[0] + U[1] * state.direction[1] < 0.0;
    const double least = state.fresh ? 0.5 * kOffset * scales_.speed : rest();
    const bool stops = falling > 0.0 && (s <= least || s * s <= scales_.instant * falling);
    any = any || stops || (state.fresh && back);
  }
  return any;
}

double Coulomb::longest_step(const double* U_t, const double* a_t) const {
  double longest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    // What has just begun follows others closely, and does not slow down by itself.
    if (!slides(i) || rows_.size(i) != 2 || mode(i).fresh) continue;
    const std::array<double, 2> U = sliding(i, U_t);
    const double* a = a_t + rows_.row(i);
    const double square = U[0] * U[0] + U[1] * U[1];
    const double falling = -(U[0] * a[0] + U[1] * a[1]);
    if (falling > 0.0 && std::sqrt(square) > rest()) {
      longest = std::min(longest, (1.0 - 1.0 / kGrip) * square / falling);
    }
  }
  return longest;
}

bool Coulomb::stiff(const double* F, const double* U_t, const double* a_t,
                    std::vector<int>& contacts) {
  contacts.clear();
  bool any = false;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (!slides(i) || rows_.size(i) != 2) continue;
    const std::array<double, 2> U = sliding(i, U_t);
    const double* a = a_t + rows_.row(i);
    const double s = std::hypot(U[0], U[1]);
    const int k = rows_.row(i);
    const double turn = rows_.mu(i) * std::max(F[i], 0.0) * std::max(A_(k, k), A_(k + 1, k + 1));
    // It goes on for the time scale, or until it stops.
    double horizon = scales_.time;
    // What should have stopped long ago does not, for its acceleration is that of explicit steps at
    // the limit of their stability.
    const bool slow = kGrip * turn * horizon > kStiff * s;
    FrictionMode& state = modes_[static_cast<std::size_t>(i)];
    state.slow = slow ? std::min(state.slow + 1, kMostSlowSteps) : 0;
    const double falling = -(U[0] * a[0] + U[1] * a[1]);
    if (falling > 0.0 && !state.fresh && state.slow < kMostSlowSteps)
      horizon = std::min(horizon, s * s / falling);
    if (kGrip * turn * horizon > kStiff * s) contacts.push_back(i);
    any = any || turn * horizon > kStiff * s;
  }
  return any;
}

std::array<double, 4> Coulomb::turning(int i, double F, const double* U_t) const {
  const std::array<double, 2> U = sliding(i, U_t);
  const double s = std::hypot(U[0], U[1]);
  if (!(s > 0.0)) return {};
  const double k = -rows_.mu(i) * std::max(F, 0.0) / s;
  const double x = U[0] / s;
  const double y = U[1] / s;
  return {k * (1.0 - x * x), -k * x * y, -k * x * y, k * (1.0 - y * y)};
}

// ----------------------------------------------------------------------------------------
// decisions

double Coulomb::look_ahead(double time) {
  again_ = time - decided_ < kAhead * kAhead * scales_.time ? again_ + 1 : 0;  // one instant
  decided_ = time;
  return patience();
}

double Coulomb::patience() const {
  return kAhead * scales_.time * tens(std::min(again_ / 3, 2));
}

bool Coulomb::stop_infinite(const double* F, const double* U_t, double* p) {
  scratch_.list.clear();
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (!rows_.acts(i) || !std::isinf(rows_.mu(i)) || !(F[i] > least_force(i))) continue;
    scratch_.list.push_back(i);
  }
  if (scratch_.list.empty()) return false;
  candidates_.gather(scratch_.list, A_);
  bool moves = false;  // what follows others no force can stop
  for (int r = 0; r < candidates_.size(); ++r) {
    scratch_.c[r] = U_t[candidates_.row(r)];
    moves = moves || (!candidates_.follows(r) && std::abs(scratch_.c[r]) > rest());
  }
  if (!moves) return false;
  std::fill_n(scratch_.limit.begin(), scratch_.list.size(), 1.0);
  candidates_.hold(scratch_.c.data(), scratch_.limit.data(), scratch_.f.data());
  std::fill_n(p, rows_.tangential(), 0.0);
  for (int r = 0; r < candidates_.size(); ++r) p[candidates_.row(r)] = scratch_.f[r];
  return true;
}

void Coulomb::decide(const FrictionOutlook& outlook, double* p) {
  std::fill_n(p, rows_.tangential(), 0.0);
  // Where Newton's method fails, or an instant is decided again, δ is ten times as long. What
  // slides much faster than what can stop in it is left out.
  constexpr int kTries = 3;
  for (int again = again_; again < again_ + kTries; ++again) {
    const double reach = kGrip * tens(std::min(again, kTries)) * rest();
    double scale = weigh_candidates(outlook, kGrip * reach);
    const double delta = std::max(reach / scale, scales_.instant);
    if (delta * scale > reach) scale = weigh_candidates(outlook, kGrip * delta * scale);
    if (candidates_.empty() || settle(outlook, delta, scale)) break;
  }
  shape_.clear();
  gather_sticking();
  hold_dependent(outlook.velocity);
  end_sliding(outlook.velocity, p);
}

/// What those that stick hold in place cannot slide, though the decision, made to rounding, may say
/// so of one and not of the others.
void Coulomb::hold_dependent(const double* U_t) {
  // In the plane, rows that differ by the tilt of a body must stay apart.
  if (!rows_.spatial || stick_.empty()) return;
  bool more = false;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (!slides(i) || speed(i, U_t) > kGrip * rest()) continue;
    scratch_.list.assign(stick_.contacts().begin(), stick_.contacts().end());
    scratch_.list.push_back(i);
    candidates_.gather(scratch_.list, A_);
    if (candidates_.rank() > stick_.rank()) continue;
    modes_[static_cast<std::size_t>(i)] = {.kind = Kind::Stick};
    more = true;
  }
  if (more) gather_sticking();
}

/// Modes of contacts without force, and of those that slide faster than `fast`; gathers all others,
/// with what drives them in scratch_.c. Returns the scale of accelerations.
double Coulomb::weigh_candidates(const FrictionOutlook& o, double fast) {
  const int n = rows_.tangential();
  std::vector<double>& sum = scratch_.drive;
  std::vector<double>& size = scratch_.size;
  sum.assign(o.drive, o.drive + n);
  double scale = std::numeric_limits<double>::min();
  size.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) size[static_cast<std::size_t>(k)] = std::abs(o.drive[k]);
  scratch_.list.clear();
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (!rows_.acts(i)) continue;
    FrictionMode& state = modes_[static_cast<std::size_t>(i)];
    const double r = limit(i, o.force[i]);
    if (!(r > least_force(i))) {
      state = {};
      continue;
    }
    const double s = speed(i, o.velocity);
    const double* U = o.velocity + rows_.row(i);
    const bool goes_on = s > fast && !std::isinf(r);
    const std::array<double, 2> later = direction_ahead(i, o);
    if (goes_on) state = {.kind = Kind::Slide, .direction = {U[0] / s, 0.0}};
    for (int d = 0; d < rows_.size(i); ++d) {
      for (int k = 0; k < n; ++k) {
        const double a = A_(k, rows_.row(i) + d);
        if (!std::isinf(r)) size[static_cast<std::size_t>(k)] += std::abs(a) * r;
        if (goes_on) sum[static_cast<std::size_t>(k)] -= a * r * later[static_cast<std::size_t>(d)];
      }
      if (goes_on) state.direction[static_cast<std::size_t>(d)] = U[d] / s;
    }
    if (!goes_on) scratch_.list.push_back(i);
  }
  for (const double part : size) scale = std::max(scale, part);
  candidates_.gather(scratch_.list, A_);
  for (int r = 0; r < candidates_.size(); ++r) {
    scratch_.c[r] = sum[static_cast<std::size_t>(candidates_.row(r))];
  }
  return scale;
}

/// Where contact i, that goes on sliding, slides a moment ahead.
std::array<double, 2> Coulomb::direction_ahead(int i, const FrictionOutlook& o) const {
  std::array<double, 2> now = {};
  std::array<double, 2> later = {};
  double along = 0.0;
  for (int d = 0; d < rows_.size(i); ++d) {
    const auto q = static_cast<std::size_t>(d);
    now[q] = o.velocity[rows_.row(i) + d];
    later[q] = now[q] + patience() * o.acceleration[rows_.row(i) + d];
    along += now[q] * later[q];
  }
  const std::array<double, 2>& V = along > 0.0 ? later : now;  // it stops only if so decided
  const double size = std::hypot(V[0], V[1]);
  return {V[0] / size, V[1] / size};
}

/// Decides about the candidates, over the time δ. False if it is not sure.
bool Coulomb::settle(const FrictionOutlook& o, double delta, double scale) {
  const std::vector<int>& list = candidates_.contacts();
  const std::vector<int>& begin = candidates_.begin();
  bool all_rest = true;
  for (std::size_t s = 0; s < list.size(); ++s) {
    scratch_.limit[s] = limit(list[s], o.force[list[s]]);
    const double speed = this->speed(list[s], o.velocity);
    if (speed <= rest()) continue;
    all_rest = false;
    const std::array<double, 2> later = direction_ahead(list[s], o);
    for (int r = begin[s]; r < begin[s + 1]; ++r) {
      scratch_.c[r] += speed / delta * later[static_cast<std::size_t>(r - begin[s])];
    }
  }
  bool held = all_rest && hold_within(candidates_, scratch_.c.data(), scratch_.f.data());
  held = held && dependents_follow(candidates_, scratch_.c.data(), scratch_.f.data());
  bool solved = true;
  if (!held) {
    solved = decision_.solve({.rank = candidates_.rank(),
                              .L = candidates_.factor(),
                              .start = &begin,
                              .b = scratch_.c.data(),
                              .limit = scratch_.limit.data(),
                              .scale = scale});
  }
  for (std::size_t s = 0; s < list.size(); ++s) {
    const int i = list[s];
    const int n = rows_.size(i);
    const int k = rows_.row(i);
    const double* u = held ? nullptr : decision_.velocity() + begin[s];
    const double* U = o.velocity + k;
    FrictionMode& state = modes_[static_cast<std::size_t>(i)];
    const double own = std::isinf(scratch_.limit[s]) ? 0.0 : kSlip * A_(k, k) * scratch_.limit[s];
    if (held || std::isinf(scratch_.limit[s]) || length(u, n) <= own + kStill * scale) {
      state = {.kind = Kind::Stick};
      continue;
    }
    const bool rests = length(U, n) <= rest();
    const double* along = rests ? u : U;
    state = {.kind = Kind::Slide, .fresh = rests};
    for (int d = 0; d < n; ++d) {
      const auto q = static_cast<std::size_t>(d);
      state.direction[q] = along[d] / length(along, n);
      if (rests) state.offset[q] = kOffset * scales_.speed * state.direction[q] - U[d];
    }
  }
  return solved;
}

/// Impulses that end what is left of the sliding of contacts that stick.
void Coulomb::end_sliding(const double* U_t, double* p) {
  for (int r = 0; r < stick_.size(); ++r) scratch_.c[r] = U_t[stick_.row(r)];
  std::fill_n(scratch_.limit.begin(), stick_.contacts().size(), 1.0);
  stick_.hold(scratch_.c.data(), scratch_.limit.data(), scratch_.f.data());
  for (int r = 0; r < stick_.size(); ++r) p[stick_.row(r)] = scratch_.f[r];
}

}  // namespace percute::contact
