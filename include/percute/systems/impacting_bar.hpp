// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/fields.hpp>
#include <percute/model/state.hpp>
#include <percute/systems/any_system.hpp>

#include <memory>
#include <string>
#include <vector>

namespace percute::systems {

/// A slender bar with a hemispherical tip that falls on a rigid frictionless floor y = 0, cut into
/// n rigid cylinders joined by springs (Paoli & Schatzman, Comput. Methods Appl. Mech. Engrg. 196
/// (2007) 2839–2851). With θ_i the angle of segment i with the horizontal, u_i = (cos θ_i, sin θ_i)
/// and P_0 the centre of the hemisphere, segments have their centres at
///
///     separate springs (model 1)   c_i = P_0 + 2 Σ_{j<i} ξ_j u_j + ξ_i u_i
///     parallel springs (model 2)   c_1 = P_0 + (L + λ_1) u_1,
///                                  c_i = c_{i−1} + (L + λ_i)(u_{i−1} + u_i)
///
/// Coordinates are q = (x_0, h, θ_1 … θ_n, s_1 … s_n) with the gap h = y_0 − R of the tip itself,
/// which keeps its digits at small bounces, and s = ξ (undeformed: L) or λ (undeformed: 0). M is
/// consistent, not lumped; products with it and with its inverse cost O(n), see solver().
struct ImpactingBar {
  enum class Model {
    SeparateSprings,  ///< 1: stretching on both sides of a segment, a rotational spring per joint
    ParallelSprings,  ///< 2: two parallel springs at each joint
  };
  /// Moment of inertia of the hemisphere. The paper adds 2/5 μR², which is about the centre of the
  /// sphere, to the energy of the centre of mass: μ (3R/8)² is counted twice.
  enum class HemisphereInertia {
    AsPrinted,  ///< 2/5 μ R²
    Physical,   ///< 83/320 μ R²
  };
  /// Vibration in the first bending mode at the start, as in section 5.4 of the paper.
  struct Excitation {
    double energy_fraction = 0.0;  ///< of the kinetic energy of the fall
    double phase = 0.0;            ///< at the start, rad; 0: undeformed
  };

  Model model = Model::ParallelSprings;
  int segments = 9;            ///< n ≥ 2
  double angle = 0.0;          ///< of the undeformed bar with the horizontal, 0 … π/2
  double length = 0.2;         ///< m, with the hemisphere
  double radius = 0.00635;     ///< R, m
  double density = 7876.74;    ///< kg/m³
  double young = 2.1e11;       ///< Pa
  double gravity = 0.0;        ///< m/s², downwards
  double tip_height = 0.01;    ///< y_0 at the start, m
  double tip_velocity = -1.0;  ///< vertical, of the whole bar at the start, m/s
  HemisphereInertia hemisphere_inertia = HemisphereInertia::AsPrinted;
  Excitation excitation = {};
  Material material = {};  ///< of the contact of the tip with the floor

  /// m/s: rebounds of the tip that are contact in the curves the bar is checked against; their
  /// digits depend on it.
  static constexpr double kMicroBounce = 1e-5;

  /// What follows from the fields.
  struct Parameters {
    double half_length = 0.0;      ///< L of a segment, m
    double mass = 0.0;             ///< m of a segment, kg
    double tip_mass = 0.0;         ///< μ of the hemisphere, kg
    double inertia = 0.0;          ///< I of a segment, kg m²
    double tip_inertia = 0.0;      ///< J of the hemisphere, kg m²
    double stiffness = 0.0;        ///< k, N/m
    double rotational = 0.0;       ///< Γ, N m; of separate springs
    double spring_distance = 0.0;  ///< a, m; of parallel springs
    double tip_arm = 0.0;          ///< 3R/8: from P_0 to the centre of mass of the hemisphere, m
    double total_mass() const { return segments * mass + tip_mass; }
    int segments = 0;
  };
  Parameters parameters() const;

  /// Undeformed and falling, with the vibration asked for.
  State start() const;
  /// Undeformed and falling, at the instant at which the tip touches the floor with this velocity.
  State at_contact(double tip_velocity) const;
  /// The impact that starts in this state.
  ImpactProblem impact(const State& state) const;

