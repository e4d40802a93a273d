# SPDX-License-Identifier: MIT
"""What a user may write: is this host fit for training, and what is to be set?"""
import os
import sys
from typing import Dict, Optional

import rocmtune


def settings(replay: Optional[str] = None) -> Dict[str, str]:
    """What to add to the environment of a training."""
    items = rocmtune.env(workload="training", replay=replay).settings.items
    return {item.name: item.value for item in items if not item.keep and item.value is not None}


def main(replay: Optional[str] = None) -> int:
    report = rocmtune.check(replay=replay, timeout=120)
    for finding in report.findings:
        if finding.verdict in ("fail", "warn"):
            print(f"{finding.id} {finding.subject}: {finding.message}; {finding.next_step}")
    for gpu in report.host.gpus:
        name = gpu.marketing_name or gpu.reasons["marketing_name"]
        print(gpu.pci_address, name, "?" if gpu.vram_bytes is None else gpu.vram_bytes >> 30)
    os.environ.update(settings(replay))
    return 1 if report.found or report.undetermined else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
