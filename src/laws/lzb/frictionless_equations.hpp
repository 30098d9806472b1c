// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace percute::laws {

/// Right-hand side of the LZB dynamics for frozen phases, in one of two independent variables.
///
/// State y = (ξ, P, Δv, τ, 0): indentations and impulses (`lanes` of each), changes of velocities
/// where they are needed (BodyVelocities), pseudo-time, padding.
///
///     dξ/dτ = −gain U,   dP/dτ = λ(ξ),   U = U⁻ + G P
///
/// Hertz contacts start and end with ξ^(3/2), which is smooth in √τ and √ξ only. Hence
///   * time mode:    τ = τ₀ + x^k, k = 2 where a Hertz contact starts at τ₀, k = 1 if nothing
///                   singular starts;
///   * landing mode: ξ_i = (−x)^k, x runs up to 0 and ends exactly at the opening of contact i.
///
/// evaluate<Lanes>() treats all contacts alike, without branches, from flat arrays that follow from
/// the phases; the few that need more (odd exponents, gaps about to open) are seen to afterwards.
class LzbDynamics {
 public:
  void assign(const ImpactSetup& setup, const ContactPhases& phases);

  using SmallMatrix = numerics::SmallMatrix;
  using Pair = SmallMatrix::Pair;

  int size() const { return setup_->clock() + 2; }
  /// Calls use(std::integral_constant<int, L>) with the number of lanes as a constant where it is a
  /// small one, else 0.
  template <class Use, int Lanes = 2>
  auto with_lanes(Use&& use) const {
    if constexpr (Lanes > numerics::DelassusOperator::kLargestSmall) {
      return use(std::integral_constant<int, 0>{});
    } else {
      if (known_lanes_ == Lanes) return use(std::integral_constant<int, Lanes>{});
      return with_lanes<Use, Lanes + 2>(std::forward<Use>(use));
    }
  }
  long evaluations() const { return evaluations_; }
  void forget_evaluations() { evaluations_ = 0; }
  /// −gain of every contact, `lanes` of them.
  const double* minus_gains() const { return rows_.data() + MinusGain * setup_->lanes; }

  /// Takes over the phases if they have changed.
  void follow_phases() {
    if (phases_->revision() != revision_) refresh();
  }

  void use_time(int k) {
    k_ = k;
    set_landing(-1);
  }
  /// As long as the rate of contact i is no slower than this.
  void use_landing(int i, double slowest) {
    k_ = setup_->contact[i].radical();
    set_landing(i);
    slowest_ = slowest;
  }

  /// Slopes f = dy/dx. False where they are not defined: a spent contact with a fractional exponent
  /// is asked for more, or the landing contact does not move towards its opening. Lanes = 0: any
  /// number.
  template <int Lanes>
  bool evaluate(double x, double* y, double* f) {
    ++evaluations_;
    const int lanes = Lanes > 0 ? Lanes : setup_->lanes;
    if (landing_ >= 0) place_landing<Lanes>(k_ == 1 ? -x : x * x, y);
    const bool defined = Lanes > 0 ? evaluate_pairs<Lanes>(y, f) : evaluate_arrays(y, f);
    if (!defined) return false;
    const int clock = Lanes > 0 ? 2 * Lanes : setup_->clock();
    SmallMatrix::store(f, clock, Pair(1.0, 0.0));
    if (plain_) return true;

    if (!special_.empty()) evaluate_special(y, f, lanes);
    if (Lanes == 0 && setup_->bodies.used()) {
      setup_->bodies.accelerations(f + lanes, f + setup_->velocities());
    }
    double pace = k_ == 1 ? 1.0 : 2.0 * x;  // dτ/dx, or dξ/dx when landing
    if (landing_ >= 0) {
      if (k_ == 1) pace = -1.0;
      if (!(f[landing_] < -slowest_)) return false;
      pace /= f[landing_];
    }
    for (int i = 0; i < clock + 2; i += 2) SmallMatrix::store(f, i, pace * SmallMatrix::load(f, i));
    return true;
  }

  /// U and a = dU/dτ = G λ from the slopes dP/dx = λ dτ/dx, which tell λ unless time stands still
  /// (at the ends of a start and of a landing).
  void look(const double* slope, const double* y, RowMotion& motion);

