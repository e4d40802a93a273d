#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Usage: tests/full/hardening.sh BINARY     of a release build
# What compiler and linker are to put between a fault of ours and an attacker is really in the
# program: told by readelf, not by the options of the build.
set -euo pipefail

binary=${1:?usage: hardening.sh BINARY}
[ -x "$binary" ] || { echo "no program: $binary"; exit 2; }
{ command -v readelf && command -v objdump; } >/dev/null || { echo "readelf or objdump is not installed"; exit 77; }
case $(uname -m) in x86_64) ;; *) echo "CET and the names of fortified calls are judged on x86-64 alone"; exit 77 ;; esac

failures=0
expect() { # WHAT TEXT PATTERN
    grep -qE -- "$3" <<<"$2" || { echo "  FAIL: no $1"; failures=$((failures + 1)); }
}
refuse() { # WHAT TEXT PATTERN
    ! grep -qE -- "$3" <<<"$2" || { echo "  FAIL: $1"; failures=$((failures + 1)); }
}

header=$(readelf -hW "$binary")
segments=$(readelf -lW "$binary")
dynamic=$(readelf -dW "$binary")
symbols=$(readelf --dyn-syms -W "$binary")
notes=$(readelf -nW "$binary" 2>/dev/null)

expect "position independent program" "$header" 'Type: +DYN'
expect "flag of a program (PIE)" "$dynamic" 'FLAGS_1.*PIE'
expect "RELRO" "$segments" 'GNU_RELRO'
expect "binding at the start (BIND_NOW)" "$dynamic" 'BIND_NOW|FLAGS_1.*NOW'
expect "GNU_STACK" "$segments" 'GNU_STACK'
refuse "the stack is executable" "$segments" 'GNU_STACK.* RWE '
refuse "a segment is writable and executable" "$segments" 'LOAD.* RWE '
refuse "it looks for libraries in places of its own" "$dynamic" '\((RPATH|RUNPATH)\)'
refuse "its code is changed by the loader" "$dynamic" 'TEXTREL'
expect "stack protector" "$symbols" '__stack_chk_fail'
expect "fortified call" "$symbols" '__[a-z_]+_chk@'
# Our code is compiled for CET. The note that would have the kernel use it is there only if every object
# has it, and Debian 12's crt1.o and static libraries have not.
landings=$(objdump -d --section=.text "$binary" | grep -c endbr64 || true)
[ "$landings" -ge 1000 ] || { echo "  FAIL: only $landings functions are compiled for CET"; failures=$((failures + 1)); }
grep -q 'x86 feature:.*IBT.*SHSTK' <<<"$notes" || echo "  note: not marked for CET (crt1.o and static libraries of the distribution)"
[ $failures -eq 0 ]
