// SPDX-License-Identifier: MIT
// Device masks as ROCr, HIP and PyTorch read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "judge/rules/visibility.hpp"
#include "knowledge/catalogue.hpp"
#include "support/visible_host.hpp"

namespace rocmtune::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Variables = std::map<std::string, std::string>;

// ---- the table ----------------------------------------------------------------------------------

/// Masks over GPUs whose ids are ...a0, ...a1, and so on; what each runtime shows, as KFD
/// positions.
struct Case {
    std::size_t gpus;
    Variables variables;
    char const* rocr;
    char const* hip;
    char const* note = "";  ///< part of one of the notes of ROCr or HIP
};

void PrintTo(Case const& row, std::ostream* out) {
    *out << row.gpus << ' ' << testing::PrintToString(row.variables);
}

Case const cases[] = {
    {0, {}, "none", "none"},
    {3, {}, "0 1 2", "0 1 2"},
    {2, {{"ROCR_VISIBLE_DEVICE", "0"}}, "0 1", "0 1"},
    // ROCr
    {3, {{rocr_name, "2,0"}}, "2 0", "2 0"},
    {3, {{rocr_name, ""}}, "none", "none", "set but empty"},
    {3, {{rocr_name, " 1 ,\t0x2"}}, "1 2", "1 2"},
    {9, {{rocr_name, "010"}}, "8", "8"},
    {2, {{rocr_name, "1,1,0"}}, "1", "1", "ROCr stops at '1': it is listed before; what follows"},
    {2, {{rocr_name, "0,2"}}, "0", "0", "the GPUs are 0 to 1"},
    {1, {{rocr_name, "0,x"}}, "0", "0", "as many tokens as there are GPUs (1)"},
    {2, {{rocr_name, "-1"}}, "none", "none"},
    {2, {{rocr_name, "4294967297"}}, "1", "1"},
    {2, {{rocr_name, "0,"}}, "0", "0"},
    {2, {{rocr_name, ","}}, "none", "none", "fail to start"},
    {3, {{rocr_name, "0,,1"}}, "none", "none", "fail to start"},
    {0, {{rocr_name, ","}}, "none", "none"},
    {3, {{rocr_name, "gpu-00000000000000A1,0"}}, "1 0", "1 0"},
    {2, {{rocr_name, "GPU-00"}}, "none", "none", "several GPUs match"},
    {1, {{rocr_name, "GPU-0"}}, "0", "0"},
    {1, {{rocr_name, "GPU-"}}, "none", "none", "5 to 20 characters"},
    {2, {{rocr_name, "GPU-00000000000000a9"}}, "none", "none", "no GPU has this UUID"},
    // HIP
    {3, {{hip_name, "2,0"}}, "0 1 2", "2 0"},
    {3, {{hip_name, ""}}, "0 1 2", "none", "set but empty"},
    {3, {{hip_name, "0, 1"}}, "0 1 2", "0", "HIP stops at ' 1': a blank is no part of a number"},
    {3, {{hip_name, "1,1,2"}}, "0 1 2", "1 2", "HIP skips '1'"},
    {3, {{hip_name, "01"}}, "0 1 2", "none", "no plain decimal number"},
    {3, {{hip_name, "0,3,1"}}, "0 1 2", "0", "the GPUs are 0 to 2; what follows is ignored"},
    {3, {{hip_name, "1,"}}, "0 1 2", "1"},
    {3, {{hip_name, ",1"}}, "0 1 2", "none", "it is empty"},
    {3, {{hip_name, " \"1,2\" "}}, "0 1 2", "1 2"},
    {3, {{hip_name, "\"\""}, {cuda_name, "1"}}, "0 1 2", "1"},
    {3, {{hip_name, "GPU-00000000000000a2"}}, "0 1 2", "2"},
    {3, {{hip_name, "GPU-0,1"}}, "0 1 2", "0 1"},
    {3, {{hip_name, "GPU-00000000000000A2"}}, "0 1 2", "none", "wants lower case"},
    {3, {{hip_name, " GPU-00000000000000a2"}}, "0 1 2", "none"},
    // both, and CUDA
    {3, {{cuda_name, "2"}}, "0 1 2", "2"},
    {3, {{cuda_name, ""}}, "0 1 2", "none", "CUDA_VISIBLE_DEVICES is set but empty"},
    {3, {{hip_name, "0"}, {cuda_name, "2"}}, "0 1 2", "0", "does not read CUDA_VISIBLE_DEVICES"},
    {3, {{hip_name, ""}, {cuda_name, "2"}}, "0 1 2", "none"},
    {3, {{rocr_name, "2,1"}, {hip_name, "1"}}, "2 1", "1"},
    {3, {{rocr_name, "2"}, {hip_name, "2"}}, "2", "none", "the only GPU is 0"},
    {3, {{rocr_name, ""}, {hip_name, "0"}}, "none", "none", "no GPU to choose from"},
    {3, {{rocr_name, "2,1"}, {hip_name, "GPU-00000000000000a0"}}, "2 1", "none"},
    {3, {{"GPU_DEVICE_ORDINAL", "1"}}, "0 1 2", "0 1 2", "OpenCL only"},
};

