"""Binary gpu_metrics tables, laid out as drivers/gpu/drm/amd/include/kgd_pp_interface.h does.

A field that is not given holds all ones, which is how the driver says "not available".
"""

import struct

_SIZES = {"B": 1, "H": 2, "I": 4, "Q": 8}

_CLOCKS_DGPU = [
    (f"{kind}_{clock}", "H")
    for kind, clocks in (
        (
            "average",
            (
                "gfxclk_frequency",
                "socclk_frequency",
                "uclk_frequency",
                "vclk0_frequency",
                "dclk0_frequency",
                "vclk1_frequency",
                "dclk1_frequency",
            ),
        ),
        ("current", ("gfxclk", "socclk", "uclk", "vclk0", "dclk0", "vclk1", "dclk1")),
    )
    for clock in clocks
]

_TEMPERATURES_DGPU = [
    (f"temperature_{name}", "H") for name in ("edge", "hotspot", "mem", "vrgfx", "vrsoc", "vrmem")
]

_ACTIVITY_DGPU = [(f"average_{name}_activity", "H") for name in ("gfx", "umc", "mm")]

_V1_0 = [
    ("system_clock_counter", "Q"),
    *_TEMPERATURES_DGPU,
    *_ACTIVITY_DGPU,
    ("average_socket_power", "H"),
    ("energy_accumulator", "I"),
    *_CLOCKS_DGPU,
    ("throttle_status", "I"),
    ("current_fan_speed", "H"),
    ("pcie_link_width", "B"),
    ("pcie_link_speed", "B"),
]

_V1_3 = [
    *_TEMPERATURES_DGPU,
    *_ACTIVITY_DGPU,
    ("average_socket_power", "H"),
    ("energy_accumulator", "Q"),
    ("system_clock_counter", "Q"),
    *_CLOCKS_DGPU,
    ("throttle_status", "I"),
    ("current_fan_speed", "H"),
    ("pcie_link_width", "H"),
    ("pcie_link_speed", "H"),
    ("padding", "H"),
    ("gfx_activity_acc", "I"),
    ("mem_activity_acc", "I"),
    ("temperature_hbm", "4H"),
    ("firmware_timestamp", "Q"),
    ("voltage_soc", "H"),
    ("voltage_gfx", "H"),
    ("voltage_mem", "H"),
    ("padding1", "H"),
    ("indep_throttle_status", "Q"),
]

_MI300_HEAD = [
    ("temperature_hotspot", "H"),
    ("temperature_mem", "H"),
    ("temperature_vrsoc", "H"),
    ("curr_socket_power", "H"),
    ("average_gfx_activity", "H"),
    ("average_umc_activity", "H"),
]

_MI300_COUNTERS = [
    ("energy_accumulator", "Q"),
    ("system_clock_counter", "Q"),
    ("accumulation_counter", "I"),
    ("prochot_residency_acc", "I"),
    ("ppt_residency_acc", "I"),
    ("socket_thm_residency_acc", "I"),
    ("vr_thm_residency_acc", "I"),
    ("hbm_thm_residency_acc", "I"),
    ("gfxclk_lock_status", "I"),
    ("pcie_link_width", "H"),
    ("pcie_link_speed", "H"),
    ("xgmi_link_width", "H"),
    ("xgmi_link_speed", "H"),
    ("gfx_activity_acc", "I"),
    ("mem_activity_acc", "I"),
    ("pcie_bandwidth_acc", "Q"),
    ("pcie_bandwidth_inst", "Q"),
    ("pcie_l0_to_recov_count_acc", "Q"),
    ("pcie_replay_count_acc", "Q"),
    ("pcie_replay_rover_count_acc", "Q"),
    ("pcie_nak_sent_count_acc", "I"),
    ("pcie_nak_rcvd_count_acc", "I"),
    ("xgmi_read_data_acc", "8Q"),
    ("xgmi_write_data_acc", "8Q"),
]

