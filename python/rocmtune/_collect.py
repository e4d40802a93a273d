# SPDX-License-Identifier: MIT
"""The text that bug reports of projects above ROCm ask for."""
from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from typing import Any, Dict, List, Optional

from ._commands import Path, ask, options
from .records import Gpu, Host, ProbeReport

_PACKAGES = re.compile(
    r"amdsmi|bitsandbytes|flash[-_]attn.*|jax.*|numpy|onnxruntime.*|pytorch[-_]triton.*|rocm.*|"
    r"sglang|tensorflow.*|torch.*|transformers|triton.*|vllm|xformers", re.IGNORECASE)
"""What projects above ROCm ask for, and what decides which GPU code runs."""


def collect_env(*, root: Optional[Path] = None, replay: Optional[Path] = None,
                timeout: Optional[float] = None) -> str:
    """This host, its ROCm, its GPUs and this Python, as a text to paste into a bug report.

    Names of hosts and users, serial numbers, ids and addresses are replaced, as by
    `rocmtune probe --redact`. What is not known says why. No package is imported. With root or
    replay nothing is said of this Python, which is not that of the host.
    """
    report = ask(ProbeReport, "probe", options(redact=True, root=root, replay=replay), timeout)
    of_another = root is not None or replay is not None
    lines = [f"rocmtune: {report.tool.version}, data of {report.tool.data_date}"]
    lines += [f"Recorded: {report.host.recorded}"] if of_another else []
    lines += _system(report.host) + _rocm(report.host)
    lines += [line for gpu in report.host.gpus for line in _gpu(gpu)] or ["AMD GPUs: none"]
    if not of_another:
        lines += _this_python()
    return "\n".join(lines + _environment(report.host)) + "\n"


def _fact(record: Any, name: str) -> str:
    """The value, or that there is none, or why it is not known."""
    value = getattr(record, name)
    if value is not None:
        return str(value)
    reason = record.reasons.get(name, "no reason was given")
    return f"none ({reason})" if reason.startswith("absent") else f"not known ({reason})"


def _size(record: Any, name: str) -> str:
    """Bytes in GiB, or why they are not known."""
    value = getattr(record, name)
    return _fact(record, name) if value is None else f"{value / (1 << 30):.1f} GiB"


def _access(record: Any, name: str) -> str:
    access = getattr(record, name)
    if access is None:
        return _fact(record, name)
    return "usable" if access.usable else f"not usable ({access.error})"


def _system(host: Host) -> List[str]:
    return [
        f"OS: {_fact(host, 'distribution')} ({_fact(host, 'architecture')})",
        f"Kernel: {_fact(host, 'kernel_release')}",
        f"Container: {_fact(host, 'container')}",
        f"CPU: {_fact(host, 'cpu_model')}",
        f"Memory: {_size(host, 'memory_bytes')}",
    ]


def _rocm(host: Host) -> List[str]:
    origin = f", from {host.amdgpu_origin}" if host.amdgpu_origin else ""
    chosen = {True: ", the loader's choice", False: ""}
    return [
        f"Driver amdgpu: {_fact(host, 'amdgpu_state')}{origin}",
        f"/dev/kfd: {_access(host, 'kfd_access')}",
        *_list(host, "ROCm", "rocm_installations",
               [f"{_fact(one, 'version')} in {one.path}{chosen[one.selected]}"
                for one in host.rocm_installations or []]),
        f"HIP runtime: {_fact(host, 'hip_runtime_path')}",
        *_list(host, "Framework", "frameworks",
               [f"{one.name} {_fact(one, 'version')}" +
                (f", HIP {one.hip_version}" if one.hip_version else "")
                for one in host.frameworks or []]),
    ]


def _list(host: Host, title: str, name: str, entries: List[str]) -> List[str]:
    """A line an entry; where there are none, why."""
    if entries:
        return [f"{title}: {entry}" for entry in entries]
    reason = host.reasons.get(name)
    known = getattr(host, name) is not None
    return [f"{title}: none" + (f" ({reason})" if reason else "") if known else
            f"{title}: {_fact(host, name)}"]


def _gpu(gpu: Gpu) -> List[str]:
    name = f"GPU {gpu.row}: {_fact(gpu, 'marketing_name')}"
    return [
        f"{name}, {_fact(gpu, 'gfx_target')}, PCI {_fact(gpu, 'pci_address')}",
        f"  memory: {_size(gpu, 'vram_bytes')}" +
        (f", shared with the processor: {_size(gpu, 'compute_memory_bytes')} for compute"
         if gpu.is_apu else ""),
        f"  compute units: {_fact(gpu, 'compute_units')}",
        f"  driver: {_fact(gpu, 'driver')}, VBIOS {_fact(gpu, 'vbios_version')}",
        f"  render node: {_access(gpu, 'render_access')}",
    ]


def _this_python() -> List[str]:
    """Of the process that asks. Metadata is read; importing a package could start a GPU runtime."""
    libc = " ".join(platform.libc_ver()).strip() or "not known"
    place = "a virtual environment" if sys.prefix != sys.base_prefix else "no virtual environment"
    found: Dict[str, str] = {}
    for one in importlib.metadata.distributions():
        name = one.metadata["Name"]
        if name and _PACKAGES.fullmatch(name):
            found.setdefault(name, one.version)
    return [
        f"Python: {platform.python_version()} ({platform.python_implementation()}), {place}",
        f"libc of Python: {libc}",
        *[f"Package: {name}=={version}" for name, version in sorted(found.items())],
    ]


def _environment(host: Host) -> List[str]:
    if host.environment is None:
        return [f"Variables: {_fact(host, 'environment')}"]
    hidden = [f"{name} is set (its value is not shown)" for name in host.environment_hidden or []]
    values = [f"{name}={value}" for name, value in sorted(host.environment.items())]
    return ["Variables:", *values, *hidden] if values + hidden else ["Variables: none of ROCm's"]
