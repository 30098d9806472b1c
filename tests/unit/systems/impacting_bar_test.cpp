// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/any_system.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace percute::systems {
namespace {

using std::numbers::pi;
using testing::field_refused;
using Model = ImpactingBar::Model;
using Inertia = ImpactingBar::HemisphereInertia;

constexpr double degrees(double angle) {
  return angle * pi / 180.0;
}

ImpactingBar steel(Model model, double angle_deg, int segments = 9) {
  return {.model = model, .segments = segments, .angle = degrees(angle_deg), .gravity = 9.81};
}

/// The bar as the paper draws it, written a second time: places of all centres of mass.
struct Drawing {
  ImpactingBar bar;

  struct Place {
    double mass;
    double x;
    double y;
  };
  std::vector<Place> places(const Vector& q) const {
    const auto p = bar.parameters();
    const int n = bar.segments;
    const double y0 = q[1] + bar.radius;
    std::vector<Place> all = {{p.tip_mass, q[0] - 0.375 * bar.radius * std::cos(q[2]),
                               y0 - 0.375 * bar.radius * std::sin(q[2])}};
    for (int i = 0; i < n; ++i) {
      double x = q[0];
      double y = y0;
      const auto along = [&](double length, int j) {
        x += length * std::cos(q[2 + j]);
        y += length * std::sin(q[2 + j]);
      };
      const auto s = [&](int j) { return q[2 + n + j]; };
      const double L = p.half_length;
      for (int j = 0; j < i; ++j) {
        along(bar.model == Model::SeparateSprings ? 2.0 * s(j) : 2.0 * L + s(j) + s(j + 1), j);
      }
      along(bar.model == Model::SeparateSprings ? s(i) : L + s(i), i);
      all.push_back({p.mass, x, y});
    }
    return all;
  }

  double elastic(const Vector& q) const {
    const auto p = bar.parameters();
    const int n = bar.segments;
    double energy = 0.0;
    for (int i = 0; i < n; ++i) {
      const double s = q[2 + n + i];
      const double bend = i > 0 ? q[2 + i] - q[1 + i] : 0.0;
      if (bar.model == Model::SeparateSprings) {
        energy += (i + 1 < n ? 1.0 : 0.5) * p.stiffness * std::pow(s - p.half_length, 2);
        energy += 0.5 * p.rotational * bend * bend;
      } else if (i == 0) {
        energy += 0.5 * p.stiffness * s * s;
      } else {
        energy += 2.0 * p.stiffness *
                  (0.25 * std::pow(p.spring_distance, 2) * (1.0 - std::cos(bend)) +
                   s * s * (1.0 + std::cos(bend)));
      }
    }
    return energy;
  }

  double potential(const Vector& q) const {
    double energy = elastic(q);
    for (const Place& place : places(q)) energy += place.mass * bar.gravity * place.y;
    return energy;
  }

