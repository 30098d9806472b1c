// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/contact_phases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

void ContactPhases::start(const ImpactSetup& setup, const Lzb& law) {
  setup_ = &setup;
  compression_work_ = law.compression_work;
  retrace_ = law.reload == Lzb::Reload::Retrace;
  came_to_rest_ = reengaged_ = false;
  events_ = 0;
  log_.clear();
  members_.clear();
  aside_.clear();
  const auto size = static_cast<std::size_t>(setup.m);
  record_.assign(size, {});
  for (int i = 0; i < setup.m; ++i) {
    ContactState& s = record_[i].state;
    const ContactLaw& contact = setup.contact[i];
    const double U = setup.U_before[i];
    const double E0 = setup.contact[i].initial_energy;
    const ContactPoint at{.time = 0.0, .xi = initial_indentation(i), .P = 0.0, .U = U};
    s.yielded = s.plastic =
        contact.model() == ContactModel::TriStiffness && at.xi > contact.yield_indentation();
    s.xi_max = at.xi;
    if (U < -setup.motion) {
      begin_loading(i, at, EventKind::Activation);
    } else if (E0 > 0.0) {
      note_force(i, at);
      if (loses_all(i)) {
        s.phase = Phase::Expanding;  // the integrator decides by the acceleration
      } else {
        start_expansion(i, at.xi);
      }
    } else {
      s.phase = U > setup.motion ? Phase::Open : Phase::Resting;
    }
    refresh(i, at.xi);
  }
}

void ContactPhases::set_aside() {
  if (aside_.empty()) {
    aside_ = record_;
  } else {
    for (std::size_t i = 0; i < record_.size(); ++i) aside_[members_[i]] = record_[i];
  }
}

void ContactPhases::restrict_to(const ImpactSetup& part, const std::vector<int>& members) {
  set_aside();
  setup_ = &part;
  members_ = members;
  record_.resize(members.size());
  for (std::size_t i = 0; i < record_.size(); ++i) record_[i] = aside_[members[i]];
}

void ContactPhases::rejoin(const ImpactSetup& whole) {
  if (setup_ == &whole) return;
  set_aside();
  setup_ = &whole;
  record_ = aside_;
  aside_.clear();
  members_.clear();
}

std::vector<ContactSummary> ContactPhases::summaries() const {
  std::vector<ContactSummary> all;
  all.reserve(record_.size());
  for (const ContactRecord& record : record_) all.push_back(record.summary);
  return all;
}

double ContactPhases::absorbed_work(int i, double xi) const {
  if (record_[i].state.phase == Phase::Open) return record_[i].absorbed;
  const double gained = setup_->contact[i].energy(xi) - record_[i].energy;
  return record_[i].absorbed + gained / record_[i].state.gain;
}

/// Adds up the work of the phase that ends at ξ.
void ContactPhases::settle_work(int i, double xi) {
  record_[i].absorbed = absorbed_work(i, xi);
  record_[i].energy = setup_->contact[i].energy(xi);
}

/// What follows from a new phase that begins at ξ: where it ends by itself, and the gain of
/// dξ/dτ = −gain U. It is 1 in compression; in expansion, where the contact gives back less,
///
///     bi-stiffness 1/e²,   mono-stiffness 1 (it lets go at E = (1 − e²) W_c),
///     tri-stiffness k3/k of the branch it is on, so that dλ/dτ = −k3 U.
void ContactPhases::refresh(int i, double xi) {
  ContactState& s = record_[i].state;
  s.revision = ++revision_;
  const ContactLaw& contact = setup_->contact[i];
  record_[i].energy = contact.energy(xi);
  const double e = contact.restitution();
  s.has_target = false;
  s.xi_target = 0.0;
  s.passive = false;
  switch (contact.model()) {
    case ContactModel::BiStiffness:
      s.gain = s.phase == Phase::Expanding && !loses_all(i) ? 1.0 / (e * e) : 1.0;
      s.passive = e == 1.0;
      break;
    case ContactModel::MonoStiffness:
      s.gain = 1.0;
      s.passive = e == 1.0;
      break;
    case ContactModel::TriStiffness: {
      const double own = contact.slope(xi, s.plastic);
      const double unloading = s.yielded ? contact.unloading_stiffness() : contact.stiffness();
      s.gain = s.phase == Phase::Expanding || s.reloading ? unloading / own : 1.0;
      break;
    }
  }
  if (s.phase == Phase::Open) {
    s.gain = setup_->tracked_gap ? 1.0 : 0.0;
    s.has_target = setup_->tracked_gap;
  } else if (s.phase == Phase::Expanding || (s.phase == Phase::Compressing && s.passive)) {
    s.has_target = true;
    s.xi_target = s.plastic ? contact.yield_indentation() : s.xi_end;
  } else if (s.phase == Phase::Compressing && contact.model() == ContactModel::TriStiffness) {
    s.has_target = s.reloading || !s.plastic;
    s.xi_target = contact.yield_indentation();
    if (s.reloading) s.xi_target = s.plastic ? s.xi_max : std::min(s.xi_target, s.xi_max);
  }
}

