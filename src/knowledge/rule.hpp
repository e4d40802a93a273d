// SPDX-License-Identifier: MIT
// Recommendations as profiles state them: a setting, who says so, and the condition on a host.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "rocmtune/recommendation.hpp"

namespace rocmtune {

struct Citation;

enum class ConditionKind : std::uint8_t {
    all,          ///< every child holds; true without children
    any,          ///< some child holds; false without children
    negation,     ///< its only child does not hold
    field,        ///< a fact of Gpu or Host, by its key in visit_fields
    package,      ///< version of an installed Python package
    package_hip,  ///< version of HIP that such a package was built with
    version,  ///< version of "rocm" (the installation in use) or "hip" (the runtime that answered)
    installed,  ///< a ROCm library, "librccl"
    count,      ///< how many entries a list has; of GPUs those for which the child holds
    line,       ///< a line of the text that is diagnosed matches the RE2 expression
    said,       ///< a value that a message of that text names, such as "gfx"
};

enum class Comparison : std::uint8_t {
    is,           ///< equal to the operand
    in,           ///< equal to one of the operands
    at_least,     ///< as a number, or component by component as a version
    below,        ///< likewise
    starts_with,  ///< as text
    contains,     ///< a list of texts has the operand
    present,      ///< there is a value ("true") or the host lacks it ("false")
};

/// One node of a condition. A condition is an array of nodes, parents before their children.
struct Condition {
    ConditionKind kind = ConditionKind::all;
    Comparison comparison = Comparison::is;  ///< of a leaf
    bool of_gpu = false;                     ///< field: of Gpu, else of Host
    std::string_view name = {};   ///< field, package, component, library, list, expression or group
    std::string_view entry = {};  ///< key of an entry, if the field is a map; said: the fact that
                                  ///< has the value among its own, if that is asked
    std::span<std::string_view const> operands = {};
    std::uint32_t size = 1;  ///< nodes of this subtree, itself included
};

/// In which versions of a component a rule holds. Empty text: not stated.
struct RuleValidity {
    std::string_view kind;     ///< known, observed or unknown
    std::string_view of;       ///< "rocm", "hip" or a Python package; empty: versions do not matter
    std::string_view since;    ///< first version, inclusive
    std::string_view until;    ///< first version in which it no longer holds
    std::string_view checked;  ///< newest version whose text was read
    std::span<std::string_view const> versions;  ///< versions it was observed in
};

/// One object of "recommendations".
struct Rule {
    std::string_view id;       ///< unique among all profiles
    std::string_view profile;  ///< stem of its file: it holds for the chips that inherit from it
    std::string_view file;
    std::string_view pointer;
    bool everywhere = false;  ///< of the root of all profiles: also for chips without profile
    bool per_gpu = false;     ///< the condition has facts of a GPU outside a count
    std::string_view name;
    std::string_view value;       ///< as it is to be set; empty if it depends on the host
    std::string_view value_from;  ///< a word of value_words; empty if the value is fixed
    SettingKind kind = SettingKind::environment;
    Level level = Level::aggressive;
    std::span<Workload const> workloads;           ///< empty: every workload
    std::span<FrameworkChoice const> frameworks;   ///< empty: whatever is installed
    std::span<std::string_view const> unless_set;  ///< variables that it must not meet
    std::span<Condition const> when;               ///< empty: always
    std::string_view why;
    RuleValidity validity;
    std::string_view confidence;  ///< documented, source or observed
    std::string_view verify_with;
    std::span<Citation const* const> sources;  ///< never empty
};

/// What a value may be made of; judge/rules/gates.cpp has the function of each.
inline constexpr std::array<std::string_view, 5> value_words{
    "selected-gpus",        ///< ROCr's tokens for the selected GPUs
    "discrete-gpus",        ///< the same without the processors' own graphics
    "cores-per-gpu",        ///< cores that the process may use, divided by selected GPUs
    "ttm-pages-limit",      ///< pages of 4 KiB that make all memory of an APU host available to it
    "shared-memory-pages",  ///< the same that leave the system its part, where the limit is lower
};

}  // namespace rocmtune
