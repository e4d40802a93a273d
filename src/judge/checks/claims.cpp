// SPDX-License-Identifier: MIT
#include "judge/checks/claims.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "knowledge/products.hpp"

namespace rocmtune {
namespace {

/// Above this share of the stated bandwidth the statement is wrong, not the card: 2 % is left for
/// clocks above their nominal value.
constexpr double most_of_peak = 1.02;
/// A statement that is wrong is so by a factor: data rates differ by twice and more. Of a right one
/// a copy on an H200 reaches 0.89 (bench/self); this leaves room for half of that.
constexpr double least_of_peak = 0.4;
/// Ours: the driver keeps a part of the memory, and what is stated may be rounded.
constexpr double least_of_memory = 0.95;
constexpr double most_of_memory = 1.01;

/// The claims about one GPU.
class ClaimJudge {
  public:
    ClaimJudge(Gpu const& gpu, Product const* product, CardRuns const& runs)
        : gpu_(gpu), product_(product), runs_(runs) {}

    std::vector<CardClaim> all(std::optional<double> peak) {
        target();
        sizes();
        bandwidth(peak);
        kernels();
        hip_path();
        indices();
        return std::move(claims_);
    }

  private:
    void add(std::string what, std::string claimed, std::string found, ClaimEnd end) {
        claims_.push_back(
            {subject_of(gpu_), std::move(what), std::move(claimed), std::move(found), end});
    }

    static ClaimEnd end_of(bool holds) { return holds ? ClaimEnd::held : ClaimEnd::failed; }

    /// A claim about a number that can be compared only where both sides have it.
    template <class T, class Holds>
    void number(std::string what, std::optional<T> claimed, Fact<std::uint64_t> const& found,
                std::string (*text)(std::uint64_t), Holds holds) {
        auto const said = claimed ? text(*claimed) : std::string();
        if (is_partition(gpu_))
            return add(std::move(what), said, "a partition of the card", ClaimEnd::not_reached);
        if (!found) return add(std::move(what), said, "not known here", ClaimEnd::not_reached);
        add(std::move(what), said, text(*found),
            claimed ? end_of(holds(static_cast<double>(*claimed), static_cast<double>(*found)))
                    : ClaimEnd::not_reached);
    }

    static std::string plain(std::uint64_t number) { return fmt::format("{}", number); }
    static std::string bytes(std::uint64_t number) { return human_bytes(number); }

    void target() {
        auto const found = gpu_.gfx_target.value_or("");
        auto const claimed =
            product_ == nullptr ? std::string() : std::string(product_->gfx_target);
        auto const name = gpu_.marketing_name.value_or("no name");
        add("gfx target", claimed,
            found.empty() ? "not known here" : fmt::format("{}, {}", found, name),
            claimed.empty() || found.empty() ? ClaimEnd::not_reached : end_of(claimed == found));
    }

    void sizes() {
        auto const equal = [](double claimed, double found) { return claimed == found; };
        auto const about_equal = [](double claimed, double found) {
            return found >= least_of_memory * claimed && found <= most_of_memory * claimed;
        };
        Product const nothing{};
        auto const& product = product_ != nullptr ? *product_ : nothing;
        number("compute units", product.compute_units, gpu_.compute_units, plain, equal);
        number("memory", product.vram_bytes, gpu_.vram_bytes, bytes, about_equal);
        number("last-level cache", product.last_level_cache_bytes, gpu_.last_level_cache_bytes,
               bytes, equal);
    }

    std::vector<Measurement const*> measured(std::string_view benchmark = {}) const {
        std::vector<Measurement const*> own;
        for (auto const& one : runs_.bench)
            if (one.gpu && *one.gpu == gpu_.row.value_or(0) && one.backend == "hip" &&
                (benchmark.empty() || one.benchmark == benchmark))
                own.push_back(&one);
        return own;
    }

    /// By the quickest figure of memory; what came out of a cache says nothing of it.
    void bandwidth(std::optional<double> peak) {
        Measurement const* best = nullptr;
        for (auto const* one : measured("bandwidth")) {
            bool const cached = std::ranges::count(one->labels, "in-cache") > 0;
            bool const counts = one->value && one->verified && !cached &&
                                !one->metric.starts_with("host") &&
                                !one->metric.ends_with("host") && !one->metric.starts_with("peer");
            if (counts && (best == nullptr || *one->value > *best->value)) best = one;
        }
        auto const claimed =
            peak ? fmt::format("{:.0f} GB/s at most", *peak * 1e-9) : std::string();
        if (best == nullptr)
            return add("memory bandwidth", claimed, "no verified figure", ClaimEnd::not_reached);
        auto const found = fmt::format("{:.0f} GB/s by {}", *best->value, best->metric);
        if (!peak) return add("memory bandwidth", claimed, found, ClaimEnd::not_reached);
        auto const share = *best->value / (*peak * 1e-9);
        add("memory bandwidth", claimed, found,
            end_of(share >= least_of_peak && share <= most_of_peak));
    }

