"""What amdgpu shows of one GPU below its PCI function: memory, clocks, sensors, RAS, partitions."""

from dataclasses import dataclass, field, replace

from . import metrics, pci, products
from .products import Product

_RAS_BLOCKS = ("umc", "sdma", "gfx", "mmhub", "pcie_bif", "hdp", "xgmi_wafl")
_UNREADABLE_WHILE_SUSPENDED = (
    "gpu_busy_percent",
    "mem_busy_percent",
    "gpu_metrics",
    "power_dpm_force_performance_level",
    "pp_dpm_sclk",
    "pp_dpm_mclk",
    "pp_dpm_fclk",
    "pp_dpm_socclk",
    "pp_dpm_pcie",
    "pcie_replay_count",
)


@dataclass(frozen=True)
class Connector:
    name: str  # DP-1, HDMI-A-1, eDP-1
    status: str = "disconnected"


@dataclass(frozen=True)
class Gpu:
    """One GPU of a host. What is None follows from the product."""

    product: Product
    place: pci.Place
    card: int
    render: int
    gpu_id: int
    hwmon: int
    subsystem: tuple = (0x1002, 0x0E3B)
    unique_id: int | None = None
    driver: str = "amdgpu"
    boot_vga: int | None = None
    connectors: tuple = ()
    visible_vram: int | None = None
    vram_used: int = 30_000_000
    gtt_total: int | None = None  # default: what TTM allows
    level: str = "auto"
    cap_watts: int | None = None
    runtime: str = "active"
    idle: products.Idle | None = None
    metrics: tuple | None = None
    metrics_bytes: bytes | None = None
    hive: int = 0
    hive_gpus: tuple = ()  # all of the hive, set by hosts.py
    serial: str = ""
    compute_mode: str = "SPX"
    memory_mode: str = "NPS1"
    ras_counts: dict = field(default_factory=dict)  # block: (uncorrected, corrected, deferred)
    bad_pages: tuple = ()
    replays: int | None = 0
    xgmi_error: int = 0
    is_virtual_function: bool = False
    is_secondary_die: bool = False  # of an MI250X: its power is counted by the first die
    extra_files: dict = field(default_factory=dict)

    @property
    def sensors(self):
        return self.idle or self.product.idle

    @property
    def directory(self):
        return self.place.directory

    @property
    def link_speed(self):
        """Of the slowest link between the root port and the GPU, in GT/s."""
        links = [bridge.link for bridge in self.place.bridges] + [self.place.link]
        return min(
            (link.speed for link in links if link.speed != "Unknown"), key=float, default="Unknown"
        )

    @property
    def partition_count(self):
        """Devices that one card makes in its compute mode."""
        return {"SPX": 1, "DPX": 2, "TPX": 3, "QPX": 4, "CPX": self.product.xccs}[self.compute_mode]

    @property
    def link_width(self):
        links = [bridge.link for bridge in self.place.bridges] + [self.place.link]
        return min(link.width for link in links)


def write(tree, gpu, machine):
    """The PCI function of a GPU with all that amdgpu puts there."""
    product = gpu.product
    suspended = gpu.runtime == "suspended"
    pci.write_function(
        tree,
        gpu.place,
        pci.Function(
            pci.GPU_VENDOR,
            product.device,
            product.revision,
            product.pci_class,
            gpu.subsystem,
            gpu.driver,
            gpu.runtime,
            "auto" if suspended else "on",
            (gpu.visible_vram or product.vram or 1 << 28, product.bar2, 1 << 20),
        ),
        machine,
    )
    if product.audio:
        pci.write_audio(tree, gpu.place, product.audio, gpu.subsystem, machine)
    path = gpu.directory
    _write_nodes(tree, gpu)
    _write_memory(tree, gpu, machine)
    _write_state(tree, gpu)
    _write_sensors(tree, gpu)
    tree.files(
        f"{path}/fw_version",
        {f"{name}_fw_version": f"0x{value:08x}" for name, value in product.firmware.items()},
    )
    if product.ras:
        _write_ras(tree, gpu)
    if gpu.hive:
        _write_hive(tree, gpu)
    if product.partitions:
        _write_partitions(tree, gpu)
    tree.files(path, gpu.extra_files)
    if suspended:
        _suspend(tree, gpu)


def _write_nodes(tree, gpu):
    """The DRM minors card and renderD, their connectors and their device nodes."""
    for name, minor in ((f"card{gpu.card}", gpu.card), (f"renderD{gpu.render}", gpu.render)):
        write_minor(tree, f"{gpu.directory}/drm/{name}", minor)
    for connector in gpu.connectors:
        name = f"card{gpu.card}-{connector.name}"
        path = f"{gpu.directory}/drm/card{gpu.card}/{name}"
        on = connector.status == "connected"
        tree.files(
            path,
            {
                "status": connector.status,
                "enabled": "enabled" if on else "disabled",
                "dpms": "On" if on else "Off",
            },
        )
        tree.link_to(f"{path}/device", f"{gpu.directory}/drm/card{gpu.card}")
        tree.link_to(f"/sys/class/drm/{name}", path)


