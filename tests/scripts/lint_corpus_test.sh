#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The index of public files that lint is measured with has its form, is split and counted as its README
# says, and holds no text of those files.
set -euo pipefail
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
python3 - "$ROCMTUNE_SOURCE" << 'EOF'
import collections, hashlib, json, re, sys

folder = f"{sys.argv[1]}/tests/lint_corpus"
with open(f"{folder}/index.json", encoding="utf-8") as file:
    index = json.load(file)
with open(f"{folder}/README.md", encoding="utf-8") as file:
    readme = file.read()
wrong = []

# The verdicts that a certain label of a class may have, as the contract of lint says.
VERDICTS = {
    "dead-name": {"warn"}, "no-reader-here": {"info"}, "renamed": {"warn"}, "bad-value": {"fail"},
    "redundant-default": {"info"}, "debug-left-on": {"warn"}, "conflict": {"fail"}, "wrong-architecture": {"fail"},
    "override": {"warn"}, "build-or-launcher": {"info"}, "security": {"fail"}, "unknown-name": {"info", "warn"},
}
KINDS = {
    "apptainer", "compose", "dockerfile", "dotenv", "github-workflow", "gitlab-ci", "kubernetes", "makefile",
    "markdown", "modulefile", "nix", "notebook", "python", "rst", "shell", "shell-profile", "slurm", "spack",
    "systemd", "values",
}
FILE = {"repository", "commit", "path", "kind", "sha256", "half", "labels", "must_not_flag"}
LABEL = {"line", "name", "value", "class", "verdict", "certain", "why", "source"}


def expect(name, right, what):
    if not right:
        wrong.append(f"{name}: {what}")


def is_sentence(text):
    return isinstance(text, str) and re.fullmatch(r"\S.{8,200}\.", text) is not None


def check_source(name, source):
    keys = source.keys()
    expect(name, keys in ({"title", "url"}, {"title", "repository", "commit", "path"}), f"keys {sorted(keys)}")
    expect(name, re.fullmatch(r"https://\S+", source.get("url", "https://x")), "url")
    expect(name, re.fullmatch(r"[0-9a-f]{12,40}", source.get("commit", "0" * 40)), "commit")


def check_label(name, label):
    expect(name, label.keys() == LABEL, f"keys {sorted(label.keys() ^ LABEL)}")
    expect(name, re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", label["name"]), "name")
    expect(name, isinstance(label["value"], str) and "\n" not in label["value"] and len(label["value"]) < 300, "value")
    expect(name, is_sentence(label["why"]), "why is no sentence")
    if label["class"] is None:
        expect(name, (label["verdict"], label["certain"], label["source"]) == (None, False, None), "undecided, but")
        return
    expect(name, label["class"] in VERDICTS, f"class {label['class']}")
    expect(name, label["source"] in index["sources"], "no source")
    allowed = VERDICTS.get(label["class"], set()) if label["certain"] else {"info"}
    expect(name, label["verdict"] in allowed, f"verdict {label['verdict']} of {label['class']}")


def check_lines(name, entry):
    decided = {label["line"] for label in entry["labels"] if label["class"]}
    kept = [line for group in entry["must_not_flag"] for line in group["lines"]]
    expect(name, entry["labels"] or kept, "says nothing")
    expect(name, len(kept) == len(set(kept)), "a line stands twice in must_not_flag")
    expect(name, not decided & set(kept), f"lines {sorted(decided & set(kept))} are both")
    expect(name, all(isinstance(line, int) and line > 0 for line in [*decided, *kept]), "a line below 1")
    order = [(label["line"], label["name"]) for label in entry["labels"]]
    expect(name, order == sorted(set(order)), "labels are not in order, or stand twice")
    for group in entry["must_not_flag"]:
        expect(name, group.keys() == {"lines", "why"} and is_sentence(group["why"]), "must_not_flag")


for key, source in index["sources"].items():
    check_source(key, source)
for entry in index["files"]:
    name = f"{entry['repository']} {entry['path']}"
    expect(name, entry.keys() == FILE, f"keys {sorted(entry.keys() ^ FILE)}")
    expect(name, re.fullmatch(r"[\w.-]+/[\w.-]+", entry["repository"]), "repository")
    expect(name, re.fullmatch(r"[0-9a-f]{40}", entry["commit"]), "commit")
    expect(name, re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]), "sha256")
    expect(name, entry["kind"] in KINDS, f"kind {entry['kind']}")
    digit = int(hashlib.sha256((entry["repository"] + entry["path"]).encode()).hexdigest()[0], 16)
    expect(name, entry["half"] == ("unseen" if digit % 2 else "open"), "half")
    check_lines(name, entry)
    for label in entry["labels"]:
        check_label(f"{name}:{label['line']}", label)

files = index["files"]
places = [(entry["repository"], entry["path"]) for entry in files]
expect("index.json", len(files) >= 80 and places == sorted(set(places)), "too few files, not in order, or one twice")
labels = [(entry["half"], label) for entry in files for label in entry["labels"]]
used = {label["source"] for _, label in labels} - {None}
expect("index.json", used == index["sources"].keys(), "a source that no label names")


def row(first, chosen, *more):
    count = collections.Counter(chosen)
    figures = [first, len(chosen), count["open"], count["unseen"], *more]
    expect("README.md", "| " + " | ".join(map(str, figures)) + " |" in readme.splitlines(), f"figures {figures}")


for kind in sorted(KINDS):
    row(kind, [entry["half"] for entry in files if entry["kind"] == kind])
row("all", [entry["half"] for entry in files])
for word in VERDICTS:
    chosen = [(half, label["certain"]) for half, label in labels if label["class"] == word]
    row(word, [half for half, certain in chosen if certain], sum(not certain for _, certain in chosen))
decided = [(half, label["certain"]) for half, label in labels if label["class"]]
row("all", [half for half, certain in decided if certain], sum(not certain for _, certain in decided))
kept = sum(len(group["lines"]) for entry in files for group in entry["must_not_flag"])
undecided = sum(label["class"] is None for _, label in labels)
for text in (f"names {len(files)} files of {len({place[0] for place in places})} public repositories",
             f"says of {len(labels)} settings", f"of {kept} lines", f"{undecided} more settings have no class"):
    expect("README.md", text in readme, text)

for line in wrong[:40]:
    print(line)
sys.exit(1 if wrong else 0)
EOF
