// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/diagonal_mass.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace percute::systems {

namespace {

std::size_t count(const BallChain& chain) {
  return static_cast<std::size_t>(chain.balls);
}

double radius_of(const BallChain& chain, int ball) {
  return each(chain.radii, chain.radius, static_cast<std::size_t>(ball));
}

/// Centres of the touching chain: x_1 = first, x_{i+1} = x_i + r_i + r_{i+1}.
Vector touching_positions(const BallChain& chain) {
  Vector x = Vector::Constant(chain.balls, chain.first);
  for (int i = 1; i < chain.balls; ++i) {
    x[i] = x[i - 1] + (radius_of(chain, i - 1) + radius_of(chain, i));
  }
  return x;
}

/// Two neighbours: the balls on the two sides of a contact; −1 is the wall on the left, chain.balls
/// the one on the right.
struct Pair {
  int left;
  int right;
};

/// Contact i of all contacts of the chain.
Pair pair_of(const BallChain& chain, int i) {
  const int left = chain.wall_on_left() ? i - 1 : i;
  return {.left = left, .right = left + 1};
}

std::string name_of(const BallChain& chain, const Pair& pair) {
  const auto side = [&chain](int ball) {
    return ball < 0 || ball == chain.balls
               ? "wall"
               : short_name(chain.names, static_cast<std::size_t>(ball));
  };
  return side(pair.left) + "–" + side(pair.right);
}

/// Gaps are x_{i+1} − x_i − r_i − r_{i+1}; a wall is a ball that stays where the touching chain
/// would have it, the last ball at `end`.
double gap_of(const BallChain& chain, const Pair& pair, const Vector& x, double end) {
  if (pair.left < 0) return x[0] - chain.first;
  if (pair.right == chain.balls) return end - x[pair.left];
  return x[pair.right] - x[pair.left] -
         (radius_of(chain, pair.left) + radius_of(chain, pair.right));
}

/// Contacts that are closed, by their places among all contacts.
std::vector<int> touching_contacts(const BallChain& chain, const State& state) {
  const double end = touching_positions(chain)[chain.balls - 1];
  std::vector<int> closed;
  for (int i = 0; i < chain.contacts(); ++i) {
    const Pair pair = pair_of(chain, i);
    double size = radius_of(chain, std::max(pair.left, 0));
    if (pair.left >= 0 && pair.right < chain.balls) {
      size = 0.5 * (size + radius_of(chain, pair.right));
    }
    if (gap_of(chain, pair, state.position, end) <= kTouching * size) closed.push_back(i);
  }
  return closed;
}

const Material& material_of(const BallChain& chain, int contact) {
  return each(chain.materials, chain.material, static_cast<std::size_t>(contact));
}

Vector masses_of(const BallChain& chain) {
  Vector masses(chain.balls);
  for (int i = 0; i < chain.balls; ++i) {
    masses[i] = each(chain.masses, chain.mass, static_cast<std::size_t>(i));
  }
  return masses;
}

/// The chain in motion.
class Line {
 public:
  explicit Line(const BallChain& chain)
      : chain_(chain),
        masses_(masses_of(chain)),
        end_(touching_positions(chain)[chain.balls - 1]) {}

  int coordinates() const { return chain_.balls; }
  int contacts() const { return chain_.contacts(); }
  void mass(const Vector& /*q*/, Matrix& M) const { M = masses_.asDiagonal(); }
  std::unique_ptr<MassSolver> solver() const { return diagonal_solver(masses_); }
  void force(double t, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f = masses_ * -(chain_.gravity + chain_.base.at(t));
  }
  bool conservative() const { return !chain_.base.moves(); }
  double longest_step(double t) const { return chain_.base.longest_step(t); }
  double potential_energy(const Vector& q) const { return chain_.gravity * masses_.dot(q); }

  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) h[i] = gap_of(chain_, pair_of(chain_, i), q, end_);
  }
  void gradient(int i, const Vector& /*q*/, Vector& column) const {
    const Pair pair = pair_of(chain_, i);
    column.setZero();
    if (pair.left >= 0) column[pair.left] = -1.0;
    if (pair.right < chain_.balls) column[pair.right] = 1.0;
  }
  static double gap_curvature(int /*i*/, const Vector& /*q*/, const Vector& /*v*/) { return 0.0; }
  Contact contact(int i, const Vector& /*q*/) const { return {.material = material_of(chain_, i)}; }

  std::vector<Body> bodies() const { return chain_.bodies(); }
  std::vector<std::string> contact_names() const {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(contacts()));
    for (int i = 0; i < contacts(); ++i) names.push_back(name_of(chain_, pair_of(chain_, i)));
    return names;
  }

 private:
  BallChain chain_;
  Vector masses_;
  double end_;  // of the last ball at the wall
};

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
  require_finite(chain.first, "first");
  require_finite(chain.gravity, "gravity");
  validate(chain.base, "base");
}

BallChain::operator AnySystem() const {
  validate(*this);
  return Line(*this);
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

State BallChain::apart(const Vector& gaps, const Vector& velocity) const {
  State state = at_contact(velocity);
  require_size(static_cast<std::size_t>(gaps.size()), static_cast<std::size_t>(contacts()), "gaps",
               "contact");
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    require_not_negative(gaps[i], "gaps[" + std::to_string(i) + "]");
  }
  if (wall == Wall::Both && !gaps.isZero(0.0)) {
    throw InvalidInput("gaps", "walls at both ends leave no room between the balls");
  }
  // Every gap moves the balls on its side away from the wall, or from the first ball.
  for (int i = 0; i < contacts(); ++i) {
    const Pair pair = pair_of(*this, i);
    if (wall == Wall::Right) {
      state.position.head(pair.left + 1).array() -= gaps[i];
    } else {
      state.position.tail(balls - pair.right).array() += gaps[i];
    }
  }
  return state;
}

ImpactProblem BallChain::impact(const State& state) const {
  validate(*this);
  require_state(state, count(*this), "ball");
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Contact> closed;
  for (const int contact : touching_contacts(*this, state)) {
    const Pair pair = pair_of(*this, contact);
    const int column = static_cast<int>(closed.size());
    if (pair.left >= 0) entries.emplace_back(pair.left, column, -1.0);
    if (pair.right < balls) entries.emplace_back(pair.right, column, 1.0);
    closed.push_back({.material = material_of(*this, contact)});
  }
  SparseMatrix W(balls, static_cast<Eigen::Index>(closed.size()));
  W.setFromTriplets(entries.begin(), entries.end());
  return {.mass = MassMatrix::diagonal(masses_of(*this)),
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
  std::vector<std::string> result;
  for (const int contact : touching_contacts(*this, state)) {
    result.push_back(name_of(*this, pair_of(*this, contact)));
  }
  return result;
}

}  // namespace percute::systems
