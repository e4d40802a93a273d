"""Servers with Instinct MI210 and MI250X."""

from . import drm, kfd, layout, machine, products, software
from .compose import RENDER, compose, make_gpu
from .machine import User
from .servers import EPYC_7763, EPYC_7A53, GEN4, hide_nodes, infiniband, remove_host_files, server

_MI210_PLACES = (
    ("0000:60:01.1", 0x63, 0),
    ("0000:40:01.1", 0x43, 0),
    ("0000:00:01.1", 0x03, 0),
    ("0000:20:01.1", 0x26, 0),
    ("0000:e0:01.1", 0xE3, 1),
    ("0000:c0:01.1", 0xC3, 1),
    ("0000:80:01.1", 0x83, 1),
    ("0000:a0:01.1", 0xA3, 1),
)
_MI210_DMI = ("GIGABYTE", "G482-Z54-00", "R24", "08/09/2023")


def mi210_cards(name, **changes):
    """Eight MI210 in two hives of four, four on each socket."""
    cards = []
    for index, (port, bus, node) in enumerate(_MI210_PLACES):
        place = layout.slot(
            port,
            bus,
            layout.ROME_PORT,
            GEN4,
            products.MI210.switch,
            numa_node=node,
            iommu_group=30 + 5 * index,
        )
        cards.append(
            make_gpu(
                name,
                products.MI210,
                place,
                card=index,
                render=128 + index,
                hwmon=4 + index,
                subsystem=(0x1002, 0x0C34),
                vram_used=11_243_520,
                **changes,
            )
        )
    return drm.with_hive(cards[:4], 4_021_884_170_663_315_227) + drm.with_hive(
        cards[4:], 15_730_092_418_830_274_611
    )


def mi210_nodes(box, cards, name):
    nodes = layout.nodes(box, cards, name)
    for first in (2, 6):
        layout.mesh(nodes, range(first, first + 4), 15, (50000, 50000), 28)
    layout.peers_over_processors(nodes, box, cards)
    return nodes


def mi210_x8():
    name = "mi210-x8"
    box = server(
        "mi210-03",
        EPYC_7763,
        64,
        2,
        1024,
        "6.14.0-29-generic",
        _MI210_DMI,
        "amd_iommu=on iommu=pt",
        distribution="ubuntu-24.04",
        full_topology=True,
    )
    cards = mi210_cards(name)
    tree = compose(
        name,
        "server with eight Instinct MI210, two hives of four",
        box,
        cards,
        nodes=mi210_nodes(box, cards, name),
        iommu="identity",
        modules=("mlx5_ib",),
    )
    infiniband(tree, 2)
    prefix = software.rocm(tree, "6.3.0", targets=("gfx908", "gfx90a", "gfx942"))
    software.default_rocm(tree, prefix)
    software.loader(tree, ["/opt/rocm/lib", "/opt/rocm/lib64"])
    return tree


def container_fewer_devices():
    """Docker with --device for two of eight: sysfs shows all, the device cgroup hides six."""
    name = "container-fewer-devices"
    root = User("root", 0, (0, 44, RENDER))
    box = server(
        "3f9d0a7c61be",
        EPYC_7763,
        64,
        2,
        1024,
        "6.14.0-29-generic",
        _MI210_DMI,
        "amd_iommu=on iommu=pt",
        user=root,
        groups={"render": (RENDER, "")},
        memlock="8388608 8388608",
        nofile="1048576 1048576",
    )
    cards = mi210_cards(name)
    passed = cards[:2]
    tree = compose(
        name,
        "Docker container that got two of the host's eight Instinct MI210",
        box,
        cards,
        nodes=mi210_nodes(box, cards, name),
        iommu="identity",
        devices={"only_renders": [gpu.render for gpu in passed]},
    )
    hide_nodes(tree, range(4, 10))
    machine.in_container(tree, box, "docker", "0::/", 64 << 20)
    remove_host_files(tree, box)
    software.rocm(tree, "6.4.1", targets=("gfx908", "gfx90a", "gfx942"))
    tree.link("/opt/rocm", "/opt/rocm-6.4.1")
    software.loader(tree, ["/opt/rocm/lib"])
    return tree


_MI250X_BUSES = (0xC1, 0xC6, 0xC9, 0xCE, 0xD1, 0xD6, 0xD9, 0xDE)


def mi250x_x4():
    name = "mi250x-x4"
    box = server(
        "nid001204",
        EPYC_7A53,
        64,
        1,
        512,
        "5.14.21-150500.55.97_13.0.75-cray_shasta_c",
        ("HPE", "HPE_Cray_EX235a", "1.6.2", "03-22-2023"),
        "amd_iommu=pt iommu=pt",
        distribution="sles-15.5",
        build="(geeko@buildhost) (gcc (SUSE Linux) 7.5.0) #1 SMP",
        threads=2,
        numa_nodes=4,
    )
    gcds = []
    for index, bus in enumerate(_MI250X_BUSES):
        place = layout.slot(
            f"0000:{bus - 1:02x}:01.1",
            bus,
            (0x1022, 0x1540),
            GEN4,
            numa_node=3 - index // 2,
            iommu_group=60 + index,
        )
        gcds.append(
            make_gpu(
                name,
                products.MI250X,
                place,
                card=index,
                render=128 + index,
                hwmon=1 + index,
                is_secondary_die=index % 2 == 1,
                subsystem=(0x1002, 0x0B0C),
                vram_used=11_481_088,
            )
        )
    gcds = drm.with_hive(gcds, 9_123_660_402_271_115_908)
    nodes = layout.nodes(box, gcds, name)
    _connect_mi250x(nodes, box.numa_nodes)
    tree = compose(
        name,
        "node with four Instinct MI250X modules, so eight dies; the second die of "
        "a module reports no power",
        box,
        gcds,
        nodes=nodes,
        iommu="identity",
        dkms=("6.7.0", "6.7.0-1769889"),
        driver_level="6.6",
    )
    prefix = software.rocm(tree, "6.2.4", targets=("gfx90a",))
    tree.link("/opt/rocm", prefix)
    software.loader(tree, ["/opt/rocm/lib"], "rocm-cray.conf")
    return tree


def _connect_mi250x(nodes, first):
    """Dies of a module share four links, others one; the rest is two hops away."""
    direct = {
        (0, 2),
        (0, 6),
        (1, 3),
        (1, 5),
        (2, 4),
        (3, 7),
        (4, 6),
        (5, 7),
        (1, 7),
        (3, 5),
        (2, 6),
        (0, 4),
    }
    for one in range(8):
        for two in range(one + 1, 8):
            if one // 2 == two // 2:
                weight, bandwidth = 15, (50000, 200000)
            elif (one, two) in direct:
                weight, bandwidth = 15, (50000, 50000)
            else:
                weight, bandwidth = 30, (0, 0)
            kfd.connect(nodes, first + one, first + two, kfd.XGMI, weight, bandwidth)
