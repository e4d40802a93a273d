// SPDX-License-Identifier: MIT
// The parsers by name. Sources: clr rocclr/utils/flags.cpp (Flag::setValue), ROCr core/util/flag.h
// (Flag::Refresh), libhsakmt openclose.c and topology.c, RCCL src/misc/param.cc, PyTorch
// c10/util/env.cpp, c10/core/AllocatorConfig.cpp and ATen/cuda/tunable/Tunable.cpp, MIOpen env.hpp
// and find_controls.cpp, vLLM envs.py, Triton include/triton/Tools/Sys/GetEnv.hpp and knobs.py,
// the OpenMP specification 5.2, chapter 21.
#include "knowledge/value_parsers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "knowledge/allocator_options.hpp"
#include "knowledge/value_readings.hpp"

namespace rocmtune {
namespace {

using namespace readings;
using std::string_view;

bool is_bool(Variable const& variable) {
    return variable.type == "bool";
}

bool is_number(Variable const& variable) {
    return variable.type == "int" || variable.type == "size";
}

/// An empty value has become a blank before its quotes are looked for.
ReadValue hip_text(string_view text) {
    if (text.empty()) return misread(" ", "an empty value counts as a blank");
    auto const bare = without_quotes(text);
    return bare.size() == text.size() ? as_is(text) : valid(bare);
}

ReadValue hip_flag(Variable const& variable, string_view text) {
    if (is_bool(variable)) {
        auto const number = read_c_number(text, 10);
        return truth(text == "true" || (number.found && number.magnitude != 0), text);
    }
    if (is_number(variable))
        return number(variable, text,
                      {.is_32_bit = variable.type == "int", .empty = Reading::misread});
    return hip_text(text);
}

ReadValue rocr_exact(Variable const& variable, string_view text) {
    if (is_bool(variable)) return exact_truth(variable, text);
    if (is_number(variable)) return number(variable, text, {.is_unsigned = true});
    return variable.type == "enum" ? word(variable, text, LetterCase::exact, Reading::ignored)
                                   : as_is(text);
}

/// One part of "11.0.0" as %u reads it, taken off the text.
std::optional<std::uint64_t> take_part(string_view& text, std::uint64_t most) {
    auto const number = read_c_number(text, 10);
    if (!number.found || (number.negative && number.magnitude > 0) || number.magnitude > most)
        return std::nullopt;
    text = number.rest;
    return number.magnitude;
}

bool take_point(string_view& text) {
    if (!text.starts_with('.')) return false;
    text.remove_prefix(1);
    return true;
}

/// topology.c: major up to 63, minor and stepping up to 255, nothing behind them.
ReadValue gfx_version(string_view text) {
    auto const major = take_part(text, 63);
    auto const minor = major && take_point(text) ? take_part(text, 255) : std::nullopt;
    auto const stepping = minor && take_point(text) ? take_part(text, 255) : std::nullopt;
    if (!stepping || !text.empty())
        return rejected("expected three decimal numbers such as 11.0.0; no GPU is found otherwise");
    return valid(fmt::format("{}.{}.{}", *major, *minor, *stepping));
}

ReadValue thunk(Variable const& variable, string_view text) {
    if (is_bool(variable)) return truth(text != "0", text);
    if (is_number(variable))
        return number(variable, text,
                      {.no_number = Reading::ignored, .out_of_range = Reading::ignored});
    return variable.type == "version" ? gfx_version(text) : as_is(text);
}

ReadValue nccl_param(Variable const& variable, string_view text) {
    if (is_bool(variable) || is_number(variable))
        return number(variable, text, {.base = 0, .overflow = Reading::ignored});
    return as_is(text);
}

ReadValue nccl_text(Variable const& variable, string_view text) {
    if (variable.type == "enum") return word(variable, text, LetterCase::any, Reading::ignored);
    return as_is(text);
}

ReadValue torch_allocator(Variable const& variable, string_view text) {
    if (variable.type == "options") {
        auto const parsed = parse_allocator_options(text);
        if (!parsed.error.empty()) return rejected(parsed.error);
        std::string all;
        for (auto const& option : parsed.options)
            all += fmt::format("{}{}:{}", all.empty() ? "" : ",", option.key, option.value);
        return as_is(all);
    }
    if (is_bool(variable)) {
        if (text == "True" || text == "False") return valid(text == "True" ? "1" : "0");
        return rejected("expected True or False, in this spelling");
    }
    if (is_number(variable))
        return number(variable, text,
                      {.no_number = Reading::rejected,
                       .empty = Reading::rejected,
                       .overflow = Reading::rejected,
                       .out_of_range = Reading::rejected});
    if (variable.type == "float") return real(variable, text, Reading::rejected);
    return word(variable, text, LetterCase::exact, Reading::rejected);
}

ReadValue torch_check_env(Variable const& variable, string_view text) {
    if (is_bool(variable)) return exact_truth(variable, text);
    if (is_number(variable))
        return number(variable, text,
                      {.no_number = Reading::rejected,
                       .empty = Reading::rejected,
                       .overflow = Reading::rejected});
    return variable.type == "enum" ? word(variable, text, LetterCase::any, Reading::ignored)
                                   : as_is(text);
}

/// Older texts use atoi, newer ones stoi, which throws where atoi returns 0.
ReadValue tunableop(Variable const& variable, string_view text) {
    if (is_bool(variable)) return exact_truth(variable, text);
    if (!is_number(variable)) return as_is(text);
    auto const found = read_c_number(text, 10);
    if (!found.found)
        return misread("0", "it is no number: older PyTorch reads 0, newer raises an exception");
    if (found.negative && found.magnitude > 0) return misread("0", "a negative number counts as 0");
    return number(variable, text, {.is_32_bit = true});
}

ReadValue miopen_truth(string_view text) {
    constexpr std::array on{"1", "enable", "enabled", "yes", "on", "true"};
    constexpr std::array off{"0", "disable", "disabled", "no", "off", "false"};
    auto const small = lower(text);
    auto const is = [&](char const* each) { return small == each; };
    if (std::ranges::any_of(on, is)) return valid("1");
    if (std::ranges::any_of(off, is)) return valid("0");
    return rejected("MIOpen throws unless it is 0 or 1, or a word such as enable, off, true");
}

/// Words in any case; else stoul, which throws where there is no number.
ReadValue miopen_enum(Variable const& variable, string_view text) {
    if (text.empty()) return ignored(variable, "it is empty");
    auto known = word(variable, text, LetterCase::any, Reading::rejected);
    if (known.reading == Reading::valid) return known;
    auto const read = read_c_number(text, 10);
    if (!read.found || read.overflow) return rejected(known.note + "; MIOpen throws");
    bool numbered = false;
    for (auto const& listed : variable.words) {
        if (number_of(listed) == read.text()) return valid(word_of(listed));
        numbered = numbered || !number_of(listed).empty();
    }
    return numbered ? ignored(variable, "no word has this number") : valid(read.text());
}

/// One grammar by type of value, whichever of its three names is given.
ReadValue miopen(Variable const& variable, string_view text) {
    if (is_bool(variable)) return miopen_truth(text);
    if (is_number(variable))
        return number(variable, text, {.base = 0, .is_unsigned = true, .empty = Reading::misread});
    return variable.type == "enum" ? miopen_enum(variable, text) : as_is(text);
}

/// Python's int(): blanks around it and a sign, nothing else.
ReadValue python_number(Variable const& variable, string_view text) {
    return number(variable, trim(text),
                  {.no_number = Reading::rejected,
                   .empty = Reading::rejected,
                   .overflow = Reading::rejected,
                   .rest = Reading::rejected});
}

ReadValue vllm_bool(Variable const& variable, string_view text) {
    auto const small = lower(text);
    if (is_bool(variable)) return truth(small == "true" || small == "1", text);
    if (is_number(variable)) return python_number(variable, text);
    return variable.type == "float" ? real(variable, text, Reading::rejected) : as_is(text);
}

ReadValue triton_bool(Variable const& variable, string_view text) {
    auto const small = lower(text);
    // "y" and "yes" only since Triton 3.4.
    if (is_bool(variable))
        return truth(
            small == "1" || small == "on" || small == "true" || small == "y" || small == "yes",
            text);
    return is_number(variable) ? python_number(variable, text) : as_is(text);
}

ReadValue exact_true(Variable const&, string_view text) {
    return truth(text == "TRUE", text);
}

ReadValue devices_rocr(Variable const&, string_view text) {
    return rocr_devices(text);
}

ReadValue devices_hip(Variable const&, string_view text) {
    return hip_devices(text);
}

ReadValue plain_text(Variable const& variable, string_view text) {
    return variable.type == "enum" ? word(variable, text, LetterCase::any, Reading::misread)
                                   : as_is(text);
}

ReadValue path(Variable const&, string_view text) {
    return as_is(text);
}

ReadValue integer(Variable const& variable, string_view text) {
    if (variable.type == "float") return real(variable, text, Reading::misread);
    if (variable.type == "enum") return word(variable, text, LetterCase::exact, Reading::misread);
    return number(variable, text, {});
}

ReadValue real_number(Variable const& variable, string_view text) {
    return real(variable, text, Reading::misread);
}

/// A list of thread counts for nested regions, all at least 1.
ReadValue omp_counts(Variable const& variable, string_view text) {
    std::string all;
    for (auto const& part : split(text, ',')) {
        auto const count = to_unsigned(trim(part), 10);
        if (!count || *count == 0) return ignored(variable, "expected whole numbers above 0");
        all += fmt::format("{}{}", all.empty() ? "" : ",", *count);
    }
    return valid(all);
}

ReadValue omp(Variable const& variable, string_view text) {
    auto const small = lower(trim(text));
    if (is_bool(variable)) {
        if (small == "true" || small == "false") return valid(small == "true" ? "1" : "0");
        return ignored(variable, "expected true or false");
    }
    if (is_number(variable)) return omp_counts(variable, text);
    return variable.type == "enum" ? word(variable, trim(text), LetterCase::any, Reading::ignored)
                                   : as_is(text);
}

struct Row {
    string_view name;
    ReadValue (*read)(Variable const& variable, string_view text);
};

constexpr std::array<Row, value_parser_names.size()> table{{
    {"hip_flag", hip_flag},
    {"rocr_exact", rocr_exact},
    {"thunk", thunk},
    {"nccl_param", nccl_param},
    {"nccl_text", nccl_text},
    {"torch_allocator", torch_allocator},
    {"torch_check_env", torch_check_env},
    {"tunableop", tunableop},
    {"miopen_bool", miopen},
    {"miopen_number", miopen},
    {"miopen_word", miopen},
    {"vllm_bool", vllm_bool},
    {"triton_bool", triton_bool},
    {"exact_true", exact_true},
    {"devices_rocr", devices_rocr},
    {"devices_hip", devices_hip},
    {"text", plain_text},
    {"path", path},
    {"integer", integer},
    {"real", real_number},
    {"omp", omp},
}};

// The names stand in a header of their own for the parser of variables.json.
static_assert(std::ranges::equal(table, value_parser_names, {}, &Row::name));

std::string type_text(std::string_view type) {
    constexpr std::pair<std::string_view, std::string_view> texts[] = {
        {"bool", "a truth value"},
        {"int", "a whole number"},
        {"float", "a number"},
        {"size", "a size"},
        {"enum", "a word"},
        {"path", "a path"},
        {"list", "a list"},
        {"devices", "GPUs with commas between"},
        {"version", "a version such as 11.0.0"},
        {"text", "a text"},
        {"options", "NAME:VALUE with commas between"}};
    for (auto const& [name, text] : texts)
        if (name == type) return std::string(text);
    return std::string(type);
}

/// " (0 or 1)", as this reader takes them.
std::string truth_values(Variable const& variable) {
    auto const off = accepted_spelling(variable, spellings_of_off, "0");
    auto const on = accepted_spelling(variable, spellings_of_on, "1");
    return off.empty() || on.empty() ? std::string() : fmt::format(" ({} or {})", off, on);
}

}  // namespace

ReadValue read_value(Variable const& variable, string_view text) {
    auto const row = std::ranges::find(table, variable.parser, &Row::name);
    return row == table.end() ? as_is(text) : row->read(variable, text);
}

bool means_default(Variable const& variable, string_view text) {
    if (variable.default_value) return means_default(variable, text, *variable.default_value);
    return read_value(variable, text).reading == Reading::ignored;
}

bool means_default(Variable const& variable, string_view text, string_view usual) {
    auto const read = read_value(variable, text);
    if (read.reading == Reading::ignored) return true;
    return read.reading != Reading::rejected && read.meaning == read_value(variable, usual).meaning;
}

JudgedValue const* judged_value(Variable const& variable, string_view value) {
    auto const fits = [&](JudgedValue const& judged) {
        if (!judged.below)
            return judged.any_case ? lower(value) == lower(judged.value) : value == judged.value;
        auto const number = to_unsigned(value, 10);
        return number && std::cmp_less(*number, *judged.below);
    };
    auto const found = std::ranges::find_if(variable.judged_values, fits);
    return found == variable.judged_values.end() ? nullptr : &*found;
}

std::string accepted_values(Variable const& variable) {
    if (variable.kind != "environment" && variable.kind != "allocator") return {};
    if (!variable.words.empty()) return fmt::format("{}", fmt::join(variable.words, ", "));
    auto text = type_text(variable.type);
    if (variable.type == "bool") return text + truth_values(variable);
    if (variable.minimum && variable.maximum)
        return text + fmt::format(" from {} to {}", *variable.minimum, *variable.maximum);
    if (variable.minimum) text += fmt::format(" of at least {}", *variable.minimum);
    if (variable.maximum) text += fmt::format(" of at most {}", *variable.maximum);
    return text;
}

std::string_view accepted_spelling(Variable const& variable,
                                   std::span<std::string_view const> spellings,
                                   std::string_view meaning) {
    for (auto const each : spellings) {
        auto const read = read_value(variable, each);
        if (read.reading == Reading::valid && read.meaning == meaning) return each;
    }
    return {};
}

}  // namespace rocmtune
