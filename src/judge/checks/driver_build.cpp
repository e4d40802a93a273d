// SPDX-License-Identifier: MIT
// Why a GPU gets no driver: Secure Boot, missing headers, a build that failed, missing firmware.

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

bool is_loaded(Host const& host) {
    return host.amdgpu_state.value() == "live" || host.amdgpu_state.value() == "built-in";
}

/// Whether DKMS has the driver for the running kernel, be it loaded or not.
bool is_built(Host const& host) {
    return host.dkms_builds && host.kernel_release &&
           dkms_installed_for(*host.dkms_builds, *host.kernel_release);
}

void judge_secure_boot(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const& on = host.secure_boot;
    if (!verdicts.have_or_skip(on, "state of Secure Boot", "nothing tells of Secure Boot here"))
        return;
    if (!*on) return verdicts.pass("Secure Boot is off", on);
    if (is_loaded(host)) return verdicts.pass("Secure Boot is on, and amdgpu is loaded", on);
    if (!host.amdgpu_state || !is_built(host))
        return verdicts.skip("Secure Boot is on, and DKMS has no amdgpu that it could refuse");
    auto const& key = host.dkms_key_enrolled;
    if (!key)
        return verdicts.unknown(
            "Secure Boot is on and amdgpu of DKMS is not loaded; whether the firmware trusts the "
            "key that it is signed with could not be read",
            on);
    if (*key) return verdicts.pass("the key that DKMS signs with is enrolled", key);
    verdicts.fail(
        "Secure Boot is on, and the key that DKMS signs amdgpu with is not enrolled",
        {evidence(on), evidence(key), evidence(host.amdgpu_state)},
        fmt::format("sudo mokutil --import {}   # set a password, start the host anew and "
                    "enrol the key at the console",
                    key.source().where));
}

void judge_headers(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const none = std::string("DKMS has no amdgpu");
    if (!verdicts.have_or_skip(host.dkms_builds, "DKMS builds of amdgpu", none)) return;
    if (host.dkms_builds->empty()) return verdicts.skip(none);
    if (is_built(host)) return verdicts.pass("DKMS has built amdgpu for this kernel");
    auto const& headers = host.kernel_headers;
    if (!verdicts.have_or_skip(headers, "headers of the kernel", "nothing tells of the headers"))
        return;
    if (*headers) return verdicts.pass("the headers of this kernel are installed", headers);
    verdicts.give(is_loaded(host) ? Verdict::warn : Verdict::fail,
                  fmt::format("DKMS cannot build amdgpu for {}: its headers are not installed",
                              host.kernel_release.value_or("this kernel")),
                  {evidence(headers), evidence(host.dkms_builds)});
}

void judge_build_log(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const& failures = host.dkms_failures;
    if (!verdicts.have_or_skip(failures, "logs of DKMS", "DKMS has no amdgpu")) return;
    if (failures->empty()) return verdicts.pass("no log of DKMS tells of a failed build");
    if (is_built(host))
        return verdicts.info("DKMS has amdgpu for this kernel; another build of it has failed",
                             failures);
    auto const mark = fmt::format(", {}: ", host.kernel_release.value_or("?"));
    bool const here = std::ranges::any_of(
        *failures, [&](std::string const& text) { return text.find(mark) != text.npos; });
    if (!here)
        return verdicts.info("DKMS could not build amdgpu for another kernel than this one",
                             failures);
    verdicts.give(
        is_loaded(host) ? Verdict::warn : Verdict::fail,
        fmt::format("DKMS could not build amdgpu for the running kernel {}", *host.kernel_release),
        failures);
}

/// A driver that is loaded and drives not this GPU has asked for these files and not got them;
/// nobody has yet where it is not loaded.
Verdict without_files(Host const& host) {
    if (is_loaded(host)) return Verdict::fail;
    bool const kept_out = host.driver_blacklists && !host.driver_blacklists->empty();
    return kept_out ? Verdict::info : Verdict::warn;
}

void judge_firmware_files(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    for (auto const& gpu : host.gpus) {
        if (!gpu.sysfs_path || gpu.partition_index.value_or(0) != 0) continue;
        auto const at = verdicts.about(gpu.pci_address.value_or("host"));
        auto const& missing = gpu.firmware_missing;
        if (!missing && missing.reason() == Missing::not_read) {
            at.skip("a driver has this GPU, and with it its firmware");
            continue;
        }
        if (!at.have_or_skip(missing, "files of firmware", "nothing tells of files of firmware"))
            continue;
        if (missing->empty()) {
            at.pass("the files of firmware that this chip cannot do without are there", missing);
            continue;
        }
        std::vector<Evidence> proof{evidence(missing)};
        if (host.linux_firmware_version) proof.push_back(evidence(host.linux_firmware_version));
        at.give(
            without_files(host),
            fmt::format("{} has no {}{}, which amdgpu loads into this chip", missing.source().where,
                        missing->front(), missing->size() == 1 ? "" : " and others"),
            std::move(proof));
    }
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check driver_build_rows[] = {
    {"RT3007", "secure-boot", "driver", quick, false, host_only, judge_secure_boot},
    {"RT3008", "kernel-headers", "driver", quick, false, host_only, judge_headers},
    {"RT3010", "driver-compiles", "driver", quick, false, host_only, judge_build_log},
    {"RT3014", "firmware-files", "driver", quick, false, host_only, judge_firmware_files},
};
// clang-format on

}  // namespace

std::span<Check const> driver_build_checks() {
    return driver_build_rows;
}

}  // namespace rocmtune
