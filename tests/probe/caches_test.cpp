// SPDX-License-Identifier: MIT
// The caches reader: which directories, what they lie on, what their files are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Fact<std::vector<Cache>> caches(std::string_view body) {
    return read(read_caches, recorded(body)).caches;
}

Cache const* find(Fact<std::vector<Cache>> const& fact, std::string_view name) {
    for (auto const& cache : *fact)
        if (cache.name == name) return &cache;
    return nullptr;
}

TEST(Caches, are_absent_without_a_home_or_a_variable) {
    EXPECT_EQ(caches("").reason(), Missing::absent);
    EXPECT_EQ(caches("env HOME=/root\n").reason(), Missing::not_recorded)
        << "the calls are not in this recording";
    EXPECT_EQ(caches("env HOME=/root\ncall directory./root/.config/miopen error ENOENT\n"
                     "call directory./root/.cache/miopen error ENOENT\n"
                     "call directory./root/.triton/cache error ENOENT\n")
                  .reason(),
              Missing::absent);
}

TEST(Caches, are_not_recorded_without_an_environment) {
    EXPECT_EQ(read(read_caches, fragment("/sys dir\n")).caches.reason(), Missing::not_recorded);
}

TEST(Caches, lie_where_variables_say) {
    auto const fact = caches(
        "env HOME=/home/me\nenv MIOPEN_USER_DB_PATH=~/db/\nenv TRITON_CACHE_DIR=/fast/triton\n"
        "call directory./home/me/db = 0xef53 0755 1 1\n"
        "call directory./fast/triton = 0x6969 0700 1 1\n/home/me/db dir\n");
    ASSERT_TRUE(fact);
    ASSERT_NE(find(fact, "miopen-databases"), nullptr);
    EXPECT_EQ(find(fact, "miopen-databases")->path, "/home/me/db");
    EXPECT_EQ(find(fact, "miopen-databases")->found_as, "MIOPEN_USER_DB_PATH");
    EXPECT_EQ(*find(fact, "miopen-databases")->files, 0U);
    ASSERT_NE(find(fact, "triton-kernels"), nullptr);
    EXPECT_EQ(*find(fact, "triton-kernels")->filesystem, "nfs");
    EXPECT_EQ(find(fact, "triton-kernels")->mode, "0700");
}

TEST(Caches, of_a_place_that_depends_on_where_a_program_starts_are_not_looked_for) {
    EXPECT_EQ(caches("env MIOPEN_USER_DB_PATH=db\nenv PYTORCH_TUNABLEOP_FILENAME=tuned.csv\n"
                     "env TRITON_HOME=here\n")
                  .reason(),
              Missing::absent);
}

TEST(Caches, say_whether_this_process_may_write) {
    auto const of = [](std::string const& state) {
        auto const fact = caches("env HOME=/root\ncall directory./root/.triton/cache = " + state +
                                 "\ncall directory./root/.config/miopen error ENOENT\n"
                                 "call directory./root/.cache/miopen error ENOENT\n");
        return find(fact, "triton-kernels")->writable;
    };
    EXPECT_EQ(of("0xef53 0555 1 1 -"), false);
    EXPECT_EQ(of("0xef53 0555 1 1 w"), true) << "an access list may let it";
    EXPECT_EQ(of("0xef53 0555 1 1"), std::nullopt) << "who this process is was not recorded";
}

TEST(Caches, that_cannot_be_made_are_told) {
    auto const fact = caches(
        "env HOME=/home/me\ncall directory./home/me/.config/miopen error ENOENT\n"
        "call directory./home/me/.config error ENOENT\n"
        "call directory./home/me = 0xef53 0555 0 0 -\n"
        "call directory./home/me/.cache/miopen error ENOENT\n"
        "call directory./home/me/.cache = 0xef53 0755 1 1 w\n"
        "call directory./home/me/.triton/cache error ENOENT\n"
        "call directory./home/me/.triton = 0xef53 0755 1 1 w\n");
    ASSERT_TRUE(fact);
    ASSERT_EQ(fact->size(), 1U);
    EXPECT_EQ(fact->at(0).name, "miopen-databases");
    EXPECT_EQ(fact->at(0).writable, false);
    EXPECT_EQ(fact->at(0).filesystem.reason(), Missing::absent);
}

