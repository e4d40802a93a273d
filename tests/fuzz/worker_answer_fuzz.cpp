// SPDX-License-Identifier: MIT
// What a worker may write, cut into pieces: the answer must not depend on the cuts.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "machine/worker_answer.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    constexpr std::size_t most = 4096;
    rocmtune::WorkerAnswer whole("w", most);
    whole.add("{\"hello\":{\"worker\":\"w\",\"protocol\":1}}\n");
    auto pieces = whole;
    whole.add(text);
    for (std::size_t at = 0; at < size; at += 7) pieces.add(text.substr(at, 7));
    if (whole.is_complete() != pieces.is_complete() || whole.fault() != pieces.fault())
        std::abort();
    if (whole.is_complete() && whole.is_broken()) std::abort();
    if (whole.take_lines() != pieces.take_lines()) std::abort();
    return 0;
}
