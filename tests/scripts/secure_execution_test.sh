#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installed with rights that its caller has not (setgid, AT_SECURE), the program loads no library
# that the caller could have put there, and writes through no link of his. The same call without these
# rights does both.
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

# Through his own link in his own directory.
writes_through_link() {
    as_nobody "$work/rocmtune" completion bash -o "$work/theirs/link" 2>"$work/refused"
}

setpriv --reuid nobody --regid nogroup --clear-groups ln -s target "$work/theirs/link"
with_rights 2755
[[ $(as_nobody "$work/id") == *'egid='* ]] || skip "this file system gives no rights (nosuid)"
loaded=$(theirs_loaded)
[ -z "$loaded" ] || { echo "FAIL: loaded with rights that the caller has not: $loaded"; exit 1; }
if writes_through_link || ! grep -q 'theirs/link is a link of user' "$work/refused"; then
    echo "FAIL: written through a link of the caller, with rights that he has not"
    exit 1
fi

with_rights 755
writes_through_link || { echo "FAIL: without these rights nothing was written"; exit 1; }
[ "$(theirs_loaded | wc -l)" -ge 4 ] || { echo "FAIL: without these rights nothing was loaded"; exit 1; }
