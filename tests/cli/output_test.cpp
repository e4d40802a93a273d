// SPDX-License-Identifier: MIT
// Where output goes and what it looks like there: files, pipes, terminals, locales.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

#include <fmt/format.h>

#include <sys/stat.h>

#include "base/text.hpp"
#include "measure/output.hpp"
#include "support/other_user.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

Words probe(std::string const& host, Words more = {}) {
    more.insert(more.begin(), {"probe", "--replay", host_file(host)});
    return more;
}

Outcome in_directory(Directory const& directory, Words words) {
    auto launch = rocmtune_with(std::move(words));
    launch.directory = directory.path();
    return run(launch);
}

mode_t mode_of(std::string const& path) {
    struct stat s {};
    return ::stat(path.c_str(), &s) == 0 ? s.st_mode & 07777U : 0;
}

std::size_t columns_of(std::string_view line) {
    return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    }));
}

std::size_t widest(std::string const& text) {
    std::size_t width = 0;
    for (auto const line : lines(text)) width = std::max(width, columns_of(line));
    return width;
}

// ---- files --------------------------------------------------------------------------------------

TEST(OutputFile, gets_what_standard_output_would) {
    Directory const directory;
    for (Words const& format :
         {Words{"--json"}, Words{"--format", "ndjson"}, Words{}, Words{"-v"}}) {
        auto words = probe("mi300x-x8", format);
        auto const printed = run(words);
        words.insert(words.end(), {"-o", directory / "report"});
        auto const result = run(words);
        EXPECT_EQ(result.code, 0);
        EXPECT_EQ(result.out, "");
        EXPECT_TRUE(content_of(directory / "report") == printed.out)
            << testing::PrintToString(format);
    }
    EXPECT_THAT(directory.names(), ElementsAre("report"));
}

TEST(OutputFile, has_no_colours_and_is_as_wide_as_usual) {
    Directory const directory;
    auto launch = rocmtune_with(probe("rx7900xt-x2", {"-o", directory / "report"}));
    launch.environment["CLICOLOR_FORCE"] = "1";
    launch.environment["COLUMNS"] = "60";
    EXPECT_EQ(run(launch).code, 0);
    auto const text = content_of(directory / "report");
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_GT(widest(text), 60U);
    EXPECT_LE(widest(text), 100U);
}

TEST(OutputFile, keeps_its_mode) {
    Directory const directory;
    write_file(directory / "report", "old");
    ::chmod((directory / "report").c_str(), 0640);
    EXPECT_EQ(run(probe("rx7900xt", {"-o", directory / "report"})).code, 0);
    EXPECT_EQ(mode_of(directory / "report"), 0640U);
}

TEST(OutputFile, that_is_new_is_for_its_owner_alone) {
    Directory const directory;
    for (auto const& [mask, mode] :
         std::map<mode_t, mode_t>{{0, 0600}, {022, 0600}, {0277, 0400}}) {
        auto const before = ::umask(mask);
        auto const result = run(probe("rx7900xt", {"-o", directory / "report"}));
        ::umask(before);
        EXPECT_EQ(result.code, 0);
        EXPECT_EQ(mode_of(directory / "report"), mode) << mask;
        std::filesystem::remove(directory / "report");
    }
}

TEST(OutputFile, of_every_option_is_for_its_owner_alone) {
    Directory const directory;
    auto const made = {"out", "also", "learned", "recorded.host", "bug.tar.gz"};
    EXPECT_EQ(in_directory(directory, {"check", "--replay", host_file("mi210-x8"), "--learn",
                                       "learned", "-o", "out", "--also", "json:also"})
                  .code,
              0);
    EXPECT_EQ(
        in_directory(directory, {"probe", "--sources", "sysfs", "--record", "recorded.host"}).code,
        0);
    EXPECT_EQ(
        in_directory(directory, {"probe", "--sources", "sysfs", "--bug-report", "bug.tar.gz"}).code,
        0);
    for (auto const* const name : made) EXPECT_EQ(mode_of(directory / name), 0600U) << name;
}

