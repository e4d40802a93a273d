#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The packages that a root of their own has to make, since libraries and compilers differ: the .deb for
# Debian 13 and the RPM, by Debian 13's rpmbuild. Needs root, debootstrap and the mirror of this
# machine's apt; each takes as long as a build and a few hundred megabytes.
# Usage: scripts/package-roots.sh [OUTPUT_DIR [deb|rpm]...]     build/packages-roots, both by default
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh
release=trixie
number=13

fail() { echo "package-roots.sh: $1" >&2; exit 1; }
output=$(realpath -m "${1:-build/packages-roots}")
shift $(($# > 0))
kinds=("$@")
[ $# -gt 0 ] || kinds=(deb rpm)
for kind in "${kinds[@]}"; do
    [[ $kind = deb || $kind = rpm ]] || { echo "usage: scripts/package-roots.sh [OUTPUT_DIR [deb|rpm]...]" >&2; exit 2; }
done
[ "$(id -u)" -eq 0 ] || fail "debootstrap and chroot need root"
# All mounts vanish with this process.
[ -n "${ROCMTUNE_INSIDE:-}" ] || exec env ROCMTUNE_INSIDE=1 unshare -m --propagation private "$0" "$output" "${kinds[@]}"
install_packages debootstrap
# shellcheck disable=SC2016 # the words in $() are apt's
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sed -n 1p)
[ -n "$mirror" ] || fail "this machine's apt knows no mirror"

root=$(mktemp -d)
chmod 755 "$root"  # apt fetches as a user of its own
log=
finish() {
    local code=$?
    [ $code -eq 0 ] || [ -z "$log" ] || tail -20 "$log" >&2
    umount "$root/proc" "$root/dev/pts" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap finish EXIT
mkdir -p "$output"
debootstrap --variant=minbase --include=ca-certificates $release "$root" "$mirror" >"$output/debootstrap.log" 2>&1 ||
    fail "debootstrap cannot make Debian $number here: $(tail -1 "$output/debootstrap.log")"
rm "$output/debootstrap.log"
for part in auth.conf.d keyrings trusted.gpg.d; do
    [ ! -e "/etc/apt/$part" ] || cp -rL "/etc/apt/$part" "$root/etc/apt/"
done
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mkdir "$root/tree"
git ls-files -z | tar --null -T - -c | tar -x -C "$root/tree"

inside() { # COMMAND...
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        chroot "$root" bash -c 'cd /tree && exec "$@"' bash "$@"
}
install_inside() { inside apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
inside apt-get update -qq
install_inside "${build_packages[@]}"
version=$(sed -n 's/^project(rocmtune VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

make_deb() {
    install_inside build-essential debhelper
    # The version of the package says for which release it is, and is below that of a later Debian's own.
    inside sed -i "1s/(\([^)]*\))/(\1+deb$number)/" debian/changelog
    inside dpkg-buildpackage -b -us -uc
    cp "$root"/rocmtune_*+deb${number}_*.deb "$output/"
    inside apt-get install -y -qq --no-install-recommends "$(cd "$root" && echo /rocmtune_*+deb${number}_*.deb)" >/dev/null
    inside rocmtune check --replay example:mi300x-x8 >/dev/null || fail "the program of Debian $number does not run"
}

make_rpm() {
    install_inside rpm
    inside mkdir -p /rpm/SOURCES
    git ls-files -z | tar --null -T - --transform "s,^,rocmtune-$version/," -c | gzip >"$root/rpm/SOURCES/rocmtune-$version.tar.gz"
    inside rpmbuild -bb --nodeps --define "_topdir /rpm" contrib/rpm/rocmtune.spec
    cp "$root"/rpm/RPMS/*/rocmtune-"$version"*.rpm "$output/"
}

for kind in "${kinds[@]}"; do
    log=$output/$kind.log
    make_"$kind" >"$log" 2>&1
done
ls -l "$output"
