// SPDX-License-Identifier: MIT
#include "measure/user_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/in_time.hpp"
#include "machine/named_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

std::optional<std::chrono::milliseconds> file_patience(Arguments const& arguments) {
    // On a busy host even a local file takes its time.
    constexpr std::chrono::milliseconds shortest{1'000};
    auto const limit = arguments.seconds("--timeout");
    return limit ? std::optional(std::max(*limit, shortest)) : std::nullopt;
}

std::string user_file(Arguments const& arguments, std::string const& path, std::size_t cap) {
    auto read = in_time<FileText>([path, cap] { return read_named_file(path, cap); },
                                  file_patience(arguments))
                    .value_or(FileText{.problem = "it was not read in time"});
    if (!read.problem.empty())
        throw Error(fmt::format("cannot read {}: {}", printable(path), read.problem));
    return std::move(read.text);
}

}  // namespace rocmtune
