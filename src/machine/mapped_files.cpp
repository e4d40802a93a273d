// SPDX-License-Identifier: MIT
#include "machine/mapped_files.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {
namespace {

/// A framework with thousands of mappings has some hundred KiB of them.
constexpr std::size_t most_bytes = std::size_t{16} << 20;

std::string content_of(std::string const& path) {
    FileDescriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    char chunk[16384];
    while (file && text.size() < most_bytes) {
        auto const got = ::read(file.get(), chunk, sizeof chunk);
        if (got <= 0) break;
        text.append(chunk, static_cast<std::size_t>(got));
    }
    return text;
}

/// The fourth word of /proc/PID/stat. The second, a name in brackets, may hold blanks and brackets
/// (proc(5)).
std::optional<pid_t> parent_of(std::string_view stat) {
    auto const end = stat.rfind(") ");
    if (end == stat.npos || stat.size() < end + 5) return std::nullopt;
    auto const rest = stat.substr(end + 4);  // behind the state
    auto const number = to_unsigned(rest.substr(0, rest.find(' ')), 10);
    return number ? std::optional(static_cast<pid_t>(*number)) : std::nullopt;
}

std::multimap<pid_t, pid_t> children_by_parent() {
    std::multimap<pid_t, pid_t> children;
    auto* const directory = ::opendir("/proc");
    if (directory == nullptr) return children;
    for (auto const* entry = ::readdir(directory); entry != nullptr; entry = ::readdir(directory)) {
        auto const number = to_unsigned(entry->d_name, 10);
        if (!number) continue;
        if (auto const parent = parent_of(content_of(fmt::format("/proc/{}/stat", *number))))
            children.emplace(*parent, static_cast<pid_t>(*number));
    }
    ::closedir(directory);
    return children;
}

}  // namespace

std::set<std::string> files_of_maps(std::string_view text) {
    std::set<std::string> files;
    for (auto const line : lines(text)) {
        // Address, permissions, offset, device and inode hold no slash: the path is what is left.
        auto const slash = line.find('/');
        if (slash != line.npos) files.emplace(line.substr(slash));
    }
    return files;
}

void add_mapped_files(pid_t process, std::set<std::string>& files) {
    files.merge(files_of_maps(content_of(fmt::format("/proc/{}/maps", process))));
}

std::vector<pid_t> process_tree(pid_t root) {
    auto const children = children_by_parent();
    std::vector<pid_t> tree{root};
    for (std::size_t i = 0; i < tree.size(); ++i) {
        auto const [begin, end] = children.equal_range(tree[i]);
        for (auto child = begin; child != end; ++child)
            if (std::find(tree.begin(), tree.end(), child->second) == tree.end())
                tree.push_back(child->second);
    }
    return tree;
}

}  // namespace rocmtune
