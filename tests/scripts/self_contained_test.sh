#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What cmake --install writes is complete: it runs from there without the source and build folders'
# help, with man pages, completions, profiles and licence.
set -euo pipefail
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

cmake --build "$ROCMTUNE_BUILD" --target completions > /dev/null
cmake --install "$ROCMTUNE_BUILD" --prefix "$prefix" > /dev/null
cd /

for file in bin/rocmtune share/man/man1/rocmtune.1 share/man/man5/rocmtune-host.5 share/man/man7/rocmtune-facts.7 \
    share/bash-completion/completions/rocmtune share/zsh/site-functions/_rocmtune \
    share/fish/vendor_completions.d/rocmtune.fish share/rocmtune/profiles/gfx1100.json \
    share/rocmtune/profiles/schema/report.schema.json share/doc/rocmtune/LICENSE share/doc/rocmtune/README.md; do
    [ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
[ -z "$(find "$prefix" -type f -perm /002)" ] || { echo "anybody may write some of it"; exit 1; }

installed() { env -i PATH=/usr/bin:/bin LC_ALL=C "$prefix/bin/rocmtune" "$@"; }
installed > /dev/null
grep -q '^rocmtune [0-9]' <<<"$(installed --version)"
for shell in bash zsh fish; do installed completion $shell; done > "$prefix/ours"
cat "$prefix"/share/bash-completion/completions/rocmtune "$prefix"/share/zsh/site-functions/_rocmtune \
    "$prefix"/share/fish/vendor_completions.d/rocmtune.fish > "$prefix/theirs"
cmp "$prefix/ours" "$prefix/theirs"
installed schema report | cmp - "$prefix/share/rocmtune/profiles/schema/report.schema.json"
installed --internal-man-page | cmp - "$prefix/share/man/man1/rocmtune.1"

# The profiles beside it are those inside it.
installed probe --json --replay example:mi300x-x8 > "$prefix/inside.json"
installed probe --json --replay example:mi300x-x8 --profiles "$prefix/share/rocmtune/profiles" > "$prefix/beside.json"
cmp "$prefix/inside.json" "$prefix/beside.json"

# No GPU library and no Python, only what every Debian has or what the README names.
# (A build with sanitizers is never installed.)
sanitizers=$(sed -n 's/^ROCMTUNE_SANITIZE:BOOL=ON$/libubsan/p' "$ROCMTUNE_BUILD/CMakeCache.txt")
if command -v ldd > /dev/null; then
    linked=$(ldd "$prefix/bin/rocmtune" | grep -oE '^\s*lib[a-z0-9_+-]+' | tr -d '\t' | sort | tr '\n' ' ')
    for library in $linked; do
        case $library in
            libc | libm | libgcc_s | libstdc++ | libfmt | libspdlog | libz) ;;
            "$sanitizers") ;;
            *) echo "linked with $library"; exit 1 ;;
        esac
    done
fi
