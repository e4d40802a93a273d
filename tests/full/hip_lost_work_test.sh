#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A GPU that loses every 3rd, 5th or 7th kernel, copies by kernels too: whatever is left in memory by
# the others, no figure is verified, on any benchmark. Only float-error may be: it runs four kernels,
# so that every 5th or 7th may pass it by.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/emulated_gpus.bash"

operations=(copy mul add triad dot read write device-copy device-fill host-to-device device-to-host)
for every in 3 5 7; do
    settings=FAKE_KFD_FAULT=dispatch%$every=lost
    bench gfx90a 1 1 bandwidth --size 65536
    measured wrong-result "${operations[@]}"
    bench gfx908 1 1 gemm --size 64 --dtype fp16
    measured wrong-result fp16-own
    bench gfx90a 1 1 vpoc --size 10003 --bins 1000
    only=yes measured wrong-result 1000-bins-{uniform,normal,one-bin,walk}
    [ $every != 3 ] || measured wrong-result float-error
done
settings=FAKE_KFD_FAULT=dispatch%5=lost bench gfx908 2 1 bandwidth --size 65536
measured wrong-result "${operations[@]}" peer-copy peer-both-ways
finish
