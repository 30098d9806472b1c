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
/// Slip below this part of vs has stopped.
constexpr double kStopped = 1e-12;
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

/// C⁺ of a positive semidefinite C: directions without mobility stay as they are.
Matrix2d pseudo_inverse(const Matrix2d& C) {
  const Axes axes = axes_of(C);
  Matrix2d inverse = Matrix2d::Zero();
  if (axes.large > 0.0) inverse += axes.first * axes.first.transpose() / axes.large;
  if (axes.small > 0.0) inverse += axes.second() * axes.second().transpose() / axes.small;
  return inverse;
}

constexpr double kSlipTolerance = 1e-13;
constexpr double kFirstSlipStep = 0.01;  ///< over the time scale
constexpr long kMostSlipSteps = 100'000;

enum Component { Angle, LogSpeed, Impulse, Tangential, Work = 5, Loss = 6, Size = 7 };

int component(StageEnd::Count count) {
  return count == StageEnd::Count::Work ? Work : Impulse;
}

}  // namespace

double ContactRows::initial_slope() const {
  if (std::isinf(friction)) return U_n - b.dot(pseudo_inverse(C) * U_t);
  const double s = U_t.norm();
  if (s <= kStopped * speed) return a;  // stick and restarts always push apart
  return a - friction * b.dot(U_t) / s;
}

// ------------------------------------------------------------------------------- slip that turns

TurningSlip::TurningSlip(const ContactRows& rows, double rate)
    : rows_(rows), rate_(rate), integrator_(*this) {
  integrator_.resize(Size);
  integrator_.set_next_step(kFirstSlipStep * time_scale());
}

void TurningSlip::start(const ImpactPlace& place, const StageEnd& end) {
  end_ = end;
  double* y = integrator_.state();
  y[Angle] = std::atan2(place.U_t.y(), place.U_t.x());
  y[LogSpeed] = std::log(place.U_t.norm() / rows_.speed);
  y[Impulse] = place.p;
  y[Tangential] = place.p_t.x();
  y[Tangential + 1] = place.p_t.y();
  y[Work] = place.work;
  y[Loss] = place.loss;
  integrator_.set_time(0.0);
  integrator_.restart();
}

ImpactPlace TurningSlip::place() const {
  const double* y = integrator_.state();
  const double s = rows_.speed * std::exp(y[LogSpeed]);
  return {.p = y[Impulse],
          .p_t = {y[Tangential], y[Tangential + 1]},
          .U_n = gap_rate(y),
          .U_t = s * Vector2d(std::cos(y[Angle]), std::sin(y[Angle])),
          .work = y[Work],
          .loss = y[Loss]};
}

TurningSlip::Step TurningSlip::step() {
  if (interrupted()) return Step::Failed;
  const numerics::HybridStep step = integrator_.advance(std::numeric_limits<double>::infinity());
  if (step.failed) return Step::Failed;
  if (step.event < 0) return Step::Taken;
  return step.event == 0 ? Step::StageOver : Step::Approach;
}

bool TurningSlip::interrupted() const {
  return steps() + rejected() >= kMostSlipSteps;
}

double TurningSlip::gap_rate(const double* y) const {
  return rows_.U_n + rows_.a * y[Impulse] + rows_.b.x() * y[Tangential] +
         rows_.b.y() * y[Tangential + 1];
}

bool TurningSlip::slope(double /*theta*/, const double* y, double* out) {
  ++evaluations_;
  const Vector2d u(std::cos(y[Angle]), std::sin(y[Angle]));
  const double s = rows_.speed * std::exp(y[LogSpeed]);
  const Vector2d w = rows_.b - rows_.friction * (rows_.C * u);
  out[Angle] = u.x() * w.y() - u.y() * w.x();
  out[LogSpeed] = u.dot(w);
  out[Impulse] = s;
  out[Tangential] = -rows_.friction * s * u.x();
  out[Tangential + 1] = -rows_.friction * s * u.y();
  out[Work] = s * gap_rate(y);
  out[Loss] = rows_.friction * s * s;
  return std::isfinite(s) && std::isfinite(out[Loss]);
}

