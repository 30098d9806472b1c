#!/usr/bin/env bash
# scripts/fuzz.sh SECONDS: builds the fuzzing programs and runs both at once for that long. What they
# find lies in build/sanitize/fuzz/failures; what they learned, in build/sanitize/fuzz/found, is where the next run starts.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/setup.sh
. "$root/scripts/setup.sh"

seconds=${1:-}
if [[ ! $seconds =~ ^[1-9][0-9]*$ ]]; then
  say "usage: scripts/fuzz.sh SECONDS"
  exit 2
fi

percute_setup fuzz
build_preset sanitize fuzz_problem fuzz_scene
folder="$root/build/sanitize/fuzz"
tests="$root/tests/fuzz"

# fuzz NAME: new inputs go to the first folder, the others are read only.
fuzz() {
  mkdir -p -- "$folder/found/$1" "$folder/failures"
  "$root/build/sanitize/bin/fuzz_$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
    -dict="$tests/percute.dict" -artifact_prefix="$folder/failures/$1-" -print_final_stats=1 \
    "$folder/found/$1" "$tests/corpus/$1" "$tests/regressions" "$root/examples/scenes" "$root/examples/motion" \
    </dev/null >"$folder/$1.log" 2>&1
}

declare -A running=()
for name in problem scene; do
  fuzz "$name" &
  running[$name]=$!
done
failed=0
for name in "${!running[@]}"; do
  if wait "${running[$name]}"; then
    say "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log") inputs, no failure"
  else
    failed=1
    tail -n 40 -- "$folder/$name.log" >&2
    say "$name failed; once more: $root/build/sanitize/bin/fuzz_$name $folder/failures/$name-..."
  fi
done
exit "$failed"