    void kernels() {
        auto const all = measured();
        std::ptrdiff_t asked = 0, right = 0;
        std::string first;
        for (auto const* one : all) {
            if (one->status == "unsupported") continue;
            ++asked;
            if (one->status == "ok" && one->verified) ++right;
            else if (first.empty())
                first = fmt::format("; {} {}: {}", one->benchmark, one->metric, one->status);
        }
        if (asked == 0)
            return add("kernels", "right results", "none was run", ClaimEnd::not_reached);
        add("kernels", "right results", fmt::format("{} of {} right{}", right, asked, first),
            end_of(right == asked));
    }

    /// The result of a check about this GPU, or null.
    Finding const* check_of(std::string_view id) const {
        for (auto const& finding : runs_.check)
            if (finding.id == id && finding.subject == subject_of(gpu_)) return &finding;
        return nullptr;
    }

    void hip_path() {
        auto const* const alive = check_of("RT3801");
        if (alive == nullptr)
            return add("HIP", "opens, copies, computes", "not tried", ClaimEnd::not_reached);
        bool const decided = alive->verdict == Verdict::pass || alive->verdict == Verdict::fail;
        add("HIP", "opens, copies, computes", alive->message,
            decided ? end_of(alive->verdict == Verdict::pass) : ClaimEnd::not_reached);
    }

    /// Findings RT1nnn are about sources that contradict each other.
    void indices() {
        auto const number = [](char const* who, Fact<std::uint64_t> const& index) {
            return index ? fmt::format("{} {}", who, *index) : fmt::format("{} unknown", who);
        };
        auto text =
            fmt::format("row {}, {}, {}, {}", gpu_.row.value_or(0), number("HIP", gpu_.hip_index),
                        number("ROCr", gpu_.rocr_index), number("SMI", gpu_.smi_index));
        for (auto const& finding : runs_.check)
            if (finding.id.starts_with("RT1") && finding.subject == subject_of(gpu_) &&
                (finding.verdict == Verdict::warn || finding.verdict == Verdict::fail))
                return add("indices", "all sources agree", finding.message, ClaimEnd::failed);
        bool const known = gpu_.hip_index.has_value() && gpu_.rocr_index.has_value();
        add("indices", "all sources agree", std::move(text),
            known ? ClaimEnd::held : ClaimEnd::not_reached);
    }

    Gpu const& gpu_;
    Product const* product_;
    CardRuns const& runs_;
    std::vector<CardClaim> claims_ = {};
};

/// Whether measuring with and without nothing finds nothing, so that what verify says of settings
/// can be relied on here.
CardClaim settings(CardRuns const& runs) {
    CardClaim claim{"host", "settings", "verify finds no effect where nothing is set", "not tried"};
    for (auto const& finding : runs.verification) {
        if (!finding.id.starts_with("RT600")) continue;
        claim.found = finding.message;
        if (finding.id == "RT6006") claim.end = ClaimEnd::held;
        if (finding.id == "RT6007") claim.end = ClaimEnd::failed;
    }
    return claim;
}

}  // namespace

std::string_view claim_end_text(ClaimEnd end) {
    switch (end) {
        case ClaimEnd::held: return "held";
        case ClaimEnd::failed: return "**failed**";
        case ClaimEnd::not_reached: break;
    }
    return "not reached";
}

std::vector<CardClaim> judge_claims(Host const& host, ChipSet const& chips, CardRuns const& runs,
                                    std::optional<double> (*peak)(ChipSet const&, Gpu const*)) {
    std::vector<CardClaim> claims;
    for (auto const& gpu : host.gpus) {
        auto own = ClaimJudge(gpu, product_of(chips, gpu), runs).all(peak(chips, &gpu));
        std::ranges::move(own, std::back_inserter(claims));
    }
    if (!host.gpus.empty()) claims.push_back(settings(runs));
    return claims;
}

}  // namespace rocmtune
