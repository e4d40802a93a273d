// SPDX-License-Identifier: MIT
// Whether the GPUs do what they are told, by the trials that were run on them.
// What the short benchmarks of the longer levels say of the GPUs. The limits are ours and far from
// what healthy GPUs reach: they are to find what is broken or held down, not to compare products.
#include "base/text.hpp"
#include "host/subject.hpp"
#include "judge/checks/check.hpp"
#include "knowledge/card_share.hpp"
#include "knowledge/expected_of.hpp"

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

/// Calls `judge` for each GPU that the benchmark ran on; of the others, says why it did not.
template <class F>
void for_each_measured(CheckContext const& context, Verdicts& verdicts, std::string_view benchmark,
                       F const& judge) {
    for (auto const& gpu : context.host.gpus) {
        auto const all = of_gpu(context, gpu, benchmark);
        if (all.empty()) verdicts.skip(subject_of(gpu), unmeasured(context, gpu));
        else judge(gpu, all);
    }
}

/// The first status that occurs decides. What follows a timeout was not run and counts as an error
/// of the benchmark: the timeout is what has happened.
struct Row {
    std::string_view status;
    Verdict verdict;
};
constexpr Row rows[] = {{"wrong-result", Verdict::fail},
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
        if (std::none_of(evidence.begin(), evidence.end(), known))
            evidence.push_back({evidence_of(*one).source, one->status});
    }
    return evidence;
}

bool is_right(Measurement const& one) {
    return one.verified && one.status == "ok";
}

/// `nothing`: the verdict where no result was compared.
void judge_kernels_of(Gpu const& gpu, Measured all, Verdict nothing, Verdicts& verdicts) {
    auto const subject = subject_of(gpu);
    auto const* const first = all.front();
    std::erase_if(all, [](Measurement const* one) { return is_of_library(*one); });
    for (auto const& row : rows)
        if (auto const* const one = with_status(all, row.status)) {
            verdicts.give(row.verdict, subject, text_of(*one)).evidence = evidence_of_bad(all);
            return;
        }
    auto const right =
        std::count_if(all.begin(), all.end(), [](auto const* one) { return is_right(*one); });
    if (right > 0) verdicts.pass(subject, fmt::format("{} results were compared and right", right));
    else verdicts.give(nothing, subject, text_of(*first));
}

/// Why there is no figure to judge: a host that has no library for it, or no memory, is no fault;
/// with everything else nobody knows.
void no_figure(Measured const& all, std::string const& subject, std::string const& otherwise,
               Verdicts& verdicts) {
    auto bad = evidence_of_bad(all);
    std::erase_if(bad, [](Evidence const& one) { return one.value == "no-memory"; });
    if (!bad.empty()) {
        verdicts.unknown(subject, fmt::format("{} is {}", bad[0].source.substr(7), bad[0].value))
            .evidence = bad;
        return;
    }
    verdicts.skip(subject, all.front()->status == "ok" ? otherwise : text_of(*all.front()));
}

Measurement const* best_by_efficiency(Measured const& all) {
    Measurement const* best = nullptr;
    for (auto const* one : all)
        if (one->status == "ok" && one->efficiency &&
            (best == nullptr || *one->efficiency > *best->efficiency))
            best = one;
    return best;
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

Measurement const* best_product(Measured const& all, std::string_view mode) {
    Measurement const* best = nullptr;
    for (auto const* one : all)
        if (one->status == "ok" && one->parameters.mode == mode && one->value &&
            (best == nullptr || *one->value > *best->value))
            best = one;
    return best;
}

/// The type that lasts least.
Measurement const* worst_ratio(Measured const& all) {
    Measurement const* worst = nullptr;
    for (auto const* one : all)
        if (one->status == "ok" && one->unit == "ratio" && one->value &&
            (worst == nullptr || *one->value < *worst->value))
            worst = one;
    return worst;
}

}  // namespace