_MI300_CLOCKS = [
    ("firmware_timestamp", "Q"),
    ("current_gfxclk", "8H"),
    ("current_socclk", "4H"),
    ("current_vclk0", "4H"),
    ("current_dclk0", "4H"),
    ("current_uclk", "H"),
    ("num_partition", "H"),
]


def _partitions(below_limit):
    """The statistics of eight partitions; each begins at a multiple of eight."""
    fields = []
    for index in range(8):
        fields += [
            (f"xcp{index}_gfx_busy_inst", "8I"),
            (f"xcp{index}_jpeg_busy", "32H"),
            (f"xcp{index}_vcn_busy", "4H"),
            (f"xcp{index}_gfx_busy_acc", "8Q"),
        ]
        if below_limit:
            fields.append((f"xcp{index}_gfx_below_host_limit_acc", "8Q"))
    return fields


_V1_6 = [
    *_MI300_HEAD,
    *_MI300_COUNTERS,
    *_MI300_CLOCKS,
    *_partitions(False),
    ("pcie_lc_perf_other_end_recovery", "I"),
]

_V1_7 = [
    *_MI300_HEAD,
    ("mem_max_bandwidth", "Q"),
    *_MI300_COUNTERS,
    ("xgmi_link_status", "8H"),
    ("padding", "H"),
    *_MI300_CLOCKS,
    *_partitions(True),
    ("pcie_lc_perf_other_end_recovery", "I"),
]

_CLOCKS_APU = ("gfxclk", "socclk", "uclk", "fclk", "vclk", "dclk")

_V2_1 = [
    ("temperature_gfx", "H"),
    ("temperature_soc", "H"),
    ("temperature_core", "8H"),
    ("temperature_l3", "2H"),
    ("average_gfx_activity", "H"),
    ("average_mm_activity", "H"),
    ("system_clock_counter", "Q"),
    ("average_socket_power", "H"),
    ("average_cpu_power", "H"),
    ("average_soc_power", "H"),
    ("average_gfx_power", "H"),
    ("average_core_power", "8H"),
    *[(f"average_{clock}_frequency", "H") for clock in _CLOCKS_APU],
    *[(f"current_{clock}", "H") for clock in _CLOCKS_APU],
    ("current_coreclk", "8H"),
    ("current_l3clk", "2H"),
    ("throttle_status", "I"),
    ("fan_pwm", "H"),
    ("padding", "3H"),
]

_V3_0 = [
    ("temperature_gfx", "H"),
    ("temperature_soc", "H"),
    ("temperature_core", "16H"),
    ("temperature_skin", "H"),
    ("average_gfx_activity", "H"),
    ("average_vcn_activity", "H"),
    ("average_ipu_activity", "8H"),
    ("average_core_c0_activity", "16H"),
    ("average_dram_reads", "H"),
    ("average_dram_writes", "H"),
    ("average_ipu_reads", "H"),
    ("average_ipu_writes", "H"),
    ("system_clock_counter", "Q"),
    ("average_socket_power", "I"),
    ("average_ipu_power", "H"),
    ("average_apu_power", "I"),
    ("average_gfx_power", "I"),
    ("average_dgpu_power", "I"),
    ("average_all_core_power", "I"),
    ("average_core_power", "16H"),
    ("average_sys_power", "H"),
    ("stapm_power_limit", "H"),
    ("current_stapm_power_limit", "H"),
    *[
        (f"average_{clock}_frequency", "H")
        for clock in ("gfxclk", "socclk", "vpeclk", "ipuclk", "fclk", "vclk", "uclk", "mpipu")
    ],
    ("current_coreclk", "16H"),
    ("current_core_maxfreq", "H"),
    ("current_gfx_maxfreq", "H"),
    *[
        (f"throttle_residency_{name}", "I")
        for name in ("prochot", "spl", "fppt", "sppt", "thm_core", "thm_gfx", "thm_soc")
    ],
    ("time_filter_alphavalue", "I"),
]

