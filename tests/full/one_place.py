#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One place to add: makes a small example change of each kind in a copy of the tree, and holds the number of
touched files to the table of CONTRIBUTING.md.

one_place.py COPY        changes the copy
one_place.py COPY PROOF  looks for each change in the program PROOF that was built from it
"""
import pathlib
import re
import subprocess
import sys

START = None  # of a file that is not there yet

# For each row of the table: edits (file, text before which the insertion comes, insertion), then a command line
# of the program and what it must print.
ADDITIONS = {
    "a GPU architecture": ([
        ("profiles/gfx1990.json", START, """{
    "schema_version": "1.0",
    "extends": "common",
    "gfx_target": "gfx1990",
    "codename": "Navi 99",
    "family": "RDNA9",
    "sources": ["linux-amdkfd"]
}
"""),
    ], ["explain", "gfx1990"], "Navi 99"),
    "a variable, a recommendation": ([
        ("profiles/variables.json", '    {\n      "name": "', """        {
            "name": "HIP_EXAMPLE_OF_A_TEST",
            "kind": "environment",
            "readers": ["hip"],
            "status": "public",
            "use": "runtime",
            "type": "int",
            "parser": "integer",
            "default": "0",
            "default_text": "0",
            "effect": "Shows that one object is enough.",
            "scope": null,
            "harm": null,
            "folklore": null,
            "security": null,
            "validity": {"kind": "unknown"},
            "sources": ["absence-scan"],
            "last_verified": "2026-11-01"
        },
"""),
    ], ["explain", "HIP_EXAMPLE_OF_A_TEST"], "Shows that one object is enough."),
    "a finding": ([
        ("profiles/findings.json", '    {\n      "id": "RT5', """    {
      "id": "RT3999",
      "title": "an example of a test",
      "meaning": "It shows that one object is enough.",
      "action": "none",
      "next_step": "rocmtune check",
      "sources": [{"title": "this test", "url": "https://example.org/one-place"}]
    },
"""),
    ], ["explain", "RT3999"], "It shows that one object is enough."),
    "a check": ([
        ("src/judge/checks/host.cpp", "using enum CheckLevel;", """void judge_example(CheckContext const&, Verdicts const& verdicts) {
    verdicts.info("one function and one row are enough");
}

"""),
        ("src/judge/checks/host.cpp", '    {"RT3201", "iommu"', """    {"RT3999", "example", "host", quick, false, anywhere, judge_example},
"""),
    ], ["check", "--only", "example", "--replay", "tests/hosts/mi300x-x8/host"],
       "one function and one row are enough"),
    "an output format": ([
        ("src/show/length.cpp", START, """#include <string>

#include "rocmtune/report.hpp"
#include "show/layout.hpp"

namespace rocmtune {
std::string rows_of_gpus(Report const& report, TextStyle const&) {
    return "GPUs in one word: " + std::to_string(report.host ? report.host->gpus.size() : 0) + "\\n";
}
}  // namespace rocmtune
"""),
        ("src/show/formats.cpp", "namespace {", "std::string rows_of_gpus(Report const& report, TextStyle const& style);\n\n"),
        ("src/show/formats.cpp", '    {"ndjson", "one document', '    {"rows", "how many GPUs", rows_of_gpus, "probe"},\n'),
    ], ["probe", "--replay", "tests/hosts/mi300x-x8/host", "--format", "rows"], "GPUs in one word: 8"),
    "a benchmark": ([
        ("bench/example.cpp", START, """#include "bench/session.hpp"

namespace rocmtune::bench {
std::vector<Step> plan_example(Session& session) {
    return {{draft_of(session, "example", "example-figure", "GB/s"),
             [](Measurement&) { throw DeviceError("it measures nothing", "unsupported"); }}};
}
}  // namespace rocmtune::bench
"""),
        ("bench/benchmarks.cpp", "Benchmark::Plan plan_bandwidth", "Benchmark::Plan plan_example;\n"),
        ("bench/benchmarks.cpp", '    {"bandwidth", ', '    {"example", "example-figure", {plan_example}},\n'),
    ], ["bench", "example", "--backend", "cpu"], "it measures nothing"),
    "a backend": ([
        ("bench/devices/example.cpp", START, """#include "bench/device.hpp"

namespace rocmtune::bench {
Backend example_backend() {
    return {"example", [] { return std::vector<DeviceInfo>{}; },
            [](std::uint64_t) -> std::unique_ptr<Device> { throw DeviceError("there is none"); }};
}
}  // namespace rocmtune::bench
"""),
        ("bench/devices.cpp", "Backend hip_backend();", "Backend example_backend();\n"),
        ("bench/devices.cpp", "hip_backend(), cuda", "example_backend(), "),
    ], ["bench", "bandwidth", "--backend", "example"], "there is no example device"),
    "an option": ([
        ("src/cli/options.cpp", '        {"--replay", 0', '        {"--example", 0, Value::none, "", "print one line", "cache"},\n'),
        ("src/commands/commands.hpp", "    bool clears = false;", "    bool is_example = false;\n"),
        ("src/cli/typed_options.cpp", 'arguments.positionals.front() == "clear"', 'arguments.has("--example"), '),
        ("src/commands/cache.cpp", "    auto const status = cache_in_time",
         '    if (options.is_example) throw Error("the option was understood");\n'),
    ], ["cache", "status", "--example"], "the option was understood"),
}


def rows(tree):
    """What the table promises: how many files each kind of change touches."""
    text = (tree / "CONTRIBUTING.md").read_text()
    return {what: int(files) for what, files in re.findall(r"^\| ([^|]+) \((\d+) files?\) \|", text, re.M)}


def change(tree, edits):
    for name, before, insertion in edits:
        path = tree / name
        text = "" if before is START else path.read_text()
        if before is not START and before not in text:
            sys.exit(f"{name}: {before!r} is no longer there: this test has to follow")
        place = text.index(before) if before is not START else 0
        path.write_text(text[:place] + insertion + text[place:])
    return len({name for name, _, _ in edits})


def main():
    tree = pathlib.Path(sys.argv[1])
    promised = rows(tree)
    for what, (edits, command, expected) in ADDITIONS.items():
        if what not in promised:
            sys.exit(f"CONTRIBUTING.md has no row '{what}' with a number of files")
        if len(sys.argv) > 2:
            run = subprocess.run([sys.argv[2], *command], cwd=tree, capture_output=True, text=True, check=False)
            if expected not in run.stdout + run.stderr:
                sys.exit(f"{what}: {' '.join(command)} does not say '{expected}', but:\n{run.stdout}{run.stderr}")
            continue
        touched = change(tree, edits)
        if touched != promised[what]:
            sys.exit(f"{what}: {touched} files were touched, CONTRIBUTING.md says {promised[what]}")
        print(f"{what}: {touched} files")


main()
