// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/friction_modes.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

/// A limit is kept within rounding.
constexpr double kRounding = 1e-12;
/// Of contacts that have no force at all.
constexpr double kMostStrain = 1e9;

double length(const FrictionModes::Direction& v) {
  return std::hypot(v[0], v[1]);
}

double dot(const FrictionModes::Direction& v, const FrictionModes::Direction& w) {
  return v[0] * w[0] + v[1] * w[1];
}

}  // namespace

void FrictionModes::assign(const FrictionSetup& setup, double stop, double slow) {
  setup_ = &setup;
  stop_ = stop;
  slow_speed_ = slow;
  now_.slow_count = 0;
  const auto m = static_cast<std::size_t>(setup.m);
  const auto n = static_cast<std::size_t>(setup.tangential());
  now_.modes.assign(m, Mode::Off);
  now_.direction.assign(m, {1.0, 0.0});
  now_.origin.assign(m, {0.0, 0.0});
  now_.slow.assign(m, 0);
  kept_ = now_;
  list_.reserve(m);
  limit_.resize(m);
  for (auto* v : {&c_, &f_, &rate_, &trial_}) v->assign(n, 0.0);
  stick_.assign(setup);
}

FrictionModes::Direction FrictionModes::sliding(int i, const double* U_t) const {
  const auto k = static_cast<std::size_t>(i);
  Direction U = {0.0, 0.0};
  for (int d = 0; d < setup_->size(i); ++d) {
    U[static_cast<std::size_t>(d)] =
        U_t[setup_->row(i) + d] - now_.origin[k][static_cast<std::size_t>(d)];
  }
  return U;
}

double FrictionModes::along(int i, const double* U_t) const {
  return dot(sliding(i, U_t), direction(i));
}

double FrictionModes::speed(int i, const double* U_t) const {
  return length(sliding(i, U_t));
}

bool FrictionModes::stopped(int i, const double* U_t) const {
  return setup_->size(i) == 1 || speed(i, U_t) <= stop_;
}

/// Forces of sliding contacts, 0 elsewhere. Past a stop the direction is continued, so that it can
/// be located from both sides.
void FrictionModes::slide_forces(const double* lambda, const double* U_t, double* f) {
  for (int i = 0; i < setup_->m; ++i) {
    const int d = setup_->size(i);
    if (d == 0) continue;
    double* own = f + setup_->row(i);
    if (!slides(i)) {
      for (int k = 0; k < d; ++k) own[k] = 0.0;
      continue;
    }
    Direction u = direction(i);
    if (d == 2 && !slow(i)) {
      const Direction U = sliding(i, U_t);
      const double speed = length(U);
      if (speed > 0.0) {
        const double sign = dot(U, u) < 0.0 ? -1.0 : 1.0;
        u = {sign * U[0] / speed, sign * U[1] / speed};
      }
    }
    const double push = setup_->mu(i) * lambda[i];
    for (int k = 0; k < d; ++k) own[k] = -push * u[static_cast<std::size_t>(k)];
  }
}

/// c = A_tn λ + A_tt f of the rows that stick; their forces in f must be 0.
void FrictionModes::drive(const double* lambda, const double* f) {
  const int m = setup_->m;
  for (int r = 0; r < stick_.size(); ++r) {
    const double* a = setup_->column(m + stick_.row(r));
    double sum = 0.0;
    for (int j = 0; j < m; ++j) sum += a[j] * lambda[j];
    for (int j = 0; j < setup_->tangential(); ++j) sum += a[m + j] * f[j];
    c_[static_cast<std::size_t>(r)] = sum;
  }
}

void FrictionModes::find_limits(const double* lambda) {
  const std::vector<int>& contacts = stick_.contacts();
  for (std::size_t s = 0; s < contacts.size(); ++s) {
    const double mu = setup_->mu(contacts[s]);
    limit_[s] = (std::isinf(mu) ? 1.0 : mu) * std::max(lambda[contacts[s]], 0.0);
  }
}

void FrictionModes::stick_forces(const double* lambda, double* f) {
  if (stick_.empty()) return;
  for (int r = 0; r < stick_.size(); ++r) f[stick_.row(r)] = 0.0;
  drive(lambda, f);
  find_limits(lambda);
  stick_.hold(c_.data(), limit_.data(), f_.data());
  for (int r = 0; r < stick_.size(); ++r) f[stick_.row(r)] = f_[static_cast<std::size_t>(r)];
}

