// SPDX-License-Identifier: MIT
#include "judge/rules/masks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/value_readings.hpp"

namespace rocmtune {
namespace {

std::vector<std::size_t> all_of(std::size_t count) {
    std::vector<std::size_t> indices(count);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
}

bool contains(std::vector<std::size_t> const& indices, std::size_t index) {
    return std::find(indices.begin(), indices.end(), index) != indices.end();
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

}  // namespace rocmtune
