#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what hwloc and rocmtune say about one host: processors, memory nodes, PCI, render nodes.

usage: compare_hwloc.py PROBE.json LSTOPO.xml
"""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

DISPLAY_CLASSES = ("0300", "0380", "1200")


class Verdict:
    """Counts agreements and collects disagreements."""

    def __init__(self):
        self.agreed = 0
        self.disagreements = []

    def compare(self, what, ours, theirs):
        if ours == theirs:
            self.agreed += 1
        else:
            self.disagreements.append(f"{what}: rocmtune {ours!r}, hwloc {theirs!r}")


def bits(mask):
    """The members of "0xf...f,0x00000003": 32-bit words, the highest first, zero words left out."""
    value = 0
    for word in mask.split(","):
        value = (value << 32) | (int(word, 16) if word else 0)
    return {i for i in range(value.bit_length()) if value >> i & 1}


def members(text):
    """The members of "0-63,128"."""
    result = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        result.update(range(int(first), int(last or first) + 1))
    return result


class Topology:
    """The objects of an lstopo XML file by type, and of each PCI device its surroundings."""

    def __init__(self, root):
        self.by_type = {}
        self.pci = []
        self.infos = {}
        self.walk(root.find("object"), None)

    def walk(self, thing, processors):
        kind = thing.get("type")
        self.by_type.setdefault(kind, []).append(thing)
        for info in thing.findall("info"):
            self.infos.setdefault((kind, info.get("name")), info.get("value"))
        if thing.get("cpuset") is not None:
            processors = thing
        if kind == "PCIDev":
            devices = {child.get("name") for child in thing.findall("object") if child.get("type") == "OSDev"}
            self.pci.append((thing, processors, devices))
        for child in thing.findall("object"):
            self.walk(child, processors)

    def count(self, kind):
        return len(self.by_type.get(kind, []))


def compare_processors(host, topology, verdict):
    def known(what, ours, theirs):
        if ours is not None and theirs:
            verdict.compare(what, ours, theirs)

    known("sockets", host["cpu_sockets"], topology.count("Package"))
    known("cores", host["cpu_cores"], topology.count("Core"))
    known("threads", host["cpu_threads"], topology.count("PU"))
    known("processor", host["cpu_model"], topology.infos.get(("Package", "CPUModel")))
    known("product", (host["system_product"] or "").split(" ")[-1] or None,
          (topology.infos.get(("Machine", "DMIProductName")) or "").split(" ")[-1])
    known("BIOS", host["bios_version"], topology.infos.get(("Machine", "DMIBIOSVersion")))
    known("BIOS date", host["bios_date"], topology.infos.get(("Machine", "DMIBIOSDate")))


def compare_memory(host, topology, verdict):
    theirs = {int(node.get("os_index")): node for node in topology.by_type.get("NUMANode", [])}
    ours = {node["node"]: node for node in host["numa_nodes"] or []}
    if not ours:
        return
    verdict.compare("memory nodes", sorted(ours), sorted(theirs))
    for number in sorted(ours.keys() & theirs.keys()):
        node = theirs[number]
        if ours[number]["memory_bytes"] is not None and node.get("local_memory"):
            verdict.compare(f"node {number} memory", ours[number]["memory_bytes"], int(node.get("local_memory")))
        if ours[number]["cpus"] is not None:
            verdict.compare(f"node {number} processors", members(ours[number]["cpus"]), bits(node.get("cpuset")))


def compare_gpu(gpu, found, topology, verdict):
    device, processors, names = found
    address = gpu["pci_address"]
    kind = re.match(r"(\w{4}) \[(\w{4}):(\w{4})\] \[(\w{4}):(\w{4})\] (\w{2})", device.get("pci_type"))
    verdict.compare(f"{address} device", gpu["pci_device_id"], "0x" + kind.group(3))
    if kind.group(6) != "ff":  # hwloc takes it from config space only, which captures lack
        verdict.compare(f"{address} revision", gpu["pci_revision"], "0x" + kind.group(6))
    if gpu["pci_subsystem_id"]:
        verdict.compare(f"{address} subsystem", gpu["pci_subsystem_id"], f"0x{kind.group(4)}:0x{kind.group(5)}")
    for field in ("drm_card", "render_node"):
        if gpu[field] and not gpu["partition_index"]:
            verdict.compare(f"{address} {field}", gpu[field] in names, True)
    if gpu["numa_node"] is not None:
        verdict.compare(f"{address} NUMA node", {gpu["numa_node"]}, bits(processors.get("nodeset")))
    threads = {int(unit.get("os_index")) for unit in topology.by_type.get("PU", [])}
    if gpu["local_cpus"] and threads:
        verdict.compare(f"{address} processors", members(gpu["local_cpus"]) & threads,
                        bits(processors.get("cpuset")))


def compare_pci(host, topology, verdict):
    theirs = {device.get("pci_busid"): found for found in topology.pci for device in [found[0]]}
    ours = {gpu["pci_address"]: gpu for gpu in reversed(host["gpus"])}
    # Partitions stand in the function digit of an address; where they have a PCI function of their
    # own, it is the row of that number.
    listed = {f"{gpu['pci_address'][:-1]}{gpu['partition_index'] or 0}" for gpu in host["gpus"]}
    for address, (device, _, _) in theirs.items():
        if device.get("pci_type")[:4] in DISPLAY_CLASSES and "[1002:" in device.get("pci_type")[:11]:
            verdict.compare(f"{address} is listed", address in listed, True)
    for address, gpu in ours.items():
        if address in theirs:
            compare_gpu(gpu, theirs[address], topology, verdict)
        else:
            verdict.disagreements.append(f"{address}: rocmtune lists it, hwloc does not")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        host = json.load(file)["host"]
    topology = Topology(ElementTree.parse(sys.argv[2]).getroot())
    verdict = Verdict()
    compare_processors(host, topology, verdict)
    compare_memory(host, topology, verdict)
    compare_pci(host, topology, verdict)
    print(f"  {len(host['gpus'])} GPUs, {verdict.agreed} values agree")
    for line in verdict.disagreements:
        print(f"  DISAGREE {line}")
    return 1 if verdict.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
