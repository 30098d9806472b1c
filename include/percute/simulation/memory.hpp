// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/contact_memory.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <cstddef>
#include <limits>
#include <variant>
#include <vector>

namespace percute::simulation {

/// Impacts that follow each other faster and faster, as EventDriven remembers them.
struct AccumulationMemory {
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kMostImpacts = 16;  ///< remembered: turns of up to 8

  struct Impact {
    double time = 0.0;               ///< s
    std::vector<int> contacts = {};  ///< those that approached
    double flight = kNever;          ///< until the next, as foreseen, s; infinite: not known
  };
  /// Bounces that are left out: their contacts are held closed already.
  struct Ending {
    double time = 0.0;               ///< when infinitely many are over, s
    std::vector<int> contacts = {};  ///< ascending
    double lost = 0.0;               ///< energy of those that are left out, J
  };
  /// One contact, as if it bounced by itself.
  struct Alone {
    double approach = 0.0;  ///< of its last impact, m/s
    double ratio = 0.0;     ///< over that of the one before; 0 if there was none
    double end = kNever;    ///< when its bounces are over, as foreseen, s
    double slow = 0.0;      ///< rebounds in a row that could have been cut off
  };

  std::vector<Impact> impacts = {};  ///< the last ones, in the order of time
  std::vector<Ending> endings = {};  ///< under way
  std::vector<Alone> alone = {};     ///< one per contact
  double in_turns = kNever;          ///< end of those that take turns, as foreseen, s
  double followed = kNever;          ///< the same, followed impact by impact
};

/// What EventDriven remembers.
struct EventDrivenMemory {
  double energy = 0.0;            ///< largest kinetic energy so far, J
  double sliding_speed = 0.0;     ///< unit of what is taken as no sliding, m/s
  bool law_has_friction = false;  ///< as far as its impacts have told
  Vector origin = {};             ///< positions that distances count from
  Vector reach = {};              ///< largest distance of each coordinate
  Vector depth = {};              ///< rounding of each gap, m
  Vector widest = {};             ///< how far each contact was open since it was closed, m
  AccumulationMemory accumulation = {};
};

/// What Newmark remembers.
struct NewmarkMemory {
  Vector acceleration = {};  ///< as it was solved for
  Vector force = {};         ///< of the held contacts, N
};

/// What PaoliSchatzman remembers.
struct PaoliSchatzmanMemory {
  Vector previous_position = {};  ///< q one step earlier
  std::vector<int> active = {};   ///< contacts with an impulse in the last step
};

/// What MoreauJean remembers.
struct MoreauJeanMemory {
  Vector restitution = {};  ///< that the law has for each contact; −1: not known yet
};

/// What CompliantMotion remembers.
struct CompliantMemory {
  /// The force of a contact.
  struct Force {
    ContactMemory::Mode mode = ContactMemory::Mode::Apart;
    bool compressing = false;     ///< the indentation grows
    double effective_mass = 0.0;  ///< kg
    ContactMemory curve = {};
  };
  /// The contact since it closed.
  struct Phase {
    double start = 0.0;    ///< s
    double impulse = 0.0;  ///< of the contact when it closed, N s
    double lost = 0.0;     ///< energy it had lost when it closed, J
    double time = 0.0;     ///< scale of its duration, s
    double work = 0.0;     ///< done on it until now, J
  };
  double speed = 0.0;              ///< scale of velocities of the bodies, m/s
  double approach = 0.0;           ///< fastest closing so far, m/s
  double fastest = 0.0;            ///< of all contact velocities so far, m/s
  double unit_time = 0.0;          ///< scales of the integration
  double unit_speed = 0.0;         ///<
  bool restarted = false;          ///< the next step is the first after an event
  double smooth_until = 0.0;       ///< gaps are, as far as was looked, s
  std::vector<Force> forces = {};  ///< one per contact
  std::vector<Phase> phases = {};  ///< likewise
  FrictionMemory friction = {};
};

/// What a method remembers; nothing at a start.
using Memory = std::variant<std::monostate, EventDrivenMemory, NewmarkMemory, PaoliSchatzmanMemory,
                            MoreauJeanMemory, CompliantMemory>;

}  // namespace percute::simulation
