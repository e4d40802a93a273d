// SPDX-License-Identifier: MIT
// A file of names has two parts: its head, which is read whole, and the names, which are found and
// read one by one when somebody asks.
#include "knowledge/known_names.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "codec/json_text.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/data_in_force.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {

struct KnownNames::Data {
    struct Entry {
        std::string_view name;
        std::string_view value;  ///< JSON
    };

    std::string text;  ///< of a file that was read at run time
    StringPool pool;
    std::vector<Entry> names;  ///< sorted
    std::vector<Component> components;
    std::vector<NameFamily> families;
    std::string_view date;
};

template <class Visitor>
void visit_fields(Component& it, Visitor&& v) {
    std::vector<std::string_view> distributions;  // joined later
    v(DataKey{"id"}, it.id);
    v(DataKey{"title"}, it.title);
    v(DataKey{"package"}.optional().or_empty(), it.package);
    v(DataKey{"distributions"}.optional(), distributions);
    v(DataKey{"parser"}.optional().one_of(value_parser_names), it.parser);
    v(DataKey{"newest"}.optional().like(date_text), it.newest);
}

Component parse_component(JsonNode const& node, DataReader const& reader) {
    auto out = reader.record<Component>(node);
    out.distributions = joined_words(node, "distributions", reader.pool());
    return out;
}

namespace {

using Data = KnownNames::Data;

/// Whether a pattern in which each * stands for one or more bytes fits the whole name.
bool fits(std::string_view pattern, std::string_view name) {
    // After a mismatch the last star takes one byte more; earlier stars need not move.
    std::size_t star = std::string_view::npos, resume = 0, p = 0, n = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = ++n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p, ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    return p == pattern.size();
}

Component const* find_component(Data const& data, std::string_view id) {
    auto const found = std::ranges::lower_bound(data.components, id, {}, &Component::id);
    return found != data.components.end() && found->id == id ? &*found : nullptr;
}

Component const& component_of(JsonNode const& node, Data const& data) {
    auto const id = node.string();
    auto const* component = find_component(data, id);
    if (component == nullptr) node.fail("there is no component \"" + std::string(id) + "\"");
    return *component;
}

void read_components(JsonNode const& list, Data& out) {
    std::set<std::string_view> ids;
    for (auto const& item : list.items()) {
        if (auto const parser = item.find("parser")) parser->fail("unknown key");
        auto const component = parse_component(item, DataReader(out.pool));
        out.components.push_back(component);
        if (!ids.insert(component.id).second) item.at("id").fail("stands twice in the list");
    }
    std::ranges::sort(out.components, {}, &Component::id);
}

void read_families(JsonNode const& list, Data& out) {
    for (auto const& item : list.items()) {
        item.expect_keys({"pattern", "component", "rule"});
        auto const pattern = item.at("pattern").string();
        std::string plain(pattern);
        std::erase(plain, '*');
        if (plain.empty() || plain.size() == pattern.size() ||
            !std::ranges::all_of(plain, is_name_character)) {
            item.at("pattern").fail("expected a name with * for its free parts");
        }
        out.families.push_back(
            {pattern, &component_of(item.at("component"), out), item.at("rule").string()});
    }
    std::ranges::sort(out.families, std::ranges::greater{}, [](NameFamily const& family) {
        return std::pair(family.pattern.size(), family.pattern);
    });
}

/// All but the names.
void read_head(JsonNode const& root, Data& out) {
    root.expect_keys(
        {"$schema", "schema_version", "date", "sources", "components", "families", "names"});
    expect_version_1(root, "names");
    out.date = parse_date(root.at("date"), 10);
    auto const sources = root.at("sources");
    if (sources.items().empty()) sources.fail("the names need a source");
    for (auto const& item : sources.items()) DataReader(out.pool).record<Citation>(item);
    read_components(root.at("components"), out);
    if (auto const families = root.find("families")) read_families(*families, out);
}

/// The word outlives its document.
std::string_view scope_of(JsonNode const& node) {
    return *std::ranges::find(name_scopes, node.word(name_scopes));
}

/// "id", or ["id", default, date, absent_by, scope]; what is left out at the end holds as usual.
void read_reader(JsonNode const& node, Data const& data, KnownName& out) {
    auto const parts = node.is_string() ? std::vector{node} : node.items();
    if (parts.empty() || parts.size() > 5)
        node.fail("expected a component, its default, date, absence and scope");
    auto const stated = [&](std::size_t i) {
        return i < parts.size() && !parts[i].is_null() ? &parts[i] : nullptr;
    };
    out.component = &component_of(parts[0], data);
    if (parts.size() < 3) out.text_date = out.component->newest;
    if (auto const* value = stated(1)) out.default_value = value->string_or_empty();
    if (auto const* date = stated(2)) out.text_date = parse_date(*date, 4);
    if (auto const* date = stated(3)) out.absent_by = parse_date(*date, 4);
    if (auto const* scope = stated(4)) out.scope = scope_of(*scope);
}

/// What stands under a name.
std::vector<KnownName> readers_of(std::string_view name, JsonNode const& node, Data const& data) {
    auto const parts = node.items();
    if (parts.size() < 2) node.fail("expected a scope and at least one reader");
    auto const scope = scope_of(parts.front());
    std::vector<KnownName> readers;
    for (auto const& part : std::span(parts).subspan(1)) {
        auto& reader = readers.emplace_back();
        reader.name = name;
        reader.scope = scope;
        read_reader(part, data, reader);
    }
    return readers;
}

void check_name(std::string_view name, JsonNode const& node, Data const& data) {
    constexpr std::size_t longest = 128;
    if (name.empty() || name.size() > longest || !std::ranges::all_of(name, is_name_character))
        node.fail("expected a name of 1 to 128 letters, digits and underscores");
    std::set<std::string_view> seen;
    for (auto const& reader : readers_of(name, node, data))
        if (!seen.insert(reader.component->id).second)
            node.fail("has the reader \"" + std::string(reader.component->id) + "\" twice");
}

/// A key without its quotes and escapes.
std::string_view plain_key(std::string_view written, StringPool& pool) {
    if (written.find('\\') == written.npos) return written.substr(1, written.size() - 2);
    auto const& document = pool.keep(parse_data_file({}, written));
    return document.text(document[0]);
}

constexpr std::string_view file_name = "names.json";

/// Looks for the names in a text that is known to be a file of names, and reads the rest.
void find_names(std::string_view text, Data& out) {
    std::string head;
    std::vector<WrittenMember> names;
    for (auto const& member : written_members(text, R"("names")", names)) {
        bool const are_these = plain_key(member.key, out.pool) == "names";
        if (are_these && names.empty()) names = written_members(member.value);
        head.append(head.empty() ? "{" : ",").append(member.key).append(":");
        head.append(are_these ? "{}" : member.value);
    }
    head += '}';
    out.names.reserve(names.size());
    for (auto const& [key, value] : names) out.names.push_back({plain_key(key, out.pool), value});
    if (!std::ranges::is_sorted(out.names, {}, &Data::Entry::name))
        std::ranges::sort(out.names, {}, &Data::Entry::name);
    auto const& document = out.pool.keep(parse_data_file(file_name, head));
    read_head(JsonNode(document), out);
}

Data const& embedded_names() {
    static auto const names = [] {
        auto found = std::make_unique<Data>();
        find_names(data_text(file_name).value(), *found);
        return found;
    }();
    return *names;
}

}  // namespace

