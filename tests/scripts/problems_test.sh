#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The problems of users and the messages in tests/problems have their form, name nobody, and are split
# and counted as their README says.
set -euo pipefail
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
python3 - "$ROCMTUNE_SOURCE" << 'EOF'
import collections, hashlib, json, re, sys

root = sys.argv[1]
folder = f"{root}/tests/problems"
wrong = []


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


problems = read(f"{folder}/problems.json")
second = read(f"{folder}/second.json")
messages = read(f"{folder}/messages.json")
with open(f"{folder}/README.md", encoding="utf-8") as file:
    readme = file.read()
findings = {finding["id"] for finding in read(f"{root}/profiles/findings.json")["findings"]}

THEMES = {
    "library-code", "python-wheels", "library-conflict", "dkms", "known-bad", "package-mismatch", "apu-memory",
    "igpu", "containers", "cache-home", "wsl", "network-interface", "compilers", "memory", "secure-boot",
    "driver-start", "access", "masks", "override", "variables", "links-power", "harmless",
}
KINDS = {"problem", "ambiguous", "chain", "harmless"}
CONFIRMED = {"maintainer", "author", "user", "message", "inferred", "nobody"}
PROBLEM = {
    "id": str, "half": str, "theme": str, "kind": str, "link": str, "date": str, "gpu": dict, "software": dict,
    "message": list, "composed": bool, "first_line": int, "cause": str, "confirmed_by": str, "confirmed": str,
    "fix": str, "cause_ids": list, "facts": dict, "not_known": bool, "other_vendor": bool,
}
SECOND = {key: kind for key, kind in PROBLEM.items() if key != "confirmed"} | {
    "slug": (str, type(None)), "also_true": list,
}
MESSAGE = {
    "id": str, "component": str, "text": str, "source": dict, "read": bool, "first_release": (str, type(None)),
    "last_release": (str, type(None)), "releases_looked_at": (str, type(None)), "causes": list,
}
PRIVATE = re.compile(r"[\w.+-]+@[\w-]+\.[a-z]{2,}|/home/(?!user/)|/Users/|\bgh[pousr]_\w{20}|\bhf_\w{20}|"
                     r"\bsk-\w{20}|eyJ[\w-]{20}|AKIA[0-9A-Z]{12}|BEGIN [A-Z ]*PRIVATE KEY")


def expect(name, right, what):
    if not right:
        wrong.append(f"{name}: {what}")


def has_form(record, form):
    expect(record.get("id"), record.keys() == form.keys(), f"keys {sorted(record.keys() ^ form.keys())}")
    for key, kind in form.items():
        expect(record.get("id"), isinstance(record.get(key), kind), f"{key} is {record.get(key)!r}")


def has_parts(problem, texts):
    """What records of every file have."""
    name = problem["id"]
    expect(name, problem["theme"] in THEMES, f"theme {problem['theme']}")
    expect(name, problem["kind"] in KINDS, f"kind {problem['kind']}")
    expect(name, problem["confirmed_by"] in CONFIRMED, f"confirmed_by {problem['confirmed_by']}")
    expect(name, re.fullmatch(r"20\d\d-[01]\d-[0-3]\d", problem["date"]), f"date {problem['date']}")
    expect(name, problem["gpu"].keys() == {"name", "gfx_target"}, "gpu")
    target = problem["gpu"]["gfx_target"]
    expect(name, target is None or re.fullmatch(r"gfx[0-9a-f]{3,4}", target), f"target {target}")
    lines = problem["message"]
    expect(name, 1 <= len(lines) <= 12 and all(isinstance(line, str) and "\n" not in line for line in lines),
           "message has no 1 to 12 lines")
    expect(name, 0 <= problem["first_line"] < len(lines), "first_line")
    for line in lines:
        expect(name, not PRIVATE.search(line), f"private: {line}")
    for text in texts:
        expect(name, problem[text] and not PRIVATE.search(problem[text]), text)
    expect(name, (problem["confirmed_by"] == "nobody") == problem["not_known"], "confirmed_by and not_known")


def is_odd(problem):
    return int(hashlib.sha256(problem["link"].encode()).hexdigest()[0], 16) % 2 == 1


