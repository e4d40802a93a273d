#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bandwidth and copies on emulated GPUs: right results and figures, with copies by kernels and by copy
# engines, with one GPU and between two.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/emulated_gpus.bash"

operations=(copy mul add triad dot read write device-copy device-fill host-to-device device-to-host)
bench gfx90a 2 0 bandwidth --size 65536
measured ok "${operations[@]}" peer-copy peer-both-ways
settings=HSA_ENABLE_SDMA=1 bench gfx908 2 0 bandwidth --size 65536
measured ok "${operations[@]}" peer-copy peer-both-ways
settings="HSA_ENABLE_SDMA=1 AMDGPU_EMULATOR_SCHEDULE=random" bench gfx90a 1 0 bandwidth --size 65536 --dtype fp64
measured ok "${operations[@]}"
finish
