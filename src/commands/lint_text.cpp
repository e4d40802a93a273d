// SPDX-License-Identifier: MIT
#include "commands/lint_text.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/changed_file.hpp"
#include "measure/mended_text.hpp"
#include "rocmtune/error.hpp"
#include "show/diff.hpp"

namespace rocmtune {
namespace {

/// The text of each setting that a finding speaks of; that of a secret is not shown.
class Excerpts {
  public:
    Excerpts(std::vector<Assignment> const& assignments, std::string_view text)
        : assignments_(assignments), rest_(text) {}

    /// The findings come in the order of their lines.
    std::string of(SettingPlace const& place) {
        auto const* const assignment = assignment_at(place);
        if (place.line == 0 || assignment == nullptr) return {};
        while (line_ < place.line && !rest_.empty()) {
            auto const end = rest_.find('\n');
            text_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(text_.size() + 1, rest_.size()));
            ++line_;
        }
        if (line_ != place.line) return {};
        if (text_.ends_with('\r')) text_.remove_suffix(1);
        return text_of_setting(*assignment, text_);
    }

  private:
    using Place = std::pair<std::size_t, std::size_t>;  ///< line, column

    Assignment const* assignment_at(SettingPlace const& place) {
        if (places_.empty())
            for (auto const& one : assignments_) places_.emplace(Place(one.line, one.column), &one);
        auto const found = places_.find({place.line, place.column});
        return found == places_.end() ? nullptr : found->second;
    }

    std::vector<Assignment> const& assignments_;
    std::string_view rest_;       ///< behind line_
    std::string_view text_ = {};  ///< of line_
    std::size_t line_ = 0;
    std::map<Place, Assignment const*> places_ = {};  ///< made for the first finding
};

/// The last finding stays: more may come that is about the same setting.
void put_all_but_last(JudgedText& part, PartSink const& put) {
    JudgedText rest;
    rest.findings.push_back(std::move(part.findings.back()));
    part.findings.pop_back();
    put(std::exchange(part, std::move(rest)));
}

}  // namespace

void TextJudge::judge(InputText const& input, PartSink const& put) const {
    JudgedText part;
    auto text = std::string(mending_ == Mending::none ? std::string_view() : input.text);
    std::vector<Assignment> assignments;
    auto now = input;
    try {
        if (mending_ != Mending::none) mend(input, text, part);
        if (mending_ == Mending::fix) now.text = text;
        assignments = read_assignments(now);
    } catch (Error const& error) {
        part.problem = fmt::format("cannot read {}: {}", printable(input.file), error.what());
        return put(std::move(part));
    }
    judge_settings(now, assignments, std::move(part), put);
}

void TextJudge::judge(std::vector<Assignment> const& assignments, PartSink const& put) const {
    judge_settings({}, assignments, {}, put);
}

/// `text` becomes what the file has now.
void TextJudge::mend(InputText const& input, std::string& text, JudgedText& part) const {
    auto const result =
        mended(input, [this](InputText const& now, std::vector<Assignment> const& assignments) {
            return findings_to_mend(now, assignments);
        });
    if (result.repairs == 0) return;
    if (mending_ == Mending::diff) {
        part.diff = unified_diff(input.file, input.text, result.text, may_be_shown);
        return;
    }
    try {
        change_file(input.file, input.text, result.text);
        part.summary.repaired = result.repairs;
        text = result.text;
    } catch (Error const& error) {
        part.problem = error.what();
    }
}

/// The command line counts before what the text pins.
LintContext TextJudge::context_for(InputText const& input) const {
    auto context = context_;
    std::ranges::move(stated_releases(input), std::back_inserter(context.releases));
    if (context.host == nullptr) context.gpus = stated_gpus(input);
    return context;
}

std::vector<Finding> TextJudge::findings_to_mend(InputText const& input,
                                                 std::vector<Assignment> const& assignments) const {
    auto const comments = ignore_comments(input.text);
    std::vector<Finding> findings;
    lint(assignments, context_for(input), [&](Finding finding) {
        bool const counts = finding.verdict >= least_ && !accepted_.accepts(comments, finding);
        if (counts && finding.setting->repair.kind != Repair::Kind::none)
            findings.push_back(std::move(finding));
    });
    return findings;
}

void TextJudge::judge_settings(InputText const& input, std::vector<Assignment> const& assignments,
                               JudgedText part, PartSink const& put) const {
    constexpr std::size_t most_findings = 64;
    auto const comments = ignore_comments(input.text);
    Excerpts excerpts(assignments, input.text);
    Mender const mender(input, assignments);
    std::size_t spent = 0;
    part.summary.texts = 1;
    part.summary.assignments = assignments.size();
    lint(assignments, context_for(input), [&](Finding finding) {
        if (finding.verdict < least_) return;
        if (accepted_.accepts(comments, finding)) return void(++part.summary.accepted);
        finding.setting->excerpt = excerpts.of(*finding.setting);
        add_changes(mender, finding, spent);
        if (!part.findings.empty() && joins(part.findings.back(), finding)) return;
        part.findings.push_back(std::move(finding));
        if (part.findings.size() > most_findings) put_all_but_last(part, put);
    });
    put(std::move(part));
}

}  // namespace rocmtune
