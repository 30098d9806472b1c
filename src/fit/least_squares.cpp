// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/random.hpp"
#include "fit/search.hpp"
#include "model/text.hpp"
#include "numerics/distributions.hpp"

#include <percute/fit/least_squares.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

namespace percute::fit {

namespace {

void require(bool good, const std::string& field, const std::string& reason) {
  if (!good) throw InvalidInput(field, reason);
}

void validate(const Parameter& parameter, std::size_t j) {
  const std::string field = "parameter[" + std::to_string(j) + "]";
  require(parameter.lower < parameter.upper, field + ".lower",
          text(parameter.lower) + " is not below the upper bound " + text(parameter.upper));
  require(std::isfinite(parameter.start) && parameter.start >= parameter.lower &&
              parameter.start <= parameter.upper,
          field + ".start",
          text(parameter.start) + " is not between the bounds " + text(parameter.lower) + " and " +
              text(parameter.upper));
  require(parameter.unit >= 0.0 && std::isfinite(parameter.unit), field + ".unit",
          text(parameter.unit) + " is not > 0");
  if (parameter.scale == Scale::Logarithmic) {
    require(parameter.start > 0.0, field + ".start",
            text(parameter.start) + " is not > 0, as a logarithmic scale needs");
    require(parameter.lower >= 0.0, field + ".lower",
            text(parameter.lower) + " is not >= 0, as a logarithmic scale needs");
  }
}

void validate(const LeastSquaresProblem& problem, const FitOptions& options) {
  require(!problem.parameters.empty(), "parameter", "there is nothing to estimate");
  require(problem.measured.size() > 0, "measure", "there are no measurements");
  require(problem.measured.allFinite(), "measure", "a measured value is not finite");
  require(problem.sigma.size() == problem.measured.size() && problem.sigma.allFinite() &&
              problem.sigma.minCoeff() > 0.0,
          "sigma", "every measurement needs a finite sigma > 0");
  for (std::size_t j = 0; j < problem.parameters.size(); ++j) validate(problem.parameters[j], j);
  require(problem.repeats.empty() ||
              static_cast<Eigen::Index>(problem.repeats.size()) == problem.measured.size(),
          "repeats", "must be as many as measurements, or none");
  require_ranges("fit", options);
}

/// The parameters with an end to every logarithmic search: where a stiffness leaves no trace any
/// more, a step may go hundreds of decades, and laws take ever longer there.
LeastSquaresProblem with_limits(LeastSquaresProblem problem) {
  constexpr double kDecades = 1e6;
  for (Parameter& parameter : problem.parameters) {
    if (parameter.scale != Scale::Logarithmic) continue;
    if (parameter.lower == 0.0) parameter.lower = parameter.start / kDecades;
    if (std::isinf(parameter.upper)) parameter.upper = parameter.start * kDecades;
  }
  return problem;
}

/// Where the searches begin: the given start, and a Latin hypercube, every parameter once in each
/// of as many equal parts of its range. That is from bound to bound, or two units (decades) to
/// either side of the start where that is less.
std::vector<Vector> starting_points(const Coordinates& coordinates,
                                    const LeastSquaresProblem& given, const FitOptions& options) {
  std::vector<Vector> points(static_cast<std::size_t>(options.starts), coordinates.start());
  analysis::Random random(options.seed, 0);
  const int parts = options.starts - 1;
  for (Eigen::Index j = 0; j < coordinates.size(); ++j) {
    const Parameter& parameter = given.parameters[static_cast<std::size_t>(j)];
    const bool decades = parameter.scale == Scale::Logarithmic;
    const bool open = !std::isfinite(parameter.upper) || !std::isfinite(parameter.lower) ||
                      (decades && parameter.lower == 0.0);
    const double width =
        open ? 2.0 * (decades ? std::numbers::ln10 : 1.0) : std::numeric_limits<double>::infinity();
    const double low = std::max(coordinates.lower()[j], coordinates.start()[j] - width);
    const double high = std::min(coordinates.upper()[j], coordinates.start()[j] + width);
    std::vector<int> part(static_cast<std::size_t>(parts));
    std::iota(part.begin(), part.end(), 0);
    for (int k = parts - 1; k > 0; --k) std::swap(part[k], part[random.integer(0, k)]);
    for (int k = 0; k < parts; ++k) {
      points[k + 1][j] = low + (high - low) * (part[k] + random.uniform()) / parts;
    }
  }
  return points;
}

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// Which bound a parameter sits on, if any.
AtBound bound_of(const Coordinates& coordinates, const Vector& y, Eigen::Index j) {
  const double margin = 1e-9 * (1.0 + std::abs(y[j]));
  if (y[j] <= coordinates.lower()[j] + margin) return AtBound::Lower;
  if (y[j] >= coordinates.upper()[j] - margin) return AtBound::Upper;
  return AtBound::No;
}

/// What the columns of the free parameters determine. Columns are scaled to unit length, and what
/// is smaller than the error of the differences is zero.
struct Determined {
  int rank = 0;
  Matrix covariance = {};  ///< of the y, pseudo-inverse of JᵀJ
  std::vector<bool> identifiable = {};
  Matrix unnoticed = {};  ///< null directions, largest entry 1
};

/// The square matrix with the same singular values and right singular vectors.
Matrix squared_off(const Matrix& J) {
  const Eigen::Index n = J.cols();
  Matrix S = Matrix::Zero(n, n);
  if (J.rows() <= n) {
    S.topRows(J.rows()) = J;
  } else {
    S = Eigen::HouseholderQR<Matrix>(J).matrixQR().topRows(n).triangularView<Eigen::Upper>();
  }
  return S;
}

Determined determine(const Matrix& J, const Vector& row_error, double step) {
  const Eigen::Index n = J.cols();
  Vector length(n);
  Matrix scaled = J;
  double relative_error = step * step;
  for (Eigen::Index j = 0; j < n; ++j) {
    length[j] = J.col(j).norm();
    // What stands out of the errors, row by row: precise measurements have large ones.
    double signal = 0.0;
    double error = 0.0;
    for (Eigen::Index k = 0; k < J.rows(); ++k) {
      if (std::abs(J(k, j)) <= row_error[k]) continue;
      signal += J(k, j) * J(k, j);
      error += row_error[k] * row_error[k];
    }
    if (signal > 0.0) {
      scaled.col(j) /= length[j];
      relative_error = std::max(relative_error, std::sqrt(error / signal));
    } else {
      length[j] = 0.0;
      scaled.col(j).setZero();
    }
  }
  Determined out;
  out.identifiable.assign(static_cast<std::size_t>(n), true);
  const Eigen::JacobiSVD<Matrix> svd(squared_off(scaled), Eigen::ComputeFullV);
  const Vector& sigma = svd.singularValues();
  const Matrix& V = svd.matrixV();
  const double threshold =
      std::max(relative_error, 1e-12) * std::max(sigma.size() > 0 ? sigma[0] : 0.0, 1e-300);
  for (const double value : sigma) out.rank += value > threshold ? 1 : 0;

  out.covariance = Matrix::Zero(n, n);
  for (Eigen::Index k = 0; k < out.rank; ++k) {
    Vector direction = V.col(k) / sigma[k];
    for (Eigen::Index j = 0; j < n; ++j) direction[j] /= length[j] > 0.0 ? length[j] : 1.0;
    out.covariance += direction * direction.transpose();
  }
  out.unnoticed.resize(n, n - out.rank);
  for (Eigen::Index k = out.rank; k < n; ++k) {
    Vector direction = V.col(k);
    for (Eigen::Index j = 0; j < n; ++j) {
      // A share below this is the error of the differences again.
      if (std::abs(direction[j]) > 0.01) out.identifiable[static_cast<std::size_t>(j)] = false;
      direction[j] =
          std::abs(direction[j]) > 0.01 ? direction[j] / (length[j] > 0.0 ? length[j] : 1.0) : 0.0;
    }
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    out.unnoticed.col(k - out.rank) = direction / direction[largest];
  }
  return out;
}

/// Factor on standard errors that makes an interval of the level of the options.
double quantile(const FitOptions& options, int degrees_of_freedom) {
  const double probability = 0.5 * (1.0 + options.level);
  if (options.noise == Noise::Known) return numerics::normal_quantile(probability);
  return degrees_of_freedom > 0 ? numerics::student_t_quantile(probability, degrees_of_freedom)
                                : kUndefined;
}

/// Intervals, correlations and identifiability at the point y, from the Jacobian J there, whose
/// entries in row k mean nothing up to row_error[k].
void add_statistics(const Coordinates& coordinates, const FitOptions& options, const Vector& y,
                    const Matrix& J, const Vector& row_error, double step, Fit& fit) {
  const Eigen::Index n = y.size();
  fit.estimates.assign(static_cast<std::size_t>(n), {});
  std::vector<Eigen::Index> free;
  for (Eigen::Index j = 0; j < n; ++j) {
    Estimate& estimate = fit.estimates[static_cast<std::size_t>(j)];
    estimate.value = coordinates.outside(j, y[j]);
    estimate.at_bound = bound_of(coordinates, y, j);
    estimate.standard_error = estimate.lower = estimate.upper = kUndefined;
    if (estimate.at_bound == AtBound::No) free.push_back(j);
  }
  fit.correlation = Matrix::Constant(n, n, kUndefined);
  fit.unnoticed.resize(n, 0);
  const Determined determined =
      free.empty() ? Determined{} : determine(J(Eigen::all, free), row_error, step);
  fit.rank = determined.rank;
  // Directions that leave no trace do not help to meet the measurements.
  const int freedom = fit.degrees_of_freedom = static_cast<int>(J.rows()) - fit.rank;
  if (options.noise == Noise::Estimated) {
    fit.noise = freedom > 0 ? std::sqrt(fit.sum_of_squares / freedom) : kUndefined;
  } else if (freedom > 0) {
    fit.probability = numerics::chi_squared_tail(fit.sum_of_squares, freedom);
  }
  if (free.empty()) return;

  fit.unnoticed = Matrix::Zero(n, determined.unnoticed.cols());
  fit.unnoticed(free, Eigen::all) = determined.unnoticed;
  const double factor = quantile(options, fit.degrees_of_freedom);
  for (std::size_t k = 0; k < free.size(); ++k) {
    const Eigen::Index j = free[k];
    Estimate& estimate = fit.estimates[static_cast<std::size_t>(j)];
    estimate.identifiable = determined.identifiable[k];
    if (!estimate.identifiable) continue;
    const auto a = static_cast<Eigen::Index>(k);
    const double error = fit.noise * std::sqrt(determined.covariance(a, a));
    estimate.standard_error = coordinates.slope(j, y[j]) * error;
    // Symmetric in y: of a logarithmic parameter the interval is a factor up and down.
    estimate.lower = coordinates.outside(j, y[j] - factor * error);
    estimate.upper = coordinates.outside(j, y[j] + factor * error);
    if (std::isnan(factor * error)) estimate.lower = estimate.upper = kUndefined;
    for (std::size_t l = 0; l <= k; ++l) {
      if (!determined.identifiable[l]) continue;
      const auto b = static_cast<Eigen::Index>(l);
      const double rho =
          a == b ? 1.0
                 : determined.covariance(a, b) /
                       std::sqrt(determined.covariance(a, a) * determined.covariance(b, b));
      fit.correlation(j, free[l]) = fit.correlation(free[l], j) = rho;
    }
  }
}

/// The test that repeated measurements allow; nothing where there are none, where they do not
/// scatter, or where parameters take up all there is.
std::optional<LackOfFit> lack_of_fit(const LeastSquaresProblem& problem, const Fit& fit) {
  struct Group {
    int count = 0;
    double weight = 0.0;
    double sum = 0.0;
  };
  std::map<int, Group> groups;
  for (std::size_t k = 0; k < problem.repeats.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const double weight = 1.0 / (problem.sigma[i] * problem.sigma[i]);
    Group& group = groups[problem.repeats[k]];
    ++group.count;
    group.weight += weight;
    group.sum += weight * problem.measured[i];
  }
  double pure = 0.0;
  double rounding = 0.0;
  for (std::size_t k = 0; k < problem.repeats.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const Group& group = groups[problem.repeats[k]];
    const double mean = group.sum / group.weight;
    const double off = (problem.measured[i] - mean) / problem.sigma[i];
    const double digit = std::numeric_limits<double>::epsilon() * std::abs(mean) / problem.sigma[i];
    if (group.count > 1) pure += off * off;
    if (group.count > 1) rounding += 16.0 * digit * digit;
  }
  const auto different = static_cast<int>(groups.size());
  LackOfFit out;
  out.freedom = different - fit.rank;
  out.pure_error_freedom = static_cast<int>(problem.repeats.size()) - different;
  if (out.freedom <= 0 || out.pure_error_freedom <= 0 || pure <= rounding) return {};
  const double lack = std::max(fit.sum_of_squares - pure, 0.0);
  out.F = lack / out.freedom / (pure / out.pure_error_freedom);
  out.probability = numerics::f_tail(out.F, out.freedom, out.pure_error_freedom);
  return out;
}

/// Tells whether two ends of searches are one minimum.
class Comparison {
 public:
  /// J: Jacobian at the best end. row_error: what its entries may be by the model's error alone.
  Comparison(const Fit& fit, Residuals& residuals, const Matrix& J, Vector row_error)
      : residuals_(&residuals),
        J_(&J),
        unnoticed_(&fit.unnoticed),
        row_error_(std::move(row_error)) {
    // The search itself stops some thousandths of a standard error away, in every direction.
    apart_ = std::fmax(0.1 * std::sqrt(std::max(fit.rank, 1)) * fit.noise, 0.0);
  }

