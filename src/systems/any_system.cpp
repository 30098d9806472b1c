// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/model/invalid_input.hpp>
#include <percute/systems/any_system.hpp>

#include <Eigen/Cholesky>

namespace percute::systems {

namespace {

/// By Cholesky factors of dense matrices.
class DenseMassSolver final : public MassSolver {
 public:
  explicit DenseMassSolver(AnySystem system)
      : system_(std::move(system)),
        M_(system_.coordinates(), system_.coordinates()),
        K_(system_.coordinates(), system_.coordinates()),
        A_(system_.coordinates(), system_.coordinates()),
        momentum_(system_.coordinates()),
        factor_(system_.coordinates()),
        stiffened_(system_.coordinates()) {}

  bool factor(const Vector& q) override {
    system_.mass(q, M_);
    factor_.compute(M_);
    return factor_.info() == Eigen::Success;
  }
  void multiply(const Vector& x, Vector& y) override { y.noalias() = M_ * x; }
  void solve(Vector& x) override { factor_.solveInPlace(x); }

  double kinetic_energy(const Vector& q, const Vector& v) override {
    system_.mass(q, K_);
    momentum_.noalias() = K_ * v;
    return 0.5 * v.dot(momentum_);
  }

  bool factor_stiffened(const Vector& q, double c) override {
    system_.mass(q, A_);
    system_.stiffness(q, K_);
    A_ += c * K_;
    stiffened_.compute(A_);
    return stiffened_.info() == Eigen::Success;
  }
  void solve_stiffened(Vector& x) override { stiffened_.solveInPlace(x); }

 private:
  AnySystem system_;
  Matrix M_;
  Matrix K_;  // stiffness, or a mass matrix that is needed once
  Matrix A_;
  Vector momentum_;
  Eigen::LLT<Matrix> factor_;
  Eigen::LLT<Matrix> stiffened_;
};

MassMatrix mass_matrix(const AnySystem& system, const Vector& q) {
  Matrix M(system.coordinates(), system.coordinates());
  system.mass(q, M);
  if (M.isDiagonal(0.0)) return MassMatrix::diagonal(M.diagonal());
  return MassMatrix::dense(M);
}

}  // namespace

void no_tangents(int i) {
  throw InvalidInput("contact " + std::to_string(i + 1),
                     "has directions of sliding, but the system has no function tangents()");
}

std::unique_ptr<MassSolver> AnySystem::solver() const {
  if (auto own = self_->solver()) return own;
  return std::make_unique<DenseMassSolver>(*this);
}

Matrix AnySystem::tangents(int i, const Vector& q) const {
  Matrix T(coordinates(), contact(i, q).directions);
  if (T.cols() > 0) tangents(i, q, T);
  return T;
}

std::vector<std::string> AnySystem::contact_names() const {
  std::vector<std::string> names = self_->contact_names();
  if (names.empty()) {
    names.reserve(static_cast<std::size_t>(contacts()));
    for (int i = 0; i < contacts(); ++i) names.push_back(std::to_string(i + 1));
  }
  return names;
}

ImpactProblem impact_problem(const AnySystem& system, const Vector& q, const Vector& v,
                             const std::vector<int>& closed) {
  const auto n = system.coordinates();
  const auto m = static_cast<Eigen::Index>(closed.size());
  Matrix W(n, m);
  Vector column(n);
  ImpactProblem problem;
  problem.contacts.reserve(closed.size());
  std::vector<Matrix> tangents;
  tangents.reserve(closed.size());
  for (Eigen::Index j = 0; j < m; ++j) {
    const int i = closed[static_cast<std::size_t>(j)];
    system.gradient(i, q, column);
    W.col(j) = column;
    problem.contacts.push_back(system.contact(i, q));
    tangents.push_back(system.tangents(i, q));
  }
  problem.mass = mass_matrix(system, q);
  problem.gradients = W.sparseView();
  problem.velocity = v;
  set_tangents(problem, tangents);
  return problem;
}

}  // namespace percute::systems