  // As a system that moves: see MovingSystem. What is closer than the rounding of the height
  // touches.
  double touching(int /*contact*/) const { return 1e-15 * length; }
  int coordinates() const { return 2 * segments + 2; }
  int contacts() const { return 1; }
  void mass(const Vector& q, Matrix& M) const;
  void force(double t, const Vector& q, const Vector& v, Vector& f) const;
  void gaps(const Vector& q, Vector& h) const { h[0] = q[1]; }
  static void gradient(int /*contact*/, const Vector& /*q*/, Vector& column) {
    column.setZero();
    column[1] = 1.0;
  }
  static double gap_curvature(int /*contact*/, const Vector& /*q*/, const Vector& /*v*/) {
    return 0.0;
  }
  Contact contact(int /*contact*/, const Vector& /*q*/) const { return {.material = material}; }
  double potential_energy(const Vector& q) const;
  std::unique_ptr<MassSolver> solver() const;
  void stiffness(const Vector& q, Matrix& K) const;
  std::vector<Body> bodies() const;
  std::vector<std::string> contact_names() const { return {"tip–floor"}; }
};

constexpr Names<ImpactingBar::HemisphereInertia, 2> names(ImpactingBar::HemisphereInertia) {
  return {{{"as_printed", ImpactingBar::HemisphereInertia::AsPrinted},
           {"physical", ImpactingBar::HemisphereInertia::Physical}}};
}
template <Same<ImpactingBar::Excitation> S>
void fields(S& excitation, auto&& visit) {
  visit(Field{"energy_fraction", "of the kinetic energy of the fall", Range::fraction()},
        excitation.energy_fraction);
  visit(Field{"phase_deg", "at the start, 0 undeformed"}.in_degrees(), excitation.phase);
}
template <Same<ImpactingBar> S>
void fields(S& bar, auto&& visit) {
  visit(Field{"segments", "n", Range::closed(2.0, Range::kInfinity)}, bar.segments);
  visit(Field{"angle_deg", "with the horizontal", Range::closed(0.0, 90.0)}.in_degrees().needed(),
        bar.angle);
  visit(Field{"length", "with the hemisphere", Range::positive(), "m"}, bar.length);
  visit(Field{"radius", "R", Range::positive(), "m"}, bar.radius);
  visit(Field{"density", "of the bar", Range::positive(), "kg/m³"}, bar.density);
  visit(Field{"young", "its modulus", Range::positive(), "Pa"}, bar.young);
  visit(Field{"gravity", "downwards", {}, "m/s²"}, bar.gravity);
  visit(Field{"tip_height", "y_0 at the start", {}, "m"}, bar.tip_height);
  visit(Field{"tip_velocity", "vertical, of the whole bar at the start", {}, "m/s"},
        bar.tip_velocity);
  visit(Field{"hemisphere_inertia", "2/5 μ R² as in the paper, or 83/320 μ R²"},
        bar.hemisphere_inertia);
}

/// Throws InvalidInput, naming the field, unless the bar can be built.
void validate(const ImpactingBar& bar);

/// Free vibrations of the undeformed bar, K φ = ω² M φ; the angle makes no difference.
struct BarVibrations {
  double highest = 0.0;        ///< largest ω, rad/s
  double step_limit = 0.0;     ///< 2/ω, s: explicit methods blow up at longer steps
  double first_bending = 0.0;  ///< ω of the first bending mode, rad/s
  Vector bending_mode = {};    ///< φᵀ M φ = 1, its tip moving along (−sin θ, cos θ)
};
BarVibrations vibrations(const ImpactingBar& bar);

/// The vertical drop on a rigid floor in the theory of waves in bars: the shock front runs up at
/// c = √(E/ρ), comes back from the free end as tension, and the bar leaves as fast as it came.
/// (In the paper the second region lacks its bound 0 ≤ x ≤ min(ct, 2l − ct).)
struct BarWave {
  double length = 0.2;    ///< l, m
  double speed = 1.0;     ///< of arrival, m/s
  double celerity = 0.0;  ///< c, m/s

  double contact_duration() const { return 2.0 * length / celerity; }
  /// Displacement since the first touch of the section at x ∈ [0, l] from the tip, t ∈ [0, 2l/c].
  double displacement(double x, double t) const;
};
BarWave wave_theory(const ImpactingBar& bar, double speed);

}  // namespace percute::systems
