#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What rocmtune check says of recorded hosts of others: what their README calls wrong or worth
# knowing, and nothing else. They lie beside the project and are not part of it.
set -euo pipefail
captures=${ROCMTUNE_SHARED:-}/captures
[ -f "$captures/README.md" ] || { echo "no recorded hosts of others in $captures"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for archive in "$captures"/*.tar.gz; do
    name=$(basename "$archive" .tar.gz)
    status=0
    "$ROCMTUNE" check --json --replay "$archive" > "$work/$name.json" || status=$?
    # A part of /sys: no device node can be tried, and access is essential.
    [ $status -eq 3 ] || { echo "$name: exit code $status"; exit 1; }
done

python3 - "$work" << 'EOF'
import json, pathlib, sys

expected = {
    # Its ids were edited: the clock table is that of another card than its KFD node.
    "composed-rx7900xtx-and-phoenix-apu": ["RT3105 info host", "RT3404 info 0000:03:00.0"],
    # No capture has ras/, but these lack more of what the driver shows: they prove nothing.
    "k8s-mi210-x8": [],
    "k8s-mi308x-cpx": [],
    "lact-hd7870": ["RT3005 info 0000:01:00.0"],
    "lact-r7-240": ["RT3301 warn 0000:01:00.0", "RT3302 info 0000:01:00.0", "RT3306 info 0000:01:00.0"],
    "lact-rx6900xt": [],
    "lact-rx7900xtx": [],
    "lact-rx9070xt": ["RT3402 info 0000:0f:00.0"],
    # 96 % of the carve-out in use is no fault. Its MES firmware is 0x83, which is known to hang gfx1150.
    "lact-strixpoint": ["RT9002 info host"],
    "lact-vega56": ["RT3306 info 0000:0b:00.0"],
}
wrong = []
there = {file.stem: json.loads(file.read_text()) for file in pathlib.Path(sys.argv[1]).glob("*.json")}
for name in sorted(there.keys() | expected.keys()):
    if name not in there or name not in expected:
        wrong.append(f"{name}: only {'expected' if name in expected else 'recorded'}")
        continue
    said = sorted(f"{one['id']} {one['verdict']} {one['subject']}" for one in there[name]["findings"]
                  if one["verdict"] in ("info", "warn", "fail", "timeout"))
    if said != sorted(expected[name]):
        wrong.append(f"{name}: {said} instead of {sorted(expected[name])}")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
EOF
