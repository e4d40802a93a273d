"""Source trees: a directory, or a tag of a git repository that need not be checked out."""

import datetime
import pathlib
import subprocess

from update_catalogue import patterns

LARGEST_BYTES = 2 << 20  # of one source file; larger ones are generated


class SourceError(Exception):
    """A tree that cannot be read."""


def git(repository, *arguments, stdin=None):
    command = ["git", "-C", str(repository), *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    if done.returncode != 0:
        raise SourceError(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def tagged_files(repository, tag, patterns_for=patterns.patterns_for):
    """Yields (path, text) of the files of a tag that have patterns."""
    wanted = []
    for line in git(repository, "ls-tree", "-r", "-l", "-z", tag).split(b"\0"):
        if not line:
            continue
        fields, path = line.split(b"\t", 1)
        _, kind, blob, size = fields.split()
        name = path.decode(errors="replace")
        if kind == b"blob" and size.isdigit() and int(size) <= LARGEST_BYTES and patterns_for(name):
            wanted.append((name, blob))
    answer = git(repository, "cat-file", "--batch", stdin=b"".join(b + b"\n" for _, b in wanted))
    at = 0
    for name, _ in wanted:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        yield name, answer[end + 1:end + 1 + size].decode(errors="replace")
        at = end + size + 2


def directory_files(directory):
    for path in sorted(pathlib.Path(directory).rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_file() and not path.is_symlink() and patterns.patterns_for(name):
            if path.stat().st_size <= LARGEST_BYTES:
                yield name, path.read_text(encoding="utf-8", errors="replace")


class Source:
    """COMPONENT=DIRECTORY or COMPONENT=REPOSITORY@TAG."""

    def __init__(self, text, date=None):
        self.component, found, place = text.partition("=")
        if not found or not self.component or not place:
            raise SourceError(f"{text}: expected COMPONENT=DIRECTORY or COMPONENT=REPOSITORY@TAG")
        self.place, _, self.tag = place.partition("@")
        if not pathlib.Path(self.place).is_dir():
            raise SourceError(f"{self.place}: there is no such directory")
        self.date = self._commit_date() if self.tag else date
        if self.date is None:
            raise SourceError(f"{self.place}: a directory needs --date, the date of its text")
        datetime.date.fromisoformat(self.date)

    def _commit_date(self):
        return git(self.place, "log", "-1", "--format=%cs", self.tag).decode().strip()

    def files(self):
        return tagged_files(self.place, self.tag) if self.tag else directory_files(self.place)

    def readers(self):
        """{name: (default, scope)}; a runtime reader counts more than one of a tool or build."""
        return self.readers_and_quoted()[0]

    def readers_and_quoted(self):
        """What readers() gives, and every name in quotes outside of tests and tools."""
        found, quoted = {}, set()
        rank = ("runtime", "debug-build", "tool", "build")
        for path, text in self.files():
            quoted |= patterns.quoted_in(path, text)
            for name, default, scope in patterns.readers_in(path, text):
                old = found.get(name)
                if old is None or rank.index(scope) < rank.index(old[1]):
                    found[name] = (default, scope)
                elif old[1] == scope and old[0] is None:
                    found[name] = (default, scope)
        return found, quoted
