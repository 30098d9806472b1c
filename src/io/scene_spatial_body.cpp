// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

#include <percute/systems/spatial_body.hpp>

namespace percute::io {

namespace {

using systems::SpatialBody;
using systems::SpatialPoint;

std::vector<SpatialPoint> read_body_points(const Value& list) {
  require_few(list, "point");
  std::vector<SpatialPoint> points;
  points.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Table table(list[i], std::array<std::string_view, 3>{"at", "normal", "name"});
    SpatialPoint point{.at = read_vector(table.required("at"))};
    if (const auto normal = table.find("normal")) point.normal = read_vector(*normal);
    if (const auto name = table.find("name")) point.name = name->string();
    points.push_back(std::move(point));
  }
  return points;
}

/// Principal moments about the axes of the body, or all of the tensor.
Eigen::Matrix3d read_inertia(const Value& value) {
  if (value.size() == 3 && value[0].node().as<Node::Array>() == nullptr) {
    return read_vector(value).asDiagonal();
  }
  const Vector rows = read_rows(value, 3, 3, "axis", "[x, y, z]");
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows.data());
}

/// A uniform block stands on its lower corners, unless other points are given.
SpatialBody read_box(const Table& table) {
  SpatialBody body = systems::block_on_corners(read_vector(table.required("box")),
                                               table.required("mass").number());
  if (table.has("inertia")) table.fail("inertia", "is given by 'box'; leave out one of the two");
  if (const auto points = table.find("points")) body.points = read_body_points(*points);
  return body;
}

SpatialBody read_system(const Value& value) {
  constexpr std::array<std::string_view, 7> kKeys{"kind",   "name", "mass",        "inertia",
                                                  "points", "box",  "rotation_deg"};
  const Table table(value, kKeys);
  SpatialBody body;
  if (table.has("box")) {
    body = read_box(table);
  } else {
    body.mass = table.required("mass").number();
    body.inertia = read_inertia(table.required("inertia"));
    body.points = read_body_points(table.required("points"));
  }
  if (const auto name = table.find("name")) body.name = name->string();
  if (const auto rotation = table.find("rotation_deg")) {
    for (Eigen::Index k = 0; k < 3; ++k) body.rotation[k] = radians(read_vector(*rotation)[k]);
  }
  return body;
}

}  // namespace

SystemAtContact read_spatial_body(const Value& system, const Value& start) {
  const SpatialBody body = read_system(system);
  validate(body);
  const Table table(start, std::array<std::string_view, 1>{"velocity"});
  return touching(body, body.at_contact(read_numbers(table.required("velocity"), 6,
                                                     "[vx, vy, vz, wx, wy, wz]")));
}

}  // namespace percute::io
