#!/usr/bin/env bash
# Debian's unmodified libhsakmt, ROCr, HIP and rocminfo, and rocm-smi, on emulated hosts of one, two
# and eight GPUs (tests/support/fake_kfd): they must agree with each other and with rocmtune, show
# under every visibility mask what visibility_truth.txt says, and answer every fault as the table
# below has it. With --update visibility_truth.txt is written anew.
set -euo pipefail

fake=$ROCMTUNE_SOURCE/tests/support/fake_kfd
library=$ROCMTUNE_BUILD/tests/fakes/fake_kfd/libfake_kfd.so
list_hip=$ROCMTUNE_BUILD/tests/support/list_hip_devices
truth=$fake/visibility_truth.txt

skip() { echo "$1"; exit 77; }
command -v rocminfo >/dev/null || skip "rocminfo is not installed"
grep -q libamdhip64.so.5 <<<"$(ldconfig -p)" || skip "libamdhip64-5 is not installed"
unshare -m true 2>/dev/null || skip "no mount namespace (needs root)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }
unset ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL FAKE_KFD_FAULT

on() { # TREE COMMAND...
    local tree=$1
    shift
    "$fake/run_on_tree" "$tree" "$library" timeout -k 1 "${limit:-60}" "$@"
}

same() { # WHAT EXPECTED FOUND
    [ "$2" = "$3" ] || { fail "$1"; diff <(echo "$2") <(echo "$3") | sed 's/^/    /'; }
}