 private:
  /// What evaluate() needs of each contact, one row of `lanes` numbers per quantity.
  enum Row {
    MinusGain,
    Inertia,    ///< what a contact at rest does not respond to, else 0
    FirstRate,  ///< dξ/dτ before any impulse: −gain U⁻, less the inertia
    LeastRate,  ///< 0 for a contact at rest, which only loads; else −∞
    Hertz,      ///< coefficients of the force
    Constant,
    Linear,
    Square,
    Lowest,   ///< least ξ at which the dynamics have a meaning
    Free,     ///< 0 for the landing contact, whose ξ follows from x; else 1
    Landing,  ///< 1 for the landing contact, else 0
    Rows
  };

  void refresh();
  void refresh(int i);
  void set_landing(int i) {
    if (landing_ >= 0) mark_landing(landing_, false);
    if (i >= 0) mark_landing(i, true);
    landing_ = i;
    choose_path();
  }
  void mark_landing(int i, bool lands) {
    rows_[Free * setup_->lanes + i] = lands ? 0.0 : 1.0;
    rows_[Landing * setup_->lanes + i] = lands ? 1.0 : 0.0;
  }
  void choose_path() {
    plain_ = landing_ < 0 && k_ == 1 && special_.empty() && !setup_->bodies.used();
  }

  /// Few contacts: two at a time, from beginning to end in registers. False where ξ is too small.
  template <int Lanes>
  [[gnu::always_inline]] bool evaluate_pairs(const double* y, double* f) const {
    const double* rows = rows_.data();
    const auto row = [rows](Row r, int i) { return SmallMatrix::load(rows + r * Lanes, i); };
    Pair margin = Pair::Zero();
    const auto finish = [&](int i, const Pair& rate) __attribute__((always_inline)) {
      const Pair xi = SmallMatrix::load(y, i);
      const Pair pressed = xi.max(0.0);
      SmallMatrix::store(f, i, rate.max(row(LeastRate, i)));
      SmallMatrix::store(f, Lanes + i, row(Hertz, i) * pressed * pressed.sqrt());
      margin = margin.min(xi - row(Lowest, i));
    };
    rates_.visit_product<Lanes>(rows + FirstRate * Lanes, y + Lanes, finish);
    if (polynomial_) {
      for (int i = 0; i < Lanes; i += 2) {
        const Pair xi = SmallMatrix::load(y, i);
        Eigen::Map<Pair>{f + Lanes + i} +=
            row(Constant, i) + xi * (row(Linear, i) + xi * row(Square, i));
      }
    }
    return !(margin.minCoeff() < 0.0);
  }
  bool evaluate_arrays(const double* y, double* f);
  void evaluate_special(const double* y, double* f, int lanes) const;

  /// Puts the landing contact where x says that it is.
  template <int Lanes>
  void place_landing(double xi, double* y) const {
    if constexpr (Lanes == 0) {
      y[landing_] = xi;
    } else {
      // All pairs alike: a number is slow to read back as a part of a pair.
      for (int i = 0; i < Lanes; i += 2) {
        const auto row = [&](Row r) { return SmallMatrix::load(rows_.data() + r * Lanes, i); };
        SmallMatrix::store(y, i, row(Free) * SmallMatrix::load(y, i) + row(Landing) * xi);
      }
    }
  }

  const ImpactSetup* setup_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  SmallMatrix rates_;         ///< few contacts: −gain G
  std::vector<double> work_;  ///< memory for gap rates, or forces, and accelerations of bodies
  std::vector<double> rows_;  ///< Rows × lanes
  std::vector<int> special_;  ///< with a power function, or at rest with a tracked gap
  int known_lanes_ = 0;       ///< lanes of few contacts, gap rates from impulses; else 0
  bool polynomial_ = false;   ///< some contact has a polynomial force
  bool plain_ = false;        ///< in time, and nothing is to be seen to afterwards
  long revision_ = -1;
  int k_ = 1;
  int landing_ = -1;
  double slowest_ = 0.0;
  long evaluations_ = 0;
};

/// The size of the error e of a step: the largest of
///
///     |e_ξi|/(s_ξi + |ξ_i|),   |e_Pi|/(max m_j vs + |P_i|),   |(G e_P)_i|/vs,
///
/// over the tolerance. Rounding of gap rates, magnified by 1/e² during expansion, is no error of
/// the step.
class ImpactErrors {
 public:
  void assign(const ImpactSetup& setup) {
    setup_ = &setup;
    weights_.assign(2 * static_cast<std::size_t>(setup.lanes), 0.0);
    U_.assign(static_cast<std::size_t>(setup.lanes), 0.0);
  }

