// SPDX-License-Identifier: MIT
// The code for GPUs in libraries: composed ELF files with offload bundles.
#include "machine/device_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include <elf.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "support/tree.hpp"

namespace rocmtune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

template <class T>
std::string bytes_of(T const& value) {
    return {reinterpret_cast<char const*>(&value), sizeof value};
}

std::string padded(std::string text) {
    constexpr std::size_t page = 4096;
    text.resize((text.size() + page - 1) / page * page);
    return text;
}

/// A bundle as Clang writes it, with `size` bytes of code for each id.
std::string bundle(std::vector<std::string> const& ids, std::uint64_t size = 8) {
    std::string text = "__CLANG_OFFLOAD_BUNDLE__" + bytes_of(std::uint64_t{ids.size()});
    for (std::size_t i = 0; i < ids.size(); ++i)
        text += bytes_of(std::uint64_t{4096} + i * size) + bytes_of(size) +
                bytes_of(std::uint64_t{ids[i].size()}) + ids[i];
    text.resize(4096 + ids.size() * size);
    return padded(text);
}

std::string by_zlib(std::string const& text) {
    auto size = ::compressBound(text.size());
    std::string packed(size, '\0');
    ::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
               reinterpret_cast<Bytef const*>(text.data()), text.size());
    packed.resize(size);
    return packed;
}

