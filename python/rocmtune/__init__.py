# SPDX-License-Identifier: MIT
"""What GPUs and which ROCm are here, are they healthy, and which settings are right?

    import rocmtune

    for gpu in rocmtune.probe().host.gpus:
        print(gpu.pci_address, gpu.marketing_name or gpu.reasons["marketing_name"])

    for finding in rocmtune.check().findings:
        if finding.verdict == "fail":
            print(finding.id, finding.message, finding.next_step)

Each function starts the program rocmtune ($ROCMTUNE, else that of the wheel, else the one on PATH)
with --json and gives its report back as dataclasses. Findings are no exception: report.found says
that there are some, report.undetermined that what was asked could not be determined. A fact that is
not known is None, and the record's `reasons` says why. Wrong arguments and unreadable input raise
UsageError, everything else that may go wrong another Error. Nothing is printed.

All functions take timeout, the seconds after which the program is ended (TimeoutExpired); without
it they wait. root and replay read another host: a folder with its files, or a recording
("example:mi300x-x8" is built in). gpu selects GPUs: "hip:0", a PCI address, a row of probe.
"""
from ._answer import Answer
from ._collect import collect_env
from ._commands import check, diagnose, env, explain, lint, plan, probe, read_report
from ._program import find_program
from .errors import (AnswerError, Error, InternalError, KilledError, StartError, TimeoutExpired,
                     UsageError)
from .records import Report

__all__ = [
    "Answer", "AnswerError", "Error", "InternalError", "KilledError", "Report", "StartError",
    "TimeoutExpired", "UsageError", "check", "collect_env", "diagnose", "env", "explain",
    "find_program", "lint", "plan", "probe", "read_report",
]
