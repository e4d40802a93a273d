#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mypy finds nothing in the module, and the types of an installed wheel reach the programs of users.
set -euo pipefail
command -v mypy >/dev/null || { echo "mypy is not installed"; exit 77; }
# shellcheck source=tests/python/environment.bash
source "$ROCMTUNE_SOURCE/tests/python/environment.bash"
need_venv
cd "$ROCMTUNE_SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }
check() { mypy --strict --no-error-summary --cache-dir "$work/cache" "$@"; }

for version in 3.9 3.10 3.11 3.12; do
    check --python-version "$version" python/rocmtune || fail "the module, for Python $version"
done
install_wheel "$work"
readme_program "$work/readme.py"
check --python-executable "$work/venv/bin/python" tests/python/example.py "$work/readme.py" || fail "the examples"
# The types are ours: a wrong word of an enumeration, and None where a fact can be missing.
cat >"$work/wrong.py" <<'PY'
import rocmtune
for finding in rocmtune.check().findings:
    print(finding.verdict == "bad")
for gpu in rocmtune.probe().host.gpus:
    print(gpu.vram_bytes / 2)
PY
wrong=$(check --python-executable "$work/venv/bin/python" "$work/wrong.py" || true)
[[ $wrong == *wrong.py:3:*Non-overlapping* ]] || fail "a word that no verdict has passes: $wrong"
[[ $wrong == *wrong.py:5:*None* ]] || fail "a fact that may be missing passes: $wrong"
[ "$(wc -l <<<"$wrong")" -le 3 ] || fail "more than two faults: $wrong"
[ $failures -eq 0 ]
