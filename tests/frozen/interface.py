#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What of the interface a release keeps (COMPATIBILITY.md), a line for each thing, sorted:
tests/frozen/interface.py PROGRAM TREE > tests/frozen/VERSION.txt

option COMMAND --NAME [-LETTER] [takes a value]; word COMMAND --NAME WORD; exit CODE; id RT...;
key DOCUMENT PATH TYPES. Options are those that the completion of fish has, exit codes those of the
manual, keys those of the schemas that the program prints; types are told where there are any.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

DOCUMENTS = ("report", "environment", "plan", "builds", "profile", "findings", "variables", "names")


def printed(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def commands_of(condition):
    """No command word is probe."""
    return ["probe"] if condition.startswith("not ") else condition.split()[1:]


def options(program):
    for line in printed(program, "completion", "fish").splitlines():
        words = shlex.split(line)
        if "-n" not in words or "-l" not in words:
            continue
        after = dict(zip(words, words[1:]))
        letter = f" -{after['-s']}" if "-s" in words else ""
        takes = " takes a value" if "-r" in words or "-x" in words else ""
        for command in commands_of(after["-n"]):
            yield f"option {command} --{after['-l']}{letter}{takes}"
            if "-x" in words and "-a" in words:
                yield from (f"word {command} --{after['-l']} {word}" for word in after["-a"].split())


def keys(schema, node, path, seen):
    """Path and types of every property below; a record that holds itself is walked once."""
    name = node.get("$ref", "").rpartition("/")[2]
    if name:
        if name in seen:
            return
        node, seen = schema["definitions"][name], seen | {name}
    for part in node.get("anyOf", []) + node.get("oneOf", []) + node.get("allOf", []):
        yield from keys(schema, part, path, seen)
    if isinstance(node.get("items"), dict):
        yield from keys(schema, node["items"], path + "[]", seen)
    if isinstance(node.get("additionalProperties"), dict):
        yield from keys(schema, node["additionalProperties"], path + ".*", seen)
    for key, below in node.get("properties", {}).items():
        types = below.get("type", [])
        types = [types] if isinstance(types, str) else sorted(types)
        yield " ".join([f"{path}.{key}".lstrip("."), *types])
        yield from keys(schema, below, f"{path}.{key}", seen)


def interface(program, tree):
    yield from options(program)
    manual = (tree / "man/rocmtune.1").read_text().partition(".Sh EXIT STATUS")[2].partition(".Sh ")[0]
    yield from (f"exit {code}" for code in re.findall(r"^\.It (\d)$", manual, re.MULTILINE))
    for name, entries in (("findings", "findings"), ("advisories", "advisories")):
        data = json.loads((tree / f"profiles/{name}.json").read_text())
        yield from (f"id {entry['id']}" for entry in data[entries])
    for document in DOCUMENTS:
        schema = json.loads(printed(program, "schema", document))
        yield from (f"key {document} {line}" for line in keys(schema, schema, "", frozenset()))


if __name__ == "__main__":
    print("\n".join(sorted(set(interface(sys.argv[1], pathlib.Path(sys.argv[2]))))))