void ContactPhases::begin_loading(int i, const ContactPoint& at, EventKind kind) {
  ContactState& s = record_[i].state;
  s.phase = Phase::Compressing;
  s.reentering = false;
  s.energy_at_recompression = stored_energy(i, at.xi);
  s.loaded_since = at.time;
  ContactSummary& summary = record_[i].summary;
  if (summary.impacts == 0) summary.first_contact_time = at.time;
  ++summary.impacts;
  ++summary.compressions;
  reengaged_ = reengaged_ || kind == EventKind::Reengagement;
  add(i, at, kind);
}

void ContactPhases::end_load(int i, double time) {
  record_[i].summary.opening_time = time;
  record_[i].summary.duration += time - record_[i].state.loaded_since;
}

double ContactPhases::end_compression(int i, const ContactPoint& at) {
  settle_work(i, at.xi);
  note_force(i, at);
  const bool lost = loses_all(i);
  add(i, at, lost ? EventKind::PlasticLoss : EventKind::CompressionEnd);
  if (lost) {
    end_load(i, at.time);
    record_[i].state.rest_since = at.time;
  }
  const double xi = start_expansion(i, at.xi);
  refresh(i, xi);
  return xi;
}

bool ContactPhases::loses_all(int i) const {
  const ContactLaw& contact = setup_->contact[i];
  // Below 1e-10 the rebound is slower than what counts as motion.
  return contact.model() != ContactModel::TriStiffness && contact.restitution() < 1e-10;
}

/// Expansion from the energy now stored. With e = 0 that energy is lost: the contact rests, empty,
/// and may compress again at once.
double ContactPhases::start_expansion(int i, double xi) {
  ContactState& s = record_[i].state;
  const ContactLaw& contact = setup_->contact[i];
  if (loses_all(i)) {
    s = ContactState{.phase = Phase::Resting, .rest_since = s.rest_since};
    return 0.0;
  }
  s.phase = Phase::Expanding;
  s.reloading = false;
  s.xi_max = std::max(s.xi_max, xi);
  if (contact.model() == ContactModel::MonoStiffness) {
    // E_end = (1 − e²) W_c, with all that is stored or only the last work for W_c.
    const double e = contact.restitution();
    const bool last_work = compression_work_ == Lzb::CompressionWork::LastWork;
    const double W_c = stored_energy(i, xi) - (last_work ? s.energy_at_recompression : 0.0);
    s.xi_end = contact.indentation((1.0 - e * e) * W_c);
  }
  return xi;
}

double ContactPhases::recompress(int i, const ContactPoint& at) {
  settle_work(i, at.xi);
  ContactState& s = record_[i].state;
  add(i, at, EventKind::Recompression);
  s.phase = Phase::Compressing;
  s.energy_at_recompression = stored_energy(i, at.xi);
  s.reloading = retrace_ && s.yielded && at.xi < s.xi_max;
  ++record_[i].summary.compressions;
  refresh(i, at.xi);
  return at.xi;
}

double ContactPhases::reach_target(int i, const ContactPoint& at) {
  settle_work(i, at.xi);
  const ContactState& s = record_[i].state;
  const ContactLaw& contact = setup_->contact[i];
  if (s.phase == Phase::Open) {  // the tracked gap has closed
    begin_loading(i, {.time = at.time, .xi = 0.0, .P = at.P, .U = at.U}, EventKind::Reengagement);
    refresh(i, 0.0);
    return 0.0;
  }
  const bool ending = s.phase == Phase::Expanding && s.xi_target == s.xi_end && !s.plastic;
  if (ending || (s.phase == Phase::Compressing && s.passive)) {
    const bool closed_out = contact.model() == ContactModel::MonoStiffness && s.xi_end > 0.0;
    return open(i, at, closed_out ? EventKind::ClosedOut : EventKind::Opening);
  }
  return pass_kink(i, at);
}

