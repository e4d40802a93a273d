// SPDX-License-Identifier: MIT
// The environment reader: relevant names only, secret values never.
#include <gtest/gtest.h>

#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

TEST(Environment, relevant_variables_are_kept_as_they_are) {
    auto const host = read(read_environment, recorded("env HIP_VISIBLE_DEVICES=0,1\n"
                                                      "env HSA_ENABLE_SDMA=\n"
                                                      "env NCCL_DEBUG=a=b \\033[31m\n"
                                                      "env MY_DIARY=private\n"));
    ASSERT_TRUE(host.environment);
    EXPECT_EQ(host.environment->size(), 3U);
    EXPECT_EQ(host.environment->at("HIP_VISIBLE_DEVICES"), "0,1");
    EXPECT_EQ(host.environment->at("HSA_ENABLE_SDMA"), "") << "an empty value is a value";
    EXPECT_EQ(host.environment->at("NCCL_DEBUG"), "a=b \033[31m");
    EXPECT_TRUE(host.environment_hidden->empty());
}

TEST(Environment, of_secrets_only_the_name_is_kept) {
    auto const host = read(read_environment, recorded("env HIP_SERVICE_TOKEN=abc\n"
                                                      "env MY_PASSWORD=abc\n"));
    EXPECT_TRUE(host.environment->empty());
    EXPECT_EQ(*host.environment_hidden, (std::vector<std::string>{"HIP_SERVICE_TOKEN"}));
}

TEST(Environment, the_first_of_two_equal_names_counts) {
    auto const host =
        read(read_environment, recorded("env HIP_VISIBLE_DEVICES=0\nenv HIP_VISIBLE_DEVICES=1\n"));
    EXPECT_EQ(host.environment->at("HIP_VISIBLE_DEVICES"), "0");
}

TEST(Environment, a_tree_without_environment_is_not_an_empty_one) {
    auto const tree = read(read_environment, fragment(""));
    EXPECT_EQ(tree.environment.reason(), Missing::not_recorded);
    EXPECT_EQ(tree.environment_hidden.reason(), Missing::not_recorded);
    auto const live = read(read_environment, recorded(""));
    ASSERT_TRUE(live.environment);
    EXPECT_TRUE(live.environment->empty());
}

}  // namespace
}  // namespace rocmtune::test
