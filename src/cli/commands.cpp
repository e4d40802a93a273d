// SPDX-License-Identifier: MIT
#include "cli/commands.hpp"

#include <array>

#include "cli/options.hpp"

namespace rocmtune {
namespace {

constexpr Example probe_examples[] = {
    {"rocmtune probe", "what GPUs and which ROCm stack are here"},
    {"rocmtune probe -v", "every fact, or the reason why it is missing"},
    {"rocmtune probe --json -o host.json", "the same for machines, replaced in one step"},
    {"rocmtune probe --replay example:mi300x-x8", "a built-in synthetic host, on any machine"},
    {"rocmtune probe --record host.tar.gz --redact",
     "everything that was asked, without names, ids and addresses"},
    {"rocmtune probe --bug-report bug.tar.gz", "the same, and a text to paste into an issue"},
    {"rocmtune probe --watch 5 --count 12", "a line of JSON every five seconds for a minute"},
};

constexpr Example schema_examples[] = {
    {"rocmtune schema report", "JSON Schema (draft-07) of the document that --json prints"},
};

constexpr Example completion_examples[] = {
    {"rocmtune completion bash > ~/.local/share/bash-completion/completions/rocmtune",
     "completion for one user"},
};

constexpr std::array commands{
    Command{
        "probe",
        "show the GPUs, the driver and the ROCm stack of this host",
        "Reads sysfs, KFD, /proc and the installed files. It needs no ROCm, loads no GPU library, "
        "changes nothing and does not wake suspended GPUs. A fact that cannot be read has a reason "
        "instead of a value; a GPU that does not answer delays the command by a second, not for "
        "ever. "
        "The exit code is 0 on a host without GPUs, too.",
        {},
        probe_examples,
        run_probe},
    Command{"schema",
            "print the JSON Schema of a document",
            "Schemas: report (what --json prints), profile (files in profiles/), environment "
            "(profiles/environment.json) and findings (profiles/findings.json).",
            {"NAME", "report|profile|environment|findings", "which document"},
            schema_examples,
            run_schema},
    Command{"completion",
            "print a completion script for a shell",
            "The script completes commands, options and their values.",
            {"SHELL", "bash|zsh|fish", "which shell"},
            completion_examples,
            run_completion},
};

}  // namespace

std::span<Command const> all_commands() {
    return commands;
}

Command const* find_command(std::string_view name) {
    for (auto const& command : commands)
        if (command.name == name) return &command;
    return nullptr;
}

}  // namespace rocmtune
