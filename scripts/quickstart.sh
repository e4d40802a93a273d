#!/usr/bin/env bash
# From a fresh Debian 12 to the first real output: installs the build packages, builds, and shows
# this host - and, where it has no AMD GPU, a built-in example.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

install_packages "${build_packages[@]}"
cmake --preset release -DBUILD_TESTING=OFF >/dev/null
cmake --build --preset release

rocmtune=build/release/rocmtune
printf '\n$ %s probe\n' "$rocmtune"
"$rocmtune" probe
if [ "$("$rocmtune" probe --json | grep -c '"pci_address":')" -eq 0 ]; then
    printf '\nNo AMD GPU here, so this is a built-in synthetic example:\n'
    printf '\n$ %s probe --replay example:rx7900xt-x2\n' "$rocmtune"
    "$rocmtune" probe --replay example:rx7900xt-x2
fi
