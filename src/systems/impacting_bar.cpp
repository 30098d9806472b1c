// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "numerics/largest_eigenvalue.hpp"
#include "systems/bar_chain.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/any_system.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace percute::systems {

namespace {

using std::numbers::pi;

/// In O(n), in memory of its own. Factors are made when they are first asked for: implicit methods
/// only multiply.
class BarSolver final : public MassSolver {
 public:
  explicit BarSolver(const ImpactingBar& bar) : chain_(bar), moving_(bar) {}

  bool factor(const Vector& q, double c) override {
    chain_.place(q);
    factored_ = c != 0.0;
    // The energy of rigid bodies is positive wherever they are.
    return factored_ ? chain_.factor(c) : std::isfinite(q.sum());
  }
  void multiply(const Vector& x, Vector& y) override { chain_.multiply(x, y); }
  void solve(Vector& x) override {
    if (!factored_) chain_.factor(0.0);
    factored_ = true;
    chain_.solve(x);
  }
  double kinetic_energy(const Vector& q, const Vector& v) override {
    moving_.place(q);
    return moving_.kinetic_energy(v);
  }

 private:
  BarChain chain_;
  BarChain moving_;  // wherever its energy is asked for
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
    const BarSpring spring = chain.spring(i, before, u, q[s], i > 0 ? q[t] - q[t - 1] : 0.0);
    const double on_stretch = -dot(frame.stretch, both) - spring.s;
    double on_turn = torque - dot(frame.turn, both);
    force = force + inertial;
    torque = spring.t - dot(frame.lead, force);
    if (i == 0) {
      // The hemisphere: c_G″ = P_0″ + 3R/8 θ_1′² u_1.
      const Arrow arm = p.tip_arm * u;
      const Arrow tip = p.tip_mass * (weight + (turn * turn) * arm);
      on_turn += dot(arm.turned(), tip);
      f[0] = -force.x - tip.x;
      f[1] = -force.y - tip.y;
    }
    f[t] = on_turn - spring.t;
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
    const double rise = chain.parallel ? (p.half_length + s) * (before.y + u.y) : s * u.y;
    const double bend = i > 0 ? q[BarModel::angle(i)] - q[BarModel::angle(i - 1)] : 0.0;
    elastic += chain.spring(i, before, u, s, bend).energy;
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

namespace {

/// Takes out of x its part along `mode`, orthogonally in the kinetic metric.
void remove(const Vector& mode, const Vector& momentum, Vector& x) {
  x -= momentum.dot(x) / momentum.dot(mode) * mode;
}

/// First bending mode, by powers of (M + c K)⁻¹ M beside the three rigid motions.
void first_bending(const ImpactingBar& bar, const Vector& q, BarVibrations& result) {
  const auto n = bar.coordinates();
  BarChain chain(bar);
  chain.place(q);
  // Rigid motions of the undeformed bar: both translations, and the rotation about P_0. The second
  // and the third are made orthogonal to those before them.
  std::array<Vector, 3> rigid = {Vector::Unit(n, 0), Vector::Unit(n, 1), Vector::Zero(n)};
  rigid[2].segment(2, bar.segments).setOnes();
  std::array<Vector, 3> momenta;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < k; ++j) remove(rigid[j], momenta[j], rigid[k]);
    momenta[k].resize(n);
    chain.multiply(rigid[k], momenta[k]);
  }
  // c ω² well above 1 for the first bending mode of the continuous bar, fourfold margin: what is
  // left of higher modes falls by ω_1²/ω_2² < 0.2 each time.
  const double bending =
      22.37 / (bar.length * bar.length) * std::sqrt(bar.young / bar.density) * 0.5 * bar.radius;
  chain.factor(16.0 / (bending * bending));
  Vector x = Vector::Zero(n);
  for (int i = 0; i < bar.segments; ++i) x[2 + i] = i;  // bent to one side
  Vector y(n);
  double rate = 0.0;
  for (int k = 0; k < 60; ++k) {
    for (std::size_t j = 0; j < 3; ++j) remove(rigid[j], momenta[j], x);
    chain.multiply(x, y);
    x /= std::sqrt(x.dot(y));
    const double before = rate;
    chain.multiply_stiffness(x, y);
    rate = x.dot(y);
    if (std::abs(rate - before) <= 1e-15 * rate && k > 20) break;
    chain.multiply(x, y);
    chain.solve(y);
    x = y;
  }
  for (std::size_t j = 0; j < 3; ++j) remove(rigid[j], momenta[j], x);
  chain.multiply(x, y);
  x /= std::sqrt(x.dot(y));
  const Arrow across = direction(bar.angle).turned();
  if (x[0] * across.x + x[1] * across.y < 0.0) x = -x;
  result.first_bending = std::sqrt(rate);
  result.bending_mode = x;
}

}  // namespace

BarVibrations vibrations(const ImpactingBar& bar) {
  validate(bar);
  Vector q = bar.at_contact(0.0).position;
  BarChain chain(bar);
  chain.place(q);
  chain.factor(0.0);
  const double largest = numerics::largest_eigenvalue(
      bar.coordinates(), [&](const Vector& x, Vector& y) { chain.multiply_stiffness(x, y); },
      [&](const Vector& x, Vector& y) { chain.multiply(x, y); },
      [&](Vector& x) { chain.solve(x); });
  BarVibrations result;
  result.highest = std::sqrt(largest);
  result.step_limit = 2.0 / result.highest;
  first_bending(bar, q, result);
  return result;
}

BarWave wave_theory(const ImpactingBar& bar, double speed) {
  validate(bar);
  return {.length = bar.length, .speed = speed, .celerity = std::sqrt(bar.young / bar.density)};
}

double BarWave::displacement(double x, double t) const {
  const double front = celerity * t;
  if (x <= std::min(front, 2.0 * length - front)) return -speed * x / celerity;
  if (front <= length) return -speed * t;
  return speed * (t - contact_duration());
}

}  // namespace percute::systems