  /// Dense M from derivatives of the places, by central differences of
  /// order four.
  Matrix mass(const Vector& q) const {
    const auto p = bar.parameters();
    const int n = bar.segments;
    const Eigen::Index size = 2 * n + 2;
    Matrix J(2 * (n + 1), size);
    constexpr double kStep = 1e-3;
    for (Eigen::Index j = 0; j < size; ++j) {
      const Vector e = kStep * Vector::Unit(size, j);
      const auto a = places(q - 2.0 * e);
      const auto b = places(q - e);
      const auto c = places(q + e);
      const auto d = places(q + 2.0 * e);
      for (std::size_t k = 0; k < a.size(); ++k) {
        const auto row = static_cast<Eigen::Index>(2 * k);
        J(row, j) = (a[k].x - 8.0 * b[k].x + 8.0 * c[k].x - d[k].x) / (12.0 * kStep);
        J(row + 1, j) = (a[k].y - 8.0 * b[k].y + 8.0 * c[k].y - d[k].y) / (12.0 * kStep);
      }
    }
    Vector masses = Vector::Constant(J.rows(), p.mass);
    masses.head(2).setConstant(p.tip_mass);
    Matrix M = J.transpose() * masses.asDiagonal() * J;
    for (int i = 0; i < n; ++i) M(2 + i, 2 + i) += p.inertia;
    M(2, 2) += p.tip_inertia;
    return M;
  }
};

/// A deformed bar: joints bent by several degrees, stretched by several hundredths.
State deformed(const ImpactingBar& bar, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  State state = bar.at_contact(0.0);
  state.position[0] = 0.03 * unit(random);
  state.position[1] = 0.01 * (1.1 + unit(random));
  for (int i = 0; i < bar.segments; ++i) {
    state.position[2 + i] += 0.2 * unit(random);
    state.position[2 + bar.segments + i] += 0.0005 * unit(random);
  }
  for (auto& v : state.velocity) v = unit(random);
  state.velocity.segment(2, bar.segments) *= 100.0;
  return state;
}

constexpr std::array kBoth = {Model::SeparateSprings, Model::ParallelSprings};

TEST(ImpactingBar, ParametersOfNineSegments) {
  const auto one = steel(Model::SeparateSprings, 30.0).parameters();
  const auto two = steel(Model::ParallelSprings, 30.0).parameters();
  // Ten digits are known.
  const auto near = [](double x, double known) { EXPECT_NEAR(x / known, 1.0, 1e-9); };
  near(one.half_length, 0.01075833333);
  near(one.mass, 0.02146934651);
  near(one.tip_mass, 0.004224023248);
  near(one.inertia, 1.044724244e-06);
  near(one.tip_inertia, 6.812927097e-08);
  near(one.stiffness, 2116550735);
  near(one.rotational, 10199.15066);
  near(two.stiffness, 529137683.7);
  near(two.spring_distance, 0.006208871268);
  near(two.total_mass(), 0.1974481418);
  // Both models bend alike: Γ = k a²/2.
  near(0.5 * two.stiffness * two.spring_distance * two.spring_distance, one.rotational);
  ImpactingBar physical = steel(Model::ParallelSprings, 30.0);
  physical.hemisphere_inertia = Inertia::Physical;
  // About the centre of the sphere the printed one is right: they differ by Steiner's term.
  near(physical.parameters().tip_inertia + two.tip_mass * two.tip_arm * two.tip_arm,
       two.tip_inertia);
}

TEST(ImpactingBar, MassMatrixAndItsInverseAreThoseOfTheDrawing) {
  std::mt19937_64 random(7);
  for (const Model model : kBoth) {
    for (const int n : {2, 3, 9}) {
      const ImpactingBar bar = steel(model, 35.0, n);
      const State state = deformed(bar, random);
      const Matrix expected = Drawing{bar}.mass(state.position);
      Matrix M(bar.coordinates(), bar.coordinates());
      bar.mass(state.position, M);
      const double scale = expected.cwiseAbs().maxCoeff();
      // Fourth-order differences over 1e-3: 1e-13 of rounding and 1e-13 of truncation.
      EXPECT_LT((M - expected).cwiseAbs().maxCoeff(), 1e-11 * scale);

      // Against dense factors of the same M: rounding times a condition number of 1e4.
      const auto solver = bar.solver();
      ASSERT_TRUE(solver->factor(state.position));
      Vector x = state.velocity;
      solver->solve(x);
      const Vector dense = M.llt().solve(state.velocity);
      EXPECT_LT((x - dense).norm(), 1e-12 * dense.norm()) << n;
      Vector y(x.size());
      solver->multiply(x, y);
      EXPECT_LT((y - state.velocity).norm(), 1e-12 * state.velocity.norm());
      EXPECT_NEAR(solver->kinetic_energy(state.position, state.velocity),
                  0.5 * state.velocity.dot(M * state.velocity),
                  1e-13 * state.velocity.dot(M * state.velocity));

      Matrix K(M.rows(), M.cols());
      bar.stiffness(state.position, K);
      constexpr double kFactor = 2.5e-13;  // h²/4 of steps of a microsecond
      ASSERT_TRUE(solver->factor(state.position, kFactor));
      Vector z = state.velocity;
      solver->solve(z);
      const Vector stiffened = (M + kFactor * K).llt().solve(state.velocity);
      EXPECT_LT((z - stiffened).norm(), 1e-12 * stiffened.norm()) << n;
    }
  }
}

TEST(ImpactingBar, ForcesAreThoseOfTheLagrangian) {
  std::mt19937_64 random(11);
  for (const Model model : kBoth) {
    const ImpactingBar bar = steel(model, 50.0, 5);
    const Drawing drawing{bar};
    const State state = deformed(bar, random);
    const Vector& q = state.position;
    const Vector& v = state.velocity;
    Vector f(bar.coordinates());
    bar.force(0.0, q, v, f);
    // f = ∂T/∂q − (dM/dt) v − ∂U/∂q, T = ½ vᵀ M(q) v, by fourth-order differences.
    const auto slope = [](auto&& g, double h) {
      return (g(-2.0 * h) - 8.0 * g(-h) + 8.0 * g(h) - g(2.0 * h)) / (12.0 * h);
    };
    Matrix M(q.size(), q.size());
    const auto momentum = [&](const Vector& at) {
      bar.mass(at, M);
      return Vector(M * v);
    };
    const double h = 1e-6;
    const Vector rate = (momentum(q - 2.0 * h * v) - 8.0 * momentum(q - h * v) +
                         8.0 * momentum(q + h * v) - momentum(q + 2.0 * h * v)) /
                        (12.0 * h);
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      const auto lagrangian = [&](double s) {
        const Vector at = q + s * Vector::Unit(q.size(), j);
        bar.mass(at, M);
        return 0.5 * v.dot(M * v) - drawing.potential(at);
      };
      const double expected = slope(lagrangian, 1e-4) - rate[j];
      // Energies of 1e2 J rounded to 1e-14 over steps of 1e-4: 1e-10 of forces of 1e6.
      EXPECT_NEAR(f[j], expected, 2e-10 * f.cwiseAbs().maxCoeff()) << j;
    }
    EXPECT_NEAR(bar.potential_energy(q), drawing.potential(q), 1e-13 * drawing.potential(q));
  }
}

