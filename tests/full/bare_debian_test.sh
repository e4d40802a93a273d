#!/usr/bin/env bash
# In a bare Debian 12, made by debootstrap from the mirror that this machine uses, the two commands
# of the README must do everything: quickstart.sh with build packages only, packages and tarball with what
# users do with them (bare_packages.sh, bare_journeys.sh), the tests that depend on
# where they run (bare_tests.sh; BARE_DEBIAN=tests tries nothing else) and, with BARE_DEBIAN=whole, also
# test.sh, which then runs all quick tests a second time.
set -euo pipefail
shopt -s nullglob

skip() { echo "$1"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "debootstrap and chroot need root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
unshare -m chroot / true 2>/dev/null || skip "no chroot or mount namespace here"
# shellcheck disable=SC2016 # the words in $() are apt's
mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "bookworm" { print $2; exit }')
[ -n "$mirror" ] || skip "this machine's apt knows no Debian 12"

# All mounts below vanish with this process; nothing outside the folder is touched.
if [ "${1:-}" != --inside ]; then
    exec unshare -m --propagation private "$0" --inside
fi

folder=$ROCMTUNE_BUILD/bare-debian
base=$folder/base.tar
root=$folder/root
second=$folder/second
eleven=$folder/eleven
# In the root the tree lies where it lies here: tests are compiled with its place, and so come from the
# compiler's cache. Nobody but root may enter the folder above it, so it must be one that Debian has not.
place=$ROCMTUNE_SOURCE
tree=$root$place
mkdir -p "$folder"
remove_roots() {
    local one
    for one in "$root" "$second" "$eleven" "$folder/making"; do
        umount "$one/proc" "$one/sys" "$one/dev/pts" 2>/dev/null || true
        rm -rf --one-file-system "$one"
    done
}
remove_roots
trap remove_roots EXIT

make_base() { # RELEASE TAR PACKAGE...: nothing if it is there
    local made=$folder/making include
    [ ! -e "$2" ] || return 0
    echo "making a bare Debian: $1"
    include=$(IFS=,; echo "${*:3}")
    debootstrap --variant=minbase ${include:+"--include=$include"} "$1" "$made" "$mirror" >"$folder/debootstrap.log" 2>&1 || {
        tail -5 "$folder/debootstrap.log"; skip "debootstrap cannot make a root here"; }
    tar -C "$made" -cf "$2.part" .
    mv "$2.part" "$2"
    rm -rf --one-file-system "$made"
}
make_base bookworm "$base"
attach() { # ROOT TYPE OPTIONS FOLDER
    mount -t "$2" -o "$3" "$2" "$1/$4" || skip "$2 cannot be mounted here"
}
unpack_base() { # ROOT [TAR]
    mkdir "$1"
    tar -C "$1" -xf "${2:-$base}"
    attach "$1" proc rw proc
    attach "$1" sysfs ro sys
    attach "$1" devpts newinstance,ptmxmode=0666 dev/pts
    ln -sf pts/ptmx "$1/dev/ptmx"
}
unpack_base "$root"

if [ -e "$(dirname "$tree")" ]; then
    place=/root/rocmtune
    tree=$root$place
fi

# The compiler is the same package as here: what was compiled for the other tests is not compiled
# a second time. Links, not a mount: nothing done inside can harm the cache of this machine.
cache=$(ccache -k cache_dir 2>/dev/null || true)
if [ -d "$cache" ]; then
    cp -al "$cache" "$root/root/.ccache" 2>/dev/null || rm -rf "$root/root/.ccache"
fi

# The machine's own sources, keys and options of apt.
copy_apt() { # ROOT
    local part key
    for part in sources.list sources.list.d preferences.d apt.conf.d auth.conf.d keyrings trusted.gpg.d; do
        [ ! -e "/etc/apt/$part" ] || cp -rL "/etc/apt/$part" "$1/etc/apt/"
    done
    for key in /usr/share/keyrings/*; do cp -L "$key" "$1/usr/share/keyrings/"; done
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
    # A bare root has no certificates of its own, which sources with https need.
    [ ! -d /etc/ssl/certs ] || { mkdir -p "$1/etc/ssl"; cp -rL /etc/ssl/certs "$1/etc/ssl/" 2>/dev/null || true; }
}
copy_apt "$root"

mkdir -p "$tree"
git -C "$ROCMTUNE_SOURCE" ls-files -z --cached --others --exclude-standard |
    (cd "$ROCMTUNE_SOURCE" && while IFS= read -r -d '' file; do
        # A file that is removed but not yet committed is still listed.
        [ ! -e "$file" ] && [ ! -L "$file" ] || printf '%s\0' "$file"
    done | tar --null -T - -c) | tar -x -C "$tree"

# shellcheck disable=SC2016 # expanded inside
inside() { # COMMAND...: in the tree, with nothing of this machine's environment
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb \
        CCACHE_DIR=/root/.ccache \
        chroot "$root" bash -c 'cd "$1" && exec "${@:2}"' bash "$place" "$@"
}
fail() { echo "FAIL: $1"; exit 1; }
source "$ROCMTUNE_SOURCE/tests/full/bare_packages.sh"
source "$ROCMTUNE_SOURCE/tests/full/bare_journeys.sh"
source "$ROCMTUNE_SOURCE/tests/full/bare_tests.sh"

[ "${BARE_DEBIAN:-}" != tests ] || { try_tests; exit 0; }

SECONDS=0
inside ./scripts/quickstart.sh >"$folder/quickstart.log" 2>&1 || {
    tail -40 "$folder/quickstart.log"; fail "quickstart.sh"; }
echo "quickstart.sh: $SECONDS s"
grep -q '^2 AMD GPUs' "$folder/quickstart.log" || fail "quickstart.sh shows no GPUs of the example"
[ -x "$tree/build/release/rocmtune" ] || fail "no binary at build/release/rocmtune"
# shellcheck disable=SC2016 # the word in ${} is dpkg's
installed=$(inside dpkg-query -W -f='${Package}\n')
for word in gtest googletest jsonschema rocm hsa-runtime amdhip rocblas; do
    ! grep -q "$word" <<<"$installed" || fail "quickstart.sh installed $(grep "$word" <<<"$installed" | head -1)"
done
libraries=$(inside ldd build/release/rocmtune)
! grep -Ei 'not found|rocm|hip|hsa|amd' <<<"$libraries" || fail "the binary needs a library of ROCm"

"$ROCMTUNE_SOURCE/tests/full/hardening.sh" "$tree/build/release/rocmtune" || fail "the program is not hardened"

make_packages
try_packages
try_journeys
try_tests

[ "${BARE_DEBIAN:-}" = whole ] || exit 0
SECONDS=0
inside ./scripts/test.sh >"$folder/test.log" 2>&1 || { tail -60 "$folder/test.log"; fail "test.sh"; }
echo "test.sh: $SECONDS s"
grep -E 'tests passed|tests failed' "$folder/test.log"
