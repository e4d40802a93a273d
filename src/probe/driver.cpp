// SPDX-License-Identifier: MIT
// Reader `driver`: the amdgpu kernel driver: loaded or not, whose build, its parameters, what
// keeps it from loading, and which loaded modules disturb it.
#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/host.hpp"
#include "machine/host_root.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// driver_blacklists, module_options and module_parameters (modprobe.cpp).
void read_modprobe(HostRoot const& root, Host& host);

/// kernel_headers, dkms_failures, secure_boot, dkms_key_enrolled.
void read_driver_build(HostRoot const& root, Host& host);

/// Gpu::firmware_missing.
void read_firmware_files(ProbeContext const& context, Host& host);

/// driver_conflicts: "MODULE: why it is in the way".
void read_conflicts(HostRoot const& root, std::string_view reader, Host& host);

namespace {

struct Conflict {
    std::string_view module;
    std::string_view why;
};

/// ast: AMD, "GPU partitioning", MI300X troubleshooting, item 4. gim: AMD MxGPU-Virtualization,
/// host driver: it takes the place of amdgpu. fglrx: AMD's driver before amdgpu.
constexpr std::array conflicts{
    Conflict{"ast", "BMC display driver: GPU partitions may stay missing while it is loaded"},
    Conflict{"gim", "SR-IOV host driver: it owns the GPUs that amdgpu would drive"},
    Conflict{"fglrx", "AMD's former driver: it excludes amdgpu"},
};

/// Whether /proc/modules ("NAME SIZE USERS ...", one a line) names a module.
bool lists_loaded(std::string_view modules, std::string_view name) {
    auto const all = lines(modules);
    return std::any_of(all.begin(), all.end(), [&](std::string_view line) {
        return line.substr(0, line.find(' ')) == name;
    });
}

}  // namespace

void read_conflicts(HostRoot const& root, std::string_view reader, Host& host) {
    auto const modules = root.status("/sys/module");
    if (!modules) return miss(host.driver_conflicts, modules);
    std::vector<std::string> found;
    Tried tried;
    // /sys/module shows built-in drivers too; but captures hold few of its directories, so only
    // with the list of modules does a missing one mean that it is not loaded.
    auto const loaded = root.read("/proc/modules");
    if (!loaded) tried.add(loaded);
    for (auto const& conflict : conflicts) {
        auto const status = root.status(fmt::format("/sys/module/{}", conflict.module));
        if (status || lists_loaded(loaded.value.value_or(""), conflict.module))
            found.push_back(fmt::format("{}: {}", conflict.module, conflict.why));
        else tried.add(status);
    }
    tried.offer(host.driver_conflicts, std::move(found), {reader, "/sys/module"});
}

