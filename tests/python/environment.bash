# shellcheck shell=bash
# A wheel of the program under test in a virtual environment of its own. Sourced by the tests here.

# What is not asked of an index cannot come from one.
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1

need_venv() {
    python3 -c 'import ensurepip, venv' 2>/dev/null || { echo "python3-venv is not installed"; exit 77; }
    command -v objdump >/dev/null || { echo "binutils is not installed"; exit 77; }
}

# What debuggers want is most of a test's program, and packed for nothing.
stripped_program() { # FOLDER
    strip -o "$1/program" "$ROCMTUNE"
    echo "$1/program"
}

install_wheel() { # FOLDER: a virtual environment there, with the wheel
    local wheel
    wheel=$("$ROCMTUNE_SOURCE/scripts/wheel" --for-this-machine "$(stripped_program "$1")" "$1/wheel")
    python3 -m venv "$1/venv"
    "$1/venv/bin/pip" install --quiet "$wheel"
}

# What README shows, as a program of its own.
readme_program() { # FILE
    # shellcheck disable=SC2016
    sed -n '/^```python/,/^```/{//!p}' "$ROCMTUNE_SOURCE/README.md" >"$1"
    [ -s "$1" ] || { echo "README.md has no Python"; exit 1; }
}
