// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/darboux_keller/contact_path.hpp"

#include "numerics/bracketed_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Termination = DarbouxKellerSingle::Termination;

constexpr double kNeverEnds = std::numeric_limits<double>::infinity();
/// Slopes and rates below this part of their scale are rounding.
constexpr double kPathRounding = 1e-13;

/// Eigenvalues of C, the largest first, and the eigenvector of the first.
struct Axes {
  double large = 0.0;
  double small = 0.0;
  Vector2d first = {1.0, 0.0};
  Vector2d second() const { return {-first.y(), first.x()}; }
};

Axes axes_of(const Matrix2d& C) {
  const double mean = 0.5 * (C(0, 0) + C(1, 1));
  const double half = 0.5 * (C(0, 0) - C(1, 1));
  const double radius = std::hypot(half, C(0, 1));
  Axes axes{.large = mean + radius, .small = mean - radius};
  if (radius > 0.0) {
    const double angle = 0.5 * std::atan2(C(0, 1), half);
    axes.first = {std::cos(angle), std::sin(angle)};
  }
  if (axes.small <= kPathRounding * axes.large) axes.small = 0.0;
  return axes;
}

/// The unit u with b − μ C u = α u, α > 0, where |C⁺ b| > μ: in the axes of C its components are
/// b_i/(μ λ_i + α), and α follows from their norm, which falls with α.
Vector2d slip_direction(const Matrix2d& C, const Vector2d& b, double mu) {
  const Axes axes = axes_of(C);
  const double b1 = b.dot(axes.first);
  const double b2 = axes.small > 0.0 ? b.dot(axes.second()) : 0.0;
  const auto components = [&](double alpha) -> Vector2d {
    const double second = mu * axes.small + alpha;
    return {b1 / (mu * axes.large + alpha), b2 == 0.0 ? 0.0 : b2 / second};
  };
  // 1/|u| − 1 is almost linear in α.
  const double alpha = numerics::bracketed_root(
      [&](double x) { return 1.0 / components(x).norm() - 1.0; }, 0.0, b.norm(), 0.0);
  const Vector2d u = components(alpha);
  return (u.x() * axes.first + u.y() * axes.second()).normalized();
}

}  // namespace

Matrix2d pseudo_inverse(const Matrix2d& C) {
  const Axes axes = axes_of(C);
  Matrix2d inverse = Matrix2d::Zero();
  if (axes.large > 0.0) inverse += axes.first * axes.first.transpose() / axes.large;
  if (axes.small > 0.0) inverse += axes.second() * axes.second().transpose() / axes.small;
  return inverse;
}

double initial_slope(const ContactRows& rows) {
  if (std::isinf(rows.friction)) {
    return rows.U_n - rows.b.dot(pseudo_inverse(rows.C) * rows.U_t);
  }
  const double s = rows.U_t.norm();
  if (s <= kStopped * rows.speed) return rows.a;  // stick and restarts always push apart
  return rows.a - rows.friction * rows.b.dot(rows.U_t) / s;
}

ContactPath::ContactPath(const ContactRows& rows, Termination termination)
    : rows_(rows),
      termination_(termination),
      inverse_(pseudo_inverse(rows.C)),
      U_n_(rows.U_n),
      U_t_(rows.U_t) {
  const double mu = std::isinf(rows.friction) ? 0.0 : rows.friction;
  rate_ = rows.b.norm() + mu * rows.C.norm();
  vertices_.reserve(8);
  vertices_.emplace_back(0.0, 0.0, 0.0);
  phases_.reserve(6);
}

Status ContactPath::run() {
  compressions_ = 1;
  if (rows_.friction == 0.0) {
    motion_ = Motion::Frictionless;
  } else if (std::isinf(rows_.friction)) {
    if (!stop_at_once()) return Status::NoSlipSolution;
  } else if (U_t_.norm() <= kStopped * rows_.speed) {
    come_to_rest(false);
  } else {
    motion_ = Motion::Slip;
  }
  while (!over_) {
    if (motion_ != Motion::Slip || !bends()) {
      go_straight();
    } else if (!turn()) {
      return Status::NotTerminated;
    }
  }
  return Status::Ok;
}

