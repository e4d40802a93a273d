// SPDX-License-Identifier: MIT
// Settings are judged by what the stated releases read: of a command line, or of the text itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "judge/lint/lint.hpp"
#include "knowledge/release_days.hpp"
#include "settings/collect.hpp"

namespace rocmtune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Words = std::vector<std::string>;

std::vector<Finding> judged(std::string name, std::string value,
                            std::vector<StatedRelease> releases) {
    std::vector<Assignment> const all{
        {.name = std::move(name), .value = std::move(value), .file = "f", .line = 1, .column = 1}};
    return lint(all, {.catalogue = embedded_catalogue(),
                      .chips = embedded_chips(),
                      .releases = std::move(releases)});
}

/// "dead-name warn" and what stands in the message.
Words words(std::string name, std::string value, std::vector<StatedRelease> releases) {
    Words result;
    for (auto const& finding : judged(std::move(name), std::move(value), std::move(releases)))
        result.push_back(std::string(word_of(finding.setting->lint_class)) + ' ' +
                         std::string(word_of(finding.verdict)));
    return result;
}

StatedRelease pinned(std::string package, std::string version, bool is_fork = false) {
    return {std::move(package), std::move(version), "line 1", is_fork};
}

TEST(Releases, a_name_that_an_older_release_reads_is_in_order) {
    EXPECT_THAT(words("VLLM_USE_TRITON_FLASH_ATTN", "0", {}), ElementsAre("dead-name info"));
    EXPECT_THAT(words("VLLM_USE_TRITON_FLASH_ATTN", "0", {pinned("vllm", "0.9.2")}), IsEmpty());
    auto const found = judged("VLLM_USE_TRITON_FLASH_ATTN", "0", {pinned("vllm", "0.14.0")});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].verdict, Verdict::warn);
    EXPECT_THAT(found[0].message, HasSubstr("vLLM 0.14.0 (line 1) no longer reads it"));
}

TEST(Releases, a_fork_may_keep_what_others_removed) {
    EXPECT_THAT(words("VLLM_USE_TRITON_FLASH_ATTN", "0", {pinned("vllm", "0.14.0", true)}),
                ElementsAre("dead-name info"));
}

TEST(Releases, a_new_name_is_certain_where_the_release_knows_it) {
    constexpr auto old = "RAY_EXPERIMENTAL_NOSET_ROCR_VISIBLE_DEVICES";
    EXPECT_THAT(words(old, "1", {}), ElementsAre("renamed info"));
    EXPECT_THAT(words(old, "1", {pinned("ray", "2.44.1")}), IsEmpty());
    auto const found = judged(old, "1", {pinned("ray", "2.46.0")});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].verdict, Verdict::warn);
    EXPECT_THAT(found[0].message, HasSubstr("also for Ray 2.46.0 (line 1)"));
}

TEST(Releases, a_name_that_came_later_is_not_read_yet) {
    EXPECT_THAT(words("HSA_NO_SCRATCH_RECLAIM", "1", {}), IsEmpty());
    auto const* variable = embedded_catalogue().find("HSA_ENABLE_MWAITX");
    ASSERT_NE(variable, nullptr);
    ASSERT_EQ(variable->since, "5.6");
    EXPECT_THAT(words("HSA_ENABLE_MWAITX", "0", {pinned("rocm", "5.4")}),
                ElementsAre("dead-name warn"));
}

TEST(Releases, a_default_that_changed_is_that_of_the_release) {
    EXPECT_THAT(words("NCCL_DMABUF_ENABLE", "0", {}), IsEmpty());
    EXPECT_THAT(words("NCCL_DMABUF_ENABLE", "0", {pinned("rocm", "6.4.1")}),
                ElementsAre("redundant-default info"));
    EXPECT_THAT(words("NCCL_DMABUF_ENABLE", "1", {pinned("rocm", "6.4.1")}), IsEmpty());
}

