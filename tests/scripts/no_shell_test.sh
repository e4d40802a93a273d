#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program starts a shell in one place: for the text that a user hands to verify and tune (--command, --load). Scripts
# that env prints name one, too, but nothing of ours runs them.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }

code() { # PATTERN: lines of code, without comments, as FILE:TEXT
    grep -rE "$1" src bench include --include='*.cpp' --include='*.hpp' | grep -vE ':[[:space:]]*//' | sort || true
}

starters=$(code '(^|[^_[:alnum:]>.])(std::|::)?(system|popen|wordexp|execl|execle|execlp|execvpe|posix_spawnp)[[:space:]]*\(')
[ -z "$starters" ] || fail "these can start a shell: $starters"

shells=$(code '/bin/(ba|da|z)?sh\b|"(ba|da|z)?sh", *"-c"' | grep -v '^src/show/env/' || true)
[[ $shells == src/commands/measured_subject.cpp:*'"/bin/sh", "-c", line'* && $shells != *$'\n'* ]] ||
    fail "shells are named here: $shells"

# execvp gives a script without first line to a shell, as env(1) does: only where we become what the
# user names (run), or start it as it would start alone (diagnose --).
searches=$(code '\bexecvp[[:space:]]*\(' | cut -d: -f1 | tr '\n' ' ')
[ "$searches" = "src/commands/run.cpp src/measure/watched_command.cpp " ] || fail "execvp: $searches"

# What is looked for can be found.
[ -n "$(code '::execve[[:space:]]*\(')" ] || fail "not even execve was found"
[ $failures -eq 0 ]
