// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to what cuts texts into lines and recognises messages in them.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "judge/diagnose/lines.hpp"
#include "judge/diagnose/recogniser.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    static Recogniser recogniser;  // its expressions are compiled once
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    LineReader reader([](std::string_view line, std::uint64_t number) {
        for (char const c : line)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) __builtin_trap();
        recogniser.add(line, number);
    });
    reader.add(text.substr(0, size / 2));
    reader.add(text.substr(size / 2));
    reader.end();
    auto const seen = recogniser.take();
    for (auto const& message : seen.messages)
        if (!is_utf8(message.shown.text) || message.shown.lines.empty()) __builtin_trap();
    for (auto const& unknown : seen.unknown)
        if (!is_utf8(unknown.text) || unknown.line == 0) __builtin_trap();
    return 0;
}
