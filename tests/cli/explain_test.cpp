// SPDX-License-Identifier: MIT
// rocmtune explain: truthful about every name that guides speak of, and about this host.
#include "judge/rules/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "judge/rules/advise.hpp"
#include "knowledge/chips.hpp"
#include "show/formats.hpp"
#include "show/layout.hpp"
#include "support/env_shells.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Outcome explain_on(std::string const& host, std::string const& name,
                   std::vector<std::string> more = {}) {
    std::vector<std::string> words{"explain", name, "--replay",
                                   ROCMTUNE_SOURCE_DIR "/tests/hosts/" + host + "/host"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

/// One line of text, however it was wrapped.
std::string flat(std::string const& text) {
    std::string result;
    for (auto const word : words(text)) result.append(word).append(" ");
    return result;
}

struct Answer {
    char const* name;
    char const* says;
};

/// The variables that the guides tell users to set, each with the heart of the true answer.
constexpr Answer answers[] = {
    {"HIP_VISIBLE_DEVICES", "HIP runtime"},
    {"CUDA_VISIBLE_DEVICES", "HIP runtime"},
    {"PYTORCH_ROCM_DEVICE", "nothing ever read this name"},
    {"GPU_MAX_ALLOC_PERCENT", "nothing reads this name any more"},
    {"GPU_SINGLE_ALLOC_PERCENT", "HIP: 100 when unset"},
    {"GPU_MAX_HEAP_SIZE", "default 100"},
    {"HIP_HIDDEN_FREE_MEM", "changes what is shown, not what is done"},
    {"HIP_LAUNCH_BLOCKING", "a debug switch"},
    {"CUDA_LAUNCH_BLOCKING", "RCCL"},
    {"ROCM_LOG_LEVEL", "nothing ever read this name"},
    {"HSA_ENABLE_SDMA", "a debug switch of ROCr"},
    {"HSA_ENABLE_INTERRUPT", "a debug switch of ROCr"},
    {"HSA_UNALIGNED_ACCESS_MODE", "nothing ever read this name"},
    {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"},
    {"PYTORCH_HIP_ALLOC_CONF", "PYTORCH_ALLOC_CONF"},
    {"PYTORCH_ROCM_ARCH", "read only where something is compiled"},
    {"ROCM_HOME", "when they compile while a program runs"},
    {"ROCM_PATH", "Programs that run read it, too"},
    {"LD_LIBRARY_PATH", "brings code into programs"},
    {"TORCH_BLAS_PREFER_HIPBLASLT", "PyTorch"},
    {"TORCH_COMPILE_BACKEND", "a variable of torchtune"},
    {"WORLD_SIZE", "the launcher of a job owns"},
    {"MASTER_ADDR", "the launcher of a job owns"},
    {"MASTER_PORT", "the launcher of a job owns"},
    {"MIOPEN_FIND_MODE", "DYNAMIC_HYBRID"},
    {"MIOPEN_USER_DB_PATH", "~/.config/miopen"},
    {"NCCL_DEBUG", "WARN"},
    {"NCCL_SOCKET_IFNAME", "RCCL"},
    {"NCCL_NSOCKS_PERTHREAD", "RCCL"},
    {"NCCL_IB_DISABLE", "default 0"},
    {"NCCL_P2P_DISABLE", "RCCL"},
};

class Guide : public testing::TestWithParam<Answer> {};

TEST_P(Guide, variable_is_explained_truthfully) {
    auto const result = explain_on("rx7900xt-x2", GetParam().name);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(flat(result.out), HasSubstr(GetParam().says));
    EXPECT_THAT(result.out,
                testing::AllOf(HasSubstr("folklore"), HasSubstr("sources"), HasSubstr("here")));
}

TEST(Explain, says_nothing_of_the_place_of_libraries_that_nobody_looks_for) {
    auto const text = flat(explain_on("rx7900xt-x2", "MALLOC_ARENA_MAX").out);
    EXPECT_THAT(text, HasSubstr("GNU C library"));
    EXPECT_THAT(text, testing::Not(HasSubstr("not found here")));
    EXPECT_THAT(text, testing::Not(HasSubstr("was found on this host")));
}

INSTANTIATE_TEST_SUITE_P(Of, Guide, testing::ValuesIn(answers),
                         [](auto const& row) { return std::string(row.param.name); });

TEST(Explain, says_what_the_value_set_here_means_to_its_reader) {
    auto const result = explain_on("rx7900xt-x2", "HSA_ENABLE_SDMA");
    EXPECT_THAT(flat(result.out),
                HasSubstr("set here '0': taken as it is here A debug switch that was left on"));
    EXPECT_THAT(flat(result.out), HasSubstr("6.3.0-39 here in /opt/rocm-6.3.0"));
}

TEST(Explain, finds_packages_under_every_name_that_they_are_installed_with) {
    EXPECT_THAT(flat(explain_on("rocm-many", "FLASH_ATTENTION_TRITON_AMD_ENABLE").out),
                testing::AllOf(HasSubstr("flash-attention, 2.8.3 here in"),
                               testing::Not(HasSubstr("Nothing that reads it"))));
    EXPECT_THAT(flat(explain_on("rocm-many", "ALLOW_RELEASED_ONNX_OPSET_ONLY").out),
                HasSubstr("ONNX Runtime, 1.22.1 here in"));
}

TEST(Explain, gives_each_place_its_own_version) {
    auto const text = flat(explain_on("rocm-many", "HSA_ENABLE_SDMA").out);
    EXPECT_THAT(text, HasSubstr("/opt/rocm-6.2.4 (6.2.4-"));
}

TEST(Explain, says_of_the_allocators_names_what_lint_says) {
    EXPECT_THAT(flat(explain_on("mi300x-x8", "PYTORCH_ALLOC_CONF").out),
                HasSubstr("Versions before 2.9 read only those."));
}

TEST(Explain, says_what_the_rules_make_of_it_here) {
    EXPECT_THAT(
        flat(explain_on("mi300x-x8", "HSA_NO_SCRATCH_RECLAIM", {"--workload", "training"}).out),
        HasSubstr("rocmtune env sets it to 1 at level"));
    EXPECT_THAT(flat(explain_on("mi300x-x8", "NCCL_MIN_NCHANNELS").out),
                HasSubstr("No rule for this host and selection sets it."));
    EXPECT_THAT(flat(explain_on("rx7900xt-x2", "VLLM_ROCM_USE_AITER").out),
                HasSubstr("Nothing that reads it was found on this host."));
}

TEST(Explain, knows_options_practices_and_names_without_more) {
    EXPECT_THAT(explain_on("rx7900xt", "expandable_segments").out,
                HasSubstr("expandable_segments: option"));
    EXPECT_THAT(explain_on("rx7900xt", "DataParallel").out, HasSubstr("DataParallel: practice"));
    auto const only = explain_on("rx7900xt", "HSAKMT_DEBUG_LEVEL_X");
    EXPECT_EQ(only.code, 2);
    auto const& names = embedded_catalogue().names();
    std::string found;
    for (auto const name : names.all())
        if (embedded_catalogue().find(name) == nullptr && found.empty()) found = name;
    ASSERT_NE(found, "");
    EXPECT_THAT(flat(explain_on("rx7900xt", found).out), HasSubstr("status name-only"));
}

TEST(Explain, says_why_probe_shows_a_name_of_which_nothing_else_is_known) {
    for (auto const& [name, reason] : {std::pair("WSL_INTEROP", "tells that the host is WSL"),
                                       std::pair("SLURM_GPUS_PER_NODE", "Slurm"),
                                       std::pair("TF_FORCE_GPU_ALLOW_GROWTH", "TensorFlow")}) {
        auto const outcome = explain_on("rx7900xt", name);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(flat(outcome.out), HasSubstr("probe shows where it is set")) << name;
        EXPECT_THAT(outcome.out, HasSubstr(reason)) << name;
    }
}

TEST(Explain, takes_upper_and_lower_case_for_equal) {
    EXPECT_THAT(explain_on("rx7900xt", "nccl_debug").out, HasSubstr("NCCL_DEBUG: "));
}

TEST(Explain, of_an_unknown_name_gives_the_nearest) {
    auto const result = explain_on("rx7900xt", "HSA_ENABLE_SMDA");
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, testing::AllOf(HasSubstr("speaks of 'HSA_ENABLE_SMDA'"),
                                           HasSubstr("HSA_ENABLE_SDMA")));
    EXPECT_EQ(explain_on("rx7900xt", "zzz qqq").code, 2);
}

TEST(Explain, knows_the_ids_of_findings_and_whether_this_host_shows_them) {
    auto const quiet = explain_on("mi300x-x8", "RT1001");
    EXPECT_EQ(quiet.code, 0);
    EXPECT_THAT(flat(quiet.out), testing::AllOf(HasSubstr("RT1001: sources disagree about a fact"),
                                                HasSubstr("here This host does not show it."),
                                                HasSubstr("to do rocmtune probe -vv # compare")));
    EXPECT_THAT(flat(explain_on("override-and-dispute", "RT1004").out), HasSubstr("here 0000:"));
    auto const unknown = explain_on("mi300x-x8", "RT9999");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("there is no finding RT9999"));
}

TEST(Explain, knows_targets_and_which_gpus_here_have_them) {
    auto const result = explain_on("mi300x-x8", "gfx942");
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(
        flat(result.out),
        testing::AllOf(HasSubstr("gfx942: a target of the family CDNA3"),
                       HasSubstr("generic gfx9-4-generic wave 64 lanes"),
                       HasSubstr("matrix MFMA, SMFMAC, fp8 is FNUZ: "),
                       HasSubstr("AMD's main list since ROCm 6.0"),
                       HasSubstr("AMD Instinct MI300X: 304 CUs, 192 GiB HBM3, 5300 GB/s, "
                                 "256 MiB last-level cache"),
                       HasSubstr("here 8 GPUs of this host: 0000:05:00.0"), HasSubstr("sources ")));
    EXPECT_THAT(flat(explain_on("rx7900xt-x2", "gfx942").out),
                HasSubstr("No GPU of this host is known to have it."));
}

TEST(Explain, says_what_people_override_a_target_to_and_what_to_this_one) {
    EXPECT_THAT(flat(explain_on("rx7900xt-x2", "gfx1032").out),
                HasSubstr("override HSA_OVERRIDE_GFX_VERSION=10.3.0, risk low."));
    EXPECT_THAT(flat(explain_on("rx7900xt-x2", "gfx1030").out),
                HasSubstr("override none is needed people override gfx1010, gfx1011, gfx1012, "
                          "gfx1031, gfx1032, gfx1033, gfx1034, gfx1035, gfx1036 to it"));
}

TEST(Explain, knows_features_behind_a_target_and_generic_targets) {
    EXPECT_THAT(
        flat(explain_on("mi300x-x8", "GFX90A:sramecc+:xnack-").out),
        testing::AllOf(HasSubstr("gfx90a:sramecc+:xnack-: a target"),
                       HasSubstr("retries of page faults that are off. Each process chooses")));
    EXPECT_THAT(flat(explain_on("rx7900xt-x2", "gfx1100:xnack+").out),
                HasSubstr("The driver never turns them on for this target."));
    EXPECT_THAT(flat(explain_on("mi300x-x8", "gfx9-4-generic").out),
                testing::AllOf(HasSubstr("targets gfx942, gfx950"), HasSubstr("here 8 GPUs")));
}

TEST(Explain, of_an_unknown_target_gives_the_nearest_and_its_family) {
    auto const result = explain_on("mi300x-x8", "gfx1154");
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err,
              "rocmtune: no profile knows the target 'gfx1154'\n"
              "  did you mean gfx1150? A GPU that reports it is taken for one of the family "
              "RDNA3.5\n");
    EXPECT_THAT(explain_on("mi300x-x8", "gfx90a:fast+").err,
                HasSubstr("gfx90a can be followed by :sramecc+, :sramecc-, :xnack+ or :xnack-"));
    EXPECT_EQ(explain_on("mi300x-x8", "gfx9").code, 2);
}

