"""PCI functions, the bridges above them, and their IOMMU groups, as sysfs shows them."""

import struct
from dataclasses import dataclass, field

BRIDGE_CLASS = 0x060400
GPU_VENDOR = 0x1002

_FATAL = (
    "Undefined",
    "DLP",
    "SDES",
    "TLP",
    "FCP",
    "CmpltTO",
    "CmpltAbrt",
    "UnxCmplt",
    "RxOF",
    "MalfTLP",
    "ECRC",
    "UnsupReq",
    "ACSViol",
    "UncorrIntErr",
    "BlockedTLP",
    "AtomicOpBlocked",
    "TLPBlockedErr",
    "PoisonTLPBlocked",
)
_CORRECTABLE = (
    "RxErr",
    "BadTLP",
    "BadDLLP",
    "Rollover",
    "Timeout",
    "NonFatalErr",
    "CorrIntErr",
    "HeaderOF",
)


@dataclass(frozen=True)
class Link:
    """A PCIe link: speed in GT/s as the kernel prints it, width in lanes."""

    speed: str = "16.0"
    width: int = 16
    max_speed: str | None = None  # default: the current one
    max_width: int | None = None

    def files(self, machine):
        old = tuple(map(int, machine.kernel.split(".")[:2])) < (5, 7)
        return {
            "current_link_speed": _speed(self.speed, old),
            "current_link_width": self.width,
            "max_link_speed": _speed(self.max_speed or self.speed, old),
            "max_link_width": self.max_width or self.width,
        }


@dataclass(frozen=True)
class Bridge:
    """A port; the link is the one below it for a root or downstream port."""

    address: str
    ids: tuple  # vendor, device
    link: Link
    correctable_errors: int = 0
    power_state: str = "D0"


@dataclass(frozen=True)
class Place:
    """Where a function sits: host bridge such as pci0000:00, the bridges above it, its address."""

    root: str
    bridges: tuple
    address: str
    link: Link | None  # None: no PCI Express
    numa_node: int = -1
    iommu_group: int | None = None

    @property
    def directory(self):
        chain = "/".join([bridge.address for bridge in self.bridges] + [self.address])
        return f"/sys/devices/{self.root}/{chain}"


@dataclass(frozen=True)
class Function:
    vendor: int
    device: int
    revision: int
    pci_class: int
    subsystem: tuple = (0, 0)
    driver: str | None = None
    runtime: str = "active"
    power_control: str = "on"
    memory: tuple = ()  # sizes in bytes of BAR 0, 2 and 5
    correctable: dict = field(default_factory=dict)


def _speed(value, old):
    """As pci_speed_string prints it; kernels before 5.7 said `8 GT/s`."""
    if value == "Unknown":
        return "Unknown speed" if old else value
    return f"{value.removesuffix('.0')} GT/s" if old else f"{value} GT/s PCIe"


def location_id(address, index=0):
    """KFD's number for an address (domain left out); partitions add their index."""
    _, bus, rest = address.split(":")
    slot, function = rest.split(".")
    return int(bus, 16) << 8 | int(slot, 16) << 3 | int(function) | index


def write_bridges(tree, place, machine):
    """The ports above a function, once each."""
    path = f"/sys/devices/{place.root}"
    buses = [int(bridge.address.split(":")[1], 16) for bridge in place.bridges]
    buses.append(int(place.address.split(":")[1], 16))
    for index, bridge in enumerate(place.bridges):
        path += "/" + bridge.address
        if f"{path}/vendor" in tree.entries:
            continue
        port = Function(
            *bridge.ids,
            0,
            BRIDGE_CLASS,
            driver="pcieport",
            correctable={"RxErr": bridge.correctable_errors},
        )
        _write_ids(tree, path, bridge.address, port)
        tree.files(path, bridge.link.files(machine) | {"power_state": bridge.power_state})
        tree.file(
            f"{path}/power/runtime_status", "active" if bridge.power_state == "D0" else "suspended"
        )
        tree.binary(f"{path}/config", _config(port, (buses[index], buses[index + 1], buses[-1])))
        _write_locality(tree, path, place, machine)
        _write_errors(tree, path, port)


def write_function(tree, place, function, machine):
    """A function with its identity, link, power and error counters."""
    path = place.directory
    write_bridges(tree, place, machine)
    _write_ids(tree, path, place.address, function)
    tree.binary(f"{path}/config", _config(function))
    _write_locality(tree, path, place, machine)
    if place.link:
        tree.files(path, place.link.files(machine))
    tree.files(
        path,
        {
            "enable": int(function.driver is not None),
            "ari_enabled": 0,
            "d3cold_allowed": 1,
            "power_state": "D3cold" if function.runtime == "suspended" else "D0",
        },
    )
    tree.files(
        f"{path}/power", {"control": function.power_control, "runtime_status": function.runtime}
    )
    if place.link:
        _write_errors(tree, path, function)
    _write_resources(tree, path, function.memory)
    if place.iommu_group is not None:
        _link_iommu_group(tree, place)


def _write_locality(tree, path, place, machine):
    node = max(place.numa_node, 0)
    tree.files(
        path,
        {
            "numa_node": place.numa_node,
            "local_cpulist": machine.node_cpus(node),
            "local_cpus": machine.node_mask(node),
        },
    )


