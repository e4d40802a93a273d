# What bare_debian_test.sh does with packages. Uses its root (built in), second (bare), tree, folder
# and its functions; nothing is compiled here. With BARE_DEBIAN=whole also the image.
# shellcheck shell=bash disable=SC2154

make_packages() {
    SECONDS=0
    inside ./scripts/older-glibc build/older-glibc >"$folder/older-glibc.log" 2>&1 || {
        tail -3 "$folder/older-glibc.log"; skip "Debian 11 cannot be fetched here"; }
    inside ./scripts/package.sh --built >"$folder/package.log" 2>&1 || {
        tail -40 "$folder/package.log"; fail "package.sh --built"; }
    # Of the whole build only the generators of data may be missing, and they are not.
    ! grep -E 'Building CXX object .*rocmtune_(base|cli|probe)' "$folder/package.log" | grep -v fmt_implementation ||
        fail "dpkg-buildpackage -b -nc compiles again what quickstart.sh built"
    grep -A 3 '^lintian' "$folder/package.log"
    echo "packages: $SECONDS s"
    [ "${BARE_DEBIAN:-}" = whole ] || return 0
    # The commands of the image, which cannot be pulled here: everything is linked already.
    sed -n 's/^RUN //p' "$tree/Containerfile" >"$folder/container.sh"
    [ "$(wc -l <"$folder/container.sh")" -ge 4 ] || fail "Containerfile has no commands"
    inside bash -euxc "$(cat "$folder/container.sh")" >"$folder/container.log" 2>&1 || {
        tail -20 "$folder/container.log"; fail "the commands of the Containerfile"; }
}

# COMMAND... in the second root: with this machine's network, without any, or so as an ordinary user.
online() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$second" "$@"; }
offline() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive unshare -n chroot "$second" "$@"; }
as_user() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/somebody LC_ALL=C.UTF-8 USER=somebody \
        unshare -n chroot --userspec=somebody:somebody "$second" "$@"
}

# Every file and folder but what dpkg, apt and man keep for themselves.
files_of_second() {
    (cd "$second" && find . -xdev \( -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
        -o -path ./var/cache -o -path ./var/log \) -prune -o -print | sort)
}

prepare_second() {
    unpack_base "$second"
    copy_apt "$second"
    rm -rf "$second/var/lib/apt/lists"
    cp -a "$root/var/lib/apt/lists" "$second/var/lib/apt/"
    # Documents are left out of some bases, and with them what is tested here.
    rm -f "$second"/etc/dpkg/dpkg.cfg.d/*exclude* "$second"/etc/dpkg/dpkg.cfg.d/docker*
    online useradd -m somebody
    mkdir "$second/tmp/packages"
    cp "$tree"/build/packages/* "$second/tmp/packages/"
    cp -r "$tree/debian/tests" "$second/tmp/packages/"
    chmod -R a+rX "$second/tmp/packages"
    deb=$(cd "$second" && echo tmp/packages/rocmtune_*_amd64.deb)
    [ -e "$second/$deb" ] || fail "no package was made"
    online apt-get install -qq -y --no-install-recommends man-db >"$folder/second.log" 2>&1 || {
        tail -5 "$folder/second.log"; fail "man-db cannot be installed"; }
    online apt-get install -qq -y --no-install-recommends --download-only "/$deb" >>"$folder/second.log" 2>&1 || {
        tail -5 "$folder/second.log"; fail "the package's dependencies cannot be fetched"; }
}

# In a root without any library of ours, in a folder that belongs to nobody in particular.
try_tarball() {
    local name
    mkdir "$second/tmp/any place"
    tar -C "$second/tmp/any place" -xJf "$second"/tmp/packages/rocmtune-*-linux-x86_64.tar.xz
    name=$(cd "$second/tmp/any place" && echo rocmtune-*)
    as_user "/tmp/any place/$name/bin/rocmtune" check --replay example:mi300x-x8 >"$folder/tarball.out" ||
        fail "the program of the tarball"
    [ -s "$second/tmp/any place/$name/REQUIREMENTS.txt" ] || fail "the tarball does not say what it needs"
}

run_package_tests() { # WHEN
    local test
    for test in program manual; do
        as_user "/tmp/packages/tests/$test" >"$folder/$test.out" 2>&1 || {
            tail -5 "$folder/$test.out"; fail "debian/tests/$test $1"; }
    done
}

# The same package with a higher version.
upgrade() {
    local unpacked=$second/tmp/newer
    dpkg-deb -R "$second/$deb" "$unpacked"
    sed -i 's/^Version: .*/&+newer1/' "$unpacked/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$unpacked" "$second/tmp/newer.deb" >/dev/null
    offline dpkg -i /tmp/newer.deb >>"$folder/second.log" 2>&1 || { tail -5 "$folder/second.log"; fail "upgrade"; }
    # shellcheck disable=SC2016 # the word in ${} is dpkg's
    case $(online dpkg-query -W -f='${Version} ${Status}' rocmtune) in
        *"+newer1 install ok installed") ;;
        *) fail "not upgraded" ;;
    esac
}

try_packages() {
    SECONDS=0
    prepare_second
    try_tarball
    files_of_second >"$folder/files.before"
    offline apt-get install -qq -y --no-install-recommends "/$deb" >>"$folder/second.log" 2>&1 || {
        tail -5 "$folder/second.log"; fail "the package cannot be installed without network"; }
    run_package_tests "after installation"
    upgrade
    run_package_tests "after an upgrade"
    offline apt-get purge -qq -y --autoremove rocmtune >>"$folder/second.log" 2>&1 || {
        tail -5 "$folder/second.log"; fail "purge"; }
    files_of_second >"$folder/files.after"
    diff "$folder/files.before" "$folder/files.after" || fail "files are left after a purge, or are missing"
    [ "${BARE_DEBIAN:-}" = whole ] || { echo "installed, upgraded and purged without network: $SECONDS s"; return 0; }
    # What the image has beside its base.
    tar -C "$root/out" -c . | tar -x --no-same-owner -C "$second"
    as_user /usr/bin/rocmtune check --replay example:mi300x-x8 >/dev/null || fail "the program of the image"
    echo "installed, upgraded and purged without network: $SECONDS s"
}
