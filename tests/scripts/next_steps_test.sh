#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The next step of every finding is one command that a shell understands, perhaps with a remark
# behind #; those that call rocmtune are accepted by it.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }

# Programs that a step may begin with: what is not here is prose or a slip.
known='amd-ctk amd-smi cat cpupower df dkms dmesg echo env export free fuser grep id ldconfig ldd lscpu
       lspci modprobe mount mokutil pip poweroff printf python3 reboot rocm-smi rocminfo rm rocmtune sed
       setsebool sysctl uname unset update-initramfs usermod wsl.exe apt
       where Get-MpComputerStatus Get-ItemProperty'  # where ROCm is on Windows, or in WSL
python3 -c '
import json
# Places that a host fills, as src/knowledge/findings.cpp does.
places = {"{gpu}": "0000:03:00.0", "{setting}": "HSA_ENABLE_SDMA",
          "{install-firmware}": "sudo apt install firmware-amd-graphics",
          "{rebuild-initramfs}": "sudo update-initramfs -u",
          "{install-headers}": "sudo apt install linux-headers-amd64"}
kinds = json.load(open("profiles/findings.json", encoding="utf-8"))["findings"]
kinds += json.load(open("profiles/messages.json", encoding="utf-8"))["classes"]
for kind in kinds:
    step = kind.get("next_step", "rocmtune --version")
    for place, value in places.items():
        step = step.replace(place, value)
    print(kind["id"], step)' >"$work/steps"
[ "$(wc -l <"$work/steps")" -ge 80 ]
while read -r id step; do
    printf '%s\n' "$step" >"$work/step"
    bash -n "$work/step" 2>"$work/err" || fail "$id: $(cat "$work/err")"
    read -ra words <<<"${step%%   #*}"
    first=0
    while [[ ${words[$first]} == *=* || ${words[$first]} == sudo ]]; do first=$((first + 1)); done
    [[ " ${known//$'\n'/ } " == *" ${words[$first]} "* ]] || fail "$id begins with no program: $step"
    [ "${words[$first]}" = rocmtune ] || continue
    arguments=("${words[@]:first+1}")
    for i in "${!arguments[@]}"; do [[ ${arguments[i]} != *.tar.gz ]] || arguments[i]=$work/${arguments[i]}; done
    case ${arguments[0]} in
        --version | bench) ;;
        *) arguments+=(--replay example:mi300x-x8) ;;
    esac
    # A benchmark runs for seconds; that its options exist is seen by an error about another one.
    [ "${arguments[0]}" != bench ] || arguments+=(--backend cpu --tick)
    status=0
    "$ROCMTUNE" "${arguments[@]}" >"$work/out" 2>"$work/err" || status=$?
    case ${arguments[0]} in
        bench) grep -q -- '--tick' "$work/err" || fail "$id: ${arguments[*]}: $(cat "$work/err")" ;;
        # Once the fault is mended, that is what the step has to say.
        *) [ $status -eq 0 ] || fail "$id: ${arguments[*]}: exit $status: $(cat "$work/err")" ;;
    esac
done <"$work/steps"
[ $failures -eq 0 ]
