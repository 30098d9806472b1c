// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

using systems::BodyPoint;
using systems::PlanarBody;

namespace {

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

}  // namespace

systems::PlanarBody build_planar_body(const Value& system) {
  constexpr std::array<std::string_view, 9> kKeys{
      "kind", "name", "mass", "inertia", "points", "angle_deg", "position", "gravity", "base"};
  const Table table(system, kKeys);
  PlanarBody body;
  if (const auto name = table.find("name")) body.name = name->string();
  body.mass = table.required("mass").number();
  body.inertia = table.required("inertia").number();
  body.points = read_body_points(table.required("points"));
  body.angle = radians(table.number("angle_deg", 0.0));
  if (const auto position = table.find("position")) body.position = read_point(*position);
  body.gravity = table.number("gravity", 0.0);
  if (const auto base = table.find("base")) body.base = read_planar_base(*base);
  validate(body);
  return body;
}

SystemAtContact read_planar_body(const Value& system, const Value& start) {
  const PlanarBody body = build_planar_body(system);
  const Table table(start, std::array<std::string_view, 1>{"velocity"});
  return touching(body, body.at_contact(Eigen::Vector3d(
                            read_numbers(table.required("velocity"), 3, "[vx, vy, omega]"))));
}

}  // namespace percute::io
