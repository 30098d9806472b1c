// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/random_problem.hpp"

#include "selftest/random.hpp"
#include "selftest/rebuilt_mass.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace percute::selftest {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// A problem under construction: bodies of `dimension` coordinates each, gradients as a list.
struct Draft {
  RandomProblem& out;
  Random& random;
  Vector masses = {};  ///< one per coordinate; unused once a dense matrix is set
  Triplets gradients = {};
  int contacts = 0;

  void touch(int row, double value) { gradients.emplace_back(row, contacts, value); }
};

/// Number of contacts: mostly small, now and then larger.
int draw_size(Random& random) {
  return random.chance(0.02) ? random.integer(13, 40) : random.integer(1, 12);
}

/// Equal, alternating heavy and light, tapered, or anything over four decades.
Vector draw_masses(Random& random, int count) {
  Vector masses(count);
  const int pattern = random.integer(0, 3);
  const double ratio = random.octaves(-6, 7);
  for (int i = 0; i < count; ++i) {
    const double tapered = i == 0 ? 1.0 : masses[i - 1] * (ratio > 1.0 ? 0.8 : 1.25);
    masses[i] = pattern == 0   ? 1.0
                : pattern == 1 ? (i % 2 == 0 ? 1.0 : ratio)
                : pattern == 2 ? std::clamp(tapered, 1e-2, 1e2)
                               : random.octaves(-7, 6);
  }
  return masses;
}

/// Speeds along one line: a striker, several, both ends, all alike, all different, none.
Vector draw_speeds(Random& random, int count) {
  Vector speeds = Vector::Zero(count);
  switch (random.integer(0, 5)) {
    case 0:
      speeds[0] = 1.0;
      break;
    case 1:
      speeds.head(random.integer(1, count)).setOnes();
      break;
    case 2:
      speeds[0] = 1.0;
      speeds[count - 1] -= random.uniform();
      break;
    case 3:
      if (random.chance(0.5)) speeds.setConstant(random.uniform(-1.0, 1.0));
      break;
    default:
      for (double& speed : speeds) speed = random.uniform(-1.0, 1.0);
      if (random.chance(0.3)) speeds[random.integer(0, count - 1)] = 0.0;
  }
  return speeds;
}

/// A unit vector of the plane by the rational parametrisation of the circle: no cosine needed.
Eigen::Vector2d draw_direction(Random& random) {
  const double t = random.uniform(-1.0, 1.0);
  const double x = (1.0 - t * t) / (1.0 + t * t);
  const double y = 2.0 * t / (1.0 + t * t);
  return random.chance(0.5) ? Eigen::Vector2d(x, y) : Eigen::Vector2d(-x, -y);
}

void draw_chain(Draft& draft, bool walls) {
  Random& random = draft.random;
  const bool left = walls && random.chance(0.3);
  const bool right = walls && (!left || random.chance(0.7));
  const int fixed = (left ? 1 : 0) + (right ? 1 : 0);
  const int balls = std::max(fixed > 0 ? 1 : 2, draw_size(random) + 1 - fixed);
  draft.out.kind = walls ? "chain on walls" : "chain";
  draft.masses = draw_masses(random, balls);
  draft.out.problem.velocity = draw_speeds(random, balls);
  if (left) {
    draft.touch(0, 1.0);
    ++draft.contacts;
  }
  for (int i = 0; i + 1 < balls; ++i) {
    draft.touch(i, -1.0);
    draft.touch(i + 1, 1.0);
    ++draft.contacts;
  }
  if (right) {
    draft.touch(balls - 1, -1.0);
    ++draft.contacts;
  }
  for (int i = 0; i < balls; ++i) draft.out.bodies.push_back({i});
  if (!walls) draft.out.translation = Vector::Ones(balls);
}

/// Disks in the plane: masses, velocities, and what is common to all planar kinds.
void draw_disks(Draft& draft, int disks) {
  Random& random = draft.random;
  const Vector masses = draw_masses(random, disks);
  const Vector speeds = draw_speeds(random, disks);
  const bool one_direction = random.chance(0.5);
  const Eigen::Vector2d common = draw_direction(random);
  draft.masses.resize(2 * disks);
  draft.out.problem.velocity.resize(2 * disks);
  for (int i = 0; i < disks; ++i) {
    draft.masses.segment<2>(2 * i).setConstant(masses[i]);
    draft.out.problem.velocity.segment<2>(2 * i) =
        speeds[i] * (one_direction ? common : draw_direction(random));
    draft.out.bodies.push_back({2 * i, 2 * i + 1});
  }
  const Eigen::Vector2d along = draw_direction(random);
  draft.out.translation = along.replicate(disks, 1);
}

void touch_disks(Draft& draft, int first, int second, const Eigen::Vector2d& normal) {
  for (int k = 0; k < 2; ++k) {
    if (normal[k] == 0.0) continue;
    draft.touch(2 * first + k, -normal[k]);
    draft.touch(2 * second + k, normal[k]);
  }
  ++draft.contacts;
}

