// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/model/state.hpp>
#include <percute/systems/any_system.hpp>

#include <Eigen/Geometry>

#include <concepts>
#include <string>
#include <vector>

namespace percute::systems {

// What the systems ask of their fields. Each function throws InvalidInput that names the field.

void require_positive(double value, const std::string& field);
void require_positive(const std::vector<double>& values, const std::string& field);
void require_not_negative(double value, const std::string& field);
void require_finite(double value, const std::string& field);
void require_finite(const Vector& values, const std::string& field);
/// A point of the plane or of space: all numbers are finite.
void require_finite(const Point& point, const std::string& field);
void require_finite(const Eigen::Vector3d& point, const std::string& field);
/// A vector of the plane or of space that has a direction.
template <class Arrow>
void require_direction(const Arrow& vector, const std::string& field) {
  require_finite(vector, field);
  if (vector.isZero(0.0)) throw InvalidInput(field, "is zero; it must have a direction");
}

/// `size` entries where `expected` are needed, one per `per` ("ball").
void require_size(std::size_t size, std::size_t expected, const std::string& field,
                  const std::string& per);

/// A list with one value per ball, or none at all: then `one` is the value of each.
void require_each(const std::vector<double>& list, double one, std::size_t balls,
                  const std::string& list_field, const std::string& one_field);

/// Names that are all there and all different; an empty list stands for "ball 1", "ball 2", …
void require_names(const std::vector<std::string>& names, std::size_t balls,
                   const std::string& per = "ball");

/// Numbers that are all finite, one per `per`.
void require_numbers(const Vector& values, std::integral auto expected, const std::string& field,
                     const std::string& per) {
  require_size(static_cast<std::size_t>(values.size()), static_cast<std::size_t>(expected), field,
               per);
  require_finite(values, field);
}

/// Positions and velocities, finite, `coordinates` of each.
void require_state(const State& state, std::size_t coordinates);

/// Materials, one per `per`, or none at all.
void require_materials(const std::vector<Material>& materials, std::integral auto contacts,
                       const std::string& per = "contact") {
  if (materials.empty()) return;
  require_size(materials.size(), static_cast<std::size_t>(contacts), "materials", per);
}

/// What ball or contact i has: its entry of the list, or the common one.
template <class T>
const T& each(const std::vector<T>& list, const T& one, std::integral auto i) {
  return list.empty() ? one : list[static_cast<std::size_t>(i)];
}

/// name(0), name(1), … of as many contacts or bodies as there are.
template <class Name>
std::vector<std::string> all_names(std::integral auto count, Name name) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < static_cast<int>(count); ++i) names.push_back(name(i));
  return names;
}

/// Names of all contact points of a body.
template <class BodyPoint>
std::vector<std::string> point_names(const std::vector<BodyPoint>& points) {
  return all_names(points.size(), [&](int i) {
    const std::string& name = points[static_cast<std::size_t>(i)].name;
    return name.empty() ? "point " + std::to_string(i + 1) : name;
  });
}

/// Names that are all different. They come from list[i], or from its `member` (".name").
void require_different(const std::vector<std::string>& names, const std::string& list,
                       const std::string& member = ".name", const std::string& per = "contact");

/// The contact points of a body, in the plane or in space: at least one, somewhere, with a normal
/// and names that are all different.
template <class BodyPoint>
void require_points(const std::vector<BodyPoint>& points) {
  if (points.empty()) throw InvalidInput("points", "is empty; a body touches at one at least");
  require_different(point_names(points), "points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string entry = "points[" + std::to_string(i) + "]";
    require_finite(points[i].at, entry + ".at");
    require_direction(points[i].normal, entry + ".normal");
  }
}

/// Bodies with these coordinate axes (one name for each coordinate; none: one coordinate each) and
/// units of velocities (none: m/s).
std::vector<Body> named_bodies(const std::vector<std::string>& names, std::size_t balls,
                               const std::vector<std::string>& axes = {},
                               const std::vector<std::string>& units = {});

/// Rigid bodies, three coordinates each in the plane (x, y, angle), six in space (x, y, z and the
/// rotations about them).
std::vector<Body> rigid_bodies(const std::vector<std::string>& names, bool planar);

/// Bodies that turn about an axis, one angle each: "rod 1", "rod 2", …
std::vector<Body> angle_bodies(const std::string& stem, int count);

/// How a ball is called in the name of a contact: "3" for the third one or for a name "ball 3" or
/// "bead 3".
std::string short_name(const std::vector<std::string>& names, std::size_t ball);

// Rigid motion, in the plane and in space.

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// a × b in the plane.
inline double cross(const Point& a, const Point& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// What the velocity of a point along d is made of: d · (v + ω × s) = (d, s × d) · (v, ω), with s
/// the place of the point from the centre of mass.
inline Eigen::Vector3d velocity_row(const Point& s, const Point& d) {
  return {d.x(), d.y(), cross(s, d)};
}
inline Vector6 velocity_row(const Eigen::Vector3d& s, const Eigen::Vector3d& d) {
  Vector6 row;
  row << d, s.cross(d);
  return row;
}

/// Two directions of the plane that has the unit normal n, (t₁, t₂, n) right-handed: t₁ is the
/// projection of the axis that n is least along, of several the first. For n = z they are x, y.
inline Eigen::Matrix<double, 3, 2> tangents_of(const Eigen::Vector3d& n) {
  Eigen::Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  const Eigen::Vector3d e = Eigen::Vector3d::Unit(axis);
  const Eigen::Vector3d first = (e - n.dot(e) * n).normalized();
  Eigen::Matrix<double, 3, 2> tangents;
  tangents << first, n.cross(first);
  return tangents;
}

}  // namespace percute::systems
