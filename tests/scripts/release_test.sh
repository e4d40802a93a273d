#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/release on products that stand for built ones: sums, bill of materials and notes, equal bytes
# from two runs; products that are missing or of another version, and a folder with something in it, end it.
set -euo pipefail
command -v dpkg-parsechangelog > /dev/null || { echo "dpkg-dev is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$ROCMTUNE_SOURCE"
source scripts/packages.sh
source tests/support/built_products.bash
for package in "${linked_in[@]}"; do
    is_installed "$package" || { echo "$package is not installed"; exit 77; }
done

version=$(products_version)
make_products "$work/built"

scripts/release --built "$work/built" "$work/release"
for file in "$work"/built/*; do cmp "$file" "$work/release/${file##*/}"; done
(cd "$work/release" && sha256sum --quiet -c SHA256SUMS)
[ "$(wc -l < "$work/release/SHA256SUMS")" -eq 7 ] || { echo "SHA256SUMS has not every file"; exit 1; }
grep -q '^# rocmtune ' "$work/release/rocmtune-$version-notes.md"
grep -q '^### Added' "$work/release/rocmtune-$version-notes.md"

python3 - "$work/release" "$version" "${linked_in[@]}" << 'EOF'
import hashlib, json, pathlib, re, subprocess, sys

folder, version, packages = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
bill = json.loads((folder / f"rocmtune-{version}.cdx.json").read_text())
assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.5", 1)
assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", bill["serialNumber"])
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["metadata"]["timestamp"])
program = bill["metadata"]["component"]
assert (program["name"], program["version"]) == ("rocmtune", version)
assert sorted(part["name"] for part in bill["components"]) == sorted(packages)
for part in bill["components"]:
    assert part["type"] == "library" and part["purl"].startswith("pkg:deb/debian/"), part
    stated = subprocess.run(["dpkg-query", "-W", "-f", "${Version}\n", part["name"]], check=True, capture_output=True, text=True)
    assert part["version"] == stated.stdout.split("\n")[0], part
references = [part["bom-ref"] for part in bill["components"] + program["components"]] + [program["bom-ref"]]
assert len(references) == len(set(references))
assert bill["dependencies"] == [{"ref": program["bom-ref"], "dependsOn": [part["bom-ref"] for part in bill["components"]]}]
assert len(program["components"]) == 5
for carrier in program["components"]:
    assert carrier["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256((folder / carrier["name"]).read_bytes()).hexdigest()}]
EOF

scripts/release --built "$work/built" "$work/again" > /dev/null
diff -r "$work/release" "$work/again"

refused() { # WHY ARGUMENT...: the message says why, and nothing is there
    local why=$1 said
    shift
    if said=$(scripts/release "$@" 2>&1); then echo "not refused: $why"; exit 1; fi
    [[ $said == *"$why"* ]] || { echo "refused for another reason than '$why': $said"; exit 1; }
}
refused "is not empty" --built "$work/built" "$work/release"
mv "$work/built/rocmtune_$version-1.dsc" "$work/built/rocmtune_9.9.9-1.dsc"
refused "is of another version" --built "$work/built" "$work/other"
rm "$work/built/rocmtune_9.9.9-1.dsc" "$work"/built/*.whl
refused "has not one wheel" --built "$work/built" "$work/other"
[ ! -e "$work/other" ] || { echo "a refused release left files"; exit 1; }
