#!/usr/bin/env bash
# Static analysis with clang-tidy, its warnings and those of clang itself as errors.
#
#   scripts/tidy.sh             every file: the better part of an hour on two cores
#   scripts/tidy.sh SECONDS     the files that changed last, first, until the time is up
#
# Tests are left to the compilers: the macros of the test library would drown the rest.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/setup.sh
. "$root/scripts/setup.sh"
cd -- "$root"

seconds=${1:-}
if [[ -n $seconds && ! $seconds =~ ^[1-9][0-9]*$ ]]; then
  say "usage: scripts/tidy.sh [SECONDS]; got '$seconds'"
  exit 2
fi

# Headers that one compiler has precompiled mean nothing to another, and files are looked at one by one.
cmake --preset dev -B build/tidy -DPERCUTE_PRECOMPILE=OFF -DPERCUTE_UNITY=OFF >/dev/null

places=('src/*.cpp' 'apps/*.cpp' 'examples/*.cpp' 'bench/*.cpp' 'selftest/*.cpp' ':!bench/peers')
{
  git log --format= --name-only -- "${places[@]}"
  git ls-files -- "${places[@]}"
} | awk '!seen[$0]++' >build/tidy/files
: >build/tidy/checked

PERCUTE_TIDY_END=$((seconds == 0 ? 0 : $(date +%s) + seconds))
export PERCUTE_TIDY_END
# One file, unless it is gone or the time is up.
check() {
  [[ -e $1 ]] || return 0
  if ((PERCUTE_TIDY_END > 0 && $(date +%s) >= PERCUTE_TIDY_END)); then return 0; fi
  echo "$1" >>build/tidy/checked
  clang-tidy-19 -p build/tidy --quiet \
    --checks='clang-diagnostic-*,-clang-diagnostic-deprecated-declarations' \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument \
    "$1" 2> >(grep -v ' generated\.$' >&2)
}
export -f check
# shellcheck disable=SC2016  # expanded by the shells that xargs starts
xargs -n 1 -P "$(percute_jobs)" bash -c 'check "$1"' check <build/tidy/files
say "clang-tidy: $(wc -l <build/tidy/checked) of $(git ls-files -- "${places[@]}" | wc -l) files are clean"
