// SPDX-License-Identifier: MIT
// The dynamic loader's files, and the order in which it searches.
#include "probe/loader.hpp"

#include <cstdio>

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "support/ld_cache_image.hpp"
#include "support/tree.hpp"

namespace rocmtune {
namespace {

using test::cache_image;
using test::Tree;

TEST(LdCache, lists_entries_for_64_bit_programs_in_the_order_of_the_file) {
    auto const entries = parse_ld_cache(cache_image({{"libb.so.2", "/b/libb.so.2"},
                                                     {"liba.so.1", "/lib32/liba.so.1", 0x0003},
                                                     {"liba.so.1", "/a/liba.so.1"},
                                                     {"liba.so.1", "/z/liba.so.1", 0x0a03}}));
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 3U);
    EXPECT_EQ((*entries)[0].name, "libb.so.2");
    EXPECT_EQ((*entries)[1].path, "/a/liba.so.1");
    EXPECT_EQ((*entries)[2].path, "/z/liba.so.1");
}

TEST(LdCache, leaves_out_entries_for_some_processors_only) {
    auto const entries = parse_ld_cache(
        cache_image({{"liba.so.1", "/lib/glibc-hwcaps/x86-64-v3/liba.so.1", 0x0303, 1ULL << 62U},
                     {"liba.so.1", "/lib/liba.so.1"}}));
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().path, "/lib/liba.so.1");
}

TEST(LdCache, finds_the_new_format_behind_the_old_one) {
    auto const entries = parse_ld_cache(test::combined_cache_image(
        {{"liba.so.1", "/a/liba.so.1"}, {"libb.so.1", "/b/libb.so.1"}, {"libc.so", "/c/libc.so"}}));
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 3U);
    EXPECT_EQ(entries->back().path, "/c/libc.so");
}

TEST(LdCache, takes_only_wanted_names) {
    auto const entries = parse_ld_cache(cache_image({{"liba.so", "/a"}, {"libb.so", "/b"}}),
                                        [](std::string_view name) { return name == "libb.so"; });
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1U);
}

TEST(LdCache, refuses_what_is_no_cache) {
    auto const good = cache_image({{"liba.so.1", "/a/liba.so.1"}});
    EXPECT_FALSE(parse_ld_cache(""));
    EXPECT_FALSE(parse_ld_cache("glibc-ld.so.cache1.1"));
    EXPECT_FALSE(parse_ld_cache("glibc-ld.so.cache1.2" + good.substr(20)));
    EXPECT_FALSE(parse_ld_cache(good.substr(0, 60))) << "fewer entries than the header says";
    auto many = good;
    many.replace(20, 4, "\xff\xff\xff\xff");
    EXPECT_FALSE(parse_ld_cache(many));
    EXPECT_FALSE(parse_ld_cache("ld.so-1.7.0" + std::string(1, '\0') + "\xff\xff\xff\xff" + good));
}

TEST(LdCache, skips_entries_whose_strings_lie_outside) {
    auto image = cache_image({{"liba.so.1", "/a/liba.so.1"}, {"libb.so.1", "/b/libb.so.1"}});
    image.replace(48 + 4, 4, "\xff\xff\xff\xff");
    auto const entries = parse_ld_cache(image);
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().name, "libb.so.1");
    image.pop_back();  // the last string loses its end
    EXPECT_TRUE(parse_ld_cache(image)->empty());
}

