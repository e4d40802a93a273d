#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the judge of scripts/soak.py says of a file that is whole and an exit code that is not its own:
# right where the process that wrote it was killed before it could say so, wrong in all other cases.
set -euo pipefail
python3 -c 'import resource' 2> /dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 - "$ROCMTUNE_SOURCE/scripts" << 'EOP'
import json
import pathlib
import sys
import tempfile
import types

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import soak

EARLY = "rocmtune: cannot write {}: the process that writes it ended early\n"


def judged(place, document=1, **changes):
    """What is wrong with a run that ended with 2 beside a document with another exit code."""
    out = place / "report.json"
    out.write_text(json.dumps({"exit_code": document}))
    run = types.SimpleNamespace(
        code=2, complaint=EARLY.format(out), child_killed=True, closed=[], out=out, full=False,
        stdout="pipe", limits=[], said="", signals=set(), subject=types.SimpleNamespace(words=["check"]))
    for name, value in changes.items():
        setattr(run, name, value)
    return list(soak.judge_output(run))


with tempfile.TemporaryDirectory() as work:
    place = pathlib.Path(work)
    RIGHT = [{}, {"document": 0}, {"document": 3}, {"document": 4}, {"complaint": "", "closed": [2]},
             {"code": 1, "complaint": "", "child_killed": False}]
    WRONG = [{"child_killed": False}, {"complaint": ""}, {"complaint": EARLY.format("other.json")},
             {"document": 2, "code": 1}, {"document": 5}, {"code": 0}, {"code": 3},
             {"out": None, "said": '{"exit_code": 1}'}]
    for changes in RIGHT:
        assert judged(place, **changes) == [], changes
    for changes in WRONG:
        wrong = judged(place, **changes)
        assert len(wrong) == 1 and "the document says exit code" in wrong[0], (changes, wrong)
EOP
