// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/fit/least_squares.hpp>

#include <algorithm>
#include <cmath>

namespace percute::fit {

/// The coordinates y in which parameters are searched, all of order one: x = u y, or x = exp(y).
class Coordinates {
 public:
  explicit Coordinates(const std::vector<Parameter>& parameters) : parameters_(&parameters) {
    const auto n = static_cast<Eigen::Index>(parameters.size());
    start_.resize(n);
    lower_.resize(n);
    upper_.resize(n);
    for (Eigen::Index j = 0; j < n; ++j) {
      start_[j] = inside(j, at(j).start);
      lower_[j] = inside(j, at(j).lower);
      upper_[j] = inside(j, at(j).upper);
    }
  }

  Eigen::Index size() const { return start_.size(); }
  const Vector& start() const { return start_; }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }

  /// x of one parameter; exactly at a bound where y is.
  double outside(Eigen::Index j, double y) const {
    const Parameter& parameter = at(j);
    if (y <= lower_[j]) return parameter.lower;
    if (y >= upper_[j]) return parameter.upper;
    const double x = parameter.scale == Scale::Logarithmic ? std::exp(y) : unit(j) * y;
    return std::clamp(x, parameter.lower, parameter.upper);
  }
  Vector outside(const Vector& y) const {
    Vector x(y.size());
    for (Eigen::Index j = 0; j < y.size(); ++j) x[j] = outside(j, y[j]);
    return x;
  }
  /// dx/dy.
  double slope(Eigen::Index j, double y) const {
    return at(j).scale == Scale::Logarithmic ? std::exp(y) : unit(j);
  }

 private:
  const Parameter& at(Eigen::Index j) const { return (*parameters_)[static_cast<std::size_t>(j)]; }
  double unit(Eigen::Index j) const {
    const Parameter& parameter = at(j);
    if (parameter.unit > 0.0) return parameter.unit;
    if (parameter.start != 0.0) return std::abs(parameter.start);
    const double range = parameter.upper - parameter.lower;
    return std::isfinite(range) && range > 0.0 ? range : 1.0;
  }
  double inside(Eigen::Index j, double x) const {
    return at(j).scale == Scale::Logarithmic ? std::log(x) : x / unit(j);
  }

  const std::vector<Parameter>* parameters_;
  Vector start_;
  Vector lower_;  ///< −∞ where there is none, and for ln 0
  Vector upper_;
};

}  // namespace percute::fit
