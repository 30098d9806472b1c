// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/mass_matrix.hpp>

namespace percute::selftest {

/// A mass matrix of the same size and form whose entries are entry(i, j).
template <class Entry>
MassMatrix rebuilt(const MassMatrix& mass, Entry&& entry) {
  const Eigen::Index n = mass.size();
  Matrix M(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) M(i, j) = entry(i, j);
  }
  switch (mass.form()) {
    case MassMatrix::Form::Diagonal:
      return MassMatrix::diagonal(M.diagonal());
    case MassMatrix::Form::Sparse:
      return MassMatrix::sparse(M.sparseView());
    case MassMatrix::Form::Dense:
      break;
  }
  return MassMatrix::dense(M);
}

}  // namespace percute::selftest
