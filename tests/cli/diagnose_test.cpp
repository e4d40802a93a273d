// SPDX-License-Identifier: MIT
// rocmtune diagnose, as people and logs call it: arguments, exit codes, hostile texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr auto kernel_line =
    "[  123.456789] amdgpu 0000:03:00.0: amdgpu: Fatal error during GPU init";
constexpr auto ring_timeout =
    "[  123.456789] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted "
    "seq=3";

Outcome diagnose(std::vector<std::string> words, std::string const& host = "rx7900xt") {
    words.insert(words.begin(), "diagnose");
    words.insert(words.end(), {"--replay", host_file(host)});
    return run(words);
}

/// The shell's word for the program, and the host that it reads.
Outcome shell(std::string const& before, std::string const& behind) {
    auto launch = rocmtune_with({});
    auto const line = before + " '" + launch.words.front() + "' diagnose --replay '" +
                      host_file("rx7900xt") + "' " + behind;
    launch.words = {"/bin/sh", "-c", line};
    return run(launch);
}

TEST(Diagnose, names_the_cause_that_is_here_and_its_step) {
    auto const result = diagnose({kernel_line});
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_THAT(result.out, HasSubstr("RT3604"));
    EXPECT_THAT(result.out, HasSubstr("here"));
    EXPECT_THAT(result.out, HasSubstr("do: "));
    EXPECT_THAT(result.out, HasSubstr("RT8109"));
}

// That a GPU hung is what happened, and no cause of it.
TEST(Diagnose, does_not_call_a_hang_its_own_cause) {
    auto const result = diagnose({ring_timeout, "--json"});
    EXPECT_EQ(result.code, 3) << result.err;
    auto const diagnosis = json::parse(result.out).at("diagnosis");
    EXPECT_EQ(diagnosis.at("answer"), "cannot-tell");
    EXPECT_EQ(diagnosis.at("symptoms").at(0).at("id"), "RT8021");
    for (auto const& cause : diagnosis.at("causes")) EXPECT_NE(cause.at("verdict"), "here");
}

TEST(Diagnose, reads_the_answer_of_an_interpreter_with_its_question) {
    auto const result =
        diagnose({"the session was\n>>> torch.cuda.is_available()\nFalse\n", "--json"});
    auto const diagnosis = json::parse(result.out).at("diagnosis");
    EXPECT_EQ(diagnosis.at("symptoms").at(0).at("id"), "RT8502");
    auto const lonely = diagnose({"the session was\nanother_question()\nFalse\n", "--json"});
    EXPECT_EQ(json::parse(lonely.out).at("diagnosis").at("answer"), "no-error");
}

TEST(Diagnose, has_one_document_for_machines) {
    auto const result = diagnose({kernel_line, "--json"});
    auto const document = json::parse(result.out);
    EXPECT_EQ(document.at("command"), "diagnose");
    EXPECT_EQ(document.at("exit_code"), 1);
    auto const& diagnosis = document.at("diagnosis");
    EXPECT_EQ(diagnosis.at("answer"), "cause-here");
    EXPECT_EQ(diagnosis.at("causes").at(0).at("id"), "RT3604");
    EXPECT_EQ(diagnosis.at("causes").at(0).at("verdict"), "here");
    EXPECT_EQ(diagnosis.at("causes").at(0).at("rank"), 1);
    EXPECT_EQ(diagnosis.at("symptoms").at(0).at("lines"), json({1}));
}

TEST(Diagnose, says_that_it_does_not_know_what_it_ruled_out_and_how_to_report) {
    auto const result = diagnose({"frobnicator failed: quux 17"});
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.out, HasSubstr("not known"));
    EXPECT_THAT(result.out, HasSubstr("frobnicator failed: quux 17"));
    EXPECT_THAT(result.out, HasSubstr("ruled out"));
    EXPECT_THAT(result.out, HasSubstr("rocmtune probe --bug-report"));
    EXPECT_THAT(result.out, Not(HasSubstr("do: ")));
}