double ContactPhases::pass_kink(int i, const ContactPoint& at) {
  ContactState& s = record_[i].state;
  const double yield = setup_->contact[i].yield_indentation();
  if (s.phase == Phase::Expanding) {
    s.plastic = false;
  } else {
    if (s.xi_target == yield && !s.plastic) {
      if (!s.yielded) add(i, at, EventKind::Yield);
      s.plastic = s.yielded = true;
    }
    s.reloading = s.reloading && s.xi_target < s.xi_max;
  }
  const double xi = s.xi_target;
  refresh(i, xi);
  return xi;
}

double ContactPhases::open(int i, const ContactPoint& at, EventKind kind) {
  add(i, at, kind);
  end_load(i, at.time);
  record_[i].state = ContactState{.phase = Phase::Open};
  refresh(i, 0.0);
  return 0.0;
}

double ContactPhases::reenter(int i, const ContactPoint& at) {
  settle_work(i, at.xi);
  record_[i].state =
      ContactState{.phase = Phase::Resting, .reentering = true, .rest_since = at.time};
  refresh(i, 0.0);
  return 0.0;
}

void ContactPhases::load_resting(int i, const ContactPoint& at) {
  settle_work(i, at.xi);
  const bool again = record_[i].state.reentering;
  begin_loading(i, {.time = record_[i].state.rest_since, .xi = at.xi, .P = at.P, .U = at.U},
                again ? EventKind::Reengagement : EventKind::Activation);
  refresh(i, at.xi);
}

double ContactPhases::commit_resting(int i, const ContactPoint& at) {
  settle_work(i, at.xi);
  ContactState& s = record_[i].state;
  double xi = at.xi;
  if (at.U < 0.0) {
    load_resting(i, at);
  } else if (xi > setup_->contact[i].spent) {
    // Loaded by a motion too slow to count: let it give back what it has.
    s.loaded_since = at.time;
    xi = start_expansion(i, xi);
  } else {
    xi = start_drifting(i, xi);
  }
  refresh(i, xi);
  return xi;
}

double ContactPhases::start_drifting(int i, double xi) {
  settle_work(i, xi);
  record_[i].state.phase = Phase::Open;
  xi = setup_->tracked_gap ? std::min(xi, 0.0) : 0.0;
  refresh(i, xi);
  return xi;
}

double ContactPhases::come_to_rest(int i, const ContactPoint& at) {
  came_to_rest_ = true;
  settle_work(i, at.xi);
  end_load(i, at.time);
  record_[i].state = ContactState{.phase = Phase::Resting, .rest_since = at.time};
  refresh(i, 0.0);
  return 0.0;
}

void ContactPhases::log_zeno(double time) {
  if (recording_) log_.push_back({.time = time, .contact = -1, .kind = EventKind::ZenoStop});
}

ContactSample ContactPhases::sample(int i, double xi, double P, double U) const {
  const double stored = stored_energy(i, xi);
  return {.impulse = P,
          .force = force(i, xi),
          .indentation = loaded(i) ? std::max(xi, 0.0) : 0.0,
          .stored_energy = stored,
          .dissipated = setup_->contact[i].initial_energy + absorbed_work(i, xi) - stored,
          .gap_rate = U};
}

double ContactPhases::stored_energy(int i, double xi) const {
  const ContactState& s = record_[i].state;
  if (s.phase == Phase::Open) return 0.0;
  const ContactLaw& contact = setup_->contact[i];
  if (retrace_ && s.yielded) {
    // What the unloading slope would give back; the rest was lost while yielding.
    const double force = contact.force(xi, s.plastic);
    return 0.5 * force * force / contact.unloading_stiffness();
  }
  return contact.energy(xi);
}

void ContactPhases::add(int i, const ContactPoint& at, EventKind kind) {
  ++events_;
  if (!recording_) return;
  log_.push_back({.time = at.time,
                  .contact = members_.empty() ? i : members_[i],
                  .kind = kind,
                  .impulse = at.P,
                  .gap_rate = at.U,
                  .stored_energy = stored_energy(i, at.xi),
                  .force = force(i, at.xi)});
}

void ContactPhases::note_force(int i, const ContactPoint& at) {
  const double now = force(i, at.xi);
  if (now > record_[i].summary.maximal_force) {
    record_[i].summary.maximal_force = now;
    record_[i].summary.maximal_force_time = at.time;
  }
}

double ContactPhases::carry_out(int i, bool at_target, const ContactPoint& at) {
  if (at_target) return reach_target(i, at);
  switch ((*this)[i].phase) {
    case Phase::Compressing:
      return end_compression(i, at);
    case Phase::Expanding:
      return recompress(i, at);
    default:
      return reenter(i, at);
  }
}

