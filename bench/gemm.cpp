// SPDX-License-Identifier: MIT
// Matrix products: the libraries', and our own as a floor that needs none. 2 n^3 operations each.
// Burst is what the first tenths of a second give; sustained, what is left when power or heat have
// had a second to set limits.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/gemm.hpp"

namespace rocmtune::bench {
namespace {

/// On an H200 the last third of 1.5 s is that of 3 s within 0.1 % where power sets no limit, within
/// 2 % where it does; of 1 s it is up to 14 % off, since the power limit swings for a second.
constexpr double sustained_seconds = 1.5;

/// The matrices of one type at a time: they take gigabytes, and several steps use them.
struct KeptInput {
    std::shared_ptr<GemmInput> input;
    double burst = 0;  ///< the library's figure of this type, for the ratio

    GemmInput& get(Session& session, GemmType const& type, std::uint64_t n) {
        if (input == nullptr || &input->type != &type) {
            input.reset();
            auto const bytes = GemmInput::bytes_of(type, n);
            if (bytes > session.budget_bytes())
                throw DeviceError(
                    fmt::format("three matrices take {}, more than half of the free memory",
                                human_bytes(bytes)),
                    "no-memory");
            input =
                std::make_shared<GemmInput>(session.device, type, n, session.options.matrix_units,
                                            session.options.compute_dies);
        }
        return *input;
    }
};

// ---- steps --------------------------------------------------------------------------------------

/// Beside the peak of the type, and beside what the profile's sources expect of the product.
void judge(Session const& session, std::string_view type, Measurement& result) {
    for (auto const& one : session.options.gemm_peaks) {
        if (one.dtype != type) continue;
        set_efficiency(result, one.peak_per_second.value_or(0) * 1e-12);
        if (one.expected_per_second) result.target = *one.expected_per_second * 1e-12;
        if (result.value && result.target && *result.target > *result.value)
            result.labels.emplace_back("below-expectation");
    }
}

void run(Session& session, GemmInput& input, std::string_view library, bool sustained,
         Measurement& result) {
    auto const product = product_of(session.device, input, library);
    if (!product)
        throw DeviceError(library.empty() ? "there is no kernel for this type and target"
                                          : fmt::format("{} is not installed", library),
                          "unsupported");
    result.parameters.kernel = product->kernel;
    if (!product->library.empty()) result.parameters.library = product->library;
    Work work{.queue = product->queue, .amount = operations_of(input.n), .scale = 1e-12};
    work.outputs = {output_of(input, *product)};
    // Libraries may add parts of a sum in the order in which they are ready.
    work.exact = product->library.empty();
    work.check = [&] { return check_of(session.device, input, *product); };
    if (sustained) work.least_seconds = sustained_seconds;
    else work.burst = session.device.info().backend != "cpu";
    measure(session, work, result);
    judge(session, input.type.name, result);
}

/// Of a sustained run the last third counts: the limits have set in by then. All samples are kept.
void keep_the_end(Measurement& result) {
    if (result.status != "ok" || result.samples.size() < 6) return;
    auto const all = result.samples;
    result.samples.assign(all.end() - static_cast<std::ptrdiff_t>(all.size() / 3), all.end());
    std::erase(result.labels, "unsteady");
    summarize_into(result);
    result.samples = all;
}

/// The steps of one type and one implementation.
void add_steps(Session& session, std::shared_ptr<KeptInput> const& kept, GemmType const& type,
               std::string_view library, std::vector<Step>& steps) {
    auto const n = gemm_side(session);
    auto const draft = [&](std::string_view mode, std::string_view unit) {
        auto it =
            draft_of(session, "gemm",
                     fmt::format("{}-{}", type.name, library.empty() ? "own" : library), unit);
        it.parameters.dtype = type.name;
        it.parameters.size = n;
        it.parameters.mode = mode;
        if (unit != "ratio") it.parameters.counting = "2 n^3 operations";
        return it;
    };
    steps.push_back({draft("burst", "TFLOP/s"), [=, &session, &type](Measurement& result) {
                         run(session, kept->get(session, type, n), library, false, result);
                         kept->burst = result.value.value_or(0);
                     }});
    bool const long_runs =
        !library.empty() && !session.options.quick && session.device.info().backend != "cpu";
    if (!long_runs) return;
    auto const sustained = std::make_shared<double>(0);
    steps.push_back({draft("sustained", "TFLOP/s"),
                     [=, &session, &type](Measurement& result) {
                         run(session, kept->get(session, type, n), library, true, result);
                         keep_the_end(result);
                         *sustained = result.value.value_or(0);
                     },
                     true});
    steps.push_back({draft("sustained / burst", "ratio"), [=](Measurement& result) {
                         complete_ratio(*sustained, kept->burst, result);
                     }});
}

}  // namespace

std::vector<Step> plan_gemm(Session& session) {
    std::vector<Step> steps;
    auto const kept = std::make_shared<KeptInput>();
    auto const& info = session.device.info();
    for (auto const& type : gemm_types()) {
        if (!session.options.dtype.empty() && session.options.dtype != type.name) continue;
        if (has_own_kernel(session.options.matrix_units, type.name))
            add_steps(session, kept, type, "", steps);
        for (auto const& library : gemm_libraries())
            if (library.backend == info.backend && library.has(type.name))
                add_steps(session, kept, type, library.name, steps);
    }
    return steps;
}

}  // namespace rocmtune::bench
