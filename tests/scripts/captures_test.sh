#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Recorded hosts of others give what their README states of them. They lie beside the project and
# are not part of it.
set -euo pipefail
captures=${ROCMTUNE_SHARED:-}/captures
[ -f "$captures/README.md" ] || { echo "no recorded hosts of others in $captures"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for archive in "$captures"/*.tar.gz; do
    name=$(basename "$archive" .tar.gz)
    mkdir "$work/$name"
    tar -xzf "$archive" -C "$work/$name"
    "$ROCMTUNE" probe --json --root "$work/$name" > "$work/$name.json" 2> "$work/$name.err"
    [ ! -s "$work/$name.err" ] || { echo "$name: $(cat "$work/$name.err")"; exit 1; }
done

python3 - "$work" << 'EOF'
import json, os, sys

work = sys.argv[1]
wrong = []


def host(name):
    with open(f"{work}/{name}.json", encoding="utf-8") as file:
        return json.load(file)["host"]


def expect(name, what, is_, should):
    if is_ != should:
        wrong.append(f"{name}: {what} is {is_!r}, not {should!r}")


def facts(name, gpu, **wanted):
    for key, value in wanted.items():
        expect(name, f"{gpu['pci_address']} {key}", gpu[key], value)


def only_gpu(name, **wanted):
    gpus = host(name)["gpus"]
    expect(name, "number of GPUs", len(gpus), 1)
    facts(name, gpus[0], **wanted)
    return gpus[0]


GIB = 1 << 30

# A healthy card: hwmon and gpu_metrics agree, all memory is visible.
gpu = only_gpu("lact-rx6900xt", gfx_target="gfx1030", driver="amdgpu", metrics_revision="1.3", power_watts=36.0)
expect("lact-rx6900xt", "temperatures", [t["celsius"] for t in gpu["temperatures"]], [56.0, 59.0, 54.0])
sclk = next(clock for clock in gpu["clocks"] if clock["name"] == "sclk")
expect("lact-rx6900xt", "sclk", sclk["current_mhz"], 500.0)
metrics = gpu["metrics"]
expect("lact-rx6900xt", "metrics", [metrics["temperature_edge_celsius"], metrics["temperature_hotspot_celsius"],
       metrics["temperature_mem_celsius"], metrics["average_socket_power_watts"], metrics["current_gfxclk_mhz"]],
       [56.0, 59.0, 54.0, 36.0, 500.0])
expect("lact-rx6900xt", "visible memory", gpu["visible_vram_bytes"], gpu["vram_bytes"])
expect("lact-rx6900xt", "KFD node", gpu["kfd_node"], None)

gpu = only_gpu("lact-rx7900xtx", gfx_target="gfx1100", driver="amdgpu", kfd_node=None)
only_gpu("lact-rx9070xt", gfx_target="gfx1201", power_cap_watts=120.0, power_cap_default_watts=304.0)
only_gpu("lact-vega56", visible_vram_bytes=256 << 20, vram_bytes=8 * GIB - (16 << 20), gfx_target="gfx900")
only_gpu("lact-r7-240", link_current_gt_per_s=5.0, link_max_gt_per_s=8.0, link_current_width=4, link_max_width=8)
only_gpu("lact-hd7870", driver="radeon", link_current_width=1)

gpu = only_gpu("lact-strixpoint", gfx_target="gfx1150", is_apu=True, metrics_revision="3.0")
expect("lact-strixpoint", "KFD node is there", gpu["kfd_node"] is not None, True)
expect("lact-strixpoint", "percent of the carve-out in use", round(100 * gpu["vram_used_bytes"] / gpu["vram_bytes"]), 96)

# Two hives of four.
name = "k8s-mi210-x8"
both = host(name)
expect(name, "targets", [gpu["gfx_target"] for gpu in both["gpus"]], ["gfx90a"] * 8)
hives = {node: hive for hive, nodes in ((12609507387757274807, range(2, 6)), (18091350218769748594, range(6, 10)))
         for node in nodes}
for gpu in both["gpus"]:
    facts(name, gpu, xgmi_hive_id=f"{hives[gpu['kfd_node']]:x}")
xgmi = [link for link in both["links"] if link["kind"] == "xgmi"]
expect(name, "number of XGMI links", len(xgmi), 24)
expect(name, "XGMI links between hives", [l for l in xgmi if hives[l["from_node"]] != hives[l["to_node"]]], [])
expect(name, "processor nodes", sum(node["kind"] == "cpu" for node in both["kfd_nodes"]), 2)

# Eight cards in four partitions each, in two PCI domains.
name = "k8s-mi308x-cpx"
gpus = host(name)["gpus"]
expect(name, "number of rows", len(gpus), 32)
expect(name, "number of cards", len({gpu["module"] for gpu in gpus}), 8)
expect(name, "domains", {gpu["pci_address"][:4] for gpu in gpus}, {"0000", "0001"})
expect(name, "partitions", [gpu["partition_index"] for gpu in gpus], [0, 1, 2, 3] * 8)
for gpu in gpus:
    facts(name, gpu, simd_count=80, partition_count=4, gfx_target="gfx942")

# A card beside the processor's own graphics.
name = "composed-rx7900xtx-and-phoenix-apu"
gpus = {gpu["gfx_target"]: gpu["is_apu"] for gpu in host(name)["gpus"]}
expect(name, "GPUs", gpus, {"gfx1100": False, "gfx1103": True})

# A part of /sys is no host's configuration: nothing else may be claimed.
for file in sorted(os.listdir(work)):
    if file.endswith(".json"):
        one = host(file[:-5])
        for key in ("kernel_release", "distribution", "kfd_access", "rocm_installations", "frameworks", "environment"):
            expect(file, key, one[key], None)
        for gpu in one["gpus"]:
            facts(file, gpu, render_access=None)

print("\n".join(wrong))
sys.exit(1 if wrong else 0)
EOF
