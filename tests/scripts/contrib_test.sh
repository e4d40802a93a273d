#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What contrib/ hands to other programs: units that systemd accepts, documents with the structure
# that their engines document, and commands that rocmtune accepts. A composed host stands for the
# GPUs.
set -euo pipefail
contrib=$ROCMTUNE_SOURCE/contrib
healthy=$ROCMTUNE_SOURCE/tests/hosts/mi300x-x8/host
degraded=$ROCMTUNE_SOURCE/tests/hosts/mi300x-degraded/host
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }

# Every command line in contrib, as it stands there: with options, or at the end of its line. Those of
# jobs, which have variables in them, are run by contrib_ci_test.sh.
commands() {
    grep -rhoE 'rocmtune check( -[^|;&"#$]*)?$' "$contrib" --include='*.service' --include='*.cfg' \
        --include='*.yaml' --include='*.yml' | sort -u
}
[ "$(commands | wc -l)" -ge 4 ] || fail "only these commands were found: $(commands)"
while read -r line; do
    read -ra words <<<"${line#rocmtune }"
    # Files go where this test may write.
    for i in "${!words[@]}"; do
        case ${words[$i]} in
            *:*.xml | *:*.md) words[i]=${words[$i]%%:*}:$work/${words[$i]#*:} ;;
            /*) words[i]=$work/$(basename "${words[$i]}") ;;
        esac
    done
    status=0
    "$ROCMTUNE" "${words[@]}" --replay "$healthy" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq 0 ] || fail "$line: exit $status: $(cat "$work/err")"
done < <(commands)
[ -s "$work/rocmtune.prom" ] || fail "no textfile was written"

# node-problem-detector: its codes, and a line no longer than its limit.
python3 - "$contrib" "$ROCMTUNE" "$healthy" "$degraded" <<'EOF' || failures=$((failures + 1))
import json, pathlib, subprocess, sys
contrib, program, healthy, degraded = sys.argv[1:]
config = json.loads(pathlib.Path(contrib, "kubernetes/node-problem-detector.json").read_text())
assert config["plugin"] == "custom" and config["source"]
conditions = {one["type"] for one in config["conditions"]}
for rule in config["rules"]:
    assert rule["type"] in ("permanent", "temporary") and rule["reason"]
    assert rule["condition"] in conditions
    for host, code in ((healthy, 0), (degraded, 1)):
        done = subprocess.run([program, *rule["args"], "--replay", host], capture_output=True, text=True)
        assert done.returncode == code, (host, done)
        assert 0 < len(done.stdout.rstrip("\n")) <= config["pluginConfig"]["max_output_length"], done.stdout
EOF

# Kubernetes, GitHub and Prometheus: what must be there, and what must agree.
python3 - "$contrib" <<'EOF' || { [ $? -eq 77 ] && echo "  python3-yaml is not installed: YAML not read" || failures=$((failures + 1)); }
import pathlib, sys
try:
    import yaml
except ImportError:
    sys.exit(77)
contrib = pathlib.Path(sys.argv[1])
load = lambda name: yaml.safe_load((contrib / name).read_text())
daemons = load("kubernetes/daemonset.yaml")
assert (daemons["apiVersion"], daemons["kind"]) == ("apps/v1", "DaemonSet")
spec = daemons["spec"]
assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
pod = spec["template"]["spec"]
volumes = {one["name"] for one in pod["volumes"]}
for container in pod["containers"]:
    assert container["image"] and {one["name"] for one in container["volumeMounts"]} <= volumes
for name in ("github/rocm-check.yml", "github/rocm-lint.yml"):
    for job in load(name)["jobs"].values():
        assert job["runs-on"] and all(("run" in step) != ("uses" in step) for step in job["steps"])
names = [rule["alert"] for group in load("prometheus/rocmtune-alerts.yml")["groups"] for rule in group["rules"]]
tested = {one["alertname"] for test in load("prometheus/rocmtune-alerts.test.yml")["tests"]
          for one in test["alert_rule_test"] if one["exp_alerts"]}
assert len(names) == len(set(names)) and set(names) == tested, set(names) ^ tested
EOF

# lint in a repository: the hooks get the files that their pattern fits.
python3 - "$ROCMTUNE_SOURCE" "$ROCMTUNE" "$work" <<'EOF' || { [ $? -eq 77 ] && echo "  python3-yaml is not installed: hooks not run" || failures=$((failures + 1)); }
import pathlib, re, subprocess, sys
try:
    import yaml
except ImportError:
    sys.exit(77)
source, program, work = sys.argv[1:]
repository = pathlib.Path(work, "repository")
names = ["train.sh", "a/job.sbatch", ".env", "a/.env.local", "x.env", "Dockerfile", "Containerfile.rocm", "a/compose.yaml",
         "docker-compose.override.yml", ".github/workflows/ci.yml", "vllm.service", "rccl.conf", ".rccl.conf", "README.md", "a.py"]
others = ["main.cpp", "values.yaml", "deploy.yml", "notes.txt", "environment", "a.sh.orig", "compose.json"]
hooks = yaml.safe_load(pathlib.Path(source, ".pre-commit-hooks.yaml").read_text())
assert [one["language"] for one in hooks] == ["script", "system"] and hooks[0]["files"] == hooks[1]["files"]
hook = hooks[1]
fits = [name for name in names + others if re.search(hook["files"], name)]
assert fits == names, set(fits) ^ set(names)
texts = {"yaml": "services: {a: {environment: [A=1]}}\n", "yml": "on: push\njobs: {}\nservices: {}\n"}
for name in names:
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(texts.get(name.rsplit(".")[-1], "\n"))
def run(line):
    words = [program, *line.split()[1:]]
    return subprocess.run(words, cwd=repository, capture_output=True, text=True).returncode
hooked = " ".join([hook["entry"], *fits])
assert run(hooked) == 0
(repository / "train.sh").write_text("export PYTORCH_ROCM_DEVICE=0\n")
assert run(hooked) == 1
EOF

# The node check of Slurm, with a scontrol that keeps what it is told.
mkdir "$work/bin"
printf '#!/bin/sh\necho "$@" >>%q\n' "$work/scontrol" >"$work/bin/scontrol"
chmod +x "$work/bin/scontrol"
sed "s|/etc/default/rocmtune|$work/default|g" "$contrib/slurm/rocmtune-node-check" >"$work/node-check"
node_check() { # PROGRAM HOST [VARIABLE=VALUE...]
    printf 'ROCMTUNE=%q\nROCMTUNE_CHECK_OPTIONS="--replay %s %s"\n' "$1" "$2" "${options:-}" >"$work/default"
    : >"$work/scontrol"
    status=0
    env -u SLURM_JOB_ID PATH="$work/bin:$PATH" SLURMD_NODENAME=n1 "${@:3}" sh "$work/node-check" \
        >"$work/node" 2>&1 || status=$?
}
node_check "$ROCMTUNE" "$healthy"
[[ $status -eq 0 && ! -s $work/scontrol ]] || fail "a healthy node: $status $(cat "$work/scontrol")"
node_check "$ROCMTUNE" "$degraded"
[ $status -eq 1 ] || fail "a degraded node: $status"
grep -q '^update NodeName=n1 State=DRAIN Reason=rocmtune: RT3' "$work/scontrol" || fail "drained by: $(cat "$work/scontrol")"
node_check "$ROCMTUNE" "$degraded" SLURM_JOB_ID=7
[[ $status -eq 1 && ! -s $work/scontrol ]] || fail "the prolog drains by its exit code alone: $status"
grep -q '^print rocmtune: RT3' "$work/node" || fail "the prolog says: $(cat "$work/node")"
node_check /nonexistent/rocmtune "$healthy"
[ $status -eq 1 ] || fail "a program that is not there passes for a healthy node"
node_check "$ROCMTUNE" "$degraded" ROCMTUNE_DRAIN_ON=3
[ $status -eq 0 ] || fail "ROCMTUNE_DRAIN_ON is not honoured"
options='--expect /nonexistent' node_check "$ROCMTUNE" "$healthy"
[ $status -eq 1 ] || fail "a check that is told nonsense passes for a healthy node"
grep -q 'Reason=rocmtune: the check is broken (exit code 2): .*nonexistent' "$work/scontrol" || fail "broken: $(cat "$work/scontrol")"
options='--expect /nonexistent' node_check "$ROCMTUNE" "$healthy" ROCMTUNE_DRAIN_ON=1
[[ $status -eq 0 && ! -s $work/scontrol ]] || fail "2 drains though it is not in ROCMTUNE_DRAIN_ON"
grep -q 'the check is broken' "$work/node" || fail "a broken check is not told of: $(cat "$work/node")"
gone=$ROCMTUNE_SOURCE/tests/hosts/no-gpu/host
node_check "$ROCMTUNE" "$gone"
[ $status -eq 1 ] || fail "a GPU node without GPUs stays in service: $status"
node_check "$ROCMTUNE" "$gone" 'ROCMTUNE_DRAIN_ON=1 2 3'
[[ $status -eq 0 && ! -s $work/scontrol ]] || fail "a node without GPUs is drained though it may be one"

# Units, with the program under the name that they have for it.
if command -v systemd-analyze >/dev/null; then
    for unit in "$contrib"/*/*.service "$contrib"/*/*.timer; do
        sed "s|/usr/bin/rocmtune|$ROCMTUNE|; /^Documentation/d" "$unit" >"$work/$(basename "$unit")"
    done
    systemd-analyze verify --man=no "$work"/*.service "$work"/*.timer 2>"$work/verify" || true
    if grep -E "$work/" "$work/verify"; then fail "systemd-analyze complains"; fi
else
    echo "  systemd-analyze is not installed: units not verified"
fi

[ $failures -eq 0 ]
