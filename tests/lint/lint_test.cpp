// SPDX-License-Identifier: MIT
// What lint says of single settings and of settings together, over the embedded catalogue.
#include "judge/lint/lint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

Assignment set(std::string name, std::string value, InputKind kind = InputKind::shell) {
    static std::size_t line = 0;
    return {.name = std::move(name),
            .value = std::move(value),
            .file = "settings",
            .line = ++line,
            .column = 1,
            .kind = kind};
}

std::vector<Finding> judged(std::vector<Assignment> const& assignments, Host const* host = nullptr,
                            ReaderIndex const* readers = nullptr) {
    return lint(assignments, {embedded_catalogue(), embedded_chips(), host, readers});
}

/// "dead-name warn", one for each finding; a note is marked.
std::vector<std::string> words(std::vector<Finding> const& findings) {
    std::vector<std::string> result;
    for (auto const& finding : findings)
        result.push_back(std::string(word_of(finding.setting->lint_class)) + ' ' +
                         std::string(word_of(finding.verdict)) +
                         (finding.setting->certain ? "" : " (note)"));
    return result;
}

using Words = std::vector<std::string>;

struct Case {
    std::string name, value;
    Words expected;
};

void PrintTo(Case const& one, std::ostream* out) {
    *out << one.name << "=" << one.value;
}

class ASetting : public testing::TestWithParam<Case> {};

TEST_P(ASetting, is_judged_by_its_name_and_value) {
    auto const& [name, value, expected] = GetParam();
    EXPECT_EQ(words(judged({set(name, value)})), expected);
}

#define SETTINGS(suite, ...) INSTANTIATE_TEST_SUITE_P(suite, ASetting, testing::Values(__VA_ARGS__))

SETTINGS(DeadNames, Case{"PYTORCH_ROCM_DEVICE", "0,1", {"dead-name warn"}},
         Case{"GPU_MAX_ALLOC_PERCENT", "100", {"dead-name warn"}},
         Case{"ROCM_LOG_LEVEL", "2", {"dead-name warn"}},
         Case{"HSA_UNALIGNED_ACCESS_MODE", "1", {"dead-name warn"}},
         Case{"TORCH_USE_HIP_DSA", "1", {"dead-name warn"}},
         Case{"HIP_FORCE_QUEUE_PROFILING", "1", {"dead-name warn"}});

SETTINGS(NewerNames, Case{"XLA_PYTHON_CLIENT_MEM_FRACTION", "0.5", {"renamed info (note)"}},
         Case{"RAY_EXPERIMENTAL_NOSET_ROCR_VISIBLE_DEVICES", "1", {"renamed info (note)"}},
         Case{"TRANSFORMERS_OFFLINE", "1", {"renamed info (note)"}},
         // What is off needs no newer name.
         Case{"TRANSFORMERS_OFFLINE", "0", {}}, Case{"HF_HUB_ENABLE_HF_TRANSFER", "False", {}},
         Case{"HF_HUB_ENABLE_HF_TRANSFER", "1", {"renamed info (note)"}},
         Case{"NCCL_BLOCKING_WAIT", "0", {"renamed info (note)", "redundant-default info"}});

SETTINGS(Values, Case{"HIP_FORCE_DEV_KERNARG", "True", {"bad-value fail"}},
         Case{"HIP_FORCE_DEV_KERNARG", "1", {}},
         Case{"TORCH_COMPILE_BACKEND", "inductor", {"redundant-default info"}},
         Case{"MALLOC_ARENA_MAX", "2", {}}, Case{"MALLOC_MMAP_THRESHOLD_", "0x20000", {}},
         Case{"MALLOC_TRIM_THRESHOLD_", "128K", {"bad-value fail"}},
         Case{"HSA_NO_SCRATCH_RECLAIM", "true", {"bad-value fail"}},
         Case{"HSA_NO_SCRATCH_RECLAIM", "1", {}},
         Case{"HIP_VISIBLE_DEVICES", "0, 1", {"bad-value fail"}},
         Case{"HIP_VISIBLE_DEVICES", "0,1", {}},
         // Ollama's and others' ways to hide all GPUs.
         Case{"HIP_VISIBLE_DEVICES", "-1", {}}, Case{"ROCR_VISIBLE_DEVICES", "-1", {}},
         Case{"HIP_VISIBLE_DEVICES", "", {}}, Case{"CUDA_VISIBLE_DEVICES", "-1", {}},
         Case{"MIOPEN_FIND_MODE", "QUICK", {"bad-value fail"}},
         Case{"MIOPEN_FIND_MODE", "FAST", {}},
         Case{"PYTORCH_HIP_ALLOC_CONF", "max_split_size_mb:8", {"bad-value fail"}},
         Case{"PYTORCH_HIP_ALLOC_CONF", "max_split_size_mb:128", {}},
         Case{"PYTORCH_ALLOC_CONF",
              "per_process_memory_fraction:0.9,garbage_collection_threshold:0.8",
              {}},
         Case{"PYTORCH_ALLOC_CONF", "per_process_memory_fraction:2", {"bad-value fail"}},
         Case{"GPU_SINGLE_ALLOC_PERCENT", "90", {"bad-value info (note)"}},
         Case{"NCCL_SOCKET_IFNAME", "lo", {"bad-value info (note)"}},
         Case{"NCCL_SOCKET_IFNAME", "^lo", {"bad-value info (note)"}},
         Case{"NCCL_SOCKET_IFNAME", "=eth0", {}});

SETTINGS(Defaults, Case{"GPU_MAX_HEAP_SIZE", "100", {"redundant-default info"}},
         Case{"HIP_LAUNCH_BLOCKING", "0", {"redundant-default info"}},
         Case{"HSA_ENABLE_SDMA", "1", {"redundant-default info"}},
         Case{"NCCL_P2P_DISABLE", "0", {"redundant-default info"}},
         Case{"HIP_HIDDEN_FREE_MEM", "256", {"redundant-default info (note)"}});

// Their defaults differ between versions, or between PyTorch and JAX.
SETTINGS(DefaultsOfVersions, Case{"NVTE_CK_USES_FWD_V3", "1", {}},
         Case{"NVTE_CK_USES_BWD_V3", "0", {}}, Case{"NVTE_FUSED_ATTN", "1", {}},
         Case{"NVTE_FUSED_ATTN_CK", "1", {"redundant-default info"}});

