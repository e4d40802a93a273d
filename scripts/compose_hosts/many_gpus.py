"""Hosts that exist nowhere: the same card 1 to 64 times, to see what a GPU more costs."""

from . import drm, layout, products
from .compose import compose, make_gpu
from .servers import EPYC_7763, GEN4, server

CARDS_IN_A_HIVE = 4
CARDS_IN_A_DOMAIN = 16
MOST = 64  # DRM has render nodes 128 to 191


def _card(name, index):
    domain, slot = divmod(index, CARDS_IN_A_DOMAIN)
    bus = 0x10 * slot
    place = layout.slot(
        f"{domain:04x}:{bus:02x}:01.1",
        bus + 3,
        layout.ROME_PORT,
        GEN4,
        products.MI210.switch,
        numa_node=index % 2,
        iommu_group=30 + index,
    )
    return make_gpu(
        name,
        products.MI210,
        place,
        card=index,
        render=128 + index,
        hwmon=4 + index,
        subsystem=(0x1002, 0x0C34),
    )


def mi210_many(count):
    """`count` MI210 in hives of four. Between hives nothing is linked, as nothing else grows with
    the square of the cards: one more always brings the same files."""
    if not 1 <= count <= MOST:
        raise ValueError(f"1 to {MOST} cards, not {count}")
    name = f"mi210-x{count}"
    box = server(
        name,
        EPYC_7763,
        64,
        2,
        1024,
        "6.14.0-29-generic",
        ("GIGABYTE", "G482-Z54-00", "R24", "08/09/2023"),
        "amd_iommu=on iommu=pt",
        distribution="ubuntu-24.04",
    )
    cards = []
    for first in range(0, count, CARDS_IN_A_HIVE):
        hive = [_card(name, index) for index in range(first, min(first + CARDS_IN_A_HIVE, count))]
        cards += drm.with_hive(hive, 4_021_884_170_663_315_227 + first)
    nodes = layout.nodes(box, cards, name)
    for first in range(0, count, CARDS_IN_A_HIVE):
        last = min(first + CARDS_IN_A_HIVE, count)
        layout.mesh(nodes, range(2 + first, 2 + last), 15, (50000, 50000), 28)
    return compose(name, f"{count} Instinct MI210", box, cards, nodes=nodes, iommu="identity")
