#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Matrix products and volume profiles on emulated GPUs: right results and figures.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/emulated_gpus.bash"

for case in gfx90a:fp64 gfx90a:fp32 gfx90a:bf16 gfx908:fp16 gfx908:int8; do
    bench "${case%:*}" 1 0 gemm --size 64 --dtype "${case#*:}"
    measured ok "${case#*:}-own"
done

profiles=(1000-bins-uniform 1000-bins-normal 1000-bins-one-bin 1000-bins-walk float-error
          65536-bins-uniform 65536-bins-normal 65536-bins-one-bin 65536-bins-walk)
bench gfx90a 1 0 vpoc --size 10003
measured ok "${profiles[@]}"
settings=AMDGPU_EMULATOR_SCHEDULE=random bench gfx908 1 0 vpoc --size 10003
measured ok "${profiles[@]}"
finish
