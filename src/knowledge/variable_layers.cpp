// SPDX-License-Identifier: MIT
#include "knowledge/variable_layers.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace rocmtune {
namespace {

/// A variable of finished tables, taken apart again.
ParsedVariable taken_apart(Variable const& variable) {
    ParsedVariable out;
    out.variable = variable;
    out.words.assign(variable.words.begin(), variable.words.end());
    out.gfx_prefixes.assign(variable.gfx_prefixes.begin(), variable.gfx_prefixes.end());
    out.aliases.assign(variable.aliases.begin(), variable.aliases.end());
    out.former_defaults.assign(variable.former_defaults.begin(), variable.former_defaults.end());
    out.judged_values.assign(variable.judged_values.begin(), variable.judged_values.end());
    out.contradictions.assign(variable.contradictions.begin(), variable.contradictions.end());
    for (auto const* reader : variable.readers) {
        out.readers.push_back(reader->id);
    }
    out.file = "variables.json";
    return out;
}

class Layers {
  public:
    explicit Layers(VariableLayers& out) : out_(out) {}

    void add_base(CatalogueTables const& base) {
        dates_.push_back(base.date);
        for (auto const& component : base.components) {
            out_.components[component.id] = component;
        }
        out_.sources.assign(base.sources.begin(), base.sources.end());
        for (auto const& variable : base.variables) {
            LayeredVariable layered{taken_apart(variable), {}, 0};
            for (auto const* source : variable.sources) {
                layered.sources.push_back(static_cast<std::size_t>(source - base.sources.data()));
            }
            out_.variables[variable.name] = std::move(layered);
        }
        for (std::size_t i = 0; i < out_.sources.size(); ++i) {
            ids_[out_.sources[i].id] = i;
        }
    }

    void add(ParsedVariables&& file) {
        dates_.push_back(file.date);
        add_components(file);
        for (auto const& [id, source] : file.bibliography) {
            ids_[id] = out_.sources.size();
            out_.sources.push_back(source);
        }
        for (auto& parsed : file.variables) {
            add_variable(std::move(parsed));
        }
    }

    /// The last date if there is no variable at all.
    std::string_view date() const {
        std::string_view oldest;
        for (auto const& [name, layered] : out_.variables) {
            auto const& date = dates_[layered.layer];
            oldest = oldest.empty() ? date : std::min(oldest, date);
        }
        return oldest.empty() ? dates_.back() : oldest;
    }

  private:
    void add_components(ParsedVariables const& file) {
        std::map<std::string_view, std::string_view> seen;
        for (auto const& [component, pointer] : file.components) {
            auto const [other, is_new] = seen.emplace(component.id, pointer);
            if (!is_new) {
                throw ProfileError(file.file, pointer + "/id",
                                   "stands at " + std::string(other->second) + " too");
            }
            out_.components[component.id] = component;
        }
    }

    void add_variable(ParsedVariable&& parsed) {
        auto const layer = dates_.size() - 1;
        auto const other = out_.variables.find(parsed.variable.name);
        if (other != out_.variables.end() && other->second.layer == layer) {
            throw ProfileError(parsed.file, parsed.pointer + "/name",
                               "stands at " + other->second.parsed.pointer + " too");
        }
        LayeredVariable layered{std::move(parsed), {}, layer};
        resolve(layered);
        out_.variables.insert_or_assign(layered.parsed.variable.name, std::move(layered));
    }

    void resolve(LayeredVariable& layered) {
        auto const& parsed = layered.parsed;
        for (std::size_t i = 0; i < parsed.sources.size(); ++i) {
            auto const found = ids_.find(parsed.sources[i]);
            if (found == ids_.end()) {
                fail(parsed, "/sources/" + std::to_string(i),
                     "no bibliography explains the source \"" + std::string(parsed.sources[i]) +
                         "\"");
            }
            layered.sources.push_back(found->second);
        }
        for (std::size_t i = 0; i < parsed.readers.size(); ++i) {
            if (!out_.components.contains(parsed.readers[i])) {
                fail(parsed, "/readers/" + std::to_string(i),
                     "there is no component \"" + std::string(parsed.readers[i]) + "\"");
            }
        }
    }

    [[noreturn]] static void fail(ParsedVariable const& parsed, std::string const& key,
                                  std::string const& message) {
        throw ProfileError(parsed.file, parsed.pointer + key, message);
    }

    VariableLayers& out_;
    std::vector<std::string_view> dates_;
    std::map<std::string_view, std::size_t> ids_;  // of sources; a later file hides an earlier id
};

}  // namespace

VariableLayers layer_variables(CatalogueTables const& base, std::vector<ProfileView> const& files,
                               StringPool& pool) {
    VariableLayers out;
    Layers layers(out);
    layers.add_base(base);
    for (auto const& file : files) {
        layers.add(parse_variables(file, pool));
    }
    out.date = layers.date();
    return out;
}

}  // namespace rocmtune
