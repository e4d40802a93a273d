// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <cstring>

namespace rocmtune::emulator {

Instruction const& Program::at(u64 address) {
    if (auto const found = instructions_.find(address); found != instructions_.end())
        return *found->second;
    // Where no code is, the fault shows here and not while LLVM is busy. Compilers put padding
    // behind a kernel, so that one may read beyond its last instruction.
    std::array<u8, most_code_bytes> code;
    std::memcpy(code.data(), reinterpret_cast<void const*>(address), code.size());
    auto const line = disassembler_.read(code, address);
    auto made = parse_line(target_, line.text, address);
    made->bytes = line.bytes;
    if (made->name == "ds_swizzle_b32") made->offset = code[0] | code[1] << 8;
    return *(instructions_[address] = std::move(made));
}

}  // namespace rocmtune::emulator
