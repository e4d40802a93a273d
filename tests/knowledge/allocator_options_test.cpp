// SPDX-License-Identifier: MIT
#include "knowledge/allocator_options.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

std::string error_of(std::string_view text) {
    return parse_allocator_options(text).error;
}

TEST(AllocatorOptions, are_a_list_of_keys_and_values) {
    auto const parsed = parse_allocator_options("max_split_size_mb:128,expandable_segments:True");
    EXPECT_EQ(parsed.error, "");
    ASSERT_EQ(parsed.options.size(), 2u);
    EXPECT_EQ(parsed.options[0].key, "max_split_size_mb");
    EXPECT_EQ(parsed.options[0].value, "128");
    EXPECT_EQ(*parsed.find("expandable_segments"), "True");
    EXPECT_EQ(parsed.find("backend"), nullptr);
}

TEST(AllocatorOptions, the_last_of_equal_keys_counts) {
    auto const parsed = parse_allocator_options("max_split_size_mb:20,max_split_size_mb:64");
    EXPECT_EQ(*parsed.find("max_split_size_mb"), "64");
}

TEST(AllocatorOptions, blanks_do_not_count_and_a_last_comma_neither) {
    EXPECT_EQ(error_of(" max_split_size_mb\t: 1 2 8 , "), "");
    EXPECT_EQ(*parse_allocator_options(" max_split_size_mb\t: 1 2 8 , ").find("max_split_size_mb"),
              "128");
    EXPECT_EQ(error_of(""), "");
}

TEST(AllocatorOptions, sizes_have_a_list_of_their_own) {
    auto const* text = "roundup_power2_divisions:[256:1,512:2,1024:4,>:8],backend:native";
    auto const parsed = parse_allocator_options(text);
    EXPECT_EQ(parsed.error, "");
    ASSERT_EQ(parsed.options.size(), 2u);
    EXPECT_EQ(parsed.options[0].value, "[256:1,512:2,1024:4,>:8]");
    for (auto const* good : {"roundup_power2_divisions:4", "roundup_power2_divisions:[]",
                             "roundup_power2_divisions:[256:0,]"}) {
        EXPECT_EQ(error_of(good), "") << good;
    }
}

TEST(AllocatorOptions, of_the_texts_of_2026_are_known) {
    for (auto const* good :
         {"per_process_memory_fraction:0.9,garbage_collection_threshold:0.8",
          "per_process_memory_fraction:1", "throw_on_cudamalloc_oom:True,backend:native",
          "pinned_free_catch_all:False", "expandable_segments_reserve:40G",
          "expandable_segments_reserve_by_class:[serving:0.5,loading:40G],backend:native"}) {
        EXPECT_EQ(error_of(good), "") << good;
    }
    EXPECT_EQ(error_of("per_process_memory_fraction:90"),
              "per_process_memory_fraction: expected a number from 0 to 1");
    EXPECT_EQ(error_of("throw_on_cudamalloc_oom:1"),
              "throw_on_cudamalloc_oom: expected True or False, in this spelling");
}

TEST(AllocatorOptions, mistakes_are_those_that_pytorch_raises) {
    struct Mistake {
        char const* text;
        char const* error;
    };
    for (auto const& [text, error] :
         {Mistake{"max_split_size_mb:19",
                  "max_split_size_mb: expected a whole number of at least 20"},
          Mistake{"max_split_size_mb:-1",
                  "max_split_size_mb: expected a whole number of at least 20"},
          Mistake{"max_split_size_mb:", "max_split_size_mb: it has no value"},
          Mistake{"max_split_size_mb", "expected a colon after max_split_size_mb"},
          Mistake{"max_split_size_mb=128", "expected a colon after max_split_size_mb=128"},
          Mistake{"expandable_segments:true",
                  "expandable_segments: expected True or False, in this spelling"},
          Mistake{"garbage_collection_threshold:1.0",
                  "garbage_collection_threshold: expected a number between 0 and 1"},
          Mistake{"garbage_collection_threshold:0",
                  "garbage_collection_threshold: expected a number between 0 and 1"},
          Mistake{"roundup_power2_divisions:3",
                  "roundup_power2_divisions: expected a power of two"},
          Mistake{"roundup_power2_divisions:[256:3]",
                  "roundup_power2_divisions: expected divisions that are powers of two, or 0"},
          Mistake{"roundup_power2_divisions:[250:2]",
                  "roundup_power2_divisions: expected sizes that are powers of two, or >"},
          Mistake{"roundup_power2_divisions:[256]",
                  "roundup_power2_divisions: expected SIZE:DIVISIONS in the list"},
          Mistake{"roundup_power2_divisions:[256:1]x",
                  "roundup_power2_divisions: expected nothing behind the list"},
          Mistake{"roundup_power2_divisions:[256:1", "a list has no closing bracket"},
          Mistake{"pinned_num_register_threads:256",
                  "pinned_num_register_threads: expected a power of two up to 128"},
          Mistake{"backend:malloc", "backend: expected native or cudaMallocAsync"},
          Mistake{"Expandable_segments:True", "Expandable_segments is no option"},
          Mistake{"backend:native,,", "expected a name of an option"},
          Mistake{",", "expected a name of an option"},
          Mistake{"\n\xff:1", "\\xff is no option"}}) {
        EXPECT_EQ(error_of(text), error) << text;
    }
}

TEST(AllocatorOptions, what_stands_before_a_mistake_is_kept) {
    auto const parsed = parse_allocator_options("backend:native,nonsense:1");
    ASSERT_EQ(parsed.options.size(), 1u);
    EXPECT_EQ(parsed.options[0].key, "backend");
}

}  // namespace
}  // namespace rocmtune
