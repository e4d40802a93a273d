# shellcheck shell=bash
# Files that stand for what scripts/package.sh makes, for the tests of scripts/release.
products_version() { sed -nE 's/^project\(rocmtune VERSION ([0-9.]+).*/\1/p' "$ROCMTUNE_SOURCE/CMakeLists.txt"; }

make_products() { # FOLDER
    local version file
    version=$(products_version)
    mkdir "$1"
    for file in "rocmtune_$version-1_amd64.deb" "rocmtune-data_2026.9.1_all.deb" \
        "rocmtune-$version-linux-x86_64.tar.xz" "rocmtune-$version-py3-none-manylinux_2_30_x86_64.whl" \
        "rocmtune_$version-1.dsc"; do
        echo "stands for $file" >"$1/$file"
    done
}
