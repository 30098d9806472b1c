// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/random_bodies.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace percute::selftest {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

/// A unit vector in space; square roots and quotients are rounded the same everywhere.
Vector3d draw_normal(Random& random) {
  Vector3d n;
  do {
    for (double& x : n) x = random.uniform(-1.0, 1.0);
  } while (n.squaredNorm() < 0.01 || n.squaredNorm() > 1.0);
  return n / std::sqrt(n.squaredNorm());
}

Vector2d draw_planar_normal(Random& random) {
  Vector2d n;
  do {
    for (double& x : n) x = random.uniform(-1.0, 1.0);
  } while (n.squaredNorm() < 0.01 || n.squaredNorm() > 1.0);
  return n / std::sqrt(n.squaredNorm());
}

/// Two unit vectors that make a right-angled frame with n.
Eigen::Matrix<double, 3, 2> tangent_frame(const Vector3d& n) {
  const Vector3d axis = std::abs(n.x()) < 0.6 ? Vector3d::UnitX() : Vector3d::UnitY();
  Vector3d t = axis - n * n.dot(axis);
  t /= std::sqrt(t.squaredNorm());
  Eigen::Matrix<double, 3, 2> frame;
  frame << t, n.cross(t);
  return frame;
}

/// Row by row: gradients as a dense matrix, since these problems are small.
void set_directions(const Matrix& W, const std::vector<Matrix>& tangents, RandomProblem& out) {
  out.problem.gradients = W.sparseView();
  out.problem.contacts.assign(tangents.size(), {});
  set_tangents(out.problem, tangents);
}

/// Signs of the normals: a body on a floor, or caught between points on all sides.
bool draw_caught(Random& random) {
  return random.chance(0.2);
}

/// Sizes, masses and velocities of `count` bodies that share nothing but contacts.
Vector draw_body_masses(Random& random, int count) {
  Vector masses = Vector::Ones(count);
  if (random.chance(0.6)) {
    for (double& mass : masses) mass = random.octaves(-4, 4);
  }
  return masses;
}

}  // namespace

void draw_planar_body(Random& random, int points, RandomProblem& out) {
  out.kind = "planar body";
  const int m = points;
  const bool caught = draw_caught(random);
  const bool floor = !caught && random.chance(0.3);
  Vector masses(3);
  masses << 1.0, 1.0, random.octaves(-4, 2);
  out.problem.mass = MassMatrix::diagonal(masses);
  out.problem.velocity.resize(3);
  out.problem.velocity << (random.chance(0.3) ? 0.0 : random.uniform(-1.0, 1.0)), -random.uniform(),
      (random.chance(0.3) ? 0.0 : random.uniform(-1.0, 1.0));
  Matrix W(3, m);
  std::vector<Matrix> tangents;
  for (int i = 0; i < m; ++i) {
    Vector2d n = floor ? Vector2d(0.0, 1.0) : draw_planar_normal(random);
    if (!caught && n.y() < 0.0) n = -n;
    const Vector2d r(random.uniform(-1.0, 1.0), floor ? -0.5 : random.uniform(-1.0, 1.0));
    const Vector2d t(-n.y(), n.x());
    W.col(i) << n, r.x() * n.y() - r.y() * n.x();
    tangents.push_back((Vector(3) << t, r.x() * t.y() - r.y() * t.x()).finished());
  }
  set_directions(W, tangents, out);
  out.bodies = {{0, 1, 2}};
}

void draw_spatial_body(Random& random, int points, RandomProblem& out) {
  out.kind = "spatial body";
  const int m = points;
  const bool caught = draw_caught(random);
  const bool floor = !caught && random.chance(0.3);
  Vector masses = Vector::Ones(6);
  for (int k = 3; k < 6; ++k) masses[k] = random.octaves(-4, 2);
  out.problem.mass = MassMatrix::diagonal(masses);
  out.problem.velocity.resize(6);
  for (double& v : out.problem.velocity) v = random.chance(0.2) ? 0.0 : random.uniform(-1.0, 1.0);
  out.problem.velocity[2] = -random.uniform();
  Matrix W(6, m);
  std::vector<Matrix> tangents;
  for (int i = 0; i < m; ++i) {
    Vector3d n = floor ? Vector3d::UnitZ() : draw_normal(random);
    if (!caught && n.z() < 0.0) n = -n;
    const Vector3d r(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                     floor ? -0.5 : random.uniform(-1.0, 1.0));
    W.col(i) << n, r.cross(n);
    const auto frame = tangent_frame(n);
    Matrix& T = tangents.emplace_back(6, 2);
    for (int d = 0; d < 2; ++d) {
      const Vector3d t = frame.col(d);
      T.col(d) << t, r.cross(t);
    }
  }
  set_directions(W, tangents, out);
  out.bodies = {{0, 1, 2, 3, 4, 5}};
}

