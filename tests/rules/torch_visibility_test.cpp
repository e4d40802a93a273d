// SPDX-License-Identifier: MIT
// Device masks as PyTorch counts by them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/rules/visibility.hpp"
#include "support/visible_host.hpp"

namespace rocmtune::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

struct TorchCase {
    std::size_t gpus;
    Variables variables;
    int count;  ///< -1 unknown
    int count_without_amdsmi;
    char const* devices;
    char const* says = "";  ///< part of the error or of a note
};

void PrintTo(TorchCase const& row, std::ostream* out) {
    *out << row.gpus << ' ' << testing::PrintToString(row.variables);
}

TorchCase const torch_cases[] = {
    {2, {}, 2, 2, "0 1"},
    {0, {}, 0, 0, "none"},
    {3, {{hip_name, "2,0"}}, 2, 2, "2 0"},
    {3, {{hip_name, "0, 1"}}, 2, 1, "0", "counts 2, HIP has 1: using cuda:1 fails"},
    {3, {{hip_name, "1,1"}}, 0, 0, "none", "counts 0 of HIP's 1"},
    {3, {{hip_name, ""}}, 0, 0, "none"},
    {3, {{hip_name, "1gpu2,2x"}}, 2, 0, "none", "using cuda:0 fails"},
    {3, {{hip_name, "0,-1,2"}}, 1, 1, "0"},
    {3, {{hip_name, "0,99999999999999999999999,99999999999999999999998"}}, 1, 1, "0"},
    {3, {{hip_name, "+"}}, -1, -1, "unknown", "ValueError"},
    {3, {{cuda_name, "2"}}, 1, 1, "2"},
    {3, {{hip_name, "0,1"}, {cuda_name, "2"}}, 2, 2, "0 1"},
    {3, {{rocr_name, "2,1"}}, 2, 2, "2 1"},
    {3, {{rocr_name, ""}}, 1, 0, "none", "using cuda:0 fails"},
    {3, {{rocr_name, "2,1"}, {cuda_name, "0"}}, 2, 1, "2", "HIP applies CUDA_VISIBLE_DEVICES too"},
    {3, {{rocr_name, "2"}, {hip_name, "0,1"}}, -1, -1, "unknown", "RuntimeError"},
    {3, {{rocr_name, "2,1"}, {hip_name, "1"}}, 1, 1, "1"},
    {3, {{hip_name, "GPU-00000000000000a2,GPU-00000000000000a0"}}, 2, 2, "2 0"},
    {3, {{hip_name, "GPU-00000000000000a2,GPU-00000000000000a2"}}, 0, 0, "none"},
    {3, {{hip_name, "GPU-00"}}, 0, 1, "none", "counts 0 of HIP's 1"},
    {3, {{hip_name, "GPU-00000000000000a2,1"}}, 1, 2, "2", "counts 1 of HIP's 2"},
};

class TorchVisibility : public testing::TestWithParam<TorchCase> {};

int or_unknown(std::optional<std::uint64_t> const& number) {
    return number ? static_cast<int>(*number) : -1;
}

TEST_P(TorchVisibility, is_counted_as_pytorch_does) {
    auto const& row = GetParam();
    auto const torch = simulate_visibility(host_of(row.gpus), row.variables).pytorch;
    EXPECT_EQ(or_unknown(torch.count), row.count);
    EXPECT_EQ(or_unknown(torch.count_without_amdsmi), row.count_without_amdsmi);
    EXPECT_EQ(text_of(nodes_of(torch.devices)), row.devices);
    auto said = torch.notes;
    said.push_back(torch.error.value_or(""));
    EXPECT_THAT(said, Contains(HasSubstr(row.says)));
}

INSTANTIATE_TEST_SUITE_P(Table, TorchVisibility, testing::ValuesIn(torch_cases));

}  // namespace
}  // namespace rocmtune::test
