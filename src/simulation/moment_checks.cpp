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
  const auto size = static_cast<int>(list.size());
  if (size == right) return;
  refuse(path, "must have " + std::to_string(right) + (right == 1 ? " entry" : " entries") +
                   ", one per " + of + ", got " + std::to_string(size));
}

void require_number(const std::string& path, double x) {
  if (!std::isfinite(x)) refuse(path, "must be a finite number, got " + text(x));
}

void require_numbers(const std::string& path, const Vector& numbers, int coordinates) {
  require_size(path, numbers, coordinates, "coordinate");
  for (Eigen::Index k = 0; k < numbers.size(); ++k) {
    require_number(path + "[" + std::to_string(k) + "]", numbers[k]);
  }
}

/// Contacts of a system that has so many, each once.
void require_contacts(const std::string& path, const std::vector<int>& list, int contacts) {
  for (auto one = list.begin(); one != list.end(); ++one) {
    if (*one < 0 || *one >= contacts) {
      refuse(path,
             std::to_string(*one) + " is not a contact; there are " + std::to_string(contacts));
    }
    if (std::find(list.begin(), one, *one) != one) {
      refuse(path, "has contact " + std::to_string(*one) + " twice");
    }
  }
}

/// What a method remembers of a system with n coordinates and m contacts.
struct Sizes {
  const Moment& start;
  int n;
  int m;

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
    require_size("memory.force", memory.force, static_cast<int>(start.held.size()), "held contact");
  }
  void operator()(const PaoliSchatzmanMemory& memory) const {
    require_size("memory.previous_position", memory.previous_position, n, "coordinate");
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
  require_number("time", start.time);
  require_numbers("position", start.state.position, system.coordinates());
  require_numbers("velocity", start.state.velocity, system.coordinates());
  require_contacts("held", start.held, system.contacts());
  std::visit(Sizes{.start = start, .n = system.coordinates(), .m = system.contacts()},
             start.memory);
}

}  // namespace percute::simulation
