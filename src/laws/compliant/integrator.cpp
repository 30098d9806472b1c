// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/integrator.hpp"

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

constexpr double kSafety = 0.9;
constexpr double kLargestGrowth = 6.0;
constexpr double kSmallestGrowth = 0.1;
/// Forces start and end with fractional powers, where the error estimate of a Runge–Kutta pair says
/// up to a hundred times too little.
constexpr double kEstimateDeficit = 0.01;
constexpr double kFirstStep = 1e-3;  ///< of the time scale

}  // namespace

CompliantIntegrator::CompliantIntegrator(const ImpactProblem& problem, const Compliant& law,
                                         Recorder* recorder)
    : law_(law), recorder_(recorder), rows_(problem) {
  G_ = problem.mass.delassus(rows_.directions);
  const auto contacts = static_cast<Eigen::Index>(problem.contacts.size());
  scale_ = scales(problem, Vector(G_.diagonal().head(contacts)));
  U_before_ = rows_.directions.transpose() * problem.velocity;
  const auto count = problem.contacts.size();
  contacts_.resize(count);
  const double approach = count > 0 ? std::max(-U_before_.head(contacts).minCoeff(), 0.0) : 0.0;
  minimum_speed_ = law.minimum_speed.value_or(1e-3 * approach);
  const double speed = scale_.velocity > 0.0 ? scale_.velocity : 1.0;
  time_unit_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    ContactState& contact = contacts_[i];
    const auto k = static_cast<Eigen::Index>(i);
    contact.force = ContactForce(problem.contacts[i].material, law.force, scale_.effective_mass[k],
                                 static_cast<int>(i));
    const double t = contact.force.time_scale(speed);
    contact.length = speed * t;
    time_unit_ = std::min(time_unit_, t);
  }
  tolerance_ = kEstimateDeficit * law.tolerance;
  const int tangential = rows_.tangential();
  rk_.resize(3 * m() + (tangential > 0 ? tangential + m() : 0));
  const double stop = std::max(1e-10, 0.1 * law.tolerance) * speed;
  friction_ = ContactFriction(problem, rows_, G_, stop, law.regularisation_velocity);
  F_.assign(count, 0.0);
  U_.assign(count + static_cast<std::size_t>(tangential), 0.0);
  U_stage_ = U_;
  std::copy(U_before_.begin(), U_before_.end(), U_.begin());
  diagnostics_.contacts.resize(count);
  for (int i = 0; i < m(); ++i) {
    const double energy = problem.contacts[static_cast<std::size_t>(i)].stored_energy;
    if (energy > 0.0) precompress(i, energy);
  }
}

/// Starts contact i on its loading curve, where k δ^(n+1)/(n+1) is the energy it has stored.
void CompliantIntegrator::precompress(int i, double energy) {
  ContactState& contact = contacts_[static_cast<std::size_t>(i)];
  gaps()[i] = -contact.force.indentation_of(energy);
  rk_.state()[work() + i] = energy;
  contact.memory = contact.force.closed_at(0.0, minimum_speed_);
  contact.mode = Mode::Touching;
  precompressed_ = true;
}

bool CompliantIntegrator::impact() const {
  return m() > 0 && (precompressed_ || U_before_.head(m()).minCoeff() < -scale_.gap_rate_tol);
}

void CompliantIntegrator::gap_rates(const double* P, std::vector<double>& U) const {
  for (int i = 0; i < static_cast<int>(U_before_.size()); ++i) {
    double sum = U_before_[i];
    for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry) {
      sum += entry.value() * P[entry.row()];
    }
    U[static_cast<std::size_t>(i)] = sum;
  }
}

double CompliantIntegrator::force(int i, double gap, double U) const {
  const ContactState& contact = contacts_[static_cast<std::size_t>(i)];
  return contact.mode == Mode::Touching ? contact.force(-gap, -U, contact.memory) : 0.0;
}

bool CompliantIntegrator::slope(const double* y, double* out) {
  ++diagnostics_.evaluations;
  gap_rates(y + m(), U_stage_);
  bool finite = true;
  for (int i = 0; i < m(); ++i) {
    const double U = U_stage_[static_cast<std::size_t>(i)];
    const double F = force(i, y[i], U);
    out[i] = U;
    out[m() + i] = F;
    out[work() + i] = -F * U;
    F_[static_cast<std::size_t>(i)] = F;
    finite = finite && std::isfinite(F) && std::isfinite(U);
  }
  if (!friction_.any() || !finite) return finite;
  const double* U_t = U_stage_.data() + m();
  double* f = out + 2 * m();
  friction_.forces(F_, U_t, f);
  for (int i = 0; i < m(); ++i) {
    double power = 0.0;
    for (int row = friction_.row(i); row < friction_.row(i) + friction_.size(i); ++row) {
      power -= f[row] * U_t[row];
    }
    out[friction_loss() + i] = power;
    finite = finite && std::isfinite(power);
  }
  return finite;
}

