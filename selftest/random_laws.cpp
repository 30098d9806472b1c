// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/random_laws.hpp"

#include "selftest/law_outcome.hpp"
#include "selftest/random_bodies.hpp"
#include "selftest/random_friction.hpp"

#include <algorithm>

namespace percute::selftest {

namespace {

bool plastic(const ImpactProblem& problem) {
  return std::all_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const Contact& contact) { return contact.material.restitution == 0.0; });
}

Vector draw_impulse_direction(Random& random, Eigen::Index m) {
  Vector a(m);
  for (double& x : a) x = random.chance(0.2) ? 0.0 : random.uniform();
  a[random.integer(0, static_cast<int>(m) - 1)] = 1.0;
  return a;
}

Matrix draw_patterns(Random& random, Eigen::Index m) {
  const int columns = random.integer(1, static_cast<int>(m));
  Matrix B(m, columns);
  for (int j = 0; j < columns; ++j) B.col(j) = draw_impulse_direction(random, m);
  return B;
}

/// Between the κ that give no restitution and the infinite one of an elastic contact.
Matrix draw_kappa(Random& random, const ImpactProblem& problem) {
  const Vector diagonal = problem.mass.delassus_diagonal(problem.gradients);
  Matrix kappa(diagonal.size(), 1);
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    kappa(i, 0) = laws::fremond_kappa(draw_restitution(random), diagonal[i]);
  }
  return kappa;
}

Matrix draw_matrix(Random& random, const ImpactProblem& problem) {
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  Matrix R = Matrix::Zero(m, m);
  const double across = random.chance(0.5) ? 0.0 : random.uniform(0.0, 0.3);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < m; ++j) R(i, j) = across * random.uniform();
    R(i, i) = problem.contacts[static_cast<std::size_t>(i)].material.restitution;
  }
  return R;
}

laws::Binary draw_binary(Random& random) {
  constexpr laws::Binary::Order kOrders[] = {
      // NOLINT(*-avoid-c-arrays)
      laws::Binary::Order::LeftRight, laws::Binary::Order::RightLeft,
      laws::Binary::Order::LargestApproach, laws::Binary::Order::Random};
  return {.order = random.pick(kOrders),
          .seed = static_cast<std::uint64_t>(random.integer(0, 1000)),
          .max_collisions = 2'000};
}

void add_frictional_laws(Random& random, RandomLaws& out) {
  using laws::Coulomb;
  const bool plastic_contacts = plastic(out.problem);
  const double angles[] = {0.0, 0.5, -1.0, random.uniform(-1.0, 1.0)};  // NOLINT(*-c-arrays)
  std::vector<LawTrial>& to = out.trials;
  to.push_back({.name = "coulomb", .law = Coulomb{}, .energetic = true, .kinematic = true});
  to.push_back({.name = "coulomb theta=0",
                .law = Coulomb{.tangential = 0.0},
                .energetic = plastic_contacts,
                .kinematic = true});
  to.push_back({.name = "coulomb theta",
                .law = Coulomb{.tangential = random.pick(angles)},
                .kinematic = true});
  // Expensive: 35 solutions to find the factor.
  if (!sliding(out.problem) || random.chance(0.9)) return;
  to.push_back({.name = "coulomb fallback_fremond",
                .law = Coulomb{.tangential = 0.0,
                               .on_energy_growth = Coulomb::OnEnergyGrowth::FallbackFremond},
                .energetic = true,
                .kinematic = true});
  to.push_back(
      {.name = "coulomb reduce_e",
       .law = Coulomb{.tangential = 0.0, .on_energy_growth = Coulomb::OnEnergyGrowth::ReduceE},
       .energetic = true,
       .kinematic = true});
}

void add_laws(Random& random, RandomLaws& out) {
  const auto m = static_cast<Eigen::Index>(out.problem.contacts.size());
  const bool friction = sliding(out.problem);
  const bool dissipates = !friction || plastic(out.problem);
  const laws::AlgebraicOptions include{.separating = laws::Separating::Include};
  std::vector<LawTrial>& to = out.trials;
  // name, law, answers, energetic, kinematic
  to.push_back({"moreau", laws::Moreau{.restitution = out.restitution}, true, true, true});
  to.push_back({"newton", laws::Newton{}, true, true, true});
  to.push_back({"poisson", laws::Poisson{}, !friction, dissipates, true});
  to.push_back({"poisson include", laws::Poisson{.options = include}, !friction, dissipates, true});
  to.push_back(
      {"restitution_matrix", laws::RestitutionMatrix{.matrix = draw_matrix(random, out.problem)}});
  to.push_back({"fremond_quadratic",
                laws::FremondQuadratic{.kappa = draw_kappa(random, out.problem)}, true, true,
                true});
  to.push_back(
      {"fremond_cone",
       laws::FremondCone{.patterns = draw_patterns(random, m), .restitution = out.restitution},
       false, true, false});
  to.push_back({"icr",
                laws::ImpulseRatios{.direction = draw_impulse_direction(random, m),
                                    .restitution = out.restitution},
                false, true, false});
  to.push_back({"icr total_energy",
                laws::ImpulseRatios{.direction = draw_impulse_direction(random, m),
                                    .closure = laws::ImpulseRatios::Closure::TotalEnergy,
                                    .energy_ratio = random.uniform()},
                false, true, false});
  to.push_back({"binary", draw_binary(random), false, true, true});
  to.push_back(
      {"simultaneous_set", laws::SimultaneousSet{.max_collisions = 2'000}, false, true, true});
  constexpr double kGammas[] = {0.0, 1.0, 1.0, 2.0, 0.5};  // NOLINT(*-avoid-c-arrays)
  to.push_back({"scalar_restitution", laws::ScalarRestitution{.gamma = random.pick(kGammas)},
                !friction, true, true});
  to.push_back({"cradle_sort", laws::CradleSort{}, false, true, true});
  add_frictional_laws(random, out);
}

}  // namespace

ImpactResult resolve(const ImpactProblem& problem, const AlgebraicLaw& law) {
  return std::visit([&](const auto& which) { return percute::resolve(problem, which); }, law);
}

RandomLaws random_laws(std::uint64_t seed, std::uint64_t index) {
  Random random(seed + 0x6C617773U, index);  // not the stream of random_problem()
  RandomProblem drawn;
  const int choice = random.integer(0, 9);
  switch (choice) {
    case 6:
      draw_planar_body(random, random.integer(1, 6), drawn);
      break;
    case 7:
      draw_spatial_body(random, random.integer(1, 6), drawn);
      break;
    case 8:
      draw_spinning_disks(random, drawn);
      break;
    case 9:
      draw_spinning_balls(random, drawn);
      break;
    default:
      drawn = draw_common(seed, index);
      draw_tangents(random, drawn);
  }
  RandomLaws out;
  out.restitution = draw_materials(random, choice > 5 || random.chance(0.5), drawn.problem);
  const bool room = drawn.problem.contacts.size() < kMostContacts;
  if (choice > 5 && room && random.chance(0.1)) repeat_a_contact(random, drawn.problem);
  out.kind = std::move(drawn.kind);
  out.problem = std::move(drawn.problem);
  out.bodies = std::move(drawn.bodies);
  out.translation = std::move(drawn.translation);
  add_laws(random, out);
  // Bodies caught between walls go to and fro for ever: cut early, for it tells nothing more.
  for (LawTrial& trial : out.trials) {
    std::visit([](auto& law) { law.options.max_stages = 50; }, trial.law);
  }
  return out;
}

}  // namespace percute::selftest
