#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check at level medium and verify on emulated GPUs: what is right passes, what is wrong fails.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/emulated_gpus.bash"

# finding ID VERDICT: that check's verdict on every GPU.
finding() {
    jq -e --arg id "$1" --arg verdict "$2" \
        '[.findings[] | select(.id == $id) | .verdict] | length > 0 and all(. == $verdict)' \
        "$work/report.json" >/dev/null || fail "$1 is not $2: $(jq -c '[.findings[] |
            {id, verdict, message}]' "$work/report.json")"
}

# Little memory makes the arrays small. RT3801: copies arrive and a kernel runs; RT3802: kernels compute right.
check() { memory=4 on gfx90a "$1" "$2" check -l medium --only RT3801,RT3802; }
check 1 0
finding RT3801 pass
finding RT3802 pass
settings=AMDGPU_EMULATOR_FAULT=ignored-barriers check 1 1
finding RT3801 pass
finding RT3802 fail

verify() { on gfx908 1 "$1" verify "${@:2}" --backend hip --size 4096 --benchmark bandwidth; }
# A setting under which results are wrong is harmful, and there is no effect to give.
verify 1 --metric read --setting AMDGPU_EMULATOR_FAULT=ignored-barriers --assume-read AMDGPU_EMULATOR_FAULT \
    --budget 60
finding RT6003 fail
jq -e '.findings[0].effect == null' "$work/report.json" >/dev/null || fail "an effect without figures"
# Times of an emulated GPU mean nothing: too short a budget says so, after a run that was right.
verify 3 --metric copy --self-test --budget 2
finding RT6004 unknown
finish
