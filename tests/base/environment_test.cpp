// SPDX-License-Identifier: MIT
#include "base/host.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

Host host_with(std::map<std::string, std::string> environment) {
    Host host;
    host.environment.offer(std::move(environment), {"environment", "x"});
    return host;
}

TEST(Environment, tells_an_empty_value_from_none) {
    auto const host = host_with({{"A", ""}});
    EXPECT_EQ(variable_of(host, "A"), "");
    EXPECT_EQ(variable_of(host, "B"), std::nullopt);
    EXPECT_EQ(variable_of(Host{}, "A"), std::nullopt);
}

TEST(Environment, has_a_variable_set_whose_value_is_hidden) {
    auto host = host_with({{"A", ""}});
    host.environment_hidden.offer({"B"}, {"environment", "x"});
    EXPECT_TRUE(is_set(host, "A"));
    EXPECT_TRUE(is_set(host, "B"));
    EXPECT_FALSE(is_set(host, "C"));
}

TEST(Environment, overrides_targets_for_all_GPUs_or_for_one_but_not_by_an_empty_value) {
    auto const host = host_with({{"HSA_OVERRIDE_GFX_VERSION", ""},
                                 {"HSA_OVERRIDE_GFX_VERSION_1", "11.0.0"},
                                 {"HSA_XNACK", "1"}});
    EXPECT_EQ(gfx_overrides(host),
              (std::map<std::string, std::string>{{"HSA_OVERRIDE_GFX_VERSION_1", "11.0.0"}}));
    EXPECT_TRUE(gfx_overrides(Host{}).empty());
}

TEST(Environment, knows_the_masks_of_devices) {
    EXPECT_TRUE(is_device_mask("GPU_DEVICE_ORDINAL"));
    EXPECT_FALSE(is_device_mask("HIP_VISIBLE_DEVICE"));
}

}  // namespace
}  // namespace rocmtune