// Of the recipes for AMD GPUs.
SETTINGS(Recipes, Case{"SGLANG_USE_AITER", "1", {}}, Case{"NVTE_ROCM_ENABLE_MXFP8", "1", {}},
         Case{"NVTE_CK_IS_V3_ATOMIC_FP32", "0", {}}, Case{"NVTE_CK_HOW_V3_BF16_CVT", "2", {}},
         Case{"NVTE_USE_CAST_TRANSPOSE_TRITON", "1", {}},
         Case{"TE_HIPBLASLT_TUNING_RUN_COUNT", "20", {}},
         Case{"TE_HIPBLASLT_TUNING_ALGO_COUNT", "400", {}},
         Case{"NVTE_USE_ROCBLAS", "1", {"dead-name info (note)"}},
         Case{"VLLM_ROCM_QUICK_REDUCE_CAST_BF16_TO_FP16", "0", {}},
         Case{"VLLM_ROCM_QUICK_REDUCE_MAX_SIZE_BYTES_MB", "128", {}},
         Case{"VLLM_ROCM_SHUFFLE_KV_CACHE_LAYOUT", "1", {}},
         Case{"VLLM_ROCM_USE_AITER_FUSION_SHARED_EXPERTS", "1", {}},
         Case{"VLLM_ROCM_USE_AITER_TRITON_GEMM", "0", {}});

SETTINGS(ChangedDefaults, Case{"HSA_KERNARG_POOL_SIZE", "4194304", {}},
         Case{"HSA_KERNARG_POOL_SIZE", "1048576", {}}, Case{"HSA_ENABLE_MWAITX", "1", {}},
         Case{"NCCL_IB_TIMEOUT", "18", {}}, Case{"NCCL_IB_TIMEOUT", "20", {}},
         Case{"NCCL_IB_TC", "0", {}}, Case{"NCCL_IB_TC", "-1", {}},
         Case{"GPU_PINNED_MIN_XFER_SIZE", "128", {}}, Case{"NCCL_DMABUF_ENABLE", "1", {}},
         Case{"NCCL_DMABUF_ENABLE", "0", {}});

SETTINGS(RemovedFromRccl, Case{"RCCL_MSCCL_ENABLE", "1", {"dead-name info (note)"}},
         Case{"RCCL_MSCCL_FORCE_ENABLE", "1", {"dead-name info (note)"}},
         Case{"RCCL_MSCCLPP_ENABLE", "0", {"dead-name info (note)"}},
         Case{"RCCL_MSCCLPP_THRESHOLD", "1048576", {"dead-name info (note)"}},
         Case{"RCCL_ENABLE_MSCCLPP", "1", {"dead-name warn"}});

SETTINGS(NamesOfNewerRccl, Case{"RCCL_P2P_BATCH_ENABLE", "1", {}},
         Case{"RCCL_DIRECT_ALLGATHER_DISABLE", "1", {}},
         Case{"RCCL_OVERRIDE_ALGO", "Ring", {"debug-left-on info (note)"}},
         Case{"RCCL_OVERRIDE_PROTO", "Simple", {"debug-left-on info (note)"}},
         Case{"NCCL_LAUNCH_ORDER_IMPLICIT", "1", {}}, Case{"NCCL_IB_MERGE_NICS", "0", {}},
         Case{"NCCL_NCHANNELS_PER_NET_PEER", "4", {}},
         Case{"NCCL_NCHANNELS_PER_NET_PEER", "-1", {"redundant-default info"}});

SETTINGS(ThunkNumbers, Case{"HSAKMT_DEBUG_LEVEL", "0", {"redundant-default info"}},
         Case{"HSAKMT_DEBUG_LEVEL", "3", {"debug-left-on info (note)"}},
         Case{"HSAKMT_DEBUG_LEVEL", "7", {"debug-left-on info (note)"}},
         Case{"HSAKMT_DEBUG_LEVEL", "8", {"bad-value fail"}},
         Case{"HSA_SVM_GUARD_PAGES", "1", {"redundant-default info"}},
         Case{"HSA_SVM_GUARD_PAGES", "2", {"debug-left-on warn"}});

SETTINGS(DebugSwitches, Case{"HSA_ENABLE_SDMA", "0", {"debug-left-on warn"}},
         Case{"HSA_ENABLE_INTERRUPT", "0", {"debug-left-on warn"}},
         Case{"AMD_SERIALIZE_KERNEL", "3", {"debug-left-on warn"}},
         Case{"CUDA_LAUNCH_BLOCKING", "1", {"debug-left-on warn"}},
         Case{"AMD_LOG_LEVEL", "4", {"debug-left-on warn"}},
         Case{"AMD_LOG_LEVEL", "1", {"debug-left-on info (note)"}},
         Case{"NCCL_DEBUG", "INFO", {"debug-left-on warn"}}, Case{"NCCL_DEBUG", "WARN", {}});

SETTINGS(Owners, Case{"PYTORCH_ROCM_ARCH", "gfx1100", {"build-or-launcher info"}},
         Case{"WORLD_SIZE", "2", {"build-or-launcher info"}},
         Case{"MASTER_ADDR", "127.0.0.1", {"build-or-launcher info (note)"}},
         Case{"DEVICE_LIB_PATH", "/opt/x", {"build-or-launcher info (note)"}},
         Case{"ROCM_PATH", "/opt/rocm", {}}, Case{"HIP_PATH", "/opt/rocm", {}},
         Case{"ROCM_HOME", "/opt/rocm", {}}, Case{"TORCH_EXTENSIONS_DIR", "/scratch/x", {}});

SETTINGS(Overrides, Case{"HSA_OVERRIDE_GFX_VERSION", "10.3.0", {"override warn"}},
         Case{"HSA_OVERRIDE_GFX_VERSION_1", "11.0.0", {"override warn"}},
         Case{"HSA_OVERRIDE_GFX_VERSION", "gfx1030", {"bad-value fail", "override warn"}});

SETTINGS(CodeLoading, Case{"HSA_TOOLS_LIB", "/tmp/tool.so", {"security fail"}},
         Case{"HSA_TOOLS_LIB", "./tool.so", {"security fail"}},
         Case{"HSA_TOOLS_LIB", "librocprofiler64.so", {"security info (note)"}},
         Case{"NCCL_NET_PLUGIN", "none", {}}, Case{"NCCL_NET_PLUGIN", "librccl-anp.so", {}},
         Case{"NCCL_NET_PLUGIN", "/tmp/librccl-net.so", {"security fail"}},
         Case{"LD_LIBRARY_PATH", "/opt/rocm/lib:", {"security fail"}},
         Case{"LD_LIBRARY_PATH", "/opt/rocm/lib", {}}, Case{"LD_LIBRARY_PATH", "", {}},
         Case{"LD_PRELOAD", "/usr/lib64/libtcmalloc_minimal.so.4", {}},
         Case{"HIPRTC_COMPILE_OPTIONS_APPEND", "-O1 -I/tmp/x", {"security info (note)"}});

