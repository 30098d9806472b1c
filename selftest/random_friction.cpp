// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/random_friction.hpp"

#include "selftest/friction_checks.hpp"
#include "selftest/impact_guises.hpp"
#include "selftest/law_outcome.hpp"
#include "selftest/random_bodies.hpp"

#include <algorithm>
#include <limits>

namespace percute::selftest {

namespace {

double draw_friction(Random& random) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const double choices[] = {0.0,
                            0.05,
                            random.uniform(),
                            random.uniform(),  // NOLINT(*-c-arrays)
                            1.0,
                            2.0 * random.uniform(),
                            kInfinite};
  return random.pick(choices);
}

/// A cluster, packing or dense problem of random_problem() with tangents.
RandomProblem draw_with_tangents(Random& random) {
  const auto seed = static_cast<std::uint64_t>(random.integer(0, 1'000'000'000));
  for (std::uint64_t k = 0;; ++k) {
    RandomProblem out = draw_common(seed, k);
    if (out.problem.contacts.empty()) continue;
    draw_tangents(random, out);
    if (out.problem.contacts.front().directions > 0) return out;
  }
}

/// Stiffnesses, exponents and contact models. A single contact is bi-stiffness most of the time,
/// for then it has a closed form.
void draw_stiffnesses(Random& random, RandomProblem& out) {
  constexpr double kExponents[] = {1.5, 1.5, 1.0, 2.0};  // NOLINT(*-avoid-c-arrays)
  constexpr ContactModel kModels[] = {ContactModel::MonoStiffness,
                                      ContactModel::TriStiffness};  // NOLINT(*-avoid-c-arrays)
  const bool single = out.problem.contacts.size() == 1;
  if (random.chance(single ? 0.1 : 0.2)) out.law.contact_model = random.pick(kModels);
  const bool alike = random.chance(0.3);
  const bool precompressed = random.chance(single ? 0.05 : 0.15);
  const double exponent = random.pick(kExponents);
  for (Contact& contact : out.problem.contacts) {
    Material& material = contact.material;
    material.stiffness = alike ? 1.0 : random.octaves(-4, 4);
    material.exponent = alike ? exponent : random.pick(kExponents);
    if (out.law.contact_model == ContactModel::TriStiffness) {
      const double plastic = material.stiffness * random.uniform(0.1, 1.5);
      material.tri_stiffness = TriStiffness{
          .yield_indentation = random.octaves(-5, 1),
          .plastic_stiffness = plastic,
          .unloading_stiffness = std::max(material.stiffness, plastic) * random.uniform(1.0, 3.0)};
    }
    if (precompressed && random.chance(0.5)) contact.stored_energy = random.octaves(-8, 1);
  }
}

}  // namespace

double draw_restitution(Random& random) {
  const double choices[] = {0.0, 1.0, 0.5, random.uniform(), random.uniform()};  // NOLINT
  return random.pick(choices);
}

RandomProblem draw_common(std::uint64_t seed, std::uint64_t index) {
  RandomProblem out = random_problem(seed, index);
  out.law = {};
  ImpactProblem& problem = out.problem;
  if (problem.contacts.size() > kMostContacts) {
    problem.contacts.resize(kMostContacts);
    problem.gradients = SparseMatrix(problem.gradients.leftCols(kMostContacts));
  }
  for (Contact& contact : problem.contacts) {
    contact = {.material = {.restitution = contact.material.restitution}};
  }
  return out;
}

double draw_materials(Random& random, bool restitution, ImpactProblem& problem) {
  const bool one_restitution = random.chance(0.4);
  const bool one_friction = random.chance(0.6);
  const double shared = draw_restitution(random);
  const double friction = draw_friction(random);
  for (Contact& contact : problem.contacts) {
    if (restitution) {
      contact.material.restitution = one_restitution ? shared : draw_restitution(random);
    }
    if (contact.directions > 0) {
      contact.material.friction = one_friction ? friction : draw_friction(random);
    }
  }
  return shared;
}

void repeat_a_contact(Random& random, ImpactProblem& problem) {
  repeat_contact(problem, random.integer(0, static_cast<int>(problem.contacts.size()) - 1));
}

RandomProblem random_friction(std::uint64_t seed, std::uint64_t index) {
  Random random(seed + 0x66726963U, index);  // not the stream of random_problem()
  RandomProblem out;
  const int choice = random.integer(0, 11);
  switch (choice) {
    case 0:
    case 1:
      draw_planar_body(random, 1, out);
      out.kind = "planar contact";
      break;
    case 2:
    case 3:
      draw_spatial_body(random, 1, out);
      out.kind = "spatial contact";
      break;
    case 4:
    case 5:
      draw_planar_body(random, random.integer(2, 6), out);
      break;
    case 6:
    case 7:
      draw_spatial_body(random, random.integer(2, 6), out);
      break;
    case 8:
      draw_spinning_disks(random, out);
      break;
    case 9:
      draw_spinning_balls(random, out);
      break;
    default:
      out = draw_with_tangents(random);
  }
  do {
    draw_materials(random, true, out.problem);
  } while (!sliding(out.problem));
  out.law.tolerance = 1e-9;
  // Bodies caught between others go to and fro for ever: cut early, for it tells nothing more.
  out.law.max_steps = 20'000;
  out.law.max_events = 2'000;
  if (random.chance(0.1)) out.law.reengagement = laws::Lzb::Reengagement::TrackedGap;
  draw_stiffnesses(random, out);
  const bool room = choice > 3 && out.problem.contacts.size() < kMostContacts;
  if (room && random.chance(0.1)) repeat_a_contact(random, out.problem);
  return out;
}

}  // namespace percute::selftest
