// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/radau_table.hpp"

#include <Eigen/LU>

namespace percute::numerics {

RadauTable::RadauTable() {
  using Wide = Eigen::Matrix<long double, kStages, kStages>;
  Wide powers;
  Wide integrals;
  for (int j = 0; j < kStages; ++j) {
    long double power = 1.0L;
    for (int q = 0; q < kStages; ++q) {
      powers(q, j) = power;
      power *= kNodes[j];
      integrals(j, q) = power / (q + 1);
    }
  }
  const Wide of_powers = powers.inverse();
  const Wide weights = integrals * of_powers.transpose();
  a = weights.cast<double>();
  inverse = weights.inverse().cast<double>();
  twice = a * a;
  estimate = (-kStart * of_powers.col(0)).cast<double>();
}

const RadauTable& radau_table() {
  static const RadauTable table;
  return table;
}

}  // namespace percute::numerics
