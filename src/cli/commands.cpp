// SPDX-License-Identifier: MIT

#include "bench/session.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "cli/typed_options.hpp"

namespace rocmtune {
namespace {

/// A command with the options that were typed.
template <class Asked>
Exit start(Exit (*run)(Asked const&), Arguments const& arguments) {
    Asked asked;
    fill(asked, arguments);
    return run(asked);
}
template <auto run>
Exit start(Arguments const& arguments) {
    return start(run, arguments);
}

std::vector<Command> make_commands() {
    return {
        {"probe",
         "show the GPUs, the driver and the ROCm stack of this host",
         "Reads sysfs, KFD, /proc and the installed files. GPU libraries that are there are asked, "
         "each in a process of its own that may fail without harm; --sources sysfs asks none. It "
         "needs no ROCm, changes nothing and does not wake suspended GPUs. A fact that cannot be "
         "read has a reason instead of a value; a GPU that does not answer delays the command by a "
         "second, not for ever. The exit code is 0 on a host without GPUs, too.",
         {},
         {{"rocmtune probe", "what GPUs and which ROCm stack are here"},
          {"rocmtune probe -v", "every fact, or the reason why it is missing"},
          {"rocmtune probe --json -o host.json", "the same for machines, replaced in one step"},
          {"rocmtune probe --replay example:mi300x-x8",
           "a built-in synthetic host, on any machine"},
          {"rocmtune probe --record host.tar.gz --redact",
           "everything that was asked, without names, ids and addresses"},
          {"rocmtune probe --bug-report bug.tar.gz", "the same, and a text to paste into an issue"},
          {"rocmtune probe --watch 5 --count 12",
           "what the GPUs do, for a minute; in a pipe as lines of JSON"}},
         start<run_probe>},
        {"env",
         "write the settings that this host should run with, each with its reason",
         "Judges the facts of this host by the rules of the profiles. Only what has a source for "
         "this GPU and these versions is set; what equals the default of its reader, what only "
         "prints, builds, debugs or loads code is not. Scripts test when they are sourced whether "
         "a variable is set, keep what is, and define rocmtune_deactivate, which puts value, "
         "absence and export flag back. The other formats have no undo.",
         {},
         {{"eval \"$(rocmtune env)\"",
           "the settings that the evidence supports here, in this shell"},
          {"rocmtune env --workload llm-training --format bash -o rocm.sh",
           "a script that explains each line; rocmtune_deactivate undoes it"},
          {"rocmtune env --gpu 0000:03:00.0 --format docker -o run.sh",
           "then: sh run.sh IMAGE; devices, groups and limits of this host for one GPU"},
          {"rocmtune env --format fish --unset | source",
           "also clears what is dead or a debug switch left on"},
          {"rocmtune env --json --replay example:mi300x-x8",
           "for machines, with what was not decided"}},
         start<run_env>},
        {"run",
         "run a command with the settings of env",
         "Sets the variables that rocmtune env would set, and becomes the command: its exit code "
         "and its signals are those of the command. 125 stands for a failure of rocmtune, 126 for "
         "a command that cannot be run, 127 for one that is not there, as with env(1).",
         {"COMMAND", "", "the command and its arguments, behind --", true},
         {{"rocmtune run --workload training -- python3 train.py",
           "one command with these settings"},
          {"rocmtune run --gpu hip:1 --dry-run -- ./a.out", "shows what it would do"}},
         start<run_run>},
        {"explain",
         "say what reads a setting, what a finding means, what a gfx target is, and what is here",
         "Knows environment variables, options, APIs and practices. It names the readers and "
         "whether they are installed, the default, what the value set here means to its reader, "
         "and what is said of the setting that is not so. Of a finding (RT3301) it says what it "
         "means and what this host has of it; of a gfx target (gfx942, gfx90a:xnack+, "
         "gfx11-generic) the products, the memory, the matrix formats, the releases of ROCm that "
         "list it, and what people override it to, as the profiles know them.",
         {"NAME", "",
          "a variable, an option, an API, a practice, the id of a finding, or a gfx target"},
         {{"rocmtune explain HSA_ENABLE_SDMA", "who reads it, and what it does on this host"},
          {"rocmtune explain expandable_segments --replay example:rx7900xt-x2",
           "options and practices have names, too"},
          {"rocmtune explain RT3301", "what a finding means, and whether this host has it"},
          {"rocmtune explain gfx1100", "what is known of a target, and which GPUs here have it"}},
         start<run_explain>},
        {"bench",
         "measure memory bandwidth, matrix products, price histograms and collectives; check "
         "results",
         "Each benchmark runs in a process of its own, on every device of the backend or on those "
         "of --gpu. A figure is the median of at least 20 samples; it is printed only if the "
         "result was compared with an independent one and was right. At most half of a device's "
         "free memory is used. See rocmtune-bench(1) for method and counting.",
         {"BENCHMARK", names_of(bench::all_benchmarks()) + "|all", "what to measure", false, true},
         {{"rocmtune bench", "everything, on every GPU; on the processors where there is none"},
          {"rocmtune bench bandwidth --quick", "memory bandwidth in a few seconds"},
          {"rocmtune bench gemm --gpu 0 --dtype bf16",
           "one type on the GPU that probe prints in row 0"},
          {"rocmtune bench vpoc --ticks day.csv --tick 0.25 --json",
           "the volume profile of your own ticks"}},
         start<run_bench>},
        {"check",
         "say whether GPUs, driver, settings and ROCm of this host are in order",
         "Judges what probe reads. Every result is pass, info, warn, fail, skip (with the reason), "
         "unknown (could not be read, which is never a pass) or timeout; what is wrong comes with "
         "the next step as a command. Criteria depend on the kind of GPU: a fault of a server may "
         "be the habit of a desktop. The exit code is 1 for a fail, 3 if access, driver or "
         "enumeration could not be determined or no GPU was judged, and 4 without an AMD GPU. Each "
         "GPU that HIP lists is tried in a process of its own, which copies 4 KiB there and back, "
         "lets a small kernel write 64 KiB where hipRTC can make one (it is kept with the compiled "
         "kernels of bench), and is killed after at most 8 seconds: the one that hangs or dies is "
         "named, the others finish. The level quick ends within 10 seconds whatever hangs, unless "
         "--timeout or --wake is given; what there was no time for is unknown. A GPU on which a "
         "job computes is left alone without --force, a recorded host is only read. After SIGINT "
         "or SIGTERM what is known is printed. Nothing but that kernel is kept or changed, and no "
         "suspended GPU is woken. Reading some error counters clears them in the hardware; the "
         "driver keeps the sums.",
         {},
         {{"rocmtune check", "is anything wrong with GPUs, driver, settings or ROCm here"},
          {"rocmtune check -q || echo unhealthy", "the exit code alone, for scripts"},
          {"rocmtune check --only access,pcie,ras --json", "three themes, for machines"},
          {"rocmtune check --skip RT3201 --fail-on warn", "warnings count, too, but not this one"},
          {"rocmtune check --replay example:mi300x-x8 -v", "every result with its evidence"}},
         start<run_check>},
        {"diagnose",
         "say which cause of an error text, a log or a failure is so on this host",
         "Recognises what libraries, frameworks, the loader, tools and the kernel print, and "
         "judges "
         "on this host each cause that a message can have: here, not here, or cannot be told, and "
         "what would tell. Arguments are texts, files and - for standard input, of any length; "
         "without one the kernel log and the checks of this host are judged. Only what a cause "
         "needs is read. What is not known is said to be so. No word of a text becomes part of a "
         "command that is proposed, and secrets are not repeated. The exit code is 1 if a cause is "
         "here; 3 if the error is known and its causes are refuted or cannot be told, or if a line "
         "that speaks of an error is not known; 0 if nothing in the text is an error. A command "
         "behind -- is run as it would without us; where it fails, or goes on without the GPU, "
         "what "
         "it printed is judged on standard error, and the exit code is its own. doctor is "
         "another name of it. See rocmtune-diagnose(1).",
         {"TEXT", "", "an error text, a file, or - for standard input", false, true, true},
         {{"rocmtune diagnose 'HIP error: no kernel image is available for execution on the "
           "device'",
           "what this can come from, and which of it is so here"},
          {"python3 train.py 2>&1 | tee train.log; rocmtune diagnose train.log",
           "the log of a program that failed"},
          {"rocmtune diagnose -- python3 train.py", "runs it, and says why it failed"},
          {"journalctl -b -1 -k | rocmtune diagnose -",
           "why did the driver fail before the reboot"},
          {"rocmtune diagnose --replay host.tar.gz train.log",
           "for a host that somebody recorded"}},
         start<run_diagnose>},
        {"lint",
         "find dead, misspelt, pointless and harmful settings of environment variables",
         "Judges the environment of this process, or what files, directories, standard input (-) "
         "or other processes set: shell and batch scripts, .env files, Dockerfiles, Compose, "
         "Kubernetes and GitHub YAML, systemd units, modulefiles, RCCL's configuration, Python and "
         "code blocks of Markdown. Only assignments count: comments, printed text and "
         "here-documents do not. A finding that is not certain is a note. The comment `# rocmtune: "
         "ignore=RT5006 REASON` accepts a finding in its line, or alone in a line in the next one. "
         "The exit code is 1 for a fail, 2 if an input could not be read; the others are still "
         "judged.",
         {"FILE", "", "a file, a directory, or - for standard input", false, true, true},
         {{"rocmtune lint", "is anything in this environment dead, misspelt or harmful"},
          {"rocmtune lint train.sh Dockerfile", "the same for files, each read as what it is"},
          {"rocmtune lint --diff train.sh", "what could be mended, as a patch; --fix does it"},
          {"rocmtune lint --process 4711", "what a running program was started with"},
          {"rocmtune lint --format github .",
           "every known kind of file below here, as annotations"}},
         start<run_lint>},
        {"verify",
         "measure with and without a setting, and say whether it is better",
         "Takes the settings of --setting, --unset and --env-file, else the recommendations of "
         "rocmtune env that a benchmark can prove. Baseline and setting run in fresh processes, in "
         "blocks of four whose order a coin chooses. A verdict is given only if a library that "
         "reads the name was mapped in the measured process: confirmed or harmful (the whole 95 % "
         "interval of the effect is beyond the margin; a setting with which the program fails is "
         "harmful, too), no-effect (it is inside), inconclusive (with the number of blocks that "
         "would decide) or not-measurable. A benchmark runs on one device: --gpu names one. The "
         "exit code is 1 for a harmful setting or a run that failed, 3 if something stayed "
         "undecided. After SIGINT or SIGTERM what is known is printed. See rocmtune-verify(1) for "
         "the method.",
         {"COMMAND", "",
          "a program of yours that is measured, with its arguments; no shell sees them", true,
          true},
         {{"rocmtune verify", "are the recommendations for this host true on it"},
          {"rocmtune verify --setting OPENBLAS_NUM_THREADS=1 --benchmark gemm --backend cpu",
           "one setting, with matrix products on the processors"},
          {"rocmtune verify --setting HSA_ENABLE_SDMA=0 --metric 'tokens/s: ([0-9.]+)' -- ./train "
           "--steps 20",
           "with a program of yours and the number that it prints"},
          {"rocmtune verify --self-test --budget 60", "how small an effect this host can show"},
          {"rocmtune verify --json -o verified.json && rocmtune env --verified verified.json",
           "then leave out what is harmful here"}},
         start<run_verify>},
        {"tune",
         "find the settings that make a program of yours faster on this host",
         "Runs the program as it is, looks at each candidate alone, then runs halves of all "
         "candidates against each other, lets the last three race, and confirms the best against "
         "the program as it is on fresh runs, which chose nothing: an answer is wrong once in 20 "
         "tunings at most. Candidates are the values of --setting and --launch, else what the "
         "rules recommend for this host (--level aggressive by default) and ways of starting a "
         "program. What nothing in the program reads is left out and said. A run that fails, or "
         "whose result --check or --check-file rejects, never wins. Nothing to win is an answer, "
         "with the gain that would have been seen. The exit code is 0 for a winner or nothing to "
         "win, 1 if the program fails as it is, 3 if it was not decided. See rocmtune-tune(1) for "
         "the method.",
         {"COMMAND", "",
          "a program of yours that is measured, with its arguments; no shell sees them", true,
          true},
         {{"rocmtune tune -- ./train --steps 20",
           "the time of a program, with what may matter here"},
          {"rocmtune tune --metric 'tokens/s: ([0-9.]+)' --check 'loss: 2\\.1' -- ./train",
           "by a number that it prints, and only while its result is right"},
          {"rocmtune tune --setting OMP_NUM_THREADS=4,8,16 --setting OMP_PROC_BIND=close,spread -- "
           "./solve",
           "values of your own"},
          {"rocmtune tune --json -o tuned.json -- ./train && rocmtune env --verified tuned.json",
           "then set what has won"}},
         start<run_tune>},
        {"report",
         "put facts, settings, lint, checks and figures of a host in one document",
         "Looks at this host as probe, env, lint and check do, and at --parts bench measures as "
         "bench does. With JSON reports of one host as arguments nothing is looked at: they are "
         "put together and shown as they are, so that what was measured in one job and checked in "
         "another stands on one page. The format html is one file without anything from elsewhere: "
         "it needs no network and runs no code but its own. The exit code is that of the parts; a "
         "host without GPU gives 0. See rocmtune-report(1).",
         {"REPORT", "", "JSON reports of one host; - is standard input", false, true, true},
         {{"rocmtune report --format html -o report.html",
           "one page with all of it, to be sent around"},
          {"rocmtune report --parts env,lint,check,bench --quick --also html:report.html",
           "measure, too, at most a minute on each GPU"},
          {"rocmtune report check.json bench.json --format markdown",
           "what was found before, put together and shown in another form"},
          {"rocmtune report --replay example:mi300x-x8 --format html -o report.html",
           "the page of a built-in synthetic host"}},
         start<run_report>},
        {"compare",
         "say what two reports have differently, and what became slower",
         "Lays two JSON reports beside each other (probe, check, bench and the like; - is standard "
         "input): facts, versions, settings, findings, recommendations and measurements. A GPU is "
         "found again by the identity of its chip, else by its PCI address, else by its row. What "
         "one report does not know is no difference. A measurement counts as slower or faster only "
         "if the whole 95 % interval of the ratio is beyond the margin. Reports of older minor "
         "versions are read; those of another major version are refused. The exit code is 1 if a "
         "measurement became slower or broke, a GPU of the same host is gone, or a finding that "
         "fails came up; 3 if --regression was asked and no measurement could be compared. See "
         "rocmtune-compare(1).",
         {"REPORT", "", "two JSON reports, the older one first; - is standard input", false, false,
          true, 2},
         {{"rocmtune compare before.json after.json", "what an update changed on this host"},
          {"rocmtune compare good-node.json bad-node.json -v", "what the slow node has otherwise"},
          {"rocmtune compare mi300x.json h100.json --format markdown", "two makers, in a table"},
          {"rocmtune bench --json | rocmtune compare reference.json - --regression 3%",
           "fail if a benchmark is more than 3 % slower than in the reference"}},
         start<run_compare>},
        {"fleet",
         "say which of many hosts is the odd one out, and in what",
         "Reads JSON reports of any number of hosts: files of one document or of one a line, "
         "directories (*.json, *.ndjson, *.jsonl), or - for standard input. Hosts of one product "
         "with one model of GPU are a group; a value that more than half of it have is the usual "
         "one, and the others are named: missing GPUs and partitions, firmware, software and "
         "settings that differ, counters of errors, failures of their own checks, and GPUs that "
         "are slower by a robust z-score. A report that cannot be read, or a second one of a host, "
         "is named and left out; the others count, and the exit code is 2. It is 1 if a host has a "
         "finding at or above --fail-on. Memory grows with what differs and not with the number of "
         "reports. See rocmtune-fleet(1).",
         {"REPORT", "", "files, directories, or - for standard input", false, false, true},
         {{"rocmtune fleet reports/", "which of these hosts is the odd one, and in what"},
          {"srun -N 64 --ntasks-per-node 1 rocmtune check --format ndjson | rocmtune fleet -",
           "the same, as the reports come in"},
          {"srun --exclude=\"$(rocmtune fleet reports/ --format slurm)\" ./job",
           "a job that keeps away from hosts with a failure"},
          {"rocmtune fleet reports/ -q --also prom:fleet.prom --fail-on warn",
           "for a dashboard and a gate"}},
         start<run_fleet>},
        {"plan",
         "say whether training or inference of a model fits into the memory of these GPUs",
         "Counts the parameters of a config.json (Hugging Face Transformers), or takes their "
         "number, and adds up what each GPU has to hold: weights, gradients, states of the "
         "optimiser, activations, scores, KV cache, and the runtime itself, each by a published "
         "formula. The sum is laid beside the memory that is free now: device memory, on an APU "
         "the host memory that it may use; the GPU with the least governs. Without --gpu the kind "
         "of GPU with the most memory is planned for. It says how far other ways go: sharding, "
         "checkpointing, adapters, formats of weights. The error of such sums against published "
         "figures is printed with them. The exit code is 0 if it fits, 1 if it does not, 3 if free "
         "memory is not known; on a host without GPUs it says what is needed, and gives 0. See "
         "rocmtune-plan(1).",
         {},
         {{"rocmtune plan --params 70B --inference --sequence 32768",
           "in which formats a model fits here, with which context and how many sequences"},
          {"rocmtune plan --model config.json --inference --dtype q4_k_m --gpu 0",
           "one model, counted, in one format on one GPU"},
          {"rocmtune plan --model config.json --batch 4 --sequence 4096",
           "does full training fit on the GPUs here, and with which sharding"},
          {"rocmtune plan --params 8B --lora 16 --base-dtype nf4 --checkpointing full",
           "adapters on 4-bit weights"},
          {"rocmtune plan --params 405B --inference --dtype fp8 --memory 192GiB --gpus 8",
           "for GPUs that are not here"}},
         start<run_plan>},
        {"builds",
         "say which published builds have code for these GPUs, and how they are installed",
         "Knows builds of PyTorch, vLLM, llama.cpp, Ollama, ONNX Runtime, bitsandbytes, ROCm and "
         "others: in which index, image, archive or package they are published, for which gfx "
         "targets, Python, glibc, ROCm and kernel, who says so, and when that was seen. Of the "
         "GPUs "
         "of this host, or of those of --gpu, it says which build will run, the best first, each "
         "as "
         "lines that can be pasted, and what speaks against the others. A target (gfx1031) in "
         "place "
         "of GPUs needs no host. Where no build has the target it names the override for a sibling "
         "with its risk, the way to build it, or why there is none. Nothing is proposed that rests "
         "on reports of single users alone. The exit code is 0 if a build of each framework that "
         "was named can be installed, 1 if one has none, 3 if that is not recorded or no target is "
         "known. See rocmtune-builds(1).",
         {.name = "FRAMEWORK|TARGET",
          .choices = "torch|vllm|llama.cpp|ollama|onnxruntime|bitsandbytes|rocm|sglang|jax|"
                     "tensorflow|flash-attention|aiter",
          .help = "a framework, without it all of them, and gfx targets in place of GPUs",
          .may_lack = true,
          .repeats = true,
          .is_open = true},
         {{"rocmtune builds", "what there is for the GPUs of this host"},
          {"rocmtune builds torch", "every build of PyTorch that runs here, as a command"},
          {"rocmtune builds torch --with uv --python 3.12", "a section for pyproject.toml"},
          {"rocmtune builds gfx1031", "the same for a GPU that is not here"},
          {"rocmtune builds --targets", "what Spack, CMake and PyTorch want to be told"}},
         start<run_builds>},
        {"cache",
         "show or clear the compiled kernels of bench",
         "They lie in ROCMTUNE_CACHE, else in rocmtune below XDG_CACHE_HOME or ~/.cache, readable "
         "for their owner alone.",
         {"ACTION", "status|clear", "what to do"},
         {{"rocmtune cache status", "where the compiled kernels lie and what they take"}},
         start<run_cache>},
        {"schema",
         "print the JSON Schema of a document",
         "Schemas: report (what --json prints), profile (files in profiles/), and variables, "
         "names, environment, findings, messages, plan and builds (the files of these names in "
         "profiles/).",
         {"NAME", "report|profile|variables|names|environment|findings|messages|plan|builds",
          "which document"},
         {{"rocmtune schema report", "JSON Schema (draft-07) of the document that --json prints"}},
         start<run_schema>},
        {"mcp",
         "let an agent look at this host: the Model Context Protocol on stdin and stdout",
         "Gives probe, check, lint, explain, diagnose, env, plan and builds as tools. They take "
         "text; files are read only below the folders of --allow. No tool starts a program of "
         "others, lets a GPU work, reads the environment of another process, changes a setting or "
         "writes a file; each call ends within 60 seconds and answers with 1 MiB at most. Ends "
         "when standard input does. See rocmtune-mcp(1).",
         {},
         {{"rocmtune mcp", "what an agent is told to start, as a server on stdio"},
          {"rocmtune mcp --allow ~/models", "plan may read the headers of models there"}},
         run_mcp},
        {"completion",
         "print a completion script for a shell",
         "The script completes commands, options and their values.",
         {"SHELL", "bash|zsh|fish", "which shell"},
         {{"rocmtune completion bash > ~/.local/share/bash-completion/completions/rocmtune",
           "completion for one user"}},
         run_completion},
    };
}

}  // namespace

std::span<Command const> all_commands() {
    static std::vector<Command> const commands = make_commands();
    return commands;
}

Command const* find_command(std::string_view name) {
    if (name == "doctor") name = "diagnose";
    for (auto const& command : all_commands())
        if (command.name == name) return &command;
    return nullptr;
}

}  // namespace rocmtune
