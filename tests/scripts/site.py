# SPDX-License-Identifier: MIT
"""site.py FOLDER SOURCE: the pages of the site are complete, their links lead somewhere, and they ask
nothing of the network."""
import json
import os
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

folder, source = Path(sys.argv[1]), Path(sys.argv[2])
failures = []


def fail(text):
    failures.append(text)
    print("  FAIL:", text)


class Page(HTMLParser):
    """Links, ids, text, and elements that were opened and not closed."""
    SINGLE = {"meta", "link", "input"}

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.ids, self.words, self.open = [], [], set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in self.SINGLE:
            self.open.append(tag)
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        elif "src" in given or "href" in given:
            self.loaded.append(given.get("src") or given["href"])

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.open.append(f"not the end of {tag}")

    def handle_data(self, data):
        self.words.append(data)


def data(name, key):
    return json.loads((source / "profiles" / f"{name}.json").read_text(encoding="utf-8"))[key]


folder = folder.resolve()
pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}

files = {path for path in folder.rglob("*") if path.is_file()}
for path, page in pages.items():
    name = path.relative_to(folder)
    if page.open:
        fail(f"{name}: elements do not match: {page.open[:3]}")
    for link in page.links + page.loaded:
        if link.startswith(("https://", "http://")):
            if link in page.loaded:
                fail(f"{name} loads {link}")
            continue
        if link.startswith("data:"):
            continue
        place, _, anchor = link.partition("#")
        target = Path(os.path.normpath(path.parent / unquote(place))) if place else path
        if target not in files:
            fail(f"{name}: dead link {link}")
        elif anchor and anchor not in pages[target].ids:
            fail(f"{name}: no place {link}")
        elif place and target.suffix not in (".html", ".css", ".js"):
            fail(f"{name}: {link} is no page")

# What the index leads to, by the text of its links.
names = {row[0]: row[1] for row in json.loads((folder / "names.js").read_text(encoding="utf-8")
                                              .split("rocmtuneNames = ", 1)[1].rstrip().rstrip(";"))}
for name, place in names.items():
    if name not in "".join(pages[folder / place].words):
        fail(f"{place} does not speak of {name}")
if sorted(names.values()) != sorted(str(path.relative_to(folder)) for path in pages if path.parent != folder):
    fail("the index of names has other pages than the folder")
missing = set(pages[folder / "index.html"].links) ^ (set(names.values()) | {link for link in pages[folder / "index.html"].links
                                                                            if link.startswith("#")})
if missing:
    fail(f"the index lacks, or has too much: {sorted(missing)[:3]}")

ids = [one["id"] for file, key in (("findings", "findings"), ("symptoms", "symptoms"), ("messages", "classes"),
                                   ("advisories", "advisories")) for one in data(file, key)]
variables = [one["name"] for one in data("variables", "variables")]
terms = [one["name"] for one in data("terms", "terms")]
chips = [path.stem for path in (source / "profiles").glob("gfx[0-9]*.json") if "x" not in path.stem[3:]]
for kind, wanted in (("RT id", ids), ("variable", variables), ("term", terms), ("chip", chips)):
    if len(wanted) < 20:
        fail(f"only {len(wanted)} of kind {kind}: the data have another form")
    for name in wanted:
        if name not in names:
            fail(f"{kind} {name} has no page")

# Each has what a reader comes for.
for name in ids:
    page = pages[folder / names[name]]
    text = " ".join(page.words)
    for part in ("What it means", "What to do"):
        if part not in text:
            fail(f"{name}: no section {part}")
for one in data("advisories", "advisories") + data("symptoms", "symptoms"):
    if not one["sources"]:
        continue
    if "Sources" not in pages[folder / names[one["id"]]].words:
        fail(f"{one['id']}: no sources")
print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")
sys.exit(bool(failures))
