# Debian packages by purpose, and their installation. Sourced by quickstart.sh and test.sh.
# shellcheck shell=bash

build_packages=(g++ cmake ninja-build ccache libcli11-dev nlohmann-json3-dev libfmt-dev libspdlog-dev
                libarchive-dev zlib1g-dev)
test_packages=(libgtest-dev libgmock-dev python3 python3-jsonschema jq shellcheck mandoc
               zsh fish bash-completion clang-format)
full_packages=(clang-19 libclang-rt-19-dev llvm-19 rocm-smi rocminfo libamdhip64-5 libhsa-runtime64-1
               umockdev hwloc-nox debootstrap hyperfine)

# Installs what is missing of the named packages; needs root or sudo only then.
install_packages() {
    local missing=() package as_root=()
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "please install: ${missing[*]}" >&2; return 1; }
        as_root=(sudo)
    fi
    echo "installing: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
