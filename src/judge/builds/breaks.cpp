// SPDX-License-Identifier: MIT
#include "judge/builds/breaks.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/package_name.hpp"
#include "base/text.hpp"
#include "base/version.hpp"

namespace rocmtune {
namespace {

/// Markers that hold wherever rocmtune runs; any other is a condition that nobody has evaluated.
bool always_holds(std::string_view marker) {
    auto text = lower(marker);
    std::erase_if(text, [](char c) { return c == ' ' || c == '"' || c == '\''; });
    return text == "platform_system==linux" || text == "sys_platform==linux" ||
           text == "platform_system==linuxandplatform_machine==x86_64" ||
           text == "sys_platform==linuxandplatform_machine==x86_64";
}

/// One specifier: an operator and a version.
struct Specifier {
    std::string_view operation, version;
};

std::optional<Specifier> parse_specifier(std::string_view text) {
    text = trim(text);
    for (std::string_view const operation : {"===", "==", "!=", "<=", ">=", "~=", "<", ">"})
        if (text.starts_with(operation))
            return Specifier{operation, trim(text.substr(operation.size()))};
    return std::nullopt;
}

std::string_view without_local(std::string_view version) {
    return version.substr(0, version.find('+'));
}

/// "2.9.*": whether the version begins with these numbers.
std::optional<bool> begins_with(std::string_view version, std::string_view stem) {
    auto const all = version_parts(version);
    auto const first = version_parts(stem);
    if (!all || !first) return std::nullopt;
    for (std::size_t i = 0; i < first->size(); ++i)
        if ((i < all->size() ? (*all)[i] : 0) != (*first)[i]) return false;
    return true;
}

std::optional<bool> equals(std::string_view version, std::string_view wanted) {
    if (wanted.ends_with(".*")) return begins_with(version, wanted.substr(0, wanted.size() - 2));
    if (wanted.find('+') != wanted.npos) return version == wanted;
    auto const order = compare_versions(without_local(version), wanted);
    return order ? std::optional(*order == 0) : std::nullopt;
}

/// ~=2.4.1 is >=2.4.1 and ==2.4.*
std::optional<bool> is_compatible(std::string_view version, std::string_view wanted) {
    auto const order = compare_versions(version, wanted);
    auto const series = begins_with(version, wanted.substr(0, wanted.rfind('.')));
    if (!order || !series) return std::nullopt;
    return *order >= 0 && *series;
}

std::optional<bool> fits_one(std::string_view version, Specifier const& it) {
    if (it.operation == "===") return std::nullopt;
    if (it.operation == "~=") return is_compatible(version, it.version);
    if (it.operation == "==") return equals(version, it.version);
    if (it.operation == "!=") {
        auto const same = equals(version, it.version);
        return same ? std::optional(!*same) : std::nullopt;
    }
    auto const order = compare_versions(without_local(version), without_local(it.version));
    if (!order) return std::nullopt;
    if (it.operation == "<") return *order < 0;
    if (it.operation == ">") return *order > 0;
    if (it.operation == "<=") return *order <= 0;
    return *order >= 0;
}

/// The version that a requirement pins exactly; empty if it pins none.
std::string_view pinned_version(Requirement const& it) {
    auto const specifier = parse_specifier(it.specifiers);
    bool const exact = specifier && specifier->operation == "==" &&
                       specifier->version.find_first_of(",*") == std::string_view::npos;
    return exact ? specifier->version : std::string_view();
}

}  // namespace

std::optional<Requirement> parse_requirement(std::string_view text) {
    Requirement it;
    auto const marker = text.find(';');
    if (marker != text.npos) it.is_conditional = !always_holds(text.substr(marker + 1));
    text = trim(text.substr(0, marker));
    auto const end = text.find_first_of(" \t[(<>=!~@");
    it.name = normalised_name(text.substr(0, end));
    if (it.name.empty()) return std::nullopt;
    auto rest = end == text.npos ? std::string_view() : trim(text.substr(end));
    if (rest.starts_with('[')) {
        auto const close = rest.find(']');
        rest = close == rest.npos ? std::string_view() : trim(rest.substr(close + 1));
    }
    if (rest.starts_with('@')) it.is_conditional = true;
    if (rest.starts_with('(') && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);
    it.specifiers = trim(rest);
    return it;
}

std::optional<bool> fits(std::string_view version, std::string_view specifiers) {
    bool all_known = true;
    for (auto const text : split(specifiers, ',')) {
        if (trim(text).empty()) continue;
        auto const specifier = parse_specifier(text);
        auto const one = specifier ? fits_one(version, *specifier) : std::nullopt;
        if (one == false) return false;
        all_known &= one.has_value();
    }
    return all_known ? std::optional(true) : std::nullopt;
}

std::vector<std::string> broken_by(std::vector<std::string> const& installed, Host const& host) {
    std::vector<std::string> broken;
    if (!host.python_needs) return broken;
    std::map<std::string, std::string> versions;
    for (auto const& text : installed)
        if (auto const one = parse_requirement(text))
            versions[one->name] = std::string(pinned_version(*one));
    for (auto const& package : *host.python_needs) {
        if (versions.contains(package.name)) continue;
        for (auto const& text : package.requirements) {
            auto const need = parse_requirement(text);
            auto const found = need ? versions.find(need->name) : versions.end();
            if (found == versions.end() || need->is_conditional || found->second.empty()) continue;
            if (fits(found->second, need->specifiers) != false) continue;
            broken.push_back(fmt::format("{} {} asks for {} {}", package.name, package.version,
                                         need->name, need->specifiers));
        }
    }
    return broken;
}

std::vector<std::string> unread_packages(Host const& host) {
    std::vector<std::string> unread;
    if (!host.python_needs) return unread;
    for (auto const& package : *host.python_needs)
        if (!package.unread.empty())
            unread.push_back(fmt::format("{} ({})", package.name, package.unread));
    return unread;
}

}  // namespace rocmtune