/// What another user has put where everybody may.
class Planted : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
        std::filesystem::create_directory(directory_ / "shared");
        ::chmod((directory_ / "shared").c_str(), 01777);
        write_file(directory_ / "victim", "precious");
    }
    std::string place(std::string_view name) const {
        return (directory_ / "shared/") + std::string(name);
    }
    Outcome write_to(std::string_view name) const {
        return run(probe("rx7900xt", {"-o", place(name)}));
    }

    Directory const directory_;
};

TEST_F(Planted, links_of_others_are_refused) {
    std::filesystem::create_symlink(directory_ / "victim", place("report"));
    ASSERT_EQ(::lchown(place("report").c_str(), stranger, stranger), 0);
    auto const result = write_to("report");
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("is a link of user 65534 in a directory that everybody"));
    EXPECT_EQ(content_of(directory_ / "victim"), "precious");
}

TEST_F(Planted, links_of_others_behind_an_own_link_are_refused) {
    std::filesystem::create_symlink(directory_ / "victim", place("theirs"));
    ASSERT_EQ(::lchown(place("theirs").c_str(), stranger, stranger), 0);
    std::filesystem::create_symlink("theirs", place("ours"));
    EXPECT_EQ(write_to("ours").code, 2);
    EXPECT_EQ(content_of(directory_ / "victim"), "precious");
}

TEST_F(Planted, pipes_of_others_are_refused) {
    ASSERT_EQ(::mkfifo(place("report").c_str(), 0666), 0);
    ASSERT_EQ(::chown(place("report").c_str(), stranger, stranger), 0);
    EXPECT_EQ(write_to("report").code, 2);
}

TEST_F(Planted, own_links_are_followed) {
    std::filesystem::create_symlink(directory_ / "victim", place("report"));
    EXPECT_EQ(write_to("report").code, 0);
    EXPECT_THAT(content_of(directory_ / "victim"), HasSubstr("RX 7900 XT"));
}

TEST_F(Planted, files_of_others_do_not_say_who_may_read_ours) {
    write_file(place("report"), "bait");
    ::chmod(place("report").c_str(), 0666);
    ASSERT_EQ(::chown(place("report").c_str(), stranger, stranger), 0);
    EXPECT_EQ(write_to("report").code, 0);
    EXPECT_EQ(mode_of(place("report")), 0600U);
    EXPECT_THAT(content_of(place("report")), HasSubstr("RX 7900 XT"));
}

TEST(OutputFile, is_replaced_and_not_written_into) {
    Directory const directory;
    write_file(directory / "report", "old");
    std::filesystem::create_hard_link(directory / "report", directory / "reader");
    EXPECT_EQ(run(probe("rx7900xt", {"-o", directory / "report"})).code, 0);
    EXPECT_EQ(content_of(directory / "reader"), "old");
    EXPECT_THAT(content_of(directory / "report"), HasSubstr("RX 7900 XT"));
}

TEST(OutputFile, behind_a_link_is_replaced_and_the_link_stays) {
    Directory const directory;
    std::filesystem::create_directory(directory / "real");
    write_file(directory / "real/report", "old");
    std::filesystem::create_symlink("real/report", directory / "link");
    EXPECT_EQ(in_directory(directory, probe("rx7900xt", {"-o", "link"})).code, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
    EXPECT_THAT(content_of(directory / "real/report"), HasSubstr("RX 7900 XT"));
    EXPECT_THAT(directory.names(), ElementsAre("link", "real"));
}

TEST(OutputFile, behind_a_link_to_nothing_is_made) {
    Directory const directory;
    std::filesystem::create_directory(directory / "real");
    std::filesystem::create_symlink("real/report", directory / "link");
    EXPECT_EQ(in_directory(directory, probe("rx7900xt", {"-o", "link"})).code, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
    EXPECT_THAT(content_of(directory / "real/report"), HasSubstr("RX 7900 XT"));
}

TEST(OutputFile, behind_links_in_a_circle_is_an_error) {
    Directory const directory;
    std::filesystem::create_symlink("link", directory / "link");
    auto const result = in_directory(directory, probe("rx7900xt", {"-o", "link"}));
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("ELOOP"));
    EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
}

TEST(OutputFile, in_a_directory_that_was_removed_is_no_fault_of_ours) {
    Directory const directory;
    Launch launch;
    launch.words = {"/bin/sh", "-c",
                    "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" probe --replay \"$1\" "
                    "-o x",
                    ROCMTUNE_BINARY, host_file("rx7900xt")};
    launch.directory = directory.path();
    auto const result = run(launch);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("ENOENT"));
}

