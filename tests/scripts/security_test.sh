#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each row of SECURITY.md names what holds it, and all that it names is there: files of tests and
# sources, and suites by "`Suite` in `tests/file.cpp`".
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
python3 - << 'EOF2'
import pathlib, re, sys

text = pathlib.Path("SECURITY.md").read_text(encoding="utf-8")
rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
wrong = []
for row in rows:
    held = re.findall(r"`((?:tests|scripts)/[^`]+\.(?:cpp|sh|py))`", row)
    if not held:
        wrong.append(f"no test is named: {row[:80]}")
for path in re.findall(r"(?:tests|scripts|src)/[\w./-]*\.(?:cpp|hpp|sh|py)", text):
    if not pathlib.Path(path).is_file():
        wrong.append(f"{path} is not there")
suites = re.findall(r"((?:`\w+`(?: and )?)+) in `(tests/[^`]+)`", text)
for names, path in suites:
    for suite in re.findall(r"\w+", names.replace(" and ", " ")):
        if not re.search(rf"TEST\w*\({suite},", pathlib.Path(path).read_text(encoding="utf-8")):
            wrong.append(f"{path} has no suite {suite}")
if len(rows) < 15 or len(suites) < 5:
    wrong.append(f"only {len(rows)} rows and {len(suites)} suites were found")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
EOF2
