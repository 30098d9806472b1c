// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/block_stack.hpp>

#include <algorithm>
#include <utility>

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

/// Place of a block.
struct Pose {
  Point centre = Point::Zero();
  Eigen::Rotation2Dd turn{0.0};
};

Pose pose(const Vector& q, int block) {
  return {.centre = q.segment<2>(3 * block), .turn = Eigen::Rotation2Dd(q[3 * block + 2])};
}

/// A corner on a face. Both ends of the shared width of block `upper` and what is below it.
struct CornerContact {
  double gap = 0.0;
  Point normal = Point::UnitY();     ///< of the face, upwards
  Point from_upper = Point::Zero();  ///< the corner from the centre of the upper block
  Point from_lower = Point::Zero();  ///< and from that of the lower one; unused on the floor
};

/// The blocks as a system. Contact 2 i is that on the left below block i, 2 i + 1 that on the
/// right.
class Pile {
 public:
  explicit Pile(BlockStack stack) : stack_(std::move(stack)), diagonal_(3 * stack_.blocks()) {
    for (std::size_t i = 0; i < stack_.widths.size(); ++i) {
      const double m = stack_.masses[i];
      const double b = stack_.widths[i];
      const double h = stack_.heights[i];
      diagonal_.segment<3>(3 * static_cast<Eigen::Index>(i)) =
          Eigen::Vector3d(m, m, m * (b * b + h * h) / 12.0);
    }
  }

  int coordinates() const { return 3 * stack_.blocks(); }
  int contacts() const { return 2 * stack_.blocks(); }
  const Vector& diagonal_mass() const { return diagonal_; }
  double touching(int /*i*/) const { return kTouching * size_of(stack_); }

  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) h[i] = corner(i, q).gap;
  }
  void gradient(int i, const Vector& q, Vector& column) const {
    const CornerContact contact = corner(i, q);
    write(i, contact, contact.normal, column);
  }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(stack_.materials, stack_.material, i), .directions = 1};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    const CornerContact contact = corner(i, q);
    write(i, contact, Point(contact.normal.y(), -contact.normal.x()), T.col(0));
  }
  Blocks blocks(int i) const {
    const int upper = i / 2;
    return {{{3 * upper, 3}, {3 * std::max(upper - 1, 0), upper == 0 ? 0 : 3}}};
  }

  std::vector<Body> bodies() const {
    const std::string stem = stack_.names.empty() ? "block " : "";
    return rigid_bodies(all_names(stack_.blocks(), [&](int i) { return stem + name(i); }),
                        /*planar=*/true);
  }
  std::vector<std::string> contact_names() const {
    return all_names(contacts(), [this](int i) {
      return name(i / 2) + (i % 2 == 0 ? " left–" : " right–") +
             (i < 2 ? "floor" : name(i / 2 - 1));
    });
  }

 private:
  /// "2" of "block 2", or the name.
  std::string name(int i) const { return each(stack_.names, std::to_string(i + 1), i); }

  /// Velocity along d of the upper block, from the lower one, at their contact.
  static void write(int i, const CornerContact& contact, const Point& d,
                    Eigen::Ref<Vector> column) {
    const int upper = i / 2;
    column.segment<3>(3 * upper) = velocity_row(contact.from_upper, d);
    if (upper > 0) column.segment<3>(3 * upper - 3) = -velocity_row(contact.from_lower, d);
  }

  /// The end of the shared width is a corner of the upper block if that one does not stick out
  /// there.
  CornerContact corner(int i, const Vector& q) const {
    const int upper = i / 2;
    const bool left = i % 2 == 0;
    const double side = left ? -0.5 : 0.5;
    const auto at = static_cast<std::size_t>(upper);
    const Pose above = pose(q, upper);
    const Point own(side * stack_.widths[at], -0.5 * stack_.heights[at]);
    CornerContact contact{.from_upper = above.turn * own};
    if (upper == 0) {
      contact.gap = above.centre.y() + contact.from_upper.y();
      return contact;
    }
    const Pose below = pose(q, upper - 1);
    const Point other(side * stack_.widths[at - 1], 0.5 * stack_.heights[at - 1]);
    // Which of the two ends is further in, as the stack was built.
    const double reach = (offset(stack_, at) + own.x()) - (offset(stack_, at - 1) + other.x());
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

  BlockStack stack_;
  Vector diagonal_;
};

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
  require_materials(stack.materials, 2 * blocks);
}

BlockStack::operator AnySystem() const {
  validate(*this);
  return Pile(*this);
}

State BlockStack::at_contact(const Vector& velocity) const {
  validate(*this);
  require_numbers(velocity, 3 * widths.size(), "velocity", "coordinate");
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

}  // namespace percute::systems
