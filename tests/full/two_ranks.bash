# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Sourced by tests in which tune starts a launcher of two ranks. Uses work and fail.

# write_rank VARIABLE: $work/rank notes its number, which the launcher tells in VARIABLE, and what it was
# given as FASTER; the first one prints a figure that is better with FASTER=1.
write_rank() {
    cat >"$work/rank" <<RANK
#!/bin/sh
echo "\$$1 \${FASTER:-unset}" >>"$work/ranks.seen"
[ "\$$1" = 0 ] || exit 0
echo "rate \$((1000 + \${FASTER:-0} * 200 + \$\$ % 3))"
RANK
    chmod +x "$work/rank"
}

# Both ranks ran as often with the setting as each other, and without it.
both_ranks_saw_it() {
    local value first second
    for value in 1 unset; do
        first=$(grep -c "^0 $value\$" "$work/ranks.seen" || true)
        second=$(grep -c "^1 $value\$" "$work/ranks.seen" || true)
        if [ "$first" -eq 0 ] || [ "$first" != "$second" ]; then fail "ranks with $value: $first and $second"; fi
    done
}
