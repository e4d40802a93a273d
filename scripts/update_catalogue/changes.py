"""What a scan of one component changes in the catalogue of names."""

import dataclasses

from update_catalogue.names import Name, Reader, later, plain_default


@dataclasses.dataclass(order=True)
class Change:
    name: str
    sign: str  # + new, - no longer read, ~ other default or read again
    text: str

    def __str__(self):
        return f"{self.sign} {self.name}: {self.text}"


def of_scan(catalogue, component, found):
    """Compares {name: (default, scope)} with what is stored; a list of changes, sorted."""
    changes = []
    for name, (default, scope) in found.items():
        stored = catalogue.names.get(name)
        reader = stored.readers.get(component) if stored else None
        default = plain_default(default)
        said = f"default {default}" if default else "no literal default"
        if reader is None:
            changes.append(Change(name, "+", f"{scope}, {said}"))
        elif reader.absent_by:
            changes.append(Change(name, "~", f"read again, absent by {reader.absent_by} before"))
        elif default and reader.default and default != reader.default:
            changes.append(Change(name, "~", f"default {reader.default} -> {default}"))
    for name, stored in catalogue.names.items():
        reader = stored.readers.get(component)
        if reader and not reader.absent_by and name not in found:
            changes.append(Change(name, "-", f"no reader found, last seen {reader.date or 'once'}"))
    return sorted(changes)


def apply_scan(catalogue, component, found, date, with_absent):
    """Takes a scan over. Names that it does not find are marked absent only if asked to: a scan by
    text misses names that a program puts together."""
    entry = catalogue.components.setdefault(component, {"id": component, "title": component})
    before = entry.get("newest")
    for stored in catalogue.names.values():  # what was "the newest" keeps its date
        reader = stored.readers.get(component)
        if reader and reader.date is None and not reader.absent_by:
            reader.date = before
    entry["newest"] = later(before, date)
    for name, (default, scope) in found.items():
        stored = catalogue.names.setdefault(name, Name(scope))
        reader = stored.readers.setdefault(component, Reader())
        reader.default = plain_default(default) or reader.default
        reader.date = later(reader.date, date)
        reader.absent_by = None
        reader.scope = None if scope == stored.scope else scope
    if with_absent:
        for name, stored in catalogue.names.items():
            reader = stored.readers.get(component)
            if reader and not reader.absent_by and name not in found:
                reader.absent_by = date