TEST(Releases, rccl_is_counted_in_versions_of_its_own) {
    auto const* variable = embedded_catalogue().find("RCCL_MSCCL_ENABLE");
    ASSERT_NE(variable, nullptr);
    ASSERT_EQ(variable->until, "2.30.4");
    EXPECT_THAT(words("RCCL_MSCCL_ENABLE", "1", {pinned("rocm", "7.1.1")}),
                ElementsAre("dead-name info"));
    EXPECT_THAT(words("RCCL_MSCCL_ENABLE", "1", {pinned("rccl", "2.27.7"), pinned("rocm", "7.1")}),
                Not(Contains(HasSubstr("dead-name"))));
    auto const found = judged("RCCL_MSCCL_ENABLE", "1", {pinned("rccl", "2.31.2")});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].verdict, Verdict::warn);
    EXPECT_THAT(found[0].message, HasSubstr("RCCL 2.31.2 (line 1) no longer reads it"));
    // Its defaults changed with releases of ROCm.
    EXPECT_THAT(words("NCCL_DMABUF_ENABLE", "0", {pinned("rccl", "2.22.3")}), IsEmpty());
    EXPECT_TRUE(is_known_package("rccl", embedded_catalogue()));
}

TEST(Releases, options_of_the_allocator_are_those_of_the_release) {
    constexpr auto name = "PYTORCH_HIP_ALLOC_CONF";
    constexpr auto segments = "expandable_segments:True";
    EXPECT_THAT(words(name, segments, {}), IsEmpty());
    EXPECT_THAT(words(name, segments, {pinned("torch", "2.12.1")}), IsEmpty());
    auto const old = judged(name, segments, {pinned("torch", "2.1.2", true)});
    ASSERT_EQ(old.size(), 1u);
    EXPECT_EQ(old[0].verdict, Verdict::info);
    EXPECT_THAT(old[0].message, HasSubstr("2.1.2 (line 1) goes on without expandable_segments"));
    EXPECT_THAT(words(name, segments, {pinned("torch", "2.11.0")}), ElementsAre("bad-value info"));
    EXPECT_THAT(words(name, segments, {pinned("torch", "2.11.0", true)}), IsEmpty());
    EXPECT_THAT(words(name, "expandable_segments:False", {}),
                ElementsAre("redundant-default info"));
}

TEST(Releases, the_first_that_speaks_of_a_package_counts) {
    EXPECT_THAT(words("VLLM_USE_TRITON_FLASH_ATTN", "0",
                      {pinned("vllm", "0.14.0"), pinned("vllm", "0.9.2")}),
                ElementsAre("dead-name warn"));
}

TEST(Releases, packages_are_those_of_components) {
    for (auto const* package : {"torch", "vllm", "rocm", "ray", "ollama", "amd-aiter"})
        EXPECT_TRUE(is_known_package(package, embedded_catalogue())) << package;
    EXPECT_FALSE(is_known_package("rcom", embedded_catalogue()));
}

TEST(Releases, days_grow_with_versions) {
    auto const days = all_release_days();
    ASSERT_GE(days.size(), 10u);
    EXPECT_TRUE(std::ranges::is_sorted(days, {}, &ReleaseDay::day));
    for (auto const& one : days) EXPECT_FALSE(one.sources.empty()) << one.version;
}

// ---- what a text pins ---------------------------------------------------------------------------

/// "vllm 0.9.2 line 1"
Words pins(std::string_view text, InputKind kind = InputKind::shell) {
    Words result;
    for (auto const& one : stated_releases({.text = text, .kind = kind}))
        result.push_back(one.package + ' ' + one.version + ' ' + one.origin +
                         (one.is_fork ? " fork" : ""));
    return result;
}

