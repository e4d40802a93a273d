// SPDX-License-Identifier: MIT
// The tables of what instructions do, and templates that make a row of one from a function of
// numbers: the types of its parameters say how operands are read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "wave.hpp"

namespace rocmtune::emulator {

struct Operation {
    std::string_view name;
    Execute execute;  ///< null: waits and hints, which mean nothing here; operands are not read
};

std::span<Operation const> control_operations();
std::span<Operation const> scalar_operations();
std::span<Operation const> integer_operations();
std::span<Operation const> float_operations();
std::span<Operation const> compare_operations();
std::span<Operation const> lane_operations();
std::span<Operation const> memory_operations();
std::span<Operation const> private_operations();
std::span<Operation const> lds_operations();
std::span<Operation const> matrix_operations();

/// How gfx12 calls an instruction that has had another name before.
std::string current_name(std::string name);

namespace detail {

/// The parameters of a function of numbers.
template <class F>
struct Signature : Signature<decltype(+F{})> {};
template <class R, class... T>
struct Signature<R (*)(T...)> {
    using Result = R;
    static constexpr std::size_t count = sizeof...(T);
    static constexpr auto places = std::index_sequence_for<T...>();

    template <std::size_t... I>
    static std::tuple<Lanes<T>...> lanes(Wave const& wave, Instruction const& it,
                                         std::size_t around, std::index_sequence<I...>) {
        return {lanes_of<T>(wave, it.operands.at((1 + I) % around))...};
    }
    template <class F, std::size_t... I>
    static R on_scalars(F f, Wave const& wave, Instruction const& it, std::size_t first,
                        std::index_sequence<I...>) {
        return f(scalar_value<T>(wave, it.operands.at(first + I))...);
    }
};

/// f of the operands behind the first, lane by lane. `into`: the last source is the destination.
template <class F>
auto on_lanes(F f, Wave const& wave, Instruction const& it, bool into) {
    using S = Signature<F>;
    auto const sources = S::lanes(wave, it, S::count + (into ? 0 : 1), S::places);
    Lanes<typename S::Result> results;
    for (unsigned lane = 0; lane < most_lanes; ++lane)
        results[lane] =
            std::apply([&](auto const&... source) { return f(source[lane]...); }, sources);
    return results;
}

template <class F>
auto on_scalars(F f, Wave const& wave, Instruction const& it, std::size_t first) {
    using S = Signature<F>;
    return S::on_scalars(f, wave, it, first, S::places);
}

}  // namespace detail

/// A vector instruction: the first operand becomes f of the others, lane by lane.
template <class F>
constexpr Execute vector(F) {
    return [](Wave& wave, Instruction const& it) {
        put(wave, it, detail::on_lanes(F{}, wave, it, false));
    };
}

/// The same where the last source is the destination.
template <class F>
constexpr Execute vector_into(F) {
    return [](Wave& wave, Instruction const& it) {
        put(wave, it, detail::on_lanes(F{}, wave, it, true));
    };
}

/// A scalar instruction that leaves SCC alone.
template <class F>
constexpr Execute scalar(F) {
    return [](Wave& wave, Instruction const& it) {
        set_scalar(wave, it.operands.at(0), detail::on_scalars(F{}, wave, it, 1));
    };
}

/// One after which SCC tells whether the result is not 0.
template <class F>
constexpr Execute scalar_tested(F) {
    return [](Wave& wave, Instruction const& it) {
        auto const result = detail::on_scalars(F{}, wave, it, 1);
        set_scalar(wave, it.operands.at(0), result);
        wave.scc = result != 0;
    };
}

/// A result and what becomes of SCC: a carry, an overflow, which of two was taken.
template <class T>
struct Flagged {
    T value;
    bool scc;
};
template <class F>
constexpr Execute scalar_flagged(F) {
    return [](Wave& wave, Instruction const& it) {
        auto const result = detail::on_scalars(F{}, wave, it, 1);
        set_scalar(wave, it.operands.at(0), result.value);
        wave.scc = result.scc;
    };
}

/// A comparison, whose result is SCC.
template <class F>
constexpr Execute scalar_compared(F) {
    return
        [](Wave& wave, Instruction const& it) { wave.scc = detail::on_scalars(F{}, wave, it, 0); };
}

}  // namespace rocmtune::emulator
