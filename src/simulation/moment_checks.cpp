// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/moment_checks.hpp"

#include "model/text.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace percute::simulation {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw InvalidInput("start." + path, reason);
}

template <class List>
void require_size(const std::string& path, const List& list, int right, const char* of) {
  if (static_cast<int>(list.size()) == right) return;
  refuse(path, "must have " + std::to_string(right) + (right == 1 ? " entry" : " entries") +
                   ", one per " + of + ", got " + std::to_string(list.size()));
}

void require_finite(const std::string& path, double value) {
  if (!std::isfinite(value)) refuse(path, "must be a finite number, got " + text(value));
}

/// Numbers of something each coordinate has.
void require_coordinates(const std::string& path, const Vector& values, int n) {
  require_size(path, values, n, "coordinate");
  for (Eigen::Index i = 0; i < n; ++i) {
    require_finite(path + "[" + std::to_string(i) + "]", values[i]);
  }
}

void require_contacts(const std::string& path, const std::vector<int>& list, int m) {
  for (const int i : list) {
    if (i >= 0 && i < m) continue;
    refuse(path, std::to_string(i) + " is not a contact; there are " + std::to_string(m));
  }
}

/// What methods remember has the sizes of the system: n coordinates, m contacts.
struct Sizes {
  int n;
  int m;
  int held;  ///< contacts

  void operator()(const std::monostate& /*start*/) const {}
  void operator()(const EventDrivenMemory& memory) const {
    require_size("memory.origin", memory.origin, n, "coordinate");
    require_size("memory.reach", memory.reach, n, "coordinate");
    require_size("memory.depth", memory.depth, m, "contact");
    require_size("memory.widest", memory.widest, m, "contact");
    require_size("memory.accumulation.alone", memory.accumulation.alone, m, "contact");
  }
  void operator()(const NewmarkMemory& memory) const {
    require_size("memory.acceleration", memory.acceleration, n, "coordinate");
    require_size("memory.force", memory.force, held, "held contact");
  }
  void operator()(const PaoliSchatzmanMemory& memory) const {
    require_size("memory.previous_position", memory.previous_position, n, "coordinate");
    require_contacts("memory.active", memory.active, m);
  }
  void operator()(const MoreauJeanMemory& memory) const {
    require_size("memory.restitution", memory.restitution, m, "contact");
  }
  void operator()(const CompliantMemory& memory) const {
    require_size("memory.forces", memory.forces, m, "contact");
    require_size("memory.phases", memory.phases, m, "contact");
    require_size("memory.friction.modes", memory.friction.modes, m, "contact");
  }
};

}  // namespace

void validate(const Moment& start, const systems::AnySystem& system) {
  const int n = system.coordinates();
  const int m = system.contacts();
  require_finite("time", start.time);
  require_coordinates("position", start.state.position, n);
  require_coordinates("velocity", start.state.velocity, n);
  require_contacts("held", start.held, m);
  require_contacts("sticking", start.sticking, m);
  std::visit(Sizes{.n = n, .m = m, .held = static_cast<int>(start.held.size())}, start.memory);
}

}  // namespace percute::simulation
