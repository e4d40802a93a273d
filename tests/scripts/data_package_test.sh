#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The package and the tarball of the data: equal bytes from two places, files of root that everybody
# may read, beside those of the program; the program takes what is in them.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
failures=0
fail() { echo "  FAIL: $1"; failures=$((failures + 1)); }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

scripts/package-data.sh "$work/here"
(umask 077; TZ=Asia/Kathmandu scripts/package-data.sh "$work/there")
date=$(sed -nE 's/^set\(ROCMTUNE_DATA_DATE "(.*)"\)$/\1/p' CMakeLists.txt)
version=${date//-/.}
deb=rocmtune-data_${version}_all.deb
tarball=rocmtune-data-$version.tar.xz
for file in "$deb" "$tarball"; do
    cmp "$work/here/$file" "$work/there/$file" || fail "$file has other bytes the second time"
    grep -qF "$file" INSTALL.md || fail "INSTALL.md does not name $file"
done

[ "$(dpkg-deb -f "$work/here/$deb" Version)" = "$version" ] || fail "the version is not the date of the data"
dpkg-deb -x "$work/here/$deb" "$work/unpacked"
mkdir "$work/local"
tar -C "$work/local" -xJf "$work/here/$tarball" --no-same-owner
diff -r "$work/unpacked/usr/share" "$work/local/share" || fail "package and tarball have different files"
for name in profiles/*.json; do
    cmp "$name" "$work/unpacked/usr/share/rocmtune/data/$(basename "$name")" || fail "$name is another file there"
done
wrong=$(dpkg-deb -c "$work/here/$deb" | grep -vE '^(drwxr-xr-x|-rw-r--r--) root/root ' || true)
[ -z "$wrong" ] || fail "mode or owner: $wrong"
# What the program's own package has below share/rocmtune (install() in CMakeLists.txt).
beside=$(dpkg-deb -c "$work/here/$deb" | grep -oE '\./usr/share/rocmtune/[^/]+/$' || true)
[ "$beside" = ./usr/share/rocmtune/data/ ] || fail "it is not beside the program's folders: $beside"

if [ "$(id -u)" -ne 0 ]; then
    [ $failures -eq 0 ] && echo "data of the system belong to root" && exit 77
    exit 1
fi

# dpkg puts both beside each other and takes away its own alone.
root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/usr/share/rocmtune/profiles"
: >"$root/var/lib/dpkg/status"
: >"$root/usr/share/rocmtune/profiles/common.json"
dpkg --root="$root" --force-not-root --log=/dev/null -i "$work/here/$deb" >"$work/log" 2>&1 || fail "dpkg: $(cat "$work/log")"
data=$root/usr/share/rocmtune/data
says() { ROCMTUNE_DATA=$data "$ROCMTUNE" --version -v 2>&1; }
# Of the same date as the program's own they change nothing.
[[ $(says) == *"(data of $date)"*"built in."* ]] || fail "not the built-in data: $(says | head -20)"
[[ $(says) != *"not used"* ]] || fail "$(says | head -3)"
sed -i 's/"data_date": "[0-9-]*"/"data_date": "2099-01-01"/' "$data/manifest.json"
[[ $(says) == *"(data of 2099-01-01)"*"from $data."* ]] || fail "newer data are not taken: $(says | head -20)"
dpkg --root="$root" --force-not-root --log=/dev/null -r rocmtune-data >"$work/log" 2>&1 || fail "dpkg: $(cat "$work/log")"
[ ! -e "$data" ] || fail "dpkg left $(ls "$data")"
[ -e "$root/usr/share/rocmtune/profiles/common.json" ] || fail "dpkg took what is of the program"
[ $failures -eq 0 ]