# One line a GPU: address and target. rocminfo prints the bus, device and function as one number.
from_tree() {
    local node
    for node in "$1"/sys/class/kfd/kfd/topology/nodes/*/properties; do
        awk -v target="$2" '{ value[$1] = $2 }
            END { if (value["simd_count"]) printf "%d %s\n", value["location_id"], target }' "$node"
    done
}
from_rocminfo() {
    awk '$1 == "Name:" && $2 ~ /^gfx/ { target = $2 }
         $1 == "BDFID:" && $2 != 0 { print $2, target }'
}
from_hip() {
    local address
    while read -r _ address _; do echo $((16#${address:5:2} * 256)); done
}
from_json() { python3 -c 'import json, sys
for gpu in json.load(sys.stdin)["host"]["gpus"]:
    print(int(gpu["pci_address"][5:7], 16) * 256, gpu["gfx_target"])'; }
from_rocm_smi() { python3 -c 'import json, sys
cards = json.load(sys.stdin)
for name in sorted(name for name in cards if name.startswith("card")):
    print(int(cards[name]["PCI Bus"][5:7], 16) * 256)'; }

for target in gfx906 gfx908 gfx90a; do
    for count in 1 2 8; do
        tree=$work/$target-$count
        "$fake/compose_tree" $target $count "$tree"
        expected=$(from_tree "$tree" $target)
        [ "$(wc -l <<<"$expected")" -eq $count ] || fail "$target-$count: the tree has another count"
        same "$target-$count: rocminfo" "$expected" "$(on "$tree" rocminfo | from_rocminfo)"
        addresses=$(cut -d' ' -f1 <<<"$expected")
        same "$target-$count: HIP" "$addresses" "$(on "$tree" "$list_hip" | from_hip)"
        same "$target-$count: rocmtune" "$expected" \
            "$(on "$tree" "$ROCMTUNE" probe --json | from_json)"
        command -v rocm-smi >/dev/null || continue
        same "$target-$count: rocm-smi" "$addresses" \
            "$(on "$tree" rocm-smi --showbus --json 2>/dev/null | from_rocm_smi)"
    done
done

# ---- asked in one process -----------------------------------------------------------------------
# What the libraries say behind HIP in its process is what they say in processes of their own.
answers() { # TREE WORD...
    local tree=$1
    shift
    # shellcheck disable=SC2016
    on "$tree" bash -c '"$0" --internal-worker "$@" 3>&1 >/dev/null 2>&1' "$ROCMTUNE" "$@" || true
}
for setting in ROCR_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES=1,0 ROCR_VISIBLE_DEVICES=7 \
    HIP_VISIBLE_DEVICES=1 HIP_VISIBLE_DEVICES=-1 CUDA_VISIBLE_DEVICES=1,0 GPU_DEVICE_ORDINAL=1 \
    HSA_OVERRIDE_GFX_VERSION=9.0.8 FAKE_KFD_FAULT= FAKE_KFD_FAULT=kfd=EACCES \
    FAKE_KFD_FAULT=renderD128=EACCES FAKE_KFD_FAULT=renderD129=EPERM \
    FAKE_KFD_FAULT=get_version=EINVAL FAKE_KFD_FAULT=alloc_memory=ENOMEM; do
    export "${setting?}"
    alone=$(for name in hip hsa hiprtc; do answers "$work/gfx90a-2" $name; done)
    same "$setting: together" "$alone" \
        "$(answers "$work/gfx90a-2" hip --then 9999999999999 hsa hiprtc)"
    [ "$(grep -c '^{"done"' <<<"$alone")" -eq 3 ] || fail "$setting: not all have answered"
    unset "${setting%%=*}"
done
if command -v strace >/dev/null; then
    on "$work/gfx90a-2" strace -f -e trace=execve -o "$work/started" "$ROCMTUNE" probe >/dev/null
    same "processes of workers" 3 "$(grep -c -- '"--internal-worker"' "$work/started")"
fi

# ---- masks --------------------------------------------------------------------------------------
observe() {
    sed '/^# 1 devices/,$d' "$truth"
    for host in gfx908-1 gfx90a-2 gfx906-8; do
        limit=900 on "$work/$host" "$fake/observe_visibility" "$list_hip"
    done
}
observe >"$work/observed.txt"
if [ "${1:-}" = --update ]; then
    cp "$work/observed.txt" "$truth"
else
    diff "$truth" "$work/observed.txt" | head -20 || true
    cmp -s "$truth" "$work/observed.txt" || fail "masks: the runtimes show something else"
fi

# ---- faults -------------------------------------------------------------------------------------
# FAULT | exit of rocminfo | what the HIP runtime says. Two GPUs; 124 is a hang.
# Only one refused render node: EACCES takes the whole runtime down, EPERM (what a device cgroup
# answers) leaves the GPU out.
export FAKE_KFD_FAULT
while IFS='|' read -r FAKE_KFD_FAULT status expected; do
    code=0
    [ "$status" -eq 124 ] && limit=3 || limit=60
    on "$work/gfx90a-2" rocminfo >/dev/null 2>&1 || code=$?
    same "$FAKE_KFD_FAULT: rocminfo" "$status" "$code"
    found=$(on "$work/gfx90a-2" "$list_hip" 2>/dev/null |
        awk '/^hip/ { print; next } { print $2 }' | xargs || true)
    same "$FAKE_KFD_FAULT: HIP" "$expected" "$found"
done <<'TABLE'
kfd=EACCES|1|hipGetDeviceCount 100
kfd=EPERM|1|hipGetDeviceCount 100
renderD128=EACCES|8|hipGetDeviceCount 100
renderD129=EACCES|8|hipGetDeviceCount 100
renderD128=EPERM|0|0000:26:00.0
renderD129=EPERM|0|0000:03:00.0
renderD128=EPERM,renderD129=EPERM|0|hipGetDeviceCount 100
get_version=EINVAL|8|hipGetDeviceCount 100
get_apertures=ENOMEM|8|hipGetDeviceCount 100
acquire_vm=EINVAL|8|hipGetDeviceCount 100
alloc_memory=ENOMEM|8|hipGetDeviceCount 100
alloc_memory@1=ENOMEM|0|0000:03:00.0 0000:26:00.0
create_event=ENOMEM|134|
get_version=hang|124|
alloc_memory@2=hang|124|
TABLE

[ $failures -eq 0 ]
