// SPDX-License-Identifier: MIT
// Needs beside the memory of hosts: what governs, what fits, what cannot be told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "judge/plan/plan.hpp"
#include "plan/models.hpp"

namespace rocmtune::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

Gpu card(std::uint64_t row, std::string const& name, std::uint64_t total,
         std::optional<std::uint64_t> used) {
    Gpu gpu;
    gpu.row.offer(row, {"pci", ""});
    gpu.pci_address.offer("0000:0" + std::to_string(row) + ":00.0", {"pci", ""});
    gpu.marketing_name.offer(name, {"names", ""});
    gpu.is_apu.offer(false, {"names", ""});
    gpu.vram_bytes.offer(total, {"drm", ""});
    if (used) gpu.vram_used_bytes.offer(*used, {"drm", ""});
    else gpu.vram_used_bytes.miss(Missing::denied, "/sys/x");
    return gpu;
}

Gpu processor_gpu(std::uint64_t row, std::uint64_t carve_out, std::uint64_t shared) {
    auto gpu = card(row, "Radeon Graphics", carve_out, 0);
    gpu.is_apu = {};
    gpu.is_apu.offer(true, {"names", ""});
    gpu.compute_memory_bytes.offer(shared, {"kfd", ""});
    gpu.gtt_used_bytes.offer(gib, {"drm", ""});
    return gpu;
}

Host host_with(std::vector<Gpu> gpus) {
    Host host;
    host.memory_available_bytes.offer(60 * gib, {"meminfo", ""});
    host.gpus = std::move(gpus);
    return host;
}

Plan plan_for(Host const& host, PlanWish const& wish, std::vector<std::uint64_t> const& rows = {},
              char const* model = "llama-3-8b") {
    return make_plan(model_named(model), wish, plan_data(), gpu_memory(host, rows));
}

std::vector<std::string> ids_of(Plan const& plan) {
    std::vector<std::string> ids;
    for (auto const& finding : judge_plan(plan)) ids.push_back(finding.id);
    return ids;
}

TEST(GpuMemory, of_a_card_is_its_own_less_what_is_in_use) {
    auto const gpus = gpu_memory(host_with({card(0, "A", 24 * gib, 4 * gib)}), {});
    ASSERT_EQ(gpus.size(), 1U);
    EXPECT_EQ(gpus[0].memory, "vram");
    EXPECT_EQ(gpus[0].free_bytes, 20 * gib);
    EXPECT_TRUE(gpus[0].chosen);
    EXPECT_EQ(gpus[0].reason, "");
}

TEST(GpuMemory, in_use_that_is_not_known_is_not_nothing) {
    auto const gpus = gpu_memory(host_with({card(0, "A", 24 * gib, std::nullopt)}), {});
    EXPECT_EQ(gpus[0].total_bytes, 24 * gib);
    EXPECT_EQ(gpus[0].used_bytes, std::nullopt);
    EXPECT_EQ(gpus[0].free_bytes, std::nullopt);
    EXPECT_EQ(gpus[0].reason, "memory in use: denied, /sys/x");
}

TEST(GpuMemory, of_an_apu_is_the_hosts_as_far_as_it_has_some) {
    auto const gpus = gpu_memory(host_with({processor_gpu(0, 2 * gib, 100 * gib)}), {});
    EXPECT_EQ(gpus[0].memory, "shared");
    EXPECT_EQ(gpus[0].total_bytes, 100 * gib);
    EXPECT_EQ(gpus[0].free_bytes, 60 * gib) << "the host has no more";
    auto host = host_with({processor_gpu(0, 2 * gib, 100 * gib)});
    host.memory_available_bytes = {};
    EXPECT_EQ(gpu_memory(host, {})[0].free_bytes, std::nullopt);
    // A kernel that lets programs have the carve-out alone.
    auto const old = gpu_memory(host_with({processor_gpu(0, 16 * gib, 16 * gib)}), {});
    EXPECT_EQ(old[0].memory, "vram");
    EXPECT_EQ(old[0].total_bytes, 16 * gib);
}

