#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What lint and fleet keep does not grow with what they have printed or counted: the largest memory of
# a run over N inputs beside that of one over 4 N.
set -euo pipefail
python3 -c 'import resource' 2> /dev/null || { echo "python3 is not installed"; exit 77; }
# AddressSanitizer keeps what was freed, which grows with every input.
grep -q '^ROCMTUNE_SANITIZE:BOOL=ON' "$ROCMTUNE_BUILD/CMakeCache.txt" && { echo "built with AddressSanitizer"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# largest COMMAND...: the most memory that the command had, in KiB; its output goes nowhere. The least of
# three runs: how many of its threads are at work at a time depends on what else the machine does.
largest() {
    python3 - "$@" << 'EOP'
import os, subprocess, sys
peaks = []
for _ in range(3):
    run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{sys.argv[1:]} ended with {os.waitstatus_to_exitcode(status)}")
    peaks.append(usage.ru_maxrss)
print(min(peaks))
EOP
}

mkdir few many
# All are mended by hand: whether a repair changes nothing else, lint finds by reading the whole text with it.
setting='export HSA_ENABLE_SDMA=0 HIP_LAUNCH_BLOCKING=true GPU_MAX_ALOC_PERCENT=1'
for i in $(seq 15); do echo "$setting"; done > few/0.sh
for i in $(seq 59); do cp few/0.sh "few/$i.sh"; done
for i in $(seq 4); do cp -r few "many/$i"; done
# The same in one file each.
mkdir one_few one_many
cat few/*.sh > one_few/a.sh
cat many/*/*.sh > one_many/a.sh

failed=0
for format in text json sarif; do
    small=$(largest "$ROCMTUNE" lint few --format "$format")
    large=$(largest "$ROCMTUNE" lint many --format "$format")
    if [ $((large * 100)) -gt $((small * 125)) ]; then
        echo "lint --format $format: $small KiB for 60 files, $large KiB for 240"
        failed=1
    fi
done

# A finding would be 1.5 KiB, a setting is a fifth of that: 8,100 settings more.
small=$(largest "$ROCMTUNE" lint one_few --json)
large=$(largest "$ROCMTUNE" lint one_many --json)
if [ $((large - small)) -gt 6000 ]; then
    echo "lint of one file: $small KiB for 2,700 settings, $large KiB for 10,800"
    failed=1
fi

fleet() {
    python3 "$ROCMTUNE_SOURCE/bench/self/fleet_reports.py" "$1" --rocmtune "$ROCMTUNE" --alone > "$1.ndjson"
    largest "$ROCMTUNE" fleet "$1.ndjson" --json
}
small=$(fleet 30)
large=$(fleet 120)
if [ $((large - small)) -gt $((90 * 45)) ]; then
    echo "fleet of hosts with nothing in common: $small KiB for 30, $large KiB for 120"
    failed=1
fi
exit $failed
