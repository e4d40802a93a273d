// SPDX-License-Identifier: MIT
// Whether the GPUs do what they are told, by the trials that were run on them,
// and what the short benchmarks of the longer levels say of the GPUs. The limits are ours and far
// from what healthy GPUs reach: they are to find what is broken or held down, not to compare
// products.
#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"
#include "knowledge/products.hpp"

namespace rocmtune {
namespace {

/// A process that even SIGKILL does not end is proof of a fault; one that was only late may have
/// been slow.
Verdict verdict_of(TrialEnd end) {
    switch (end) {
        case TrialEnd::verified: return Verdict::pass;
        case TrialEnd::wrong:
        case TrialEnd::refused:
        case TrialEnd::crashed:
        case TrialEnd::unkillable: return Verdict::fail;
        case TrialEnd::late: return Verdict::timeout;
        case TrialEnd::not_possible:
        case TrialEnd::not_allowed: return Verdict::skip;
        case TrialEnd::no_runtime:
        case TrialEnd::not_known: break;
    }
    return Verdict::unknown;
}

/// What a wrong answer or a stuck process asks for, where the general advice is a reset.
Action action_of(TrialEnd end, Action usual) {
    if (end == TrialEnd::wrong) return Action::isolate;
    return end == TrialEnd::unkillable ? Action::reboot : usual;
}

Gpu const* gpu_of(Host const& host, std::uint64_t row) {
    for (auto const& gpu : host.gpus)
        if (gpu.row.value_or(0) == row) return &gpu;
    return nullptr;
}

/// Distributions have ROCm 5 for long: newer chips need AMD's packages.
std::string step_without_hip(Gpu const& gpu) {
    static constexpr std::string_view old_targets[] = {"gfx900", "gfx906", "gfx908", "gfx90a",
                                                       "gfx1030"};
    bool const old =
        std::ranges::find(old_targets, gpu.gfx_target.value_or("")) != std::end(old_targets);
    return old ? "{install-hip}   # lets rocmtune use the GPU; --skip liveness does without"
               : "sudo apt install hip-runtime-amd || sudo dnf install hip-runtime-amd   # from "
                 "AMD's repository (repo.radeon.com/rocm), lets rocmtune use the GPU; --skip "
                 "liveness does without";
}

constexpr double least_of_memory_peak = 0.6;
constexpr double least_of_matrix_target = 0.5;
constexpr double least_of_burst = 0.7;

using Measured = std::vector<Measurement const*>;

/// An empty name stands for all benchmarks.
Measured of_gpu(CheckContext const& context, Gpu const& gpu, std::string_view benchmark) {
    Measured found;
    for (auto const& one : context.measurements)
        if (one.gpu == gpu.row.value() && (benchmark.empty() || one.benchmark == benchmark))
            found.push_back(&one);
    return found;
}

/// Why nothing was measured on a GPU: its trial says, or it was busy.
std::string unmeasured(CheckContext const& context, Gpu const& gpu) {
    for (auto const& trial : context.trials)
        if (trial.row == gpu.row.value() && trial.end != TrialEnd::verified)
            return "not measured: " + trial.message;
    if (!gpu.busy_percent) return "not measured";
    return fmt::format("not measured: it is busy ({} %); --force measures it all the same",
                       *gpu.busy_percent);
}

Measurement const* with_status(Measured const& all, std::string_view status) {
    for (auto const* one : all)
        if (one->status == status) return one;
    return nullptr;
}

std::string text_of(Measurement const& one) {
    auto const detail = one.detail ? ": " + printable(*one.detail) : std::string();
    return fmt::format("{} {} is {}{}", one.benchmark, one.metric, one.status, detail);
}

Evidence evidence_of(Measurement const& one) {
    auto text = one.value ? fmt::format("{:.4g} {}", *one.value, one.unit) : one.status;
    for (auto const& label : one.labels) text += " " + label;
    return {fmt::format("bench: {} {}", one.benchmark, one.metric), text};
}

/// The first status that occurs decides. What follows a timeout was not run and counts as an error
/// of the benchmark: the timeout is what has happened.
struct FigureRow {
    std::string_view status;
    Verdict verdict;
};
constexpr FigureRow figure_rows[] = {{"wrong-result", Verdict::fail},
                                     {"lost", Verdict::fail},
                                     {"timeout", Verdict::timeout},
                                     {"error", Verdict::fail},
                                     {unfinished_status, Verdict::unknown}};

/// An error of a matrix library proves nothing against the GPU: many have no kernels for it.
bool is_of_library(Measurement const& one) {
    return one.benchmark == "gemm" && one.status == "error";
}

/// The figures that say so, each once: which kernels are concerned tells what is broken.
std::vector<Evidence> evidence_of_bad(Measured const& all) {
    std::vector<Evidence> evidence;
    for (auto const* one : all) {
        if (one->status == "ok" || one->status == "unsupported") continue;
        auto const known = [&](Evidence const& other) {
            return other.source == evidence_of(*one).source && other.value == one->status;
        };
        if (std::ranges::none_of(evidence, known))
            evidence.push_back({evidence_of(*one).source, one->status});
    }
    return evidence;
}

bool is_right(Measurement const& one) {
    return one.verified && one.status == "ok";
}

/// `nothing`: the verdict where no result was compared.
void judge_kernels_of(Measured all, Verdict nothing, Verdicts const& verdicts) {
    auto const* const first = all.front();
    std::erase_if(all, [](Measurement const* one) { return is_of_library(*one); });
    for (auto const& row : figure_rows)
        if (auto const* const one = with_status(all, row.status))
            return (void)verdicts.give(row.verdict, text_of(*one), evidence_of_bad(all));
    auto const right = std::ranges::count_if(all, [](auto const* one) { return is_right(*one); });
    if (right > 0) verdicts.pass(fmt::format("{} results were compared and right", right));
    else verdicts.give(nothing, text_of(*first));
}

/// Why there is no figure to judge: a host that has no library for it, or no memory, is no fault;
/// with everything else nobody knows.
void no_figure(Measured const& all, std::string const& otherwise, Verdicts const& verdicts) {
    auto bad = evidence_of_bad(all);
    std::erase_if(bad, [](Evidence const& one) { return one.value == "no-memory"; });
    if (!bad.empty())
        return verdicts.unknown(fmt::format("{} is {}", bad[0].source.substr(7), bad[0].value),
                                bad);
    verdicts.skip(all.front()->status == "ok" ? otherwise : text_of(*all.front()));
}

/// One figure of each GPU that a benchmark ran on, against a limit; of the others, why it did not
/// run.
struct Rate {
    std::string_view benchmark;
    std::string none;  ///< what is said where no measurement has one
    /// The figure of a measurement, if it is of this kind; the largest counts, or the least.
    std::optional<double> (*figure_of)(Measurement const&);
    bool least = false;
};

template <class F>
void judge_rate(CheckContext const& context, Rate const& rate, Verdicts const& verdicts,
                F const& judge) {
    for (auto const& gpu : context.host.gpus) {
        auto const at = verdicts.about(subject_of(gpu));
        auto const all = of_gpu(context, gpu, rate.benchmark);
        if (all.empty()) {
            at.skip(unmeasured(context, gpu));
            continue;
        }
        Measurement const* best = nullptr;
        for (auto const* one : all) {
            auto const figure = one->status == "ok" ? rate.figure_of(*one) : std::nullopt;
            if (!figure) continue;
            auto const known = best != nullptr ? *rate.figure_of(*best) : *figure;
            if (best == nullptr || (rate.least ? *figure < known : *figure > known)) best = one;
        }
        if (best == nullptr) no_figure(all, rate.none, at);
        else judge(gpu, *best, at);
    }
}

/// What is expected of this product's matrix products of this type, in TFLOP/s. Nothing for
/// partitions: a target is for the whole card.
std::optional<double> matrix_target(CheckContext const& context, Gpu const& gpu,
                                    std::string const& type) {
    auto const* const product = product_of(context.chips, gpu);
    if (product == nullptr || compute_partitions_of(gpu, product) != 1U) return std::nullopt;
    auto const* const chip = context.chips.find_chip(product->gfx_target);
    if (chip == nullptr) return std::nullopt;
    auto const expected = expected_of(*chip, *product, "gemm", type);
    return expected ? std::optional(*expected * 1e-12) : std::nullopt;
}

void judge_liveness(CheckContext const& context, Verdicts const& verdicts) {
    if (context.trials.empty()) return verdicts.skip("nothing was run on the GPUs of this host");
    for (auto const& trial : context.trials) {
        auto const* const gpu = gpu_of(context.host, trial.row);
        if (gpu == nullptr) continue;  // --gpu left it out
        auto const verdict = verdict_of(trial.end);
        auto& finding =
            verdicts.about(subject_of(*gpu)).give(verdict, trial.message, trial.evidence);
        if (trial.end == TrialEnd::no_runtime) finding.next_step = step_without_hip(*gpu);
        if (verdict == Verdict::fail) finding.action = action_of(trial.end, finding.action);
    }
}

void judge_kernels(CheckContext const& context, Verdicts const& verdicts) {
    // A recording has no trials, and nothing of this is due.
    if (context.trials.empty() && context.measurements.empty())
        return verdicts.skip("nothing was measured on the GPUs of this host");
    bool const any = std::ranges::any_of(context.measurements, is_right);
    // One GPU that is left out is none of the others' matter; a run that compared nothing at all is
    // no pass.
    auto const nothing = any ? Verdict::skip : Verdict::unknown;
    for (auto const& gpu : context.host.gpus) {
        auto all = of_gpu(context, gpu, "");
        auto const at = verdicts.about(subject_of(gpu));
        if (all.empty()) at.give(nothing, unmeasured(context, gpu));
        else judge_kernels_of(std::move(all), nothing, at);
    }
}

void judge_memory_rate(CheckContext const& context, Verdicts const& verdicts) {
    Rate const rate{"bandwidth", "no figure that the peak of its memory is known for",
                    [](Measurement const& one) { return one.efficiency; }};
    judge_rate(context, rate, verdicts,
               [](Gpu const&, Measurement const& best, Verdicts const& at) {
                   at.give(*best.efficiency >= least_of_memory_peak ? Verdict::pass : Verdict::warn,
                           fmt::format("{:.4g} GB/s ({}), {:.0f} % of the peak",
                                       best.value.value_or(0), best.metric, *best.efficiency * 100),
                           {evidence_of(best)});
               });
}

void judge_matrix_rate(CheckContext const& context, Verdicts const& verdicts) {
    Rate const rate{"gemm", "no burst was measured", [](Measurement const& one) {
                        return one.parameters.mode == "burst" ? one.value : std::nullopt;
                    }};
    judge_rate(
        context, rate, verdicts, [&](Gpu const& gpu, Measurement const& best, Verdicts const& at) {
            auto const target = matrix_target(context, gpu, best.parameters.dtype.value_or(""));
            if (!target) return at.skip("nobody states what this product reaches");
            bool const enough = *best.value >= least_of_matrix_target * *target;
            at.give(enough ? Verdict::pass : Verdict::warn,
                    fmt::format("{:.4g} TFLOP/s ({}), {:.0f} % of the target", *best.value,
                                best.metric, 100 * *best.value / *target),
                    {evidence_of(best), {"profile", fmt::format("{:g} TFLOP/s", *target)}});
        });
}

void judge_sustained_rate(CheckContext const& context, Verdicts const& verdicts) {
    // The type that lasts least.
    Rate const rate{
        "gemm", "no library ran long enough to compare with a burst",
        [](Measurement const& one) { return one.unit == "ratio" ? one.value : std::nullopt; },
        true};
    judge_rate(context, rate, verdicts,
               [](Gpu const&, Measurement const& ratio, Verdicts const& at) {
                   at.give(*ratio.value >= least_of_burst ? Verdict::pass : Verdict::warn,
                           fmt::format("{}: {:.0f} % of a burst after seconds of work",
                                       ratio.metric, *ratio.value * 100),
                           {evidence_of(ratio)});
               });
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check measured_rows[] = {
    {"RT3801", "liveness", "liveness", quick, true, anywhere, judge_liveness},
    {"RT3802", "kernels", "measured", medium, true, anywhere, judge_kernels},
    {"RT3803", "memory-rate", "measured", medium, false, anywhere, judge_memory_rate},
    {"RT3804", "matrix-rate", "measured", medium, false, anywhere, judge_matrix_rate},
    {"RT3805", "sustained-rate", "measured", long_, false, anywhere, judge_sustained_rate},
};
// clang-format on

}  // namespace

std::span<Check const> measured_checks() {
    return measured_rows;
}

}  // namespace rocmtune
