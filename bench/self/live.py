#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""live.py PROGRAM...: a live probe beside programs of ten lines that ask one library each.

Runs on the host that it is started on, or on an emulated one (tests/support/fake_kfd):
    compose_tree gfx90a 8 TREE && run_on_tree TREE libfake_kfd.so bench/self/live.py build/release/rocmtune
The peers (peers/*.c) are compiled against the installed libraries. All take turns, and who begins
changes from round to round; prints medians of CPU time (user and system, children included), wall
time and peak memory, the least wall time, and the ratios to the slowest peer.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from measure import once  # noqa: E402

ROUNDS = 41
PEERS = {"hip": "libamdhip64.so.5", "hsa": "libhsa-runtime64.so.1", "smi": "librocm_smi64.so.1"}


def compiled(work):
    """The peers by name, linked with the library that the loader knows by this soname."""
    cache = subprocess.run(["ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    paths = {line.split()[0]: line.split()[-1] for line in cache.splitlines() if " => " in line}
    commands = {}
    for name, soname in PEERS.items():
        commands[name] = [f"{work}/{name}"]
        subprocess.run(["cc", "-O2", "-o", f"{work}/{name}", str(HERE / f"peers/{name}.c"), paths[soname]],
                       check=True)
    return commands


def measured(commands):
    """Medians of CPU seconds, wall seconds and peak KiB, and the least wall seconds, by name."""
    samples = {name: [] for name in commands}
    for turn in range(ROUNDS + 1):
        for name in list(commands) if turn % 2 == 0 else reversed(commands):
            samples[name].append(once(commands[name], {}))
    # The first round warms the page cache.
    return {name: [statistics.median(run[i] for run in runs[1:]) for i in range(3)]
                  + [min(run[1] for run in runs[1:])] for name, runs in samples.items()}


def main():
    with tempfile.TemporaryDirectory() as work:
        peers = compiled(work)
        commands = dict(peers)
        for program in sys.argv[1:]:
            commands[f"{program} probe"] = [program, "probe", "--json"]
            commands[f"{program} probe --sources sysfs"] = [program, "probe", "--json", "--sources", "sysfs"]
        results = measured(commands)
    slowest = max(peers, key=lambda name: results[name][1])
    print("| command | CPU ms | wall ms | least wall ms | peak MiB | wall, of the slowest peer | least wall, of the same |")
    print("|---|---|---|---|---|---|---|")
    for name, (cpu, wall, memory, least) in results.items():
        print(f"| {name} | {cpu * 1e3:.1f} | {wall * 1e3:.1f} | {least * 1e3:.1f} | {memory / 1024:.0f} | "
              f"{wall / results[slowest][1]:.2f} | {least / results[slowest][3]:.2f} |")


if __name__ == "__main__":
    main()
