"""Desktops, workstations and laptops with Radeon cards and APUs."""

from dataclasses import replace

from . import driver, drm, layout, machine, pci, products, software, workers
from .compose import DEBIAN_BUILD, RENDER, compose, desktop, make_gpu
from .drm import Connector
from .machine import Cpu, User
from .pci import Link
from .tree import HostTree

THREADRIPPER = Cpu("AuthenticAMD", 25, 24, 1, "AMD Ryzen Threadripper 7960X 24-Cores", 5665)
RYZEN_7950X = Cpu("AuthenticAMD", 25, 97, 2, "AMD Ryzen 9 7950X 16-Core Processor", 5881)
RYZEN_5800X = Cpu("AuthenticAMD", 25, 33, 0, "AMD Ryzen 7 5800X 8-Core Processor", 4850)
RYZEN_7840HS = Cpu("AuthenticAMD", 25, 116, 1, "AMD Ryzen 7 7840HS w/ Radeon 780M Graphics", 5137)
STRIX_HALO = Cpu("AuthenticAMD", 26, 112, 0, "AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", 5187)

IDS = [
    (0x744C, 0xC8, "AMD Radeon RX 7900 XTX"),
    (0x744C, 0xCC, "AMD Radeon RX 7900 XT"),
    (0x744C, 0xCE, "AMD Radeon RX 7900 GRE"),
    (0x7480, 0xC7, "AMD Radeon RX 7600M XT"),
    (0x7480, 0xCF, "AMD Radeon RX 7600"),
    (0x7550, 0xC0, "AMD Radeon RX 9070 XT"),
    (0x164E, 0xD8, "AMD Radeon 610M"),
]


_X16 = Link("16.0", 16)
_IDLE_X16 = Link("2.5", 16, "16.0")
_TOWER = ("ASUSTeK COMPUTER INC.", "Pro WS TRX50-SAGE WIFI", "1106", "11/07/2024")
_BOARD = ("Gigabyte Technology Co., Ltd.", "X670E AORUS MASTER", "F33", "04/18/2025")
_DISPLAYS = (
    Connector("DP-1", "connected"),
    Connector("DP-2"),
    Connector("DP-3"),
    Connector("HDMI-A-1"),
)
_HEADLESS = (Connector("DP-4"), Connector("DP-5"), Connector("DP-6"), Connector("HDMI-A-2"))


def rx7900xt_x2():
    name = "rx7900xt-x2"
    box = desktop("forge", THREADRIPPER, 24, 128, _TOWER, numa_balancing=0)
    product = products.RX_7900_XT
    first = make_gpu(
        name,
        product,
        layout.slot(
            "0000:00:01.1",
            0x03,
            layout.GENOA_PORT,
            _X16,
            product.switch,
            numa_node=0,
            iommu_group=18,
        ),
        card=1,
        render=128,
        hwmon=5,
        boot_vga=1,
        connectors=_DISPLAYS,
        vram_used=1_388_244_992,
        idle=replace(
            product.idle,
            edge=46,
            junction=52,
            memory=62,
            watts=41,
            sclk=62,
            mclk=772,
            busy=3,
            memory_busy=4,
            fan_rpm=0,
            millivolts=698,
        ),
        subsystem=(0x1EAE, 0x7901),
    )
    second = make_gpu(
        name,
        product,
        layout.slot(
            "0000:c0:01.1",
            0xC3,
            layout.GENOA_PORT,
            _X16,
            product.switch,
            numa_node=0,
            iommu_group=41,
        ),
        card=2,
        render=129,
        hwmon=6,
        boot_vga=0,
        connectors=_HEADLESS,
        vram_used=27_467_776,
        subsystem=(0x1EAE, 0x7901),
    )
    first = _busy_table(
        first,
        {
            "pp_dpm_sclk": ["0: 500Mhz", "1: 62Mhz *", "2: 2330Mhz"],
            "pp_dpm_mclk": ["0: 96Mhz ", "1: 456Mhz ", "2: 772Mhz *", "3: 1249Mhz "],
        },
    )
    shell = driver.Process(2811, "gnome-shell", vram={}, clients=((first.place.address, 412_160),))
    tree = compose(
        name, "dual Radeon RX 7900 XT workstation", box, [first, second], processes=(shell,)
    )
    prefix = software.rocm(tree, "6.3.0", targets=("gfx1030", "gfx1100", "gfx90a", "gfx942"))
    software.default_rocm(tree, prefix)
    software.loader(tree, ["/opt/rocm/lib", "/opt/rocm/lib64"])
    software.dpkg(tree, software.rocm_packages("6.3.0"))
    _pytorch_venv(tree)
    software.amdgpu_ids(tree, IDS)
    tree.env("PATH", "/home/user/venv/bin:/usr/local/bin:/usr/bin:/bin:/opt/rocm/bin")
    tree.env("HSA_ENABLE_SDMA", "0")
    software.caches(tree, "/home/user", "gfx110054", 1000)
    return tree


