#!/usr/bin/env bash
# hwloc as a second witness on the test hosts: processors, memory nodes, PCI functions and their
# locality, DRM nodes.
set -euo pipefail

skip() { echo "$1"; exit 77; }
command -v lstopo-no-graphics >/dev/null || skip "hwloc is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compare=$(dirname "$0")/compare_hwloc.py
compared=0
failures=0

check_host() { # NAME TREE
    local name=$1 tree=$2
    echo "$name"
    "$ROCMTUNE" probe --json --root "$tree" >"$work/probe.json"
    add_processors "$tree"
    # Without the x86 component hwloc asks the tree only, not the processor that runs the test.
    HWLOC_FSROOT=$tree HWLOC_THISSYSTEM=0 HWLOC_COMPONENTS=-x86 \
        lstopo-no-graphics --whole-io --of xml >"$work/lstopo.xml" 2>"$work/lstopo.err"
    python3 "$compare" "$work/probe.json" "$work/lstopo.xml" || {
        cat "$work/lstopo.err"; failures=$((failures + 1)); }
    compared=$((compared + 1))
}

# hwloc takes processors from sysfs; most hosts list theirs in /proc/cpuinfo only, the captures
# none at all, and without one hwloc gives up.
add_processors() { # TREE
    python3 - "$1" <<'END'
import pathlib, re, sys

tree = pathlib.Path(sys.argv[1])
cpus = tree / "sys/devices/system/cpu"
cpuinfo = tree / "proc/cpuinfo"
text = cpuinfo.read_text() if cpuinfo.exists() else "processor: 0\n"
places = {}  # processor -> (socket, core)
for block in re.split(r"\n\s*\n", text.strip()):
    facts = dict(re.findall(r"^(.*?)\s*:\s*(.*)$", block, re.MULTILINE))
    places[int(facts["processor"])] = (int(facts.get("physical id", 0)), int(facts.get("core id", 0)))

def mask(members):
    digits = f"{sum(1 << member for member in members):x}"
    digits = digits.zfill(-(-len(digits) // 8) * 8)
    return ",".join(re.findall(".{8}", digits))

for processor, (socket, core) in places.items():
    topology = cpus / f"cpu{processor}/topology"
    topology.mkdir(parents=True, exist_ok=True)
    files = {"physical_package_id": socket, "core_id": core,
             "core_cpus": mask(p for p in places if places[p] == (socket, core)),
             "package_cpus": mask(p for p in places if places[p][0] == socket)}
    for name, value in files.items():
        if not (topology / name).exists():
            (topology / name).write_text(f"{value}\n")
for name in ("online", "possible"):
    if not (cpus / name).exists():
        (cpus / name).write_text(f"0-{len(places) - 1}\n")
END
}

for host in "$ROCMTUNE_SOURCE"/tests/hosts/*/host; do
    name=$(basename "$(dirname "$host")")
    "$ROCMTUNE_BUILD/tests/unpack_host" "$host" "$work/$name" 2>/dev/null
    check_host "$name" "$work/$name"
    rm -rf "${work:?}/$name"
done
for archive in "$ROCMTUNE_SHARED"/captures/*.tar.gz; do
    [ -e "$archive" ] || { echo "no captures here"; continue; }
    name=$(basename "$archive" .tar.gz)
    mkdir "$work/$name"
    tar -xzf "$archive" -C "$work/$name"
    check_host "$name" "$work/$name"
    rm -rf "${work:?}/$name"
done
echo "$compared hosts compared, $failures failures"
[ "$compared" -gt 0 ] && [ "$failures" -eq 0 ]
