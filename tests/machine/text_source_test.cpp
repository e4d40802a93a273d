// SPDX-License-Identifier: MIT
// rocmtune-host(5): the text format of recorded hosts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "machine/host_root.hpp"
#include "rocmtune/error.hpp"
#include "support/hosts.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;
using testing::HasSubstr;

std::string const header = "rocmtune-host 1\n";

HostRoot host(std::string const& body) {
    return HostRoot(text_source("rocmtune-host 1\n" + body, "test"));
}

/// The message for malformed text; empty if it was taken.
std::string complaint(std::string const& text) {
    try {
        text_source(text, "file");
        return {};
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Exit::usage);
        return error.what();
    }
}

struct Malformed {
    char const* name;
    char const* line;
};

class TextSourceErrors : public testing::TestWithParam<Malformed> {};

TEST_P(TextSourceErrors, name_file_and_line) {
    auto const message =
        complaint(std::string("rocmtune-host 1\n# comment\n\n/ok = 1\n") + GetParam().line + '\n');
    EXPECT_TRUE(message.starts_with("file:5: ")) << message;
    EXPECT_EQ(message.find_first_of("\x1b\n\t"), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    TextSource, TextSourceErrors,
    testing::Values(
        Malformed{"word", "what is this"}, Malformed{"indented", "\tno entry above takes this"},
        Malformed{"escape", "\x1b[2J"}, Malformed{"bare_path", "/path"},
        Malformed{"entry", "/path frobnicate"}, Malformed{"glued_value", "/path =value"},
        Malformed{"errno", "/path error EWHAT"}, Malformed{"no_errno", "/path error"},
        Malformed{"dir_errno", "/path dir EWHAT"}, Malformed{"listed_errno", "/path listed 5"},
        Malformed{"twice", "/ok = 2"}, Malformed{"dots", "/a/../b = 1"},
        Malformed{"slashes", "/a//b = 1"}, Malformed{"end_slash", "/a/ = 1"},
        Malformed{"unlisted", "unlisted maybe"}, Malformed{"env", "env NAME"},
        Malformed{"call", "call key"}, Malformed{"call_value", "call key =value"},
        Malformed{"call_errno", "call key error EWHAT"}, Malformed{"device", "/dev/x device"},
        Malformed{"device_kind", "/dev/x device q 1:2 mode 0600 owner 0:0"},
        Malformed{"device_numbers", "/dev/x device c 1 mode 0600 owner 0:0"},
        Malformed{"device_large", "/dev/x device c 4294967296:0 mode 0600 owner 0:0"},
        Malformed{"device_mode", "/dev/x device c 1:2 mode 9 owner 0:0"},
        Malformed{"device_open", "/dev/x device c 1:2 mode 0600 owner 0:0 open"},
        Malformed{"device_open_errno", "/dev/x device c 1:2 mode 0600 owner 0:0 open EWHAT"},
        Malformed{"device_extra", "/dev/x device c 1:2 mode 0600 owner 0:0 shut EACCES"}),
    [](auto const& test) { return test.param.name; });

TEST(TextSource, another_first_line_is_no_host) {
    for (auto const* text : {"", "\n", "rocmtune-host 2\n", "rocmtune-host 1\r\n",
                             "\xef\xbb\xbfrocmtune-host 1\n", "PK\x03\x04", "rocmtune-host 1 \n"})
        EXPECT_TRUE(complaint(text).starts_with("file:1: ")) << text;
    EXPECT_EQ(complaint("rocmtune-host 1"), "") << "an end without a line end";
}

TEST(TextSource, a_call_stated_twice_is_refused) {
    EXPECT_TRUE(complaint("rocmtune-host 1\ncall a = 1\ncall a = 2\n").starts_with("file:3: "));
}

TEST(TextSource, a_tab_line_belongs_to_the_entry_above) {
    auto const root = host("/a =\n\tone\n\n/b = x\n/c =\n");
    EXPECT_EQ(root.read_bytes("/a").value, "one\n");
    EXPECT_EQ(root.read_bytes("/b").value, "x\n");
    EXPECT_EQ(root.read_bytes("/c").value, "");
}

TEST(TextSource, content_keeps_every_line) {
    auto const root = host(
        "/a =\n\tone\n\t\n\t\ttwo = 2\n\t# no comment\n/b =  x \n/c = \n/d base64 AAEC/w==\n/e "
        "base64 eA\n");
    EXPECT_EQ(root.read_bytes("/a").value, "one\n\n\ttwo = 2\n# no comment\n");
    EXPECT_EQ(root.read_bytes("/b").value, " x \n");
    EXPECT_EQ(root.read_bytes("/c").value, "\n");
    EXPECT_EQ(root.read_bytes("/d").value, std::string("\0\x01\x02\xff", 4));
    EXPECT_EQ(root.read_bytes("/e").value, "x") << "without padding";
}

TEST(TextSource, broken_base64_is_invalid) {
    EXPECT_EQ(host("/a base64 ?!\n").read("/a").reason, Missing::invalid);
    EXPECT_EQ(host("call a base64 ?!\n").call("a").reason, Missing::invalid);
}

TEST(TextSource, a_path_may_hold_any_character) {
    auto const root = host("/a\\040b\\\\c\\nd\\011e = 1\n");
    EXPECT_EQ(root.read("/a b\\c\nd\te").value, "1");
}

TEST(TextSource, a_link_above_the_root_stays_inside) {
    auto const root = host("/etc/passwd = root\n/a/l -> ../../../../etc\n");
    EXPECT_EQ(root.read("/a/l/passwd").value, "root");
    EXPECT_EQ(root.resolve("/a/l").value, "/etc");
    EXPECT_EQ(root.link("/a/l").value, "../../../../etc");
}

TEST(TextSource, links_resolve_as_in_a_chroot) {
    auto const root = host(
        "unlisted absent\n/x/f = 1\n/a -> /x\n/b -> a\n/loop -> loop\n/dangling -> gone\n/odd -> "
        "a\\nb\\\\c\n");
    EXPECT_EQ(root.read("/b/f").value, "1");
    EXPECT_EQ(root.resolve("/b/f").value, "/x/f");
    EXPECT_EQ(root.list("/b").value, Strings{"f"});
    EXPECT_EQ(root.read("/loop").error, ELOOP);
    EXPECT_EQ(root.read("/dangling").reason, Missing::absent);
    EXPECT_EQ(root.link("/odd").value, "a\nb\\c");
    EXPECT_EQ(root.link("/x/f").error, EINVAL);
    EXPECT_EQ(root.link("/b/f").error, EINVAL);
}

TEST(TextSource, an_unlisted_path_is_what_the_header_says) {
    EXPECT_EQ(host("").read("/x").reason, Missing::not_recorded);
    EXPECT_EQ(host("unlisted not-recorded\n").read("/x").reason, Missing::not_recorded);
    EXPECT_EQ(host("unlisted absent\n").read("/x").reason, Missing::absent);
    EXPECT_EQ(host("unlisted absent\n").read("/x").error, ENOENT);
    EXPECT_EQ(host("unlisted absent\n").call("x").reason, Missing::not_recorded)
        << "calls are no paths";
}

TEST(TextSource, a_recorded_miss_is_absent_and_not_in_the_list) {
    auto const root =
        host("/a dir\n/a/x error ENOENT\n/a/y error EACCES\n/a/z error ENODEV listed\n/a/w = 1\n");
    EXPECT_EQ(root.read("/a/x").reason, Missing::absent);
    EXPECT_EQ(root.list("/a").value, (Strings{"w", "y", "z"}));
    EXPECT_EQ(root.read("/a/z").error, ENODEV);
    EXPECT_EQ(root.status("/a/z").error, ENODEV);
}

TEST(TextSource, below_a_path_that_refuses_everything_refuses) {
    auto const root = host("/a error EPERM\n/b error ENOENT\n");
    EXPECT_EQ(root.read("/a/deep/file").reason, Missing::denied);
    EXPECT_EQ(root.list("/b/deep").reason, Missing::absent);
}

TEST(TextSource, names_below_a_path_are_complete_only_where_the_host_is) {
    EXPECT_EQ(host("unlisted absent\n/a/x = 1\n").list("/a").value, Strings{"x"});
    EXPECT_EQ(host("/a/x = 1\n").list("/a").reason, Missing::not_recorded);
    EXPECT_EQ(host("/a dir\n/a/x = 1\n").list("/a").value, Strings{"x"});
    EXPECT_EQ(host("/a dir unlisted\n/a/x = 1\n").list("/a").reason, Missing::not_recorded);
    EXPECT_EQ(host("/a dir EACCES\n/a/x = 1\n").list("/a").reason, Missing::denied);
    EXPECT_EQ(host("/a dir\n").list("/a").value, Strings{});
    EXPECT_EQ(host("unlisted absent\n/a/x = 1\n").list("/").value, Strings{"a"});
}

TEST(TextSource, a_name_stands_once_in_a_list) {
    auto const root = host(
        "unlisted absent\n/a/core/lib = 1\n/a/core-7/lib = 1\n/a/core/x/y = 1\n/a/core.d = 1\n");
    EXPECT_EQ(root.list("/a").value, (Strings{"core", "core-7", "core.d"}));
}

TEST(TextSource, a_listed_path_exists_and_says_no_more) {
    auto const root = host("/a/x listed\n/a/y listed EIO\n");
    EXPECT_TRUE(root.exists("/a/x"));
    EXPECT_EQ(root.read("/a/x").reason, Missing::not_recorded);
    EXPECT_EQ(root.list("/a/x").reason, Missing::not_recorded);
    EXPECT_TRUE(root.exists("/a/y"));
    EXPECT_EQ(root.read("/a/y").reason, Missing::failed);
    EXPECT_EQ(root.resolve("/a/x").value, "/a/x");
}

TEST(TextSource, a_directory_is_no_file_and_a_file_no_directory) {
    auto const root = host("unlisted absent\n/a/x = 1\n");
    EXPECT_EQ(root.read("/a").error, EISDIR);
    EXPECT_EQ(root.list("/a/x").error, ENOTDIR);
    EXPECT_EQ(root.status("/a")->kind, 'd');
    EXPECT_EQ(root.status("/a/x")->kind, 'f');
}

TEST(TextSource, a_device_opens_or_says_why_not) {
    auto const root = host(
        "/dev/a device c 226:128 mode 0660 owner 0:109\n/dev/b device c 1:2 mode 0600 owner 5:6 "
        "open EACCES\n"
        "/dev/c device b 8:0 mode 0660 owner 0:6 open errno 133\n/dev/d = x\n");
    EXPECT_TRUE(root.open_device("/dev/a"));
    EXPECT_EQ(root.open_device("/dev/b").error, EACCES);
    EXPECT_EQ(root.open_device("/dev/c").error, 133);
    EXPECT_EQ(root.open_device("/dev/d").reason, Missing::not_recorded);
    EXPECT_EQ(root.status("/dev/a")->minor, 128U);
    EXPECT_EQ(root.status("/dev/b")->uid, 5U);
    EXPECT_EQ(root.status("/dev/c")->kind, 'b');
    EXPECT_EQ(root.read("/dev/a").reason, Missing::invalid);
}

TEST(TextSource, calls_have_a_value_lines_or_an_errno) {
    auto const root = host(
        "call a = 1 2\ncall b =\n\tone\n\ttwo\ncall c error EPERM\ncall d base64 AAE=\ncall e "
        "error errno 121\n");
    EXPECT_EQ(root.call("a").value, "1 2");
    EXPECT_EQ(root.call("b").value, "one\ntwo\n");
    EXPECT_EQ(root.call("c").reason, Missing::denied);
    EXPECT_EQ(root.call("d").value, std::string("\0\x01", 2));
    EXPECT_EQ(root.call("e").error, 121);
    EXPECT_EQ(root.call("f").reason, Missing::not_recorded);
}

TEST(TextSource, variables_and_label_are_unescaped) {
    auto const root = host("label a\\nb \\\\ c\nenv A=1\\n2\nenv B=\n");
    EXPECT_EQ(root.label(), "a\nb \\ c");
    EXPECT_EQ(root.environment_value("A"), "1\n2");
    EXPECT_EQ(root.environment_value("B"), "");
}

TEST(TextSource, refuses_lines_about_what_was_not_reached_that_say_nothing) {
    for (std::string const body : {"", "timeout", "timeout read", "absent read /a",
                                   "timeout eat /a", "timeout read /a b", "stuck", "stuck read"})
        EXPECT_THROW(text_source("rocmtune-host 1\nunreached " + body + "\n", "x"), Error) << body;
}

TEST(TextSource, refuses_paths_and_targets_that_no_kernel_takes) {
    std::string deep;
    for (int i = 0; i < 64; ++i) deep += "/a";
    EXPECT_EQ(complaint(header + deep + " = 1\n"), "");
    EXPECT_THAT(complaint(header + deep + "/a = 1\n"),
                HasSubstr("file:2: longer than 4096 bytes or deeper"));
    EXPECT_EQ(complaint(header + "/" + std::string(4095, 'a') + " = 1\n"), "");
    EXPECT_NE(complaint(header + "/" + std::string(4096, 'a') + " = 1\n"), "");
    EXPECT_EQ(complaint(header + "/l -> " + std::string(4096, 'a') + "\n"), "");
    EXPECT_THAT(complaint(header + "/l -> " + std::string(4097, 'a') + "\n"),
                HasSubstr("target longer than 4096 bytes"));
}

TEST(TextSource, refuses_more_paths_than_any_host_has) {
    std::string body;
    std::string const below = "/" + std::string(60, 'x');
    for (int i = 0; i < 2000; ++i) {
        auto path = "/" + std::to_string(i);
        while (path.size() < 3700) path += below;
        body += path + " = 1\n";
    }
    EXPECT_THAT(complaint(header + body), HasSubstr("its paths take more than 128 MiB"));
}

TEST(TextSource, every_test_host_is_well_formed) {
    auto const names = host_names();
    EXPECT_GE(names.size(), 12U);
    for (auto const& name : names) EXPECT_NO_THROW(host_source(name)) << name;
}

}  // namespace
}  // namespace rocmtune::test
