# The tests that depend on who runs them and on what is mounted, for bare_debian_test.sh: by root below
# a folder that nobody else may enter, and by an ordinary user; with pseudo terminals and without. Each
# must pass, and leave out what its circumstances forbid and nothing more. Uses root, tree, place, folder.
# shellcheck shell=bash disable=SC2154,SC2016

affected='TrustedLibrary.*:Permission.*:Planted.*:*Colours.*:*Screen.*:Help.*'
no_terminal='no pseudo terminal: /dev/pts is not mounted'

build_tests() {
    SECONDS=0
    # shellcheck disable=SC2016 # expanded inside
    inside bash -euc 'source scripts/packages.sh
        install_packages "${build_packages[@]}" libgtest-dev libgmock-dev python3 mandoc shellcheck zsh fish
        cmake --preset ci
        cmake --build --preset ci --target rocmtune cli_test' >"$folder/build_tests.log" 2>&1 || {
        tail -40 "$folder/build_tests.log"; fail "the tests cannot be built"; }
    inside useradd -m somebody
    echo "built tests: $SECONDS s"
}

# WHO COMMAND...: in the tree, with the variables that ctest sets.
as() {
    local who=$1
    shift
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$(home_of "$who")" LANG=C.UTF-8 TERM=dumb \
        ROCMTUNE="$place/build/ci/rocmtune" ROCMTUNE_SOURCE="$place" ROCMTUNE_BUILD="$place/build/ci" \
        chroot --userspec="$who:$who" "$root" bash -c 'cd "$1" && exec "${@:2}"' bash "$place" "$@"
}
home_of() { # WHO
    [ "$1" = root ] && echo /root || echo "/home/$1"
}

# LOG: every reason why a test was left out, once.
reasons() {
    grep -A 1 ': Skipped$' "$1" | grep -vE ': Skipped$|^--$' | sort -u
}

# WHO REASON...: the program's tests pass, and are left out for exactly these reasons.
try_cli() {
    local who=$1 log=$folder/cli.log
    shift
    as "$who" build/ci/tests/cli_test --gtest_filter="$affected" >"$log" 2>&1 || {
        grep -B 20 '^\[  FAILED  \]' "$log" | tail -40; fail "cli_test as $who"; }
    diff <([ $# -eq 0 ] || printf '%s\n' "$@" | sort -u) <(reasons "$log") ||
        fail "cli_test as $who leaves out more (>) or less (<) than it should"
}

# WHO NAME [REASON]: the script passes or, if there is a reason, is left out with that as its last words.
try_script() {
    local log=$folder/$2.log code=0
    as "$1" "tests/scripts/$2.sh" >"$log" 2>&1 || code=$?
    [ $code -eq $((${#3} > 0 ? 77 : 0)) ] || { tail -20 "$log"; fail "$2 as $1 exits $code"; }
    [[ $(tail -n 1 "$log") == *"$3" ]] || { tail -3 "$log"; fail "$2 as $1 does not say why"; }
}

# WHO TERMINAL REASON...: TERMINAL is the reason why there is none, or empty.
try_tests_as() {
    local who=$1 terminal=$2
    shift 2
    try_cli "$who" ${terminal:+"$terminal"} "$@"
    try_script "$who" completion_test "$terminal"
    try_script "$who" man_page_test ""
}

try_tests_of_everybody() { # TERMINAL
    local above
    above=$(dirname "$tree")
    chmod 700 "$above"
    try_tests_as root "$1"
    chmod 755 "$above"
    try_tests_as somebody "$1" "needs root to be two users" "becoming another user needs root"
    chmod 700 "$above"
}

try_tests() {
    build_tests
    SECONDS=0
    try_tests_of_everybody ""
    umount "$root/dev/pts"
    try_tests_of_everybody "$no_terminal"
    attach "$root" devpts newinstance,ptmxmode=0666 dev/pts
    echo "tests by root and others, with terminals and without: $SECONDS s"
}
