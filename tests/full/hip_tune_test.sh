#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tune over Debian's unmodified HIP runtime on two emulated GPUs: each variable reaches the program, the
# witness names the library that reads it, and what nothing reads is left out.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/emulated_gpus.bash"

list=$ROCMTUNE_BUILD/tests/support/list_hip_devices
# The figure is the number of devices that HIP lists, and is not quite steady.
cat >"$work/program" <<PROGRAM
#!/bin/sh
env | grep -E '^(HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES|GPU_MAX_HW_QUEUES|HSA_ENABLE_INTERRUPT)=' >>"$work/seen"
devices=\$("$list" | grep -c 0000:)
echo devices \$((devices * 1000 + \$\$ % 5))
PROGRAM
chmod +x "$work/program"
on gfx90a 2 0 tune --quiet --budget 240 --metric 'devices ([0-9]+)' --setting HIP_VISIBLE_DEVICES=0 \
    --setting ROCR_VISIBLE_DEVICES=1 --setting GPU_MAX_HW_QUEUES=2 --setting HSA_ENABLE_INTERRUPT=0 \
    --setting MIOPEN_FIND_MODE=FAST --command "$work/program"

candidate() { # NAME FILTER
    jq -e --arg name "$1" '.tuning | (.candidates + .left_out)[] | select(.settings | has($name)) | '"$2" \
        "$work/report.json" >/dev/null ||
        fail "$1 is not so: $2: $(jq -c '.tuning | del(.observation)' "$work/report.json")"
}
for name in HIP_VISIBLE_DEVICES GPU_MAX_HW_QUEUES; do
    candidate $name '.reader | test("libamdhip64\\.so")'
done
for name in ROCR_VISIBLE_DEVICES HSA_ENABLE_INTERRUPT; do
    candidate $name '.reader | test("libhsa-runtime64\\.so")'
done
for name in HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES; do
    candidate $name '.verdict == "slower"'
done
candidate GPU_MAX_HW_QUEUES '.verdict == "not-better"'
candidate MIOPEN_FIND_MODE '.verdict == "left-out" and .runs <= 1'
jq -e '.tuning.answer == "nothing"' "$work/report.json" >/dev/null || fail "one device is more than two"
for setting in HIP_VISIBLE_DEVICES=0 ROCR_VISIBLE_DEVICES=1 GPU_MAX_HW_QUEUES=2 HSA_ENABLE_INTERRUPT=0; do
    grep -qx "$setting" "$work/seen" || fail "$setting never reached the program"
done
finish