def _busy_table(gpu, tables):
    return replace(
        gpu, product=replace(gpu.product, clock_tables=gpu.product.clock_tables | tables)
    )


def _pytorch_venv(tree, prefix="/home/user/venv"):
    """PyTorch 2.5.1 for ROCm 6.2, with its bundled runtime, in the active environment."""
    tree.env("VIRTUAL_ENV", prefix)
    site = software.venv(tree, prefix)
    software.torch(
        tree,
        site,
        "2.5.1+rocm6.2",
        "6.2.41133-dd7f95766",
        requires=("filelock", 'pytorch-triton-rocm (==3.1.0) ; platform_system == "Linux"'),
        libraries=(
            "libamdhip64.so",
            "libhsa-runtime64.so",
            "librccl.so",
            "librocblas.so",
            "libhipblaslt.so",
        ),
    )
    software.wheel(tree, site, "pytorch_triton_rocm", "3.1.0")
    software.wheel(tree, site, "numpy", "2.1.2")


def rx7900xt():
    name = "rx7900xt"
    box = desktop(
        "anvil",
        RYZEN_5800X,
        8,
        32,
        ("Micro-Star International Co., Ltd.", "MS-7C91", "A.J0", "07/11/2024"),
        kernel="6.8.0-71-generic",
    )
    product = products.RX_7900_XT
    gpu = make_gpu(
        name,
        product,
        layout.slot(
            "0000:00:03.1", 0x0C, layout.ROME_PORT, _IDLE_X16, product.switch, iommu_group=17
        ),
        card=0,
        render=128,
        hwmon=3,
        boot_vga=1,
        connectors=_DISPLAYS,
        vram_used=903_471_104,
        subsystem=(0x1DA2, 0xE471),
    )
    tree = compose(
        name, "one Radeon RX 7900 XT, idle, so its slot is at 2.5 of 16 GT/s", box, [gpu]
    )
    prefix = software.rocm(tree, "6.3.0", targets=("gfx1100",))
    tree.link("/opt/rocm", prefix)
    software.loader(tree, ["/opt/rocm-6.3.0/lib"])
    software.dpkg(tree, software.rocm_packages("6.3.0"))
    return tree


