// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/impacting_bar.hpp>

#include <cmath>
#include <vector>

namespace percute::systems {

/// A vector of the plane.
struct Arrow {
  double x = 0.0;
  double y = 0.0;

  friend Arrow operator+(Arrow a, Arrow b) { return {.x = a.x + b.x, .y = a.y + b.y}; }
  friend Arrow operator-(Arrow a, Arrow b) { return {.x = a.x - b.x, .y = a.y - b.y}; }
  friend Arrow operator*(double s, Arrow a) { return {.x = s * a.x, .y = s * a.y}; }
  friend double dot(Arrow a, Arrow b) { return a.x * b.x + a.y * b.y; }
  Arrow turned() const { return {.x = -y, .y = x}; }  ///< by a right angle: n from u
};

inline Arrow direction(double angle) {
  return {.x = std::cos(angle), .y = std::sin(angle)};
}

/// How the centre of a segment moves with its port, the point (and angle) at which the segment
/// before it ends: c_i′ = p′ + lead θ_{i−1}′ + stretch s_i′ + turn θ_i′. The next port moves with
/// reach times the last two terms: 2 for separate springs (the far end of the segment), 1 for
/// parallel ones (its centre).
struct BarFrame {
  Arrow stretch;
  Arrow turn;
  Arrow lead;
};

/// The elastic energy that goes with segment i, and its derivatives: s = s_i, t = θ_i, r = θ_{i−1}.
/// Those by t and by r are opposite: turning both does nothing.
struct BarSpring {
  double energy = 0.0;
  double s = 0.0;
  double t = 0.0;
  double ss = 0.0;
  double st = 0.0;
  double sr = 0.0;
  double tt = 0.0;
  double tr = 0.0;
  double rr = 0.0;
};

/// What the functions of a bar share: constants, and the motion of one segment.
struct BarModel {
  explicit BarModel(const ImpactingBar& bar)
      : p(bar.parameters()),
        parallel(bar.model == ImpactingBar::Model::ParallelSprings),
        reach(parallel ? 1.0 : 2.0) {}

  ImpactingBar::Parameters p;
  bool parallel;
  double reach;

  int n() const { return p.segments; }
  static Eigen::Index angle(int i) { return 2 + i; }
  Eigen::Index stretch(int i) const { return 2 + p.segments + i; }

  /// `before`: direction of the segment before, zero for the first one.
  BarFrame frame(Arrow before, Arrow u, double s) const {
    if (parallel) {
      const double l = p.half_length + s;
      return {.stretch = before + u, .turn = l * u.turned(), .lead = l * before.turned()};
    }
    return {.stretch = u, .turn = s * u.turned(), .lead = {}};
  }
  /// c_i″ − p″ where q″ = 0; rates of s_i, θ_i and θ_{i−1}.
  Arrow bias(Arrow before, Arrow u, double s, double ds, double turn, double turn_before) const {
    const double l = parallel ? p.half_length + s : s;
    Arrow b = (2.0 * ds * turn) * u.turned() - (l * turn * turn) * u;
    if (parallel) {
      b = b + (2.0 * ds * turn_before) * before.turned() - (l * turn_before * turn_before) * before;
    }
    return b;
  }
  /// Separate springs: the paper's k Σ_{i<n} (ξ_i − L)² + k/2 (ξ_n − L)² + Γ/2 Σ (θ_i − θ_{i−1})².
  /// Parallel springs: k/2 λ_1² + Σ_{i≥2} 2k [a²/4 (1 − cos D) + λ_i² (1 + cos D)], D = θ_i −
  /// θ_{i−1}.
  /// `bend`: D; second derivatives do not ask for it.
  BarSpring spring(int i, Arrow before, Arrow u, double s, double bend = 0.0) const {
    const double k = p.stiffness;
    BarSpring spring;
    if (!parallel) {
      const double stretch = s - p.half_length;
      spring.ss = i + 1 < p.segments ? 2.0 * k : k;
      spring.s = spring.ss * stretch;
      spring.energy = 0.5 * spring.ss * stretch * stretch;
      if (i > 0) {
        spring.t = p.rotational * bend;
        spring.energy += 0.5 * p.rotational * bend * bend;
        spring.tt = spring.rr = p.rotational;
      }
    } else if (i == 0) {
      spring.energy = 0.5 * k * s * s;
      spring.s = k * s;
      spring.ss = k;
    } else {
      const double cosine = dot(before, u);
      const double sine = dot(before.turned(), u);
      const double quarter = 0.25 * p.spring_distance * p.spring_distance;  // a²/4
      // 1 − cos D = ½ |u − u_before|², without cancellation.
      const Arrow change = u - before;
      const double fall = 0.5 * dot(change, change);
      spring.energy = 2.0 * k * (quarter * fall + s * s * (2.0 - fall));
      spring.s = 4.0 * k * s * (1.0 + cosine);
      spring.t = 2.0 * k * sine * (quarter - s * s);
      spring.ss = 4.0 * k * (1.0 + cosine);
      spring.st = -4.0 * k * s * sine;
      spring.tt = 2.0 * k * cosine * (quarter - s * s);
      spring.rr = spring.tt;
    }
    spring.sr = -spring.st;
    spring.tr = -spring.tt;
    return spring;
  }
};

/// The chain at one configuration: products with M, and factors of M + c K, all in O(n).
///
/// The end of the chain that is still free, seen from a port, is a quadratic form in the port's
/// motion (2 displacements, 1 angle); taking in one more segment eliminates its stretch and angle,
/// 2 × 2. M + c K couples no more than neighbours, so it goes the same way.
class BarChain {
 public:
  explicit BarChain(const ImpactingBar& bar)
      : model_(bar),
        u_(static_cast<std::size_t>(bar.segments)),
        frames_(u_.size()),
        s_(u_.size()),
        links_(u_.size()) {}