void FrictionModes::forces(const double* lambda, const double* U_t, double* f) {
  slide_forces(lambda, U_t, f);
  stick_forces(lambda, f);
}

void FrictionModes::forces_within(const double* lambda, const double* U_t, double* f) {
  forces(lambda, U_t, f);
  held_ = true;
  if (!stick_.redundant()) return;
  find_limits(lambda);
  if (stick_.within(f_.data(), limit_.data())) return;
  // Another way to share the forces may do; if none does, the present one shows it.
  held_ = share(f_.data());
  if (!held_) return;
  for (int r = 0; r < stick_.size(); ++r) f[stick_.row(r)] = rate_[static_cast<std::size_t>(r)];
}

/// Shares f, of the rows of the stick set, within limit_: rate_. False if that cannot be.
bool FrictionModes::share(const double* f) {
  const int n = stick_.size();
  for (int r = 0; r < n; ++r) {
    double sum = 0.0;
    for (int q = 0; q < n; ++q) sum -= setup_->coupling(stick_.row(r), stick_.row(q)) * f[q];
    c_[static_cast<std::size_t>(r)] = sum;
  }
  stick_.hold_within(c_.data(), limit_.data(), rate_.data(), trial_.data());
  for (std::size_t s = 0; s < stick_.contacts().size(); ++s) {
    if (stick_.slides(s, c_.data(), limit_.data(), trial_.data())) return false;
  }
  return true;
}

void FrictionModes::share_impulses(const double* p0, double* p1) {
  if (!stick_.redundant()) return;
  const int m = setup_->m;
  const std::vector<int>& contacts = stick_.contacts();
  for (std::size_t s = 0; s < contacts.size(); ++s) {
    const int i = contacts[s];
    const double mu = setup_->mu(i);
    limit_[s] = (std::isinf(mu) ? 1.0 : mu) * std::max(p1[i] - p0[i], 0.0);
  }
  for (int r = 0; r < stick_.size(); ++r) {
    f_[static_cast<std::size_t>(r)] = p1[m + stick_.row(r)] - p0[m + stick_.row(r)];
  }
  if (stick_.within(f_.data(), limit_.data()) || !share(f_.data())) return;
  for (int r = 0; r < stick_.size(); ++r) {
    p1[m + stick_.row(r)] = p0[m + stick_.row(r)] + rate_[static_cast<std::size_t>(r)];
  }
}

double FrictionModes::margin(int i, const double* lambda, const double* f) const {
  const double mu = setup_->mu(i);
  if (std::isinf(mu)) return 1.0;
  const double limit = mu * lambda[i];
  const double* own = f + setup_->row(i);
  const double size = setup_->size(i) == 1 ? std::abs(own[0]) : std::hypot(own[0], own[1]);
  const double left = limit * (1.0 + kRounding) - size;
  if (!stick_.redundant()) return left;
  return held_ ? std::max(left, 1e-3 * kRounding * limit)
               : std::min(left, -1e-3 * kRounding * limit);
}

double FrictionModes::strain(int i, const double* lambda, const double* f) const {
  if (std::isinf(setup_->mu(i))) return 0.0;
  const double* own = f + setup_->row(i);
  const double size = setup_->size(i) == 1 ? std::abs(own[0]) : std::hypot(own[0], own[1]);
  const double limit = setup_->mu(i) * lambda[i];
  return size < kMostStrain * limit ? size / limit : kMostStrain;
}

void FrictionModes::restore() {
  now_ = kept_;
  gather();
}

void FrictionModes::refresh(const double* U_t) {
  for (int i = 0; i < setup_->m; ++i) {
    if (!slides(i) || setup_->size(i) != 2) continue;
    const auto k = static_cast<std::size_t>(i);
    const Direction U = sliding(i, U_t);
    const double speed = length(U);
    if (slow(i)) {
      if (speed <= slow_speed_) continue;
      hurry(i);
    }
    if (speed > 0.0) now_.direction[k] = {U[0] / speed, U[1] / speed};
  }
}

double FrictionModes::outrun(const double* U_t) const {
  double largest = 0.0;
  if (now_.slow_count == 0) return largest;
  for (int i = 0; i < setup_->m; ++i) {
    if (slow(i)) largest = std::max(largest, speed(i, U_t) / slow_speed_);
  }
  return largest;
}

void FrictionModes::hurry(int i) {
  const auto k = static_cast<std::size_t>(i);
  if (now_.slow[k] != 0) --now_.slow_count;
  now_.slow[k] = 0;
}

