#!/usr/bin/env bash
# Builds and runs the tests. Plain: everything quick, about five minutes on two cores.
# --full adds sanitizers, real components, a bare Debian root and bounded fuzzing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

full=no
case "${1:-}" in
    "") ;;
    --full) full=yes ;;
    *) echo "usage: scripts/test.sh [--full]" >&2; exit 2 ;;
esac

install_packages "${build_packages[@]}" "${test_packages[@]}"
[ $full = no ] || install_packages "${full_packages[@]}"

cmake --preset ci -DROCMTUNE_FULL_TESTS="$([ $full = yes ] && echo ON || echo OFF)" >/dev/null
cmake --build --preset ci
ctest --preset ci

[ $full = yes ] || exit 0
cmake --preset asan -DROCMTUNE_FULL_TESTS=OFF >/dev/null
cmake --build --preset asan
ctest --preset asan