namespace {

constexpr std::string_view driver_reader = "driver";
constexpr std::string_view module_directory = "/sys/module/amdgpu";

/// Bounds against trees that are no hosts: real ones stay far below.
constexpr std::size_t max_parameters = 512;
constexpr std::size_t max_builds = 256;

std::string module_file(std::string_view name) {
    return fmt::format("{}/{}", module_directory, name);
}

// ---- state and origin ---------------------------------------------------------------------------

/// A module directory without initstate is that of a driver built into the kernel: only loadable
/// modules have the file (kernel/module/sysfs.c). modules.builtin confirms it where it is at hand.
void settle_built_in(HostRoot const& root, Host& host) {
    auto const release = host.kernel_release.value_or("");
    if (release.empty() || release.find('/') != release.npos)
        return host.amdgpu_state.miss(host.kernel_release.reason(), "kernel release unknown");
    auto const path = fmt::format("/lib/modules/{}/modules.builtin", release);
    auto const text = root.read(path);
    if (!text && text.reason != Missing::absent) return miss(host.amdgpu_state, text);
    // Containers have no /lib/modules; there the directory itself is the evidence.
    if (!text)
        return host.amdgpu_state.offer("built-in", {driver_reader, std::string(module_directory)});
    for (auto const line : lines(*text))
        if (line.ends_with("/amdgpu.ko"))
            return host.amdgpu_state.offer("built-in", {driver_reader, path});
    host.amdgpu_state.miss(
        Missing::invalid, module_file("initstate") + " is missing, but the driver is not built in");
}

void settle_absent(HostRoot const& root, Host& host) {
    auto const modules = root.status("/sys/module");
    if (!modules) return miss(host.amdgpu_state, modules);
    host.amdgpu_state.offer("absent", {driver_reader, std::string(module_directory)});
}

void read_state(HostRoot const& root, Host& host) {
    auto const path = module_file("initstate");
    auto const state = root.read(path);
    if (state) {
        // The three states of kernel/module/sysfs.c, show_initstate.
        bool const known = *state == "live" || *state == "coming" || *state == "going";
        if (known) return host.amdgpu_state.offer(*state, {driver_reader, path});
        return host.amdgpu_state.miss(Missing::invalid, path + ": unexpected text");
    }
    if (state.reason != Missing::absent) return miss(host.amdgpu_state, state);
    auto const directory = root.status(module_directory);
    if (directory) return settle_built_in(root, host);
    if (directory.reason != Missing::absent) return miss(host.amdgpu_state, directory);
    settle_absent(root, host);
}

bool has_build_for_this_kernel(Host const& host) {
    if (!host.dkms_builds || !host.kernel_release) return false;
    auto const part = fmt::format(", {}, ", *host.kernel_release);
    auto const& builds = *host.dkms_builds;
    return std::any_of(builds.begin(), builds.end(),
                       [&](auto const& build) { return build.find(part) != build.npos; });
}

/// AMD's DKMS driver is built outside the kernel tree (taint flag O, kernel/panic.c) and states a
/// version, which the kernel's own never does. Every loadable module has a taint file, so without
/// one the tree is incomplete, and a missing version proves nothing.
void read_origin(HostRoot const& root, Host& host) {
    auto& origin = host.amdgpu_origin;
    if (!host.amdgpu_state)
        return origin.miss(host.amdgpu_state.reason(), host.amdgpu_state.detail());
    if (*host.amdgpu_state == "absent") return origin.miss(Missing::absent, "amdgpu is not loaded");
    if (*host.amdgpu_state == "built-in")
        return origin.offer("kernel", {driver_reader, std::string(module_directory)});
    auto const path = module_file("taint");
    auto const taint = root.read(path);
    if (!taint || (taint->empty() && !holds_blank_line(root, path))) {
        if (host.amdgpu_version)
            return origin.offer("dkms", {driver_reader, module_file("version")});
        bool const unknown = taint || taint.reason == Missing::absent;
        return origin.miss(unknown ? Missing::not_recorded : taint.reason, path);
    }
    if (taint->find('O') == std::string::npos) return origin.offer("kernel", {driver_reader, path});
    if (host.amdgpu_version || has_build_for_this_kernel(host))
        return origin.offer("dkms", {driver_reader, path});
    origin.miss(Missing::invalid,
                path + ": built outside the kernel tree, without a version and not by DKMS");
}

void read_parameters(HostRoot const& root, Host& host) {
    auto const directory = module_file("parameters");
    auto const names = root.list(directory);
    if (!names) return miss(host.amdgpu_parameters, names);
    if (names->size() > max_parameters)
        return host.amdgpu_parameters.miss(Missing::invalid, directory + ": too many");
    std::map<std::string, std::string> values;
    Tried tried;
    for (auto const& name : *names) {
        if (auto const text = root.read(directory + '/' + name)) values.emplace(name, *text);
        else tried.add(text);
    }
    tried.offer(host.amdgpu_parameters, std::move(values), {driver_reader, directory});
}

// ---- DKMS ---------------------------------------------------------------------------------------

/// The builds that `dkms status` would print for amdgpu, in its words, without running it. A link
/// kernel-RELEASE-ARCH at the top marks an installed build (dkms(8), is_module_installed).
class DkmsTree {
  public:
    DkmsTree(HostRoot root, std::vector<std::string> const& entries)
        : root_(std::move(root)), entries_(entries) {}

    std::vector<std::string> builds() {
        for (auto const& entry : entries_)
            if (!entry.starts_with("kernel-") && entry != "original_module") add_version(entry);
        return std::move(builds_);
    }
    Tried const& tried() const { return tried_; }

