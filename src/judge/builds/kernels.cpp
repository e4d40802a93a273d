// SPDX-License-Identifier: MIT
// AMD's table of kernels for the processors of RDNA3.5: its binaries of ROCm need fixes there.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/builds/candidate.hpp"

namespace rocmtune {
namespace {

bool is_at_least(std::string_view version, std::string_view least) {
    auto const order = compare_versions(version, least);
    return order && *order >= 0;
}

/// "6.17.0-19-generic" against "6.17.0-19.19~24.04.2": the release, then the build of Ubuntu.
bool has_ubuntu_build(std::string_view here, std::string_view least) {
    auto const [base, build] = split_once(here, '-').value_or(std::pair{here, ""});
    auto const [least_base, least_build] = split_once(least, '-').value_or(std::pair{least, ""});
    auto const order = compare_versions(base, least_base);
    if (!order || *order != std::strong_ordering::equal) return false;
    auto const number = leading_real(build), least_number = leading_real(least_build);
    return number && least_number && static_cast<long>(*number) >= static_cast<long>(*least_number);
}

bool has_fixes(KernelRequirement const& row, Host const& host) {
    auto const release = distribution_release(host);
    if (contains(row.has_fixes, release)) return true;
    auto const& kernel = *host.kernel_release;
    auto const* const branch = kernel.find("-oem") == kernel.npos ? "hwe" : "oem";
    auto const found = row.distribution_kernels.find(fmt::format("{} {}", release, branch));
    return found != row.distribution_kernels.end() && has_ubuntu_build(kernel, found->second);
}

/// The row of the build's ROCm; a release stands for its patches, too.
KernelRelease const* release_of(KernelRequirement const& row, std::string_view rocm) {
    for (auto const& one : row.releases)
        if (is_at_least(rocm, one.rocm_since) &&
            (is_at_least(one.rocm_until, rocm) || rocm.starts_with(one.rocm_until + '.')))
            return &one;
    return nullptr;
}

bool concerns(KernelRequirement const& row, BuildTexts const& targets) {
    return row.kernel && std::ranges::any_of(targets, [&](auto const& target) {
               return contains(row.targets, target);
           });
}

}  // namespace

void judge_kernel(BuildsContext const& context, Candidate& candidate) {
    auto const& host = *context.question.host;
    auto const& rocm = candidate.build->rocm;
    for (auto const& row : context.data.kernel_requirements) {
        if (!concerns(row, context.targets) || !rocm) continue;
        if (!host.kernel_release) {
            candidate.not_known.emplace_back("the kernel");
            continue;
        }
        auto const& kernel = *host.kernel_release;
        bool const is_new = is_at_least(kernel, *row.kernel), is_fixed = has_fixes(row, host);
        auto const* const release = release_of(row, *rocm);
        auto const& word = release == nullptr ? std::string()
                           : is_new           ? release->new_kernels
                           : is_fixed         ? release->fixed_kernels
                                              : release->older;
        auto const asks = fmt::format(
            "AMD asks for Linux {} or a kernel of a distribution with "
            "its fixes",
            *row.kernel);
        if (word == "unsupported")
            candidate.against.push_back(fmt::format(
                "AMD's table has ROCm {} as unsupported with this kernel ({})", *rocm, kernel));
        else if (word == "unstable")
            candidate.notes.push_back(
                fmt::format("ROCm {} is unstable with this kernel ({}): {}.", *rocm, kernel, asks));
        else if (word.empty() && !is_new && !is_fixed)
            candidate.notes.push_back(fmt::format(
                "This kernel is {}; of earlier releases than ROCm {} {}.", kernel, *rocm, asks));
    }
}

}  // namespace rocmtune
