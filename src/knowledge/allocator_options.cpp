// SPDX-License-Identifier: MIT
#include "knowledge/allocator_options.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <ranges>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

using Complaint = std::optional<std::string>;

/// The whole text as a number that stoull takes; PyTorch would not look at text behind it either,
/// but nobody means that.
std::optional<std::uint64_t> whole(std::string_view text) {
    return to_unsigned(text, 10);
}

Complaint truth(std::string_view value) {
    if (value == "True" || value == "False") return std::nullopt;
    return "expected True or False, in this spelling";
}

/// PyTorch warns of a bad value and goes on without it.
Complaint anything(std::string_view) {
    return std::nullopt;
}

Complaint count(std::string_view value) {
    if (whole(value)) return std::nullopt;
    return "expected a whole number";
}

/// Blocks over 20 MiB are never split into smaller ones than that (kLargeBuffer). Older versions
/// refuse 20 itself; which one reads the text is not known here.
Complaint split_size(std::string_view value) {
    constexpr std::uint64_t least_mib = 20;
    auto const number = whole(value);
    if (number && *number >= least_mib) return std::nullopt;
    return "expected a whole number of at least 20";
}

Complaint open_fraction(std::string_view value) {
    auto const number = to_real(value);
    if (number && *number > 0 && *number < 1) return std::nullopt;
    return "expected a number between 0 and 1";
}

Complaint fraction(std::string_view value) {
    auto const number = to_real(value);
    if (number && *number >= 0 && *number <= 1) return std::nullopt;
    return "expected a number from 0 to 1";
}

Complaint power_of_two(std::string_view value) {
    auto const number = whole(value);
    if (number && std::has_single_bit(*number)) return std::nullopt;
    return "expected a power of two";
}

Complaint threads(std::string_view value) {
    constexpr std::uint64_t most = 128;
    auto const number = whole(value);
    if (number && std::has_single_bit(*number) && *number <= most) return std::nullopt;
    return "expected a power of two up to 128";
}

Complaint backend(std::string_view value) {
    for (auto const* known : {"native", "cudaMallocAsync", "hipMallocAsync"})
        if (value == known) return std::nullopt;
    return "expected native or cudaMallocAsync";
}

/// One entry of a list: a size in MiB or ">" for the rest, and its divisions.
Complaint interval(std::string_view entry) {
    auto const parts = split_once(entry, ':');
    if (!parts) return "expected SIZE:DIVISIONS in the list";
    auto const size = parts->first;
    auto const divisions = whole(parts->second);
    if (size != ">" && power_of_two(size)) return "expected sizes that are powers of two, or >";
    if (!divisions || (*divisions != 0 && !std::has_single_bit(*divisions)))
        return "expected divisions that are powers of two, or 0";
    return std::nullopt;
}

Complaint divisions(std::string_view value) {
    if (!value.starts_with('[')) return power_of_two(value);
    if (!value.ends_with(']')) return "expected nothing behind the list";
    auto entries = split(value.substr(1, value.size() - 2), ',');
    if (entries.back().empty()) entries.pop_back();
    for (auto const& entry : entries)
        if (auto complaint = interval(entry)) return complaint;
    return std::nullopt;
}

struct Key {
    std::string_view name;
    Complaint (*check)(std::string_view value);
};

constexpr std::array keys{
    Key{"backend", backend},
    Key{"expandable_segments", truth},
    Key{"expandable_segments_reserve", anything},
    Key{"expandable_segments_reserve_by_class", anything},
    Key{"garbage_collection_threshold", open_fraction},
    Key{"graph_capture_record_stream_reuse", truth},
    Key{"large_segment_size_mb", split_size},
    Key{"max_non_split_rounding_mb", split_size},
    Key{"max_split_size_mb", split_size},
    Key{"per_process_memory_fraction", fraction},
    Key{"pinned_free_catch_all", truth},
    Key{"pinned_num_register_threads", threads},
    Key{"pinned_reserve_segment_size_mb", count},
    Key{"pinned_use_background_threads", truth},
    Key{"pinned_use_cuda_host_register", truth},
    Key{"pinned_use_hip_host_register", truth},
    Key{"release_lock_on_cudamalloc", truth},
    Key{"release_lock_on_hipmalloc", truth},
    Key{"roundup_power2_divisions", divisions},
    Key{"throw_on_cudamalloc_oom", truth},
};

/// PyTorch's tokenizer drops white space wherever it stands.
std::string without_blanks(std::string_view text) {
    std::string out;
    for (char const c : text)
        if (std::string_view(" \t\n\v\f\r").find(c) == std::string_view::npos) out += c;
    return out;
}

/// The text up to the end of a value: a list in brackets has commas of its own.
std::size_t value_end(std::string_view rest) {
    auto const begin = rest.starts_with('[') ? rest.find(']') : 0;
    return begin == std::string_view::npos ? begin : std::min(rest.find(',', begin), rest.size());
}

/// The next option, which is taken off the text; or why there is none.
Complaint take_option(std::string_view& rest, AllocatorOption& option) {
    auto const colon = rest.find_first_of(":,[]");
    option.key = std::string(rest.substr(0, colon));
    if (option.key.empty()) return "expected a name of an option";
    if (colon == std::string_view::npos || rest[colon] != ':')
        return fmt::format("expected a colon after {}", printable(option.key));
    rest.remove_prefix(colon + 1);
    auto const end = value_end(rest);
    if (end == std::string_view::npos) return "a list has no closing bracket";
    option.value = std::string(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return std::nullopt;
}

Complaint check(AllocatorOption const& option) {
    auto const key = std::ranges::find(keys, std::string_view(option.key), &Key::name);
    if (key == keys.end()) return fmt::format("{} is no option", printable(option.key));
    auto const complaint =
        option.value.empty() ? Complaint("it has no value") : key->check(option.value);
    if (complaint) return fmt::format("{}: {}", option.key, *complaint);
    return std::nullopt;
}

}  // namespace

std::string const* AllocatorOptions::find(std::string_view key) const {
    auto const last = std::ranges::find(options | std::views::reverse, key, &AllocatorOption::key);
    return last == (options | std::views::reverse).end() ? nullptr : &last->value;
}

AllocatorOptions parse_allocator_options(std::string_view text) {
    AllocatorOptions parsed;
    auto const plain = without_blanks(text);
    // A last comma is nothing to PyTorch; a comma elsewhere needs an option on both sides.
    for (std::string_view rest = plain; !rest.empty();) {
        AllocatorOption option;
        auto complaint = take_option(rest, option);
        if (!complaint) complaint = check(option);
        if (complaint) {
            parsed.error = *std::move(complaint);
            return parsed;
        }
        parsed.options.push_back(std::move(option));
    }
    return parsed;
}

bool is_allocator_variable(std::string_view name) {
    return std::ranges::find(allocator_names, name) != allocator_names.end();
}

bool is_refuted(AllocatorOptions const& parsed) {
    auto const* expandable = parsed.find("expandable_segments");
    return expandable != nullptr && *expandable == "True" &&
           parsed.find("max_split_size_mb") != nullptr;
}

}  // namespace rocmtune
