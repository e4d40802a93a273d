# The way of seven users from a bare Debian 11 (glibc 2.31; with xz and Python) with the release's tarball and
# wheel at hand to their answer: at most three commands each, as an ordinary user, without network. Composed
# hosts stand for their machines. For bare_debian_test.sh; uses eleven, tree, folder and its functions.
# shellcheck shell=bash disable=SC2154,SC2016

home=$eleven/home/somebody

prepare_eleven() {
    local file from
    make_base bullseye "$folder/eleven.tar" python3-venv xz-utils
    unpack_base "$eleven" "$folder/eleven.tar"
    chroot "$eleven" useradd -m somebody
    cp "$tree"/build/packages/rocmtune-*-linux-x86_64.tar.xz "$tree"/build/packages/rocmtune-*.whl "$home/"
    for file in broken-permissions strix-halo mi300x-x8 mi300x-degraded; do
        cp "$ROCMTUNE_SOURCE/tests/hosts/$file/host" "$home/$file.host"
    done
    # 200 nodes, of which one is not as the others.
    mkdir "$home/reports"
    "$tree/build/release/rocmtune" check --replay "$home/mi300x-x8.host" --json >"$folder/good.json" || true
    "$tree/build/release/rocmtune" check --replay "$home/mi300x-degraded.host" --json >"$folder/odd.json" || true
    for file in {001..200}; do
        [ "$file" = 117 ] && from=odd || from=good
        jq --arg name "node$file" '.host.hostname = $name' "$folder/$from.json" >"$home/reports/node$file.json"
    done
    cat >"$home/serve.sh" <<'SCRIPT'
#!/bin/sh
export PYTORCH_TUNABLEOP_ENABLED=yes
export HSA_OVERIDE_GFX_VERSION=9.4.2
export HIP_FORCE_DEV_KERNARG=1
vllm serve meta-llama/Llama-3.1-70B
SCRIPT
    (cd "$home" && sha256sum rocmtune-* >SHA256SUMS)
    chown -R --reference="$home/.profile" "$home"
}

# NAME ANSWER COMMAND...: each command is a line of a shell; the last one prints the answer (a pattern).
# Exit codes 1 and 3 are answers of checks, too.
journey() {
    local name=$1 answer=$2 line code output=$folder/journey.out start=$EPOCHREALTIME seconds
    shift 2
    [ $# -le 3 ] || fail "$name: $# commands"
    rm -rf "$home/here"
    chroot "$eleven" su somebody -c 'mkdir ~/here'
    for line in "$@"; do
        code=0
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/somebody LC_ALL=C.UTF-8 TERM=dumb \
            unshare -n chroot --userspec=somebody:somebody "$eleven" bash -c 'cd ~/here && eval "$1"' bash "$line" \
            >"$output" 2>&1 || code=$?
        case $code in 0 | 1 | 3) ;; *) tail -5 "$output"; fail "$name: '$line' exits $code" ;; esac
    done
    seconds=$(bc <<<"scale=1; ($EPOCHREALTIME - $start) / 1")
    grep -qE -- "$answer" "$output" || { head -20 "$output"; fail "$name: the answer lacks '$answer'"; }
    printf '%-36s %d commands, %5s s\n' "$name" $# "$seconds"
}

try_journeys() {
    local unpack='tar -xJf ~/rocmtune-*-linux-x86_64.tar.xz' rocmtune='rocmtune-*/bin/rocmtune'
    prepare_eleven
    journey "a Radeon and an error text" 'do: sudo usermod -aG render' "$unpack" \
        "$rocmtune diagnose --replay ~/broken-permissions.host 'Unable to open /dev/kfd read-write: Permission denied'"
    journey "200 nodes of MI300X, Slurm" '^node117' "$unpack" "$rocmtune fleet ~/reports --format slurm"
    journey "a blog's script for vLLM" 'line 3: write HSA_OVERRIDE_GFX_VERSION=9\.4\.2 instead' "$unpack" \
        "$rocmtune lint ~/serve.sh --for vllm=0.9.2,rocm=6.4"
    journey "an image of continuous integration" '"ruleId": *"RT5004"' "sha256sum --quiet -c ../SHA256SUMS --ignore-missing; $unpack" \
        "$rocmtune lint --format sarif ~/serve.sh"
    journey "a Strix Halo and a model" 'would fit: ' "$unpack" \
        "$rocmtune plan --replay ~/strix-halo.host --params 70B --inference"
    journey "Python" 'RT3011' 'python3 -m venv env' 'env/bin/pip install --quiet ~/rocmtune-*.whl' \
        'env/bin/python -c "import rocmtune
print([one.id for one in rocmtune.diagnose(\"Unable to open /dev/kfd read-write: Permission denied\", replay=\"../broken-permissions.host\").diagnosis.causes])"'
    journey "an agent" 'bad-value: 1 fail' "$unpack" "printf '%s\\n' \
        '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}' \
        '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}' \
        '{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"lint\",\"arguments\":{\"text\":\"export PYTORCH_TUNABLEOP_ENABLED=yes\"}}}' \
        | $rocmtune mcp"
}