// ------------------------------------------------------------------------------------------- rules

namespace {

/// Accelerations below it do not decide in which direction a contact moves.
double sure_acceleration(const ImpactSetup& setup) {
  return 1e-9 * setup.velocity_scale / setup.time_scale;
}

/// How near a contact is to the kink of the tri-stiffness law, 1 being there.
double yielding(const ContactLaw& contact, double xi) {
  return contact.model() == ContactModel::TriStiffness ? xi / contact.yield_indentation() : 0.0;
}

/// ½ m_i U²
double kinetic_energy(const ImpactContact& contact, double U) {
  return 0.5 * contact.effective_mass * U * U;
}

}  // namespace

bool finished(const ImpactInstant& now) {
  for (int i = 0; i < now.setup.m; ++i) {
    const Phase phase = now.phases[i].phase;
    if (phase == Phase::Compressing || phase == Phase::Expanding) return false;
    if (!(now.U[i] >= -now.setup.motion)) return false;  // also when not a number
  }
  return true;
}

bool collapsed(const ImpactInstant& now, double collapse_velocity) {
  if (now.phases.events() <= 10) return false;
  const double slow = collapse_velocity * now.setup.velocity_scale;
  const double little = collapse_velocity * collapse_velocity * now.setup.energy_scale;
  for (int i = 0; i < now.setup.m; ++i) {
    if (!(std::abs(now.U[i]) < slow)) return false;
    if (!(now.phases.stored_energy(i, now.xi[i]) < little)) return false;
  }
  return true;
}

bool balanced(const ImpactInstant& now) {
  bool loaded = false;
  const double sure = sure_acceleration(now.setup);
  for (int i = 0; i < now.setup.m; ++i) {
    if (!(std::abs(now.U[i]) <= now.setup.noise && std::abs(now.a[i]) <= sure)) return false;
    loaded = loaded || (now.phases.loaded(i) && now.xi[i] > now.setup.contact[i].spent);
  }
  return loaded;
}

const char* limit_reached(const Lzb& law, long steps, long events) {
  if (steps >= law.max_steps) return "the limit law.max_steps ended the run";
  if (events >= law.max_events) return "the limit law.max_events ended the run";
  return nullptr;
}

bool settle(const ImpactInstant& now) {
  const ImpactSetup& setup = now.setup;
  ContactPhases& phases = now.phases;
  bool changed = false;
  const double still = 10.0 * setup.noise;
  const double sure = sure_acceleration(setup);
  for (int i = 0; i < setup.m; ++i) {
    const ContactState& s = phases[i];
    if (s.phase == Phase::Resting && std::abs(now.U[i]) > setup.motion) {
      now.xi[i] = phases.commit_resting(i, now.point(i));
      changed = true;
      continue;
    }
    // A precompressed contact with e = 0 has nothing to expand with, whatever its gap rate.
    const bool lost = s.phase == Phase::Expanding && phases.loses_all(i);
    if (std::abs(now.U[i]) > still && !lost) continue;
    // Separating counts as an acceleration apart, approaching as one together.
    const double a = std::abs(now.U[i]) > still ? std::copysign(2.0 * sure, now.U[i]) : now.a[i];
    if ((s.phase == Phase::Compressing && a > sure) || (lost && !(a < -sure))) {
      now.xi[i] = phases.end_compression(i, now.point(i));
    } else if (s.phase == Phase::Expanding && a < -sure) {
      now.xi[i] = phases.recompress(i, now.point(i));
    } else if (s.phase == Phase::Open && !setup.tracked_gap && a < -sure) {
      now.xi[i] = phases.reenter(i, now.point(i));
    } else if (s.phase == Phase::Resting && a < -sure) {
      phases.keep_resting(i, now.time);
      phases.load_resting(i, now.point(i));
    } else if (s.phase == Phase::Resting && a > sure && setup.tracked_gap &&
               now.xi[i] <= setup.contact[i].spent) {
      now.xi[i] = phases.start_drifting(i, now.xi[i]);
    } else {
      continue;
    }
    changed = true;
  }
  return changed;
}

