// SPDX-License-Identifier: MIT
// compile_kernel LIBRARY TARGET FILE [DEFINITION...]: compiles a kernel with the hipRTC of a real
// installation, which needs no GPU, and writes the code object to standard output. A process for
// each compilation: hipRTC 5.2 aborts over targets that it does not know.
// Exit 1: it does not compile (the log is on standard error); 2: no hipRTC.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <dlfcn.h>

namespace {

/// hip/hiprtc.h
using Program = void*;

template <class F>
F* function(void* library, char const* name) {
    auto* const found = reinterpret_cast<F*>(::dlsym(library, name));
    if (found != nullptr) return found;
    std::fprintf(stderr, "%s is missing\n", name);
    std::exit(2);
}

std::string content_of(char const* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

int compile(void* library, std::string const& source, std::vector<std::string> const& options) {
    Program program = nullptr;
    if (function<int(Program*, char const*, char const*, int, char const**, char const**)>(
            library, "hiprtcCreateProgram")(&program, source.c_str(), "kernel.hip", 0, nullptr,
                                            nullptr) != 0)
        return 2;
    std::vector<char const*> words;
    for (auto const& option : options) words.push_back(option.c_str());
    auto const error = function<int(Program, int, char const**)>(library, "hiprtcCompileProgram")(
        program, static_cast<int>(words.size()), words.data());
    bool const ok = error == 0;
    auto const* const size_of = ok ? "hiprtcGetCodeSize" : "hiprtcGetProgramLogSize";
    std::size_t size = 0;
    if (function<int(Program, std::size_t*)>(library, size_of)(program, &size) != 0) return 2;
    std::string text(size, '\0');
    auto const* const get = ok ? "hiprtcGetCode" : "hiprtcGetProgramLog";
    if (function<int(Program, char*)>(library, get)(program, text.data()) != 0) return 2;
    std::fwrite(text.data(), 1, text.size(), ok ? stdout : stderr);
    return ok ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    if (count < 4) return 2;
    void* const library = ::dlopen(words[1], RTLD_NOW);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", ::dlerror());
        return 2;
    }
    // As bench/devices/gpu.cpp asks for it.
    std::vector<std::string> options{std::string("--gpu-architecture=") + words[2], "-std=c++17"};
    for (int i = 4; i < count; ++i) options.push_back(std::string("-D") + words[i]);
    return compile(library, content_of(words[3]), options);
}
