// SPDX-License-Identifier: MIT
// Paths resolve inside a root as chroot(2) would have it.
#include "machine/path.hpp"

#include <gtest/gtest.h>

#include <map>

namespace rocmtune::test {
namespace {

using Links = std::map<std::string, std::string>;

ResolvedPath resolve(std::string_view path, Links const& links = {}, bool follow_last = true) {
    auto const read_link = [&](std::string const& at) -> std::optional<std::string> {
        auto const found = links.find(at);
        if (found == links.end()) return std::nullopt;
        return found->second;
    };
    return resolve_in_root(path, read_link, follow_last);
}

TEST(Path, dots_and_double_slashes_go_away) {
    EXPECT_EQ(resolve("/a//b/./c/").path, "/a/b/c");
    EXPECT_EQ(resolve("/a/b/../c").path, "/a/c");
    EXPECT_EQ(resolve("/").path, "/");
    EXPECT_EQ(resolve("").path, "/");
    EXPECT_EQ(resolve("/..").path, "/");
    EXPECT_EQ(resolve("/a/..").path, "/");
    EXPECT_EQ(resolve("/../../../etc").path, "/etc");
}

TEST(Path, canonical_is_what_resolves_to_itself) {
    for (auto const* const path :
         {"/",    "/a",    "/a/b", "/.../..a/a..", "/a ",    "",       "a",
          "a/b",  "//",    "//a",  "/a/",          "/a//b",  "/.",     "/..",
          "/./a", "/../a", "/a/.", "/a/..",        "/a/./b", "/a/../b"})
        EXPECT_EQ(is_canonical(path), resolve(path).path == path) << path;
}

TEST(Path, names_that_only_look_like_dots_are_names) {
    EXPECT_EQ(resolve("/.../..a/a..").path, "/.../..a/a..");
}

TEST(Path, an_absolute_target_starts_at_the_root) {
    EXPECT_EQ(resolve("/a/l/x", {{"/a/l", "/b"}}).path, "/b/x");
}

TEST(Path, a_relative_target_starts_beside_the_link) {
    EXPECT_EQ(resolve("/a/l/x", {{"/a/l", "m/n"}}).path, "/a/m/n/x");
    EXPECT_EQ(resolve("/a/l", {{"/a/l", "../c"}}).path, "/c");
}

TEST(Path, a_target_above_the_root_stays_inside) {
    EXPECT_EQ(resolve("/l/passwd", {{"/l", "../../../../etc"}}).path, "/etc/passwd");
}

TEST(Path, dots_after_a_link_go_up_from_its_target) {
    EXPECT_EQ(resolve("/l/../x", {{"/l", "/a/b"}}).path, "/a/x");
}

TEST(Path, a_link_to_itself_or_in_a_circle_is_a_loop) {
    EXPECT_EQ(resolve("/l", {{"/l", "l"}}).error, ELOOP);
    EXPECT_EQ(resolve("/a/x", {{"/a", "/b"}, {"/b", "a"}}).error, ELOOP);
    EXPECT_EQ(resolve("/l", {{"/l", "l/l"}}).error, ELOOP) << "growing";
}

TEST(Path, forty_links_are_followed_and_the_next_one_is_a_loop) {
    Links chain;
    for (int i = 0; i < 50; ++i) chain["/l" + std::to_string(i)] = "l" + std::to_string(i + 1);
    EXPECT_EQ(resolve("/l10", chain).path, "/l50");
    EXPECT_EQ(resolve("/l9", chain).error, ELOOP);
}

TEST(Path, the_last_link_stays_when_it_is_what_was_asked_for) {
    Links const links{{"/a", "/b"}, {"/b/l", "t"}};
    EXPECT_EQ(resolve("/a/l", links, false).path, "/b/l");
    EXPECT_EQ(resolve("/a/l/", links, false).path, "/b/l");
    EXPECT_EQ(resolve("/a/l", links, true).path, "/b/t");
}

TEST(Path, one_longer_than_the_kernel_takes_is_followed_no_further) {
    EXPECT_EQ(resolve("/" + std::string(4095, 'a'), {}).error, 0);
    EXPECT_EQ(resolve("/" + std::string(4096, 'a'), {}).error, ENAMETOOLONG);
    EXPECT_EQ(resolve("/l/a", {{"/l", std::string(4094, 'b')}}).error, ENAMETOOLONG);
    std::size_t asked = 0;
    std::string path;
    for (int i = 0; i < 40'000; ++i) path += "/a";
    auto const ask = [&](std::string const&) -> std::optional<std::string> {
        ++asked;
        return std::nullopt;
    };
    EXPECT_EQ(resolve_in_root(path, ask).error, ENAMETOOLONG);
    EXPECT_EQ(asked, longest_path_bytes / 2);
}

TEST(Path, dots_of_any_number_lead_nowhere) {
    std::string path;
    for (int i = 0; i < 40'000; ++i) path += "/a/.././/";
    EXPECT_EQ(resolve(path + "b", {}).path, "/b");
}

TEST(Path, of_a_recording_has_at_most_64_levels_and_4096_bytes) {
    std::string deep;
    for (int i = 0; i < 64; ++i) deep += "/a";
    EXPECT_TRUE(is_bounded_path(deep));
    EXPECT_FALSE(is_bounded_path(deep + "/a"));
    EXPECT_TRUE(is_bounded_path("/" + std::string(4095, 'a')));
    EXPECT_FALSE(is_bounded_path("/" + std::string(4096, 'a')));
}

TEST(Path, a_source_hears_of_the_directory_that_dots_leave) {
    std::string asked;
    resolve_in_root("/a/../b", [&](std::string const& at) -> std::optional<std::string> {
        asked += at + ' ';
        return std::nullopt;
    });
    EXPECT_EQ(asked, "/a /a/. /b ");
}

}  // namespace
}  // namespace rocmtune::test
