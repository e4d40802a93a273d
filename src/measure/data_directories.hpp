// SPDX-License-Identifier: MIT
// The directories of administrator, user and command line with data of their own, read by a child
// process: a home on a file server that is gone answers never.
#pragma once

#include <string>
#include <vector>

#include "measure/arguments.hpp"

namespace rocmtune {

/// Where files may lie that add to the embedded data or take its place.
struct DataDirectory {
    std::string path;
    bool must_exist;          ///< the user named it
    bool is_of_home = false;  ///< a variable says where it is, which sudo may have kept
};

/// /etc/rocmtune/profiles, rocmtune/profiles in the user's configuration, --profiles: lowest
/// precedence first.
std::vector<DataDirectory> data_directories(Arguments const& arguments);

enum class DataKind : char { profile = 'p', catalogue = 'c', plan = 'm', other = 'o' };

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

/// The profiles, parts of the catalogue and plan.json of the directories, lowest precedence first.
/// A child reads all of it once for this process, as long as the directories are the same.
/// @throws Error for a directory that the user named and that cannot be read in time.
std::vector<DirectoryContent> const& directory_contents(Arguments const& arguments);

/// The file of this name below each directory that has one, such as "schema/report.schema.json";
/// lowest precedence first. @throws likewise.
std::vector<DataFile> files_in_folders(Arguments const& arguments, std::string const& name);

/// A directory that this process went on without, and what to do about it.
struct NotRead {
    std::string problem;  ///< a sentence
    std::string hint;     ///< may be empty
};

/// Those that refused, did not answer, or belong to somebody else while this is root.
std::vector<NotRead> directories_not_read();

}  // namespace rocmtune