# revision: fields after the header, size in bytes as compiled from the kernel's header
_LAYOUTS = {
    (1, 0): (_V1_0, 80),
    (1, 3): (_V1_3, 120),
    (1, 6): (_V1_6, 1664),
    (1, 7): (_V1_7, 2208),
    (2, 1): (_V2_1, 120),
    (3, 0): (_V3_0, 264),
}


def table(revision, values):
    """The table of a revision such as (1, 3) with the given fields."""
    fields, size = _LAYOUTS[revision]
    content = bytearray(struct.pack("<HBB", size, *revision))
    unused = dict(values)
    for name, code in fields:
        count, unit = int(code[:-1] or 1), code[-1]
        content += b"\xff" * (-len(content) % _SIZES[unit])
        given = unused.pop(name, None)
        content += _packed(given, count, unit)
    content += b"\xff" * (-len(content) % 8)
    if unused or len(content) != size:
        raise ValueError(f"gpu_metrics {revision}: {len(content)} bytes, unknown {list(unused)}")
    return bytes(content)


# Revision 1.9 is no struct but a list: name, number, unit and type of its attributes, in the
# driver's order; numbers, units and types as AMDGPU_METRICS_ENC_ATTR packs them.
_NONE, _MHZ, _CELSIUS, _WATTS, _NS, _TEN_NS, _GT, _TENTH_GT, _GB, _KB, _PERCENT = range(11)
_TYPES = {"H": 2, "I": 4, "Q": 6}
_LIST_1_9 = [
    ("temperature_hotspot", 0, _CELSIUS, "H"),
    ("temperature_mem", 1, _CELSIUS, "H"),
    ("temperature_vrsoc", 2, _CELSIUS, "H"),
    ("curr_socket_power", 3, _WATTS, "H"),
    ("average_gfx_activity", 4, _PERCENT, "H"),
    ("average_umc_activity", 5, _PERCENT, "H"),
    ("mem_max_bandwidth", 6, _GB, "Q"),
    ("energy_accumulator", 7, _NONE, "Q"),
    ("system_clock_counter", 8, _NS, "Q"),
    ("accumulation_counter", 9, _NONE, "I"),
    ("prochot_residency_acc", 10, _NONE, "I"),
    ("ppt_residency_acc", 11, _NONE, "I"),
    ("socket_thm_residency_acc", 12, _NONE, "I"),
    ("vr_thm_residency_acc", 13, _NONE, "I"),
    ("hbm_thm_residency_acc", 14, _NONE, "I"),
    ("gfxclk_lock_status", 15, _NONE, "I"),
    ("pcie_link_width", 16, _NONE, "H"),
    ("pcie_link_speed", 17, _TENTH_GT, "H"),
    ("xgmi_link_width", 18, _NONE, "H"),
    ("xgmi_link_speed", 19, _GT, "H"),
    ("gfx_activity_acc", 20, _PERCENT, "I"),
    ("mem_activity_acc", 21, _PERCENT, "I"),
    ("pcie_bandwidth_acc", 22, _PERCENT, "Q"),
    ("pcie_bandwidth_inst", 23, _GB, "Q"),
    ("pcie_l0_to_recov_count_acc", 24, _NONE, "Q"),
    ("pcie_replay_count_acc", 25, _NONE, "Q"),
    ("pcie_replay_rover_count_acc", 26, _NONE, "Q"),
    ("pcie_nak_sent_count_acc", 27, _NONE, "I"),
    ("pcie_nak_rcvd_count_acc", 28, _NONE, "I"),
    ("xgmi_read_data_acc", 29, _KB, "8Q"),
    ("xgmi_write_data_acc", 30, _KB, "8Q"),
    ("xgmi_link_status", 31, _NONE, "8H"),
    ("firmware_timestamp", 32, _TEN_NS, "Q"),
    ("current_gfxclk", 33, _MHZ, "8H"),
    ("current_socclk", 34, _MHZ, "4H"),
    ("current_vclk0", 35, _MHZ, "4H"),
    ("current_dclk0", 36, _MHZ, "4H"),
    ("current_uclk", 37, _MHZ, "H"),
    ("pcie_lc_perf_other_end_recovery", 39, _NONE, "I"),
    ("gfx_busy_inst", 40, _PERCENT, "8I"),
    ("jpeg_busy", 41, _PERCENT, "40H"),
    ("vcn_busy", 42, _PERCENT, "4H"),
    ("gfx_busy_acc", 43, _PERCENT, "8Q"),
    ("gfx_below_host_limit_ppt_acc", 44, _NONE, "8Q"),
    ("gfx_below_host_limit_thm_acc", 45, _NONE, "8Q"),
    ("gfx_low_utilization_acc", 46, _NONE, "8Q"),
    ("gfx_below_host_limit_total_acc", 47, _NONE, "8Q"),
]


