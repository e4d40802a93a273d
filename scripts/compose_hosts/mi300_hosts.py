"""Servers with Instinct MI300X and MI300A."""

from dataclasses import replace

from . import driver, drm, kfd, layout, machine, pci, products, software, workers
from .compose import RENDER, compose, make_gpu
from .machine import User
from .pci import Link
from .servers import EPYC_9534, GEN5, MI300A_CPU, hide_nodes, infiniband, remove_host_files, server

_MI300X_DMI = ("Supermicro", "AS -8125GS-TNMR2", "3.3", "11/05/2024")
_MI300X_OPTIONS = "iommu=pt pci=realloc=off"
# Root complex, bus and NUMA node of the eight cards.
_MI300X_PLACES = (
    ("0000:00:01.1", 0x05, 0),
    ("0000:20:01.1", 0x26, 0),
    ("0000:40:01.1", 0x46, 0),
    ("0000:60:01.1", 0x65, 0),
    ("0000:80:01.1", 0x85, 1),
    ("0000:a0:01.1", 0xA6, 1),
    ("0000:c0:01.1", 0xC6, 1),
    ("0000:e0:01.1", 0xE5, 1),
)
_MI300X_HIVE = 7_310_482_664_912_205_871


def mi300x_cards(name, places=_MI300X_PLACES, compute_mode="SPX", iommu=True, **changes):
    """MI300X cards behind a PCIe switch each, in one hive; a card takes eight DRM minors."""
    cards = []
    for index, (port, bus, node) in enumerate(places):
        place = layout.slot(
            port,
            bus,
            layout.GENOA_PORT,
            GEN5,
            layout.BROADCOM_SWITCH,
            numa_node=node,
            iommu_group=20 + 7 * index if iommu else None,
        )
        cards.append(
            make_gpu(
                name,
                products.MI300X,
                place,
                card=1 + 8 * index,
                render=128 + 8 * index,
                hwmon=6 + index,
                subsystem=(0x1002, 0x74A1),
                vram_used=299_896_832,
                compute_mode=compute_mode,
                serial=f"69225010{index:04d}",
                **changes,
            )
        )
    return drm.with_hive(cards, _MI300X_HIVE)


def mi300x_x8():
    name = "mi300x-x8"
    box = server(
        "mi300x-07",
        EPYC_9534,
        64,
        2,
        2304,
        "6.8.0-60-generic",
        _MI300X_DMI,
        _MI300X_OPTIONS,
        home_filesystem="0x6969",  # NFS
        dmesg_restrict=0,
    )
    cards = mi300x_cards(name, metrics=(1, 7))
    cards[0] = replace(
        cards[0],
        vram_used=168_424_566_784,
        idle=replace(
            products.MI300X.idle,
            busy=37,
            memory_busy=12,
            junction=58,
            memory=47,
            watts=342,
            sclk=1873,
            mclk=1300,
        ),
    )
    cards[0] = _clocks(
        cards[0],
        {
            "pp_dpm_sclk": ["S: 1873Mhz *", "0: 500Mhz ", "1: 2100Mhz "],
            "pp_dpm_mclk": ["0: 900Mhz ", "1: 1100Mhz ", "2: 1200Mhz ", "3: 1300Mhz *"],
        },
    )
    nodes = layout.nodes(box, cards, name)
    layout.mesh(nodes, range(2, 10), 15, (64000, 64000), 0xFC)
    layout.peers_over_processors(nodes, box, cards)
    serving = driver.Process(
        184_211,
        "python3",
        1001,
        vram={cards[0].gpu_id: 168_086_732_800},
        clients=((cards[0].place.address, 164_147_200),),
    )
    tree = compose(
        name,
        "server with eight Instinct MI300X in one hive, SPX and NPS1, one of them "
        "serving a model",
        box,
        cards,
        (serving,),
        nodes,
        "6.12",
        _mi300x_log(cards),
        "identity",
        dkms=("6.12.12", "6.12.12-2164967.22.04"),
        modules=("ast", "mlx5_ib"),
    )
    drm.write_partition_devices(tree, cards)
    _ast(tree, box)
    infiniband(tree, 8)
    prefix = software.rocm(tree, "6.4.1", targets=("gfx908", "gfx90a", "gfx942"))
    software.default_rocm(tree, prefix)
    software.loader(tree, ["/opt/rocm/lib", "/opt/rocm/lib64"])
    _serving_venv(tree)
    tree.env("NCCL_DEBUG", "WARN")
    workers.hsa(tree, "6.4.1", cards, first_node=2)
    workers.hip(tree, "6.4.1", "6.4.43483", cards, modes=":sramecc+:xnack-")
    workers.smi(tree, "6.4.1", cards)
    return tree


def _clocks(gpu, tables):
    return replace(
        gpu, product=replace(gpu.product, clock_tables=gpu.product.clock_tables | tables)
    )


