#!/usr/bin/env bash
# Which lines of the judgement the unit tests run: a line a layer, and with --lines those that no
# test runs. Exits 1 if a layer of pure judgement is below 92 %.
# Usage: scripts/coverage.sh [--lines]
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

show_lines=
case "${1:-}" in
    "") ;;
    --lines) show_lines=1 ;;
    *) echo "usage: scripts/coverage.sh [--lines]" >&2; exit 2 ;;
esac
install_packages "${build_packages[@]}" "${test_packages[@]}" "${coverage_packages[@]}"

least=92
build=build/coverage
tests=(knowledge rules checks lint compare fleet plan verify builds limits diagnose)
# Of two layers only a part judges and nothing else: how components read values, and statistics.
layers=(judge/rules judge/checks judge/lint judge/compare judge/fleet judge/plan judge/builds
        judge/limits judge/diagnose
        'knowledge/(value_parsers|value_readings|c_number|device_list|allocator_options)\.cpp'
        'judge/verify/(statistics|input)\.cpp')

cmake --preset coverage >/dev/null
cmake --build --preset coverage --target "${tests[@]/%/_test}"
find $build -name '*.gcda' -delete
for test in "${tests[@]}"; do
    "$build/tests/${test}_test" --gtest_brief=1 >"$build/$test.log" 2>&1 || { cat "$build/$test.log"; exit 1; }
done
gcovr --root . $build --filter src/ --exclude-unreachable-branches -j "$(nproc)" \
    --json $build/lines.json --json-summary $build/summary.json >/dev/null

failed=0
for layer in "${layers[@]}"; do
    jq -r --arg layer "src/$layer" --argjson least $least '
        [.files[] | select(.filename | test("^" + $layer))]
        | (map(.line_covered) | add // 0) as $run | (map(.line_total) | add // 0) as $all
        | if $all == 0 then "nothing was counted", "low" else
            "\(1000 * $run / $all | floor / 10) % of \($all) lines",
            (if 100 * $run < $least * $all then "low" else "fine" end) end' $build/summary.json |
        { read -r text; read -r verdict
          printf '%-28s %s\n' "${layer%%(*}" "$text"
          [ "$verdict" = fine ]; } || failed=1
done
if [ -n "$show_lines" ]; then
    jq -r '.files[] | .file as $file | .lines[]
        | select(.count == 0 and (."gcovr/noncode" | not)) | "\($file):\(.line_number)"' $build/lines.json
fi
[ $failed = 0 ] || { echo "below $least %: see scripts/coverage.sh --lines" >&2; exit 1; }
