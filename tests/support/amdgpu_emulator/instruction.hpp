// SPDX-License-Identifier: MIT
// One decoded instruction.
#pragma once

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "number_formats.hpp"

namespace rocmtune::emulator {

/// Why a kernel cannot be executed, as a sentence.
struct Failure : std::runtime_error {
    using runtime_error::runtime_error;
};

struct Wave;
struct Instruction;
using Execute = void (*)(Wave&, Instruction const&);

/// Numbers of scalar registers with a name; ttmp0 is 108.
enum ScalarRegister : unsigned {
    flat_scratch = 102,
    xnack_mask = 104,
    vcc = 106,
    ttmp0 = 108,
    m0 = 124,
    null = 125,
    exec = 126,
    scalar_registers = 128
};
/// AGPRs lie behind the VGPRs.
constexpr unsigned first_accumulator = 256;

/// Upper halves of the addresses by which flat instructions reach LDS and private memory: the
/// kernel asks for them.
constexpr u32 shared_aperture = 0x10000;
constexpr u32 private_aperture = 0x20000;

/// Which part of a register an operand means: by SDWA, or by op_sel for 16-bit operands.
enum class Part : u8 { byte0, byte1, byte2, byte3, word0, word1, all };

/// A constant means other bits by the type that an instruction reads.
struct Constant {
    u16 half = 0;
    u32 word = 0;
    u64 integer = 0;  ///< read as 64 bits
    u64 real = 0;     ///< read as fp64
};

struct Operand {
    enum class Kind : u8 { vector, scalar, constant, off, scc, other };
    Kind kind = Kind::other;
    unsigned index = 0;  ///< first register
    Constant constant = {};
    bool absolute = false;
    bool negated = false;
    bool sign_extended = false;
    Part part = Part::all;

    bool is_plain() const { return !absolute && !negated && part == Part::all; }
};

struct Instruction {
    u64 address = 0;
    unsigned bytes = 0;
    std::string text;  ///< as LLVM prints it
    std::string name;  ///< without suffix, as gfx12 calls it
    Execute execute = nullptr;
    std::vector<Operand> operands;
    std::unique_ptr<Instruction> second;  ///< the other half of a VOPD pair

    i64 offset = 0;        ///< bytes; of DS with two addresses in elements, then also
    i64 offset1 = 0;       ///< the second one
    u64 target = 0;        ///< of a branch
    bool returns = false;  ///< an atomic instruction gives what was there before
    bool clamps = false;
    std::array<bool, 4> op_sel{};
    std::array<bool, 4> op_sel_hi{true, true, true, true};
    std::array<bool, 4> neg_lo{};
    std::array<bool, 4> neg_hi{};
    Part destination = Part::all;
    bool keeps_rest = false;  ///< SDWA: the other parts of the destination stay

    // Found on the first way through.
    mutable Instruction const* following = nullptr;
    mutable Instruction const* jump = nullptr;
};

}  // namespace rocmtune::emulator
