# SPDX-License-Identifier: MIT
"""Medians of CPU time, wall time and peak memory of commands, and their ratios."""

import os
import statistics
import subprocess
import sys
import time

RUNS = 15


def once(command, environment):
    """(CPU seconds with children, wall seconds, peak resident KiB, exit code) of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss, os.waitstatus_to_exitcode(status)


def measure(name, command, environment=None, runs=RUNS):
    once(command, environment or {})  # warms the page cache
    samples = [once(command, environment or {}) for _ in range(runs)]
    cpu, wall, memory = (statistics.median(s[i] for s in samples) for i in range(3))
    print(f"| {name} | {cpu * 1e3:.1f} | {wall * 1e3:.1f} | {memory / 1024:.1f} | {samples[-1][3]} |")
    return cpu


def compare(title, tree, rocmtune, smi_options):
    print(f"\n{title}\n\n| command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|")
    ours = measure("rocmtune probe --json", [rocmtune, "probe", "--json", "--root", tree])
    peer = {"UMOCKDEV_DIR": tree, "LD_PRELOAD": "libumockdev-preload.so.0"}
    theirs = measure(f"rocm-smi {' '.join(smi_options)}", ["rocm-smi", *smi_options], peer, 7)
    print(f"\nrocm-smi takes {theirs / ours:.0f} times the CPU time of rocmtune.")


def main():
    rocmtune, work = sys.argv[1:]
    rocmtune = os.path.abspath(rocmtune)
    compare("Eight MI210", f"{work}/mi210-x8", rocmtune, ["-a", "--json"])
    if os.path.isdir(f"{work}/mi308x-cpx"):
        compare("32 partitions of MI308X", f"{work}/mi308x-cpx", rocmtune,
                ["--showid", "--showtopo", "--json"])
    print("\nStart-up\n\n| command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|")
    for option in ("--version", "--help"):
        measure(f"rocmtune {option}", [rocmtune, option])
    print("\nGPUs\n\n| command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|")
    for host, count in (("rx7900xt", 1), ("mi300a-x4", 4), ("mi210-x8", 8), ("mi300x-cpx", 16)):
        measure(f"probe --replay {host} ({count} GPUs)",
                [rocmtune, "probe", "--json", "--replay", f"tests/hosts/{host}/host"])
    print("\nSettings\n\n| command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|")
    for host, workload in (("rx7900xt-x2", "none"), ("mi300x-x8", "none"), ("mi300x-x8", "llm-training")):
        measure(f"env --replay {host} --level aggressive --workload {workload}",
                [rocmtune, "env", "--replay", f"tests/hosts/{host}/host", "--level", "aggressive",
                 "--workload", workload])


if __name__ == "__main__":
    main()