TEST(Pins, are_exact_requirements) {
    EXPECT_THAT(pins("pip install torch==2.5.1+rocm6.2 'vllm[audio]==0.9.2'\n"),
                ElementsAre("rocm 6.2 line 1", "torch 2.5.1 line 1", "vllm 0.9.2 line 1"));
    EXPECT_THAT(pins("RUN uv pip install \\\n  transformer_engine==2.1.0\n"),
                ElementsAre("transformer-engine 2.1.0 line 2"));
    EXPECT_THAT(pins("pip install vllm>=0.9 torch==2.* ray!=2.4 $X==1.2 sglang==$V\n"), IsEmpty());
    EXPECT_THAT(pins("# vllm==0.9.2\n"), IsEmpty());
    EXPECT_THAT(pins("if [ $a == 3 ]; then\n"), IsEmpty());
}

TEST(Pins, are_variables_that_name_a_release) {
    EXPECT_THAT(
        pins("ARG ROCM_VERSION=6.4.1\nENV PYTORCH_VERSION=\"v2.5.1\"\n", InputKind::dockerfile),
        ElementsAre("rocm 6.4.1 line 1", "torch 2.5.1 line 2"));
    EXPECT_THAT(pins("V=${ROCM_VERSION:-6.3}\n  VLLM_VERSION: 0.9.2\n"),
                ElementsAre("rocm 6.3 line 1", "vllm 0.9.2 line 2"));
    EXPECT_THAT(pins("MY_ROCM_VERSION=6.3.1\n[ $ROCM_VERSION=6.1 ]\nTORCH_VERSION=main\n"),
                IsEmpty());
}

TEST(Pins, are_places_of_rocm) {
    EXPECT_THAT(pins("export PATH=/opt/rocm-6.3.1/bin:$PATH\n"), ElementsAre("rocm 6.3.1 line 1"));
    EXPECT_THAT(pins("module load PrgEnv-gnu rocm/6.2.4\n"), ElementsAre("rocm 6.2.4 line 1"));
    EXPECT_THAT(pins("pip install torch --index-url https://download.pytorch.org/whl/rocm6.2\n"),
                ElementsAre("rocm 6.2 line 1"));
    EXPECT_THAT(pins("module load LUMI/24.03 PyTorch/2.2.2-rocm-5.6.1-python-3.10-vllm-0.4.0\n"),
                ElementsAre("rocm 5.6.1 line 1", "torch 2.2.2 line 1", "vllm 0.4.0 line 1"));
    EXPECT_THAT(pins("module load rocm/$V rocm/default\n"), IsEmpty());
    // The longer one says more; two that differ say nothing.
    EXPECT_THAT(pins("a /whl/rocm6.2 /opt/rocm-6.2.4\n"), ElementsAre("rocm 6.2.4 line 1"));
    EXPECT_THAT(pins("a /whl/rocm6.2 /opt/rocm-6.3.1\n"), IsEmpty());
}

TEST(Pins, are_tags_of_images) {
    EXPECT_THAT(pins("FROM rocm/vllm:rocm6.4.1_vllm_0.9.2_20250715\n"),
                ElementsAre("rocm 6.4.1 line 1", "vllm 0.9.2 line 1 fork"));
    EXPECT_THAT(
        pins("image: docker.io/rocm/pytorch:rocm6.4_ubuntu24.04_py3.12_pytorch_release_2.6.0"),
        ElementsAre("rocm 6.4 line 1", "torch 2.6.0 line 1 fork"));
    EXPECT_THAT(pins("docker run vllm/vllm-openai-rocm:v0.11.0 --model x\n"),
                ElementsAre("vllm 0.11.0 line 1"));
    EXPECT_THAT(pins("  image: \"lmsysorg/sglang:v0.4.9.post1-rocm630-srt\"\n"),
                ElementsAre("rocm 6.3.0 line 1", "sglang 0.4.9 line 1"));
    EXPECT_THAT(pins("FROM rocm/dev-ubuntu-22.04:6.4.1-complete\nimage: ollama/ollama:0.6.5-rocm"),
                ElementsAre("ollama 0.6.5 line 2", "rocm 6.4.1 line 1"));
}