  /// Of a step of this duration that ends with y.
  template <int Lanes>
  void weigh(const double* y, double duration, const double* minus_gains, double tolerance) {
    const ImpactSetup& s = *setup_;
    const int lanes = Lanes > 0 ? Lanes : s.lanes;
    const auto all = [&](const double* v) { return Eigen::Map<const Array<Lanes>>(v, lanes); };
    // Comparisons may lose what is not a number; a sum does not.
    using States = Array<(Lanes > 0 ? 2 * Lanes : 0)>;
    finite_ = std::isfinite(Eigen::Map<const States>(y, 2 * lanes).sum());
    const double rounding = 1e-15 * s.velocity_scale * duration;
    Eigen::Map<Array<Lanes>>(weights_.data(), lanes) =
        1.0 / (tolerance * (all(s.indentation_scale.data()) + all(y).abs()) -
               rounding * all(minus_gains));
    Eigen::Map<Array<Lanes>>(weights_.data() + lanes, lanes) =
        1.0 / (tolerance * (s.impulse_scale + all(y + lanes).abs()));
    gap_rate_weight_ = 1.0 / (tolerance * s.velocity_scale);
  }

  template <int Lanes>
  double norm(const double* e) {
    if (!finite_) return std::numeric_limits<double>::infinity();
    const int lanes = Lanes > 0 ? Lanes : setup_->lanes;
    const auto all = [&](const double* v) { return Eigen::Map<const Array<Lanes>>(v, lanes); };
    if (Lanes == 0 && setup_->bodies.used()) {
      setup_->bodies.gap_rates(setup_->zero.data(), e + setup_->velocities(), U_.data());
    } else {
      setup_->G.template apply<Lanes>(setup_->zero.data(), e + lanes, U_.data());
    }
    const auto xi = all(e).abs() * all(weights_.data());
    const auto P = all(e + lanes).abs() * all(weights_.data() + lanes);
    const auto U = all(U_.data()).abs() * gap_rate_weight_;
    return xi.max(P).max(U).maxCoeff();
  }

 private:
  template <int Lanes>
  using Array = Eigen::Array<double, (Lanes > 0 ? Lanes : Eigen::Dynamic), 1>;

  const ImpactSetup* setup_ = nullptr;
  std::vector<double> weights_;  ///< 2 × lanes, of errors in ξ and P
  double gap_rate_weight_ = 0.0;
  bool finite_ = true;     ///< the step ends with numbers
  std::vector<double> U_;  ///< lanes, memory to work in
};

/// Whether steps are those of StiffStep.
struct StiffSteps {
  bool on = false;
  bool entering = false;  ///< the first of them has not been made
  double fastest = 0.0;   ///< while on: frequency of the fastest oscillation
  long next_look = 0;     ///< step of the next look whether they could be
  long interval = 0;      ///< steps between two looks
};

/// Steps that pass over oscillations too small to matter.
///
/// A stiff contact that carries the load of slow ones, or a light body between heavy ones, has
/// followed its load after a while: what is left of its own oscillation is below the tolerance, but
/// an explicit method has to go on in steps of its period to be stable. Such steps are made by
/// collocation at the five points of Radau (LowRankRadau), which damps what it passes over. Its
/// error estimate contains the oscillation as a whole, so that none above the tolerance is lost.
///
/// With Λ = dλ/dξ and U = U⁻ + G P the Jacobian of the dynamics has two parts,
///
///     ∂(dξ/dτ)/∂P = −gain G,   ∂(dP/dτ)/∂ξ = Λ:   J = B D C,   C y = (ξ, U),   D = [0 −gain; Λ 0].
class StiffStep {
 public:
  /// Beyond as many contacts the linear systems cost more than they save.
  static constexpr int kMostContacts = numerics::DelassusOperator::kLargestSmall;
  /// A step is worth its price if it passes over this much of the fastest oscillation, in radians.
  static constexpr double kShortest = 10.0;

  void assign(const ImpactSetup& setup, const ContactPhases& phases);

  /// The fastest oscillation of a loaded contact by itself.
  struct Fastest {
    double frequency = 0.0;  ///< ω = √(gain λ' G_ii)
    double speed = 0.0;      ///< |dU/dτ|/ω, about the part of its gap rate that oscillates
  };
  /// Where accelerations are a.
  Fastest fastest(const double* xi, const double* a) const;

  // What LowRankRadau asks.
  void frame(Matrix& B, Matrix& C) const;
  /// Notes D for the state y with this slope.
  void note(const double* y, const double* slope);
  const Matrix& part() const { return part_; }

 private:
  double force_slope(int i, double xi) const;

  const ImpactSetup* setup_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  Matrix part_;  ///< D where it was last noted
};

}  // namespace percute::laws
