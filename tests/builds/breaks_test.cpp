// SPDX-License-Identifier: MIT
// What a proposed build would break in the environment that is there.
#include "judge/builds/breaks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Requirement, is_read_with_extras_brackets_and_markers) {
    auto const plain = parse_requirement("torch (==2.9.1)");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->name, "torch");
    EXPECT_EQ(plain->specifiers, "==2.9.1");
    EXPECT_FALSE(plain->is_conditional);
    EXPECT_EQ(parse_requirement("torch[device-gfx1151]==2.14.0+rocm10.1.0")->specifiers,
              "==2.14.0+rocm10.1.0");
    EXPECT_EQ(parse_requirement("Triton_ROCm >= 3.1, <4")->name, "triton-rocm");
    EXPECT_FALSE(parse_requirement("triton==3.5.0; platform_system == \"Linux\"")->is_conditional);
    EXPECT_TRUE(parse_requirement("triton==3.5.0; python_version < '3.9'")->is_conditional);
    EXPECT_TRUE(parse_requirement("torch @ https://example.org/torch.whl")->is_conditional);
    EXPECT_EQ(parse_requirement("torch")->specifiers, "");
    for (auto const* text : {"", ";", "==1", " @ x"})
        EXPECT_FALSE(parse_requirement(text).has_value()) << text;
}

TEST(Specifier, is_judged_as_pep_440_says) {
    for (auto const& [version, specifiers, result] :
         {std::tuple("2.9.1", "==2.9.1", true), std::tuple("2.9.1+rocm6.3", "==2.9.1", true),
          std::tuple("2.9.1+rocm6.3", "==2.9.1+rocm6.4", false),
          std::tuple("2.10.0", "==2.9.*", false), std::tuple("2.9.5", "==2.9.*", true),
          std::tuple("2.10.0", ">=2.9", true), std::tuple("2.10.0", ">=2.4,<3", true),
          std::tuple("2.8.0", "<2.8", false), std::tuple("2.14.0", "~=2.9", true),
          std::tuple("2.14.0", "~=2.9.1", false), std::tuple("2.14.0", "!=2.14.0", false),
          std::tuple("2.14.0", "", true)})
        EXPECT_EQ(fits(version, specifiers), result) << version << " " << specifiers;
    for (auto const* specifiers : {"===2.14.0", ">=x", "2.14.0", "@"})
        EXPECT_EQ(fits("2.14.0", specifiers), std::nullopt) << specifiers;
}

Host with(std::vector<PackageNeeds> needs) {
    Host host;
    host.python_needs.offer(std::move(needs), {"test", "test"});
    return host;
}

TEST(BrokenPackages, are_those_whose_pins_the_new_versions_miss) {
    auto const host = with({
        {.name = "vllm", .version = "0.14.0", .requirements = {"torch==2.9.1"}},
        {.name = "torchvision", .version = "0.24.1", .requirements = {"torch==2.9.1"}},
        {.name = "accelerate", .version = "1.2.0", .requirements = {"torch>=2.0.0"}},
        {.name = "old", .version = "1", .requirements = {"torch==1.13; python_version < '3.9'"}},
    });
    EXPECT_THAT(broken_by({"torch==2.14.1", "torchvision==0.29.*"}, host),
                ElementsAre("vllm 0.14.0 asks for torch ==2.9.1"));
    EXPECT_THAT(broken_by({"torch==2.9.1+rocm6.3"}, host), IsEmpty());
    EXPECT_THAT(broken_by({"torch"}, host), IsEmpty()) << "no version is pinned";
    EXPECT_THAT(broken_by({"torch==2.14.1"}, Host{}), IsEmpty()) << "nobody looked";
}

TEST(BrokenPackages, with_damaged_metadata_are_named_and_not_guessed) {
    auto const host = with({{.name = "xformers", .unread = "METADATA: ENOENT"}});
    EXPECT_THAT(broken_by({"torch==2.14.1"}, host), IsEmpty());
    EXPECT_THAT(unread_packages(host), ElementsAre("xformers (METADATA: ENOENT)"));
}

}  // namespace
}  // namespace rocmtune::test
