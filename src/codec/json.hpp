// SPDX-License-Identifier: MIT
// The report as JSON. Everything comes from visit_fields; nothing is named a second time here.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "rocmtune/report.hpp"

namespace rocmtune {

/// The whole document, keys in the order of the contract.
nlohmann::ordered_json to_json(Report const& report);

/// One host, as it stands under "host".
nlohmann::ordered_json to_json(Host const& host);

/// What stands beside the members of an object and tells of them: `_reasons`, `_sources` and
/// `_disputes`.
bool is_about_others(std::string_view key);

/// The text of that document in three steps, for findings that are not kept: what stands before its
/// findings, each of them, and what stands behind them. The report must have a lint summary.
std::string json_head(Report const& report, bool indented);
std::string json_finding(Finding const& finding, bool is_first, bool indented);
std::string json_tail(Report const& report, bool indented);

/// The same for a list of any document: one element at a depth of brackets, and what closes it.
std::string json_element(nlohmann::ordered_json const& element, bool is_first, std::size_t depth,
                         bool indented);
std::string json_list_end(bool is_empty, std::size_t depth, bool indented);

/// JSON Schema (draft-07) of the document, generated from the same lists.
nlohmann::ordered_json report_schema();

/// Text of a document: indented, or one line, in ASCII (a terminal may obey C1 control characters
/// in a string). Bytes that are no UTF-8 become U+FFFD.
std::string json_text(nlohmann::ordered_json const& document, bool indented);

}  // namespace rocmtune
