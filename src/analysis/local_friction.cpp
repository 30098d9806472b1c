// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/problem_analysis.hpp>

#include <Eigen/Cholesky>

namespace percute::analysis {

namespace {

// Sliding and coupling below this part of what the numbers are made of are rounding.
constexpr double kRounding = 1e-12;

LocalFriction local(const ImpactProblem& problem, Eigen::Index i) {
  const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
  const Matrix T = tangents_of(problem, static_cast<std::size_t>(i));
  const Eigen::Index d = T.cols();
  Matrix H(problem.velocity.size(), 1 + d);
  H.col(0) = Vector(problem.gradients.col(i));
  H.rightCols(d) = T;
  const Matrix A = H.transpose() * problem.mass.solve(H);

  LocalFriction out{.contact = static_cast<int>(i),
                    .friction = contact.material.friction,
                    .A_nn = A(0, 0),
                    .A_tn = A.col(0).tail(d),
                    .A_tt = A.bottomRightCorner(d, d),
                    .sliding_velocity = T.transpose() * problem.velocity};
  // |A_tn| ≤ √(A_nn |A_tt|), by Schwarz: what is left of a coupling that cancels is none.
  const double coupling = out.A_tn.norm();
  const bool coupled = coupling * coupling > kRounding * kRounding * A(0, 0) * out.A_tt.norm();
  if (!coupled) out.A_tn.setZero();
  if (coupled) {
    out.stick_coefficient = out.A_tt.ldlt().solve(out.A_tn).norm();
    out.jam_coefficient = out.A_nn / coupling;
    out.may_jam = out.friction > *out.jam_coefficient;
  }
  // Without friction nothing is held, even where nothing pulls.
  out.sticks = out.friction > 0.0 && out.friction >= out.stick_coefficient;
  const double speed = out.sliding_velocity.norm();
  const double scale = (T.cwiseAbs().transpose() * problem.velocity.cwiseAbs()).norm();
  if (out.may_jam && speed > kRounding * scale) {
    out.jams = out.A_tn.dot(out.sliding_velocity) / speed > out.A_nn / out.friction;
  }
  return out;
}

}  // namespace

std::vector<LocalFriction> local_friction(const ImpactProblem& problem) {
  validate(problem);
  std::vector<LocalFriction> all;
  for (Eigen::Index i = 0; i < problem.gradients.cols(); ++i) {
    if (problem.contacts[static_cast<std::size_t>(i)].directions > 0) {
      all.push_back(local(problem, i));
    }
  }
  return all;
}

}  // namespace percute::analysis