def _config(function, buses=None):
    """The 64 bytes of configuration space that everybody may read; a bridge has its buses there."""
    header = struct.pack(
        "<HHHHB3sBBB",
        function.vendor,
        function.device,
        0x0507,
        0x0010,
        function.revision,
        function.pci_class.to_bytes(3, "little"),
        16,
        0,
        1 if buses else 0,
    )
    content = bytearray(header.ljust(64, b"\0"))
    if buses:
        content[0x18:0x1B] = bytes(buses)
    else:
        struct.pack_into("<HH", content, 0x2C, *function.subsystem)
    return content


def write_audio(tree, place, device, subsystem, machine):
    """The sound function .1 of a Radeon: only what tells it from a GPU."""
    address = place.address[:-1] + "1"
    audio = Place(
        place.root, place.bridges, address, place.link, place.numa_node, place.iommu_group
    )
    function = Function(GPU_VENDOR, device, 0, 0x040300, subsystem, "snd_hda_intel")
    _write_ids(tree, audio.directory, address, function)
    tree.files(audio.directory, audio.link.files(machine) | {"numa_node": audio.numa_node})
    if audio.iommu_group is not None:
        _link_iommu_group(tree, audio)


def _write_ids(tree, path, address, function):
    subsystem_vendor, subsystem_device = function.subsystem
    pci_class = f"{function.pci_class:06x}"
    tree.files(
        path,
        {
            "vendor": f"0x{function.vendor:04x}",
            "device": f"0x{function.device:04x}",
            "class": f"0x{pci_class}",
            "revision": f"0x{function.revision:02x}",
            "subsystem_vendor": f"0x{subsystem_vendor:04x}",
            "subsystem_device": f"0x{subsystem_device:04x}",
        },
    )
    base, sub, interface = bytes.fromhex(pci_class)
    modalias = (
        f"pci:v{function.vendor:08X}d{function.device:08X}sv{subsystem_vendor:08X}"
        f"sd{subsystem_device:08X}bc{base:02X}sc{sub:02X}i{interface:02X}"
    )
    driver = [f"DRIVER={function.driver}"] if function.driver else []
    tree.lines(
        f"{path}/uevent",
        driver
        + [
            f"PCI_CLASS={function.pci_class:X}",
            f"PCI_ID={function.vendor:04X}:{function.device:04X}",
            f"PCI_SUBSYS_ID={subsystem_vendor:04X}:{subsystem_device:04X}",
            f"PCI_SLOT_NAME={address}",
            f"MODALIAS={modalias}",
        ],
    )
    tree.link_to(f"/sys/bus/pci/devices/{address}", path)
    if function.driver:
        driver_path = f"/sys/bus/pci/drivers/{function.driver}"
        tree.link_to(f"{path}/driver", driver_path)
        tree.link_to(f"{driver_path}/{address}", path)


def _write_errors(tree, path, function):
    correctable = {name: function.correctable.get(name, 0) for name in _CORRECTABLE}
    tree.files(
        path,
        {
            "aer_dev_fatal": [f"{name} 0" for name in _FATAL] + ["TOTAL_ERR_FATAL 0"],
            "aer_dev_nonfatal": [f"{name} 0" for name in _FATAL] + ["TOTAL_ERR_NONFATAL 0"],
            "aer_dev_correctable": [f"{name} {count}" for name, count in correctable.items()]
            + [f"TOTAL_ERR_COR {sum(correctable.values())}"],
        },
    )


def _write_resources(tree, path, memory):
    """BAR 0 (VRAM), 2 (doorbells), 4 (ports) and 5 (registers), then the expansion ROM."""
    if not memory:
        return
    vram, doorbells, registers = memory
    base = 0x6000000000
    rows = [
        (base, vram, 0x14220C),
        None,
        (base + vram, doorbells, 0x14220C),
        None,
        (0xE000, 0x100, 0x40101),
        (0xFCB00000, registers, 0x40200),
        (0xFCC00000, 0x20000, 0x46200),
    ]
    rows += [None] * 6
    lines = [
        "0x%016x 0x%016x 0x%016x" % ((row[0], row[0] + row[1] - 1, row[2]) if row else (0, 0, 0))
        for row in rows
    ]
    tree.lines(f"{path}/resource", lines)


def _link_iommu_group(tree, place):
    group = f"/sys/kernel/iommu_groups/{place.iommu_group}"
    tree.link_to(f"{place.directory}/iommu_group", group)
    tree.link_to(f"{group}/devices/{place.address}", place.directory)


def write_iommu(tree, groups, group_type, machine):
    """The processor's IOMMU and the type (identity, DMA-FQ, ...) of the given groups."""
    if machine.cpu.vendor == "GenuineIntel":
        unit, base = "dmar0", "/sys/devices/virtual/iommu/dmar0"
        tree.files(
            f"{base}/intel-iommu", {"cap": "d2008c40660462", "ecap": "f050da", "version": "1:0"}
        )
    else:
        unit, base = "ivhd0", "/sys/devices/pci0000:00/0000:00:00.2/iommu/ivhd0"
        tree.files(f"{base}/amd-iommu", {"cap": "40", "features": "25bf732fa2295afe:d"})
    tree.link_to(f"/sys/class/iommu/{unit}", base)
    for group in groups:
        tree.file(f"/sys/kernel/iommu_groups/{group}/type", group_type)
