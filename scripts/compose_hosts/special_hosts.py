"""Hosts that are unusual: old kernels, other drivers, containers, WSL, many installations."""

from dataclasses import replace

from . import compose, drm, layout, machine, pci, products, software
from .compose import BOOT, DEBIAN_BUILD, desktop, make_gpu
from .drm import Connector
from .machine import Cpu, Machine, User
from .pci import Link
from .radeon_hosts import RYZEN_5800X, RYZEN_7950X
from .tree import HostTree

_GEN3, _GEN4 = Link("8.0", 16), Link("16.0", 16)
XEON = Cpu("GenuineIntel", 6, 79, 1, "Intel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz", 3500)


def old_kernel():
    """Linux 5.4: KFD prints neither gfx_target_version nor domain."""
    name = "old-kernel"
    kernel = "5.4.0-216-generic"
    box = Machine(
        "vega-rack",
        kernel,
        "(buildd@lcy02-amd64-001) (gcc version 7.5.0 (Ubuntu 7.5.0-3"
        "ubuntu1~18.04)) #236~18.04.1-Ubuntu SMP Fri Apr 11 19:53:21 UTC 2025",
        "ubuntu-18.04",
        XEON,
        128 * 1048576 - 2_100_204,
        14,
        2,
        1,
        2,
        ("Dell Inc.", "PowerEdge R730", "2.19.0", "12/12/2023"),
        BOOT.format(kernel, "intel_iommu=on"),
        User("user", 1000, (1000, 27, 44)),
        {"render": (109, "")},
        "performance",
        numa_balancing=1,
    )
    gpus = []
    slots = (
        (products.MI25, "0000:00:02.0", 0x05, 0),
        (products.MI25, "0000:00:03.0", 0x08, 0),
        (products.MI50, "0000:80:03.0", 0x85, 1),
    )
    for index, (product, port, bus, node) in enumerate(slots):
        place = layout.slot(
            port,
            bus,
            layout.XEON_PORT,
            _GEN3,
            product.switch,
            numa_node=node,
            iommu_group=24 + index,
        )
        gpus.append(
            make_gpu(
                name,
                _of_linux_5_4(product),
                place,
                card=index,
                render=128 + index,
                hwmon=2 + index,
                subsystem=(0x1002, 0x0C35),
                replays=0,
                visible_vram=1 << 28,
            )
        )
    tree = compose.compose(
        name,
        "two Radeon Instinct MI25 and one MI50 with Linux 5.4, whose KFD has "
        "no gfx_target_version and no domain",
        box,
        gpus,
        devices={"render_gid": 44},
        iommu="DMA",
    )
    for gpu in gpus:
        for newer in ("mem_info_preempt_used", "thermal_throttling_logging", "power_state"):
            tree.remove(f"{gpu.directory}/{newer}")
    software.rocm(tree, "5.2.3", targets=("gfx900", "gfx906"))
    tree.link("/opt/rocm", "/opt/rocm-5.2.3")
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


def _of_linux_5_4(product):
    """Without what later kernels added."""
    return replace(product, metrics=None, has_unique_id=False, ras=False, capability=0x2280)


def debian_rocm():
    name = "debian-rocm"
    box = desktop(
        "bookworm",
        RYZEN_5800X,
        8,
        32,
        ("ASRock", "X570 Taichi", "P5.50", "10/02/2024"),
        kernel="6.1.0-38-amd64",
        distribution="debian-12",
        build=DEBIAN_BUILD,
        user=User("user", 1000, (1000, 27, 44, 105)),
        groups={"render": (105, "user")},
    )
    product = products.RX_6800_XT
    gpu = make_gpu(
        name,
        product,
        layout.slot("0000:00:03.1", 0x0C, layout.ROME_PORT, _GEN4, product.switch, iommu_group=15),
        card=0,
        render=128,
        hwmon=3,
        boot_vga=1,
        connectors=(Connector("DP-1", "connected"), Connector("HDMI-A-1")),
        vram_used=512_475_136,
    )
    tree = compose.compose(
        name,
        "Radeon RX 6800 XT with Debian 12's own ROCm 5.2.3 packages and no " "/opt/rocm",
        box,
        [gpu],
        devices={"render_gid": 105},
    )
    software.shared_libraries(
        tree,
        "/usr/lib/x86_64-linux-gnu",
        {
            "libamdhip64": "5.2.21153",
            "libhsa-runtime64": "1.5.0",
            "librocm_smi64": "1.0",
            "libhsakmt": "1.0.6",
        },
        development=False,
    )
    software.dpkg(
        tree,
        [
            ("libamdhip64-5", "5.2.3-8"),
            ("libhsa-runtime64-1", "5.2.3-3"),
            ("libhsakmt1", "5.2.3+dfsg-1"),
            ("librocm-smi64-1", "5.2.3-2"),
            ("rocm-smi", "5.2.3-2"),
            ("rocminfo", "5.2.3-2"),
        ],
    )
    tree.listed("/usr/bin/rocm-smi", "/usr/bin/rocminfo")
    software.loader(tree)
    tree.lines(
        "/usr/share/misc/pci.ids",
        [
            "# Excerpt in the format of the PCI ID database",
            "1002  Advanced Micro Devices, Inc. [AMD/ATI]",
            "\t1478  Navi 10 XL Upstream Port of PCI Express Switch",
            "\t1479  Navi 10 XL Downstream Port of PCI Express Switch",
            "\t73bf  Navi 21 [Radeon RX 6800/6800 XT / 6900 XT]",
            "\t\t1002 0e3a  Radeon RX 6800 XT",
            "\tab28  Navi 21/23 HDMI/DP Audio Controller",
            "1022  Advanced Micro Devices, Inc. [AMD]",
            "\t1483  Starship/Matisse GPP Bridge",
        ],
    )
    return tree


