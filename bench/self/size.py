#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a release program is made of: bench/self/size.py BUILD_FOLDER [DEBUG_FILE]

Sections by readelf. Components by the symbols of nm: embedded data by its table, libraries by their
names, own code by the folder that its debug information names (with -g, or with the file of
rocmtune-dbgsym as DEBUG_FILE), else by the layer whose library has the function. What no symbol covers - literals, jump tables, unwinding - stays
with its section. Most of those literals are the embedded files: a third table counts them by kind.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

LIBRARIES = [("nlohmann-json", r"\bnlohmann::"), ("CLI11", r"\bCLI::"), ("fmt", r"\bfmt::"),
             ("spdlog", r"\bspdlog::"), ("yaml-cpp", r"\bYAML::"),
             ("libarchive", r"^_*(archive|tar|header|gnu|pax|read|uid|gname|get_|atol|set_)?_?.*(archive|tar_)|^__la_"),
             ("zlib", r"^(inflate|deflate|crc32|adler32|gz|zc?alloc)")]


def lines(*command, text=None):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout.splitlines()


def sections(program):
    """Name and bytes of every section that is loaded, or that strip would keep in the file."""
    found = []
    for line in lines("readelf", "-SW", program):
        fields = re.match(r"\s*\[\s*\d+\]\s+(\S+)\s+(\S+)\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+\S+\s+(\S*)", line)
        if fields and "A" in fields[5]:
            found.append((fields[1], int(fields[4], 16), int(fields[3], 16), fields[2] != "NOBITS"))
    return found


def symbols(program):
    """Address, size, name; one for each address."""
    found = {}
    for line in lines("nm", "-C", "-S", "--defined-only", program):
        fields = re.match(r"([0-9a-f]+) ([0-9a-f]+) \S (.*)", line)
        if fields:
            address, size = int(fields[1], 16), int(fields[2], 16)
            if size > found.get(address, (0, ""))[0]:
                found[address] = (size, fields[3])
    return [(address, size, name) for address, (size, name) in sorted(found.items())]


def places(debug, addresses):
    """The file in which each address was written, as the debug information says."""
    text = "".join(f"{address:#x}\n" for address in addresses)
    return dict(zip(addresses, lines("addr2line", "-e", debug, text=text)))


def homes(build):
    """The layer of each function that other files can call, as its library says."""
    found = {}
    for library in build.glob("librocmtune_*.a"):
        for line in lines("gcc-nm", "-C", "--defined-only", str(library)):
            fields = re.match(r"[0-9a-f]+ T (.*)", line)
            if fields:
                found[fields[1]] = library.stem.removeprefix("librocmtune_")
    return found


def component(name, place, home):
    if "generated/files.cpp" in place:
        return "embedded files"
    own = re.search(r"(?:^|/)(?:\./)?(src/(\w+)|bench|include/rocmtune)/", place)
    for library, pattern in LIBRARIES:
        if re.search(pattern, name):
            return library
    if own:
        return "own: " + (own[2] or own[1].split("/")[0])
    layer = home.get(re.sub(r" \[clone .*", "", name))
    if layer:
        return "own: " + layer
    if "(anonymous namespace)" in name and "rocmtune::" in name:
        return "own: inside one file"
    if "rocmtune" in name:
        return "own: templates of others for own types"
    if re.search(r"^(void |bool |auto |decltype|char|int|unsigned)*\s*std::|__gnu_cxx::|^(guard|vtable|typeinfo).* std::", name):
        return "templates of the C++ library"
    return "other"


def table(title, rows, total):
    print(f"\n| {title} | KiB | % |\n|---|---|---|")
    for name, size in rows:
        if size >= 512:
            print(f"| {name} | {size / 1024:.0f} | {100 * size / total:.1f} |")


def compact(text):
    """JSON as it is embedded: without white space between its tokens."""
    return re.sub(rb'("(?:[^"\\]|\\.)*")|[ \t\r\n]+', lambda match: match[1] or b"", text)


def embedded_files(program):
    """Kind and bytes of the files that stand in the program."""
    source = pathlib.Path(__file__).resolve().parents[2]
    inside = pathlib.Path(program).read_bytes()
    apart = {"names.json": "names of ROCm", "variables.json": "catalogue of variables",
             "findings.json": "findings", "messages.json": "messages of the kernel",
             "environment.json": "environments", "plan.json": "figures of plan"}
    kinds = {"JSON schemas": source.glob("profiles/schema/*.json"), "example hosts": source.glob("profiles/examples/*"),
             "GPU kernels": source.glob("bench/kernels/*"),
             "profiles": [file for file in source.glob("profiles/*.json") if file.name not in apart],
             "style and script of pages": source.glob("src/show/html/assets/*"),
             "Chart.js": [pathlib.Path("/usr/share/javascript/chart.js/chart.min.js")],
             **{kind: [source / "profiles" / name] for name, kind in apart.items()}}
    for kind, files in kinds.items():
        texts = [file.read_bytes() for file in files if file.exists()]
        if kind not in ("JSON schemas", "example hosts", "GPU kernels", "style and script of pages", "Chart.js"):
            texts = [compact(text) for text in texts]
        yield kind, sum(len(text) for text in texts if text in inside)


def main(build, debug=None):
    build = pathlib.Path(build).resolve()
    program = str(build / "rocmtune")
    loaded = sections(program)
    in_file = sum(size for _, size, _, stored in loaded if stored)
    print(f"rocmtune: {in_file / 1024:.0f} KiB of sections that strip keeps, {os.path.getsize(program) / 1024:.0f} KiB unstripped")
    table("section", sorted(((name, size) for name, size, _, _ in loaded), key=lambda row: -row[1]), in_file)
    found = symbols(debug or program)
    if not found:
        sys.exit("stripped: name its debug file, too")
    where = places(debug or program, [address for address, _, _ in found])
    home = homes(build)
    sizes = collections.Counter()
    covered = collections.Counter()
    starts = sorted((address, address + size, name, stored) for name, size, address, stored in loaded)
    for address, size, name in found:
        section = next((row for row in starts if row[0] <= address < row[1]), None)
        if not section or not section[3]:
            continue
        covered[section[2]] += size
        kind = component(name, where.get(address, ""), home)
        sizes["own: constant tables" if kind.startswith("own") and section[2] != ".text" else kind] += size
    for name, size, _, stored in loaded:
        if stored and size > covered[name]:
            sizes[f"{name} without a symbol"] += size - covered[name]
    table("component", sizes.most_common(), in_file)
    table("embedded files", sorted(embedded_files(program), key=lambda row: -row[1]), in_file)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
