// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/integrator.hpp"

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>

namespace percute::laws {

// What ends a step, and what it changes.

template <class Visit>
void CompliantIntegrator::watches(int i, Visit&& visit) const {
  const CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
  if (contact.mode != Mode::Apart && friction_.acts(i) && !friction_.regularised()) {
    if (friction_.mode(i) == ContactFriction::Mode::Slide) visit(Change::Stop);
    if (friction_.mode(i) == ContactFriction::Mode::Stick) visit(Change::Slip);
  }
  contact.watches(law_.tension, visit);
}

/// Positive before the change, negative after it.
double CompliantIntegrator::watch(int i, Change change, const double* y,
                                  const std::vector<double>& velocities) {
  if (change == Change::Stop) return friction_.along(i, velocities.data() + m());
  if (change == Change::Slip) {
    normal_forces(y, velocities, 0.0);
    return friction_.margin(i, F_, velocities.data() + m());
  }
  const auto k = static_cast<std::size_t>(i);
  return contacts_[k].watch(change, y[i], velocities[k]);
}

CompliantIntegrator::Crossing CompliantIntegrator::first_crossing(double h) {
  const double* end = rk_.trial();
  gap_rates(end + m(), U_stage_);
  const std::vector<double> U_end = U_stage_;
  bool dense = false;
  Crossing first;
  const auto value = [&](int i, Change change, double theta) {
    rk_.interpolate(theta);
    gap_rates(rk_.inside() + m(), U_stage_);
    return watch(i, change, rk_.inside(), U_stage_);
  };
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    watches(i, [&](Change change) {
      const double from = watch(i, change, rk_.state(), U_);
      const double to = watch(i, change, end, U_end);
      double until = 1.0;
      if (to > 0.0) {
        // A gap that closes and opens again within the step: the cubic through both ends tells.
        if (change != Change::Close || U_[k] >= 0.0 || U_end[k] <= 0.0) return;
        const double t = U_[k] / (U_[k] - U_end[k]);
        if (rk_.state()[i] + 0.5 * h * t * U_[k] > 0.0) return;
        until = t;
      } else if (to == 0.0 && from <= 0.0) {
        return;  // at rest all along
      }
      if (!dense) {
        rk_.prepare_dense([this](double, const double* y, double* out) { return slope(y, out); },
                          time_, h);
        dense = true;
      }
      if (until < 1.0 && value(i, change, until) > 0.0) return;
      double theta = 0.0;
      double start = from > 0.0 ? 0.0 : -1.0;
      // Sliding that begins, and a contact without force yet, start from 0 and may come back to it.
      if (start < 0.0 && (change == Change::Stop || change == Change::Slip)) {
        for (double x = 0.5; x > 1e-9 && start < 0.0; x *= 0.25) {
          if (value(i, change, x) > 0.0) start = x;
        }
      }
      if (start >= 0.0) {
        theta = numerics::bracketed_root([&](double x) { return value(i, change, x); }, start,
                                         until, 1e-15);
      }
      if (theta < first.theta) {
        first = {.contact = i, .change = change, .theta = theta};
        if (change == Change::Slip) {
          normal_forces(end, U_end, 0.0);
          first.direction = friction_.escape(i, F_, U_end.data() + m());
        }
      }
    });
  }
  return first;
}

void CompliantIntegrator::log(int i, EventKind kind) {
  ++diagnostics_.events;
  if (recorder_ == nullptr) return;
  const auto k = static_cast<std::size_t>(i);
  const double gap = rk_.state()[i];
  events_.push_back({.time = time_,
                     .contact = i,
                     .kind = kind,
                     .impulse = rk_.state()[m() + i],
                     .gap_rate = U_[k],
                     .stored_energy = contacts_[k].stored(gap),
                     .force = force(i, gap, U_[k])});
}

void CompliantIntegrator::apply(int i, Change change) {
  const auto k = static_cast<std::size_t>(i);
  CompliantContact& contact = contacts_[k];
  ContactSummary& summary = diagnostics_.contacts[k];
  const bool touched = contact.touching();
  switch (change) {
    case Change::Close:
      log(i, summary.impacts == 0 ? EventKind::Activation : EventKind::Reengagement);
      if (summary.impacts == 0) summary.first_contact_time = time_;
      break;
    case Change::Reload:
      log(i, EventKind::Reengagement);
      break;
    case Change::Reopen:
    case Change::Release:
      if (touched) log(i, EventKind::Opening);
      break;
    case Change::Turn:
    case Change::CompressionEnd:
      log(i, EventKind::CompressionEnd);
      break;
    case Change::Recompress:
      log(i, EventKind::Recompression);
      ++summary.compressions;
      break;
    case Change::Yield:
      log(i, EventKind::Yield);
      break;
    case Change::Return:
    case Change::Stop:
    case Change::Slip:  // apply_friction()
      break;
  }
  contact.apply(change, gaps()[i], U_[k], minimum_speed_);
  if (change == Change::Close || change == Change::Reopen) gaps()[i] = 0.0;
  if (touched && !contact.touching()) {
    friction_.turn_off(i);
    summary.opening_time = time_;
    summary.duration += time_;
  } else if (!touched && contact.touching()) {
    ++summary.impacts;
    ++summary.compressions;
    summary.duration -= time_;
    if (started_) begin_friction({i});
  }
}

void CompliantIntegrator::land(const Crossing& crossing, double h) {
  rk_.interpolate(crossing.theta);
  slope(rk_.inside(), rk_.inside_slope());
  rk_.end_inside();
  rk_.accept();
  time_ += crossing.theta * h;
  gap_rates(rk_.state() + m(), U_);
  note_progress();
  record();
  if (crossing.change == Change::Stop || crossing.change == Change::Slip) {
    apply_friction(crossing);
  } else {
    apply(crossing.contact, crossing.change);
  }
  rk_.start([this](double, const double* y, double* out) { return slope(y, out); }, time_);
}

}  // namespace percute::laws
