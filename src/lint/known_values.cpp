// SPDX-License-Identifier: MIT
// Sources: those of the variables in profiles/variables.json, which every finding names.
#include "lint/known_values.hpp"

#include "base/text.hpp"

namespace rocmtune {
namespace {

template <std::uint64_t limit>
bool below(std::string_view value) {
    auto const number = to_unsigned(value, 10);
    return number && *number < limit;
}

bool is_one(std::string_view value) {
    return value == "1";
}

bool is_zero(std::string_view value) {
    return value == "0";
}

bool is_hundred(std::string_view value) {
    return value == "100";
}

bool is_chatty(std::string_view value) {
    auto const word = lower(value);
    return word == "info" || word == "trace";
}

bool is_quiet_level(std::string_view value) {
    return value == "1" || value == "2";
}

bool is_loopback(std::string_view value) {
    return value == "lo" || value == "=lo";
}

bool is_not_loopback(std::string_view value) {
    return value == "^lo";
}

constexpr auto certain = Certainty::certain;
constexpr auto note = Certainty::note;

constexpr KnownValue rows[] = {
    {"AMD_LOG_LEVEL", is_quiet_level, &debug_left_on, note, "prints errors and warnings of HIP",
     ""},
    {"GPU_MAX_HEAP_SIZE", below<100>, &bad_value, note,
     "HIP reports and allows less memory than the GPU has; the default is all of it", ""},
    {"GPU_SINGLE_ALLOC_PERCENT", below<100>, &bad_value, note,
     "lowers the largest allocation; HIP allows all of the memory when it is not set", ""},
    {"GPU_SINGLE_ALLOC_PERCENT", is_hundred, &redundant_default, note,
     "HIP's own default, except on APUs with little memory, where it takes a safety margin away",
     ""},
    {"NCCL_DEBUG", is_chatty, &debug_left_on, certain,
     "fills logs with lines of every process and channel; for one diagnosis run only",
     "NCCL_DEBUG=WARN"},
    {"NCCL_IB_DISABLE", is_one, &debug_left_on, note,
     "forces plain TCP on clusters with InfiniBand or RoCE; without such cards it changes nothing",
     ""},
    {"NCCL_P2P_DISABLE", is_zero, &redundant_default, certain, "only 1 has an effect", ""},
    {"NCCL_SOCKET_IFNAME", is_loopback, &bad_value, note,
     "several nodes cannot reach each other over lo, and one node does not need it", ""},
    {"NCCL_SOCKET_IFNAME", is_not_loopback, &bad_value, note,
     "lets docker0 and virbr0 in and gives up the preference for ib*: weaker than not set", ""},
    {"TORCH_BLAS_PREFER_HIPBLASLT", is_zero, &redundant_default, note,
     "the same as not set, or a question of speed, by GPU and version of PyTorch; measure both",
     ""},
};

}  // namespace

KnownValue const* find_known_value(std::string_view name, std::string_view value) {
    for (auto const& row : rows)
        if (row.name == name && row.fits(value)) return &row;
    return nullptr;
}

}  // namespace rocmtune