def attribute_list(values):
    """Revision 1.9 with the given attributes: packed pairs of a description and its values."""
    body = struct.pack("<i", len(_LIST_1_9))
    for name, number, unit, code in _LIST_1_9:
        count, kind = int(code[:-1] or 1), code[-1]
        body += struct.pack("<Q", unit << 24 | _TYPES[kind] << 20 | number << 10 | count)
        body += _packed(values.get(name), count, kind)
    return struct.pack("<HBB", len(body) + 4, 1, 9) + body


def _packed(given, count, unit):
    """`count` numbers; those that are missing are all ones."""
    given = [] if given is None else given if isinstance(given, (list, tuple)) else [given]
    missing = b"\xff" * (_SIZES[unit] * (count - len(given)))
    return b"".join(struct.pack("<" + unit, number) for number in given) + missing


def of(gpu):
    """The gpu_metrics table of the product, with the same values that hwmon shows."""
    revision = gpu.metrics or gpu.product.metrics
    if revision is None:
        return None
    if revision == (1, 9):
        return attribute_list(_metrics_mi300(gpu))
    fields = {
        (1, 0): _metrics_1_0,
        (1, 3): _metrics_1_3,
        (1, 6): _metrics_mi300,
        (1, 7): _metrics_mi300,
        (2, 1): _metrics_2_1,
        (3, 0): _metrics_3_0,
    }[revision](gpu)
    return table(revision, fields)


def _metrics_dgpu(gpu):
    """The fields that v1.0 and v1.3 share."""
    sensors = gpu.sensors
    return {
        "temperature_edge": sensors.edge,
        "temperature_hotspot": sensors.junction,
        "temperature_mem": sensors.memory,
        "average_gfx_activity": sensors.busy,
        "average_umc_activity": sensors.memory_busy or 0,
        "average_mm_activity": 0,
        "average_socket_power": sensors.watts,
        "system_clock_counter": 5_161_204_310_221,
        "average_gfxclk_frequency": sensors.sclk,
        "average_socclk_frequency": sensors.socclk,
        "average_uclk_frequency": sensors.mclk,
        "current_gfxclk": sensors.sclk,
        "current_socclk": sensors.socclk,
        "current_uclk": sensors.mclk,
        "throttle_status": 0,
    }


def _metrics_1_0(gpu):
    return _metrics_dgpu(gpu) | {
        "current_fan_speed": gpu.sensors.fan_rpm or 0,
        "pcie_link_width": gpu.link_width,
        "pcie_link_speed": _tenths(gpu.link_speed) & 0xFF,
    }


def _metrics_1_3(gpu):
    fields = _metrics_1_0(gpu) | {
        "pcie_link_speed": _tenths(gpu.link_speed),
        "firmware_timestamp": 516_120_431_022,
        "energy_accumulator": 6_771_204_402,
        "indep_throttle_status": 0,
    }
    if gpu.sensors.millivolts is not None:
        fields["voltage_gfx"] = gpu.sensors.millivolts
    if gpu.product.ras:
        fields |= {
            "temperature_hbm": [gpu.sensors.memory] * 4,
            "energy_accumulator": 91_220_417_337,
        }
    if gpu.is_secondary_die:
        fields |= {"average_socket_power": 0, "energy_accumulator": 0}
    return fields


