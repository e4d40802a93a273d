# SPDX-License-Identifier: MIT
"""Finds the program, starts it, and tells what went wrong."""
from __future__ import annotations

import contextlib
import csv
import errno
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import threading
import time
from typing import IO, Callable, List, NamedTuple, Optional, Sequence

from .errors import AnswerError, KilledError, StartError, TimeoutExpired, UsageError

MOST_BYTES = 256 << 20
"""More than any report has: eight GPUs with all checks take half a megabyte."""
MOST_SAID_BYTES = 64 << 10
"""What is kept of standard error."""


class Outcome(NamedTuple):
    exit_code: int
    output: bytes
    said: str
    """Standard error, its beginning."""


def find_program() -> str:
    """Path of the program: $ROCMTUNE, else that of the wheel, else the first on PATH.

    Raises StartError where there is none.
    """
    found = os.environ.get("ROCMTUNE") or _of_wheel() or shutil.which("rocmtune")
    if not found:
        raise StartError("there is no program rocmtune",
                         "install the wheel, or name the program in ROCMTUNE")
    return found


def _of_wheel() -> Optional[str]:
    """The list of installed files says where the installer put the program."""
    packages = pathlib.Path(__file__).parent.parent
    candidates = [packages / "bin/rocmtune"]  # of pip --target, whose list is wrong there
    for record in packages.glob("rocmtune-*.dist-info/RECORD"):
        with open(record, encoding="utf-8", newline="") as lines:
            names = [row[0] for row in csv.reader(lines) if row]
        candidates += [packages / name for name in names if name.endswith("/bin/rocmtune")]
    return next((os.path.abspath(path) for path in candidates if path.is_file()), None)


def run(arguments: Sequence[str], text: Optional[str], timeout: Optional[float]) -> Outcome:
    """Starts the program with these arguments and this text as its standard input, and waits.

    Whatever the locale is, text goes in and comes out as UTF-8. Raises an Error where the program
    cannot be started, dies by a signal, prints too much, or takes longer than timeout (seconds).
    """
    until = None if timeout is None else time.monotonic() + timeout
    given = None if text is None else text.encode("utf-8", "surrogateescape")
    process = _start([find_program(), *arguments], given is not None)
    try:
        output = _Reader(process.stdout, MOST_BYTES, process.kill)
        said = _Reader(process.stderr, MOST_SAID_BYTES)
        if given is not None:
            threading.Thread(target=_write, args=(process.stdin, given), daemon=True).start()
        output.join(_left(until))
        process.wait(_left(until))
    except subprocess.TimeoutExpired:
        raise TimeoutExpired(f"rocmtune {arguments[0]} took longer than {timeout:g} s") from None
    finally:
        _end(process)
    said.join(1)
    if output.too_much:
        raise AnswerError(f"the program printed more than {MOST_BYTES >> 20} MiB")
    outcome = Outcome(process.returncode, output.read(), said.read().decode("utf-8", "replace"))
    _refuse_signals(outcome)
    return outcome


def _start(command: List[str], with_input: bool) -> subprocess.Popen[bytes]:
    words = [word.encode("utf-8", "surrogateescape") for word in command]
    try:
        return subprocess.Popen(words, stdin=subprocess.PIPE if with_input else subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except ValueError as error:
        raise UsageError(f"an argument cannot be passed: {error}") from None
    except OSError as error:
        raise _start_error(command[0], error) from error


def _start_error(program: str, error: OSError) -> StartError:
    def of(why: str, hint: str = "") -> StartError:
        return StartError(f"{program} cannot be started: {why}", hint)

    if error.errno == errno.E2BIG:
        return of("the arguments are too long", "a long text belongs to lint or diagnose")
    if error.errno == errno.ENOEXEC:
        return of(f"it is no program for this machine ({os.uname().machine})",
                  "install the wheel or the package for this one")
    if error.errno == errno.ENOENT and os.path.exists(program):
        return of("its loader is not here", "it needs glibc, which musl (Alpine) is not")
    if error.errno == errno.EACCES and os.path.exists(program):
        return of(*_why_denied(program))
    return of(os.strerror(error.errno or 0))


def _why_denied(program: str) -> Sequence[str]:
    elsewhere = "name a copy in another folder in ROCMTUNE"
    if os.statvfs(program).f_flag & os.ST_NOEXEC:
        return "its file system is mounted noexec", elsewhere
    if not os.stat(program).st_mode & (stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH):
        return "it is not executable", "chmod +x, or install it again"
    return os.strerror(errno.EACCES), elsewhere


def _left(until: Optional[float]) -> Optional[float]:
    return None if until is None else max(0.0, until - time.monotonic())


def _end(process: subprocess.Popen[bytes]) -> None:
    """Its own children follow a program that ended. What hangs in the kernel is not waited for."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            process.kill()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                pass


def _refuse_signals(outcome: Outcome) -> None:
    number = -outcome.exit_code if outcome.exit_code < 0 else outcome.exit_code - 128
    if not 0 < number <= 64:
        return
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    raise KilledError(f"rocmtune ended by {name}", last_line(outcome.said), number)


def last_line(text: str) -> str:
    """The last line that has anything, at most 200 characters of it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def _write(stream: IO[bytes], given: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), stream:
        stream.write(given)


class _Reader(threading.Thread):
    """Reads a stream to its end, so that its writer never waits, and keeps the first bytes."""

    def __init__(self, stream: Optional[IO[bytes]], most: int,
                 stop: Callable[[], None] = lambda: None) -> None:
        super().__init__(daemon=True)
        assert stream is not None
        self._stream, self._most, self._stop_writer = stream, most, stop
        self._kept = bytearray()
        self.too_much = False
        self.start()

    def run(self) -> None:
        while True:
            part = os.read(self._stream.fileno(), 1 << 16)
            if not part:
                self._stream.close()
                return
            room = self._most - len(self._kept)
            self._kept += part[:room]
            if len(part) > room and not self.too_much:
                self.too_much = True
                self._stop_writer()

    def read(self) -> bytes:
        return bytes(self._kept)