def strix_halo():
    name = "strix-halo"
    kernel = "6.16.8-200.fc42.x86_64"
    box = desktop(
        "halo",
        STRIX_HALO,
        16,
        126,
        ("Framework", "Desktop (AMD Ryzen AI Max 300 Series)", "03.02", "06/20/2025"),
        kernel=kernel,
        distribution="fedora-42",
        build="(mockbuild@c3f4a1d2) (gcc (GCC) 15.2.1 20250808 (Red Hat 15.2.1-1), GNU ld "
        "version 2.44-6.fc42) #1 SMP PREEMPT_DYNAMIC Thu Sep 18 16:30:01 UTC 2025",
        cmdline=f"BOOT_IMAGE=(hd0,gpt2)/vmlinuz-{kernel} root=UUID=0b7a ro rootflags=subvol=root "
        "rhgb quiet ttm.pages_limit=27648000 amd_iommu=off",
    )
    product = products.RADEON_8060S
    place = layout.slot("0000:00:08.1", 0xC1, (0x1022, 0x1508), _X16)
    gtt = 27_648_000 * 4096
    gpu = make_gpu(
        name,
        product,
        place,
        card=1,
        render=128,
        hwmon=7,
        subsystem=(0xF111, 0x000A),
        gtt_total=gtt,
        vram_used=341_180_416,
        connectors=(
            Connector("HDMI-A-1", "connected"),
            Connector("DP-1"),
            Connector("DP-2"),
            Connector("Writeback-1", "unknown"),
        ),
    )
    tree = compose(
        name,
        "Ryzen AI Max+ 395 desktop with 128 GB, GPU memory raised to 105 GiB by " "ttm.pages_limit",
        box,
        [gpu],
    )
    for parameter in ("page_pool_size", "pages_limit"):
        tree.remove(f"/sys/module/ttm/parameters/{parameter}")
        tree.file(f"/sys/module/ttm/parameters/{parameter}", 27_648_000)
    _strix_software(tree)
    return tree


def _strix_software(tree):
    """Fedora's own ROCm packages and a venv with TheRock wheels."""
    software.shared_libraries(
        tree,
        "/usr/lib64",
        {
            "libamdhip64": "6.3.42134",
            "libhsa-runtime64": "1.14.0",
            "librocm_smi64": "7.4",
            "librocblas": "4.3",
            "libhipblaslt": "0.10",
        },
        development=False,
    )
    tree.file("/etc/ld.so.conf", "include ld.so.conf.d/*.conf")
    tree.listed("/etc/ld.so.cache")
    tree.env("VIRTUAL_ENV", "/home/user/llm")
    site = software.venv(tree, "/home/user/llm")
    software.torch(
        tree, site, "2.9.1+rocm7.11.0", "7.11.51840", requires=("rocm[libraries]==7.11.0",)
    )
    software.wheel(tree, site, "rocm_sdk_core", "7.11.0")
    software.wheel(tree, site, "rocm_sdk_libraries_gfx1151", "7.11.0")
    software.shared_libraries(
        tree,
        f"{site}/_rocm_sdk_core/lib",
        {"libamdhip64": "7.11.51840", "libhsa-runtime64": "1.18.0"},
        development=False,
    )
    software.shared_libraries(
        tree,
        f"{site}/_rocm_sdk_libraries_gfx1151/lib",
        {"librocblas": "5.2", "libhipblaslt": "1.2"},
        development=False,
    )


def broken_permissions():
    name = "broken-permissions"
    outsider = User("user", 1000, (1000, 4, 24, 27))
    box = desktop(
        "locked",
        RYZEN_5800X,
        8,
        32,
        ("ASRock", "B550M Steel Legend", "P3.40", "01/18/2024"),
        user=outsider,
        groups={"render": (RENDER, "")},
    )
    product = products.RX_7900_XTX
    gpu = make_gpu(
        name,
        product,
        layout.slot("0000:00:03.1", 0x0B, layout.ROME_PORT, _X16, product.switch, iommu_group=15),
        card=0,
        render=128,
        hwmon=4,
        boot_vga=1,
        connectors=_DISPLAYS,
        vram_used=722_468_864,
        subsystem=(0x1002, 0x0E3B),
    )
    tree = compose(
        name,
        "a user who is in neither group render nor video: /dev/kfd and " "renderD128 are refused",
        box,
        [gpu],
        devices={"kfd_error": "EACCES", "render_error": "EACCES"},
    )
    tree.error("/sys/kernel/debug", "EACCES")
    prefix = software.rocm(tree, "6.3.0", targets=("gfx1030", "gfx1100"))
    software.default_rocm(tree, prefix)
    software.loader(tree, ["/opt/rocm/lib", "/opt/rocm/lib64"])
    return tree


