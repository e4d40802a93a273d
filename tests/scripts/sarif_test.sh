#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What lint prints as SARIF fits the schema of SARIF 2.1.0, whatever was judged.
set -euo pipefail
python3 -c 'import jsonschema' 2> /dev/null || { echo "python3-jsonschema is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
lint() { "$ROCMTUNE" lint --fail-on never --format sarif "$@"; }

printf 'export HSA_ENABLE_SDMA=0 NCCL_P2P_DISABLE=true HSA_NO_SUCH_SWITCH=1\n' > train.sh
cp train.sh 'odd name %41 é#?.sh'
printf 'export HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789\n' > secret.sh
printf 'export HSA_\xff=1 HIP_VISIBLE_DEVICES="\xff"\n' > bytes.sh
: > empty.sh
lint empty.sh > nothing.sarif
lint train.sh > relative.sarif
lint "$work/train.sh" > absolute.sarif
lint 'odd name %41 é#?.sh' secret.sh bytes.sh > odd.sarif
lint - < train.sh > stdin.sarif
env HSA_ENABLE_SDMA=0 "$ROCMTUNE" lint --fail-on never --format sarif --sources sysfs > environment.sarif
lint --kind shell missing.sh train.sh > partly.sarif 2> /dev/null || [ $? -eq 2 ]

python3 - "$ROCMTUNE_SOURCE/tests/third_party/sarif/sarif-2.1.0-rtm.5.json" ./*.sarif << 'EOF'
import json, sys
import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
wrong = []
documents = {}
for path in (argument.removeprefix("./") for argument in sys.argv[2:]):
    with open(path, encoding="utf-8") as file:
        documents[path] = json.load(file)
    wrong += [f"{path}: {'/'.join(map(str, e.absolute_path))}: {e.message}"
              for e in validator.iter_errors(documents[path])]

# The schema must be able to refuse, and the documents must hold what they were made for.
broken = json.loads(json.dumps(documents["relative.sarif"]))
broken["runs"][0]["results"][0]["level"] = "fail"
if not list(validator.iter_errors(broken)):
    wrong.append("the schema takes a level that SARIF does not have")
results = {path: document["runs"][0]["results"] for path, document in documents.items()}
for path, least in [("nothing.sarif", 0), ("relative.sarif", 3), ("odd.sarif", 4),
                    ("stdin.sarif", 3), ("environment.sarif", 1), ("partly.sarif", 3)]:
    if len(results[path]) < least:
        wrong.append(f"{path}: {len(results[path])} results, at least {least} expected")
if results["nothing.sarif"]:
    wrong.append("nothing.sarif: results in an empty text")
for path, document in documents.items():
    rules = [rule["id"] for rule in document["runs"][0]["tool"]["driver"]["rules"]]
    if {result["ruleId"] for result in results[path]} != set(rules):
        wrong.append(f"{path}: the rules are not those of the results")
print("\n".join(wrong))
sys.exit(bool(wrong))
EOF