TEST(Explain, holds_the_figures_of_a_target_in_the_document) {
    auto const document = json::parse(explain_on("mi300x-x8", "gfx1103", {"--json"}).out);
    auto const& explanation = document["explanations"][0];
    EXPECT_EQ(explanation["kind"], "target");
    auto const& target = explanation["target"];
    EXPECT_EQ(target["family"], "RDNA3");
    EXPECT_EQ(target["is_apu"], true);
    EXPECT_EQ(target["override_version"], "11.0.0");
    EXPECT_EQ(target["products"][0]["pci_ids"][0], "0x15bf:0x00");
    EXPECT_EQ(target["products"][0]["vram_bytes"], nullptr);  // not known is never 0
    EXPECT_EQ(
        json::parse(
            explain_on("mi300x-x8", "NCCL_DEBUG", {"--json"}).out)["explanations"][0]["target"],
        nullptr);
}

TEST(Explain, of_every_target_fits_the_screen_and_names_sources) {
    for (auto const& chip : embedded_chips().all_chips())
        for (std::size_t const width : {80U, 100U}) {
            Report report;
            report.explanations.push_back(
                explain_target(chip.gfx_target, embedded_chips()).value());
            EXPECT_FALSE(report.explanations[0].sources.empty()) << chip.gfx_target;
            TextStyle style;
            style.width = width;
            style.verbosity = 1;
            auto const text = as_text(report, style);
            for (auto const line : lines(text)) EXPECT_LE(display_width(line), width) << line;
            // Unknown is left out or said, and never printed as nothing.
            EXPECT_THAT(flat(text), testing::Not(testing::AnyOf(HasSubstr(" 0 "), HasSubstr(" , "),
                                                                HasSubstr("since ROCm ,"))));
        }
}

