#!/usr/bin/env bash
# scripts/package.sh: builds the Debian packages percute and libpercute-dev into build/release.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/setup.sh
. "$root/scripts/setup.sh"

percute_setup package
build_preset release all percute-bench percute-selftest
cd -- "$root/build/release"
rm -f -- ./*.deb
cpack -G DEB
