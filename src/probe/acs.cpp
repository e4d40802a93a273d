// SPDX-License-Identifier: MIT
// Access Control Services of the PCIe switches that join GPUs: where a port redirects requests,
// GPUs below one switch talk to each other through the processor.
#include <algorithm>

#include <fmt/format.h>

#include "base/host.hpp"
#include "machine/host_root.hpp"
#include "probe/loader.hpp"
#include "probe/parsers.hpp"
#include "probe/pci_address.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view reader = "pci";

// Offsets and bits of include/uapi/linux/pci_regs.h.
constexpr std::size_t capability_list = 0x34;
constexpr std::size_t first_extended = 0x100;
constexpr unsigned express_capability = 0x10;   // PCI_CAP_ID_EXP
constexpr unsigned acs_capability = 0x0d;       // PCI_EXT_CAP_ID_ACS
constexpr unsigned downstream_port = 6;         // PCI_EXP_TYPE_DOWNSTREAM
constexpr std::size_t acs_control = 6;          // PCI_ACS_CTRL
constexpr unsigned request_redirect = 0x04;     // PCI_ACS_RR
constexpr unsigned completion_redirect = 0x08;  // PCI_ACS_CR
/// As many capabilities as fit, so that a loop in the list ends.
constexpr int most_capabilities = 96;

/// Little-endian numbers of configuration space; 0 beyond its end.
class ConfigSpace {
  public:
    explicit ConfigSpace(std::string_view bytes) : bytes_(bytes) {}

    std::size_t size() const { return bytes_.size(); }
    unsigned byte(std::size_t at) const {
        return at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0;
    }
    unsigned word(std::size_t at) const { return byte(at) | byte(at + 1) << 8U; }
    unsigned long_word(std::size_t at) const { return word(at) | word(at + 2) << 16U; }

  private:
    std::string_view bytes_;
};

bool is_downstream_port(ConfigSpace const& config) {
    auto at = config.byte(capability_list) & ~3U;
    for (int i = 0; at != 0 && i < most_capabilities; ++i) {
        if (config.byte(at) == express_capability)
            return ((config.word(at + 2) >> 4U) & 15U) == downstream_port;
        at = config.byte(at + 1) & ~3U;
    }
    return false;
}

/// The bits of ACS control; 0 without that capability.
unsigned control_bits(ConfigSpace const& config) {
    std::size_t at = first_extended;
    for (int i = 0; at >= first_extended && i < most_capabilities; ++i) {
        auto const header = config.long_word(at);
        if ((header & 0xffffU) == acs_capability) return config.word(at + acs_control);
        at = header >> 20U;
    }
    return 0;
}

/// How many GPUs lie below a directory of sysfs.
std::size_t gpus_below(Host const& host, std::string const& directory) {
    return static_cast<std::size_t>(std::ranges::count_if(host.gpus, [&](Gpu const& gpu) {
        return gpu.sysfs_path && gpu.partition_index.value_or(0) == 0 &&
               gpu.sysfs_path->starts_with(directory + '/');
    }));
}

std::string parent(std::string const& path) {
    return path.substr(0, path.rfind('/'));
}

/// The ports above this GPU that could be downstream ports of a switch with other GPUs: the port
/// above them has more GPUs below it than they have.
std::vector<std::string> shared_ports(Host const& host, std::string const& gpu) {
    std::vector<std::string> ports;
    for (auto port = parent(gpu); parse_pci_address(last_component(port)); port = parent(port))
        if (gpus_below(host, parent(port)) > gpus_below(host, port) &&
            parse_pci_address(last_component(parent(port))))
            ports.push_back(port);
    return ports;
}

}  // namespace

std::optional<std::string> acs_redirection(std::string_view config_space) {
    ConfigSpace const config(config_space);
    if (!is_downstream_port(config)) return std::nullopt;
    auto const bits = control_bits(config);
    std::string text;
    if ((bits & request_redirect) != 0) text = "request redirect";
    if ((bits & completion_redirect) != 0)
        text.append(text.empty() ? "" : ", ").append("completion redirect");
    return text.empty() ? std::nullopt : std::optional(text);
}

/// A sleeping GPU is not looked at: asking the ports above it would wake them.
void read_acs(HostRoot const& root, Host& host) {
    auto& fact = host.acs_bridges;
    std::vector<std::string> ports, found;
    for (auto const& gpu : host.gpus) {
        if (!gpu.sysfs_path || gpu.partition_index.value_or(0) != 0) continue;
        for (auto& port : shared_ports(host, *gpu.sysfs_path)) {
            if (is_asleep(gpu)) return fact.miss(Missing::suspended, wakes_the_gpu);
            if (std::ranges::find(ports, port) == ports.end()) ports.push_back(std::move(port));
        }
    }
    if (ports.empty()) return fact.miss(Missing::absent, "no PCIe switch joins GPUs");
    for (auto const& port : ports) {
        auto const config = root.read_bytes(port + "/config");
        if (!config) return miss(fact, config);
        if (config->size() < first_extended + 4)
            return fact.miss(Missing::denied, port + "/config: only root is shown the whole");
        if (auto const redirection = acs_redirection(*config))
            found.push_back(fmt::format("{}: {}", last_component(port), *redirection));
    }
    fact.offer(std::move(found), {reader, ports.front() + "/config"});
}

}  // namespace rocmtune