double TurningSlip::norm(const double* error) const {
  const double impulse = rows_.speed / rows_.a;
  const double tangential = impulse * std::max(1.0, rows_.friction);
  return std::max({std::abs(error[Angle]), std::abs(error[LogSpeed]),
                   std::abs(error[Impulse]) / impulse, std::abs(error[Tangential]) / tangential,
                   std::abs(error[Tangential + 1]) / tangential,
                   std::abs(error[Work]) / (tangential * rows_.speed),
                   std::abs(error[Loss]) / (tangential * rows_.speed)}) /
         kSlipTolerance;
}

/// What is left of the stage; in expansion also the gap rate.
void TurningSlip::evaluate_guards(double /*theta*/, const double* y, double* g) const {
  const bool by_rate = end_.count == StageEnd::Count::GapRate;
  g[0] = end_.value - (by_rate ? gap_rate(y) : y[component(end_.count)]);
  if (end_.expansion) g[1] = gap_rate(y);
}

bool TurningSlip::linear(int k, double* w) const {
  std::fill_n(w, static_cast<int>(Size), 0.0);
  if (k == 0 && end_.count != StageEnd::Count::GapRate) {
    w[component(end_.count)] = -1.0;
    return true;
  }
  const double sign = k == 0 ? -1.0 : 1.0;
  w[Impulse] = sign * rows_.a;
  w[Tangential] = sign * rows_.b.x();
  w[Tangential + 1] = sign * rows_.b.y();
  return true;
}

// --------------------------------------------------------------------------------------- the path

ContactPath::ContactPath(const ContactRows& rows, Termination termination)
    : rows_(rows), termination_(termination), inverse_(pseudo_inverse(rows.C)) {
  now_.U_n = rows.U_n;
  now_.U_t = rows.U_t;
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
  } else if (now_.U_t.norm() <= kStopped * rows_.speed) {
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
  now_.p_t = -inverse_ * now_.U_t;
  now_.loss = -0.5 * now_.p_t.dot(now_.U_t);
  now_.U_n += rows_.b.dot(now_.p_t);
  now_.U_t.setZero();
  motion_ = Motion::Stick;
  ratio_ = -inverse_ * rows_.b;
  return now_.U_n < -1e-10 * rows_.speed;
}

void ContactPath::come_to_rest(bool has_slid) {
  now_.U_t.setZero();
  const Vector2d sticking = -inverse_ * rows_.b;
  if (sticking.norm() <= rows_.friction * (1.0 + kPathRounding)) {
    motion_ = Motion::Stick;
    ratio_ = sticking;
    // What rounding and integration have left of the sliding velocity.
    if (has_slid) now_.p_t -= inverse_ * (rows_.U_t + rows_.b * now_.p + rows_.C * now_.p_t);
    return;
  }
  ratio_ = -rows_.friction * slip_direction(rows_.C, rows_.b, rows_.friction);
  motion_ = !has_slid             ? Motion::Onset
            : rows_.tangents == 1 ? Motion::ReverseSlip
                                  : Motion::IsoclinicRestart;
}

/// One piece along which dp_t/dp is constant, up to the next change.
void ContactPath::go_straight() {
  if (motion_ == Motion::Slip) ratio_ = -rows_.friction * now_.U_t.normalized();
  double slope = rows_.a + rows_.b.dot(ratio_);
  if (slope <= kPathRounding * rows_.a && motion_ == Motion::Stick)
    slope = 0.0;  // no mobility left
  double stop = kNeverEnds;
  if (motion_ == Motion::Slip) {
    const double along = now_.U_t.dot(rows_.b + rows_.C * ratio_);
    if (along < 0.0) stop = -now_.U_t.squaredNorm() / along;
  }
  double change = kNeverEnds;  // of the sign of U_n
  if (compressing_ ? slope > 0.0 : slope < 0.0) change = std::max(-now_.U_n / slope, 0.0);
  const double end = compressing_ ? kNeverEnds : length_to_end(slope);

  const double from = now_.p;
  const double length = std::min({stop, change, end});
  if (length == kNeverEnds) {
    over_ = true;
    return;
  }
  advance(length);
  if (length == stop) now_.U_t.setZero();
  note(from);
  if (length == end) {
    over_ = true;
  } else if (length == change) {
    now_.U_n = 0.0;
    compressing_ ? end_compression() : begin_compression();
  }
  // Where bodies stop sliding and approaching at once, rounding must not decide.
  if (stop < kNeverEnds && now_.U_t.norm() <= kPathRounding * rows_.speed) come_to_rest(true);
}

