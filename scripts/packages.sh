# Debian packages by purpose, and their installation. Sourced by quickstart.sh, test.sh, package.sh, release.
# shellcheck shell=bash disable=SC2034

build_packages=(g++ cmake ninja-build ccache libcli11-dev nlohmann-json3-dev libfmt-dev libspdlog-dev
                libarchive-dev zlib1g-dev libzstd-dev libyaml-cpp-dev libre2-dev libjs-chart.js libseccomp-dev)
test_packages=(libgtest-dev libgmock-dev python3 python3-jsonschema python3-yaml jq shellcheck mandoc
               git zsh fish tcsh tcl environment-modules systemd bash-completion clang-format clang-19
               libopenblas0-pthread sqlite3 rpm acl strace lld-19 libllvm19 python3-venv mypy binutils
               pre-commit curl)
# scripts/package.sh
package_packages=(build-essential debhelper lintian xz-utils python3)
# Whose code is inside the program of the tarball (scripts/package.sh, scripts/release).
linked_in=(libarchive-dev libcli11-dev libfmt-dev libjs-chart.js libre2-dev libspdlog-dev
           libyaml-cpp-dev libzstd-dev nlohmann-json3-dev zlib1g-dev gcc-12-base)
fuzz_packages=(clang-19 libclang-rt-19-dev lld-19)
tidy_packages=(clang-19 clang-tidy-19 python3)
coverage_packages=(libgtest-dev libgmock-dev gcovr)
valgrind_packages=(valgrind)
full_packages=("${fuzz_packages[@]}" rocm-smi rocminfo libamdhip64-5 libhsa-runtime64-1 umockdev
               'hwloc-nox|hwloc' debootstrap slurm-wlm munge prometheus
               prometheus-node-exporter curl chromium clang-tools-19 e2fsprogs podman
               libxml2-utils redis-server openmpi-bin)
bench_packages=(hyperfine valgrind rocm-smi umockdev python3 libbenchmark-dev)

is_installed() {
    dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'
}

# Installs what is missing of the named packages; needs root or sudo only then. Of `a|b`, which
# exclude each other, either will do and a is installed.
install_packages() {
    local missing=() package as_root=()
    for package in "$@"; do
        is_installed "${package%|*}" || is_installed "${package#*|}" || missing+=("${package%|*}")
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