/// Each disk touches an earlier one in a direction of its own.
void draw_cluster(Draft& draft) {
  Random& random = draft.random;
  const int disks = draw_size(random) + 1;
  draft.out.kind = "cluster";
  draw_disks(draft, disks);
  for (int i = 1; i < disks; ++i) {
    touch_disks(draft, random.integer(0, i - 1), i, draw_direction(random));
  }
}

/// A connected patch of the triangular lattice; neighbours touch.
void draw_hexagonal(Draft& draft) {
  Random& random = draft.random;
  constexpr int kSteps[6][2] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};  // NOLINT
  const double height = 0.5 * std::numbers::sqrt3;
  std::vector<std::pair<int, int>> cells{{0, 0}};
  const int disks = random.integer(3, 8);
  while (static_cast<int>(cells.size()) < disks) {
    const auto from =
        cells[static_cast<std::size_t>(random.integer(0, static_cast<int>(cells.size()) - 1))];
    const auto& step = kSteps[random.integer(0, 5)];
    const std::pair<int, int> cell{from.first + step[0], from.second + step[1]};
    if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
  }
  draft.out.kind = "hexagonal";
  draw_disks(draft, disks);
  for (int a = 0; a < disks; ++a) {
    for (int b = a + 1; b < disks; ++b) {
      const int i =
          cells[static_cast<std::size_t>(b)].first - cells[static_cast<std::size_t>(a)].first;
      const int j =
          cells[static_cast<std::size_t>(b)].second - cells[static_cast<std::size_t>(a)].second;
      if (i * i + i * j + j * j == 1) touch_disks(draft, a, b, {i + 0.5 * j, height * j});
    }
  }
}

/// A rigid plate (height, two tilts) on feet: redundant from the fourth foot on.
void draw_plate(Draft& draft) {
  Random& random = draft.random;
  draft.out.kind = "plate";
  const int feet = random.integer(1, 6);
  const bool rectangle = feet == 4 && random.chance(0.5);
  draft.masses.resize(3);
  draft.masses << 1.0, random.octaves(-4, 2), random.octaves(-4, 2);
  draft.out.problem.velocity.resize(3);
  draft.out.problem.velocity << -random.uniform(), random.uniform(-1.0, 1.0),
      random.chance(0.3) ? 0.0 : random.uniform(-1.0, 1.0);
  for (int k = 0; k < feet; ++k) {
    const double x = rectangle ? (k == 0 || k == 3 ? 1.0 : -1.0) : random.uniform(-1.0, 1.0);
    const double y = rectangle ? (k < 2 ? 0.5 : -0.5) : random.uniform(-1.0, 1.0);
    draft.touch(0, 1.0);
    draft.touch(1, y);
    draft.touch(2, -x);
    ++draft.contacts;
  }
  draft.out.bodies.push_back({0, 1, 2});
}

/// Coupled coordinates and gradients in any direction; more contacts than coordinates now and then.
void draw_dense(Draft& draft) {
  Random& random = draft.random;
  const int n = random.integer(1, 8);
  const int m = random.chance(0.25) ? n + random.integer(1, 3) : random.integer(1, n);
  draft.out.kind = "dense";
  Matrix B(n, n);
  for (double& entry : B.reshaped()) entry = random.bell();
  const double stiffer = random.octaves(-4, 4);
  draft.out.problem.mass = MassMatrix::dense(B * B.transpose() + stiffer * Matrix::Identity(n, n));
  draft.out.problem.velocity.resize(n);
  for (double& v : draft.out.problem.velocity) v = random.bell();
  for (int i = 0; i < m; ++i) {
    for (int k = 0; k < n; ++k) draft.touch(k, random.bell());
    ++draft.contacts;
  }
  draft.out.bodies.emplace_back();
  for (int k = 0; k < n; ++k) draft.out.bodies.back().push_back(k);
}

double draw_any_restitution(Random& random) {
  switch (random.integer(0, 5)) {
    case 0:
      return 0.0;
    case 1:
    case 2:
      return 1.0;
    case 3:
      return random.uniform(0.9, 1.0);
    default:
      return random.uniform();
  }
}

