#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tune with a real server (Debian's redis-server under the load of redis-benchmark) and with real
# launchers of several ranks (Open MPI's mpirun): the better way of starting is found, every rank gets the
# setting, and nothing is left of any arm.
set -euo pipefail

skip() { echo "$1"; exit 77; }
for program in redis-server redis-benchmark mpirun jq; do
    command -v $program >/dev/null || skip "$program is not installed (redis-server, openmpi-bin, jq)"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }
# shellcheck source=tests/full/two_ranks.bash
source "$ROCMTUNE_SOURCE/tests/full/two_ranks.bash"
report() { # TEXT FILTER
    jq -e ".tuning | $2" "$work/report.json" >/dev/null || fail "$1: $(jq -c '.tuning | del(.observation)' "$work/report.json")"
}
tune() { # CODE ARGUMENT...
    local code=0
    "$ROCMTUNE" tune --quiet --json -o "$work/report.json" --budget 300 "${@:2}" >"$work/out" 2>&1 || code=$?
    [ $code -eq "$1" ] || { fail "tune ${*:2} exits $code: $(tail -3 "$work/out")"; exit 1; }
}

# A port of its own: servers of others stay untouched.
port=$(python3 -c 'import socket
one = socket.socket()
one.bind(("127.0.0.1", 0))
print(one.getsockname()[1])')
server="redis-server --port $port --bind 127.0.0.1 --save '' --appendonly no --dir $work"
load="redis-benchmark -p $port -t get -n 100 -q --csv"
metric='"GET","([0-9.]+)"'
answers() { redis-cli -p "$port" ping >/dev/null 2>&1; }

# As it is, the server keeps a hash of thousands of fields as one list and walks through it at each
# request; FIELDS=64 makes it a table. No disk has a part in it.
# shellcheck disable=SC2016 # expanded by the shell that tune starts
slow="exec $server "'--hash-max-listpack-entries ${FIELDS:-100000}'
writes="redis-benchmark -p $port -n 8000 -r 1000000 -q --csv hset one field:__rand_int__ value"
tune 0 --command "$slow" --ready 'Ready to accept connections' --load "$writes" \
    --metric 'value","([0-9.]+)' --setting FIELDS=64 --assume-read FIELDS
report "the server's better setting wins" '.answer == "winner" and .winner.settings.FIELDS == "64" and .winner.effect > 0.5'
! answers || fail "a server is left"

# A server that never says that it is ready, and one whose load fails, are no figures.
tune 1 --command "$server" --ready 'never said' --timeout 3 --load "$load" --metric "$metric" --setting FIELDS=64 \
    --assume-read FIELDS
report "not ready" '.answer == "failed"'
tune 1 --command "$server" --ready 'Ready to accept connections' --load "redis-cli -p 1 get nothing" \
    --metric "$metric" --setting FIELDS=64 --assume-read FIELDS
report "a load that fails" '.answer == "failed"'
! answers || fail "a server is left"

# Two ranks: each writes what it was given, the first one prints the figure.
write_rank OMPI_COMM_WORLD_RANK
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
tune 0 --metric 'rate ([0-9]+)' --setting FASTER=1 --assume-read FASTER -- \
    mpirun --oversubscribe -n 2 "$work/rank"
report "the ranks' better setting wins" '.answer == "winner" and .winner.settings.FASTER == "1"'
both_ranks_saw_it

[ $failures -eq 0 ] || exit 1
echo "tune found what helps a server and two ranks; nothing was left"
