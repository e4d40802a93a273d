#!/usr/bin/env bash
# Slurm on this one machine: its Prolog lets jobs start on a healthy node and drains a degraded one,
# its HealthCheckProgram drains by itself, srun's ranks print once and get what tune sets. A composed host
# stands for the GPUs.
set -euo pipefail

skip() { echo "$1"; exit 77; }
for program in slurmctld slurmd munged srun scontrol sinfo; do
    command -v $program >/dev/null || skip "$program is not installed (slurm-wlm, munge)"
done
[ "$(id -u)" -eq 0 ] || skip "slurmd needs root"
[ -d /etc/slurm ] || skip "there is no /etc/slurm to put a configuration over"
unshare -m true 2>/dev/null || skip "no mount namespace here"
# Configuration and state stand at fixed places: a namespace of its own keeps them off this machine.
if [ "${1:-}" != --inside ]; then
    exec unshare -m -p -f --mount-proc --propagation private "$0" --inside
fi

work=$(mktemp -d)
chmod 755 "$work"
finish() {
    local daemon pid
    for daemon in slurmd slurmctld munged; do
        [ -s "$work/$daemon.pid" ] || continue
        pid=$(cat "$work/$daemon.pid")
        kill "$pid" 2>/dev/null || continue
        # They write their state once more before they end.
        for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    done
    rm -rf "$work"
}
trap finish EXIT
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }
# shellcheck source=tests/full/two_ranks.bash
source "$ROCMTUNE_SOURCE/tests/full/two_ranks.bash"

node=$(hostname -s)
healthy=$ROCMTUNE_SOURCE/tests/hosts/mi300x-x8/host
degraded=$ROCMTUNE_SOURCE/tests/hosts/mi300x-degraded/host
mkdir -p "$work"/{etc,state,spool,munge}
mount --bind "$work/etc" /etc/slurm

cp "$ROCMTUNE_SOURCE/contrib/slurm/rocmtune-node-check" "$work/etc/"
# What the node is, for the script: it reads /etc/default/rocmtune, here through a file of ours.
sed -i "s|/etc/default/rocmtune|$work/etc/default|g" "$work/etc/rocmtune-node-check"
set_host() { # HOST
    printf 'ROCMTUNE=%q\nROCMTUNE_CHECK_OPTIONS="--replay %s"\n' "$ROCMTUNE" "$1" >"$work/etc/default"
}
set_host "$healthy"

dd if=/dev/urandom bs=1 count=1024 of="$work/munge/key" status=none
chmod 400 "$work/munge/key"
chmod 700 "$work/munge"
munged --key-file="$work/munge/key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" --force 2>"$work/munge.err" ||
    skip "munged does not run here: $(tail -1 "$work/munge.err")"

cat >"$work/etc/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
Prolog=/etc/slurm/rocmtune-node-check
PrologFlags=Alloc
HealthCheckProgram=/etc/slurm/rocmtune-node-check
HealthCheckInterval=5
HealthCheckNodeState=ANY
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES State=UP OverSubscribe=FORCE:8
CONF
slurmctld -f /etc/slurm/slurm.conf
slurmd -f /etc/slurm/slurm.conf -N "$node"

state() { sinfo -h -n "$node" -o '%T %E'; }
wait_for() { # PATTERN SECONDS
    for _ in $(seq "$2"); do
        # shellcheck disable=SC2053 # a pattern
        [[ $(state) == $1 ]] && return 0
        sleep 1
    done
    return 1
}
# sinfo writes idle* for a node that does not answer yet; a job that is submitted then has to wait.
wait_for 'idle none' 60 || { tail -n 3 "$work/slurmd.log" "$work/slurmctld.log"; skip "slurmd does not become idle here"; }

# A job starts on a healthy node.
[ "$(timeout 60 srun -n 1 echo started)" = started ] || fail "no job starts on a healthy node"

# Four ranks: one report, nothing else.
timeout 60 srun -n 4 -O "$ROCMTUNE" check --replay "$healthy" >"$work/ranks" || fail "the ranks of a healthy host fail"
[ "$(grep -c 'GPUs judged' "$work/ranks")" -eq 1 ] || fail "four ranks printed: $(cat "$work/ranks")"

# tune starts two ranks of srun: the setting reaches both, the figure comes from the first.
write_rank SLURM_PROCID
timeout 400 "$ROCMTUNE" tune --quiet --json -o "$work/tuned.json" --budget 300 --metric 'rate ([0-9]+)' --setting FASTER=1 \
    --assume-read FASTER -- srun -n 2 -O "$work/rank" >"$work/tuned.err" 2>&1 || fail "tune of srun: $(tail -3 "$work/tuned.err")"
jq -e '.tuning.answer == "winner" and .tuning.winner.settings.FASTER == "1"' "$work/tuned.json" >/dev/null ||
    fail "tune of srun: $(jq -c '.tuning | [.answer, .reason]' "$work/tuned.json")"
both_ranks_saw_it

# Reports of all nodes as one stream, and the odd ones out.
timeout 60 srun -N 1 --ntasks-per-node 1 "$ROCMTUNE" check --replay "$healthy" --format ndjson |
    "$ROCMTUNE" fleet - --json >"$work/fleet.json" || fail "fleet does not read what srun collects"
[ "$(jq -c '[.fleet.hosts, .fleet.skipped]' "$work/fleet.json")" = '[1,0]' ] ||
    fail "fleet counts $(jq -c '.fleet | [.hosts, .skipped]' "$work/fleet.json")"

# The list of hosts to keep away from means to Slurm what it means to us.
mkdir "$work/reports"
"$ROCMTUNE" check --replay "$healthy" --json -o "$work/good.json"
"$ROCMTUNE" check --replay "$degraded" --json -o "$work/bad.json" || true
for name in "$node" gpu007 gpu008 gpu010; do
    jq -c --arg name "$name" '.host.hostname = $name' "$work/bad.json" >"$work/reports/$name.json"
done
for i in 1 2 3 4 5 6; do
    jq -c --arg name "good$i" '.host.hostname = $name' "$work/good.json" >"$work/reports/good$i.json"
done
odd=$("$ROCMTUNE" fleet "$work/reports" --format slurm || true)
scontrol show hostnames "$odd" | sort >"$work/expanded"
printf '%s\n' "$node" gpu007 gpu008 gpu010 | sort | diff - "$work/expanded" || fail "Slurm reads '$odd' otherwise"
# It knows one of them here: with that excluded no node is left.
! timeout 20 srun --immediate=5 -n 1 --exclude="$node" echo started >"$work/started" 2>&1 ||
    fail "a job started on an excluded node"

# The health check drains a degraded node, with the finding as the reason.
set_host "$degraded"
wait_for 'drain*rocmtune: RT3*' 60 || fail "the health check did not drain: $(state)"

# The prolog alone, without the health check.
set_host "$healthy"
sed -i '/^HealthCheck/d' "$work/etc/slurm.conf"
scontrol reconfigure
scontrol update NodeName="$node" State=RESUME
wait_for 'idle none' 60 || fail "the node does not come back: $(state)"
set_host "$degraded"
# Without --immediate: after a reconfiguration Slurm starts a job seconds later, and without a job
# there is no prolog.
timeout 60 srun -n 1 echo started >"$work/started" 2>&1 || true
! grep -qx started "$work/started" || fail "a job started on a degraded node"
wait_for 'drain*' 60 || {
    fail "the prolog did not drain: $(state)"
    tail -5 "$work/started" "$work/slurmctld.log" "$work/slurmd.log"
}

[ $failures -eq 0 ]