void draw_spinning_disks(Random& random, RandomProblem& out) {
  out.kind = "spinning disks";
  const int disks = random.integer(2, 8);
  const Vector masses = draw_body_masses(random, disks);
  Vector diagonal(3 * disks);
  out.problem.velocity = Vector::Zero(3 * disks);
  out.translation = Vector::Zero(3 * disks);
  const Vector2d along = draw_planar_normal(random);
  for (int i = 0; i < disks; ++i) {
    // Radius 1, moment of inertia of a disk.
    diagonal.segment<3>(3 * i) << masses[i], masses[i], 0.5 * masses[i];
    if (i == 0 || random.chance(0.4)) {
      for (int k = 0; k < 3; ++k) out.problem.velocity[3 * i + k] = random.uniform(-1.0, 1.0);
    }
    out.translation.segment<2>(3 * i) = along;
    out.bodies.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  out.problem.mass = MassMatrix::diagonal(diagonal);
  Matrix W = Matrix::Zero(3 * disks, disks - 1);
  std::vector<Matrix> tangents;
  for (int b = 1; b < disks; ++b) {
    const int a = random.integer(0, b - 1);
    const Vector2d n = draw_planar_normal(random);
    const Vector2d t(-n.y(), n.x());
    W.col(b - 1).segment<2>(3 * a) = -n;
    W.col(b - 1).segment<2>(3 * b) = n;
    Matrix& T = tangents.emplace_back(Matrix::Zero(3 * disks, 1));
    T.col(0).segment<3>(3 * a) << -t, -1.0;
    T.col(0).segment<3>(3 * b) << t, -1.0;
  }
  set_directions(W, tangents, out);
}

void draw_spinning_balls(Random& random, RandomProblem& out) {
  out.kind = "spinning balls";
  const int balls = random.integer(2, 6);
  const Vector masses = draw_body_masses(random, balls);
  Vector diagonal(6 * balls);
  out.problem.velocity = Vector::Zero(6 * balls);
  out.translation = Vector::Zero(6 * balls);
  const Vector3d along = draw_normal(random);
  for (int i = 0; i < balls; ++i) {
    // Radius 1, moment of inertia of a solid ball.
    diagonal.segment<3>(6 * i).setConstant(masses[i]);
    diagonal.segment<3>(6 * i + 3).setConstant(0.4 * masses[i]);
    if (i == 0 || random.chance(0.4)) {
      for (int k = 0; k < 6; ++k) out.problem.velocity[6 * i + k] = random.uniform(-1.0, 1.0);
    }
    out.translation.segment<3>(6 * i) = along;
    out.bodies.push_back({6 * i, 6 * i + 1, 6 * i + 2, 6 * i + 3, 6 * i + 4, 6 * i + 5});
  }
  out.problem.mass = MassMatrix::diagonal(diagonal);
  Matrix W = Matrix::Zero(6 * balls, balls - 1);
  std::vector<Matrix> tangents;
  for (int b = 1; b < balls; ++b) {
    const int a = random.integer(0, b - 1);
    const Vector3d n = draw_normal(random);
    W.col(b - 1).segment<3>(6 * a) = -n;
    W.col(b - 1).segment<3>(6 * b) = n;
    const auto frame = tangent_frame(n);
    Matrix& T = tangents.emplace_back(Matrix::Zero(6 * balls, 2));
    for (int d = 0; d < 2; ++d) {
      // Velocity of the point at −n of b less that of the point at n of a.
      const Vector3d t = frame.col(d);
      T.col(d).segment<6>(6 * a) << -t, -n.cross(t);
      T.col(d).segment<6>(6 * b) << t, -n.cross(t);
    }
  }
  set_directions(W, tangents, out);
}

void draw_tangents(Random& random, RandomProblem& out) {
  const Eigen::Index n = out.problem.velocity.size();
  const bool disks = out.kind == "cluster" || out.kind == "hexagonal";
  if (!disks && out.kind != "dense") return;
  const int d = disks ? 1 : random.integer(1, 2);
  if (n < 1 + d) return;  // a contact needs room for all its directions
  std::vector<Matrix> tangents(out.problem.contacts.size(), Matrix::Zero(n, d));
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    Matrix& T = tangents[i];
    if (!disks) {
      for (double& entry : T.reshaped()) entry = random.bell();
      continue;
    }
    // The normal turned by a right angle, for both disks.
    const Vector normal = out.problem.gradients.col(static_cast<Eigen::Index>(i));
    for (Eigen::Index k = 0; k + 1 < n; k += 2) {
      T(k, 0) = -normal[k + 1];
      T(k + 1, 0) = normal[k];
    }
  }
  set_tangents(out.problem, tangents);
}

}  // namespace percute::selftest
