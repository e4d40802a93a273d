#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installed with rights that its caller has not (setgid, AT_SECURE), the program loads no library
# that the caller could have put there. The same call without these rights loads them.
set -euo pipefail

skip() { echo "$1"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "only root can give a program to a group that its caller is not in"
command -v setpriv >/dev/null || skip "setpriv is not installed"
if grep -aqE '__(asan|tsan)_init' "$ROCMTUNE"; then
    skip "the program is built with a sanitizer, whose search for leaks such a process does not allow"
fi
fakes=$ROCMTUNE_BUILD/tests/fakes/rocm-7
[ -d "$fakes" ] || skip "the fake libraries are not built"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cp -r "$fakes" "$work/theirs"
chown -R nobody "$work/theirs"
cp "$ROCMTUNE" "$work/rocmtune"
cp "$(command -v id)" "$work/id"

as_nobody() { # COMMAND...
    setpriv --reuid nobody --regid nogroup --clear-groups env -i HOME=/nonexistent \
        FAKE_GPUS='0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX' \
        ROCM_PATH="$work/theirs" LD_LIBRARY_PATH="$work/theirs/lib" "$@"
}
with_rights() { # MODE
    chgrp daemon "$work/rocmtune" "$work/id"
    chmod "$1" "$work/rocmtune" "$work/id"
}
# Libraries of the caller that a worker has loaded, one a line.
theirs_loaded() {
    as_nobody "$work/rocmtune" probe --json |
        jq -r --arg theirs "$work/theirs/" \
            '.host.runtimes[].library | strings | select(startswith($theirs))'
}

with_rights 2755
[[ $(as_nobody "$work/id") == *'egid='* ]] || skip "this file system gives no rights (nosuid)"
loaded=$(theirs_loaded)
[ -z "$loaded" ] || { echo "FAIL: loaded with rights that the caller has not: $loaded"; exit 1; }

with_rights 755
[ "$(theirs_loaded | wc -l)" -ge 4 ] || { echo "FAIL: without these rights nothing was loaded"; exit 1; }
