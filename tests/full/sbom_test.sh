#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The bill of materials of a release against CycloneDX's own schema, by its own validator
# (npm: @cyclonedx/cyclonedx-library); a bill with a mistake is refused by it.
set -euo pipefail

skip() { echo "$1"; exit 77; }
{ command -v node && command -v npm; } >/dev/null || skip "node and npm are not installed"
command -v dpkg-parsechangelog >/dev/null || skip "dpkg-dev is not installed"
folder=$ROCMTUNE_BUILD/cyclonedx
mkdir -p "$folder"
cd "$folder"
if [ ! -d node_modules/@cyclonedx/cyclonedx-library ]; then
    timeout 300 npm install --no-audit --no-fund --ignore-scripts --silent @cyclonedx/cyclonedx-library \
        ajv ajv-formats ajv-formats-draft2019 >npm.log 2>&1 || skip "npm cannot fetch the validator here"
fi
source "$ROCMTUNE_SOURCE/tests/support/built_products.bash"
rm -rf built release
make_products "$folder/built"
"$ROCMTUNE_SOURCE/scripts/release" --built "$folder/built" "$folder/release"
cat >validate.cjs <<'EOF'
const { readFileSync } = require("fs");
const { Spec, Validation } = require("@cyclonedx/cyclonedx-library");
const text = readFileSync(process.argv[2], "utf8");
const validator = new Validation.JsonStrictValidator(Spec.Version[`v${JSON.parse(text).specVersion.replace(".", "dot")}`]);
validator.validate(text).then((mistakes) => {
    if (mistakes !== null) console.log(JSON.stringify(mistakes, null, 2));
    process.exit(mistakes === null ? 0 : 1);
}, (error) => { console.log(error); process.exit(2); });
EOF
bill=release/rocmtune-$(products_version).cdx.json
node validate.cjs "$bill"
sed 's/"type": "library"/"type": "libary"/' "$bill" >wrong.json
code=0
node validate.cjs wrong.json >wrong.log || code=$?
[ $code = 1 ] || { echo "a wrong bill is not refused: $code"; cat wrong.log; exit 1; }