SETTINGS(Secrets, Case{"HF_TOKEN", "hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123", {"security fail"}},
         Case{"HF_TOKEN", "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", {}},
         Case{"WANDB_API_KEY", "9f86d081884c7d659a2feaa0c55ad015", {"security info (note)"}},
         Case{"WANDB_API_KEY", "your-key-goes-here", {}}, Case{"MAX_TOKENS", "4096123123", {}});

SETTINGS(MisspeltNames, Case{"HIP_VISIBLE_DEVICE", "0", {"unknown-name warn"}},
         Case{"HSA_ENABEL_SDMA", "0", {"unknown-name warn"}},
         Case{"HSA_OVERIDE_GFX_VERSION", "10.3.0", {"unknown-name warn"}},
         Case{"NCCL_DISABLE_P2P", "1", {"unknown-name warn"}},
         Case{"NCCL_ENABLE_DMABUF_SUPPORT", "1", {"unknown-name warn"}},
         Case{"RCCL_NET_GDR_LEVEL", "PHB", {"unknown-name warn"}},
         Case{"MIOPEN_USER_DB", "/scratch/db", {"unknown-name warn"}},
         Case{"OLLAMA_WEBUI", "1", {"unknown-name info (note)"}},
         Case{"HIP_VISIBLE_DEVICES_BEFORE", "0", {"unknown-name info (note)"}});

// What scripts call their own things, which no library is meant to read.
SETTINGS(OwnNames, Case{"GPU_NAME", "MI300X", {}}, Case{"CUPY_VERSION", "13", {}},
         Case{"RCCL_HOME", "/opt/rccl", {}}, Case{"AITER_COMMIT", "v0.1.4", {}},
         Case{"SGL_REPO", "https://example.org/x", {}}, Case{"GPU_ARCH_LIST", "gfx942", {}},
         Case{"GPU_LAYERS", "99", {}}, Case{"DS_BUILD_UTILS", "1", {}},
         Case{"SGLANG_OPT_OF_NEXT_WEEK", "1", {}}, Case{"VLLM_WS_PATH", "/src", {}});

// ROCm/vllm read them once; the file says nothing of the version.
SETTINGS(NamesOfAFork, Case{"VLLM_FP8_PADDING", "1", {"dead-name info (note)"}},
         Case{"VLLM_FP8_REDUCE_CONV", "1", {"dead-name info (note)"}},
         Case{"VLLM_FP8_ACT_PADDING", "1", {"unknown-name info (note)"}},
         Case{"VLLM_V1_USE_PREFILL_DECODE_ATTENTION", "1", {"dead-name info (note)"}});

// Values that make less noise than the default, or are for good.
SETTINGS(QuietValues, Case{"HSA_TOOLS_REPORT_LOAD_FAILURE", "0", {"redundant-default info (note)"}},
         Case{"HSA_USERPTR_FOR_PAGED_MEM", "0", {}},
         Case{"OLLAMA_DEBUG", "0", {"redundant-default info"}},
         Case{"OLLAMA_DEBUG", "1", {"debug-left-on warn"}},
         Case{"FI_LOG_LEVEL", "info", {"debug-left-on warn"}}, Case{"FI_LOG_LEVEL", "warn", {}});

SETTINGS(UnknownNames, Case{"HIP_FROBNICATE_EVERYTHING", "1", {"unknown-name info (note)"}},
         Case{"ROCM_SERVICE_HOST", "10.0.0.1", {}}, Case{"HIP_PORT_80_TCP_ADDR", "10.0.0.1", {}},
         Case{"FROBNICATE", "1", {}}, Case{"PATH", "/usr/bin", {}}, Case{"container", "lxc", {}},
         Case{"WSL_DISTRO_NAME", "Debian", {}});

/// An assignment for the GPUs that a condition around it names.
Assignment set_for(std::vector<std::string> gpus, std::string name, std::string value) {
    auto one = set(std::move(name), std::move(value));
    one.for_gpus = std::move(gpus);
    one.in_branch = true;
    return one;
}

TEST(Lint, says_of_an_override_under_a_condition_which_gpus_get_another_number) {
    auto const* const name = "HSA_OVERRIDE_GFX_VERSION";
    EXPECT_EQ(words(judged({set_for({"gfx1100"}, name, "11.0.0")})), Words{});
    EXPECT_EQ(words(judged({set_for({"gfx1030", "gfx1031"}, name, "10.3.0")})),
              Words{"override warn"});
    EXPECT_THAT(judged({set_for({"gfx1030", "gfx1031"}, name, "10.3.0")}).at(0).message,
                testing::HasSubstr("programs take gfx1031 for gfx1030;"));
    // gfx103*
    EXPECT_THAT(judged({set_for({"gfx103"}, name, "10.3.0")}).at(0).message,
                testing::HasSubstr("programs take gfx103* for gfx1030;"));
    EXPECT_EQ(words(judged({set_for({"gfx103"}, name, "11.0.0")})), Words{"override warn"});
}

TEST(Lint, says_nothing_of_what_a_condition_keeps_from_the_gpus_here) {
    Host host;
    host.gpus.emplace_back().gfx_target.offer("gfx1100", {"test", "test"});
    auto const of = [&](std::vector<std::string> gpus, std::string name, std::string value) {
        return words(judged({set_for(std::move(gpus), std::move(name), std::move(value))}, &host));
    };
    EXPECT_EQ(of({"gfx1031"}, "HSA_OVERRIDE_GFX_VERSION", "10.3.0"), Words{});
    EXPECT_EQ(of({"gfx11"}, "HSA_OVERRIDE_GFX_VERSION", "11.0.0"), Words{});
    EXPECT_EQ(of({"gfx11"}, "HSA_OVERRIDE_GFX_VERSION", "11.0.1"), Words{"override warn"});
    EXPECT_EQ(of({"gfx90a"}, "HSA_XNACK", "1"), Words{});
    EXPECT_EQ(of({"gfx11"}, "HSA_XNACK", "1"), Words{"wrong-architecture fail"});
}

