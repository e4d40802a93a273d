// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// One of several rows of its card.
bool is_partition(Gpu const& gpu);

/// A PCI address, with /PARTITION where the card has several. What is not known of partitions is as
/// on a card without: the first of one.
std::string subject_at(std::string_view address, std::optional<std::uint64_t> partition,
                       std::optional<std::uint64_t> partitions);

/// How findings and advice name a GPU: its PCI address, with /PARTITION where the card is
/// partitioned. A device without an address is "host".
std::string subject_of(Gpu const& gpu);

/// Whether the row is among those that were asked for; none asked for means all.
bool is_among(std::vector<std::uint64_t> const& rows, Gpu const& gpu);

/// Why it is not known which GPUs the host has; absent if it is known, even that there are none.
std::optional<std::string> why_gpus_are_unread(Host const& host);

}  // namespace rocmtune