def write_minor(tree, path, minor):
    """One DRM minor below a device directory, and its link in /sys/class/drm."""
    name = path.rsplit("/", 1)[1]
    tree.files(
        path,
        {
            "dev": f"226:{minor}",
            "uevent": ["MAJOR=226", f"MINOR={minor}", f"DEVNAME=dri/{name}", "DEVTYPE=drm_minor"],
        },
    )
    tree.link_to(f"{path}/device", path.rsplit("/", 2)[0])
    tree.link_to(f"/sys/class/drm/{name}", path)


def _write_memory(tree, gpu, machine):
    product, path = gpu.product, gpu.directory
    visible = gpu.visible_vram or product.vram
    tree.files(
        path,
        {
            "mem_info_vram_total": product.vram,
            "mem_info_vram_used": gpu.vram_used,
            "mem_info_vis_vram_total": visible,
            "mem_info_vis_vram_used": min(gpu.vram_used, visible),
            "mem_info_gtt_total": gpu.gtt_total or machine.ttm_bytes,
            "mem_info_gtt_used": 14_180_352,
            "mem_info_preempt_used": 0,
            "mem_info_vram_vendor": product.memory_vendor,
        },
    )
    if product.resize_mask:
        tree.file(f"{path}/resource0_resize", f"{product.resize_mask:016x}")


def _write_state(tree, gpu):
    product, path, sensors = gpu.product, gpu.directory, gpu.sensors
    tree.files(
        path,
        {
            "gpu_busy_percent": sensors.busy,
            "mem_busy_percent": sensors.memory_busy,
            "power_dpm_force_performance_level": gpu.level,
            "power_dpm_state": "performance",
            "thermal_throttling_logging": f"{gpu.place.address}: thermal throttling logging "
            "enabled, with interval 60 seconds",
            "vbios_version": product.vbios,
            "boot_vga": gpu.boot_vga,
            "unique_id": f"{gpu.unique_id:016x}" if gpu.unique_id else None,
            "pcie_replay_count": None if product.is_apu else gpu.replays,
        },
    )
    if product.board:
        tree.files(
            path,
            {
                "product_name": product.board[0],
                "product_number": product.board[1],
                "serial_number": gpu.serial,
            },
        )
    for name, lines in product.clock_tables.items():
        tree.lines(f"{path}/{name}", _mark(lines, gpu) if name == "pp_dpm_pcie" else lines)
    table = metrics.of(gpu) if gpu.metrics_bytes is None else gpu.metrics_bytes
    if table:
        tree.binary(f"{path}/gpu_metrics", table)


def _mark(lines, gpu):
    """pp_dpm_pcie with its asterisk at the speed that the slot has now."""
    return [line + "*" if f" {gpu.link_speed}GT/s" in line else line for line in lines]


def _write_sensors(tree, gpu):
    product, sensors = gpu.product, gpu.sensors
    path = f"{gpu.directory}/hwmon/hwmon{gpu.hwmon}"
    tree.link_to(f"/sys/class/hwmon/hwmon{gpu.hwmon}", path)
    tree.link_to(f"{path}/device", gpu.directory)
    tree.file(f"{path}/name", "amdgpu")
    readings = zip(
        ("edge", "junction", "mem"),
        (sensors.edge, sensors.junction, sensors.memory),
        product.critical,
    )
    for index, (label, degrees, critical) in enumerate(readings, 1):
        if degrees is not None:
            tree.files(path, _temperature(f"temp{index}", label, degrees, critical))
    tree.files(path, _power(gpu))
    tree.files(path, {"freq1_label": "sclk", "freq1_input": sensors.sclk * 1_000_000})
    if not product.is_client_apu:
        tree.files(path, {"freq2_label": "mclk", "freq2_input": sensors.mclk * 1_000_000})
    if sensors.millivolts is not None:
        tree.files(path, {"in0_label": "vddgfx", "in0_input": sensors.millivolts})
        if product.is_client_apu:
            tree.files(path, {"in1_label": "vddnb", "in1_input": 703})
    if sensors.fan_rpm is not None:
        tree.files(
            path,
            {
                "fan1_input": sensors.fan_rpm,
                "fan1_enable": 0,
                "fan1_min": 0,
                "fan1_max": 3300,
                "fan1_target": sensors.fan_rpm,
                "pwm1": sensors.pwm,
                "pwm1_enable": 2,
                "pwm1_min": 0,
                "pwm1_max": 255,
            },
        )


