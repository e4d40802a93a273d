// SPDX-License-Identifier: MIT
// Which kind of container surrounds this process, if any.
#include "probe/container.hpp"

#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "probe/parsers.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

/// What one look at the evidence found: a kind of container and where it shows.
struct Evidence {
    std::string kind;
    std::string where;
};

/// Names that managers give themselves ($container, /run/systemd/container), and ours for them.
/// "oci" and unknown names tell nothing of the manager; "wsl" and "proot" are no containers.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> manager_names{{
    {"docker", "docker"},
    {"podman", "podman"},
    {"lxc", "lxc"},
    {"lxc-libvirt", "lxc"},
    {"systemd-nspawn", "systemd-nspawn"},
    {"oci", "other"},
    {"flatpak", "other"},
}};

std::optional<std::string> manager_kind(std::string_view name) {
    for (auto const& [known, kind] : manager_names)
        if (name == known) return std::string(kind);
    return std::nullopt;
}

/// Collects what speaks for a container. Files and variables may be left over from an image or set
/// by hand, so most of them count only if the namespaces do not deny them.
class ContainerSearch {
  public:
    ContainerSearch(HostRoot root, std::string_view reader)
        : root_(std::move(root)), reader_(reader) {}

    void state(Text& fact) {
        own_pids_ = is_own("/proc/self/ns/pid", first_pid_namespace);
        own_cgroups_ = is_own("/proc/self/ns/cgroup", first_cgroup_namespace);
        own_users_ = is_own("/proc/self/ns/user", first_user_namespace);
        read_cgroups();
        if (auto const found = find()) {
            fact.offer(found->kind, {reader_, found->where});
        } else if (contradiction_) {
            fact.miss(Missing::invalid, *contradiction_);
        } else if (namespaces_deny() && own_users_ == false) {
            fact.offer("none", {reader_, "/proc/self/ns/pid"});
        } else if (tried_.leaves_doubt() || looked_at_.empty()) {
            tried_.state(fact);
        } else {
            fact.offer("none", {reader_, looked_at_});
        }
    }

  private:
    /// The innermost kind first: Apptainer keeps the variables and files of what surrounds it.
    std::optional<Evidence> find() {
        if (auto found = apptainer()) return found;
        if (auto found = kubernetes()) return found;
        if (auto found = marker_file("/run/.containerenv", "podman")) return found;
        if (auto found = marker_file("/.dockerenv", "docker")) return found;
        if (cgroup_path_) return cgroup_path_;
        if (auto found = manager()) return found;
        return foreign_namespace();
    }

    /// Whether a namespace is not the first of its kind; nothing where the link cannot be read.
    std::optional<bool> is_own(std::string_view path, std::string_view first) const {
        auto const link = root_.link(path);
        return link ? std::optional(*link != first) : std::nullopt;
    }

    /// True if it is certain that no runtime of the usual kind surrounds us: even one that shares
    /// the host's process numbers leaves its name in the cgroup path or hides that path.
    bool namespaces_deny() const {
        return own_pids_ == false && own_cgroups_ == false && !cgroup_path_;
    }

    /// Whether a path exists; what cannot be known is noted.
    bool exists(std::string_view path) {
        auto const status = root_.status(path);
        if (!status) tried_.add(status);
        return status.value.has_value();
    }
    std::optional<std::string> variable(std::string_view name) const {
        return root_.environment_value(name);
    }

    /// Batch scripts set these variables too; the directory is in every image, and on no host.
    std::optional<Evidence> apptainer() {
        bool const newer = variable("APPTAINER_CONTAINER").has_value();
        bool const older = variable("SINGULARITY_CONTAINER").has_value();
        auto const directory = root_.status("/.singularity.d");
        if (directory)
            return Evidence{older && !newer ? "singularity" : "apptainer", "/.singularity.d"};
        tried_.add(directory);
        if ((newer || older) && directory.reason == Missing::absent)
            contradiction_ = "variables of Apptainer are set, but /.singularity.d is missing";
        return std::nullopt;
    }

    /// The variable is set for every container of a pod, but a user may set it as well.
    std::optional<Evidence> kubernetes() {
        if (cgroup_path_ && cgroup_path_->kind == "kubernetes") return cgroup_path_;
        if (!variable("KUBERNETES_SERVICE_HOST") || namespaces_deny()) return std::nullopt;
        return Evidence{"kubernetes", "environment:KUBERNETES_SERVICE_HOST"};
    }

