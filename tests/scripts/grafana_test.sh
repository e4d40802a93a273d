#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The dashboard in contrib/grafana: every metric and label in it is one that check, report or fleet
# print in the format prom, and every metric that they print is on it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for name in mi300x-degraded mi300x-x8; do
    host=$ROCMTUNE_SOURCE/tests/hosts/$name/host
    "$ROCMTUNE" check --replay "$host" --format prom -o "$work/$name.check.prom" || true
    "$ROCMTUNE" report --replay "$host" --json -o "$work/$name.json" || true
    "$ROCMTUNE_SOURCE/scripts/compose-measurements" "$work/$name.json" >"$work/$name.bench.json"
    "$ROCMTUNE" diagnose 'HIP error: invalid device function' --replay "$host" --json -o "$work/$name.diagnose.json" || true
    "$ROCMTUNE" builds --replay "$host" --json -o "$work/$name.builds.json" || true
    "$ROCMTUNE" report "$work/$name".{,bench.,diagnose.,builds.}json --format prom -o "$work/$name.report.prom" || true
done
rm "$work"/*.{diagnose,builds}.json
"$ROCMTUNE" fleet "$work"/*.json --format prom -o "$work/fleet.prom" || true

python3 - "$ROCMTUNE_SOURCE/contrib/grafana/rocmtune.json" "$work" <<'EOF'
import json, pathlib, re, sys

dashboard = json.loads(pathlib.Path(sys.argv[1]).read_text())
printed = {}
for path in pathlib.Path(sys.argv[2]).glob("*.prom"):
    for name, labels in re.findall(r"^(rocmtune_\w+)(?:\{(.*)\})? ", path.read_text(), re.M):
        printed.setdefault(name, {"instance"}).update(re.findall(r'(\w+)="', labels))
assert len(printed) > 20, printed

failures = []
used = set()
for panel in dashboard["panels"]:
    for target in panel.get("targets", []):
        names = re.findall(r"rocmtune_\w+", target["expr"])
        known = set().union({"code"}, *(printed.get(name, set()) for name in names))
        labels = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
        labels |= set(re.findall(r'[{,](\w+)[=!]', target["expr"]))
        failures += [f"{panel['title']}: no {label} in {names}" for label in labels - known]
        used.update(names)
for variable in dashboard["templating"]["list"]:
    used.update(re.findall(r"rocmtune_\w+", json.dumps(variable)))
failures += [f"{name} is printed by nothing" for name in used - set(printed)]
failures += [f"{name} is on no panel" for name in set(printed) - used]
ids = [panel["id"] for panel in dashboard["panels"]]
assert len(ids) == len(set(ids))
print(*failures, sep="\n")
sys.exit(len(failures) > 0)
EOF
