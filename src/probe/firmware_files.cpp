// SPDX-License-Identifier: MIT
// Which files of firmware a GPU without a driver needs and no folder of this host has.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/host.hpp"
#include "machine/host_root.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view firmware_reader = "driver";
constexpr std::string_view firmware_folder = "/lib/firmware";

/// Plain, and as the kernel unpacks it (drivers/base/firmware_loader/main.c).
constexpr std::array<std::string_view, 3> forms{"", ".zst", ".xz"};

/// Where the kernel looks, in its order: the folder that somebody chose (NixOS does), then fw_path
/// of drivers/base/firmware_loader/main.c.
std::vector<std::string> firmware_folders(HostRoot const& root, Host const& host) {
    std::vector<std::string> folders;
    auto const chosen = root.read("/sys/module/firmware_class/parameters/path");
    if (chosen && chosen->starts_with('/')) folders.push_back(*chosen);
    auto const release = host.kernel_release.value_or("");
    bool const is_name = !release.empty() && release.find('/') == release.npos;
    if (is_name) folders.push_back(fmt::format("{}/updates/{}", firmware_folder, release));
    folders.push_back(fmt::format("{}/updates", firmware_folder));
    if (is_name) folders.push_back(fmt::format("{}/{}", firmware_folder, release));
    folders.emplace_back(firmware_folder);
    return folders;
}

/// Whether one of the alternatives "a|b" is in one of the folders; what kept it from being seen
/// goes to `tried`.
bool has_file(HostRoot const& root, std::vector<std::string> const& folders,
              std::string_view alternatives, Tried& tried) {
    for (auto const name : split(alternatives, '|'))
        for (auto const& folder : folders)
            for (auto const form : forms) {
                auto const status =
                    root.status(fmt::format("{}/amdgpu/{}.bin{}", folder, name, form));
                if (status) return true;
                tried.add(status);
            }
    return false;
}

/// Why nobody asks for the files of this GPU; nothing if they are to be looked for.
std::optional<std::pair<Missing, std::string>> why_not_asked(Host const& host, Gpu const& gpu,
                                                             Chip const* chip) {
    if (in_container(host))
        return std::pair(Missing::unsupported, "a container does not show the host's");
    if (!gpu.sysfs_path) return std::pair(gpu.sysfs_path.reason(), gpu.sysfs_path.detail());
    // What the driver has started with it has found, be it in the initial RAM disk.
    if (gpu.driver) return std::pair(Missing::not_read, *gpu.driver + " has this GPU");
    if (gpu.driver.reason() != Missing::absent)
        return std::pair(gpu.driver.reason(), gpu.driver.detail());
    if (chip == nullptr || chip->facts.firmware_files.empty())
        return std::pair(Missing::unsupported, "no profile says which files this chip needs");
    return std::nullopt;
}

void read_missing(HostRoot const& root, Host const& host, Chip const* chip, Gpu& gpu) {
    auto& fact = gpu.firmware_missing;
    if (auto const why = why_not_asked(host, gpu, chip)) return fact.miss(why->first, why->second);
    auto const base = root.status(firmware_folder);
    if (!base) return miss(fact, base);
    auto const folders = firmware_folders(root, host);
    std::vector<std::string> missing;
    Tried tried;
    for (auto const file : chip->facts.firmware_files)
        if (!has_file(root, folders, file, tried))
            missing.push_back(fmt::format("amdgpu/{}.bin", file.substr(0, file.find('|'))));
    // A folder that may not be read, or was not recorded, may have them.
    if (!missing.empty() && tried.leaves_doubt()) return tried.state(fact);
    fact.offer(std::move(missing), {firmware_reader, std::string(firmware_folder)});
}

}  // namespace

void read_firmware_files(ProbeContext const& context, Host& host) {
    auto const& chips = chips_of(context);
    for (auto& gpu : host.gpus)
        read_missing(context.root, host,
                     gpu.gfx_target ? chips.find_chip(*gpu.gfx_target) : nullptr, gpu);
}

}  // namespace rocmtune
