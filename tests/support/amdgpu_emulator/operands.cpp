// SPDX-License-Identifier: MIT
#include "operands.hpp"

#include <cstdlib>
#include <optional>
#include <string>

namespace rocmtune::emulator {
namespace {

struct Named {
    std::string_view name;
    unsigned index;
};
constexpr Named named_registers[] = {
    {"vcc", vcc},
    {"vcc_lo", vcc},
    {"vcc_hi", vcc + 1},
    {"exec", exec},
    {"exec_lo", exec},
    {"exec_hi", exec + 1},
    {"flat_scratch", flat_scratch},
    {"flat_scratch_lo", flat_scratch},
    {"flat_scratch_hi", flat_scratch + 1},
    {"xnack_mask", xnack_mask},
    {"xnack_mask_lo", xnack_mask},
    {"xnack_mask_hi", xnack_mask + 1},
    {"m0", m0},
    {"null", null},
};

struct File {
    std::string_view prefix;
    Operand::Kind kind;
    unsigned first;
};
constexpr File files[] = {
    {"ttmp", Operand::Kind::scalar, ttmp0},
    {"v", Operand::Kind::vector, 0},
    {"a", Operand::Kind::vector, first_accumulator},
    {"s", Operand::Kind::scalar, 0},
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// "v7", "v[7:8]"
std::optional<Operand> numbered_register(std::string_view text) {
    for (auto const& file : files) {
        if (!text.starts_with(file.prefix)) continue;
        auto number = text.substr(file.prefix.size());
        if (number.starts_with('[')) number.remove_prefix(1);
        if (number.empty() || !is_digit(number.front())) continue;
        return Operand{file.kind,
                       file.first + static_cast<unsigned>(std::atoi(std::string(number).c_str()))};
    }
    return std::nullopt;
}

std::optional<Operand> register_of(std::string_view text) {
    for (auto const& it : named_registers)
        if (text == it.name) return Operand{Operand::Kind::scalar, it.index};
    if (text == "scc" || text == "src_scc") return Operand{Operand::Kind::scc};
    if (text == "off") return Operand{Operand::Kind::off};
    return numbered_register(text);
}

/// Bases of apertures are read as 64 bits.
std::optional<Constant> aperture_of(std::string_view text) {
    if (text == "src_shared_base") return Constant{.integer = u64{shared_aperture} << 32};
    if (text == "src_private_base") return Constant{.integer = u64{private_aperture} << 32};
    return std::nullopt;
}

std::optional<Constant> real_of(std::string const& text) {
    char* end = nullptr;
    auto const value = std::strtod(text.c_str(), &end);
    if (*end != '\0' || text.find('.') == text.npos) return std::nullopt;
    auto const single = std::strtof(text.c_str(), nullptr);
    auto const bits = std::bit_cast<u64>(value);
    return Constant{to_half(single).bits, std::bit_cast<u32>(single), bits, bits};
}

/// A literal, which LLVM prints as hexadecimal, has 32 bits: the upper ones of fp64, without a sign
/// of 64-bit integers. Small numbers of the instruction itself have a sign and are no fp64.
std::optional<Constant> integer_of(std::string const& text) {
    char* end = nullptr;
    auto const value = static_cast<u64>(std::strtoll(text.c_str(), &end, 0));
    if (text.empty() || *end != '\0') return std::nullopt;
    auto const word = static_cast<u32>(value);
    bool const literal = text.starts_with("0x");
    return Constant{static_cast<u16>(value), word, value, literal ? u64{word} << 32 : value};
}

/// Takes what stands around an operand. @return whether something stood there
bool unwrap(std::string_view& text, std::string_view before, std::string_view after) {
    if (!text.starts_with(before) || !text.ends_with(after)) return false;
    text.remove_prefix(before.size());
    text.remove_suffix(after.size());
    return true;
}

}  // namespace

Operand operand_of(std::string_view text) {
    Operand modifiers;
    modifiers.sign_extended = unwrap(text, "sext(", ")");
    bool const minus = text.starts_with('-') && text.size() > 1 && !is_digit(text[1]);
    modifiers.negated = unwrap(text, "neg(", ")") || (minus && unwrap(text, "-", ""));
    modifiers.absolute = unwrap(text, "|", "|") || unwrap(text, "abs(", ")");
    unwrap(text, "lit(", ")");

    Operand result;
    std::string const word(text);
    auto constant = aperture_of(text);
    if (!constant) constant = real_of(word);
    if (!constant) constant = integer_of(word);
    if (auto const found = register_of(text)) result = *found;
    else if (constant) result = {Operand::Kind::constant, 0, *constant};
    result.sign_extended = modifiers.sign_extended;
    result.negated = modifiers.negated;
    result.absolute = modifiers.absolute;
    return result;
}

}  // namespace rocmtune::emulator