TEST(ImpactingBar, StiffnessIsTheHessianOfTheSprings) {
  std::mt19937_64 random(13);
  for (const Model model : kBoth) {
    ImpactingBar bar = steel(model, 50.0, 4);
    bar.gravity = 0.0;
    const State state = deformed(bar, random);
    Matrix K(bar.coordinates(), bar.coordinates());
    bar.stiffness(state.position, K);
    const Vector rest = Vector::Zero(K.rows());
    Vector plus(K.rows());
    Vector minus(K.rows());
    for (Eigen::Index j = 0; j < K.cols(); ++j) {
      const Vector e = 1e-6 * Vector::Unit(K.cols(), j);
      bar.force(0.0, state.position + e, rest, plus);
      bar.force(0.0, state.position - e, rest, minus);
      // Forces of 1e6 rounded to 1e-10 over 1e-6: 1e-4 of stiffnesses of 1e9.
      EXPECT_LT(((minus - plus) / 2e-6 - K.col(j)).cwiseAbs().maxCoeff(),
                1e-9 * K.cwiseAbs().maxCoeff());
    }
  }
}

TEST(ImpactingBar, EnergyOfTheStart) {
  // Ten digits are known; the paper prints the first seven.
  const std::array<std::array<double, 2>, 5> known = {{{0.0, 0.1180937336},
                                                       {30.0, 0.2098116754},
                                                       {45.0, 0.2478024908},
                                                       {60.0, 0.2769538688},
                                                       {90.0, 0.3015296172}}};
  for (const auto& [angle, energy] : known) {
    for (const Model model : kBoth) {
      const ImpactingBar bar = steel(model, angle);
      const State start = bar.start();
      EXPECT_NEAR(bar.solver()->kinetic_energy(start.position, start.velocity) +
                      bar.potential_energy(start.position),
                  energy, 1e-9);
    }
  }
}

/// 1/(∇hᵀ M⁻¹ ∇h) of the undeformed bar, kg.
double effective_tip_mass(const ImpactingBar& bar) {
  const auto solver = bar.solver();
  EXPECT_TRUE(solver->factor(bar.at_contact(0.0).position));
  Vector w = Vector::Unit(bar.coordinates(), 1);
  solver->solve(w);
  return 1.0 / w[1];
}

TEST(ImpactingBar, EffectiveMassOfTheTip) {
  const std::array<std::array<double, 2>, 5> known = {{{0.0, 0.0125776079},
                                                       {30.0, 0.00841644142},
                                                       {45.0, 0.00632416076},
                                                       {60.0, 0.0050650239},
                                                       {90.0, 0.00422402325}}};
  for (const auto& [angle, mass] : known) {
    for (const Model model : kBoth) {
      EXPECT_NEAR(effective_tip_mass(steel(model, angle)) / mass, 1.0, 1e-8) << angle;
    }
  }
  // Upright, the spring of the first segment shields the tip: it is the hemisphere alone.
  const ImpactingBar upright = steel(Model::ParallelSprings, 90.0);
  EXPECT_NEAR(effective_tip_mass(upright), upright.parameters().tip_mass, 1e-15);
}

struct Frequencies {
  Model model;
  int segments;
  double limit;
  double bending_hz;
};

