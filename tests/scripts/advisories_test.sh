#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The advisories fit their schema, say since when, until when and who says so, and ask for facts that there are.
set -euo pipefail
python3 -c 'import jsonschema' 2> /dev/null || { echo "python3-jsonschema is not installed"; exit 77; }
python3 - "$ROCMTUNE_SOURCE" << 'EOF'
import json, pathlib, re, sys
import jsonschema

root = pathlib.Path(sys.argv[1])
data = json.loads((root / "profiles/advisories.json").read_text(encoding="utf-8"))
schema = json.loads((root / "profiles/schema/advisories.schema.json").read_text(encoding="utf-8"))
wrong = [f"{list(error.path)}: {error.message[:200]}" for error in jsonschema.Draft7Validator(schema).iter_errors(data)]
advisories = data["advisories"]

LEAVES = {
    "field": {"entry", "is", "in", "at_least", "below", "starts_with", "contains", "present"},
    "package": {"at_least", "below", "present"}, "package_hip": {"at_least", "below", "present"},
    "version": {"at_least", "below", "present"}, "installed": set(), "line": set(),
    "count": {"where", "is", "at_least", "below"},
}
FACTS = {
    file: set(re.findall(r'FactField\{"(\w+)"', (root / f"include/rocmtune/{file}.hpp").read_text(encoding="utf-8")))
    for file in ("host", "gpu")
}


def expect(name, right, what):
    if not right:
        wrong.append(f"{name}: {what}")


def look(name, condition, of_gpu):
    """Holds the form of a condition, and returns its leaves."""
    for group in ("all", "any", "not"):
        if group in condition:
            expect(name, len(condition) == 1, f"{group} stands beside other keys")
            parts = [condition["not"]] if group == "not" else condition[group]
            expect(name, parts, f"{group} is empty")
            return [leaf for part in parts for leaf in look(name, part, of_gpu)]
    heads = condition.keys() & LEAVES.keys()
    expect(name, len(heads) == 1, f"no condition: {condition}")
    for head in heads:
        more = condition.keys() - {head}
        expect(name, more <= LEAVES[head], f"{head} does not take {sorted(more - LEAVES[head])}")
        expect(name, more - {"entry", "where"} or not LEAVES[head], f"{head} is compared with nothing")
    if "field" in condition:
        expect(name, condition["field"] in FACTS["host"] | (FACTS["gpu"] if of_gpu else set()),
               f"fact {condition['field']}")
    if "count" in condition:
        expect(name, condition["count"] in FACTS["host"] | {"gpus"}, f"list {condition['count']}")
        return [condition] + (look(name, condition["where"], True) if "where" in condition else [])
    if "line" in condition:
        re.compile(condition["line"])
    return [condition]


for index, advisory in enumerate(advisories, 1):
    name = advisory["id"]
    expect(name, name == f"RT{9000 + index}", "ids are not in order")
    leaves = [leaf for condition in advisory["when"] for leaf in look(name, condition, False)]
    of_text = [leaf for condition in advisory.get("text", []) for leaf in look(name, condition, False)]
    expect(name, all("line" in leaf for leaf in of_text), "text asks for more than lines")
    kernels = [leaf for leaf in leaves if leaf.get("field") == "kernel_release" and leaf.keys() & {"at_least", "below"}]
    bounds = [leaf for leaf in leaves if leaf.keys() & {"version", "package", "package_hip"}] + kernels
    exact = [leaf for leaf in leaves if leaf.keys() & {"line", "is", "in"}]
    expect(name, any("below" in leaf for leaf in bounds) or exact, "nothing keeps it from releases with the fix")
    urls = [source["url"] for source in advisory["sources"]]
    expect(name, len(urls) == len(set(urls)), "a source stands twice")
    expect(name, advisory["word"] == "maintainer" or len(urls) >= 2, "one source alone, and no maintainer's")
    expect(name, advisory["fixed_in"] or "." in advisory["workaround"][:-1] or "None" in advisory["workaround"],
           "neither a fix nor a word of it")
expect("advisories", len(advisories) >= 60, f"{len(advisories)} are too few")
titles = [advisory["title"] for advisory in advisories]
expect("advisories", len(titles) == len(set(titles)), "a title stands twice")

for line in wrong[:40]:
    print(line)
sys.exit(1 if wrong else 0)
EOF