def vega_apu():
    """Linux 6.1 gives ROCm what the firmware set aside, however large GTT is."""
    name = "vega-apu"
    box = desktop(
        "cassette",
        Cpu("AuthenticAMD", 25, 80, 0, "AMD Ryzen 5 5600G with Radeon Graphics", 4464),
        6,
        30,  # of 32: the rest is the carve-out
        ("ASRock", "A520M-ITX/ac", "P3.40", "03/21/2024"),
        kernel="6.1.0-38-amd64",
        distribution="debian-12",
        build=DEBIAN_BUILD,
        user=User("user", 1000, (1000, 27, 44, 105)),
        groups={"render": (105, "user")},
    )
    gpu = make_gpu(
        name,
        products.CEZANNE,
        layout.slot("0000:00:08.1", 0x0A, layout.RENOIR_PORT, _GEN3, iommu_group=8),
        card=0,
        render=128,
        hwmon=3,
        boot_vga=1,
        connectors=(Connector("HDMI-A-1", "connected"), Connector("DP-1")),
        vram_used=142_606_336,
        subsystem=(0x1849, 0x1638),
    )
    tree = compose.compose(
        name,
        "Ryzen 5 5600G (gfx90c) with 32 GB on Linux 6.1, 2 GiB set aside for its GPU",
        box,
        [gpu],
        devices={"render_gid": 105},
    )
    software.loader(tree)
    return tree


def permission_eperm():
    """An LXC container: mode bits allow all, the device cgroup refuses every open."""
    name = "permission-eperm"
    box = desktop(
        "cell",
        RYZEN_5800X,
        8,
        32,
        ("ASRock", "X570 Taichi", "P5.50", "10/02/2024"),
        kernel="6.8.12-13-pve",
        distribution="debian-12",
        build="(build@proxmox) (gcc (Debian 12.2.0-14+deb12u1) 12.2.0, GNU ld (GNU Binutils for "
        "Debian) 2.40) #1 SMP PREEMPT_DYNAMIC PMX 6.8.12-13 (2025-07-22T10:00Z)",
        user=User("root", 0, (0,)),
        groups={"render": (104, "")},
    )
    product = products.RX_7900_XT
    gpu = make_gpu(
        name,
        product,
        layout.slot("0000:00:03.1", 0x0C, layout.ROME_PORT, _GEN4, product.switch, iommu_group=15),
        card=0,
        render=128,
        hwmon=3,
        boot_vga=1,
        vram_used=27_000_832,
    )
    tree = compose.compose(
        name,
        "LXC container whose device cgroup refuses /dev/kfd and the render "
        "node although their modes allow everybody",
        box,
        [gpu],
        devices={
            "kfd_error": "EPERM",
            "render_error": "EPERM",
            "mode": "0666",
            "render_gid": 0,
            "video_gid": 0,
        },
    )
    for entry in ("gpu_id", "properties"):
        tree.replace_with_error(f"/sys/devices/virtual/kfd/kfd/topology/nodes/1/{entry}", "EPERM")
    machine.in_container(tree, box, "lxc", "0::/", 16 << 30)
    tree.env("container", "lxc")
    tree.remove(f"/lib/modules/{box.kernel}")
    software.rocm(tree, "6.3.0", targets=("gfx1100",))
    tree.link("/opt/rocm", "/opt/rocm-6.3.0")
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


