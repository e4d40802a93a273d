#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what rocm-smi 5.2.3 and rocmtune say about one host, value by value.

usage: compare_rocm_smi.py PROBE.json SMI.json [RAS.txt]

Only what both report is compared. Left out, because the two do not speak of the same thing: "Card
series", "Card model" and "Card vendor" (pci.ids of the machine that runs the test), "Card SKU" (a
part of the VBIOS name), the version of an in-tree driver (uname of that machine), single HBM
stacks, the energy counter, the voltage curve and "GPU OverDrive value" (rocmtune has none of them).
"""
import json
import re
import sys

SENSORS = {"edge": "edge", "junction": "junction", "memory": "mem"}


class Verdict:
    """Counts agreements and collects disagreements."""

    def __init__(self):
        self.agreed = 0
        self.disagreements = []

    def compare(self, what, ours, theirs):
        if ours == theirs:
            self.agreed += 1
        else:
            self.disagreements.append(f"{what}: rocmtune {ours!r}, rocm-smi {theirs!r}")


def missing(text):
    """ "N/A (Secondary die)" is what rocm-smi says of the power of an MI250X's second die."""
    return text is None or str(text).strip() in ("", "None") or str(text).startswith("N/A")


def number(text):
    """4294967295 is librocm_smi64's -1: the kernel's word for no NUMA node in particular."""
    if text == "4294967295":
        return None
    match = re.search(r"-?[0-9]+(\.[0-9]+)?", str(text))
    return float(match.group()) if match else None


def firmware_number(text):
    """ "88", "0x58", and "00.68.58.00", which is one byte for each part."""
    if "." in text:
        value = 0
        for part in text.split("."):
            value = value * 256 + int(part)
        return value
    return int(text, 0) if text.startswith("0x") else int(text)


def ours_by_address(host):
    """Rows by the address rocm-smi prints: function 0 of the card, plus the partition."""
    rows = {}
    for gpu in host["gpus"]:
        address = gpu["pci_address"]
        if address:
            rows[f"{address[:-1]}{gpu['partition_index'] or 0}"] = gpu
    return rows


def compare_identity(name, gpu, card, verdict):
    pairs = {
        "GPU ID": ("pci_device_id", lambda x: x.lower()),
        # rocm-smi drops leading zeros, the kernel (and so HIP's UUID) has 16 digits.
        "Unique ID": ("unique_id", lambda x: x.lower().removeprefix("0x").zfill(16)),
        "VBIOS version": ("vbios_version", str),
        "Serial Number": ("serial_number", str),
        "GPU memory vendor": ("vram_vendor", str),
        "Performance Level": ("performance_level", str),
    }
    for key, (field, normal) in pairs.items():
        if missing(card.get(key)):
            continue
        verdict.compare(f"{name} {key}", gpu[field], normal(card[key]))


def compare_numbers(name, gpu, card, verdict):
    pairs = {
        "PCIe Replay Count": "pcie_replay_count",
        "GPU use (%)": "busy_percent",
        "GPU memory use (%)": "memory_busy_percent",
        "Average Graphics Package Power (W)": "power_watts",
        "Max Graphics Package Power (W)": "power_cap_watts",
        "VRAM Total Memory (B)": "vram_bytes",
        "VRAM Total Used Memory (B)": "vram_used_bytes",
        "VIS_VRAM Total Memory (B)": "visible_vram_bytes",
        "VIS_VRAM Total Used Memory (B)": "visible_vram_used_bytes",
        "GTT Total Memory (B)": "gtt_bytes",
        "GTT Total Used Memory (B)": "gtt_used_bytes",
        "(Topology) Numa Affinity": "numa_node",
        "Fan RPM": "fan_rpm",
    }
    for key, field in pairs.items():
        if missing(card.get(key)):
            continue
        # rocm-smi 5.2.3 knows no partitions and shows the memory of the card for each.
        if gpu["partition_count"] != 1 and "Memory (B)" in key:
            continue
        ours = gpu[field]
        # A second die's limit reads 0 W, which rocm-smi prints; rocmtune says that the die has none.
        if key == "Max Graphics Package Power (W)" and number(card[key]) == 0:
            verdict.compare(f"{name} {key} is unsupported", ours, None)
            continue
        verdict.compare(f"{name} {key}", None if ours is None else float(ours), number(card[key]))
    if not missing(card.get("Voltage (mV)")):
        volts = gpu["graphics_voltage_volts"]
        verdict.compare(f"{name} Voltage (mV)", None if volts is None else round(volts * 1000),
                        round(number(card["Voltage (mV)"])))


def compare_temperatures(name, gpu, card, verdict):
    ours = {sensor["name"]: sensor["celsius"] for sensor in gpu["temperatures"] or []}
    for key, text in card.items():
        match = re.match(r"Temperature \(Sensor (edge|junction|memory)\) \(C\)", key)
        if match and not missing(text):
            verdict.compare(f"{name} {key}", ours.get(SENSORS[match.group(1)]), number(text))


def compare_clocks(name, gpu, card, verdict):
    for clock in gpu["clocks"] or []:
        speed = card.get(f"{clock['name']} clock speed:")
        if missing(speed):
            continue
        verdict.compare(f"{name} {clock['name']} clock", clock["current_mhz"], number(speed))
        level = card.get(f"{clock['name']} clock level:")
        if not missing(level) and clock["current_mhz"] in clock["levels_mhz"]:
            index = clock["levels_mhz"].index(clock["current_mhz"])
            verdict.compare(f"{name} {clock['name']} level", index, int(number(level)))


