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


LIBRARIES = ("LIBAMDHIP64", "LIBHIPRTC", "LIBHSA_RUNTIME64", "LIBROCM_SMI64", "LIBAMD_SMI")


def wall(command, environment):
    return once(command, environment)[1]


def worker(rocmtune, name):
    """The command of one library worker alone; it answers on descriptor 3."""
    return ["sh", "-c", f'exec "$0" --internal-worker {name} 3>/dev/null', rocmtune]


def live(title, rocmtune, environment):
    """A live probe beside its slowest worker alone. Runs alternate, so that noise meets both."""
    probe = [rocmtune, "probe", "--json"]
    names = ("hsa", "hip", "hiprtc", "rocm_smi", "amd_smi")
    samples = {name: [] for name in (*names, "probe")}
    for _ in range(RUNS):
        samples["probe"].append(wall(probe, environment))
        for name in names:
            samples[name].append(wall(worker(rocmtune, name), environment))
    medians = {name: statistics.median(times) * 1e3 for name, times in samples.items()}
    slowest = max(names, key=medians.get)
    print(f"| {title} | {medians['probe']:.1f} | {slowest} | {medians[slowest]:.1f} | "
          f"{medians['probe'] / medians[slowest]:.2f} |")


def machinery(rocmtune):
    """What five workers cost that have no library to ask: the difference of alternating runs."""
    nothing = {f"ROCMTUNE_{library}": "/nonexistent" for library in LIBRARIES}
    differences = []
    for _ in range(4 * RUNS):
        without = wall([rocmtune, "probe", "--json", "--sources", "sysfs"], nothing)
        differences.append(wall([rocmtune, "probe", "--json"], nothing) - without)
    return statistics.median(differences) * 1e3


def part2(rocmtune, work, fakes):
    print("\nLibraries\n\n| live probe over | probe ms | slowest worker | alone ms | ratio |\n"
          "|---|---|---|---|---|")
    live("the libraries of this machine", rocmtune, {})
    fake = {"ROCM_PATH": f"{fakes}/rocm-7", "FAKE_GPUS": "0000:03:00.0 gfx1100 42 21458059264"}
    live("fakes that answer at once", rocmtune, fake)
    for milliseconds in (300, 1000):
        slow = fake | {"FAKE_FAULT": f"slow={milliseconds}@hipGetDeviceCount"}
        live(f"fakes, HIP takes {milliseconds} ms", rocmtune, slow)
    print(f"\nFive workers without a library cost {machinery(rocmtune):.1f} ms together.")
    print("\nRecording\n\n| command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|")
    for host in ("mi210-x8", "mi300x-x8"):
        for name in ("host.tar.gz", "text.host"):
            measure(f"probe --root {host} --record {name}",
                    [rocmtune, "probe", "--json", "--root", f"{work}/{host}",
                     "--record", f"{work}/{name}"])


def main():
    rocmtune, work, fakes = sys.argv[1:]
    rocmtune = os.path.abspath(rocmtune)
    fakes = os.path.abspath(fakes)
    if os.environ.get("ONLY") == "libraries":
        part2(rocmtune, work, fakes)
        return
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
    print("\nChecks\n\n| command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|")
    measure("check -l quick --root mi300x-x8",
            [rocmtune, "check", "-l", "quick", "--root", f"{work}/mi300x-x8"])
    part2(rocmtune, work, fakes)
    print("\nSettings\n\n| command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|")
    for host, workload in (("rx7900xt-x2", "none"), ("mi300x-x8", "none"), ("mi300x-x8", "llm-training")):
        measure(f"env --replay {host} --level aggressive --workload {workload}",
                [rocmtune, "env", "--replay", f"tests/hosts/{host}/host", "--level", "aggressive",
                 "--workload", workload])
    print("\nReports\n\n| command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|")
    for host in ("mi210-x8", "mi300x-x8"):
        subprocess.run([rocmtune, "probe", "--replay", f"tests/hosts/{host}/host", "--json",
                        "-o", f"{work}/{host}.json"], check=True)
    measure("compare mi210-x8.json mi300x-x8.json",
            [rocmtune, "compare", f"{work}/mi210-x8.json", f"{work}/mi300x-x8.json"])


if __name__ == "__main__":
    main()