def igpu_and_dgpu():
    name = "igpu-and-dgpu"
    box = desktop("duo", RYZEN_7950X, 16, 64, _BOARD)
    card, small = products.RX_7900_XTX, products.RAPHAEL
    first = make_gpu(
        name,
        card,
        layout.slot("0000:00:01.1", 0x03, layout.RAPHAEL_PORT, _X16, card.switch, iommu_group=13),
        card=1,
        render=128,
        hwmon=4,
        boot_vga=1,
        connectors=_DISPLAYS,
        vram_used=1_022_164_992,
        subsystem=(0x148C, 0x2422),
    )
    second = make_gpu(
        name,
        small,
        layout.slot("0000:00:08.1", 0x15, layout.INTERNAL_PORT, _X16, iommu_group=29),
        card=2,
        render=129,
        hwmon=5,
        boot_vga=0,
        connectors=(Connector("DP-4"), Connector("HDMI-A-2")),
        vram_used=14_147_584,
        subsystem=(0x1458, 0xD000),
    )
    tree = compose(
        name,
        "Ryzen desktop whose processor has graphics of its own beside a Radeon RX "
        "7900 XTX; HSA_OVERRIDE_GFX_VERSION is set for both",
        box,
        [first, second],
    )
    prefix = software.rocm(
        tree, "6.4.1", targets=("gfx1030", "gfx1100", "gfx1101", "gfx1200", "gfx1201")
    )
    software.default_rocm(tree, prefix)
    software.loader(tree, ["/opt/rocm/lib", "/opt/rocm/lib64"])
    _pytorch_venv(tree)
    tree.env("HSA_OVERRIDE_GFX_VERSION", "11.0.0")
    tree.env("HIP_VISIBLE_DEVICES", "0")
    software.amdgpu_ids(tree, IDS)
    return tree


def mixed_generations():
    name = "mixed-generations"
    box = desktop("lab", THREADRIPPER, 24, 96, _TOWER, kernel="6.11.0-29-generic", numa_balancing=0)
    places = (("0000:00:01.1", 0x04), ("0000:40:01.1", 0x44), ("0000:c0:01.1", 0xC4))
    models = (products.RADEON_VII, products.RX_6800_XT, products.RX_7600)
    links = (
        (Link("8.0", 16), None, None),
        (_IDLE_X16, None, None),
        (Link("16.0", 8), _X16, Link("16.0", 8, max_width=16)),
    )
    cards, connectors = (2, 0, 1), (_HEADLESS, _DISPLAYS, ())
    gpus = []
    for index, (model, (port, bus), ends) in enumerate(zip(models, places, links)):
        link, inner, port_link = ends
        place = layout.slot(
            port,
            bus,
            layout.GENOA_PORT,
            link,
            model.switch,
            inner,
            port_link,
            numa_node=0,
            iommu_group=16 + 11 * index,
        )
        gpus.append(
            make_gpu(
                name,
                model,
                place,
                card=cards[index],
                render=128 + cards[index],
                hwmon=4 + index,
                boot_vga=int(index == 1),
                connectors=connectors[index],
            )
        )
    gpus.sort(key=lambda gpu: gpu.card)
    tree = compose(
        name,
        "Radeon VII, RX 6800 XT and RX 7600 in one workstation; card numbers do "
        "not follow PCI addresses",
        box,
        gpus,
    )
    prefix = software.rocm(
        tree, "6.2.4", targets=("gfx1030", "gfx1100", "gfx906", "gfx908", "gfx90a")
    )
    tree.link("/opt/rocm", prefix)
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


