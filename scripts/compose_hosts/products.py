"""The GPUs our hosts are built of: identity and shape of each product, and how it reports.

Identities are public (libdrm's amdgpu.ids, pci.ids); clocks, temperatures, firmware and board
numbers are plausible values of our own.
"""

from dataclasses import dataclass, field, replace

GIB = 1 << 30
DISPLAY, OTHER_DISPLAY, ACCELERATOR = 0x030000, 0x038000, 0x120000

# Ports of the switch inside a card (upstream, downstream), as pci.ids names them.
VEGA10_SWITCH = ((0x1002, 0x1470), (0x1002, 0x1471))
VEGA20_SWITCH = ((0x1002, 0x14A0), (0x1002, 0x14A1))
NAVI_SWITCH = ((0x1002, 0x1478), (0x1002, 0x1479))


@dataclass(frozen=True)
class Idle:
    """What the sensors of a product say at rest; hosts change single values."""

    edge: int | None = 38  # degrees Celsius
    junction: int | None = 42
    memory: int | None = 44
    watts: int = 20
    sclk: int = 31  # MHz
    mclk: int = 96
    socclk: int = 500
    fclk: int = 500
    fan_rpm: int | None = 0
    pwm: int = 0
    millivolts: int | None = 700
    busy: int = 0
    memory_busy: int | None = 0


@dataclass(frozen=True)
class Product:
    name: str  # of the board
    gfx: int  # KFD's gfx_target_version
    device: int
    revision: int
    cus: int
    array_count: int
    arrays_per_engine: int
    cus_per_array: int
    vram: int
    memory_bits: int
    memory_mhz: int
    engine_mhz: int
    caches: tuple  # (level, KiB, line size)
    metrics: tuple | None  # revision of gpu_metrics
    pci_class: int = DISPLAY
    simd_per_cu: int = 2
    wave: int = 32
    waves_per_simd: int = 16
    capability: int = 0x2807A280
    debug_prop: int = 1495
    mec_firmware: int = 2140
    sdma_firmware: int = 20
    sdma_engines: int = 2
    sdma_xgmi_engines: int = 0
    sdma_queues: int = 6
    cp_queues: int = 8
    xccs: int = 1
    kfd_name: str = "ip discovery"
    switch: tuple | None = NAVI_SWITCH
    audio: int | None = 0xAB30
    is_apu: bool = False
    has_unique_id: bool = True
    ras: bool = False
    xgmi: bool = False
    partitions: tuple = ()  # compute modes the board offers
    critical: tuple = (100, 110, 108)  # edge, junction, memory; None: not reported
    cap_watts: tuple | None = None  # least, default, most
    power_file: str = "power1_average"
    clock_tables: dict = field(default_factory=dict)
    firmware: dict = field(default_factory=dict)
    vbios: str | None = None
    memory_vendor: str | None = None
    board: tuple | None = None  # product_name, product_number; the serial number is the host's
    bar2: int = 256 << 20
    resize_mask: int = 0  # bit n: BAR 0 can be 2^n MiB
    idle: Idle = Idle()

    @property
    def is_client_apu(self):
        """An APU with display; MI300A reports like the other Instincts."""
        return self.is_apu and not self.partitions


_GFX11_FIRMWARE = {
    "asd": 0x210000E1,
    "imu": 0x0B1F4C00,
    "me": 0x000009A6,
    "mec": 0x000009B0,
    "mes": 0x00000074,
    "mes_kiq": 0x0000006C,
    "pfp": 0x00000A1C,
    "rlc": 0x0000007B,
    "sdma": 0x00000018,
    "smc": 0x004E8100,
    "sos": 0x00310024,
    "ta_ras": 0x1B00013E,
    "ta_xgmi": 0x2000000F,
    "vcn": 0x0911A00C,
}
_APU_FIRMWARE = {
    "asd": 0x21000104,
    "dmcub": 0x09003500,
    "imu": 0x0B352300,
    "me": 0x00000022,
    "mec": 0x00000021,
    "mes": 0x00000080,
    "mes_kiq": 0x0000006F,
    "pfp": 0x0000002E,
    "rlc": 0x11530506,
    "sdma": 0x0000000F,
    "smc": 0x06640700,
    "vcn": 0x0911801B,
}
_GFX9_FIRMWARE = {
    "asd": 0x210000B4,
    "ce": 0x00000000,
    "mc": 0x00000000,
    "me": 0x00000000,
    "mec": 0x00000058,
    "mec2": 0x00000058,
    "pfp": 0x00000000,
    "rlc": 0x00000019,
    "sdma": 0x00000009,
    "sdma2": 0x00000009,
    "smc": 0x00443A00,
    "sos": 0x00270082,
    "ta_ras": 0x1B00013E,
    "ta_xgmi": 0x2000000F,
    "vcn": 0x0211B000,
}