class VisibilityCase : public testing::TestWithParam<Case> {};

TEST_P(VisibilityCase, is_read_as_the_runtimes_do) {
    auto const& row = GetParam();
    auto const seen = simulate_visibility(host_of(row.gpus), row.variables);
    EXPECT_EQ(text_of(nodes_of(seen.rocr.devices)), row.rocr);
    EXPECT_EQ(text_of(nodes_of(seen.hip.devices)), row.hip);
    auto notes = seen.rocr.notes;
    notes.insert(notes.end(), seen.hip.notes.begin(), seen.hip.notes.end());
    notes.emplace_back();  // where no note is expected
    EXPECT_THAT(notes, Contains(HasSubstr(row.note)));
}

INSTANTIATE_TEST_SUITE_P(Table, VisibilityCase, testing::ValuesIn(cases));

// ---- devices that no mask can show --------------------------------------------------------------

Source const source{"test", "test"};

DeviceNode refused(char const* error) {
    return {.path = "/dev/x", .usable = false, .error = error};
}

void set_access(Fact<DeviceNode>& fact, DeviceNode node) {
    fact = {};
    fact.offer(std::move(node), source);
}

/// host.gpus stands in row order: the first is the last KFD node.
TEST(Visibility, rows_and_nodes_are_told_apart) {
    auto const seen = simulate_visibility(host_of(3), {{hip_name, "0"}});
    ASSERT_EQ(seen.hip.devices->size(), 1U);
    auto const& device = seen.hip.devices->front();
    EXPECT_EQ(device.index, 0U);
    EXPECT_EQ(device.row, 2U);
    EXPECT_EQ(device.kfd_node, 1U);
    EXPECT_EQ(device.pci_address, "0000:f0:00.0");
}

TEST(Visibility, a_render_node_with_eperm_is_left_out_and_indices_close_up) {
    auto host = host_of(3);
    set_access(host.gpus[2].render_access, refused("EPERM"));
    auto const seen = simulate_visibility(host, {{rocr_name, "0"}});
    EXPECT_EQ(text_of(nodes_of(seen.rocr.devices)), "1");
    EXPECT_THAT(seen.rocr.notes, Contains("ROCr leaves GPU 2 out: its render node gives EPERM"));
}

TEST(Visibility, a_render_node_with_eacces_ends_the_start) {
    auto host = host_of(3);
    set_access(host.gpus[2].render_access, refused("EACCES"));
    auto const seen = simulate_visibility(host, {});
    EXPECT_EQ(text_of(nodes_of(seen.hip.devices)), "none");
    EXPECT_THAT(seen.rocr.notes, ElementsAre(HasSubstr("ROCr fails to start: GPU 2")));
}