for index, problem in enumerate(problems, 1):
    has_form(problem, PROBLEM)
    name = problem["id"]
    expect(name, name == f"p{index:03d}", "ids are not in order")
    expect(name, re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+", problem["link"]),
           f"link {problem['link']}")
    has_parts(problem, ("cause", "confirmed", "fix"))
    for cause in problem["cause_ids"]:
        expect(name, cause in findings or re.fullmatch(r"[a-z][a-z0-9.-]+", cause), f"cause {cause}")
    expect(name, bool(problem["cause_ids"]) != (problem["not_known"] or problem["kind"] == "harmless"),
           "a cause stands exactly where it is known and does harm")
    expect(name, problem["half"] == ("unseen" if is_odd(problem) else "open"), "half")

named = findings | {advisory["id"] for advisory in read(f"{root}/profiles/advisories.json")["advisories"]}
for index, problem in enumerate(second, 1):
    has_form(problem, SECOND)
    name = problem["id"]
    expect(name, name == f"g{index:03d}", "ids are not in order")
    expect(name, re.fullmatch(r"https://[\w./-]+", problem["link"]), f"link {problem['link']}")
    has_parts(problem, ("cause", "fix"))
    for cause in problem["cause_ids"] + problem["also_true"]:
        expect(name, cause in named, f"cause {cause}")
    is_known = bool(problem["cause_ids"]) or problem["slug"] is not None
    expect(name, is_known != (problem["not_known"] or problem["kind"] == "harmless"),
           "a cause stands exactly where it is known and does harm")
    expect(name, problem["half"] == ("held" if is_odd(problem) else "open"), "half")
expect("README.md", f"`second.json` holds {len(second)}" in readme, "the number of problems of second.json")
old_links = {problem["link"] for problem in problems + read(f"{folder}/fresh.json")}
for problem in second:
    expect(problem["id"], problem["link"] not in old_links, "a thread of another file")

links = collections.Counter(problem["link"] for problem in problems)
expect("links", max(links.values()) == 1, "a thread stands twice")

for index, message in enumerate(messages, 1):
    has_form(message, MESSAGE)
    name = message["id"]
    expect(name, name == f"m{index:03d}", "ids are not in order")
    expect(name, message["text"] and not PRIVATE.search(message["text"]), "text")
    expect(name, not re.search(r"%[sdluxp]", message["text"]), "a format is left in the text")
    expect(name, message["causes"] and all(message["causes"]), "causes")
    expect(name, message["source"].keys() == {"repository", "revision", "path", "line"}, "source")
    expect(name, not message["read"] or all(message["source"].values()), "read, but not where")
    for cause in re.findall(r"RT\d{4}", " ".join(message["causes"])):
        expect(name, cause in findings, f"cause {cause}")
texts = collections.Counter((message["component"], message["text"]) for message in messages)
expect("messages", max(texts.values()) == 1, "a message stands twice")


def row(first, chosen):
    halves = collections.Counter(problem["half"] for problem in chosen)
    expect("README.md", f"| {len(chosen)} | {halves['open']} | {halves['unseen']} |" in
           "".join(line for line in readme.splitlines() if line.startswith(f"| {first} |")), f"figures of {first}")


for theme in sorted(THEMES):
    chosen = [problem for problem in problems if problem["theme"] == theme]
    expect(theme, chosen, "no problem of this theme")
    row(theme, chosen)
for kind in sorted(KINDS - {"harmless"}):
    row(kind, [problem for problem in problems if problem["kind"] == kind])
row("all", problems)
for degree in sorted(CONFIRMED):
    count = sum(problem["confirmed_by"] == degree for problem in problems)
    expect("README.md", f"| {degree} | {count} |" in readme, f"figures of {degree}")
expect("README.md", f"holds {len(problems)} problems" in readme and f"`messages.json` {len(messages)}" in readme,
       "the number of problems or messages")
expect("problems.json", len(problems) >= 150 and len(messages) >= 200, "too few")

for line in wrong[:40]:
    print(line)
sys.exit(1 if wrong else 0)
EOF
