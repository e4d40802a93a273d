#!/usr/bin/env python3
"""Lines and files of C++ by room: bench/self/rooms.py [COMMIT...]

Counts what git has of src, include and bench (without bench/self) at each commit, HEAD if none is
named. One column pair a commit, the total last. Rooms that were renamed stand under today's names;
what src/cli held is in src/cli, src/commands and src/measure today.
"""
import collections
import subprocess
import sys

SUFFIXES = (".cpp", ".hpp", ".hip", ".in")
RENAMED = {"system": "machine", "collect": "settings", "render": "show",
           **dict.fromkeys(("checks", "lint", "rules", "compare", "fleet", "plan", "verify"), "judge")}


def git(*words):
    return subprocess.run(("git",) + words, check=True, capture_output=True, text=True).stdout


def room_of(path):
    """src/NAME, or the top folder."""
    parts = path.split("/")
    return "src/" + RENAMED.get(parts[1], parts[1]) if parts[0] == "src" else parts[0]


def rooms_of(commit):
    """Room -> [lines, files]."""
    rooms = collections.defaultdict(lambda: [0, 0])
    names = git("ls-tree", "-r", "--name-only", commit, "--", "src", "include", "bench").split("\n")
    empty = git("hash-object", "-t", "tree", "/dev/null").strip()
    lines = {}
    for row in git("diff", "--numstat", "--no-renames", empty, commit).splitlines():
        added, _, path = row.split("\t", 2)
        lines[path] = added
    for name in names:
        if name.endswith(SUFFIXES) and not name.startswith("bench/self/"):
            rooms[room_of(name)][0] += int(lines[name])
            rooms[room_of(name)][1] += 1
    return rooms


def main(commits):
    columns = [rooms_of(commit) for commit in commits]
    print("| room |" + "".join(f" lines at {commit} | files |" for commit in commits))
    print("|---|" + "---|---|" * len(commits))
    for room in sorted(set().union(*columns)):
        print(f"| {room} |" + "".join(f" {c[room][0]:,} | {c[room][1]} |" for c in columns))
    totals = [[sum(v[i] for v in c.values()) for i in (0, 1)] for c in columns]
    print("| all |" + "".join(f" {lines:,} | {files} |" for lines, files in totals))


if __name__ == "__main__":
    main(sys.argv[1:] or ["HEAD"])
