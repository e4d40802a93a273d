#!/usr/bin/env bash
# Debian's real rocm-smi 5.2.3, pointed at the test hosts by umockdev, must agree with rocmtune on
# every value that both report. Nothing is skipped silently: a host that rocm-smi cannot read stands
# below with the message it dies with, and is then read from a copy without what it cannot parse.
set -euo pipefail
shopt -s nullglob

skip() { echo "$1"; exit 77; }
command -v rocm-smi >/dev/null || skip "rocm-smi is not installed"
grep -q libumockdev-preload.so.0 <<<"$(ldconfig -p)" || skip "umockdev is not installed"
# rocm-smi that aborts leaves its locks in /dev/shm, and every later one then fails.
unshare -m mount -t tmpfs tmpfs /dev/shm 2>/dev/null || skip "no private /dev/shm (needs root)"

# What rocm-smi says of the hosts that it cannot read as they are. All others it must read.
# MI300: the kernel hides the voltage sensor from GC 9.4.3 on, rsmi_init() fails without in0_label.
no_voltage='rsmi_init'
# It parses no deep-sleep line (`S: 19Mhz *`) in a clock table, and takes the letter for a unit.
deep_sleep='get_multiplier_from_str'
# Two captures have no hwmon: every question for a sensor ends in an assertion.
no_hwmon='dev->monitor\(\) != nullptr'
no_driver='amdgpu not found in modules'
declare -A refuses=(
    [mi300x-x8]=$no_voltage [mi300x-degraded]=$no_voltage [mi300x-cpx]=$no_voltage
    [mi300x-cpx-linux7]=$no_voltage [mi300x-vf]=$no_voltage [mi300a-x4]=$no_voltage
    [kubernetes-pod]=$no_voltage
    [laptop-suspended]=$deep_sleep [rx9070xt]=$deep_sleep [phoenix]=$deep_sleep
    [old-kernel]='Failed to get "domain"'       # Linux before 5.5 prints no domain
    [permission-eperm]='No AMD GPUs specified'  # it drops a GPU whose KFD node it may not read
    [no-gpu]=$no_driver [wsl]=$no_driver [radeon-driver-and-vfio]=$no_driver
    [k8s-mi210-x8]=$no_hwmon [k8s-mi308x-cpx]=$no_hwmon
)
# These have no GPU that rocm-smi could list, whatever is done for it.
hopeless=' no-gpu wsl radeon-driver-and-vfio permission-eperm '

identity=(--showid --showuniqueid --showvbios --showbus --showserial --showmemvendor --showreplaycount
          --showmeminfo vram vis_vram gtt --showtopo --showfwinfo --showperflevel --showdriverversion)
sensors=(--showuse --showmemuse --showtemp --showpower --showmaxpower --showvoltage --showfan
         --showclocks)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
compared=0
compare=$(dirname "$0")/compare_rocm_smi.py

smi() { # TREE OPTIONS...
    local tree=$1
    shift
    # shellcheck disable=SC2016
    unshare -m bash -c 'mount -t tmpfs tmpfs /dev/shm; tree=$0
        UMOCKDEV_DIR=$tree LD_PRELOAD=libumockdev-preload.so.0 timeout 60 rocm-smi "$@"' "$tree" "$@"
}

fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }

# Removes from a tree what rocm-smi 5.2.3 dies of, and adds what it cannot do without. No value that
# is compared changes.
help_rocm_smi() {
    local tree=$1 file sensors
    for file in "$tree"/sys/class/hwmon/hwmon*/name; do
        sensors=$(dirname "$file")
        [ -e "$sensors/in0_label" ] || echo vddgfx >"$sensors/in0_label"
    done
    # It tries card0 to card(n-1), n being the number of entries: gaps in the numbers hide cards.
    mkdir -p "$tree"/sys/class/drm/card0-filler-{1..200}
    # KFD nodes that were refused have no files in the tree; it takes that for a failed start.
    for file in "$tree"/sys/class/kfd/kfd/topology/nodes/*; do
        [ -s "$file/properties" ] || { rm -rf "$file"; continue; }
        grep -q '^domain ' "$file/properties" || echo 'domain 0' >>"$file/properties"
    done
    # Asserted, not handled: gpu_metrics after 1.3, deep-sleep lines, the third line of RAS counters.
    find "$tree/sys/devices" -name gpu_metrics -delete
    find "$tree/sys/devices" -name 'pp_dpm_*' -exec sed -i '/^S:/d' {} +
    find "$tree/sys/devices" -path '*/ras/*_err_count' -exec sed -i '/^de:/d' {} +
}

compare_tree() { # NAME TREE ORIGINAL OPTIONS...
    local name=$1 tree=$2 original=$3
    shift 3
    smi "$tree" "$@" --json >"$work/smi.json" 2>"$work/smi.err" || true
    grep -q '"card0"' "$work/smi.json" || { fail "rocm-smi reads nothing: $(tail -1 "$work/smi.err")"; return; }
    smi "$tree" --showrasinfo >"$work/ras.txt" 2>/dev/null || true
    "$ROCMTUNE" probe --json --root "$original" >"$work/probe.json"
    python3 "$compare" "$work/probe.json" "$work/smi.json" "$work/ras.txt" || fail "$name disagrees"
    compared=$((compared + 1))
}

check_host() { # NAME TREE
    local name=$1 tree=$2
    echo "$name"
    if [ -z "${refuses[$name]:-}" ]; then
        compare_tree "$name" "$tree" "$tree" "${identity[@]}" "${sensors[@]}"
        return
    fi
    smi "$tree" -a --json >"$work/plain.out" 2>&1 || true
    grep -qE "${refuses[$name]}" "$work/plain.out" || {
        fail "rocm-smi no longer says '${refuses[$name]}': look at it and change the table"; return; }
    echo "  rocm-smi as is: $(grep -E "${refuses[$name]}" "$work/plain.out" | head -1)"
    [[ $hopeless != *" $name "* ]] || return 0
    cp -a "$tree" "$work/helped"
    help_rocm_smi "$work/helped"
    local questions=("${identity[@]}" "${sensors[@]}")
    [ "${refuses[$name]}" != "$no_hwmon" ] || questions=("${identity[@]}")
    compare_tree "$name" "$work/helped" "$tree" "${questions[@]}"
    rm -rf "$work/helped"
}

for host in "$ROCMTUNE_SOURCE"/tests/hosts/*/host; do
    name=$(basename "$(dirname "$host")")
    "$ROCMTUNE_BUILD/tests/unpack_host" "$host" "$work/$name" 2>/dev/null
    check_host "$name" "$work/$name"
    rm -rf "${work:?}/$name"
done
for name in k8s-mi210-x8 k8s-mi308x-cpx lact-strixpoint; do
    archive=$ROCMTUNE_SHARED/captures/$name.tar.gz
    [ -e "$archive" ] || { echo "$name: not here"; continue; }
    mkdir "$work/$name"
    tar -xzf "$archive" -C "$work/$name"
    check_host "$name" "$work/$name"
done
echo "$compared hosts compared, $failures failures"
[ "$compared" -gt 0 ] && [ "$failures" -eq 0 ]
