// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

#include <percute/systems/planar_body.hpp>

namespace percute::io {

namespace {

using systems::BodyPoint;
using systems::PlanarBody;

std::vector<BodyPoint> read_body_points(const Value& list) {
  require_few(list, "point");
  std::vector<BodyPoint> points;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Table table(list[i], std::array<std::string_view, 3>{"at", "normal", "name"});
    BodyPoint point{.at = read_point(table.required("at"))};
    if (const auto normal = table.find("normal")) point.normal = read_point(*normal);
    if (const auto name = table.find("name")) point.name = name->string();
    points.push_back(std::move(point));
  }
  return points;
}

PlanarBody read_system(const Value& value) {
  constexpr std::array<std::string_view, 6> kKeys{"kind",    "name",   "mass",
                                                  "inertia", "points", "angle_deg"};
  const Table table(value, kKeys);
  PlanarBody body;
  if (const auto name = table.find("name")) body.name = name->string();
  body.mass = table.required("mass").number();
  body.inertia = table.required("inertia").number();
  body.points = read_body_points(table.required("points"));
  body.angle = radians(table.number("angle_deg", 0.0));
  return body;
}

}  // namespace

SystemAtContact read_planar_body(const Value& system, const Value& start) {
  const PlanarBody body = read_system(system);
  validate(body);
  const Table table(start, std::array<std::string_view, 1>{"velocity"});
  return touching(body, body.at_contact(Eigen::Vector3d(
                            read_numbers(table.required("velocity"), 3, "[vx, vy, omega]"))));
}

}  // namespace percute::io
