// SPDX-License-Identifier: MIT
#include "cli/data_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <ranges>

#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/xdg.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/profile_values.hpp"
#include "rocmtune/error.hpp"
#include "system/named_file.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t profile_cap_bytes = std::size_t{1} << 20;
constexpr std::size_t catalogue_cap_bytes = std::size_t{16} << 20;

[[noreturn]] void cannot_read(std::string const& path, std::string const& why) {
    throw Error(fmt::format("cannot read {}: {}", printable(path), why));
}

std::string content(FileDescriptor const& fd, std::string const& path, std::size_t cap) {
    std::string text;
    char buffer[16384];
    for (ssize_t count = 1; count > 0;) {
        count = ::read(fd.get(), buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) {
            count = 1;
            continue;
        }
        if (count < 0) cannot_read(path, errno_text(errno));
        text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > cap) cannot_read(path, "it is longer than " + human_bytes(cap));
    }
    return text;
}

std::string listed_file(std::string const& path, std::size_t cap) {
    auto const listed = open_listed_file(path);
    if (!listed.problem.empty()) cannot_read(path, listed.problem);
    return content(listed.file, path, cap);
}

/// Files beside the profiles that are something else.
constexpr std::string_view other_files[] = {"environment.json", "findings.json", "names.json",
                                            "plan.json", "variables.json"};

bool is_profile(std::filesystem::path const& path) {
    return path.extension() == ".json" &&
           std::ranges::find(other_files, path.filename().string()) == std::end(other_files);
}

bool is_catalogue(std::filesystem::path const& path) {
    return path.filename() == "variables.json" || path.filename() == "names.json";
}

/// Paths of the wanted files in one directory, sorted by name.
std::vector<std::string> paths_in(DataDirectory const& directory,
                                  bool (*wanted)(std::filesystem::path const&)) {
    std::error_code error;
    std::vector<std::string> paths;
    for (auto const& entry : std::filesystem::directory_iterator(directory.path, error))
        if (wanted(entry.path())) paths.push_back(entry.path().string());
    auto const missing =
        error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    if (error && (directory.must_exist || !missing)) cannot_read(directory.path, error.message());
    std::sort(paths.begin(), paths.end());
    return paths;
}

/// The wanted files of all directories, lowest precedence first.
std::vector<ProfileText> texts_for(Arguments const& arguments, std::size_t cap,
                                   bool (*wanted)(std::filesystem::path const&)) {
    std::vector<ProfileText> texts;
    for (auto const& directory : data_directories(arguments))
        for (auto const& path : paths_in(directory, wanted))
            texts.push_back({path, listed_file(path, cap)});
    return texts;
}

}  // namespace

std::string user_file(std::string const& path, std::size_t cap) {
    auto const named = open_named_file(path);
    if (!named.problem.empty()) cannot_read(path, named.problem);
    if (named.is_directory) cannot_read(path, "it is a directory");
    return content(named.file, path, cap);
}

std::vector<DataDirectory> data_directories(Arguments const& arguments) {
    std::vector<DataDirectory> all{{"/etc/rocmtune/profiles", false}};
    if (auto const home = config_home(std::getenv("XDG_CONFIG_HOME"), std::getenv("HOME")))
        all.push_back({*home + "/rocmtune/profiles", false});
    if (auto const asked = arguments.value("--profiles")) all.push_back({*asked, true});
    return all;
}

std::string data_file(Arguments const& arguments, std::string const& name) {
    auto const directories = data_directories(arguments);
    for (auto const& directory : directories | std::views::reverse) {
        auto const path = directory.path + '/' + name;
        if (std::error_code error; std::filesystem::exists(path, error))
            return listed_file(path, catalogue_cap_bytes);
    }
    auto const embedded = embedded_file(name);
    if (!embedded) throw Error(fmt::format("there is no {}", printable(name)));
    return std::string(*embedded);
}

ChipSet chips_for(Arguments const& arguments) {
    auto const texts = texts_for(arguments, profile_cap_bytes, is_profile);
    return texts.empty() ? embedded_chips() : with_overrides(embedded_chips(), texts);
}

ChipSet chips_for(Arguments const& arguments, Catalogue const& catalogue) {
    auto chips = chips_for(arguments);
    check_rule_values(chips, embedded_chips(), catalogue);
    return chips;
}

Catalogue catalogue_for(Arguments const& arguments) {
    auto const texts = texts_for(arguments, catalogue_cap_bytes, is_catalogue);
    return texts.empty() ? embedded_catalogue() : with_overrides(embedded_catalogue(), texts);
}

PlanData plan_data_for(Arguments const& arguments) {
    constexpr auto name = "plan.json";
    auto const directories = data_directories(arguments);
    for (auto const& directory : directories | std::views::reverse) {
        auto const path = directory.path + '/' + name;
        if (std::error_code error; std::filesystem::exists(path, error))
            return parse_plan_data(path, listed_file(path, profile_cap_bytes));
    }
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
