#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Built where libseccomp is not installed, the program says that it has no filter of system calls,
# gives up its other rights and works. The one object that differs is compiled, and linked with the
# rest of the build.
set -euo pipefail
skip() { echo "$1"; exit 77; }
command -v ninja >/dev/null || skip "ninja is not installed"
[ -f "$ROCMTUNE_BUILD/build.ninja" ] || skip "the build is not one of ninja"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

same=()
for name in CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS_DEBUG CMAKE_CXX_FLAGS_RELEASE \
    ROCMTUNE_SANITIZE ROCMTUNE_SANITIZE_THREAD ROCMTUNE_PORTABLE ROCMTUNE_COVERAGE; do
    same+=("-D$name=$(sed -n "s/^$name:[A-Z]*=//p" "$ROCMTUNE_BUILD/CMakeCache.txt")")
done
cmake -S "$ROCMTUNE_SOURCE" -B "$work/build" -G Ninja "${same[@]}" -DROCMTUNE_WERROR=ON -DBUILD_TESTING=OFF \
    -DROCMTUNE_CALL_FILTER=OFF >"$work/log" || { cat "$work/log"; exit 1; }
if grep -q call_filter "$work/build/build.ninja"; then
    echo "the filter is still part of the build"
    exit 1
fi
object=CMakeFiles/rocmtune_machine.dir/src/machine/sandbox.cpp.o
ninja -C "$work/build" "$object" >"$work/log" || { cat "$work/log"; exit 1; }

# Of two definitions the linker takes the one that stands before the library.
link=$(cd "$ROCMTUNE_BUILD" && ninja -t commands rocmtune | tail -1)
link=${link/ -o rocmtune / -o $work/rocmtune $work/build/$object }
(cd "$ROCMTUNE_BUILD" && sh -c "$link") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

says=$("$work/rocmtune" --version -v)
grep -qF '(seccomp): off: this program was built without libseccomp' <<<"$says" || { echo "$says"; exit 1; }
landlock() { grep -o 'Landlock: .*'; }
[ "$(landlock <<<"$says")" = "$("$ROCMTUNE" --version -v | landlock)" ] || { echo "$says"; exit 1; }

host=$ROCMTUNE_SOURCE/tests/hosts/rx7900xt/host
"$ROCMTUNE" probe --replay "$host" --json -o "$work/with"
"$work/rocmtune" probe --replay "$host" --json -o "$work/without"
cmp "$work/with" "$work/without"
