// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/rigid_motion.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/block_stack.hpp>

#include <algorithm>

namespace percute::systems {

namespace {

double offset(const BlockStack& stack, std::size_t i) {
  return each(stack.offsets, 0.0, i);
}

double size_of(const BlockStack& stack) {
  double height = 0.0;
  for (const double h : stack.heights) height += h;
  return std::max(height, *std::max_element(stack.widths.begin(), stack.widths.end()));
}

/// "2" of "block 2", or the name.
std::string block_name(const BlockStack& stack, std::size_t i) {
  return stack.names.empty() ? std::to_string(i + 1) : stack.names[i];
}

/// Place of a block in a state.
struct Pose {
  Point centre = Point::Zero();
  Eigen::Rotation2Dd turn{0.0};
};

Pose pose(const State& state, std::size_t block) {
  const auto at = 3 * static_cast<Eigen::Index>(block);
  return {.centre = state.position.segment<2>(at),
          .turn = Eigen::Rotation2Dd(state.position[at + 2])};
}

/// A corner on a face. Both ends of the shared width of block `upper` and what is below it.
struct CornerContact {
  std::size_t upper = 0;
  bool left = true;
  double gap = 0.0;
  Point normal = Point::UnitY();     ///< of the face, upwards
  Point from_upper = Point::Zero();  ///< the corner from the centre of the upper block
  Point from_lower = Point::Zero();  ///< and from that of the lower one; unused on the floor
};

/// The end of the shared width is a corner of the upper block if that one does not stick out there.
CornerContact corner_contact(const BlockStack& stack, const State& state, std::size_t upper,
                             bool left) {
  const double side = left ? -0.5 : 0.5;
  const Pose above = pose(state, upper);
  const Point own(side * stack.widths[upper], -0.5 * stack.heights[upper]);
  CornerContact contact{.upper = upper, .left = left, .from_upper = above.turn * own};
  if (upper == 0) {
    contact.gap = above.centre.y() + contact.from_upper.y();
    return contact;
  }
  const std::size_t lower = upper - 1;
  const Pose below = pose(state, lower);
  const Point other(side * stack.widths[lower], 0.5 * stack.heights[lower]);
  // Which of the two ends is further in, as the stack was built.
  const double reach = (offset(stack, upper) + own.x()) - (offset(stack, lower) + other.x());
  const bool inside = left ? reach >= 0.0 : reach <= 0.0;
  const Point apart = above.centre - below.centre;
  if (inside) {
    contact.normal = below.turn * Point(0.0, 1.0);
    contact.from_lower = apart + contact.from_upper;
    contact.gap = contact.normal.dot(contact.from_lower) - other.y();
  } else {
    contact.normal = above.turn * Point(0.0, 1.0);
    contact.from_lower = below.turn * other;
    contact.from_upper = contact.from_lower - apart;
    contact.gap = own.y() - contact.normal.dot(contact.from_upper);
  }
  return contact;
}

std::vector<CornerContact> closed_contacts(const BlockStack& stack, const State& state) {
  const double size = size_of(stack);
  std::vector<CornerContact> closed;
  closed.reserve(2 * stack.widths.size());
  for (std::size_t i = 0; i < stack.widths.size(); ++i) {
    for (const bool left : {true, false}) {
      const CornerContact contact = corner_contact(stack, state, i, left);
      if (contact.gap <= kTouching * size) closed.push_back(contact);
    }
  }
  return closed;
}

/// Velocity along d of the upper block, from the lower one, at their contact.
Vector direction(const BlockStack& stack, const CornerContact& contact, const Point& d) {
  Vector H = Vector::Zero(3 * stack.blocks());
  const auto at = 3 * static_cast<Eigen::Index>(contact.upper);
  H.segment<3>(at) = velocity_row(contact.from_upper, d);
  if (contact.upper > 0) H.segment<3>(at - 3) = -velocity_row(contact.from_lower, d);
  return H;
}

}  // namespace

void validate(const BlockStack& stack) {
  const std::size_t blocks = stack.widths.size();
  if (blocks == 0) throw InvalidInput("widths", "is empty; a stack has at least one block");
  require_positive(stack.widths, "widths");
  require_size(stack.heights.size(), blocks, "heights", "block");
  require_positive(stack.heights, "heights");
  require_size(stack.masses.size(), blocks, "masses", "block");
  require_positive(stack.masses, "masses");
  if (!stack.offsets.empty()) {
    require_size(stack.offsets.size(), blocks, "offsets", "block");
    require_finite(Vector(Vector::Map(stack.offsets.data(), stack.blocks())), "offsets");
  }
  for (std::size_t i = 1; i < blocks; ++i) {
    const double apart = std::abs(offset(stack, i) - offset(stack, i - 1));
    if (!(apart < 0.5 * (stack.widths[i] + stack.widths[i - 1]))) {
      throw InvalidInput("offsets[" + std::to_string(i) + "]",
                         "leaves the block beside the one below it");
    }
  }
  require_names(stack.names, blocks, "block");
  if (!stack.materials.empty()) {
    require_size(stack.materials.size(), 2 * blocks, "materials", "contact");
  }
}

State BlockStack::at_contact(const Vector& velocity) const {
  validate(*this);
  require_size(static_cast<std::size_t>(velocity.size()), 3 * widths.size(), "velocity",
               "coordinate");
  require_finite(velocity, "velocity");
  Vector position = Vector::Zero(3 * blocks());
  double top = 0.0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    position.segment<2>(3 * static_cast<Eigen::Index>(i)) =
        Point(offset(*this, i), top + 0.5 * heights[i]);
    top += heights[i];
  }
  return {.position = std::move(position), .velocity = velocity};
}