    void read_cgroups() {
        for (std::string const path : {"/proc/self/cgroup", "/proc/1/cgroup"}) {
            auto const text = root_.read(path);
            if (!text) {
                // With hidepid, process 1 may be out of sight; our own file says as much.
                if (looked_at_.empty()) tried_.add(text);
                continue;
            }
            looked_at_ = path;
            auto const kind = container_in_cgroup(*text);
            if (kind && !cgroup_path_) cgroup_path_ = Evidence{std::string(*kind), path};
        }
    }

    std::optional<Evidence> marker_file(std::string_view path, std::string_view kind) {
        if (!exists(path) || namespaces_deny()) return std::nullopt;
        // A WSL distribution imported from a Docker image keeps /.dockerenv; only WSL has /run/WSL.
        if (root_.exists("/run/WSL")) return std::nullopt;
        return Evidence{std::string(kind), std::string(path)};
    }

    std::optional<Evidence> manager() {
        for (std::string const path : {"/run/systemd/container", "/run/host/container-manager"}) {
            auto const text = root_.read(path);
            if (!text) tried_.add(text);
            else if (auto kind = manager_kind(trim(*text))) return Evidence{*kind, path};
        }
        auto const name = variable("container");
        auto kind = name ? manager_kind(*name) : std::nullopt;
        if (!kind || namespaces_deny()) return std::nullopt;
        return Evidence{*kind, "environment:container"};
    }

    /// A PID namespace without any known sign; WSL puts each distribution into one. A user
    /// namespace alone may as well be the sandbox of a service.
    std::optional<Evidence> foreign_namespace() {
        if (root_.exists("/run/WSL")) return std::nullopt;
        if (own_pids_ == true) return Evidence{"other", "/proc/self/ns/pid"};
        if (own_users_ == true) contradiction_ = "a user namespace, but no known container";
        return std::nullopt;
    }

    HostRoot root_;
    std::string_view reader_;
    std::optional<bool> own_pids_, own_cgroups_, own_users_;
    std::optional<Evidence> cgroup_path_;
    std::optional<std::string> contradiction_;
    std::string looked_at_;
    Tried tried_;
};

bool is_container_id(std::string_view text) {
    return text.size() == 64 && is_lower_hexadecimal(text);
}

/// "docker-<id>.scope", as systemd names the unit of a container.
bool is_scope_of(std::string_view part, std::string_view prefix) {
    if (!part.starts_with(prefix) || !part.ends_with(".scope")) return false;
    part.remove_prefix(prefix.size());
    part.remove_suffix(std::string_view(".scope").size());
    return is_container_id(part);
}

std::optional<std::string_view> container_in_path(std::string_view path) {
    auto const parts = split(path, '/');
    std::string_view parent;
    std::optional<std::string_view> kind;
    for (auto const part : parts) {
        if (part.starts_with("kubepods")) return "kubernetes";  // kubelet's --cgroup-root layout
        if (is_scope_of(part, "docker-") || (parent == "docker" && is_container_id(part)))
            kind = "docker";
        else if (is_scope_of(part, "libpod-") || (parent == "libpod_parent" && !part.empty()))
            kind = "podman";
        else if (part.starts_with("lxc.payload") || (parent == "lxc" && !part.empty()))
            kind = "lxc";
        else if (parent == "machine.slice" && part.starts_with("systemd-nspawn@"))
            kind = "systemd-nspawn";
        parent = part;
    }
    return kind;
}

}  // namespace

std::optional<std::string_view> container_in_cgroup(std::string_view text) {
    for (auto const line : lines(text)) {
        // "hierarchy:controllers:path" (cgroups(7)); the path may hold colons.
        auto const first = line.find(':');
        auto const second = first == line.npos ? first : line.find(':', first + 1);
        if (second == line.npos) continue;
        if (auto const kind = container_in_path(line.substr(second + 1))) return kind;
    }
    return std::nullopt;
}

void find_container(HostRoot const& root, std::string_view reader, Text& fact) {
    ContainerSearch(root, reader).state(fact);
}

}  // namespace rocmtune
