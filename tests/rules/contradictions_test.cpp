// SPDX-License-Identifier: MIT
// Advice that circulates and contradicts itself or the sources: for each of the 27 points, what we
// say instead. Nothing refuted is recommended for any composed host, level, workload or framework.
#include <gtest/gtest.h>

#include <array>

#include "support/all_advice.hpp"

namespace rocmtune::test {
namespace {

struct Never {
    std::string_view point;
    std::string_view name;
};

void PrintTo(Never const& never, std::ostream* out) {
    *out << never.point << " " << never.name;
}

class ARefutedVariable : public testing::TestWithParam<Never> {};

TEST_P(ARefutedVariable, is_never_set) {
    for (auto const& one : all_advice()) {
        EXPECT_FALSE(one.variables().contains(std::string(GetParam().name))) << one.label;
    }
}

TEST_P(ARefutedVariable, is_the_setting_of_no_rule) {
    for (auto const& rule : embedded_chips().rules()) {
        if (rule.name != GetParam().name) continue;
        EXPECT_EQ(rule.kind, SettingKind::practice) << rule.id;
    }
}

constexpr std::array<Never, 31> refuted{{
    {"C01", "NCCL_SOCKET_IFNAME"},
    {"C02", "NCCL_DEBUG"},
    {"C03", "GPU_SINGLE_ALLOC_PERCENT"},
    {"C04", "GPU_MAX_ALLOC_PERCENT"},
    {"C05", "GPU_MAX_HEAP_SIZE"},
    {"C06", "HIP_HIDDEN_FREE_MEM"},
    {"C07", "HSA_UNALIGNED_ACCESS_MODE"},
    {"C08", "HSA_ENABLE_SDMA"},
    {"C09", "HSA_ENABLE_INTERRUPT"},
    {"C10", "CUDA_LAUNCH_BLOCKING"},
    {"C10", "HIP_LAUNCH_BLOCKING"},
    {"C11", "PYTORCH_HIP_ALLOC_CONF"},
    {"C14", "torch.cuda.max_split_size_mb"},
    {"C15", "PYTORCH_ROCM_DEVICE"},
    {"C15", "HIP_VISIBLE_DEVICES"},
    {"C15", "CUDA_VISIBLE_DEVICES"},
    {"C16", "PYTORCH_ROCM_ARCH"},
    {"C17", "TORCH_COMPILE_BACKEND"},
    {"C18", "ROCM_LOG_LEVEL"},
    {"C21", "NCCL_NSOCKS_PERTHREAD"},
    {"C22", "NCCL_P2P_DISABLE"},
    {"C22", "NCCL_IB_DISABLE"},
    {"C23", "WORLD_SIZE"},
    {"C23", "MASTER_ADDR"},
    {"C23", "MASTER_PORT"},
    {"C23", "RANK"},
    {"C25", "MIOPEN_USER_DB_PATH"},
    {"C26", "ROCM_HOME"},
    {"C26", "ROCM_PATH"},
    {"C27", "LD_LIBRARY_PATH"},
    {"override", "HSA_OVERRIDE_GFX_VERSION"},
}};

INSTANTIATE_TEST_SUITE_P(Points, ARefutedVariable, testing::ValuesIn(refuted), [](auto const& row) {
    return std::string(row.param.point) + "_" + test_name(std::string(row.param.name));
});

TEST(Contradictions, C01_the_interface_of_several_hosts_is_named_exactly) {
    auto const* advice = advice_for("mi300x-x8 balanced training auto").find("NCCL_SOCKET_IFNAME");
    ASSERT_NE(advice, nullptr);
    EXPECT_EQ(advice->kind, "practice");
    EXPECT_NE(advice->value.find("=INTERFACE"), std::string::npos);
    EXPECT_EQ(advice_for("rx7900xt-x2 balanced training auto").find("NCCL_SOCKET_IFNAME"), nullptr);
}

TEST(Contradictions, C11_only_one_name_configures_the_allocator) {
    for (auto const& one : all_advice()) {
        std::size_t names = 0;
        for (auto const& [name, value] : one.variables()) {
            if (name.ends_with("_ALLOC_CONF")) ++names;
        }
        EXPECT_LE(names, 1U) << one.label;
    }
}

TEST(Contradictions, C11_the_name_is_the_one_that_the_installed_PyTorch_reads) {
    auto host = composed_hosts().at("rx7900xt-x2");
    Selection const selection{Level::aggressive, Workload::training, FrameworkChoice::automatic};
    for (auto const& [version, name] : {std::pair("2.5.1+rocm6.2", "PYTORCH_HIP_ALLOC_CONF"),
                                        std::pair("2.11.0+rocm7.0", "PYTORCH_HIP_ALLOC_CONF"),
                                        std::pair("2.12.0+rocm7.2", "PYTORCH_ALLOC_CONF")}) {
        Framework torch{.name = "torch", .path = "/venv"};
        torch.version.offer(version, {"test", "test"});
        host.frameworks = {};
        host.frameworks.offer({torch}, {"test", "test"});
        auto const advice = advise(host, embedded_chips(), embedded_catalogue(), selection);
        std::vector<std::string> names;
        for (auto const& one : advice.recommendations) {
            if (one.name.ends_with("_ALLOC_CONF")) names.push_back(one.name);
            // No option of the allocator helps by itself: the name stands in a practice.
            if (one.name == "garbage_collection_threshold")
                names.push_back(one.value.substr(one.value.find("PYTORCH_"),
                                                 one.value.find('=') - one.value.find("PYTORCH_")));
        }
        EXPECT_EQ(names, std::vector<std::string>{name}) << version;
    }
}

TEST(Contradictions, C12_expandable_segments_and_split_sizes_are_never_recommended) {
    for (auto const& one : all_advice()) {
        for (auto const& [name, value] : one.variables()) {
            EXPECT_EQ(value.find("expandable_segments"), std::string::npos) << one.label;
            EXPECT_EQ(value.find("max_split_size_mb"), std::string::npos) << one.label;
        }
    }
}

TEST(Contradictions, C13_variables_are_set_before_the_program_starts) {
    auto const* advice =
        advice_for("rx7900xt-x2 conservative development auto").find("os.environ in code");
    ASSERT_NE(advice, nullptr);
    EXPECT_NE(advice->value.find("shell"), std::string::npos);
}

TEST(Contradictions, C15_one_variable_at_most_selects_devices) {
    for (auto const& one : all_advice()) {
        std::size_t masks = 0;
        for (auto const& [name, value] : one.variables()) {
            if (name.ends_with("_VISIBLE_DEVICES")) ++masks;
        }
        EXPECT_LE(masks, 1U) << one.label;
    }
}

TEST(Contradictions, C19_hipBLASLt_is_preferred_for_vLLM_on_Instinct_only_and_never_switched_off) {
    std::size_t given = 0;
    for (auto const& one : all_advice()) {
        auto const* advice = one.find("TORCH_BLAS_PREFER_HIPBLASLT");
        if (!advice) continue;
        ++given;
        EXPECT_EQ(advice->value, "1") << one.label;
        EXPECT_EQ(one.selection.workload, Workload::inference) << one.label;
        for (auto const& gpu : one.host->gpus) {
            auto const target = gpu.gfx_target.value_or("");
            EXPECT_TRUE(target == "gfx942" || target == "gfx950") << one.label;
        }
    }
    EXPECT_GT(given, 0U);
}

TEST(Contradictions, C20_the_backend_between_GPUs_is_nccl) {
    std::size_t given = 0;
    for (auto const& one : all_advice()) {
        if (auto const* advice = one.find("distributed backend")) {
            EXPECT_EQ(advice->value, "nccl") << one.label;
            ++given;
        }
    }
    EXPECT_GT(given, 0U);
}

TEST(Contradictions, C24_the_find_mode_is_left_alone_but_for_development) {
    for (auto const& one : all_advice()) {
        if (auto const* advice = one.find("MIOPEN_FIND_MODE")) {
            EXPECT_EQ(advice->value, "FAST") << one.label;
            EXPECT_EQ(one.selection.workload, Workload::development) << one.label;
        }
    }
    auto const* variable = embedded_catalogue().find("MIOPEN_FIND_MODE");
    ASSERT_NE(variable, nullptr);
    EXPECT_EQ(variable->default_value, "DYNAMIC_HYBRID");
}

TEST(Contradictions, C25_tuning_results_and_compiled_kernels_are_named_apart) {
    auto const* advice =
        advice_for("mi300x-x8 balanced training auto").find("caches on network file systems");
    ASSERT_NE(advice, nullptr);
    EXPECT_NE(advice->value.find("MIOPEN_USER_DB_PATH"), std::string::npos);
    EXPECT_NE(advice->value.find("MIOPEN_CUSTOM_CACHE_DIR"), std::string::npos);
}

TEST(Contradictions, no_debug_build_launcher_loader_or_cosmetic_variable_is_ever_set) {
    for (auto const& one : all_advice()) {
        for (auto const& [name, value] : one.variables()) {
            auto const* variable = embedded_catalogue().find(name);
            ASSERT_NE(variable, nullptr) << name;
            EXPECT_EQ(variable->use, "runtime") << one.label << " " << name;
        }
    }
}

TEST(Undecided, is_said_once_and_names_a_difference_between_GPUs) {
    for (auto const& one : all_advice()) {
        std::set<std::tuple<std::string, std::string, std::string>> said;
        for (auto const& open : one.advice.undecided) {
            EXPECT_TRUE(said.insert({open.name, open.reason, open.detail}).second)
                << one.label << ": " << open.name << ", " << open.detail;
            if (open.reason != "not-every-gpu") continue;
            EXPECT_TRUE(open.detail.starts_with("differs between the selected GPUs: not for "))
                << open.detail;
        }
    }
}

}  // namespace
}  // namespace rocmtune::test
