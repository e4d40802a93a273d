#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The module as its users have it: from the wheel, in a virtual environment, without network.
set -euo pipefail
# shellcheck source=tests/python/environment.bash
source "$ROCMTUNE_SOURCE/tests/python/environment.bash"
need_venv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
install_wheel "$work"
unset ROCMTUNE # it would go before the wheel's program
export ROCMTUNE_UNDER_TEST=$work/program

run() { # PYTHON ARGUMENT...
    (cd "$ROCMTUNE_SOURCE/tests/python" && "$@" -m unittest --quiet commands_cases failures_cases 2>&1)
}
run "$work/venv/bin/python"
readme_program "$work/readme.py"
"$work/venv/bin/python" "$work/readme.py" >"$work/shown"
grep -q '^rocmtune: ' "$work/shown" || { echo "the program in README.md shows: $(cat "$work/shown")"; exit 1; }
# Other Pythons of this host; Debian 12 has one.
packages=$(echo "$work"/venv/lib/python3.*/site-packages)
tried=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
for version in 3.9 3.10 3.11 3.12 3.13; do
    if [ "$version" = "$tried" ] || ! "python$version" -c '' 2>/dev/null; then continue; fi
    PYTHONPATH=$packages run "python$version"
    tried+=" $version"
done
echo "run with Python $tried; syntax of 3.9 by records_test, types for 3.9 to 3.12 by types_test"