TEST(Caches, triton_has_a_home_of_its_own) {
    auto const fact = caches(
        "env HOME=/root\nenv TRITON_HOME=/fast\n"
        "call directory./fast/.triton/cache = 0xef53 0755 0 0\n");
    ASSERT_TRUE(fact);
    EXPECT_EQ(find(fact, "triton-kernels")->path, "/fast/.triton/cache");
    EXPECT_EQ(find(fact, "triton-kernels")->files.reason(), Missing::unsupported);
}

std::string const kernels =
    "env HOME=/root\ncall directory./root/.cache/miopen = 0xef53 0755 0 0\n"
    "/root/.cache/miopen/3.3.0.1/gfx1030_36.ukdb listed\n"
    "/root/.cache/miopen/3.3.0.1/gfx110054.ukdb listed\n"
    "/root/.cache/miopen/3.3.0.1/readme listed\n"
    "/root/.cache/miopen/old/gfx90a68.ukdb listed\n";

TEST(Caches, of_kernels_have_a_directory_for_each_version) {
    auto const fact = caches(kernels +
                             "call head./root/.cache/miopen/3.3.0.1/gfx1030_36.ukdb =\n\t9\n\tno\n"
                             "call head./root/.cache/miopen/3.3.0.1/gfx110054.ukdb error EACCES\n");
    auto const* const cache = find(fact, "miopen-kernels");
    ASSERT_NE(cache, nullptr);
    EXPECT_EQ(*cache->files, 2U);
    EXPECT_THAT(cache->gfx_targets, ElementsAre("gfx1030", "gfx1100"));
    EXPECT_THAT(cache->damaged, ElementsAre("3.3.0.1/gfx1030_36.ukdb: not an SQLite database"));
    EXPECT_THAT(cache->unread, ElementsAre("3.3.0.1/gfx110054.ukdb: denied"));
}

TEST(Caches, in_a_directory_for_everybody_are_not_listed) {
    auto const fact = caches(
        "env MIOPEN_USER_DB_PATH=/tmp\ncall directory./tmp = 0x1021994 1777 0 0\n"
        "/tmp/gfx90a68.udb listed\n");
    auto const* const cache = find(fact, "miopen-databases");
    ASSERT_NE(cache, nullptr);
    EXPECT_EQ(cache->files.reason(), Missing::unsupported);
    EXPECT_THAT(cache->gfx_targets, IsEmpty());
}

TEST(Caches, after_a_place_that_does_not_answer_no_other_is_asked) {
    auto const fact = caches(
        "env HOME=/net/me\ncall directory./net/me/.config/miopen error ETIMEDOUT\n"
        "call directory./net/me/.triton/cache = 0xef53 0755 0 0\n");
    ASSERT_TRUE(fact);
    ASSERT_EQ(fact->size(), 3U);
    for (auto const& cache : *fact)
        EXPECT_EQ(cache.filesystem.reason(), Missing::timeout) << cache.name;
}

TEST(Caches, of_tuning_results_have_one_file_for_each_device) {
    auto context = recorded(
        "env PYTORCH_TUNABLEOP_FILENAME=/data/t.csv\ncall directory./data = 0xef53 0755 0 0\n"
        "call head./data/t.csv error ENOENT\n"
        "call head./data/t0.csv =\n\t60\n\tValidator,PT_VERSION,2.7.0\n"
        "\tValidator,GCN_ARCH_NAME,gfx942:xnack-\n"
        "call head./data/t1.csv =\n\t20\n\tGemm,tn,Default,0.1\n");
    Host host;
    host.gpus.resize(2);
    read_caches(context, host);
    ASSERT_TRUE(host.caches);
    auto const* const cache = find(host.caches, "tunableop-results");
    ASSERT_NE(cache, nullptr);
    EXPECT_EQ(*cache->files, 2U);
    EXPECT_THAT(cache->gfx_targets, ElementsAre("gfx942"));
    EXPECT_THAT(cache->torch_versions, ElementsAre("2.7.0"));
    EXPECT_THAT(cache->damaged, ElementsAre("t1.csv: no validators at its start"));
}

}  // namespace
}  // namespace rocmtune::test
