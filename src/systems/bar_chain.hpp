// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/impacting_bar.hpp>

#include <cmath>
#include <vector>

namespace percute::systems {

/// A vector of the plane.
struct Arrow {
  double x = 0.0;
  double y = 0.0;

  friend Arrow operator+(Arrow a, Arrow b) { return {.x = a.x + b.x, .y = a.y + b.y}; }
  friend Arrow operator-(Arrow a, Arrow b) { return {.x = a.x - b.x, .y = a.y - b.y}; }
  friend Arrow operator*(double s, Arrow a) { return {.x = s * a.x, .y = s * a.y}; }
  friend double dot(Arrow a, Arrow b) { return a.x * b.x + a.y * b.y; }
  Arrow turned() const { return {.x = -y, .y = x}; }  ///< by a right angle: n from u
};

inline Arrow direction(double angle) {
  return {.x = std::cos(angle), .y = std::sin(angle)};
}

/// How the centre of a segment moves with its port, the point (and angle) at which the segment
/// before it ends: c_i′ = p′ + lead θ_{i−1}′ + stretch s_i′ + turn θ_i′. The next port moves with
/// reach times the last two terms: 2 for separate springs (the far end of the segment), 1 for
/// parallel ones (its centre).
struct BarFrame {
  Arrow stretch;
  Arrow turn;
  Arrow lead;
};

/// Second derivatives of the elastic energy that goes with segment i: s = s_i, t = θ_i,
/// r = θ_{i−1}.
struct BarSpring {
  double ss = 0.0;
  double st = 0.0;
  double sr = 0.0;
  double tt = 0.0;
  double tr = 0.0;
  double rr = 0.0;
};

/// What the functions of a bar share: constants, and the motion of one segment.
struct BarModel {
  explicit BarModel(const ImpactingBar& bar)
      : p(bar.parameters()),
        parallel(bar.model == ImpactingBar::Model::ParallelSprings),
        reach(parallel ? 1.0 : 2.0) {}

  ImpactingBar::Parameters p;
  bool parallel;
  double reach;

  int n() const { return p.segments; }
  static Eigen::Index angle(int i) { return 2 + i; }
  Eigen::Index stretch(int i) const { return 2 + p.segments + i; }

  /// `before`: direction of the segment before, zero for the first one.
  BarFrame frame(Arrow before, Arrow u, double s) const {
    if (parallel) {
      const double l = p.half_length + s;
      return {.stretch = before + u, .turn = l * u.turned(), .lead = l * before.turned()};
    }
    return {.stretch = u, .turn = s * u.turned(), .lead = {}};
  }
  /// c_i″ − p″ where q″ = 0; rates of s_i, θ_i and θ_{i−1}.
  Arrow bias(Arrow before, Arrow u, double s, double ds, double turn, double turn_before) const {
    const double l = parallel ? p.half_length + s : s;
    Arrow b = (2.0 * ds * turn) * u.turned() - (l * turn * turn) * u;
    if (parallel) {
      b = b + (2.0 * ds * turn_before) * before.turned() - (l * turn_before * turn_before) * before;
    }
    return b;
  }
  BarSpring spring(int i, Arrow before, Arrow u, double s) const;
};

/// The chain at one configuration: products with M, and factors of M + c K, all in O(n).
///
/// The end of the chain that is still free, seen from a port, is a quadratic form in the port's
/// motion (2 displacements, 1 angle); taking in one more segment eliminates its stretch and angle,
/// 2 × 2. M + c K couples no more than neighbours, so it goes the same way.
class BarChain {
 public:
  explicit BarChain(const ImpactingBar& bar);

  void place(const Vector& q);
  void multiply(const Vector& x, Vector& y) const;                ///< y = M x
  void multiply_stiffness(const Vector& x, Vector& y) const;      ///< y = K x
  double kinetic_energy(const Vector& q, const Vector& v) const;  ///< at any q

  /// False unless M + c K is positive definite.
  bool factor(double c);
  void solve(Vector& x) const;  ///< with the last factor

 private:
  /// What the elimination of one segment leaves behind.
  struct Link {
    BarFrame frame;
    Arrow gs, gt;          // coupling of the stretch and of the angle with the port
    double ls, lt;         // and with the angle of the port
    double iss, ist, itt;  // S⁻¹
  };

  BarModel model_;
  std::vector<Arrow> u_;
  std::vector<BarFrame> frames_;
  std::vector<double> s_;
  std::vector<Link> links_;
  double txx_ = 0.0, txy_ = 0.0, tyy_ = 0.0;  // inverse of what is left at the tip
};

}  // namespace percute::systems
