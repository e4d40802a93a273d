// SPDX-License-Identifier: MIT
// Whole recordings, composed to hold what real ones hold, in the spellings that programs use. What
// each hides, keeps and calls by several spellings stands in its first lines (tests/redaction).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include <arpa/inet.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/host_text.hpp"
#include "machine/redact.hpp"
#include "machine/redact_text.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr RedactionKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
constexpr auto folder = ROCMTUNE_SOURCE_DIR "/tests/redaction/";

std::vector<std::string> words_of(std::string const& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// A recording, redacted, beside what its comments demand.
class Recording {
  public:
    explicit Recording(std::string const& name) : text_(content_of(folder + name)) {
        std::string body;
        for (auto const line : lines(text_))
            if (line.starts_with("# ")) rules_.emplace_back(line.substr(2));
            else body.append(line).append(1, '\n');
        result_ = redact(text_, key);
        before_ = words_of(body);
        after_ = words_of(result_.text);
    }

    /// The words behind "hides:", "keeps:" or "one:", a list for each line of this kind.
    std::vector<std::vector<std::string>> rules(std::string const& kind) const {
        std::vector<std::vector<std::string>> found;
        for (auto const& rule : rules_)
            if (rule.starts_with(kind + ':'))
                found.push_back(words_of(rule.substr(kind.size() + 1)));
        return found;
    }

    /// What stands in the place of a value, in each word that has it. No word is added or lost.
    std::set<std::string> aliases_of(std::string const& value) const {
        std::set<std::string> found;
        EXPECT_EQ(before_.size(), after_.size());
        for (std::size_t i = 0; i < std::min(before_.size(), after_.size()); ++i) {
            auto const at = before_[i].find(value);
            if (at == std::string::npos) continue;
            auto const behind = before_[i].size() - at - value.size();
            // "7XK2P03" is no part of ".7XK2P03.CNF" and "7XK2P03CNF".
            if ((at > 0 && before_[i][at - 1] == '.') ||
                (behind > 0 &&
                 std::isalnum(static_cast<unsigned char>(before_[i].at(at + value.size())))))
                continue;
            bool const is_in_place = at + behind <= 1 || before_[i].size() == after_[i].size();
            if (is_in_place) found.insert(after_[i].substr(at, after_[i].size() - at - behind));
        }
        return found;
    }

    Redaction const& result() const { return result_; }

  private:
    std::string text_;
    std::vector<std::string> rules_;
    Redaction result_;
    std::vector<std::string> before_;
    std::vector<std::string> after_;
};

/// Equal for all spellings of one id or address.
std::string without_spelling(std::string const& text) {
    std::string address(16, '\0');
    if (::inet_pton(AF_INET6, text.c_str(), address.data()) == 1) return address;
    std::string digits;
    for (auto const c : lower(text))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) digits += c;
    for (std::string_view const prefix : {"0x", "enx"})
        if (digits.starts_with(prefix)) digits.erase(0, prefix.size());
    constexpr std::size_t long_decimal = 17;
    auto const number = digits.size() < long_decimal ? std::nullopt : to_unsigned(digits, 10);
    return number ? fmt::format("{:x}", *number) : digits;
}

class ComposedRecording : public testing::TestWithParam<std::string> {
  protected:
    Recording const recording_{GetParam()};
};

TEST_P(ComposedRecording, hides_what_names_people_machines_and_networks) {
    auto const text = lower(recording_.result().text);
    for (auto const& words : recording_.rules("hides"))
        for (auto const& word : words) EXPECT_THAT(text, Not(HasSubstr(lower(word))));
    EXPECT_EQ(recording_.result().dropped_log_lines, 0U);
}

TEST_P(ComposedRecording, keeps_what_the_report_is_made_of) {
    for (auto const& words : recording_.rules("keeps"))
        for (auto const& word : words) EXPECT_THAT(recording_.result().text, HasSubstr(word));
}

TEST_P(ComposedRecording, gives_one_thing_one_alias_in_all_spellings) {
    for (auto const& spellings : recording_.rules("one")) {
        std::set<std::string> aliases;
        for (auto const& spelling : spellings) {
            auto const found = recording_.aliases_of(spelling);
            EXPECT_FALSE(found.empty()) << spelling;
            for (auto const& alias : found) aliases.insert(without_spelling(alias));
            EXPECT_EQ(without_spelling(spelling), without_spelling(spellings.front()));
            EXPECT_FALSE(found.contains(spelling));
        }
        EXPECT_EQ(aliases.size(), 1U)
            << testing::PrintToString(spellings) << testing::PrintToString(aliases);
    }
}

std::vector<std::string> recordings() {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".host") names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, ComposedRecording, testing::ValuesIn(recordings()),
                         [](auto const& file) { return test_name(file.param); });

/// Another file of the same machine, which knows less: only the form of a thing is left.
TEST(ComposedRecordings, of_one_machine_have_the_same_aliases) {
    std::size_t compared = 0;
    auto const alias_in = [](std::string const& line) {
        auto const text = redact("rocmtune-host 1\n/sys/devices/a = at " + line + "\n", key).text;
        return without_spelling(words_of(text).back());
    };
    for (auto const& name : recordings())
        for (auto const& spellings : Recording(name).rules("one"))
            for (auto const& spelling : spellings) {
                if (spelling.find_first_of(":-.") == spelling.npos) continue;
                auto const aliases = Recording(name).aliases_of(spelling);
                auto const other = alias_in(spelling);
                if (other == without_spelling(spelling)) continue;  // known by name alone
                for (auto const& alias : aliases) {
                    EXPECT_EQ(without_spelling(alias), other) << spelling;
                    ++compared;
                }
            }
    EXPECT_GE(compared, 20U);
}

TEST(Aliases, of_a_container_begin_as_that_of_its_first_digits) {
    std::string const id = "3f4a9b2c1d0e5f6a7b8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c";
    std::string const other = "3f4a9b2c1d0e" + std::string(52, '7');
    Aliases whole(key), shortened(key);
    auto const alias = shortened.long_id(id.substr(0, 12));
    EXPECT_EQ(whole.long_id(id).substr(0, 12), alias);
    EXPECT_EQ(whole.long_id(other).substr(0, 12), alias);
    EXPECT_NE(whole.long_id(other), whole.long_id(id));
    EXPECT_EQ(alias.size(), 12U);
}

}  // namespace
}  // namespace rocmtune::test