def radeon_driver_and_vfio():
    """Nothing here is bound to amdgpu, which is blacklisted."""
    box = desktop(
        "hyper",
        Cpu("AuthenticAMD", 23, 49, 0, "AMD Ryzen Threadripper 3970X 32-Core Processor", 4549),
        32,
        128,
        ("Gigabyte Technology Co., Ltd.", "TRX40 AORUS MASTER", "F7", "12/14/2023"),
        kernel="6.1.0-38-amd64",
        distribution="debian-12",
        build=DEBIAN_BUILD,
        user=User("user", 1000, (1000, 27, 44)),
        groups={"render": (105, ""), "kvm": (106, "user")},
        cmdline=BOOT.format(
            "6.1.0-38-amd64",
            "amd_iommu=on iommu=pt " "modprobe.blacklist=amdgpu vfio-pci.ids=1002:738c",
        ),
    )
    tree = HostTree(
        "synthetic: an old Radeon HD 7870 with driver radeon, an Instinct MI100 given to "
        "virtual machines by vfio-pci, a Radeon RX 580 without driver"
    )
    machine.write(tree, box)
    _radeon_hd7870(tree, box)
    _bare_function(
        tree,
        box,
        "0000:40:01.1",
        0x43,
        (0x738C, 0x01, products.OTHER_DISPLAY),
        "vfio-pci",
        products.VEGA20_SWITCH,
        31,
    )
    _bare_function(
        tree, box, "0000:20:01.1", 0x21, (0x67DF, 0xE7, products.DISPLAY), None, None, 44
    )
    pci.write_iommu(tree, [12, 31, 44], "identity", box)
    tree.file("/etc/modprobe.d/vfio.conf", "options vfio-pci ids=1002:738c")
    tree.lines(
        "/etc/modprobe.d/blacklist-amdgpu.conf",
        ["# keep the card free for guests", "blacklist amdgpu"],
    )
    tree.lines(
        "/proc/modules",
        [
            "radeon 1851392 7 - Live 0x0000000000000000",
            "vfio_pci 16384 0 - Live 0x0000000000000000",
            "ttm 94208 1 radeon, Live 0x0000000000000000",
        ],
    )
    for module in ("radeon", "vfio_pci", "ttm"):
        tree.file(f"/sys/module/{module}/initstate", "live")
    tree.device("/dev/vfio/vfio", 10, 196, "0666")
    tree.device("/dev/vfio/31", 243, 0, "0600", open_error="EACCES")
    compose.write_kernel_log(tree, None)
    software.loader(tree)
    return tree


def _radeon_hd7870(tree, box):
    place = layout.slot("0000:00:03.1", 0x0B, layout.ROME_PORT, _GEN3, iommu_group=12)
    path = place.directory
    pci.write_function(
        tree,
        place,
        pci.Function(0x1002, 0x6818, 0, products.DISPLAY, (0x174B, 0xE217), "radeon"),
        box,
    )
    tree.file("/sys/class/drm/version", "drm 1.1.0 20060810")
    tree.files(
        path,
        {
            "boot_vga": 1,
            "power_method": "dpm",
            "power_dpm_state": "balanced",
            "power_dpm_force_performance_level": "auto",
        },
    )
    for name, minor, gid in (("card0", 0, 44), ("renderD128", 128, 105)):
        drm.write_minor(tree, f"{path}/drm/{name}", minor)
        tree.device(f"/dev/dri/{name}", 226, minor, owner=f"0:{gid}")
    tree.files(
        f"{path}/hwmon/hwmon3",
        {
            "name": "radeon",
            "temp1_input": 31000,
            "temp1_crit": 120000,
            "temp1_crit_hyst": 90000,
            "freq1_input": 300000000,
            "pwm1": 51,
        },
    )
    tree.link_to("/sys/class/hwmon/hwmon3", f"{path}/hwmon/hwmon3")


def _bare_function(tree, box, port, bus, ids, driver_name, switch, group):
    """A GPU that amdgpu does not drive: only what PCI itself shows."""
    place = layout.slot(port, bus, layout.ROME_PORT, _GEN3, switch, iommu_group=group)
    pci.write_function(tree, place, pci.Function(0x1002, *ids, (0x1002, 0x0C34), driver_name), box)


