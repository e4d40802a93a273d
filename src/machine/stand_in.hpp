// SPDX-License-Identifier: MIT
// A host as another process sees it: who it is, what it may use, its limits and its environment.
// Nothing is started in its name; what it may open is told by modes, owners and access lists.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/host_source.hpp"

namespace rocmtune {

struct StandIn {
    std::string name = {};  ///< "unit ollama.service, run by ollama": the call identity.of
    std::uint64_t uid = 0;
    std::vector<std::uint64_t> gids = {};         ///< the primary group first
    std::optional<std::string> environment = {};  ///< "NAME=VALUE\0" each; absent: not known
    std::optional<std::string> memlock = {};      ///< "SOFT HARD" as HostRoot::call has it
    std::optional<std::string> nofile = {};       ///< likewise
    std::string home = {};                        ///< empty: not known
    std::optional<std::uint64_t> pid = {};        ///< its /proc/PID stands for /proc/self
    bool hides_devices = false;                   ///< it has a /dev without GPUs
    /// Paths of nodes and "char-NAME" (systemd.resource-control(5)); absent: all devices.
    std::optional<std::vector<std::string>> devices = {};
    std::vector<std::string> hidden = {};     ///< directories that it may not enter
    std::vector<std::string> read_only = {};  ///< directories that it may not write
    std::vector<std::string> writable = {};   ///< but these, which may lie below them
    /// Its files, if it has other mounts than we do; absent: those of the host.
    std::shared_ptr<HostSource> files = {};
};

/// The answers of `host`, changed to what that process would be told.
std::unique_ptr<HostSource> stand_in_source(std::unique_ptr<HostSource> host, StandIn who);

}  // namespace rocmtune
