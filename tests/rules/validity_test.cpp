// SPDX-License-Identifier: MIT
#include "judge/rules/settings.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

using Texts = std::vector<std::string>;

struct Told {
    Validity validity;
    std::string text;
};

class ValidityText : public testing::TestWithParam<Told> {};

TEST_P(ValidityText, says_whose_versions_and_which) {
    EXPECT_EQ(validity_text(GetParam().validity), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ValidityText,
    testing::Values(
        Told{{.kind = "unknown", .of = "rocm"}, "in which versions is not known"},
        Told{{.kind = "known"}, "known"}, Told{{.kind = "known", .of = "rocm"}, "known for rocm"},
        Told{{.kind = "known", .of = "rocm", .checked = "10.2"},
             "known for rocm, checked up to 10.2"},
        Told{{.kind = "known", .since = "2.0", .until = "2.12", .of = "torch"},
             "known since torch 2.0 until 2.12"},
        Told{{.kind = "known", .until = "5.7", .of = "rocm"}, "known until rocm 5.7"},
        Told{{.kind = "known", .since = "6.2", .of = "rocm", .checked = "7.2"},
             "known since rocm 6.2, checked up to 7.2"},
        Told{{.kind = "observed", .versions = Texts{"2.6", "2.7"}, .of = "torch"},
             "observed in torch 2.6, 2.7"},
        Told{{.kind = "observed", .since = "2024-12", .of = "triton", .checked = "2026-08"},
             "observed since triton 2024-12, checked up to 2026-08"}));

TEST(ValidityOf, a_variable_has_the_newest_text_of_its_owner_unless_it_has_an_end) {
    Component const owner{
        .id = "rocr", .title = "ROCr", .package = {}, .parser = {}, .newest = "2026-01"};
    Variable variable{};
    variable.validity_kind = "known";
    variable.since = "2016-04";
    EXPECT_EQ(validity_of(variable).checked, std::nullopt) << "nobody reads it";
    variable.readers = {&owner};
    EXPECT_EQ(validity_of(variable).checked, "2026-01");
    EXPECT_EQ(validity_of(variable).of, "rocr");
    variable.checked = "2026-09";
    EXPECT_EQ(validity_of(variable).checked, "2026-09") << "it was compared with a newer one";
    variable.until = "2025-01";
    EXPECT_EQ(validity_of(variable).checked, std::nullopt);
}

}  // namespace
}  // namespace rocmtune
