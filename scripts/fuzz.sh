#!/usr/bin/env bash
# Builds the libFuzzer targets (tests/fuzz/*_fuzz.cpp) and runs each for a bounded time.
# Usage: scripts/fuzz.sh [--keep] [SECONDS [TARGET...]]     20 seconds for each of all targets by default
# Inputs start from the test hosts, from tests/fuzz/corpus/TARGET, where small inputs that once
# found something are kept, and from tests/fuzz/corpus.tar.xz: what earlier runs reached, the small
# inputs of it. --keep puts what this run reached there, too. Whatever is found lies in
# build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

keep=no
if [ "${1:-}" = --keep ]; then
    keep=yes
    shift
fi
seconds=${1:-20}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "usage: scripts/fuzz.sh [--keep] [SECONDS [TARGET...]]" >&2; exit 2; }
shift $(($# > 0))
build=build/fuzz
hosts=$build/hosts
findings=$build/findings
kept=$build/kept
archive=tests/fuzz/corpus.tar.xz

install_packages "${build_packages[@]}" "${fuzz_packages[@]}"
# A short run would wait longer for the optimiser than it gains from it.
if [ "$seconds" -lt 30 ]; then level=-O0; else level=-O1; fi
cmake --preset fuzz -DBUILD_TESTING=OFF -DCMAKE_CXX_FLAGS_DEBUG="$level -g1" >/dev/null
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for source in tests/fuzz/*_fuzz.cpp; do targets+=("$(basename "$source" .cpp)"); done
fi
cmake --build --preset fuzz --target unpack_host "${targets[@]}"

# Where in an unpacked test host the inputs of a target lie. A target without a line gets the hosts
# themselves and a handful of small files of every kind: for parsers of sysfs attributes.
seed_files() { # TARGET
    case $1 in
        elf_dynamic_fuzz) find /usr/lib -maxdepth 2 -name 'libm*.so.*' -type f -size -64k ;;
        fdinfo_fuzz) find "$hosts" -path '*/fdinfo/*' -type f ;;
        gpu_metrics_fuzz) find "$hosts" -name gpu_metrics -type f ;;
        kernel_log_fuzz) find "$hosts" -name kernel-log -type f ;;
        ld_cache_fuzz) find /etc/ld.so.cache -size -256k ;;
        meminfo_fuzz) find "$hosts" '(' -name meminfo -o -path '*/proc/cpuinfo' ')' -size -64k ;;
        os_release_fuzz) find "$hosts" -name os-release -type f ;;
        plan_data_fuzz) find profiles -maxdepth 1 -name plan.json ;;
        profile_fuzz) find profiles -maxdepth 1 -name '*.json' -size -64k ;;
        python_metadata_fuzz) find "$hosts" '(' -name METADATA -o -name RECORD ')' -type f ;;
        redact_fuzz) find tests/redaction tests/hosts -name '*host' -type f -size -64k ;;
        scrub_fuzz) find tests/lint/corpus tests/incidents/logs -type f -size -16k ;;
        *)
            find tests/hosts -name host -size -64k
            find "$hosts/mi210-x8" "$hosts/rx9070xt" "$hosts/old-kernel" -type f -size -4k |
                awk -F/ '!seen[$NF]++'
            ;;
    esac
}

# The kernel log is no file but an answer: the block of TAB lines below its line.
kernel_log_of() { # HOST
    awk '/^call kernel-log =/ { on = 1; next } on && !/^\t/ { exit } on { print substr($0, 2) }' "$1"
}

unpack_hosts() {
    local host name
    rm -rf "$hosts"
    for host in tests/hosts/*/host; do
        name=$(basename "$(dirname "$host")")
        "$build/tests/unpack_host" "$host" "$hosts/$name" 2>/dev/null
        kernel_log_of "$host" >"$hosts/$name/kernel-log"
    done
}

fuzz() { # TARGET
    local target=$1 corpus=$build/corpus/$1 seeds=$build/seeds/$1
    rm -rf "$seeds"
    mkdir -p "$corpus" "$seeds" "$findings"
    # The same attribute of forty GPUs is one seed.
    seed_files "$target" | xargs -r -d '\n' sha1sum | sort -u -k1,1 | cut -c43- |
        xargs -r -d '\n' cp --parents -t "$seeds"
    local inputs=("$corpus" "$seeds")
    [ ! -d "$kept/$target" ] || inputs+=("$kept/$target")
    [ ! -d "tests/fuzz/corpus/$target" ] || inputs+=("tests/fuzz/corpus/$target")
    UBSAN_OPTIONS=print_stacktrace=1 "$build/tests/$target" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$findings/$target-" \
        "${inputs[@]}" >"$build/$target.log" 2>&1 || return 1
}

report() { # TARGET
    awk -v target="$1" '/cov: / { cov = $0; sub(/.*cov: /, "", cov); sub(/ .*/, "", cov) }
        /number_of_executed_units/ { runs = $2 }
        END { printf "%-24s %9d runs, %5d edges\n", target, runs, cov }' "$build/$1.log"
}

# What all inputs together reach, with the fewest and smallest of them; of each target as many of the
# smallest as are worth a place in the tree.
keep_corpus() {
    local most_bytes=200000 target
    for target in "${all_targets[@]}"; do
        rm -rf "$kept/$target.new"
        mkdir -p "$kept/$target.new" "$kept/$target"
        "$build/tests/$target" -merge=1 "$kept/$target.new" "$kept/$target" "$build/corpus/$target" \
            >"$build/$target.merge.log" 2>&1
        rm -rf "${kept:?}/$target"
        mkdir "$kept/$target"
        find "$kept/$target.new" -type f -printf '%s %p\n' | sort -n |
            awk -v most=$most_bytes '(sum += $1) > most { exit } { print $2 }' |
            xargs -r mv -t "$kept/$target"
        rm -rf "$kept/$target.new"
    done
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=a=rX,u+w \
        -C "$kept" -c . | xz -9 >"$archive"
    ls -l "$archive"
}

unpack_hosts
rm -rf "$kept"
mkdir -p "$kept"
[ ! -e $archive ] || tar -C "$kept" -xf $archive
all_targets=("${targets[@]}")
failed=()
while [ ${#targets[@]} -gt 0 ]; do
    declare -A running=()
    for target in "${targets[@]:0:$(nproc)}"; do
        fuzz "$target" &
        running[$!]=$target
    done
    targets=("${targets[@]:$(nproc)}")
    for process in "${!running[@]}"; do
        if wait "$process"; then
            report "${running[$process]}"
        else
            failed+=("${running[$process]}")
            tail -40 "$build/${running[$process]}.log"
        fi
    done
    unset running
done
[ ${#failed[@]} -eq 0 ] || { echo "found something: ${failed[*]}; inputs in $findings" >&2; exit 1; }
[ $keep = no ] || keep_corpus
