// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "base/text.hpp"
#include "judge/rules/masks.hpp"
#include "knowledge/value_readings.hpp"

namespace rocmtune {
namespace {

std::vector<std::size_t> all_of(std::size_t count) {
    std::vector<std::size_t> indices(count);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
}

bool contains(std::vector<std::size_t> const& indices, std::size_t index) {
    return std::ranges::find(indices, index) != indices.end();
}

std::string range_text(std::size_t count) {
    if (count == 0) return "there is no GPU to choose from";
    return count == 1 ? "the only GPU is 0" : fmt::format("the GPUs are 0 to {}", count - 1);
}

/// Ends a list with the reason why, and says if tokens are lost by it.
void stop(MaskSelection& selection, std::string_view who, std::string_view token,
          std::string_view why, bool more) {
    selection.notes.push_back(fmt::format("{} stops at '{}': {}{}", who, printable(token), why,
                                          more ? "; what follows is ignored" : ""));
}

// ---- ROCr ---------------------------------------------------------------------------------------

/// Parts as std::getline yields them: no empty part after a last comma.
std::vector<std::string_view> rocr_tokens(std::string_view value) {
    auto tokens = split(value, ',');
    if (!tokens.empty() && tokens.back().empty()) tokens.pop_back();
    return tokens;
}

/// Why a token is not taken; empty if it is.
struct Choice {
    std::optional<std::size_t> index = {};
    std::string why = {};
    bool unknown = false;
};

/// RvdFilter::ProcessUuidToken: a prefix of one device's UUID, of 5 to 20 characters.
Choice rocr_uuid(std::string const& token, std::vector<DeviceId> const& devices) {
    if (token.size() < 5 || token.size() > 20)
        return {.why = "a UUID has 5 to 20 characters, GPU- included"};
    Choice choice{.why = "no GPU has this UUID"};
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (!devices[i].known) return {.why = "a GPU's UUID is not known here", .unknown = true};
        if (devices[i].unique_id.empty()) continue;
        if (!upper("GPU-" + devices[i].unique_id).starts_with(token)) continue;
        if (choice.index) return {.why = "several GPUs match this UUID"};
        choice = {.index = i};
    }
    return choice;
}

/// strtol base 0 into an int32_t: 0x1 and 010 are numbers, 4294967297 is 1.
Choice rocr_number(std::string const& token, std::size_t count) {
    char* end = nullptr;
    auto const number = static_cast<std::int32_t>(std::strtol(token.c_str(), &end, 0));
    if (*end != '\0') return {.why = "it is no number and no UUID"};
    if (number < 0 || static_cast<std::size_t>(number) >= count) return {.why = range_text(count)};
    return {.index = static_cast<std::size_t>(number)};
}

Choice rocr_choice(std::string const& token, std::vector<DeviceId> const& devices,
                   std::vector<std::size_t> const& taken) {
    auto choice =
        token.front() == 'G' ? rocr_uuid(token, devices) : rocr_number(token, devices.size());
    if (choice.index && contains(taken, *choice.index)) return {.why = "it is listed before"};
    return choice;
}

/// std::string::at(0) of an empty token throws, and hsa_init fails.
MaskSelection rocr_failure() {
    MaskSelection failed{.decided = true};
    failed.notes.emplace_back("an empty token in ROCR_VISIBLE_DEVICES makes ROCr fail to start");
    return failed;
}

// ---- HIP ----------------------------------------------------------------------------------------

/// Flag::init: unset is empty, and a set but empty value becomes a blank.
std::string_view flag_text(MaskValue const& value) {
    if (!value) return {};
    return value->empty() ? std::string_view(" ") : readings::without_quotes(*value);
}

/// The text that HSA_AMD_AGENT_INFO_UUID gives.
std::string agent_uuid(DeviceId const& device) {
    return device.unique_id.empty() ? "GPU-XX" : "GPU-" + device.unique_id;
}

Choice hip_uuid(std::string_view token, std::vector<DeviceId> const& devices) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (!devices[i].known) return {.why = "a GPU's UUID is not known here", .unknown = true};
        if (agent_uuid(devices[i]).find(token) != std::string::npos) return {.index = i};
    }
    return {.why = "no visible GPU has this UUID (HIP wants lower case)"};
}

