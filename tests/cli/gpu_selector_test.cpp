// SPDX-License-Identifier: MIT
#include "measure/gpu_selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/options.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::test {
namespace {

using Kind = GpuSelector::Kind;
using testing::HasSubstr;

std::string complaint(std::string const& list) {
    try {
        (void)parse_gpu_selectors({list});
        return "none";
    } catch (Error const& error) {
        EXPECT_EQ(error.hint(), gpu_grammar) << list;
        EXPECT_EQ(error.code(), Exit::usage) << list;
        return error.what();
    }
}

Gpu gpu_at(std::string const& address, std::uint64_t partition, std::uint64_t partitions) {
    Gpu gpu;
    gpu.row.offer(3, {"row", "x"});
    gpu.kfd_node.offer(5, {"kfd", "x"});
    gpu.hip_index.offer(2, {"hip", "x"});
    gpu.pci_address.offer(address, {"pci", "x"});
    gpu.partition_index.offer(partition, {"kfd", "x"});
    gpu.partition_count.offer(partitions, {"kfd", "x"});
    return gpu;
}

bool names(std::string_view word, Gpu const& gpu) {
    return parse_gpu_selector(word).names(gpu);
}

TEST(GpuSelector, numbers_stand_alone_or_behind_the_name_of_who_counts) {
    struct Row {
        char const* word;
        Kind kind;
        std::uint64_t number;
    };
    for (auto const& [word, kind, number] :
         {Row{"0", Kind::row, 0}, Row{"12", Kind::row, 12}, Row{"hip:1", Kind::hip, 1},
          Row{"cuda:7", Kind::cuda, 7}, Row{"kfd:0", Kind::kfd, 0},
          Row{"hip:18446744073709551615", Kind::hip, UINT64_MAX}}) {
        auto const selector = parse_gpu_selector(word);
        EXPECT_EQ(selector.kind, kind) << word;
        EXPECT_EQ(selector.number, number) << word;
        EXPECT_EQ(selector.text, word);
    }
}

TEST(GpuSelector, addresses_may_lack_the_domain_and_have_a_partition) {
    struct Row {
        char const* word;
        char const* address;
        std::optional<std::uint64_t> partition;
    };
    for (auto const& [word, address, partition] :
         {Row{"0000:c3:00.0", "0000:c3:00.0", {}}, Row{"C3:00.0", "0000:c3:00.0", {}},
          Row{"0001:03:00.1", "0001:03:00.1", {}}, Row{"00010000:03:00.0", "10000:03:00.0", {}},
          Row{"03:00.0/0", "0000:03:00.0", 0}, Row{"0000:03:00.0/7", "0000:03:00.0", 7}}) {
        auto const selector = parse_gpu_selector(word);
        EXPECT_EQ(selector.kind, Kind::address) << word;
        EXPECT_EQ(selector.address.text(), address) << word;
        EXPECT_EQ(selector.partition, partition) << word;
    }
}

TEST(GpuSelector, identifiers_are_alike_in_both_cases) {
    for (auto const* word : {"GPU-1A2b3c4d5e6f7081", "gpu-1a2b3c4d5e6f7081"}) {
        auto const selector = parse_gpu_selector(word);
        EXPECT_EQ(selector.kind, Kind::uuid);
        EXPECT_EQ(selector.uuid, "gpu-1a2b3c4d5e6f7081");
        EXPECT_EQ(selector.text, word);
    }
    EXPECT_EQ(parse_gpu_selector("GPU-12345678-9abc-def0-1234-56789abcdef0").uuid,
              "gpu-12345678-9abc-def0-1234-56789abcdef0");
}

TEST(GpuSelector, everything_else_is_refused_with_the_forms_that_there_are) {
    for (auto const* word : {"x",
                             "-1",
                             "+1",
                             "1.5",
                             "0x1",
                             "hip",
                             "hip:",
                             "hip:-1",
                             "hip:x",
                             "hip:0x1",
                             "hip:1/0",
                             "HIP:1",
                             "cuda:",
                             "cuda:-1",
                             "kfd:",
                             "kfd:-1",
                             "rocr:0",
                             "18446744073709551616",
                             "hip:18446744073709551616",
                             "kfd:99999999999999999999",
                             "GPU-",
                             "gpu",
                             "03:00",
                             "03:00.8",
                             "03:20.0",
                             "03:00.0/",
                             "03:00.0/x",
                             "03:00.0/-1",
                             "03:00.0/18446744073709551616",
                             "0000:03:00.0/1/2",
                             "/1",
                             "000000000:03:00.0"})
        EXPECT_EQ(complaint(word), "--gpu cannot be '" + std::string(word) + "'");
    EXPECT_THAT(complaint("\x1b[2J"), testing::Not(HasSubstr("\x1b")));
}

TEST(GpuSelector, a_list_keeps_its_order_and_its_repetitions) {
    std::vector<std::string> texts;
    for (auto const& selector : parse_gpu_selectors({"4, hip:1 ,4", "03:00.0/1"}))
        texts.push_back(selector.text);
    EXPECT_THAT(texts, testing::ElementsAre("4", "hip:1", "4", "03:00.0/1"));
    EXPECT_TRUE(parse_gpu_selectors({}).empty());
}

TEST(GpuSelector, a_list_has_no_empty_place) {
    for (std::string const list : {"", " ", ",", "0,", ",0", "0,,1", "hip:0, "})
        EXPECT_EQ(complaint(list), "--gpu cannot be '" + list + "': a place of the list is empty");
    EXPECT_EQ(complaint("0,hip:"), "--gpu cannot be 'hip:'") << "the word that is wrong";
    EXPECT_THROW((void)parse_gpu_selector("0,1"), Error) << "a list is no selector";
}

TEST(GpuSelector, names_a_gpu_by_what_the_host_knows) {
    auto gpu = gpu_at("0000:03:00.0", 0, 1);
    gpu.unique_id.offer("1a2b3c4d5e6f7081", {"kfd", "x"});
    for (auto const* word : {"3", "kfd:5", "03:00.0", "03:00.0/0", "GPU-1A2B3C4D5E6F7081"})
        EXPECT_TRUE(names(word, gpu)) << word;
    for (auto const* word : {"5", "kfd:3", "04:00.0", "0001:03:00.0", "03:00.1", "03:00.0/1",
                             "GPU-1A2B3C4D5E6F7082", "hip:2", "cuda:2"})
        EXPECT_FALSE(names(word, gpu)) << word;
    gpu.uuid.offer("GPU-00000000000000FF", {"hsa", "x"});
    EXPECT_TRUE(names("gpu-00000000000000ff", gpu));
}

TEST(GpuSelector, names_nothing_by_what_is_not_known) {
    for (auto const* word : {"0", "kfd:0", "0000:00:00.0", "0000:00:00.0/0", "GPU-0"})
        EXPECT_FALSE(names(word, Gpu{})) << word;
}

TEST(GpuSelector, names_a_partition_by_its_number_or_as_a_function) {
    auto const gpu = gpu_at("0000:03:00.0", 2, 8);
    for (auto const* word : {"03:00.0", "03:00.0/2", "03:00.2"})
        EXPECT_TRUE(names(word, gpu)) << word;
    for (auto const* word : {"03:00.0/0", "03:00.0/1", "03:00.1", "03:00.2/2", "03:01.2"})
        EXPECT_FALSE(names(word, gpu)) << word;
}

TEST(GpuSelector, has_one_help_for_all_commands) {
    int rows = 0;
    for (auto const& option : all_options()) {
        if (option.name != "--gpu") continue;
        EXPECT_EQ(option.help, gpu_help);
        ++rows;
    }
    EXPECT_EQ(rows, 1);
}

TEST(GpuSelector, has_a_hint_of_one_line_whose_forms_are_forms) {
    constexpr std::size_t narrow_terminal = 80;
    EXPECT_LE(gpu_grammar.size() + 2, narrow_terminal) << gpu_grammar;
    for (auto const* form : {"0", "hip:0", "kfd:1", "0000:03:00.0", "03:00.0/1", "GPU-UUID"}) {
        EXPECT_THAT(gpu_grammar, HasSubstr(form));
        EXPECT_EQ(parse_gpu_selector(form).text, form);
    }
}

}  // namespace
}  // namespace rocmtune::test
