// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/bar_chain.hpp"

#include "numerics/largest_eigenvalue.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::systems {

namespace {

/// The free end of the chain as a port feels it: a symmetric form in (x, y, θ).
struct Port {
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  Arrow turn;       // (x, y) with θ
  double rr = 0.0;  // θ with θ

  Arrow operator*(Arrow a) const { return {.x = xx * a.x + xy * a.y, .y = xy * a.x + yy * a.y}; }
};

}  // namespace

// Separate springs: the paper's k Σ_{i<n} (ξ_i − L)² + k/2 (ξ_n − L)² + Γ/2 Σ (θ_i − θ_{i−1})².
// Parallel springs: k/2 λ_1² + Σ_{i≥2} 2k [a²/4 (1 − cos D) + λ_i² (1 + cos D)], D = θ_i − θ_{i−1}.
BarSpring BarModel::spring(int i, Arrow before, Arrow u, double s) const {
  BarSpring spring;
  if (!parallel) {
    spring.ss = i + 1 < p.segments ? 2.0 * p.stiffness : p.stiffness;
    if (i > 0) spring.tt = spring.rr = p.rotational;
  } else if (i == 0) {
    spring.ss = p.stiffness;
  } else {
    const double cosine = dot(before, u);
    const double sine = dot(before.turned(), u);
    spring.ss = 4.0 * p.stiffness * (1.0 + cosine);
    spring.st = -4.0 * p.stiffness * s * sine;
    spring.tt = 2.0 * p.stiffness * cosine * (0.25 * p.spring_distance * p.spring_distance - s * s);
    spring.rr = spring.tt;
  }
  spring.sr = -spring.st;
  spring.tr = -spring.tt;
  return spring;
}

BarChain::BarChain(const ImpactingBar& bar)
    : model_(bar),
      u_(static_cast<std::size_t>(bar.segments)),
      frames_(u_.size()),
      s_(u_.size()),
      links_(u_.size()) {}

