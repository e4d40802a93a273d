// SPDX-License-Identifier: MIT
// How much of main memory the GPU of a processor may take: hosts as people published them, composed
// of their figures. ROCm issues 5444, 5562, 5595, 6254; AMD's page of RDNA 3.5; mi300a.rst.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/checks/check.hpp"
#include "judge/checks/checks.hpp"
#include "judge/rules/shared_memory.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t mib = std::uint64_t{1} << 20, gib = std::uint64_t{1} << 30;

template <class T>
void state(Fact<T>& fact, T value, char const* where = "test") {
    fact = {};
    fact.offer(std::move(value), {"test", where});
}

/// Of one processor; all in bytes. The limit is half of main memory unless it is given.
struct Apu {
    char const* target = "gfx1151";
    std::uint64_t memory = 125 * gib;
    std::uint64_t carve_out = 512 * mib;
    std::uint64_t limit = 0;
    std::uint64_t offered = 0;  ///< by KFD; 0: the limit
    char const* module = "ttm";
    std::vector<std::string> arguments = {};
    char const* distribution = "ubuntu";
};

Host composed(Apu const& it) {
    auto host = FaultyHost("strix-halo").probed();
    auto const limit = it.limit == 0 ? it.memory / 2 : it.limit;
    auto& gpu = host.gpus[0];
    state(gpu.gfx_target, std::string(it.target));
    state(gpu.vram_bytes, it.carve_out);
    state(gpu.gtt_bytes, limit);
    state(gpu.compute_memory_bytes, it.offered == 0 ? limit : it.offered);
    state(host.memory_bytes, it.memory);
    auto const where = fmt::format("/sys/module/{}/parameters/pages_limit", it.module);
    state(host.ttm_limit_bytes, limit, where.c_str());
    state(host.kernel_arguments, it.arguments);
    state(host.distribution_id, std::string(it.distribution));
    state(host.programs, std::vector<std::string>{});
    return host;
}

Finding limit_of(Host const& host) {
    CheckSelection selection;
    selection.only = {"RT3206"};
    return run_checks(host, embedded_chips(), selection).at(0);
}

TEST(SharedMemory, of_strix_halo_at_the_default_is_told_with_what_it_can_be) {
    auto const finding = limit_of(composed({}));
    EXPECT_EQ(finding.verdict, Verdict::info);
    EXPECT_THAT(finding.message, AllOf(HasSubstr("half, as the kernel does unasked"),
                                       HasSubstr("109 GiB can be allowed")));
    EXPECT_THAT(finding.next_step,
                AllOf(HasSubstr("pages_limit=28573696"), HasSubstr("update-initramfs"),
                      HasSubstr("16 GiB stay for everything else")));
}

TEST(SharedMemory, that_was_raised_is_fine) {
    auto const finding =
        limit_of(composed({.limit = 108 * gib, .arguments = {"ttm.pages_limit=28311552"}}));
    EXPECT_EQ(finding.verdict, Verdict::pass) << finding.message;
    EXPECT_THAT(finding.message, HasSubstr("pages_limit of ttm"));
}

TEST(SharedMemory, is_raised_as_the_distribution_does_it) {
    EXPECT_THAT(limit_of(composed({.distribution = "fedora"})).next_step,
                HasSubstr("sudo grubby --update-kernel=ALL --args=ttm.pages_limit=28573696"));
    EXPECT_THAT(limit_of(composed({.arguments = {"ostree=/ostree/boot.1/fedora/0"},
                                   .distribution = "fedora"}))
                    .next_step,
                HasSubstr("sudo rpm-ostree kargs --append-if-missing=ttm.pages_limit=28573696"));
    EXPECT_THAT(limit_of(composed({.distribution = "arch"})).next_step, HasSubstr("mkinitcpio"));
    EXPECT_THAT(limit_of(composed({.distribution = "nixos"})).next_step,
                HasSubstr("boot.kernelParams"));
    auto host = composed({});
    state(host.programs, std::vector<std::string>{"amd-ttm"});
    EXPECT_THAT(limit_of(host).next_step,
                AllOf(HasSubstr("amd-ttm --set 109"), HasSubstr("update-initramfs")));
    state(host.container, std::string("docker"));
    EXPECT_THAT(limit_of(host).next_step, HasSubstr("on the host"));
}

TEST(SharedMemory, an_argument_that_is_there_is_changed_where_it_stands) {
    auto const finding = limit_of(composed({.arguments = {"ttm.pages_limit=16384000"}}));
    EXPECT_EQ(finding.verdict, Verdict::info);
    EXPECT_THAT(finding.next_step, AllOf(HasSubstr("grep -rs ttm.pages_limit="),
                                         HasSubstr("make it ttm.pages_limit=28573696")));
}

TEST(SharedMemory, a_parameter_that_does_not_exist_is_named) {
    auto const finding = limit_of(composed({.arguments = {"amdgpu.gtt_size=122880"}}));
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.message, HasSubstr("no parameter gtt_size"));
    EXPECT_EQ(finding.evidence.back().value, "amdgpu.gtt_size=122880");
    EXPECT_THAT(finding.next_step, HasSubstr("pages_limit=28573696"));
}

