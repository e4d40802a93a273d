// SPDX-License-Identifier: MIT
#include "measure/accepted.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <fnmatch.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json_text.hpp"
#include "judge/checks/checks.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/findings.hpp"
#include "knowledge/scrub.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t cap_bytes = std::size_t{64} << 20;

[[noreturn]] void bad(std::string const& file, std::string const& what, std::string hint = {}) {
    throw Error(fmt::format("{}: {}", printable(file), what), std::move(hint));
}

bool is_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    auto const year = to_unsigned(text.substr(0, 4), 10);
    auto const month = to_unsigned(text.substr(5, 2), 10);
    auto const day = to_unsigned(text.substr(8, 2), 10);
    if (!year || !month || !day) return false;
    return std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                       std::chrono::month(static_cast<unsigned>(*month)),
                                       std::chrono::day(static_cast<unsigned>(*day)))
        .ok();
}

/// @param shape    of a line, for people
/// @param example  of one, as a hint
std::vector<Accepted> read_accepted(std::string const& file, FilePatience patience,
                                    std::string_view shape, std::string_view example,
                                    bool (*is_known_word)(std::string const&)) {
    std::vector<Accepted> all;
    std::size_t number = 0;
    auto const text = user_file(file, cap_bytes, patience);
    for (auto const line : lines(text)) {
        ++number;
        auto const part = words(line);
        if (part.empty() || part[0].starts_with('#')) continue;
        auto const where = fmt::format("line {}: ", number);
        if (part.size() < 4 || !is_date(part[2]))
            bad(file, fmt::format("{}expected {}", where, shape), std::string(example));
        Accepted entry{std::string(part[0]), std::string(part[1]), std::string(part[2]),
                       std::string(trim(line.substr(line.find(part[2]) + part[2].size()))), number};
        if (!is_known_word(entry.word))
            bad(file,
                fmt::format("{}no {} {}", where, shape.substr(0, shape.find(' ')),
                            printable(entry.word)),
                std::string(example));
        all.push_back(std::move(entry));
    }
    return all;
}

bool is_check_word(std::string const& word) {
    auto const checks = all_checks();
    return find_finding_kind(word) != nullptr || find_advisory(word) != nullptr ||
           std::any_of(checks.begin(), checks.end(),
                       [&](auto const& check) { return means(word, check); });
}

bool is_lint_word(std::string const& word) {
    return word.starts_with("RT5") ||
           std::ranges::find(lint_class_words, word) != lint_class_words.end();
}

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

/// The findings of a report of lint. @throws Error for anything else.
std::vector<Finding> lint_baseline(std::string const& file, FilePatience patience) {
    auto report = earlier_report(file, patience);
    if (report.command != "lint" || !report.lint)
        bad(file, "the report is not one of lint",
            "write one with rocmtune lint --json -o FILE ...");
    std::erase_if(report.findings, [](Finding const& finding) { return !finding.setting; });
    return std::move(report.findings);
}

}  // namespace

Baseline read_baseline(std::string const& file, FilePatience patience) {
    auto const report = earlier_report(file, patience);
    if (!report.host || report.host->gpus.empty())
        bad(file, "the report has no GPUs", "write one with rocmtune check --json -o FILE");
    return {report.host->hostname.value_or(""), counters_of(*report.host)};
}

std::vector<Accepted> read_accepted_checks(std::string const& file, FilePatience patience) {
    return read_accepted(file, patience, "check SUBJECT|* YYYY-MM-DD REASON",
                         "for example: link-width 0000:03:00.0 2027-06-30 a slot of eight lanes",
                         is_check_word);
}

std::string today_in_utc() {
    std::chrono::year_month_day const today(
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(today.year()),
                       static_cast<unsigned>(today.month()), static_cast<unsigned>(today.day()));
}

