#!/usr/bin/env bash
# check_debian.sh FOLDER: looks into the Debian packages in FOLDER, unpacks them next to them, runs the program
# and builds the outside project against the libraries. Installs nothing.
set -euo pipefail

folder=$(cd -- "$1" && pwd -P)
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

fail() {
  printf 'check_debian.sh: %s\n' "$*" >&2
  exit 1
}

# the_package NAME: the one file of that package.
the_package() {
  local found=("$folder/$1"_*.deb)
  [[ ${#found[@]} == 1 && -f ${found[0]} ]] || fail "expected one package $1 in $folder: ${found[*]}"
  printf '%s\n' "${found[0]}"
}

# expect_field PACKAGE FIELD PATTERN
expect_field() {
  local value
  value=$(dpkg-deb -f "$1" "$2")
  [[ $value =~ $3 ]] || fail "$1: $2 is '$value', expected $3"
}

# expect_file PACKAGE PATTERN: a regular expression for the whole path.
expect_file() {
  local files # first all of them: who is not read to the end of a long list ends with an error
  files=$(dpkg-deb -c "$1" | awk '{print $6}')
  grep -qxE -- "\\./$2" <<<"$files" || fail "$1 has no $2"
}

program=$(the_package percute)
library=$(the_package libpercute-dev)
for package in "$program" "$library"; do
  expect_field "$package" Maintainer '^The percute authors <'
  expect_field "$package" Architecture "^$(dpkg --print-architecture)\$"
  expect_field "$package" Description '^multiple impacts in mechanics'
  dpkg-deb -c "$package" | awk '$2 != "root/root" {exit 1}' || fail "$package: files not owned by root"
done
expect_field "$program" Section '^science$'
expect_field "$program" Depends 'libc6.*libfmt'
expect_field "$library" Section '^libdevel$'
expect_field "$library" Depends 'libeigen3-dev'
expect_file "$program" usr/bin/percute
expect_file "$program" usr/libexec/percute/percute-bench
expect_file "$program" usr/libexec/percute/percute-selftest
expect_file "$program" usr/share/percute/examples/scenes/cradle.toml
expect_file "$program" usr/share/doc/percute/copyright
expect_file "$program" usr/share/man/man1/percute.1.gz
for command in solve fit simulate waves compare reproduce; do
  expect_file "$program" "usr/share/man/man1/percute-$command.1.gz"
done
expect_file "$program" usr/share/bash-completion/completions/percute
expect_file "$program" usr/share/zsh/vendor-completions/_percute
expect_file "$program" usr/share/fish/vendor_completions.d/percute.fish
expect_file "$program" usr/share/percute/schema/problem.schema.json
expect_file "$program" usr/share/doc/percute/README.md
expect_file "$program" usr/share/doc/percute/docs/howto/fit.md
expect_file "$library" usr/include/percute/percute.hpp
expect_file "$library" usr/include/percute/version.hpp
expect_file "$library" 'usr/lib/.*libpercute_core\.(a|so)'
expect_file "$library" 'usr/lib/.*cmake/percute/percuteConfig\.cmake'
expect_file "$library" usr/share/doc/libpercute-dev/copyright

# What is inside works.
scratch="$folder/unpacked"
rm -rf -- "$scratch"
dpkg-deb -x "$program" "$scratch"
dpkg-deb -x "$library" "$scratch"
[[ -f $scratch/usr/share/doc/percute/examples/fit/tennis_on_basketball.toml ]] || fail "docs do not lead to examples"
scene="$scratch/usr/share/percute/examples/scenes/cradle.toml"
version=$("$scratch/usr/bin/percute" --version)
[[ "percute $(dpkg-deb -f "$program" Version)" == "$version" ]] || fail "the program says $version"
"$scratch/usr/bin/percute" solve "$scene" >/dev/null || fail "the program cannot solve $scene"
"$scratch/usr/bin/percute" bench --list | grep -q '^small ' || fail "the program cannot start its benchmarks"
"$scratch/usr/bin/percute" selftest --count 5 | grep -q 'every check holds' || fail "the program cannot start its selftests"
{
  cmake -S "$here/consumer" -B "$scratch/consumer" -G Ninja "-DSCENE=$scene" \
    "-DCMAKE_PREFIX_PATH=$scratch/usr" &&
    cmake --build "$scratch/consumer" &&
    ctest --test-dir "$scratch/consumer" --output-on-failure --no-tests=error
} >"$scratch/consumer.log" 2>&1 || {
  cat -- "$scratch/consumer.log" >&2
  fail "the outside project fails against the unpacked packages"
}

# Left out: our changelog is not in Debian's own format, and our copyright notices name no year.
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error,warning \
    --suppress-tags syntax-error-in-debian-changelog,copyright-without-copyright-notice \
    "$program" "$library"
fi
printf 'check_debian.sh: %s and %s are fine\n' "${program##*/}" "${library##*/}"
