"""The amdgpu module, its parameters and origin, the device nodes, and processes that hold a GPU."""

from dataclasses import dataclass, field

# Defaults of the running kernel; a host changes single ones.
_PARAMETERS = {
    "bad_page_threshold": "-1",
    "cwsr_enable": "1",
    "dpm": "-1",
    "gpu_recovery": "-1",
    "gttsize": "-1",
    "lockup_timeout": "",
    "mcbp": "-1",
    "noretry": "-1",
    "ppfeaturemask": "0xfff7bfff",
    "ras_enable": "-1",
    "runpm": "-1",
    "sched_hw_submission": "2",
    "use_xgmi_p2p": "1",
    "vm_fragment_size": "-1",
}
_RENDER_MINOR_BASE = 128
# How a distribution compresses its modules; the others use Zstandard.
_MODULE_SUFFIX = {
    "debian-12": ".ko",
    "ubuntu-18.04": ".ko",
    "fedora-42": ".ko.xz",
    "rhel-9.4": ".ko.xz",
}


@dataclass(frozen=True)
class Process:
    """A process that holds GPUs; `vram` is bytes by KFD gpu_id, `clients` PCI address and KiB."""

    pid: int
    name: str
    uid: int = 1000
    pasid: int = 32769
    vram: dict = field(default_factory=dict)
    clients: tuple = ()  # (address, KiB of VRAM)
    readable: bool = True


def write_module(tree, machine, dkms=None, parameters=None, modules=()):
    """amdgpu as loaded: in-tree, or the DKMS package (version, package) that replaces it."""
    root = "/sys/module/amdgpu"
    tree.files(root, {"initstate": "live", "refcnt": 12, "version": dkms[0] if dkms else None,
                      "taint": "OE" if dkms else [""]})
    tree.files(f"{root}/parameters", _PARAMETERS | (parameters or {}))
    tree.link_to(f"{root}/drivers/pci:amdgpu", "/sys/bus/pci/drivers/amdgpu")
    pages = machine.ttm_bytes // 4096
    tree.files(
        f"/sys/module/{'amdttm' if dkms else 'ttm'}/parameters",
        {"page_pool_size": pages, "pages_limit": pages},
    )
    library = f"/lib/modules/{machine.kernel}"
    suffix = _MODULE_SUFFIX.get(machine.distribution, ".ko.zst")
    if dkms:
        _write_dkms(tree, machine, dkms, library, suffix)
    else:
        tree.listed(f"{library}/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu{suffix}")
    tree.lines(
        f"{library}/modules.builtin",
        ["kernel/fs/ext4/ext4.ko", "kernel/drivers/char/agp/amd64-agp.ko"],
    )
    names = ["amdgpu 20635648 12 - Live 0x0000000000000000"] + [
        f"{name} 65536 1 amdgpu, Live 0x0000000000000000"
        for name in (
            ("amdttm", "amdkcl", "amd_sched") if dkms else ("ttm", "drm_exec", "gpu_sched")
        )
    ]
    tree.lines(
        "/proc/modules", names + [f"{name} 16384 0 - Live 0x0000000000000000" for name in modules]
    )


def _write_dkms(tree, machine, dkms, library, suffix):
    version, package = dkms
    base = f"/var/lib/dkms/amdgpu/{package}"
    tree.listed(
        f"{library}/updates/dkms/amdgpu{suffix}",
        f"{base}/{machine.kernel}/x86_64/module/amdgpu{suffix}",
        f"/usr/src/amdgpu-{package}/dkms.conf",
    )
    tree.link_to(f"{base}/source", f"/usr/src/amdgpu-{package}")
    tree.link(
        f"/var/lib/dkms/amdgpu/kernel-{machine.kernel}-x86_64", f"{package}/{machine.kernel}/x86_64"
    )


def write_nodes(
    tree,
    gpus,
    render_gid,
    kfd_error=None,
    render_error=None,
    mode="0660",
    only_renders=None,
    video_gid=44,
):
    """/dev/kfd and /dev/dri; `only_renders` names the render nodes that a container got."""
    tree.device("/dev/kfd", 235, 0, mode, f"0:{render_gid}", kfd_error)
    for gpu in gpus:
        if only_renders is not None and gpu.render not in only_renders:
            continue
        minors = [
            (f"card{gpu.card}", gpu.card, video_gid),
            (f"renderD{gpu.render}", gpu.render, render_gid),
        ]
        for name, minor, gid in minors:
            if only_renders is None or minor >= _RENDER_MINOR_BASE:
                tree.device(f"/dev/dri/{name}", 226, minor, mode, f"0:{gid}", render_error)
                if only_renders is None:
                    kind = "render" if minor >= _RENDER_MINOR_BASE else "card"
                    tree.link(f"/dev/dri/by-path/pci-{gpu.place.address}-{kind}", f"../{name}")


def write_processes(tree, processes):
    """/proc/<pid> of processes that hold a GPU."""
    for process in processes:
        path = f"/proc/{process.pid}"
        tree.file(f"{path}/comm", process.name)
        tree.lines(
            f"{path}/status",
            [
                f"Name:\t{process.name}",
                "State:\tS (sleeping)",
                f"Pid:\t{process.pid}",
                "Uid:\t" + "\t".join([str(process.uid)] * 4),
                f"NSpid:\t{process.pid}",
            ],
        )
        if not process.readable:
            tree.error(f"{path}/fdinfo", "EACCES")
            continue
        for number, (address, kib) in enumerate(process.clients):
            tree.lines(f"{path}/fdinfo/{number + 12}", _fdinfo(process, address, kib, number))


def _fdinfo(process, address, kib, number):
    return [
        "pos:\t0",
        "flags:\t02100002",
        "mnt_id:\t28",
        "ino:\t571",
        "drm-driver:\tamdgpu",
        f"drm-client-id:\t{process.pid % 100 + number}",
        f"drm-pdev:\t{address}",
        f"pasid:\t{process.pasid}",
        f"drm-total-vram:\t{kib} KiB",
        "drm-shared-vram:\t0",
        f"drm-resident-vram:\t{kib} KiB",
        f"drm-memory-vram:\t{kib} KiB",
        f"drm-total-gtt:\t{kib // 8} KiB",
        f"drm-memory-gtt: \t{kib // 8} KiB",
        "drm-engine-gfx:\t8811200334 ns",
        "drm-engine-compute:\t0 ns",
    ]
