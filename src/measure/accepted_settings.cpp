// SPDX-License-Identifier: MIT
#include "measure/accepted_settings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <fnmatch.h>

#include "base/text.hpp"
#include "knowledge/scrub.hpp"
#include "measure/expectations.hpp"

namespace rocmtune {
namespace {

bool is_accepted_by(std::vector<IgnoreComment> const& comments, Finding const& finding) {
    auto const of_line =
        std::ranges::equal_range(comments, finding.setting->line, {}, &IgnoreComment::line);
    return std::ranges::any_of(of_line, [&](IgnoreComment const& comment) {
        return std::ranges::find(comment.ids, finding.id) != comment.ids.end();
    });
}

/// No variable has such a character in its name.
bool is_file_pattern(std::string const& subject) {
    return subject.find_first_of("./*?[") != std::string::npos;
}

bool fits(Accepted const& entry, Finding const& finding) {
    auto const& place = *finding.setting;
    if (entry.word != finding.id && entry.word != word_of(place.lint_class)) return false;
    if (entry.subject == "*" || entry.subject == place.name) return true;
    return is_file_pattern(entry.subject) &&
           ::fnmatch(entry.subject.c_str(), place.file.c_str(), 0) == 0;
}

/// "./train.sh" and "train.sh" are one file.
std::string plain_path(std::string_view path) {
    while (path.starts_with("./")) path.remove_prefix(2);
    return std::string(path);
}

}  // namespace

AcceptedSettings::AcceptedSettings(Arguments const& arguments)
    : today_(today_in_utc()),
      ignore_file_(arguments.value("--ignore").value_or("")),
      list_(accepted_settings_of(arguments)) {
    for (auto const& one : lint_baseline_of(arguments))
        baseline_[{one.id, plain_path(one.file), one.name, one.value}] += 1;
}

bool AcceptedSettings::accepts(std::vector<IgnoreComment> const& comments,
                               Finding const& finding) const {
    return is_accepted_by(comments, finding) || is_listed(finding);
}

std::size_t AcceptedSettings::take_known(std::vector<Finding>& findings) {
    return std::erase_if(findings, [&](Finding const& finding) { return is_in_baseline(finding); });
}

bool AcceptedSettings::is_listed(Finding const& finding) const {
    return std::ranges::any_of(list_, [&](Accepted const& entry) {
        return entry.until >= today_ && fits(entry, finding);
    });
}

bool AcceptedSettings::is_in_baseline(Finding const& finding) {
    auto const& place = *finding.setting;
    // The earlier report holds no secrets.
    auto const found = baseline_.find(
        {finding.id, plain_path(place.file), place.name, scrubbed(place.value.value_or(""))});
    if (found == baseline_.end() || found->second == 0) return false;
    --found->second;
    return true;
}

std::vector<std::string> AcceptedSettings::expired() const {
    std::vector<std::string> texts;
    for (auto const& entry : list_)
        if (entry.until < today_)
            texts.push_back(fmt::format("{}: line {}: {} for {} ran out on {}", ignore_file_,
                                        entry.line, entry.word, entry.subject, entry.until));
    return texts;
}

}  // namespace rocmtune