_NAVI31_CLOCKS = {
    "pp_dpm_sclk": ["0: 500Mhz", "1: 31Mhz *", "2: 2330Mhz"],
    "pp_dpm_mclk": ["0: 96Mhz *", "1: 456Mhz ", "2: 772Mhz ", "3: 1249Mhz "],
    "pp_dpm_fclk": ["0: 500Mhz *", "1: 1800Mhz "],
    "pp_dpm_socclk": ["0: 500Mhz *", "1: 1500Mhz "],
    "pp_dpm_pcie": ["0: 2.5GT/s, x16 310Mhz ", "1: 16.0GT/s, x16 619Mhz "],
}

RX_7900_XT = Product(
    "Radeon RX 7900 XT",
    110000,
    0x744C,
    0xCC,
    84,
    12,
    2,
    8,
    21458059264,
    320,
    1249,
    2330,
    ((1, 32, 128), (1, 16, 64), (1, 256, 128), (2, 6144, 128), (3, 81920, 64)),
    (1, 3),
    cap_watts=(239, 265, 304),
    clock_tables=_NAVI31_CLOCKS,
    firmware=_GFX11_FIRMWARE,
    vbios="113-D7020100-102",
    memory_vendor="hynix",
    resize_mask=0xFF00,
)
RX_7900_XTX = replace(
    RX_7900_XT,
    name="Radeon RX 7900 XTX",
    revision=0xC8,
    cus=96,
    vram=25753026560,
    memory_bits=384,
    engine_mhz=2482,
    cap_watts=(273, 303, 348),
    caches=((1, 32, 128), (1, 16, 64), (1, 256, 128), (2, 6144, 128), (3, 98304, 64)),
    vbios="113-D7020100-103",
    memory_vendor="samsung",
    clock_tables=_NAVI31_CLOCKS | {"pp_dpm_sclk": ["0: 500Mhz", "1: 31Mhz *", "2: 2482Mhz"]},
)
RX_7600 = replace(
    RX_7900_XT,
    name="Radeon RX 7600",
    gfx=110002,
    device=0x7480,
    revision=0xCF,
    cus=32,
    array_count=4,
    cus_per_array=8,
    vram=8573157376,
    memory_bits=128,
    memory_mhz=1124,
    engine_mhz=2755,
    caches=((1, 32, 128), (1, 16, 64), (1, 256, 128), (2, 2048, 128), (3, 32768, 64)),
    cap_watts=(130, 145, 163),
    resize_mask=0x3F00,
    vbios="113-D70801-100",
    capability=0x2807A280,
    has_unique_id=True,
    clock_tables=_NAVI31_CLOCKS
    | {
        "pp_dpm_sclk": ["0: 500Mhz", "1: 18Mhz *", "2: 2755Mhz"],
        "pp_dpm_mclk": ["0: 96Mhz *", "1: 456Mhz ", "2: 772Mhz ", "3: 1124Mhz "],
        "pp_dpm_pcie": ["0: 2.5GT/s, x8 310Mhz ", "1: 16.0GT/s, x8 619Mhz "],
    },
)
RX_7600M_XT = replace(
    RX_7600,
    name="Radeon RX 7600M XT",
    revision=0xC7,
    cap_watts=(95, 120, 120),
    vbios="113-BRT129778.001",
    has_unique_id=True,
)
RX_6800_XT = replace(
    RX_7900_XT,
    name="Radeon RX 6800 XT",
    gfx=100300,
    device=0x73BF,
    revision=0xC1,
    cus=72,
    array_count=8,
    cus_per_array=10,
    vram=17163091968,
    memory_bits=256,
    memory_mhz=1000,
    engine_mhz=2575,
    caches=((1, 16, 128), (1, 16, 64), (1, 128, 128), (2, 4096, 128), (3, 131072, 64)),
    capability=0x2803A280,
    mec_firmware=104,
    sdma_firmware=81,
    sdma_engines=4,
    sdma_queues=8,
    kfd_name="sienna_cichlid",
    audio=0xAB28,
    cap_watts=(0, 255, 293),
    critical=(100, 110, 100),
    vbios="113-D4120100-101",
    memory_vendor="samsung",
    resize_mask=0x7F00,
    idle=Idle(sclk=500, mclk=96, socclk=480, memory=42, watts=17),
    firmware={
        "asd": 0x21000095,
        "ce": 0x25,
        "me": 0x40,
        "mec": 0x68,
        "mec2": 0x68,
        "pfp": 0x5F,
        "rlc": 0x5F,
        "sdma": 0x51,
        "sdma2": 0x51,
        "smc": 0x003A5600,
        "sos": 0x00210C67,
        "ta_ras": 0x1B00013E,
        "ta_xgmi": 0x2000000D,
        "vcn": 0x0211B000,
    },
    clock_tables={
        "pp_dpm_sclk": ["0: 500Mhz *", "1: 2575Mhz "],
        "pp_dpm_mclk": ["0: 96Mhz *", "1: 456Mhz ", "2: 673Mhz ", "3: 1000Mhz "],
        "pp_dpm_fclk": ["0: 500Mhz *", "1: 1302Mhz ", "2: 1941Mhz "],
        "pp_dpm_socclk": ["0: 480Mhz *", "1: 800Mhz ", "2: 1200Mhz "],
        "pp_dpm_pcie": ["0: 2.5GT/s, x1 310Mhz ", "1: 16.0GT/s, x16 619Mhz "],
    },
)
RX_9070_XT = replace(
    RX_7900_XT,
    name="Radeon RX 9070 XT",
    gfx=120001,
    device=0x7550,
    revision=0xC0,
    cus=64,
    array_count=8,
    cus_per_array=8,
    vram=17095983104,
    memory_bits=256,
    memory_mhz=1258,
    engine_mhz=2970,
    caches=((1, 32, 256), (1, 16, 64), (2, 8192, 256), (3, 65536, 256)),
    mec_firmware=109,
    sdma_firmware=858,
    sdma_queues=8,
    audio=0xAB40,
    cap_watts=(0, 304, 340),
    critical=(110, 110, 108),
    vbios="113-EXT109069-100",
    memory_vendor="hynix",
    resize_mask=0x7F00,
    idle=Idle(sclk=19, mclk=96, socclk=417, memory=50, watts=22),
    firmware={
        "asd": 0x210000F2,
        "imu": 0x0C000900,
        "me": 0x0A6E,
        "mec": 0x0A8C,
        "mes": 0x84,
        "mes_kiq": 0x7B,
        "pfp": 0x0B0A,
        "rlc": 0x11410560,
        "sdma": 0x0067B7B8,
        "smc": 0x00684C00,
        "sos": 0x003A0F65,
        "ta_ras": 0x1B000203,
        "vcn": 0x0911B00C,
    },
    clock_tables={
        "pp_dpm_sclk": ["S: 19Mhz *", "0: 500Mhz", "1: 2970Mhz"],
        "pp_dpm_mclk": [
            "0: 96Mhz *",
            "1: 456Mhz ",
            "2: 772Mhz ",
            "3: 875Mhz ",
            "4: 1124Mhz ",
            "5: 1258Mhz ",
        ],
        "pp_dpm_socclk": ["0: 417Mhz *", "1: 1280Mhz", "2: 1476Mhz"],
        "pp_dpm_pcie": ["0: 2.5GT/s, x16 250Mhz ", "1: 32.0GT/s, x16 1143Mhz "],
    },
)

