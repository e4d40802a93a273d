// SPDX-License-Identifier: MIT
#include "machine/gpu_packages.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Starts of names, behind "lib" and "python3-".
constexpr std::array<std::string_view, 27> starts{
    "rocm",      "roc-",     "rocr",      "rocblas",    "rocfft",     "rocrand",   "rocsparse",
    "rocsolver", "rocprof",  "roctracer", "rocdecode",  "hip",        "hsa",       "hsakmt",
    "amdgpu",    "amd-smi",  "amdsmi",    "amd-gpu-",   "amdhip",     "amd-comgr", "comgr",
    "miopen",    "migraphx", "rccl",      "drm-amdgpu", "composable", "tensile"};

/// Of firmware, of kernels and of what modules are built with.
constexpr std::array<std::string_view, 10> others{
    "linux-firmware", "firmware-amd", "kernel-firmware", "linux-headers", "kernel-devel",
    "kernel-headers", "dkms",         "llvm-amdgpu",     "hsakmt-roct",   "kernel-uek-devel"};

template <class List>
bool starts_with_one(std::string_view name, List const& list) {
    return std::ranges::any_of(list, [&](std::string_view one) { return name.starts_with(one); });
}

/// The paragraphs of dpkg's list that are about such a package.
std::string dpkg_paragraphs(std::string_view status) {
    constexpr std::string_view field = "Package: ";
    std::string kept;
    while (!status.empty()) {
        auto const end = std::min(status.find("\n\n"), status.size());
        auto const paragraph = status.substr(0, end);
        auto const line = paragraph.substr(0, paragraph.find('\n'));
        if (line.starts_with(field) && concerns_gpus(line.substr(field.size())))
            kept.append(paragraph).append("\n\n");
        status.remove_prefix(std::min(end + 2, status.size()));
    }
    return kept;
}

std::string dnf_lines(std::string_view text) {
    std::string kept;
    for (auto const line : lines(text))
        if (line.starts_with('"') && concerns_gpus(line.substr(1))) kept.append(line).append("\n");
    return kept;
}

}  // namespace

bool concerns_gpus(std::string_view package) {
    if (starts_with_one(package, others)) return true;
    for (std::string_view const prefix : {"python3-", "lib"})
        if (package.starts_with(prefix)) package.remove_prefix(prefix.size());
    return starts_with_one(package, starts);
}

std::string gpu_packages_of(std::string_view path, std::string_view text) {
    if (path == dpkg_status) return dpkg_paragraphs(text);
    return path == dnf_packages ? dnf_lines(text) : std::string(text);
}

}  // namespace rocmtune