def _temperature(name, label, degrees, critical):
    values = {f"{name}_label": label, f"{name}_input": degrees * 1000}
    if critical is not None:
        values |= {
            f"{name}_crit": critical * 1000,
            f"{name}_crit_hyst": -273150,
            f"{name}_emergency": (critical + 5) * 1000,
        }
    return values


def _power(gpu):
    product = gpu.product
    names = {"both": ("power1_average", "power1_input")}.get(
        product.power_file, (product.power_file,)
    )
    watts = 0 if gpu.is_secondary_die else gpu.sensors.watts
    values = {name: watts * 1_000_000 for name in names} | {"power1_label": "PPT"}
    if product.cap_watts and not gpu.is_virtual_function:
        limits = (0, 0, 0) if gpu.is_secondary_die else product.cap_watts
        least, default, most = (watts * 1_000_000 for watts in limits)
        values |= {
            "power1_cap": gpu.cap_watts * 1_000_000 if gpu.cap_watts else default,
            "power1_cap_default": default,
            "power1_cap_max": most,
            "power1_cap_min": least,
        }
    return values


def _write_ras(tree, gpu):
    path = f"{gpu.directory}/ras"
    tree.files(
        path,
        {
            "features": "feature mask: 0x1fff",
            "version": "table version: 0x10000",
            "gpu_vram_bad_pages": list(gpu.bad_pages),
        },
    )
    for block in _RAS_BLOCKS:
        uncorrected, corrected, deferred = gpu.ras_counts.get(block, (0, 0, 0))
        lines = [f"ue: {uncorrected}", f"ce: {corrected}"]
        if block == "umc" and gpu.product.gfx >= 90402:
            lines.append(f"de: {deferred}")
        tree.lines(f"{path}/{block}_err_count", lines)


def _write_hive(tree, gpu):
    """The hive's directory lies below its first GPU; the others link to it."""
    first = gpu.hive_gpus[0]
    index = [other.place.address for other in gpu.hive_gpus].index(gpu.place.address)
    hive = f"{first.directory}/xgmi_hive_info"
    if index == 0:
        tree.file(f"{hive}/xgmi_hive_id", gpu.hive)
    else:
        tree.link_to(f"{gpu.directory}/xgmi_hive_info", hive)
    tree.link_to(f"{hive}/node{index + 1}", gpu.directory)
    tree.files(
        gpu.directory,
        {"xgmi_device_id": gpu.unique_id, "xgmi_physical_id": index, "xgmi_error": gpu.xgmi_error},
    )


def _write_partitions(tree, gpu):
    modes = gpu.product.partitions
    tree.files(
        gpu.directory,
        {
            "current_compute_partition": gpu.compute_mode,
            "available_compute_partition": ", ".join(modes),
            "current_memory_partition": gpu.memory_mode,
            "available_memory_partition": "NPS1" if gpu.product.is_apu else "NPS1, NPS4",
        },
    )


def _suspend(tree, gpu):
    """While suspended the driver refuses to wake the GPU for a reader."""
    for name in _UNREADABLE_WHILE_SUSPENDED:
        if f"{gpu.directory}/{name}" in tree.entries:
            tree.replace_with_error(f"{gpu.directory}/{name}", "EPERM")
    hwmon = f"{gpu.directory}/hwmon/hwmon{gpu.hwmon}/"
    for path in [name for name in tree.entries if name.startswith(hwmon)]:
        if path.endswith("_input") or path.endswith("_average") or "power1_cap" in path:
            tree.replace_with_error(path, "EPERM")


def with_hive(gpus, hive):
    """The GPUs as members of one hive."""
    members = tuple(gpus)
    return [replace(gpu, hive=hive, hive_gpus=members) for gpu in gpus]


def write_partition_devices(tree, gpus):
    """The platform devices amdgpu_xcp_N: seven are made for each card, whatever its mode.

    A partition but the first has its DRM minors there (drivers/gpu/drm/amd/amdxcp).
    """
    for index, gpu in enumerate(gpus):
        for partition in range(1, 8):
            name = f"amdgpu_xcp_{index * 7 + partition - 1}"
            path = f"/sys/devices/platform/{name}"
            tree.files(
                path, {"modalias": f"platform:{name}", "uevent": f"MODALIAS=platform:{name}"}
            )
            if partition < gpu.partition_count:
                write_minor(tree, f"{path}/drm/card{gpu.card + partition}", gpu.card + partition)
                write_minor(
                    tree, f"{path}/drm/renderD{gpu.render + partition}", gpu.render + partition
                )