/// Infinite friction: p_t = −C⁺ U_t before any normal impulse.
bool ContactPath::stop_at_once() {
  p_t_ = -inverse_ * U_t_;
  D_ = -0.5 * p_t_.dot(U_t_);
  U_n_ += rows_.b.dot(p_t_);
  U_t_.setZero();
  motion_ = Motion::Stick;
  ratio_ = -inverse_ * rows_.b;
  return U_n_ < -1e-10 * rows_.speed;
}

void ContactPath::come_to_rest(bool has_slid) {
  U_t_.setZero();
  const Vector2d sticking = -inverse_ * rows_.b;
  if (sticking.norm() <= rows_.friction * (1.0 + kPathRounding)) {
    motion_ = Motion::Stick;
    ratio_ = sticking;
    // What rounding and integration have left of the sliding velocity.
    if (has_slid) p_t_ -= inverse_ * (rows_.U_t + rows_.b * p_ + rows_.C * p_t_);
    return;
  }
  ratio_ = -rows_.friction * slip_direction(rows_.C, rows_.b, rows_.friction);
  motion_ = !has_slid             ? Motion::Onset
            : rows_.tangents == 1 ? Motion::ReverseSlip
                                  : Motion::IsoclinicRestart;
}

/// One piece along which dp_t/dp is constant, up to the next change.
void ContactPath::go_straight() {
  if (motion_ == Motion::Slip) ratio_ = -rows_.friction * U_t_.normalized();
  double slope = rows_.a + rows_.b.dot(ratio_);
  if (slope <= kPathRounding * rows_.a && motion_ == Motion::Stick)
    slope = 0.0;  // no mobility left
  double stop = kNeverEnds;
  if (motion_ == Motion::Slip) {
    const double along = U_t_.dot(rows_.b + rows_.C * ratio_);
    if (along < 0.0) stop = -U_t_.squaredNorm() / along;
  }
  double change = kNeverEnds;  // of the sign of U_n
  if (compressing_ ? slope > 0.0 : slope < 0.0) change = std::max(-U_n_ / slope, 0.0);
  const double end = compressing_ ? kNeverEnds : length_to_end(slope);

  const double from = p_;
  const double length = std::min({stop, change, end});
  if (length == kNeverEnds) {
    over_ = true;
    return;
  }
  advance(length);
  if (length == stop) U_t_.setZero();
  note(from);
  if (length == end) {
    over_ = true;
  } else if (length == change) {
    U_n_ = 0.0;
    compressing_ ? end_compression() : begin_compression();
  }
  // Where bodies stop sliding and approaching at once, rounding must not decide.
  if (stop < kNeverEnds && U_t_.norm() <= kPathRounding * rows_.speed) come_to_rest(true);
}

/// Whether the slip direction turns from here on.
bool ContactPath::bends() const {
  const Vector2d u = U_t_.normalized();
  const Vector2d w = rows_.b - rows_.friction * (rows_.C * u);
  if (U_t_.norm() <= kStopped * rows_.speed && u.dot(w) < 0.0) return false;
  return std::abs(u.x() * w.y() - u.y() * w.x()) > kPathRounding * rate_;
}

