// SPDX-License-Identifier: MIT
// How facts are put to people, wherever a host is shown: cells of the table of GPUs, and the lines
// below it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "rocmtune/host.hpp"
#include "show/printer.hpp"

namespace rocmtune {

/// The value, or "-": the reason stands elsewhere.
template <class T>
std::string number_or_dash(Fact<T> const& fact) {
    return fact ? fmt::format("{}", *fact) : "-";
}

/// The PCI address, with /PARTITION where the card is partitioned.
std::string address_text(Gpu const& gpu);

/// "192 GiB", or what an APU shares with the processor.
std::string memory_text(Gpu const& gpu);

/// "16 of 32 GT/s x8 of x16".
std::string link_text(Gpu const& gpu);

/// The name it is sold under, or what identifies it to a search.
std::string name_text(Gpu const& gpu);

/// "python3 (4711) 157 GiB".
std::string process_text(GpuProcess const& process);

/// By the device memory that they hold, then by number.
std::vector<GpuProcess> greediest_first(std::vector<GpuProcess> processes);

/// A line a GPU. Whether this process can compute on it is a column that only hosts with a GPU out
/// of reach need; HIP's number and the render node have room on a screen in other commands only.
Table gpu_table(Host const& host, Printer const& out);

/// "8 AMD GPUs (4 cards) on node17", "1 of 8 AMD GPUs on node17" where some are left out.
std::string host_title(Host const& host, std::uint64_t left_out);

/// GPUs that are left out, host, processor, driver, processes (of the GPUs that are shown), ROCm,
/// libraries, Python and variables, each as one line; a line may be empty.
std::vector<std::pair<std::string_view, std::string>> host_lines(Host const& host,
                                                                 std::uint64_t left_out);

}  // namespace rocmtune
