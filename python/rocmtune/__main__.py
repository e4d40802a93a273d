# SPDX-License-Identifier: MIT
"""python -m rocmtune: becomes the program, with the same arguments."""
import os
import signal
import sys

from ._program import find_program
from .errors import Error


def main() -> None:
    try:
        program = find_program()
        # Python ignores it, and what is started inherits that.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execv(program, ["rocmtune", *sys.argv[1:]])
    except Error as error:
        sys.exit(f"rocmtune: {error}")


main()