TEST(OutputFile, stays_as_it_was_when_the_host_cannot_be_read) {
    Directory const directory;
    write_file(directory / "report", "old");
    auto const result = run({"probe", "--replay", directory / "none", "-o", directory / "report"});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(content_of(directory / "report"), "old");
    EXPECT_THAT(directory.names(), ElementsAre("report"));
}

TEST(OutputFile, may_be_a_device_or_a_pipe) {
    auto const printed = run(probe("rx7900xt", {"--json"})).out;
    EXPECT_TRUE(run(probe("rx7900xt", {"--json", "-o", "/dev/stdout"})).out == printed);
    EXPECT_TRUE(run(probe("rx7900xt", {"--json", "-o", "/dev/stderr"})).err == printed);
    EXPECT_TRUE(run(probe("rx7900xt", {"--json", "-o", "-"})).out == printed);
    EXPECT_EQ(run(probe("rx7900xt", {"-o", "/dev/null"})).code, 0);
}

TEST(OutputFile, may_have_a_name_that_looks_like_an_option) {
    Directory const directory;
    EXPECT_EQ(in_directory(directory, probe("rx7900xt", {"--output=-v"})).code, 0);
    EXPECT_THAT(directory.names(), ElementsAre("-v"));
}

TEST(Also, writes_every_format_beside_the_output) {
    Directory const directory;
    auto const result = in_directory(
        directory,
        probe("rx7900xt", {"--also", "json:a:b.json", "--also=text:t", "--also", "ndjson:n"}));
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, HasSubstr("1 AMD GPU on anvil"));
    EXPECT_TRUE(content_of(directory / "t") == result.out);
    EXPECT_EQ(json::parse(content_of(directory / "a:b.json")),
              json::parse(content_of(directory / "n")));
    EXPECT_THAT(directory.names(), ElementsAre("a:b.json", "n", "t"));
}

TEST(Also, has_no_colours_where_the_terminal_has) {
    Directory const directory;
    auto launch = rocmtune_with(probe("rx7900xt", {"--also", "text:t"}));
    launch.directory = directory.path();
    launch.environment["CLICOLOR_FORCE"] = "1";
    EXPECT_THAT(run(launch).out, HasSubstr("\x1b["));
    EXPECT_THAT(content_of(directory / "t"), Not(HasSubstr("\x1b")));
}

TEST(OutputFile, may_not_be_that_of_another_option) {
    Directory const directory;
    std::filesystem::create_symlink("a", directory / "link");
    std::vector<std::vector<std::string>> const pairs{{"-o", "a", "--also", "json:./a"},
                                                      {"-o", "link", "--also", "json:a"},
                                                      {"--also", "json:a", "--also", "junit:a"},
                                                      {"-o", "a", "--learn", "a"}};
    for (auto words : pairs) {
        words.insert(words.begin(), {"check", "--replay", host_file("mi210-x8")});
        auto launch = rocmtune_with(words);
        launch.directory = directory.path();
        auto const outcome = run(launch);
        EXPECT_EQ(outcome.code, 2) << words.back();
        EXPECT_THAT(outcome.err, testing::HasSubstr("write the same file")) << words.back();
        EXPECT_FALSE(std::filesystem::exists(directory / "a"));
    }
    auto launch = rocmtune_with({"check", "--replay", host_file("mi210-x8"), "-o", "/dev/null",
                                 "--also", "json:/dev/null"});
    EXPECT_EQ(run(launch).code, 0);
}

