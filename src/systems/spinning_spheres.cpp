// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/spinning_spheres.hpp"

#include "model/text.hpp"
#include "systems/closed_contact.hpp"
#include "systems/rigid_motion.hpp"

#include <percute/model/invalid_input.hpp>

namespace percute::systems {

namespace {

using Eigen::Vector3d;

/// What the velocity of the point at s along d is made of, in the coordinates of one sphere.
Vector row_of(const Vector3d& s, const Vector3d& d, bool planar) {
  if (planar) return velocity_row(Point(s.head<2>()), Point(d.head<2>()));
  return velocity_row(s, d);
}

/// Velocity along d of the second sphere, or of that on an obstacle, from what it touches.
Vector direction(const std::vector<SpinningSphere>& spheres, const SphereTouch& touch,
                 const Vector3d& d, bool planar) {
  const Eigen::Index k = planar ? 3 : 6;
  Vector H = Vector::Zero(k * static_cast<Eigen::Index>(spheres.size()));
  const bool alone = touch.second == SphereTouch::kObstacle;
  const auto moving = static_cast<std::size_t>(alone ? touch.first : touch.second);
  H.segment(k * static_cast<Eigen::Index>(moving), k) =
      row_of(-spheres[moving].radius * touch.normal, d, planar);
  if (!alone) {
    const auto first = static_cast<std::size_t>(touch.first);
    H.segment(k * touch.first, k) = -row_of(spheres[first].radius * touch.normal, d, planar);
  }
  return H;
}

ClosedContact contact_of(const std::vector<SpinningSphere>& spheres, const SphereTouch& touch,
                         bool planar) {
  const Vector3d& n = touch.normal;
  ClosedContact contact{.gradient = direction(spheres, touch, n, planar),
                        .material = touch.material};
  if (planar) {
    contact.tangents = direction(spheres, touch, Vector3d(-n.y(), n.x(), 0.0), planar);
    return contact;
  }
  const Eigen::Matrix<double, 3, 2> t = tangents_of(n);
  contact.tangents.resize(contact.gradient.size(), 2);
  contact.tangents.col(0) = direction(spheres, touch, t.col(0), planar);
  contact.tangents.col(1) = direction(spheres, touch, t.col(1), planar);
  return contact;
}

}  // namespace

ImpactProblem spheres_impact(const std::vector<SpinningSphere>& spheres,
                             const std::vector<SphereTouch>& touches, const Vector& velocity,
                             bool planar) {
  const Eigen::Index shift = planar ? 2 : 3;
  const Eigen::Index spin = planar ? 1 : 3;
  Vector diagonal(velocity.size());
  Eigen::Index at = 0;
  for (const SpinningSphere& sphere : spheres) {
    diagonal.segment(at, shift).setConstant(sphere.mass);
    diagonal.segment(at + shift, spin).setConstant(sphere.inertia);
    at += shift + spin;
  }
  ClosedContacts closed;
  for (const SphereTouch& touch : touches) closed.add(contact_of(spheres, touch, planar));
  return closed.problem(MassMatrix::diagonal(std::move(diagonal)), velocity);
}

void require_inertia_factor(double factor, const std::string& field) {
  if (!(factor > 0.0 && factor <= 1.0)) {
    throw InvalidInput(field, text(factor) + " is not in (0, 1]; a solid sphere has 0.4");
  }
}

}  // namespace percute::systems