TEST(LdCache, of_this_machine_is_read_as_ldconfig_prints_it) {
    auto const bytes = HostRoot(directory_source("/")).read_bytes("/etc/ld.so.cache");
    auto* const pipe = bytes ? ::popen("/sbin/ldconfig -p 2>&1", "r") : nullptr;
    if (pipe == nullptr) GTEST_SKIP() << "no ld.so.cache here";
    std::string printed;
    char buffer[4096];
    while (auto const size = std::fread(buffer, 1, sizeof buffer, pipe))
        printed.append(buffer, size);
    ::pclose(pipe);
    std::vector<std::string> expected;
    for (auto const line : lines(printed)) {
        auto const parts = words(line);
        if (parts.size() == 4 && (parts[1] == "(libc6,x86-64)" || parts[1] == "(libc6,AArch64)"))
            expected.push_back(std::string(parts[0]) + ' ' + std::string(parts[3]));
    }
    if (expected.empty()) GTEST_SKIP() << "ldconfig prints nothing to compare with";
    auto const entries = parse_ld_cache(*bytes);
    ASSERT_TRUE(entries);
    std::vector<std::string> found;
    for (auto const& entry : *entries) found.push_back(entry.name + ' ' + entry.path);
    EXPECT_EQ(found, expected);
}

TEST(LdConf, has_directories_and_includes) {
    auto const statements = parse_ld_conf(
        "# comment\n/opt/rocm/lib/   # trailing\n\n\tinclude ld.so.conf.d/*.conf  other.conf\n"
        "hwcap 1 nosegneg\n/usr/old=libc5\nrelative/dir\ninclude\n/with blank/lib\n");
    ASSERT_EQ(statements.size(), 5U);
    EXPECT_EQ(statements[0].text, "/opt/rocm/lib");
    EXPECT_TRUE(statements[1].is_include);
    EXPECT_EQ(statements[1].text, "ld.so.conf.d/*.conf");
    EXPECT_EQ(statements[2].text, "other.conf");
    EXPECT_EQ(statements[3].text, "/usr/old");
    EXPECT_EQ(statements[4].text, "/with blank/lib");
}

TEST(LdConf, patterns_fit_as_in_a_shell) {
    EXPECT_TRUE(fits_pattern("*.conf", "10-rocm.conf"));
    EXPECT_TRUE(fits_pattern("jax-rocm*-plugin", "jax-rocm60-plugin"));
    EXPECT_TRUE(fits_pattern("a?c*", "abc"));
    EXPECT_TRUE(fits_pattern("*a*b*", "xxaxxbxx"));
    EXPECT_TRUE(fits_pattern("", ""));
    EXPECT_FALSE(fits_pattern("*.conf", "rocm.conf.dpkg-old"));
    EXPECT_FALSE(fits_pattern("abc", "abcd"));
    EXPECT_FALSE(fits_pattern("a?", "a"));
}

std::optional<LoaderChoice> find(Tree const& tree, std::string const& soname) {
    Listings listings(tree.root());
    return Loader(tree.root(), listings).find(soname);
}

Tree& with_conf(Tree& tree, std::string_view text) {
    tree.file("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n");
    tree.file("/etc/ld.so.conf.d/rocm.conf", text);
    return tree;
}

TEST(Loader, takes_LD_LIBRARY_PATH_before_the_cache) {
    Tree tree;
    tree.file("/a/libamdhip64.so.6").file("/opt/rocm/lib/libamdhip64.so.6");
    tree.file("/etc/ld.so.cache",
              cache_image({{"libamdhip64.so.6", "/opt/rocm/lib/libamdhip64.so.6"}}));
    tree.environment("LD_LIBRARY_PATH", ":/nowhere:relative:$ORIGIN/x;/a/");
    auto const choice = find(tree, "libamdhip64.so.6");
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->path, "/a/libamdhip64.so.6");
    EXPECT_EQ(choice->reason, "first match in LD_LIBRARY_PATH");
}

TEST(Loader, names_the_file_that_put_a_directory_into_the_cache) {
    Tree tree;
    with_conf(tree, "/opt/rocm/lib\n").file("/opt/rocm-6.3.0/lib/libamdhip64.so.6");
    tree.link("/opt/rocm", "/opt/rocm-6.3.0");
    tree.file("/etc/ld.so.cache",
              cache_image({{"libamdhip64.so.6", "/opt/rocm/lib/libamdhip64.so.6"}}));
    auto const choice = find(tree, "libamdhip64.so.6");
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->path, "/opt/rocm/lib/libamdhip64.so.6");
    EXPECT_EQ(choice->reason, "listed in /etc/ld.so.conf.d/rocm.conf");
    EXPECT_EQ(choice->source, "/etc/ld.so.cache");
}

