#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What CONTRIBUTING.md promises of adding things: an example of each kind is added to a copy of the tree, the touched
# files are counted, and the program that is built from the copy shows each example. ccache makes the build short:
# the test's own build has compiled all that is not touched.
set -euo pipefail
command -v ccache >/dev/null || { echo "ccache is not installed: everything would be compiled again"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/rocmtune
mkdir "$copy"
tar -C "$ROCMTUNE_SOURCE" --exclude=./build --exclude=./.git -cf - . | tar -C "$copy" -xf -

python3 "$ROCMTUNE_SOURCE/tests/full/one_place.py" "$copy"
cmake -S "$copy" --preset ci -DBUILD_TESTING=OFF >"$work/log" || { cat "$work/log"; exit 1; }
cmake --build "$copy/build/ci" --target rocmtune -j "$(nproc)" >"$work/log" || { tail -40 "$work/log"; exit 1; }
python3 "$ROCMTUNE_SOURCE/tests/full/one_place.py" "$copy" "$copy/build/ci/rocmtune"