TEST(Pins, are_images_of_charts) {
    constexpr auto values = InputKind::values;
    EXPECT_THAT(
        pins("image:\n  repository: ollama/ollama\n  pullPolicy: x\n  tag: \"0.30.2\" # x\n",
             values),
        ElementsAre("ollama 0.30.2 line 4"));
    EXPECT_THAT(pins("repository: ollama/ollama\nname: x\n", values), IsEmpty());
    EXPECT_THAT(pins("tag: 0.30.2\nrepository: ollama/ollama\n", values), IsEmpty());
}

TEST(Pins, of_rocm_are_tags_of_any_image) {
    EXPECT_THAT(
        pins("  image: iad.example.io/x/rccl-tests:rocm-7.1.1-ubuntu22.04-rccl-2.27.7-01\n"),
        ElementsAre("rccl 2.27.7 line 1", "rocm 7.1.1 line 1"));
    EXPECT_THAT(pins("image: a.example.io/x/nccl-tests:rccl-2.27.7\n"),
                ElementsAre("rccl 2.27.7 line 1"));
    EXPECT_THAT(pins("docker run --rm -it my/app:1.2-rocm6.4 bash\n"),
                ElementsAre("rocm 6.4 line 1"));
    EXPECT_THAT(pins("- image=host:5000/my/app:v1-rocm_6.4.1\n"), ElementsAre("rocm 6.4.1 line 1"));
    EXPECT_THAT(pins("a/x:rocm-6.4\nb/y:rocm-7.0\n"), IsEmpty());
    for (auto const* text :
         {"a/app-rocm:6.4.1", "a/app:rocm", "a/app:rocm-$V", "a/app:b1234-rocm@sha256:rocm-6.4",
          "P=/usr/lib:rocm-6.4", "P=a/lib:/opt/rocm-6.4/lib", "https://a.org/x-rocm-6.4",
          "# a/app:rocm-6.4", "see:rocm-6.4", "a/app:rocm-723"})
        EXPECT_THAT(pins(text), IsEmpty()) << text;
}

TEST(Pins, are_defaults_of_arguments_of_a_dockerfile) {
    constexpr auto docker = InputKind::dockerfile;
    EXPECT_THAT(pins("ARG T=rocm6.4.1_vllm_0.9.2\nFROM rocm/vllm:${T}\n", docker),
                ElementsAre("rocm 6.4.1 line 2", "vllm 0.9.2 line 2 fork"));
    EXPECT_THAT(pins("FROM x\nARG V=\"0.9.2\"\nRUN pip install vllm==$V\n", docker),
                ElementsAre("vllm 0.9.2 line 3"));
    EXPECT_THAT(pins("FROM x\nENV V=2.5.1\nRUN pip install torch==${V}+rocm6.2\n", docker),
                ElementsAre("rocm 6.2 line 3", "torch 2.5.1 line 3"));
    EXPECT_THAT(pins("FROM x\nARG V=1.0\nFROM y\nRUN pip install vllm==$V\n", docker), IsEmpty());
    EXPECT_THAT(pins("FROM x\nARG V=$W\nRUN pip install vllm==${V:-1}\n", docker), IsEmpty());
}

TEST(Pins, are_nothing_that_only_stands_for_a_version) {
    for (auto const* text :
         {"FROM rocm/vllm:latest\n", "FROM rocm/vllm:$TAG\n", "FROM rocm/vllm\n",
          "FROM rocm/vllm:rocm6.4_vllm_0.9.2@sha256:0123\n", "FROM vllm/vllm-openai:v${V}\n",
          "export LD_LIBRARY_PATH=/opt/rocm/lib:/opt/rocm-6.4/lib\n", "FROM my-rocm/x:1.2\n"})
        EXPECT_THAT(pins(text), IsEmpty()) << text;
}

TEST(Pins, of_several_versions_are_none) {
    EXPECT_THAT(pins("pip install vllm==0.9.2\npip install vllm==0.11.0\n"), IsEmpty());
    EXPECT_THAT(pins("pip install vllm==0.9.2\nFROM vllm/vllm-openai:v0.9.2\n"),
                ElementsAre("vllm 0.9.2 line 1"));
}

}  // namespace
}  // namespace rocmtune
