# SPDX-License-Identifier: MIT
"""What can go wrong between a call and its report. All of it is an Error."""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .records import Report


class Error(Exception):
    """No report came back, or none that can be relied on."""

    def __init__(self, message: str, hint: str = "", report: Optional[Report] = None) -> None:
        super().__init__(message, hint, report)
        self.message = message
        """What is wrong."""
        self.hint = hint
        """What to do about it; may be empty."""
        self.report = report
        """What the program said all the same, as where one input of many cannot be read."""

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(Error, ValueError):
    """Wrong arguments, or input that cannot be read (exit code 2)."""


class InternalError(Error):
    """A fault of rocmtune (exit code 5): please report it."""


class StartError(Error):
    """The program is not there, may not be started, or is for another machine."""


class TimeoutExpired(Error, TimeoutError):
    """The program took longer than the timeout of the call, and was ended."""


class KilledError(Error):
    """The program died by a signal."""

    def __init__(self, message: str, hint: str, signal: int) -> None:
        super().__init__(message, hint)
        self.args = (message, hint, signal)
        self.signal = signal
        """Number of the signal."""


class AnswerError(Error):
    """What the program printed is no report: another program, or an older or newer one."""