std::string by_zstd(std::string const& text) {
    std::string packed(::ZSTD_compressBound(text.size()), '\0');
    packed.resize(::ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return packed;
}

constexpr std::uint16_t zlib = 0;
constexpr std::uint16_t zstd = 1;

/// What Clang writes before what is packed: its length in versions 2 and 3 only, in 8 bytes in 3.
std::string compressed(std::uint16_t version, std::uint16_t method, std::string const& packed,
                       std::uint64_t unpacked_bytes) {
    std::uint64_t const header_bytes = version == 1 ? 20 : version == 2 ? 24 : 32;
    auto const length = [&](std::uint64_t bytes) {
        return version == 3 ? bytes_of(bytes) : bytes_of(static_cast<std::uint32_t>(bytes));
    };
    auto text = "CCOB" + bytes_of(version) + bytes_of(method);
    if (version > 1) text += length(header_bytes + packed.size());
    return padded(text + length(unpacked_bytes) + bytes_of(std::uint64_t{0}) + packed);
}

/// A compressed one that nothing can be read of.
std::string packed(std::uint16_t version, std::uint64_t size) {
    return compressed(version, zstd, std::string(size, '\0'), 2 * size);
}

/// A library whose only other section has the names.
std::string library(std::string const& code, std::string const& name = ".hip_fatbin") {
    std::string const names = std::string(1, '\0') + name + '\0';
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 2;
    header.e_shstrndx = 1;
    header.e_shoff = sizeof header;
    Elf64_Shdr fatbin{}, strings{};
    fatbin.sh_type = SHT_PROGBITS;
    fatbin.sh_name = 1;
    fatbin.sh_offset = 4096;
    fatbin.sh_size = code.size();
    strings.sh_type = SHT_STRTAB;
    strings.sh_offset = sizeof header + 2 * sizeof fatbin;
    strings.sh_size = names.size();
    return padded(bytes_of(header) + bytes_of(fatbin) + bytes_of(strings) + names) + code;
}

std::optional<DeviceCode> code_in(std::string const& file) {
    return read_device_code([&](std::uint64_t offset, std::size_t size) {
        return offset < file.size() ? file.substr(offset, size) : std::string();
    });
}

std::string const host = "host-x86_64-unknown-linux-gnu-";

TEST(DeviceCode, of_all_bundles_counts_and_the_host_is_no_target) {
    auto const code = code_in(library(
        bundle({host, "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"}) +
        bundle({host, "hip-amdgcn-amd-amdhsa--gfx906", "hipv4-amdgcn-amd-amdhsa--gfx11-generic"})));
    EXPECT_THAT(code->targets, ElementsAre("gfx11-generic", "gfx906", "gfx90a"));
    EXPECT_FALSE(code->is_packed);
    EXPECT_FALSE(code->is_cut);
}

TEST(DeviceCode, without_bytes_is_none) {
    EXPECT_THAT(code_in(library(bundle({"hipv4-amdgcn-amd-amdhsa--gfx90a"}, 0)))->targets,
                IsEmpty());
}

TEST(DeviceCode, that_is_compressed_counts) {
    // Code that does not compress, and more of it than is read.
    auto plain = bundle(
        {host, "hipv4-amdgcn-amd-amdhsa--gfx1030", "hipv4-amdgcn-amd-amdhsa--gfx90a"}, 300'000);
    std::mt19937 random(7);
    for (std::size_t i = 4096; i < plain.size(); ++i) plain[i] = static_cast<char>(random());
    for (auto const version : {std::uint16_t{2}, std::uint16_t{3}})
        for (auto const method : {zlib, zstd}) {
            auto const code = code_in(
                library(compressed(version, method,
                                   method == zlib ? by_zlib(plain) : by_zstd(plain), plain.size()) +
                        bundle({"hipv4-amdgcn-amd-amdhsa--gfx942"})));
            EXPECT_THAT(code->targets, ElementsAre("gfx1030", "gfx90a", "gfx942"));
            EXPECT_FALSE(code->is_packed || code->is_cut) << version << ' ' << method;
        }
    auto const first = code_in(library(compressed(1, zstd, by_zstd(plain), plain.size())));
    EXPECT_THAT(first->targets, ElementsAre("gfx1030", "gfx90a"));
    EXPECT_FALSE(first->is_packed);
    EXPECT_TRUE(first->is_cut) << "the first version states no length";
}

TEST(DeviceCode, that_clang_has_compressed_counts) {
    std::string const bundler = "/usr/lib/llvm-19/bin/clang-offload-bundler";
    if (::access(bundler.c_str(), X_OK) != 0) GTEST_SKIP() << "clang-tools-19 is not installed";
    test::Tree tree;
    tree.file("code", std::string(5000, 'c'));
    auto const input = tree.path() + "/code", made = tree.path() + "/made";
    auto const command =
        bundler + " -type=o -compress -targets=host-x86_64-unknown-linux-gnu," +
        "hipv4-amdgcn-amd-amdhsa--gfx1201,hipv4-amdgcn-amd-amdhsa--gfx942 -input=" +
        "/dev/null -input=" + input + " -input=" + input + " -output=" + made;
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::ifstream file(made, std::ios::binary);
    std::string const bytes((std::istreambuf_iterator<char>(file)), {});
    ASSERT_EQ(bytes.substr(0, 4), "CCOB");
    auto const found = code_in(library(padded(bytes)));
    EXPECT_THAT(found->targets, ElementsAre("gfx1201", "gfx942"));
    EXPECT_FALSE(found->is_packed || found->is_cut);
}

TEST(DeviceCode, that_cannot_be_unpacked_is_named_and_passed_over) {
    for (auto const version : {std::uint16_t{2}, std::uint16_t{3}}) {
        auto const code =
            code_in(library(packed(version, 5000) + bundle({"hipv4-amdgcn-amd-amdhsa--gfx942"})));
        EXPECT_THAT(code->targets, ElementsAre("gfx942"));
        EXPECT_TRUE(code->is_packed);
        EXPECT_FALSE(code->is_cut);
    }
    auto const first = code_in(library(packed(1, 5000)));
    EXPECT_TRUE(first->is_packed);
    EXPECT_TRUE(first->is_cut) << "the first version states no length";
}

TEST(DeviceCode, of_a_library_without_such_a_section_is_none) {
    auto const code = code_in(library(bundle({"hipv4-amdgcn-amd-amdhsa--gfx942"}), ".hip_fatbim"));
    EXPECT_THAT(code->targets, IsEmpty());
    EXPECT_FALSE(code->is_cut);
    EXPECT_FALSE(code_in("#!/bin/sh\n"));
}

TEST(DeviceCode, that_makes_no_sense_is_cut) {
    EXPECT_TRUE(code_in(library(std::string(64, 'x')))->is_cut);
    auto file = library(bundle({"hipv4-amdgcn-amd-amdhsa--gfx942"}));
    file.replace(4096 + 24, 8, bytes_of(~std::uint64_t{0}));
    EXPECT_TRUE(code_in(file)->is_cut);
}

TEST(DeviceCode, of_damaged_files_ends) {
    auto const plain = bundle({host, "hipv4-amdgcn-amd-amdhsa--gfx942"});
    auto const whole = library(plain + compressed(2, zstd, by_zstd(plain), plain.size()));
    std::mt19937 random(25);
    for (int turn = 0; turn < 2000; ++turn) {
        auto file = whole;
        for (int i = 0; i < 4; ++i) file[random() % whole.size()] = static_cast<char>(random());
        file.resize(random() % (file.size() + 1));
        auto const code = code_in(file);
        EXPECT_LE(code ? code->targets.size() : 0, 128U);
    }
}

TEST(DeviceCode, comes_back_from_its_text) {
    DeviceCode const code{{"gfx1100", "gfx942"}, true, true};
    EXPECT_EQ(device_code_text(code), "gfx1100\ngfx942\npacked\ncut\n");
    auto const back = device_code_in(device_code_text(code));
    EXPECT_EQ(back.targets, code.targets);
    EXPECT_TRUE(back.is_packed && back.is_cut);
}

}  // namespace
}  // namespace rocmtune
