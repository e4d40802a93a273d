// SPDX-License-Identifier: MIT
// A tar by libarchive, with everything refused that could mean two things.
#include "machine/tar.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <zlib.h>

#include "base/text.hpp"
#include "machine/path.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// A host of 64 partitions has about 20000 files.
constexpr std::size_t most_members = 200'000;
constexpr std::size_t longest_component = 255;  // NAME_MAX
constexpr std::size_t end_mark_bytes = 1024;    // two blocks of zeros, POSIX.1-2017 pax

/// Header and content in blocks; a long name takes more.
std::size_t tar_bytes(TarMember const& member) {
    constexpr std::size_t block = 512;
    auto const content = member.kind == 'f' ? member.text.size() : 0;
    return block + (content + block - 1) / block * block;
}

struct FreeArchive {
    void operator()(archive* reader) const { ::archive_read_free(reader); }
};

class TarReader {
  public:
    TarReader(std::string_view tar, std::string const& name)
        : tar_(tar), name_(name), reader_(::archive_read_new()) {
        if (!reader_) throw std::bad_alloc();
        ::archive_read_support_format_tar(reader_.get());
        if (::archive_read_open_memory(reader_.get(), tar_.data(), tar_.size()) != ARCHIVE_OK)
            fail(error());
    }

    TarMembers read() {
        while (auto* const entry = next()) add(entry);
        if (!has_end_mark()) fail("its end is missing");
        for (auto const& [path, member] : members_) check_parents(path);
        return std::move(members_);
    }

  private:
    [[noreturn]] void fail(std::string const& why) const {
        throw Error(fmt::format("cannot read {}: {}", printable(name_), why));
    }
    [[noreturn]] void refuse(std::string_view member, std::string_view why) const {
        throw Error(fmt::format("refused {}: member '{}' {}", printable(name_),
                                printable(member.substr(0, 200)), why));
    }
    std::string error() const {
        auto const* const text = ::archive_error_string(reader_.get());
        return text == nullptr ? "it is no tar" : printable(text);
    }

    /// Zeros at the end that are not content of the last member.
    bool has_end_mark() const {
        return tar_.size() >= last_end_ + end_mark_bytes &&
               tar_.substr(tar_.size() - end_mark_bytes).find_first_not_of('\0') == tar_.npos;
    }

    /// A warning is about a name that this locale cannot show; its bytes are there all the same.
    archive_entry* next() const {
        archive_entry* entry = nullptr;
        int const result = ::archive_read_next_header(reader_.get(), &entry);
        if (result == ARCHIVE_EOF) return nullptr;
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) fail(error());
        return entry;
    }

    void add(archive_entry* entry) {
        auto const* const raw = ::archive_entry_pathname(entry);
        if (raw == nullptr || *raw == '\0') refuse("", "has no name");
        auto const path = canonical(raw);
        auto member = member_of(entry, raw);
        last_end_ = static_cast<std::size_t>(::archive_read_header_position(reader_.get())) +
                    tar_bytes(member);
        if (!members_.emplace(path, std::move(member)).second) refuse(raw, "is there twice");
        if (members_.size() > most_members)
            fail(fmt::format("it has more than {} members", most_members));
    }

    std::string canonical(std::string_view raw) const {
        if (raw.starts_with('/')) refuse(raw, "has an absolute name");
        std::string path;
        for (auto const part : split(raw, '/')) {
            if (part.empty() || part == ".") continue;
            if (part == "..") refuse(raw, "has '..' in its name");
            path.append(1, '/').append(part);
        }
        if (path.empty()) return "/";
        if (!is_tar_path(path)) refuse(raw, "has too long a name");
        return path;
    }

    TarMember member_of(archive_entry* entry, std::string_view raw) const {
        if (::archive_entry_hardlink(entry) != nullptr) refuse(raw, "is a hard link");
        switch (::archive_entry_filetype(entry)) {
            case AE_IFDIR: return {'d', {}};
            case AE_IFLNK: return {'l', target_of(entry, raw)};
            case AE_IFREG: return {'f', content_of(entry, raw)};
            default: refuse(raw, "is a device, a FIFO or of an unknown kind");
        }
    }

    std::string target_of(archive_entry* entry, std::string_view raw) const {
        auto const* const target = ::archive_entry_symlink(entry);
        if (target == nullptr || *target == '\0') refuse(raw, "is a link without a target");
        if (std::string_view(target).size() > longest_path_bytes)
            refuse(raw, "has too long a target");
        return target;
    }

    std::string content_of(archive_entry* entry, std::string_view raw) const {
        if (::archive_entry_sparse_count(entry) > 0) refuse(raw, "is sparse");
        auto const size = ::archive_entry_size(entry);
        if (size < 0 || static_cast<std::size_t>(size) > tar_.size())
            refuse(raw, "is longer than the archive");
        std::string content(static_cast<std::size_t>(size), '\0');
        for (std::size_t have = 0; have < content.size();) {
            auto const count =
                ::archive_read_data(reader_.get(), content.data() + have, content.size() - have);
            if (count <= 0) fail(count == 0 ? "it is truncated" : error());
            have += static_cast<std::size_t>(count);
        }
        return content;
    }

    /// What lies below a link or a file would be two things at one place.
    void check_parents(std::string_view path) const {
        for (auto end = path.rfind('/'); end != 0 && end != path.npos;
             end = path.rfind('/', end - 1)) {
            auto const parent = members_.find(std::string(path.substr(0, end)));
            if (parent == members_.end() || parent->second.kind == 'd') continue;
            refuse(path.substr(1),
                   parent->second.kind == 'l' ? "lies below a link" : "lies below a file");
        }
    }

    std::string_view tar_;
    std::string const& name_;
    std::unique_ptr<archive, FreeArchive> reader_;
    TarMembers members_;
    std::size_t last_end_ = 0;  ///< of the last member, at least
};

}  // namespace