TEST(Lint, judges_settings_for_the_gpus_that_their_text_is_for) {
    EXPECT_EQ(words(judged({set_for({"gfx1151"}, "HSA_XNACK", "1")})),
              Words{"wrong-architecture fail"});
    EXPECT_EQ(words(judged({set_for({"gfx90a"}, "HSA_XNACK", "1")})), Words{});
    auto const in_text_for = [](std::vector<std::string> gpus) {
        LintContext context{embedded_catalogue(), embedded_chips()};
        context.gpus = std::move(gpus);
        std::vector<Assignment> const settings{set("VLLM_ROCM_USE_AITER_MHA", "0"),
                                               set("HSA_XNACK", "1")};
        return words(lint(settings, context));
    };
    EXPECT_EQ(in_text_for({"gfx1151"}), Words{"wrong-architecture info (note)"});
    EXPECT_EQ(in_text_for({"gfx1151", "gfx9"}), Words{});
    EXPECT_EQ(in_text_for({}), Words{});
    auto const with_aiter_for = [](std::string gpu) {
        LintContext context{embedded_catalogue(), embedded_chips()};
        context.gpus = {std::move(gpu)};
        std::vector const settings{set("VLLM_ROCM_USE_AITER", "1")};
        return words(lint(settings, context));
    };
    EXPECT_EQ(with_aiter_for("mi250"), Words{"wrong-architecture info (note)"});
    EXPECT_EQ(with_aiter_for("mi300"), Words{});
    EXPECT_EQ(with_aiter_for("mi999"), Words{});
}

TEST(Lint, says_nothing_of_a_debug_switch_that_reaches_no_program) {
    auto one = set("MIOPEN_DEBUG_CONV_DIRECT", "0");
    one.exported = false;
    EXPECT_EQ(words(judged({one})), Words{});
    auto rebuild = set("AITER_REBUILD", "1");
    EXPECT_EQ(words(judged({rebuild})), Words{"debug-left-on warn"});
    rebuild.file = "scripts/rebuild_aiter.sh";
    EXPECT_EQ(words(judged({rebuild})), Words{});
}

TEST(Lint, lets_texts_note_a_release_and_name_a_plugin) {
    EXPECT_EQ(words(judged({set("ROCM_VERSION", "6.4")})), Words{});
    EXPECT_EQ(words(judged({set("NCCL_NET_PLUGIN", "/opt/x/librccl-net.so")})), Words{});
    EXPECT_EQ(words(judged({set("NCCL_NET_PLUGIN", "/tmp/librccl-net.so")})),
              Words{"security fail"});
}

TEST(Lint, is_not_certain_of_the_directory_in_which_a_job_starts) {
    EXPECT_EQ(words(judged({set("LD_PRELOAD", "./a.so", InputKind::slurm)})),
              Words{"security info (note)"});
}

TEST(Lint, says_nothing_of_a_variable_that_is_removed) {
    auto assignment = set("HSA_ENABLE_SDMA", "0");
    assignment.value.reset();
    assignment.unset = true;
    EXPECT_EQ(words(judged({assignment})), Words{});
}

TEST(Lint, is_not_certain_of_what_a_shell_does_not_export) {
    auto assignment = set("HSA_OVERRIDE_GFX_VERSION", "10.3.0");
    assignment.exported = false;
    EXPECT_EQ(words(judged({assignment})), Words{"override info (note)"});
}

TEST(Lint, says_nothing_of_a_default_that_a_shell_does_not_export) {
    for (auto const* name : {"HSA_ENABLE_SDMA", "FI_CXI_DEFAULT_CQ_SIZE"}) {
        auto assignment = set(name, name[0] == 'F' ? "131072" : "1");
        EXPECT_EQ(judged({assignment}).size(), 1) << name;
        assignment.exported = false;
        EXPECT_EQ(words(judged({assignment})), Words{}) << name;
    }
}

TEST(Lint, is_not_certain_of_what_cuda_reads_otherwise) {
    auto assignment = set("CUDA_VISIBLE_DEVICES", "-0");
    EXPECT_EQ(words(judged({assignment})), Words{"bad-value fail"});
    assignment.for_nvidia = true;
    EXPECT_EQ(words(judged({assignment})), Words{"bad-value info (note)"});
}

TEST(Lint, says_nothing_of_the_defaults_of_rccl_where_nccl_reads) {
    for (auto const* name : {"NCCL_P2P_DISABLE", "HSA_ENABLE_MWAITX"}) {
        auto assignment = set(name, "0");
        auto const before = words(judged({assignment}));
        assignment.for_nvidia = true;
        EXPECT_EQ(words(judged({assignment})), name[0] == 'N' ? Words{} : before);
    }
}

TEST(Lint, says_nothing_of_an_unknown_name_that_its_text_uses) {
    auto assignment = set("MIOPEN_PREFIX", "/opt/rocm");
    EXPECT_EQ(words(judged({assignment})), Words{"unknown-name info (note)"});
    assignment.is_used_here = true;
    EXPECT_EQ(words(judged({assignment})), Words{});
}

TEST(Lint, says_nothing_of_an_unknown_name_that_a_shell_does_not_export) {
    for (auto const* name : {"HIP_FROBNICATE_EVERYTHING", "HIP_VISIBLE_DEVICE"}) {
        auto assignment = set(name, "0");
        assignment.exported = false;
        EXPECT_EQ(words(judged({assignment})), Words{});
    }
}

TEST(Lint, takes_a_debug_switch_for_one_command_as_meant) {
    auto assignment = set("AMD_LOG_LEVEL", "4");
    assignment.one_command = true;
    EXPECT_EQ(words(judged({assignment})), Words{"debug-left-on info (note)"});
}

TEST(Lint, takes_a_debug_switch_in_a_branch_or_a_test_as_meant) {
    auto assignment = set("AMD_LOG_LEVEL", "4");
    assignment.in_branch = true;
    EXPECT_EQ(words(judged({assignment})), Words{"debug-left-on info (note)"});
    assignment.in_branch = false;
    for (auto const* file : {"reproduce.sh", "a/debug_scripts/fix.py"}) {
        assignment.file = file;
        EXPECT_EQ(words(judged({assignment})), Words{"debug-left-on info (note)"});
    }
    assignment.file = "scripts/test_direct_conv.py";
    EXPECT_EQ(words(judged({assignment})), Words{"debug-left-on info (note)"});
    assignment.file = "convolution_debugging_report.md";
    EXPECT_EQ(words(judged({assignment})), Words{"debug-left-on info (note)"});
    assignment.file = "tests/attestation.py";
    EXPECT_EQ(words(judged({assignment})), Words{"debug-left-on warn"});
}