def _mi300x_log(cards):
    lines = [
        "<6>[    0.000000] Linux version 6.8.0-60-generic",
        "<6>[   21.402113] amdgpu: loading out-of-tree module taints kernel.",
    ]
    for index, card in enumerate(cards):
        stamp = f"<6>[{30.5 + 2.25 * index:12.6f}] amdgpu {card.place.address}: amdgpu: "
        lines += [
            stamp + "VRAM: 196592M 0x0000008000000000 - 0x000000AFFEFFFFFF (196592M used)",
            stamp + "SRAM ECC is active.",
        ]
    return lines


def _ast(tree, box):
    """The management controller's display: it takes card0, so the first GPU is card1."""
    place = pci.Place(
        "pci0000:60",
        (
            pci.Bridge("0000:60:05.2", layout.GENOA_PORT, Link("2.5", 1)),
            pci.Bridge("0000:61:00.0", (0x1A03, 0x1150), Link("2.5", 1)),
        ),
        "0000:62:00.0",
        None,
        0,
    )
    pci.write_function(
        tree,
        place,
        pci.Function(0x1A03, 0x2000, 0x52, products.DISPLAY, (0x15D9, 0x1C3C), "ast"),
        box,
    )
    tree.file(f"{place.directory}/boot_vga", 1)
    drm.write_minor(tree, f"{place.directory}/drm/card0", 0)
    tree.device("/dev/dri/card0", 226, 0, owner="0:44")
    tree.file("/sys/module/ast/initstate", "live")


def _serving_venv(tree):
    prefix = "/opt/serving"
    tree.env("VIRTUAL_ENV", prefix)
    site = software.venv(tree, prefix)
    software.torch(
        tree,
        site,
        "2.7.0+gitf717b2a",
        "6.4.43483-a187df25c",
        requires=("filelock", "pytorch-triton-rocm==3.3.0"),
    )
    for package, version in (
        ("pytorch_triton_rocm", "3.3.0"),
        ("vllm", "0.9.2rc2.dev39+g2b6d4a1.rocm641"),
        ("aiter", "0.1.4"),
        ("flash_attn", "2.7.4.post1"),
        ("amdsmi", "25.4.2"),
    ):
        software.wheel(tree, site, package, version)


def kubernetes_pod():
    name = "kubernetes-pod"
    root = User("root", 0, (0, RENDER))
    box = server(
        "trainer-0",
        EPYC_9534,
        64,
        2,
        2304,
        "6.8.0-60-generic",
        _MI300X_DMI,
        _MI300X_OPTIONS,
        user=root,
        groups={"render": (RENDER, "")},
        cpu_quota="1600000 100000",
    )
    cards = mi300x_cards(name)
    nodes = layout.nodes(box, cards, name)
    layout.mesh(nodes, range(2, 10), 15, (64000, 64000), 0xFC)
    tree = compose(
        name,
        "Kubernetes pod that was given one of the node's eight Instinct MI300X",
        box,
        cards,
        nodes=nodes,
        driver_level="6.12",
        iommu="identity",
        dkms=("6.10.5", "6.10.5-2095006.22.04"),
        devices={"only_renders": [cards[2].render]},
    )
    hide_nodes(tree, [number for number in range(2, 10) if number != 4])
    machine.in_container(
        tree,
        box,
        "cri-o",
        "0::/kubepods.slice/kubepods-burstable.slice/"
        "kubepods-burstable-pod8c1f0b52.slice/crio-41d8.scope",
        64 << 20,
    )
    remove_host_files(tree, box)
    tree.remove("/usr/src")
    tree.env("KUBERNETES_SERVICE_HOST", "10.96.0.1")
    tree.file("/run/secrets/kubernetes.io/serviceaccount/namespace", "ml-team")
    software.rocm(tree, "6.3.0", targets=("gfx942",))
    tree.link("/opt/rocm", "/opt/rocm-6.3.0")
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


def _cpx_nodes(box, cards, name, distinct_ids=False):
    """Partitions: weight 13 within a card, 41 between cards, as KFD prints them."""
    nodes = layout.nodes(box, cards, name, distinct_ids)
    owner = [gpu for _, gpu in layout.owners(box, cards)]
    first = box.numa_nodes
    for index, gpu in enumerate(owner):
        for other in range(index + 1, len(owner)):
            same = owner[other] is gpu
            kfd.connect(
                nodes,
                first + index,
                first + other,
                kfd.XGMI,
                13 if same else 41,
                (819200, 819200) if same else (0, 0),
            )
    return nodes


def mi300x_cpx():
    return mi300x_partitioned("mi300x-cpx", 2, 1, "two Instinct MI300X in CPX mode, sixteen")


