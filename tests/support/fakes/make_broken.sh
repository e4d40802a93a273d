#!/bin/sh
# SPDX-License-Identifier: MIT
# make_broken.sh LIBRARY DIRECTORY: files that are no loadable library, each as
# DIRECTORY/KIND/lib/libamdhip64.so.7. LIBRARY is a good one to damage.
set -eu
good=$1
place() { mkdir -p "$2/$1/lib"; echo "$2/$1/lib/libamdhip64.so.7"; }

: >"$(place empty "$2")"
echo 'this is no library, and long enough for an ELF header of sixty-four bytes' >"$(place text "$2")"
head -c 40 "$good" >"$(place truncated-header "$2")"
# Headers are whole, what they speak of is not there.
head -c 4096 "$good" >"$(place truncated "$2")"
# EI_CLASS (byte 4): a library of a 32-bit system. e_machine (byte 18): of AArch64.
wrong=$(place wrong-class "$2"); cp "$good" "$wrong"
printf '\001' | dd of="$wrong" bs=1 seek=4 conv=notrunc status=none
wrong=$(place wrong-machine "$2"); cp "$good" "$wrong"
printf '\267' | dd of="$wrong" bs=1 seek=18 conv=notrunc status=none
mkdir -p "$(place directory "$2")"
