// SPDX-License-Identifier: MIT
#include "judge/lint/mapped_libraries.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/lint/judgement.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

/// Libraries of ROCm that lie in its own directory for libraries, and nowhere else by right.
constexpr std::array<std::string_view, 14> libraries{
    "libamdhip64",  "libhiprtc",  "libhsa-runtime64", "libamd_comgr", "librocblas",
    "libhipblaslt", "libhipblas", "librocsolver",     "librocsparse", "librocfft",
    "librocrand",   "libMIOpen",  "libmigraphx",      "librccl"};

/// libamdhip64 of /opt/rocm/lib/libamdhip64.so.6, also where auditwheel has put a hash behind it
/// (libamdhip64-46b24d76.so.4); empty for any other file.
std::string_view library_of(std::string_view path) {
    auto const file = path.substr(path.rfind('/') + 1);
    auto const end = file.find(".so");
    if (end == file.npos) return {};
    for (auto const name : libraries) {
        if (!file.starts_with(name)) continue;
        auto const rest = file.substr(name.size(), end - name.size());
        constexpr std::size_t hash_digits = 8;
        bool const is_hash = rest.size() == hash_digits + 1 && rest.front() == '-';
        if (rest.empty() || is_hash) return name;
    }
    return {};
}

/// The tree that a library belongs to. Old releases had a directory for each component.
std::string tree_of(std::string_view path) {
    constexpr std::string_view opt = "/opt/";
    auto const directory = path.substr(0, path.rfind('/'));
    if (!path.starts_with(opt)) return std::string(directory);
    return std::string(directory.substr(0, directory.find('/', opt.size())));
}

/// Address, permissions, offset, device, inode and then the path, which may have blanks in it.
std::string_view path_of(std::string_view line) {
    auto const at = line.find('/');
    auto path = at == line.npos ? std::string_view() : line.substr(at);
    constexpr std::string_view deleted = " (deleted)";
    if (path.ends_with(deleted)) path.remove_suffix(deleted.size());
    return path;
}

Finding mixed(std::string_view name, Certainty certainty, std::string message,
              std::set<std::string> const& places) {
    bool const certain = certainty == Certainty::certain;
    auto finding = make_finding(mixed_trees.id, certain ? mixed_trees.verdict : Verdict::info,
                                "host", fmt::format("{}: {}", name, message));
    finding.setting = SettingPlace{.lint_class = mixed_trees.lint_class,
                                   .certain = certain,
                                   .name = std::string(name),
                                   .fix =
                                       "start the process with one installation in "
                                       "LD_LIBRARY_PATH, or with the framework's alone"};
    for (auto const& place : places) finding.evidence.push_back({"maps", printable(place)});
    return finding;
}

}  // namespace

std::vector<Finding> lint_mapped_libraries(std::string_view maps) {
    std::map<std::string_view, std::set<std::string>> copies;
    std::set<std::string> trees;
    for (auto const line : split(maps, '\n')) {
        auto const path = path_of(line);
        auto const name = library_of(path);
        if (name.empty()) continue;
        copies[name].emplace(path);
        trees.insert(tree_of(path));
    }
    std::vector<Finding> findings;
    for (auto const& [name, paths] : copies)
        if (paths.size() > 1)
            findings.push_back(mixed(
                name, Certainty::certain,
                fmt::format("the process has {} copies of it, each with a "
                            "state of its own: {}",
                            paths.size(), printable(fmt::format("{}", fmt::join(paths, ", ")))),
                paths));
    if (findings.empty() && trees.size() > 1)
        findings.push_back(
            mixed("ROCm", Certainty::note,
                  fmt::format("the process takes libraries from {} installations: {}", trees.size(),
                              printable(fmt::format("{}", fmt::join(trees, ", ")))),
                  trees));
    return findings;
}

}  // namespace rocmtune
