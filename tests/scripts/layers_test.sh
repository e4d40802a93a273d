#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the direction of the layers: reads every #include of src/ and include/ and fails with the
# lines that look upwards. A layer may include itself, the public headers and what stands behind it.
set -eu

source=${ROCMTUNE_SOURCE:-$(dirname "$0")/../..}
cd "$source"

# layer -> layers that it may include
allowed() {
    case $1 in
        base) echo ;;
        codec) echo base ;;
        machine) echo codec base ;;
        knowledge) echo codec base ;;
        probe) echo machine knowledge codec base ;;
        settings) echo machine knowledge codec base ;;
        judge/compare | judge/fleet) echo knowledge codec base ;;
        judge/limits) echo base ;;
        judge/rules | judge/lint | judge/builds) echo knowledge codec base ;;
        judge/checks) echo judge/rules judge/builds knowledge codec base ;;
        judge/plan) echo judge/rules knowledge codec base ;;
        judge/diagnose) echo judge/rules judge/checks knowledge codec base ;;
        judge/verify) echo bench judge/rules probe machine knowledge codec base ;;
        show) echo judge/rules judge/checks judge/lint judge/plan knowledge codec base ;;
        bench) echo probe machine knowledge codec base ;;
        measure) echo bench settings show judge/rules judge/checks judge/lint judge/limits probe machine \
                      knowledge codec base ;;
        commands) echo measure bench judge/verify judge/diagnose judge/limits judge/plan judge/builds judge/fleet judge/compare settings \
                       show judge/rules judge/checks judge/lint probe machine knowledge codec base ;;
        cli) echo commands "$(allowed commands)" ;;
        *) echo "unknown layer: src/$1 (add it here and to the design)" >&2; return 1 ;;
    esac
}

# Lines "FILE:NUMBER:#include "X/..."" of a layer that name a layer it may not know.
wrong_includes() {
    layer=$1
    known=" $layer $(allowed "$layer") "
    folder=src/$layer
    [ "$layer" != bench ] || folder=bench
    grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]+/' -r "$folder" --exclude-dir=self |
        while IFS= read -r line; do
            target=${line#*\"}
            rest=${target#*/}
            target=${target%%/*}
            [ "$target" != judge ] || target=judge/${rest%%/*}
            # rocmtune/ are the public headers, generated/ comes from the build.
            case "$known rocmtune generated " in
                *" $target "*) ;;
                *) echo "$line" ;;
            esac
        done
}

# A file of another folder must be named with its folder: otherwise its layer could not be seen.
bare_includes() {
    grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"/]+"' -r src bench include --include='*.[ch]pp' |
        grep -vE '"build_info\.hpp"' || true
}

# The public headers stand below everything.
public_includes() {
    grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' -r include | grep -v '"rocmtune/' || true
}

# What a layer must not reach for, whoever wraps it: the machine is behind src/machine alone, and the
# command-line library belongs to cli. The library workers are processes of their own that look for
# libraries as the loader does; nothing of theirs runs in the main process.
forbidden_headers() {
    grep -nE '#[[:space:]]*include[[:space:]]*<(fcntl\.h|dirent\.h|dlfcn\.h|sys/stat\.h|sys/statvfs\.h|fstream|filesystem)>' \
        -r src/base src/codec src/probe src/show src/judge/rules src/judge/checks src/judge/lint src/judge/compare \
        src/judge/fleet src/judge/plan src/judge/builds src/judge/limits include | grep -v '^src/probe/workers/' || true
    grep -nE '#[[:space:]]*include[[:space:]]*<CLI/' -r src include | grep -v '^src/cli/' || true
}

# A stream that cannot be written must not end the program: print_error() knows, fmt::print throws.
throwing_messages() {
    grep -nE '(print|fputs|puts)[[:space:]]*\([^;]*stderr|std::cerr' -r src bench --include='*.[ch]pp' |
        grep -v '^src/knowledge/build_tool\.hpp:' || true
}

wrong=$(
    for folder in src/*/ src/judge/*/ bench/; do
        [ "$folder" != src/judge/ ] || continue
        layer=${folder%/}
        layer=${layer#src/}
        allowed "$layer" >/dev/null
        wrong_includes "$layer"
    done
    bare_includes
    public_includes
    forbidden_headers
    throwing_messages
)

files=$(find src bench include -name '*.[ch]pp' | wc -l)
if [ -n "$wrong" ]; then
    echo "these lines look against the direction of the layers, or write past print_error():"
    echo "$wrong"
    exit 1
fi
if [ "$files" -lt 20 ]; then
    echo "only $files source files found below $PWD"
    exit 1
fi
echo "$files files, all includes point downwards"
