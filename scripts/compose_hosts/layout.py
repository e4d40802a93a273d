"""Puts GPUs into slots and builds the KFD nodes and links between them."""

import zlib

from . import kfd
from .pci import Bridge, Link, Place, location_id

# Root ports by platform, as pci.ids names them.
RAPHAEL_PORT, GENOA_PORT, ROME_PORT = (0x1022, 0x14DB), (0x1022, 0x14AB), (0x1022, 0x1483)
PHOENIX_PORT, INTERNAL_PORT = (0x1022, 0x14EF), (0x1022, 0x14EB)
RENOIR_PORT = (0x1022, 0x1635)
XEON_PORT = (0x8086, 0x6F04)
BROADCOM_SWITCH = ((0x1000, 0xC030), (0x1000, 0xC030))


def slot(
    port,
    bus,
    ids,
    link,
    switch=None,
    inner=None,
    port_link=None,
    numa_node=-1,
    iommu_group=None,
    upstream_errors=0,
    power_state="D0",
):
    """A GPU at `bus` below the root port `port`; a switch takes the two buses before.

    `link` is what the card's end of the slot says, `port_link` the root port's end if it differs,
    `inner` the link inside a card with a switch, by default full whatever the slot does.
    """
    domain, root_bus, _ = port.split(":")
    bridges = [Bridge(port, ids, port_link or link, upstream_errors, power_state)]
    last = link
    if switch:
        last = inner or Link(link.max_speed or link.speed, link.max_width or link.width)
        bridges += [
            Bridge(f"{domain}:{bus - 2:02x}:00.0", switch[0], link, 0, power_state),
            Bridge(f"{domain}:{bus - 1:02x}:00.0", switch[1], last, 0, power_state),
        ]
    address = f"{domain}:{bus:02x}:00.0"
    return Place(f"pci{domain}:{root_bus}", tuple(bridges), address, last, numa_node, iommu_group)


def gpu_id(host, address, partition=0):
    """A number such as KFD hashes from the device: 16 bits, never 0."""
    return zlib.crc32(f"{host} {address} {partition}".encode()) % 65535 + 1


def unique_id(host, address):
    """A serial number of the chip: 64 bits."""
    low = zlib.crc32(f"{address} {host}".encode())
    return (zlib.crc32(f"{host}/{address}".encode()) | 0x10000000) << 32 | low


