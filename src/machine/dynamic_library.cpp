// SPDX-License-Identifier: MIT
#include "machine/dynamic_library.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/posix_file.hpp"
#include "machine/trusted_library.hpp"
#include "machine/trusted_path.hpp"

namespace rocmtune {
namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != text.npos;
}

/// The library that a message speaks of: the text before the first ": ".
std::string_view subject_of(std::string_view text) {
    auto const end = text.find(": ");
    return end == text.npos ? std::string_view() : text.substr(0, end);
}

/// The text between the first `open` and the next `close` behind it, as in version `GLIBC_2.38'.
std::string between(std::string_view text, std::string_view open, std::string_view close) {
    auto const start = text.find(open);
    if (start == text.npos) return {};
    auto const rest = text.substr(start + open.size());
    return std::string(rest.substr(0, rest.find(close)));
}

/// Messages of _dl_map_object_from_fd and open_verify (glibc 2.36 elf/dl-load.c) for files that are
/// cut short, damaged or made for another machine.
constexpr std::string_view corrupt_texts[] = {"file too short",          "invalid ELF header",
                                              "wrong ELF class",         "ELF file data encoding",
                                              "ELF file version",        "ELF file OS ABI",
                                              "ELF file ABI version",    "phentsize",
                                              "ELF load command",        "only ET_DYN and ET_EXEC",
                                              "cannot dynamically load", "object file has no",
                                              "cannot read file data"};

bool is_corrupt(std::string_view text) {
    return std::any_of(std::begin(corrupt_texts), std::end(corrupt_texts),
                       [&](auto part) { return contains(text, part); });
}

std::string canonical(std::string const& path) {
    std::error_code error;
    auto const real = std::filesystem::canonical(path, error);
    return error ? path : real.string();
}

/// DT_SONAME of a loaded object; empty if it has none. glibc relocates the addresses of the
/// dynamic section in place on most architectures; where it does not they are small offsets.
std::string soname_of(link_map const& map) {
    ElfW(Addr) strings = 0;
    ElfW(Addr) name = 0;
    bool named = false;
    for (auto const* entry = map.l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
        if (entry->d_tag == DT_SONAME) name = entry->d_un.d_val, named = true;
    }
    if (strings == 0 || !named) return {};
    if (strings < map.l_addr) strings += map.l_addr;
    return reinterpret_cast<char const*>(strings + name);
}

/// Of a file made for another processor glibc says the same as of one that does not exist.
bool is_file(std::string const& candidate) {
    std::error_code ignored;
    return contains(candidate, "/") && std::filesystem::exists(candidate, ignored);
}

/// What is not there is not tried, so that nobody makes it between this look and the loader's.
std::optional<LoadFailure> refuse(std::string const& candidate) {
    if (!has_rights_of_its_own()) return std::nullopt;
    auto judged = judge_library(candidate);
    if (!judged.why_not.empty())
        return LoadFailure{candidate, LoadProblem::untrusted, std::move(judged.why_not), {}};
    if (judged.error == 0) return std::nullopt;
    bool const absent = judged.error == ENOENT || judged.error == ENOTDIR;
    return LoadFailure{
        candidate, absent ? LoadProblem::absent : LoadProblem::other, {}, errno_text(judged.error)};
}

}  // namespace

std::string secure_variable(char const* name) {
    auto const* const value = ::secure_getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::vector<std::string> glob_matches(std::string const& pattern) {
    std::vector<std::string> paths;
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
        paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    return paths;
}

std::string_view load_problem_name(LoadProblem problem) {
    switch (problem) {
        case LoadProblem::absent: return "absent";
        case LoadProblem::denied: return "denied";
        case LoadProblem::broken_dependency: return "broken-dependency";
        case LoadProblem::corrupt: return "corrupt";
        case LoadProblem::old_system: return "old-system";
        case LoadProblem::missing_symbol: return "missing-symbol";
        case LoadProblem::untrusted: return "untrusted";
        case LoadProblem::other: break;
    }
    return "other";
}

LoadFailure classify_load_failure(std::string_view candidate, std::string_view text) {
    LoadFailure failure{std::string(candidate), LoadProblem::other, {}, std::string(text)};
    auto const subject = subject_of(text);
    bool const of_another = !subject.empty() && subject != candidate;
    if (contains(text, "undefined symbol: ")) {
        failure.problem = LoadProblem::missing_symbol;
        failure.culprit = between(text, "undefined symbol: ", ",");
    } else if (contains(text, "' not found (required by")) {
        failure.problem = LoadProblem::old_system;
        failure.culprit = between(text, "version `", "'");
    } else if (of_another && contains(text, "cannot open shared object file")) {
        failure.problem = LoadProblem::broken_dependency;
        failure.culprit = subject;
    } else if (is_corrupt(text)) {
        bool const is_path = candidate.find('/') != candidate.npos;
        // For a bare name the loader says which file it found, so another path is no other library.
        bool const other_library = of_another && (is_path || !contains(subject, candidate));
        failure.problem = other_library ? LoadProblem::broken_dependency : LoadProblem::corrupt;
        if (other_library) failure.culprit = subject;
    } else if (contains(text, "No such file or directory")) {
        failure.problem = LoadProblem::absent;
    } else if (contains(text, "Permission denied")) {
        failure.problem = LoadProblem::denied;
    }
    return failure;
}

DynamicLibrary::DynamicLibrary(std::span<std::string const> candidates, Announce const& announce) {
    try_more(candidates, announce);
}

void DynamicLibrary::try_more(std::span<std::string const> candidates, Announce const& announce) {
    if (handle_ != nullptr) return;
    for (auto const& candidate : candidates) {
        if (auto why = why_left_out(candidate); !why.empty())
            failures_.push_back({candidate, LoadProblem::untrusted, std::move(why), {}});
        if (auto failure = refuse(candidate)) {
            failures_.push_back(std::move(*failure));
            continue;
        }
        if (announce) announce(candidate);
        handle_ = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_ != nullptr) {
            candidate_ = candidate;
            describe();
            return;
        }
        auto const* text = ::dlerror();
        auto failure = classify_load_failure(candidate, text != nullptr ? text : "");
        if (failure.problem == LoadProblem::absent && is_file(candidate))
            failure.problem = LoadProblem::corrupt;
        failures_.push_back(std::move(failure));
    }
}

void DynamicLibrary::describe() {
    link_map* map = nullptr;
    if (::dlinfo(handle_, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return;
    path_ = canonical(map->l_name);
    soname_ = soname_of(*map);
}

void* DynamicLibrary::address(char const* name) const {
    return handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
}

std::set<std::string> loaded_sonames() {
    link_map* map = nullptr;
    auto* const program = ::dlopen(nullptr, RTLD_LAZY);
    if (program == nullptr || ::dlinfo(program, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0)
        return {};
    std::set<std::string> names;
    for (; map != nullptr; map = map->l_next)
        if (auto name = soname_of(*map); !name.empty()) names.insert(std::move(name));
    return names;
}

std::vector<std::string> loaded_files_of(std::string_view library) {
    struct Search {
        std::string_view library;
        std::vector<std::string> files;
    } search{library, {}};
    ::dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* data) {
            auto& found = *static_cast<Search*>(data);
            std::string_view const path = object->dlpi_name != nullptr ? object->dlpi_name : "";
            auto const name = path.substr(path.rfind('/') + 1);
            if (name.starts_with(found.library) && name.find(".so") != name.npos)
                found.files.push_back(canonical(std::string(path)));
            return 0;
        },
        &search);
    auto& files = search.files;
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

}  // namespace rocmtune