TEST(Visibility, a_closed_kfd_shows_nothing) {
    auto host = host_of(2);
    set_access(host.kfd_access, refused("EACCES"));
    auto const seen = simulate_visibility(host, {});
    EXPECT_EQ(text_of(nodes_of(seen.rocr.devices)), "none");
    EXPECT_THAT(seen.rocr.notes, ElementsAre("ROCr cannot open /dev/kfd (EACCES)"));
}

TEST(Visibility, hidden_kfd_nodes_make_the_count_of_amdsmi_uncertain) {
    auto host = host_of(2);
    auto nodes = *host.kfd_nodes;
    nodes.push_back({.node = 3, .kind = "gpu", .problem = "EPERM"});
    host.kfd_nodes = {};
    host.kfd_nodes.offer(nodes, source);
    host.gpus.emplace_back().driver.offer("amdgpu", source);
    auto const seen = simulate_visibility(host, {});
    EXPECT_EQ(text_of(nodes_of(seen.hip.devices)), "0 1");
    EXPECT_THAT(seen.rocr.notes, Contains(HasSubstr("1 KFD node is hidden")));
    EXPECT_FALSE(seen.pytorch.count);
    EXPECT_THAT(seen.pytorch.notes, Contains("amdsmi may list 2 to 3 GPUs here"));
    EXPECT_EQ(text_of(nodes_of(seen.pytorch.devices)), "0 1") << "HIP has no more than these";
    EXPECT_EQ(simulate_visibility(host, {{hip_name, "1"}}).pytorch.count, 1U) << "either way";
}

TEST(Visibility, what_is_not_known_is_not_guessed) {
    auto host = host_of(2);
    host.gpus[1].unique_id = {};
    host.gpus[1].unique_id.miss(Missing::not_recorded);
    auto seen = simulate_visibility(host, {{rocr_name, "GPU-00000000000000a1"}});
    EXPECT_EQ(text_of(nodes_of(seen.rocr.devices)), "unknown");
    EXPECT_EQ(text_of(nodes_of(seen.hip.devices)), "unknown");
    EXPECT_FALSE(seen.pytorch.count);
    EXPECT_EQ(text_of(nodes_of(simulate_visibility(host, {{rocr_name, "1"}}).hip.devices)), "1");

    host.kfd_nodes = {};
    host.kfd_nodes.miss(Missing::not_recorded);
    seen = simulate_visibility(host, {});
    EXPECT_FALSE(seen.rocr.devices);
    EXPECT_THAT(seen.rocr.notes, ElementsAre(HasSubstr("not-recorded")));

    host.kfd_nodes = {};
    host.kfd_nodes.miss(Missing::absent);
    EXPECT_EQ(text_of(nodes_of(simulate_visibility(host, {}).rocr.devices)), "none");
    host.is_wsl.offer(true, source);
    EXPECT_FALSE(simulate_visibility(host, {}).rocr.devices) << "WSL has another way";
}

TEST(Visibility, an_untried_node_is_an_assumption_that_is_stated) {
    auto host = host_of(1);
    host.gpus[0].render_access = {};
    host.gpus[0].render_access.miss(Missing::suspended);
    auto const seen = simulate_visibility(host, {});
    EXPECT_EQ(text_of(nodes_of(seen.rocr.devices)), "0");
    EXPECT_THAT(seen.rocr.notes,
                ElementsAre("assumes that the render node of GPU 0 opens (suspended)"));
}

TEST(Visibility, partitions_share_a_uuid) {
    std::string const id = "53f375f5eadccc4f";
    auto const host = host_of(std::vector<std::string>{id, id, id});
    auto const seen = simulate_visibility(host, {{rocr_name, "GPU-" + id}});
    EXPECT_EQ(text_of(nodes_of(seen.rocr.devices)), "none") << "ROCr wants one match";
    EXPECT_EQ(text_of(nodes_of(simulate_visibility(host, {{hip_name, "GPU-" + id}}).hip.devices)),
              "0")
        << "HIP takes the first";
}

