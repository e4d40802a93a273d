#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What profiles/builds.json says is sound: it fits its schema, whatever is missing has its reason,
# every statement names a source that there is, and no framework leaves a target of the profiles unanswered.
set -euo pipefail
python3 -c 'import jsonschema' 2> /dev/null || { echo "python3-jsonschema is not installed"; exit 77; }
python3 - "$ROCMTUNE_SOURCE" << 'EOP'
import json, pathlib, sys
import jsonschema

source = pathlib.Path(sys.argv[1])
data = json.loads((source / "profiles/builds.json").read_text())
schema = json.loads((source / "profiles/schema/builds.schema.json").read_text())
validator = jsonschema.Draft7Validator(schema)
wrong = [f"{list(e.path)}: {e.message[:200]}" for e in validator.iter_errors(data)]

silent = json.loads(json.dumps(data))
silent["builds"][0]["glibc"] = None
silent["builds"][0].pop("not_recorded", None)
if validator.is_valid(silent):
    wrong.append("the schema takes a value that is missing without its reason")


def named(sources):
    """The sources of a statement: a list, or lists by field."""
    return [s for part in sources.values() for s in part] if isinstance(sources, dict) else sources


def targets(row):
    """Those of a row, sets resolved."""
    found = row["targets"] or []
    return [t for name in found for t in (data["target_sets"][name[1:]] if name[0] == "@" else [name])]


for part in ("builds", "absent", "source_builds", "kernel_requirements"):
    for row in data[part]:
        name = row.get("id") or f"{part} of {row.get('framework', row.get('kernel'))}"
        wrong += [f"{name}: source {s} is not listed" for s in named(row["sources"]) if s not in data["sources"]]
ids = [build["id"] for build in data["builds"]]
wrong += [f"{name} stands twice" for name in set(ids) if ids.count(name) > 1]
for build in data["builds"]:
    if build["channel"] not in data["channels"]:
        wrong.append(f"{build['id']}: channel {build['channel']} is not listed")
    for field, reason in build.get("not_recorded", {}).items():
        if reason not in data["reasons"]:
            wrong.append(f"{build['id']}: {field} is missing for a reason that is not listed")
    if build["targets"] is not None and not build["sources"].get("targets"):
        wrong.append(f"{build['id']}: no source of its targets")

known = [json.loads(p.read_text()).get("gfx_target") for p in (source / "profiles").glob("gfx*.json")]
for framework in data["frameworks"][:7]:
    # A build whose own list could not be read makes what others leave out "not recorded".
    if any(build["targets"] is None for build in data["builds"] if build["framework"] == framework):
        continue
    told = {t for row in data["builds"] + data["absent"] if row["framework"] == framework for t in targets(row)}
    wrong += [f"{framework}: nothing is said of {t}" for t in known if t and t not in told]

cases = json.loads((source / "tests/builds/cases.json").read_text())["cases"]
links = [case["url"] for case in cases]
wrong += [f"case {link} stands twice" for link in set(links) if links.count(link) > 1]
wrong += [f"case {case['url']}: no answer" for case in cases if not case["builds_should_say"]]
print("\n".join(wrong) or f"{len(ids)} builds, {len(data['sources'])} sources, {len(cases)} cases")
sys.exit(bool(wrong))
EOP
