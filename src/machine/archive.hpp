// SPDX-License-Identifier: MIT
// Snapshots: a gzip tar of a root tree with a manifest, and plain trees without one. The archive is
// a container: what it holds is the model of rocmtune-host(5), and converts to its text and back.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "machine/host_source.hpp"

namespace rocmtune {

inline constexpr std::string_view manifest_name = "rocmtune.json";

/// The host in the bytes of an archive; without a manifest it is a plain tree. Nothing is unpacked
/// to disk. `name` is used in messages.
/// @throws Error for what rocmtune-snapshot(5) refuses.
std::unique_ptr<HostSource> archive_source(std::string_view bytes, std::string const& name);

/// A snapshot as text of rocmtune-host(5); what a plain tree does not hold counts as not recorded.
/// @throws Error as above.
std::string archive_to_host_text(std::string_view bytes, std::string const& name);

/// A recording as a snapshot. Equal texts give equal bytes: sorted, without owners and times.
/// @throws Error for malformed text.
std::string host_text_to_archive(std::string_view host_text);

}  // namespace rocmtune
