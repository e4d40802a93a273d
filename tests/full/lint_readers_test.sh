#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# lint --readers over the real ROCm libraries of Debian against what strings(1) finds in them: a name
# can be read where a text ends with it, since linkers merge a text with the end of a longer one.
set -euo pipefail
skip() { echo "$1"; exit 77; }
command -v strings >/dev/null || skip "strings is not installed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ROCMTUNE_CACHE=$work/cache

readers() { "$ROCMTUNE" lint --readers --json --fail-on never --sources sysfs | jq '{readers}'; }
readers >"$work/cold.json"
readers >"$work/warm.json"
cmp "$work/cold.json" "$work/warm.json" || { echo "the cache changes the answer"; exit 1; }
[ "$(stat -c %a "$work/cache")" = 700 ] || { echo "others can read the cache"; exit 1; }
sed -i 's/\tHSA_ENABLE_SDMA\t/\tHSA_ENABLE_XXXX\t/' "$work/cache/readers.tsv"
grep -q HSA_ENABLE_XXXX <<<"$(readers)" || { echo "the cache is not used"; exit 1; }

python3 - "$ROCMTUNE_SOURCE/profiles" "$work/cold.json" <<'EOF'
import json, pathlib, subprocess, sys
profiles = pathlib.Path(sys.argv[1])
catalogue = json.loads((profiles / "variables.json").read_text())
names = set(json.loads((profiles / "names.json").read_text())["names"])
for variable in catalogue["variables"]:
    if variable["kind"] in ("environment", "allocator"):
        names |= {variable["name"].removesuffix("<n>"), *variable.get("aliases", [])}
names = {name for name in names if "_" in name and len(name) >= 4}
files = {file["path"]: file for file in json.loads(pathlib.Path(sys.argv[2]).read_text())["readers"]}
libraries = [path for path in files if ".so" in path]
if not any("libamdhip64" in path for path in libraries) or not any("libhsa-runtime64" in path for path in libraries):
    print("libamdhip64 or libhsa-runtime64 is not installed")
    sys.exit(77)
for path in libraries:
    texts = subprocess.run(["strings", "-a", "-n", "4", path], capture_output=True, check=True).stdout
    truth = {text[i:] for text in texts.decode("latin-1").split("\n") if len(text) < 4096
             for i in range(len(text)) if text[i:] in names}
    found = set(files[path]["names"])
    if truth != found or not files[path]["complete"]:
        sys.exit(f"{path}: only strings: {sorted(truth - found)}; only lint: {sorted(found - truth)}")
    print(f"{path}: {len(found)} names, as strings finds them")
EOF