/// Whether the slip direction turns from here on.
bool ContactPath::bends() const {
  const Vector2d u = now_.U_t.normalized();
  const Vector2d w = rows_.b - rows_.friction * (rows_.C * u);
  if (now_.U_t.norm() <= kStopped * rows_.speed && u.dot(w) < 0.0) return false;
  return std::abs(u.x() * w.y() - u.y() * w.x()) > kPathRounding * rate_;
}

/// Slips along a curve until the stage is over, slip has stopped or does not turn any more.
bool ContactPath::turn() {
  using Step = TurningSlip::Step;
  if (!slip_) slip_.emplace(rows_, rate_ + rows_.a);
  slip_->start(now_, stage_end());
  const double from = now_.p;
  Step step = Step::Taken;
  while (step == Step::Taken) {
    step = slip_->step();
    if (step == Step::Failed) return false;
    now_ = slip_->place();
    vertices_.emplace_back(now_.p, now_.p_t.x(), now_.p_t.y());
    note(from);
    if (step == Step::Taken && !bends()) return true;
  }
  if (step == Step::Approach) {
    begin_compression();
  } else if (compressing_) {
    now_.U_n = 0.0;
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
  now_.work += x * (now_.U_n + 0.5 * k_n * x);
  if (motion_ != Motion::Frictionless) now_.loss -= x * ratio_.dot(now_.U_t + 0.5 * x * k_t);
  now_.p += x;
  now_.p_t += x * ratio_;
  now_.U_n += x * k_n;
  now_.U_t += x * k_t;
  vertices_.emplace_back(now_.p, now_.p_t.x(), now_.p_t.y());
}

void ContactPath::note(double from) {
  if (!(now_.p > from)) return;
  if (!phases_.empty() && phases_.back().motion == motion_ &&
      phases_.back().compression == compressing_) {
    phases_.back().to = now_.p;
    return;
  }
  phases_.push_back({.motion = motion_, .compression = compressing_, .from = from, .to = now_.p});
}

/// What the present stage is measured by: work, impulse or velocity, as the termination counts.
double ContactPath::counted() const {
  if (termination_ == Termination::Newton) return now_.U_n;
  return termination_ == Termination::Energetic ? now_.work : now_.p;
}

/// What of it is left of expansion.
double ContactPath::due() const {
  const double e = rows_.restitution;
  if (termination_ == Termination::Newton) return e * std::abs(rows_.U_n) - now_.U_n;
  const double share = termination_ == Termination::Energetic ? e * e : e;
  return share * store_ - (counted() - store_from_);
}

/// Where the present stage is over, by what it counts.
StageEnd ContactPath::stage_end() const {
  using Count = StageEnd::Count;
  if (compressing_) return {};
  const Count count = termination_ == Termination::Energetic ? Count::Work
                      : termination_ == Termination::Poisson ? Count::Impulse
                                                             : Count::GapRate;
  return {.count = count, .value = counted() + due(), .expansion = true};
}

double ContactPath::length_to_end(double slope) const {
  const double left = std::max(due(), 0.0);
  if (left == 0.0 || termination_ == Termination::Poisson) return left;
  if (termination_ == Termination::Newton) return slope > 0.0 ? left / slope : kNeverEnds;
  // U_n x + ½ k x² = left, the first x > 0
  const double square = now_.U_n * now_.U_n + 2.0 * slope * left;
  if (square < 0.0) return kNeverEnds;
  const double sum = now_.U_n + std::sqrt(square);
  return sum > 0.0 ? 2.0 * left / sum : kNeverEnds;
}

void ContactPath::end_compression() {
  const bool energetic = termination_ == Termination::Energetic;
  const double from = store_from_;
  store_from_ = energetic ? now_.work : now_.p;
  store_ += energetic ? from - store_from_ : store_from_ - from;
  compressing_ = false;
  if (rows_.restitution == 0.0) over_ = true;
}

/// Compressed again before expansion was over: what has been given back is no longer there.
void ContactPath::begin_compression() {
  const bool energetic = termination_ == Termination::Energetic;
  const double e = rows_.restitution;
  const double from = store_from_;
  store_from_ = energetic ? now_.work : now_.p;
  store_ -= (store_from_ - from) / (energetic ? e * e : e);
  compressing_ = true;
  ++compressions_;
}

}  // namespace percute::laws
