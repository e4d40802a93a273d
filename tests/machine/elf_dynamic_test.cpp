// SPDX-License-Identifier: MIT
#include "machine/library_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include <elf.h>

namespace rocmtune {
namespace {

using testing::Contains;
using testing::ElementsAre;

ReadAt reader_of(std::string const& file) {
    return [&](std::uint64_t offset, std::size_t size) {
        return offset < file.size() ? file.substr(offset, size) : std::string();
    };
}

std::optional<ElfDynamic> parsed(std::string const& file) {
    return read_elf_dynamic(reader_of(file));
}

std::string content_of(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <class Record>
std::string bytes_of(Record const& record) {
    return {reinterpret_cast<char const*>(&record), sizeof record};
}

/// A file with one segment, loaded at `base`, and the dynamic entries behind the headers.
class Image {
  public:
    Elf64_Ehdr header{};
    Elf64_Phdr load{};
    Elf64_Phdr dynamic{};
    std::vector<Elf64_Dyn> entries;
    std::string strings = std::string(1, '\0');

    Image() {
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_phoff = sizeof header;
        header.e_phentsize = sizeof load;
        header.e_phnum = 2;
        load.p_type = PT_LOAD;
        load.p_vaddr = base;
        dynamic.p_type = PT_DYNAMIC;
        dynamic.p_vaddr = base + table;
    }

    Image& add(Elf64_Sxword tag, std::string const& text) {
        entries.push_back({tag, {strings.size()}});
        strings += text + '\0';
        return *this;
    }

    std::string file() {
        entries.push_back({DT_STRTAB, {base + table + (entries.size() + 2) * sizeof(Elf64_Dyn)}});
        entries.push_back({DT_NULL, {0}});
        dynamic.p_filesz = entries.size() * sizeof(Elf64_Dyn);
        load.p_filesz = table + dynamic.p_filesz + strings.size();
        auto bytes = bytes_of(header) + bytes_of(load) + bytes_of(dynamic);
        for (auto const& entry : entries) bytes += bytes_of(entry);
        return bytes + strings;
    }

    static constexpr std::uint64_t base = 0x10000;
    static constexpr std::uint64_t table = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
};

TEST(ElfDynamic, gives_the_names_in_their_order) {
    auto const dynamic = parsed(Image()
                                    .add(DT_NEEDED, "liba.so.1")
                                    .add(DT_SONAME, "libme.so.2")
                                    .add(DT_RUNPATH, "$ORIGIN:/x")
                                    .add(DT_AUXILIARY, "libmore.so")
                                    .add(DT_RPATH, "/y")
                                    .add(DT_FILTER, "libfilter.so")
                                    .file());
    ASSERT_TRUE(dynamic);
    EXPECT_EQ(dynamic->soname, "libme.so.2");
    EXPECT_THAT(dynamic->needed, ElementsAre("liba.so.1", "libmore.so", "libfilter.so"));
    EXPECT_THAT(dynamic->search, ElementsAre("$ORIGIN:/x", "/y"));
}

TEST(ElfDynamic, reads_what_the_linker_writes) {
    auto const file = content_of(ROCMTUNE_FAKES_DIR "/tell-tale/runpath/libamdhip64.so.7");
    auto const dynamic = parsed(file);
    ASSERT_TRUE(dynamic);
    EXPECT_EQ(dynamic->soname, "libamdhip64.so.7");
    EXPECT_THAT(dynamic->needed, Contains("libneeded.so.1"));
    EXPECT_THAT(dynamic->search, ElementsAre(std::string(255, 'P')));
}

TEST(ElfDynamic, is_nothing_for_what_is_no_library) {
    EXPECT_FALSE(parsed(""));
    EXPECT_FALSE(parsed(std::string(5000, 'x')));
    Image other_class;
    other_class.header.e_ident[EI_CLASS] = ELFCLASS32;
    EXPECT_FALSE(parsed(other_class.file()));
    Image big_endian;
    big_endian.header.e_ident[EI_DATA] = ELFDATA2MSB;
    EXPECT_FALSE(parsed(big_endian.file()));
    Image fixed;
    fixed.dynamic.p_type = PT_NOTE;
    EXPECT_FALSE(parsed(fixed.file()));
}

TEST(ElfDynamic, is_nothing_for_a_file_cut_short) {
    auto const file = Image().add(DT_NEEDED, "liba.so.1").file();
    ASSERT_TRUE(parsed(file));
    for (std::size_t size = 0; size < file.size(); ++size)
        EXPECT_FALSE(parsed(file.substr(0, size))) << size;
}

TEST(ElfDynamic, is_nothing_for_places_outside_of_the_file) {
    Image image;
    image.add(DT_NEEDED, "liba.so.1").entries.push_back({DT_NEEDED, {~std::uint64_t{0}}});
    EXPECT_FALSE(parsed(image.file()));
    Image far;
    far.add(DT_NEEDED, "liba.so.1").header.e_phoff = ~std::uint64_t{0};
    EXPECT_FALSE(parsed(far.file()));
    Image nowhere;
    nowhere.add(DT_NEEDED, "liba.so.1").dynamic.p_vaddr = 1;
    EXPECT_FALSE(parsed(nowhere.file()));
    Image many;
    many.header.e_phnum = 0xffff;
    EXPECT_FALSE(parsed(many.file()));
}

TEST(ElfDynamic, reads_no_more_than_a_library_has_reason_to_say) {
    Image image;
    for (int i = 0; i < 5000; ++i) image.add(DT_NEEDED, "liba.so.1");
    EXPECT_FALSE(parsed(image.file()));
    EXPECT_FALSE(parsed(Image().add(DT_NEEDED, std::string(5000, 'x')).file()));
}

TEST(ElfDynamic, survives_bytes_at_random) {
    std::mt19937 random(1);
    auto const whole = Image().add(DT_NEEDED, "liba.so.1").add(DT_RUNPATH, "$ORIGIN").file();
    std::size_t readable = 0;
    for (int round = 0; round < 20000; ++round) {
        auto file = whole;
        for (int i = 0; i < 3; ++i) file[random() % file.size()] = static_cast<char>(random());
        if (parsed(file)) ++readable;
    }
    EXPECT_GT(readable, 0U);
    EXPECT_LT(readable, 20000U);
}

}  // namespace
}  // namespace rocmtune
