// SPDX-License-Identifier: MIT
#include "machine/trusted_library.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <filesystem>
#include <set>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/dynamic_library.hpp"
#include "machine/library_files.hpp"
#include "machine/posix_file.hpp"
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

/// Whether there is anything of this name. A link that leads nowhere counts: it may lead somewhere
/// later.
bool is_there(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::symlink_status(path, ignored).type() !=
           std::filesystem::file_type::not_found;
}

void add_searched(std::string const& directory, int depth, std::vector<std::string>& found) {
    found.push_back(directory);
    for (auto const name : processor_directories) {
        auto const below = fmt::format("{}/{}", directory, name);
        if (depth > 0 && is_there(below)) add_searched(below, depth - 1, found);
    }
}

/// Why others than root could put a library where the loader looks for one in this directory; empty
/// if nobody can, or if root has chosen the directory for every program.
std::string distrust_searched(std::string const& directory) {
    auto const trust = root_alone();
    for (auto const& searched : searched_directories(directory))
        if (auto why = distrust_place(walk_path(searched), trust);
            !why.empty() && !system_libraries().are_in(searched))
            return why;
    return {};
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

namespace {

/// The HIP runtime needs about 30, PyTorch about 150.
constexpr std::size_t most_libraries = 1024;

bool is_name(std::string_view library) {
    return library.find('/') == library.npos;
}

std::string directory_of(std::string_view path) {
    return std::string(path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)));
}

std::string relative(std::string const& path) {
    return printable(path) + " is a relative path";
}

/// Nothing for what is no regular file, too.
std::optional<ElfDynamic> read_library(PathWalk const& walk) {
    if (walk.error != 0 || !walk.steps.back().inode.is(S_IFREG)) return std::nullopt;
    auto const file = reopen(walk, O_RDONLY);
    if (!file) return std::nullopt;
    return read_elf_dynamic([&](std::uint64_t offset, std::size_t size) {
        std::string bytes(size, '\0');
        auto const got = ::pread(file.get(), bytes.data(), size, static_cast<off_t>(offset));
        bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return bytes;
    });
}

/// A library and all that it needs. In which order the loader looks into the directories, and which
/// of several files it takes, does not matter: each one has to pass.
class Closure {
  public:
    /// The reason against it, or its errno.
    LibraryJudgement judge(std::string const& candidate) {
        LibraryJudgement judgement;
        auto const path = judge_search_path(secure_variable("LD_LIBRARY_PATH"));
        for (auto const& part : path.left_out) refuse(part.why, "LD_LIBRARY_PATH leads there");
        for (auto const& directory : path.kept) (void)distrust_directory(directory);
        if (is_name(candidate)) add_name(candidate, {});
        else judgement.error = add_path(candidate, {});
        while (!waiting_.empty() && why_not_.empty()) {
            auto const next = std::move(waiting_.front());
            waiting_.pop_front();
            open(next);
        }
        judgement.why_not = std::move(why_not_);
        return judgement;
    }

  private:
    struct Library {
        std::string path;
        ElfDynamic dynamic;
    };

    /// Notes the first reason against the library, and what leads there.
    void refuse(std::string const& why, std::string const& because) {
        if (why.empty() || !why_not_.empty()) return;
        why_not_ = because.empty() ? why : why + ", and " + because;
    }
    static std::string need_of(std::string const& library) {
        return library.empty() ? library : printable(library) + " needs it";
    }

    /// A path that is asked for, or that a library needs: 0 or its errno.
    int add_path(std::string const& path, std::string const& needed_by) {
        if (!path.starts_with('/')) return refuse(relative(path), need_of(needed_by)), 0;
        auto const walk = walk_path(path);
        if (walk.error != 0) {
            if (!needed_by.empty()) refuse(distrust_place(walk, trust_), need_of(needed_by));
            return walk.error;
        }
        refuse(distrust(walk.steps, trust_), need_of(needed_by));
        enqueue(path, walk);
        return 0;
    }

