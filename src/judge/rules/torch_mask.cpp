// SPDX-License-Identifier: MIT
#include "judge/rules/torch_mask.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// PyTorch's stand-in for "all": list(range(64)).
constexpr std::size_t all_devices = 64;

bool has(std::vector<std::string> const& items, std::string_view item) {
    return std::find(items.begin(), items.end(), item) != items.end();
}

std::vector<std::string> range(std::size_t count) {
    std::vector<std::string> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back(fmt::format("{}", i));
    return items;
}

/// What Python's int() makes of a prefix of sign and digits.
struct PythonNumber {
    bool valid = true;     ///< false: int() raises ValueError
    bool negative = true;  ///< also for a text that starts with no number
    std::string digits = {};
};

/// _strtoul: the number that a text starts with, "1gpu2" is 1; -1 if it starts with none. A sign
/// without digits reaches int() and raises.
PythonNumber python_number(std::string_view text) {
    bool const sign = !text.empty() && (text[0] == '+' || text[0] == '-');
    auto digits = text.substr(sign ? 1 : 0);
    digits = digits.substr(0, std::min(digits.find_first_not_of("0123456789"), digits.size()));
    if (digits.empty()) return {.valid = !sign};
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return {.negative = text[0] == '-' && digits != "0", .digits = std::string(digits)};
}

void parse_numbers(std::string_view list, TorchMask& mask) {
    for (auto const token : split(list, ',')) {
        auto const number = python_number(trim(token));
        if (!number.valid) {
            mask.error =
                fmt::format("ValueError: invalid literal for int(): '{}'", printable(trim(token)));
            return mask.items.clear();
        }
        if (number.negative) return;
        if (has(mask.items, number.digits)) return mask.items.clear();  // repeated: an empty set
        mask.items.push_back(number.digits);
    }
}

void parse_uuids(std::string_view list, std::string_view prefix, TorchMask& mask) {
    mask.uuids = true;
    for (auto const token : split(list, ',')) {
        if (has(mask.items, token)) return mask.items.clear();
        if (!token.starts_with(prefix)) return;
        mask.items.emplace_back(token);
    }
}

void parse_list(std::string_view list, TorchMask& mask) {
    for (std::string_view const prefix : {"GPU-", "MIG-"})
        if (list.starts_with(prefix)) return parse_uuids(list, prefix, mask);
    parse_numbers(list, mask);
}

std::size_t token_count(std::string const& list) {
    return split(list, ',').size();
}

/// The one GPU whose serial starts like this, among those that amdsmi lists.
std::optional<std::size_t> only_match(std::string_view start, std::vector<DeviceId> const& listed) {
    std::optional<std::size_t> match;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        if (!listed[i].unique_id.starts_with(start)) continue;
        if (match) return std::nullopt;
        match = i;
    }
    return match;
}

}  // namespace

TorchMask parse_torch_mask(MaskValue const& rocr, MaskValue const& hip, MaskValue const& cuda) {
    TorchMask mask;
    if (rocr && hip && token_count(*hip) > token_count(*rocr)) {
        mask.error =
            "RuntimeError: HIP_VISIBLE_DEVICES contains more devices than ROCR_VISIBLE_DEVICES";
    } else if (hip) {
        mask.variable = "HIP_VISIBLE_DEVICES";
        parse_list(*hip, mask);
    } else if (rocr) {
        mask.variable = "ROCR_VISIBLE_DEVICES";
        mask.items = range(token_count(*rocr));
    } else if (cuda) {
        mask.variable = "CUDA_VISIBLE_DEVICES";
        parse_list(*cuda, mask);
    } else {
        mask.items = range(all_devices);
    }
    return mask;
}

std::size_t torch_count(TorchMask const& mask, std::size_t listed) {
    if (listed == 0) return 0;
    for (std::size_t i = 0; i < mask.items.size(); ++i) {
        constexpr auto huge = std::numeric_limits<std::uint64_t>::max();
        if (to_unsigned(mask.items[i], 10).value_or(huge) >= listed) return i;
    }
    return mask.items.size();
}

std::optional<std::size_t> torch_uuid_count(TorchMask const& mask,
                                            std::vector<DeviceId> const& listed) {
    if (std::any_of(listed.begin(), listed.end(), [](DeviceId const& id) { return !id.known; }))
        return std::nullopt;
    std::vector<std::size_t> found;
    for (std::string_view item : mask.items) {
        // Python's replace("GPU-", "", 1): amdsmi's serial has no such prefix.
        auto const start = item.starts_with("GPU-") ? item.substr(4) : item;
        auto const match = only_match(start, listed);
        if (!match) break;
        if (std::find(found.begin(), found.end(), *match) != found.end()) return 0;
        found.push_back(*match);
    }
    return found.size();
}

}  // namespace rocmtune