def gpu_node(host, gpu, machine, partition=0, distinct_ids=False):
    """The KFD node of a GPU, or of one of its partitions."""
    product, count = gpu.product, gpu.partition_count
    number = gpu.gpu_id if partition == 0 else gpu_id(host, gpu.place.address, partition)
    properties = {
        "simd_count": product.cus // count * product.simd_per_cu,
        "max_waves_per_simd": product.waves_per_simd,
        "lds_size_in_kb": 64,
        "num_gws": 64,
        "wave_front_size": product.wave,
        "array_count": product.array_count // count,
        "simd_arrays_per_engine": product.arrays_per_engine,
        "cu_per_simd_array": product.cus_per_array,
        "simd_per_cu": product.simd_per_cu,
        "max_slots_scratch_cu": 32,
        "gfx_target_version": product.gfx,
        "vendor_id": 0x1002,
        "device_id": product.device,
        "location_id": location_id(gpu.place.address, partition),
        "domain": int(gpu.place.address[:4], 16),
        "drm_render_minor": gpu.render + partition,
        "hive_id": gpu.hive,
        "num_sdma_engines": product.sdma_engines,
        "num_sdma_xgmi_engines": product.sdma_xgmi_engines if count == 1 else 0,
        "num_sdma_queues_per_engine": product.sdma_queues,
        "num_cp_queues": product.cp_queues,
        "max_engine_clk_fcompute": product.engine_mhz,
        "fw_version": product.mec_firmware,
        "capability": product.capability,
        "debug_prop": product.debug_prop,
        "sdma_fw_version": product.sdma_firmware,
        "unique_id": (gpu.unique_id or 0) + (partition if distinct_ids else 0),
        "num_xcc": product.xccs // count,
    }
    return kfd.Node(
        number,
        product.kfd_name,
        properties,
        (1, heap_bytes(gpu, machine) // count, product.memory_bits, product.memory_mhz),
        gpu.vram_used // count,
        _caches(product, count),
    )


def _caches(product, count):
    """The last level is shared out to the partitions of a card."""
    return [
        (level, size // count if level == 3 else size, line, siblings)
        for level, size, line, siblings in kfd.caches(product)
    ]


def heap_bytes(gpu, machine):
    """The heap KFD reports: VRAM, or for an APU with a small carve-out what TTM may use.

    Before Linux 6.10 the GPU of a laptop's or desktop's processor had its carve-out alone.
    """
    if gpu.product.is_client_apu and kfd.release(machine.kernel) < (6, 10):
        return gpu.product.vram
    if gpu.product.is_apu:
        return max(gpu.gtt_total or machine.ttm_bytes, gpu.product.vram)
    return gpu.product.vram


def nodes(machine, gpus, host, distinct_ids=False):
    """Processor nodes, then GPU nodes in card order, with the links between processors."""
    found = kfd.cpu_nodes(machine)
    for gpu in gpus:
        found += [
            gpu_node(host, gpu, machine, partition, distinct_ids)
            for partition in range(gpu.partition_count)
        ]
    for first in range(machine.numa_nodes):
        for second in range(first + 1, machine.numa_nodes):
            kfd.connect(found, first, second, kfd.HT, 32, flags=(0, 0))
    for number, (_, gpu) in enumerate(owners(machine, gpus), machine.numa_nodes):
        _connect_processor(found, max(gpu.place.numa_node, 0), number, gpu)
    return found


def owners(machine, gpus):
    """(partition, GPU) of every GPU node in node order."""
    return [(partition, gpu) for gpu in gpus for partition in range(gpu.partition_count)]


def _connect_processor(found, processor, number, gpu):
    if gpu.product.is_apu and gpu.product.xgmi:
        kfd.connect(found, processor, number, kfd.XGMI, 13, (0, 0), flags=(3, 1))
        return
    best = gpu.place.link.max_speed or gpu.place.link.speed
    lanes = {"8.0": 16000, "16.0": 32000, "32.0": 64000, "Unknown": 32000}[best]
    least = 0 if gpu.product.is_apu else 312
    kfd.connect(
        found,
        processor,
        number,
        kfd.PCIE,
        20,
        (least, lanes),
        flags=(3, 1),
        sdma_mask=(1 << gpu.product.sdma_engines) - 1,
    )


def mesh(found, numbers, weight=15, bandwidth=(0, 0), sdma_mask=0):
    """XGMI links between all the given nodes."""
    for index, first in enumerate(numbers):
        for second in numbers[index + 1 :]:
            kfd.connect(found, first, second, kfd.XGMI, weight, bandwidth, sdma_mask=sdma_mask)


def peers_over_processors(found, machine, gpus):
    """The indirect PCIe links between GPUs without XGMI, and to the other processors."""
    members = list(enumerate(owners(machine, gpus), machine.numa_nodes))
    for number, (_, gpu) in members:
        for processor in range(machine.numa_nodes):
            if processor != max(gpu.place.numa_node, 0):
                kfd.connect(found, processor, number, kfd.PCIE, 52, kind="p2p", flags=(3, 1))
    for index, (first, (_, gpu)) in enumerate(members):
        for second, (_, other) in members[index + 1 :]:
            if not (gpu.hive and gpu.hive == other.hive):
                same = gpu.place.numa_node == other.place.numa_node
                kfd.connect(
                    found,
                    first,
                    second,
                    kfd.PCIE,
                    40 if same else 72,
                    (312, 32000) if same else (0, 0),
                    "p2p",
                    flags=(3, 3),
                )
