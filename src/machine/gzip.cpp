// SPDX-License-Identifier: MIT
#include "machine/gzip.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>
#include <zlib.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
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