TEST(GpuMemory, of_an_apu_is_never_more_than_kfd_lets_programs_have) {
    auto host = host_with({processor_gpu(0, 128 * gib, 96 * gib)});  // as of an MI300A
    host.memory_available_bytes = {};
    host.memory_available_bytes.offer(400 * gib, {"meminfo", ""});
    auto const gpus = gpu_memory(host, {});
    EXPECT_EQ(gpus[0].memory, "shared");
    EXPECT_EQ(gpus[0].total_bytes, 96 * gib);
    EXPECT_EQ(gpus[0].free_bytes, 95 * gib) << "less the GTT memory in use";
}

TEST(GpuMemory, of_unlike_gpus_that_of_the_most_is_taken) {
    auto const chosen = [](std::vector<PlanGpu> const& gpus) {
        std::vector<bool> result;
        for (auto const& gpu : gpus) result.push_back(gpu.chosen);
        return result;
    };
    auto const host = host_with({card(0, "A", 8 * gib, 0), card(1, "B", 6 * gib, 0),
                                 card(2, "B", 6 * gib, 0), processor_gpu(3, gib, 90 * gib)});
    EXPECT_THAT(chosen(gpu_memory(host, {})), ElementsAre(false, true, true, false));
    EXPECT_THAT(chosen(gpu_memory(host, {0, 3})), ElementsAre(true, false, false, true));
}

TEST(Plan, is_governed_by_the_gpu_with_the_least) {
    auto const host = host_with({card(0, "A", 64 * gib, gib), card(1, "A", 64 * gib, 50 * gib)});
    auto const plan = plan_for(host, {.inference = true});
    EXPECT_EQ(plan.governed_by, "0000:01:00.0");
    EXPECT_EQ(plan.budget_bytes, 14 * gib);
    EXPECT_EQ(plan.fits, true) << "split over two";
    EXPECT_THAT(plan.notes, Contains(HasSubstr("0000:01:00.0 governs: 50 GiB of it are in use")));
    auto const one = plan_for(host, {.inference = true}, {0});
    EXPECT_EQ(one.request.gpus, 1U);
    EXPECT_EQ(one.governed_by, "0000:00:00.0");
}

TEST(Plan, leaves_a_server_its_share) {
    auto const host = host_with({card(0, "A", 100 * gib, 0)});
    EXPECT_EQ(plan_for(host, {.inference = true}).budget_bytes, 90 * gib);
    EXPECT_EQ(plan_for(host, {.inference = true, .dtype = "q8_0"}).budget_bytes, 100 * gib);
    EXPECT_EQ(plan_for(host, {}).budget_bytes, 100 * gib);
}

TEST(Plan, that_does_not_fit_fails_with_a_command_that_does) {
    auto const plan = plan_for(host_with({card(0, "A", 24 * gib, 0)}), {.batch = 1});
    EXPECT_EQ(plan.fits, false);
    EXPECT_THAT(ids_of(plan), ElementsAre("RT7201"));
    auto const finding = judge_plan(plan)[0];
    EXPECT_EQ(finding.verdict, Verdict::fail);
    EXPECT_EQ(finding.subject, "0000:00:00.0");
    EXPECT_THAT(finding.next_step,
                HasSubstr("rocmtune plan --model llama-3-8b --dtype bf16 --lora 16"));
    EXPECT_THAT(finding.next_step, HasSubstr("   # would fit: "));
}