def _metrics_mi300(gpu):
    sensors, count = gpu.sensors, len(gpu.hive_gpus) or 1
    return {
        "temperature_hotspot": sensors.junction,
        "temperature_mem": sensors.memory,
        "temperature_vrsoc": sensors.junction + 3,
        "curr_socket_power": sensors.watts,
        "average_gfx_activity": sensors.busy,
        "average_umc_activity": sensors.memory_busy or 0,
        "energy_accumulator": 1_904_331_208_114,
        "system_clock_counter": 902_116_204_310_221,
        "accumulation_counter": 901_884_410,
        "prochot_residency_acc": 0,
        "ppt_residency_acc": 0,
        "socket_thm_residency_acc": 0,
        "vr_thm_residency_acc": 0,
        "hbm_thm_residency_acc": 0,
        "gfxclk_lock_status": 0,
        "pcie_link_width": gpu.link_width,
        "pcie_link_speed": _tenths(gpu.link_speed),
        "xgmi_link_width": 16,
        "xgmi_link_speed": 32,
        "pcie_l0_to_recov_count_acc": 0,
        "pcie_replay_count_acc": gpu.replays or 0,
        "pcie_replay_rover_count_acc": 0,
        "xgmi_read_data_acc": [0] * count,
        "xgmi_write_data_acc": [0] * count,
        "firmware_timestamp": 90_188_441_027_100,
        "current_gfxclk": [sensors.sclk] * gpu.product.xccs,
        "current_socclk": [sensors.socclk] * 4,
        "current_uclk": sensors.mclk,
        "num_partition": gpu.partition_count,
    }


def _metrics_2_1(gpu):
    """Temperatures in hundredths of a degree, power in milliwatts."""
    sensors = gpu.sensors
    return {
        "temperature_gfx": sensors.edge * 100,
        "temperature_soc": sensors.edge * 100 - 120,
        "average_gfx_activity": sensors.busy * 100,
        "average_mm_activity": 0,
        "system_clock_counter": 4_161_204_310_221,
        "average_socket_power": sensors.watts * 1000,
        "current_gfxclk": sensors.sclk,
        "current_socclk": sensors.socclk,
        "current_uclk": sensors.mclk,
        "current_fclk": sensors.fclk,
        "throttle_status": 0,
    }


def _metrics_3_0(gpu):
    """Temperatures in hundredths of a degree, power in milliwatts."""
    sensors = gpu.sensors
    return {
        "temperature_gfx": sensors.edge * 100,
        "temperature_soc": sensors.edge * 100 - 85,
        "temperature_core": [sensors.edge * 100 + 210 + 10 * core for core in range(16)],
        "temperature_skin": 3150,
        "average_gfx_activity": sensors.busy,
        "average_vcn_activity": 0,
        "average_ipu_activity": [0] * 8,
        "average_dram_reads": 812,
        "average_dram_writes": 240,
        "system_clock_counter": 6_161_204_310_221,
        "average_socket_power": sensors.watts * 1000,
        "average_apu_power": sensors.watts * 1000,
        "average_gfx_power": 640,
        "average_gfxclk_frequency": sensors.sclk,
        "average_socclk_frequency": sensors.socclk,
        "average_fclk_frequency": sensors.fclk,
        "average_uclk_frequency": sensors.mclk,
        "current_gfx_maxfreq": gpu.product.engine_mhz,
        "throttle_residency_prochot": 0,
        "throttle_residency_thm_gfx": 0,
        "throttle_residency_thm_soc": 0,
    }


def _tenths(speed):
    """A link speed in the 0.1 GT/s of gpu_metrics."""
    return 0 if speed == "Unknown" else round(float(speed) * 10)
