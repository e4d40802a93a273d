// SPDX-License-Identifier: MIT
#include "machine/packed_bytes.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include <zlib.h>
#include <zstd.h>

namespace rocmtune {
namespace {

/// A block of zstd has at most 128 KiB (RFC 8878, 3.1.1.2), and is there as a whole or not at all.
constexpr std::size_t step_bytes = 16384;

class ZlibStream {
  public:
    ZlibStream() {
        if (::inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
    }
    ZlibStream(ZlibStream const&) = delete;
    ZlibStream& operator=(ZlibStream const&) = delete;
    ~ZlibStream() { ::inflateEnd(&stream_); }

    /// Unpacks into what is left of `content` from `have` on; false where nothing can follow.
    bool add(std::string& packed, std::string& content, std::size_t& have) {
        stream_.next_in = reinterpret_cast<Bytef*>(packed.data());
        stream_.avail_in = static_cast<uInt>(packed.size());
        stream_.next_out = reinterpret_cast<Bytef*>(content.data() + have);
        stream_.avail_out = static_cast<uInt>(content.size() - have);
        int const result = ::inflate(&stream_, Z_NO_FLUSH);
        have = content.size() - stream_.avail_out;
        return result == Z_OK;
    }

  private:
    z_stream stream_{};
};

class ZstdStream {
  public:
    ZstdStream() : stream_(::ZSTD_createDStream()) {
        if (!stream_) throw std::bad_alloc();
    }

    bool add(std::string& packed, std::string& content, std::size_t& have) {
        ZSTD_inBuffer in{packed.data(), packed.size(), 0};
        ZSTD_outBuffer out{content.data(), content.size(), have};
        auto const result = ::ZSTD_decompressStream(stream_.get(), &out, &in);
        have = out.pos;
        return ::ZSTD_isError(result) == 0 && result != 0;
    }

  private:
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ::ZSTD_freeDStream(stream); }
    };
    std::unique_ptr<ZSTD_DStream, Free> stream_;
};

template <class Stream>
std::string start_of(ReadAt const& read, std::uint64_t offset, std::uint64_t end,
                     std::size_t wanted) {
    Stream stream;
    std::string content(wanted, '\0');
    std::size_t have = 0;
    for (bool more = true; more && have < wanted && offset < end;) {
        auto packed = read(offset, std::min<std::uint64_t>(step_bytes, end - offset));
        if (packed.empty()) break;
        offset += packed.size();
        more = stream.add(packed, content, have);
    }
    content.resize(have);
    return content;
}

}  // namespace

std::string unpacked_start(ReadAt const& read, std::uint64_t offset, std::uint64_t end,
                           Packing packing, std::size_t wanted) {
    switch (packing) {
        case Packing::zlib: return start_of<ZlibStream>(read, offset, end, wanted);
        case Packing::zstd: return start_of<ZstdStream>(read, offset, end, wanted);
    }
    return {};
}

}  // namespace rocmtune
