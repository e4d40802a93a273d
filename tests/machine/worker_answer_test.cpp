// SPDX-License-Identifier: MIT
// What workers write: answers that are none, and output beside the answer.
#include "support/workers.hpp"

#include <string>

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// ---- what is no answer -------------------------------------------------------------------------

std::string hello(std::string const& worker = "raw", std::string const& protocol = "1") {
    return R"({"hello":{"worker":")" + worker + R"(","protocol":)" + protocol + "}}\n";
}

struct Garbage {
    char const* name;
    Strings written;
    char const* reason;
};

class WorkerGarbage : public testing::TestWithParam<Garbage> {};

TEST_P(WorkerGarbage, is_an_error_with_a_reason) {
    auto const outcome = run("raw", GetParam().written);
    EXPECT_EQ(status(outcome), "error");
    EXPECT_THAT(outcome.detail, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, WorkerGarbage,
    testing::Values(
        Garbage{"nothing", {}, "it did not answer"},
        Garbage{
            "no_json", {hello(), "Segmentation fault\n"}, "not a JSON object: Segmentation fault"},
        Garbage{"no_json_at_first", {"DRM error\n"}, "not a JSON object: DRM error"},
        Garbage{"no_object", {hello(), "[1]\n"}, "not a JSON object: [1]"},
        Garbage{"two_objects", {hello(), "{} {}\n"}, "not a JSON object"},
        Garbage{"too_deep",
                {hello(), "{\"a\":" + std::string(64, '[') + std::string(64, ']') + "}\n"},
                "not a JSON object: {\"a\":[[["},
        Garbage{"empty_line", {hello(), "\n"}, "not a JSON object"},
        Garbage{"broken_utf8", {hello(), "{\"a\":\"\xff\"}\n"}, "not a JSON object: {\"a\":\"\\x"},
        Garbage{"control_bytes", {hello(), "\x1b[2J\n"}, "not a JSON object: \\x1"},
        Garbage{
            "partial_line", {hello(), "{\"a\":1}\n", "{\"a\":"}, "its last line is not complete"},
        Garbage{
            "done_without_line_end", {hello(), "{\"done\":{}}"}, "its last line is not complete"},
        Garbage{"no_end", {hello(), "{}\n"}, "its answer has no end: ended with exit code 0"},
        Garbage{"no_hello", {"{\"a\":1}\n{\"done\":{}}\n"}, "does not begin with hello"},
        Garbage{"done_only", {"{\"done\":{}}\n"}, "does not begin with hello"},
        Garbage{"hello_is_no_object", {"{\"hello\":1}\n"}, "does not begin with hello"},
        Garbage{"other_protocol", {hello("raw", "2")}, "does not speak protocol 1"},
        Garbage{"protocol_as_text", {hello("raw", "\"1\"")}, "does not speak protocol 1"},
        Garbage{"no_protocol", {"{\"hello\":{\"worker\":\"raw\"}}\n"}, "does not speak protocol 1"},
        Garbage{"other_worker", {hello("hip")}, "another worker answered"},
        Garbage{
            "failed_how", {hello(), "{\"failed\":{\"status\":\"ok\"}}\n"}, "without saying how"},
        Garbage{"failed_is_no_object", {hello(), "{\"failed\":[]}\n"}, "without saying how"}),
    [](auto const& kind) { return std::string(kind.param.name); });

TEST_F(Workers, a_nul_byte_in_an_answer_is_an_error) {
    auto const outcome = run("raw_nul");
    EXPECT_EQ(status(outcome), "error");
    EXPECT_THAT(outcome.detail, HasSubstr("not a JSON object"));
}

TEST_F(Workers, an_answer_in_pieces_is_put_together) {
    auto const outcome = run("raw", {"{\"hello\":{\"wor", "ker\":\"raw\",\"protocol\":1}}",
                                     "\n{\"a\"", ":\"\xc3", "\xa4\"}\n{\"do", "ne\":{}}\n"});
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_THAT(outcome.answer, ElementsAre("{\"a\":\"\xc3\xa4\"}"));
}

TEST_F(Workers, a_long_answer_is_taken_and_an_endless_one_refused) {
    auto const outcome = run("long_answer");
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_EQ(outcome.answer.size(), 3000U);
    for (char const* name : {"endless_answer", "endless_line"}) {
        auto small = machinery();
        small.most_answer_bytes = 100'000;
        auto const endless = run(request(name), small);
        EXPECT_EQ(status(endless), "error");
        EXPECT_EQ(endless.detail, "its answer is longer than 97.7 KiB");
    }
}

TEST_F(Workers, one_that_closes_its_answer_and_goes_on_is_an_error_long_before_its_deadline) {
    auto const outcome = run("closes_answer");
    EXPECT_EQ(status(outcome), "error");
    EXPECT_EQ(outcome.detail, "its answer has no end, but it closed it and went on");
    EXPECT_LT(outcome.took, slack);
    EXPECT_EQ(status(run("closes_answer_and_crashes_late")), "signal");
}

// ---- what it prints ----------------------------------------------------------------------------

TEST_F(Workers, the_end_of_what_it_prints_is_kept_as_evidence) {
    auto const outcome = run("noisy");
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_THAT(outcome.evidence, HasSubstr("line 999\n"));
    EXPECT_THAT(outcome.evidence, AllOf(HasSubstr("last words\n"), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(outcome.evidence, Not(HasSubstr("line 10\n")));
    EXPECT_LE(outcome.evidence.size(), 4200U);
}

TEST_F(Workers, much_output_neither_blocks_it_nor_is_kept) {
    auto const outcome = run("much_output_then_done");
    EXPECT_EQ(status(outcome), "ok");
    EXPECT_THAT(outcome.evidence, EndsWith("the end\n"));
    EXPECT_LE(outcome.evidence.size(), 4200U);
}

TEST_F(Workers, endless_output_is_a_timeout) {
    auto const outcome = run("endless_output", {}, 300ms);
    EXPECT_EQ(status(outcome), "timeout");
    EXPECT_LT(outcome.took, 500ms + slack);
    EXPECT_LE(outcome.evidence.size(), 4200U);
}

}  // namespace
}  // namespace rocmtune::test
