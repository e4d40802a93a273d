// SPDX-License-Identifier: MIT
#include "machine/stand_in.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "machine/host_root.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

bool is_at_or_below(std::string_view path, std::string_view directory) {
    return path.starts_with(directory) &&
           (path.size() == directory.size() || path[directory.size()] == '/' ||
            directory.ends_with('/'));
}

bool is_in_one_of(std::string_view path, std::vector<std::string> const& directories) {
    return std::ranges::any_of(directories,
                               [&](std::string const& one) { return is_at_or_below(path, one); });
}

/// The nodes that concern GPUs; others are nobody's business here.
bool is_gpu_device(std::string_view path) {
    return path == "/dev/kfd" || path == "/dev/dxg" || is_at_or_below(path, "/dev/dri");
}

/// What /proc/devices calls the drivers of these nodes (drm_drv.c, kfd_chardev.c).
std::string_view driver_class(std::string_view path) {
    return path == "/dev/kfd" ? "char-kfd" : is_at_or_below(path, "/dev/dri") ? "char-drm" : "";
}

class StandInSource : public HostSource {
  public:
    StandInSource(std::unique_ptr<HostSource> host, StandIn who)
        : host_(std::move(host)), who_(std::move(who)) {}

    std::optional<std::string> environment() override { return who_.environment; }
    std::string label() const override { return host_->label(); }

    Reply ask(Query const& query) override {
        if (query.operation == Operation::call) return call(query.path);
        if (is_in_one_of(query.path, who_.hidden)) return failure(EACCES);
        if (who_.hides_devices && is_gpu_device(query.path)) return failure(ENOENT);
        if (query.operation == Operation::open) return open(query.path);
        return ask_files(query.operation, query.path);
    }

  private:
    /// The files that the process sees. What lies in /sys and /proc is the kernel's.
    Reply ask_files(Operation operation, std::string_view path) {
        bool const of_kernel = is_at_or_below(path, "/proc") || is_at_or_below(path, "/sys");
        if (who_.files && !of_kernel) return who_.files->ask({operation, path});
        auto const own = own_path(path);
        return host_->ask({operation, own});
    }

    std::string own_path(std::string_view path) const {
        constexpr std::string_view self = "/proc/self";
        if (!who_.pid || !is_at_or_below(path, self)) return std::string(path);
        return fmt::format("/proc/{}{}", *who_.pid, path.substr(self.size()));
    }

    // ---- calls ----------------------------------------------------------------------------------

    Reply call(std::string_view key) {
        if (key == "identity.of") return success(who_.name);
        if (key == "identity.uid") return success(std::to_string(who_.uid));
        if (key == "identity.gids") return success(fmt::format("{}", fmt::join(who_.gids, " ")));
        if (key == "limit.memlock") return limit(who_.memlock);
        if (key == "limit.nofile") return limit(who_.nofile);
        if (key == "home.filesystem") return home_filesystem();
        if (key == "cgroup.cpu")
            return refusal(Missing::not_read, "the quota of another process is not looked at");
        if (key.starts_with("worker."))
            return refusal(Missing::not_read, "libraries answered another process");
        constexpr std::string_view directory = "directory.";
        if (key.starts_with(directory)) return directory_state(key.substr(directory.size()));
        return host_->ask({Operation::call, mounted_key(key)});
    }

    static Reply limit(std::optional<std::string> const& known) {
        return known ? success(*known) : refusal(Missing::not_read, "nothing states it");
    }

    /// A call about a path, in the mounts of the process.
    std::string mounted_key(std::string_view key) const {
        auto const slash = key.find("./");
        if (!who_.files || !who_.pid || slash == key.npos) return std::string(key);
        return fmt::format("{}/proc/{}/root{}", key.substr(0, slash + 1), *who_.pid,
                           key.substr(slash + 1));
    }

