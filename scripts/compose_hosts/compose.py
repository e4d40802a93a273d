"""What most hosts have in common: a machine, GPUs with numbers of their own, driver and nodes."""

from . import driver, drm, kfd, layout, machine, pci
from .drm import Gpu
from .machine import Machine, User
from .tree import HostTree

UBUNTU_BUILD = (
    "(buildd@lcy02-amd64-047) (x86_64-linux-gnu-gcc-13 (Ubuntu 13.3.0-6ubuntu2~24.04) "
    "13.3.0, GNU ld (GNU Binutils for Ubuntu) 2.42) #31~24.04.1-Ubuntu SMP "
    "PREEMPT_DYNAMIC Tue Jul  1 18:32:04 UTC 2"
)
DEBIAN_BUILD = (
    "(debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0, GNU ld "
    "(GNU Binutils for Debian) 2.40) #1 SMP PREEMPT_DYNAMIC Debian 6.1.147-1 (2025-08-02)"
)
BOOT = "BOOT_IMAGE=/boot/vmlinuz-{0} root=UUID=5f1c6e2a-7d0e-4a52-9a41-3d7b6f0c9e11 ro {1}"

RENDER = 992
MEMBER = User("user", 1000, (1000, 4, 27, 44, RENDER))
GROUPS = {"render": (RENDER, "user"), "video": (44, "user")}


def desktop(hostname, cpu, cores, memory_gib, dmi, kernel="6.14.0-29-generic", **changes):
    """A machine of one socket, by default with Ubuntu 24.04 and a user who may use the GPUs."""
    values = {
        "distribution": "ubuntu-24.04",
        "user": MEMBER,
        "groups": GROUPS,
        "build": UBUNTU_BUILD,
        "cmdline": BOOT.format(kernel, "quiet splash"),
    } | changes
    return Machine(
        hostname,
        kernel,
        cpu=cpu,
        memory_kib=memory_gib * 1048576 - 1_418_204,
        cores=cores,
        dmi=dmi,
        **values,
    )


def make_gpu(host, product, place, card, render, hwmon, **changes):
    """A GPU with numbers of its own, derived from the host's name and its address."""
    values = {"gpu_id": layout.gpu_id(host, place.address)} | changes
    if product.has_unique_id:
        values.setdefault("unique_id", layout.unique_id(host, place.address))
    return Gpu(product, place, card, render, hwmon=hwmon, **values)


def compose(
    name,
    label,
    box,
    gpus,
    processes=(),
    nodes=None,
    driver_level=None,
    kernel_log=None,
    iommu="DMA-FQ",
    devices=None,
    **module,
):
    """A host with its GPUs, the driver and the device nodes; software is added by the caller.

    `nodes` are KFD nodes of the caller's own, `driver_level` the kernel whose amdgpu a DKMS driver
    equals, `devices` options of driver.write_nodes, `module` those of driver.write_module.
    """
    tree = HostTree(f"synthetic: {label} (of a GPU's caches one of each kind is listed)")
    machine.write(tree, box)
    tree.file("/sys/class/drm/version", "drm 1.1.0 20060810")
    for gpu in gpus:
        drm.write(tree, gpu, box)
    if nodes is None:
        nodes = layout.nodes(box, gpus, name)
        if kfd.release(box.kernel) >= (6, 0) and all(_is_peer(gpu) for gpu in gpus):
            layout.peers_over_processors(nodes, box, gpus)
    kfd.write(tree, nodes, driver_level or box.kernel, box, [one for one in processes if one.vram])
    driver.write_module(tree, box, **module)
    driver.write_nodes(tree, gpus, **{"render_gid": RENDER} | (devices or {}))
    driver.write_processes(tree, processes)
    groups = sorted({gpu.place.iommu_group for gpu in gpus} - {None})
    if groups:
        pci.write_iommu(tree, groups, iommu, box)
    write_kernel_log(tree, kernel_log)
    return tree


def _is_peer(gpu):
    """Whether others can reach its memory over PCIe: all of it is visible, and it is no APU."""
    return not gpu.product.is_apu and not gpu.visible_vram


def write_kernel_log(tree, lines):
    """The kernel's messages, or the refusal that an ordinary user gets."""
    if lines is None:
        tree.call_error("kernel-log", "EPERM")
    else:
        tree.call("kernel-log", list(lines))
