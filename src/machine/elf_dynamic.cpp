// SPDX-License-Identifier: MIT
#include "machine/elf_dynamic.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>

#include <elf.h>

namespace rocmtune {
namespace {

constexpr std::size_t most_segments = 128;
constexpr std::size_t most_entries = 4096;
constexpr std::size_t longest_string = 4096;  // PATH_MAX of Linux

/// `count` records of a table in the file; nothing if it ends before.
template <class Record>
std::optional<std::vector<Record>> table(ReadAt const& read, std::uint64_t offset,
                                         std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Record>);
    auto const bytes = read(offset, count * sizeof(Record));
    if (bytes.size() != count * sizeof(Record)) return std::nullopt;
    std::vector<Record> records(count);
    if (count != 0) std::memcpy(records.data(), bytes.data(), bytes.size());
    return records;
}

bool is_ours(Elf64_Ehdr const& header) {
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
           header.e_phentsize == sizeof(Elf64_Phdr) && header.e_phnum <= most_segments;
}

std::optional<std::vector<Elf64_Phdr>> segments_of(ReadAt const& read) {
    auto const header = table<Elf64_Ehdr>(read, 0, 1);
    if (!header || !is_ours(header->front())) return std::nullopt;
    return table<Elf64_Phdr>(read, header->front().e_phoff, header->front().e_phnum);
}

/// Where in the file the bytes of an address are, once it is loaded.
std::optional<std::uint64_t> offset_of(std::vector<Elf64_Phdr> const& segments,
                                       std::uint64_t address) {
    for (auto const& segment : segments)
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz)
            return segment.p_offset + (address - segment.p_vaddr);
    return std::nullopt;
}

std::optional<std::vector<Elf64_Dyn>> entries_of(ReadAt const& read,
                                                 std::vector<Elf64_Phdr> const& segments) {
    auto const dynamic =
        std::find_if(segments.begin(), segments.end(),
                     [](Elf64_Phdr const& segment) { return segment.p_type == PT_DYNAMIC; });
    if (dynamic == segments.end()) return std::nullopt;
    auto const count = dynamic->p_filesz / sizeof(Elf64_Dyn);
    auto const offset = offset_of(segments, dynamic->p_vaddr);
    if (count > most_entries || !offset) return std::nullopt;
    auto entries = table<Elf64_Dyn>(read, *offset, count);
    if (!entries) return std::nullopt;
    entries->erase(std::find_if(entries->begin(), entries->end(),
                                [](Elf64_Dyn const& entry) { return entry.d_tag == DT_NULL; }),
                   entries->end());
    return entries;
}

/// The strings that entries name by their offset in the string table.
class Strings {
  public:
    Strings(ReadAt const& read, std::vector<Elf64_Phdr> const& segments,
            std::vector<Elf64_Dyn> const& entries)
        : read_(read) {
        for (auto const& entry : entries)
            if (entry.d_tag == DT_STRTAB) start_ = offset_of(segments, entry.d_un.d_ptr);
    }

    std::optional<std::string> at(std::uint64_t offset) const {
        if (!start_ || offset > ~*start_) return std::nullopt;
        auto text = read_(*start_ + offset, longest_string);
        auto const end = text.find('\0');
        if (end == text.npos) return std::nullopt;
        text.resize(end);
        return text;
    }

  private:
    ReadAt const& read_;
    std::optional<std::uint64_t> start_;
};

/// Where the text of such an entry belongs; null: it is none that we look for.
std::vector<std::string>* place_of(Elf64_Sxword tag, ElfDynamic& dynamic) {
    switch (tag) {
        case DT_NEEDED:
        case DT_FILTER:
        case DT_AUXILIARY: return &dynamic.needed;
        case DT_RPATH:
        case DT_RUNPATH: return &dynamic.search;
        default: return nullptr;
    }
}

}  // namespace

std::optional<ElfDynamic> read_elf_dynamic(ReadAt const& read) {
    auto const segments = segments_of(read);
    if (!segments) return std::nullopt;
    auto const entries = entries_of(read, *segments);
    if (!entries) return std::nullopt;
    Strings const strings(read, *segments, *entries);
    ElfDynamic dynamic;
    for (auto const& entry : *entries) {
        auto* const place = place_of(entry.d_tag, dynamic);
        if (place == nullptr && entry.d_tag != DT_SONAME) continue;
        auto text = strings.at(entry.d_un.d_val);
        if (!text) return std::nullopt;
        if (place != nullptr) place->push_back(std::move(*text));
        else dynamic.soname = std::move(*text);
    }
    return dynamic;
}

}  // namespace rocmtune