TEST(Lint, takes_an_override_before_a_trial_as_meant) {
    auto assignment = set("HSA_OVERRIDE_GFX_VERSION", "10.1.0");
    assignment.one_command = true;
    EXPECT_EQ(words(judged({assignment})), Words{"override warn"});
    assignment.file = "reproduce.sh";
    EXPECT_EQ(words(judged({assignment})), Words{"override info (note)"});
    assignment.one_command = false;
    EXPECT_EQ(words(judged({assignment})), Words{"override warn"});
}

TEST(Lint, leaves_versions_and_checksums_of_a_script_alone) {
    for (auto const* own : {"TORCH_SHA256", "ROCM_MAJOR_VER"})
        EXPECT_EQ(words(judged({set(own, "7")})), Words{}) << own;
    EXPECT_EQ(words(judged({set("MIOPEN_CACHE_DIR", "/x")})), Words{"dead-name warn"});
}

TEST(Lint, takes_a_bad_value_in_a_test_as_meant) {
    auto assignment = set("HIP_FORCE_DEV_KERNARG", "True");
    EXPECT_EQ(words(judged({assignment})), Words{"bad-value fail"});
    assignment.file = "runner/test_validation.sh";
    EXPECT_EQ(words(judged({assignment})), Words{"bad-value info (note)"});
}

TEST(Lint, takes_a_range_in_a_document_for_a_choice) {
    auto assignment = set("OMP_NUM_THREADS", "4-8");
    EXPECT_EQ(words(judged({assignment})), Words{"bad-value fail"});
    assignment.is_shown = true;
    EXPECT_EQ(words(judged({assignment})), Words{"bad-value info (note)"});
    assignment.value = "four";
    EXPECT_EQ(words(judged({assignment})), Words{"bad-value fail"});
}

TEST(Lint, leaves_names_of_other_vendors_builds_alone) {
    EXPECT_EQ(words(judged({set("TORCH_MUSA_ARCH_LIST", "31")})), Words{});
    EXPECT_EQ(words(judged({set("TORCH_CUDE_ARCH_LIST", "9.0")})), Words{"unknown-name warn"});
}

TEST(Lint, takes_the_directory_of_one_command_for_one_that_is_known) {
    auto assignment = set("LD_LIBRARY_PATH", "build/lib");
    EXPECT_EQ(words(judged({assignment})), Words{"security fail"});
    assignment.one_command = true;
    EXPECT_EQ(words(judged({assignment})), Words{"security info (note)"});
    assignment.value = "/tmp/lib";
    EXPECT_EQ(words(judged({assignment})), Words{"security fail"});
}

TEST(Lint, takes_no_name_for_meant_to_which_the_value_is_nothing) {
    auto const about = [](char const* name, char const* value) {
        return words(judged({set(name, value)}));
    };
    EXPECT_EQ(about("MIOPEN_USER_DB_PATHS", "/x/y"), Words{"unknown-name warn"});
    EXPECT_NE(about("MIOPEN_USER_DB_PATHS", "llama3"), Words{"unknown-name warn"});
    EXPECT_EQ(about("GPU_MAX_HW_QUEUE", "4"), Words{"unknown-name warn"});
    EXPECT_NE(about("GPU_MAX_HW_QUEUE", "llama3:x"), Words{"unknown-name warn"});
    EXPECT_NE(about("GPU_MAX_HW_QUEUE", "many"), Words{"unknown-name warn"});
    EXPECT_EQ(about("HIP_LAUNCH_BLOKING", "true"), Words{"unknown-name warn"});
}

TEST(Lint, says_nothing_of_a_place_that_the_text_computes) {
    auto assignment = set("ROCBLAS_TENSILE_LIBPATH", "/x/library");
    EXPECT_EQ(words(judged({assignment})), Words{"security info (note)"});
    assignment.value.reset();
    EXPECT_EQ(words(judged({assignment})), Words{});
}

TEST(Lint, looks_at_the_places_of_a_list_that_are_known) {
    auto const with = [](std::vector<ValuePart> parts) {
        auto assignment = set("LD_LIBRARY_PATH", "");
        assignment.value.reset();
        assignment.parts = std::move(parts);
        return judged({assignment});
    };
    ValuePart const unknown{"${X}", false};
    for (auto const* known : {":/x:", "::/x", ":/x:lib", ":/x:/tmp/lib"})
        EXPECT_EQ(words(with({unknown, {known}})), Words{"security fail"}) << known;
    for (auto const* known : {":/x", "/lib:/x", ":/x:/y", ":$ORIGIN/lib", ":/x:~/lib"})
        EXPECT_EQ(words(with({unknown, {known}})), Words{}) << known;
    EXPECT_EQ(words(with({{"lib:"}, unknown})), Words{"security fail"});
    EXPECT_EQ(words(with({{"/x:"}, unknown})), Words{});
    EXPECT_EQ(words(with({{"lib/"}, unknown})), Words{});
    auto const finding = with({unknown, {":/x:"}}).at(0);
    EXPECT_EQ(finding.setting->fix, "LD_LIBRARY_PATH=${X}:/x");
    EXPECT_EQ(finding.setting->repair.kind, Repair::Kind::none);
}

TEST(Lint, says_of_a_dead_name_of_builds_less_where_things_are_built) {
    auto assignment = set("HIP_INCLUDE_PATH", "/opt/rocm/include");
    EXPECT_EQ(words(judged({assignment})),
              (Words{"dead-name warn", "build-or-launcher info (note)"}));
    assignment.builds = true;
    EXPECT_EQ(words(judged({assignment})), Words{"dead-name info (note)"});
}

TEST(Lint, lets_readers_clamp_what_is_too_small) {
    EXPECT_EQ(words(judged({set("TE_HIPBLASLT_TUNING_ALGO_COUNT", "0")})), Words{});
}

TEST(Lint, lets_builds_have_the_variables_of_builds) {
    auto assignment = set("PYTORCH_ROCM_ARCH", "gfx1100", InputKind::dockerfile);
    EXPECT_EQ(words(judged({assignment})), Words{});
    assignment = set("PYTORCH_ROCM_ARCH", "gfx1100");
    assignment.builds = true;
    EXPECT_EQ(words(judged({assignment})), Words{});
}

TEST(Lint, says_nothing_of_ranks_that_stay_in_the_shell) {
    auto rank = set("RANK", "0");
    rank.exported = false;
    EXPECT_EQ(words(judged({rank})), Words{});
}

TEST(Lint, says_nothing_of_what_only_changes_what_is_shown) {
    EXPECT_EQ(words(judged({set("PYTHONUNBUFFERED", "1"), set("HF_HUB_DISABLE_PROGRESS_BARS", "1"),
                            set("TRANSFORMERS_VERBOSITY", "error")})),
              Words{});
}

