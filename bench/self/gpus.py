#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gpus.py ROCMTUNE UNPACK_HOST: CPU time of `probe --json --root` by the number of GPUs.

Composes hosts of 1, 2, 4, ... 64 equal cards, writes them as trees, and measures them in turn, so
that other work on the machine meets all of them alike. Prints medians, the line of least squares
through them, and how far each is from it.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from compose_hosts import check, many_gpus  # noqa: E402 (lies beside scripts/compose-hosts)
from measure import once  # noqa: E402

COUNTS = (1, 2, 4, 8, 16, 32, 64)
ROUNDS = 15


def write_tree(count, work, unpack_host):
    """The directory of a host with so many cards, and how many files it has."""
    tree = many_gpus.mi210_many(count)
    problems = check.problems(tree)
    if problems:
        sys.exit(f"{count} cards: {problems[0]}")
    text, directory = work / f"{count}.host", work / str(count)
    text.write_text(tree.text(), encoding="utf-8")
    subprocess.run([unpack_host, text, directory], check=True, stderr=subprocess.DEVNULL)
    return directory, sum(path.is_file() for path in directory.rglob("*"))


def command(rocmtune, directory):
    return [rocmtune, "probe", "--json", "--root", str(directory)]


def cpu_times(rocmtune, trees):
    """Median CPU milliseconds of each tree; runs alternate."""
    samples = {count: [] for count in trees}
    for directory in trees.values():
        once(command(rocmtune, directory), {})  # warms the page cache
    for _ in range(ROUNDS):
        for count, directory in trees.items():
            samples[count].append(once(command(rocmtune, directory), {})[0] * 1e3)
    return {count: statistics.median(times) for count, times in samples.items()}


def main():
    rocmtune, unpack_host = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        trees, files = {}, {}
        for count in COUNTS:
            trees[count], files[count] = write_tree(count, pathlib.Path(name), unpack_host)
            document = subprocess.run(command(rocmtune, trees[count]), capture_output=True).stdout
            if len(json.loads(document)["host"]["gpus"]) != count:
                sys.exit(f"{count} cards: probe sees another number of them")
        medians = cpu_times(rocmtune, trees)
    slope, base = statistics.linear_regression(list(medians), list(medians.values()))
    print("| GPUs | files | CPU ms | line ms | off the line | CPU ms a GPU, without the host |")
    print("|---|---|---|---|---|---|")
    for count, median in medians.items():
        line = base + slope * count
        print(
            f"| {count} | {files[count]} | {median:.1f} | {line:.1f} | "
            f"{100 * (median / line - 1):+.0f} % | {(median - base) / count:.2f} |"
        )
    print(f"\nThe line: {base:.1f} ms for the host and {slope:.2f} ms for each GPU. ", end="")
    print(f"Twice the GPUs from 32 to 64: {medians[64] / medians[32]:.2f} times the time.")


if __name__ == "__main__":
    main()