MI25 = Product(
    "Radeon Instinct MI25",
    90000,
    0x6860,
    0x01,
    64,
    4,
    1,
    16,
    17163091968,
    2048,
    945,
    1500,
    ((1, 16, 64), (1, 32, 64), (2, 4096, 64)),
    None,
    OTHER_DISPLAY,
    4,
    64,
    10,
    0x2280,
    0,
    421,
    410,
    sdma_queues=2,
    cp_queues=24,
    kfd_name="vega10",
    switch=VEGA10_SWITCH,
    audio=None,
    critical=(85, 105, 95),
    cap_watts=(0, 220, 220),
    vbios="113-D0513700-001",
    memory_vendor="samsung",
    idle=Idle(36, 37, 38, 9, 852, 167, 600, 600, None, 0, 762, 0, None),
    clock_tables={
        "pp_dpm_sclk": [
            "0: 852Mhz *",
            "1: 991Mhz ",
            "2: 1084Mhz ",
            "3: 1138Mhz ",
            "4: 1200Mhz ",
            "5: 1401Mhz ",
            "6: 1440Mhz ",
            "7: 1500Mhz ",
        ],
        "pp_dpm_mclk": ["0: 167Mhz *", "1: 500Mhz ", "2: 800Mhz ", "3: 945Mhz "],
        "pp_dpm_socclk": ["0: 600Mhz *", "1: 720Mhz ", "2: 847Mhz ", "3: 960Mhz "],
        "pp_dpm_pcie": ["0: 8.0GT/s, x16 ", "1: 8.0GT/s, x16 "],
    },
)
RADEON_VII = replace(
    MI25,
    name="Radeon VII",
    gfx=90006,
    device=0x66AF,
    revision=0xC1,
    cus=60,
    cus_per_array=16,
    vram=17163091968,
    memory_bits=4096,
    memory_mhz=1000,
    engine_mhz=1801,
    pci_class=DISPLAY,
    metrics=(1, 0),
    kfd_name="vega20",
    switch=VEGA20_SWITCH,
    audio=0xAB20,
    mec_firmware=471,
    sdma_firmware=145,
    sdma_queues=8,
    capability=0x2C37A280,
    debug_prop=470,
    critical=(100, 118, 105),
    cap_watts=(0, 250, 300),
    vbios="113-D3600200-106",
    memory_vendor="hynix",
    idle=Idle(33, 34, 35, 21, 808, 350, 309, 550, 0),
    firmware=_GFX9_FIRMWARE,
    clock_tables={
        "pp_dpm_sclk": ["0: 701Mhz ", "1: 808Mhz *", "2: 1801Mhz "],
        "pp_dpm_mclk": ["0: 350Mhz *", "1: 800Mhz ", "2: 1000Mhz "],
        "pp_dpm_fclk": ["0: 550Mhz *", "1: 1226Mhz "],
        "pp_dpm_socclk": ["0: 309Mhz *", "1: 523Mhz ", "2: 1028Mhz "],
        "pp_dpm_pcie": ["0: 2.5GT/s, x16 ", "1: 8.0GT/s, x16 "],
    },
)
MI50 = replace(
    RADEON_VII,
    name="Radeon Instinct MI50",
    device=0x66A1,
    revision=0x02,
    audio=None,
    pci_class=OTHER_DISPLAY,
    engine_mhz=1725,
    cap_watts=(0, 225, 225),
    vbios="113-D1631700-111",
    xgmi=True,
    ras=True,
    memory_vendor="samsung",
)

