#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/add-host writes everything that the tests of a host compare with.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/scripts" "$work/tests/hosts"
cp "$ROCMTUNE_SOURCE/scripts/add-host" "$ROCMTUNE_SOURCE/scripts/update-host" "$work/scripts"

# The advice is written by the test that compares it, into the tree that it was built from.
cat > "$work/rules_test" <<'STAND_IN'
#!/bin/sh
[ "$ROCMTUNE_UPDATE_EXPECTED" = 1 ] && echo "$@" > "$(dirname "$0")/asked"
STAND_IN
chmod +x "$work/rules_test"

ROCMTUNE_RULES_TEST=$work/rules_test "$work/scripts/add-host" \
    "$ROCMTUNE_SOURCE/tests/hosts/mi300x-x8/host" new-host > "$work/said"

expect=$work/tests/hosts/new-host/expect
for file in probe.txt probe.json env.bash env.txt; do
    [ -s "$expect/$file" ] || { echo "add-host wrote no $file"; cat "$work/said"; exit 1; }
done
for file in env.bash env.txt; do
    cmp "$expect/$file" "$ROCMTUNE_SOURCE/tests/hosts/mi300x-x8/expect/$file"
done
grep -q 'GoldenAdvice.*/new_host' "$work/asked" || { echo "the advice was not asked for"; exit 1; }
[ ! -e "$work/tests/hosts/new-host/measured" ] || { echo "figures out of nowhere"; exit 1; }

# What --measure found is in the snapshot beside the host, and is kept.
"$ROCMTUNE" probe --replay "$ROCMTUNE_SOURCE/tests/hosts/mi300x-x8/host" --record "$work/plain.tar.gz" --quiet
mkdir -p "$work/snapshot/rocmtune"
tar -xzf "$work/plain.tar.gz" -C "$work/snapshot"
echo '{"measurements": []}' > "$work/snapshot/rocmtune/bench.json"
(cd "$work/snapshot" && tar -czf "$work/measured.tar.gz" -- *)
ROCMTUNE_RULES_TEST=$work/rules_test "$work/scripts/add-host" "$work/measured.tar.gz" measured-host > "$work/said"
grep -q measurements "$work/tests/hosts/measured-host/measured/bench.json" || { echo "the figures are lost"; exit 1; }
cmp "$work/tests/hosts/measured-host/expect/env.bash" "$expect/env.bash"
echo "all expected outputs are written"
