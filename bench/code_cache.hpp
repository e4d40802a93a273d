// SPDX-License-Identifier: MIT
// Compiled kernels on disk, for the user alone. Whatever happens to the files, the worst is that a
// kernel is compiled again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune::bench {

/// Bytes that the cache may take; the entries that were used longest ago go first.
inline constexpr std::uint64_t most_cache_bytes = std::uint64_t{64} << 20;

/// Where compiled kernels lie: $ROCMTUNE_CACHE, else $XDG_CACHE_HOME/rocmtune, else
/// $HOME/.cache/rocmtune. Empty if none of them is set to an absolute path.
std::string cache_directory();

/// The code kept under this key (compiler, target, options and text), if it is there and whole.
std::optional<std::string> cached_code(std::string_view key);

/// Keeps code. Failures are of no interest: the cache only saves time.
void keep_code(std::string_view key, std::string_view code);

struct CacheStatus {
    std::string directory;
    std::optional<std::uint64_t> entries;  ///< absent: nobody looked into what is not ours alone
    std::optional<std::uint64_t> bytes;
    std::string problem;  ///< why nothing can be kept; empty if it can
};

/// Changes nothing: a directory that is not there yet is not made.
CacheStatus cache_status();
/// Removes every entry, what writers left behind, lint's list of readers, and nothing else.
/// @throws Error if one cannot be removed, and, with nothing removed, for a directory that is not
/// this user's alone.
CacheStatus clear_cache();

}  // namespace rocmtune::bench
