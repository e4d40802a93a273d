// SPDX-License-Identifier: MIT
// The list of a folder of data: any bytes are a list that has all files of the program, each beside
// it, or are refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "knowledge/data_in_force.hpp"
#include "rocmtune/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    try {
        auto const manifest =
            parse_manifest(data_manifest_name, {reinterpret_cast<char const*>(data), size});
        for (auto const& name : data_file_names())
            if (!manifest.files.contains(name)) std::abort();
        for (auto const& [name, sum] : manifest.files)
            if (name.find('/') != name.npos || name == "..") std::abort();
    } catch (Error const&) {
        // Refused, with a reason.
    }
    return 0;
}
