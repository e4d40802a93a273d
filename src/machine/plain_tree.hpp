// SPDX-License-Identifier: MIT
// A host's files without a record of what was asked: what a missing file says. One rule for
// directories (--root) and for archives without a manifest (--replay).
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/host_source.hpp"

namespace rocmtune {

/// Directories of which a tree has at least one, or it is no host.
inline constexpr std::array<std::string_view, 5> host_parts{"/sys", "/proc", "/etc", "/dev",
                                                            "/opt"};

/// Which paths a tree would have if the host had them.
class CapturedAreas {
  public:
    using ReadLink = std::function<std::optional<std::string>(std::string const&)>;
    using HasEntries = std::function<bool(std::string const&)>;

    /// `read_link` gives the target of a link, without following it; `has_entries` tells whether a
    /// path is a directory with names in it.
    CapturedAreas(ReadLink read_link, HasEntries has_entries)
        : read_link_(std::move(read_link)), has_entries_(std::move(has_entries)) {}

    /// By where the path stands, and by where a link on the way leads. `may_be_link` is false if
    /// the caller knows that the path itself is none.
    bool contains(std::string const& path, bool may_be_link = true);

  private:
    bool has_area(std::string const& path);
    std::string destination(std::string const& path) const;

    ReadLink read_link_;
    HasEntries has_entries_;
    std::vector<std::pair<std::string_view, bool>> areas_;
    std::unordered_map<std::string, bool> directories_;  ///< many misses share a directory
};

/// A tree as a host: `files` (which answers for every missing path that it is absent) with the
/// rules for plain trees in front: no environment, no calls, no opening of devices, the usual caps.
std::unique_ptr<HostSource> plain_tree_source(std::unique_ptr<HostSource> files);

}  // namespace rocmtune