TEST(Plan, says_what_cannot_be_told) {
    auto const host = host_with({card(0, "A", 24 * gib, std::nullopt)});
    auto const plan = plan_for(host, {.inference = true, .dtype = "q4_k_m"});
    EXPECT_EQ(plan.fits, std::nullopt);
    EXPECT_EQ(plan.unknown, "0000:00:00.0: memory in use: denied, /sys/x");
    EXPECT_THAT(ids_of(plan), ElementsAre("RT7202"));
    EXPECT_EQ(judge_plan(plan)[0].verdict, Verdict::unknown);
    auto const large = plan_for(host, {});
    EXPECT_EQ(large.fits, false) << "more than all of it";
    EXPECT_THAT(ids_of(large), ElementsAre("RT7201"));
}

TEST(Plan, without_gpus_is_what_is_needed) {
    auto const plan = plan_for(host_with({}), {.inference = true});
    EXPECT_EQ(plan.fits, std::nullopt);
    EXPECT_EQ(plan.unknown, "this host has no AMD GPU");
    EXPECT_GT(plan.needed_bytes, 16 * gib);
    EXPECT_THAT(ids_of(plan), IsEmpty());
    auto const unread = make_plan(model_named("gpt2"), {}, plan_data(), {}, "PCI bus: denied");
    EXPECT_THAT(ids_of(unread), ElementsAre("RT7202"));
}

TEST(Plan, that_an_error_would_turn_is_a_warning) {
    auto const needed = plan_for(host_with({}), {.shard = "ddp"}).needed_bytes;
    auto const in = [&](double factor) {
        auto const total = static_cast<std::uint64_t>(static_cast<double>(needed) * factor);
        return ids_of(plan_for(host_with({card(0, "A", total, 0)}), {}));
    };
    EXPECT_THAT(in(0.999), ElementsAre("RT7201"));
    EXPECT_THAT(in(1.001), ElementsAre("RT7203"));
    EXPECT_THAT(in(1.5), IsEmpty());
}

TEST(Plan, takes_the_first_sharding_that_fits_unless_one_is_asked_for) {
    std::vector<Gpu> gpus;
    for (std::uint64_t row = 0; row < 8; ++row) gpus.push_back(card(row, "A", 64 * gib, 0));
    auto const host = host_with(gpus);
    EXPECT_EQ(plan_for(host, {}).request.shard, "zero1");
    EXPECT_THAT(plan_for(host, {}).request.assumed, Contains("shard"));
    EXPECT_EQ(plan_for(host, {.shard = "zero3"}).request.shard, "zero3");
    EXPECT_EQ(plan_for(host, {.shard = "ddp"}).fits, false);
    EXPECT_EQ(plan_for(host, {}, {}, "llama-3-70b").request.shard, "zero3") << "none fits";
}

TEST(Plan, has_the_asked_way_first_and_no_way_twice) {
    for (bool const inference : {false, true})
        for (std::uint64_t const count : {1U, 8U}) {
            auto const plan = plan_for(host_with({card(0, "A", 64 * gib, 0)}),
                                       {.inference = inference, .gpus = count});
            EXPECT_TRUE(plan.options.front().asked);
            EXPECT_EQ(plan.options.front().needed_bytes, plan.needed_bytes);
            std::vector<std::string> names;
            for (auto const& option : plan.options) names.push_back(option.name);
            std::ranges::sort(names);
            EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
        }
}

/// The largest fits, one more does not; the least number of GPUs does, one less does not.
TEST(PlanOption, ends_where_it_says) {
    auto const shape = model_named("llama-3-8b");
    double const budget = 64.0 * 0x1p30;
    for (auto const& wish :
         {PlanWish{.recompute = true, .shard = "zero3", .gpus = 4},
          PlanWish{.inference = true, .gpus = 2}, PlanWish{.inference = true, .dtype = "q6_k"},
          PlanWish{.lora_rank = 8}}) {
        auto const setup = setup_of(wish, 1, shape, plan_data());
        auto const option = option_of(setup, budget, true);
        auto const fits = [&](std::uint64_t gpus, std::uint64_t batch, std::uint64_t sequence) {
            return setup.with(gpus, batch, sequence).needed() <= budget;
        };
        EXPECT_TRUE(fits(setup.gpus, *option.largest_batch, setup.sequence)) << option.name;
        EXPECT_FALSE(fits(setup.gpus, *option.largest_batch + 1, setup.sequence));
        EXPECT_TRUE(fits(setup.gpus, 1, *option.largest_sequence));
        EXPECT_FALSE(fits(setup.gpus, 1, *option.largest_sequence + 1));
        EXPECT_TRUE(fits(*option.least_gpus, 1, setup.sequence));
        auto const fewer = *option.least_gpus - 1;
        EXPECT_FALSE(fewer > 0 && fits(fewer, 1, setup.sequence));
    }
}