bool follow_magnitudes(const ImpactInstant& now) {
  const ImpactSetup& setup = now.setup;
  ContactPhases& phases = now.phases;
  bool changed = false;
  const double slow = std::max(sure_acceleration(setup), setup.rest / setup.time_scale);
  for (int i = 0; i < setup.m; ++i) {
    const ContactState& s = phases[i];
    const ImpactContact& contact = setup.contact[i];
    const double U = now.U[i];
    double& xi = now.xi[i];
    if (s.phase == Phase::Resting) {
      if (!setup.tracked_gap) xi = std::max(xi, 0.0);
      if (xi < -contact.spent) {
        xi = phases.start_drifting(i, xi);
        changed = true;
        continue;
      }
      const bool still = std::abs(U) <= setup.motion &&
                         contact.energy(xi) <= kinetic_energy(contact, setup.motion);
      if (still && yielding(contact, xi) < 0.25) {
        if (U >= -setup.drive && (xi <= contact.spent || setup.resolves_by_tolerance())) {
          phases.keep_resting(i, now.time);
          if (setup.resolves_by_tolerance()) xi = 0.0;
        }
        continue;
      }
      xi = phases.commit_resting(i, now.point(i));
      changed = changed || U > 0.0;
    } else if (s.phase == Phase::Expanding && s.xi_target == 0.0 && xi <= contact.empty &&
               U > setup.rest) {
      xi = phases.reach_target(i, now.point(i));
      changed = true;
    } else if (s.phase != Phase::Open && std::abs(U) <= setup.rest && std::abs(now.a[i]) <= slow &&
               contact.energy(xi) <= kinetic_energy(contact, setup.rest)) {
      xi = phases.come_to_rest(i, now.point(i));
      changed = true;
    }
  }
  return changed;
}

int starting_radical(const ImpactInstant& now) {
  int k = 1;
  for (int i = 0; i < now.setup.m; ++i) {
    // A contact driven together from rest starts with ξ ~ τ², which is smooth enough.
    const bool starting = now.phases[i].phase == Phase::Compressing && now.U[i] < -now.setup.motion;
    const ImpactContact& contact = now.setup.contact[i];
    if (starting && now.xi[i] <= contact.spent) k = std::max(k, contact.radical());
  }
  return k;
}

bool missed_its_phase(const ImpactSetup& setup, const ContactPhases& phases, int i, double xi,
                      double U, bool acts) {
  if (phases[i].phase != Phase::Resting) return false;
  const ImpactContact& contact = setup.contact[i];
  if (yielding(contact, xi) > 0.5) return true;
  return (acts || U > setup.motion) &&
         contact.energy(xi) > kinetic_energy(contact, 30.0 * setup.motion);
}

void open_together(const ImpactInstant& now, int i) {
  for (int j = 0; j < now.setup.m; ++j) {
    const ContactState& s = now.phases[j];
    const bool opening = s.phase == Phase::Expanding && s.has_target && s.xi_target == 0.0 &&
                         now.xi[j] <= now.setup.contact[j].spent;
    if (j == i || opening) now.xi[j] = now.phases.reach_target(j, now.point(j));
  }
}

Opening next_opening(const ImpactInstant& now) {
  Opening first{.time_left = std::numeric_limits<double>::infinity()};
  for (int i = 0; i < now.setup.m; ++i) {
    const ContactState& s = now.phases[i];
    if (s.phase != Phase::Expanding || s.xi_target != 0.0 || now.U[i] <= 0.0) continue;
    if (!now.setup.contact[i].singular() || now.xi[i] <= 0.0) continue;
    // ξ − rate t − ½ change t² = 0
    const double rate = s.gain * now.U[i];
    const double change = s.gain * now.a[i];
    const double discriminant = rate * rate + 2.0 * change * now.xi[i];
    if (discriminant < 0.0) continue;
    const double time = 2.0 * now.xi[i] / (rate + std::sqrt(discriminant));
    if (time < first.time_left) {
      first = {.contact = i, .time_left = time, .growth = std::sqrt(discriminant) / rate};
    }
  }
  return first;
}

double limit_blind_step(double dt, const ImpactInstant& now, double blind) {
  for (int i = 0; i < now.setup.m; ++i) {
    const Phase phase = now.phases[i].phase;
    const ImpactContact& contact = now.setup.contact[i];
    if (phase != Phase::Compressing && phase != Phase::Expanding) continue;
    if (std::abs(now.U[i]) > blind || dt <= 1.5 * contact.fastest) continue;
    const double energy = contact.energy(now.xi[i]) + kinetic_energy(contact, now.U[i]);
    if (energy > kinetic_energy(contact, blind)) continue;
    const double slope = contact.slope(contact.indentation(energy), false);
    if (slope > 0.0) dt = std::min(dt, 1.5 * std::sqrt(contact.effective_mass / slope));
  }
  return dt;
}

}  // namespace percute::laws
