// SPDX-License-Identifier: MIT
// Archives composed byte by byte, so that a test can write what no tool would.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "machine/tar.hpp"

namespace rocmtune::test {

/// One header block of POSIX ustar; every field can be chosen.
struct TarHeader {
    std::string name;
    char type = '0';
    std::string target = {};
    std::size_t size = 0;
    std::string magic = std::string(
        "ustar\0"
        "00",
        8);
    std::string extra = {};  ///< bytes from offset 345 on: the prefix, or the sparse map of GNU tar

    std::string bytes() const {
        std::string block(512, '\0');
        auto const put = [&](std::size_t at, std::string_view text) {
            block.replace(at, text.size(), text);
        };
        put(0, std::string_view(name).substr(0, 100));
        put(100, "0000644");
        put(108, "0000000");
        put(116, "0000000");
        put(124, fmt::format("{:011o}", size));
        put(136, "00000000000");
        put(148, "        ");
        block[156] = type;
        put(157, std::string_view(target).substr(0, 100));
        put(257, magic);
        put(345, std::string_view(extra).substr(0, 167));
        unsigned sum = 0;
        for (auto const c : block) sum += static_cast<unsigned char>(c);
        put(148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
        return block;
    }
};

/// Builds a tar step by step.
class TarBytes {
  public:
    TarBytes& add(TarHeader header, std::string_view content = {}) {
        bytes_ += header.bytes();
        bytes_ += content;
        bytes_.append((512 - content.size() % 512) % 512, '\0');
        return *this;
    }
    TarBytes& file(std::string name, std::string_view content = "1\n") {
        return add({.name = std::move(name), .size = content.size()}, content);
    }
    TarBytes& directory(std::string name) { return add({.name = std::move(name), .type = '5'}); }
    TarBytes& link(std::string name, std::string target) {
        return add({.name = std::move(name), .type = '2', .target = std::move(target)});
    }
    /// A pax record in front of the next member: "LENGTH KEY=VALUE\n".
    TarBytes& pax(std::string_view key, std::string_view value) {
        auto const body = fmt::format(" {}={}\n", key, value);
        auto size = body.size() + 1;
        while (std::to_string(size).size() + body.size() != size) ++size;
        auto const record = std::to_string(size) + body;
        return add({.name = "PaxHeader/x", .type = 'x', .size = record.size()}, record);
    }

    std::string const& open() const { return bytes_; }  ///< without the end mark
    std::string tar() const { return bytes_ + std::string(1024, '\0'); }
    std::string packed() const { return gzip(tar()); }

  private:
    std::string bytes_;
};

}  // namespace rocmtune::test
