#!/usr/bin/env bash
# check_shared.sh: builds percute as shared libraries and as a part of another project, installs it from there,
# moves what was installed, and builds the outside project against that. Works in build/shared.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck source=scripts/setup.sh
. "$root/scripts/setup.sh"
cd -- "$root"

consumer=tests/packaging/consumer
build="$root/build/shared"
scratch="$build/packaging"
prefix="$scratch/moved here"
scene="$root/examples/scenes/cradle.toml"

# use_it FOLDER OPTION...: configures the outside project there, builds it and runs its tests.
use_it() {
  local folder=$1
  shift
  cmake -S "$consumer" -B "$folder" -G Ninja -DCMAKE_CXX_FLAGS=-O0 "-DSCENE=$scene" "$@" &&
    cmake --build "$folder" --parallel "$(percute_jobs)" &&
    ctest --test-dir "$folder" --output-on-failure --no-tests=error </dev/null
}

use_it "$build" "-DPERCUTE_SOURCE_DIR=$root" -DBUILD_SHARED_LIBS=ON -DPERCUTE_FIT=ON -DPERCUTE_INSTALL=ON \
  -DPERCUTE_PRECOMPILE=ON
# The core needs nothing but Eigen.
cmake -S "$consumer" -B "$build/core_alone" -G Ninja "-DPERCUTE_SOURCE_DIR=$root" -DPERCUTE_IO=OFF \
  -DCMAKE_DISABLE_FIND_PACKAGE_HDF5=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON -DCMAKE_DISABLE_FIND_PACKAGE_Ceres=ON
cmake "-DBUILD=$build" "-DSCRATCH=$scratch" "-DPREFIX=$prefix" -P tests/packaging/install.cmake
cmake "-DPREFIX=$prefix" "-DFOREIGN=$root|/usr/" -P tests/packaging/check_paths.cmake
use_it "$scratch/consumer" "-DCMAKE_PREFIX_PATH=$prefix"
printf 'check_shared.sh: shared libraries work in and outside the build\n'
