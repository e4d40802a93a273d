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

constexpr Example env_examples[] = {
    {"eval \"$(rocmtune env)\"", "the settings that the evidence supports here, in this shell"},
    {"rocmtune env --workload llm-training --format bash -o rocm.sh",
     "a script that explains each line; rocmtune_deactivate undoes it"},
    {"rocmtune env --gpu 0000:03:00.0 --format docker -o run.sh",
     "then: sh run.sh IMAGE; devices, groups and limits of this host for one GPU"},
    {"rocmtune env --format fish --unset | source",
     "also clears what is dead or a debug switch left on"},
    {"rocmtune env --json --replay example:mi300x-x8", "for machines, with what was not decided"},
};

constexpr Example run_examples[] = {
    {"rocmtune run --workload training -- python3 train.py", "one command with these settings"},
    {"rocmtune run --gpu hip:1 --dry-run -- ./a.out", "shows what it would do"},
};

constexpr Example explain_examples[] = {
    {"rocmtune explain HSA_ENABLE_SDMA", "who reads it, and what it does on this host"},
    {"rocmtune explain expandable_segments --replay example:rx7900xt-x2",
     "options and practices have names, too"},
    {"rocmtune explain RT3301", "what a finding means, and whether this host has it"},
};

constexpr Example check_examples[] = {
    {"rocmtune check", "is anything wrong with GPUs, driver, settings or ROCm here"},
    {"rocmtune check -q || echo unhealthy", "the exit code alone, for scripts"},
    {"rocmtune check --only pcie,ras --json", "two themes, for machines"},
    {"rocmtune check --skip RT3201 --fail-on warn", "warnings count, too, but not this one"},
    {"rocmtune check --replay example:mi300x-x8 -v", "every result with its evidence"},
};

constexpr Example bench_examples[] = {
    {"rocmtune bench", "everything, on every GPU; on the processors where there is none"},
    {"rocmtune bench bandwidth --quick", "memory bandwidth in a few seconds"},
    {"rocmtune bench gemm --gpu 0 --dtype bf16", "one type on the GPU that probe prints in row 0"},
    {"rocmtune bench vpoc --ticks day.csv --tick 0.25 --json",
     "the volume profile of your own ticks"},
};

constexpr Example cache_examples[] = {
    {"rocmtune cache status", "where the compiled kernels lie and what they take"},
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
    Command{"env",
            "write the settings that this host should run with, each with its reason",
            "Judges the facts of this host by the rules of the profiles. Only what has a source "
            "for this GPU and these versions is set; what equals the default of its reader, what "
            "only prints, builds, debugs or loads code is not. Scripts test when they are sourced "
            "whether a variable is set, keep what is, and define rocmtune_deactivate, which puts "
            "value, absence and export flag back. The other formats have no undo.",
            {},
            env_examples,
            run_env},
    Command{
        "run",
        "run a command with the settings of env",
        "Sets the variables that rocmtune env would set, and becomes the command: its exit code "
        "and its signals are those of the command. 125 stands for a failure of rocmtune, 126 "
        "for a command that cannot be run, 127 for one that is not there, as with env(1).",
        {"COMMAND", "", "the command and its arguments, behind --", true},
        run_examples,
        run_run},
    Command{"explain",
            "say what reads a setting, or what a finding means, and what that is on this host",
            "Knows environment variables, options, APIs and practices. It names the readers and "
            "whether they are installed, the default, what the value set here means to its reader, "
            "and what is said of the setting that is not so. Of a finding (RT3301) it says what it "
            "means and what this host has of it.",
            {"NAME", "", "a variable, an option, an API, a practice, or the id of a finding"},
            explain_examples,
            run_explain},
    Command{"bench",
            "measure memory bandwidth, matrix products and price histograms, and check the results",
            "Each benchmark runs in a process of its own, on every device of the backend or on "
            "those of --gpu. "
            "A figure is the median of at least 20 samples; it is printed only if the result was "
            "compared with an "
            "independent one and was right. At most half of a device's free memory is used. "
            "See rocmtune-bench(1) for method and counting.",
            {"BENCHMARK", "bandwidth|gemm|vpoc|all", "what to measure", false, true},
            bench_examples,
            run_bench},
    Command{"check",
            "say whether GPUs, driver, settings and ROCm of this host are in order",
            "Judges what probe reads. Every result is pass, info, warn, fail, skip (with the "
            "reason), unknown (could not be read, which is never a pass) or timeout; what is "
            "wrong comes with the next step as a command. Criteria depend on the kind of GPU: a "
            "fault of a server may be the habit of a desktop. The exit code is 1 for a fail, 3 if "
            "access, driver or enumeration could not be determined or no GPU was tested, and 4 "
            "without an AMD GPU. Nothing is written or changed, and no suspended GPU is woken. "
            "Reading some error counters clears them in the hardware; the driver keeps the sums.",
            {},
            check_examples,
            run_check},
    Command{"cache",
            "show or clear the compiled kernels of bench",
            "They lie in ROCMTUNE_CACHE, else in rocmtune below XDG_CACHE_HOME or ~/.cache, "
            "readable for their owner alone.",
            {"ACTION", "status|clear", "what to do"},
            cache_examples,
            run_cache},
    Command{"schema",
            "print the JSON Schema of a document",
            "Schemas: report (what --json prints), profile (files in profiles/), and variables, "
            "names, environment and findings (the files of these names in profiles/).",
            {"NAME", "report|profile|variables|names|environment|findings", "which document"},
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
