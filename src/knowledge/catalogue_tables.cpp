// SPDX-License-Identifier: MIT
#include "knowledge/catalogue_tables.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "knowledge/variable_layers.hpp"

namespace rocmtune {
namespace {

class Builder {
  public:
    Builder(OwnedCatalogue& out, VariableLayers const& layers) : out_(out), layers_(layers) {}

    void build() {
        for (auto const& [name, layered] : layers_.variables) {
            check_replacements(layered);
            check_contradictions(layered);
        }
        reserve();
        out_.sources = layers_.sources;
        for (auto const& [id, component] : layers_.components) {
            out_.components.push_back(component);
        }
        for (auto const& [name, layered] : layers_.variables) {
            add(layered);
        }
        add_aliases();
        out_.date = layers_.date;
    }

  private:
    [[noreturn]] static void fail(LayeredVariable const& layered, std::string const& key,
                                  std::string const& message) {
        throw ProfileError(layered.parsed.file, layered.parsed.pointer + key, message);
    }

    /// Follows the new names from one variable to the last.
    void check_replacements(LayeredVariable const& first) const {
        auto const* late = &first;
        std::set<std::string_view> seen;
        for (auto const* at = &first; !at->parsed.variable.replaced_by.empty();) {
            auto const& next = at->parsed.variable.replaced_by;
            auto const found = layers_.variables.find(next);
            if (found == layers_.variables.end()) {
                fail(*at, "/replaced_by", "there is no variable \"" + std::string(next) + "\"");
            }
            late = at->layer > late->layer ? at : late;
            if (!seen.insert(at->parsed.variable.name).second) {
                fail(*late, "/replaced_by", "closes a circle of new names");
            }
            at = &found->second;
        }
    }

    void check_contradictions(LayeredVariable const& layered) const {
        auto const& all = layered.parsed.contradictions;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!layers_.variables.contains(all[i].with)) {
                fail(layered, "/contradictions/" + std::to_string(i) + "/with",
                     "there is no variable \"" + std::string(all[i].with) + "\"");
            }
        }
    }

    /// Variables point into these vectors, so they must not grow later.
    void reserve() {
        std::size_t words = 0, gfx_prefixes = 0, aliases = 0, former = 0, readers = 0, sources = 0;
        std::size_t judged = 0, contradictions = 0;
        for (auto const& [name, layered] : layers_.variables) {
            words += layered.parsed.words.size();
            gfx_prefixes += layered.parsed.gfx_prefixes.size();
            aliases += layered.parsed.aliases.size();
            former += layered.parsed.former_defaults.size();
            judged += layered.parsed.judged_values.size();
            contradictions += layered.parsed.contradictions.size();
            readers += layered.parsed.readers.size();
            sources += layered.sources.size();
        }
        out_.words.reserve(words);
        out_.gfx_prefixes.reserve(gfx_prefixes);
        out_.aliases.reserve(aliases);
        out_.former_defaults.reserve(former);
        out_.judged_values.reserve(judged);
        out_.contradictions.reserve(contradictions);
        out_.readers.reserve(readers);
        out_.variable_sources.reserve(sources);
        out_.components.reserve(layers_.components.size());
        out_.variables.reserve(layers_.variables.size());
    }

    void add(LayeredVariable const& layered) {
        auto variable = layered.parsed.variable;
        variable.words = append(out_.words, layered.parsed.words);
        variable.gfx_prefixes = append(out_.gfx_prefixes, layered.parsed.gfx_prefixes);
        variable.aliases = append(out_.aliases, layered.parsed.aliases);
        variable.former_defaults = append(out_.former_defaults, layered.parsed.former_defaults);
        variable.judged_values = append(out_.judged_values, layered.parsed.judged_values);
        variable.contradictions = append(out_.contradictions, layered.parsed.contradictions);
        std::vector<Component const*> readers;
        for (auto const& id : layered.parsed.readers) {
            readers.push_back(&*std::ranges::lower_bound(out_.components, id, {}, &Component::id));
        }
        variable.readers = append(out_.readers, readers);
        std::vector<Citation const*> sources;
        for (auto const place : layered.sources) {
            sources.push_back(&out_.sources[place]);
        }
        variable.sources = append(out_.variable_sources, sources);
        if (variable.parser.empty() && !readers.empty()) {
            variable.parser = readers.front()->parser;
        }
        out_.variables.push_back(variable);
    }

    template <class T>
    static std::span<T const> append(std::vector<T>& all, std::vector<T> const& more) {
        auto const first = all.size();
        all.insert(all.end(), more.begin(), more.end());
        return std::span<T const>(all).subspan(first);
    }

    /// A name of its own object is no alias: what the object says of it is more.
    void add_aliases() {
        std::map<std::string_view, LayeredVariable const*> owners;
        for (auto const& variable : out_.variables) {
            auto const& layered = layers_.variables.at(variable.name);
            for (std::size_t i = 0; i < variable.aliases.size(); ++i) {
                auto const& name = variable.aliases[i];
                if (layers_.variables.contains(name)) {
                    continue;
                }
                auto const [other, is_new] = owners.emplace(name, &layered);
                if (!is_new) {
                    clash(layered, *other->second, name);
                }
                out_.alias_table.push_back({name, &variable});
            }
        }
        std::ranges::sort(out_.alias_table, {}, &Alias::name);
    }

    [[noreturn]] static void clash(LayeredVariable const& one, LayeredVariable const& two,
                                   std::string_view alias) {
        auto const& late = one.layer >= two.layer ? one : two;
        auto const& early = &late == &one ? two : one;
        fail(late, "/aliases",
             std::string(alias) + " is an alias of " + std::string(early.parsed.variable.name) +
                 " too");
    }

    OwnedCatalogue& out_;
    VariableLayers const& layers_;
};

}  // namespace

std::shared_ptr<OwnedCatalogue> build_catalogue(CatalogueTables const& base,
                                                std::vector<ProfileView> const& files) {
    auto out = std::make_shared<OwnedCatalogue>();
    auto const layers = layer_variables(base, files, out->pool);
    Builder(*out, layers).build();
    return out;
}

}  // namespace rocmtune