double CompliantIntegrator::norm(const double* error) const {
  double largest = 0.0;
  for (int i = 0; i < m(); ++i) {
    const ContactState& contact = contacts_[static_cast<std::size_t>(i)];
    largest = std::max({largest, std::abs(error[i]) / contact.length,
                        std::abs(error[m() + i]) / (scale_.effective_mass[i] * scale_.velocity),
                        std::abs(error[work() + i]) / scale_.energy});
    if (!friction_.acts(i)) continue;
    largest = std::max(largest, std::abs(error[friction_loss() + i]) / scale_.energy);
    for (int row = friction_.row(i); row < friction_.row(i) + friction_.size(i); ++row) {
      const double unit = scale_.effective_mass[i] * scale_.velocity;
      largest = std::max(largest, std::abs(error[2 * m() + row]) / unit);
    }
  }
  return largest / tolerance_;
}

bool CompliantIntegrator::idle(int i) const {
  const auto k = static_cast<std::size_t>(i);
  if (contacts_[k].mode == Mode::Apart) return true;
  return contacts_[k].mode == Mode::Touching && rk_.state()[i] >= 0.0 &&
         std::abs(U_[k]) <= scale_.gap_rate_tol && force(i, rk_.state()[i], U_[k]) <= 0.0;
}

bool CompliantIntegrator::over() const {
  for (int i = 0; i < m(); ++i) {
    if (contacts_[static_cast<std::size_t>(i)].mode == Mode::Touching && !idle(i)) return false;
    if (U_[static_cast<std::size_t>(i)] < -scale_.gap_rate_tol) return false;
  }
  return true;
}

bool CompliantIntegrator::fly() {
  double next = std::numeric_limits<double>::infinity();
  int first = -1;
  for (int i = 0; i < m(); ++i) {
    const double U = U_[static_cast<std::size_t>(i)];
    if (!idle(i)) return false;
    if (U < -scale_.gap_rate_tol && std::max(rk_.state()[i], 0.0) / -U < next) {
      next = std::max(rk_.state()[i], 0.0) / -U;
      first = i;
    }
  }
  if (first < 0) return false;
  for (int i = 0; i < m(); ++i) gaps()[i] += next * U_[static_cast<std::size_t>(i)];
  gaps()[first] = 0.0;
  time_ += next;
  apply(first, Change::Close);
  return true;
}

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

void CompliantIntegrator::note_progress() {
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double gap = rk_.state()[i];
    ContactSummary& summary = diagnostics_.contacts[k];
    if (summary.impacts == 0 && contacts_[k].mode == Mode::Touching && gap < 0.0) {
      // A contact that was at rest: loaded from the start, by ever so little.
      summary.impacts = 1;
      summary.compressions = 1;
    }
    const double F = force(i, gap, U_[k]);
    if (F > summary.maximal_force) {
      summary.maximal_force = F;
      summary.maximal_force_time = time_;
    }
  }
}

ContactSample CompliantIntegrator::sample(int i, const double* y, double U) const {
  const ContactState& contact = contacts_[static_cast<std::size_t>(i)];
  const bool touching = contact.mode == Mode::Touching;
  const double stored = touching ? contact.force.stored(-y[i], contact.memory) : 0.0;
  std::array<double, 2> tangential = {};
  for (int d = 0; d < friction_.size(i); ++d) {
    tangential[static_cast<std::size_t>(d)] = y[2 * m() + friction_.row(i) + d];
  }
  return {.impulse = y[m() + i],
          .force = force(i, y[i], U),
          .indentation = touching ? std::max(-y[i], 0.0) : 0.0,
          .stored_energy = stored,
          .dissipated = y[work() + i] - stored + (friction_.acts(i) ? y[friction_loss() + i] : 0.0),
          .gap_rate = U,
          .tangential_impulse = tangential};
}

void CompliantIntegrator::record() {
  if (recorder_ == nullptr) return;
  recorder_->sample(time_,
                    [&](int i) { return sample(i, rk_.state(), U_[static_cast<std::size_t>(i)]); });
}

void CompliantIntegrator::record_times(double h, double until) {
  if (recorder_ == nullptr) return;
  double asked = 0.0;
  bool dense = false;
  while (recorder_->next_time(time_ + h * until, asked)) {
    if (!dense) {
      rk_.prepare_dense([this](double, const double* y, double* out) { return slope(y, out); },
                        time_, h);
      dense = true;
    }
    rk_.interpolate(std::clamp((asked - time_) / h, 0.0, until));
    gap_rates(rk_.inside() + m(), U_stage_);
    recorder_->sample(asked, [&](int i) {
      return sample(i, rk_.inside(), U_stage_[static_cast<std::size_t>(i)]);
    });
  }
}

