// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fit/residuals.hpp"

#include <percute/model/invalid_input.hpp>

#include <limits>

namespace percute::fit {

bool Residuals::evaluate(const Vector& y, Vector& r, bool last) {
  if (last_y_.size() == y.size() && last_y_ == y) {
    r = last_r_;
    return true;
  }
  stopped = stopped || (!last && options_->stop && options_->stop());
  if (stopped && !last) return false;
  ++evaluations;
  Prediction prediction;
  try {
    prediction = problem_->model(coordinates_->outside(y));
  } catch (const InvalidInput& error) {
    prediction.failure = error.what();
  }
  if (prediction.failure.empty() && !prediction.values.allFinite()) {
    prediction.failure = "the model gave a number that is not finite";
  }
  if (!prediction.failure.empty()) {
    ++failed_evaluations;
    failure = prediction.failure;
    return false;
  }
  accuracy_ = std::max(accuracy_, prediction.accuracy);
  r = (prediction.values - problem_->measured).cwiseQuotient(problem_->sigma);
  last_y_ = y;
  last_r_ = r;
  return true;
}

double Residuals::step() const {
  if (options_->step) return *options_->step;
  return std::cbrt(std::max(accuracy_, std::numeric_limits<double>::epsilon()));
}

Vector Residuals::row_error() const {
  const double relative =
      10.0 * std::max(accuracy_, std::numeric_limits<double>::epsilon()) / step();
  // Values near zero have errors too: those of something of the size of σ.
  const Vector measured = problem_->measured.cwiseQuotient(problem_->sigma);
  return relative * ((measured + last_r_).cwiseAbs().cwiseMax(measured.cwiseAbs()).array() + 1.0);
}

bool Residuals::derivative(const Vector& y, Eigen::Index j, const Vector& r,
                           Eigen::Ref<Vector> column) {
  const double h = step();
  const auto at = [&](double shift, Vector& out) {
    Vector moved = y;
    moved[j] += shift;
    if (moved[j] < coordinates_->lower()[j] || moved[j] > coordinates_->upper()[j]) return false;
    return evaluate(moved, out);
  };
  Vector ahead;
  Vector behind;
  const bool has_ahead = at(h, ahead);
  const bool has_behind = at(-h, behind);
  if (has_ahead && has_behind) {
    column = (ahead - behind) / (2.0 * h);
    return true;
  }
  Vector further;
  if (has_ahead && at(2.0 * h, further)) {
    column = (-3.0 * r + 4.0 * ahead - further) / (2.0 * h);
    return true;
  }
  if (has_behind && at(-2.0 * h, further)) {
    column = (3.0 * r - 4.0 * behind + further) / (2.0 * h);
    return true;
  }
  return false;
}

bool Residuals::jacobian(const Vector& y, Matrix& J) {
  Vector r;
  if (!evaluate(y, r)) return false;
  J.resize(size(), y.size());
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    if (!derivative(y, j, r, J.col(j))) return false;
  }
  // The point itself is the next one asked for.
  last_y_ = y;
  last_r_ = r;
  return true;
}

}  // namespace percute::fit
