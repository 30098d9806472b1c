// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

// Dense products as Eigen compiles them: a second in every file that multiplies matrices. Where
// headers are precompiled this one is among them, and eigen_kernels.cpp compiles the products for
// all. The names are those inside Eigen 3.4; with another version each file compiles its own.

#include <Eigen/Core>

#if EIGEN_VERSION_AT_LEAST(3, 4, 0) && !EIGEN_VERSION_AT_LEAST(3, 4, 90)

/// C += α A B, in blocks.
#define PERCUTE_EIGEN_BLOCKS                                                                  \
  gebp_kernel<double, double, Index, blas_data_mapper<double, Index, ColMajor, Unaligned, 1>, \
              gebp_traits<double, double>::mr, gebp_traits<double, double>::nr, false, false>

/// y += α A x, with A and x stored in these orders.
#define PERCUTE_EIGEN_PRODUCT(A, x)                                                                \
  general_matrix_vector_product<Index, double, const_blas_data_mapper<double, Index, A>, A, false, \
                                double, const_blas_data_mapper<double, Index, x>, false>

namespace Eigen::internal {

extern template struct PERCUTE_EIGEN_BLOCKS;
extern template struct PERCUTE_EIGEN_PRODUCT(ColMajor, ColMajor);
extern template struct PERCUTE_EIGEN_PRODUCT(ColMajor, RowMajor);
extern template struct PERCUTE_EIGEN_PRODUCT(RowMajor, ColMajor);

}  // namespace Eigen::internal

#endif
