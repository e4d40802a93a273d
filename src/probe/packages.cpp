// SPDX-License-Identifier: MIT
// Reader `packages`: which packages of the distribution concern AMD GPUs, and of which release
// its GPU firmware is. The databases are read as files, but that of rpm, whose form only rpm knows.
#include "machine/gpu_packages.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "machine/host_commands.hpp"
#include "machine/host_root.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view reader = "packages";

/// Bound against damaged databases: an installation of ROCm has about 150 packages.
constexpr std::size_t most_packages = 2048;

/// The packages that bring the firmware of AMD GPUs alone, before the one that brings all: which
/// of them there is depends on the distribution and its release.
constexpr std::array<std::string_view, 6> firmware_packages{
    "linux-firmware-amdgpu",  "linux-firmware-amd-graphics", "amd-gpu-firmware",
    "kernel-firmware-amdgpu", "firmware-amd-graphics",       "linux-firmware"};

std::string_view without_epoch(std::string_view version) {
    auto const parts = split_once(version, ':');
    return parts && to_unsigned(parts->first, 10) ? parts->second : version;
}

void add(std::string_view name, std::string_view version, InstalledPackages& packages) {
    if (name.empty() || version.empty() || packages.size() >= most_packages) return;
    packages[printable(name)] = printable(without_epoch(version));
}

/// NAME, VERSION-RELEASE of NAME-VERSION-RELEASE.
std::optional<std::pair<std::string_view, std::string_view>> name_and_version(
    std::string_view text) {
    auto const release = text.rfind('-');
    if (release == text.npos || release == 0) return std::nullopt;
    auto const version = text.rfind('-', release - 1);
    if (version == text.npos || version == 0) return std::nullopt;
    return std::pair(text.substr(0, version), text.substr(version + 1));
}

/// One database: how to read it, and what is said where it is not there.
Answer<InstalledPackages> from_dpkg(HostRoot const& root) {
    auto const status = root.read_bytes(dpkg_status);
    if (!status) return status.failure<InstalledPackages>();
    return {packages_of_dpkg(gpu_packages_of(dpkg_status, *status)), {}, 0, {}};
}

Answer<InstalledPackages> from_pacman(HostRoot const& root) {
    auto const names = root.list(pacman_packages);
    if (!names) return names.failure<InstalledPackages>();
    InstalledPackages packages;
    for (auto const& entry : *names)
        if (auto const parts = name_and_version(entry); parts && concerns_gpus(parts->first))
            add(parts->first, parts->second, packages);
    return {std::move(packages), {}, 0, {}};
}

Answer<InstalledPackages> from_dnf(HostRoot const& root) {
    auto const text = root.read(dnf_packages);
    if (!text) return text.failure<InstalledPackages>();
    return {packages_of_dnf(*text), {}, 0, {}};
}

/// Where rpm keeps its database, now and formerly.
constexpr std::array<std::string_view, 2> rpm_databases{"/usr/lib/sysimage/rpm", "/var/lib/rpm"};

Answer<InstalledPackages> from_rpm(HostRoot const& root) {
    auto found = root.status(rpm_databases[0]);
    if (!found) found = root.status(rpm_databases[1]);
    if (!found) return found.failure<InstalledPackages>();
    auto const text = root.call(rpm_packages_key);
    if (!text) return text.failure<InstalledPackages>();
    return {packages_of_rpm(*text), {}, 0, {}};
}

struct Database {
    std::string_view path;
    Answer<InstalledPackages> (*read)(HostRoot const&);
};

constexpr Database databases[] = {
    {dpkg_status, from_dpkg},
    {pacman_packages, from_pacman},
    {dnf_packages, from_dnf},
    {rpm_packages_key, from_rpm},
};

void offer_firmware(Fact<InstalledPackages> const& all, Text& fact) {
    if (!all) return fact.miss(all.reason(), all.detail());
    for (auto const name : firmware_packages)
        if (auto const found = all->find(std::string(name)); found != all->end())
            return fact.offer(found->second,
                              {reader, fmt::format("{}:{}", all.source().where, name)});
    fact.miss(Missing::absent, "no package of GPU firmware is installed");
}

}  // namespace

InstalledPackages packages_of_dpkg(std::string_view status) {
    InstalledPackages packages;
    while (!status.empty()) {
        auto const end = std::min(status.find("\n\n"), status.size());
        std::string_view name, version, state;
        for (auto const line : lines(status.substr(0, end))) {
            auto const field = split_once(line, ':');
            if (!field || line.starts_with(' ')) continue;  // of a description
            if (field->first == "Package") name = trim(field->second);
            else if (field->first == "Version") version = trim(field->second);
            else if (field->first == "Status") state = trim(field->second);
        }
        if (state.ends_with(" installed")) add(name, version, packages);
        status.remove_prefix(std::min(end + 2, status.size()));
    }
    return packages;
}

InstalledPackages packages_of_dnf(std::string_view text) {
    InstalledPackages packages;
    for (auto const line : lines(text)) {
        auto const quoted = line.starts_with('"') ? split_once(line.substr(1), '"') : std::nullopt;
        if (!quoted) continue;
        auto const whole = quoted->first.substr(0, quoted->first.rfind('.'));  // without .ARCH
        if (auto const parts = name_and_version(whole); parts && concerns_gpus(parts->first))
            add(parts->first, parts->second, packages);
    }
    return packages;
}

InstalledPackages packages_of_rpm(std::string_view text) {
    InstalledPackages packages;
    for (auto const line : lines(text))
        if (auto const word = words(line); word.size() == 2 && concerns_gpus(word[0]))
            add(word[0], word[1], packages);
    return packages;
}

void read_packages(ProbeContext const& context, Host& host) {
    auto& fact = host.installed_packages;
    for (auto const& database : databases) {
        auto const packages = database.read(context.root);
        if (packages) {
            fact.offer(*packages, {reader, std::string(database.path)});
            break;
        }
        miss(fact, packages);
    }
    // A container has packages of its own; the firmware that its host loaded is not among them.
    if (in_container(host))
        return host.linux_firmware_version.miss(Missing::unsupported,
                                                "a container does not show the host's");
    offer_firmware(fact, host.linux_firmware_version);
}

}  // namespace rocmtune
