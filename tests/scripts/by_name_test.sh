#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is written by name goes through src/machine/written_file.cpp, which walks and judges the way
# there. This reads the sources for other ways.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }

# These do the walking and writing itself.
ours='^(src/machine/(path_walk|written_file)\.cpp):'

# Other lines that match, as FILE:TEXT-IN-THE-LINE, and why they may.
allowed=(
    'src/cli/main.cpp:"/dev/null"'               # streams that were closed at the start
    'src/measure/watched_command.cpp:O_NOCTTY'    # a terminal of our own, for the command that is watched
    'src/machine/spool.cpp:std::tmpfile()'        # has no name
    'bench/ticks.cpp:"rb"'                       # a file that was opened for reading
    'src/machine/directory_source.cpp:O_NONBLOCK' # asks whether a device node can be opened; writes nothing
    'src/knowledge/build_tool.hpp:std::ofstream' # generators, which run in the build only
    'src/knowledge/compile_call_filter.cpp:std::tmpfile()'
    'src/knowledge/compile_call_filter.cpp:O_ACCMODE' # the flags that the filter refuses
)

flags='O_(CREAT|WRONLY|RDWR|TRUNC|APPEND|TMPFILE)'
calls='(std::|::)?(creat|openat?64|fopen(64)?|freopen|fdopen|open_memstream|tmpfile|tmpnam|mkstemps?|mkostemps?|mkdtemp|mktemp|renameat2?|unlink(at)?|rmdir|mkdir(at)?|mkfifo(at)?|mknod(at)?|symlink(at)?|linkat|l?chown|fchownat|chmod|fchmodat|utimes?|utimensat|l?setxattr|l?removexattr)'
words='(std::|::)(rename|remove|link|truncate)'  # common words: only where they are the library's
streams='(std::)?(w?ofstream|w?fstream|basic_ofstream|basic_file_sink\w*|rotating_file_sink\w*)'
filesystem='(fs|filesystem)::(create_\w+|copy(_\w+)?|rename|remove(_all)?|resize_file|permissions|last_write_time)'
archives='archive_write_(open_filename\w*|open_file|disk_new)|archive_read_extract2?'

code() { # PATTERN: lines of code, without comments, as FILE:TEXT
    grep -rE '' src bench include --include='*.cpp' --include='*.hpp' --exclude-dir=self |
        sed -E 's,(^|[^:])//.*,\1,' | grep -E "$1" | grep -v '#include' || true
}
writers() {
    code "\\b$flags\\b|(^|[^_[:alnum:]>.:\"])$calls *\\(|(^|[^_[:alnum:]])$words *\\(|(^|[^_[:alnum:]])$streams\\b|$filesystem *\\(|$archives" |
        sort -u
}
is_allowed() { # LINE
    local row
    for row in "${allowed[@]}"; do
        [[ $1 == "${row%%:*}":*"${row#*:}"* ]] && { used[$row]=1; return 0; }
    done
    return 1
}

declare -A used=()
while IFS= read -r line; do
    [[ -z $line || $line =~ $ours ]] || is_allowed "$line" || fail "$line"
done < <(writers)

# What is looked for can be found, and no row of the list is left over.
for word in renameat unlinkat mkdirat O_CREAT; do
    writers | grep -qE "$ours.*$word" || fail "not even $word was found"
done
for row in "${allowed[@]}"; do
    [ -n "${used[$row]:-}" ] || fail "nothing needs this exception: $row"
done
[ $failures -eq 0 ]