MI210 = Product(
    "Instinct MI210",
    90010,
    0x740F,
    0x02,
    104,
    8,
    1,
    14,
    68702699520,
    4096,
    1600,
    1700,
    ((1, 16, 64), (1, 16, 64), (2, 8192, 128)),
    (1, 3),
    OTHER_DISPLAY,
    4,
    64,
    8,
    0x2C77A280,
    470,
    92,
    9,
    2,
    3,
    8,
    24,
    switch=VEGA20_SWITCH,
    audio=None,
    ras=True,
    xgmi=True,
    critical=(100, 105, 105),
    cap_watts=(0, 300, 300),
    vbios="113-D67301-063",
    memory_vendor="samsung",
    firmware=_GFX9_FIRMWARE | {"smc": 0x00443A00},
    idle=Idle(37, 39, 41, 42, 800, 400, 1000, 400, None, 0, 793),
    clock_tables={
        "pp_dpm_sclk": ["0: 500Mhz ", "1: 800Mhz *", "2: 1700Mhz "],
        "pp_dpm_mclk": ["0: 400Mhz *", "1: 700Mhz ", "2: 1200Mhz ", "3: 1600Mhz "],
        "pp_dpm_fclk": ["0: 400Mhz *", "1: 700Mhz ", "2: 1200Mhz ", "3: 1600Mhz "],
        "pp_dpm_socclk": ["0: 667Mhz ", "1: 800Mhz ", "2: 933Mhz ", "3: 1000Mhz *"],
    },
)
MI250X = replace(
    MI210,
    name="Instinct MI250X",
    device=0x7408,
    revision=0x00,
    cus=110,
    cus_per_array=14,
    sdma_xgmi_engines=3,
    cap_watts=(0, 560, 560),
    vbios="113-D65201-046",
    switch=None,
    kfd_name="aldebaran",
    memory_vendor="hynix",
)
MI100 = replace(MI210, name="Instinct MI100", gfx=90008, device=0x738C, revision=0x01)

