// SPDX-License-Identifier: MIT
// Matrix instructions hold their elements where AMD's calculator says (matrix_places.txt): the
// product of one element of A and one of B stands in one place of D and nowhere else.
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "emulator/snippet.hpp"

namespace rocmtune::test {
namespace {

using namespace emulator;

struct Place {
    unsigned number, lane, bit;
};
struct Row {
    unsigned m, k, n;
    Place a, b, d;
};
using Instruction = std::pair<std::string, std::string>;  ///< target and name

std::map<Instruction, std::vector<Row>> all_places() {
    std::map<Instruction, std::vector<Row>> all;
    std::ifstream file(ROCMTUNE_SOURCE_DIR "/tests/emulator/matrix_places.txt");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        Instruction it;
        Row row{};
        words >> it.first >> it.second >> row.m >> row.k >> row.n;
        words >> row.a.number >> row.a.lane >> row.a.bit;
        words >> row.b.number >> row.b.lane >> row.b.bit >> row.d.number >> row.d.lane;
        if (!words) throw std::runtime_error("matrix_places.txt: " + line);
        all[it].push_back(row);
    }
    return all;
}

bool is_wmma(Instruction const& it) {
    return it.second.starts_with("v_wmma");
}
bool has(Instruction const& it, std::string_view word) {
    return it.second.find(word) != std::string::npos;
}

/// Bits of the number 2 in the type of A and B, from their lowest on; of fp64 the upper word.
u32 two_of(Instruction const& it) {
    if (has(it, "fp8")) return it.first == "gfx942" ? 0x48 : 0x40;
    if (has(it, "i8") || has(it, "iu8")) return 2;
    return has(it, "f16") ? 0x4000 : 0x40000000;  // binary16 and bfloat16 alike
}

/// Bits of 4 + 1 in the type of D, of fp64 in its upper word.
u32 five_of(Instruction const& it) {
    if (has(it, "f64")) return 0x40140000;
    return has(it, "_i32_") ? 5 : 0x40A00000;
}
u32 one_of(Instruction const& it) {
    if (has(it, "f64")) return 0x3FF00000;
    return has(it, "_i32_") ? 1 : 0x3F800000;
}

/// C and D lie behind A and B; gfx908 wants them in AGPRs.
unsigned first_result(Instruction const& it) {
    return it.first == "gfx908" ? first_accumulator + 64 : 64;
}

/// A at v0, B at v32, C and D at 64: registers enough for every instruction.
std::string text_of(Instruction const& it) {
    auto const range = [](unsigned first, unsigned count) {
        return "[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
    };
    bool const wide = has(it, "32x32x"), eight = has(it, "fp8") || has(it, "_i8") || has(it, "iu8");
    unsigned operand = has(it, "f64") ? 2 : 1;
    if (is_wmma(it)) operand = (it.first == "gfx1100" ? 8 : 4) / (eight ? 2 : 1);
    else if (eight && !has(it, "8i8") && !has(it, "16i8")) operand = 2;
    else if (has(it, "x8f16") || has(it, "x16f16") || has(it, "_1k") || it.first == "gfx942")
        operand = has(it, "x2_f32") || has(it, "x4_f32") ? 1 : 2;
    unsigned const result = is_wmma(it) || has(it, "f64") ? 8 : wide ? 16 : 4;
    auto const sums = (it.first == "gfx908" ? "a" : "v") + range(64, result);
    return it.second + " " + sums + ", v" + range(0, operand) + ", v" + range(32, operand) + ", " +
           sums + (has(it, "iu8") ? " neg_lo:[1,1,0]\n" : "\n");
}

void set_two(Snippet& code, Instruction const& it, unsigned first, Place place) {
    auto const number = first + place.number + (has(it, "f64") ? 1 : 0);
    code.v(number, place.lane) = two_of(it) << place.bit;
    if (it.first == "gfx1100") code.v(number, place.lane + 16) = two_of(it) << place.bit;
}

/// Every word of D that is not 0, with its value.
std::map<std::pair<unsigned, unsigned>, u32> result_of(Snippet& code, unsigned first) {
    std::map<std::pair<unsigned, unsigned>, u32> found;
    for (unsigned number = 0; number < 32; ++number)
        for (unsigned lane = 0; lane < code.wave->lanes; ++lane)
            if (auto const value = code.v(first + number, lane); value != 0)
                found[{number, lane}] = value;
    return found;
}

/// The product of two elements, added to 1.
void expect_place(Snippet& code, Instruction const& it, Row const& row) {
    auto const first = first_result(it), upper = has(it, "f64") ? 1U : 0U;
    for (auto& lanes : code.wave->vectors) lanes.fill(0);
    set_two(code, it, 0, row.a);
    set_two(code, it, 32, row.b);
    code.v(first + row.d.number + upper, row.d.lane) = one_of(it);
    code.run();
    std::map<std::pair<unsigned, unsigned>, u32> const expected{
        {{row.d.number + upper, row.d.lane}, five_of(it)}};
    EXPECT_EQ(result_of(code, first), expected)
        << it.second << " on " << it.first << ", " << row.m << " " << row.k << " " << row.n;
}

TEST(MatrixInstructions, hold_their_elements_where_the_calculator_says) {
    auto const all = all_places();
    EXPECT_EQ(all.size(), 30U);
    for (auto const& [it, rows] : all) {
        std::string text;
        for (std::size_t i = 0; i < rows.size(); ++i) text += text_of(it) + "s_endpgm\n";
        Snippet code(it.first, text, is_wmma(it) ? 32 : 64);
        for (auto const& row : rows) expect_place(code, it, row);
    }
}

TEST(MatrixInstructions, of_rdna3_want_the_same_in_both_halves_of_the_wave) {
    Snippet code("gfx1100", "v_wmma_f32_16x16x16_f16 v[64:71], v[0:7], v[32:39], v[64:71]", 32);
    code.v(3, 5) = 0x4000;
    EXPECT_THROW(code.run(), Failure);
}

TEST(MatrixInstructions, show_rows_as_columns_where_that_fault_is_wanted) {
    Snippet code("gfx90a", "v_mfma_f32_32x32x8f16 v[64:79], v[0:1], v[32:33], v[64:79]", 64,
                 {.fault = Fault::transposed_layout});
    code.v(0, 3) = code.v(32, 7) = 0x3C00;  // A[3][0] and B[0][7] are 1
    code.run();
    // D[7][3]: register 3, lane 32 + 3
    EXPECT_EQ(result_of(code, 64),
              (std::map<std::pair<unsigned, unsigned>, u32>{{{3, 35}, 0x3F800000}}));
}

}  // namespace
}  // namespace rocmtune::test
