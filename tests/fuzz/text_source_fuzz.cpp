// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to the parser of rocmtune-host(5) and asks the host that results about its
// own lines. Malformed text is an Error, nothing else; and no answer leads outside.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "machine/host_root.hpp"
#include "rocmtune/error.hpp"

namespace {

using namespace rocmtune;

void ask_everything(HostSource& source, std::string_view path) {
    for (auto const operation :
         {Operation::read, Operation::list, Operation::link, Operation::resolve, Operation::status,
          Operation::open, Operation::call}) {
        auto const reply = source.ask({operation, path});
        if (!reply.ok || operation != Operation::resolve) continue;
        if (!reply.text.starts_with('/')) __builtin_trap();
        if (reply.text.find("/../") != reply.text.npos || reply.text.ends_with("/.."))
            __builtin_trap();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string const text =
        "rocmtune-host 1\n" + std::string(reinterpret_cast<char const*>(data), size);
    try {
        auto const source = text_source(text, "fuzz");
        source->environment();
        int asked = 0;
        for (auto const line : lines(text)) {
            if (++asked > 100) break;
            auto const parts = words(line);
            if (!parts.empty()) ask_everything(*source, parts[0]);
            if (parts.size() > 2) ask_everything(*source, parts[2]);
        }
        ask_everything(*source, "/");
    } catch (Error const&) {
    }
    return 0;
}
