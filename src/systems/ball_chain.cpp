// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <string>
#include <utility>

namespace percute::systems {

namespace {

// Largest gap, in mean radii, of balls that still touch: rounding of positions along a long chain.
constexpr double kTouching = 1e-9;

std::size_t count(const BallChain& chain) {
  return static_cast<std::size_t>(chain.balls);
}

double radius_of(const BallChain& chain, int ball) {
  return each(chain.radii, chain.radius, static_cast<std::size_t>(ball));
}

/// Centres of the touching chain: x_1 = 0, x_{i+1} = x_i + r_i + r_{i+1}.
Vector touching_positions(const BallChain& chain) {
  Vector x = Vector::Zero(chain.balls);
  for (int i = 1; i < chain.balls; ++i) {
    x[i] = x[i - 1] + (radius_of(chain, i - 1) + radius_of(chain, i));
  }
  return x;
}

/// Two neighbours that touch: the place of their contact among all contacts of the chain, and the
/// balls on its two sides; −1 is the wall on the left, chain.balls the one on the right.
struct Pair {
  int contact;
  int left;
  int right;
};

/// Gaps are x_{i+1} − x_i − r_i − r_{i+1}; a wall is a ball that stays where the touching chain
/// would have it.
std::vector<Pair> touching_pairs(const BallChain& chain, const State& state) {
  const Vector touching = touching_positions(chain);
  const int first = chain.wall_on_left() ? -1 : 0;
  const int last = chain.wall_on_right() ? chain.balls : chain.balls - 1;
  std::vector<Pair> pairs;
  for (int left = first; left < last; ++left) {
    const int right = left + 1;
    double gap = 0.0;
    double size = 0.0;
    if (left < 0) {
      gap = state.position[0] - touching[0];
      size = radius_of(chain, 0);
    } else if (right == chain.balls) {
      gap = touching[left] - state.position[left];
      size = radius_of(chain, left);
    } else {
      const double sum = radius_of(chain, left) + radius_of(chain, right);
      gap = state.position[right] - state.position[left] - sum;
      size = 0.5 * sum;
    }
    if (gap <= kTouching * size) {
      pairs.push_back({.contact = left - first, .left = left, .right = right});
    }
  }
  return pairs;
}

}  // namespace

void validate(const BallChain& chain) {
  if (chain.balls < 1) throw InvalidInput("balls", std::to_string(chain.balls) + " is below 1");
  require_each(chain.radii, chain.radius, count(chain), "radii", "radius");
  require_each(chain.masses, chain.mass, count(chain), "masses", "mass");
  require_names(chain.names, count(chain));
  if (!chain.materials.empty()) {
    require_size(chain.materials.size(), static_cast<std::size_t>(chain.contacts()), "materials",
                 "contact");
  }
}

BallChain with_striker_mass(BallChain chain, double mass) {
  validate(chain);
  require_positive(mass, "striker_mass");
  if (chain.masses.empty()) chain.masses.assign(count(chain), chain.mass);
  chain.masses.front() = mass;
  return chain;
}

State BallChain::at_contact(double speed, int strikers) const {
  validate(*this);
  if (strikers < 1 || strikers > balls) {
    throw InvalidInput("strikers", std::to_string(strikers) + " is not from 1 to " +
                                       std::to_string(balls) + ", the number of balls");
  }
  Vector velocity = Vector::Zero(balls);
  velocity.head(strikers).setConstant(speed);
  return at_contact(velocity);
}

State BallChain::struck_at_both_ends(double speed, int strikers) const {
  validate(*this);
  if (strikers < 1 || strikers > balls / 2) {
    throw InvalidInput("strikers", std::to_string(strikers) + " at each end is not from 1 to " +
                                       std::to_string(balls / 2) + ", half of " +
                                       std::to_string(balls) + " balls");
  }
  Vector velocity = Vector::Zero(balls);
  velocity.head(strikers).setConstant(speed);
  velocity.tail(strikers).setConstant(-speed);
  return at_contact(velocity);
}

State BallChain::at_contact(const Vector& velocity) const {
  validate(*this);
  require_size(static_cast<std::size_t>(velocity.size()), count(*this), "velocity", "ball");
  require_finite(velocity, "velocity");
  return {.position = touching_positions(*this), .velocity = velocity};
}

ImpactProblem BallChain::impact(const State& state) const {
  validate(*this);
  require_state(state, count(*this), "ball");
  const std::vector<Pair> pairs = touching_pairs(*this, state);
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Contact> closed;
  for (const Pair& pair : pairs) {
    const int column = static_cast<int>(closed.size());
    if (pair.left >= 0) entries.emplace_back(pair.left, column, -1.0);
    if (pair.right < balls) entries.emplace_back(pair.right, column, 1.0);
    closed.push_back({.material = materials.empty()
                                      ? material
                                      : materials[static_cast<std::size_t>(pair.contact)]});
  }
  SparseMatrix W(balls, static_cast<Eigen::Index>(closed.size()));
  W.setFromTriplets(entries.begin(), entries.end());
  Vector diagonal(balls);
  for (int i = 0; i < balls; ++i) diagonal[i] = each(masses, mass, static_cast<std::size_t>(i));
  return {.mass = MassMatrix::diagonal(std::move(diagonal)),
          .gradients = W,
          .velocity = state.velocity,
          .contacts = std::move(closed)};
}

std::vector<Body> BallChain::bodies() const {
  validate(*this);
  return named_bodies(names, count(*this));
}

std::vector<std::string> BallChain::contact_names(const State& state) const {
  validate(*this);
  require_state(state, count(*this), "ball");
  const auto side = [this](int ball) {
    return ball < 0 || ball == balls ? "wall" : short_name(names, static_cast<std::size_t>(ball));
  };
  std::vector<std::string> result;
  for (const Pair& pair : touching_pairs(*this, state)) {
    result.push_back(side(pair.left) + "–" + side(pair.right));
  }
  return result;
}

}  // namespace percute::systems
