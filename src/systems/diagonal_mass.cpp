// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/diagonal_mass.hpp"

#include <utility>

namespace percute::systems {

namespace {

class DiagonalMass final : public MassSolver {
 public:
  explicit DiagonalMass(Vector diagonal)
      : diagonal_(std::move(diagonal)), positive_((diagonal_.array() > 0.0).all()) {}

  bool factor(const Vector& /*q*/) override { return positive_; }
  void multiply(const Vector& x, Vector& y) override { y = diagonal_.cwiseProduct(x); }
  void solve(Vector& x) override { x.array() /= diagonal_.array(); }
  double kinetic_energy(const Vector& /*q*/, const Vector& v) override {
    return 0.5 * v.cwiseProduct(v).dot(diagonal_);
  }
  bool factor_stiffened(const Vector& /*q*/, double /*c*/) override { return positive_; }
  void solve_stiffened(Vector& x) override { solve(x); }

 private:
  Vector diagonal_;
  bool positive_;
};

}  // namespace

std::unique_ptr<MassSolver> diagonal_solver(Vector diagonal) {
  return std::make_unique<DiagonalMass>(std::move(diagonal));
}

}  // namespace percute::systems
