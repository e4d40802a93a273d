// SPDX-License-Identifier: MIT
// What is recognised in a text, through what programs and terminals do to lines.
#include "judge/diagnose/recogniser.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "judge/diagnose/lines.hpp"
#include "knowledge/causes.hpp"

namespace rocmtune::test {
namespace {

RecognisedText recognised(std::string_view text) {
    Recogniser recogniser;
    LineReader reader(
        [&](std::string_view line, std::uint64_t number) { recogniser.add(line, number); });
    reader.add(text);
    reader.end();
    return recogniser.take();
}

SeenMessage const* find(RecognisedText const& text, std::string_view id) {
    auto const found = std::ranges::find_if(
        text.messages, [&](auto const& message) { return message.shown.id == id; });
    return found == text.messages.end() ? nullptr : &*found;
}

constexpr std::string_view no_code =
    "HIP error: no kernel image is available for execution on the device";
constexpr std::string_view no_code_id = "RT8201";

TEST(Recogniser, knows_a_message_behind_prefixes_and_in_colours) {
    for (std::string const before :
         {"", "[rank3]: ", "(VllmWorker rank=0 pid=31) ERROR 07-01 10:00:00 [x.py:1] ",
          "2026-01-02T03:04:05Z stderr F ", "\x1b[1;31mRuntimeError\x1b[0m: "}) {
        auto const text = recognised(before + std::string(no_code));
        ASSERT_NE(find(text, no_code_id), nullptr) << before;
        EXPECT_TRUE(text.unknown.empty()) << before;
    }
}

TEST(Recogniser, joins_a_line_that_a_terminal_wrapped) {
    std::string const line = "RuntimeError: " + std::string(no_code);
    for (std::size_t at = 61; at < line.size() - 1; ++at) {
        auto const text = recognised(line.substr(0, at) + '\n' + line.substr(at));
        auto const* const message = find(text, no_code_id);
        ASSERT_NE(message, nullptr) << at;
        EXPECT_EQ(message->shown.lines, std::vector<std::uint64_t>{1}) << at;
        EXPECT_TRUE(text.unknown.empty()) << at;
    }
}

TEST(Recogniser, does_not_join_lines_that_nothing_wrapped) {
    auto const text =
        recognised("HIP error: no kernel image is\navailable for execution on the device");
    EXPECT_EQ(find(text, no_code_id), nullptr);
    EXPECT_EQ(text.unknown.size(), 1U);
}

TEST(Recogniser, counts_the_first_lines_of_a_message) {
    std::string text;
    for (int i = 0; i < 50; ++i) text += std::string(no_code) + "\nfine\n";
    auto const seen = recognised(text);
    ASSERT_NE(find(seen, no_code_id), nullptr);
    auto const& lines = find(seen, no_code_id)->shown.lines;
    ASSERT_EQ(lines.size(), 10U);
    EXPECT_EQ(lines[1], 3U);
    EXPECT_EQ(seen.lines, 100U);
    EXPECT_TRUE(seen.unknown.empty());
}

TEST(Recogniser, lists_messages_in_the_order_of_their_lines) {
    auto const text =
        recognised("torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2 GiB\n" +
                   std::string(no_code));
    ASSERT_GE(text.messages.size(), 2U);
    EXPECT_EQ(text.messages.front().shown.lines.front(), 1U);
    EXPECT_NE(find(text, no_code_id), nullptr);
}

TEST(Recogniser, keeps_the_values_that_a_message_names) {
    auto const text = recognised("No compatible code objects found for: gfx1031");
    auto const* const message = find(text, no_code_id);
    ASSERT_NE(message, nullptr);
    ASSERT_TRUE(message->said.contains("gfx"));
    EXPECT_EQ(message->said.at("gfx"), std::vector<std::string>{"gfx1031"});
}

TEST(Recogniser, shows_no_secret_and_no_escape_sequence) {
    std::string const secret = "hf_" + std::string("AbCdEfGhIjKlMnOpQrStUvWxYz12345678");
    auto const text = recognised("\x1b[31mHF_TOKEN=" + secret + " \x1b]0;x\a" +
                                 std::string(no_code) + "\nfailed with token " + secret);
    ASSERT_NE(find(text, no_code_id), nullptr);
    auto const& shown = find(text, no_code_id)->shown.text;
    EXPECT_EQ(shown.find(secret.substr(0, 12)), std::string::npos) << shown;
    EXPECT_EQ(shown.find('\x1b'), std::string::npos);
    ASSERT_EQ(text.unknown.size(), 1U);
    EXPECT_EQ(text.unknown.front().text.find(secret.substr(0, 12)), std::string::npos);
}

TEST(Recogniser, cuts_a_secret_off_before_it_shortens_a_line) {
    std::string const secret = "ghp_" + std::string("aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789");
    for (std::size_t padding = 240; padding < 310; ++padding) {
        auto const text = recognised(std::string(padding, 'x') + " error " + secret);
        ASSERT_EQ(text.unknown.size(), 1U);
        EXPECT_EQ(text.unknown.front().text.find("ghp_aBcD"), std::string::npos) << padding;
    }
}

struct Words {
    std::string line;
    bool is_error;
};

class UnknownLines : public testing::TestWithParam<Words> {};

TEST_P(UnknownLines, are_errors_by_their_words) {
    EXPECT_EQ(!recognised(GetParam().line).unknown.empty(), GetParam().is_error) << GetParam().line;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, UnknownLines,
    testing::Values(Words{"frobnicate: error 17", true}, Words{"FrobnicateError: no", true},
                    Words{"frobnicator failed", true},
                    Words{"Traceback (most recent call last):", true},
                    Words{"step 3: 0 errors, 0 failed", false}, Words{"error rate 0.01", false},
                    Words{"errors: 0", false}, Words{"finished without errors", false},
                    Words{"validation error 0.031", false}, Words{"mean_error=0.1", false},
                    Words{"all is well", false}, Words{"terrors of the deep", false},
                    Words{"loss 1.2 | error: 0.25", false},
                    Words{"frobnicate: command not found", true},
                    Words{"the frobnicator timed out", true}));

TEST(Recogniser, weaker_words_are_an_error_where_nothing_else_is_and_the_text_is_short) {
    EXPECT_TRUE(recognised("optional x is missing\na\nb\nc\nd\ne").unknown.empty());
    auto const text = recognised("optional x is missing\nfrobnicator failed");
    ASSERT_EQ(text.unknown.size(), 1U);
    EXPECT_EQ(text.unknown[0].line, 2U);
    EXPECT_TRUE(recognised("optional x is missing\n" + std::string(no_code)).unknown.empty());
}

TEST(Recogniser, an_unknown_line_does_not_become_known_by_another) {
    auto const text = recognised("frobnicator failed: reason 7\n" + std::string(no_code));
    ASSERT_EQ(text.unknown.size(), 1U);
    EXPECT_EQ(text.unknown.front().line, 1U);
}

TEST(Recogniser, keeps_little_of_a_text_that_is_all_errors) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "frobnicator failed at " + std::to_string(i) + '\n';
    auto const seen = recognised(text);
    EXPECT_EQ(seen.unknown.size(), 10U);
    EXPECT_EQ(seen.lines, 2000U);
}

TEST(Recogniser, keeps_the_lines_that_advisories_ask_for) {
    auto const text = recognised("Faulty UTCL2 client ID: CPF (0x4)\n");
    EXPECT_TRUE(text.matched.contains("UTCL2 client ID: CPF"));
}

// A pattern without a literal would be tried on every line of a log.
TEST(Expressions, have_a_literal_by_which_they_are_found) {
    std::vector<std::string> expressions;
    for (auto const& symptom : all_symptoms())
        expressions.insert(expressions.end(), symptom.patterns.begin(), symptom.patterns.end());
    auto const add_lines = [&](WhenAll const& when) {
        for (auto const& node : when.nodes)
            if (node.kind == ConditionKind::line) expressions.emplace_back(node.name);
    };
    for (auto const& rule : all_cause_rules()) {
        add_lines(rule.here);
        add_lines(rule.not_here);
    }
    for (auto const& advisory : all_advisories()) add_lines(advisory.when);
    PatternSet const set(expressions);
    for (auto const number : set.without_literal())
        ADD_FAILURE() << expressions[static_cast<std::size_t>(number)];
    EXPECT_GT(expressions.size(), 100U);
}

}  // namespace
}  // namespace rocmtune::test
