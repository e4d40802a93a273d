// SPDX-License-Identifier: MIT
// A line of LLVM's assembly becomes an instruction.
#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "operands.hpp"
#include "operations.hpp"
#include "program.hpp"

namespace rocmtune::emulator {
namespace {

using Text = std::string_view;

Operation const* find_operation(std::string const& name) {
    static auto const table = [] {
        std::unordered_map<Text, Operation const*> all;
        for (auto const& rows :
             {control_operations(), scalar_operations(), integer_operations(), float_operations(),
              compare_operations(), lane_operations(), memory_operations(), private_operations(),
              lds_operations(), matrix_operations()})
            for (auto const& row : rows) all.emplace(row.name, &row);
        return all;
    }();
    auto const found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

Text trimmed(Text text) {
    auto const begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Pieces between separators that stand in no bracket.
std::vector<Text> split(Text text, char separator) {
    std::vector<Text> pieces;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        bool const end = i == text.size();
        if (!end && (text[i] == '[' || text[i] == '(')) ++depth;
        if (!end && (text[i] == ']' || text[i] == ')')) --depth;
        if (!end && (text[i] != separator || depth > 0)) continue;
        if (auto const piece = trimmed(text.substr(begin, i - begin)); !piece.empty())
            pieces.push_back(piece);
        begin = i + 1;
    }
    return pieces;
}

bool take_suffix(std::string& name, Text suffix) {
    if (!name.ends_with(suffix)) return false;
    name.resize(name.size() - suffix.size());
    return true;
}

// ---- modifiers ----------------------------------------------------------------------------------

Part part_named(Text word) {
    constexpr Text names[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
    auto const* const found = std::find(std::begin(names), std::end(names), word);
    if (found == std::end(names)) throw Failure("part " + std::string(word) + " of a register");
    return static_cast<Part>(found - std::begin(names));
}

/// "[1,0,1]". @return how many there are
std::size_t read_bits(Text list, std::array<bool, 4>& bits) {
    std::size_t count = 0;
    for (char const c : list)
        if ((c == '0' || c == '1') && count < bits.size()) bits[count++] = c == '1';
    return count;
}

/// Of instructions on 16 bits op_sel chooses the half of each source, then of the destination.
void choose_halves(Instruction& it, Text list) {
    auto const count = read_bits(list, it.op_sel);
    bool const packed = it.name.starts_with("v_pk_");
    if (packed || count == 0) return;
    bool const destination = it.op_sel[count - 1];
    for (std::size_t i = 0; i + 1 < count && i + 1 < it.operands.size(); ++i)
        it.operands[i + 1].part = it.op_sel[i] ? Part::word1 : Part::word0;
    it.op_sel[3] = destination;
}

void set_unused(Instruction& it, Text word) {
    it.keeps_rest = word == "UNUSED_PRESERVE";
    if (word == "UNUSED_SEXT") throw Failure("UNUSED_SEXT is not emulated");
}

/// What says how caches behave, which means nothing here, or what the operands say, too.
bool is_hint(Text name) {
    constexpr Text hints[] = {"glc", "slc", "dlc", "sc0", "sc1", "nt", "scope", "th", "offen"};
    return std::find(std::begin(hints), std::end(hints), name) != std::end(hints);
}

/// @throws Failure for what is no number. Patterns of swizzles have names; Program takes their
/// bits.
i64 number_of(Text value) {
    if (value.starts_with("swizzle(")) return 0;
    std::string const word(value);
    char* end = nullptr;
    auto const number = std::strtoll(word.c_str(), &end, 0);
    if (word.empty() || *end != '\0') throw Failure(word + " is no offset");
    return number;
}

void apply_modifier(Instruction& it, Text modifier) {
    auto const colon = modifier.find(':');
    auto const name = modifier.substr(0, colon);
    auto const value = colon == modifier.npos ? Text() : modifier.substr(colon + 1);
    if (name == "offset" || name == "offset0") it.offset = number_of(value);
    else if (name == "offset1") it.offset1 = number_of(value);
    else if (name == "clamp") it.clamps = true;
    else if (name == "op_sel") choose_halves(it, value);
    else if (name == "op_sel_hi") read_bits(value, it.op_sel_hi);
    else if (name == "neg_lo") read_bits(value, it.neg_lo);
    else if (name == "neg_hi") read_bits(value, it.neg_hi);
    else if (name == "dst_sel") it.destination = part_named(value);
    else if (name == "dst_unused") set_unused(it, value);
    else if (name == "src0_sel") it.operands.at(1).part = part_named(value);
    else if (name == "src1_sel") it.operands.at(2).part = part_named(value);
    else if (!is_hint(name)) throw Failure("modifier " + std::string(modifier));
}

bool is_atomic(std::string const& name) {
    return name.find("_atomic_") != name.npos;
}

/// Whether an atomic instruction in memory gives what was there.
bool says_returns(Target const& target, Text modifier) {
    if (modifier.starts_with("th:")) return modifier.find("RETURN") != modifier.npos;
    return modifier == (target.returns_with_sc0 ? "sc0" : "glc");
}

// ---- names --------------------------------------------------------------------------------------

std::string plain_name(Text mnemonic) {
    std::string name(mnemonic);
    for (auto const* suffix : {"_dpp", "_e64_dpp"})
        if (name.ends_with(suffix)) throw Failure("DPP is not emulated");
    if (!take_suffix(name, "_e32") && !take_suffix(name, "_e64")) take_suffix(name, "_sdwa");
    if (name.starts_with("v_dual_")) name.erase(2, 5);
    return name;
}

/// DS instructions say in their names that they return.
bool take_returns(std::string& name) {
    auto const at = name.find("_rtn_");
    if (!name.starts_with("ds_") || at == name.npos) return false;
    name.erase(at, 4);
    return true;
}

bool is_branch(Text name) {
    return name == "s_branch" || name.starts_with("s_cbranch_");
}

void do_nothing(Wave&, Instruction const&) {}

void read_operands(Target const& target, Instruction& it, Text text) {
    std::vector<Text> modifiers;
    for (auto const piece : split(text, ',')) {
        auto const words = split(piece, ' ');
        it.operands.push_back(operand_of(words.front()));
        modifiers.insert(modifiers.end(), words.begin() + 1, words.end());
    }
    for (auto const modifier : modifiers) {
        if (is_atomic(it.name) && says_returns(target, modifier)) it.returns = true;
        apply_modifier(it, modifier);
    }
    if (it.destination != Part::all && it.operands.size() > 3)
        throw Failure("a carry and a part of a register");
}

std::unique_ptr<Instruction> parse_half(Target const& target, Text text, u64 address) {
    text = trimmed(text);
    auto const space = text.find_first_of(" \t");
    auto it = std::make_unique<Instruction>();
    it->address = address;
    it->text = text;
    it->name = plain_name(text.substr(0, space));
    it->returns = take_returns(it->name);
    it->name = current_name(it->name);
    auto const* const operation = find_operation(it->name);
    if (operation == nullptr) throw Failure("the instruction is not emulated");
    it->execute = operation->execute == nullptr ? do_nothing : operation->execute;
    if (operation->execute == nullptr || space == text.npos) return it;
    read_operands(target, *it, text.substr(space));
    if (is_branch(it->name)) {
        auto const words = static_cast<i16>(it->operands.at(0).constant.integer);
        it->target = address + 4 + static_cast<u64>(i64{words} * 4);
    }
    return it;
}

}  // namespace

std::unique_ptr<Instruction> parse_line(Target const& target, std::string const& line,
                                        u64 address) {
    Text text(line);
    for (auto const* comment : {"//", ";"}) text = text.substr(0, text.find(comment));
    try {
        auto const both = text.find("::");
        auto first = parse_half(target, text.substr(0, both), address);
        if (both != text.npos) first->second = parse_half(target, text.substr(both + 2), address);
        return first;
    } catch (Failure const& failure) {
        throw Failure(std::string(trimmed(text)) + ": " + failure.what());
    }
}

}  // namespace rocmtune::emulator
