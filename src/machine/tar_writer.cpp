// SPDX-License-Identifier: MIT
// GNU tar (tar(5), "GNU tar archives"). libarchive could write it too, but its writers are one
// piece with zip, 7zip and xar: five milliseconds of loading at every start of the program.
#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "machine/tar.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t block_bytes = 512;
constexpr std::size_t short_name_bytes = 100;

struct Header {
    std::array<char, 100> name{};
    std::array<char, 8> mode{};
    std::array<char, 8> uid{};
    std::array<char, 8> gid{};
    std::array<char, 12> size{};
    std::array<char, 12> mtime{};
    std::array<char, 8> checksum{};
    char type = '0';
    std::array<char, 100> target{};
    std::array<char, 8> magic{'u', 's', 't', 'a', 'r', ' ', ' ', '\0'};
    std::array<char, 247> rest{};
};
static_assert(sizeof(Header) == block_bytes);

template <std::size_t size>
void put(std::array<char, size>& field, std::string_view text) {
    std::copy_n(text.begin(), std::min(size, text.size()), field.begin());
}

/// Octal digits with a NUL behind them.
template <std::size_t size>
void put_number(std::array<char, size>& field, std::size_t number) {
    put(field, fmt::format("{:0{}o}", number, size - 1));
}

/// The sum of all bytes, the field itself counted as blanks; six digits, NUL, blank.
void seal(Header& header) {
    header.checksum.fill(' ');
    std::array<unsigned char, block_bytes> bytes;
    std::memcpy(bytes.data(), &header, bytes.size());
    unsigned sum = 0;
    for (auto const byte : bytes) sum += byte;
    put(header.checksum, fmt::format("{:06o}", sum));
    header.checksum[6] = '\0';
}

std::size_t mode_of(char type) {
    return type == '2' ? 0777 : type == '5' ? 0755 : 0644;
}

}  // namespace

std::string TarWriter::finish() && {
    bytes_.append(2 * block_bytes, '\0');
    return std::move(bytes_);
}

void TarWriter::add(std::string_view path, char type, std::string_view target,
                    std::string_view content) {
    path.remove_prefix(1);  // members are relative
    if (target.size() > short_name_bytes) long_text('K', target);
    if (path.size() > short_name_bytes) long_text('L', path);
    header(path, type, target, content.size());
    padded(content);
}

/// A name that does not fit is the content of a member in front.
void TarWriter::long_text(char type, std::string_view text) {
    header("././@LongLink", type, {}, text.size() + 1);
    padded(std::string(text) + '\0');
}

void TarWriter::header(std::string_view name, char type, std::string_view target,
                       std::size_t size) {
    Header header;
    put(header.name, name);
    put_number(header.mode, mode_of(type));
    put_number(header.uid, 0);
    put_number(header.gid, 0);
    put_number(header.size, size);
    put_number(header.mtime, 0);
    header.type = type;
    put(header.target, target);
    seal(header);
    bytes_.append(reinterpret_cast<char const*>(&header), sizeof header);
}

void TarWriter::padded(std::string_view content) {
    bytes_ += content;
    bytes_.append((block_bytes - content.size() % block_bytes) % block_bytes, '\0');
}

}  // namespace rocmtune
