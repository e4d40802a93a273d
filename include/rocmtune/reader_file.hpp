// SPDX-License-Identifier: MIT
// ReaderFile: a file of an installed component, and which environment variables it can read.
#pragma once

#include <string>
#include <vector>

#include "rocmtune/fact.hpp"

namespace rocmtune {

struct ReaderFile {
    std::string path = {};
    std::string package = {};             ///< "libamdhip64" or a Python package
    bool complete = true;                 ///< false: it could not be read to its end
    std::vector<std::string> names = {};  ///< sorted; of the catalogue and the index of names
};

template <SameEntity<ReaderFile> Self, class Visitor>
void visit_fields(Self& file, Visitor&& v) {
    v(Field{"path", "file of an installed library or Python package"}, file.path);
    v(Field{"package", "library or Python package that it belongs to"}, file.package);
    v(Field{"complete", "whether all of it could be read"}, file.complete);
    v(Field{"names", "environment variables whose names stand in it"}, file.names);
}

}  // namespace rocmtune
