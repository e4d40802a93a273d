// SPDX-License-Identifier: MIT
// The words by which people name GPUs (values of --gpu), and which rows of a host they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/pci_address.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Help of --gpu wherever it stands.
inline constexpr std::string_view gpu_help =
    "only these GPUs, with commas between: row that probe prints (0), hip:N, cuda:N (hip:N as "
    "PyTorch calls it; in bench and verify a device of CUDA), kfd:N, PCI address (0000:03:00.0 or "
    "03:00.0, /N for a partition), UUID (GPU-...)";

/// The forms alone, for the hint of an error: one line of a narrow terminal.
inline constexpr std::string_view gpu_grammar =
    "write 0 (row of probe), hip:0, kfd:1, 0000:03:00.0, 03:00.0/1 or GPU-UUID";

/// One GPU, or the partitions of one card, as somebody wrote it.
struct GpuSelector {
    /// hip and cuda: device N of that runtime; kfd: node N of the KFD topology.
    enum class Kind { row, hip, cuda, kfd, address, uuid };

    Kind kind = Kind::row;
    std::uint64_t number = 0;                     ///< row, device or node
    PciAddress address = {};                      ///< domain 0 if none was written
    std::optional<std::uint64_t> partition = {};  ///< behind an address; absent: whatever is there
    std::string uuid = {};                        ///< lower case
    std::string text = {};                        ///< as it was written, printable

    /// Whether the facts of the GPU say that it is meant. Never for hip and cuda: those numbers
    /// depend on the runtime and its masks, which the caller knows.
    bool names(Gpu const& gpu) const;
};

/// @throws Error for what is none of the forms.
GpuSelector parse_gpu_selector(std::string_view word);

/// The selectors of all values of --gpu, each a list with commas, in their order.
/// @throws Error also for an empty place in a list.
std::vector<GpuSelector> parse_gpu_selectors(std::vector<std::string> const& lists);

/// The rows that selectors name, in their order, none twice. hip:N and cuda:N are HIP's number,
/// which is PyTorch's, under the masks of the host's environment; an address without partition
/// means all rows of its card.
/// None for no selectors. @throws Error that says what there is.
std::vector<std::uint64_t> selected_rows(Host const& host,
                                         std::vector<GpuSelector> const& selectors);

/// Leaves these GPUs in the host and the links that begin or end at one of them; facts of the host
/// stay. No rows: all of them.
void keep_rows(std::vector<std::uint64_t> const& rows, Host& host);

}  // namespace rocmtune
