// SPDX-License-Identifier: MIT
#include "knowledge/findings.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/text.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/data_in_force.hpp"
#include "knowledge/records_by_id.hpp"

namespace rocmtune {
namespace {

TextRule const id_text{[](std::string_view text) {
                           return text.size() == 6 && text.starts_with("RT") &&
                                  std::ranges::all_of(text.substr(2), is_digit) && text[2] >= '1' &&
                                  text[2] <= '7';
                       },
                       "expected RT and four digits, the first of them 1 to 7"};

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

}  // namespace

template <class Visitor>
void visit_fields(FindingKind& it, Visitor&& v) {
    v(DataKey{"id"}.like(id_text), it.id);
    v(DataKey{"title"}, it.title);
    v(DataKey{"meaning"}, it.meaning);
    v(DataKey{"action"}, it.action);
    v(DataKey{"next_step"}, it.next_step);
    v(DataKey{"sources"}.not_empty("a finding needs a source"), it.sources);
}

FindingKinds parse_finding_kinds(std::string_view file, std::string_view text) {
    FindingKinds out{parse_data_file(file, text), {}};
    JsonNode const root(*out.file);
    root.expect_keys({"$schema", "schema_version", "findings"});
    expect_version_1(root, "findings");
    StringPool pool;
    out.kinds = records_by_id<FindingKind>(root.at("findings"), DataReader(pool));
    if (out.kinds.empty()) root.at("findings").fail("there is no finding in it");
    return out;
}

std::span<FindingKind const> all_finding_kinds() {
    static auto const embedded =
        parse_finding_kinds("findings.json", data_text("findings.json").value());
    return embedded.kinds;
}

FindingKind const* find_finding_kind(std::string_view id) {
    return find_by_id(all_finding_kinds(), id);
}

Finding make_finding(std::string_view id, Verdict verdict, std::string subject,
                     std::string message) {
    auto const* const kind = find_finding_kind(id);
    if (kind == nullptr) throw std::logic_error("no finding " + std::string(id));
    Finding finding{.id = std::string(id),
                    .verdict = verdict,
                    .action = kind->action,
                    .subject = std::move(subject),
                    .message = std::move(message),
                    .next_step = std::string(kind->next_step)};
    for (auto const& source : kind->sources) finding.sources.push_back(reference_of(source));
    return finding;
}

StepPlaces places_of(Host const& host) {
    return {.distribution = host.distribution_id ? std::string_view(*host.distribution_id) : "",
            .dkms = host.amdgpu_origin.value() == "dkms",
            .in_container = in_container(host)};
}

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
