#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# GPUs that fail or compute wrongly while they work: every fault ends in its status and exit code 1,
# and what it concerns has no figure.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/emulated_gpus.bash"

# first STATUS TEXT: what the first measurement says, with TEXT in its detail. None is verified.
first() {
    local found
    found=$(jq -r '.measurements[0] | "\(.status): \(.detail)"' "$work/report.json")
    [[ $found == "$1: "*"$2"* ]] || fail "$1, $2: $found"
    jq -e 'all(.measurements[]; (.verified | not) and .value == null and .samples == [])' \
        "$work/report.json" >/dev/null || fail "$1, $2: a figure"
}

# ROCr 5.2.3 waits for ever for a kernel that hangs, and for a GPU that was reset under it. It ends the
# process where the driver tells of a page that is not there, but not always: its event thread does
# not ask the driver while somebody else waits for the same signal (Signal::WaitAny of signal.cpp lets
# only the first waiter sleep), so that one run in four waits for ever as well. The fifth dispatch is
# one of ours.
settings=FAKE_KFD_FAULT=dispatch@5=hang limit=4 bench gfx90a 1 1 bandwidth --size 65536
first timeout "no complete answer within 4 s"
settings=FAKE_KFD_FAULT=dispatch@5=gone limit=4 bench gfx908 2 1 vpoc --size 10003
first timeout "no complete answer within 4 s"
for _ in 1 2 3 4 5 6; do
    settings=FAKE_KFD_FAULT=dispatch@5=fault limit=15 bench gfx90a 1 1 gemm --size 64 --dtype fp16
    [ "$(jq -r '.measurements[0].status' "$work/report.json")" = timeout ] || break
    first timeout "no complete answer within 15 s"
done
first error "; it printed: Memory access fault by GPU node-1"
# The first copy by a copy engine fetches what the first kernel has written.
settings="FAKE_KFD_FAULT=copy@1=hang HSA_ENABLE_SDMA=1" limit=4 bench gfx90a 1 1 bandwidth --size 65536
first timeout "no complete answer within 4 s"

# What is wrong in the kernels' own terms. Every 4096th atomic operation of a kernel is lost. With all
# ticks in one bin a wave adds its own without one and then once for all of them, so that a kernel
# makes fewer than 4096: nothing is lost, and those results are right and count. The sums in fp32 add
# every tick by itself: there the loss shows in float-error, on one bin as well.
settings=AMDGPU_EMULATOR_FAULT=transposed-layout bench gfx90a 1 1 gemm --size 64 --dtype fp16
measured wrong-result fp16-own
settings=AMDGPU_EMULATOR_FAULT=lost-atomics bench gfx908 1 1 vpoc --size 10003
only=yes measured wrong-result {1000,65536}-bins-{uniform,normal,walk} float-error
only=yes measured ok {1000,65536}-bins-one-bin
settings=AMDGPU_EMULATOR_FAULT=ignored-barriers bench gfx908 1 1 gemm --size 64 --dtype fp16
measured wrong-result fp16-own
settings=AMDGPU_EMULATOR_FAULT=ignored-barriers bench gfx90a 1 1 bandwidth --size 16384
only=yes measured wrong-result dot read
for order in in-order reverse; do
    settings="AMDGPU_EMULATOR_FAULT=ignored-barriers AMDGPU_EMULATOR_SCHEDULE=$order" \
        bench gfx90a 1 1 vpoc --size 40003 --bins 1000
    only=yes measured wrong-result float-error
done
finish
