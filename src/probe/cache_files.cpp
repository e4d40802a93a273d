// SPDX-License-Identifier: MIT
#include "probe/parsers.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// A big-endian number in the header.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (auto const byte : bytes.substr(at, size))
        value = value << 8U | static_cast<unsigned char>(byte);
    return value;
}

}  // namespace

std::optional<FileHead> parse_file_head(std::string_view answer) {
    auto const end = answer.find('\n');
    if (end == answer.npos) return std::nullopt;
    auto const size = to_unsigned(answer.substr(0, end), 10);
    if (!size) return std::nullopt;
    return FileHead{*size, answer.substr(end + 1)};
}

bool is_miopen_database(std::string_view name) {
    static constexpr std::array<std::string_view, 4> suffixes{".ukdb", ".kdb", ".udb", ".db"};
    return std::ranges::any_of(suffixes, [&](auto suffix) { return name.ends_with(suffix); });
}

std::optional<std::string> miopen_target(std::string_view name) {
    constexpr std::string_view prefix = "gfx";
    if (!name.starts_with(prefix)) return std::nullopt;
    auto const rest = name.substr(prefix.size());
    // gfx900 to gfx950 have one digit before the stepping, gfx1010 and later two.
    std::size_t const digits = rest.starts_with('1') ? 4 : 3;
    bool const fits = rest.size() > digits && rest[0] >= '1' && rest[0] <= '9' &&
                      is_lower_hexadecimal(rest.substr(0, digits));
    if (!fits) return std::nullopt;
    return std::string(name.substr(0, prefix.size() + digits));
}

std::optional<std::string> sqlite_fault(FileHead const& head, bool has_log) {
    using namespace std::string_view_literals;
    constexpr std::size_t header_bytes = 100;
    if (head.size_bytes == 0) return std::nullopt;
    if (!head.bytes.starts_with("SQLite format 3\0"sv)) return "not an SQLite database";
    if (head.size_bytes < header_bytes || head.bytes.size() < header_bytes)
        return "ends within its header";
    auto const stated = number_at(head.bytes, 16, 2);
    auto const page = stated == 1 ? 65536 : stated;
    if (page < 512 || !std::has_single_bit(page)) return fmt::format("a page size of {}", stated);
    // The number of pages holds only if it was written together with the change counter.
    bool const counted = number_at(head.bytes, 24, 4) == number_at(head.bytes, 92, 4);
    auto const pages = number_at(head.bytes, 28, 4);
    if (has_log || !counted || pages * page <= head.size_bytes) return std::nullopt;
    return fmt::format("{} of {} bytes are there", head.size_bytes, pages * page);
}

std::map<std::string, std::string> tunableop_validators(FileHead const& head) {
    std::map<std::string, std::string> validators;
    auto text = head.bytes;
    // Of a line that is cut off only its start is known.
    if (!head.is_whole()) text = text.substr(0, text.rfind('\n') + 1);
    for (auto const line : lines(text)) {
        auto const part = split(trim(line), ',');
        if (part.size() < 3 || part[0] != "Validator") break;
        validators.emplace(printable(part[1]), printable(part[2]));
    }
    return validators;
}

std::string tunableop_file(std::string_view name, std::uint64_t device) {
    std::string file(name);
    auto const number = std::to_string(device);
    if (auto const place = file.find("%d"); place != file.npos)
        return file.replace(place, 2, number);
    auto const dot = file.rfind('.');
    return file.insert(dot == file.npos ? file.size() : dot, number);
}

}  // namespace rocmtune
