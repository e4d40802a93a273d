#!/usr/bin/env python3
"""Lines and files of C++ by room, beside an earlier commit: how large the house is.

usage: lines.py [COMMIT]      (default 5ce37f1, before the rebuilding)

Counts every line of *.cpp, *.hpp, *.hip and *.h below src, include and bench, as it is committed
(HEAD). Parts 1 to 2 of the issues added 11,798 lines in 101 files to 5ce37f1 before the house was
rebuilt (a878b74 against it, plus what embedding knowledge as JSON had already taken away), so that
the goal for what 5ce37f1 did, 52,000 lines in 420 files, is 63,798 in 521 for all of it.
"""
import collections
import pathlib
import subprocess
import sys

ADDED_LINES, ADDED_FILES = 11798, 101
GOAL_LINES, GOAL_FILES = 52000, 420
ENDINGS = (".cpp", ".hpp", ".hip", ".h")
# Rooms that have another name today.
RENAMED = {"system": "machine", "collect": "settings", "render": "show", "host": "codec", "reports": "codec"}
JUDGE = {"checks", "lint", "rules", "compare", "fleet", "plan", "verify"}


def room(path):
    """The room of a file: src/X as it is called today, all of judge as one, include, bench."""
    parts = pathlib.PurePath(path).parts
    if parts[0] != "src":
        return parts[0]
    return "judge" if parts[1] in JUDGE else RENAMED.get(parts[1], parts[1])


def count(repository, commit):
    """Room -> [lines, files]."""
    found = collections.defaultdict(lambda: [0, 0])
    names = subprocess.run(["git", "ls-tree", "-r", "--name-only", commit, "src", "include", "bench"], check=True,
                           cwd=repository, capture_output=True, text=True).stdout.splitlines()
    names = [name for name in names if name.endswith(ENDINGS)]
    wanted = "".join(f"{commit}:{name}\n" for name in names)
    blobs = subprocess.run(["git", "cat-file", "--batch"], input=wanted.encode(), check=True, cwd=repository,
                           capture_output=True).stdout
    at = 0
    for name in names:
        end = blobs.index(b"\n", at)
        size = int(blobs[at:end].split()[2])
        text = blobs[end + 1:end + 1 + size]
        at = end + size + 2
        found[room(name)][0] += text.count(b"\n")
        found[room(name)][1] += 1
    return found


def main():
    repository = pathlib.Path(__file__).resolve().parents[2]
    commit = sys.argv[1] if len(sys.argv) > 1 else "5ce37f1"
    before, now = count(repository, commit), count(repository, "HEAD")
    print(f"| room | lines at {commit} | files | lines now | files |\n|---|---|---|---|---|")
    for name in sorted(set(before) | set(now)):
        print("| {} | {} | {} | {} | {} |".format(name, *before.get(name, (0, 0)), *now.get(name, (0, 0))))
    total = [sum(part[i] for part in rooms.values()) for rooms in (before, now) for i in (0, 1)]
    print("| all | {} | {} | {} | {} |".format(*total))
    print(f"\nWithout what parts 1 to 2 added: {total[2] - ADDED_LINES} lines in {total[3] - ADDED_FILES} files; "
          f"goal {GOAL_LINES} in {GOAL_FILES}.")


if __name__ == "__main__":
    main()