def mi300x_partitioned(name, card_count, processors, what):
    """Cards in CPX mode; `what` says in words how many partitions these are."""
    box = server(
        f"{name}-1",
        EPYC_9534,
        64,
        processors,
        768 * processors,
        "6.8.0-60-generic",
        _MI300X_DMI,
        _MI300X_OPTIONS,
    )
    cards = mi300x_cards(name, _MI300X_PLACES[:card_count], "CPX", metrics=(1, 6))
    tree = compose(
        name,
        f"{what} partitions; unique_id is equal on all partitions of a card",
        box,
        cards,
        nodes=_cpx_nodes(box, cards, name),
        iommu="identity",
        dkms=("6.10.5", "6.10.5-2095006.22.04"),
    )
    _write_cpx_devices(tree, cards)
    prefix = software.rocm(tree, "6.3.0", targets=("gfx90a", "gfx942"))
    software.default_rocm(tree, prefix)
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


def _write_cpx_devices(tree, cards):
    """The platform devices of the partitions and their device nodes."""
    drm.write_partition_devices(tree, cards)
    for gpu in cards:
        for partition in range(1, gpu.partition_count):
            tree.device(
                f"/dev/dri/card{gpu.card + partition}", 226, gpu.card + partition, owner="0:44"
            )
            tree.device(
                f"/dev/dri/renderD{gpu.render + partition}",
                226,
                gpu.render + partition,
                owner=f"0:{RENDER}",
            )


def mi300x_cpx_linux7():
    name = "mi300x-cpx-linux7"
    box = server(
        "mi300x-cpx-7",
        EPYC_9534,
        64,
        1,
        768,
        "7.2.13-amd64",
        _MI300X_DMI,
        _MI300X_OPTIONS,
        distribution="debian-13",
        build="(debian-kernel@lists.debian.org) "
        "(x86_64-linux-gnu-gcc-15 (Debian 15.2.0-17) 15.2.0, GNU ld (GNU Binutils for Debian) "
        "2.45) #1 SMP PREEMPT_DYNAMIC Debian 7.2.13-1 (2026-09-11)",
    )
    cards = mi300x_cards(name, _MI300X_PLACES[:1], "CPX", metrics=(1, 9))
    nodes = _cpx_nodes(box, cards, name, distinct_ids=True)
    tree = compose(
        name,
        "one Instinct MI300X in CPX mode with Linux 7.2: every partition has a "
        "unique_id of its own, gpu_metrics is the attribute list 1.9",
        box,
        cards,
        nodes=nodes,
        iommu="identity",
    )
    _write_cpx_devices(tree, cards)
    software.rocm(tree, "7.14.0", "/opt/rocm/core-7.14", ("gfx942", "gfx950"), version_rocm=False)
    tree.link("/opt/rocm/core", "core-7.14")
    software.loader(tree, ["/opt/rocm/core/lib"])
    return tree


