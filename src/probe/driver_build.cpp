// SPDX-License-Identifier: MIT
// What keeps DKMS from giving this kernel a driver: missing headers, a build that failed, and
// Secure Boot, which refuses modules that are signed with a key nobody enrolled.
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

constexpr std::string_view driver_build_reader = "driver";
constexpr std::size_t most_dkms_versions = 16;

// ---- headers ------------------------------------------------------------------------------------

/// Kbuild follows /lib/modules/RELEASE/build; packages of headers bring or fill what it leads to.
void read_headers(HostRoot const& root, Host& host) {
    auto& fact = host.kernel_headers;
    auto const release = host.kernel_release.value_or("");
    if (release.empty() || release.find('/') != release.npos)
        return fact.miss(host.kernel_release.reason(), "kernel release unknown");
    auto const modules = fmt::format("/lib/modules/{}", release);
    auto const build = root.status(modules + "/build");
    if (build) return fact.offer(true, {driver_build_reader, modules + "/build"});
    if (build.reason != Missing::absent) return miss(fact, build);
    auto const directory = root.status(modules);
    if (directory) fact.offer(false, {driver_build_reader, modules + "/build"});
    else miss(fact, directory);
}

// ---- builds that failed -------------------------------------------------------------------------

/// "amdgpu/VERSION, KERNEL: LINE". A build that ends well leaves no log in this place: DKMS moves
/// it to that of the kernel (dkms(8)).
void read_failures(HostRoot const& root, Host& host) {
    auto& fact = host.dkms_failures;
    auto const versions = root.list(dkms_directory);
    if (!versions) return miss(fact, versions);
    std::vector<std::string> failures;
    Tried tried;
    for (std::size_t i = 0; i < std::min(versions->size(), most_dkms_versions); ++i) {
        auto const& version = (*versions)[i];
        auto const path = fmt::format("{}/{}/build/make.log", dkms_directory, version);
        auto const log = root.read_bytes(path);
        if (!log) {
            tried.add(log);
            continue;
        }
        if (auto const failure = dkms_failure_in(*log))
            failures.push_back(printable(
                fmt::format("amdgpu/{}, {}: {}", version, failure->kernel, failure->error)));
    }
    tried.offer(fact, std::move(failures), {driver_build_reader, std::string(dkms_directory)});
}

// ---- Secure Boot --------------------------------------------------------------------------------

constexpr std::string_view variables = "/sys/firmware/efi/efivars/";
constexpr std::string_view secure_boot = "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
constexpr std::string_view mok_state = "MokSBStateRT-605dab50-e046-4300-abb6-3dd810dd8b23";
constexpr std::string_view mok_list = "MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23";
/// efivarfs puts the attributes of a variable before its value (Documentation/filesystems/
/// efivarfs.rst).
constexpr std::size_t attribute_bytes = 4;

std::string variable(std::string_view name) {
    return std::string(variables).append(name);
}

/// The value of a variable of one byte.
std::optional<bool> flag_in(Answer<std::string> const& bytes) {
    if (!bytes || bytes->size() != attribute_bytes + 1) return std::nullopt;
    return (*bytes)[attribute_bytes] != 0;
}

/// As the kernel's own start takes it: on, unless the owner has told shim not to verify
/// (drivers/firmware/efi/libstub/secureboot.c).
void read_secure_boot(HostRoot const& root, Host& host) {
    auto& fact = host.secure_boot;
    auto const path = variable(secure_boot);
    auto const bytes = root.read_bytes(path);
    if (auto const on = flag_in(bytes)) {
        bool const off = flag_in(root.read_bytes(variable(mok_state))).value_or(false);
        return fact.offer(*on && !off, {driver_build_reader, off ? variable(mok_state) : path});
    }
    if (bytes) return fact.miss(Missing::invalid, path + ": unexpected bytes");
    // Container runtimes cover /sys/firmware.
    bool const whole = root.exists("/sys/firmware/acpi") && !root.exists("/sys/firmware/efi");
    if (bytes.reason == Missing::absent && whole)
        return fact.offer(false, {driver_build_reader, "/sys/firmware: no EFI"});
    miss(fact, bytes);
}

/// The certificates that DKMS signs with: of Ubuntu and Debian with shim-signed, and its own.
constexpr std::array<std::string_view, 2> certificates{"/var/lib/shim-signed/mok/MOK.der",
                                                       "/var/lib/dkms/mok.pub"};

/// A list of signatures holds each certificate as it is (UEFI, EFI_SIGNATURE_LIST).
void read_key(HostRoot const& root, Host& host) {
    auto& fact = host.dkms_key_enrolled;
    constexpr std::size_t least_bytes = 64;  // of any certificate: less is a damaged file
    auto const list = root.read_bytes(variable(mok_list));
    if (!list) return miss(fact, list);
    std::string found;
    for (auto const path : certificates) {
        auto const certificate = root.read_bytes(path);
        if (!certificate) {
            miss(fact, certificate);
            continue;
        }
        if (certificate->size() < least_bytes) continue;
        if (found.empty()) found = path;
        if (list->find(*certificate) != list->npos)
            return fact.offer(true, {driver_build_reader, std::string(path)});
    }
    if (!found.empty()) fact.offer(false, {driver_build_reader, std::move(found)});
}

}  // namespace

std::optional<DkmsFailure> dkms_failure_in(std::string_view log) {
    DkmsFailure failure;
    for (auto const line : lines(log)) {
        // "DKMS make.log for amdgpu-6.8.5 for kernel 6.14.0-29-generic (x86_64)"
        constexpr std::string_view before = " for kernel ";
        auto const at = line.find("make.log for ") == line.npos ? line.npos : line.find(before);
        if (failure.kernel.empty() && at != line.npos) {
            auto const rest = words(line.substr(at + before.size()));
            if (!rest.empty()) failure.kernel = rest.front();
            continue;
        }
        bool const is_error = line.find("error: ") != line.npos ||
                              line.find("ERROR: modpost: ") != line.npos ||
                              (line.starts_with("make") && line.find("*** ") != line.npos);
        if (!is_error) continue;
        constexpr std::size_t longest = 240;
        failure.error = std::string(trim(line)).substr(0, longest);
        break;
    }
    if (failure.error.empty()) return std::nullopt;
    if (failure.kernel.empty()) failure.kernel = "kernel not stated";
    return failure;
}

void read_driver_build(HostRoot const& root, Host& host) {
    auto const of_host = [&](auto&... facts) {
        (facts.miss(Missing::unsupported, "a container does not show the host's"), ...);
    };
    if (in_container(host))
        return of_host(host.kernel_headers, host.dkms_failures, host.secure_boot,
                       host.dkms_key_enrolled);
    read_headers(root, host);
    read_failures(root, host);
    read_secure_boot(root, host);
    read_key(root, host);
}

}  // namespace rocmtune
