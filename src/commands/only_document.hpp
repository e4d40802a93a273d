// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

namespace rocmtune {

/// What to do where a path is not one report.
struct OnlyDocumentHints {
    std::string directory;
    std::string empty;
    std::string several;
};

/// Hands the one document of a file, or of standard input ("-"), to `read`, whose complaints come
/// before that of documents behind it. @throws Error that names the file.
void read_only_document(std::string const& path, OnlyDocumentHints const& hints,
                        std::function<void(std::string const& text)> const& read);

}  // namespace rocmtune
