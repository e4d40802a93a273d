"""Takes over an index of readers that was gathered elsewhere: two lists of objects.

Names:   {name, scope, readers: [{component, commit_date?, default?, condition?}]}
Removed: {name, scope, was_read_by: [{component, last_seen, absent_by?}]}
Components are named by title; a title that is not known yet becomes a component with an id made of
it, which somebody should then look at.
"""

import re

from update_catalogue.names import Name, Reader, later, plain_default


def id_of(catalogue, title):
    for key, entry in catalogue.components.items():
        if entry["title"] == title:
            return key
    key = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    catalogue.components[key] = {"id": key, "title": title}
    return key


def take_names(catalogue, entries):
    for entry in entries:
        for reader in entry["readers"]:
            key = id_of(catalogue, reader["component"])
            component = catalogue.components[key]
            component["newest"] = later(component.get("newest"), reader.get("commit_date"))
    for entry in entries:
        name = catalogue.names[entry["name"]] = Name(entry["scope"])
        for reader in sorted(entry["readers"], key=lambda each: each.get("commit_date") or ""):
            _take_reader(name, id_of(catalogue, reader["component"]), reader)


def _take_reader(name, key, reader):
    debug = reader.get("condition") == "debug builds only"
    known = name.readers.setdefault(key, Reader(scope="debug-build" if debug else None))
    known.default = plain_default(reader.get("default")) or known.default
    known.date = later(known.date, reader.get("commit_date"))
    if not debug:
        known.scope = None


def take_removed(catalogue, entries):
    for entry in entries:
        name = catalogue.names.setdefault(entry["name"], Name(entry["scope"]))
        for reader in entry["was_read_by"]:
            key = id_of(catalogue, reader["component"])
            known = name.readers.get(key)
            # Without a date it is a text that nobody dated: the year of the newest one.
            absent = reader.get("absent_by") or catalogue.newest_date()[:4]
            if known and not known.absent_by and known.date and known.date >= absent:
                continue  # another text of the component still reads it
            name.readers[key] = Reader(known.default if known else None, reader["last_seen"], absent)
