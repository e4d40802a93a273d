// SPDX-License-Identifier: MIT
// Any text as a recording to be redacted, and as the content of a file of one.
#include <cstdint>
#include <cstdlib>

#include "machine/host_source.hpp"
#include "machine/host_text.hpp"
#include "machine/redact.hpp"
#include "rocmtune/error.hpp"

namespace {

/// The result is again a recording, and the same every time.
void check(std::string const& text) try {
    using namespace rocmtune;
    (void)text_source(text, "fuzz");
    constexpr RedactionKey key{1, 2};
    auto const once = redact(text, key);
    if (once.text != redact(text, key).text) std::abort();
    try {
        (void)text_source(once.text, "redacted");
    } catch (Error const&) {
        std::abort();
    }
} catch (rocmtune::Error const&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string const text(reinterpret_cast<char const*>(data), size);
    check(text);
    check("rocmtune-host 1\n" + text);
    check("rocmtune-host 1\ncall uname.nodename = forge\nenv HOME=/home/bob\n/home/bob/x " +
          file_body(text) + "\ncall kernel-log " + call_body(text) +
          "\n/sys/a/unique_id = 1b51810ad7d004e2\n");
    return 0;
}
