// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fit/statistics.hpp"

#include "numerics/distributions.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

#include <limits>
#include <map>

namespace percute::fit {

namespace {

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

}  // namespace

double quantile(const FitOptions& options, int degrees_of_freedom) {
  const double probability = 0.5 * (1.0 + options.level);
  if (options.noise == Noise::Known) return numerics::normal_quantile(probability);
  return degrees_of_freedom > 0 ? numerics::student_t_quantile(probability, degrees_of_freedom)
                                : kUndefined;
}

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

}  // namespace percute::fit