_MI300_CLOCKS = {
    "pp_dpm_sclk": ["S: 132Mhz *", "0: 500Mhz ", "1: 2100Mhz "],
    "pp_dpm_mclk": ["0: 900Mhz *", "1: 1100Mhz ", "2: 1200Mhz ", "3: 1300Mhz "],
    "pp_dpm_fclk": ["0: 1200Mhz *", "1: 1600Mhz ", "2: 1900Mhz ", "3: 2100Mhz "],
    "pp_dpm_socclk": ["S: 28Mhz *", "0: 952Mhz ", "1: 1111Mhz ", "2: 1250Mhz "],
}
_MI300_FIRMWARE = {
    "asd": 0x210000F4,
    "mec": 0x000000A3,
    "mec2": 0x000000A3,
    "rlc": 0x00000053,
    "sdma": 0x00000015,
    "sdma2": 0x00000015,
    "smc": 0x00556B00,
    "sos": 0x0036204F,
    "ta_ras": 0x1B000204,
    "ta_xgmi": 0x2000000F,
    "vcn": 0x0911801B,
}

MI300X = Product(
    "Instinct MI300X",
    90402,
    0x74A1,
    0x00,
    304,
    32,
    1,
    10,
    206141652992,
    8192,
    1300,
    2100,
    ((1, 32, 64), (1, 64, 64), (2, 4096, 128), (3, 262144, 64)),
    (1, 6),
    ACCELERATOR,
    4,
    64,
    8,
    0x2C77A280,
    1511,
    163,
    21,
    2,
    14,
    8,
    24,
    8,
    switch=None,
    audio=None,
    ras=True,
    xgmi=True,
    partitions=("SPX", "DPX", "QPX", "CPX"),
    critical=(None, 100, 105),
    cap_watts=(0, 750, 750),
    power_file="power1_input",
    vbios="113-M3000100-102",
    memory_vendor="hynix",
    board=("AMD Instinct MI300X OAM", "102-G30211-00"),
    clock_tables=_MI300_CLOCKS,
    firmware=_MI300_FIRMWARE,
    idle=Idle(None, 41, 34, 138, 132, 900, 28, 1200, None, 0, None),
)
MI300A = replace(
    MI300X,
    name="Instinct MI300A",
    device=0x74A0,
    cus=228,
    array_count=24,
    vram=128 * GIB,
    xccs=6,
    capability=0x3C77A280,
    is_apu=True,
    partitions=("SPX", "TPX", "CPX"),
    sdma_xgmi_engines=10,
    cap_watts=(0, 550, 550),
    vbios="113-MI3SRIOV-001",
    board=None,
    critical=(None, 100, 95),
    idle=Idle(None, 38, 33, 122, 132, 900, 28, 1200, None, 0, None),
)