/// Materials and precompression of all contacts.
void draw_contacts(Draft& draft) {
  Random& random = draft.random;
  RandomProblem& out = draft.out;
  constexpr int kTenths[] = {10, 15, 15, 15, 20, 13, 17, 25, 30};  // NOLINT(*-avoid-c-arrays)
  constexpr ContactModel kModels[] = {ContactModel::BiStiffness, ContactModel::BiStiffness,
                                      ContactModel::MonoStiffness,
                                      ContactModel::TriStiffness};  // NOLINT(*-avoid-c-arrays)
  const bool alike = random.chance(0.4);
  const bool one_exponent = random.chance(0.6);
  const bool mixed_models = random.chance(0.15);
  const bool precompressed = random.chance(0.2);
  const int decades = random.chance(0.2) ? 13 : random.integer(0, 7);  // octaves, in fact
  out.law.contact_model = random.pick(kModels);
  const double shared_exponent = random.pick(kTenths) / 10.0;
  for (int i = 0; i < draft.contacts; ++i) {
    if (alike && i > 0) {
      out.problem.contacts.push_back(out.problem.contacts.front());
      continue;
    }
    Contact contact;
    Material& material = contact.material;
    material.restitution = draw_any_restitution(random);
    material.stiffness = decades == 0 ? 1.0 : random.octaves(-(decades + 1) / 2, decades / 2 + 1);
    material.exponent = one_exponent ? shared_exponent : random.pick(kTenths) / 10.0;
    if (mixed_models) material.contact_model = random.pick(kModels);
    if (material.contact_model.value_or(out.law.contact_model) == ContactModel::TriStiffness) {
      const double plastic = material.stiffness * random.uniform(0.1, 1.5);
      material.tri_stiffness = TriStiffness{
          .yield_indentation = random.octaves(-5, 1),
          .plastic_stiffness = plastic,
          .unloading_stiffness = std::max(material.stiffness, plastic) * random.uniform(1.0, 3.0)};
    }
    if (precompressed && random.chance(0.5)) contact.stored_energy = random.octaves(-8, 1);
    out.problem.contacts.push_back(contact);
  }
}

/// The same contact once more, under another number.
void repeat_a_contact(Draft& draft) {
  const int chosen = draft.random.integer(0, draft.contacts - 1);
  Triplets copy;
  for (const auto& entry : draft.gradients) {
    if (entry.col() == chosen) copy.emplace_back(entry.row(), draft.contacts, entry.value());
  }
  draft.gradients.insert(draft.gradients.end(), copy.begin(), copy.end());
  ++draft.contacts;
}

}  // namespace

double Units::velocity_factor() const {
  return std::ldexp(1.0, 10 * length_steps - time);
}

void change_units(ImpactProblem& problem, const Units& units) {
  const int mass = units.mass;
  const int length = 10 * units.length_steps;
  const int time = units.time;
  const auto scaled = [](double value, int octaves) { return std::ldexp(value, octaves); };
  problem.velocity *= units.velocity_factor();
  const MassMatrix& M = problem.mass;
  problem.mass = rebuilt(M, [&](Eigen::Index i, Eigen::Index j) { return scaled(M(i, j), mass); });
  for (Contact& contact : problem.contacts) {
    Material& material = contact.material;
    // N/m^η = kg m^(1−η) s⁻²; with η in tenths the power of the length is a power of two.
    const auto tenths = static_cast<int>(std::lround(10.0 * material.exponent));
    const int force = mass - 2 * time;
    const bool slopes = material.tri_stiffness.has_value();
    material.stiffness =
        scaled(material.stiffness, force + (slopes ? 0 : (10 - tenths) * units.length_steps));
    if (material.tri_stiffness) {
      TriStiffness& tri = *material.tri_stiffness;
      tri.yield_indentation = scaled(tri.yield_indentation, length);
      tri.plastic_stiffness = scaled(tri.plastic_stiffness, force);
      tri.unloading_stiffness = scaled(tri.unloading_stiffness, force);
    }
    contact.stored_energy = scaled(contact.stored_energy, mass + 2 * length - 2 * time);
  }
}

RandomProblem random_problem(std::uint64_t seed, std::uint64_t index) {
  Random random(seed, index);
  RandomProblem out;
  Draft draft{.out = out, .random = random};
  switch (random.integer(0, 7)) {
    case 0:
    case 1:
      draw_chain(draft, false);
      break;
    case 2:
    case 3:
      draw_chain(draft, true);
      break;
    case 4:
      draw_cluster(draft);
      break;
    case 5:
      draw_hexagonal(draft);
      break;
    case 6:
      draw_plate(draft);
      break;
    default:
      draw_dense(draft);
  }
  if (random.chance(0.1)) repeat_a_contact(draft);
  draw_contacts(draft);
  ImpactProblem& problem = out.problem;
  if (draft.masses.size() > 0) problem.mass = MassMatrix::diagonal(draft.masses);
  problem.gradients.resize(problem.velocity.size(), draft.contacts);
  problem.gradients.setFromTriplets(draft.gradients.begin(), draft.gradients.end());
  // Impacts that never end are cut early: they cost most and tell least.
  out.law.max_events = 2'000;
  out.law.max_steps = 50'000;
  if (random.chance(0.3)) out.law.reengagement = laws::Lzb::Reengagement::TrackedGap;
  if (random.chance(0.5)) {
    change_units(problem, {.mass = random.integer(-20, 20),
                           .length_steps = random.integer(-2, 2),
                           .time = random.integer(-20, 20)});
  }
  return out;
}

}  // namespace percute::selftest
