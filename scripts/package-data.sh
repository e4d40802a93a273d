#!/usr/bin/env bash
# The data alone, for programs that are installed already: rocmtune-data_VERSION_all.deb and
# rocmtune-data-VERSION.tar.xz in OUTPUT_DIR (build/packages). The version is the date of the data.
# Needs no compiler; the same tree gives the same bytes.
#   --folder FOLDER   writes the folder of data alone, as both have it
set -euo pipefail
cd "$(dirname "$0")/.."

date=$(sed -nE 's/^set\(ROCMTUNE_DATA_DATE "([0-9]{4}-[0-9]{2}-[0-9]{2})"\)$/\1/p' CMakeLists.txt)
format=$(sed -nE 's/^inline constexpr unsigned data_format = ([0-9]+);$/\1/p' src/knowledge/data_in_force.hpp)
maintainer=$(sed -n 's/^Maintainer: //p' debian/control)
if [ -z "$date" ] || [ -z "$format" ]; then
    echo "package-data.sh: date or format are not found" >&2
    exit 1
fi
version=${date//-/.}
SOURCE_DATE_EPOCH=$(date -u -d "$date" +%s)
export SOURCE_DATE_EPOCH LC_ALL=C
umask 022

# manifest.json: which files belong together. A program takes all of them or none.
make_folder() { # FOLDER
    local file separator=''
    mkdir -p "$1"
    cp profiles/*.json "$1"
    {
        printf '{\n  "format": %s,\n  "data_date": "%s",\n  "files": {' "$format" "$date"
        for file in "$1"/*.json; do
            [ "${file##*/}" != manifest.json ] || continue
            printf '%s\n    "%s": "%s"' "$separator" "${file##*/}" "$(sha256sum <"$file" | cut -d' ' -f1)"
            separator=,
        done
        printf '\n  }\n}\n'
    } >"$1/manifest.json"
    chmod 644 "$1"/*.json
}

make_tarball() { # ROOT OUTPUT, for `tar -C /usr/local`
    tar -C "$1/usr" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --mode=u=rwX,go=rX -c share | xz -9e -T1 >"$2/rocmtune-data-$version.tar.xz"
}

make_control() { # ROOT
    local kib
    kib=$(du -k --apparent-size -s "$1/usr" | cut -f1)
    cat <<EOF
Package: rocmtune-data
Version: $version
Section: utils
Priority: optional
Architecture: all
Maintainer: $maintainer
Installed-Size: $kib
Enhances: rocmtune
Description: newer data for rocmtune, as of $date
 What rocmtune knows of GPUs, variables, messages, known faults and published
 builds. An installed rocmtune whose own data are older takes these in their
 place, if it can read all of them; rocmtune --version says which are in force.
EOF
}

make_documents() { # ROOT
    local documents=$1/usr/share/doc/rocmtune-data
    mkdir -p "$documents"
    cp debian/copyright "$documents/copyright"
    {
        printf 'rocmtune-data (%s) unstable; urgency=medium\n\n  * Data of %s.\n\n' "$version" "$date"
        printf ' -- %s  %s\n' "$maintainer" "$(date -u -R -d "$date")"
    } | gzip -9n >"$documents/changelog.gz"
    chmod 644 "$documents"/*
}

make_deb() { # ROOT OUTPUT
    mkdir -p "$1/DEBIAN"
    make_control "$1" >"$1/DEBIAN/control"
    (cd "$1" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$1/DEBIAN/md5sums"
    chmod 644 "$1"/DEBIAN/*
    dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$1" "$2/rocmtune-data_${version}_all.deb" >/dev/null
}

if [ "${1:-}" = --folder ]; then
    make_folder "${2:?usage: scripts/package-data.sh [--folder FOLDER | OUTPUT_DIR]}"
    exit
fi
case "${1:-}" in -*) echo "usage: scripts/package-data.sh [--folder FOLDER | OUTPUT_DIR]" >&2; exit 2 ;; esac
output=$(realpath -m "${1:-build/packages}")
mkdir -p "$output"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
make_folder "$root/usr/share/rocmtune/data"
make_documents "$root"
make_tarball "$root" "$output"
make_deb "$root" "$output"
