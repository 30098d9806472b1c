// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/phase_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

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
