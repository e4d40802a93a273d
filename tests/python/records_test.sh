#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The records of the Python module are those of the schema, and that of the program.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }

scripts/python-records | diff python/rocmtune/records.py - ||
    fail "python/rocmtune/records.py is not of profiles/schema/report.schema.json: scripts/update-generated writes it"
diff <("$ROCMTUNE" schema report) profiles/schema/report.schema.json >/dev/null ||
    fail "the program has another schema"
# Syntax of the oldest Python that the wheel states.
floor=$(sed -nE 's/^Requires-Python: >=3\.([0-9]+)$/\1/p' scripts/wheel)
for file in python/rocmtune/*.py; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, int(sys.argv[2])))' "$file" "$floor" ||
        fail "$file is no Python 3.$floor"
done
# Two shapes never get one name, and a shape keeps its name wherever it stands.
python3 - <<'PY' || failures=$((failures + 1))
import json, pathlib, subprocess, tempfile
schema = json.loads(pathlib.Path("profiles/schema/report.schema.json").read_text())
def made(schema):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(schema, file)
        file.flush()
        done = subprocess.run(["scripts/python-records", file.name], capture_output=True, text=True)
    return done.stdout, done.stderr
text = made(schema)[0]
assert text.count("class Source:") == 1 and "sources: List[Source]" in text
schema["definitions"]["finding"]["properties"]["new_key"] = {"type": ["integer", "null"], "description": "a\\b"}
assert "    new_key: Optional[int]\n" in made(schema)[0], "a new key"
schema["definitions"]["gpu"]["properties"]["sources"] = {"type": "string"}
assert "twice" in made(schema)[1], "sources and _sources in one record"
PY
[ $failures -eq 0 ]
