#!/usr/bin/env bash
# The Debian package with its source package; for other distributions a tarball and a wheel of the same
# program; and the data alone (scripts/package-data.sh); in OUTPUT_DIR (build/packages): built in a copy
# of the tree, judged by lintian and objdump.
#   --built   packages what scripts/quickstart.sh has built, in place; without the source package
#   --twice   builds once more, elsewhere and with other umask, locale, time zone and home, and
#             compares the bytes
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/packages.sh

mode=once
case "${1:-}" in
    --built | --twice) mode=${1#--}; shift ;;
    -*) echo "usage: scripts/package.sh [--built|--twice] [OUTPUT_DIR]" >&2; exit 2 ;;
esac
output=$(realpath -m "${1:-build/packages}")

# What the tarball may ask of a distribution (INSTALL.md says which have it).
glibc_floor=2.31
libgcc_floor=7.0.0
allowed_libraries='libc\.so\.6|libpthread\.so\.0|libdl\.so\.2|libm\.so\.6|libgcc_s\.so\.1|ld-linux-x86-64\.so\.2'

fail() { echo "package.sh: $1" >&2; exit 1; }

install_packages "${build_packages[@]}" "${package_packages[@]}"
version=$(dpkg-parsechangelog -S Version)
upstream=${version%-*}
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -S Timestamp)
export SOURCE_DATE_EPOCH

# A tar whose bytes depend on names and contents only.
plain_tar() { # ARGUMENT...
    tar --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --mode=u=rwX,go=rX "$@"
}

# The files of the project, whether it is a checkout or was unpacked.
copy_tree() { # FOLDER
    mkdir -p "$1"
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard |
            while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
            tar --null -T - -c
    else
        tar -c --exclude=./build --exclude='./build-*' --exclude=./.git .
    fi | tar -x -C "$1"
    # Whatever the umask was here and where this was checked out.
    chmod -R u=rwX,go=rX "$1"
}

# Newest version of a set of symbols that a program asks for: `GLIBC 2.34`, or nothing.
newest() { # PROGRAM SET
    objdump -T "$1" | sed -nE "s/.*\(?\b$2_([0-9.]+)\)?.*/\1/p" | sort -uV | tail -1
}

