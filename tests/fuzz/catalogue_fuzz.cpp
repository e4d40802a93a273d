// SPDX-License-Identifier: MIT
// Any bytes as a file of variables or of names: read, or refused with a ProfileError, alone and
// laid over the built-in catalogue.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codec/json_node.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/variables_parser.hpp"

namespace {

using namespace rocmtune;

/// A catalogue that was accepted answers with what it lists.
void look_up(Catalogue const& catalogue) {
    for (auto const& variable : catalogue.all()) {
        auto const complete = !variable.sources.empty() && !variable.effect.empty();
        if (catalogue.find(variable.name) != &variable || !complete) {
            std::abort();
        }
    }
    for (auto const name : catalogue.names().all()) {
        if (catalogue.readers(name).empty()) {
            std::abort();
        }
    }
    catalogue.names().family("UCX_A_B");
}

/// Enough to override, and cheap to lay over for every input.
Catalogue small_catalogue() {
    static std::string const text = R"({"schema_version": "1.0", "date": "2026-09-01",
        "bibliography": {"s": {"title": "T", "reference": "R"}},
        "components": [{"id": "rocr", "title": "ROCr", "parser": "rocr_exact"}],
        "variables": [{"name": "HSA_XNACK", "kind": "environment", "readers": ["rocr"],
            "status": "public", "use": "runtime", "type": "bool", "effect": "E",
            "aliases": ["OLD_XNACK"], "sources": ["s"], "last_verified": "2026-09-01"}]})";
    return Catalogue{lay_variables(nullptr, {{"base.json", text}}), {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static Catalogue const base = small_catalogue();
    std::string const text(reinterpret_cast<char const*>(data), size);
    for (auto const* name : {"variables.json", "names.json"}) {
        try {
            look_up(with_overrides(base, {{name, text}}));
        } catch (ProfileError const&) {
        }
    }
    return 0;
}
