// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/body_points.hpp"
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/rigid_motion.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/spatial_body.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>

namespace percute::systems {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Rounding of an inertia that was written down, relative to its largest entry.
constexpr double kInertiaRounding = 1e-9;

/// exp of a rotation vector.
Matrix3d rotation_matrix(const Vector3d& vector) {
  const double angle = vector.stableNorm();
  if (angle == 0.0) return Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix();
}

/// R of a state.
Matrix3d orientation(const SpatialBody& body, const State& state) {
  return rotation_matrix(state.position.tail<3>()) * rotation_matrix(body.rotation);
}

std::vector<std::size_t> closed_points(const SpatialBody& body, const State& state) {
  const Vector3d moved = state.position.head<3>() - body.position;
  const Matrix3d turned = orientation(body, state) - rotation_matrix(body.rotation);
  double size = 0.0;
  for (const SpatialPoint& point : body.points) size = std::max(size, point.at.stableNorm());
  std::vector<std::size_t> closed;
  closed.reserve(body.points.size());
  for (std::size_t i = 0; i < body.points.size(); ++i) {
    // h = n · (displacement of the point since contact).
    const SpatialPoint& point = body.points[i];
    const double gap = point.normal.stableNormalized().dot(moved + turned * point.at);
    if (gap <= kTouching * size) closed.push_back(i);
  }
  return closed;
}

ClosedContact contact_of(const SpatialBody& body, std::size_t i, const Matrix3d& R) {
  const Vector3d n = body.points[i].normal.stableNormalized();
  const Vector3d s = R * body.points[i].at;
  const Eigen::Matrix<double, 3, 2> t = tangents_of(n);
  ClosedContact contact{.gradient = velocity_row(s, n),
                        .tangents = Matrix(6, 2),
                        .material = each(body.materials, body.material, i)};
  contact.tangents.col(0) = velocity_row(s, Vector3d(t.col(0)));
  contact.tangents.col(1) = velocity_row(s, Vector3d(t.col(1)));
  return contact;
}

MassMatrix mass_matrix(const SpatialBody& body, const Matrix3d& R) {
  // Both halves of the given tensor count alike, and the turned one is symmetric to the last digit.
  const Matrix3d given = 0.5 * (body.inertia + body.inertia.transpose());
  const Matrix3d turned = R * given * R.transpose();
  const Matrix3d inertia = 0.5 * (turned + turned.transpose());
  const Vector3d principal = inertia.diagonal();
  if (inertia.isDiagonal(0.0)) {
    Vector diagonal(6);
    diagonal << Vector3d::Constant(body.mass), principal;
    return MassMatrix::diagonal(std::move(diagonal));
  }
  Matrix M = Matrix::Zero(6, 6);
  M.diagonal().head<3>().setConstant(body.mass);
  M.bottomRightCorner<3, 3>() = inertia;
  return MassMatrix::dense(M);
}

/// A tensor that some distribution of mass has.
void require_inertia(const Matrix3d& inertia) {
  require_finite(Vector(inertia.reshaped()), "inertia");
  const double scale = inertia.cwiseAbs().maxCoeff();
  if (!((inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= kInertiaRounding * scale)) {
    throw InvalidInput("inertia", "is not symmetric");
  }
  const Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(moments[0] > 0.0)) {
    throw InvalidInput("inertia", "is not positive definite; its smallest principal moment is " +
                                      std::to_string(moments[0]));
  }
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + kInertiaRounding)) {
    throw InvalidInput("inertia",
                       "no body has it: the largest principal moment exceeds the sum of the "
                       "two others");
  }
}

}  // namespace

void validate(const SpatialBody& body) {
  require_positive(body.mass, "mass");
  require_inertia(body.inertia);
  require_points(body.points);
  for (std::size_t i = 0; i < body.points.size(); ++i) {
    require_finite(Vector(body.points[i].at), point_entry(i) + ".at");
    require_direction(body.points[i].normal, point_entry(i) + ".normal");
  }
  require_finite(Vector(body.position), "position");
  require_finite(Vector(body.rotation), "rotation");
  if (!body.materials.empty()) {
    require_size(body.materials.size(), body.points.size(), "materials", "point");
  }
}

State SpatialBody::at_contact(const Vector& velocity) const {
  validate(*this);
  require_size(static_cast<std::size_t>(velocity.size()), 6, "velocity", "coordinate");
  require_finite(velocity, "velocity");
  Vector place = Vector::Zero(6);
  place.head<3>() = position;
  return {.position = std::move(place), .velocity = velocity};
}

ImpactProblem SpatialBody::impact(const State& state) const {
  validate(*this);
  require_state(state, 6, "coordinate");
  const Matrix3d R = orientation(*this, state);
  std::vector<ClosedContact> closed;
  for (const std::size_t i : closed_points(*this, state)) closed.push_back(contact_of(*this, i, R));
  return assemble(mass_matrix(*this, R), state.velocity, closed);
}

std::vector<Body> SpatialBody::bodies() const {
  validate(*this);
  return rigid_bodies({name}, /*planar=*/false);
}

std::vector<std::string> SpatialBody::contact_names(const State& state) const {
  validate(*this);
  require_state(state, 6, "coordinate");
  std::vector<std::string> names;
  for (const std::size_t i : closed_points(*this, state)) names.push_back(point_name(points, i));
  return names;
}

Matrix3d block_inertia(const Vector3d& sides, double mass) {
  const Vector3d squares = sides.cwiseAbs2();
  return (mass / 12.0 * (Vector3d::Constant(squares.sum()) - squares)).asDiagonal();
}

SpatialBody block_on_corners(const Vector3d& sides, double mass) {
  for (Eigen::Index k = 0; k < 3; ++k) {
    require_positive(sides[k], "sides[" + std::to_string(k) + "]");
  }
  SpatialBody block{.mass = mass,
                    .inertia = block_inertia(sides, mass),
                    .points = {},
                    .position = 0.5 * sides[2] * Vector3d::UnitZ(),
                    .name = "block"};
  const Vector3d half = 0.5 * sides;
  for (const Point& sign : {Point(1, 1), Point(-1, 1), Point(-1, -1), Point(1, -1)}) {
    block.points.push_back(
        {.at = Vector3d(sign.x() * half.x(), sign.y() * half.y(), -half.z()),
         .name = "corner " + std::to_string(block.points.size() + 1) + "–floor"});
  }
  return block;
}

}  // namespace percute::systems