requirements() { # PROGRAM: what it asks of the system
    local libraries
    libraries=$(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' | sort | tr '\n' ' ')
    echo "Linux on $(uname -m), with glibc $(newest "$1" GLIBC) or newer and the libraries ${libraries% }."
}

check_requirements() { # PROGRAM
    local floor foreign
    floor=$(newest "$1" GLIBC)
    [ -n "$floor" ] || fail "objdump shows no version of glibc in $1"
    [ "$(printf '%s\n' "$floor" $glibc_floor | sort -V | tail -1)" = $glibc_floor ] ||
        fail "the tarball needs glibc $floor, not $glibc_floor: $(objdump -T "$1" | grep -F "GLIBC_$floor" | head -3)"
    floor=$(newest "$1" GCC)
    [ "$(printf '%s\n' "${floor:-0}" $libgcc_floor | sort -V | tail -1)" = $libgcc_floor ] ||
        fail "the tarball needs libgcc_s of gcc $floor, not $libgcc_floor: $(objdump -T "$1" | grep -F "GCC_$floor" | head -3)"
    foreign=$(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' | grep -vxE "$allowed_libraries" || true)
    [ -z "$foreign" ] || fail "the tarball needs $foreign"
}

no_path_inside() { # PROGRAM FOLDER
    ! grep -aqF "$2" "$1" || fail "$1 names the folder it was built in"
}

make_source() { # TREE, called rocmtune-VERSION: the upstream tar beside it
    local name
    name=$(basename "$1")
    plain_tar -C "$1/.." --anchored --exclude="$name/debian" -cJf "$1/../rocmtune_$upstream.orig.tar.xz" "$name"
}

make_deb() { # TREE OUTPUT ARGUMENT...
    local tree=$1 to=$2
    shift 2
    # Left by a run before: dh would take what is there now, the program of the tarball.
    rm -f "$tree/debian/debhelper-build-stamp"
    (cd "$tree" && dpkg-buildpackage -us -uc -j"$(nproc)" "$@")
    mkdir -p "$to"
    find "$tree/.." -maxdepth 1 -type f \( -name "rocmtune_$upstream*" -o -name "rocmtune-dbgsym_$version*" \) \
        -exec mv {} "$to" \;
}

# Links the objects of the package once more, for the tarball, against an older glibc.
make_tarball() { # TREE OUTPUT
    local name folder program package
    scripts/older-glibc build/older-glibc
    name=rocmtune-$upstream-linux-$(uname -m)
    folder=$1/build/portable/$name
    rm -rf "$1/build/portable"
    cmake "$1/build/release" -DROCMTUNE_PORTABLE=ON -DROCMTUNE_SYSROOT="$PWD/build/older-glibc" >/dev/null
    cmake --build "$1/build/release"
    cmake --install "$1/build/release" --strip --prefix "$folder" >/dev/null
    # The next build there is the usual one.
    cmake "$1/build/release" -DROCMTUNE_PORTABLE=OFF -DROCMTUNE_SYSROOT= >/dev/null
    program=$folder/bin/rocmtune
    check_requirements "$program"
    no_path_inside "$program" "$1"
    { echo "rocmtune $upstream needs"; requirements "$program"; } | fmt -w 90 >"$folder/REQUIREMENTS.txt"
    mkdir -p "$folder/share/doc/rocmtune/licences"
    for package in "${linked_in[@]}"; do
        cp -L "/usr/share/doc/$package/copyright" "$folder/share/doc/rocmtune/licences/$package"
    done
    plain_tar -C "$1/build/portable" -c "$name" | xz -9e -T1 >"$2/$name.tar.xz"
    "$1/scripts/wheel" --licences "$folder/share/doc/rocmtune/licences" "$program" "$2"
}

build_packages_in() { # TREE OUTPUT ARGUMENT...
    make_deb "$@"
    "$1/scripts/package-data.sh" "$2"
    make_tarball "$1" "$2"
}

build_copy() { # FOLDER OUTPUT
    local tree=$1/rocmtune-$upstream
    copy_tree "$tree"
    make_source "$tree"
    build_packages_in "$tree" "$2"
}

judge() { # OUTPUT
    local file
    lintian --allow-root --fail-on error,warning "$1/rocmtune_${version}_$architecture.changes" "$1"/rocmtune-data_*.deb
    echo "lintian: no errors, no warnings"
    for file in "$1"/*.deb "$1"/*.tar.* "$1"/*.whl; do [ ! -e "$file" ] || printf '%9d bytes  %s\n' "$(stat -c %s "$file")" "$file"; done
}

folder=
if [ "$mode" = built ]; then
    [ -e build/release/rocmtune ] || fail "nothing is built: scripts/quickstart.sh does it"
    # That build has no symbols for debuggers, which would have a package of their own.
    export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} noautodbgsym"
    build_packages_in "$PWD" "$output" -b -nc
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    # dh gives each build a home of its own, and so would lose the cache of the compiler.
    CCACHE_DIR=$(ccache -k cache_dir)
    export CCACHE_DIR
    [ "$mode" = once ] || export CCACHE_DISABLE=1
    build_copy "$folder/here" "$output"
fi
judge "$output"

if [ "$mode" = twice ]; then
    mkdir "$folder/home"
    (
        umask 077
        export LC_ALL=C LANG=C TZ=Asia/Kathmandu HOME=$folder/home
        build_copy "$folder/elsewhere/deeper" "$folder/second"
    )
    different=0
    for file in "$folder/second"/*; do
        case $file in *.buildinfo | *.changes) continue ;; esac # they tell where and when
        cmp "$file" "$output/$(basename "$file")" || different=1
    done
    [ $different -eq 0 ] || fail "a second build has other bytes"
    echo "a second build, elsewhere, has the same bytes"
fi
