// SPDX-License-Identifier: MIT
#include "bench/code_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>

#include "rocmtune/error.hpp"
#include "support/run_program.hpp"

namespace rocmtune::bench {
namespace {

namespace fs = std::filesystem;

class CodeCache : public testing::Test {
  protected:
    void SetUp() override { ::setenv("ROCMTUNE_CACHE", path().c_str(), 1); }
    void TearDown() override { ::unsetenv("ROCMTUNE_CACHE"); }
    std::string path() const { return directory_ / "cache"; }
    std::vector<fs::path> files() const {
        std::vector<fs::path> found;
        for (auto const& entry : fs::directory_iterator(path())) found.push_back(entry.path());
        return found;
    }
    test::Directory directory_;
};

TEST_F(CodeCache, gives_back_what_was_kept_under_the_same_key_only) {
    EXPECT_FALSE(cached_code("a"));
    keep_code("a", std::string("co\0de", 5));
    EXPECT_EQ(cached_code("a"), std::string("co\0de", 5));
    EXPECT_FALSE(cached_code("b"));
}

TEST_F(CodeCache, is_for_its_owner_alone) {
    keep_code("a", "code");
    struct stat s {};
    ASSERT_EQ(::stat(path().c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 0777U, 0700U);
    ASSERT_EQ(::stat(files().front().c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 0077U, 0U);
}

TEST_F(CodeCache, that_others_can_write_is_not_used) {
    keep_code("a", "code");
    ::chmod(path().c_str(), 0777);
    EXPECT_FALSE(cached_code("a"));
    EXPECT_THAT(cache_status().problem, testing::HasSubstr("of this user alone"));
}

TEST_F(CodeCache, that_is_a_link_is_not_used) {
    fs::create_directory(directory_ / "elsewhere");
    fs::create_directory_symlink(directory_ / "elsewhere", path());
    keep_code("a", "code");
    EXPECT_FALSE(cached_code("a"));
    EXPECT_TRUE(fs::is_empty(directory_ / "elsewhere"));
}

TEST_F(CodeCache, damaged_entries_are_misses) {
    keep_code("a", "some code that is long enough");
    auto const file = files().front();
    auto const whole = fs::file_size(file);
    for (std::uintmax_t const size : {whole - 1, whole / 2, std::uintmax_t{3}, std::uintmax_t{0}}) {
        fs::resize_file(file, size);
        EXPECT_FALSE(cached_code("a")) << size;
    }
    keep_code("a", "some code that is long enough");
    std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(static_cast<std::streamoff>(whole) - 2);
    damage.put('#');
    damage.close();
    EXPECT_FALSE(cached_code("a"));
    keep_code("a", "new");
    EXPECT_EQ(cached_code("a"), "new");
}

TEST_F(CodeCache, drops_what_was_used_longest_ago) {
    std::string const large(most_cache_bytes / 4, 'x');
    for (auto const* const key : {"1", "2", "3"}) {
        keep_code(key, large);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_TRUE(cached_code("1"));  // used again
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    keep_code("4", large);
    EXPECT_TRUE(cached_code("1"));
    EXPECT_FALSE(cached_code("2"));
    EXPECT_LE(cache_status().bytes, most_cache_bytes);
}

TEST_F(CodeCache, survives_many_writers) {
    std::vector<std::thread> writers;
    std::string const code(100000, 'c');
    for (int i = 0; i < 8; ++i)
        writers.emplace_back([&] {
            for (int round = 0; round < 20; ++round) {
                keep_code("same", code);
                auto const found = cached_code("same");
                EXPECT_TRUE(!found || *found == code);
            }
        });
    for (auto& writer : writers) writer.join();
    EXPECT_EQ(cached_code("same"), code);
    EXPECT_EQ(files().size(), 1U) << "temporary files were left behind";
}

TEST_F(CodeCache, clears_its_entries_and_nothing_else) {
    keep_code("a", "code");
    test::write_file(path() + "/notes.txt", "mine");
    EXPECT_EQ(cache_status().entries, 1U);
    EXPECT_EQ(clear_cache().entries, 0U);
    EXPECT_TRUE(fs::exists(path() + "/notes.txt"));
}

TEST_F(CodeCache, clears_nothing_in_a_directory_that_others_can_write) {
    keep_code("a", "code");
    ::chmod(path().c_str(), 0777);
    EXPECT_EQ(cache_status().entries, std::nullopt);
    try {
        clear_cache();
        FAIL();
    } catch (Error const& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("of this user alone: nothing was removed"));
        EXPECT_EQ(error.hint(), "chmod 700 '" + path() + "'");
        EXPECT_EQ(error.code(), Exit::usage);
    }
    EXPECT_EQ(files().size(), 1U);
}

TEST_F(CodeCache, clears_only_names_that_it_gives) {
    keep_code("a", "code");
    auto const entry = files().front().string();
    for (auto const* const name :
         {"/main.code", "/0123456789ABCDEF01234567.code", "/readers.tsv.bak"})
        test::write_file(path() + name, "mine");
    for (auto const& name :
         {entry + ".aB3xYz", path() + "/readers.tsv", path() + "/readers.tsv.aB3xYz"})
        test::write_file(name, "ours");
    EXPECT_EQ(clear_cache().entries, 0U);
    EXPECT_EQ(files().size(), 3U);
}

TEST_F(CodeCache, drops_what_a_dead_writer_left) {
    keep_code("a", "code");
    auto const entry = files().front().string();
    test::write_file(entry + ".older1", "part");
    test::write_file(entry + ".newer1", "part");
    fs::last_write_time(entry + ".older1",
                        fs::file_time_type::clock::now() - std::chrono::hours(2));
    keep_code("b", "code");
    EXPECT_FALSE(fs::exists(entry + ".older1"));
    EXPECT_TRUE(fs::exists(entry + ".newer1"));
}

TEST_F(CodeCache, is_not_made_to_be_looked_at) {
    EXPECT_EQ(cache_status().problem, "");
    EXPECT_EQ(clear_cache().entries, 0U);
    EXPECT_FALSE(fs::exists(path()));
}

TEST_F(CodeCache, that_cannot_be_made_keeps_nothing_and_says_why) {
    test::write_file(directory_ / "file", "");
    ::setenv("ROCMTUNE_CACHE", (directory_ / "file/cache").c_str(), 1);
    keep_code("a", "code");
    EXPECT_FALSE(cached_code("a"));
    EXPECT_NE(cache_status().problem, "");
}

TEST_F(CodeCache, follows_the_base_directory_specification) {
    ::unsetenv("ROCMTUNE_CACHE");
    ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_EQ(cache_directory(), "/somewhere/rocmtune");
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    ::setenv("HOME", "/home/me", 1);
    EXPECT_EQ(cache_directory(), "/home/me/.cache/rocmtune");
    ::unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace rocmtune::bench
