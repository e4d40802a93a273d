// SPDX-License-Identifier: MIT
// Joins files of variables, with the checks that need more than one object.
#include "knowledge/variables_parser.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace rocmtune {
namespace {

/// A variable and which layer it is from: 0 is what lies below the files. On a conflict the later
/// layer is at fault.
struct LayeredVariable {
    Variable variable;                      ///< without its readers
    std::vector<std::string_view> readers;  ///< ids
    std::optional<JsonNode> node;           ///< absent for layer 0
    std::size_t layer = 0;

    [[noreturn]] void fail(std::string const& key, std::string const& message) const {
        if (node) throw ProfileError(node->file(), node->pointer() + key, message);
        throw ProfileError("variables.json", key, message);
    }
};

class CatalogueBuilder {
  public:
    explicit CatalogueBuilder(CatalogueData& out) : out_(out) {}

    void add_base(CatalogueData const& base) {
        dates_.push_back(base.date);
        out_.bibliography = base.bibliography;
        for (auto const& component : base.components) components_[component.id] = component;
        for (auto const& variable : base.variables) {
            LayeredVariable layered{variable, {}, {}, 0};
            for (auto const* reader : variable.readers) layered.readers.push_back(reader->id);
            layered.variable.readers.clear();
            variables_.emplace(variable.name, std::move(layered));
        }
    }

    void add(ParsedVariables&& file) {
        dates_.push_back(file.date);
        add_components(file);
        for (auto const& [id, source] : file.bibliography)
            out_.bibliography[id] = &out_.sources.emplace_back(source);
        for (auto& parsed : file.variables) add_variable(std::move(parsed));
    }

    void finish() {
        for (auto const& [name, layered] : variables_) {
            check_replacements(layered);
            check_contradictions(layered);
        }
        set_date();
        for (auto const& [id, component] : components_) out_.components.push_back(component);
        out_.variables.reserve(variables_.size());  // aliases point into it
        for (auto& [name, layered] : variables_) add_finished(layered);
        add_aliases();
    }

  private:
    void add_components(ParsedVariables const& file) {
        std::map<std::string_view, JsonNode> seen;
        for (auto const& [component, node] : file.components) {
            auto const [other, is_new] = seen.emplace(component.id, node);
            if (!is_new) node.at("id").fail("stands at " + other->second.pointer() + " too");
            components_[component.id] = component;
        }
    }

    void add_variable(ParsedVariable&& parsed) {
        auto const layer = dates_.size() - 1;
        auto const name = parsed.variable.name;
        auto const other = variables_.find(name);
        if (other != variables_.end() && other->second.layer == layer) {
            parsed.node.at("name").fail("stands at " + other->second.node->pointer() + " too");
        }
        for (std::size_t i = 0; i < parsed.sources.size(); ++i)
            parsed.variable.sources.push_back(source(parsed, i));
        for (std::size_t i = 0; i < parsed.readers.size(); ++i) {
            if (!components_.contains(parsed.readers[i])) {
                parsed.node.at("readers").items()[i].fail("there is no component \"" +
                                                          std::string(parsed.readers[i]) + "\"");
            }
        }
        variables_.insert_or_assign(
            name, LayeredVariable{std::move(parsed.variable), std::move(parsed.readers),
                                  parsed.node, layer});
    }

    Citation const* source(ParsedVariable const& parsed, std::size_t place) const {
        auto const id = parsed.sources[place];
        auto const found = out_.bibliography.find(id);
        if (found == out_.bibliography.end()) {
            parsed.node.at("sources").items()[place].fail("no bibliography explains the source \"" +
                                                          std::string(id) + "\"");
        }
        return found->second;
    }

    /// Follows the new names from one variable to the last.
    void check_replacements(LayeredVariable const& first) const {
        auto const* late = &first;
        std::set<std::string_view> seen;
        for (auto const* at = &first; !at->variable.replaced_by.empty();) {
            auto const next = at->variable.replaced_by;
            auto const found = variables_.find(next);
            if (found == variables_.end()) {
                at->fail("/replaced_by", "there is no variable \"" + std::string(next) + "\"");
            }
            late = at->layer > late->layer ? at : late;
            if (!seen.insert(at->variable.name).second) {
                late->fail("/replaced_by", "closes a circle of new names");
            }
            at = &found->second;
        }
    }

    void check_contradictions(LayeredVariable const& layered) const {
        auto const& all = layered.variable.contradictions;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!variables_.contains(all[i].with)) {
                layered.fail("/contradictions/" + std::to_string(i) + "/with",
                             "there is no variable \"" + std::string(all[i].with) + "\"");
            }
        }
    }

    /// The last date if there is no variable at all.
    void set_date() {
        std::string_view oldest;
        for (auto const& [name, layered] : variables_) {
            auto const& date = dates_[layered.layer];
            oldest = oldest.empty() ? date : std::min(oldest, date);
        }
        out_.date = oldest.empty() ? dates_.back() : oldest;
    }

    void add_finished(LayeredVariable& layered) {
        auto& variable = out_.variables.emplace_back(std::move(layered.variable));
        for (auto const& id : layered.readers) {
            variable.readers.push_back(
                &*std::ranges::lower_bound(out_.components, id, {}, &Component::id));
        }
        if (variable.parser.empty() && !variable.readers.empty()) {
            variable.parser = variable.readers.front()->parser;
        }
    }

    /// A name of its own object is no alias: what the object says of it is more.
    void add_aliases() {
        std::map<std::string_view, Variable const*> owners;
        for (auto const& variable : out_.variables) {
            for (auto const& name : variable.aliases) {
                if (variables_.contains(name)) continue;
                auto const [other, is_new] = owners.emplace(name, &variable);
                if (!is_new) clash(variable, *other->second, name);
                out_.aliases.push_back({name, &variable});
            }
        }
        std::ranges::sort(out_.aliases, {}, &Alias::name);
    }

    [[noreturn]] void clash(Variable const& one, Variable const& two,
                            std::string_view alias) const {
        auto const& layered = variables_.at(one.name);
        bool const is_late = layered.layer >= variables_.at(two.name).layer;
        auto const& early = is_late ? two : one;
        (is_late ? layered : variables_.at(two.name))
            .fail("/aliases",
                  std::string(alias) + " is an alias of " + std::string(early.name) + " too");
    }

    CatalogueData& out_;
    std::map<std::string_view, Component> components_;
    std::map<std::string_view, LayeredVariable> variables_;
    std::vector<std::string_view> dates_;
};

}  // namespace

std::shared_ptr<CatalogueData const> lay_variables(std::shared_ptr<CatalogueData const> base,
                                                   std::vector<ProfileView> const& files) {
    auto out = std::make_shared<CatalogueData>();
    out->base = base != nullptr ? std::move(base) : std::make_shared<CatalogueData const>();
    CatalogueBuilder builder(*out);
    builder.add_base(*out->base);
    for (auto const& file : files) builder.add(parse_variables(file.name, file.text, out->pool));
    builder.finish();
    return out;
}

}  // namespace rocmtune