def override_and_dispute():
    name = "override-and-dispute"
    box = desktop("masked", RYZEN_5800X, 8, 32, _BOARD)
    product = products.RX_7600
    gpu = make_gpu(
        name,
        product,
        layout.slot("0000:00:03.1", 0x0B, layout.ROME_PORT, Link("16.0", 8), product.switch, _X16),
        card=0,
        render=128,
        hwmon=4,
        boot_vga=1,
        connectors=_DISPLAYS,
    )
    tree = compose(
        name,
        "RX 7600 that HSA_OVERRIDE_GFX_VERSION calls another target, and of which "
        "GPU_MAX_HEAP_SIZE lets HIP see half the memory; answers of the libraries are composed, too",
        box,
        [gpu],
    )
    prefix = software.rocm(tree, "6.4.1", targets=("gfx1030", "gfx1100", "gfx1101"))
    software.default_rocm(tree, prefix)
    software.loader(tree, ["/opt/rocm/lib", "/opt/rocm/lib64"])
    software.amdgpu_ids(tree, IDS)
    tree.env("HSA_OVERRIDE_GFX_VERSION", "11.0.0")
    tree.env("GPU_MAX_HEAP_SIZE", "50")
    workers.hsa(tree, "6.4.1", [gpu], first_node=1, target="gfx1100")
    half = product.vram // 2
    workers.hip(tree, "6.4.1", "6.4.43483", [gpu], target="gfx1100", memory=half)
    workers.smi(tree, "6.4.1", [gpu])
    return tree


def laptop_suspended():
    name = "laptop-suspended"
    box = desktop(
        "traveller",
        RYZEN_7840HS,
        8,
        32,
        ("ASUSTeK COMPUTER INC.", "ROG Zephyrus G14 GA402NV", "GA402NV.313", "03/14/2025"),
    )
    card, small = products.RX_7600M_XT, products.PHOENIX
    asleep = Link("Unknown", 63)
    first = make_gpu(
        name,
        card,
        layout.slot(
            "0000:00:01.1",
            0x03,
            layout.PHOENIX_PORT,
            asleep,
            card.switch,
            asleep,
            Link("2.5", 0, "16.0", 8),
            iommu_group=12,
            power_state="D3cold",
        ),
        card=0,
        render=128,
        hwmon=5,
        runtime="suspended",
        boot_vga=0,
        subsystem=(0x1043, 0x1A2F),
        vram_used=14_176_256,
    )
    second = make_gpu(
        name,
        small,
        layout.slot("0000:00:08.1", 0x65, layout.INTERNAL_PORT, _X16, iommu_group=18),
        card=1,
        render=129,
        hwmon=6,
        boot_vga=1,
        connectors=(Connector("eDP-1", "connected"), Connector("DP-1")),
        vram_used=421_404_672,
        subsystem=(0x1043, 0x1A2F),
    )
    tree = compose(
        name,
        "laptop whose Radeon RX 7600M XT sleeps (D3cold) while the Radeon 780M of "
        "the processor drives the panel",
        box,
        [first, second],
    )
    software.loader(tree)
    return tree


def phoenix():
    """A mini PC as it comes: what its GPU may take is the half that the kernel gives it."""
    name = "phoenix"
    box = desktop(
        "cube",
        RYZEN_7840HS,
        8,
        64,
        ("Micro Computer (HK) Tech Limited", "UM780 XTX", "1.11", "05/16/2024"),
    )
    gpu = make_gpu(
        name,
        products.PHOENIX,
        layout.slot("0000:00:08.1", 0xC4, layout.INTERNAL_PORT, _X16, iommu_group=18),
        card=1,
        render=128,
        hwmon=4,
        boot_vga=1,
        connectors=(Connector("HDMI-A-1", "connected"), Connector("DP-1")),
        vram_used=118_407_168,
        subsystem=(0x1F4C, 0xB020),
    )
    tree = compose(
        name,
        "mini PC with a Radeon 780M and 64 GB, GPU memory at the kernel's default of half",
        box,
        [gpu],
    )
    software.loader(tree)
    return tree


