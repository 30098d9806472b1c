// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace percute {

/// What can happen to a contact during an impact.
enum class EventKind {
  Activation,      ///< a contact starts to compress for the first time, or again after rest
  CompressionEnd,  ///< gap rate 0, from approach to separation
  Recompression,   ///< gap rate 0, from separation to approach, force still acting
  Opening,         ///< stored energy is spent: the contact lets go
  ClosedOut,       ///< mono-stiffness: the rest of the energy is discarded
  PlasticLoss,     ///< restitution 0: the stored energy is lost at the end of compression
  Reengagement,    ///< an open contact is driven together again
  Yield,           ///< tri-stiffness: passes the yield indentation while loading
  PrimaryChange,   ///< impulse form: another contact has become the primary one
  ZenoStop,        ///< the collapse rule ended the run
  Sticking,        ///< sliding has stopped, and friction holds the contact
  Sliding,         ///< a contact that did not slide begins to
};

/// In files.
constexpr Names<EventKind, 12> names(EventKind) {
  return {{{"activation", EventKind::Activation},
           {"compression_end", EventKind::CompressionEnd},
           {"recompression", EventKind::Recompression},
           {"opening", EventKind::Opening},
           {"closed_out", EventKind::ClosedOut},
           {"plastic_loss", EventKind::PlasticLoss},
           {"re_engagement", EventKind::Reengagement},
           {"yield", EventKind::Yield},
           {"primary_change", EventKind::PrimaryChange},
           {"zeno_stop", EventKind::ZenoStop},
           {"sticking", EventKind::Sticking},
           {"sliding", EventKind::Sliding}}};
}

struct ImpactEvent {
  double time = 0.0;  ///< pseudo-time τ, s if stiffnesses are physical
  int contact = 0;    ///< -1 when it concerns all contacts
  EventKind kind = EventKind::Activation;
  double impulse = 0.0;        ///< of that contact, N s
  double gap_rate = 0.0;       ///< m/s
  double stored_energy = 0.0;  ///< just before the event, J
  double force = 0.0;          ///< just before the event, N
};

/// Evolution inside the impact. Column k of each matrix, and entry k of each vector, is one sample;
/// an event that makes the state jump appears twice, before and after.
struct ImpactHistory {
  Vector time;                ///< pseudo-time τ of each sample
  Matrix impulse;             ///< m × samples, P_i, N s
  Matrix tangential_impulse;  ///< Σ d_i × samples, contact by contact; empty without friction
  Matrix force;               ///< m × samples, λ_i, N
  Matrix indentation;         ///< m × samples, ξ_i, m
  Matrix stored_energy;       ///< m × samples, E_i, J
  Matrix dissipated;          ///< m × samples, D_i, J
  Matrix gap_rate;            ///< m × samples, U_i, m/s
  Matrix velocity;            ///< n × samples, v, m/s
  Vector kinetic_energy;      ///< T of each sample, J
  Vector total_impulse;       ///< Σ_i P_i, N s
  std::vector<int> primary;   ///< contact with the largest stored energy; -1 if none is loaded
  std::vector<ImpactEvent> events;

  bool empty() const { return time.size() == 0; }
};

/// One instant of a contact.
struct ContactSample {
  double impulse = 0.0;
  double force = 0.0;
  double indentation = 0.0;
  double stored_energy = 0.0;
  double dissipated = 0.0;
  double gap_rate = 0.0;
  std::array<double, 2> tangential_impulse = {};
};

/// What to keep of the evolution.
struct Recording {
  int every = 1;                   ///< keep every k-th accepted step; 0: events and `times` only
  std::vector<double> times = {};  ///< ascending extra instants τ (Euler: next step after)
  /// If given, samples of all contacts go here, and the history keeps events alone: for impacts
  /// whose samples would take too much memory. Inside a step they may come out of the order of
  /// time; one without contacts says that a run begins (a law may start again).
  std::function<void(double time, std::span<const ContactSample> contacts)> watch = {};
};

}  // namespace percute
