// SPDX-License-Identifier: MIT
// hipRTC, in libhiprtc.so.N; up to HIP 6 libamdhip64.so.N contains it as well.
#include "fake.hpp"

namespace {
constexpr int compilation_error = 6;  // HIPRTC_ERROR_COMPILATION
}

/// 9.0 in every release so far.
FAKE_EXPORT int hiprtcVersion(int* major, int* minor) {
    FAKE_ENTRY();
    *major = 9;
    *minor = 0;
    return 0;
}
FAKE_EXPORT int hiprtcCreateProgram(void** program, char const*, char const*, int, char const**,
                                    char const**) {
    FAKE_ENTRY();
    static int only_program = 0;
    *program = &only_program;
    return 0;
}
/// Compiles nothing: what a fake would return is no code object.
FAKE_EXPORT int hiprtcCompileProgram(void*, int, char const**) {
    FAKE_ENTRY();
    return compilation_error;
}
FAKE_EXPORT int hiprtcDestroyProgram(void**) {
    FAKE_ENTRY();
    return 0;
}
FAKE_EXPORT char const* hiprtcGetErrorString(int error) {
    return error == 0 ? "HIPRTC_SUCCESS" : "HIPRTC_ERROR_COMPILATION";
}
