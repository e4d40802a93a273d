// SPDX-License-Identifier: MIT
#include "commands/verify_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/gemm.hpp"
#include "judge/verify/input.hpp"
#include "measure/input_files.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using verify::Candidate;

constexpr std::size_t file_cap_bytes = std::size_t{1} << 20;

/// Libraries whose settings show in matrix products; the others', in copies.
constexpr std::array<std::string_view, 7> products{
    "libopenblas", "libgomp", "libmkl_rt", "librocblas", "libhipblaslt", "torch", "libhipblas"};

EnvironmentChange setting_of(std::string_view text) {
    auto const parts = split_once(text, '=');
    if (!parts || !is_variable_name(parts->first))
        throw Error(fmt::format("'{}' is no setting", printable(text)), "settings are NAME=VALUE");
    return {std::string(parts->first), std::string(parts->second)};
}

EnvironmentChange cleared(std::string const& name) {
    if (!is_variable_name(name))
        throw Error(fmt::format("'{}' is no name of a variable", printable(name)));
    if (std::getenv(name.c_str()) == nullptr)
        throw Error(fmt::format("--unset {}: it is not set here", name),
                    "measure a value with --setting NAME=VALUE");
    return {name, std::nullopt};
}

std::string benchmark_for(std::vector<verify::Reader> const& readers) {
    for (auto const& reader : readers)
        if (reader.package == "librccl") return "collectives";
    for (auto const& reader : readers)
        if (std::find(products.begin(), products.end(), reader.package) != products.end())
            return "gemm";
    return "bandwidth";
}

std::string text_of(EnvironmentChange const& change) {
    return change.value ? change.name + '=' + *change.value : "without " + change.name;
}

/// Without a setting means: without the variable. A variable that is to be cleared stays.
void add(EnvironmentChange const& change, std::vector<verify::Reader> readers, bool assume_read,
         SettingGroup& group) {
    if (change.value) group.baseline.push_back({change.name, std::nullopt});
    group.candidates.push_back({.name = change.name,
                                .value = change.value,
                                .changes = {change},
                                .readers = std::move(readers),
                                .assume_read = assume_read});
}

void add_together(SettingGroup& group) {
    if (group.candidates.size() < 2) return;
    Candidate all{.name = "together", .together = true};
    std::string text;
    for (auto const& one : group.candidates) {
        all.changes.push_back(one.changes.front());
        text += (text.empty() ? "" : " ") + text_of(one.changes.front());
    }
    all.value = text;
    group.candidates.push_back(std::move(all));
}

/// ":precision" for what is a choice of the benchmark; empty for a variable.
std::string_view choice_of(std::string_view name) {
    if (name == precision_choice.substr(1)) return precision_choice;
    return name == library_choice.substr(1) ? library_choice : std::string_view();
}

void add_choice(std::string name, std::string const& value, std::string_view choice,
                SettingGroup& group) {
    group.candidates.push_back({.name = std::move(name),
                                .value = value,
                                .changes = {{std::string(choice), value}},
                                .own = true});
}

/// What decides between the benchmarks: the user, else the setting.
std::optional<std::string> chosen_benchmark(VerifyCommand const& options) {
    return options.measures_command() ? "command" : options.benchmark;
}

class Groups {
  public:
    explicit Groups(VerifyCommand const& options) : assumed_(options.assume_read) {}

    SettingGroup& of(std::string const& benchmark) {
        auto found = std::find_if(groups_.begin(), groups_.end(), [&](SettingGroup const& group) {
            return group.benchmark == benchmark;
        });
        if (found == groups_.end()) found = groups_.insert(found, {benchmark, {}, {}});
        return *found;
    }

    void add_setting(EnvironmentChange const& change, std::string const& benchmark,
                     std::vector<verify::Reader> readers) {
        bool const assumed =
            std::find(assumed_.begin(), assumed_.end(), change.name) != assumed_.end();
        add(change, std::move(readers), assumed, of(benchmark));
    }

    std::vector<SettingGroup> take() {
        for (auto& group : groups_) add_together(group);
        return std::move(groups_);
    }

  private:
    std::vector<std::string> assumed_;
    std::vector<SettingGroup> groups_;
};

}  // namespace

std::string chosen_metric(std::string const& metric, std::span<EnvironmentChange const> changes) {
    auto const dash = std::min(metric.find('-'), metric.size());
    auto type = metric.substr(0, dash);
    auto library = metric.substr(dash);
    for (auto const& change : changes) {
        if (change.name == precision_choice) type = change.value.value_or("");
        if (change.name == library_choice) library = "-" + change.value.value_or("");
    }
    return type + library;
}

std::vector<EnvironmentChange> named_settings(VerifyCommand const& options) {
    std::vector<EnvironmentChange> all;
    if (auto const& file = options.env_file) {
        auto const text = user_file(*file, file_cap_bytes, options.host.data.patience);
        all = verify::settings_of_text(text, *file);
        if (all.empty())
            throw Error(fmt::format("{} holds no settings", printable(*file)),
                        "lines are NAME=VALUE; --setting NAME=VALUE names one directly");
    }
    for (auto const& text : options.settings) all.push_back(setting_of(text));
    for (auto const& name : options.unset) all.push_back(cleared(name));
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (all[i].name == all[j].name)
                throw Error(fmt::format("{} is named twice", all[i].name),
                            "measure one value at a time");
    return all;
}

std::vector<SettingGroup> groups_of(std::vector<EnvironmentChange> const& settings,
                                    VerifyCommand const& options, Catalogue const& catalogue) {
    Groups groups(options);
    auto const chosen = chosen_benchmark(options);
    for (auto const& change : settings) {
        if (auto const choice = choice_of(change.name); !choice.empty()) {
            if (chosen && *chosen != "gemm")
                throw Error(fmt::format("{} is a choice of gemm alone", change.name));
            add_choice(change.name, change.value.value_or(""), choice, groups.of("gemm"));
            continue;
        }
        auto readers = verify::readers_of(change.name, catalogue);
        auto const benchmark = chosen ? *chosen : benchmark_for(readers);
        groups.add_setting(change, benchmark, std::move(readers));
    }
    return groups.take();
}

std::vector<SettingGroup> groups_of(Advice const& advice, VerifyCommand const& options,
                                    Catalogue const& catalogue) {
    Groups groups(options);
    auto const chosen = chosen_benchmark(options);
    for (auto const& it : advice.recommendations) {
        bool const measurable = chosen || it.verify_with;
        bool const precision = it.kind == "precision" && it.verify_with == "gemm" &&
                               bench::find_gemm_type(it.value) != nullptr;
        if (precision && (!chosen || *chosen == "gemm"))
            add_choice(it.name, it.value, precision_choice, groups.of("gemm"));
        if (it.kind != "environment" || !measurable) continue;
        groups.add_setting({it.name, it.value}, chosen ? *chosen : *it.verify_with,
                           verify::readers_of(it.name, catalogue));
    }
    return groups.take();
}

SettingGroup self_test_group(VerifyCommand const& options) {
    return {chosen_benchmark(options).value_or("bandwidth"), {}, {{.name = "nothing"}}};
}

}  // namespace rocmtune
