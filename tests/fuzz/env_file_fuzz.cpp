// SPDX-License-Identifier: MIT
// A file for verify --env-file is read or refused; what was read can be set in an environment.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "judge/verify/input.hpp"
#include "rocmtune/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    try {
        for (auto const& setting :
             verify::settings_of_text({reinterpret_cast<char const*>(data), size}, "fuzzed.env")) {
            if (!is_variable_name(setting.name) || !setting.value) __builtin_trap();
            // A value of one line, in which no shell would expand anything.
            if (setting.value->find('\n') != std::string::npos) __builtin_trap();
        }
    } catch (Error const& error) {
        if (printable(error.what()) != error.what()) __builtin_trap();
    }
    return 0;
}
