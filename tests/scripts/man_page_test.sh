#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The man pages are clean mdoc and speak of every command, option and format.
set -euo pipefail
cd "$ROCMTUNE_SOURCE"
command -v mandoc > /dev/null || { echo "mandoc is not installed"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Whether pages of others are installed is not our fault. What is said of our pages goes to standard
# output in blocks, what is said of the list of pages to standard error at once: in one file the
# second tears lines of the first apart.
mandoc -T lint man/*.[157] > "$work/of_pages" 2> "$work/of_the_list" || true
complaints=$(grep -v 'referenced manual not found' "$work/of_pages" || true
             grep -v 'outdated mandoc.db' "$work/of_the_list" || true)
[ -z "$complaints" ] || { echo "$complaints"; exit 1; }

# man(1) of other systems formats with groff, which must not complain either.
if command -v groff > /dev/null; then
    for file in man/*.[157]; do
        complaints=$(groff -K utf8 -T utf8 -mandoc -ww -z -r LL=80n "$file" 2>&1)
        [ -z "$complaints" ] || { echo "$file: $complaints"; exit 1; }
    done
fi

# What pages have from the tables is what the program prints.
cp -r man "$work/man"
scripts/man-pages "$ROCMTUNE" "$work/man"
diff -ru man "$work/man" || { echo "the manual is not of these tables: scripts/update-generated"; exit 1; }

missing=0
speak_of() { # FILE: its words
    name=${1%.*}\(${1##*.}\)
    page=$(mandoc -T ascii "man/$1" | col -bx | tr -s ' \n' ' ')
}
must_have() {
    [[ $page == *"$1"* ]] || { echo "$name does not speak of $1"; missing=1; }
}

commands=$("$ROCMTUNE" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$commands" ]
for command in $commands; do
    speak_of "rocmtune-$command.1"
    must_have "NAME rocmtune-$command - "
    must_have "rocmtune $command"
    help=$("$ROCMTUNE" "$command" --help-all)
    options=$(grep -oE '^  (-[a-z], )?--[a-z-]+' <<< "$help" | grep -oE -- '--[a-z-]+')
    [ -n "$options" ]
    for option in $options; do must_have "$option"; done
    # What is pasted from the page is the command that help shows.
    examples=$(sed -n '/^Examples:/,/^$/s/^  \([^ ].*\)/\1/p' <<< "$help")
    [ -n "$examples" ]
    while IFS= read -r example; do must_have " $(tr -s ' ' <<< "$example") "; done <<< "$examples"
done

# The first page is one to be read, and leads to the others.
lines=$(wc -l < man/rocmtune.1)
[ "$lines" -lt 500 ] || { echo "rocmtune(1) has $lines lines"; missing=1; }
speak_of rocmtune.1
for file in man/rocmtune-*.[157]; do
    other=${file##*/}
    must_have "${other%.*}(${other##*.})"
done
for command in $commands; do must_have " $command "; done

# Every variable of our own that the program reads is listed.
for variable in $(grep -rhoE '"ROCMTUNE_[A-Z0-9_]+"' src bench | tr -d '"' | sort -u); do must_have "$variable"; done
for variable in NO_COLOR CLICOLOR_FORCE COLUMNS TERM; do must_have "$variable"; done
for code in 0 1 2 3 4 5 125 126 127 128+n; do must_have " $code "; done
for format in nagios npd; do must_have " $format 0 OK"; done

# rocmtune-check(1) has exactly the checks of the table, each with name, theme, essential or not,
# level, and the title that explain shows.
python3 - << 'EOF' || missing=1
import glob, json, re, subprocess, sys

rows = re.findall(r'\{"(RT\d+)",\s*"([a-z-]+)",\s*"([a-z-]+)",\s*(\w+),\s*(true|false),',
                  "".join(open(name, encoding="utf-8").read() for name in glob.glob("src/judge/checks/*.cpp")))
assert len(rows) >= 60, rows
titles = {kind["id"]: kind["title"] for kind in json.load(open("profiles/findings.json", encoding="utf-8"))["findings"]}
page = subprocess.run(["mandoc", "-T", "utf8", "man/rocmtune-check.1"], capture_output=True, text=True, check=True).stdout
page = re.sub(r".\x08", "", page).replace("\u2010", "-")
checks = page[page.index("\nCHECKS\n"):]
faults = 0
entries = {}
theme = None
for line in checks.split("\nENVIRONMENT\n")[0].splitlines():
    if re.fullmatch(r"   [a-z-]+", line):
        theme = line.strip()
    elif entry := re.fullmatch(r"     (RT\d+) ([a-z-]+)(?: \((.*)\))?", line):
        entries[entry[1]] = [theme, entry[2], entry[3] or "", ""]
        last = entry[1]
    elif line.startswith("             ") and entries:
        entries[last][3] += " " + line.strip()
for identifier, name, theme, level, essential in rows:
    more = ["essential"] if essential == "true" else []
    if level != "quick":
        more.append("level " + level.rstrip("_"))
    expected = [theme, name, ", ".join(more), f" finds: {titles[identifier]}."]
    if entries.pop(identifier, None) != expected:
        print(f"rocmtune-check(1): {identifier} is not as in the table: {expected}")
        faults += 1
for identifier in entries:
    print(f"rocmtune-check(1): there is no check {identifier}")
    faults += 1
sys.exit(faults > 0)
EOF

# Every key of the data files that users may write, and every parser of values, is explained.
page=$(mandoc -T ascii man/rocmtune-profile.5 | col -bx)
keys() { # SCHEMA
    python3 - "profiles/schema/$1.schema.json" << 'EOF'
import json, sys

def keys(node):
    if isinstance(node, dict):
        for key, value in node.get("properties", {}).items() if "properties" in node else ():
            yield key
            if isinstance(value, dict) and value.get("enum") and key == "parser":
                yield from (word for word in value["enum"] if word)
        for value in node.values():
            yield from keys(value)
    elif isinstance(node, list):
        for value in node:
            yield from keys(value)

print("\n".join(sorted(set(keys(json.load(open(sys.argv[1], encoding="utf-8")))))))
EOF
}
for schema in profile variables names; do
    found=$(keys $schema)
    [ "$(wc -l <<< "$found")" -gt 10 ]
    for key in $found; do
        grep -qF -- "$key" <<< "$page" || { echo "rocmtune-profile(5) does not speak of $key"; missing=1; }
    done
done

# Its example is one that works.
sed -n '/^.Bd -literal/,/^.Ed/p' man/rocmtune-profile.5 | sed '1d;$d' > "$work/variables.json"
"$ROCMTUNE" explain SITE_GPU_POOL --profiles "$work" --replay example:no-gpu | grep -q "SITE_GPU_POOL"
exit $missing
