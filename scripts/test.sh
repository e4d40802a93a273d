#!/usr/bin/env bash
# Builds and runs the tests. Plain: everything quick. --sanitize runs the same under
# AddressSanitizer and UndefinedBehaviorSanitizer, --thread the tests of what has threads under
# ThreadSanitizer. --full adds the tests against real components (rocm-smi, hwloc, the HIP runtime
# over a fake KFD) and bounded fuzzing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

preset=ci
full=OFF
chosen=()
case "${1:-}" in
    "") ;;
    --full) full=ON ;;
    --sanitize) preset=asan ;;
    --thread) preset=tsan; chosen=(-R '^(machine|bench|codec|settings|lint|fleet|cli\.[0-9])$') ;;
    *) echo "usage: scripts/test.sh [--full|--sanitize|--thread]" >&2; exit 2 ;;
esac

install_packages "${build_packages[@]}" "${test_packages[@]}"
[ $full = OFF ] || install_packages "${full_packages[@]}"

cmake --preset $preset -DROCMTUNE_FULL_TESTS=$full >/dev/null
cmake --build --preset $preset
ctest --preset $preset "${chosen[@]}"
