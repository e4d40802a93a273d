// SPDX-License-Identifier: MIT
#include "machine/search_path.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/system_libraries.hpp"
#include "machine/trusted_path.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view path_assignment = "LD_LIBRARY_PATH=";
constexpr std::string_view left_out_assignment = "ROCMTUNE_LEFT_OUT=";

/// Directories for processors below each one that is searched. Those of glibc-hwcaps belong to
/// glibc 2.33 and newer (sysdeps/x86_64/dl-hwcap_subdirs.c and its like); the others are nested in
/// each other and belong to glibc before 2.37 (elf/dl-hwcaps.c: tls, the platform and the bits of
/// the processor, sysdeps/*/dl-procinfo.c).
constexpr std::array<std::string_view, 19> processor_directories{
    "glibc-hwcaps", "x86-64-v2", "x86-64-v3", "x86-64-v4", "power8", "power9",  "power10",
    "z13",          "z14",       "z15",       "z16",       "tls",    "haswell", "xeon_phi",
    "avx512_1",     "x86_64",    "aarch64",   "atomics",   "altivec"};
constexpr int deepest_nest = 4;

void add_searched(std::string const& directory, int depth, std::vector<std::string>& found) {
    found.push_back(directory);
    for (auto const name : processor_directories) {
        auto const below = fmt::format("{}/{}", directory, name);
        if (depth > 0 && is_there(below)) add_searched(below, depth - 1, found);
    }
}

std::string distrust_element(std::string_view element) {
    auto const text = std::string(element);
    if (element.empty()) {
        std::error_code error;
        auto const here = std::filesystem::current_path(error);
        return error ? "the working directory is unknown"
                     : distrust_place(walk_path(here.string()), root_alone());
    }
    if (element.find('$') != element.npos) return text + " holds a word that only the loader knows";
    if (!element.starts_with('/')) return text + " is a relative path";
    return distrust_searched(text);
}

std::string joined(std::vector<std::string> const& elements) {
    return fmt::format("{}", fmt::join(elements, ":"));
}

}  // namespace

bool is_there(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::symlink_status(path, ignored).type() !=
           std::filesystem::file_type::not_found;
}

std::vector<std::string_view> split_search_path(std::string_view text,
                                                std::string_view separators) {
    std::vector<std::string_view> elements;
    for (std::size_t at = 0; !text.empty() && at <= text.size();) {
        auto const end = std::min(text.find_first_of(separators, at), text.size());
        elements.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return elements;
}

std::optional<std::string> expand_origin(std::string_view element, std::string_view origin) {
    std::string expanded;
    while (!element.empty()) {
        auto const at = std::min(element.find('$'), element.size());
        expanded += element.substr(0, at);
        element.remove_prefix(at);
        if (element.empty()) break;
        bool found = false;
        for (std::string_view const word : {"$ORIGIN", "${ORIGIN}"}) {
            if (found || !element.starts_with(word)) continue;
            expanded += origin;
            element.remove_prefix(word.size());
            found = true;
        }
        if (!found) return std::nullopt;
    }
    return expanded;
}

std::vector<std::string> searched_directories(std::string const& directory) {
    std::vector<std::string> found;
    add_searched(directory, deepest_nest, found);
    return found;
}

std::string distrust_searched(std::string const& directory) {
    auto const trust = root_alone();
    for (auto const& searched : searched_directories(directory))
        if (auto why = distrust_place(walk_path(searched), trust);
            !why.empty() && !system_libraries().are_in(searched))
            return why;
    return {};
}

JudgedSearchPath judge_search_path(std::string_view text) {
    JudgedSearchPath judged;
    for (auto const element : split_search_path(text, ":;")) {
        auto why = distrust_element(element);
        if (!why.empty()) judged.left_out.push_back({std::string(element), std::move(why)});
        else if (!element.empty()) judged.kept.emplace_back(element);
    }
    return judged;
}

void keep_trusted_search_path(std::vector<std::string>& environment) {
    if (!has_rights_of_its_own()) return;
    std::erase_if(environment,
                  [](auto const& line) { return line.starts_with(left_out_assignment); });
    std::vector<std::string> left_out;
    for (auto& line : environment) {  // of two lines the loader takes the last, getenv(3) the first
        if (!line.starts_with(path_assignment)) continue;
        auto const judged =
            judge_search_path(std::string_view(line).substr(path_assignment.size()));
        line = std::string(path_assignment) + joined(judged.kept);
        for (auto const& one : judged.left_out) left_out.push_back(one.element);
    }
    if (!left_out.empty())
        environment.push_back(std::string(left_out_assignment) + joined(left_out));
}

}  // namespace rocmtune
