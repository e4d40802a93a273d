// SPDX-License-Identifier: MIT
// v_cmp and v_cmpx: a bit a lane. Source: AMD's instruction set references, VOPC.
#include <string>
#include <vector>

#include "operations.hpp"

namespace rocmtune::emulator {
namespace {

/// Inactive lanes give 0. v_cmpx also makes the result the mask of active lanes; from gfx10 on it
/// has no other destination.
template <class T, class F, bool sets_exec>
void compare(Wave& wave, Instruction const& it) {
    auto const first = it.operands.size() - 2;
    auto const a = lanes_of<T>(wave, it.operands.at(first));
    auto const b = lanes_of<T>(wave, it.operands.at(first + 1));
    u64 mask = 0;
    for (unsigned lane = 0; lane < most_lanes; ++lane) mask |= u64{F{}(a[lane], b[lane])} << lane;
    mask &= wave.active();
    if (first > 0) set_scalar_mask(wave, it.operands[0], mask);
    if (sets_exec) wave.set_mask(exec, mask);
}

/// NaN is in no relation; the relations that begin with n are their negations.
template <class T, class F>
void add(std::vector<std::pair<std::string, Execute>>& to, std::string const& type,
         char const* relation, F) {
    to.emplace_back("v_cmp_" + std::string(relation) + "_" + type, compare<T, F, false>);
    to.emplace_back("v_cmpx_" + std::string(relation) + "_" + type, compare<T, F, true>);
}

template <class T>
void add_all(std::vector<std::pair<std::string, Execute>>& to, std::string const& type) {
    add<T>(to, type, "eq", [](T a, T b) { return a == b; });
    add<T>(to, type, "lt", [](T a, T b) { return a < b; });
    add<T>(to, type, "le", [](T a, T b) { return a <= b; });
    add<T>(to, type, "gt", [](T a, T b) { return a > b; });
    add<T>(to, type, "ge", [](T a, T b) { return a >= b; });
    if constexpr (std::is_integral_v<T>) {
        add<T>(to, type, "ne", [](T a, T b) { return a != b; });
    } else {
        add<T>(to, type, "lg", [](T a, T b) { return a < b || a > b; });
        add<T>(to, type, "neq", [](T a, T b) { return !(a == b); });
        add<T>(to, type, "nlt", [](T a, T b) { return !(a < b); });
        add<T>(to, type, "nle", [](T a, T b) { return !(a <= b); });
        add<T>(to, type, "ngt", [](T a, T b) { return !(a > b); });
        add<T>(to, type, "nge", [](T a, T b) { return !(a >= b); });
        add<T>(to, type, "nlg", [](T a, T b) { return !(a < b || a > b); });
        add<T>(to, type, "o", [](T a, T b) { return !std::isnan(a) && !std::isnan(b); });
        add<T>(to, type, "u", [](T a, T b) { return std::isnan(a) || std::isnan(b); });
    }
}

std::vector<std::pair<std::string, Execute>> all() {
    std::vector<std::pair<std::string, Execute>> rows;
    add_all<u16>(rows, "u16");
    add_all<i16>(rows, "i16");
    add_all<u32>(rows, "u32");
    add_all<i32>(rows, "i32");
    add_all<u64>(rows, "u64");
    add_all<i64>(rows, "i64");
    add_all<float>(rows, "f32");
    add_all<double>(rows, "f64");
    return rows;
}

}  // namespace

std::span<Operation const> compare_operations() {
    static auto const names = all();
    static auto const rows = [] {
        std::vector<Operation> operations;
        for (auto const& [name, execute] : names) operations.push_back({name, execute});
        return operations;
    }();
    return rows;
}

}  // namespace rocmtune::emulator
