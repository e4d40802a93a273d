// SPDX-License-Identifier: MIT
// Which names probe shows, and whose values it never does.
#include "knowledge/environment_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace rocmtune {
namespace {

TEST(EnvironmentNames, names_of_every_layer_of_the_stack_are_relevant) {
    for (auto const* name : {"HIP_VISIBLE_DEVICES",
                             "ROCR_VISIBLE_DEVICES",
                             "HSA_OVERRIDE_GFX_VERSION_1",
                             "GPU_MAX_HW_QUEUES",
                             "HSAKMT_DEBUG_LEVEL",
                             "AMD_LOG_LEVEL",
                             "ROCM_PATH",
                             "RCCL_MSCCL_ENABLE",
                             "NCCL_DEBUG",
                             "MIOPEN_FIND_MODE",
                             "HIPBLASLT_TUNING_FILE",
                             "ROCBLAS_LAYER",
                             "TENSILE_STREAMK_MAX_CUS",
                             "PYTORCH_HIP_ALLOC_CONF",
                             "TORCHINDUCTOR_FREEZING",
                             "TRITON_CACHE_DIR",
                             "VLLM_ROCM_USE_AITER",
                             "AITER_LOG_LEVEL",
                             "JAX_PLATFORMS",
                             "XLA_FLAGS",
                             "TF_XLA_FLAGS",
                             "UCX_TLS",
                             "OMP_NUM_THREADS",
                             "OPENBLAS_NUM_THREADS",
                             "ROCMTUNE_PROFILES",
                             "DEBUG_HIP_BLOCK_SYNC"}) {
        EXPECT_TRUE(is_relevant_name(name)) << name;
    }
}

TEST(EnvironmentNames, names_that_decide_about_libraries_devices_and_launchers_are_relevant) {
    for (auto const* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "CUDA_VISIBLE_DEVICES", "PYTHONPATH",
                             "SLURM_JOB_GPUS", "LOCAL_RANK", "WSL_DISTRO_NAME"}) {
        EXPECT_TRUE(is_relevant_name(name)) << name;
    }
}

TEST(EnvironmentNames, everything_else_in_an_environment_is_private) {
    for (auto const* name : {"",
                             "HOME",
                             "USER",
                             "MAIL",
                             "SSH_AUTH_SOCK",
                             "AWS_PROFILE",
                             "HIP",
                             "HIP_",
                             "_HIP_X",
                             "hip_visible_devices",
                             "MY_HIP_VISIBLE_DEVICES",
                             "CUDA_HOME",
                             "SLURM_JOB_USER",
                             "SLURM_JOB_ACCOUNT",
                             "_",
                             "__",
                             "PATH",
                             "PATHX",
                             "VIRTUAL_ENV",
                             "TF_CLI_CONFIG_FILE"}) {
        EXPECT_FALSE(is_relevant_name(name)) << name;
    }
}

TEST(EnvironmentNames, a_name_that_promises_a_secret_is_recognised) {
    for (auto const* name : {"VLLM_API_KEY",
                             "HF_TOKEN",
                             "HUGGING_FACE_HUB_TOKEN",
                             "WANDB_API_KEY",
                             "GITHUB_TOKEN",
                             "AWS_SECRET_ACCESS_KEY",
                             "AWS_ACCESS_KEY_ID",
                             "AWS_SESSION_TOKEN",
                             "PGPASSWORD",
                             "PGPASSFILE",
                             "HELM_KUBETOKEN",
                             "DB_PASS",
                             "MYSQL_PWD",
                             "OLLAMA_AUTH",
                             "SSH_KEY",
                             "CONTROL_PLANE_API_KEYS",
                             "GOOGLE_APPLICATION_CREDENTIALS",
                             "UMBP_REDIS_PASSWORD",
                             "dbpassword",
                             "Vllm_Api_Key",
                             "SGLANG_DIFFUSION_SLACK_TOKEN",
                             "APIKEY",
                             "TOKEN",
                             "KEY"}) {
        EXPECT_TRUE(is_secret_name(name)) << name;
    }
}

TEST(EnvironmentNames, a_tuning_variable_is_not_taken_for_a_secret) {
    for (auto const* name :
         {"", "_", "NCCL_IB_PKEY", "VLLM_MAX_TOKENS_PER_EXPERT_FP4_MOE", "SGLANG_PATCH_TOKENIZER",
          "MIGRAPHX_TRACE_PASSES", "JAX_LEGACY_PRNG_KEY", "SGLANG_USE_AITER_FP8_PER_TOKEN",
          "UCX_RKEY_MPOOL_MAX_MD", "TORCH_COMPILE_CACHE_KEY_TAG", "FI_EFA_TX_MIN_CREDITS", "AUTHOR",
          "TOKENS", "MONKEY", "PWD", "PATH", "HIP_VISIBLE_DEVICES"}) {
        EXPECT_FALSE(is_secret_name(name)) << name;
    }
}

TEST(EnvironmentNames, a_listed_name_has_its_reason) {
    auto const& lists = embedded_environment_names();
    for (auto const* names : {&lists.prefixes, &lists.names, &lists.not_secret}) {
        EXPECT_FALSE(names->empty());
        for (auto const& [name, reason] : *names) EXPECT_FALSE(reason.empty()) << name;
    }
    EXPECT_EQ(reason_of_listed_name("WSL_INTEROP"), "tells that the host is WSL");
    EXPECT_EQ(reason_of_listed_name("WSL_"), "");
}

struct Wrong {
    std::string lists, pointer, message;
};

class AWrongFileOfEnvironmentNames : public testing::TestWithParam<Wrong> {};

TEST_P(AWrongFileOfEnvironmentNames, is_refused_with_its_pointer) {
    try {
        parse_environment_names("e.json", R"({"schema_version": "1.0", )" + GetParam().lists + "}");
        ADD_FAILURE() << GetParam().lists;
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "e.json");
        EXPECT_EQ(error.pointer(), GetParam().pointer) << error.what();
        EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    }
}

std::string environment(std::string const& prefixes, std::string const& names,
                        std::string const& secrets) {
    return R"("sources": [0], "not_secret": [], "prefixes": [)" + prefixes + R"(], "names": [)" +
           names + R"(], "secret_patterns": [)" + secrets + "]";
}

INSTANTIATE_TEST_SUITE_P(
    Lists, AWrongFileOfEnvironmentNames,
    testing::Values(
        Wrong{R"("sources": [])", "/sources", "need a source"},
        Wrong{R"("sources": [0])", "", "\"prefixes\" is missing"},
        Wrong{R"("more": 1)", "/more", "unknown key"},
        Wrong{environment(R"({"prefix": "A", "reason": "r"})", "", ""), "/prefixes/0/prefix",
              "ends in an underscore"},
        Wrong{environment("", R"({"name": "A"})", ""), "/names/0", "\"reason\" is missing"},
        Wrong{environment("", R"({"name": "A-B", "reason": "r"})", ""), "/names/0/name", "letters"},
        Wrong{environment("", R"({"name": "A", "reason": "r"}, {"name": "A", "reason": "r"})", ""),
              "/names/1/name", "twice"},
        Wrong{environment("", "", R"({"text": "KEY", "match": "all", "reason": "r"})"),
              "/secret_patterns/0/match", "expected anywhere, word"},
        Wrong{environment("", "", R"({"text": "Key", "match": "word", "reason": "r"})"),
              "/secret_patterns/0/text", "in capitals"}));

}  // namespace
}  // namespace rocmtune