TEST(OutputFile, beyond_the_limit_of_sizes_is_an_error_that_leaves_no_part) {
    Directory const directory;
    Launch launch;
    launch.directory = directory.path();
    launch.words = {"/bin/sh", "-c", "ulimit -f 1; exec \"$0\" \"$@\""};
    for (auto const& word :
         rocmtune_with({"probe", "--json", "--replay", host_file("mi300x-x8"), "-o", "large.json"})
             .words)
        launch.words.push_back(word);
    auto const outcome = run(launch);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, testing::HasSubstr("EFBIG"));
    // The document that says so is small enough.
    EXPECT_EQ(directory.names(), std::vector<std::string>{"large.json"});
    EXPECT_EQ(nlohmann::json::parse(content_of(directory / "large.json")).at("exit_code"), 2);
}

TEST(OutputFile, whose_writer_is_killed_at_its_start_is_an_error_and_no_hang) {
    Directory const directory;
    auto launch = rocmtune_with(probe("rx7900xt", {"-o", "text"}));
    launch.environment["LD_PRELOAD"] = ROCMTUNE_FAKES_DIR "/preload/libkilled_writer.so";
    launch.directory = directory.path();
    auto const outcome = run(launch);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("the process that writes it ended early"));
    EXPECT_TRUE(directory.names().empty());
}

TEST(Also, that_fails_leaves_standard_output_empty) {
    Directory const directory;
    auto const result = in_directory(directory, probe("rx7900xt", {"--also", "text:none/t"}));
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
}

TEST(Quiet, prints_nothing_but_writes_files) {
    Directory const directory;
    auto const result =
        in_directory(directory, probe("rx7900xt", {"-q", "-o", "text", "--also", "json:json"}));
    EXPECT_EQ(result.out + result.err, "");
    EXPECT_THAT(directory.names(), ElementsAre("json", "text"));
}

TEST(Quiet, does_not_hide_errors) {
    EXPECT_THAT(run({"probe", "-q", "--root", "/nonexistent"}).err,
                HasSubstr("cannot read /nonexistent"));
}

// ---- terminals and locales ----------------------------------------------------------------------

struct Colour {
    char const* name;
    std::map<std::string, std::string> environment;
    Words words;
    bool terminal;
    bool colours;
};

void PrintTo(Colour const& colour, std::ostream* out) {
    *out << colour.name;
}

class Colours : public testing::TestWithParam<Colour> {};

TEST_P(Colours, follow_the_usual_rules) {
    auto const& row = GetParam();
    if (auto const reason = missing_terminal(); row.terminal && !reason.empty())
        GTEST_SKIP() << reason;
    auto launch = rocmtune_with(probe("rx7900xt", row.words));
    launch.environment.insert(row.environment.begin(), row.environment.end());
    launch.columns = row.terminal ? 100 : 0;
    auto const result = run(launch);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out.find('\x1b') != std::string::npos, row.colours);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Colours,
    testing::Values(
        Colour{"pipe", {{"TERM", "xterm"}}, {}, false, false},
        Colour{"terminal", {{"TERM", "xterm"}}, {}, true, true},
        Colour{"terminal_without_name", {}, {}, true, false},
        Colour{"dumb_terminal", {{"TERM", "dumb"}}, {}, true, false},
        Colour{"no_color", {{"TERM", "xterm"}, {"NO_COLOR", "1"}}, {}, true, false},
        Colour{"empty_no_color", {{"TERM", "xterm"}, {"NO_COLOR", ""}}, {}, true, true},
        Colour{"forced", {{"CLICOLOR_FORCE", "1"}}, {}, false, true},
        Colour{"no_color_beats_forced",
               {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}},
               {},
               false,
               false},
        Colour{"option", {{"TERM", "xterm"}, {"CLICOLOR_FORCE", "1"}}, {"--no-color"}, true, false},
        Colour{"json_on_a_terminal", {{"TERM", "xterm"}}, {"--json"}, true, false},
        Colour{"details", {{"TERM", "xterm"}}, {"-v"}, true, true}),
    [](auto const& row) { return std::string(row.param.name); });

