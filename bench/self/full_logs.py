#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""full_logs.py ROCMTUNE: CPU time, wall time and peak memory of a host with 64 partitions, of which one
is lost, and of one whose kernel log has 63 MiB (64 is the most that a recording may have).

Both are composed and read with --replay. The log is the logs of tests/incidents, one after the other,
again and again: ten times as many lines about GPUs as any real one has.
"""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from compose_hosts import mi300_hosts  # noqa: E402 (lies beside scripts/compose-hosts)
from compose_hosts.servers import hide_nodes  # noqa: E402
from measure import measure  # noqa: E402

LOG_BYTES = 63 << 20


def large_log():
    """Lines of all incidents; a replayed log has each on a line of its own after a tab."""
    logs = sorted((ROOT / "tests/incidents/logs").iterdir())
    lines = [line for log in logs for line in log.read_text(errors="replace").splitlines()]
    block = "".join(f"\t<6>{line}\n" for line in lines)
    text = (block * (LOG_BYTES // len(block) + 1)).encode()[:LOG_BYTES].decode(errors="ignore")
    return text[: text.rindex("\n") + 1]


def sixty_three_partitions():
    """Eight cards of eight partitions; the nodes of the processors come first, the last is lost."""
    tree = mi300_hosts.mi300x_partitioned("mi300x-cpx-x8", 8, 2, "eight Instinct MI300X, 64")
    hide_nodes(tree, [65])
    return tree


def with_log(text, log):
    """The host with this kernel log in place of its own."""
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        inside = line.startswith("call kernel-log ") or (inside and line.startswith("\t"))
        if not inside:
            kept.append(line)
    head, rest = kept[0], kept[1:]
    return head + "call kernel-log =\n" + log + "".join(rest)


def main():
    rocmtune = str(pathlib.Path(sys.argv[1]).resolve())
    server = (ROOT / "tests/hosts/mi300x-x8/host").read_text()
    hosts = {
        "63 of 64 partitions": lambda: sixty_three_partitions().text(),
        "63 MiB of kernel log, eight MI300X": lambda: with_log(server, large_log()),
        "the same without a log": lambda: with_log(server, "\t<6>[    0.0] Linux version 6.8\n"),
    }
    print("| host | command | CPU ms | wall ms | peak MiB | exit |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "host"
        for title, text in hosts.items():
            path.write_text(text(), encoding="utf-8")
            # A child begins with the peak of its parent (proc(5), clear_refs).
            pathlib.Path("/proc/self/clear_refs").write_text("5")
            for command in (["probe", "--json"], ["check", "-l", "quick"]):
                measure(
                    f"{title} | {' '.join(command)}",
                    [rocmtune, *command, "--replay", str(path)],
                    runs=5,
                )


if __name__ == "__main__":
    main()
