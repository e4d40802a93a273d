// SPDX-License-Identifier: MIT
// Data by name: from the directories of administrator, user and command line, else embedded. A
// child process reads the directories: a home on a file server that is gone answers never.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "knowledge/builds_data.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/plan_data.hpp"

namespace rocmtune {

/// What is read beside the embedded data.
struct DataChoice {
    std::optional<std::string> directory = {};               ///< --profiles
    std::optional<std::chrono::milliseconds> patience = {};  ///< --timeout
};

/// A file of ours such as "schema/report.schema.json". @throws Error if it exists nowhere.
std::string data_file(DataChoice const& choice, std::string const& name);

/// The profiles in force. @throws Error with file and JSON pointer for malformed ones.
ChipSet chips_for(DataChoice const& choice);

/// The same for who applies their rules: a variable that the catalogue does not know, or a value
/// that its reader does not take, is an error too.
ChipSet chips_for(DataChoice const& choice, Catalogue const& catalogue);

/// The catalogue in force: variables.json and names.json of the same directories. @throws likewise.
Catalogue catalogue_for(DataChoice const& choice);

/// What plan rests on: the plan.json of the directory with the highest precedence that has one, as
/// a whole, else the embedded one. @throws Error with file and JSON pointer.
PlanData plan_data_for(DataChoice const& choice);

/// Published builds: builds.json, likewise.
BuildsData builds_data_for(DataChoice const& choice);

/// The same, null where the embedded ones count.
std::shared_ptr<BuildsData const> own_builds_for(DataChoice const& choice);

/// Names of the built-in examples, sorted.
std::vector<std::string> example_names();

// ---- the directories ----------------------------------------------------------------------------

/// Where files may lie that add to the embedded data or take its place.
struct DataDirectory {
    std::string path;
    bool must_exist;          ///< the user named it
    bool is_of_home = false;  ///< a variable says where it is, which sudo may have kept
};

/// /etc/rocmtune/profiles, rocmtune/profiles in the user's configuration, --profiles: lowest
/// precedence first.
std::vector<DataDirectory> data_directories(DataChoice const& choice);

enum class DataKind : char {
    profile = 'p',
    catalogue = 'c',
    plan = 'm',
    builds = 'b',
    other = 'o'
};

/// A file of a data directory. It is an error only for who needs it that it cannot be read.
struct DataFile {
    DataKind kind;
    std::string path;
    std::string text = {};
    std::string problem = {};  ///< a sentence, if there is no text
};

/// What a child has found in one directory.
struct DirectoryContent {
    std::vector<DataFile> files = {};  ///< by path
    std::string problem = {};          ///< a sentence, if it cannot be listed; in the child only
    std::string not_ours = {};         ///< why root leaves it alone; in the child only
    bool has_folders = false;          ///< of schemas or examples, which are read if asked for
};

/// The profiles, parts of the catalogue, plan.json and builds.json of the directories, lowest
/// precedence first. A child reads all of it once for this process, as long as the directories are
/// the same.
/// @throws Error for a directory that the user named and that cannot be read in time.
std::vector<DirectoryContent> const& directory_contents(DataChoice const& choice);

/// The file of this name below each directory that has one, such as "schema/report.schema.json";
/// lowest precedence first. @throws likewise.
std::vector<DataFile> files_in_folders(DataChoice const& choice, std::string const& name);

/// A directory that this process went on without, and what to do about it.
struct NotRead {
    std::string problem;  ///< a sentence
    std::string hint;     ///< may be empty
};

/// Those that refused, did not answer, or belong to somebody else while this is root.
std::vector<NotRead> directories_not_read();

}  // namespace rocmtune
