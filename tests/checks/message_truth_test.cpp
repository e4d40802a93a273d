// SPDX-License-Identifier: MIT
// The truth table of kernel messages: what the checks say of each class alone, with a thousand
// ordinary lines behind it, and with each message that ends it behind it.
#include <gtest/gtest.h>

#include <set>

#include "checks/published.hpp"
#include "judge/checks/checks.hpp"
#include "support/faults.hpp"
#include "support/told_log.hpp"

namespace rocmtune::test {
namespace {

using Lines = std::set<std::string>;

constexpr std::size_t many_lines = 1000;

/// A host whose log is told line by line, a hundredth of a second apart.
class ToldHost {
  public:
    explicit ToldHost(char const* name)
        : host_(FaultyHost(name).probed()),
          gpu_(*host_.gpus.at(1 % host_.gpus.size()).pci_address) {}

    /// A line of this class about the second GPU, or the only one.
    std::string line_of(MessageClass const& kind, std::string_view wording) const {
        std::string text;
        for (auto const c : wording) {
            if (c == '*') text += "17";
            else if (c == '#') text += '3';
            else text += c;
        }
        bool const names_driver = wording.find("amdgpu: ") == 0 || wording.find("radeon: ") == 0;
        if (kind.of == MessageOf::module) return names_driver ? text : "amdgpu: " + text;
        return fmt::format("amdgpu {}: amdgpu: {}", gpu_, text);
    }

    Lines news_after(std::vector<std::string> const& log) const {
        CheckSelection selection;
        selection.only = {"kernel-log", "RT3006"};
        Lines news;
        for (auto const& finding : run_checks(told(host_, log, 0.01), embedded_chips(), selection))
            if (finding.verdict != Verdict::pass && finding.verdict != Verdict::skip)
                news.insert(fmt::format("{} {}", finding.id, word_of(finding.verdict)));
        return news;
    }

    std::vector<std::string> ordinary() const {
        std::vector<std::string> log;
        for (std::size_t i = 0; i < many_lines; ++i)
            log.push_back(fmt::format("amdgpu {}: amdgpu: ring sdma{} uses VM inv eng {} on hub 8",
                                      gpu_, i % 16, i % 8));
        return log;
    }

  private:
    Host host_;
    std::string gpu_;
};

/// What a class says of a GPU that has its driver, as those of these hosts have.
Verdict with_driver(MessageClass const& kind, Verdict verdict) {
    return kind.unbound ? std::min(verdict, Verdict::info) : verdict;
}

/// What must stand before a line of this class for it to be one.
std::vector<std::string> log_with(ToldHost const& host, MessageClass const& kind,
                                  std::string_view wording) {
    std::vector<std::string> log;
    if (auto const* const before = find_message_class(kind.after))
        log.push_back(host.line_of(*before, before->wordings.front()));
    log.push_back(host.line_of(kind, wording));
    return log;
}

/// Findings of other checks than those of the log carry these classes on: see steps_test.cpp.
bool is_told_elsewhere(MessageClass const& kind) {
    return kind.finding == "RT3102" || kind.finding == "RT3305";
}

Lines expected(MessageClass const& kind, Verdict verdict) {
    if (kind.finding.empty() || is_told_elsewhere(kind) || verdict == Verdict::pass) return {};
    return {fmt::format("{} {}", kind.finding, word_of(verdict))};
}

struct Row {
    Lines alone, behind_many, ended;
};

/// The row of one class on one host; a failure if one of its wordings has another.
Row row_of(ToldHost const& host, MessageClass const& kind) {
    Row row;
    auto const ordinary = host.ordinary();
    for (auto const& wording : kind.wordings) {
        auto log = log_with(host, kind, wording);
        row.alone = host.news_after(log);
        for (auto const& id : kind.ended_by) {
            auto const& success = *find_message_class(id);
            auto ended = log;
            ended.push_back(host.line_of(success, success.wordings.front()));
            row.ended = host.news_after(ended);
            EXPECT_EQ(row.ended, expected(kind, kind.when_ended))
                << kind.id << ' ' << wording << " ended by " << id;
        }
        log.insert(log.end(), ordinary.begin(), ordinary.end());
        row.behind_many = host.news_after(log);
        EXPECT_EQ(row.alone, row.behind_many) << kind.id << ' ' << wording;
    }
    return row;
}

std::string text_of(Lines const& lines) {
    return lines.empty() ? "-" : fmt::format("{}", fmt::join(lines, "; "));
}

std::string table() {
    std::string text =
        "# Truth table of kernel messages\n\nWhat `rocmtune check` says of a GPU of which the log "
        "has a line of this class: alone, with 1,000\nordinary lines of the driver behind it, and "
        "with a message behind it that ends the episode. On a server\n(Instinct) and on a desktop. "
        "Every wording of a class and every message that ends it was tried.\nWritten by "
        "message_truth_test.cpp.\n\n| class | server: alone | +1,000 lines | ended | desktop: "
        "alone | "
        "+1,000 lines | ended |\n|---|---|---|---|---|---|---|\n";
    ToldHost const server("mi300x-x8");
    ToldHost const desktop("rx7900xt");
    for (auto const& kind : message_classes()) {
        auto const there = row_of(server, kind);
        auto const here = row_of(desktop, kind);
        EXPECT_EQ(there.alone, expected(kind, with_driver(kind, kind.verdict))) << kind.id;
        EXPECT_EQ(here.alone, expected(kind, with_driver(kind, kind.verdict_elsewhere))) << kind.id;
        auto const ended = [&](Lines const& lines) {
            return kind.ended_by.empty() ? "does not end" : text_of(lines);
        };
        text += fmt::format("| {} {} | {} | {} | {} | {} | {} | {} |\n", kind.id, kind.name,
                            text_of(there.alone), text_of(there.behind_many), ended(there.ended),
                            text_of(here.alone), text_of(here.behind_many), ended(here.ended));
    }
    return text;
}

TEST(MessageTruth, of_every_class_and_wording_is_as_published) {
    EXPECT_TRUE(is_published("truth_table_messages.md", table()));
}

}  // namespace
}  // namespace rocmtune::test
