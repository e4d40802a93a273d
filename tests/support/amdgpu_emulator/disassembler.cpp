// SPDX-License-Identifier: MIT
#include "disassembler.hpp"

#include <cstdio>

#include <dlfcn.h>

#include "instruction.hpp"

namespace rocmtune::emulator {
namespace {

/// llvm-c/Disassembler.h, llvm-c/Target.h
struct Functions {
    void* (*create)(char const* triple, char const* cpu, void* info, int tag_type, void* get_info,
                    void* look_up);
    std::size_t (*disassemble)(void* context, u8* bytes, u64 size, u64 address, char* text,
                               std::size_t text_size);
    void (*dispose)(void* context);
};

template <class F>
F* function(void* library, char const* name) {
    auto* const found = reinterpret_cast<F*>(::dlsym(library, name));
    if (found == nullptr) throw Failure(std::string("libLLVM has no ") + name);
    return found;
}

Functions load() {
    void* const library = ::dlopen("libLLVM.so.19.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw Failure(::dlerror());
    for (auto const* name : {"LLVMInitializeAMDGPUTargetInfo", "LLVMInitializeAMDGPUTarget",
                             "LLVMInitializeAMDGPUTargetMC", "LLVMInitializeAMDGPUDisassembler"})
        function<void()>(library, name)();
    return {function<std::remove_pointer_t<decltype(Functions::create)>>(library,
                                                                         "LLVMCreateDisasmCPU"),
            function<std::remove_pointer_t<decltype(Functions::disassemble)>>(
                library, "LLVMDisasmInstruction"),
            function<std::remove_pointer_t<decltype(Functions::dispose)>>(library,
                                                                          "LLVMDisasmDispose")};
}

Functions const& llvm() {
    static auto const functions = load();
    return functions;
}

}  // namespace

Disassembler::Disassembler(std::string const& target)
    : context_(llvm().create("amdgcn-amd-amdhsa", target.c_str(), nullptr, 0, nullptr, nullptr)) {
    if (context_ == nullptr) throw Failure("LLVM has no disassembler for " + target);
}

Disassembler::~Disassembler() {
    llvm().dispose(context_);
}

Disassembler::Line Disassembler::read(std::span<u8> code, u64 address) const {
    std::array<char, 512> text;
    auto const bytes =
        llvm().disassemble(context_, code.data(), code.size(), address, text.data(), text.size());
    if (bytes != 0) return {text.data(), static_cast<unsigned>(bytes)};
    std::snprintf(text.data(), text.size(), "%02x%02x%02x%02x at %#llx is no instruction", code[3],
                  code[2], code[1], code[0], static_cast<unsigned long long>(address));
    throw Failure(text.data());
}

}  // namespace rocmtune::emulator