void BarChain::place(const Vector& q) {
  Arrow before;
  for (int i = 0; i < model_.n(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    u_[k] = direction(q[BarModel::angle(i)]);
    s_[k] = q[model_.stretch(i)];
    frames_[k] = model_.frame(before, u_[k], s_[k]);
    before = u_[k];
  }
}

void BarChain::multiply(const Vector& x, Vector& y) const {
  const int n = model_.n();
  const auto& p = model_.p;
  // Outwards: momenta of the segments, kept where the result will be.
  Arrow port{.x = x[0], .y = x[1]};
  double turn_before = 0.0;
  for (int i = 0; i < n; ++i) {
    const BarFrame& f = frames_[static_cast<std::size_t>(i)];
    const double turn = x[BarModel::angle(i)];
    const Arrow base = port + turn_before * f.lead;
    const Arrow own = x[model_.stretch(i)] * f.stretch + turn * f.turn;
    const Arrow centre = base + own;
    y[BarModel::angle(i)] = p.mass * centre.x;
    y[model_.stretch(i)] = p.mass * centre.y;
    port = base + model_.reach * own;
    turn_before = turn;
  }
  // Inwards: what all segments further out put on each coordinate.
  Arrow force;
  double torque = 0.0;
  for (int i = n - 1; i >= 0; --i) {
    const BarFrame& f = frames_[static_cast<std::size_t>(i)];
    double& on_turn = y[BarModel::angle(i)];
    double& on_stretch = y[model_.stretch(i)];
    const Arrow momentum{.x = on_turn, .y = on_stretch};
    const Arrow both = momentum + model_.reach * force;
    on_stretch = dot(f.stretch, both);
    on_turn = dot(f.turn, both) + torque + p.inertia * x[BarModel::angle(i)];
    force = force + momentum;
    torque = dot(f.lead, force);
  }
  // The hemisphere: c_G′ = P_0′ − 3R/8 θ_1′ n_1.
  const Arrow arm = p.tip_arm * u_[0].turned();
  const double turn = x[BarModel::angle(0)];
  const Arrow tip = p.tip_mass * (Arrow{.x = x[0], .y = x[1]} - turn * arm);
  y[BarModel::angle(0)] += p.tip_inertia * turn - dot(arm, tip);
  y[0] = force.x + tip.x;
  y[1] = force.y + tip.y;
}

void BarChain::multiply_stiffness(const Vector& x, Vector& y) const {
  y.setZero();
  for (int i = 0; i < model_.n(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const BarSpring c = model_.spring(i, i > 0 ? u_[k - 1] : Arrow{}, u_[k], s_[k]);
    const Eigen::Index s = model_.stretch(i);
    const Eigen::Index t = BarModel::angle(i);
    const double before = i > 0 ? x[t - 1] : 0.0;
    y[s] += c.ss * x[s] + c.st * x[t] + c.sr * before;
    y[t] += c.st * x[s] + c.tt * x[t] + c.tr * before;
    if (i > 0) y[t - 1] += c.sr * x[s] + c.tr * x[t] + c.rr * before;
  }
}

double BarChain::kinetic_energy(const Vector& q, const Vector& v) const {
  const auto& p = model_.p;
  Arrow port{.x = v[0], .y = v[1]};
  Arrow before;
  double turn_before = 0.0;
  double energy = 0.0;
  double squares = 0.0;
  for (int i = 0; i < model_.n(); ++i) {
    const Arrow u = direction(q[BarModel::angle(i)]);
    const BarFrame f = model_.frame(before, u, q[model_.stretch(i)]);
    const double turn = v[BarModel::angle(i)];
    if (i == 0) {
      const Arrow tip = port - (p.tip_arm * turn) * u.turned();
      energy += 0.5 * (p.tip_mass * dot(tip, tip) + p.tip_inertia * turn * turn);
    }
    const Arrow base = port + turn_before * f.lead;
    const Arrow own = v[model_.stretch(i)] * f.stretch + turn * f.turn;
    const Arrow centre = base + own;
    squares += p.mass * dot(centre, centre) + p.inertia * turn * turn;
    port = base + model_.reach * own;
    before = u;
    turn_before = turn;
  }
  return energy + 0.5 * squares;
}

bool BarChain::factor(double c) {
  const auto& p = model_.p;
  const double d = model_.reach;
  bool definite = true;
  Port next;
  for (int i = model_.n() - 1; i >= 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    const BarFrame& f = frames_[k];
    Link& link = links_[k];
    link.frame = f;

    // The form in (port, stretch, angle) with all that is further out already eliminated.
    const Arrow ns = next * f.stretch;
    const Arrow nt = next * f.turn;
    link.gs = p.mass * f.stretch + d * ns;
    link.gt = p.mass * f.turn + d * nt + next.turn;
    double sss = p.mass * dot(f.stretch, f.stretch) + d * d * dot(f.stretch, ns);
    double sst = p.mass * dot(f.stretch, f.turn) + d * d * dot(f.stretch, nt) +
                 d * dot(f.stretch, next.turn);
    double stt = p.mass * dot(f.turn, f.turn) + d * d * dot(f.turn, nt) +
                 2.0 * d * dot(f.turn, next.turn) + p.inertia + next.rr;
    double mass = p.mass;
    if (i == 0) {
      const Arrow arm = p.tip_arm * u_[0].turned();
      link.gt = link.gt - p.tip_mass * arm;
      stt += p.tip_inertia + p.tip_mass * p.tip_arm * p.tip_arm;
      mass += p.tip_mass;
    }
    link.ls = 0.0;
    link.lt = 0.0;
    double rr = 0.0;
    if (c != 0.0) {
      const BarSpring spring = model_.spring(i, i > 0 ? u_[k - 1] : Arrow{}, u_[k], s_[k]);
      sss += c * spring.ss;
      sst += c * spring.st;
      stt += c * spring.tt;
      link.ls = c * spring.sr;
      link.lt = c * spring.tr;
      rr = c * spring.rr;
    }

    // Elimination of the stretch and the angle.
    const double determinant = sss * stt - sst * sst;
    definite = definite && sss > 0.0 && determinant > 0.0;
    const double inverse = 1.0 / determinant;
    link.iss = stt * inverse;
    link.ist = -sst * inverse;
    link.itt = sss * inverse;
    const Arrow as = link.iss * link.gs + link.ist * link.gt;
    const Arrow at = link.ist * link.gs + link.itt * link.gt;
    next.xx += mass - link.gs.x * as.x - link.gt.x * at.x;
    next.xy -= link.gs.x * as.y + link.gt.x * at.y;
    next.yy += mass - link.gs.y * as.y - link.gt.y * at.y;
    const Arrow coupling = (-link.ls) * as - link.lt * at;
    rr -= link.ls * (link.iss * link.ls + 2.0 * link.ist * link.lt) + link.lt * link.itt * link.lt;

    // The port of the segment is that of the one before it, moved by its angle.
    const Arrow led = next * f.lead;
    next.turn = led + coupling;
    next.rr = rr + dot(f.lead, led + 2.0 * coupling);
  }
  const double determinant = next.xx * next.yy - next.xy * next.xy;
  txx_ = next.yy / determinant;
  txy_ = -next.xy / determinant;
  tyy_ = next.xx / determinant;
  return definite && next.xx > 0.0 && determinant > 0.0;
}

void BarChain::solve(Vector& x) const {
  const int n = model_.n();
  Arrow force;
  double torque = 0.0;
  for (int i = n - 1; i >= 0; --i) {
    const Link& link = links_[static_cast<std::size_t>(i)];
    double& turn = x[BarModel::angle(i)];
    double& stretch = x[model_.stretch(i)];
    const double rs = stretch - model_.reach * dot(link.frame.stretch, force);
    const double rt = turn - model_.reach * dot(link.frame.turn, force) - torque;
    stretch = link.iss * rs + link.ist * rt;
    turn = link.ist * rs + link.itt * rt;
    force = force + stretch * link.gs + turn * link.gt;
    torque = link.ls * stretch + link.lt * turn + dot(link.frame.lead, force);
  }
  const Arrow rest = Arrow{.x = x[0], .y = x[1]} - force;
  Arrow port{.x = txx_ * rest.x + txy_ * rest.y, .y = txy_ * rest.x + tyy_ * rest.y};
  x[0] = port.x;
  x[1] = port.y;
  double turn_before = 0.0;
  for (int i = 0; i < n; ++i) {
    const Link& link = links_[static_cast<std::size_t>(i)];
    double& turn = x[BarModel::angle(i)];
    double& stretch = x[model_.stretch(i)];
    const Arrow base = port + turn_before * link.frame.lead;
    const double rs = dot(link.gs, base) + link.ls * turn_before;
    const double rt = dot(link.gt, base) + link.lt * turn_before;
    stretch -= link.iss * rs + link.ist * rt;
    turn -= link.ist * rs + link.itt * rt;
    port = base + model_.reach * (stretch * link.frame.stretch + turn * link.frame.turn);
    turn_before = turn;
  }
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