    Reply home_filesystem() {
        if (who_.home.empty()) return refusal(Missing::not_read, "its home is not known");
        auto const state = directory_state(who_.home);
        if (!state.ok) return state;
        return success(std::string(state.text.substr(0, state.text.find(' '))));
    }

    /// "MAGIC MODE UID GID w|-" with the last word for this process.
    Reply directory_state(std::string_view path) {
        if (is_in_one_of(path, who_.hidden)) return failure(EACCES);
        auto state = host_->ask({Operation::call, mounted_key(fmt::format("directory.{}", path))});
        auto const part = words(state.text);
        if (!state.ok || part.size() < 4) return state;
        auto const mode = to_unsigned(part[1], 8), uid = to_unsigned(part[2], 10),
                   gid = to_unsigned(part[3], 10);
        if (!mode || !uid || !gid) return state;
        // Where even root may not write, the file system is read-only.
        bool const sealed = part.size() > 4 && part[4] == "-" && who_.uid == 0;
        bool const kept = is_in_one_of(path, who_.read_only) && !is_in_one_of(path, who_.writable);
        bool const may = !sealed && !kept && is_let_in(*mode, *uid, *gid, 3);
        return success(
            fmt::format("{} {} {} {} {}", part[0], part[1], part[2], part[3], may ? 'w' : '-'));
    }

    // ---- rights ---------------------------------------------------------------------------------

    /// Whether mode and owner grant all of `wanted`, of the bits 4, 2 and 1; root needs none.
    bool is_let_in(std::uint64_t mode, std::uint64_t owner, std::uint64_t group,
                   std::uint64_t wanted) const {
        if (who_.uid == 0) return true;
        auto const shift = owner == who_.uid                          ? 6U
                           : std::ranges::count(who_.gids, group) > 0 ? 3U
                                                                      : 0U;
        return ((mode >> shift) & wanted) == wanted;
    }

    Reply open(std::string_view path) {
        auto const answer = ask_files(Operation::status, path);
        if (!answer.ok) return answer;
        auto const part = words(answer.text);
        if (part.size() != 6) return refusal(Missing::invalid, "unexpected status");
        if (who_.devices && !is_allowed(path)) return failure(EPERM);
        // What the driver itself refuses, it refuses everybody.
        auto const ours = host_->ask({Operation::open, path});
        bool const of_driver = !ours.ok && ours.error != 0 && ours.error != EACCES &&
                               ours.error != EPERM && ours.error != ENOENT;
        if (of_driver) return ours;
        auto const mode = to_unsigned(part[1], 8).value_or(0);
        auto const uid = to_unsigned(part[2], 10).value_or(0);
        auto const gid = to_unsigned(part[3], 10).value_or(0);
        if (is_let_in(mode, uid, gid, 6) || is_in_access_list(path)) return success({});
        return failure(EACCES);
    }

    bool is_allowed(std::string_view path) const {
        return std::ranges::any_of(*who_.devices, [&](std::string const& one) {
            return one == path || one == "char-*" ||
                   (!driver_class(path).empty() && one == driver_class(path));
        });
    }

    /// Seats give the user who sits at them the devices by an access list. "u:1000 g:44".
    bool is_in_access_list(std::string_view path) {
        auto const list =
            host_->ask({Operation::call, mounted_key(fmt::format("writers.{}", path))});
        if (!list.ok) return false;
        return std::ranges::any_of(words(list.text), [&](std::string_view word) {
            auto const id = word.size() > 2 ? to_unsigned(word.substr(2), 10) : std::nullopt;
            if (!id) return false;
            return word.starts_with("u:") ? *id == who_.uid
                                          : std::ranges::count(who_.gids, *id) > 0;
        });
    }

    std::unique_ptr<HostSource> host_;
    StandIn who_;
};

}  // namespace

std::unique_ptr<HostSource> stand_in_source(std::unique_ptr<HostSource> host, StandIn who) {
    return std::make_unique<StandInSource>(std::move(host), std::move(who));
}

}  // namespace rocmtune
