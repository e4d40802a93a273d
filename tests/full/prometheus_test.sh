#!/usr/bin/env bash
# promtool reads what --format prom of check, report and fleet writes for every composed host, and
# runs the tests of the alert rules; node_exporter serves the textfile.
set -euo pipefail

skip() { echo "$1"; exit 77; }
command -v promtool >/dev/null || skip "promtool (package prometheus) is not installed"
command -v prometheus-node-exporter >/dev/null || skip "prometheus-node-exporter is not installed"
command -v curl >/dev/null || skip "curl is not installed"

work=$(mktemp -d)
exporter=
finish() {
    [ -z "$exporter" ] || { kill "$exporter" 2>/dev/null; wait "$exporter" 2>/dev/null || true; }
    rm -rf "$work"
}
trap finish EXIT
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }

mkdir "$work/reports"
for host in "$ROCMTUNE_SOURCE"/tests/hosts/*/host; do
    "$ROCMTUNE" check --replay "$host" --format prom -o "$work/one.prom" || true
    promtool check metrics <"$work/one.prom" >"$work/complaints" 2>&1 ||
        fail "$host: $(cat "$work/complaints")"
    "$ROCMTUNE" report --replay "$host" --also json:"$work/one.json" --format prom -o "$work/one.prom" || true
    promtool check metrics <"$work/one.prom" >"$work/complaints" 2>&1 ||
        fail "report of $host: $(cat "$work/complaints")"
    "$ROCMTUNE_SOURCE/scripts/compose-measurements" "$work/one.json" >"$work/bench.json"
    "$ROCMTUNE" report "$work/one.json" "$work/bench.json" --format prom -o "$work/one.prom" || true
    promtool check metrics <"$work/one.prom" >"$work/complaints" 2>&1 ||
        fail "report of $host with figures: $(cat "$work/complaints")"
    cp "$work/bench.json" "$work/reports/$(basename "$(dirname "$host")").json"
done
"$ROCMTUNE" fleet "$work/reports" --format prom -o "$work/one.prom" || true
promtool check metrics <"$work/one.prom" >"$work/complaints" 2>&1 || fail "fleet: $(cat "$work/complaints")"

reports=$(find "$work/reports" -name '*.json' | wc -l)
grep -qE "^rocmtune_fleet_(reports|hosts)[^ ]* [0-9]+$" "$work/one.prom" || fail "fleet: of $reports reports nothing is counted"

cp "$ROCMTUNE_SOURCE"/contrib/prometheus/*.yml "$work"
promtool check rules "$work/rocmtune-alerts.yml" || fail "the rules are refused"
(cd "$work" && promtool test rules rocmtune-alerts.test.yml) || fail "the alerts are not as tested"

# The real exporter over the file of a degraded host.
mkdir "$work/textfile"
degraded=$ROCMTUNE_SOURCE/tests/hosts/mi300x-degraded/host
"$ROCMTUNE" check --replay "$degraded" --format prom -o "$work/textfile/rocmtune.prom" || true
port=$((20000 + $$ % 20000))
prometheus-node-exporter --collector.disable-defaults --collector.textfile \
    --collector.textfile.directory="$work/textfile" --web.listen-address="127.0.0.1:$port" \
    2>"$work/exporter.log" &
exporter=$!
for _ in $(seq 100); do
    curl -sf "http://127.0.0.1:$port/metrics" >"$work/served" && break
    sleep 0.1
done
grep -q '^node_textfile_scrape_error 0' "$work/served" || fail "the textfile is not accepted: $(tail -3 "$work/exporter.log")"
grep -q 'node_textfile_mtime_seconds{file=".*rocmtune.prom"}' "$work/served" || fail "no time of the file, which RocmtuneStale needs"
# Every sample arrives with its labels, which the exporter sorts, and its value.
python3 - "$work/textfile/rocmtune.prom" "$work/served" <<'EOF' || fail "not every sample is served as written"
import re, sys

def samples(path):
    found = {}
    for line in open(path, encoding="utf-8"):
        if one := re.fullmatch(r"(rocmtune_\w+)(?:\{(.*)\})? (\S+)\n", line):
            labels = re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', one[2] or "")
            found[one[1], frozenset(labels)] = float(one[3])
    return found

written, served = (samples(path) for path in sys.argv[1:])
assert len(written) > 20, written
missing = {one: value for one, value in written.items() if served.get(one) != value}
for one, value in missing.items():
    print("  not served:", one, value, "but", served.get(one))
sys.exit(len(missing) > 0)
EOF

[ $failures -eq 0 ]
