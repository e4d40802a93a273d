#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every document that the program prints, of errors too, fits the published schema, and the schema
# says what it knows: a key of a document that it does not describe is an error here.
set -euo pipefail
python3 -c 'import jsonschema' 2> /dev/null || { echo "python3-jsonschema is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$ROCMTUNE" schema report > "$work/report.schema"
"$ROCMTUNE" schema profile > "$work/profile.schema"
"$ROCMTUNE" schema variables > "$work/variables.schema"
"$ROCMTUNE" schema names > "$work/names.schema"
"$ROCMTUNE" schema environment > "$work/environment.schema"
"$ROCMTUNE" schema findings > "$work/findings.schema"
"$ROCMTUNE" schema messages > "$work/messages.schema"
"$ROCMTUNE" schema plan > "$work/plan.schema"
"$ROCMTUNE" schema builds > "$work/builds.schema"
for name in advisories causes releases symptoms terms trials; do
    cp "$ROCMTUNE_SOURCE/profiles/schema/$name.schema.json" "$work/$name.schema"
done
for host in "$ROCMTUNE_SOURCE"/tests/hosts/*/host; do
    name=$(basename "$(dirname "$host")")
    "$ROCMTUNE" probe --json --replay "$host" > "$work/$name.json"
    "$ROCMTUNE" check --json --replay "$host" > "$work/check-$name.json" || true
    "$ROCMTUNE" lint --json --replay "$host" > "$work/lint-$name.json" 2> /dev/null || true
    "$ROCMTUNE" report --json --replay "$host" > "$work/report-$name.json" 2> /dev/null || true
done
"$ROCMTUNE_SOURCE/scripts/compose-measurements" "$work/report-mi300x-x8.json" > "$work/figures.json"
"$ROCMTUNE" report --json "$work/report-mi300x-x8.json" "$work/figures.json" > "$work/joined.json"
rm "$work/figures.json"
"$ROCMTUNE" probe --json > "$work/this-host.json"
printf 'export HSA_ENABLE_SDMA=0 NCCL_P2P_DISABLE=true HSA_ENABLE_INTERRUPT=%sx\n' '$' > "$work/train.sh"
"$ROCMTUNE" lint --json "$work/train.sh" "$work/missing" > "$work/lint-files.json" 2> /dev/null || true
"$ROCMTUNE" compare --json "$work/check-mi300x-x8.json" "$work/check-mi300x-degraded.json" > "$work/compared.json" || true
"$ROCMTUNE" fleet --json "$work"/check-*.json > "$work/fleet.json" 2> /dev/null || true
"$ROCMTUNE" probe --watch 0.01 --count 1 > "$work/watched.json"
"$ROCMTUNE" verify --json --command 'echo rate 1' --metric rate --self-test > "$work/verify-self-test.json"
"$ROCMTUNE" verify --json --command 'echo rate 1' --metric rate --assume-read X --setting X=1 --setting Y=2 \
    > "$work/verify-settings.json" || true
"$ROCMTUNE" tune --json --command 'echo rate 1' --metric rate --assume-read X --setting X=1,2 --setting NOBODY=1 \
    --budget 5 > "$work/tune.json" || true
"$ROCMTUNE" tune --json --observe -- sleep 1 > "$work/tune-observe.json"
for host in mi300x-x8 mi300x-cpx strix-halo no-gpu; do
    for what in "" --inference; do
        "$ROCMTUNE" plan --params 8B $what --json --replay "$ROCMTUNE_SOURCE/tests/hosts/$host/host" \
            > "$work/plan-$host$what.json" || true
    done
done
"$ROCMTUNE" builds --json --targets --replay "$ROCMTUNE_SOURCE/tests/hosts/strix-halo/host" > "$work/built.json"
for what in torch gfx1031 gfx940; do
    "$ROCMTUNE" builds --json $what --replay "$ROCMTUNE_SOURCE/tests/hosts/rx7900xt/host" > "$work/built-$what.json" ||
        "$ROCMTUNE" builds --json $what > "$work/built-$what.json"
done
mkdir "$work/etc"
"$ROCMTUNE" probe --json --root "$work" > "$work/empty-tree.json"
"$ROCMTUNE" probe --json --rot > "$work/usage-error.json" 2> /dev/null || true
"$ROCMTUNE" --json nonsense > "$work/no-command.json" 2> /dev/null || true

python3 - "$work" "$ROCMTUNE_SOURCE/profiles" << 'EOF'
import glob, json, os, sys
import jsonschema

work, profiles = sys.argv[1:]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def closed(schema):
    """The schema with every described object closed: readers ignore unknown keys, this test does not."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        result.setdefault("additionalProperties", False)
    return result


def complaints(path, schema):
    validator = jsonschema.Draft7Validator(schema)
    for error in validator.iter_errors(load(path)):
        place = "/".join(str(part) for part in error.absolute_path)
        yield f"{os.path.basename(path)}: /{place}: {error.message[:200]}"


found = []
for name in ("report", "profile", "variables", "names", "environment", "findings",
             "messages", "plan", "builds"):
    jsonschema.Draft7Validator.check_schema(load(f"{work}/{name}.schema"))
report = load(f"{work}/report.schema")
documents = sorted(glob.glob(f"{work}/*.json"))
assert len(documents) >= 15, documents
for path in documents:
    found += complaints(path, report)
    found += complaints(path, closed(report))
for path in glob.glob(f"{profiles}/*.json"):
    name = os.path.basename(path)
    own = ("advisories.json", "builds.json", "causes.json", "environment.json", "findings.json",
           "messages.json", "names.json", "plan.json", "releases.json", "symptoms.json", "terms.json", "trials.json", "variables.json")
    kind = name.removesuffix(".json") if name in own else "profile"
    found += complaints(path, load(f"{work}/{kind}.schema"))
print("\n".join(dict.fromkeys(found)))
sys.exit(1 if found else 0)
EOF
