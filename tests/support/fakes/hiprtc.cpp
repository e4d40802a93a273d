// SPDX-License-Identifier: MIT
// hipRTC, in libhiprtc.so.N; up to HIP 6 libamdhip64.so.N contains it as well. It compiles nothing:
// its code is a mark and the source, which the fake runtime of the same release takes for a module.
#include <cstring>
#include <new>

#include "fake.hpp"
#include "ledger.hpp"

namespace {

// hiprtcResult
constexpr int success = 0;
constexpr int invalid_program = 4;
constexpr int compilation_error = 6;

struct Program {
    std::string source;
    std::string code;
    std::string log;
};

Program& program_of(void* handle) {
    return *static_cast<Program*>(handle);
}

bool names_target(int count, char const* const* options) {
    for (int i = 0; i < count; ++i)
        if (std::string_view(options[i]).starts_with("--gpu-architecture=gfx")) return true;
    return false;
}

}  // namespace

/// 9.0 in every release so far.
FAKE_EXPORT int hiprtcVersion(int* major, int* minor) {
    FAKE_ENTRY();
    *major = 9;
    *minor = 0;
    return success;
}
FAKE_EXPORT int hiprtcCreateProgram(void** program, char const* source, char const*, int,
                                    char const**, char const**) {
    FAKE_ENTRY();
    *program = new Program{source, {}, {}};
    fake::took("program", *program);
    return success;
}
FAKE_EXPORT int hiprtcCompileProgram(void* program, int count, char const** options) {
    FAKE_ENTRY();
    auto& it = program_of(program);
    if (names_target(count, options)) {
        it.code = fake::code_magic + it.source;
        return success;
    }
    it.log = "error: no --gpu-architecture";
    return compilation_error;
}
FAKE_EXPORT int hiprtcGetProgramLogSize(void* program, std::size_t* bytes) {
    FAKE_ENTRY();
    *bytes = program_of(program).log.size() + 1;
    return success;
}
FAKE_EXPORT int hiprtcGetProgramLog(void* program, char* log) {
    FAKE_ENTRY();
    auto const& text = program_of(program).log;
    std::memcpy(log, text.c_str(), text.size() + 1);
    return success;
}
FAKE_EXPORT int hiprtcGetCodeSize(void* program, std::size_t* bytes) {
    FAKE_ENTRY();
    *bytes = program_of(program).code.size();
    return success;
}
FAKE_EXPORT int hiprtcGetCode(void* program, char* code) {
    FAKE_ENTRY();
    auto const& text = program_of(program).code;
    std::memcpy(code, text.data(), text.size());
    return success;
}
FAKE_EXPORT int hiprtcDestroyProgram(void** program) {
    FAKE_ENTRY();
    if (!fake::gave_back("program", *program)) return invalid_program;
    delete static_cast<Program*>(*program);
    *program = nullptr;
    return success;
}
FAKE_EXPORT char const* hiprtcGetErrorString(int error) {
    switch (error) {
        case success: return "HIPRTC_SUCCESS";
        case invalid_program: return "HIPRTC_ERROR_INVALID_PROGRAM";
        case compilation_error: return "HIPRTC_ERROR_COMPILATION";
        default: return "HIPRTC_ERROR_INTERNAL_ERROR";
    }
}
