// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/eigen_kernels.hpp"

#ifdef PERCUTE_EIGEN_BLOCKS

namespace Eigen::internal {

template struct PERCUTE_EIGEN_BLOCKS;
template struct PERCUTE_EIGEN_PRODUCT(ColMajor, ColMajor);
template struct PERCUTE_EIGEN_PRODUCT(ColMajor, RowMajor);
template struct PERCUTE_EIGEN_PRODUCT(RowMajor, ColMajor);

}  // namespace Eigen::internal

#endif
