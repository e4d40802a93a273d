// SPDX-License-Identifier: MIT
#include "commands/only_document.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "settings/report_inputs.hpp"

namespace rocmtune {

void read_only_document(std::string const& path, OnlyDocumentHints const& hints,
                        std::function<void(std::string const& text)> const& read) {
    auto const shown = printable(path);
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
        throw Error(fmt::format("cannot read {}: it is a directory", shown), hints.directory);
    ReportInputs inputs({path});
    auto const first = inputs.next();
    if (!first) throw Error(shown + ": it is empty", hints.empty);
    if (!first->problem.empty())
        throw Error(fmt::format("cannot read {}: {}", shown, first->problem));
    read(first->text);
    if (inputs.next()) throw Error(shown + ": it holds several documents", hints.several);
}

}  // namespace rocmtune
