// SPDX-License-Identifier: MIT
// Reader `environment`: the variables of this process that concern the GPU stack.
#include "knowledge/environment_names.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view reader = "environment";

}  // namespace

/// Values are kept as they are; of a name that promises a secret nothing but the name is kept.
void read_environment(ProbeContext const& context, Host& host) {
    if (!context.root.knows_environment()) {
        host.environment.miss(Missing::not_recorded, "no environment came with the tree");
        host.environment_hidden.miss(Missing::not_recorded, "no environment came with the tree");
        return;
    }
    std::map<std::string, std::string> shown;
    std::vector<std::string> hidden;
    for (auto const& [name, value] : context.root.environment()) {
        if (!is_relevant_name(name)) continue;
        if (is_secret_name(name)) hidden.push_back(name);
        else shown.emplace(name, value);  // of a name given twice getenv(3) takes the first
    }
    host.environment.offer(std::move(shown), {reader, "environment"});
    host.environment_hidden.offer(std::move(hidden), {reader, "environment"});
}

}  // namespace rocmtune
