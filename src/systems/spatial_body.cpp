// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/spatial_body.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <utility>

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

/// A body in space as a system. One that does not slide has three of the six coordinates: its
/// height, and the rotations about x and y.
class SpatialSolid {
 public:
  explicit SpatialSolid(SpatialBody body, bool slides = true)
      : body_(std::move(body)), slides_(slides), start_(rotation_matrix(body_.rotation)) {
    for (SpatialPoint& point : body_.points) {
      point.normal = Vector3d(point.normal.stableNormalized());
      size_ = std::max(size_, point.at.stableNorm());
    }
  }

  int coordinates() const { return slides_ ? 6 : 3; }
  int contacts() const { return static_cast<int>(body_.points.size()); }
  double touching(int /*i*/) const { return kTouching * (size_ > 0.0 ? size_ : 1.0); }

  void mass(const Vector& q, Matrix& M) const {
    // Both halves of the given tensor count alike, and the turned one is symmetric to the last
    // digit.
    const Matrix3d R = orientation(q);
    const Matrix3d given = 0.5 * (body_.inertia + body_.inertia.transpose());
    const Matrix3d turned = R * given * R.transpose();
    Eigen::Matrix<double, 6, 6> six = body_.mass * Eigen::Matrix<double, 6, 6>::Identity();
    six.bottomRightCorner<3, 3>() = 0.5 * (turned + turned.transpose());
    M = six.block(first(), first(), coordinates(), coordinates());
  }
  /// h = n · (displacement of the point since contact).
  void gaps(const Vector& q, Vector& h) const {
    const Vector3d moved = all(q).head<3>() - body_.position;
    const Matrix3d turned = orientation(q) - start_;
    for (int i = 0; i < contacts(); ++i) h[i] = normal(i).dot(moved + turned * point(i).at);
  }
  void gradient(int i, const Vector& q, Vector& column) const {
    column = velocity_row(Vector3d(orientation(q) * point(i).at), normal(i))
                 .segment(first(), coordinates());
  }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(body_.materials, body_.material, i), .directions = slides_ ? 2 : 0};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    const Vector3d s = orientation(q) * point(i).at;
    const Eigen::Matrix<double, 3, 2> t = tangents_of(normal(i));
    for (Eigen::Index k = 0; k < 2; ++k) T.col(k) = velocity_row(s, Vector3d(t.col(k)));
  }

  std::vector<Body> bodies() const {
    if (slides_) return rigid_bodies({body_.name}, /*planar=*/false);
    return {{.name = body_.name,
             .coordinates = {0, 1, 2},
             .axes = {"z", "rx", "ry"},
             .units = {"m/s", "rad/s", "rad/s"}}};
  }
  std::vector<std::string> contact_names() const { return point_names(body_.points); }

 private:
  const SpatialPoint& point(int i) const { return body_.points[static_cast<std::size_t>(i)]; }
  const Vector3d& normal(int i) const { return point(i).normal; }
  int first() const { return slides_ ? 0 : 2; }  // of the six coordinates
  /// All six; those that it does not have stay as they are at contact.
  Vector6 all(const Vector& q) const {
    Vector6 six;
    six << body_.position, Vector3d::Zero();
    six.segment(first(), coordinates()) = q;
    return six;
  }
  Matrix3d orientation(const Vector& q) const { return rotation_matrix(all(q).tail<3>()) * start_; }

  SpatialBody body_;
  bool slides_;
  Matrix3d start_;     // R₀
  double size_ = 0.0;  // largest |r_i|
};

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

std::vector<Point> feet_of(const FourFootPlate& plate) {
  if (!plate.feet.empty()) return plate.feet;
  const double x = 0.5 * plate.length;
  const double y = 0.5 * plate.width;
  return {Point(x, y), Point(-x, y), Point(-x, -y), Point(x, -y)};
}

/// I_x, I_y, I_z.
Eigen::Vector3d inertias_of(const FourFootPlate& plate) {
  if (!plate.inertias.empty()) return Eigen::Vector3d(plate.inertias.data());
  const double l2 = plate.length * plate.length;
  const double w2 = plate.width * plate.width;
  return plate.mass / 12.0 * Eigen::Vector3d(w2, l2, l2 + w2);
}

}  // namespace

void validate(const SpatialBody& body) {
  require_positive(body.mass, "mass");
  require_inertia(body.inertia);
  require_points(body.points);
  require_finite(body.position, "position");
  require_ranges("", body);
  require_materials(body.materials, body.points.size(), "point");
}

SpatialBody::operator AnySystem() const {
  validate(*this);
  return SpatialSolid(*this);
}

State SpatialBody::at_contact(const Vector& velocity) const {
  validate(*this);
  require_numbers(velocity, 6, "velocity", "coordinate");
  Vector place = Vector::Zero(6);
  place.head<3>() = position;
  return {.position = std::move(place), .velocity = velocity};
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

void validate(const FourFootPlate& plate) {
  require_ranges("", plate);
  if (!plate.inertias.empty()) {
    require_size(plate.inertias.size(), 3, "inertias", "axis");
    require_positive(plate.inertias, "inertias");
  }
  for (std::size_t i = 0; i < plate.feet.size(); ++i) {
    require_finite(plate.feet[i], "feet[" + std::to_string(i) + "]");
  }
  require_not_negative(plate.height, "height");
  require_materials(plate.materials, feet_of(plate).size(), "foot");
}

FourFootPlate::operator AnySystem() const {
  validate(*this);
  SpatialBody body{.mass = mass,
                   .inertia = inertias_of(*this).asDiagonal(),
                   .points = {},
                   .position = height * Vector3d::UnitZ(),
                   .material = material,
                   .materials = materials,
                   .name = "plate"};
  for (const Point& foot : feet_of(*this)) {
    body.points.push_back({.at = Vector3d(foot.x(), foot.y(), -height),
                           .name = "foot " + std::to_string(body.points.size() + 1) + "–floor"});
  }
  return SpatialSolid(std::move(body), sliding);
}

State FourFootPlate::at_contact(const Vector& velocity) const {
  validate(*this);
  require_numbers(velocity, coordinates(), "velocity", "coordinate");
  Vector position = Vector::Zero(coordinates());
  position[sliding ? 2 : 0] = height;
  return {.position = std::move(position), .velocity = velocity};
}

}  // namespace percute::systems