RADEON_8060S = Product(
    "Radeon 8060S",
    110501,
    0x1586,
    0xC1,
    40,
    4,
    2,
    10,
    2 * GIB,
    256,
    1000,
    2900,
    ((1, 32, 128), (1, 16, 64), (1, 256, 128), (2, 2048, 128), (3, 32768, 64)),
    (3, 0),
    OTHER_DISPLAY,
    capability=0x2043A280,
    mec_firmware=33,
    sdma_firmware=15,
    sdma_engines=1,
    switch=None,
    audio=0x1640,
    is_apu=True,
    has_unique_id=False,
    critical=(None, None, None),
    power_file="both",
    vbios="113-STRXLGEN-001",
    bar2=2 << 20,
    firmware=_APU_FIRMWARE,
    idle=Idle(36, None, None, 11, 600, 1000, 600, 1200, None, 0, 712, 2, None),
    clock_tables={
        "pp_dpm_sclk": ["0: 600Mhz *", "1: 848Mhz ", "2: 2900Mhz "],
        "pp_dpm_mclk": ["0: 400Mhz ", "1: 800Mhz ", "2: 1000Mhz *"],
        "pp_dpm_fclk": ["0: 400Mhz ", "1: 1200Mhz *", "2: 2000Mhz "],
        "pp_dpm_socclk": ["0: 600Mhz *", "1: 736Mhz ", "2: 1261Mhz ", "3: 1472Mhz "],
        "pp_dpm_pcie": [""],
    },
)
RAPHAEL = replace(
    RADEON_8060S,
    name="Radeon Graphics (Raphael)",
    gfx=100306,
    device=0x164E,
    revision=0xC1,
    cus=2,
    array_count=1,
    arrays_per_engine=1,
    cus_per_array=2,
    vram=512 << 20,
    memory_bits=128,
    memory_mhz=2800,
    engine_mhz=2200,
    caches=((1, 16, 128), (1, 16, 64), (2, 256, 128)),
    metrics=(2, 1),
    pci_class=DISPLAY,
    capability=0x2083A280,
    mec_firmware=21,
    sdma_firmware=9,
    power_file="power1_input",
    vbios="102-RAPHAEL-008",
    idle=Idle(39, None, None, 24, 600, 2400, 1100, 1800, None, 0, 1302, 0, None),
    clock_tables={
        "pp_dpm_sclk": ["0: 400Mhz ", "1: 600Mhz *", "2: 2200Mhz "],
        "pp_dpm_mclk": ["0: 1800Mhz ", "1: 2400Mhz *"],
        "pp_dpm_fclk": ["0: 1000Mhz ", "1: 1800Mhz *"],
        "pp_dpm_socclk": ["0: 400Mhz ", "1: 1100Mhz *", "2: 1200Mhz "],
        "pp_dpm_pcie": [""],
    },
)
PHOENIX = replace(
    RAPHAEL,
    name="Radeon 780M",
    gfx=110003,
    device=0x15BF,
    revision=0xC1,
    cus=12,
    array_count=2,
    arrays_per_engine=2,
    cus_per_array=6,
    memory_mhz=800,
    engine_mhz=2700,
    capability=0x2A43A280,
    caches=((1, 32, 128), (1, 16, 64), (1, 256, 128), (2, 2048, 128)),
    mec_firmware=67,
    sdma_firmware=23,
    vbios="113-PHXGENERIC-001",
    idle=Idle(44, None, None, 7, 800, 800, 600, 800, None, 0, 731, 3, None),
    clock_tables={
        "pp_dpm_sclk": ["S: 19Mhz *", "0: 800Mhz ", "1: 1100Mhz ", "2: 2700Mhz "],
        "pp_dpm_mclk": ["0: 800Mhz *", "1: 1600Mhz ", "2: 2400Mhz ", "3: 2800Mhz "],
        "pp_dpm_fclk": ["0: 800Mhz *", "1: 1600Mhz ", "2: 2000Mhz "],
        "pp_dpm_socclk": ["0: 600Mhz *", "1: 900Mhz ", "2: 1200Mhz "],
        "pp_dpm_pcie": [""],
    },
)
CEZANNE = replace(
    RAPHAEL,
    name="Radeon Graphics (Cezanne)",
    gfx=90012,
    device=0x1638,
    revision=0xC9,
    cus=7,
    cus_per_array=8,
    simd_per_cu=4,
    wave=64,
    waves_per_simd=10,
    vram=2 * GIB,
    memory_mhz=1600,
    engine_mhz=1900,
    caches=((1, 16, 64), (1, 32, 64), (2, 1024, 64)),
    capability=0x2280,
    debug_prop=0,
    mec_firmware=471,
    sdma_firmware=40,
    sdma_queues=2,
    cp_queues=24,
    kfd_name="renoir",
    audio=0x1637,
    vbios="113-CEZANNE-018",
    firmware=_GFX9_FIRMWARE,
    idle=Idle(34, None, None, 5, 400, 1333, 400, 1333, None, 0, 850, 0, None),
    clock_tables={
        "pp_dpm_sclk": ["0: 200Mhz ", "1: 400Mhz *", "2: 1900Mhz "],
        "pp_dpm_mclk": ["0: 400Mhz ", "1: 1333Mhz *", "2: 1600Mhz "],
        "pp_dpm_fclk": ["0: 400Mhz ", "1: 1333Mhz *", "2: 1600Mhz "],
        "pp_dpm_socclk": ["0: 400Mhz *", "1: 975Mhz "],
        "pp_dpm_pcie": [""],
    },
)