  bool same(const Descent& a, const Descent& b) const {
    const double step = residuals_->step();
    const Vector value_error = row_error_ * step;
    // A residual r that is off by e changes r² by 2 r e + e².
    const double margin =
        apart_ * apart_ + value_error.dot(2.0 * a.residual.cwiseAbs() + value_error);
    if (std::abs(a.sum_of_squares() - b.sum_of_squares()) > margin) return false;
    // What is left of the way from a to b without the directions that leave no trace, in units of
    // the residuals. Those directions, and J, have errors themselves.
    const Vector way = b.y - a.y;
    const Matrix& N = *unnoticed_;
    Vector rest = way;
    if (N.cols() > 0) rest -= N * N.colPivHouseholderQr().solve(way);
    const Vector error = value_error + row_error_ * way.lpNorm<1>() +
                         step * step * (J_->cwiseAbs() * way.cwiseAbs());
    const Vector seen = (*J_ * rest).cwiseAbs() - error;
    if (seen.cwiseMax(0.0).norm() <= apart_) return true;
    return N.cols() > 0 && !ridge(b.y - rest, rest, margin);
  }

 private:
  /// A valley need not be straight. From its tangent to another point of the same valley the sum of
  /// squares has no maximum on the way; to another valley it has one.
  bool ridge(const Vector& from, const Vector& way, double margin) const {
    constexpr int kParts = 8;
    std::vector<double> sums;
    for (int k = 0; k <= kParts; ++k) {
      Vector r;
      if (!residuals_->evaluate(from + way * (static_cast<double>(k) / kParts), r, true))
        return true;
      sums.push_back(r.squaredNorm());
    }
    return *std::ranges::max_element(sums) > std::max(sums.front(), sums.back()) + margin;
  }

