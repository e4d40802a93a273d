"""The file profiles/names.json as objects, and back: one name a line, in the order of the names."""

import dataclasses
import json
import re

NAME = re.compile(r"[A-Za-z0-9_]{1,128}\Z")
LONGEST_DEFAULT = 200  # longer ones are expressions, not values


@dataclasses.dataclass
class Reader:
    """A component that reads a name; dates are those of its texts."""

    default: str | None = None
    date: str | None = None  # of the newest text with the reader; None: not known
    absent_by: str | None = None  # of the first text without it
    scope: str | None = None  # where it differs from the name's


@dataclasses.dataclass
class Name:
    scope: str
    readers: dict = dataclasses.field(default_factory=dict)  # component id -> Reader


class Catalogue:
    """The whole file. `head` holds what this program does not touch: sources and families."""

    def __init__(self, text):
        document = json.loads(text)
        self.components = {entry["id"]: entry for entry in document.pop("components")}
        stored = document.pop("names")
        self.head = document
        self.names = {name: self._name(parts) for name, parts in stored.items()}

    def _name(self, parts):
        name = Name(parts[0])
        for part in parts[1:]:
            part = [part] if isinstance(part, str) else part
            fields = dict(zip(("default", "date", "absent_by", "scope"), part[1:]))
            if len(part) < 3:
                fields["date"] = self.components[part[0]].get("newest")
            name.readers[part[0]] = Reader(**fields)
        return name

    def _parts(self, name):
        parts = [name.scope]
        for component in sorted(name.readers):
            reader = name.readers[component]
            part = [component, reader.default, reader.date, reader.absent_by, reader.scope]
            while len(part) > 3 and part[-1] is None:
                part.pop()
            if len(part) == 3 and part[2] == self.components[component].get("newest"):
                part.pop()
                if part[1] is None:
                    part = part[0]
            parts.append(part)
        return parts

    def newest_date(self):
        """The date of the newest text that anything here rests on, as YYYY-MM-DD."""
        dates = [entry.get("newest") or "" for entry in self.components.values()]
        return max((date for date in dates if len(date) == 10), default=self.head["date"])

    def text(self):
        self.head["date"] = self.newest_date()
        head = dict(self.head)
        head["components"] = [self.components[key] for key in sorted(self.components)]
        lines = _words_on_one_line(json.dumps(head, indent=2, ensure_ascii=False))[:-2].split("\n")
        rows = [
            f"    {json.dumps(name)}: {json.dumps(self._parts(self.names[name]), ensure_ascii=False)}"
            for name in sorted(self.names)
        ]
        return "\n".join(lines) + ',\n  "names": {\n' + ",\n".join(rows) + "\n  }\n}\n"


def _words_on_one_line(text):
    """Lists of words as people write them: of no more lines than the list needs."""
    word = r'"(?:[^"\\\n]|\\.)*"'
    return re.sub(
        rf"\[\s+({word}(?:,\s+{word})*)\s+\]",
        lambda found: "[" + ", ".join(re.findall(word, found[1])) + "]",
        text,
    )


def plain_default(text):
    """A default as names.json keeps it: a short printable literal, else None."""
    if text is None or len(text) > LONGEST_DEFAULT or not text.isprintable():
        return None
    return text.strip() or None


def later(one, other):
    """The later of two dates, of which either may be unknown."""
    return max((date for date in (one, other) if date), default=None)