void FrictionModes::turn_off(int i) {
  const auto k = static_cast<std::size_t>(i);
  const bool stuck = sticks(i);
  hurry(i);
  now_.modes[k] = Mode::Off;
  if (stuck) gather();
}

bool FrictionModes::begin(int i, const double* U_t) {
  const auto k = static_cast<std::size_t>(i);
  now_.origin[k] = {0.0, 0.0};
  const Direction U = sliding(i, U_t);
  const double speed = length(U);
  if (std::isinf(setup_->mu(i)) || speed <= stop_) return false;
  const bool stuck = sticks(i);
  now_.direction[k] = {U[0] / speed, U[1] / speed};
  now_.modes[k] = Mode::Slide;
  if (stuck) gather();
  return true;
}

void FrictionModes::let_go(int i, Direction direction, const double* U_t) {
  const auto k = static_cast<std::size_t>(i);
  now_.origin[k] = {0.0, 0.0};
  now_.origin[k] = sliding(i, U_t);
  const double size = length(direction);
  now_.direction[k] = {direction[0] / size, direction[1] / size};
  now_.modes[k] = Mode::Slide;
  if (setup_->size(i) == 2 && now_.slow[k] == 0) {
    now_.slow[k] = 1;
    ++now_.slow_count;
  }
}

void FrictionModes::release(int i, const double* f, const double* U_t) {
  Direction direction = {0.0, 0.0};
  for (int d = 0; d < setup_->size(i); ++d) {
    direction[static_cast<std::size_t>(d)] = -f[setup_->row(i) + d];
  }
  if (!(length(direction) > 0.0)) return;
  let_go(i, direction, U_t);
  gather();
}

void FrictionModes::settle(const std::vector<int>& resting, const double* lambda,
                           const double* U_t) {
  for (const int i : resting) {
    hurry(i);
    now_.modes[static_cast<std::size_t>(i)] = Mode::Stick;
  }
  // Slow contacts turn at once when forces jump: they are decided about as well, unless they slow
  // down, which takes its time.
  for (int pass = 0; pass <= setup_->m; ++pass) {
    for (int i = 0; i < setup_->m; ++i) {
      if (slow(i)) now_.modes[static_cast<std::size_t>(i)] = Mode::Stick;
    }
    gather();
    if (stick_.empty()) return;
    slide_forces(lambda, U_t, trial_.data());
    drive(lambda, trial_.data());
    find_limits(lambda);
    stick_.hold_within(c_.data(), limit_.data(), f_.data(), rate_.data());
    if (!slow_down(U_t)) break;
  }
  for (std::size_t s = 0; s < stick_.contacts().size(); ++s) {
    const int i = stick_.contacts()[s];
    if (!stick_.slides(s, c_.data(), limit_.data(), rate_.data())) continue;
    Direction direction = {0.0, 0.0};
    for (int d = 0; d < stick_.length(s); ++d) {
      direction[static_cast<std::size_t>(d)] =
          rate_[static_cast<std::size_t>(stick_.begin(s)) + static_cast<std::size_t>(d)];
    }
    const Direction origin = now_.origin[static_cast<std::size_t>(i)];
    const bool was_slow = slow(i);
    let_go(i, direction, U_t);
    if (was_slow) now_.origin[static_cast<std::size_t>(i)] = origin;
  }
  gather();
}

/// Slow contacts that the last solution would hold slide on as they are. True if there are any.
bool FrictionModes::slow_down(const double* U_t) {
  bool any = false;
  for (std::size_t s = 0; s < stick_.contacts().size(); ++s) {
    const int i = stick_.contacts()[s];
    if (!slow(i) || stick_.slides(s, c_.data(), limit_.data(), rate_.data())) continue;
    const auto k = static_cast<std::size_t>(i);
    hurry(i);
    const Direction U = sliding(i, U_t);
    const double speed = length(U);
    if (speed <= stop_) continue;  // at rest: it sticks
    now_.direction[k] = {U[0] / speed, U[1] / speed};
    now_.modes[k] = Mode::Slide;
    any = true;
  }
  return any;
}

void FrictionModes::gather() {
  list_.clear();
  for (int i = 0; i < setup_->m; ++i) {
    if (setup_->acts(i) && sticks(i)) list_.push_back(i);
  }
  stick_.gather(list_);
}

}  // namespace percute::laws
