#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often lint's certain findings are right, and how many of the right ones it has.

Each case of tests/lint/corpus is a file: a line "@@ PATH", lines "@ ID LINE" with what a careful
reader finds in it (written down before lint was run on it; notes are left out), then its text. "@ CRLF"
ends its lines as Windows does. Prints a table for bench/self/README.md; --check fails below the goals.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LEAST_PRECISION = 0.99
LEAST_RECALL = 0.95
LEAST_CASES = 60


def read_cases(folder):
    """Yields (path, expected findings, text)."""
    for source in sorted(folder.glob("*.cases")):
        for part in re.split(r"^@@ ", source.read_text(encoding="utf-8"), flags=re.M)[1:]:
            path, body = part.split("\n", 1)
            marks = re.match(r"(?:@ .*\n)*", body)[0]
            text = body[len(marks):]
            expected = re.findall(r"^@ (RT\d+) (\d+)$", marks, flags=re.M)
            if len(expected) + marks.count("@ CRLF\n") != marks.count("\n"):
                sys.exit(f"{source.name}: {path}: a mark that is none")
            if "@ CRLF\n" in marks:
                text = text.replace("\n", "\r\n")
            yield path, collections.Counter((name, int(line)) for name, line in expected), text


def found_by(program, folder, paths):
    """The certain findings of each path, as lint gives them for all files of one call."""
    command = [program, "lint", "--fail-on", "never", "--json", *paths]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"lint ended with {run.returncode}: {run.stderr}")
    findings = collections.defaultdict(collections.Counter)
    classes = {}
    for finding in json.loads(run.stdout)["findings"]:
        classes[finding["id"]] = finding["class"]
        if finding["certain"]:
            findings[finding["file"]][finding["id"], finding["line"]] += 1
    return findings, classes


def judge(program, cases):
    """(right, too much, missed) for each id, the differences as text, and the classes of the ids."""
    with tempfile.TemporaryDirectory() as work:
        for path, _, text in cases:
            file = pathlib.Path(work, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8"))
        findings, classes = found_by(program, work, [path for path, _, _ in cases])
    counts = collections.defaultdict(lambda: [0, 0, 0])
    differences = []
    for path, expected, _ in cases:
        found = findings[path]
        for column, difference, what in [(0, expected & found, None),
                                         (1, found - expected, "not expected"),
                                         (2, expected - found, "missed")]:
            for (name, line), number in difference.items():
                counts[name][column] += number
                if what:
                    differences.append(f"{path}:{line}: {name} {what}")
    return counts, differences, classes


def ratio(part, whole):
    return part / whole if whole else 1.0


def print_table(counts, classes):
    print("| findings | right | not expected | missed | precision | recall |")
    print("|---|---|---|---|---|---|")
    total = [sum(column) for column in zip(*counts.values())]
    rows = [(f"{name} {classes.get(name, '')}", counts[name]) for name in sorted(counts)]
    for name, (right, extra, missed) in [*rows, ("all", total)]:
        print(f"| {name} | {right} | {extra} | {missed} | {ratio(right, right + extra):.3f} | "
              f"{ratio(right, right + missed):.3f} |")
    return ratio(total[0], total[0] + total[1]), ratio(total[0], total[0] + total[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    cases = list(read_cases(arguments.corpus))
    clean = sum(not expected for _, expected, _ in cases)
    counts, differences, classes = judge(str(pathlib.Path(arguments.program).resolve()), cases)
    print(f"{len(cases)} files, {clean} of them without a certain finding\n")
    precision, recall = print_table(counts, classes)
    print("\n".join(differences), file=sys.stderr)
    if not arguments.check:
        return 0
    fine = precision >= LEAST_PRECISION and recall >= LEAST_RECALL
    return 0 if fine and len(cases) >= LEAST_CASES and 3 * clean >= len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