bool is_distribution_of(Component const& component, std::string_view distribution) {
    if (component.distributions.empty()) return component.package == distribution;
    return std::ranges::any_of(words(component.distributions), [&](std::string_view pattern) {
        return fits(pattern, distribution);
    });
}

KnownNames::KnownNames() : data_(std::make_shared<Data const>()) {}

KnownNames::Data const& KnownNames::data() const {
    return data_ != nullptr ? *data_ : embedded_names();
}

std::size_t KnownNames::place(std::string_view name) const {
    auto const& names = data().names;
    auto const found = std::ranges::lower_bound(names, name, {}, &Data::Entry::name);
    auto const is_it = found != names.end() && found->name == name;
    return is_it ? static_cast<std::size_t>(found - names.begin()) : size();
}

std::vector<KnownName> KnownNames::readers(std::string_view name) const {
    auto const at = place(name);
    if (at == size()) return {};
    auto const& entry = data().names[at];
    auto const document = parse_data_file(file_name, entry.value);
    return readers_of(entry.name, JsonNode(*document), data());
}

NameFamily const* KnownNames::family(std::string_view name) const {
    auto const found = std::ranges::find_if(
        data().families, [&](NameFamily const& each) { return fits(each.pattern, name); });
    return found == data().families.end() ? nullptr : &*found;
}

Component const* KnownNames::component(std::string_view id) const {
    return find_component(data(), id);
}

std::size_t KnownNames::size() const {
    return data().names.size();
}

std::string_view KnownNames::operator[](std::size_t place) const {
    return data().names[place].name;
}

std::span<Component const> KnownNames::components() const {
    return data().components;
}

std::span<NameFamily const> KnownNames::families() const {
    return data().families;
}

std::string_view KnownNames::date() const {
    return data().date;
}

KnownNames parse_names(std::string_view file, std::string_view text) {
    Data whole;
    auto const document = parse_data_file(file, text, max_catalogue_file_bytes);
    JsonNode const root(*document);
    read_head(root, whole);
    for (auto const& [name, node] : root.at("names").members()) check_name(name, node, whole);
    auto const data = std::make_shared<Data>();
    data->text = text;
    find_names(data->text, *data);
    return KnownNames(data);
}

}  // namespace rocmtune