TEST(ImpactingBar, VibrationsOfTheUndeformedBar) {
  // Dense eigenvalues of (K, M), four digits of the limits.
  for (const Frequencies& known : {Frequencies{Model::SeparateSprings, 2, 4.7644e-6, 743.9713},
                                   Frequencies{Model::SeparateSprings, 9, 3.633e-7, 1339.091},
                                   Frequencies{Model::SeparateSprings, 40, 1.883e-8, 0.0},
                                   Frequencies{Model::ParallelSprings, 2, 1.678e-5, 743.9713},
                                   Frequencies{Model::ParallelSprings, 9, 4.558e-6, 1339.091},
                                   Frequencies{Model::ParallelSprings, 40, 9.543e-7, 0.0}}) {
    const ImpactingBar bar = steel(known.model, 25.0, known.segments);
    const BarVibrations found = vibrations(bar);
    EXPECT_NEAR(found.step_limit / known.limit, 1.0, 3e-4);
    if (known.bending_hz > 0.0) {
      EXPECT_NEAR(found.first_bending / (2.0 * pi), known.bending_hz, 1e-3);
    }
    const Vector q = bar.at_contact(0.0).position;
    Matrix M(q.size(), q.size());
    Matrix K(q.size(), q.size());
    bar.mass(q, M);
    bar.stiffness(q, K);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> dense(K, M);
    const double highest = std::sqrt(dense.eigenvalues().tail(1)[0]);
    EXPECT_NEAR(found.highest / highest, 1.0, 1e-11);  // rounding of the dense solver
    // Fourth from below, after three rigid motions; rounding of the largest eigenvalue, 1e-16 ω²,
    // is what the dense solver leaves.
    const double error = 1e-14 * std::pow(highest / found.first_bending, 2);
    EXPECT_NEAR(std::pow(found.first_bending, 2) / dense.eigenvalues()[3], 1.0, 1e-9 + error);
    const Vector& mode = found.bending_mode;
    EXPECT_NEAR(mode.dot(M * mode), 1.0, 1e-12);
    const Vector rest = K * mode - std::pow(found.first_bending, 2) * (M * mode);
    EXPECT_LT(rest.norm(), 1e-10 * (K.cwiseAbs() * mode.cwiseAbs()).norm());
    EXPECT_GT(mode[1], 0.0);
  }
  // The angle makes no difference.
  EXPECT_NEAR(vibrations(steel(Model::SeparateSprings, 0.0)).highest /
                  vibrations(steel(Model::SeparateSprings, 90.0)).highest,
              1.0, 1e-12);
}

TEST(ImpactingBar, AnExcitedStartCarriesTheEnergyAskedFor) {
  ImpactingBar bar = steel(Model::ParallelSprings, 70.0);
  bar.gravity = 0.0;
  for (const double phase : {0.0, 40.0, 160.0}) {
    bar.excitation = {.energy_fraction = 1e-3, .phase = degrees(phase)};
    const State start = bar.start();
    const double fall = 0.5 * bar.parameters().total_mass();
    // The mode is M-orthogonal to the fall in the undeformed bar; bent by 1e-5 rad, M couples them
    // by as much.
    EXPECT_NEAR(bar.solver()->kinetic_energy(start.position, start.velocity) +
                    bar.potential_energy(start.position),
                fall * (1.0 + 1e-3), 3e-5 * fall);
  }
}

TEST(ImpactingBar, WhatCannotBeBuiltIsRefused) {
  const auto refused = [](auto change) {
    ImpactingBar bar = steel(Model::ParallelSprings, 30.0);
    change(bar);
    return field_refused([&] { validate(bar); });
  };
  EXPECT_EQ(refused([](ImpactingBar& b) { b.segments = 1; }), "segments");
  EXPECT_EQ(refused([](ImpactingBar& b) { b.angle = -0.1; }), "angle");
  EXPECT_EQ(refused([](ImpactingBar& b) { b.angle = 1.6; }), "angle");
  EXPECT_EQ(refused([](ImpactingBar& b) { b.length = 0.006; }), "length");
  EXPECT_EQ(refused([](ImpactingBar& b) { b.tip_height = 0.006; }), "tip_height");
  EXPECT_EQ(refused([](ImpactingBar& b) { b.young = 0.0; }), "young");
  EXPECT_EQ(refused([](ImpactingBar& b) { b.excitation.energy_fraction = -1.0; }),
            "excitation.energy_fraction");
}

TEST(ImpactingBar, WavesInTheContinuousBar) {
  const BarWave wave = wave_theory(steel(Model::ParallelSprings, 90.0), 1.0);
  EXPECT_NEAR(wave.celerity, 5163.41, 0.01);
  EXPECT_NEAR(wave.contact_duration() * 1e6, 77.47, 0.01);
  const double T = wave.contact_duration();
  EXPECT_DOUBLE_EQ(wave.displacement(0.15, 0.2 * T), -0.2 * T);               // not yet reached
  EXPECT_DOUBLE_EQ(wave.displacement(0.0, 0.7 * T), 0.0);                     // at the floor
  EXPECT_NEAR(wave.displacement(0.19, 0.9 * T), -0.1 * T, 1e-18);             // on the way up
  EXPECT_NEAR(wave.displacement(0.1, 0.5 * T), -0.1 / wave.celerity, 1e-18);  // compressed
  for (const double x : {0.0, 0.07, 0.2}) {
    EXPECT_NEAR(wave.displacement(x, T), 0.0, 1e-18);  // whole again
  }
}

}  // namespace
}  // namespace percute::systems
