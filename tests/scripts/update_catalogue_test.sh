#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/update-catalogue finds the readers in source trees, of a directory and of a tag, prints
# what changes, and writes a file that the program reads again without change.
set -euo pipefail
command -v git > /dev/null || { echo "git is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_DATE=2026-05-06T00:00:00Z GIT_COMMITTER_DATE=2026-05-06T00:00:00Z
update() { "$ROCMTUNE_SOURCE/scripts/update-catalogue" --file "$work/names.json" "$@"; }

cat > "$work/names.json" << 'EOF'
{"schema_version": "1.0", "date": "2026-01-01", "sources": [{"title": "T", "reference": "R"}],
 "components": [{"id": "lib", "title": "Lib", "newest": "2026-01-01"}],
 "names": {"LIB_KEPT": ["runtime", ["lib", "1"]], "LIB_GONE": ["runtime", "lib"],
           "LIB_BACK": ["runtime", ["lib", null, "2024-01-01", "2025-01-01"]]}}
EOF

mkdir -p "$work/lib/src" "$work/lib/tests" "$work/lib/third_party/amd"
cat > "$work/lib/src/flags.hpp" << 'EOF'
release(bool, LIB_FLAG, false, "text")
debug(uint, LIB_CONSTANT, 3, "text")
release(uint, LIB_PRODUCT, 8 * Mi, "text")
// getenv("LIB_COMMENT")
EOF
cat > "$work/lib/src/a.cpp" << 'EOF'
auto a = std::getenv("LIB_KEPT"); auto b = os::GetEnvVar("LIB_BACK");
NCCL_PARAM(Channels, "MIN_CHANNELS", 2); MIOPEN_DECLARE_ENV_VAR_BOOL(LIB_BOOL)
my_getenv("LIB_OTHER_FUNCTION"); setenv("LIB_WRITTEN", "1", 0);
add_option().set_env("LIB_OPTION"); RAY_CONFIG(uint64_t, lib_period, 10)
EOF
cat > "$work/lib/src/b.py" << 'EOF'
x = os.environ.get("LIB_PY", "auto")
y = os.environ["LIB_ITEM"]
w = os.getenv("LIB_COMPUTED", x + 1)
os.environ["LIB_ASSIGNED"] = "1"
z = "LIB_IN" in os.environ
v = os.environ.get("LIB_LOGGED", "N/A")
u = os.environ.get("LIB_JOINED", ",".join(x))
t = env_with_choices("LIB_CHOICE", "one", ["one", "two"])
class Table:
    LIB_FIELD = EnvBool(False)
    LIB_FIELD_BY_CALL = EnvBool(_default)
    LIB_RENAMED = EnvIntWithAlias(
        2048, deprecated_name="LIB_BEFORE")
EOF
cat > "$work/lib/src/c.go" << 'EOF'
var a = Bool("LIB_GO"); var b = Uint("LIB_GO_COUNT", 4); var c = t.String("LIB_NOT_READ")
EOF
echo 'getenv("LIB_TEST")' > "$work/lib/tests/t.c"
echo 'getenv("LIB_FOREIGN")' > "$work/lib/third_party/t.c"
echo 'getenv("LIB_OF_A_BACKEND")' > "$work/lib/third_party/amd/t.c"
echo 'if(DEFINED ENV{LIB_CMAKE})' > "$work/lib/CMakeLists.txt"
cat > "$work/lib/run.sh" << 'EOF'
echo ${LIB_SHELL:-four} ${LIB_QUOTED:-"five"} ${LIB_SET:+--flag} ${LIB_UNSET:-<unset>}
EOF
git init -q "$work/lib"
git -C "$work/lib" add -A
git -C "$work/lib" -c user.name=t -c user.email=t@example.org commit -qm text
git -C "$work/lib" tag v2
cat > "$work/expected" << 'EOF'
lib, text of 2026-05-06: 29 names read, 29 changes
~ LIB_BACK: read again, absent by 2025-01-01 before
+ LIB_BEFORE: runtime, no literal default
+ LIB_BOOL: runtime, no literal default
+ LIB_CHOICE: runtime, default one
+ LIB_CMAKE: build, no literal default
+ LIB_COMPUTED: runtime, no literal default
+ LIB_CONSTANT: debug-build, default 3
+ LIB_FIELD: runtime, default False
+ LIB_FIELD_BY_CALL: runtime, no literal default
+ LIB_FLAG: runtime, default false
+ LIB_GO: runtime, no literal default
- LIB_GONE: no reader found, last seen 2026-01-01
+ LIB_GO_COUNT: runtime, default 4
+ LIB_IN: runtime, no literal default
+ LIB_ITEM: runtime, no literal default
+ LIB_JOINED: runtime, no literal default
+ LIB_LOGGED: runtime, no literal default
+ LIB_OF_A_BACKEND: runtime, no literal default
+ LIB_OPTION: runtime, no literal default
+ LIB_PRODUCT: runtime, default 8388608
+ LIB_PY: runtime, default auto
+ LIB_QUOTED: runtime, default five
+ LIB_RENAMED: runtime, default 2048
+ LIB_SET: runtime, no literal default
+ LIB_SHELL: runtime, default four
+ LIB_TEST: tool, no literal default
+ LIB_UNSET: runtime, no literal default
+ NCCL_MIN_CHANNELS: runtime, default 2
+ RAY_lib_period: runtime, default 10
EOF

fail() { echo "$1"; exit 1; }
cp "$work/names.json" "$work/before.json"
update scan "lib=$work/lib@v2" > "$work/said" && fail "a change gives exit code 1"
diff "$work/expected" "$work/said"
cmp "$work/before.json" "$work/names.json" || fail "nothing is written without --write"
update scan --date 2026-05-06 "lib=$work/lib" > "$work/said" || true
diff "$work/expected" "$work/said"

update scan --write --absent "lib=$work/lib@v2" > /dev/null || true
update scan "lib=$work/lib@v2" || fail "a second scan changes nothing"
grep -qx '    "LIB_GONE": \["runtime", \["lib", null, "2026-01-01", "2026-05-06"\]\],' "$work/names.json"
grep -qx '    "LIB_CONSTANT": \["debug-build", \["lib", "3"\]\],' "$work/names.json"
mkdir "$work/data"
cp "$work/names.json" "$work/data"
"$ROCMTUNE" explain LIB_CONSTANT --replay example:rx7900xt-x2 --profiles "$work/data" > "$work/explained"
grep -q "read by *Lib (debug-build)" "$work/explained" || fail "the program reads something else: $(cat "$work/explained")"

for wrong in "lib=$work/none" "lib" "lib=$work/lib@none" "lib=$work/lib"; do
    code=0
    update scan "$wrong" > /dev/null 2> "$work/error" || code=$?
    [[ $code = 2 && -s $work/error ]] || fail "$wrong: exit code $code"
done

# By release: what reads a name since when and until when, and defaults that changed.
sed -i 's/MIN_CHANNELS", 2/MIN_CHANNELS", 4/; s/"LIB_BACK"/"LIB_NEW"/' "$work/lib/src/a.cpp"
sed -i 's/std::getenv("LIB_KEPT")/own_reader("LIB_KEPT")/' "$work/lib/src/a.cpp"
git -C "$work/lib" -c user.name=t -c user.email=t@example.org commit -qam next
git -C "$work/lib" tag v3
update releases "lib=$work/lib@v2" "lib=$work/lib@v3" > "$work/said"
grep -qx 'LIB_BACK: since v2, gone in v3' "$work/said" || fail "a name that is gone: $(cat "$work/said")"
grep -qx 'LIB_NEW: since v3' "$work/said"
grep -qx 'LIB_KEPT: since v2' "$work/said" || fail "a reader of its own: $(cat "$work/said")"
grep -qx 'NCCL_MIN_CHANNELS: since v2; 2 since v2; 4 since v3' "$work/said"

# The file in the tree is as the program writes it.
cp "$ROCMTUNE_SOURCE/profiles/names.json" "$work/names.json"
update import --write > /dev/null || fail "names.json is not as update-catalogue writes it"
cmp "$work/names.json" "$ROCMTUNE_SOURCE/profiles/names.json"
