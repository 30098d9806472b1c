// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/bar_chain.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/any_system.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <cmath>
#include <numbers>

namespace percute::systems {

namespace {

using std::numbers::pi;

/// In O(n), in memory of its own. Factors are made when they are first asked for: implicit methods
/// only multiply.
class BarSolver final : public MassSolver {
 public:
  explicit BarSolver(const ImpactingBar& bar) : plain_(bar), stiffened_(bar) {}

  bool factor(const Vector& q) override {
    plain_.place(q);
    factored_ = false;
    return std::isfinite(q.sum());  // the energy of rigid bodies is positive wherever they are
  }
  void multiply(const Vector& x, Vector& y) override { plain_.multiply(x, y); }
  void solve(Vector& x) override {
    if (!factored_) plain_.factor(0.0);
    factored_ = true;
    plain_.solve(x);
  }
  double kinetic_energy(const Vector& q, const Vector& v) override {
    return plain_.kinetic_energy(q, v);
  }
  bool factor_stiffened(const Vector& q, double c) override {
    stiffened_.place(q);
    return stiffened_.factor(c);
  }
  void solve_stiffened(Vector& x) override { stiffened_.solve(x); }

 private:
  BarChain plain_;
  BarChain stiffened_;
  bool factored_ = false;
};

Vector undeformed(const ImpactingBar& bar, double gap) {
  Vector q = Vector::Zero(bar.coordinates());
  q[1] = gap;
  q.segment(2, bar.segments).setConstant(bar.angle);
  if (bar.model == ImpactingBar::Model::SeparateSprings) {
    q.tail(bar.segments).setConstant(bar.parameters().half_length);
  }
  return q;
}

/// A symmetric matrix, by its products.
template <class Product>
void write_out(Eigen::Index n, Product multiply, Matrix& A) {
  A.resize(n, n);
  Vector unit = Vector::Zero(n);
  Vector column(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    unit[j] = 1.0;
    multiply(unit, column);
    unit[j] = 0.0;
    // Rounding differs between the two ways round: the lower half counts.
    A.col(j).tail(n - j) = column.tail(n - j);
    A.row(j).tail(n - j) = column.tail(n - j).transpose();
  }
}

}  // namespace

void validate(const ImpactingBar& bar) {
  require_ranges("", bar);
  require_ranges("excitation", bar.excitation);
  if (bar.length <= bar.radius) {
    throw InvalidInput(
        "length",
        text(bar.length) + " leaves nothing beyond the hemisphere of radius " + text(bar.radius));
  }
  if (bar.tip_height < bar.radius) {
    throw InvalidInput("tip_height", text(bar.tip_height) + " is below the radius, " +
                                         text(bar.radius) + ": the tip starts in the floor");
  }
}

// Sections 2 and 4 of the paper: springs such that a static stretch and a static bending of the
// chain are those of the bar. The hemisphere is part of the length.
ImpactingBar::Parameters ImpactingBar::parameters() const {
  const double n = segments;
  const double R = radius;
  const double L = (length - R) / (2.0 * n);
  const double section = pi * R * R;
  Parameters p;
  p.segments = segments;
  p.half_length = L;
  p.mass = 2.0 * L * section * density;
  p.tip_mass = 2.0 / 3.0 * density * section * R;
  p.inertia = p.mass * (L * L / 3.0 + 0.25 * R * R);
  p.tip_inertia = (hemisphere_inertia == HemisphereInertia::AsPrinted ? 0.4 : 83.0 / 320.0) *
                  p.tip_mass * R * R;
  p.tip_arm = 0.375 * R;
  const double stretching = young * section / (n * L) * (n - 1.0) * (3.0 * n - 1.0) / n;
  if (model == Model::SeparateSprings) {
    p.stiffness = stretching / 3.0;
    p.rotational = young * section * R * R / (56.0 * n * L) * (n - 1.0) * (7.0 * n - 5.0) / n;
  } else {
    p.stiffness = stretching / 12.0;
    p.spring_distance = R * std::sqrt(3.0 / 7.0 * (7.0 * n - 5.0) / (3.0 * n - 1.0));
  }
  return p;
}

State ImpactingBar::start() const {
  validate(*this);
  State state{.position = undeformed(*this, tip_height - radius),
              .velocity = Vector::Zero(coordinates())};
  state.velocity[1] = tip_velocity;
  if (excitation.energy_fraction > 0.0) {
    const BarVibrations bending = vibrations(*this);
    const double fall = 0.5 * parameters().total_mass() * tip_velocity * tip_velocity;
    const double amplitude = std::sqrt(2.0 * excitation.energy_fraction * fall);
    state.position +=
        amplitude / bending.first_bending * std::sin(excitation.phase) * bending.bending_mode;
    state.velocity += amplitude * std::cos(excitation.phase) * bending.bending_mode;
  }
  return state;
}

State ImpactingBar::at_contact(double velocity) const {
  validate(*this);
  require_finite(velocity, "tip_velocity");
  State state{.position = undeformed(*this, 0.0), .velocity = Vector::Zero(coordinates())};
  state.velocity[1] = velocity;
  return state;
}

ImpactProblem ImpactingBar::impact(const State& state) const {
  validate(*this);
  return AnySystem(*this).impact(state);
}

void ImpactingBar::mass(const Vector& q, Matrix& M) const {
  BarChain chain(*this);
  chain.place(q);
  write_out(coordinates(), [&chain](const Vector& x, Vector& y) { chain.multiply(x, y); }, M);
}

void ImpactingBar::stiffness(const Vector& q, Matrix& K) const {
  BarChain chain(*this);
  chain.place(q);
  write_out(
      coordinates(), [&chain](const Vector& x, Vector& y) { chain.multiply_stiffness(x, y); }, K);
}

// −∂U/∂q − Σ m Jᵀ (c″ at q″ = 0): weights count as accelerations of the floor.
void ImpactingBar::force(double /*t*/, const Vector& q, const Vector& v, Vector& f) const {
  const BarModel chain(*this);
  const auto& p = chain.p;
  const int n = segments;
  // Outwards: directions, kept where the force will be, and the acceleration of the last port.
  const Arrow weight{.x = 0.0, .y = gravity};
  Arrow port = weight;
  Arrow before;
  double turn_before = 0.0;
  for (int i = 0; i < n; ++i) {
    const Arrow u = direction(q[BarModel::angle(i)]);
    f[BarModel::angle(i)] = u.x;
    f[chain.stretch(i)] = u.y;
    const double turn = v[BarModel::angle(i)];
    port = port + chain.reach * chain.bias(before, u, q[chain.stretch(i)], v[chain.stretch(i)],
                                           turn, turn_before);
    before = u;
    turn_before = turn;
  }
  // Inwards: inertial forces of all that is further out, and springs.
  Arrow force;          // m c″, summed
  double torque = 0.0;  // what segment i + 1 puts on θ_i
  Arrow u = before;
  for (int i = n - 1; i >= 0; --i) {
    const Eigen::Index t = BarModel::angle(i);
    const Eigen::Index s = chain.stretch(i);
    before = i > 0 ? Arrow{.x = f[t - 1], .y = f[s - 1]} : Arrow{};
    const double turn = v[t];
    const BarFrame frame = chain.frame(before, u, q[s]);
    const Arrow bias = chain.bias(before, u, q[s], v[s], turn, i > 0 ? v[t - 1] : 0.0);
    port = port - chain.reach * bias;
    const Arrow inertial = p.mass * (port + bias);
    const Arrow both = inertial + chain.reach * force;
    double on_stretch = -dot(frame.stretch, both);
    double on_turn = torque - dot(frame.turn, both);
    double twist = 0.0;  // of the joint before this segment
    if (!chain.parallel) {
      on_stretch -= (i + 1 < n ? 2.0 : 1.0) * p.stiffness * (q[s] - p.half_length);
      if (i > 0) twist = p.rotational * (q[t] - q[t - 1]);
    } else if (i == 0) {
      on_stretch -= p.stiffness * q[s];
    } else {
      const double cosine = dot(before, u);
      const double sine = dot(before.turned(), u);
      on_stretch -= 4.0 * p.stiffness * q[s] * (1.0 + cosine);
      twist =
          2.0 * p.stiffness * sine * (0.25 * p.spring_distance * p.spring_distance - q[s] * q[s]);
    }
    force = force + inertial;
    torque = twist - dot(frame.lead, force);
    if (i == 0) {
      // The hemisphere: c_G″ = P_0″ + 3R/8 θ_1′² u_1.
      const Arrow arm = p.tip_arm * u;
      const Arrow tip = p.tip_mass * (weight + (turn * turn) * arm);
      on_turn += dot(arm.turned(), tip);
      f[0] = -force.x - tip.x;
      f[1] = -force.y - tip.y;
    }
    f[t] = on_turn - twist;
    f[s] = on_stretch;
    u = before;
  }
}

double ImpactingBar::potential_energy(const Vector& q) const {
  const BarModel chain(*this);
  const auto& p = chain.p;
  double port = q[1] + radius;  // height
  double heights = 0.0;
  double elastic = 0.0;
  double tip = 0.0;
  Arrow before;
  for (int i = 0; i < segments; ++i) {
    const double s = q[chain.stretch(i)];
    const Arrow u = direction(q[BarModel::angle(i)]);
    double rise = 0.0;
    if (!chain.parallel) {
      rise = s * u.y;
      const double stretch = s - p.half_length;
      elastic += (i + 1 < segments ? 1.0 : 0.5) * p.stiffness * stretch * stretch;
      if (i > 0) {
        const double bend = q[BarModel::angle(i)] - q[BarModel::angle(i - 1)];
        elastic += 0.5 * p.rotational * bend * bend;
      }
    } else {
      rise = (p.half_length + s) * (before.y + u.y);
      if (i == 0) {
        elastic += 0.5 * p.stiffness * s * s;
      } else {
        // 1 − cos D = ½ |u − u_before|², without cancellation.
        const Arrow change = u - before;
        const double bend = 0.5 * dot(change, change);
        elastic += 2.0 * p.stiffness *
                   (0.25 * p.spring_distance * p.spring_distance * bend + s * s * (2.0 - bend));
      }
    }
    if (i == 0) tip = port - p.tip_arm * u.y;
    heights += port + rise;
    port += chain.reach * rise;
    before = u;
  }
  return gravity * (p.tip_mass * tip + p.mass * heights) + elastic;
}

std::unique_ptr<MassSolver> ImpactingBar::solver() const {
  return std::make_unique<BarSolver>(*this);
}

std::vector<Body> ImpactingBar::bodies() const {
  // Springs couple all of it: one body.
  Body bar{.name = "bar", .coordinates = {}};
  bar.coordinates.reserve(static_cast<std::size_t>(coordinates()));
  for (int i = 0; i < coordinates(); ++i) bar.coordinates.push_back(i);
  bar.axes = {"x", "gap"};
  bar.units.assign(bar.coordinates.size(), "m/s");
  const std::string stretch = model == Model::SeparateSprings ? "ξ" : "λ";
  for (int i = 1; i <= segments; ++i) {
    bar.axes.push_back("θ" + std::to_string(i));
    bar.units[bar.axes.size() - 1] = "rad/s";
  }
  for (int i = 1; i <= segments; ++i) bar.axes.push_back(stretch + std::to_string(i));
  return {bar};
}

double ImpactingBar::expected_energy() const {
  const Parameters p = parameters();
  const double n = segments;
  return 0.5 * p.total_mass() * tip_velocity * tip_velocity +
         p.total_mass() * gravity * tip_height +
         gravity * std::sin(angle) * (n * p.mass * n * p.half_length - p.tip_arm * p.tip_mass);
}

}  // namespace percute::systems
