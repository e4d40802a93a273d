// SPDX-License-Identifier: MIT
#include "settings/build_arguments.hpp"

#include "base/text.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// Of a value that is learnt: versions and names of images are shorter.
constexpr std::size_t longest_value = 256;
/// Of a line with values in place: no line that people write is longer.
constexpr std::size_t longest_line = 64 * 1024;

/// NAME of "$NAME..." and "${NAME}..."; empty for what takes more of a shell.
string_view variable_at(string_view text) {
    bool const has_braces = text.substr(1, 1) == "{";
    text.remove_prefix(has_braces ? 2 : 1);
    std::size_t end = 0;
    while (end < text.size() && is_name_character(text[end])) ++end;
    return has_braces && text.substr(end, 1) != "}" ? string_view() : text.substr(0, end);
}

string_view without_quotes(string_view text) {
    bool const is_quoted = text.size() > 1 && text.front() == text.back() &&
                           (text.front() == '"' || text.front() == '\'');
    return is_quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::string BuildArguments::begin_stage(string_view line) {
    if (!in_stage_) global_ = known_;
    in_stage_ = true;
    known_.clear();
    return replaced(line, global_);
}

void BuildArguments::declare(string_view text) {
    for (auto const word : split(text, ' ')) {
        auto const parts = split_once(trim(word), '=');
        auto const name = parts ? parts->first : trim(word);
        if (!is_variable_name(name)) continue;
        auto value = parts ? replaced(without_quotes(parts->second)) : std::string();
        if (auto const outer = global_.find(name); !parts && outer != global_.end())
            value = outer->second;
        // A value that is not known takes back one that was.
        bool const is_known = !value.empty() && value.size() <= longest_value &&
                              value.find_first_of("$\"'`\\") == value.npos;
        if (is_known) known_.insert_or_assign(std::string(name), std::move(value));
        else known_.erase(std::string(name));
    }
}

std::string BuildArguments::replaced(string_view text, Values const& values) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        bool const is_escaped = i > 0 && text[i - 1] == '\\';
        auto const name =
            text[i] == '$' && !is_escaped ? variable_at(text.substr(i)) : string_view();
        auto const known = name.empty() ? values.end() : values.find(name);
        if (known == values.end() || result.size() > longest_line) {
            result += text[i++];
            continue;
        }
        result += known->second;
        i += name.size() + (text[i + 1] == '{' ? 3 : 1);
    }
    return result;
}

}  // namespace rocmtune
