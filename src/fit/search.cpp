// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fit/search.hpp"

#include <percute/model/invalid_input.hpp>

#include <ceres/cost_function.h>
#include <ceres/problem.h>
#include <ceres/solver.h>

#include <exception>
#include <limits>

namespace percute::fit {

namespace {

/// What must not pass through the solver waits here.
struct Interruption {
  std::exception_ptr thrown = {};
  bool no_derivatives = false;
};

/// The residuals as Ceres asks for them. Without an answer, a step is taken back. Without
/// derivatives there is no step to take: those handed over are zero, which ends the search quietly.
class Cost : public ceres::CostFunction {
 public:
  Cost(Residuals& residuals, Eigen::Index parameters, double scale, Interruption& interruption)
      : residuals_(&residuals), scale_(scale), interruption_(&interruption) {
    set_num_residuals(static_cast<int>(residuals.size()));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(parameters));
  }

  bool Evaluate(const double* const* parameters, double* values,
                double** jacobians) const override {
    const auto n = static_cast<Eigen::Index>(parameter_block_sizes().front());
    const Vector y = Eigen::Map<const Vector>(parameters[0], n);
    try {
      Vector r;
      if (interruption_->thrown || !residuals_->evaluate(y, r)) return false;
      Eigen::Map<Vector>(values, r.size()) = r / scale_;
    } catch (...) {
      interruption_->thrown = std::current_exception();
      return false;
    }
    if (jacobians == nullptr || jacobians[0] == nullptr) return true;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<RowMajor> out(jacobians[0], residuals_->size(), n);
    try {
      Matrix J;
      interruption_->no_derivatives = !residuals_->jacobian(y, J);
      if (!interruption_->no_derivatives) out = J / scale_;
    } catch (...) {
      interruption_->thrown = std::current_exception();
      interruption_->no_derivatives = true;
    }
    if (interruption_->no_derivatives) out.setZero();
    return true;
  }

 private:
  Residuals* residuals_;
  double scale_;
  Interruption* interruption_;
};

ceres::Solver::Options solver_options(int max_iterations) {
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.logging_type = ceres::SILENT;
  options.num_threads = 1;
  options.max_num_iterations = max_iterations;
  // A change of χ² by 1e-10 of itself moves parameters by about 1e-5 standard errors. The gradient
  // has the units of the residuals and decides nothing.
  options.function_tolerance = 1e-10;
  options.parameter_tolerance = 1e-10;
  options.gradient_tolerance = 0.0;
  return options;
}

}  // namespace

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

Descent descend(Residuals& residuals, const Coordinates& coordinates, const Vector& start,
                double scale, int max_iterations) {
  Descent out;
  out.y = start;
  if (!residuals.evaluate(out.y, out.residual)) {
    out.residual.resize(0);
    return out;
  }
  Interruption interruption;
  ceres::Problem problem;
  // The problem owns it.
  problem.AddResidualBlock(new Cost(residuals, start.size(), scale, interruption), nullptr,
                           out.y.data());
  for (Eigen::Index j = 0; j < start.size(); ++j) {
    const double lower = coordinates.lower()[j];
    const double upper = coordinates.upper()[j];
    if (std::isfinite(lower))
      problem.SetParameterLowerBound(out.y.data(), static_cast<int>(j), lower);
    if (std::isfinite(upper))
      problem.SetParameterUpperBound(out.y.data(), static_cast<int>(j), upper);
  }
  ceres::Solver::Summary summary;
  ceres::Solve(solver_options(max_iterations), &problem, &summary);
  if (interruption.thrown) std::rethrow_exception(interruption.thrown);

  out.iterations = static_cast<long>(summary.iterations.size());
  switch (summary.termination_type) {
    case ceres::CONVERGENCE:
    case ceres::USER_SUCCESS:
      out.status = FitStatus::Converged;
      break;
    case ceres::NO_CONVERGENCE:
      out.status = FitStatus::NotConverged;
      break;
    default:
      out.status = FitStatus::Failed;
      break;
  }
  if (interruption.no_derivatives) out.status = FitStatus::Failed;
  if (!residuals.evaluate(out.y, out.residual, true)) out.residual.resize(0);
  return out;
}

}  // namespace percute::fit