TEST(Diagnose, knows_a_kernel_message_that_is_typed_without_its_beginning) {
    std::string const message = "MES failed to respond to msg=REMOVE_QUEUE";
    auto const id_of_first = [](std::string const& text) {
        auto const result = diagnose({text, "--json"});
        auto const symptoms = json::parse(result.out).at("diagnosis").at("symptoms");
        return symptoms.empty() ? "" : symptoms.at(0).at("id").get<std::string>();
    };
    EXPECT_EQ(id_of_first(message), "RT8034");
    EXPECT_EQ(id_of_first("a\nb\nc\nd\ne\n" + message), "");
}

TEST(Diagnose, finds_no_error_where_there_is_none) {
    auto const result = diagnose({"epoch 1 loss 0.5, 0 errors"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("nothing in the text is an error"));
}

TEST(Diagnose, reads_files_pipes_and_words_without_quotes) {
    Directory const directory;
    write_file(directory / "log", std::string("fine\n") + kernel_line + "\nfine\n");
    EXPECT_EQ(diagnose({directory / "log"}).code, 1);
    EXPECT_EQ(shell("cat " + (directory / "log") + " |", "-").code, 1);
    EXPECT_EQ(shell("", "< " + (directory / "log") + " -").code, 1);
    EXPECT_EQ(diagnose({"frobnicator", "failed"}).code, 3);
    auto const several = diagnose({"fine so far", directory / "log", "--json"});
    EXPECT_EQ(json::parse(several.out).at("diagnosis").at("symptoms").at(0).at("lines"), json({3}));
}

TEST(Diagnose, an_input_that_cannot_be_read_is_an_error_of_use) {
    Directory const directory;
    EXPECT_EQ(diagnose({directory / "absent.log"}).code, 2);
    EXPECT_EQ(diagnose({"absent.log"}).code, 2);
    EXPECT_EQ(diagnose({directory.path()}).code, 2);
    EXPECT_EQ(diagnose({""}).code, 2);
    EXPECT_EQ(diagnose({"-", "-"}).code, 2);
    write_file(directory / "log.gz", std::string("\x1f\x8b\x08", 3));
    auto const packed = diagnose({directory / "log.gz"});
    EXPECT_EQ(packed.code, 2);
    EXPECT_THAT(packed.err, HasSubstr("zcat"));
    EXPECT_EQ(shell("", "- <&-").code, 2);
}

TEST(Diagnose, an_empty_text_is_no_success) {
    auto const result = diagnose({"-"});
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.err, HasSubstr("the text is empty"));
}

TEST(Diagnose, repeats_neither_secrets_nor_escape_sequences) {
    std::string const secret = "hf_" + std::string("AbCdEfGhIjKlMnOpQrStUvWxYz12345678");
    for (std::string const format : {"text", "json", "markdown"}) {
        auto const result = diagnose({"\x1b]0;owned\a\x1b[2Jfrobnicator failed HF_TOKEN=" + secret +
                                          " at https://me:pa55word@host/x",
                                      "--format", format, "-v"});
        EXPECT_THAT(result.out, HasSubstr("frobnicator failed")) << format;
        EXPECT_THAT(result.out, Not(HasSubstr(secret.substr(0, 10)))) << format;
        EXPECT_THAT(result.out, Not(HasSubstr("pa55word"))) << format;
        EXPECT_THAT(result.out, Not(HasSubstr("\x1b"))) << format;
    }
}

TEST(Diagnose, proposes_no_command_with_words_of_a_text) {
    auto const result = diagnose(
        {"No compatible code objects found for: gfx1031; $(touch /tmp/owned) `id`", "--json"});
    auto const document = json::parse(result.out);
    for (auto const& cause : document.at("diagnosis").at("causes")) {
        EXPECT_THAT(cause.at("next_step").get<std::string>(), Not(HasSubstr("owned")));
        EXPECT_THAT(cause.at("next_step").get<std::string>(), Not(HasSubstr("gfx1031")));
    }
}

