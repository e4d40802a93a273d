// SPDX-License-Identifier: MIT
// What joins GPUs beside their own links: the network that variables name, and the PCIe switches
// between them.
#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

// ---- names of interfaces and devices ------------------------------------------------------------

/// A list of names as NCCL and RCCL read it (NCCL_SOCKET_IFNAME, NCCL_IB_HCA): "^" in front keeps
/// out what follows, "=" asks for whole names, else each is the start of one. A device may have a
/// port behind it: "mlx5_0:1".
struct NameList {
    bool excludes = false;
    bool whole = false;
    std::vector<std::string> names = {};

    bool takes(std::string const& name) const {
        bool const listed = std::ranges::any_of(names, [&](std::string const& one) {
            return whole ? name == one : name.starts_with(one);
        });
        return listed != excludes;
    }
};

NameList parse_names(std::string_view value) {
    NameList list;
    if (value.starts_with('^')) list.excludes = true, value.remove_prefix(1);
    if (value.starts_with('=')) list.whole = true, value.remove_prefix(1);
    for (auto const part : split(value, ',')) {
        auto const name = part.substr(0, part.find(':'));
        if (!name.empty()) list.names.emplace_back(name);
    }
    return list;
}

struct NamedThings {
    std::string_view variable;
    Names Host::*there;
    std::string_view what;  ///< "network interface"
};

constexpr NamedThings nccl_lists[] = {
    {"NCCL_SOCKET_IFNAME", &Host::network_interfaces, "network interface"},
    {"NCCL_IB_HCA", &Host::rdma_devices, "InfiniBand device"},
};

/// Returns whether a finding was given.
bool judge_nccl(Host const& host, NamedThings const& row, Verdicts const& verdicts) {
    auto const value = variable_of(host, row.variable).value_or("");
    auto const& there = host.*row.there;
    auto const list = parse_names(value);
    if (list.names.empty() || !there) return false;
    if (std::ranges::any_of(*there, [&](auto const& name) { return list.takes(name); }))
        return false;
    verdicts.warn(fmt::format("{}={} leaves no {} of this host", row.variable, value, row.what),
                  {{fmt::format("environment: {}", row.variable), value}, evidence(there)});
    return true;
}

/// Gloo takes whole names, several with commas; each of them is used (PyTorch,
/// ProcessGroupGloo).
bool judge_gloo(Host const& host, Verdicts const& verdicts) {
    constexpr std::string_view variable = "GLOO_SOCKET_IFNAME";
    auto const value = variable_of(host, variable).value_or("");
    auto const& there = host.network_interfaces;
    if (value.empty() || !there) return false;
    for (auto const part : split(value, ',')) {
        if (std::ranges::find(*there, part) != there->end()) continue;
        verdicts.warn(fmt::format("{}={} names '{}', which is no network interface of this host",
                                  variable, value, part),
                      {{fmt::format("environment: {}", variable), value}, evidence(there)});
        return true;
    }
    return false;
}

void judge_interfaces(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have_or_skip(host.environment, "environment", "the variables are not known"))
        return;
    bool const asked = is_set(host, "GLOO_SOCKET_IFNAME") ||
                       std::ranges::any_of(
                           nccl_lists, [&](auto const& row) { return is_set(host, row.variable); });
    if (!asked) return verdicts.skip("no variable names a network interface");
    if (!verdicts.have_or_skip(host.network_interfaces, "network interfaces",
                               "nothing tells of the interfaces of this host"))
        return;
    bool found = judge_gloo(host, verdicts);
    for (auto const& row : nccl_lists) found |= judge_nccl(host, row, verdicts);
    if (!found) verdicts.pass("the interfaces that variables name are here");
}

// ---- switches -----------------------------------------------------------------------------------

bool joined_by_xgmi(Host const& host) {
    return std::ranges::any_of(host.links, [](Link const& link) {
        return link.kind == "xgmi" && link.from_row && link.to_row;
    });
}

void judge_acs(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const& ports = host.acs_bridges;
    if (!verdicts.have_or_skip(ports, "ACS of the PCIe switches", "no PCIe switch joins GPUs"))
        return;
    if (ports->empty()) return verdicts.pass("no PCIe switch redirects what GPUs say", ports);
    // Where GPUs have links of their own, little goes through the switch.
    verdicts.give(joined_by_xgmi(host) ? Verdict::info : Verdict::warn,
                  fmt::format("{} of PCIe switches between GPUs redirect to the processor (ACS)",
                              counted(ports->size(), "port")),
                  ports);
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check network_rows[] = {
    {"RT3224", "network-names", "environment", quick, false, anywhere, judge_interfaces},
    {"RT3228", "switch-acs", "pcie", quick, false, host_only, judge_acs},
};
// clang-format on

}  // namespace

std::span<Check const> network_checks() {
    return network_rows;
}

}  // namespace rocmtune
