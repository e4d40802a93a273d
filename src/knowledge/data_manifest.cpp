// SPDX-License-Identifier: MIT
// The list of a folder of data: which files belong together, and of which date.
#include <algorithm>

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "codec/data_reader.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/data_in_force.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t most_files = 512;
constexpr std::size_t sum_digits = 64;

/// A name of a file in the folder itself, which leads nowhere else.
bool is_name_beside(std::string_view name) {
    auto const stem = name.substr(0, name.find('.'));
    return name.ends_with(".json") && name.size() == stem.size() + 5 && !stem.empty() &&
           std::ranges::all_of(stem, [](char c) { return is_name_character(c) || c == '-'; });
}

bool is_sum(std::string_view text) {
    return text.size() == sum_digits && std::ranges::all_of(text, is_hexadecimal);
}

void read_files(JsonNode const& list, DataManifest& out) {
    auto const files = list.members();
    if (files.size() > most_files)
        list.fail(fmt::format("more than {} files cannot be of one set", most_files));
    for (auto const& [name, sum] : files) {
        if (!is_name_beside(name) || name == data_manifest_name)
            sum.fail("expected the name of a file beside this one, such as \"findings.json\"");
        if (!is_sum(sum.string())) sum.fail("expected a SHA-256 sum in hexadecimal digits");
        out.files.emplace(name, sum.string());
    }
    for (auto const& name : data_file_names())
        if (!out.files.contains(name)) list.fail(fmt::format("{} is not in the list", name));
}

}  // namespace

DataManifest parse_manifest(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    // Of a later format nothing but its number is known.
    auto const format = root.at("format").integer(1, 1'000'000);
    if (format > data_format)
        throw Error(
            fmt::format("{} has format {}, and this program reads up to {}: this program "
                        "is older than the data",
                        file, format, data_format));
    root.expect_keys({"format", "data_date", "files"});
    DataManifest manifest{.date = std::string(parse_date(root.at("data_date"), 10))};
    read_files(root.at("files"), manifest);
    return manifest;
}

void check_sum(DataManifest const& manifest, std::string_view name, std::string_view bytes) {
    auto const found = manifest.files.find(name);
    if (found == manifest.files.end() || sha256(bytes) != found->second)
        throw Error(fmt::format("{} is not the file that {} means: it has another SHA-256 sum",
                                name, data_manifest_name));
}

}  // namespace rocmtune
