#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rows of `report --format ndjson` in SQLite: the statements of rocmtune-report(1) load them as
# they stand there, and its JSON functions find in them what the JSON document has.
set -euo pipefail
command -v sqlite3 >/dev/null || { echo "sqlite3 is not installed"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The lines between EOF and EOF of the man page, without its escapes.
sed -n "/<<'EOF'\$/,/^EOF\$/p" "$ROCMTUNE_SOURCE/man/rocmtune-report.1" | sed '1d;$d;s/^\\&//;s/\\e/\\/g' >load.sql
[ "$(wc -l <load.sql)" -ge 5 ] || { echo "the man page has no statements"; exit 1; }

sqlite() { sqlite3 hosts.db "$1"; }
failures=0
expect() {
    [ "$2" = "$3" ] || { echo "  FAIL: $1: $2, but the document has $3"; failures=$((failures + 1)); }
}

for host in "$ROCMTUNE_SOURCE"/tests/hosts/*/host; do
    rm -f hosts.db
    "$ROCMTUNE" report --replay "$host" --format ndjson --also json:report.json -o rows.ndjson || true
    sqlite3 hosts.db <load.sql >failed.txt
    lines=$(wc -l <rows.ndjson)
    expect "$host: rows" "$(sqlite "SELECT count(*) FROM rows WHERE json_type(row) = 'object'")" "$lines"
    nested=$(sqlite "SELECT count(*) FROM rows, json_each(row) WHERE type IN ('object', 'array')")
    expect "$host: values with structure" "$nested" 0
    for pair in gpu:.host.gpus finding:.findings recommendation:.recommendations undecided:.undecided \
        setting:.settings.items link:.host.links; do
        rows=$(sqlite "SELECT count(*) FROM rows WHERE row ->> 'type' = '${pair%%:*}'")
        expect "$host: ${pair%%:*}" "$rows" "$(jq "${pair#*:} | length" report.json)"
    done
    memory=$(sqlite "SELECT coalesce(sum(row ->> 'vram_bytes'), 0) FROM rows WHERE row ->> 'type' = 'gpu'")
    expect "$host: memory" "$memory" "$(jq '[.host.gpus[].vram_bytes] | add // 0' report.json)"
    missing=$(sqlite "SELECT count(*) FROM rows WHERE row ->> 'type' = 'missing' AND row ->> 'subject' = 'host'")
    expect "$host: missing facts" "$missing" "$(jq '.host._reasons | length' report.json)"
    expect "$host: failures" "$(wc -l <failed.txt)" \
        "$(jq '[.findings[] | select(.verdict == "fail")] | length' report.json)"
done
[ $failures -eq 0 ]
