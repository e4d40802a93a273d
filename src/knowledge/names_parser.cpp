// SPDX-License-Identifier: MIT
#include "knowledge/names_parser.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "knowledge/citation_parser.hpp"
#include "knowledge/json_node.hpp"

namespace rocmtune {
namespace {

bool is_word(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
               (c >= 'a' && c <= 'z');
    });
}

/// Texts one after the other, each once. The first is empty, so that 0 stands for it.
class TextTable {
  public:
    explicit TextTable(std::string& bytes) : bytes_(bytes) { add(""); }

    std::uint32_t add(std::string_view text) {
        auto const [entry, is_new] = places_.emplace(text, bytes_.size());
        if (is_new) {
            bytes_.append(text).push_back('\0');
        }
        return static_cast<std::uint32_t>(entry->second);
    }

  private:
    std::string& bytes_;
    std::map<std::string, std::size_t, std::less<>> places_;
};

class Parser {
  public:
    Parser(JsonNode const& root, OwnedNames& out) : root_(root), out_(out), texts_(out.pool) {}

    void read() {
        root_.expect_keys(
            {"$schema", "schema_version", "date", "sources", "components", "families", "names"});
        expect_version_1(root_, "names");
        out_.date = parse_date(root_.at("date"), 10, out_.strings);
        if (root_.at("sources").items().empty()) {
            root_.at("sources").fail("the names need a source");
        }
        for (auto const& item : root_.at("sources").items()) {
            parse_citation(item, out_.strings);
        }
        read_components();
        read_families();
        // Members come sorted by key, which is the order that the look-ups need.
        for (auto const& [name, node] : root_.at("names").members()) {
            add_name(name, node);
        }
    }

  private:
    void read_components() {
        std::set<std::string_view> ids;
        for (auto const& item : root_.at("components").items()) {
            item.expect_keys({"id", "title", "package", "distributions", "newest"});
            Component component{};
            component.id = out_.strings.keep(item.at("id").string());
            component.title = out_.strings.keep(item.at("title").string());
            component.package = text_or_empty(item, "package", out_.strings);
            component.distributions = joined_words(item, "distributions", out_.strings);
            if (auto const newest = item.find("newest"); newest && !newest->is_null()) {
                component.newest = parse_date(*newest, 4, out_.strings);
            }
            if (!ids.insert(component.id).second) {
                item.at("id").fail("stands twice in the list");
            }
            out_.components.push_back(component);
        }
        if (out_.components.size() > std::numeric_limits<std::uint16_t>::max()) {
            root_.at("components").fail("more than 65535 components");
        }
        std::ranges::sort(out_.components, {}, &Component::id);
    }

    void read_families() {
        auto const list = root_.find("families");
        if (!list) {
            return;
        }
        for (auto const& item : list->items()) {
            item.expect_keys({"pattern", "component", "rule"});
            auto const pattern = item.at("pattern").string();
            std::string plain(pattern);
            std::erase(plain, '*');
            if (plain.empty() || plain.size() == pattern.size() || !is_word(plain)) {
                item.at("pattern").fail("expected a name with * for its free parts");
            }
            out_.families.push_back({out_.strings.keep(pattern),
                                     &out_.components[component(item.at("component"))],
                                     out_.strings.keep(item.at("rule").string())});
        }
        std::ranges::sort(out_.families, std::ranges::greater{}, [](NameFamily const& family) {
            return std::pair(family.pattern.size(), family.pattern);
        });
    }

    void add_name(std::string_view name, JsonNode const& node) {
        if (name.empty() || name.size() > 128 || !is_word(name)) {
            node.fail("expected a name of 1 to 128 letters, digits and underscores");
        }
        auto const parts = node.items();
        if (parts.size() < 2) {
            node.fail("expected a scope and at least one reader");
        }
        auto const scope = parts.front().word(name_scopes);
        auto const first = out_.readers.size();
        out_.names.push_back({texts_.add(name), static_cast<std::uint32_t>(first)});
        for (std::size_t i = 1; i < parts.size(); ++i) {
            add_reader(parts[i], scope);
        }
        check_twice(node, first);
    }

    /// "id", or ["id", default, date, absent_by, scope]; what is left out at the end holds as
    /// usual.
    void add_reader(JsonNode const& node, std::string_view scope) {
        if (node.is_string()) {
            auto const id = component(node);
            out_.readers.push_back({0, newest(id), 0, id, place(scope)});
            return;
        }
        auto const parts = node.items();
        if (parts.empty() || parts.size() > 5) {
            node.fail("expected a component, its default, date, absence and scope");
        }
        auto const stated = [&](std::size_t i) {
            return i < parts.size() && !parts[i].is_null() ? &parts[i] : nullptr;
        };
        auto const id = component(parts[0]);
        ReaderEntry entry{0, parts.size() < 3 ? newest(id) : 0, 0, id, place(scope)};
        if (auto const* value = stated(1)) {
            entry.default_text = texts_.add(value->string_or_empty());
        }
        if (auto const* date = stated(2)) {
            entry.date = texts_.add(parse_date(*date, 4, out_.strings));
        }
        if (auto const* date = stated(3)) {
            entry.absent_by = texts_.add(parse_date(*date, 4, out_.strings));
        }
        if (auto const* other = stated(4)) {
            entry.scope = place(other->word(name_scopes));
        }
        out_.readers.push_back(entry);
    }

    void check_twice(JsonNode const& node, std::size_t first) const {
        std::set<std::uint16_t> seen;
        for (auto i = first; i < out_.readers.size(); ++i) {
            if (!seen.insert(out_.readers[i].component).second) {
                node.fail("has the reader \"" +
                          std::string(out_.components[out_.readers[i].component].id) + "\" twice");
            }
        }
    }

    std::uint16_t component(JsonNode const& node) const {
        auto const id = node.string();
        auto const found = std::ranges::lower_bound(out_.components, id, {}, &Component::id);
        if (found == out_.components.end() || found->id != id) {
            node.fail("there is no component \"" + std::string(id) + "\"");
        }
        return static_cast<std::uint16_t>(found - out_.components.begin());
    }

    std::uint32_t newest(std::uint16_t id) { return texts_.add(out_.components[id].newest); }

    static std::uint16_t place(std::string_view scope) {
        auto const found = std::ranges::find(name_scopes, scope);
        return static_cast<std::uint16_t>(found - std::ranges::begin(name_scopes));
    }

    JsonNode const& root_;
    OwnedNames& out_;
    TextTable texts_;
};

}  // namespace

std::shared_ptr<OwnedNames const> parse_names(ProfileView const& file) {
    auto out = std::make_shared<OwnedNames>();
    auto const name = out->strings.keep(file.name);
    auto const document = parse_data_file(name, file.text, max_catalogue_file_bytes);
    Parser(JsonNode(*document), *out).read();
    return out;
}

}  // namespace rocmtune