std::string hip_complaint(std::string_view token, std::size_t count) {
    if (token.empty()) return "it is empty";
    if (trim(token).size() != token.size()) return "a blank is no part of a number";
    auto const number = to_unsigned(token, 10);
    if (number && fmt::format("{}", *number) == token) return range_text(count);
    return "it is no plain decimal number";
}

/// Only the canonical text of an index counts: HIP compares with std::to_string.
Choice hip_choice(std::string_view token, std::vector<DeviceId> const& devices) {
    if (token.find("GPU-") != token.npos) return hip_uuid(token, devices);
    auto const number = to_unsigned(token, 10);
    if (!number || *number >= devices.size() || fmt::format("{}", *number) != token)
        return {.why = hip_complaint(token, devices.size())};
    return {.index = static_cast<std::size_t>(*number)};
}

void read_hip_list(std::string_view list, std::vector<DeviceId> const& devices,
                   MaskSelection& selection) {
    auto tokens = split(list, ',');
    if (tokens.size() > 1 && tokens.back().empty()) tokens.pop_back();
    for (auto const& token : tokens) {
        auto const choice = hip_choice(token, devices);
        selection.unknown = choice.unknown;
        if (!choice.index)
            return stop(selection, "HIP", token, choice.why, &token != &tokens.back());
        if (!contains(selection.indices, *choice.index)) selection.indices.push_back(*choice.index);
        else selection.notes.push_back(fmt::format("HIP skips '{}': it is listed before", token));
    }
}

std::string empty_note(bool cuda) {
    return fmt::format(
        "{}_VISIBLE_DEVICES is set but empty, which hides every GPU (none in ROCm 5.2)",
        cuda ? "CUDA" : "HIP");
}

/// PyTorch's stand-in for "all": list(range(64)).
constexpr std::size_t all_devices = 64;

bool has(std::vector<std::string> const& items, std::string_view item) {
    return std::ranges::find(items, item) != items.end();
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

MaskSelection select_rocr(MaskValue const& rocr, std::vector<DeviceId> const& devices) {
    if (!rocr) return {.indices = all_of(devices.size())};
    MaskSelection selection{.decided = true};
    if (rocr->empty())
        selection.notes.emplace_back(
            "ROCR_VISIBLE_DEVICES is set but empty, which hides every GPU");
    auto const tokens = rocr_tokens(*rocr);
    auto const read = std::min(tokens.size(), devices.size());
    for (std::size_t i = 0; i < read; ++i) {
        auto const token = upper(trim(tokens[i]));
        if (token.empty()) return rocr_failure();
        auto const choice = rocr_choice(token, devices, selection.indices);
        selection.unknown = choice.unknown;
        if (!choice.index)
            return stop(selection, "ROCr", tokens[i], choice.why, i + 1 < tokens.size()), selection;
        selection.indices.push_back(*choice.index);
    }
    if (tokens.size() > read)
        selection.notes.push_back(fmt::format(
            "ROCr reads as many tokens as there are GPUs ({}) and ignores the rest", read));
    return selection;
}

HipSelection select_hip(MaskValue const& hip, MaskValue const& cuda,
                        std::vector<DeviceId> const& devices) {
    HipSelection selection;
    auto const own = flag_text(hip);
    selection.reads_cuda = own.empty() && cuda.has_value();
    auto const list = own.empty() ? flag_text(cuda) : own;
    selection.decided = !list.empty();
    if (!selection.decided) return selection.indices = all_of(devices.size()), selection;
    auto const& value = selection.reads_cuda ? cuda : hip;
    if (value->empty()) selection.notes.push_back(empty_note(selection.reads_cuda));
    else read_hip_list(list, devices, selection);
    if (!selection.reads_cuda && cuda)
        selection.notes.emplace_back(
            "HIP does not read CUDA_VISIBLE_DEVICES, as HIP_VISIBLE_DEVICES is set");
    return selection;
}

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
    if (std::ranges::any_of(listed, [](DeviceId const& id) { return !id.known; }))
        return std::nullopt;
    std::vector<std::size_t> found;
    for (std::string_view item : mask.items) {
        // Python's replace("GPU-", "", 1): amdsmi's serial has no such prefix.
        auto const start = item.starts_with("GPU-") ? item.substr(4) : item;
        auto const match = only_match(start, listed);
        if (!match) break;
        if (std::ranges::find(found, *match) != found.end()) return 0;
        found.push_back(*match);
    }
    return found.size();
}

}  // namespace rocmtune