  void place(const Vector& q) {
    Arrow before;
    for (int i = 0; i < model_.n(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      u_[k] = direction(q[BarModel::angle(i)]);
      s_[k] = q[model_.stretch(i)];
      frames_[k] = model_.frame(before, u_[k], s_[k]);
      before = u_[k];
    }
  }

  /// y = M x
  void multiply(const Vector& x, Vector& y) const {
    const auto& p = model_.p;
    // Outwards: momenta of the segments, kept where the result will be.
    for_each_centre(x, [&](int i, Arrow centre) {
      y[BarModel::angle(i)] = p.mass * centre.x;
      y[model_.stretch(i)] = p.mass * centre.y;
    });
    // Inwards: what all segments further out put on each coordinate.
    Arrow force;
    double torque = 0.0;
    for (int i = model_.n() - 1; i >= 0; --i) {
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

  /// y = K x
  void multiply_stiffness(const Vector& x, Vector& y) const {
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

  double kinetic_energy(const Vector& v) const {
    const auto& p = model_.p;
    const double first = v[BarModel::angle(0)];
    const Arrow tip = Arrow{.x = v[0], .y = v[1]} - (p.tip_arm * first) * u_[0].turned();
    const double energy = 0.5 * (p.tip_mass * dot(tip, tip) + p.tip_inertia * first * first);
    double squares = 0.0;
    for_each_centre(v, [&](int i, Arrow centre) {
      const double turn = v[BarModel::angle(i)];
      squares += p.mass * dot(centre, centre) + p.inertia * turn * turn;
    });
    return energy + 0.5 * squares;
  }

  /// False unless M + c K is positive definite.
  bool factor(double c) {
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
      rr -=
          link.ls * (link.iss * link.ls + 2.0 * link.ist * link.lt) + link.lt * link.itt * link.lt;

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

  /// With the last factor.
  void solve(Vector& x) const {
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

 private:
  /// What the elimination of one segment leaves behind.
  struct Link {
    BarFrame frame;
    Arrow gs, gt;          // coupling of the stretch and of the angle with the port
    double ls, lt;         // and with the angle of the port
    double iss, ist, itt;  // S⁻¹
  };

  /// The free end of the chain as a port feels it: a symmetric form in (x, y, θ).
  struct Port {
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    Arrow turn;       // (x, y) with θ
    double rr = 0.0;  // θ with θ

    Arrow operator*(Arrow a) const { return {.x = xx * a.x + xy * a.y, .y = xy * a.x + yy * a.y}; }
  };

  /// Calls visit(i, c_i′) for all segments, outwards, x being the rates of the coordinates.
  template <class Visit>
  void for_each_centre(const Vector& x, Visit visit) const {
    Arrow port{.x = x[0], .y = x[1]};
    double turn_before = 0.0;
    for (int i = 0; i < model_.n(); ++i) {
      const BarFrame& f = frames_[static_cast<std::size_t>(i)];
      const double turn = x[BarModel::angle(i)];
      const Arrow base = port + turn_before * f.lead;
      const Arrow own = x[model_.stretch(i)] * f.stretch + turn * f.turn;
      visit(i, base + own);
      port = base + model_.reach * own;
      turn_before = turn;
    }
  }

  BarModel model_;
  std::vector<Arrow> u_;
  std::vector<BarFrame> frames_;
  std::vector<double> s_;
  std::vector<Link> links_;
  double txx_ = 0.0, txy_ = 0.0, tyy_ = 0.0;  // inverse of what is left at the tip
};

}  // namespace percute::systems
