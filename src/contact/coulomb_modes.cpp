// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/coulomb.hpp"
#include "contact/friction_tolerances.hpp"

#include <algorithm>
#include <cmath>

// Who slides and who sticks: (4) of docs/theory/how_it_is_computed.md, over all contacts at once.

namespace percute::contact {

namespace {

/// 10^n, n from 0 to 3.
double tens(int n) {
  constexpr std::array<double, 4> kTens{1.0, 10.0, 100.0, 1000.0};
  return kTens[static_cast<std::size_t>(n)];
}

}  // namespace

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
    moves = moves || (!candidates_.follows(r) && std::abs(U_t[candidates_.row(r)]) > rest());
  }
  if (!moves) return false;
  std::fill_n(p, rows_.tangential(), 0.0);
  stop(candidates_, U_t, p);
  return true;
}

/// Impulses p of a set that end what is left of its sliding.
void Coulomb::stop(StickSet& set, const double* U_t, double* p) {
  for (int r = 0; r < set.size(); ++r) scratch_.c[r] = U_t[set.row(r)];
  std::fill_n(scratch_.limit.begin(), set.contacts().size(), 1.0);
  set.hold(scratch_.c.data(), scratch_.limit.data(), scratch_.f.data());
  for (int r = 0; r < set.size(); ++r) p[set.row(r)] = scratch_.f[r];
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
  stop(stick_, outlook.velocity, p);
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
  bool held = all_rest && candidates_.hold_within(scratch_.c.data(), scratch_.limit.data(),
                                                  decision_, nullptr, scratch_.f.data());
  held = held &&
         candidates_.dependents_follow(scratch_.c.data(), scratch_.limit.data(), scratch_.f.data());
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

}  // namespace percute::contact
