// SPDX-License-Identifier: MIT
// A tar by libarchive, with everything refused that could mean two things.
#include <algorithm>
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/path.hpp"
#include "machine/tar.hpp"
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

}  // namespace rocmtune
