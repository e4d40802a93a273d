// SPDX-License-Identifier: MIT
#include "machine/device_code.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <elf.h>

#include "base/text.hpp"
#include "machine/packed_bytes.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t most_sections = 1024;
constexpr std::size_t most_bundles = 1024;
constexpr std::size_t most_bundle_entries = 128;
constexpr std::size_t longest_id = 256;
/// Headers of bundles for 30 targets take 2 KiB.
constexpr std::size_t window_bytes = 8192;
/// Compilers align the bundle of a source file to a page.
constexpr std::uint64_t bundle_alignment = 4096;

constexpr std::string_view section_name = ".hip_fatbin";
constexpr std::string_view plain_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view packed_magic = "CCOB";

struct Section {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

template <class T>
std::optional<T> number_at(std::string_view bytes, std::uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
    T number{};
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

template <class Record>
std::vector<Record> records(ReadAt const& read, std::uint64_t offset, std::size_t count) {
    auto const bytes = read(offset, count * sizeof(Record));
    std::vector<Record> all(bytes.size() / sizeof(Record));
    if (!all.empty()) std::memcpy(all.data(), bytes.data(), all.size() * sizeof(Record));
    return all;
}

std::optional<std::vector<Elf64_Shdr>> sections_of(ReadAt const& read, Elf64_Ehdr& header) {
    auto const headers = records<Elf64_Ehdr>(read, 0, 1);
    if (headers.empty()) return std::nullopt;
    header = headers.front();
    bool const ours = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                      header.e_ident[EI_CLASS] == ELFCLASS64 &&
                      header.e_ident[EI_DATA] == ELFDATA2LSB &&
                      header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shnum > 0 &&
                      header.e_shnum <= most_sections && header.e_shstrndx < header.e_shnum;
    if (!ours) return std::nullopt;
    auto sections = records<Elf64_Shdr>(read, header.e_shoff, header.e_shnum);
    return sections.size() == header.e_shnum ? std::optional(std::move(sections)) : std::nullopt;
}

/// Empty where the file has no such section.
std::optional<Section> code_section(ReadAt const& read) {
    Elf64_Ehdr header{};
    auto const sections = sections_of(read, header);
    if (!sections) return std::nullopt;
    auto const names = (*sections)[header.e_shstrndx].sh_offset;
    for (auto const& section : *sections) {
        if (section.sh_type != SHT_PROGBITS) continue;
        auto const name = read(names + section.sh_name, section_name.size() + 1);
        if (name.size() == section_name.size() + 1 && name.starts_with(section_name) &&
            name.back() == '\0')
            return Section{section.sh_offset, section.sh_size};
    }
    return Section{};
}

/// "gfx90a" of "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"; empty for the host's part.
std::string target_of(std::string_view id) {
    if (!id.starts_with("hip")) return {};
    auto const at = id.rfind("--");
    auto const rest = at == id.npos ? std::string_view() : id.substr(at + 2);
    auto const target = rest.substr(0, rest.find(':'));
    bool const known = target.starts_with("gfx") || target == "amdgcnspirv";
    return known ? std::string(target) : std::string();
}

/// What stands before a compressed bundle (llvm/Object/OffloadBundle.h, CompressedOffloadBundle).
struct PackedHeader {
    Packing method{};
    std::uint64_t header_bytes = 0;
    std::uint64_t bytes = 0;  ///< of the header and of what is packed; 0 where it does not say
    std::uint64_t unpacked_bytes = 0;
};

/// Magic, version and method of two bytes each, both lengths, a hash of eight bytes; in the first
/// version only the unpacked length.
std::optional<PackedHeader> packed_header(std::string_view bytes) {
    if (!bytes.starts_with(packed_magic)) return std::nullopt;
    auto const version = number_at<std::uint16_t>(bytes, 4).value_or(0);
    auto const method = static_cast<Packing>(number_at<std::uint16_t>(bytes, 6).value_or(0));
    auto const u32 = [&](std::uint64_t at) {
        return number_at<std::uint32_t>(bytes, at).value_or(0);
    };
    auto const u64 = [&](std::uint64_t at) {
        return number_at<std::uint64_t>(bytes, at).value_or(0);
    };
    if (version == 1) return PackedHeader{method, 20, 0, u32(8)};
    if (version == 2) return PackedHeader{method, 24, u32(8), u32(12)};
    if (version == 3) return PackedHeader{method, 32, u64(8), u64(16)};
    return std::nullopt;
}

class Bundles {
  public:
    Bundles(ReadAt const& read, Section const& section) : read_(read), section_(section) {}

    DeviceCode walk() {
        std::uint64_t at = 0;
        for (std::size_t i = 0; at < section_.bytes; ++i) {
            auto const bytes = i < most_bundles ? window(at) : std::string();
            auto const size = bundle_bytes(at, bytes);
            if (size == 0) {
                code_.is_cut = true;
                break;
            }
            at = next(at, size);
        }
        return std::move(code_);
    }

  private:
    std::string window(std::uint64_t at) const {
        return read_(section_.offset + at, static_cast<std::size_t>(std::min<std::uint64_t>(
                                               window_bytes, section_.bytes - at)));
    }

    /// How long the bundle at `at`, which starts with these bytes, is; 0 if that is not known.
    std::uint64_t bundle_bytes(std::uint64_t at, std::string_view bytes) {
        if (bytes.starts_with(plain_magic)) return plain_bytes(bytes, section_.bytes);
        auto const packed = packed_header(bytes);
        if (!packed) return 0;
        auto const left = section_.bytes - at;
        auto const end =
            section_.offset + at + (packed->bytes == 0 ? left : std::min(left, packed->bytes));
        auto const start = unpacked_start(read_, section_.offset + at + packed->header_bytes, end,
                                          packed->method, window_bytes);
        if (!start.starts_with(plain_magic) || plain_bytes(start, packed->unpacked_bytes) == 0)
            code_.is_packed = true;
        return packed->bytes;
    }

    /// Magic, number of entries, and for each offset, size, length of its id, id; `most` is what
    /// the bundle may hold.
    std::uint64_t plain_bytes(std::string_view bytes, std::uint64_t most) {
        auto const count = number_at<std::uint64_t>(bytes, plain_magic.size());
        if (!count || *count > most_bundle_entries) return 0;
        std::uint64_t end = 0;
        auto at = plain_magic.size() + sizeof(std::uint64_t);
        for (std::uint64_t i = 0; i < *count; ++i) {
            auto const offset = number_at<std::uint64_t>(bytes, at);
            auto const size = number_at<std::uint64_t>(bytes, at + 8);
            auto const length = number_at<std::uint64_t>(bytes, at + 16);
            at += 24;
            if (!length || *length > longest_id || at + *length > bytes.size() || *offset > most ||
                *size > most)
                return 0;
            if (auto target = target_of(bytes.substr(at, *length)); *size > 0 && !target.empty())
                code_.targets.insert(std::move(target));
            at += *length;
            end = std::max(end, *offset + *size);
        }
        return std::max<std::uint64_t>(end, at);
    }

    /// The next bundle, at the next page as a rule; what fills the section up is not looked at.
    std::uint64_t next(std::uint64_t at, std::uint64_t size) const {
        if (size > section_.bytes - at) return section_.bytes;
        auto const end = at + size;
        return std::min(section_.bytes,
                        (end + bundle_alignment - 1) / bundle_alignment * bundle_alignment);
    }

    ReadAt const& read_;
    Section section_;
    DeviceCode code_ = {};
};

}  // namespace

std::optional<DeviceCode> read_device_code(ReadAt const& read) {
    auto const section = code_section(read);
    if (!section) return std::nullopt;
    return Bundles(read, *section).walk();
}

std::string device_code_text(DeviceCode const& code) {
    std::string text;
    for (auto const& target : code.targets) text.append(target).append("\n");
    if (code.is_packed) text += "packed\n";
    if (code.is_cut) text += "cut\n";
    return text;
}

DeviceCode device_code_in(std::string_view text) {
    DeviceCode code;
    for (auto const line : lines(text)) {
        if (line == "packed") code.is_packed = true;
        else if (line == "cut") code.is_cut = true;
        else if (!line.empty()) code.targets.insert(printable(line));
    }
    return code;
}

}  // namespace rocmtune
