// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/darboux_keller/contact_path.hpp"

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>
#include <cmath>

// Slip in space. With U_t = s u(φ), w(φ) = b − μ C u and dp = s dθ the equations of Keller have
// nothing singular left where slip stops:
//
//     dφ/dθ = u⊥·w,   d ln s/dθ = u·w,   dp/dθ = s,   dp_t/dθ = −μ s u,
//
// and s falls to 0 exponentially, φ settling meanwhile.

namespace percute::laws {

namespace {

using Eigen::Vector2d;

constexpr double kStraight = 1e-13;  ///< turning below this part of its scale is rounding
constexpr double kTolerance = 1e-13;
constexpr long kMostSteps = 100'000;

enum Component { Angle, LogSpeed, Impulse, Tangential, Work = 5, Loss = 6 };

}  // namespace

/// Whether the slip direction turns from here on.
bool ContactPath::bends() const {
  const Vector2d u = U_t_.normalized();
  const Vector2d w = rows_.b - rows_.friction * (rows_.C * u);
  if (U_t_.norm() <= kStopped * rows_.speed && u.dot(w) < 0.0) return false;
  return std::abs(u.x() * w.y() - u.y() * w.x()) > kStraight * rate_;
}

void ContactPath::load_state() {
  double* y = rk_.state();
  y[Angle] = std::atan2(U_t_.y(), U_t_.x());
  y[LogSpeed] = std::log(U_t_.norm() / rows_.speed);
  y[Impulse] = p_;
  y[Tangential] = p_t_.x();
  y[Tangential + 1] = p_t_.y();
  y[Work] = W_;
  y[Loss] = D_;
}

void ContactPath::keep_state() {
  const double* y = rk_.state();
  const double s = rows_.speed * std::exp(y[LogSpeed]);
  U_t_ = s * Vector2d(std::cos(y[Angle]), std::sin(y[Angle]));
  p_ = y[Impulse];
  p_t_ = {y[Tangential], y[Tangential + 1]};
  W_ = y[Work];
  D_ = y[Loss];
  U_n_ = gap_rate(y);
  vertices_.emplace_back(p_, p_t_.x(), p_t_.y());
}

double ContactPath::gap_rate(const double* y) const {
  return rows_.U_n + rows_.a * y[Impulse] + rows_.b.x() * y[Tangential] +
         rows_.b.y() * y[Tangential + 1];
}

bool ContactPath::slope(const double* y, double* out) {
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

double ContactPath::norm(const double* error) const {
  const double impulse = rows_.speed / rows_.a;
  const double tangential = impulse * std::max(1.0, rows_.friction);
  return std::max({std::abs(error[Angle]), std::abs(error[LogSpeed]),
                   std::abs(error[Impulse]) / impulse, std::abs(error[Tangential]) / tangential,
                   std::abs(error[Tangential + 1]) / tangential,
                   std::abs(error[Work]) / (tangential * rows_.speed),
                   std::abs(error[Loss]) / (tangential * rows_.speed)}) /
         kTolerance;
}

/// What expansion has given back in this stage, in the measure of due().
double ContactPath::passed(const double* y) const {
  switch (termination_) {
    case DarbouxKellerSingle::Termination::Energetic:
      return y[Work] - W_;
    case DarbouxKellerSingle::Termination::Poisson:
      return y[Impulse] - p_;
    case DarbouxKellerSingle::Termination::Newton:
      break;
  }
  return gap_rate(y) - U_n_;
}

/// Positive until the stage is over.
double ContactPath::watch(const double* y) const {
  return compressing_ ? -gap_rate(y) : due() - passed(y);
}

/// Slips along a curve until the stage is over, slip has stopped or does not turn any more.
bool ContactPath::turn() {
  if (rk_.size() == 0) rk_.resize(7);
  load_state();
  const auto rhs = [this](double, const double* y, double* out) { return slope(y, out); };
  rk_.start(rhs, 0.0);
  const double from = p_;
  for (bool done = false; !done;) {
    if (steps_ + rejected_ >= kMostSteps) return false;
    const bool defined = rk_.attempt(rhs, 0.0, h_);
    const double error = defined ? rk_.error(h_, [this](const double* e) { return norm(e); }) : 1e9;
    if (!(error <= 1.0)) {
      ++rejected_;
      h_ *= std::isfinite(error) ? std::clamp(0.9 * rk_.growth(error), 0.1, 0.9) : 0.1;
      continue;
    }
    ++steps_;
    const bool stage_over = watch(rk_.trial()) <= 0.0;
    const bool turned_back = !compressing_ && gap_rate(rk_.trial()) < 0.0;
    double theta = 2.0;
    bool recompressed = false;
    if (stage_over || turned_back) {
      rk_.prepare_dense(rhs, 0.0, h_);
      const auto root = [&](auto&& g) {
        return numerics::bracketed_root(
            [&](double x) {
              rk_.interpolate(x);
              return g(rk_.inside());
            },
            0.0, 1.0, 1e-15);
      };
      if (stage_over) theta = root([this](const double* y) { return watch(y); });
      if (turned_back && U_n_ > 0.0) {
        const double back = root([this](const double* y) { return gap_rate(y); });
        recompressed = back < theta;
        theta = std::min(theta, back);
      }
    }
    if (theta <= 1.0) {
      rk_.interpolate(theta);
      slope(rk_.inside(), rk_.inside_slope());
      rk_.end_inside();
    } else {
      h_ *= error > 0.0 ? std::clamp(0.9 * rk_.growth(error), 0.2, 6.0) : 6.0;
    }
    rk_.accept();
    // due() counts from the state of the path, so that it may move along.
    keep_state();
    note(from);
    if (theta <= 1.0) {
      if (recompressed) {
        begin_compression();
      } else if (compressing_) {
        U_n_ = 0.0;
        end_compression();
      } else {
        over_ = true;
      }
      done = true;
    }
    done = done || !bends();
  }
  return true;
}

}  // namespace percute::laws