TEST(Explain, does_not_take_a_gpu_without_a_known_target_for_another) {
    Host host;
    host.gpus.resize(2);
    host.gpus[0].gfx_target.offer("gfx1100", {"kfd", "x"});
    auto const target = *explain_target("gfx1100", embedded_chips())->target;
    EXPECT_THAT(target_here_text(target, host),
                testing::AllOf(testing::StartsWith("1 GPU of this host: "),
                               testing::EndsWith(" Of 1 GPU here the target is not known.")));
}

TEST(Explain, writes_the_version_that_names_a_target) {
    EXPECT_EQ(override_version("gfx90a"), "9.0.10");
    EXPECT_EQ(override_version("gfx1100"), "11.0.0");
    EXPECT_EQ(override_version("gfx90"), "");
}

TEST(Explain, document_holds_the_explanation_and_nothing_else) {
    auto const document = json::parse(explain_on("rx7900xt-x2", "HSA_ENABLE_SDMA", {"--json"}).out);
    ASSERT_EQ(document["explanations"].size(), 1U);
    auto const& explanation = document["explanations"][0];
    EXPECT_EQ(explanation["name"], "HSA_ENABLE_SDMA");
    EXPECT_EQ(explanation["current"], "0");
    EXPECT_EQ(explanation["readers"][0]["installed"], true);
    EXPECT_FALSE(document.contains("host"));
    EXPECT_FALSE(document.contains("recommendations"));
}