/// Slips along a curve until the stage is over, slip has stopped or does not turn any more.
bool ContactPath::turn() {
  using Step = TurningSlip::Step;
  if (!slip_) slip_.emplace(rows_, rate_ + rows_.a);
  slip_->start({.p = p_, .p_t = p_t_, .U_t = U_t_, .work = W_, .loss = D_}, stage_end());
  const double from = p_;
  Step step = Step::Taken;
  while (step == Step::Taken) {
    step = slip_->step();
    if (step == Step::Failed) return false;
    const SlipState state = slip_->state();
    p_ = state.p;
    p_t_ = state.p_t;
    U_t_ = state.U_t;
    W_ = state.work;
    D_ = state.loss;
    U_n_ = slip_->gap_rate();
    vertices_.emplace_back(p_, p_t_.x(), p_t_.y());
    note(from);
    if (step == Step::Taken && !bends()) return true;
  }
  if (step == Step::Approach) {
    begin_compression();
  } else if (compressing_) {
    U_n_ = 0.0;
    end_compression();
  } else {
    over_ = true;
  }
  return true;
}

void ContactPath::advance(double length) {
  const double x = length;
  const double k_n = rows_.a + rows_.b.dot(ratio_);
  const Vector2d k_t =
      motion_ == Motion::Stick ? Vector2d(0.0, 0.0) : Vector2d(rows_.b + rows_.C * ratio_);
  W_ += x * (U_n_ + 0.5 * k_n * x);
  if (motion_ != Motion::Frictionless) D_ -= x * ratio_.dot(U_t_ + 0.5 * x * k_t);
  p_ += x;
  p_t_ += x * ratio_;
  U_n_ += x * k_n;
  U_t_ += x * k_t;
  vertices_.emplace_back(p_, p_t_.x(), p_t_.y());
}

void ContactPath::note(double from) {
  if (!(p_ > from)) return;
  if (!phases_.empty() && phases_.back().motion == motion_ &&
      phases_.back().compression == compressing_) {
    phases_.back().to = p_;
    return;
  }
  phases_.push_back({.motion = motion_, .compression = compressing_, .from = from, .to = p_});
}

/// What is left of expansion: work, impulse or velocity, as the termination counts.
double ContactPath::due() const {
  const double e = rows_.restitution;
  switch (termination_) {
    case Termination::Energetic:
      return e * e * store_ - (W_ - store_from_);
    case Termination::Poisson:
      return e * store_ - (p_ - store_from_);
    case Termination::Newton:
      break;
  }
  return e * std::abs(rows_.U_n) - U_n_;
}

/// Where the present stage is over, by what it counts.
StageEnd ContactPath::stage_end() const {
  using Count = StageEnd::Count;
  if (compressing_) return {};
  switch (termination_) {
    case Termination::Energetic:
      return {.count = Count::Work, .value = W_ + due(), .expansion = true};
    case Termination::Poisson:
      return {.count = Count::Impulse, .value = p_ + due(), .expansion = true};
    case Termination::Newton:
      break;
  }
  return {.count = Count::GapRate, .value = U_n_ + due(), .expansion = true};
}

double ContactPath::length_to_end(double slope) const {
  const double left = std::max(due(), 0.0);
  if (left == 0.0 || termination_ == Termination::Poisson) return left;
  if (termination_ == Termination::Newton) return slope > 0.0 ? left / slope : kNeverEnds;
  // U_n x + ½ k x² = left, the first x > 0
  const double square = U_n_ * U_n_ + 2.0 * slope * left;
  if (square < 0.0) return kNeverEnds;
  const double sum = U_n_ + std::sqrt(square);
  return sum > 0.0 ? 2.0 * left / sum : kNeverEnds;
}

void ContactPath::end_compression() {
  const bool energetic = termination_ == Termination::Energetic;
  store_ += energetic ? store_from_ - W_ : p_ - store_from_;
  store_from_ = energetic ? W_ : p_;
  compressing_ = false;
  if (rows_.restitution == 0.0) over_ = true;
}

/// Compressed again before expansion was over: what has been given back is no longer there.
void ContactPath::begin_compression() {
  const bool energetic = termination_ == Termination::Energetic;
  const double e = rows_.restitution;
  store_ -= energetic ? (W_ - store_from_) / (e * e) : (p_ - store_from_) / e;
  store_from_ = energetic ? W_ : p_;
  compressing_ = true;
  ++compressions_;
}

}  // namespace percute::laws
