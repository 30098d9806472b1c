#!/usr/bin/env bash
# Builds the documentation as a site in build/docs: its Markdown, the headers, the package of Python, the gallery.
# Nothing is fetched while it is built or read. A warning is a failure.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/setup.sh
. "$root/scripts/setup.sh"

percute_setup docs
venv="$root/build/venv"
percute_venv "$venv" "${percute_python_tests[@]}" "${percute_python_docs[@]}"
percute_options=(-DPERCUTE_PYTHON=ON "-DPython_EXECUTABLE=$venv/bin/python")
build_preset dev percute percute_python_stubs

work="$root/build/docs-work"
out="$root/build/docs"
mkdir -p -- "$work/source" "$work/schemas"

# The pages lie as in the repository, so that their links lead where they lead there.
find "$work/source" -mindepth 1 -maxdepth 1 ! -name gallery -exec rm -rf -- {} +
(cd -- "$root" && find README.md CHANGELOG.md docs data examples include selftest/*.?pp selftest/README.md apps/cli/README.md src/*/README.md \
  -type f ! -name '*.pyc' -print0 | xargs -0 cp -p --parents -t "$work/source")
ln -s -- "$root/examples" "$work/source/examples/python/gallery/examples" # examples name files as seen from the root
for name in problem result run; do
  "$root/build/dev/bin/percute" schema "$name" >"$work/schemas/$name.schema.json"
done

(cd -- "$root" && {
  cat docs/site/Doxyfile
  printf '%s\n' "INPUT = include/percute" "OUTPUT_DIRECTORY = $work/doxygen"
} | doxygen -)

# A warning is a failure, and the next time all pages are read again.
warnings="$work/warnings.txt"
PERCUTE_SOURCE=$root PERCUTE_PACKAGE=$root/build/dev/python PERCUTE_DOXYGEN=$work/doxygen/xml \
  PERCUTE_SCHEMAS=$work/schemas "$venv/bin/python" -m sphinx -W --keep-going -q -w "$warnings" \
  -j "$(percute_jobs)" -b html -c "$root/docs/site" -d "$work/doctrees" "$work/source" "$out" ||
  echo "failed" >>"$warnings"
if [[ -s $warnings ]]; then
  rm -rf -- "$work/doctrees"
  say "the documentation has warnings"
  exit 1
fi
# Nothing is fetched when it is read either.
if grep -rlE 'src=["'\'']?https?://|href=["'\'']?https?://[^"'\'']*\.css|url\(["'\'']?https?://' "$out" \
  --include='*.html' --include='*.css'; then
  say "these files load something from the network"
  exit 1
fi
say "build/docs/index.html"
