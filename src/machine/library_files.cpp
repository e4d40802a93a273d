// SPDX-License-Identifier: MIT
// Parsers of the dynamic loader's files. The cache has a header, a table of entries and a string
// table; entries name their strings by offset from the start of the header.
#include "machine/library_files.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include <elf.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {
namespace {

// glibc sysdeps/generic/dl-cache.h: struct cache_file (before glibc 2.2) and cache_file_new.
constexpr std::string_view old_magic = "ld.so-1.7.0";
constexpr std::size_t old_header_bytes = 16;
constexpr std::size_t old_entry_bytes = 12;
constexpr std::string_view new_magic = "glibc-ld.so.cache1.1";
constexpr std::size_t new_header_bytes = 48;
constexpr std::size_t new_entry_bytes = 24;
constexpr std::size_t alignment = 8;  // of cache_file_new inside a file with both formats

/// A library directory has a few thousand entries; more of what we look for is no real cache.
constexpr std::size_t entry_limit = 4096;

/// Both callers have checked that the bytes are there.
std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
        value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

/// glibc sysdeps/generic/ldconfig.h: FLAG_ELF_LIBC6 (3) with the ABI in the second byte.
bool is_64_bit(std::uint64_t flags) {
    switch (flags) {
        case 0x0303:  // FLAG_X8664_LIB64
        case 0x0503:  // FLAG_POWERPC_LIB64
        case 0x0a03:  // FLAG_AARCH64_LIB64
        case 0x1003:  // FLAG_RISCV_FLOAT_ABI_DOUBLE
            return true;
        default: return false;
    }
}

/// The part of the file that holds the new format; empty if there is none.
std::string_view new_format(std::string_view bytes) {
    if (bytes.starts_with(old_magic) && bytes.size() >= old_header_bytes) {
        auto const count = little_endian(bytes, old_magic.size() + 1, 4);
        auto const end = old_header_bytes + count * old_entry_bytes;
        auto const start = (end + alignment - 1) / alignment * alignment;
        bytes.remove_prefix(std::min<std::uint64_t>(start, bytes.size()));
    }
    return bytes.starts_with(new_magic) && bytes.size() >= new_header_bytes ? bytes
                                                                            : std::string_view();
}

/// Far more than the cache of any host.
constexpr std::size_t most_cache_bytes = std::size_t{64} << 20;

/// Of one string; PATH_MAX of Linux.
constexpr std::size_t string_limit = 4096;

/// A string ends with NUL inside the file; anything else is empty.
std::string_view string_at(std::string_view bytes, std::uint64_t offset) {
    if (offset >= bytes.size()) return {};
    auto const rest = bytes.substr(offset, string_limit);
    auto const end = rest.find('\0');
    return end == rest.npos ? std::string_view() : rest.substr(0, end);
}

}  // namespace

std::optional<std::vector<LdCacheEntry>> parse_ld_cache(std::string_view bytes,
                                                        bool (*wanted)(std::string_view)) {
    bytes = new_format(bytes);
    if (bytes.empty()) return std::nullopt;
    auto const count = little_endian(bytes, new_magic.size(), 4);
    if (count > (bytes.size() - new_header_bytes) / new_entry_bytes) return std::nullopt;
    std::vector<LdCacheEntry> entries;
    for (std::size_t i = 0; i < count && entries.size() < entry_limit; ++i) {
        auto const at = new_header_bytes + i * new_entry_bytes;
        // An entry with hwcap bits is for some processors only; ROCm has no such builds.
        if (!is_64_bit(little_endian(bytes, at, 4)) || little_endian(bytes, at + 16, 8) != 0)
            continue;
        auto const name = string_at(bytes, little_endian(bytes, at + 4, 4));
        if (name.empty() || (wanted != nullptr && !wanted(name))) continue;
        auto const path = string_at(bytes, little_endian(bytes, at + 8, 4));
        if (path.starts_with('/')) entries.push_back({std::string(name), std::string(path)});
    }
    return entries;
}

std::vector<LdConfLine> parse_ld_conf(std::string_view text) {
    constexpr std::string_view include = "include";
    std::vector<LdConfLine> statements;
    for (auto line : lines(text)) {
        line = trim(line.substr(0, line.find('#')));
        auto const parts = words(line);
        if (parts.size() > 1 && parts[0] == include) {
            for (std::size_t i = 1; i < parts.size(); ++i) statements.push_back({true, parts[i]});
        } else if (line.starts_with('/')) {
            auto directory = trim(line.substr(0, line.find('=')));
            while (directory.size() > 1 && directory.ends_with('/')) directory.remove_suffix(1);
            statements.push_back({false, directory});
        }
    }
    return statements;
}

bool fits_pattern(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t star = pattern.npos;
    std::size_t retry = 0;
    for (std::size_t n = 0; n < name.size();) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p, ++n;
        } else if (star != pattern.npos) {
            p = star + 1;
            n = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

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

namespace {

/// Empty if it leads nowhere.
std::string canonical(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::canonical(path, ignored).string();
}

}  // namespace

SystemLibraries::SystemLibraries() {
    auto const bytes = start_of_file(std::string(ld_cache_path), most_cache_bytes);
    entries_ = parse_ld_cache(bytes).value_or(std::vector<LdCacheEntry>());
    std::set<std::string> named(default_library_directories.begin(),
                                default_library_directories.end());
    for (auto const& entry : entries_) named.insert(entry.path.substr(0, entry.path.rfind('/')));
    for (auto const& directory : named)
        if (auto real = canonical(directory); !real.empty()) directories_.insert(std::move(real));
}

std::vector<std::string> SystemLibraries::files(std::string const& name) const {
    std::vector<std::string> found;
    for (auto const& entry : entries_)
        if (entry.name == name) found.push_back(entry.path);
    if (!found.empty()) return found;  // the loader looks into the directories last
    for (auto const directory : default_library_directories) {
        std::error_code ignored;
        auto path = fmt::format("{}/{}", directory, name);
        if (std::filesystem::exists(path, ignored)) found.push_back(std::move(path));
    }
    return found;
}

bool SystemLibraries::are_in(std::string const& directory) const {
    return directories_.count(canonical(directory)) != 0;
}

SystemLibraries const& system_libraries() {
    static SystemLibraries const libraries;
    return libraries;
}

}  // namespace rocmtune