TEST(Loader, falls_back_on_default_directories_when_a_cached_file_is_gone) {
    Tree tree;
    tree.file("/usr/lib64/libamdhip64.so.6");
    tree.file("/etc/ld.so.cache",
              cache_image({{"libamdhip64.so.6", "/opt/rocm/lib/libamdhip64.so.6"}}));
    auto const choice = find(tree, "libamdhip64.so.6");
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->path, "/usr/lib64/libamdhip64.so.6");
    EXPECT_EQ(choice->reason, "default library directory");
}

TEST(Loader, goes_by_ld_so_conf_where_no_cache_was_captured) {
    Tree tree;
    with_conf(tree, "/opt/rocm/lib\n").file("/opt/rocm/lib/libamdhip64.so.7");
    auto const choice = find(tree, "libamdhip64.so.7");
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->reason, "listed in /etc/ld.so.conf.d/rocm.conf");
    EXPECT_EQ(choice->source, "/etc/ld.so.conf.d/rocm.conf");
}

TEST(Loader, ignores_ld_so_conf_when_the_cache_is_damaged) {
    Tree tree;
    with_conf(tree, "/opt/rocm/lib\n").file("/opt/rocm/lib/libamdhip64.so.7");
    tree.file("/etc/ld.so.cache", "garbage");
    EXPECT_FALSE(find(tree, "libamdhip64.so.7"));
}

TEST(Loader, does_not_take_a_directory_or_a_dangling_link) {
    Tree tree;
    with_conf(tree, "/a\n/b\n/c\n").directory("/a/libamdhip64.so.7");
    tree.link("/b/libamdhip64.so.7", "libamdhip64.so.7.0.0").file("/c/libamdhip64.so.7");
    auto const choice = find(tree, "libamdhip64.so.7");
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->path, "/c/libamdhip64.so.7");
}

TEST(Loader, survives_configuration_files_that_include_each_other) {
    Tree tree;
    tree.file("/etc/ld.so.conf", "include /etc/ld.so.conf\ninclude /etc/a/*\n/x\n");
    tree.file("/etc/a/1", "include /etc/a/*\n").file("/etc/a/2", "include ../../etc/a/*\n/y\n");
    tree.file("/y/libamdhip64.so.7");
    EXPECT_TRUE(find(tree, "libamdhip64.so.7"));
}

TEST(Loader, knows_sonames_newest_first_and_the_bare_name_last) {
    Tree tree;
    with_conf(tree, "/a\n/b\n").file("/a/libamdhip64.so").file("/a/libamdhip64.so.7");
    tree.file("/a/libamdhip64.so.7.2.0").file("/b/libamdhip64.so.10").file("/b/libamdhip64.so.5");
    Listings listings(tree.root());
    std::vector<std::string> const expected{"libamdhip64.so.10", "libamdhip64.so.7",
                                            "libamdhip64.so.5", "libamdhip64.so"};
    EXPECT_EQ(Loader(tree.root(), listings).sonames("libamdhip64"), expected);
}

TEST(Loader, bounds_the_length_of_LD_LIBRARY_PATH) {
    Tree tree;
    std::string path;
    for (int i = 0; i < 20000; ++i) path += "/directory/" + std::to_string(i) + ":";
    tree.environment("LD_LIBRARY_PATH", path).file("/etc/ld.so.conf");
    Listings listings(tree.root());
    EXPECT_LE(Loader(tree.root(), listings).directories().size(), 256U);
}

}  // namespace
}  // namespace rocmtune
