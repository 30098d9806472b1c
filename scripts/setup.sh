# shellcheck shell=bash
# Sourced by run, test, .ci/run and the scripts here: installs what is missing and builds a preset.
# Set PERCUTE_SKIP_SETUP=1 to leave the system as it is and rely on what is there.

PERCUTE_ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# Packages of Python from PyPI, for percute_venv: what the package percute is built and tested with; the site.
# shellcheck disable=SC2034  # for those who source this file
percute_python_tests=(nanobind numpy h5py matplotlib mypy pandas pytest scipy xarray)
# shellcheck disable=SC2034
percute_python_docs=(breathe furo mini-racer myst-parser sphinx sphinx-gallery)

# packages_for run|package|wheel|test|docs|fuzz|ci: names of Debian packages, one per line.
packages_for() {
  printf '%s\n' g++ cmake ninja-build pkg-config libeigen3-dev nlohmann-json3-dev \
    libtomlplusplus-dev libcli11-dev libfmt-dev libhdf5-dev libceres-dev
  [[ $1 == run ]] && return
  if [[ $1 == package ]]; then
    printf '%s\n' dpkg-dev file
    return
  fi
  if [[ $1 == wheel ]]; then
    python_packages
    return
  fi
  printf '%s\n' libgtest-dev libgmock-dev librapidcheck-dev
  python_packages
  [[ $1 == test ]] && return
  printf '%s\n' doxygen libjs-katex
  [[ $1 == docs ]] && return
  printf '%s\n' clang-14 libclang-rt-14-dev
  [[ $1 == fuzz ]] && return
  printf '%s\n' clang-format-19 clang-tidy-19 dpkg-dev file git lintian shellcheck
}

# What the package of Python is built with. Another Python than Debian's has its own.
python_packages() {
  [[ $(command -v python3) == /usr/bin/python3 || -z $(command -v python3) ]] || return 0
  printf '%s\n' python3-dev python3-venv
}

say() {
  printf 'percute: %s\n' "$*" >&2
}

on_debian() (
  ID='' ID_LIKE=''
  # shellcheck source=/dev/null
  [[ -r /etc/os-release ]] && . /etc/os-release
  [[ " $ID $ID_LIKE " == *" debian "* ]] && command -v apt-get >/dev/null &&
    command -v dpkg-query >/dev/null
)

# missing_packages PACKAGE...: those that are not installed, one per line.
missing_packages() {
  local installed package
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep -qxF -- "$package installed" <<<"$installed" || printf '%s\n' "$package"
  done
}

# install_packages PACKAGE...: asks nothing; waits for another apt that may be running.
install_packages() {
  local as_root=()
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || {
      say "missing: $*; install them as root: apt-get install --no-install-recommends $*"
      return 1
    }
    as_root=(sudo -n)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  say "installing what the build needs: $*"
  "${apt[@]}" update </dev/null >/dev/null || say "apt-get update failed; trying without"
  "${apt[@]}" install -y --no-install-recommends "$@" </dev/null >/dev/null
}

# percute_setup run|package|wheel|test|docs|fuzz|ci: makes sure that the tools and libraries are there.
percute_setup() {
  [[ -n ${PERCUTE_SKIP_SETUP:-} ]] && return 0
  local wanted missing
  mapfile -t wanted < <(packages_for "$1")
  if ! on_debian; then
    say "this is not Debian; install what these packages hold, then set PERCUTE_SKIP_SETUP=1:"
    say "${wanted[*]}"
    return 1
  fi
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  if ((${#missing[@]} > 0)); then
    install_packages "${missing[@]}"
  fi
}

# percute_venv FOLDER PACKAGE...: an environment of Python with these packages from PyPI. Fails where they are not
# there and cannot be had.
percute_venv() {
  local folder=$1 missing
  shift
  [[ -n ${PERCUTE_SKIP_SETUP:-} && ! -x $folder/bin/python ]] && return 1
  if [[ ! -x $folder/bin/python ]]; then
    say "making an environment of Python in ${folder#"$PERCUTE_ROOT/"}"
    "${percute_python:-python3}" -m venv "$folder" || return
  fi
  mapfile -t missing < <("$folder/bin/python" -c '
import importlib.metadata, sys
for name in sys.argv[1:]:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        print(name)' "$@")
  ((${#missing[@]} == 0)) && return 0
  [[ -n ${PERCUTE_SKIP_SETUP:-} ]] && return 1
  say "installing into it: ${missing[*]}"
  "$folder/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check "${missing[@]}" </dev/null
}

# percute_jobs: how many things to do at once.
percute_jobs() {
  printf '%s\n' "${PERCUTE_JOBS:-$(nproc 2>/dev/null || echo 2)}"
}

# Options of cmake beyond those of the preset, for build_preset.
percute_options=()

# configure_preset PRESET: once per build folder and options; later ninja does it when needed.
configure_preset() {
  local folder="$PERCUTE_ROOT/build/$1" options=("${percute_options[@]}") cache
  # A build folder that came from elsewhere with the tree still points there.
  if [[ -e $folder/CMakeCache.txt ]] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PERCUTE_ROOT" "$folder/CMakeCache.txt"; then
    rm -rf -- "$folder"/CMakeCache.txt "$folder"/CMakeFiles "$folder"/build.ninja
  fi
  [[ -e $folder/build.ninja && $(cat "$folder/.options" 2>/dev/null) == "${percute_options[*]}" ]] && return 0
  cache=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}}
  if command -v ccache >/dev/null && [[ -w $cache ]]; then
    # A cache of whole files serves better than precompiled headers, and they do not go together.
    options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
      -DPERCUTE_PRECOMPILE=OFF)
  fi
  (cd -- "$PERCUTE_ROOT" && cmake --preset "$1" "${options[@]}") &&
    printf '%s\n' "${percute_options[*]}" >"$folder/.options"
}

# build_preset PRESET [TARGET...]: builds into build/PRESET, one build at a time.
build_preset() {
  local folder="$PERCUTE_ROOT/build/$1" targets=()
  (($# > 1)) && targets=(--target "${@:2}")
  mkdir -p -- "$folder"
  (
    if command -v flock >/dev/null; then flock 9; fi
    configure_preset "$1" 9>&- &&
      cmake --build "$folder" --parallel "$(percute_jobs)" "${targets[@]}" 9>&-
  ) </dev/null 9>"$folder/.lock"
}