TEST(Diagnose, a_file_of_zeros_and_one_without_a_line_end_are_texts) {
    Directory const directory;
    auto const zeros = directory / "zeros";
    write_file(zeros, "x failed\n");
    constexpr off_t size = 64 << 20;
    ASSERT_EQ(::truncate(zeros.c_str(), size), 0);
    EXPECT_EQ(diagnose({zeros}).code, 3);
    write_file(directory / "long", std::string(1 << 20, 'x') + " " + kernel_line);
    EXPECT_NE(diagnose({directory / "long"}).code, 5);
}

TEST(Diagnose, a_text_without_end_ends_with_the_time) {
    auto const result = shell("yes fine |", "- --timeout 0.5");
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.err, HasSubstr("not all was read"));
}

TEST(Diagnose, a_signal_ends_reading_and_not_the_answer) {
    Directory const directory;
    auto launch = rocmtune_with({"diagnose", "/dev/stdin", "--replay", host_file("rx7900xt")});
    auto const program = launch.words.front();
    launch.words = {"/bin/sh", "-c",
                    std::string("{ echo '") + kernel_line +
                        "'; sleep 1; kill -INT $(cat pid); sleep 2; } | { echo $$ > /dev/null; "
                        "sh -c 'echo $$ > pid; exec \"" +
                        program + "\" diagnose - --replay \"" + host_file("rx7900xt") + "\"'; }"};
    launch.directory = directory.path();
    Running running(launch);
    EXPECT_TRUE(running.read_until(
        [](std::string const& out) { return out.find("RT3604") != std::string::npos; }));
    EXPECT_EQ(running.finish().code, 128 + SIGINT);
}

TEST(Diagnose, without_a_text_judges_the_host) {
    EXPECT_EQ(diagnose({}, "rx7900xt").code, 0);
    auto const bad = diagnose({}, "broken-permissions");
    EXPECT_EQ(bad.code, 1) << bad.out;
    EXPECT_THAT(bad.out, HasSubstr("do: "));
    EXPECT_EQ(diagnose({}, "no-gpu").code, 3);
}

TEST(Diagnose, is_found_by_the_words_that_people_try) {
    EXPECT_EQ(run({"doctor", kernel_line, "--replay", host_file("rx7900xt")}).code, 1);
    EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
    EXPECT_EQ(run({"help", "diagnose"}).out, run({"diagnose", "--help"}).out);
    EXPECT_EQ(run({"version"}).out, run({"--version"}).out);
    EXPECT_EQ(run({"help", "frobnicate"}).code, 2);
}

TEST(Diagnose, is_where_explain_leads_with_a_text_that_is_no_name) {
    auto const result = run({"explain", kernel_line, "--replay", host_file("rx7900xt"), "--json"});
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_EQ(json::parse(result.out).at("diagnosis").at("causes").at(0).at("id"), "RT3604");
    EXPECT_EQ(run({"explain", "frobnicate", "--replay", host_file("rx7900xt")}).code, 2);
}

TEST(Explain, knows_messages_of_programs_and_advisories) {
    auto const message = run({"explain", "RT8201", "--replay", host_file("rx7900xt")});
    EXPECT_EQ(message.code, 0) << message.err;
    EXPECT_THAT(message.out, HasSubstr("a message of HIP"));
    auto const advisory = run({"explain", "RT9001", "--replay", host_file("rx7900xt")});
    EXPECT_EQ(advisory.code, 0) << advisory.err;
    EXPECT_THAT(advisory.out, HasSubstr("This host does not show it."));
}

TEST(OneScreen, says_first_what_is_wrong_and_what_to_do) {
    auto const screen = run({"--replay", host_file("broken-permissions")}).out;
    auto const found = screen.find("findings");
    ASSERT_NE(found, std::string::npos);
    EXPECT_LT(found, screen.find("driver "));
    EXPECT_LT(screen.find("do: "), screen.find("driver "));
}

}  // namespace
}  // namespace rocmtune::test
