// SPDX-License-Identifier: MIT
// What the files of caches say of themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe/parsers.hpp"

namespace rocmtune::test {
namespace {

/// A header as SQLite writes it.
std::string sqlite_header(std::uint64_t page_size = 4096, std::uint64_t pages = 3) {
    std::string header(100, '\0');
    header.replace(0, 15, "SQLite format 3");
    auto const put = [&](std::size_t at, std::size_t size, std::uint64_t value) {
        for (; size > 0; --size, value >>= 8U)
            header[at + size - 1] = static_cast<char>(value & 0xFFU);
    };
    put(16, 2, page_size);
    put(24, 4, 9);
    put(28, 4, pages);
    put(92, 4, 9);
    return header;
}

TEST(FileHead, is_a_size_and_the_first_bytes) {
    auto const head = parse_file_head("70000\nSQLite");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->size_bytes, 70000U);
    EXPECT_EQ(head->bytes, "SQLite");
    EXPECT_FALSE(head->is_whole());
    EXPECT_FALSE(parse_file_head("70000"));
    EXPECT_FALSE(parse_file_head("many\n"));
}

TEST(SqliteHeader, of_a_whole_database_has_no_fault) {
    auto const header = sqlite_header();
    EXPECT_EQ(sqlite_fault({3 * 4096, header}, false), std::nullopt);
    EXPECT_EQ(sqlite_fault({0, ""}, false), std::nullopt) << "an empty file is an empty database";
    auto const large = sqlite_header(1, 2);  // 1 stands for 65536
    EXPECT_EQ(sqlite_fault({2 * 65536, large}, false), std::nullopt);
}

TEST(SqliteHeader, that_is_none_or_odd_is_a_fault) {
    EXPECT_EQ(sqlite_fault({4096, std::string(100, 'x')}, false), "not an SQLite database");
    EXPECT_EQ(sqlite_fault({60, sqlite_header().substr(0, 60)}, false), "ends within its header");
    EXPECT_EQ(sqlite_fault({4096, sqlite_header(1000)}, false), "a page size of 1000");
    EXPECT_EQ(sqlite_fault({4096, sqlite_header(256)}, false), "a page size of 256");
}

TEST(SqliteHeader, promises_pages_that_must_be_there_unless_a_log_holds_them) {
    auto header = sqlite_header();
    EXPECT_EQ(sqlite_fault({2 * 4096, header}, false), "8192 of 12288 bytes are there");
    EXPECT_EQ(sqlite_fault({2 * 4096, header}, true), std::nullopt);
    // Written by a release that did not keep the number of pages.
    header[95] = 8;
    EXPECT_EQ(sqlite_fault({2 * 4096, header}, false), std::nullopt);
}

TEST(MiopenFile, names_its_target_before_the_number_of_units) {
    EXPECT_EQ(miopen_target("gfx90a68.ukdb"), "gfx90a");
    EXPECT_EQ(miopen_target("gfx942130.HIP.3_3_0_5fcfbcc8f.ufdb.txt"), "gfx942");
    EXPECT_EQ(miopen_target("gfx1030_36.udb"), "gfx1030");
    EXPECT_EQ(miopen_target("gfx110060.ukdb"), "gfx1100");
    EXPECT_EQ(miopen_target("gfx906_60.ukdb"), "gfx906");
    EXPECT_EQ(miopen_target("gfx11"), std::nullopt);
    EXPECT_EQ(miopen_target("gfxhost.db"), std::nullopt);
    EXPECT_EQ(miopen_target("miopen.db"), std::nullopt);
}

TEST(TunableOp, validators_stand_at_the_start_of_the_file) {
    auto const text = std::string("Validator,PT_VERSION,2.7.0\nValidator,GCN_ARCH_NAME,") +
                      "gfx942:sramecc+:xnack-\nGemm,tn,Default,0.1\nValidator,LATE,1\n";
    using testing::ElementsAre;
    using testing::Pair;
    EXPECT_THAT(
        tunableop_validators({text.size(), text}),
        ElementsAre(Pair("GCN_ARCH_NAME", "gfx942:sramecc+:xnack-"), Pair("PT_VERSION", "2.7.0")));
    auto const cut = text.substr(0, text.find(":sramecc"));
    EXPECT_THAT(tunableop_validators({text.size(), cut}), ElementsAre(Pair("PT_VERSION", "2.7.0")))
        << "half a line says nothing";
}

TEST(TunableOp, a_file_has_the_number_of_its_device) {
    EXPECT_EQ(tunableop_file("/data/tuned.csv", 3), "/data/tuned3.csv");
    EXPECT_EQ(tunableop_file("/data/tuned_%d.csv", 3), "/data/tuned_3.csv");
    EXPECT_EQ(tunableop_file("/data/tuned", 3), "/data/tuned3");
}

}  // namespace
}  // namespace rocmtune::test