TEST(Plan, names_only_sources_that_it_has) {
    for (bool const inference : {false, true}) {
        auto const plan =
            plan_for(host_with({card(0, "A", 64 * gib, 0)}), {.inference = inference});
        for (auto const& part : plan.parts) {
            EXPECT_FALSE(part.sources.empty()) << part.name;
            for (auto const& id : part.sources) EXPECT_TRUE(plan.sources.contains(id)) << id;
        }
    }
}

TEST(Plan, says_that_it_does_not_know_a_format) {
    auto config = model_file("llama-3-8b").at("config");
    config["quantization_config"] = {{"quant_method", "new-thing"}};
    auto const shape = read_model_config("x", config.dump(), plan_data());
    auto const notes = [&](PlanWish const& wish) {
        return make_plan(shape, wish, plan_data(), given_memory(64 * gib)).notes;
    };
    EXPECT_THAT(notes({.inference = true}), Contains(HasSubstr("what 'new-thing' takes")));
    auto const known = notes({.inference = true, .dtype = "fp8"});
    EXPECT_THAT(known, testing::Not(Contains(HasSubstr("new-thing"))));
}

TEST(Plan, for_more_gpus_than_there_are_says_so) {
    auto const plan = plan_for(host_with({card(0, "A", 64 * gib, 0)}), {.gpus = 8});
    EXPECT_THAT(plan.notes, Contains(HasSubstr("of 8 GPUs planned for there are 1 here")));
    auto const given =
        make_plan(model_named("gpt2"), {.gpus = 8}, plan_data(), given_memory(64 * gib));
    EXPECT_EQ(given.fits, true);
    EXPECT_THAT(given.notes, testing::Not(Contains(HasSubstr("planned for"))));
}

Host shared_host(std::uint64_t memory, std::uint64_t limit) {
    auto gpu = processor_gpu(0, gib / 2, limit);
    gpu.gfx_target.offer("gfx1151", {"kfd", ""});
    gpu.gtt_bytes.offer(limit, {"drm", ""});
    Host host;
    host.memory_bytes.offer(memory, {"meminfo", ""});
    host.memory_available_bytes.offer(memory - 4 * gib, {"meminfo", ""});
    host.ttm_limit_bytes.offer(limit, {"driver", "/sys/module/ttm/parameters/pages_limit"});
    host.distribution_id.offer("fedora", {"kernel", ""});
    host.gpus.push_back(std::move(gpu));
    return host;
}

TEST(SharedLimit, is_raised_before_the_format_gets_smaller) {
    PlanWish const wish{.inference = true, .dtype = "q8_0", .gpus = 1};
    auto const plan = plan_for(shared_host(125 * gib, 62 * gib), wish, {}, "llama-3-70b");
    EXPECT_EQ(plan.fits, false);
    EXPECT_THAT(plan.next_step, HasSubstr("sudo grubby --update-kernel=ALL "
                                          "--args=ttm.pages_limit=28573696"));
    EXPECT_THAT(plan.next_step, HasSubstr("then it fits"));
    EXPECT_THAT(plan.notes, Contains(HasSubstr("109 GiB can be allowed")));
    auto const raised = plan_for(shared_host(125 * gib, 109 * gib), wish, {}, "llama-3-70b");
    EXPECT_EQ(raised.fits, true);
}