void judge_liveness(CheckContext const& context, Verdicts& verdicts) {
    if (context.trials.empty())
        return (void)verdicts.skip("host", "nothing was run on the GPUs of this host");
    for (auto const& trial : context.trials) {
        auto const* const gpu = gpu_of(context.host, trial.row);
        if (gpu == nullptr) continue;  // --gpu left it out
        auto const verdict = verdict_of(trial.end);
        auto& finding = verdicts.give(verdict, subject_of(*gpu), trial.message);
        finding.evidence = trial.evidence;
        if (trial.end == TrialEnd::no_runtime) finding.next_step = step_without_hip(*gpu);
        if (verdict == Verdict::fail) finding.action = action_of(trial.end, finding.action);
    }
}

void judge_kernels(CheckContext const& context, Verdicts& verdicts) {
    // A recording has no trials, and nothing of this is due.
    if (context.trials.empty() && context.measurements.empty())
        return (void)verdicts.skip("host", "nothing was measured on the GPUs of this host");
    bool const any =
        std::any_of(context.measurements.begin(), context.measurements.end(), is_right);
    // One GPU that is left out is none of the others' matter; a run that compared nothing at all is
    // no pass.
    auto const nothing = any ? Verdict::skip : Verdict::unknown;
    for (auto const& gpu : context.host.gpus) {
        auto all = of_gpu(context, gpu, "");
        if (all.empty()) verdicts.give(nothing, subject_of(gpu), unmeasured(context, gpu));
        else judge_kernels_of(gpu, std::move(all), nothing, verdicts);
    }
}

void judge_memory_rate(CheckContext const& context, Verdicts& verdicts) {
    for_each_measured(context, verdicts, "bandwidth", [&](Gpu const& gpu, Measured const& all) {
        auto const subject = subject_of(gpu);
        auto const* const best = best_by_efficiency(all);
        if (best == nullptr) {
            no_figure(all, subject, "no figure that the peak of its memory is known for", verdicts);
            return;
        }
        bool const enough = *best->efficiency >= least_of_memory_peak;
        verdicts
            .give(enough ? Verdict::pass : Verdict::warn, subject,
                  fmt::format("{:.4g} GB/s ({}), {:.0f} % of the peak", best->value.value_or(0),
                              best->metric, *best->efficiency * 100))
            .evidence = {evidence_of(*best)};
    });
}

void judge_matrix_rate(CheckContext const& context, Verdicts& verdicts) {
    for_each_measured(context, verdicts, "gemm", [&](Gpu const& gpu, Measured const& all) {
        auto const subject = subject_of(gpu);
        auto const* const best = best_product(all, "burst");
        auto const target = best == nullptr
                                ? std::nullopt
                                : matrix_target(context, gpu, best->parameters.dtype.value_or(""));
        if (best == nullptr) return no_figure(all, subject, "no burst was measured", verdicts);
        if (!target) return (void)verdicts.skip(subject, "nobody states what this product reaches");
        bool const enough = *best->value >= least_of_matrix_target * *target;
        verdicts
            .give(enough ? Verdict::pass : Verdict::warn, subject,
                  fmt::format("{:.4g} TFLOP/s ({}), {:.0f} % of the target", *best->value,
                              best->metric, 100 * *best->value / *target))
            .evidence = {evidence_of(*best), {"profile", fmt::format("{:g} TFLOP/s", *target)}};
    });
}

void judge_sustained_rate(CheckContext const& context, Verdicts& verdicts) {
    for_each_measured(context, verdicts, "gemm", [&](Gpu const& gpu, Measured const& all) {
        auto const subject = subject_of(gpu);
        auto const* const ratio = worst_ratio(all);
        if (ratio == nullptr) {
            no_figure(all, subject, "no library ran long enough to compare with a burst", verdicts);
            return;
        }
        bool const enough = *ratio->value >= least_of_burst;
        verdicts
            .give(enough ? Verdict::pass : Verdict::warn, subject,
                  fmt::format("{}: {:.0f} % of a burst after seconds of work", ratio->metric,
                              *ratio->value * 100))
            .evidence = {evidence_of(*ratio)};
    });
}

}  // namespace rocmtune
