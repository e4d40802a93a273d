// SPDX-License-Identifier: MIT
// JSON reports from files, directories and standard input, one after the other: no more than one is
// held.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// One document, or why there is none.
struct ReportText {
    std::string name = {};  ///< "a.json", "all.ndjson:17", "-:3"
    std::string text = {};
    std::string problem = {};  ///< a sentence without the name; empty: `text` counts
};

/// The documents behind some paths: a file holds one document over several lines, or one a line; a
/// directory stands for the *.json, *.ndjson and *.jsonl files below it, sorted; "-" is standard
/// input. A path that was named may be a pipe, too.
class ReportInputs {
  public:
    explicit ReportInputs(std::vector<std::string> paths);
    ReportInputs(ReportInputs const&) = delete;
    ReportInputs& operator=(ReportInputs const&) = delete;
    ~ReportInputs();

    /// The next document; absent after the last one. What cannot be read has a problem, and the
    /// next call goes on behind it.
    std::optional<ReportText> next();

  private:
    class DocumentReader;

    bool open_next();
    std::optional<ReportText> next_of_file();

    std::vector<std::string> paths_;  ///< reversed: the next one is last
    std::size_t named_ = 0;           ///< the first ones of them; the others lay in directories
    std::string name_ = {};
    std::optional<ReportText> problem_ = {};
    std::unique_ptr<DocumentReader> reader_;
};

}  // namespace rocmtune
