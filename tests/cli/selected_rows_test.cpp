// SPDX-License-Identifier: MIT
#include "measure/gpu_selection.hpp"

#include "measure/host_input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rocmtune/error.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Host const& host_named(std::string const& name) {
    static std::map<std::string, Host> hosts;
    auto [place, is_new] = hosts.try_emplace(name);
    if (is_new) place->second = *report_of(name).host;
    return place->second;
}

std::vector<std::uint64_t> rows_of(Host const& host, std::string const& list) {
    return selected_rows(host, parse_gpu_selectors({list}));
}

std::string complaint(Host const& host, std::string const& selector) {
    try {
        (void)rows_of(host, selector);
        return "none";
    } catch (Error const& error) {
        return error.what() + std::string(" / ") + error.hint();
    }
}

TEST(SelectedRows, takes_every_name_of_a_gpu) {
    auto const& host = host_named("mi300x-x8");
    auto const& gpu = host.gpus.at(3);
    auto const address = *gpu.pci_address;
    for (auto const& name : {std::string("3"), "kfd:" + std::to_string(*gpu.kfd_node), address,
                             address.substr(5), "GPU-" + *gpu.unique_id, address + "/0"})
        EXPECT_THAT(rows_of(host, name), ElementsAre(3U)) << name;
}

TEST(SelectedRows, numbers_as_hip_does_under_the_masks_of_the_environment) {
    Host host = host_named("mi300x-x8");
    for (auto& gpu : host.gpus) gpu.hip_index = {};  // as if HIP had not been asked
    EXPECT_THAT(rows_of(host, "hip:5"), ElementsAre(5U));
    EXPECT_THAT(rows_of(host, "cuda:5"), ElementsAre(5U));
    auto masked = host;
    masked.environment = {};
    masked.environment.offer({{"HIP_VISIBLE_DEVICES", "6,2"}}, {"environment", "x"});
    EXPECT_THAT(rows_of(masked, "hip:0"), ElementsAre(6U));
    EXPECT_THAT(complaint(masked, "hip:2"), HasSubstr("there is no GPU 'hip:2'"));
    host.gpus[1].hip_index.offer(0, {"hip", "x"});
    EXPECT_THAT(rows_of(host, "hip:0"), ElementsAre(1U)) << "HIP's own answer counts first";
}

TEST(SelectedRows, takes_lists_in_their_order_and_nothing_twice) {
    EXPECT_THAT(rows_of(host_named("mi300x-x8"), "4, 1,hip:4,kfd:3"), ElementsAre(4U, 1U));
}

TEST(SelectedRows, of_a_partitioned_card_takes_one_or_all) {
    auto const& host = host_named("mi300x-cpx");
    auto const address = *host.gpus.at(0).pci_address;
    EXPECT_EQ(rows_of(host, address).size(), *host.gpus[0].partition_count);
    auto const second = rows_of(host, address + "/1");
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(host.gpus.at(second[0]).partition_index.value(), 1U);
    auto as_runtimes_write = address;
    as_runtimes_write.back() = '1';
    EXPECT_EQ(rows_of(host, as_runtimes_write), second);
}

TEST(SelectedRows, says_what_there_is) {
    auto const& host = host_named("mi300x-x8");
    EXPECT_THAT(complaint(host, "8"),
                HasSubstr("there is no GPU '8' / rocmtune probe lists them: GPU 0 to 7"));
    EXPECT_THAT(complaint(host, "0000:ff:00.0"), HasSubstr("there is no GPU"));
    EXPECT_THAT(complaint(host_named("no-gpu"), "0"), HasSubstr("this host has none"));
    for (auto const* word :
         {"", "x", "hip:", "hip:x", "-1", "0,", "0000:03:00.0/", "0000:03:00.0/x", "1.5", "kfd:-1"})
        EXPECT_THAT(complaint(host, word), HasSubstr("--gpu cannot be")) << word;
}

TEST(SelectedRows, the_function_of_a_card_without_partitions_is_no_partition) {
    Host host = host_named("mi300x-x8");
    auto sound = *host.gpus.at(0).pci_address;
    sound.back() = '1';
    EXPECT_THAT(complaint(host, sound), HasSubstr("there is no GPU"));
    auto& virtual_function = host.gpus.at(0);
    virtual_function.pci_address = {};
    virtual_function.pci_address.offer(sound, {"pci", "x"});
    EXPECT_THAT(rows_of(host, sound), ElementsAre(0U)) << "a GPU of its own";
}

TEST(SelectedRows, the_options_add_up) {
    HostChoice choice;
    EXPECT_THAT(choice.rows_of(host_named("mi300x-x8")), IsEmpty());
    choice.gpus = parse_gpu_selectors({"6,1", "hip:1", "2"});
    EXPECT_THAT(choice.rows_of(host_named("mi300x-x8")), ElementsAre(6U, 1U, 2U));
}

}  // namespace
}  // namespace rocmtune::test
