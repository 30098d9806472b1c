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

}  // namespace

bool finished(const ImpactSetup& setup, const ContactPhases& phases, const ImpactInstant& now) {
  for (int i = 0; i < setup.m; ++i) {
    const Phase phase = phases[i].phase;
    if (phase == Phase::Compressing || phase == Phase::Expanding) return false;
    if (!(now.U[i] >= -setup.motion)) return false;  // also when not a number
  }
  return true;
}

bool collapsed(const ImpactSetup& setup, const ContactPhases& phases, const ImpactInstant& now,
               double collapse_velocity) {
  if (phases.events() <= 10) return false;
  const double slow = collapse_velocity * setup.velocity_scale;
  const double little = collapse_velocity * collapse_velocity * setup.energy_scale;
  for (int i = 0; i < setup.m; ++i) {
    if (!(std::abs(now.U[i]) < slow)) return false;
    if (!(phases.stored_energy(i, now.xi[i]) < little)) return false;
  }
  return true;
}

bool balanced(const ImpactSetup& setup, const ContactPhases& phases, const ImpactInstant& now) {
  bool loaded = false;
  const double sure = sure_acceleration(setup);
  for (int i = 0; i < setup.m; ++i) {
    if (!(std::abs(now.U[i]) <= setup.noise && std::abs(now.a[i]) <= sure)) return false;
    loaded = loaded || (phases.loaded(i) && now.xi[i] > setup.spent[i]);
  }
  return loaded;
}

bool settle(const ImpactSetup& setup, ContactPhases& phases, const ImpactInstant& now) {
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
               now.xi[i] <= setup.spent[i]) {
      now.xi[i] = phases.start_drifting(i, now.xi[i]);
    } else {
      continue;
    }
    changed = true;
  }
  return changed;
}

bool tidy(const ImpactSetup& setup, ContactPhases& phases, const ImpactInstant& now) {
  bool changed = false;
  const double asleep = setup.asleep;
  const double idle = std::max(sure_acceleration(setup), asleep / setup.time_scale);
  for (int i = 0; i < setup.m; ++i) {
    const ContactState& s = phases[i];
    const double U = now.U[i];
    double& xi = now.xi[i];
    if (s.phase == Phase::Resting) {
      const double mass = setup.effective_mass[i];
      const double seen = 0.5 * mass * setup.motion * setup.motion;
      if (!setup.tracked_gap) xi = std::max(xi, 0.0);
      if (xi < -setup.spent[i]) {
        xi = phases.start_drifting(i, xi);
        changed = true;
        continue;
      }
      const bool still = std::abs(U) <= setup.motion && setup.contact[i].energy(xi) <= seen;
      if (still && yielding(setup.contact[i], xi) < 0.25) {
        if (U >= -setup.drive && (xi <= setup.spent[i] || setup.resolves_by_tolerance())) {
          phases.keep_resting(i, now.time);
          if (setup.resolves_by_tolerance()) xi = 0.0;
        }
        continue;
      }
      xi = phases.commit_resting(i, now.point(i));
      changed = changed || U > 0.0;
    } else if (s.phase == Phase::Expanding && s.xi_target == 0.0 && xi <= setup.empty[i] &&
               U > asleep) {
      xi = phases.reach_target(i, now.point(i));
      changed = true;
    } else if (s.phase != Phase::Open && std::abs(U) <= asleep && std::abs(now.a[i]) <= idle &&
               setup.contact[i].energy(xi) <= 0.5 * setup.effective_mass[i] * asleep * asleep) {
      xi = phases.fall_asleep(i, now.point(i));
      changed = true;
    }
  }
  return changed;
}

int starting_radical(const ImpactSetup& setup, const ContactPhases& phases,
                     const ImpactInstant& now) {
  int k = 1;
  for (int i = 0; i < setup.m; ++i) {
    // A contact driven together from rest starts with ξ ~ τ², which is smooth enough.
    const bool starting = phases[i].phase == Phase::Compressing && now.U[i] < -setup.motion;
    if (starting && now.xi[i] <= setup.spent[i]) k = std::max(k, setup.contact[i].radical());
  }
  return k;
}

bool missed_its_phase(const ImpactSetup& setup, const ContactPhases& phases, int i, double xi,
                      double U, bool acts) {
  if (phases[i].phase != Phase::Resting) return false;
  const ContactLaw& contact = setup.contact[i];
  if (yielding(contact, xi) > 0.5) return true;
  const double unseen = 30.0 * setup.motion;
  return (acts || U > setup.motion) &&
         contact.energy(xi) > 0.5 * setup.effective_mass[i] * unseen * unseen;
}

void open_together(const ImpactSetup& setup, ContactPhases& phases, const ImpactInstant& now,
                   int i) {
  for (int j = 0; j < setup.m; ++j) {
    const ContactState& s = phases[j];
    const bool opening = s.phase == Phase::Expanding && s.has_target && s.xi_target == 0.0 &&
                         now.xi[j] <= setup.spent[j];
    if (j == i || opening) now.xi[j] = phases.reach_target(j, now.point(j));
  }
}

Opening next_opening(const ImpactSetup& setup, const ContactPhases& phases,
                     const ImpactInstant& now) {
  Opening first{.time_left = std::numeric_limits<double>::infinity()};
  for (int i = 0; i < setup.m; ++i) {
    const ContactState& s = phases[i];
    if (s.phase != Phase::Expanding || s.xi_target != 0.0 || now.U[i] <= 0.0) continue;
    if (!setup.contact[i].singular() || now.xi[i] <= 0.0) continue;
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

double limit_blind_step(double dt, const ImpactSetup& setup, const ContactPhases& phases,
                        const ImpactInstant& now, double blind) {
  for (int i = 0; i < setup.m; ++i) {
    const Phase phase = phases[i].phase;
    if (phase != Phase::Compressing && phase != Phase::Expanding) continue;
    if (std::abs(now.U[i]) > blind || dt <= 1.5 * setup.fastest[i]) continue;
    const double mass = setup.effective_mass[i];
    const ContactLaw& contact = setup.contact[i];
    const double energy = contact.energy(now.xi[i]) + 0.5 * mass * now.U[i] * now.U[i];
    if (energy > 0.5 * mass * blind * blind) continue;
    const double slope = contact.slope(contact.indentation(energy), false);
    if (slope > 0.0) dt = std::min(dt, 1.5 * std::sqrt(mass / slope));
  }
  return dt;
}

}  // namespace percute::laws