bool is_tar_path(std::string_view path) {
    if (!is_bounded_path(path) || path.find('\0') != path.npos) return false;
    auto const parts = split(path, '/');
    return std::none_of(parts.begin(), parts.end(),
                        [](std::string_view part) { return part.size() > longest_component; });
}

TarMembers read_tar(std::string_view tar, std::string const& name) {
    return TarReader(tar, name).read();
}

// GNU tar (tar(5), "GNU tar archives"). libarchive could write it too, but its writers are one
// piece with zip, 7zip and xar: five milliseconds of loading at every start of the program.

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

namespace {

/// deflateInit2 and inflateInit2 take 16 on top of the window size for the gzip format.
constexpr int gzip_window = 15 + 16;
/// Recordings are text: level 6 takes twice the time of level 3 for a tenth fewer bytes.
constexpr int level = 3;

unsigned char* bytes_of(std::string_view text) {
    // zlib takes no const input, and does not write to it.
    return reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
}

class Inflater {
  public:
    Inflater(std::string_view bytes, std::string const& name) : name_(name) {
        stream_.next_in = bytes_of(bytes);
        stream_.avail_in = static_cast<uInt>(bytes.size());
        if (::inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
    }
    Inflater(Inflater const&) = delete;
    Inflater& operator=(Inflater const&) = delete;
    ~Inflater() { ::inflateEnd(&stream_); }

    /// Appends what fits into `step` bytes; false at the end.
    bool add_to(std::string& content, std::size_t step) {
        auto const used = content.size();
        content.resize(used + step);
        stream_.next_out = bytes_of(content) + used;
        stream_.avail_out = static_cast<uInt>(step);
        int const result = ::inflate(&stream_, Z_NO_FLUSH);
        content.resize(used + step - stream_.avail_out);
        if (result == Z_STREAM_END) return false;
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        if (result != Z_OK && result != Z_BUF_ERROR) fail("its compressed data is broken");
        if (stream_.avail_out != 0) fail("it is truncated");
        return true;
    }

    std::size_t left() const { return stream_.avail_in; }

  private:
    [[noreturn]] void fail(std::string const& why) const {
        throw Error(fmt::format("cannot read {}: {}", printable(name_), why));
    }

    z_stream stream_{};
    std::string const& name_;
};

}  // namespace

bool is_gzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

std::string gzip(std::string_view bytes) {
    z_stream stream{};
    if (::deflateInit2(&stream, level, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string result(::deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = bytes_of(bytes);
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = bytes_of(result);
    stream.avail_out = static_cast<uInt>(result.size());
    ::deflate(&stream, Z_FINISH);
    result.resize(stream.total_out);
    ::deflateEnd(&stream);
    return result;
}

std::string gunzip(std::string_view bytes, std::size_t cap, std::string const& name) {
    Inflater inflater(bytes, name);
    std::string content;
    for (bool more = true; more;) {
        auto const step = std::max<std::size_t>(content.size(), 65536);
        more = inflater.add_to(content, std::min(step, cap + 1 - content.size()));
        if (content.size() > cap)
            throw Error(fmt::format("cannot read {}: unpacked it is longer than {}",
                                    printable(name), human_bytes(cap)));
    }
    if (inflater.left() != 0)
        throw Error(fmt::format("cannot read {}: bytes follow its end", printable(name)));
    return content;
}

}  // namespace rocmtune
