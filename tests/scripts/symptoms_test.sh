#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What profiles/symptoms.json and profiles/causes.json say holds together: they fit their schemas, every
# expression is one that RE2 takes, every cause is a finding or an advisory, every value that a sentence
# names is one that a symptom keeps, and logs of successful jobs hold no error.
set -euo pipefail
python3 -c 'import jsonschema' 2> /dev/null || { echo "python3-jsonschema is not installed"; exit 77; }
python3 - "$ROCMTUNE_SOURCE" << 'EOF'
import glob, hashlib, json, os, re, sys
import jsonschema

root = sys.argv[1]
wrong = []


def read(path):
    with open(f"{root}/{path}", encoding="utf-8") as file:
        return json.load(file)


def expect(name, right, what):
    if not right:
        wrong.append(f"{name}: {what}")


for name in ("symptoms", "causes"):
    schema = read(f"profiles/schema/{name}.schema.json")
    jsonschema.Draft7Validator.check_schema(schema)
    for error in jsonschema.Draft7Validator(schema).iter_errors(read(f"profiles/{name}.json")):
        wrong.append(f"{name}.json: /{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")

symptoms = read("profiles/symptoms.json")["symptoms"]
causes = read("profiles/causes.json")["causes"]
findings = {one["id"] for one in read("profiles/findings.json")["findings"]}
advisories = {one["id"]: one for one in read("profiles/advisories.json")["advisories"]}
classes = read("profiles/messages.json")["classes"]
kernel = {one["id"] for one in classes}
GROUPS = {"gfx", "library", "path", "version", "name", "package", "python", "number"}
# What Python's expressions have and RE2 has not: looking around, back references, atomic and possessive ones.
NOT_RE2 = re.compile(r"\(\?<?[=!]|\(\?>|\(\?P=|\(\?\(|(?<!\\)(?:\\\\)*\\[1-9Z]|[*+?}]\+")


def check_expression(name, expression):
    expect(name, not NOT_RE2.search(expression), f"RE2 does not take {expression}")
    try:
        groups = re.compile(expression).groupindex
    except re.error as error:
        return expect(name, False, f"{expression}: {error}")
    expect(name, not set(groups) - GROUPS, f"groups {sorted(set(groups) - GROUPS)}")
    expect(name, not re.search(expression, ""), f"{expression} is found in every line")


def leaves(condition):
    if isinstance(condition, list):
        for one in condition:
            yield from leaves(one)
    elif isinstance(condition, dict):
        inner = [condition[key] for key in ("all", "any", "not", "where") if key in condition]
        yield from (leaf for one in inner for leaf in leaves(one))
        if "where" in condition or not inner:
            yield condition


for records in (symptoms, causes):
    ids = [one["id"] for one in records]
    expect("ids", ids == sorted(set(ids)), "are not in order, each once")
names = [one["name"] for one in symptoms]
for name in names:
    expect(name, names.count(name) == 1, "stands twice")

kept = set()
for symptom in symptoms:
    name = symptom["id"]
    expect(name, name not in kernel, "is a message of the kernel")
    for expression in symptom["patterns"] + symptom.get("not", []):
        check_expression(name, expression)
        kept |= set(re.compile(expression).groupindex)
    for cause in symptom["causes"]:
        expect(name, cause in findings or cause in advisories, f"cause {cause}")
    expect(name, symptom.get("role") != "note" or symptom["says"], "says nothing")
for cause in causes:
    name = cause["id"]
    expect(name, name in findings, "is no finding")
    named = any(name in symptom["causes"] for symptom in symptoms) or any(name == one.get("finding") for one in classes)
    expect(name, named, "neither a symptom nor a class of the kernel's messages names it")
    for other in cause.get("behind", []) + cause.get("brings", []):
        expect(name, other in findings, f"{other} is no finding")
    for leaf in leaves([cause["here"], cause.get("not_here", []), cause.get("unless_here", [])]):
        if "line" in leaf:
            check_expression(name, leaf["line"])
        if "said" in leaf:
            expect(name, leaf["said"] in kept, f"nothing says {leaf['said']}")
    for value in re.findall(r"\{(\w+)\}", cause["message"]):
        expect(name, value in kept, f"nothing says {value}")
for advisory in advisories.values():
    for symptom in advisory["symptoms"]:
        named = next((one for one in symptoms if one["id"] == symptom), None)
        expect(advisory["id"], named or symptom in kernel, f"symptom {symptom}")
        expect(advisory["id"], not named or named.get("role") == "note" or advisory["id"] in named["causes"],
               f"{symptom} does not name it as a cause")

# Slugs of the index of problems are names of findings and advisories.
for slug, identifiers in read("tests/problems/names.json").items():
    for identifier in identifiers:
        expect(slug, identifier in findings or identifier in advisories, f"{identifier} is neither finding nor advisory")

# The fresh problems are others than those of the index, and their hash says which half they are in.
links = {one["link"] for one in read("tests/problems/problems.json")}
for problem in read("tests/problems/fresh.json"):
    name, link = problem["id"], problem["link"]
    odd = int(hashlib.sha256(link.encode()).hexdigest()[0], 16) % 2
    expect(name, link not in links, "stands in problems.json")
    expect(name, problem["half"] == ("held" if odd else "open"), "is in the other half")
    for identifier in problem["cause_ids"]:
        expect(name, identifier in findings or identifier in advisories, f"{identifier} is nothing")


def has(symptom, line):
    line = re.sub(r"\s+", " ", line).strip()
    return not any(re.search(one, line) for one in symptom.get("not", [])) and \
        any(re.search(one, line) for one in symptom["patterns"])


# Lines as programs print them, and as logs hold them.
PREFIXES = ("", "web-1  | ", "Nov 07 13:49:56 node3 ollama[1817]: ", "2026-02-11T08:01:12.412Z ERROR [core.py:720] ")
shown = set()
with open(f"{root}/tests/problems/lines.txt", encoding="utf-8") as file:
    for entry in file:
        identifier, _, line = entry.rstrip("\n").partition(" ")
        if identifier == "#":
            continue
        symptom = next((one for one in symptoms if one["id"] == identifier), None)
        expect("lines.txt", symptom, f"there is no {identifier}")
        shown.add(identifier)
        for prefix in PREFIXES if len(line) > 5 else ("",):
            expect("lines.txt", symptom and has(symptom, prefix + line), f"{identifier} is not found in: {prefix}{line}")
expect("lines.txt", shown == {one["id"] for one in symptoms}, "not every symptom has a line")

logs = glob.glob(f"{root}/tests/problems/healthy/*.txt")
expect("healthy", len(logs) >= 10, "too few logs")
errors = [one for one in symptoms if one.get("role", "error") != "note"]
for path in logs:
    with open(path, encoding="utf-8") as file:
        lines = list(file)
    for symptom in errors:
        for line in lines:
            expect(os.path.basename(path), not has(symptom, line), f"{symptom['id']} is found in: {line}")

# No step gives anybody the rights of an administrator or of a disk, or takes a package that is not ours.
for record in read("profiles/findings.json")["findings"] + causes + list(advisories.values()):
    for step in (record.get("next_step"), record.get("step"), record.get("workaround")):
        harmful = re.search(r"usermod\s.*\b(root|wheel|sudo|disk|docker)\b(?!-)|pip3? install (-\S+ )*rocmtune", step or "")
        expect(record["id"], not harmful, f"step {step}")

expect("symptoms.json", len(symptoms) >= 200, "too few")
print("\n".join(wrong[:40]))
sys.exit(1 if wrong else 0)
EOF