TEST(Visibility, a_gpu_without_uuid_is_found_by_number_only) {
    auto const host = host_of(std::vector<std::string>{"", "00000000000000a1"});
    EXPECT_EQ(text_of(nodes_of(simulate_visibility(host, {{rocr_name, "GPU-0"}}).rocr.devices)),
              "1");
    EXPECT_EQ(text_of(nodes_of(simulate_visibility(host, {{hip_name, "GPU-XX"}}).hip.devices)),
              "0");
    EXPECT_EQ(text_of(nodes_of(simulate_visibility(host, {{rocr_name, "0"}}).rocr.devices)), "0");
}

// ---- properties ---------------------------------------------------------------------------------

std::string random_mask(std::mt19937& random) {
    static constexpr std::string_view parts[] = {
        "0",  "1",  "2",          "7", "8", ",",    ",",
        ",",  " ",  "-",          "+", "x", "GPU-", "00000000000000a1",
        "\"", "0x", "99999999999"};
    std::string mask;
    for (auto length = random() % 9; length > 0; --length)
        mask += parts[random() % std::size(parts)];
    return mask;
}

void expect_sane(std::optional<std::vector<VisibleDevice>> const& devices, std::size_t at_most) {
    ASSERT_TRUE(devices);
    EXPECT_LE(devices->size(), at_most);
    std::vector<std::uint64_t> seen;
    for (std::size_t i = 0; i < devices->size(); ++i) {
        EXPECT_EQ((*devices)[i].index, i);
        EXPECT_THAT(seen, Not(Contains(*(*devices)[i].kfd_node)));
        seen.push_back(*(*devices)[i].kfd_node);
    }
}

TEST(Visibility, no_mask_shows_more_than_there_is_or_anything_twice) {
    std::mt19937 random(42);
    for (int i = 0; i < 3000; ++i) {
        auto const count = random() % 9;
        Variables variables;
        for (auto const* name : {rocr_name, hip_name, cuda_name})
            if (random() % 2 == 0) variables[name] = random_mask(random);
        SCOPED_TRACE(testing::PrintToString(variables));
        auto const seen = simulate_visibility(host_of(count), variables);
        expect_sane(seen.rocr.devices, count);
        expect_sane(seen.hip.devices, seen.rocr.devices->size());
        if (!seen.pytorch.error) expect_sane(seen.pytorch.devices, seen.hip.devices->size());
    }
}

/// What the catalogue says of the two names against the simulation of what reads them.
TEST(Visibility, of_a_set_but_empty_HIP_mask_is_described_as_it_is_simulated) {
    Variables const both{{hip_name, ""}, {cuda_name, "1"}};
    auto const seen = simulate_visibility(host_of(3), both);
    ASSERT_THAT(*seen.hip.devices, IsEmpty());
    ASSERT_THAT(*seen.pytorch.devices, IsEmpty());
    auto const cuda = std::string(embedded_catalogue().find(cuda_name)->effect);
    EXPECT_THAT(cuda, HasSubstr("only while HIP_VISIBLE_DEVICES is unset,"));
    EXPECT_THAT(cuda, HasSubstr("Set but empty, the HIP name counts and hides every GPU"));
    auto const hip = std::string(embedded_catalogue().find(hip_name)->effect);
    EXPECT_THAT(hip, HasSubstr("While it is set, even to an empty value, HIP does not look at"));
}

TEST(Visibility, an_empty_mask_shows_nothing) {
    for (std::size_t count : {0U, 1U, 2U, 8U}) {
        EXPECT_THAT(*simulate_visibility(host_of(count), {{rocr_name, ""}}).hip.devices, IsEmpty());
        EXPECT_THAT(*simulate_visibility(host_of(count), {{hip_name, ""}}).hip.devices, IsEmpty());
        EXPECT_THAT(*simulate_visibility(host_of(count), {{cuda_name, ""}}).hip.devices, IsEmpty());
    }
}

}  // namespace
}  // namespace rocmtune::test
