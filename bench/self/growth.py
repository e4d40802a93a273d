#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""growth.py NEW OLD [ROUNDS]: what large inputs and a start cost in two programs, in one run.

The programs take turns, and who begins changes from round to round. Prints medians of CPU time (user and
system, children included), wall time and peak memory of both, and the ratios NEW / OLD. The inputs
are made as lint_files.py, fleet_reports.py and full_logs.py make them (0.8 GB, some minutes).
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from full_logs import mi300_hosts, sixty_three_partitions  # noqa: E402
from measure import once  # noqa: E402


def make(script, arguments, output=None):
    with open(output or "/dev/null", "wb") as file:
        subprocess.run([sys.executable, str(HERE / script), *arguments], stdout=file, check=True)


def inputs(program, work):
    """Writes what the commands below read."""
    make("lint_files.py", [f"{work}/files", "50000", "20"])
    make("lint_files.py", [f"{work}/misspelt", "misspelt", "100000"])
    make("fleet_reports.py", ["10000", "--alone", "--rocmtune", program], f"{work}/fleet.ndjson")
    pathlib.Path(work, "one.sh").write_text("export HSA_ENABLE_SDMA=0\n", encoding="utf-8")
    thirty_two = mi300_hosts.mi300x_partitioned("mi300x-cpx-x4", 4, 2, "four Instinct MI300X, 32")
    pathlib.Path(work, "32.host").write_text(thirty_two.text(), encoding="utf-8")
    pathlib.Path(work, "63.host").write_text(sixty_three_partitions().text(), encoding="utf-8")


def rows(work):
    """(name, arguments, how many runs a round)"""
    quiet = ["--fail-on", "never"]
    return [
        ("lint, 50,000 files", ["lint", *quiet, f"{work}/files"], 1),
        ("lint --json, the same", ["lint", "--json", *quiet, f"{work}/files"], 1),
        ("lint, 100,000 misspelt names", ["lint", *quiet, f"{work}/misspelt"], 1),
        ("fleet, 10,000 hosts with nothing in common", ["fleet", f"{work}/fleet.ndjson"], 1),
        ("explain RT3011", ["explain", "RT3011"], 8),
        ("probe --json --replay, 32 partitions", ["probe", "--json", "--replay", f"{work}/32.host"], 8),
        ("probe --json --replay, 63 partitions", ["probe", "--json", "--replay", f"{work}/63.host"], 8),
        ("lint, a file of one line", ["lint", *quiet, f"{work}/one.sh"], 8),
        ("probe --json, this host", ["probe", "--json"], 8),
        ("--version", ["--version"], 8),
    ]


def row(name, arguments, programs, count):
    """Runs all programs in turn and prints one line of the table."""
    samples = [[] for _ in programs]
    for turn in range(count):
        order = range(len(programs)) if turn % 2 == 0 else reversed(range(len(programs)))
        for which in order:
            # A child begins with the peak of its parent (proc(5), clear_refs).
            pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
            samples[which].append(once([programs[which], *arguments], {}))
    cells = []
    for scale, digits, what in ((1e3, 1, 0), (1e3, 1, 1), (1 / 1024, 0, 2)):
        new, old = (statistics.median(sample[what] for sample in runs) * scale for runs in samples)
        cells.append(f"{new:.{digits}f} | {old:.{digits}f} | {new / old:.2f}")
    codes = "/".join(str(runs[-1][3]) for runs in samples)
    print(f"| {name} | {' | '.join(cells)} | {codes} |", flush=True)


def main():
    programs = [str(pathlib.Path(each).resolve()) for each in sys.argv[1:3]]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    print("| command | CPU ms | before | ratio | wall ms | before | ratio | peak MiB | before | ratio | exit |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as work:
        inputs(programs[0], work)
        for name, arguments, runs in rows(work):
            row(name, arguments, programs, rounds * runs)


if __name__ == "__main__":
    main()