def rx9070xt():
    name = "rx9070xt"
    cpu = Cpu("GenuineIntel", 6, 151, 5, "12th Gen Intel(R) Core(TM) i5-12400F", 4400)
    box = desktop(
        "ember",
        cpu,
        6,
        32,
        ("ASRock", "B760M Pro RS", "P13.04", "03/05/2025"),
        kernel="6.15.9-201.fc42.x86_64",
        distribution="fedora-42",
    )
    product = products.RX_9070_XT
    gpu = make_gpu(
        name,
        product,
        layout.slot(
            "0000:00:01.0", 0x03, (0x8086, 0x460D), Link("32.0", 16), product.switch, iommu_group=16
        ),
        card=1,
        render=128,
        hwmon=3,
        boot_vga=1,
        connectors=_DISPLAYS,
        vram_used=1_310_720_000,
        cap_watts=240,
        level="manual",
        subsystem=(0x148C, 0x2435),
    )
    tree = compose(
        name,
        "one Radeon RX 9070 XT whose owner lowered the power limit to 240 of 304 W",
        box,
        [gpu],
    )
    prefix = software.rocm(tree, "6.4.1", targets=("gfx1200", "gfx1201"))
    tree.link("/opt/rocm", prefix)
    software.loader(tree, ["/opt/rocm-6.4.1/lib"])
    software.amdgpu_ids(tree, IDS)
    return tree


def link_downtrained():
    name = "link-downtrained"
    box = desktop(
        "riser",
        RYZEN_5800X,
        8,
        64,
        ("ASUSTeK COMPUTER INC.", "ROG STRIX X570-E GAMING", "5021", "09/29/2024"),
    )
    product = products.RX_7900_XTX
    place = layout.slot(
        "0000:00:03.1",
        0x0B,
        layout.ROME_PORT,
        Link("8.0", 4, "16.0", 16),
        product.switch,
        iommu_group=17,
        upstream_errors=212,
    )
    gpu = make_gpu(
        name,
        product,
        place,
        card=0,
        render=128,
        hwmon=3,
        boot_vga=1,
        connectors=_DISPLAYS,
        vram_used=822_083_584,
        replays=41,
    )
    tree = compose(
        name,
        "one Radeon RX 7900 XTX on a poor riser: its slot runs 8 GT/s x4 while the "
        "GPU function itself says 16 GT/s x16",
        box,
        [gpu],
    )
    prefix = software.rocm(tree, "6.3.0", targets=("gfx1100",))
    tree.link("/opt/rocm", prefix)
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


def no_gpu():
    box = desktop(
        "plain",
        Cpu("GenuineIntel", 6, 154, 3, "12th Gen Intel(R) Core(TM) i5-1240P", 4400),
        12,
        16,
        ("LENOVO", "21CB000QGE", "N3AET77W (1.42 )", "12/27/2023"),
        kernel="6.1.0-38-amd64",
        distribution="debian-12",
        build=DEBIAN_BUILD,
        threads=1,
        user=User("user", 1000, (1000, 27)),
        groups={"render": (105, "")},
    )
    tree = HostTree("synthetic: a laptop with Intel graphics and no AMD GPU")
    machine.write(tree, box)
    place = pci.Place("pci0000:00", (), "0000:00:02.0", Link("Unknown", 0, "Unknown", 255), -1, 1)
    _intel_graphics(tree, place, box)
    pci.write_iommu(tree, [1], "DMA-FQ", box)
    tree.lines("/proc/modules", ["i915 3317760 41 - Live 0x0000000000000000"])
    tree.file("/sys/module/i915/initstate", "live")
    tree.device("/dev/dri/card0", 226, 0, owner="0:44")
    tree.device("/dev/dri/renderD128", 226, 128, owner="0:105", open_error="EACCES")
    software.loader(tree)
    software.dpkg(tree, [("libc6", "2.36-9+deb12u10"), ("python3", "3.11.2-1+b1")])
    tree.call_error("kernel-log", "EPERM")
    return tree


def _intel_graphics(tree, place, box):
    function = pci.Function(0x8086, 0x46A6, 0x0C, products.DISPLAY, (0x17AA, 0x22E7), "i915")
    pci.write_function(tree, place, function, box)
    tree.file(f"{place.directory}/boot_vga", 1)
    tree.file("/sys/class/drm/version", "drm 1.1.0 20060810")
    for name, minor in (("card0", 0), ("renderD128", 128)):
        drm.write_minor(tree, f"{place.directory}/drm/{name}", minor)
    path = f"{place.directory}/drm/card0/card0-eDP-1"
    tree.files(path, {"status": "connected", "enabled": "enabled"})
    tree.link_to("/sys/class/drm/card0-eDP-1", path)