std::string without_colours(std::string const& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') i = text.find('m', i);
        else result += text[i];
    }
    return result;
}

TEST(Colours, change_no_character) {
    for (auto const* host : {"mi300x-x8", "no-gpu", "rocm-many"}) {
        auto launch = rocmtune_with(probe(host));
        auto const plain = run(launch).out;
        launch.environment["CLICOLOR_FORCE"] = "1";
        EXPECT_EQ(without_colours(run(launch).out), plain) << host;
    }
}

class Screen : public testing::TestWithParam<std::string> {};

TEST_P(Screen, is_no_wider_than_the_terminal) {
    if (auto const reason = missing_terminal(); !reason.empty()) GTEST_SKIP() << reason;
    for (unsigned const columns : {80U, 100U}) {
        auto launch = rocmtune_with(probe(GetParam()));
        launch.columns = static_cast<unsigned short>(columns);
        auto const result = run(launch);
        EXPECT_EQ(result.code, 0);
        EXPECT_LE(widest(result.out), columns) << result.out;
        EXPECT_THAT(result.out, Not(HasSubstr(" \n"))) << "blanks at the end of a line";
    }
}

TEST_P(Screen, is_ascii_where_the_locale_is_not_utf8) {
    for (auto const* verbosity : {"--no-color", "-vv"}) {
        auto launch = rocmtune_with(probe(GetParam(), {verbosity}));
        launch.environment["LC_ALL"] = "C";
        auto const text = run(launch).out;
        EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                                [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
    }
}

INSTANTIATE_TEST_SUITE_P(All, Screen, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

TEST(Screen, of_eight_gpus_fits_a_terminal_of_80_by_40) {
    if (auto const reason = missing_terminal(); !reason.empty()) GTEST_SKIP() << reason;
    for (auto const* host : {"mi300x-x8", "mi210-x8", "mi250x-x4", "kubernetes-pod"}) {
        auto launch = rocmtune_with({"--replay", host_file(host)});
        launch.columns = 80;
        auto const text = run(launch).out;
        EXPECT_LE(lines(text).size(), 40U) << text;
        EXPECT_THAT(text, HasSubstr("8 AMD GPUs"));
    }
}

TEST(Messages, end_their_lines_between_words_on_a_terminal_only) {
    constexpr std::string_view message = "the level long runs programs on the GPUs";
    constexpr std::string_view hint = "leave out --level: quick looks at everything";
    EXPECT_EQ(told_text(message, hint, 40),
              "rocmtune: the level long runs\n"
              "          programs on the GPUs\n"
              "  leave out --level: quick looks at\n"
              "  everything\n");
    EXPECT_EQ(told_text(message, hint, std::nullopt),
              fmt::format("rocmtune: {}\n  {}\n", message, hint));
    EXPECT_EQ(told_text(message, hint, 80), told_text(message, hint, std::nullopt));
    EXPECT_EQ(told_text("short", "", 80), "rocmtune: short\n");
}

TEST(Help, fits_80_columns_and_is_ascii) {
    if (auto const reason = missing_terminal(); !reason.empty()) GTEST_SKIP() << reason;
    for (Words const& words : {Words{"--help"}, Words{"probe", "--help"}, Words{"schema", "--help"},
                               Words{"completion", "--help"}}) {
        auto launch = rocmtune_with(words);
        launch.columns = 80;
        auto const text = run(launch).out;
        EXPECT_LE(widest(text), 80U) << text;
        EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                                [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
    }
}

TEST(Help, starts_with_examples) {
    auto const text = run({"probe", "--help"}).out;
    EXPECT_LT(text.find("Examples:"), text.find("Options:"));
}

/// A host whose names are chosen by somebody who means harm.
std::string hostile_host() {
    return "rocmtune-host 1\nlabel \x1b[31mred\x1b[0m\n"
           "call uname.nodename = \x1b]0;owned\x07\xff\xfe\xc3\xa9\n"
           "call uname.release = 6.1\x1b[2J\n"
           "/etc/os-release =\n\tPRETTY_NAME=\"\xe2\x80\xae"
           "evil \x1b[31m\x9b"
           "31m\"\n"
           "env HSA_TOOLS_LIB=\x1b[31m\xc2\x9b"
           "31m\n";
}

TEST(HostileNames, reach_no_terminal) {
    Directory const directory;
    write_file(directory / "host", hostile_host());
    for (auto const* option : {"--no-color", "-v", "-vv", "--json"}) {
        auto const result = run({"probe", "--replay", directory / "host", option});
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_THAT(result.out, HasSubstr("owned"));
        EXPECT_TRUE(is_utf8(result.out)) << option;
        for (auto const* control : {"\x1b", "\x07"})
            EXPECT_THAT(result.out, Not(HasSubstr(control))) << option;
        // A program that reads JSON wants the variable's value as it is.
        if (std::string_view(option) == "--json") continue;
        EXPECT_THAT(result.out, Not(HasSubstr("\xc2\x9b"))) << option;
    }
}

TEST(HostileNames, of_files_are_not_repeated_raw) {
    auto const result = run({"probe", "--replay", "/nonexistent\x1b[31m\n\xff"});
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(is_utf8(result.err));
    EXPECT_THAT(result.err, Not(HasSubstr("\x1b")));
}

// ---- -v -----------------------------------------------------------------------------------------

/// Text as a reader searches it: with one blank where lines and columns have several.
std::string squeezed(std::string_view text) {
    std::string result;
    for (auto const word : words(text)) result += (result.empty() ? "" : " ") + std::string(word);
    return result;
}

using Texts = std::set<std::string>;

/// Every value of a document as the text that a reader would look for.
void collect_values(json const& value, Texts& texts) {
    if (value.is_object()) {
        for (auto const& [key, member] : value.items())
            if (!key.starts_with('_')) collect_values(member, texts);
    } else if (value.is_array()) {
        for (auto const& element : value) collect_values(element, texts);
    } else if (value.is_string()) {
        texts.insert(squeezed(printable(value.get<std::string>())));
    } else if (value.is_number()) {
        texts.insert(value.dump());
    }
}

/// What `_reasons` or `_sources` say, in this object and those inside it.
void collect_remarks(json const& value, std::string const& kind, Texts& texts) {
    if (value.is_array())
        for (auto const& element : value) collect_remarks(element, kind, texts);
    if (!value.is_object()) return;
    // A device's own directory is printed once, and left out of its reasons.
    auto const directory = value.contains("sysfs_path") && value["sysfs_path"].is_string()
                               ? value["sysfs_path"].get<std::string>() + '/'
                               : std::string();
    for (auto const& [key, member] : value.items()) {
        if (key != kind) {
            collect_remarks(member, kind, texts);
            continue;
        }
        for (auto const& remark : member) {
            auto text = remark.get<std::string>();
            auto const at =
                kind == "_reasons" && !directory.empty() ? text.find(directory) : text.npos;
            if (at != text.npos) text.erase(at, directory.size());
            texts.insert(squeezed(printable(text)));
        }
    }
}

void expect_all(std::string const& text, Texts const& wanted) {
    for (auto const& part : wanted)
        EXPECT_TRUE(text.find(part) != text.npos) << "not printed: " << part;
}

class Verbose : public testing::TestWithParam<std::string> {};

TEST_P(Verbose, carries_every_fact_and_reason_of_the_document) {
    auto const host = json::parse(run(probe(GetParam(), {"--json"})).out)["host"];
    Texts wanted;
    collect_values(host, wanted);
    collect_remarks(host, "_reasons", wanted);
    expect_all(squeezed(run(probe(GetParam(), {"-v"})).out), wanted);
}

TEST_P(Verbose, twice_names_the_sources) {
    auto const host = json::parse(run(probe(GetParam(), {"--json"})).out)["host"];
    Texts wanted;
    collect_remarks(host, "_sources", wanted);
    EXPECT_FALSE(wanted.empty());
    expect_all(squeezed(run(probe(GetParam(), {"-vv"})).out), wanted);
}

INSTANTIATE_TEST_SUITE_P(All, Verbose, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

// ---- watching -----------------------------------------------------------------------------------

bool has_lines(std::string const& text, std::ptrdiff_t count) {
    return std::count(text.begin(), text.end(), '\n') >= count;
}

TEST(Watch, prints_a_document_a_line) {
    auto const result = run({"probe", "--watch", "0.05", "--count", "3"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    auto const documents = lines(result.out);
    ASSERT_EQ(documents.size(), 3U);
    for (auto const document : documents) EXPECT_EQ(json::parse(document)["command"], "probe");
}

TEST(Watch, takes_json_as_a_format) {
    for (Words const& format :
         {Words{"--json"}, Words{"--format", "json"}, Words{"--format", "ndjson"}}) {
        Words words{"probe", "--watch", "0.01", "--count", "1"};
        words.insert(words.end(), format.begin(), format.end());
        auto const result = run(words);
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_EQ(lines(result.out).size(), 1U);
    }
}

TEST(Watch, is_a_table_in_its_place_on_a_terminal_and_json_where_that_is_named) {
    auto launch = rocmtune_with({"probe", "--watch", "0.01", "--count", "2"});
    launch.columns = 80;
    launch.environment["TERM"] = "xterm";
    auto const result = run(launch);
    EXPECT_EQ(result.code, 0) << result.out;
    EXPECT_TRUE(result.out.starts_with("\x1b[2J\x1b[H\x1b[?7l")) << result.out;
    EXPECT_TRUE(result.out.ends_with("\x1b[K\n\x1b[J\x1b[?7h")) << result.out;
    EXPECT_EQ(result.out.find("\x1b[H", 5), result.out.rfind("\x1b[H"));
    EXPECT_THAT(result.out, HasSubstr("GPU"));
    launch.words.emplace_back("--json");
    EXPECT_TRUE(json::accept(lines(run(launch).out).at(0)));
    launch.words.pop_back();
    launch.environment["TERM"] = "dumb";
    EXPECT_TRUE(json::accept(lines(run(launch).out).at(0)));
}

TEST(Watch, keeps_its_rhythm) {
    auto const start = std::chrono::steady_clock::now();
    EXPECT_EQ(run({"probe", "--watch", "0.2", "--count", "3"}).code, 0);
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(400));
}

TEST(Watch, shows_each_document_at_once) {
    Running program(rocmtune_with({"probe", "--watch", "600"}));
    EXPECT_TRUE(program.read_until([](std::string const& text) { return has_lines(text, 1); }));
    EXPECT_TRUE(json::accept(program.out()));
}

TEST(Watch, ends_with_128_and_the_signal) {
    for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
        Running program(rocmtune_with({"probe", "--watch", "0.02"}));
        ASSERT_TRUE(program.read_until([](std::string const& text) { return has_lines(text, 2); }));
        program.send(signal);
        auto const result = program.finish();
        // A shell calls an end by the signal itself 128+n, too.
        EXPECT_TRUE(result.signal == signal || result.code == 128 + signal) << result.code;
        EXPECT_FALSE(result.late);
        EXPECT_EQ(result.err, "");
        for (auto const line : lines(result.out)) EXPECT_TRUE(json::accept(line));
    }
}

TEST(Watch, ends_when_its_reader_goes_away) {
    Running program(rocmtune_with({"probe", "--watch", "0.02"}));
    ASSERT_TRUE(program.read_until([](std::string const& text) { return has_lines(text, 1); }));
    program.stop_reading();
    auto const result = program.finish();
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace rocmtune::test
