// SPDX-License-Identifier: MIT
// What the program knows: the data that it was built with, or newer ones in their place. Data age,
// programs do not: a set of all data files has a date, and is taken as a whole or not at all.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// A file of the data in force, which lives as long as the program.
struct DataText {
    std::string_view name;  ///< "findings.json", "gfx942.json"
    std::string_view bytes;
};

/// The text of a file such as "findings.json"; nothing if there is none of that name. What was read
/// once cannot be replaced any more.
std::optional<std::string_view> data_text(std::string_view name);

/// The profiles of GPUs, by name.
std::vector<DataText> profile_texts();

/// The names of all built-in data files, as a folder of data has them.
std::vector<std::string> data_file_names();

// ---- a set of newer data ------------------------------------------------------------------------

/// manifest.json of a folder of data.
struct DataManifest {
    std::string date = {};                                       ///< "2026-11-26"
    std::map<std::string, std::string, std::less<>> files = {};  ///< by name the sum of the bytes
};

inline constexpr std::string_view data_manifest_name = "manifest.json";

/// How the files of a set look and what their words mean. One that an older program would read
/// wrongly has a higher number.
inline constexpr unsigned data_format = 1;

/// Reads a manifest and compares its list with the files that this program needs.
/// @throws Error that says what is wrong.
DataManifest parse_manifest(std::string_view file, std::string_view text);

/// Throws Error if these are not the bytes that the manifest means.
void check_sum(DataManifest const& manifest, std::string_view name, std::string_view bytes);

/// All files of a set, by name.
struct DataSet {
    std::string date = {};
    std::map<std::string, std::string, std::less<>> files = {};
};

/// Takes the set in place of all built-in data, for the rest of the process.
/// @throws std::logic_error if something was read already: old and new must not mix.
void put_in_force(DataSet set);

/// Reads all data in force, as everything in the program together would, and looks whether no
/// identifier of the built-in data is gone, since the program names some. What passes, fails
/// nowhere later. @throws ProfileError with file and place of the first mistake.
void read_all_data();

}  // namespace rocmtune
