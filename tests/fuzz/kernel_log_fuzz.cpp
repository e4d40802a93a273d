// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parser of the kernel log.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "probe/parsers.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    constexpr std::size_t limit = 3;
    auto const messages = kernel_messages_about(text, {"0000:03:00.0"}, limit);
    if (messages.size() > limit) __builtin_trap();
    for (auto const& message : messages)
        if (!is_utf8(message.text) || message.text.find('\n') != std::string::npos)
            __builtin_trap();
    return 0;
}
