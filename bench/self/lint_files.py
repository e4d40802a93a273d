#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shell scripts as they lie about on clusters: bench/self/lint_files.py DIRECTORY [FILES [LINES]].
Or one script with misspelt names alone: bench/self/lint_files.py DIRECTORY misspelt NAMES.

Most lines are comments, commands, functions and conditions; about one in ten sets a variable, and one
file in five has a setting that lint finds fault with. The same arguments give the same bytes.
"""

import json
import pathlib
import random
import sys

SETTINGS = [
    'export OMP_NUM_THREADS=8', 'export HIP_VISIBLE_DEVICES=0,1,2,3', 'export NCCL_DEBUG=WARN',
    'export NCCL_SOCKET_IFNAME=bond0', 'export PATH="$HOME/bin:$PATH"', 'DATA="${DATA:-/scratch}"',
    'export HF_HOME=/data/huggingface', 'export TOKENIZERS_PARALLELISM=false', 'COUNT=$((COUNT + 1))',
    'export MASTER_ADDR=$(hostname -f)', 'log_file="$OUT/train-$(date +%s).log"', 'local name=$1',
]
FAULTS = ['export HSA_ENABLE_SDMA=0', 'export PYTORCH_ROCM_DEVICE=0', 'export NCCL_IB_DISABLE=true',
          'export HIP_VISBLE_DEVICES=0', 'export HSA_OVERRIDE_GFX_VERSION=10.3.0']
LINES = [
    '# Prepares the directories that the job writes to; the old ones stay.', '',
    'mkdir -p "$OUT/checkpoints" "$OUT/logs"', 'if [ ! -f "$CONFIG" ]; then',
    '    echo "no configuration: $CONFIG" >&2', '    exit 1', 'fi',
    'for part in train validation test; do', '    rsync -a "$SOURCE/$part/" "$DATA/$part/"', 'done',
    'python3 -m torch.distributed.run --nproc-per-node="$GPUS" train.py \\',
    '    --config "$CONFIG" --output "$OUT" --epochs 40 2>&1 | tee -a "$log_file"',
    'grep -E "loss|error" "$log_file" | tail -n 20 || true', 'cd "$(dirname "$0")" || exit 1',
    'trap \'rm -rf "$work"\' EXIT', 'printf "%s\\n" "${names[@]}" > "$OUT/names.txt"',
    'case $mode in quick) steps=10 ;; *) steps=1000 ;; esac',
    'cat <<EOF > "$OUT/settings.json"\n{"model": "$MODEL", "steps": $steps}\nEOF',
]


def script(chance, lines):
    result = ['#!/usr/bin/env bash', 'set -euo pipefail']
    while len(result) < lines:
        source = SETTINGS if chance.random() < 0.1 else LINES
        result += chance.choice(source).split('\n')
    if chance.random() < 0.2:
        result[2] = chance.choice(FAULTS)
    return '\n'.join(result[:lines]) + '\n'


def misspelt(name, chance):
    """The name with one letter, of a long name also two, left out, put in, replaced or swapped."""
    for _ in range(2 if len(name) >= 12 and chance.random() < 0.5 else 1):
        at = chance.randrange(4, len(name) - 1)
        letter = chance.choice('ABCDEFGHIJKLMNOPQRSTUVWXYZ_')
        name = chance.choice([name[:at] + name[at + 1:], name[:at] + letter + name[at:],
                              name[:at] + letter + name[at + 1:],
                              name[:at] + name[at + 1] + name[at] + name[at + 2:]])
    return name


def write_misspelt(path, count):
    names = pathlib.Path(__file__).parents[2] / 'profiles/names.json'
    known = [name for name in json.loads(names.read_text(encoding='utf-8'))['names']
             if len(name) >= 8 and name.startswith(('HIP_', 'HSA_', 'NCCL_', 'RCCL_', 'TORCH_', 'MIOPEN_'))]
    chance = random.Random(2)
    path.write_text(''.join(f'export {misspelt(chance.choice(known), chance)}=1\n' for _ in range(count)),
                    encoding='utf-8')


def main():
    directory = pathlib.Path(sys.argv[1])
    if sys.argv[2:3] == ['misspelt']:
        directory.mkdir(parents=True, exist_ok=True)
        return write_misspelt(directory / 'misspelt.sh', int(sys.argv[3]))
    files, lines = (int(word) for word in (sys.argv[2:] + ['10000', '200'][len(sys.argv) - 2:]))
    chance = random.Random(1)
    for number in range(files):
        path = directory / f'{number // 100:03}' / f'job-{number:05}.sh'
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script(chance, lines), encoding='utf-8')


if __name__ == '__main__':
    main()
