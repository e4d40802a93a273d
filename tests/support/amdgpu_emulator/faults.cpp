// SPDX-License-Identifier: MIT
#include "faults.hpp"

#include <cstdlib>
#include <span>
#include <string>

#include "instruction.hpp"

namespace rocmtune::emulator {
namespace {

template <class T>
struct Word {
    std::string_view word;
    T value;
};

constexpr Word<Schedule> schedules[] = {{"in-order", Schedule::in_order},
                                        {"reverse", Schedule::reverse},
                                        {"lockstep", Schedule::lockstep},
                                        {"random", Schedule::random}};
constexpr Word<Fault> faults[] = {{"transposed-layout", Fault::transposed_layout},
                                  {"lost-atomics", Fault::lost_atomics},
                                  {"ignored-barriers", Fault::ignored_barriers}};

template <class T>
T value_of(std::span<Word<T> const> words, std::string_view variable, std::string_view wanted) {
    std::string known;
    for (auto const& it : words) {
        if (it.word == wanted) return it.value;
        known.append(known.empty() ? "" : ", ").append(it.word);
    }
    throw Failure(std::string(variable) + "=" + std::string(wanted) + " is none of: " + known);
}

std::string_view variable(char const* name) {
    char const* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : value;
}

constexpr char const* schedule_variable = "AMDGPU_EMULATOR_SCHEDULE";
constexpr char const* fault_variable = "AMDGPU_EMULATOR_FAULT";

}  // namespace

Schedule schedule_named(std::string_view word) {
    return value_of<Schedule>(schedules, schedule_variable, word);
}

Fault fault_named(std::string_view word) {
    return value_of<Fault>(faults, fault_variable, word);
}

Options options_of_environment() {
    Options options;
    if (auto const word = variable(schedule_variable); !word.empty())
        options.schedule = schedule_named(word);
    if (auto const word = variable(fault_variable); !word.empty())
        options.fault = fault_named(word);
    return options;
}

}  // namespace rocmtune::emulator