bool CompliantIntegrator::advance() {
  const auto rhs = [this](double, const double* y, double* out) { return slope(y, out); };
  if (friction_.any() && !friction_.regularised()) {
    normal_forces(rk_.state(), U_, 0.0);
    const int died = friction_.refresh(F_, U_.data() + m());
    if (died >= 0) {
      apply_friction({.contact = died, .change = Change::Stop});
      rk_.start(rhs, time_);
    }
  }
  for (;;) {
    if (h_ < 1e-15 * std::max(time_unit_, time_)) return false;
    const bool defined = rk_.attempt(rhs, time_, h_);
    const double error =
        defined ? rk_.error(h_, [this](const double* e) { return norm(e); }) : 1e10;
    if (error <= 1.0) {
      const double tried = h_;
      const double growth = error > 0.0 ? kSafety * rk_.growth(error) : kLargestGrowth;
      const Crossing crossing = first_crossing(tried);
      const double until = std::min(crossing.theta, 1.0);
      record_times(tried, until);
      h_ = tried * std::clamp(growth, kSmallestGrowth, kLargestGrowth);
      if (crossing.contact < 0) {
        rk_.accept();
        time_ += tried;
        gap_rates(rk_.state() + m(), U_);
      } else {
        land(crossing, tried);
      }
      ++diagnostics_.steps;
      note_progress();
      if (recorder_ != nullptr && (crossing.contact >= 0 || recorder_->due())) record();
      return true;
    }
    ++diagnostics_.rejected;
    const double factor = std::isfinite(error) ? kSafety * rk_.growth(error) : kSmallestGrowth;
    h_ *= std::clamp(factor, kSmallestGrowth, 0.9);
    if (diagnostics_.steps + diagnostics_.rejected >= law_.max_steps) return false;
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

Status CompliantIntegrator::run() {
  // Contacts that rest or approach take part from the start.
  std::vector<int> touching;
  for (int i = 0; i < m(); ++i) {
    ContactState& contact = contacts_[static_cast<std::size_t>(i)];
    if (contact.mode == Mode::Touching) {  // precompressed
      touching.push_back(i);
      log(i, EventKind::Activation);
      ContactSummary& summary = diagnostics_.contacts[static_cast<std::size_t>(i)];
      summary.impacts = 1;
      contact.compressing = U_[static_cast<std::size_t>(i)] < 0.0;
      summary.compressions = contact.compressing ? 1 : 0;
      if (!contact.compressing && contact.force.hysteretic(contact.memory.branch)) {
        contact.force.turn(-gaps()[i], contact.memory);
      }
    } else if (U_[static_cast<std::size_t>(i)] <= scale_.gap_rate_tol) {
      touching.push_back(i);
      contact.mode = Mode::Apart;
      if (U_[static_cast<std::size_t>(i)] < -scale_.gap_rate_tol) {
        apply(i, Change::Close);
      } else {
        contact.memory = contact.force.closed_at(0.0, minimum_speed_);
        contact.mode = Mode::Touching;
        contact.compressing = true;
      }
    }
  }
  started_ = true;
  begin_friction(touching);
  if (status_ != Status::Ok) return status_;
  h_ = kFirstStep * time_unit_;
  const auto start = [this] {
    return rk_.start([this](double, const double* y, double* out) { return slope(y, out); }, time_);
  };
  if (!start()) return Status::StepUnderflow;
  record();
  while (!over()) {
    if (status_ != Status::Ok) return status_;
    if (diagnostics_.events >= law_.max_events ||
        diagnostics_.steps + diagnostics_.rejected >= law_.max_steps) {
      return Status::NotTerminated;
    }
    if (fly()) {
      if (!start()) return Status::StepUnderflow;
      record();
      h_ = kFirstStep * time_unit_;
      continue;
    }
    if (!advance()) {
      return diagnostics_.steps + diagnostics_.rejected >= law_.max_steps ? Status::NotTerminated
                                                                          : Status::StepUnderflow;
    }
  }
  diagnostics_.duration = time_;
  return Status::Ok;
}

Vector CompliantIntegrator::impulse() const {
  return Eigen::Map<const Vector>(rk_.state() + m(), m());
}

double CompliantIntegrator::stored() const {
  double sum = 0.0;
  for (int i = 0; i < m(); ++i) {
    const ContactState& contact = contacts_[static_cast<std::size_t>(i)];
    if (contact.mode == Mode::Touching) {
      sum += contact.force.stored(-rk_.state()[i], contact.memory);
    }
  }
  return sum;
}

Vector CompliantIntegrator::dissipated() const {
  Vector lost = Eigen::Map<const Vector>(rk_.state() + work(), m());
  if (friction_.any()) lost += Eigen::Map<const Vector>(rk_.state() + friction_loss(), m());
  for (int i = 0; i < m(); ++i) {
    const ContactState& contact = contacts_[static_cast<std::size_t>(i)];
    if (contact.mode == Mode::Touching) {
      lost[i] -= contact.force.stored(-rk_.state()[i], contact.memory);
    }
  }
  return lost;
}

}  // namespace percute::laws