  Residuals* residuals_;
  const Matrix* J_;
  const Matrix* unnoticed_;
  Vector row_error_;
  double apart_ = 0.0;  ///< residuals, in which ends of one minimum may differ
};

/// Minima other than the best, each once.
void add_others(const FitOptions& options, const Coordinates& coordinates,
                const Vector& residual_error, const Comparison& comparison,
                const std::vector<Descent>& descents, Fit& fit) {
  const double factor = quantile(options, fit.degrees_of_freedom) * fit.noise;
  // Where no noise is left, or known, what the model computes still has errors.
  const double indistinct = std::fmax(factor * factor, residual_error.squaredNorm());
  std::vector<const Descent*> kept{&descents.front()};
  for (const Descent& descent : descents) {
    if (descent.status != FitStatus::Converged) continue;
    const auto known = std::find_if(kept.begin(), kept.end(), [&](const Descent* other) {
      return comparison.same(*other, descent);
    });
    if (known != kept.end()) {
      ++(known == kept.begin() ? fit.search.best_starts
                               : fit.others[known - kept.begin() - 1].starts);
      continue;
    }
    kept.push_back(&descent);
    const double worse = descent.sum_of_squares() - fit.sum_of_squares;
    fit.others.push_back({.parameters = coordinates.outside(descent.y),
                          .sum_of_squares = descent.sum_of_squares(),
                          .near = worse <= indistinct,
                          .starts = 1});
  }
}

/// Units of the residuals for the solver: σ, or where that is a guess the size of the measurements.
double residual_scale(const LeastSquaresProblem& problem, const FitOptions& options) {
  if (options.noise == Noise::Known) return 1.0;
  const Vector relative = problem.measured.cwiseQuotient(problem.sigma);
  const double size = relative.norm() / std::sqrt(static_cast<double>(relative.size()));
  return size > 0.0 ? size : 1.0;
}

}  // namespace

Fit least_squares(const LeastSquaresProblem& given, const FitOptions& options) {
  validate(given, options);
  const LeastSquaresProblem problem = with_limits(given);
  const Coordinates coordinates(problem.parameters);
  Residuals residuals(problem, coordinates, options);
  // At the start, unlike later, what the model refuses is bad input.
  const Prediction first = problem.model(coordinates.outside(coordinates.start()));
  if (first.failure.empty() && first.values.size() != problem.measured.size()) {
    throw InvalidInput("model", "gives " + std::to_string(first.values.size()) + " values for " +
                                    std::to_string(problem.measured.size()) + " measurements");
  }

  const double scale = residual_scale(problem, options);
  std::vector<Descent> descents;
  Fit fit;
  for (const Vector& start : starting_points(coordinates, given, options)) {
    Descent descent = descend(residuals, coordinates, start, scale, options.max_iterations);
    // A start of which no point is known was not made.
    if (residuals.stopped && descent.residual.size() == 0) break;
    ++fit.search.starts;
    fit.search.iterations += descent.iterations;
    if (descent.status == FitStatus::Converged) ++fit.search.converged_starts;
    if (descent.residual.size() > 0) descents.push_back(std::move(descent));
    if (residuals.stopped) break;
  }
  bool cut_short = residuals.stopped;
  std::stable_sort(descents.begin(), descents.end(), [](const Descent& a, const Descent& b) {
    return a.sum_of_squares() < b.sum_of_squares();
  });
  if (!descents.empty()) {
    const Descent& best = descents.front();
    fit.status = best.status;
    fit.residual = -best.residual;
    fit.predicted = problem.measured + best.residual.cwiseProduct(problem.sigma);
    fit.sum_of_squares = best.sum_of_squares();
    Matrix J;
    const bool has_derivatives = residuals.jacobian(best.y, J);
    // With derivatives the fit is whole, whatever is asked from here on.
    cut_short = residuals.stopped;
    if (has_derivatives) {
      const Vector error = residuals.row_error();
      add_statistics(coordinates, options, best.y, J, error, residuals.step(), fit);
      const Comparison comparison(fit, residuals, J, error);
      add_others(options, coordinates, error * residuals.step(), comparison, descents, fit);
      fit.lack_of_fit = lack_of_fit(problem, fit);
      const bool far = fit.probability && *fit.probability < options.significance;
      const bool lacks = fit.lack_of_fit && fit.lack_of_fit->probability < options.significance;
      const bool ambiguous = std::ranges::any_of(fit.others, &OtherMinimum::near);
      if (fit.ok() && (far || lacks)) fit.status = FitStatus::Rejected;
      if (fit.ok() && ambiguous) fit.status = FitStatus::Ambiguous;
    } else {
      fit.status = FitStatus::Failed;
      for (const double x : coordinates.outside(best.y)) {
        fit.estimates.push_back(
            {.value = x, .standard_error = kUndefined, .lower = kUndefined, .upper = kUndefined});
      }
      const auto n = static_cast<Eigen::Index>(problem.parameters.size());
      fit.correlation = Matrix::Constant(n, n, kUndefined);
    }
  }
  if (cut_short) fit.status = FitStatus::Interrupted;
  fit.search.evaluations = residuals.evaluations + 1;
  fit.search.failed_evaluations = residuals.failed_evaluations;
  fit.failure = residuals.failure;
  fit.search.step = residuals.step();
  return fit;
}

}  // namespace percute::fit
