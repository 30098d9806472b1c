// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"
#include "systems/closed_contact.hpp"
#include "systems/diagonal_mass.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/v_groove.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace percute::systems {

namespace {

/// Unit normals of the left and of the right wall; b = (π − θ)/2.
std::array<Point, 2> normals(const VGroove& groove) {
  const double sine = std::cos(0.5 * groove.opening);    // sin b
  const double cosine = std::sin(0.5 * groove.opening);  // cos b
  return {Point(sine, cosine), Point(-sine, cosine)};
}

/// The particle in motion.
class Particle {
 public:
  explicit Particle(VGroove groove) : groove_(std::move(groove)), normals_(normals(groove_)) {}

  static int coordinates() { return 2; }
  static int contacts() { return 2; }
  void mass(const Vector& /*q*/, Matrix& M) const { M = groove_.mass * Matrix::Identity(2, 2); }
  std::unique_ptr<MassSolver> solver() const {
    return diagonal_solver(Vector::Constant(2, groove_.mass));
  }
  void force(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const {
    f[0] = 0.0;
    f[1] = -groove_.mass * groove_.gravity;
  }
  double potential_energy(const Vector& q) const { return groove_.mass * groove_.gravity * q[1]; }

  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < 2; ++i) h[i] = normal(i).dot(q.head<2>());
  }
  void gradient(int i, const Vector& /*q*/, Vector& column) const { column = normal(i); }
  static double gap_curvature(int /*i*/, const Vector& /*q*/, const Vector& /*v*/) { return 0.0; }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(groove_.materials, groove_.material, static_cast<std::size_t>(i)),
            .directions = 1};
  }
  void tangents(int i, const Vector& /*q*/, Eigen::Ref<Matrix> T) const {
    T.col(0) = Point(normal(i).y(), -normal(i).x());
  }

  std::vector<Body> bodies() const { return groove_.bodies(); }
  static std::vector<std::string> contact_names() {
    return {"particle–left wall", "particle–right wall"};
  }

 private:
  const Point& normal(int i) const { return normals_[static_cast<std::size_t>(i)]; }

  VGroove groove_;
  std::array<Point, 2> normals_;
};

}  // namespace

void validate(const VGroove& groove) {
  require_positive(groove.mass, "mass");
  if (!(groove.opening > 0.0 && groove.opening < std::numbers::pi)) {
    throw InvalidInput("opening", text(groove.opening) + " is not in (0, pi)");
  }
  if (!groove.materials.empty()) require_size(groove.materials.size(), 2, "materials", "wall");
  require_not_negative(groove.gravity, "gravity");
}

VGroove::operator AnySystem() const {
  validate(*this);
  return Particle(*this);
}

State VGroove::at_contact(const Point& velocity) const {
  return at(Point::Zero(), velocity);
}

State VGroove::at(const Point& position, const Point& velocity) const {
  validate(*this);
  require_finite(position, "position");
  require_finite(velocity, "velocity");
  return {.position = position, .velocity = velocity};
}

ImpactProblem VGroove::impact(const State& state) const {
  require_state(state, 2, "coordinate");
  const AnySystem moving = *this;
  return impact_problem(moving, state.position, state.velocity,
                        closed_contacts(moving, state.position, kTouching));
}

std::vector<Body> VGroove::bodies() const {
  validate(*this);
  return {{.name = "particle", .coordinates = {0, 1}, .axes = {"x", "y"}}};
}

std::vector<std::string> VGroove::contact_names(const State& state) const {
  require_state(state, 2, "coordinate");
  return closed_names(*this, state.position, kTouching);
}

}  // namespace percute::systems
