// SPDX-License-Identifier: MIT
// What several commands are asked for, of what was typed.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "commands/commands.hpp"

namespace rocmtune {

/// @throws Error that says so, always.
[[noreturn]] void exclude(std::string_view one, std::string_view other, std::string_view hint);

/// The enumerator of a word that the table of options has let through.
template <class Enumeration, class Words>
Enumeration chosen(Arguments const& arguments, std::string_view option, Words const& all,
                   Enumeration usual) {
    auto const word = arguments.value(option);
    if (!word) return usual;
    return static_cast<Enumeration>(std::ranges::find(all, *word) - std::begin(all));
}

/// The words of lists with commas.
std::vector<std::string> words_of_lists(std::vector<std::string> const& values);

/// Where and how the answer is printed.
Output output_of(Arguments const& arguments);

/// --fail-on.
Verdict fail_on(Arguments const& arguments);

/// --profiles, --timeout.
DataChoice data_of(Arguments const& arguments);

/// Which host, which of its GPUs, and for whom. @throws Error where several processes are named.
HostChoice host_of(Arguments const& arguments);

/// --level, --workload, --framework and what goes with them.
AdviceChoice advice_of(Arguments const& arguments);

/// --backend, --gpu.
DeviceChoice devices_of(Arguments const& arguments);

/// What a benchmark is measured with, but for its name and device.
BenchmarkChoice benchmarks_of(Arguments const& arguments);

}  // namespace rocmtune