TEST(Lint, lets_batch_scripts_say_where_ranks_meet) {
    EXPECT_EQ(words(judged({set("MASTER_ADDR", "node1", InputKind::slurm)})), Words{});
}

TEST(Lint, lets_a_text_that_starts_ranks_say_where_they_meet) {
    auto meeting = set("MASTER_PORT", "29500");
    EXPECT_EQ(words(judged({meeting})), Words{"build-or-launcher info (note)"});
    meeting.launches = true;
    EXPECT_EQ(words(judged({meeting})), Words{});
    auto guarded = set("MASTER_PORT", "29500");
    guarded.conditional = true;
    EXPECT_EQ(words(judged({guarded})), Words{});
    auto rank = set("RANK", "0");
    rank.launches = true;
    EXPECT_EQ(words(judged({rank})), Words{"build-or-launcher info"});
}

TEST(Lint, judges_the_name_where_the_value_is_not_known) {
    auto dead = set("ROCM_LOG_LEVEL", "");
    dead.value.reset();
    auto debug = set("HSA_ENABLE_SDMA", "");
    debug.value.reset();
    EXPECT_EQ(words(judged({dead, debug})), Words{"dead-name warn"});
}

TEST(Lint, never_shows_a_credential) {
    std::string const token = "hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123";
    for (auto const& finding : judged({set("HF_TOKEN", token), set("HIP_NOTE", token)})) {
        EXPECT_EQ(finding.message.find(token), std::string::npos);
        EXPECT_EQ(finding.setting->fix.find(token), std::string::npos) << finding.id;
        EXPECT_NE(finding.setting->value, token) << finding.id;
        for (auto const& evidence : finding.evidence) EXPECT_NE(evidence.value, token);
    }
}

TEST(Lint, leaves_credentials_in_a_live_environment_alone) {
    EXPECT_EQ(words(judged(
                  {set("HF_TOKEN", "hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123", InputKind::environment)})),
              Words{});
}

TEST(Lint, suggests_the_spelling_that_the_reader_takes) {
    auto const fix = [](std::string name, std::string value) {
        return judged({set(std::move(name), std::move(value))}).at(0).setting->fix;
    };
    EXPECT_EQ(fix("HIP_FORCE_DEV_KERNARG", "True"), "HIP_FORCE_DEV_KERNARG=1");
    EXPECT_EQ(fix("HIP_VISIBLE_DEVICES", "0, 1"), "HIP_VISIBLE_DEVICES=0,1");
    EXPECT_EQ(fix("FLASH_ATTENTION_TRITON_AMD_ENABLE", "true"),
              "FLASH_ATTENTION_TRITON_AMD_ENABLE=TRUE");
    EXPECT_EQ(fix("HIP_VISIBLE_DEVICE", "0"), "HIP_VISIBLE_DEVICES=0");
    EXPECT_EQ(fix("HSA_OVERRIDE_GFX_VERSION", "10_3_0"), "HSA_OVERRIDE_GFX_VERSION=10.3.0");
    EXPECT_EQ(fix("HSA_OVERRIDE_GFX_VERSION", "gfx90a"), "HSA_OVERRIDE_GFX_VERSION=9.0.10");
    EXPECT_EQ(fix("LD_LIBRARY_PATH", "/opt/rocm/lib:"), "LD_LIBRARY_PATH=/opt/rocm/lib");
}

std::string fix_of(Assignment const& assignment) {
    return judged({assignment}).at(0).setting->fix;
}

