#!/usr/bin/env bash
# The fake GPU libraries (tests/support/fakes) fail as they are told to, seen by a program that has
# no protection against them.
set -euo pipefail

fakes=$ROCMTUNE_BUILD/tests/fakes
list_hip=$ROCMTUNE_BUILD/tests/support/list_hip_devices
[ -x "$list_hip" ] || { echo "built without ROCMTUNE_FULL_TESTS"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }

export FAKE_GPUS='0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX;
    0000:83:00.0 gfx90a:sramecc+:xnack- 104 68702699520 0 Instinct MI210'
both='0 0000:03:00.0 Radeon RX 7900 XTX
1 0000:83:00.0 Instinct MI210'

# Runs against a HIP of this major and puts the exit status into $status, standard output into out.
hip() { # MAJOR
    status=0
    timeout -k 1 "${limit:-20}" "$list_hip" "$fakes/rocm-$1/lib/libamdhip64.so.$1" \
        >"$work/out" 2>"$work/err" || status=$?
}
expect() { # WHAT STATUS
    [ "$status" -eq "$2" ] || fail "$1: exit $status instead of $2"
}

for major in 5 6 7 9; do
    hip $major
    expect "HIP $major" 0
    [ "$(cat "$work/out")" = "$both" ] || fail "HIP $major lists something else"
done

# FAULT | exit status: 128 and the signal as of the shell, 124 for a hang, 137 for one that SIGTERM
# does not end.
while IFS='|' read -r fault expected; do
    FAKE_FAULT=$fault limit=1 hip 7 2>/dev/null
    expect "$fault" "$expected"
done <<'TABLE'
sigsegv@hipGetDeviceCount|139
abort@hipGetDeviceCount|134
exit=0@hipGetDeviceCount|0
exit=7@hipDeviceGetName|7
hang@hipGetDeviceCount|124
stubborn@hipGetDeviceCount|137
endless@hipGetDeviceCount|124
sigsegv@HIP_load|139
hang@HIP_load|124
abort@HSA_load|0
sigsegv@HIP_unload|139
error=100@hipGetDeviceCount|3
error=1@hipDeviceGetName|1
count=0@hipGetDeviceCount|3
count=3@hipGetDeviceCount|1
slow=100@hipGetDeviceCount|0
garbage@hipGetDeviceCount|0
nonsense@hipGetDeviceCount|99
nonsense|99
TABLE

FAKE_FAULT=count=-1@hipGetDeviceCount hip 7
expect "negative count" 0
[ ! -s "$work/out" ] || fail "a negative count lists devices"
FAKE_FAULT=flood@hipGetDeviceCount hip 7
[ "$(stat -c %s "$work/out")" -gt 33554432 ] || fail "flood wrote too little"
FAKE_HIP_GPUS='' hip 7
expect "no device for HIP alone" 3
FAKE_GPUS='not a gpu' hip 7
expect "nonsense for GPUs" 99

# The grandchild holds the pipe: the reader waits for it although the program is long done.
SECONDS=0
FAKE_FAULT=grandchild@hipGetDeviceCount timeout 2 sh -c "'$list_hip' '$fakes/rocm-7/lib/libamdhip64.so.7' | cat" >/dev/null &&
    fail "the grandchild let go of the pipe"
[ "$SECONDS" -le 4 ] || fail "the grandchild was waited for"

status=0
LD_PRELOAD=$fakes/preload/libcrash_at_exit.so python3 -c 'import os; os._exit(0)' 2>/dev/null || status=$?
expect "death after the work is done" 139

[ $failures -eq 0 ]
