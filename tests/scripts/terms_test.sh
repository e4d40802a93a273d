#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# profiles/terms.json fits its schema and holds together: names are in order, no name or alias is given
# twice or is that of a variable, whatever an entry points to exists, dead names say what to use where
# there is something, facts are fields of a report.
set -euo pipefail
python3 -c 'import jsonschema' 2> /dev/null || { echo "python3-jsonschema is not installed"; exit 77; }
python3 - "$ROCMTUNE_SOURCE" << 'EOF'
import glob, json, os, re, sys
import jsonschema

root = sys.argv[1]
wrong = []


def read(path):
    with open(f"{root}/{path}", encoding="utf-8") as file:
        return json.load(file)


def expect(name, right, what):
    if not right:
        wrong.append(f"{name}: {what}")


def fields(schema):
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for inner in schema.values():
            yield from fields(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from fields(inner)


document = read("profiles/terms.json")
schema = read("profiles/schema/terms.schema.json")
jsonschema.Draft7Validator.check_schema(schema)
for error in jsonschema.Draft7Validator(schema).iter_errors(document):
    wrong.append(f"terms.json: /{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")

terms = document["terms"]
variables = {one["name"] for one in read("profiles/variables.json")["variables"]}
findings = {one["id"] for one in read("profiles/findings.json")["findings"]}
advisories = {one["id"] for one in read("profiles/advisories.json")["advisories"]}
targets = {os.path.basename(path)[:-5] for path in glob.glob(f"{root}/profiles/gfx*.json")}
names = [one["name"] for one in terms]
known = set(names) | variables | findings | advisories | targets
reported = set(fields(read("profiles/schema/report.schema.json")))

expect("names", names == sorted(set(names)), "are not in order, each once")
owner = {}
for term in terms:
    for name in [term["name"], *term["aliases"]]:
        expect(name, name.lower() not in owner, f"is of {owner.get(name.lower())} and of {term['name']}")
        expect(name, name not in variables, "is a variable")
        owner[name.lower()] = term["name"]

for term in terms:
    name = term["name"]
    for other in term["see"]:
        expect(name, other in known, f"see {other}: no such thing")
        expect(name, other != name, "see itself")
    expect(name, not term["instead"] or term["instead"] in set(names) | variables, f"instead {term['instead']}: no such name")
    expect(name, term["status"] != "public" or term["until"] is None, "is public and has an end")
    expect(name, not term["fact"] or term["fact"]["field"] in reported, f"{term['fact']} is in no report")
    for text in (term["values"], term["default_value"], term["effect"], term["harm"], term["folklore"]):
        expect(name, text == text.strip() and "  " not in text, f"blanks in: {text}")
    for text in (term["effect"], term["harm"], term["folklore"]):
        expect(name, not text or re.search(r"[.)]$", text), f"no end of a sentence: {text}")

expect("terms.json", len(terms) >= 120, "too few")
print("\n".join(wrong[:40]))
sys.exit(1 if wrong else 0)
EOF