TEST(Lint, names_what_the_reader_takes_where_the_meaning_is_not_clear) {
    EXPECT_EQ(fix_of(set("HSA_XNACK", "2")),
              "set HSA_XNACK to a truth value (0 or 1), or remove it");
    EXPECT_EQ(fix_of(set("GPU_MAX_HW_QUEUES", "four")),
              "set GPU_MAX_HW_QUEUES to a whole number of at least 1, or remove it");
    EXPECT_EQ(fix_of(set("MIOPEN_FIND_MODE", "FASTT")), "MIOPEN_FIND_MODE=FAST");
    EXPECT_EQ(fix_of(set("MIOPEN_FIND_MODE", "QUICK")),
              "set MIOPEN_FIND_MODE to NORMAL=1, FAST=2, HYBRID=3, DYNAMIC_HYBRID=5, "
              "TRUST_VERIFY=6, TRUST_VERIFY_FULL=7, or remove it");
    EXPECT_EQ(
        fix_of(set("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:true, max_split_size_mb:512")),
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True,max_split_size_mb:512");
    EXPECT_EQ(fix_of(set("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:8")),
              "set PYTORCH_CUDA_ALLOC_CONF to NAME:VALUE with commas between, or remove it");
}

TEST(Lint, says_to_take_a_setting_out_where_unset_would_not_undo_it) {
    auto const override_in = [](InputKind kind) {
        return set("HSA_OVERRIDE_GFX_VERSION", "10.3.0", kind);
    };
    EXPECT_EQ(fix_of(override_in(InputKind::shell)), "unset HSA_OVERRIDE_GFX_VERSION");
    for (auto const kind : {InputKind::dockerfile, InputKind::compose, InputKind::kubernetes})
        EXPECT_EQ(fix_of(override_in(kind)), "remove HSA_OVERRIDE_GFX_VERSION");
    auto in_command = override_in(InputKind::shell);
    in_command.one_command = true;
    EXPECT_EQ(fix_of(in_command), "remove HSA_OVERRIDE_GFX_VERSION from the command");
    auto option = override_in(InputKind::shell);
    option.is_option = true;
    EXPECT_EQ(fix_of(option), "remove HSA_OVERRIDE_GFX_VERSION from the command");
}

TEST(Lint, names_the_directory_into_which_everybody_can_put_files) {
    auto const message = [](char const* value) {
        return judged({set("HSA_TOOLS_LIB", value)}).at(0).message;
    };
    EXPECT_TRUE(message("/tmp/x.so")
                    .ends_with("everybody can put files into /tmp, where "
                               "/tmp/x.so lies"));
    EXPECT_TRUE(message("/dev/shm").ends_with("everybody can put files into /dev/shm"));
}

TEST(Lint, counts_one_device_as_one) {
    auto const findings =
        judged({set("ROCR_VISIBLE_DEVICES", "1"), set("HIP_VISIBLE_DEVICES", "3")});
    EXPECT_NE(findings.at(0).message.find(" leaves: 1 device,"), std::string::npos);
}

TEST(Lint, speaks_of_variables_for_compiling_without_denying_programs_that_compile) {
    auto const finding = judged({set("PYTORCH_ROCM_ARCH", "gfx1100")}).at(0);
    EXPECT_NE(finding.message.find("extensions that a program compiles"), std::string::npos);
    EXPECT_EQ(finding.message.find("does nothing"), std::string::npos);
}

TEST(Lint, points_at_file_line_and_column) {
    Assignment const assignment{.name = "ROCM_LOG_LEVEL",
                                .value = "2",
                                .file = "a.sh",
                                .line = 7,
                                .column = 8,
                                .kind = InputKind::shell};
    auto const finding = judged({assignment}).at(0);
    EXPECT_EQ(finding.setting->file, "a.sh");
    EXPECT_EQ(finding.setting->line, 7u);
    EXPECT_EQ(finding.setting->column, 8u);
    EXPECT_EQ(finding.setting->name, "ROCM_LOG_LEVEL");
    EXPECT_EQ(finding.setting->value, "2");
    EXPECT_FALSE(finding.sources.empty());
}

// ---- settings together --------------------------------------------------------------------------

/// The words of the findings that are conflicts.
Words conflicts(std::vector<Assignment> const& assignments) {
    auto all = words(judged(assignments));
    std::erase_if(all, [](std::string const& word) { return !word.starts_with("conflict"); });
    return all;
}

TEST(Lint, finds_device_lists_that_differ) {
    EXPECT_EQ(conflicts({set("HIP_VISIBLE_DEVICES", "0,1"), set("CUDA_VISIBLE_DEVICES", "0")}),
              Words{"conflict fail"});
    EXPECT_EQ(conflicts({set("HIP_VISIBLE_DEVICES", "0,1"), set("CUDA_VISIBLE_DEVICES", "0,1")}),
              Words{});
}

TEST(Lint, finds_numbers_beyond_the_devices_that_rocr_leaves) {
    EXPECT_EQ(conflicts({set("ROCR_VISIBLE_DEVICES", "2,3"), set("HIP_VISIBLE_DEVICES", "2,3")}),
              Words{"conflict fail"});
    EXPECT_EQ(conflicts({set("ROCR_VISIBLE_DEVICES", "2,3"), set("HIP_VISIBLE_DEVICES", "0,1")}),
              Words{});
}

TEST(Lint, says_how_many_devices_are_left_and_where_everybody_can_write) {
    auto const says = [](Finding const& finding, std::string_view text) {
        return finding.message.find(text) != std::string::npos;
    };
    auto const found = judged({set("ROCR_VISIBLE_DEVICES", "2"), set("HIP_VISIBLE_DEVICES", "2")});
    EXPECT_TRUE(says(found.at(0), "leaves: 1 device, counted from 0; there is no number 2"));
    EXPECT_TRUE(says(judged({set("LD_PRELOAD", "/tmp/x.so")}).at(0),
                     "everybody can put files into /tmp, where /tmp/x.so lies"));
}

TEST(Lint, finds_several_names_of_the_allocator_settings) {
    std::string const options = "garbage_collection_threshold:0.8";
    EXPECT_EQ(conflicts({set("PYTORCH_HIP_ALLOC_CONF", options),
                         set("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128")}),
              Words{"conflict fail"});
    EXPECT_EQ(conflicts({set("PYTORCH_HIP_ALLOC_CONF", options),
                         set("PYTORCH_CUDA_ALLOC_CONF", options)}),
              Words{});
    EXPECT_EQ(conflicts({set("PYTORCH_HIP_ALLOC_CONF", options)}), Words{});
}

Host host_with_torch(std::vector<std::string> const& versions) {
    Host host;
    std::vector<Framework> all;
    for (auto const& version : versions)
        all.emplace_back(Framework{.name = "torch"}).version.offer(version, {"test", "test"});
    host.frameworks.offer(std::move(all), {"test", "test"});
    return host;
}

/// Verdict and step of the only finding about the new name and an older one.
std::string judged_names(std::string const& older, Host const* host) {
    for (auto const& finding :
         judged({set("PYTORCH_ALLOC_CONF", "garbage_collection_threshold:0.8"),
                 set(older, "max_split_size_mb:128")},
                host))
        if (finding.setting->lint_class == LintClass::conflict)
            return std::string(word_of(finding.verdict)) + ", " + finding.setting->fix;
    return "nothing";
}

TEST(Lint, knows_from_the_version_of_PyTorch_which_name_of_the_allocator_settings_counts) {
    auto const older = host_with_torch({"2.7.0+rocm6.3"});
    auto const newer = host_with_torch({"2.11.0"});
    for (auto const* name : {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"})
        EXPECT_EQ(judged_names(name, &older), "fail, unset PYTORCH_ALLOC_CONF");
    EXPECT_EQ(judged_names("PYTORCH_CUDA_ALLOC_CONF", &newer), "info, unset PYTORCH_ALLOC_CONF");
    EXPECT_EQ(judged_names("PYTORCH_HIP_ALLOC_CONF", &newer), "info, unset PYTORCH_HIP_ALLOC_CONF");
}

TEST(Lint, is_not_certain_which_allocator_name_counts_where_versions_differ_or_are_not_known) {
    auto const mixed = host_with_torch({"2.7.0", "2.11.0"});
    auto const none = host_with_torch({});
    Host const unread;
    for (Host const* host : {&mixed, &none, &unread, static_cast<Host const*>(nullptr)})
        EXPECT_EQ(judged_names("PYTORCH_CUDA_ALLOC_CONF", host), "info, unset PYTORCH_ALLOC_CONF");
}

TEST(Lint, finds_the_pair_of_allocator_options_that_loses_data) {
    std::vector const pair{
        set("PYTORCH_ALLOC_CONF", "expandable_segments:True,max_split_size_mb:128")};
    auto const older = host_with_torch({"2.9.0"});
    auto const newer = host_with_torch({"2.12.0"});
    EXPECT_EQ(words(judged(pair, &newer)), Words{"conflict fail"});
    // They ignore the first option; where the version is not known, they may.
    EXPECT_EQ(words(judged(pair, &older)),
              (Words{"bad-value info (note)", "conflict info (note)"}));
    EXPECT_EQ(words(judged(pair)), Words{"conflict info (note)"});
    EXPECT_EQ(
        conflicts({set("PYTORCH_ALLOC_CONF", "expandable_segments:False,max_split_size_mb:128")}),
        Words{});
}

TEST(Lint, counts_the_last_of_several_assignments) {
    EXPECT_EQ(conflicts({set("HIP_VISIBLE_DEVICES", "1"), set("CUDA_VISIBLE_DEVICES", "0"),
                         set("HIP_VISIBLE_DEVICES", "0")}),
              Words{});
    auto removed = set("HIP_VISIBLE_DEVICES", "");
    removed.value.reset();
    removed.unset = true;
    EXPECT_EQ(
        conflicts({set("HIP_VISIBLE_DEVICES", "1"), set("CUDA_VISIBLE_DEVICES", "0"), removed}),
        Words{});
}

TEST(Lint, does_not_let_environments_that_never_meet_conflict) {
    auto other = set("CUDA_VISIBLE_DEVICES", "0");
    other.scope = 1;
    EXPECT_EQ(conflicts({set("HIP_VISIBLE_DEVICES", "1"), other}), Words{});
}

// ---- a host -------------------------------------------------------------------------------------

Host host_with(std::string const& target) {
    Host host;
    host.gpus.emplace_back().gfx_target.offer(target, {"test", "test"});
    return host;
}

TEST(Lint, finds_an_override_to_another_generation_of_instructions) {
    auto const host = host_with("gfx1100");
    EXPECT_EQ(words(judged({set("HSA_OVERRIDE_GFX_VERSION", "10.3.0")}, &host)),
              (Words{"wrong-architecture fail", "override warn"}));
    EXPECT_EQ(words(judged({set("HSA_OVERRIDE_GFX_VERSION", "11.0.2")}, &host)),
              Words{"override warn"});
}

TEST(Lint, takes_the_number_of_the_gpu_itself_for_no_override) {
    auto host = host_with("gfx1100");
    std::vector const own{set("HSA_OVERRIDE_GFX_VERSION", "11.0.0")};
    EXPECT_EQ(words(judged(own, &host)), Words{"override info (note)"});
    host.gpus.emplace_back().gfx_target.offer("gfx1101", {"test", "test"});
    EXPECT_EQ(words(judged(own, &host)), Words{"override warn"});
}

TEST(Lint, finds_what_these_gpus_do_not_have) {
    auto const radeon = host_with("gfx1100");
    auto const instinct = host_with("gfx942");
    // Before ROCm 6.2.1 it had an effect on Radeon, too.
    EXPECT_EQ(words(judged({set("HIP_FORCE_DEV_KERNARG", "1")}, &radeon)), Words{});
    EXPECT_EQ(words(judged({set("HSA_XNACK", "1")}, &radeon)), Words{"wrong-architecture fail"});
    EXPECT_EQ(words(judged({set("HSA_XNACK", "1")}, &instinct)), Words{});
}

TEST(Lint, knows_from_the_catalogue_on_which_targets_a_setting_matters) {
    auto const radeon = host_with("gfx1100");
    auto const instinct = host_with("gfx950");
    EXPECT_EQ(words(judged({set("VLLM_ROCM_USE_AITER", "1")}, &radeon)),
              Words{"wrong-architecture fail"});
    EXPECT_EQ(words(judged({set("VLLM_ROCM_USE_AITER", "1")}, &instinct)), Words{});
    auto const catalogue = with_overrides(embedded_catalogue(), {{"variables.json", R"({
        "schema_version": "1.0", "date": "2026-09-01", "variables": [{
            "name": "VLLM_ROCM_USE_AITER", "kind": "environment", "readers": ["vllm"],
            "status": "public", "use": "runtime", "type": "bool", "effect": "E",
            "gfx_prefixes": ["gfx110"], "sources": ["vllm-envs-2026-05"],
            "last_verified": "2026-09-01"}]})"}});
    std::vector const on{set("VLLM_ROCM_USE_AITER", "1")};
    auto const judged_by_it = [&](Host const& host) {
        return words(lint(on, {catalogue, embedded_chips(), &host, nullptr}));
    };
    EXPECT_EQ(judged_by_it(radeon), Words{});
    EXPECT_EQ(judged_by_it(instinct), Words{"wrong-architecture fail"});
}

TEST(Lint, finds_no_reader_only_where_all_that_may_read_was_searched) {
    ReaderIndex index{.names = {"HSA_ENABLE_SDMA"}, .components = {"rccl"}};
    for (auto const& reader : embedded_catalogue().readers("NCCL_DEBUG"))
        index.components.emplace_back(reader.component->id);
    std::ranges::sort(index.components);
    EXPECT_EQ(words(judged({set("NCCL_DEBUG", "WARN")}, nullptr, &index)),
              Words{"no-reader-here info (note)"});
    EXPECT_EQ(words(judged({set("HIP_FORCE_DEV_KERNARG", "1")}, nullptr, &index)), Words{});
    index.names = {"HSA_ENABLE_SDMA", "NCCL_DEBUG"};
    EXPECT_EQ(words(judged({set("NCCL_DEBUG", "WARN")}, nullptr, &index)), Words{});
}

TEST(Lint, joins_what_is_said_of_one_setting_with_the_worst_first) {
    auto found = judged({set("HSA_OVERRIDE_GFX_VERSION", "10_3_0"), set("HSA_ENABLE_SDMA", "0")});
    ASSERT_EQ(words(found), (Words{"bad-value fail", "override warn", "debug-left-on warn"}));
    auto& override = found[1];
    EXPECT_TRUE(joins(override, found[0]));
    EXPECT_EQ(override.id, "RT5004");
    auto const is_told = [](Evidence const& one) {
        return one.source == "also override (RT5009)" &&
               one.value.find("take the GPU for another one") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(override.evidence, is_told));
    EXPECT_FALSE(joins(override, found[2]));
    EXPECT_EQ(found[2].id, "RT5006");
}

// ---- what always holds --------------------------------------------------------------------------

TEST(Lint, gives_no_fail_or_warn_that_is_not_certain) {
    std::vector<Assignment> all;
    for (auto const& variable : embedded_catalogue().all())
        for (auto const* value : {"", "0", "1", "true", "-1", "99999999999999999999", "a b", "^lo"})
            all.push_back(set(std::string(variable.name), value));
    auto const findings = judged(all);
    ASSERT_GT(findings.size(), 500u);
    for (auto const& finding : findings) {
        auto const is_note = finding.verdict == Verdict::info;
        EXPECT_TRUE(finding.setting->certain || is_note) << finding.message;
        EXPECT_NE(find_finding_kind(finding.id), nullptr);
        EXPECT_FALSE(finding.message.empty());
        EXPECT_TRUE(is_note || !finding.setting->fix.empty()) << finding.message;
    }
}

}  // namespace
}  // namespace rocmtune