def wsl():
    kernel = "5.15.167.4-microsoft-standard-WSL2"
    box = desktop(
        "desk",
        RYZEN_7950X,
        16,
        32,
        (),
        kernel=kernel,
        build="(root@f9c826d3017f) (gcc (GCC) 11.2.0, GNU ld (GNU Binutils) 2.37) #1 SMP Tue "
        "Nov 5 00:21:55 UTC 2024",
        governor="",
        dmesg_restrict=0,
        cmdline="initrd=\\initrd.img WSL_ROOT_INIT=1 panic=-1 nr_cpus=32 "
        "hv_utils.timesync_implicit=1 console=hvc0 debug pty.legacy_count=0",
        memlock="67108864 67108864",
    )
    tree = HostTree(
        "synthetic: WSL2 on Windows with a Radeon RX 7900 XTX behind /dev/dxg; no KFD, no DRM"
    )
    machine.write(tree, box)
    place = pci.Place(
        "LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/6b1a9c2e/pci6b1a:00",
        (),
        "6b1a:00:00.0",
        None,
        -1,
    )
    pci.write_function(
        tree, place, pci.Function(0x1414, 0x008E, 0, 0x030200, driver="dxgkrnl"), box
    )
    tree.file("/sys/class/drm/version", "drm 1.1.0 20060810")
    tree.device("/dev/dxg", 10, 127, "0666")
    tree.listed(
        "/usr/lib/wsl/lib/libdxcore.so",
        "/usr/lib/wsl/lib/libd3d12.so",
        "/usr/lib/wsl/drivers/u0407052.inf_amd64_1f/amdxc64.so",
    )
    tree.call(
        "kernel-log",
        [
            "<6>[    0.000000] Linux version 5.15.167.4-microsoft-standard-WSL2",
            "<6>[    1.902114] misc dxg: dxgk: dxg_drv_init",
        ],
    )
    software.rocm(tree, "6.4.1", targets=("gfx1100", "gfx1101", "gfx1200", "gfx1201"))
    tree.listed("/var/lib/dpkg/info/hsa-runtime-rocr4wsl-amdgpu.list")
    tree.link("/opt/rocm", "/opt/rocm-6.4.1")
    software.loader(tree, ["/usr/lib/wsl/lib"], "ld.wsl.conf")
    tree.lines("/etc/ld.so.conf.d/rocm.conf", ["/opt/rocm/lib"])
    tree.env("WSL_DISTRO_NAME", "Ubuntu-24.04")
    return tree


def rocm_many():
    """Five installations, and settings that lead to different ones."""
    name = "rocm-many"
    box = desktop("hoard", RYZEN_5800X, 8, 64, ("ASRock", "X570 Taichi", "P5.50", "10/02/2024"))
    product = products.RX_7900_XTX
    gpu = make_gpu(
        name,
        product,
        layout.slot("0000:00:03.1", 0x0C, layout.ROME_PORT, _GEN4, product.switch, iommu_group=15),
        card=0,
        render=128,
        hwmon=3,
        boot_vga=1,
        connectors=(Connector("DP-1", "connected"),),
        vram_used=903_471_104,
    )
    tree = compose.compose(
        name,
        "Radeon RX 7900 XTX and five ROCm installations; the loader's "
        "configuration, ROCM_PATH and PATH name different ones",
        box,
        [gpu],
    )
    for version in ("6.2.4", "6.4.1", "7.0.2"):
        software.rocm(tree, version, targets=("gfx1030", "gfx1100"))
    software.rocm(tree, "7.14.0", "/opt/rocm/core-7.14", ("gfx1100", "gfx1101"), version_rocm=False)
    tree.link("/opt/rocm/core", "core-7.14")
    software.loader(tree, ["/opt/rocm-6.2.4/lib"], "10-rocm-opencl.conf")
    for variable, value in (
        ("ROCM_PATH", "/opt/rocm-6.4.1"),
        ("PATH", "/home/user/ai/bin:/opt/rocm-7.0.2/bin:" "/usr/bin:/bin"),
        ("LD_LIBRARY_PATH", "/opt/rocm/core/lib"),
        ("HF_TOKEN", "not-a-real-token"),
        ("VIRTUAL_ENV", "/home/user/ai"),
    ):
        tree.env(variable, value)
    _python_with_rocm_wheels(tree)
    return tree


def _python_with_rocm_wheels(tree):
    site = software.venv(tree, "/home/user/ai")
    software.torch(
        tree,
        site,
        "2.9.0+rocm6.4",
        "6.4.43484-123eb5128",
        requires=("triton==3.5.0",),
        libraries=("libamdhip64.so", "libhsa-runtime64.so", "librocblas.so"),
    )
    for package, version in (
        ("triton", "3.5.0"),
        ("jax", "0.6.2"),
        ("jaxlib", "0.6.2"),
        ("jax_rocm7_plugin", "0.6.0"),
        ("jax_rocm7_pjrt", "0.6.0"),
        ("tensorflow_rocm", "2.18.1"),
        ("onnxruntime_rocm", "1.22.1"),
        ("rocm_sdk_core", "7.10.0"),
        ("flash_attn", "2.8.3"),
    ):
        software.wheel(tree, site, package, version)
    software.shared_libraries(
        tree,
        f"{site}/_rocm_sdk_core/lib",
        {"libamdhip64": "7.10.51830", "libhsa-runtime64": "1.18.0"},
        development=False,
    )
    tree.file(f"{site}/_rocm_sdk_core/.info/version", "7.10.0")
