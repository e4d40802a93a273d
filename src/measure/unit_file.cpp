// SPDX-License-Identifier: MIT
#include "measure/unit_file.hpp"

#include <array>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// systemd.unit(5), "Unit File Search Path", best first.
constexpr std::array<std::string_view, 5> directories{
    "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system", "/lib/systemd/system"};

/// Bound against trees that are no hosts.
constexpr std::size_t most_files = 64;

/// "foo@.service" of "foo@bar.service"; the name itself of others.
std::string template_of(std::string const& name) {
    auto const at = name.find('@');
    auto const dot = name.rfind('.');
    return at == name.npos || dot < at ? name : name.substr(0, at + 1) + name.substr(dot);
}

void append(HostRoot const& root, std::string const& path, UnitFile& unit) {
    auto const text = root.read(path);
    if (!text || unit.files.size() >= most_files) return;
    unit.files.push_back(path);
    // Each file begins without a section.
    unit.text.append("[]\n").append(*text).append("\n");
}

/// Drop-ins of all directories in the order of their names; of one name the best directory's.
void append_drop_ins(HostRoot const& root, UnitFile& unit) {
    std::map<std::string, std::string> paths;
    for (auto const& owner : {unit.name, template_of(unit.name), std::string("service")})
        for (auto const directory : directories) {
            auto const below = fmt::format("{}/{}.d", directory, owner);
            auto const names = root.list(below);
            for (auto const& name : names.value.value_or(std::vector<std::string>()))
                if (name.ends_with(".conf")) paths.emplace(name, below + '/' + name);
        }
    for (auto const& [name, path] : paths) append(root, path, unit);
}

/// Calls `take(key, value)` for each line of [Service].
template <class Take>
void each_line(std::string_view text, Take&& take) {
    std::string joined(text);
    for (auto at = joined.find("\\\n"); at != joined.npos; at = joined.find("\\\n", at))
        joined.replace(at, 2, " ");
    bool in_service = false;
    for (auto const whole : lines(joined)) {
        auto const line = trim(whole);
        if (line.starts_with('[')) in_service = line == "[Service]";
        else if (auto const parts = split_once(line, '=');
                 in_service && parts && !line.starts_with('#') && !line.starts_with(';'))
            take(trim(parts->first), trim(parts->second));
    }
}

/// A number with K, M, G or T behind it (base 1024); "infinity" is no limit.
std::optional<std::string> limit_number(std::string_view text) {
    if (text == "infinity") return "unlimited";
    constexpr std::string_view units = "KMGT";
    unsigned shift = 0;
    if (!text.empty())
        if (auto const unit = units.find(text.back()); unit != units.npos) {
            shift = 10 * static_cast<unsigned>(unit + 1);
            text.remove_suffix(1);
        }
    auto const number = to_unsigned(text, 10);
    if (!number || *number > std::numeric_limits<std::uint64_t>::max() >> shift)
        return std::nullopt;
    return std::to_string(*number << shift);
}

}  // namespace

std::string UnitFile::value(std::string_view key) const {
    std::string last;
    each_line(text, [&](std::string_view word, std::string_view said) {
        if (word == key) last = said;
    });
    return last;
}

std::vector<std::string> UnitFile::values(std::string_view key) const {
    std::vector<std::string> all;
    each_line(text, [&](std::string_view word, std::string_view said) {
        if (word != key) return;
        if (said.empty()) all.clear();
        else all.emplace_back(said);
    });
    return all;
}

bool UnitFile::is_on(std::string_view key) const {
    return is_one_of(lower(value(key)), {"yes", "true", "on", "1", "y", "t"});
}

std::optional<UnitFile> find_unit(HostRoot const& root, std::string name) {
    if (name.find('/') != name.npos) return std::nullopt;
    if (name.find('.') == name.npos) name += ".service";
    UnitFile unit{.name = name};
    for (auto const& file : {name, template_of(name)})
        for (auto const directory : directories)
            if (unit.files.empty()) append(root, fmt::format("{}/{}", directory, file), unit);
    if (unit.files.empty()) return std::nullopt;
    append_drop_ins(root, unit);
    return unit;
}

std::optional<std::string> unit_limit(std::string_view text) {
    auto const parts = split_once(text, ':');
    auto const soft = limit_number(parts ? parts->first : text);
    auto const hard = parts ? limit_number(parts->second) : soft;
    if (!soft || !hard) return std::nullopt;
    return *soft + ' ' + *hard;
}

}  // namespace rocmtune
