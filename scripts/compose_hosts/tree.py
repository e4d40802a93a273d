"""The tree of one host and its text format, `rocmtune-host 1`."""

import base64
import posixpath


class HostTree:
    """Files, links and devices of a host, keyed by absolute path, and its recorded answers."""

    def __init__(self, label, unlisted="absent"):
        self.label = label
        self.unlisted = unlisted
        self.entries = {}
        self.environment = []
        self.calls = []

    def _add(self, path, kind, value=None):
        if not path.startswith("/") or path != posixpath.normpath(path):
            raise ValueError(f"not a plain absolute path: {path}")
        if path in self.entries:
            raise ValueError(f"written twice: {path}")
        self.entries[path] = (kind, value)

    def file(self, path, text):
        """A file of one line; an integer is written in decimal."""
        self._add(path, "lines", [str(text)])

    def lines(self, path, lines):
        """A file of several lines, each ended by a newline; no lines: an empty file."""
        self._add(path, "lines", list(lines))

    def files(self, directory, values):
        """One-line files of a directory; a list makes several lines, None makes no file."""
        for name, value in values.items():
            if isinstance(value, (list, tuple)):
                self.lines(f"{directory}/{name}", value)
            elif value is not None:
                self.file(f"{directory}/{name}", value)

    def binary(self, path, content):
        self._add(path, "binary", bytes(content))

    def link(self, path, target):
        self._add(path, "link", target)

    def link_to(self, path, target):
        """A relative link to an absolute path, as sysfs makes them: it never ends in `..`."""
        parent, name = posixpath.split(target)
        self.link(path, posixpath.join(posixpath.relpath(parent, posixpath.dirname(path)), name))

    def directory(self, path):
        self._add(path, "dir")

    def error(self, path, errno_name):
        self._add(path, "error", errno_name)

    def listed(self, *paths):
        for path in paths:
            self._add(path, "listed")

    def device(self, path, major, minor, mode="0660", owner="0:0", open_error=None):
        text = f"c {major}:{minor} mode {mode} owner {owner}"
        self._add(path, "device", text + (f" open {open_error}" if open_error else ""))

    def env(self, name, value):
        self.environment.append((name, value))

    def call(self, key, answer):
        """The answer of a system call: one line, or a list of lines."""
        self.calls.append((key, "lines", answer if isinstance(answer, list) else [str(answer)]))

    def call_binary(self, key, answer):
        self.calls.append((key, "binary", bytes(answer)))

    def call_error(self, key, errno_name):
        self.calls.append((key, "error", errno_name))

    def replace_with_error(self, path, errno_name):
        """Makes an entry that was composed unreadable."""
        del self.entries[path]
        self.error(path, errno_name)

    def remove(self, path):
        """Removes an entry, or a directory with all that is below it."""
        doomed = [name for name in self.entries if name == path or name.startswith(path + "/")]
        if not doomed:
            raise ValueError(f"nothing to remove: {path}")
        for name in doomed:
            del self.entries[name]

    def text(self):
        """The host in the format `rocmtune-host 1`."""
        head = ["rocmtune-host 1", f"label {self.label}", f"unlisted {self.unlisted}"]
        head += [f"env {name}={_escape(value)}" for name, value in sorted(self.environment)]
        for key, kind, value in sorted(self.calls):
            if kind == "error":
                head.append(f"call {key} error {value}")
            elif kind == "binary":
                head.append(f"call {key} base64 {base64.b64encode(value).decode()}")
            else:
                head += _assignment(f"call {key}", value)
        body = []
        for path in sorted(self.entries):
            body += _entry(path.replace(" ", "\\040"), *self.entries[path])
        return "\n".join(head + body) + "\n"


def _escape(value):
    return value.replace("\\", "\\\\").replace("\n", "\\n")


def _assignment(name, lines):
    """`NAME = text` for one plain line, else `NAME =` and one TAB line for each line."""
    if len(lines) == 1 and lines[0] and not lines[0][0].isspace():
        return [f"{name} = {lines[0]}"]
    return [f"{name} ="] + ["\t" + line for line in lines]


def _entry(name, kind, value):
    if kind == "lines":
        return _assignment(name, value)
    if kind == "binary":
        return [f"{name} base64 {base64.b64encode(value).decode()}"]
    words = {"link": f"-> {value}", "error": f"error {value}", "device": f"device {value}"}
    return [f"{name} {words.get(kind, kind)}"]
