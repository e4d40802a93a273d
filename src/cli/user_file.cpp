// SPDX-License-Identifier: MIT
#include "cli/user_file.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "system/named_file.hpp"

namespace rocmtune {
namespace {

FileText read_named_file(std::string const& path, std::size_t cap) {
    auto const named = open_named_file(path);
    if (!named.problem.empty()) return {.problem = named.problem};
    if (named.is_directory) return {.problem = "it is a directory"};
    return read_all(named.file.get(), cap);
}

}  // namespace

std::string user_file(std::string const& path, std::size_t cap) {
    auto read = read_named_file(path, cap);
    if (!read.problem.empty())
        throw Error(fmt::format("cannot read {}: {}", printable(path), read.problem));
    return std::move(read.text);
}

}  // namespace rocmtune
