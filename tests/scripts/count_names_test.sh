#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names that recipes set are counted by repositories; citations are looked up in their trees.
set -euo pipefail
command -v git > /dev/null || { echo "git is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
fail() { echo "$1"; exit 1; }
commit() {
    git init -q "$1"
    git -C "$1" add -A
    git -C "$1" -c user.name=t -c user.email=t@example.org commit -qm text
}

mkdir -p "$work/a/one/docker" "$work/a/two/third_party" "$work/profiles"
cat > "$work/a/one/docker/Dockerfile.rocm" << 'EOF'
ENV HSA_KNOWN=1 \
    ROCM_BARE=2
ARG HIP_ARGUMENT=3
RUN TORCH_PREFIXED=4 python3 x.py
EOF
cat > "$work/a/one/run.sh" << 'EOF'
export HSA_KNOWN=0
VLLM_LOCAL=1
docker run -e NCCL_OPTION=1 image
echo "$RCCL_READ"
EOF
cat > "$work/a/two/pod.yaml" << 'EOF'
env:
  - name: HSA_KNOWN
    value: "1"
  - name: OLLAMA_DEAD
args: [HIP_ARGUMENT]
EOF
echo 'os.environ["AITER_ASSIGNED"] = "1"' > "$work/a/two/x.py"
echo 'export HIP_FOREIGN=1' > "$work/a/two/third_party/x.sh"
commit "$work/a/one"
commit "$work/a/two"
cat > "$work/profiles/variables.json" << 'EOF'
{"variables": [{"name": "HSA_KNOWN", "status": "public"}, {"name": "OLLAMA_DEAD", "status": "dead"}]}
EOF
echo '{"names": {"ROCM_BARE": ["runtime", "lib"]}}' > "$work/profiles/names.json"
printf '# comment\na/one  a reason\na/two\n' > "$work/list"
count() { "$ROCMTUNE_SOURCE/scripts/count-names" --list "$work/list" --profiles "$work/profiles" "$@"; }

count "$work" > "$work/said" && fail "what is unknown gives exit code 1"
cat > "$work/expected" << 'EOF'
   1    2     3  HSA_KNOWN                                    described
   2    1     1  AITER_ASSIGNED                               unknown
   3    1     1  NCCL_OPTION                                  unknown
   4    1     1  OLLAMA_DEAD                                  dead
   5    1     1  ROCM_BARE                                    bare
   6    1     1  TORCH_PREFIXED                               unknown
2 repositories, 6 names; of the first 6 are 1 described, 1 dead, 1 bare, 3 unknown: 33.3 % told
EOF
diff "$work/expected" "$work/said"
count --top 1 "$work" > /dev/null || fail "enough told gives exit code 0"
echo 'a/none' >> "$work/list"
code=0
count "$work" > /dev/null 2>&1 || code=$?
[[ $code = 2 ]] || fail "a repository that is missing: exit code $code"

# Citations
git -C "$work/a/one" tag v1.0
cite() { printf '{"b": {"s": {"title": "T", "url": "https://github.com/%s", "reference": "%s", "version": "%s"}}}\n' "$@" > "$work/profiles/variables.json"; }
look() { "$ROCMTUNE_SOURCE/scripts/check-citations" --verbose --profiles "$work/profiles" "$work"; }
cite a/one 'docker/Dockerfile.rocm#from; run.sh' 'tag v1.0'
look > "$work/said" || fail "a path that is there: $(cat "$work/said")"
grep -q '^= variables.json: a/one run.sh at v1.0$' "$work/said"
cite a/one 'src/run.sh' "$(git -C "$work/a/one" rev-parse --short=8 HEAD) (2026-01-01)"
look > "$work/said" && fail "a dead path gives exit code 1"
grep -q '^! variables.json: a/one src/run.sh: not at' "$work/said"
cite a/none 'run.sh' 'v1.0'
look > "$work/said" || fail "what cannot be looked up is no fault"
grep -q '^? variables.json: a/none run.sh: not below the directory$' "$work/said"
file() { printf '{"s": [{"file": "%s", "repository": "a/one", "release": "%s"}]}\n' "$@" > "$work/profiles/variables.json"; }
file 'run.sh' 'v1.0 to main'
look > "$work/said" || fail "a file of a release that is there: $(cat "$work/said")"
file 'old/run.sh' 'v1.0'
look > "$work/said" && fail "a file that the release does not have gives exit code 1"
grep -q '^! variables.json: a/one old/run.sh: not at v1.0$' "$work/said"