def mi300a_x4():
    name = "mi300a-x4"
    box = server(
        "apu-12",
        MI300A_CPU,
        24,
        4,
        502,
        "5.14.0-427.42.1.el9_4.x86_64",
        ("HPE", "HPE_Cray_EX255a", "1.3.0", "10-14-2024"),
        "iommu=pt pci=realloc=off",
        distribution="rhel-9.4",
        build="(mockbuild@x86-64-02) (gcc (GCC) 11.4.1 20231218 (Red "
        "Hat 11.4.1-3), GNU ld version 2.35.2-43.el9) #1 SMP PREEMPT_DYNAMIC",
        huge_pages="always",
    )
    apus = []
    for index in range(4):
        place = layout.slot(
            f"000{index}:00:01.1", 0x01, (0x1022, 0x14AB), Link("32.0", 16), numa_node=index
        )
        apus.append(
            make_gpu(
                name,
                products.MI300A,
                place,
                card=index,
                render=128 + 8 * index,
                hwmon=1 + index,
                subsystem=(0x1002, 0x74A0),
                vram_used=1_288_490_188,
                gtt_total=384 << 30,
            )
        )
    apus = drm.with_hive(apus, 2_480_116_337_904_651_273)
    nodes = layout.nodes(box, apus, name)
    layout.mesh(nodes, range(4, 8), 41, (64000, 128000), 0xFC)
    for number in range(4, 8):
        bank = nodes[number].bank
        nodes[number].bank = (bank[0], 96 << 30, *bank[2:])
    tree = compose(
        name,
        "node with four Instinct MI300A, each in a PCI domain of its own; GPU memory "
        "is the default 96 of 128 GiB",
        box,
        apus,
        nodes=nodes,
        driver_level="6.12",
        dkms=("6.10.5", "6.10.5-2095006.el9"),
    )
    for parameter in ("page_pool_size", "pages_limit"):
        tree.remove(f"/sys/module/amdttm/parameters/{parameter}")
        tree.file(f"/sys/module/amdttm/parameters/{parameter}", 4 * (96 << 30) // 4096)
    prefix = software.rocm(tree, "6.3.0", targets=("gfx942",))
    tree.link("/opt/rocm", prefix)
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


def mi300x_degraded():
    """Faults that a check must find: memory errors, a lowered limit, a slow slot, a lost link."""
    name = "mi300x-degraded"
    box = server(
        "mi300x-22",
        EPYC_9534,
        64,
        2,
        2304,
        "6.8.0-60-generic",
        _MI300X_DMI,
        "quiet",
        numa_balancing=1,
        memlock="8388608 8388608",
        dmesg_restrict=0,
    )
    cards = mi300x_cards(name, _MI300X_PLACES[2:6], metrics=(1, 6))
    hive = cards[0].hive
    cards[0] = replace(
        cards[0],
        ras_counts={"umc": (0, 12, 2)},
        bad_pages=("0x000d3a41 : 0x00001000 : R", "0x000d3a42 : 0x00001000 : P"),
    )
    cards[1] = replace(cards[1], cap_watts=650, level="low")
    slow = layout.slot(
        "0000:80:01.1",
        0x85,
        layout.GENOA_PORT,
        Link("32.0", 8, "32.0", 16),
        layout.BROADCOM_SWITCH,
        GEN5,
        numa_node=1,
        iommu_group=34,
    )
    cards[2] = replace(cards[2], place=slow, ras_counts={"gfx": (1, 0, 0)}, replays=88)
    cards = drm.with_hive(cards, hive)
    nodes = layout.nodes(box, cards, name)
    layout.mesh(nodes, range(2, 6), 15, (64000, 64000), 0xFC)
    for one, two in ((2, 5), (5, 2)):
        nodes[one].links = [link for link in nodes[one].links if link.to != two]
    tree = compose(
        name,
        "server with four Instinct MI300X that need attention: memory errors, a "
        "lowered power limit, a slot at x8, a missing XGMI link, IOMMU translation",
        box,
        cards,
        nodes=nodes,
        driver_level="6.11",
        kernel_log=_degraded_log(cards),
        dkms=("6.10.5", "6.10.5-2095006.22.04"),
    )
    infiniband(tree, 4)
    prefix = software.rocm(tree, "6.3.0", targets=("gfx942",))
    software.default_rocm(tree, prefix)
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


def _degraded_log(cards):
    first, third = cards[0].place.address, cards[2].place.address
    return [
        "<6>[    0.000000] Linux version 6.8.0-60-generic",
        f"<4>[84210.118203] amdgpu {first}: amdgpu: "
        "12 correctable hardware errors detected in total in umc block",
        f"<4>[84210.118209] amdgpu {first}: amdgpu: "
        "2 new deferred hardware errors detected in umc block",
        f"<3>[91422.730112] amdgpu {third}: amdgpu: "
        "1 uncorrectable hardware errors detected in gfx block",
        f"<6>[91422.730120] amdgpu {third}: amdgpu: GPU reset begin!",
        f"<6>[91431.004418] amdgpu {third}: amdgpu: GPU reset(1) succeeded!",
    ]


def mi300x_vf():
    """A guest that got one MI300X: the virtual function shows less."""
    name = "mi300x-vf"
    box = server(
        "guest-1",
        EPYC_9534,
        16,
        1,
        236,
        "6.8.0-60-generic",
        ("QEMU", "Standard PC (Q35 + ICH9, 2009)", "rel-1.16.3", "04/01/2014"),
        "console=ttyS0",
        governor="",
    )
    product = replace(
        products.MI300X, device=0x74B5, ras=False, board=None, vbios="113-M3000100-102"
    )
    place = layout.slot("0000:00:02.3", 0x05, (0x1B36, 0x000C), GEN5)
    gpu = make_gpu(
        name,
        product,
        place,
        card=0,
        render=128,
        hwmon=1,
        subsystem=(0x1002, 0x74A1),
        is_virtual_function=True,
        metrics_bytes=b"",
        vram_used=299_896_832,
        level="auto",
    )
    gpu = drm.with_hive([gpu], _MI300X_HIVE)[0]
    tree = compose(
        name,
        "virtual machine with one Instinct MI300X passed through as a virtual "
        "function: a hive of which one GPU is visible",
        box,
        [gpu],
        driver_level="6.12",
        dkms=("6.10.5", "6.10.5-2095006.22.04"),
    )
    for path in ("power_dpm_force_performance_level", "pcie_replay_count", "xgmi_error"):
        tree.remove(f"{place.directory}/{path}")
    prefix = software.rocm(tree, "6.3.0", targets=("gfx942",))
    tree.link("/opt/rocm", prefix)
    software.loader(tree, ["/opt/rocm/lib"])
    return tree
