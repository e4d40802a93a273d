// SPDX-License-Identifier: MIT
#include "knowledge/environment_names.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <span>

#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "knowledge/data_in_force.hpp"

namespace rocmtune {
namespace {

constexpr std::array<std::string_view, 4> matches{"anywhere", "word", "word_end", "last_word"};

/// Letters, digits and underscores; what a shell can set.
std::string_view name_of(JsonNode const& node) {
    auto const name = node.string();
    if (!std::ranges::all_of(name, is_name_character))
        node.fail("expected letters, digits and underscores");
    return name;
}

/// One list of the file: objects with a name under `key` and a reason. No name twice.
ReasonedNames read_names(JsonNode const& root, std::string_view list, std::string_view key) {
    ReasonedNames names;
    for (auto const& item : root.at(list).items()) {
        item.expect_keys({key, "reason"});
        auto const reason = item.at("reason").string();
        auto const node = item.at(key);
        if (key == "prefix" && !node.string().ends_with('_'))
            node.fail("a prefix ends in an underscore");
        if (!names.emplace(name_of(node), reason).second) node.fail("stands twice in the list");
    }
    return names;
}

SecretPattern secret_of(JsonNode const& item) {
    item.expect_keys({"text", "match", "reason"});
    item.at("reason").string();
    auto const match = item.at("match");
    auto const found = std::ranges::find(matches, match.string());
    if (found == matches.end()) match.fail("expected anywhere, word, word_end or last_word");
    auto const text = name_of(item.at("text"));
    if (std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; }))
        item.at("text").fail("patterns are written in capitals");
    return {text, static_cast<SecretMatch>(found - matches.begin())};
}

std::vector<SecretPattern> read_secrets(JsonNode const& root) {
    std::map<std::string_view, SecretPattern> secrets;
    for (auto const& item : root.at("secret_patterns").items()) {
        auto const secret = secret_of(item);
        if (!secrets.emplace(secret.text, secret).second)
            item.at("text").fail("stands twice in the list");
    }
    auto const sorted = std::views::values(secrets);
    return {sorted.begin(), sorted.end()};
}

/// Whether the pattern, in capitals, stands at this place of the name.
bool stands_at(std::string_view name, std::size_t place, std::string_view pattern) {
    auto const part = name.substr(place, pattern.size());
    return std::ranges::equal(part, pattern, {}, to_upper);
}

/// The patterns that begin with this capital: names are looked up by the thousand.
std::span<SecretPattern const> patterns_of(char letter) {
    static auto const rows = [] {
        std::array<std::span<SecretPattern const>, 26> of_letter;
        auto const first = [](SecretPattern const& pattern) { return pattern.text.front(); };
        auto const& secrets = embedded_environment_names().secrets;
        for (char c = 'A'; c <= 'Z'; ++c) {
            auto const found = std::ranges::equal_range(secrets, c, {}, first);
            of_letter[static_cast<std::size_t>(c - 'A')] = {found.begin(), found.end()};
        }
        return of_letter;
    }();
    return letter >= 'A' && letter <= 'Z' ? rows[static_cast<std::size_t>(letter - 'A')]
                                          : std::span<SecretPattern const>();
}

bool fits(std::string_view name, std::size_t first, std::size_t end, SecretMatch match) {
    auto const begins = first == 0 || name[first - 1] == '_';
    auto const ends = end == name.size() || name[end] == '_';
    switch (match) {
        case SecretMatch::anywhere: return true;
        case SecretMatch::word: return begins && ends;
        case SecretMatch::word_end: return ends;
        case SecretMatch::last_word: return begins && end == name.size();
    }
    return true;
}

}  // namespace

EnvironmentNames parse_environment_names(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "sources", "prefixes", "names",
                      "secret_patterns", "not_secret"});
    root.at("schema_version").string();
    if (root.at("sources").items().empty()) root.at("sources").fail("the lists need a source");
    return {document, read_names(root, "prefixes", "prefix"), read_names(root, "names", "name"),
            read_secrets(root), read_names(root, "not_secret", "name")};
}

EnvironmentNames const& embedded_environment_names() {
    static auto const embedded =
        parse_environment_names("environment.json", data_text("environment.json").value());
    return embedded;
}

bool is_relevant_name(std::string_view name) {
    auto const& lists = embedded_environment_names();
    if (is_listed_name(name)) return true;
    for (auto at = name.find('_'); at != std::string_view::npos; at = name.find('_', at + 1)) {
        if (at + 1 < name.size() && lists.prefixes.contains(name.substr(0, at + 1))) return true;
    }
    return false;
}

bool is_listed_name(std::string_view name) {
    return embedded_environment_names().names.contains(name);
}

std::string_view reason_of_listed_name(std::string_view name) {
    auto const& names = embedded_environment_names().names;
    auto const found = names.find(name);
    return found == names.end() ? std::string_view() : found->second;
}

bool is_secret_name(std::string_view name) {
    return secret_pattern_of(name) != nullptr;
}

bool is_strong(SecretPattern const& pattern) {
    return pattern.match == SecretMatch::anywhere || pattern.match == SecretMatch::word_end;
}

SecretPattern const* secret_pattern_of(std::string_view name) {
    SecretPattern const* found = nullptr;
    for (std::size_t at = 0; at < name.size(); ++at)
        for (auto const& pattern : patterns_of(to_upper(name[at])))
            if (stands_at(name, at, pattern.text) &&
                fits(name, at, at + pattern.text.size(), pattern.match) &&
                (found == nullptr || !is_strong(*found)))
                found = &pattern;
    bool const is_known =
        found != nullptr && embedded_environment_names().not_secret.contains(name);
    return is_known ? nullptr : found;
}

bool finds_code(std::string_view name) {
    constexpr std::array<std::string_view, 12> names{
        "PATH",           "IFS",  "ENV",   "BASH_ENV",   "SHELLOPTS",   "PS4",
        "PROMPT_COMMAND", "HOME", "SHELL", "GCONV_PATH", "GITHUB_PATH", "NODE_OPTIONS"};
    constexpr std::array<std::string_view, 6> prefixes{"LD_",  "DYLD_",     "PYTHON",
                                                       "PERL", "BASH_FUNC", "_rocmtune"};
    auto const begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    return std::ranges::find(names, name) != names.end() || std::ranges::any_of(prefixes, begins);
}

}  // namespace rocmtune