    /// A name that the loader searches, unless it has loaded such a library before.
    void add_name(std::string const& name, std::string const& needed_by) {
        if (!names_.insert(name).second || loaded_.count(name) != 0) return;
        bool found = false;
        for (auto const& directory : directories_)
            found = add_found(directory + '/' + name, need_of(needed_by)) || found;
        if (found) return;
        for (auto const& path : system_libraries().files(name))
            enqueue(path, walk_path(path, Noted::links));
    }

    /// A file that the loader comes to in a directory. False if there is no such library.
    bool add_found(std::string const& path, std::string const& because) {
        if (!is_there(path)) return false;  // and only root can make it, as its directory shows
        auto const walk = walk_path(path);
        auto const why =
            walk.error == 0 ? distrust(walk.steps, trust_) : distrust_place(walk, trust_);
        if (!why.empty() && !system_libraries().are_in(directory_of(path))) refuse(why, because);
        return walk.error == 0 && enqueue(path, walk);
    }

    /// False if this is no library.
    bool enqueue(std::string const& path, PathWalk const& walk) {
        if (!files_.insert(path).second) return true;
        if (!why_not_.empty()) return false;  // nobody opens what is not to be trusted
        if (files_.size() > most_libraries)
            refuse(fmt::format("it needs more than {} libraries", most_libraries), {});
        auto dynamic = read_library(walk);
        if (dynamic) waiting_.push_back({path, std::move(*dynamic)});
        return dynamic.has_value();  // if it is damaged, the loader says so
    }

    /// Where a library leads.
    void open(Library const& library) {
        for (auto const& list : library.dynamic.search)
            for (auto const part : split_search_path(list, ":"))
                if (auto const expanded = expand(part, library.path))
                    refuse(distrust_directory(*expanded),
                           printable(library.path) + " looks there for libraries");
        for (auto const& name : library.dynamic.needed) {
            auto const expanded = expand(name, library.path);
            if (!expanded) continue;
            if (is_name(*expanded)) add_name(*expanded, library.path);
            else (void)add_path(*expanded, library.path);
        }
    }

    std::optional<std::string> expand(std::string_view text, std::string const& library) {
        auto expanded = expand_origin(text, directory_of(library));
        if (!expanded)
            refuse(printable(text) + " holds a word that only the loader knows",
                   printable(library) + " names it");
        return expanded;
    }

    /// The reason against a directory of a search path. If there is none, libraries come from it.
    std::string distrust_directory(std::string const& element) {
        std::error_code error;
        auto const absolute = std::filesystem::absolute(element.empty() ? "." : element, error);
        if (error) return "the working directory is unknown";
        if (directories_.count(absolute.string()) != 0) return {};
        auto why = distrust_searched(absolute.string());
        if (!why.empty()) return why;
        for (auto const& directory : searched_directories(absolute.string()))
            if (directories_.insert(directory).second)
                for (auto const& name : names_)
                    if (loaded_.count(name) == 0) (void)add_found(directory + '/' + name, {});
        return {};
    }

    Trust const trust_ = root_alone();
    std::set<std::string> const loaded_ = loaded_sonames();
    std::set<std::string> names_;
    std::set<std::string> directories_;
    std::set<std::string> files_;
    std::deque<Library> waiting_;
    std::string why_not_;
};

}  // namespace

LibraryJudgement judge_library(std::string const& candidate) {
    return Closure().judge(candidate);
}

std::string why_left_out(std::string const& name) {
    if (!is_name(name)) return {};
    for (auto const& part : judge_search_path(secure_variable(left_out_variable)).left_out)
        for (auto const& directory : searched_directories(part.element))
            if (auto const path = directory + '/' + name; is_there(path))
                return path.starts_with('/') ? part.why : relative(path);
    return {};
}

}  // namespace rocmtune
