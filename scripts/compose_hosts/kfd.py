"""KFD topology: one node for each NUMA node, then one for each GPU or partition."""

from dataclasses import dataclass, field

HT, PCIE, XGMI = 1, 2, 11  # CRAT_IOLINK_TYPE_* of kfd_crat.h
_FIRST_SIMD_ID = 0x80001000
_DATA_AND_SIMD = 9  # HSA_CACHE_TYPE_DATA | HSA_CACHE_TYPE_HSACU of kfd_topology.h

# Keys that a kernel does not print, by the first release that prints them.
_KEY_SINCE = {
    "p2p_links_count": (6, 0),
    "num_gws": (5, 5),
    "gfx_target_version": (5, 11),
    "domain": (5, 8),
    "num_sdma_queues_per_engine": (5, 5),
    "num_cp_queues": (5, 8),
    "debug_prop": (6, 5),
    "sdma_fw_version": (5, 5),
    "unique_id": (5, 9),
    "num_xcc": (6, 5),
    "capability2": (6, 16),
    "recommended_sdma_engine_id_mask": (6, 11),
    "gds_size_in_kb": (5, 3),
}


@dataclass
class Link:
    """One direction; kind "io" is direct, "p2p" leads over a processor."""

    to: int
    type: int
    weight: int
    bandwidth: tuple = (0, 0)  # MB/s, least and most
    flags: int = 1
    sdma_mask: int = 0
    kind: str = "io"


@dataclass
class Node:
    """A KFD node. `properties` holds what differs from zero; banks are (type, bytes, bits, MHz)."""

    gpu_id: int = 0
    name: str = ""
    properties: dict = field(default_factory=dict)
    bank: tuple = (0, 0, 64, 0)
    used_memory: int | None = None
    caches: list = field(default_factory=list)
    links: list = field(default_factory=list)

    @property
    def is_gpu(self):
        return self.gpu_id != 0


_COMMON_KEYS = (
    "cpu_cores_count simd_count mem_banks_count caches_count io_links_count p2p_links_count "
    "cpu_core_id_base simd_id_base max_waves_per_simd lds_size_in_kb gds_size_in_kb num_gws "
    "wave_front_size array_count simd_arrays_per_engine cu_per_simd_array simd_per_cu "
    "max_slots_scratch_cu gfx_target_version vendor_id device_id location_id domain "
    "drm_render_minor hive_id num_sdma_engines num_sdma_xgmi_engines num_sdma_queues_per_engine "
    "num_cp_queues"
).split()
_GPU_KEYS = (
    "max_engine_clk_fcompute local_mem_size fw_version capability capability2 debug_prop "
    "sdma_fw_version unique_id num_xcc"
).split()


def release(kernel):
    """(major, minor) of a kernel release."""
    return tuple(int(part) for part in kernel.split("-")[0].split(".")[:2])


def cpu_nodes(machine, heap_mhz=4800):
    """One node for each NUMA node of the machine."""
    nodes = []
    cpus = machine.logical_cpus // machine.numa_nodes
    for index in range(machine.numa_nodes):
        nodes.append(
            Node(
                properties={
                    "cpu_cores_count": cpus,
                    "cpu_core_id_base": index
                    * machine.cores
                    * machine.sockets
                    // machine.numa_nodes,
                },
                bank=(0, machine.node_memory_kib * 1024, 64, heap_mhz),
            )
        )
    return nodes


def caches(product):
    """A first L1, then L2 and the last level: fewer than a real GPU lists, but one of each kind.

    (level, KiB, line bytes, sibling map); the map has 32 places for each shader array.
    """
    shared = ",".join(["1"] * product.cus_per_array + ["0"] * (32 - product.cus_per_array))
    own = ",".join(["1"] + ["0"] * 31)
    arrays = min(product.array_count, 4)
    return [
        (level, size, line, own if level == 1 else ",".join([shared] * arrays))
        for level, size, line in product.caches
    ]


def connect(
    nodes, first, second, kind_type, weight, bandwidth=(0, 0), kind="io", sdma_mask=0, flags=(1, 1)
):
    """A link and its way back."""
    nodes[first].links.append(Link(second, kind_type, weight, bandwidth, flags[0], sdma_mask, kind))
    nodes[second].links.append(Link(first, kind_type, weight, bandwidth, flags[1], sdma_mask, kind))


