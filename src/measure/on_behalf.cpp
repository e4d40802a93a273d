// SPDX-License-Identifier: MIT
#include "measure/on_behalf.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/host_root.hpp"
#include "machine/stand_in.hpp"
#include "measure/unit_file.hpp"
#include "rocmtune/error.hpp"
#include "settings/collect.hpp"

namespace rocmtune {
namespace {

using Variables = std::map<std::string, std::string>;

// ---- users and groups ---------------------------------------------------------------------------

/// A line of passwd(5).
struct User {
    std::string name;
    std::uint64_t uid = 0;
    std::uint64_t gid = 0;
    std::string home;
};

/// By name or by number.
std::optional<User> find_user(HostRoot const& root, std::string_view wanted) {
    auto const text = root.read("/etc/passwd").value.value_or("");
    auto const number = to_unsigned(wanted, 10);
    for (auto const line : lines(text)) {
        auto const part = split(line, ':');
        if (part.size() < 6) continue;
        auto const uid = to_unsigned(part[2], 10), gid = to_unsigned(part[3], 10);
        if (!uid || !gid || (part[0] != wanted && number != uid)) continue;
        return User{std::string(part[0]), *uid, *gid, std::string(part[5])};
    }
    return std::nullopt;
}

/// group(5): NAME:x:GID:MEMBER,...
std::vector<std::vector<std::string_view>> groups_in(std::string_view text) {
    std::vector<std::vector<std::string_view>> groups;
    for (auto const line : lines(text))
        if (auto part = split(line, ':'); part.size() >= 4 && to_unsigned(part[2], 10))
            groups.push_back(std::move(part));
    return groups;
}

/// The groups that a login or a unit of this user gets (initgroups(3)), and `more` by name or
/// number.
std::vector<std::uint64_t> groups_of(HostRoot const& root, User const& user,
                                     std::vector<std::string> const& more) {
    std::vector<std::uint64_t> gids{user.gid};
    auto const add = [&](std::uint64_t gid) {
        if (std::ranges::count(gids, gid) == 0) gids.push_back(gid);
    };
    auto const text = root.read("/etc/group").value.value_or("");
    for (auto const& group : groups_in(text)) {
        auto const gid = *to_unsigned(group[2], 10);
        auto const members = split(group[3], ',');
        bool const named = std::ranges::count(more, std::string(group[0])) > 0;
        if (named || std::ranges::count(members, std::string_view(user.name)) > 0) add(gid);
    }
    for (auto const& one : more)
        if (auto const gid = to_unsigned(one, 10)) add(*gid);
    return gids;
}

User known_user(HostRoot const& root, std::string const& name) {
    if (auto user = find_user(root, name)) return *user;
    auto const text = root.read("/etc/passwd");
    throw Error(fmt::format("there is no user {} in /etc/passwd{}", printable(name),
                            text ? "" : ": " + text.detail),
                "users of a directory service are not known here: --process PID of one of theirs");
}

StandIn of_user(HostRoot const& root, std::string const& name) {
    auto const user = known_user(root, name);
    return {.name = "user " + user.name,
            .uid = user.uid,
            .gids = groups_of(root, user, {}),
            .home = user.home};
}

// ---- a process ----------------------------------------------------------------------------------

/// The numbers of a line of /proc/PID/status: "Uid:	1000	1000	1000	1000".
std::vector<std::uint64_t> numbers_of(std::string_view status, std::string_view key) {
    std::vector<std::uint64_t> numbers;
    for (auto const& [name, value] : key_value_lines(status, ':'))
        if (name == key)
            for (auto const word : words(value))
                if (auto const number = to_unsigned(word, 10)) numbers.push_back(*number);
    return numbers;
}

/// "SOFT HARD" of a line of /proc/PID/limits: "Max open files   1024   524288   files".
std::optional<std::string> limit_in(std::string_view limits, std::string_view name) {
    for (auto const line : lines(limits)) {
        if (!line.starts_with(name)) continue;
        auto const part = words(line.substr(name.size()));
        if (part.size() >= 2) return fmt::format("{} {}", part[0], part[1]);
    }
    return std::nullopt;
}

std::string variable_in(std::string_view block, std::string_view name) {
    for (auto const entry : split(block, '\0'))
        if (auto const parts = split_once(entry, '='); parts && parts->first == name)
            return std::string(parts->second);
    return {};
}

/// Its own mounts, if it has other ones than we do.
std::shared_ptr<HostSource> mounts_of(HostRoot const& root, std::uint64_t pid) {
    auto const own = root.link("/proc/self/ns/mnt");
    auto const other = root.link(fmt::format("/proc/{}/ns/mnt", pid));
    if (own && other && *own == *other) return nullptr;
    auto const directory = fmt::format("/proc/{}/root", pid);
    try {
        return directory_source(directory);
    } catch (Error const& error) {
        throw Error(fmt::format("cannot look at the files of process {}: {}", pid, error.what()),
                    "sudo rocmtune: it belongs to another user, or has mounts of its own");
    }
}

StandIn of_process(HostRoot const& root, std::string const& text, bool is_live) {
    auto const pid = to_unsigned(text, 10);
    auto const status = root.read(fmt::format("/proc/{}/status", pid.value_or(0)));
    if (!pid || *pid == 0 || !status)
        throw Error(fmt::format("there is no process {}", printable(text)),
                    "ps -e shows the numbers of processes");
    auto const uids = numbers_of(*status, "Uid");
    auto gids = numbers_of(*status, "Gid");
    if (uids.size() < 2 || gids.size() < 2)
        throw Error(fmt::format("cannot read who process {} is", *pid));
    StandIn who{.uid = uids[1], .gids = {gids[1]}, .pid = *pid};
    for (auto const gid : numbers_of(*status, "Groups"))
        if (std::ranges::count(who.gids, gid) == 0) who.gids.push_back(gid);
    auto const user = find_user(root, std::to_string(who.uid));
    who.name =
        fmt::format("process {}, run by {}", *pid, user ? user->name : std::to_string(who.uid));
    who.environment = root.read_bytes(fmt::format("/proc/{}/environ", *pid)).value;
    who.home = variable_in(who.environment.value_or(""), "HOME");
    auto const limits = root.read(fmt::format("/proc/{}/limits", *pid)).value.value_or("");
    who.memlock = limit_in(limits, "Max locked memory");
    who.nofile = limit_in(limits, "Max open files");
    if (is_live) who.files = mounts_of(root, *pid);
    return who;
}

// ---- a unit -------------------------------------------------------------------------------------

void take_settings(InputText const& input, Variables& variables) {
    for (auto const& one : read_assignments(input)) {
        if (one.unset) variables.erase(one.name);
        else if (one.value) variables[one.name] = *one.value;
    }
}

/// What systemd gives a service of the system by itself (systemd.exec(5)), then Environment=, then
/// the files.
std::string environment_of(HostRoot const& root, UnitFile const& unit, User const& user) {
    Variables variables{{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"}};
    if (!unit.value("User").empty())
        variables.insert({{"HOME", user.home}, {"USER", user.name}, {"LOGNAME", user.name}});
    take_settings({.text = unit.text, .kind = InputKind::systemd}, variables);
    for (auto file : unit.values("EnvironmentFile")) {
        if (file.starts_with('-')) file.erase(0, 1);
        if (auto const text = root.read(file))
            take_settings({.text = *text, .kind = InputKind::dotenv}, variables);
    }
    std::string block;
    for (auto const& [name, value] : variables) block.append(name + '=' + value).append(1, '\0');
    return block;
}

/// The first of the range that systemd takes for DynamicUser= (systemd(1), UIDS-GIDS).
constexpr std::uint64_t first_dynamic_uid = 61184;

User user_of(HostRoot const& root, UnitFile const& unit) {
    auto const name = unit.value("User");
    if (unit.is_on("DynamicUser") && (name.empty() || !find_user(root, name)))
        return {name.empty() ? "a dynamic user" : name, first_dynamic_uid, first_dynamic_uid, "/"};
    if (name.empty()) return {"root", 0, 0, "/root"};
    return known_user(root, name);
}

/// DeviceAllow= names what is allowed beside the pseudo devices (systemd.resource-control(5)).
std::optional<std::vector<std::string>> devices_of(UnitFile const& unit) {
    auto const policy = unit.value("DevicePolicy");
    std::vector<std::string> allowed;
    for (auto const& value : unit.values("DeviceAllow")) {
        auto const part = words(value);
        if (part.empty()) continue;
        bool const uses = part.size() == 1 ||
                          (part[1].find('r') != part[1].npos && part[1].find('w') != part[1].npos);
        if (uses) allowed.emplace_back(part[0]);
    }
    bool const open = unit.values("DeviceAllow").empty() && policy != "closed" &&
                      policy != "strict" && !unit.is_on("PrivateDevices");
    return open ? std::nullopt : std::optional(std::move(allowed));
}

void take_protection(UnitFile const& unit, StandIn& who) {
    auto const home = unit.value("ProtectHome");
    std::vector<std::string> const homes{"/home", "/root", "/run/user"};
    if (unit.is_on("ProtectHome") || home == "tmpfs") who.hidden = homes;
    if (home == "read-only") who.read_only = homes;
    auto const system = unit.value("ProtectSystem");
    bool const dynamic = unit.is_on("DynamicUser");  // implies strict
    if (system == "strict" || dynamic) who.read_only.emplace_back("/");
    else if (system == "full" || unit.is_on("ProtectSystem"))
        who.read_only.insert(who.read_only.end(), {"/usr", "/boot", "/efi"});
    if (system == "full") who.read_only.emplace_back("/etc");
    who.writable = {"/dev", "/proc", "/sys"};
    if (dynamic || unit.is_on("PrivateTmp"))
        who.writable.insert(who.writable.end(), {"/tmp", "/var/tmp"});
    for (auto const& value : unit.values("ReadWritePaths"))
        for (auto const word : words(value)) who.writable.emplace_back(word);
    for (auto const& [key, parent] :
         {std::pair("StateDirectory", "/var/lib/"), std::pair("CacheDirectory", "/var/cache/")})
        for (auto const& value : unit.values(key))
            for (auto const word : words(value)) who.writable.push_back(parent + std::string(word));
}

StandIn of_unit(HostRoot const& root, std::string const& name) {
    auto const unit = find_unit(root, name);
    if (!unit)
        throw Error(
            fmt::format("there is no unit {} in the directories of systemd", printable(name)),
            "systemctl list-unit-files --type=service shows their names");
    auto user = user_of(root, *unit);
    auto const all_groups = root.read("/etc/group").value.value_or("");
    if (auto const group = unit->value("Group"); !group.empty())
        for (auto const& one : groups_in(all_groups))
            if (one[0] == group || one[2] == group) user.gid = *to_unsigned(one[2], 10);
    std::vector<std::string> more;
    for (auto const& value : unit->values("SupplementaryGroups"))
        for (auto const word : words(value)) more.emplace_back(word);
    StandIn who{.name = fmt::format("unit {}, run by {}", unit->name, user.name),
                .uid = user.uid,
                .gids = groups_of(root, user, more),
                .environment = environment_of(root, *unit, user),
                .memlock = unit_limit(unit->value("LimitMEMLOCK")),
                .nofile = unit_limit(unit->value("LimitNOFILE")),
                .home = user.home,
                .hides_devices = unit->is_on("PrivateDevices"),
                .devices = devices_of(*unit)};
    take_protection(*unit, who);
    return who;
}

}  // namespace

std::unique_ptr<HostSource> on_behalf_of(Behalf const& behalf, std::unique_ptr<HostSource> host,
                                         bool is_live) {
    // Lent for the reading of what is needed; the source itself goes on below.
    HostRoot const root(std::shared_ptr<HostSource>(host.get(), [](HostSource*) {}));
    auto who = behalf.of == Behalf::Of::user      ? of_user(root, behalf.name)
               : behalf.of == Behalf::Of::process ? of_process(root, behalf.name, is_live)
                                                  : of_unit(root, behalf.name);
    return stand_in_source(std::move(host), std::move(who));
}

}  // namespace rocmtune
