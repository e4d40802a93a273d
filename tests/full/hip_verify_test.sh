#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# verify with figures on an emulated GPU: the smallest run that ends in a judged result, and none where
# work is lost. Times of an emulated GPU mean nothing and depend on what else the machine does, so that
# only effects of ten times would count.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/emulated_gpus.bash"

# The copy of 4 KiB is the quickest of all metrics here: about a second a run with the start of HIP.
verify() {
    on gfx908 1 "$1" verify "${@:2}" --backend hip --benchmark bandwidth --metric device-copy --size 4096 \
        --margin 900 --budget 600
}
report() { # TEXT FILTER
    jq -e "$2" "$work/report.json" >/dev/null || fail "$1: $(jq -c '[.findings, .errors, .measurements]' "$work/report.json")"
}

# HIP reads the variable, and this number of queues changes no copy.
verify 0 --setting GPU_MAX_HW_QUEUES=2
report "a judged result" '.findings | length == 1 and .[0].id == "RT6002"'
report "an effect and its interval" '.findings[0] | .effect != null and .low <= .effect and .effect <= .high'
report "the witness" '.findings[0].evidence | any(.source == "witness" and (.value | test("libamdhip64")))'
report "two arms with figures" '.measurements | length == 2 and all(.value > 0 and .verified and (.samples | length) >= 16)'

# A GPU that loses every 3rd kernel gives no figure to begin with.
settings=FAKE_KFD_FAULT=dispatch%3=lost verify 1 --setting GPU_MAX_HW_QUEUES=2
report "no figure" '(.measurements // []) == [] and (.findings // []) == []'
report "the reason" '.errors | length == 1 and (.[0].message | test("wrong-result"))'
# If it loses them only with the setting, that is to blame, and there is no effect to give.
verify 1 --setting FAKE_KFD_FAULT=dispatch%3=lost --assume-read FAKE_KFD_FAULT
report "the setting is to blame" '.findings | length == 1 and .[0].id == "RT6003" and .[0].effect == null'
finish