def write(tree, nodes, kernel, machine, processes=()):
    """/sys/class/kfd with its topology and the processes that hold a GPU."""
    root = "/sys/devices/virtual/kfd/kfd"
    tree.link_to("/sys/class/kfd/kfd", root)
    tree.files(root, {"dev": "235:0", "uevent": ["MAJOR=235", "MINOR=0", "DEVNAME=kfd"]})
    tree.files(
        f"{root}/topology",
        {
            "generation_id": sum(node.is_gpu for node in nodes) + 1,
            "system_properties": [
                f"platform_oem {_oem(machine)}",
                "platform_id 35498446626881",
                "platform_rev 2",
            ],
        },
    )
    simd = _FIRST_SIMD_ID
    for index, node in enumerate(nodes):
        node.properties["max_engine_clk_ccompute"] = machine.cpu.max_mhz
        _write_node(tree, f"{root}/topology/nodes/{index}", index, node, kernel, simd)
        simd += node.properties.get("array_count", 0) * node.properties.get("cu_per_simd_array", 0)
    if not processes:
        tree.directory(f"{root}/proc")
    for process in processes:
        _write_process(tree, f"{root}/proc/{process.pid}", process)


def _oem(machine):
    """The OEM id of the ACPI table: its characters, read as a little-endian number."""
    maker = (machine.dmi[0] if machine.dmi else "ALASKA")[:6].upper().ljust(6)
    return int.from_bytes(maker.encode(), "little")


def _known(key, kernel):
    return release(kernel) >= _KEY_SINCE.get(key, (0, 0))


def _write_node(tree, path, index, node, kernel, simd):
    values = dict(node.properties)
    io_links = [link for link in node.links if link.kind == "io"]
    p2p_links = [link for link in node.links if link.kind == "p2p"]
    values |= {
        "mem_banks_count": 1,
        "caches_count": len(node.caches),
        "io_links_count": len(io_links),
        "p2p_links_count": len(p2p_links),
    }
    if node.is_gpu:
        values["simd_id_base"] = simd
    keys = _COMMON_KEYS + (_GPU_KEYS if node.is_gpu else []) + ["max_engine_clk_ccompute"]
    tree.file(f"{path}/gpu_id", node.gpu_id)
    tree.file(f"{path}/name", node.name)
    tree.lines(
        f"{path}/properties", [f"{key} {values.get(key, 0)}" for key in keys if _known(key, kernel)]
    )
    _write_bank(tree, f"{path}/mem_banks/0", node)
    for number, cache in enumerate(node.caches):
        _write_cache(tree, f"{path}/caches/{number}", simd, cache)
    for directory, links in (("io_links", io_links), ("p2p_links", p2p_links)):
        for number, link in enumerate(links):
            _write_link(tree, f"{path}/{directory}/{number}", index, link, kernel)


def _write_bank(tree, path, node):
    heap, size, width, clock = node.bank
    tree.lines(
        f"{path}/properties",
        [
            f"heap_type {heap}",
            f"size_in_bytes {size}",
            "flags 0",
            f"width {width}",
            f"mem_clk_max {clock}",
        ],
    )
    if node.used_memory is not None:
        tree.file(f"{path}/used_memory", node.used_memory)


def _write_cache(tree, path, processor, cache):
    level, size, line, siblings = cache
    tree.lines(
        f"{path}/properties",
        [
            f"processor_id_low {processor}",
            f"level {level}",
            f"size {size}",
            f"cache_line_size {line}",
            "cache_lines_per_tag 0",
            "association 0",
            "latency 0",
            f"type {_DATA_AND_SIMD}",
            f"sibling_map {siblings}",
        ],
    )


def _write_link(tree, path, index, link, kernel):
    least, most = link.bandwidth
    lines = [
        f"type {link.type}",
        "version_major 0",
        "version_minor 0",
        f"node_from {index}",
        f"node_to {link.to}",
        f"weight {link.weight}",
        "min_latency 0",
        "max_latency 0",
        f"min_bandwidth {least}",
        f"max_bandwidth {most}",
        "recommended_transfer_size 0",
    ]
    if _known("recommended_sdma_engine_id_mask", kernel):
        lines.append(f"recommended_sdma_engine_id_mask {link.sdma_mask}")
    tree.lines(f"{path}/properties", lines + [f"flags {link.flags}"])


def _write_process(tree, path, process):
    tree.file(f"{path}/pasid", process.pasid)
    for gpu_id, used in process.vram.items():
        tree.files(path, {f"vram_{gpu_id}": used, f"sdma_{gpu_id}": 0})
        tree.files(f"{path}/stats_{gpu_id}", {"cu_occupancy": 0, "evicted_ms": 0})
        tree.files(f"{path}/queues/{gpu_id % 7}", {"gpuid": gpu_id, "size": 1048576, "type": 2})
    if not process.vram:
        tree.directory(f"{path}/queues")
