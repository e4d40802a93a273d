#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The wheel: equal bytes whoever makes it, the tag that the program deserves, installed by pip to a
# virtual environment and to a folder, refused where it cannot run.
set -euo pipefail
# shellcheck source=tests/python/environment.bash
source "$ROCMTUNE_SOURCE/tests/python/environment.bash"
need_venv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }
wheel() { "$ROCMTUNE_SOURCE/scripts/wheel" "$@"; }
refused() { # PATTERN ARGUMENT...
    local said
    if said=$(wheel "${@:2}" "$work/refused" 2>&1); then fail "not refused: ${*:2}"; fi
    grep -qE -- "$1" <<<"$said" || fail "'$said' does not say $1"
}

ROCMTUNE=$(stripped_program "$work")
first=$(wheel --for-this-machine "$ROCMTUNE" "$work/first")
# A copy elsewhere, with other modes, times, locale and umask.
second=$(
    umask 077
    cd "$work" && cp "$ROCMTUNE" copy && touch -d 2001-01-01 copy
    LC_ALL=C TZ=Asia/Kathmandu SOURCE_DATE_EPOCH=99 wheel --for-this-machine copy second
)
cmp "$first" "$work/$second" || fail "a second wheel has other bytes"
version=$(sed -nE 's/^project\(rocmtune VERSION ([0-9.]+).*/\1/p' "$ROCMTUNE_SOURCE/CMakeLists.txt")
[ "$(basename "$first")" = "rocmtune-$version-py3-none-linux_$(uname -m).whl" ] || fail "it is called $first"

# What portable programs need is small: here compiled, since the program under test may not be one.
cc=$(command -v cc || command -v clang-19 || true)
if [ -n "$cc" ]; then
    cat >"$work/a.c" <<'C'
#include <stdio.h>
int main(void) { return puts("") < 0; }
C
    "$cc" -o "$work/plain" "$work/a.c"
    needed=$(objdump -T "$work/plain" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -1 | sed -E 's/GLIBC_([0-9]+)\.([0-9]+).*/\1_\2/')
    [ "$(basename "$(wheel "$work/plain" "$work/plain-wheel")")" = "rocmtune-$version-py3-none-manylinux_${needed}_$(uname -m).whl" ] ||
        fail "the tag of a program that needs glibc $needed: $(ls "$work/plain-wheel")"
    "$cc" -shared -fPIC -o "$work/libother.so.3" -Wl,-soname,libother.so.3 -x c - <<<'int other;'
    "$cc" -o "$work/foreign" "$work/a.c" -Wl,--no-as-needed "$work/libother.so.3"
    refused 'needs libother\.so\.3.*ROCMTUNE_PORTABLE.*--for-this-machine' "$work/foreign"
else
    echo "  no C compiler: tags not tried"
fi
refused 'no ELF program' "$ROCMTUNE_SOURCE/README.md"
refused 'no file' "$work/nothing"

# The list of files holds, as installers check it.
python3 - "$first" "$version" <<'PY' || failures=$((failures + 1))
import base64, csv, hashlib, io, sys, zipfile
path, version = sys.argv[1:]
archive = zipfile.ZipFile(path)
info = f"rocmtune-{version}.dist-info"
rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(archive.read(f"{info}/RECORD").decode()))}
assert set(rows) == set(archive.namelist()), set(rows) ^ set(archive.namelist())
for name, (digest, size) in rows.items():
    if name != f"{info}/RECORD":
        data = archive.read(name)
        assert int(size) == len(data)
        assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
names = archive.namelist()
assert "rocmtune/py.typed" in names and "rocmtune/records.py" in names and f"{info}/LICENSE" in names
assert archive.getinfo(f"rocmtune-{version}.data/scripts/rocmtune").external_attr >> 16 == 0o100755
assert "Private :: Do Not Upload" in archive.read(f"{info}/METADATA").decode()
PY

# pip, which asks no index.
python3 -m venv "$work/venv"
pip=$work/venv/bin/pip
# A wheel for another machine, and one for a glibc of later years, are none for this host.
for tag in linux_sparc64 "manylinux_2_99_$(uname -m)"; do
    cp "$first" "$work/rocmtune-$version-py3-none-$tag.whl"
    if "$pip" install "$work/rocmtune-$version-py3-none-$tag.whl" >"$work/said" 2>&1; then fail "pip takes $tag"; fi
    grep -q 'is not a supported wheel' "$work/said" || fail "pip says: $(cat "$work/said")"
done
"$pip" install --quiet "$first"
cmp "$work/venv/bin/rocmtune" "$ROCMTUNE" || fail "the command is not the program"
[ "$("$work/venv/bin/rocmtune" --version)" = "$("$ROCMTUNE" --version)" ] || fail "the command has another version"
"$pip" check >/dev/null || fail "pip check"
"$pip" install --quiet --target "$work/target" "$first"
found=$(cd / && env -u ROCMTUNE PYTHONPATH="$work/target" python3 -c 'import rocmtune; print(rocmtune.find_program())')
[ "$found" = "$work/target/bin/rocmtune" ] || fail "below --target the program is $found"
"$pip" uninstall --quiet --yes rocmtune
rest=$(find "$work/venv" -name '*rocmtune*')
[ -z "$rest" ] || fail "left behind: $rest"
[ $failures -eq 0 ]