State BlockStack::falling(double speed) const {
  require_finite(speed, "speed");
  Vector velocity = Vector::Zero(3 * blocks());
  for (int i = 0; i < blocks(); ++i) velocity[3 * i + 1] = -speed;
  return at_contact(velocity);
}

ImpactProblem BlockStack::impact(const State& state) const {
  validate(*this);
  require_state(state, 3 * widths.size(), "coordinate");
  Vector diagonal(3 * blocks());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const double I = masses[i] * (widths[i] * widths[i] + heights[i] * heights[i]) / 12.0;
    diagonal.segment<3>(3 * static_cast<Eigen::Index>(i)) =
        Eigen::Vector3d(masses[i], masses[i], I);
  }
  std::vector<ClosedContact> closed;
  for (const CornerContact& contact : closed_contacts(*this, state)) {
    const Point& n = contact.normal;
    const std::size_t index = 2 * contact.upper + (contact.left ? 0 : 1);
    closed.push_back({.gradient = direction(*this, contact, n),
                      .tangents = direction(*this, contact, Point(n.y(), -n.x())),
                      .material = each(materials, material, index)});
  }
  return assemble(MassMatrix::diagonal(std::move(diagonal)), state.velocity, closed);
}

std::vector<Body> BlockStack::bodies() const {
  validate(*this);
  std::vector<std::string> all;
  all.reserve(widths.size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    all.push_back(names.empty() ? "block " + block_name(*this, i) : names[i]);
  }
  return rigid_bodies(all, /*planar=*/true);
}

std::vector<std::string> BlockStack::contact_names(const State& state) const {
  validate(*this);
  require_state(state, 3 * widths.size(), "coordinate");
  std::vector<std::string> result;
  for (const CornerContact& contact : closed_contacts(*this, state)) {
    const std::string below = contact.upper == 0 ? "floor" : block_name(*this, contact.upper - 1);
    result.push_back(block_name(*this, contact.upper) + (contact.left ? " left–" : " right–") +
                     below);
  }
  return result;
}

}  // namespace percute::systems
