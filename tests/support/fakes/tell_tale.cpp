// SPDX-License-Identifier: MIT
// A library that tells that it was loaded, by a line in the file FAKE_TELL_TALE; or one that needs
// another, built with FAKE_FUNCTION, the name of its function, and FAKE_NEEDED, that of the other.
#include <cstdio>
#include <cstdlib>

#define EXPORTED extern "C" __attribute__((visibility("default")))

#ifdef FAKE_NEEDED

EXPORTED int FAKE_NEEDED();
EXPORTED int FAKE_FUNCTION();

int FAKE_FUNCTION() {
    return FAKE_NEEDED();
}

#else

EXPORTED int tell_tale();

int tell_tale() {
    return 1;
}

namespace {

__attribute__((constructor)) void tell() {
    char const* const path = std::getenv("FAKE_TELL_TALE");
    auto* const file = path == nullptr ? nullptr : std::fopen(path, "ae");
    if (file == nullptr) return;
    std::fputs("loaded\n", file);
    std::fclose(file);
}

}  // namespace

#endif
