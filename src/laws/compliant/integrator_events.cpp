// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/integrator.hpp"

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>

namespace percute::laws {

// What ends a step, and what it changes.

template <class Visit>
void CompliantIntegrator::watches(int i, Visit&& visit) const {
  const ContactState& contact = contacts_[static_cast<std::size_t>(i)];
  if (contact.mode == Mode::Apart) {
    visit(Change::Close);
    return;
  }
  if (friction_.acts(i) && !friction_.regularised()) {
    if (friction_.mode(i) == ContactFriction::Mode::Slide) visit(Change::Stop);
    if (friction_.mode(i) == ContactFriction::Mode::Stick) visit(Change::Slip);
  }
  visit(Change::Reopen);
  if (contact.mode == Mode::Released) {
    visit(Change::Reload);
    return;
  }
  using Branch = ContactMemory::Branch;
  const Branch branch = contact.memory.branch;
  const bool clamp = law_.tension == Compliant::Tension::Clamp;
  if (branch == Branch::Unloading || (clamp && !contact.force.conservative())) {
    visit(Change::Release);
  }
  if (contact.force.hysteretic(branch)) {
    visit(Change::Turn);
  } else {
    visit(contact.compressing ? Change::CompressionEnd : Change::Recompress);
  }
  if (branch == Branch::Unloading) visit(Change::Return);
  if (branch == Branch::Loading && contact.force.yields()) visit(Change::Yield);
}

/// Positive before the change, negative after it.
double CompliantIntegrator::watch(int i, Change change, const double* y,
                                  const std::vector<double>& velocities) {
  const ContactState& contact = contacts_[static_cast<std::size_t>(i)];
  const double gap = y[i];
  const double U = velocities[static_cast<std::size_t>(i)];
  switch (change) {
    case Change::Close:
      return gap;
    case Change::Reopen:
      return -gap;
    case Change::Release:
      return contact.force.push(-gap, -U, contact.memory);
    case Change::Reload:
      return -contact.force.push(-gap, -U, contact.memory);
    case Change::Turn:
    case Change::CompressionEnd:
      return -U;
    case Change::Recompress:
      return U;
    case Change::Return:
      return contact.memory.largest + gap;
    case Change::Yield:
      return contact.force.yield() + gap;
    case Change::Stop:
      return friction_.along(i, velocities.data() + m());
    case Change::Slip:
      normal_forces(y, velocities, 0.0);
      return friction_.margin(i, F_, velocities.data() + m());
  }
  return 1.0;
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
                     .stored_energy = contacts_[k].mode == Mode::Touching
                                          ? contacts_[k].force.stored(-gap, contacts_[k].memory)
                                          : 0.0,
                     .force = force(i, gap, U_[k])});
}

void CompliantIntegrator::apply(int i, Change change) {
  const auto k = static_cast<std::size_t>(i);
  ContactState& contact = contacts_[k];
  ContactSummary& summary = diagnostics_.contacts[k];
  switch (change) {
    case Change::Close:
      log(i, summary.impacts == 0 ? EventKind::Activation : EventKind::Reengagement);
      contact.memory = contact.force.closed_at(-U_[k], minimum_speed_);
      contact.mode = Mode::Touching;
      contact.compressing = true;
      gaps()[i] = 0.0;
      if (summary.impacts == 0) summary.first_contact_time = time_;
      ++summary.impacts;
      ++summary.compressions;
      summary.duration -= time_;
      if (started_) begin_friction({i});
      break;
    case Change::Reopen:
      if (contact.mode == Mode::Touching) {
        log(i, EventKind::Opening);
        summary.opening_time = time_;
        summary.duration += time_;
      }
      contact.mode = Mode::Apart;
      gaps()[i] = 0.0;
      friction_.turn_off(i);
      break;
    case Change::Release:
      log(i, EventKind::Opening);
      contact.mode = Mode::Released;
      friction_.turn_off(i);
      summary.opening_time = time_;
      summary.duration += time_;
      break;
    case Change::Reload:
      log(i, EventKind::Reengagement);
      contact.mode = Mode::Touching;
      contact.compressing = U_[k] < 0.0;
      ++summary.impacts;
      ++summary.compressions;
      summary.duration -= time_;
      begin_friction({i});
      break;
    case Change::Turn:
      log(i, EventKind::CompressionEnd);
      contact.force.turn(-gaps()[i], contact.memory);
      contact.compressing = false;
      break;
    case Change::CompressionEnd:
      log(i, EventKind::CompressionEnd);
      contact.compressing = false;
      break;
    case Change::Recompress:
      log(i, EventKind::Recompression);
      contact.compressing = true;
      ++summary.compressions;
      break;
    case Change::Return:
      contact.memory.branch =
          contact.force.yields() ? ContactMemory::Branch::Plastic : ContactMemory::Branch::Loading;
      break;
    case Change::Yield:
      log(i, EventKind::Yield);
      contact.memory.branch = ContactMemory::Branch::Plastic;
      break;
    case Change::Stop:
    case Change::Slip:
      break;  // apply_friction()
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
