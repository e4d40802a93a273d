// SPDX-License-Identifier: MIT
#include "measure/data_files.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/profile_values.hpp"
#include "measure/data_directories.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

std::string const& text_of(DataFile const& file) {
    if (!file.problem.empty()) throw Error(file.problem);
    return file.text;
}

/// The files of a kind in all directories, lowest precedence first.
std::vector<ProfileText> texts_for(Arguments const& arguments, DataKind kind) {
    std::vector<ProfileText> texts;
    for (auto const& directory : directory_contents(arguments))
        for (auto const& file : directory.files)
            if (file.kind == kind) texts.push_back({file.path, text_of(file)});
    return texts;
}

}  // namespace

std::string data_file(Arguments const& arguments, std::string const& name) {
    std::optional<std::string> own;
    for (auto const& file : files_in_folders(arguments, name)) own = text_of(file);
    if (own) return *own;
    auto const embedded = embedded_file(name);
    if (!embedded) throw Error(fmt::format("there is no {}", printable(name)));
    return std::string(*embedded);
}

ChipSet chips_for(Arguments const& arguments) {
    auto const texts = texts_for(arguments, DataKind::profile);
    return texts.empty() ? embedded_chips() : with_overrides(embedded_chips(), texts);
}

ChipSet chips_for(Arguments const& arguments, Catalogue const& catalogue) {
    auto chips = chips_for(arguments);
    check_rule_values(chips, embedded_chips(), catalogue);
    return chips;
}

Catalogue catalogue_for(Arguments const& arguments) {
    auto const texts = texts_for(arguments, DataKind::catalogue);
    return texts.empty() ? embedded_catalogue() : with_overrides(embedded_catalogue(), texts);
}

PlanData plan_data_for(Arguments const& arguments) {
    constexpr auto name = "plan.json";
    DataFile const* own = nullptr;
    for (auto const& directory : directory_contents(arguments))
        for (auto const& file : directory.files)
            if (file.kind == DataKind::plan) own = &file, (void)text_of(file);
    if (own != nullptr) return parse_plan_data(own->path, own->text);
    return parse_plan_data(name, embedded_file(name).value());
}

std::vector<std::string> example_names() {
    std::vector<std::string> names;
    for (auto const& file : embedded_files())
        if (file.name.starts_with("examples/") && file.name.ends_with(".host"))
            names.emplace_back(file.name.substr(9, file.name.size() - 14));
    return names;
}

}  // namespace rocmtune
