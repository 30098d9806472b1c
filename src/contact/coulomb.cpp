// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/coulomb.hpp"

#include "contact/friction_tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace percute::contact {

namespace {

/// Sliding that stops does so in fewer steps, of which each takes nine tenths of the speed.
constexpr int kMostSlowSteps = 20;

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
  hold_against(c, f);
}

/// Forces of contacts that stick against accelerations c (null: none) and forces f of all others,
/// shared by scratch_.limit: fills their rows of f.
void Coulomb::hold_against(const double* c, double* f) {
  for (int r = 0; r < stick_.size(); ++r) {
    double sum = c == nullptr ? 0.0 : c[stick_.row(r)];
    for (int j = 0; j < rows_.tangential(); ++j) sum += A_(stick_.row(r), j) * f[j];
    scratch_.c[r] = sum;
  }
  stick_.hold(scratch_.c.data(), scratch_.limit.data(), scratch_.f.data());
  for (int r = 0; r < stick_.size(); ++r) f[stick_.row(r)] = scratch_.f[r];
}

void Coulomb::respond(double* f) {
  std::fill_n(scratch_.limit.begin(), stick_.contacts().size(), 1.0);
  hold_against(nullptr, f);
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
  if (!stick_.shares()) return;
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
  const bool held = stick_.hold_within(scratch_.c.data(), scratch_.limit.data(), decision_, &shape_,
                                       scratch_.f.data());
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

bool Coulomb::wedges(const std::vector<double>& U, const std::vector<double>& a, double slow,
                     double push, double time) const {
  constexpr double kBalanced = 1e-6;
  if (believed(time)) return false;  // what has just stopped may turn back
  const auto below = [](double limit) {
    return [limit](double x) { return std::abs(x) <= limit; };
  };
  return push > 0.0 && std::all_of(U.begin(), U.end(), below(slow)) &&
         std::all_of(a.begin(), a.end(), below(kBalanced * push));
}

void Coulomb::add_losses(const double* f, const double* U_t, double part, double* loss) const {
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    for (int r = rows_.row(i); r < rows_.row(i) + rows_.size(i); ++r) {
      loss[i] -= part * f[r] * U_t[r];
    }
  }
}

void Coulomb::share(const double* from, double* to) {
  if (!stick_.redundant()) return;
  const auto tangential = static_cast<std::ptrdiff_t>(modes_.size());
  for (std::size_t s = 0; s < stick_.contacts().size(); ++s) {
    const int i = stick_.contacts()[s];
    scratch_.limit[s] = limit(i, to[i] - from[i]);
  }
  from += tangential;
  to += tangential;
  for (int r = 0; r < stick_.size(); ++r) {
    scratch_.f[r] = to[stick_.row(r)] - from[stick_.row(r)];
  }
  if (stick_.within(scratch_.f.data(), scratch_.limit.data(), 0.0)) return;
  for (int r = 0; r < stick_.size(); ++r) {
    scratch_.c[r] = 0.0;
    for (int q = 0; q < stick_.size(); ++q)
      scratch_.c[r] -= A_(stick_.row(r), stick_.row(q)) * scratch_.f[q];
  }
  if (!stick_.hold_within(scratch_.c.data(), scratch_.limit.data(), decision_, &shape_,
                          scratch_.f.data()))
    return;
  // Rows that only nearly depend on others would change velocities.
  if (!stick_.balances(scratch_.c.data(), scratch_.f.data())) return;
  for (int r = 0; r < stick_.size(); ++r) {
    to[stick_.row(r)] = from[stick_.row(r)] + scratch_.f[r];
  }
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

void Coulomb::turning(const std::vector<int>& contacts, const double* F, const double* U_t,
                      Matrix& D) const {
  const auto rank = static_cast<Eigen::Index>(2 * contacts.size());
  D.setZero(rank, rank);
  Eigen::Index first = 0;
  for (const int i : contacts) {
    const std::array<double, 2> U = sliding(i, U_t);
    const double s = std::hypot(U[0], U[1]);
    if (s > 0.0) {
      const double k = -rows_.mu(i) * std::max(F[i], 0.0) / s;
      const double x = U[0] / s;
      const double y = U[1] / s;
      D.block<2, 2>(first, first) << k * (1.0 - x * x), -k * x * y, -k * x * y, k * (1.0 - y * y);
    }
    first += 2;
  }
}

}  // namespace percute::contact
