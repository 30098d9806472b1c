// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace percute {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double>;  // by columns

}  // namespace percute
