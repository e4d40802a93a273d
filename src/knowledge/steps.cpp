// SPDX-License-Identifier: MIT
#include "knowledge/steps.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// How a family of distributions does what steps ask for.
struct Commands {
    std::string_view distributions;  ///< IDs, a blank between
    std::string_view firmware;
    std::string_view initramfs;
    std::string_view hip;
    std::string_view headers;
};

constexpr Commands commands[] = {
    {"debian devuan kali raspbian", "sudo apt install firmware-amd-graphics",
     "sudo update-initramfs -u", "sudo apt install libamdhip64-dev",
     "sudo apt install linux-headers-$(uname -r)"},
    {"ubuntu linuxmint pop neon elementary zorin tuxedo", "sudo apt install linux-firmware",
     "sudo update-initramfs -u", "sudo apt install libamdhip64-dev",
     "sudo apt install linux-headers-$(uname -r)"},
    {"fedora nobara ultramarine rhel centos rocky almalinux ol amzn azurelinux",
     "sudo dnf install amd-gpu-firmware || sudo dnf upgrade linux-firmware", "sudo dracut -f",
     "sudo dnf install rocm-hip || sudo dnf install hip-runtime-amd",
     "sudo dnf install kernel-devel-$(uname -r)"},
    {"sles sle_hpc opensuse-leap opensuse-tumbleweed", "sudo zypper install kernel-firmware-amdgpu",
     "sudo dracut -f", "sudo zypper install hip-runtime-amd",
     "sudo zypper install kernel-default-devel"},
    {"arch cachyos manjaro endeavouros garuda artix steamos", "sudo pacman -S linux-firmware",
     "sudo mkinitcpio -P", "sudo pacman -S hip-runtime-amd",
     "pacman -Qo /usr/lib/modules/$(uname -r)   # install the headers of that package"},
    {"nixos", "nixos-option hardware.enableRedistributableFirmware   # must be true",
     "sudo nixos-rebuild boot", "nix-shell -p rocmPackages.clr",
     "nixos-option boot.kernelPackages"},
};

constexpr Commands anywhere{
    "",
    "sudo apt install firmware-amd-graphics || sudo apt install linux-firmware || sudo dnf upgrade "
    "linux-firmware",
    "sudo update-initramfs -u || sudo dracut -f",
    "sudo apt install libamdhip64-dev || sudo dnf install rocm-hip",
    "sudo apt install linux-headers-$(uname -r) || sudo dnf install kernel-devel-$(uname -r)"};

/// A container shows neither the packages nor the initial RAM disk of its host.
constexpr Commands on_the_host{
    "", "update the host's package of GPU firmware", "rebuild the host's initial RAM disk",
    "install a HIP runtime in the image", "install the headers of the host's kernel there"};

constexpr std::string_view firmware_of_amd =
    "sudo apt install amdgpu-dkms-firmware || sudo dnf install amdgpu-dkms-firmware";

Commands const& commands_of(std::string_view distribution) {
    for (auto const& row : commands)
        for (auto const id : words(row.distributions))
            if (id == distribution) return row;
    return anywhere;
}

void replace_all(std::string& text, std::string_view place, std::string_view value) {
    for (auto at = text.find(place); at != std::string::npos;
         at = text.find(place, at + value.size()))
        text.replace(at, place.size(), value);
}

}  // namespace

std::string filled_step(std::string_view text, StepPlaces const& places) {
    std::string result(text);
    if (result.find('{') == std::string::npos) return result;
    auto const& here = places.in_container ? on_the_host : commands_of(places.distribution);
    bool const of_amd = places.dkms && !places.in_container;
    replace_all(result, "{gpu}", places.gpu.empty() ? "BDF" : places.gpu);
    replace_all(result, "{setting}", places.setting.empty() ? "NAME" : places.setting);
    replace_all(result, "{install-firmware}", of_amd ? firmware_of_amd : here.firmware);
    replace_all(result, "{rebuild-initramfs}", here.initramfs);
    replace_all(result, "{install-hip}", here.hip);
    replace_all(result, "{install-headers}", here.headers);
    return result;
}

}  // namespace rocmtune