  private:
    std::vector<std::string> names(std::string const& path) {
        auto list = root_.list(path);
        if (list) return std::move(*list.value);
        if (list.error != ENOTDIR) tried_.add(list);
        return {};
    }

    void add_version(std::string const& version) {
        auto const path = fmt::format("{}/{}", dkms_directory, version);
        auto const parts = names(path);
        auto const before = builds_.size();
        for (auto const& kernel : parts) {
            if (kernel.empty() || kernel[0] < '0' || kernel[0] > '9') continue;  // source, build
            for (auto const& arch : names(path + '/' + kernel)) add_build(version, kernel, arch);
        }
        bool const added = std::find(parts.begin(), parts.end(), "source") != parts.end();
        if (builds_.size() == before && added && has_room())
            builds_.push_back(fmt::format("amdgpu/{}: added", version));
    }

    void add_build(std::string const& version, std::string const& kernel, std::string const& arch) {
        auto const build = fmt::format("{}/{}/{}", version, kernel, arch);
        auto const path = fmt::format("{}/{}", dkms_directory, build);
        if (!has_room() || !root_.exists(path + "/module")) return;
        auto const link = root_.link(fmt::format("{}/kernel-{}-{}", dkms_directory, kernel, arch));
        bool const installed = link && (*link == build || *link == path);
        builds_.push_back(fmt::format("amdgpu/{}, {}, {}: {}", version, kernel, arch,
                                      installed ? "installed" : "built"));
    }

    bool has_room() {
        if (builds_.size() == max_builds) tried_.add(Missing::not_read, "more than 256 builds");
        return builds_.size() < max_builds;
    }

    HostRoot root_;
    std::vector<std::string> const& entries_;
    std::vector<std::string> builds_;
    Tried tried_;
};

void read_dkms(HostRoot const& root, Host& host) {
    std::string const directory(dkms_directory);
    auto const entries = root.list(directory);
    if (!entries && entries.reason == Missing::absent && in_container(host))
        return host.dkms_builds.miss(Missing::unsupported, "a container does not show the host's");
    if (!entries) return miss(host.dkms_builds, entries);
    DkmsTree tree(root, *entries);
    auto builds = tree.builds();
    tree.tried().offer(host.dkms_builds, std::move(builds), {driver_reader, directory});
}

// ---- TTM ----------------------------------------------------------------------------------------

/// A number of pages as bytes. The DKMS driver brings its own TTM under the name amdttm, newer ones
/// under amd_ttm (rocm-systems pull request 5290).
void read_ttm(HostRoot const& root, Host const& host, std::string_view name, Number& fact) {
    constexpr std::uint64_t page_bytes = 4096;  // x86 has no other base page size
    Tried tried;
    for (auto const module : {"amd_ttm", "amdttm", "ttm"}) {
        auto const path = fmt::format("/sys/module/{}/parameters/{}", module, name);
        auto const text = root.read(path);
        if (!text) {
            tried.add(text);
            if (text.reason == Missing::absent || text.reason == Missing::not_recorded) continue;
            break;
        }
        auto const pages = to_unsigned(*text, 10);
        if (!pages || *pages > std::numeric_limits<std::uint64_t>::max() / page_bytes)
            return fact.miss(Missing::invalid, path + ": unexpected text");
        if (host.architecture && *host.architecture != "x86_64")
            return fact.miss(Missing::unsupported, path + ": in pages of unknown size");
        return fact.offer(*pages * page_bytes, {driver_reader, path});
    }
    tried.state(fact);
}

}  // namespace

void read_driver(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    read_state(root, host);
    offer_text(root, module_file("version"), driver_reader, host.amdgpu_version);
    read_dkms(root, host);
    read_origin(root, host);
    read_driver_build(root, host);
    read_parameters(root, host);
    read_modprobe(root, host);
    read_firmware_files(context, host);
    read_conflicts(root, driver_reader, host);
    read_ttm(root, host, "pages_limit", host.ttm_limit_bytes);
    read_ttm(root, host, "page_pool_size", host.ttm_pool_bytes);
}

}  // namespace rocmtune