TEST(SharedMemory, a_parameter_of_the_other_module_sets_nothing) {
    auto const finding = limit_of(
        composed({.arguments = {"amdttm.pages_limit=27648000"}, .distribution = "fedora"}));
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.message, HasSubstr("amdttm.pages_limit sets nothing here"));
    auto const dkms =
        limit_of(composed({.module = "amdttm", .arguments = {"ttm.pages_limit=27648000"}}));
    EXPECT_THAT(dkms.message, HasSubstr("is the module amdttm"));
    EXPECT_THAT(dkms.next_step, HasSubstr("options amdttm pages_limit="));
    auto const newer = limit_of(composed({.module = "amd_ttm"}));
    EXPECT_THAT(newer.next_step, HasSubstr("options amd_ttm pages_limit="));
    auto const both = limit_of(
        composed({.limit = 108 * gib,
                  .arguments = {"ttm.pages_limit=28311552", "amdttm.pages_limit=28311552"}}));
    EXPECT_EQ(both.verdict, Verdict::pass) << both.message;
}

TEST(SharedMemory, gttsize_alone_is_half_a_setting) {
    auto host = composed({.arguments = {"amdgpu.gttsize=98304"}});
    state(host.amdgpu_parameters, std::map<std::string, std::string>{{"gttsize", "98304"}});
    state(host.gpus[0].gtt_bytes, 96 * gib);
    auto const finding = limit_of(host);
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.message, HasSubstr("ends at pages_limit of ttm"));
    state(host.amdgpu_parameters, std::map<std::string, std::string>{{"gttsize", "-1"}});
    EXPECT_EQ(limit_of(host).verdict, Verdict::info);
}

TEST(SharedMemory, a_limit_in_the_wrong_unit_is_seen) {
    // MiB taken for pages. The carve-out is larger then, and KFD offers that.
    auto const small = limit_of(composed({.limit = 122880 * 4096ULL,
                                          .offered = 512 * mib,
                                          .arguments = {"ttm.pages_limit=122880"}}));
    EXPECT_EQ(small.verdict, Verdict::warn);
    EXPECT_THAT(small.message, HasSubstr("counts pages of 4 KiB"));
    EXPECT_THAT(small.next_step, HasSubstr("28573696"));
    auto const text = limit_of(composed({.arguments = {"ttm.pages_limit=96G"}}));
    EXPECT_THAT(text.message, HasSubstr("a number of pages"));
    auto const large =
        limit_of(composed({.limit = 500 * gib, .arguments = {"ttm.pages_limit=131072000"}}));
    EXPECT_EQ(large.verdict, Verdict::warn);
    EXPECT_THAT(large.message, HasSubstr("more than main memory"));
}

TEST(SharedMemory, a_useless_argument_beside_a_good_limit_is_no_warning) {
    auto const finding = limit_of(composed(
        {.limit = 108 * gib, .arguments = {"ttm.pages_limit=28311552", "amdgpu.gtt_size=1"}}));
    EXPECT_EQ(finding.verdict, Verdict::info);
    EXPECT_THAT(finding.next_step, HasSubstr("take amdgpu.gtt_size=1 off"));
}

TEST(SharedMemory, of_a_vega_apu_on_an_old_kernel_is_the_carve_out) {
    auto const old = composed({.target = "gfx90c",
                               .memory = 30 * gib,
                               .carve_out = 2 * gib,
                               .offered = 2 * gib,
                               .distribution = "debian"});
    auto const finding = limit_of(old);
    EXPECT_EQ(finding.verdict, Verdict::info);
    EXPECT_THAT(finding.message, HasSubstr("what the firmware set aside, and no main memory"));
    EXPECT_THAT(finding.next_step, AllOf(HasSubstr("Linux 6.10"), Not(HasSubstr("pages_limit"))));
    EXPECT_EQ(shared_memory(old, old.gpus[0])->most, std::nullopt);
}

TEST(SharedMemory, of_phoenix_is_raised_where_that_leaves_the_system_enough) {
    EXPECT_THAT(limit_of(composed({.target = "gfx1103", .memory = 58 * gib})).message,
                HasSubstr("50 GiB can be allowed"));
    auto const small = limit_of(composed({.target = "gfx1103", .memory = 14 * gib}));
    EXPECT_EQ(small.verdict, Verdict::pass) << small.message;
}

TEST(SharedMemory, of_an_mi300a_is_all_of_it) {
    auto const finding = limit_of(FaultyHost("mi300a-x4").probed());
    EXPECT_EQ(finding.verdict, Verdict::info);
    EXPECT_THAT(finding.message, HasSubstr("384 GiB of 512 GiB"));
    EXPECT_THAT(finding.next_step, HasSubstr("options amdttm pages_limit=134217728"));
}

TEST(SharedMemory, is_not_told_where_a_fact_is_missing) {
    auto host = composed({});
    host.gpus[0].compute_memory_bytes = {};
    EXPECT_EQ(shared_memory(host, host.gpus[0]), std::nullopt);
    EXPECT_EQ(limit_of(host).verdict, Verdict::pass);
    host.ttm_limit_bytes = {};
    host.ttm_limit_bytes.miss(Missing::denied, "test");
    EXPECT_EQ(limit_of(host).verdict, Verdict::unknown);
}

}  // namespace
}  // namespace rocmtune::test
