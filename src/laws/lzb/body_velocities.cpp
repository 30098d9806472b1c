// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/body_velocities.hpp"

#include <algorithm>

namespace percute::laws {

void BodyVelocities::assign(const ImpactProblem& problem) {
  used_ = true;
  W_ = problem.gradients;
  W_.makeCompressed();
  padded_ = (coordinates() + 1) / 2 * 2;
  if (problem.mass.form() == MassMatrix::Form::Diagonal) {
    motion_ = W_;
    for (int i = 0; i < motion_.outerSize(); ++i) {
      for (SparseMatrix::InnerIterator entry(motion_, i); entry; ++entry) {
        entry.valueRef() /= problem.mass(entry.row(), entry.row());
      }
    }
  } else {
    motion_ = problem.mass.solve(W_).sparseView(1.0, 0.0);
    motion_.makeCompressed();
  }
}

void BodyVelocities::accelerations(const double* forces, double* out) const {
  std::fill_n(out, padded_, 0.0);
  for (int i = 0; i < motion_.outerSize(); ++i) {
    for (SparseMatrix::InnerIterator entry(motion_, i); entry; ++entry) {
      out[entry.row()] += entry.value() * forces[i];
    }
  }
}

}  // namespace percute::laws