def compare_firmware(name, gpu, card, verdict):
    ours = gpu["firmware"] or {}
    for key, text in card.items():
        match = re.match(r"(.*) firmware version$", key)
        if not match or missing(text):
            continue
        block = match.group(1).lower().replace(" ", "_")
        # The driver reports version 0 for blocks that the chip lacks; rocmtune leaves them out.
        verdict.compare(f"{name} {key}", int(ours.get(block, "0"), 0), firmware_number(text))


class Fabric:
    """Weights as librocm_smi64 derives them: a direct link, or the way over the processors."""

    def __init__(self, host):
        self.links = {}
        for link in host["links"]:
            if link["listed_in"] == "io_links":
                self.links[(link["from_node"], link["to_node"])] = link
        self.cpus = {node["node"] for node in host["kfd_nodes"] or [] if node["kind"] == "cpu"}

    def weight(self, source, target):
        link = self.links.get((source, target))
        return link["weight"] if link else None

    def nearest_cpu(self, node):
        near = [(self.weight(node, cpu), cpu) for cpu in self.cpus if self.weight(node, cpu) is not None]
        return min(near)[1] if near else None

    def between(self, source, target):
        """(type, hops, weight) of two GPU nodes."""
        direct = self.links.get((source, target))
        if direct:
            return direct["kind"].upper(), 1 if direct["kind"] == "xgmi" else 2, direct["weight"]
        a, b = self.nearest_cpu(source), self.nearest_cpu(target)
        if a is None or b is None:
            return None
        weight = self.weight(source, a) + self.weight(b, target)
        if a == b:
            return "PCIE", 2, weight
        middle = self.weight(a, b)
        return None if middle is None else ("PCIE", 3, weight + middle)


def compare_topology(host, rows, smi, verdict):
    fabric = Fabric(host)
    nodes = {}
    for card, gpu in rows.items():
        nodes[card] = gpu["kfd_node"]
    for key, text in smi.get("system", {}).items():
        match = re.match(r"\(Topology\) (Weight|Hops|Link type) between DRM devices (\d+) and (\d+)", key)
        if not match or missing(text):
            continue
        source, target = (nodes.get(f"card{match.group(i)}") for i in (2, 3))
        if source is None or target is None:
            continue
        expected = fabric.between(source, target)
        ours = expected and {"Link type": expected[0], "Hops": str(expected[1]), "Weight": str(expected[2])}
        verdict.compare(f"nodes {source}-{target} {match.group(1)}", ours and ours[match.group(1)], text)
    for card, values in smi.items():
        near = values.get("(Topology) Numa Node")
        if card in rows and not missing(near):
            # From the KFD links; the PCI device itself may name no NUMA node (Numa Affinity).
            verdict.compare(f"{rows[card]['pci_address']} Numa Node",
                            fabric.nearest_cpu(rows[card]["kfd_node"]), int(near))


def compare_ras(rows, text, verdict):
    card = None
    for line in text.splitlines():
        header = re.match(r"GPU\[(\d+)\]:\s+RAS INFO", line)
        if header:
            card = f"card{header.group(1)}"
            continue
        counts = re.match(r"\s+(\S+)\s+(?:EN|DIS)ABLED\s+(\d+)\s+(\d+)", line)
        if counts and card in rows:
            blocks = {block["name"]: block for block in rows[card]["ras_blocks"] or []}
            block = blocks.get(counts.group(1).lower(), {})
            # It prints the correctable count under "uncorrectable err" and the other way round
            # (showRasInfo appends them in another order than its heading has).
            verdict.compare(f"{rows[card]['pci_address']} RAS {counts.group(1)}",
                            (block.get("correctable"), block.get("uncorrectable")),
                            (int(counts.group(2)), int(counts.group(3))))


def compare_host(host, smi, ras):
    verdict = Verdict()
    by_address = ours_by_address(host)
    rows = {}
    for card, values in smi.items():
        if card == "system":
            continue
        address = values["PCI Bus"].lower()
        if address not in by_address:
            verdict.disagreements.append(f"{address}: rocm-smi lists it, rocmtune does not")
            continue
        rows[card] = by_address[address]
        for compare in (compare_identity, compare_numbers, compare_temperatures, compare_clocks,
                        compare_firmware):
            compare(address, rows[card], values, verdict)
    compare_topology(host, rows, smi, verdict)
    version = smi.get("system", {}).get("Driver version")
    if host["amdgpu_version"] and version:
        verdict.compare("Driver version", host["amdgpu_version"], version)
    compare_ras(rows, ras, verdict)
    return verdict, len(rows)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    host = json.loads(read(sys.argv[1]))["host"]
    smi = json.loads(read(sys.argv[2]).strip().splitlines()[-1])
    verdict, gpus = compare_host(host, smi, read(sys.argv[3]) if len(sys.argv) == 4 else "")
    print(f"  {gpus} of {len(host['gpus'])} GPUs, {verdict.agreed} values agree")
    for line in verdict.disagreements:
        print(f"  DISAGREE {line}")
    return 1 if verdict.disagreements or not gpus else 0


if __name__ == "__main__":
    sys.exit(main())
