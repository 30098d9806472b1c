// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/any_system.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace percute::systems {

namespace {

class DiagonalMassSolver final : public MassSolver {
 public:
  explicit DiagonalMassSolver(Vector diagonal)
      : diagonal_(std::move(diagonal)), positive_((diagonal_.array() > 0.0).all()) {}

  bool factor(const Vector& /*q*/, double /*c*/) override { return positive_; }
  void multiply(const Vector& x, Vector& y) override { y = diagonal_.cwiseProduct(x); }
  void solve(Vector& x) override { x.array() /= diagonal_.array(); }
  double kinetic_energy(const Vector& /*q*/, const Vector& v) override {
    return 0.5 * v.cwiseProduct(v).dot(diagonal_);
  }

 private:
  Vector diagonal_;
  bool positive_;
};

/// By Cholesky factors of dense matrices.
class DenseMassSolver final : public MassSolver {
 public:
  explicit DenseMassSolver(AnySystem system)
      : system_(std::move(system)),
        M_(system_.coordinates(), system_.coordinates()),
        K_(system_.coordinates(), system_.coordinates()),
        momentum_(system_.coordinates()),
        factor_(system_.coordinates()) {}

  bool factor(const Vector& q, double c) override {
    system_.mass(q, M_);
    if (c == 0.0) {
      factor_.compute(M_);
    } else {
      system_.stiffness(q, K_);
      K_ = M_ + c * K_;
      factor_.compute(K_);
    }
    return factor_.info() == Eigen::Success;
  }
  void multiply(const Vector& x, Vector& y) override { y.noalias() = M_ * x; }
  void solve(Vector& x) override { factor_.solveInPlace(x); }

  double kinetic_energy(const Vector& q, const Vector& v) override {
    system_.mass(q, K_);
    momentum_.noalias() = K_ * v;
    return 0.5 * v.dot(momentum_);
  }

 private:
  AnySystem system_;
  Matrix M_;
  Matrix K_;  // M + c K, or a mass matrix that is needed once
  Vector momentum_;
  Eigen::LLT<Matrix> factor_;
};

/// Takes the entries of a column that are not zero, and makes them so.
void take_entries(Eigen::Ref<Vector> column, const Blocks& blocks, int place,
                  std::vector<Eigen::Triplet<double>>& entries) {
  for (const auto& [first, count] : blocks) {
    for (int k = first; k < first + count; ++k) {
      if (column[k] != 0.0) entries.emplace_back(k, place, column[k]);
    }
    column.segment(first, count).setZero();
  }
}

}  // namespace

void no_tangents(int i) {
  throw InvalidInput("contact " + std::to_string(i + 1),
                     "has directions of sliding, but the system has no function tangents()");
}

void no_motion() {
  throw InvalidInput("system", "does not move in time: it has no function force()");
}

std::unique_ptr<MassSolver> AnySystem::solver() const {
  if (auto own = self_->solver()) return own;
  if (const Vector* diagonal = self_->diagonal_mass()) {
    return std::make_unique<DiagonalMassSolver>(*diagonal);
  }
  return std::make_unique<DenseMassSolver>(*this);
}

MassMatrix AnySystem::mass_matrix(const Vector& q) const {
  if (const Vector* diagonal = self_->diagonal_mass()) return MassMatrix::diagonal(*diagonal);
  Matrix M(coordinates(), coordinates());
  mass(q, M);
  if (M.isDiagonal(0.0)) return MassMatrix::diagonal(M.diagonal());
  return MassMatrix::dense(M);
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

std::vector<int> AnySystem::closed(const Vector& q) const {
  Vector h(contacts());
  gaps(q, h);
  std::vector<int> closed;
  closed.reserve(static_cast<std::size_t>(h.size()));
  for (int i = 0; i < contacts(); ++i) {
    if (h[i] <= touching(i)) closed.push_back(i);
  }
  return closed;
}

std::vector<std::string> AnySystem::contact_names(const State& state) const {
  require_state(state, static_cast<std::size_t>(coordinates()));
  const std::vector<std::string> all = contact_names();
  std::vector<std::string> names;
  for (const int i : closed(state.position)) names.push_back(all[static_cast<std::size_t>(i)]);
  return names;
}

AnySystem AnySystem::with_materials(std::vector<Material> materials) const {
  require_size(materials.size(), static_cast<std::size_t>(contacts()), "materials", "contact");
  AnySystem system = *this;
  system.materials_ = std::make_shared<const std::vector<Material>>(std::move(materials));
  return system;
}

ImpactProblem AnySystem::impact(const State& state) const {
  require_state(state, static_cast<std::size_t>(coordinates()));
  return impact_problem(*this, state.position, state.velocity, closed(state.position));
}

// Contacts of a long chain move few of its coordinates: what each of them says is taken from the
// blocks of its bodies in one column, which is zero elsewhere and stays so.
ImpactProblem impact_problem(const AnySystem& system, const Vector& q, const Vector& v,
                             const std::vector<int>& closed) {
  const auto n = system.coordinates();
  const auto m = static_cast<int>(closed.size());
  std::vector<Eigen::Triplet<double>> gradients;
  std::vector<Eigen::Triplet<double>> tangents;
  ImpactProblem problem{.mass = system.mass_matrix(q),
                        .gradients = SparseMatrix(n, m),
                        .velocity = v,
                        .contacts = {},
                        .tangents = SparseMatrix(n, 2 * m)};
  problem.contacts.reserve(closed.size());
  Vector column = Vector::Zero(n);
  Matrix T = Matrix::Zero(n, 2);
  for (int j = 0; j < m; ++j) {
    const int i = closed[static_cast<std::size_t>(j)];
    const Blocks blocks = system.self_->blocks(i);
    const Contact contact = system.contact(i, q);
    system.self_->gradient(i, q, column);
    take_entries(column, blocks, j, gradients);
    if (contact.directions > 0) {
      system.self_->tangents(i, q, T.leftCols(contact.directions));
    }
    for (int d = 0; d < contact.directions; ++d) {
      take_entries(T.col(d), blocks, 2 * j + d, tangents);
    }
    problem.contacts.push_back(contact);
  }
  problem.gradients.setFromTriplets(gradients.begin(), gradients.end());
  problem.tangents.setFromTriplets(tangents.begin(), tangents.end());
  return problem;
}

double BaseMotion::at(double time) const {
  const double turns = (time - start) * frequency;
  if (!moves() || turns < 0.0 || turns > cycles) return 0.0;
  return acceleration * std::sin(2.0 * std::numbers::pi * turns + phase);
}

double BaseMotion::longest_step(double time) const {
  const double end = start + cycles / frequency;
  if (!moves() || time >= end) return std::numeric_limits<double>::infinity();
  if (time < start) return start - time;
  return std::min(0.125 / frequency, end - time);
}

double PlanarBaseMotion::longest_step(double time) const {
  return std::min(horizontal.longest_step(time), vertical.longest_step(time));
}

}  // namespace percute::systems