AcceptedSettings::AcceptedSettings(std::optional<std::string> const& baseline,
                                   std::optional<std::string> const& ignore, FilePatience patience)
    : today_(today_in_utc()), ignore_file_(ignore.value_or("")) {
    if (ignore)
        list_ = read_accepted(*ignore, patience, "finding NAME|FILE|* YYYY-MM-DD REASON",
                              "for example: dead-name HSA_FOO 2027-06-30 an old image still has it",
                              is_lint_word);
    if (!baseline) return;
    for (auto const& finding : lint_baseline(*baseline, patience))
        baseline_[{finding.id, plain_path(finding.setting->file), finding.setting->name,
                   finding.setting->value.value_or("")}] += 1;
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

namespace {

/// Sorted: the ordered one looks for a key among all others.
using Json = nlohmann::json;

constexpr std::string_view kind_of_file = "rocmtune-expectations";

Json document_of(std::string const& file, std::string const& hint, FilePatience patience) {
    auto const text = user_file(file, cap_bytes, patience);
    if (trim(text).empty()) bad(file, "it is empty", hint);
    if (nests_deeper(text)) bad(file, "it nests too deep", hint);
    Json document;
    if (auto const problem = parse_json(text, document); !problem.empty())
        bad(file, "not valid JSON: " + problem, "mend it there, or " + hint);
    auto const found = document.is_object() ? document.find("schema") : document.end();
    if (!document.is_object() || found == document.end() || *found != kind_of_file)
        bad(file, fmt::format("no document of the kind {}", kind_of_file), hint);
    return document;
}

/// A value as the facts' texts write it.
std::string value_text(std::string const& file, std::string const& key, Json const& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number()) return value.dump();
    bad(file, fmt::format("/{}: a text, a number, true or false is expected", key));
}

void take_values(std::string const& file, Json const& document, char const* part,
                 bool (*is_fact)(std::string_view), std::map<std::string, std::string>& values) {
    auto const found = document.find(part);
    if (found == document.end()) return;
    if (!found->is_object()) bad(file, fmt::format("/{}: an object is expected", part));
    for (auto const& [key, value] : found->items()) {
        if (!is_fact(key))
            bad(file, fmt::format("/{}/{}: no such fact", part, printable(key)),
                "rocmtune probe -v lists the facts with one value");
        values[key] = value_text(file, fmt::format("{}/{}", part, key), value);
    }
}

template <class T>
void take(std::string const& file, Json const& document, char const* key, T& into) {
    auto const found = document.find(key);
    if (found == document.end()) return;
    if constexpr (std::is_same_v<T, bool>) {
        if (!found->is_boolean()) bad(file, fmt::format("/{}: true or false is expected", key));
        into = found->get<bool>();
    } else {
        if (!found->is_number_unsigned()) bad(file, fmt::format("/{}: a number is expected", key));
        into = found->get<std::uint64_t>();
    }
}

/// A gate that overlooks what it was told would pass by accident: every word must be one of ours,
/// and the version one that we know.
void check_shape(std::string const& file, Json const& document) {
    std::vector<std::string_view> const keys{"schema", "schema_version", "strict", "idle",
                                             "gpus",   "modules",        "host",   "each_gpu"};
    for (auto const& [key, value] : document.items()) {
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        bad(file, fmt::format("/{}: no such expectation", printable(key)),
            suggestion(key, keys, fmt::format("it may have {}", fmt::join(keys, ", "))));
    }
    auto const version = document.find("schema_version");
    if (version == document.end()) return;
    if (!version->is_string() || !version->get<std::string>().starts_with("1."))
        bad(file, "/schema_version: this program reads 1.x",
            "a newer rocmtune may have written it");
}

}  // namespace

Expectations read_expectations(std::string const& file, FilePatience patience) {
    auto const hint = "write one with rocmtune check --learn FILE";
    auto const document = document_of(file, hint, patience);
    check_shape(file, document);
    Expectations expected;
    if (document.contains("gpus")) take(file, document, "gpus", expected.gpus.emplace());
    if (document.contains("modules")) take(file, document, "modules", expected.modules.emplace());
    take(file, document, "strict", expected.rules.strict);
    take(file, document, "idle", expected.rules.idle);
    take_values(file, document, "host", is_host_fact, expected.host);
    take_values(file, document, "each_gpu", is_gpu_fact, expected.each_gpu);
    bool const nothing = !expected.gpus && !expected.modules && expected.host.empty() &&
                         expected.each_gpu.empty() && !expected.rules.strict &&
                         !expected.rules.idle;
    if (nothing) bad(file, "it expects nothing", hint);
    return expected;
}

void expect_count(std::string const& text, Expectations& expected) {
    constexpr std::string_view prefix = "modules=";
    bool const modules = text.starts_with(prefix);
    auto const number = to_unsigned(modules ? text.substr(prefix.size()) : text, 10);
    if (!number)
        throw Error(fmt::format("--expect-gpus needs N or modules=N, not '{}'", printable(text)));
    (modules ? expected.modules : expected.gpus) = number;
}

std::string expectations_text(Expectations const& expected) {
    nlohmann::ordered_json document{{"schema", kind_of_file}, {"schema_version", "1.0"}};
    document["strict"] = expected.rules.strict;
    document["idle"] = expected.rules.idle;
    if (expected.gpus) document["gpus"] = *expected.gpus;
    if (expected.modules) document["modules"] = *expected.modules;
    document["host"] = nlohmann::ordered_json::object();
    for (auto const& [name, value] : expected.host) document["host"][name] = value;
    document["each_gpu"] = nlohmann::ordered_json::object();
    for (auto const& [name, value] : expected.each_gpu) document["each_gpu"][name] = value;
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace rocmtune
