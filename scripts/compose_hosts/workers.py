"""What the GPU libraries of a host answered, as its recording keeps it: calls `worker.NAME`.

The libraries themselves were never run: targets, sizes and identifiers follow from the GPUs, and
versions from the installation that the host has.
"""

import json

from . import software


def gfx_name(version):
    """KFD's gfx_target_version as a target: 90402 is gfx942."""
    major, minor, step = version // 10000, version // 100 % 100, version % 100
    return f"gfx{major}{minor}{step:x}"


def library(release, name, prefix=None):
    """The file that was loaded, links followed."""
    prefix = prefix or f"/opt/rocm-{release}"
    return f"{prefix}/lib/{name}.so.{software.libraries(release)[name]}"


def answer(tree, name, took_ms, *lines):
    reply = {"status": "ok", "took_ms": took_ms, "answer": list(lines)}
    tree.call(f"worker.{name}", json.dumps(reply, separators=(",", ":"), ensure_ascii=True))


def _loaded(release, name):
    path = library(release, name)
    major = path.rsplit(".so.", 1)[1].split(".")[0]
    return {"library": {"path": path, "soname": f"{name}.so.{major}", "candidates": []}}


def _devices(rows):
    return [{"device": {"index": index} | row} for index, row in enumerate(rows)]


def _uuid(gpu):
    return {"uuid": f"GPU-{gpu.unique_id:016x}"} if gpu.unique_id else {}


def hsa(tree, release, gpus, first_node, target=None):
    """ROCr; `target` is what an override makes it report."""
    rows = [
        {
            "pci_address": gpu.place.address,
            "name": gpu.product.name,
            "gcn_arch_name": target or gfx_name(gpu.product.gfx),
        }
        | _uuid(gpu)
        | {
            "warp_size": gpu.product.wave,
            "compute_units": gpu.product.cus,
            "kfd_node": first_node + index,
        }
        for index, gpu in enumerate(gpus)
    ]
    runtime = {"runtime": {"version": "1.1"}}
    answer(tree, "hsa", 41, _loaded(release, "libhsa-runtime64"), runtime, *_devices(rows))


def hip(tree, release, version, gpus, target=None, modes="", memory=None):
    """HIP; `modes` stand behind the target, `memory` is what it offers of each GPU in bytes."""
    rows = [
        {
            "pci_address": gpu.place.address,
            "name": gpu.product.name,
            "gcn_arch_name": (target or gfx_name(gpu.product.gfx)) + modes,
        }
        | _uuid(gpu)
        | {
            "total_memory_bytes": memory or gpu.product.vram,
            # On RDNA HIP counts workgroup processors, two compute units each.
            "multiprocessors": gpu.product.cus // (1 if gpu.product.wave == 64 else 2),
            "warp_size": gpu.product.wave,
            "integrated": int(gpu.product.is_apu),
            "clock_khz": gpu.product.engine_mhz * 1000,
        }
        for gpu in gpus
    ]
    runtime = {"runtime": {"version": version}}
    answer(tree, "hip", 212, _loaded(release, "libamdhip64"), runtime, *_devices(rows))
    interface = {"runtime": {"interface": "9.0"}}
    answer(tree, "hiprtc", 26, _loaded(release, "libhiprtc"), interface)


def smi(tree, release, gpus):
    """ROCm SMI and AMD SMI, which see all GPUs whatever the masks."""
    rows = [
        {"pci_address": gpu.place.address}
        | ({"unique_id": f"{gpu.unique_id:016x}"} if gpu.unique_id else {})
        | {
            "name": gpu.product.name,
            "total_memory_bytes": gpu.product.vram,
            "engine_clock_mhz": gpu.sensors.sclk,
        }
        for gpu in gpus
    ]
    version = software.libraries(release)["librocm_smi64"].rsplit(".", 1)[0] + ".0"
    runtime = {"runtime": {"version": version, "layout": "v6"}}
    answer(tree, "rocm_smi", 18, _loaded(release, "librocm_smi64"), runtime, *_devices(rows))
    rows = [
        {"pci_address": gpu.place.address, "total_memory_bytes": gpu.product.vram} for gpu in gpus
    ]
    major = software.libraries(release)["libamd_smi"].split(".")[0]
    runtime = {"runtime": {"version": major}}
    answer(tree, "amd_smi", 33, _loaded(release, "libamd_smi"), runtime, *_devices(rows))
