// SPDX-License-Identifier: MIT
#include "cli/options.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "bench/device.hpp"
#include "bench/gemm.hpp"
#include "bench/session.hpp"
#include "commands/commands.hpp"
#include "judge/builds/builds.hpp"

namespace rocmtune {
namespace {

std::string formats(std::string_view command) {
    std::vector<std::string_view> names;
    for (auto const* format : formats_for(command)) names.push_back(format->name);
    return choice(names);
}

/// The order is that of help and man page: what the command does, then what it prints.
std::vector<Option> make_options() {
    return {
        {"--root", 0, Value::directory, "DIR",
         "read the host whose files lie under DIR, laid out as a chroot would be",
         "probe env run check diagnose lint explain report plan builds"},
        {"--replay", 0, Value::file, "FILE|example:NAME",
         "read a recorded host (snapshot, text or tar.gz of a tree), or one of the built-in "
         "examples",
         "probe env run check diagnose lint explain report plan builds"},
        {"--record", 0, Value::file, "FILE",
         "write every answer of this host to FILE, to be read by --replay: text if its name ends "
         "in .host, else a snapshot (tar.gz)",
         "probe"},
        {"--redact", 0, Value::none, "",
         "replace names of hosts and users, serial numbers, ids and addresses in what is recorded "
         "and printed",
         "probe"},
        {"--bug-report", 0, Value::file, "FILE",
         "record to FILE, redacted, and print a text to paste into an issue", "probe"},
        {"--measure", 0, Value::none, "",
         "with --bug-report: also let every GPU work (check -l medium, bench --quick, verify "
         "--self-test; at most 10 minutes), and print what held of all that is claimed of it",
         "probe"},
        {"--sources", 0, Value::word, "all|sysfs",
         "what to ask: the kernel and the GPU libraries (all), or the kernel only; with --watch "
         "only the kernel is asked",
         "probe env run check diagnose lint explain report plan builds"},
        {"--level", 'l', Value::word, choice(check_level_words),
         "how much time the run may take: quick lets each GPU copy and compute a little, medium (2 "
         "minutes) also runs short benchmarks, long (15 minutes) sustained ones",
         "check"},
        {"--only", 0, Value::text, "NAME,...",
         "run these checks only: names (link-width), ids (RT3301, RT9001) or themes (pcie, lint)",
         "check", true},
        {"--skip", 0, Value::text, "NAME,...", "leave these checks out", "check", true},
        {"--expect-gpus", 0, Value::text, "N|modules=N",
         "fail unless there are N GPUs (rows of probe), or N cards", "check", true},
        {"--expect", 0, Value::file, "FILE", "fail where the host differs from what FILE expects",
         "check"},
        {"--learn", 0, Value::file, "FILE",
         "write a file for --expect from this host, if nothing fails here", "check"},
        {"--baseline", 0, Value::file, "REPORT",
         "warn of error counters that have grown since this JSON report", "check"},
        {"--ignore", 0, Value::file, "FILE",
         "skip what FILE accepts: lines CHECK SUBJECT|* YYYY-MM-DD REASON", "check"},
        {"--baseline", 0, Value::file, "REPORT",
         "accept what this JSON report of lint already found, wherever its lines are now", "lint"},
        {"--ignore", 0, Value::file, "FILE",
         "accept what FILE lists: lines RTnnnn|CLASS NAME|FILE|* YYYY-MM-DD REASON, each until its "
         "date; FILE may be a pattern",
         "lint"},
        {"--hang", 0, Value::number, "SECONDS",
         "with a command: once it has printed nothing for so long, say what this host shows; it "
         "goes on; a GPU that does something counts as output",
         "diagnose run"},
        {"--diagnose", 0, Value::none, "",
         "watch the command as rocmtune diagnose -- COMMAND does, and say why it failed", "run"},
        {"--user", 0, Value::text, "NAME",
         "judge what a process of this user may do here: its groups, and whether the devices are "
         "open to it",
         "check diagnose"},
        {"--process", 0, Value::number, "PID",
         "judge the environment that this process was started with", "lint", true},
        {"--process", 0, Value::number, "PID",
         "judge this process: its groups, limits, environment and mounts, not those of who asks",
         "check diagnose"},
        {"--unit", 0, Value::text, "NAME",
         "judge this unit of systemd by its files and drop-ins: user, groups, devices, limits and "
         "environment; it need not run",
         "check diagnose lint"},
        {"--readers", 0, Value::none, "",
         "show which names stand in the installed libraries and frameworks, and judge files "
         "against them, too",
         "lint"},
        {"--kind", 0, Value::word, choice(std::span(input_kind_words).subspan(2)),
         "what the files are, where name and first line do not tell", "lint"},
        {"--for", 0, Value::text, "NAME=VERSION,...",
         "judge by what these releases read (torch=2.5.1, vllm=0.9.2, rocm=6.4), also where a file "
         "or the host has others",
         "lint", true},
        {"--min-level", 0, Value::word, "info|warn|fail",
         "the mildest verdict that is told, counted and mended (info)", "lint"},
        {"--diff", 0, Value::none, "",
         "print what --fix would change, as a unified diff, in place of the findings", "lint"},
        {"--fix", 0, Value::none, "",
         "change the files where a finding is certain and the change touches no other setting; "
         "the findings that are left are told",
         "lint"},
        {"--regression", 0, Value::text, "PERCENT",
         "changes of measurements up to PERCENT do not matter (3%); fail with 3 if nothing that "
         "was measured can be compared",
         "compare"},
        {"--fail-on", 0, Value::word, "fail|warn|never",
         "the mildest verdict that gives exit code 1 (fail)",
         "check diagnose lint verify compare report plan"},
        {"--fail-on", 0, Value::word, "fail|warn|never",
         "the mildest verdict that gives exit code 1 and puts a host on the list for Slurm (fail)",
         "fleet"},
        {"--level", 0, Value::word, choice(level_words),
         "how much evidence a setting needs: the word of its owner for this target and version, "
         "also the tuning guides of vendors (balanced, the usual one), or also experiments",
         "env run explain verify tune report"},
        {"--workload", 0, Value::word, choice(workload_words), "what the settings are for (none)",
         "env run explain verify tune report"},
        {"--framework", 0, Value::word, choice(framework_words),
         "framework that the settings are for; auto takes what is installed",
         "env run explain verify tune report"},
        {"--gpu", 0, Value::text, "SEL,...", gpu_help,
         "probe env run explain check diagnose lint report bench verify tune plan builds", true},
        {"--force", 0, Value::none, "", "overwrite variables that are set already", "env run"},
        {"--force", 0, Value::none, "",
         "also let GPUs work on which a job computes; without it they are skipped as busy",
         "check"},
        {"--unset", 0, Value::none, "",
         "also clear variables that are set, but dead, debug switches left on, or certain to do "
         "harm by what lint says; lists of GPUs, and what names code to load, stay",
         "env run"},
        {"--verified", 0, Value::file, "REPORT",
         "leave out what this report of verify calls harmful, set what this one of tune has proven "
         "on this host; explain says what it measured",
         "env run explain"},
        {"--dry-run", 0, Value::none, "",
         "print the command with its variables as a line for a shell, and run nothing", "run"},
        {"--parts", 0, Value::text, "PART,...",
         "what the document has beside the facts of probe, which it always has: env, lint, check "
         "and bench (env,lint,check); bench measures, at most a minute on each GPU where --time "
         "does not say",
         "report"},
        {"--wake", 0, Value::none, "",
         "read clocks, power and counters of suspended GPUs and ask the GPU libraries, which wakes "
         "them; each answer may then take 10 seconds instead of one",
         "probe check report"},
        {"--visible", 0, Value::text, "NAME=VALUE",
         "say which GPUs a process with this mask sees (ROCR_, HIP_, CUDA_VISIBLE_DEVICES or "
         "GPU_DEVICE_ORDINAL), on top of the environment",
         "probe", true},
        {"--watch", 0, Value::number, "SECONDS",
         "look every SECONDS: a table that stays in its place on a terminal, else a line of JSON a "
         "look",
         "probe"},
        {"--count", 0, Value::number, "N", "with --watch: stop after N looks", "probe"},
        {"--flight", 0, Value::file, "FILE",
         "with --watch: keep the last ten minutes and what the kernel says in FILE, which the "
         "first "
         "fault closes; diagnose reads it; without a terminal nothing else is printed, and it ends "
         "with 1 then",
         "probe"},
        {"--setting", 0, Value::text, "NAME=VALUE",
         "measure with NAME=VALUE and without NAME; several are measured singly and together",
         "verify", true},
        {"--setting", 0, Value::text, "NAME=VALUE,...",
         "try these values of NAME; without one, what the rules recommend and ways of starting a "
         "program are tried; a comma of a value is written \\,",
         "tune", true},
        {"--launch", 0, Value::text, "WORDS",
         "try these words before the command (\"numactl --membind=0\")", "tune", true},
        {"--unset", 0, Value::text, "NAME", "measure without NAME, which is set now, and with it",
         "verify", true},
        {"--env-file", 0, Value::file, "FILE",
         "take settings from the lines NAME=VALUE of FILE, export before them or not", "verify"},
        {"--benchmark", 0, Value::word, names_of(bench::all_benchmarks()),
         "what to measure; without it the one that the setting's reader takes part in", "verify"},
        {"--benchmark", 0, Value::word, names_of(bench::all_benchmarks()),
         "tune a benchmark instead of a COMMAND", "tune"},
        {"--command", 0, Value::text, "CMD",
         "measure this line for the shell instead, as a COMMAND behind -- is measured without one: "
         "the number of --metric, else its time",
         "verify tune"},
        {"--metric", 0, Value::text, "REGEX|/POINTER",
         "with a command: where its number stands, an expression whose first group, or the number "
         "behind it, counts, or a JSON pointer; else the metric of the benchmark (triad)",
         "verify tune"},
        {"--better", 0, Value::word, "higher|lower",
         "which values of --metric are better; without it lower for units of time, else higher",
         "verify tune"},
        {"--budget", 0, Value::number, "SECONDS", "time for all of the runs (120)", "verify"},
        {"--budget", 0, Value::number, "SECONDS",
         "time for all of the runs, of which some 50 are the least (600)", "tune"},
        {"--margin", 0, Value::number, "PERCENT", "smaller effects do not matter (2)", "verify"},
        {"--margin", 0, Value::number, "PERCENT", "a smaller gain is no winner (1)", "tune"},
        {"--check", 0, Value::text, "REGEX", "a run counts only if a line of its output has REGEX",
         "tune"},
        {"--check-file", 0, Value::file, "FILE",
         "a run counts only if it writes FILE anew, as the first run did", "tune"},
        {"--tolerance", 0, Value::number, "PERCENT",
         "with --check-file: numbers may differ by so much; without it the bytes are compared",
         "tune"},
        {"--observe", 0, Value::none, "", "try nothing: watch one run and say what limits it",
         "tune"},
        {"--region", 0, Value::text, "NAME=REGEX",
         "cut what is seen of the watched run at lines that have REGEX", "tune", true},
        {"--ready", 0, Value::text, "REGEX",
         "the command is a server: it is up when it prints a line with REGEX; needs --load",
         "tune"},
        {"--load", 0, Value::text, "CMD",
         "a line for the shell that loads the server and prints the number of --metric, else its "
         "time counts; then the server is ended",
         "tune"},
        {"--resume", 0, Value::none, "",
         "use the runs of this tuning that are known from an interrupted one", "tune"},
        {"--assume-read", 0, Value::text, "NAME",
         "take it from me that the measured program reads NAME", "verify tune", true},
        {"--self-test", 0, Value::none, "",
         "change nothing: say how small an effect this host can show", "verify"},
        {"--backend", 0, Value::word, "auto|" + names_of(bench::all_backends()),
         "what to run on; auto takes AMD GPUs, else NVIDIA GPUs, else the processors",
         "bench verify tune"},
        {"--dtype", 0, Value::word, names_of(bench::gemm_types()),
         "type of the elements; bandwidth knows fp32 and fp64", "bench verify tune"},
        {"--size", 0, Value::number, "N",
         "bytes of an array (bandwidth, collectives), rows of a matrix (gemm), ticks (vpoc)",
         "bench verify tune"},
        {"--bins", 0, Value::number, "N", "rows of the price histogram", "bench"},
        {"--ticks", 0, Value::file, "FILE",
         "vpoc of your own ticks: CSV with the header price,volume, or pairs of little-endian fp32 "
         "(.f32)",
         "bench"},
        {"--tick", 0, Value::number, "SIZE", "with --ticks: a row for each multiple of SIZE",
         "bench"},
        {"--time", 0, Value::number, "SECONDS",
         "sample each figure for SECONDS (0.2; with --quick 0.1)", "bench report"},
        {"--quick", 0, Value::none, "", "smaller data and shorter runs, nothing sustained",
         "bench report"},
        {"--params", 0, Value::text, "N",
         "parameters of the model (70B, 8030261248); its shape is then that of a published model "
         "of about this size",
         "plan"},
        {"--model", 0, Value::file, "MODEL",
         "the model: its config.json, a GGUF file, a folder with safetensors, or its id in the "
         "local cache of Hugging Face; headers are read, no weights; of several also whether they "
         "fit together",
         "plan", true},
        {"--inference", 0, Value::none, "", "plan inference; without it training", "plan"},
        {"--dtype", 0, Value::text, "D",
         "training: bf16, fp16 (mixed, with an fp32 copy), megatron-bf16 (gradients in fp32), amp, "
         "fp32 or pure-bf16; inference: "
         "format of the weights (bf16, fp8, int4, q8_0, q4_k_m, ...), without it what the file "
         "says, else bf16",
         "plan"},
        {"--cache-dtype", 0, Value::text, "D", "with --inference: format of the KV cache (16 bits)",
         "plan"},
        {"--optimizer", 0, Value::text, "O",
         "adamw, adamw-8bit, lion, sgd, sgd-momentum or adafactor (adamw)", "plan"},
        {"--shard", 0, Value::word, choice(shard_words),
         "what GPUs share in training: nothing, states of the optimiser, also gradients, also "
         "weights (FSDP); without it the first of these that fits",
         "plan"},
        {"--tensor-parallel", 0, Value::number, "N",
         "training: N GPUs share each matrix, as in Megatron-LM (1)", "plan"},
        {"--pipeline-parallel", 0, Value::number, "N",
         "training: the layers are dealt out to N stages (1)", "plan"},
        {"--sequence-parallel", 0, Value::none, "",
         "with --tensor-parallel: those GPUs share the tokens between matrices, too", "plan"},
        {"--checkpointing", 0, Value::word, "none|full",
         "full: keep the inputs of layers only and compute layers twice (none)", "plan"},
        {"--loss", 0, Value::word, "full|chunked",
         "chunked: the loss is taken for an eighth of the tokens at a time (full)", "plan"},
        {"--attention", 0, Value::word, "flash|plain",
         "plain: the scores of all pairs of tokens are kept (flash)", "plan"},
        {"--lora", 0, Value::number, "RANK",
         "train adapters of this rank at all matrices of the layers, and freeze the rest", "plan"},
        {"--base-dtype", 0, Value::text, "D",
         "with --lora: format of the frozen weights (bf16; nf4 is QLoRA)", "plan"},
        {"--batch", 0, Value::number, "N",
         "sequences at a time: in training on each GPU, or on those that hold the model once; in "
         "all "
         "in inference (1)",
         "plan"},
        {"--sequence", 0, Value::number, "N",
         "tokens of a sequence (2048 in training, 4096 in inference, at most what the model was "
         "made for)",
         "plan"},
        {"--gpus", 0, Value::number, "N",
         "GPUs that work together (those of --gpu, else all of the kind with the most memory)",
         "plan"},
        {"--memory", 0, Value::text, "SIZE",
         "plan for GPUs with this memory (192GiB, 80GB), all of it free, in place of this host",
         "plan"},
        {"--python", 0, Value::text, "VERSION",
         "for this Python (3.12), without it for that of the active environment", "builds"},
        {"--with", 0, Value::word, choice(installer_words),
         "only what this can install, as it wants to be told", "builds"},
        {"--targets", 0, Value::none, "", "also the targets as Spack, CMake and PyTorch take them",
         "builds"},
        {"--allow", 0, Value::directory, "DIR",
         "let tools read files below DIR: models, recorded hosts and trees; without it they read "
         "what is in the request, and this host",
         "mcp", true},
        {"--timeout", 0, Value::number, "SECONDS",
         "give up after SECONDS: reading (30; what is known by then is printed), a check as a "
         "whole (10 at level quick), a benchmark that says nothing (180, and ten times --time), or "
         "one run of a command of verify (60)",
         "probe env run check diagnose lint explain bench verify tune report plan builds"},
        {"--profiles", 0, Value::directory, "DIR",
         "take profiles, schemas and examples in DIR before the built-in ones",
         "probe env run check diagnose lint explain bench verify tune report plan builds schema"},
        {"--format", 0, Value::word, formats("probe"), "how to print",
         "probe explain bench verify cache"},
        {"--format", 0, Value::word, formats("check"),
         "how to print; nagios and npd also use the exit codes of those systems", "check"},
        {"--format", 0, Value::word, formats("diagnose"), "how to print", "diagnose"},
        {"--format", 0, Value::word, formats("lint"), "how to print", "lint"},
        {"--format", 0, Value::word, formats("compare"), "how to print", "compare plan builds"},
        {"--format", 0, Value::word, formats("tune"),
         "how to print; or the settings that won, as env writes them", "tune"},
        {"--format", 0, Value::word, formats("fleet"),
         "how to print; html is a page of its own, slurm the list of odd hosts for srun --exclude",
         "fleet"},
        {"--format", 0, Value::word, formats("report"),
         "how to print; html is a page of its own, ndjson are rows for databases", "report"},
        {"--format", 0, Value::word, formats("env"),
         "what to write (sh): a script for a shell, or lines for a service, container, job or "
         "module",
         "env"},
        {"--json", 0, Value::none, "", "the same as --format json",
         "probe env check diagnose lint explain bench verify tune report compare fleet plan builds "
         "cache"},
        {"--output", 'o', Value::file, "FILE",
         "print to FILE, which is replaced only when everything is written; a new one is readable "
         "for its owner alone, an old one of yours keeps its mode",
         "probe env check diagnose lint explain bench verify tune report compare fleet plan builds "
         "cache "
         "schema "
         "completion"},
        {"--also", 0, Value::text, "FORMAT:FILE", "print a second time, in FORMAT to FILE",
         "probe env check diagnose lint explain bench verify tune report compare fleet plan builds "
         "cache",
         true},
        {"--quiet", 'q', Value::none, "", "print nothing but errors",
         "probe env check diagnose lint explain bench verify tune report compare fleet plan builds "
         "cache"},
        {"--quiet", 'q', Value::none, "", "say nothing beside the command but errors", "run"},
        {"--verbose", 'v', Value::none, "",
         "every fact with its value or the reason why it is missing; -vv adds sources",
         "probe bench report", true},
        {"--verbose", 'v', Value::none, "", "all sources", "explain", true},
        {"--verbose", 'v', Value::none, "", "every result with what it rests on",
         "check diagnose lint verify tune", true},
        {"--verbose", 'v', Value::none, "",
         "also what differs rightly or from moment to moment, and measurements that are the same",
         "compare", true},
        {"--verbose", 'v', Value::none, "",
         "also the shape of the model, how each part comes about, each GPU, and the sources",
         "plan", true},
        {"--verbose", 'v', Value::none, "",
         "every build that has code for the targets, with what speaks against it, and all sources",
         "builds", true},
        {"--verbose", 'v', Value::none, "",
         "all findings with more of the hosts, facts without majority, and figures", "fleet", true},
        {"--verbose", 'v', Value::none, "",
         "say on standard error which variables are set and cleared, and why", "run", true},
        {"--no-color", 0, Value::none, "", "no colours, also on a terminal",
         "probe env run check diagnose lint explain bench verify tune report compare fleet plan "
         "builds "
         "cache"},
    };
}

constexpr std::string_view common[] = {
    "--format",  "--json",     "--output", "--also", "--quiet",  "--verbose", "--no-color",
    "--timeout", "--profiles", "--gpu",    "--root", "--replay", "--fail-on"};

constexpr LackingOption lacking[] = {
    {"--format --json --also", "run schema completion",
     "whose output is no report but that of a command, a schema or a script"},
    {"--format --json --also --quiet --verbose --no-color --gpu --root --replay --fail-on "
     "--timeout --profiles",
     "mcp", "whose requests say what is wanted"},
    {"--output", "run", "where standard output belongs to the command"},
    {"--output", "mcp", "where standard output belongs to the protocol"},
    {"--quiet --verbose --no-color", "schema completion", "which print one text in one form"},
    {"--verbose", "env", "whose scripts say the reasons beside the lines"},
    {"--verbose", "cache", "which shows all that it knows"},
    {"--timeout", "compare fleet cache schema completion", "which read files and ask no device"},
    {"--profiles", "compare fleet", "which rest on what the reports say"},
    {"--profiles", "cache completion", "where nothing of them is used"},
    {"--gpu --root --replay", "compare fleet",
     "which read reports: probe and check take these options when a report is made"},
    {"--gpu --root --replay", "cache schema completion", "which look at no host"},
    {"--root --replay", "bench verify tune", "since a recorded host cannot be measured"},
    {"--fail-on", "probe", "whose exit code judges nothing: check does"},
    {"--fail-on", "env run explain builds", "whose answers are no findings"},
    {"--fail-on", "tune", "which answers what is best, and judges nothing"},
    {"--fail-on", "bench", "where a wrong or failed figure gives 1 whatever is wished"},
    {"--fail-on", "cache schema completion", "which judge nothing"},
};

bool takes(Option const& option, std::string_view command) {
    auto const names = words(option.commands);
    return std::find(names.begin(), names.end(), command) != names.end();
}

}  // namespace

std::span<Option const> all_options() {
    static std::vector<Option> const options = make_options();
    return options;
}

/// rocmtune alone takes what probe takes: it shows the same screen.
std::vector<Option const*> options_of(std::string_view command) {
    std::vector<Option const*> result;
    for (auto const& option : all_options())
        if (takes(option, command.empty() ? "probe" : command)) result.push_back(&option);
    return result;
}

std::vector<std::string_view> choices_of(std::string_view metavar) {
    return split(metavar, '|');
}

std::span<std::string_view const> common_options() {
    return common;
}

std::span<LackingOption const> lacking_options() {
    return lacking;
}

}  // namespace rocmtune