TEST(SharedLimit, that_would_not_be_enough_leaves_the_smaller_format) {
    PlanWish const wish{.inference = true, .dtype = "bf16", .gpus = 1};
    auto const plan = plan_for(shared_host(125 * gib, 62 * gib), wish, {}, "llama-3-70b");
    EXPECT_EQ(plan.fits, false);
    EXPECT_THAT(plan.next_step, HasSubstr("rocmtune plan"));
}

/// Linux before 6.10: the carve-out alone, though the driver maps 14 GiB of main memory.
TEST(SharedLimit, that_a_newer_kernel_raises_names_the_kernel) {
    auto host = shared_host(28 * gib, 14 * gib);
    auto& gpu = host.gpus[0];
    gpu.vram_bytes = {};
    gpu.vram_bytes.offer(2 * gib, {"drm", ""});
    gpu.vram_used_bytes = {};
    gpu.vram_used_bytes.offer(gib / 8, {"drm", ""});
    gpu.compute_memory_bytes = {};
    gpu.compute_memory_bytes.offer(2 * gib, {"kfd", ""});
    PlanWish const wish{.inference = true, .dtype = "q4_k_m", .gpus = 1};
    auto const plan = plan_for(host, wish, {}, "llama-3-8b");
    EXPECT_EQ(plan.fits, false);
    EXPECT_THAT(plan.next_step, testing::AllOf(HasSubstr("Linux 6.10"), HasSubstr("then it fits")));
    EXPECT_THAT(plan_for(host, wish, {}, "llama-3-70b").next_step,
                testing::Not(HasSubstr("Linux 6.10")));
}

TEST(ParallelPlan, says_what_is_counted_and_offers_each_way_once) {
    PlanWish const wish{.recompute = true,
                        .shard = "zero3",
                        .lora_rank = 16,
                        .gpus = 48,
                        .tensor = 4,
                        .pipeline = 3};
    auto const plan =
        make_plan(model_named("llama-2-7b"), wish, plan_data(), given_memory(64 * gib));
    EXPECT_EQ(plan.request.tensor, 4U);
    EXPECT_EQ(plan.request.pipeline, 3U);
    EXPECT_THAT(plan.notes, testing::AllOf(Contains(HasSubstr("of 3 stages")),
                                           Contains(HasSubstr("the largest stage has 11")),
                                           Contains(HasSubstr("DeepSpeed refuses zero3")),
                                           Contains(HasSubstr("adapters are counted as whole"))));
    std::set<std::string> names;
    for (auto const& option : plan.options) EXPECT_TRUE(names.insert(option.name).second);
    EXPECT_THAT(names, Contains(HasSubstr("pipeline 3, zero1")));
}

TEST(ParallelPlan, proposes_no_weights_shared_by_the_replicas_of_a_pipeline) {
    auto const plan = make_plan(model_named("llama-2-7b"), {.gpus = 16, .tensor = 2, .pipeline = 2},
                                plan_data(), given_memory(64 * gib));
    for (auto const& option : plan.options)
        EXPECT_THAT(option.name, testing::Not(HasSubstr("zero3"))) << option.name;
    EXPECT_THAT(plan.request.assumed, Contains("dtype"));
    EXPECT_EQ(plan.request.dtype, "megatron-bf16");
}

TEST(SeveralModels, must_fit_at_the_same_time) {
    PlanWish const wish{.inference = true, .dtype = "q4_k_m"};
    auto const gpus = given_memory(10 * gib);
    std::vector<Plan> plans;
    for (auto const* name : {"llama-3-8b", "llama-3-8b"})
        plans.push_back(make_plan(model_named(name), wish, plan_data(), gpus));
    auto const findings = judge_plans(plans);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_THAT(findings[0].message, HasSubstr("all at the same time do not"));
    plans.pop_back();
    EXPECT_THAT(judge_plans(plans), IsEmpty());
}

}  // namespace
}  // namespace rocmtune::test
