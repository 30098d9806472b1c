// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>

#include <cmath>
#include <string_view>
#include <unordered_map>

namespace percute::systems {

namespace {

std::string entry(const std::string& field, std::size_t i) {
  return field + "[" + std::to_string(i) + "]";
}

std::string default_name(std::size_t ball) {
  return "ball " + std::to_string(ball + 1);
}

}  // namespace

void require_positive(double value, const std::string& field) {
  require(std::isfinite(value) && value > 0.0, field, value, "a finite number > 0");
}

void require_positive(const std::vector<double>& values, const std::string& field) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(std::isfinite(values[i]) && values[i] > 0.0))
      require_positive(values[i], entry(field, i));
  }
}

void require_not_negative(double value, const std::string& field) {
  require(std::isfinite(value) && value >= 0.0, field, value, "a finite number >= 0");
}

void require_finite(double value, const std::string& field) {
  if (!std::isfinite(value)) throw InvalidInput(field, text(value) + " is not finite");
}

void require_finite(const Vector& values, const std::string& field) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(values.size()); ++i) {
    const double value = values[static_cast<Eigen::Index>(i)];
    if (!std::isfinite(value)) require_finite(value, entry(field, i));
  }
}

void require_finite(const Point& point, const std::string& field) {
  if (!point.allFinite()) {
    throw InvalidInput(field, "(" + text(point.x()) + ", " + text(point.y()) + ") is not finite");
  }
}

void require_finite(const Eigen::Vector3d& point, const std::string& field) {
  require_finite(Vector(point), field);
}

void require_size(std::size_t size, std::size_t expected, const std::string& field,
                  const std::string& per) {
  if (size != expected) {
    throw InvalidInput(field, "has " + std::to_string(size) + " entries; the system needs " +
                                  std::to_string(expected) + ", one per " + per);
  }
}

void require_each(const std::vector<double>& list, double one, std::size_t balls,
                  const std::string& list_field, const std::string& one_field) {
  if (list.empty()) {
    require_positive(one, one_field);
  } else {
    require_size(list.size(), balls, list_field, "ball");
    require_positive(list, list_field);
  }
}

void require_names(const std::vector<std::string>& names, std::size_t balls,
                   const std::string& per) {
  if (names.empty()) return;
  require_size(names.size(), balls, "names", per);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) throw InvalidInput(entry("names", i), "is empty");
  }
  require_different(names, "names", "", per);
}

void require_different(const std::vector<std::string>& names, const std::string& list,
                       const std::string& member, const std::string& per) {
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [other, fresh] = seen.emplace(names[i], i);
    if (!fresh) {
      throw InvalidInput(entry(list, i) + member, std::string("is the same as ") +
                                                      (member.empty() ? "" : "that of ") +
                                                      entry(list, other->second) + "; every " +
                                                      per + " needs a name of its own");
    }
  }
}

void require_state(const State& state, std::size_t coordinates) {
  require_numbers(state.position, coordinates, "position", "coordinate");
  require_numbers(state.velocity, coordinates, "velocity", "coordinate");
}

std::vector<Body> named_bodies(const std::vector<std::string>& names, std::size_t balls,
                               const std::vector<std::string>& axes,
                               const std::vector<std::string>& units) {
  const std::size_t dimension = axes.empty() ? 1 : axes.size();
  std::vector<Body> bodies(balls);
  for (std::size_t i = 0; i < balls; ++i) {
    bodies[i] = {.name = names.empty() ? default_name(i) : names[i],
                 .coordinates = {},
                 .axes = axes,
                 .units = units};
    for (std::size_t k = 0; k < dimension; ++k) {
      bodies[i].coordinates.push_back(static_cast<int>(dimension * i + k));
    }
  }
  return bodies;
}

std::vector<Body> rigid_bodies(const std::vector<std::string>& names, bool planar) {
  if (planar) {
    return named_bodies(names, names.size(), {"x", "y", "angle"}, {"m/s", "m/s", "rad/s"});
  }
  return named_bodies(names, names.size(), {"x", "y", "z", "rx", "ry", "rz"},
                      {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"});
}

std::vector<Body> angle_bodies(const std::string& stem, int count) {
  const auto names = all_names(count, [&](int i) { return stem + std::to_string(i + 1); });
  return named_bodies(names, names.size(), {"angle"}, {"rad/s"});
}

std::string short_name(const std::vector<std::string>& names, std::size_t ball) {
  if (names.empty()) return std::to_string(ball + 1);
  const std::string& name = names[ball];
  for (const std::string_view stem : {"ball ", "bead "}) {
    const bool numbered = name.size() > stem.size() && name.starts_with(stem) &&
                          name.find_first_not_of("0123456789", stem.size()) == std::string::npos;
    if (numbered) return name.substr(stem.size());
  }
  return name;
}

}  // namespace percute::systems