TEST(Explain, of_everything_known_fits_the_screen) {
    auto const host = *report_of("rx7900xt-x2").host;
    auto const advice = advise(host, embedded_chips(), embedded_catalogue(), {});
    for (std::size_t const width : {80U, 100U})
        for (auto const& variable : embedded_catalogue().all()) {
            Report report;
            auto explanation = explain(variable.name, embedded_catalogue(), host, advice);
            ASSERT_TRUE(explanation) << variable.name;
            EXPECT_FALSE(explanation->here.empty());
            EXPECT_FALSE(explanation->sources.empty());
            report.explanations.push_back(std::move(*explanation));
            TextStyle style;
            style.width = width;
            style.verbosity = 1;
            auto const text = as_text(report, style);
            for (auto const line : lines(text)) EXPECT_LE(display_width(line), width) << line;
        }
}

TEST(Explain, prints_no_control_characters_of_the_host) {
    auto report = report_with_texts("\x1b[2J\nx");
    report.host->environment = {};
    report.host->environment.offer({{"NCCL_DEBUG", "\x1b[2J\nx"}}, {"environment", "x"});
    auto explanation = explain("NCCL_DEBUG", embedded_catalogue(), *report.host, {});
    report.explanations.push_back(std::move(*explanation));
    EXPECT_THAT(as_text(report, {}), testing::Not(HasSubstr("\x1b")));
}

TEST(Explain, of_a_target_names_builds) {
    auto const result = run({"explain", "gfx1151", "--replay", host_file("strix-halo")});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("builds"));
    EXPECT_THAT(result.out, HasSubstr("torch 2."));
    EXPECT_THAT(result.out, HasSubstr("rocmtune builds gfx1151 has the commands"));
}

}  // namespace
}  // namespace rocmtune::test
