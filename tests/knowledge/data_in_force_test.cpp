// SPDX-License-Identifier: MIT
// Sets of newer data: what a list of them may say, and when they may come.
#include "knowledge/data_in_force.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

#include "base/sha256.hpp"
#include "knowledge/findings.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;

json good_manifest() {
    json manifest = {{"format", data_format}, {"data_date", "2099-01-02"}};
    for (auto const& name : data_file_names()) manifest["files"][name] = sha256(name);
    return manifest;
}

std::string complaint(json const& manifest) {
    try {
        (void)parse_manifest(data_manifest_name, manifest.dump());
    } catch (Error const& error) {
        return error.what();
    }
    return {};
}

TEST(DataManifest, has_a_date_and_a_sum_for_each_file) {
    auto const manifest = parse_manifest(data_manifest_name, good_manifest().dump());
    EXPECT_EQ(manifest.date, "2099-01-02");
    EXPECT_EQ(manifest.files.size(), data_file_names().size());
    check_sum(manifest, "findings.json", "findings.json");
    EXPECT_THROW(check_sum(manifest, "findings.json", "other bytes"), Error);
}

TEST(DataManifest, may_have_files_of_new_chips) {
    auto manifest = good_manifest();
    manifest["files"]["gfx1399.json"] = sha256("");
    EXPECT_EQ(complaint(manifest), "");
}

TEST(DataManifest, with_a_mistake_is_refused) {
    for (auto const* name : {"/etc/passwd.json", "../a.json", ".json", "a.b.json", "a", "",
                             "a b.json", "manifest.json", "a.json/"}) {
        auto manifest = good_manifest();
        manifest["files"][name] = sha256("");
        EXPECT_NE(complaint(manifest), "") << name;
    }
    for (auto const& [key, value] : {std::pair<char const*, json>("format", 0),
                                     {"format", "1"},
                                     {"format", nullptr},
                                     {"data_date", "2099-01"},
                                     {"data_date", "soon"},
                                     {"data_date", 2099},
                                     {"files", json::array()},
                                     {"files", {{"findings.json", "short"}}},
                                     {"more", true}}) {
        auto manifest = good_manifest();
        manifest[key] = value;
        EXPECT_NE(complaint(manifest), "") << key << ' ' << value;
    }
}

TEST(DataManifest, of_a_later_format_says_who_is_older_and_nothing_else) {
    EXPECT_EQ(complaint({{"format", 2}, {"unknown", "words"}}),
              "manifest.json has format 2, and this program reads up to 1: this program is older "
              "than the data");
}

TEST(DataInForce, do_not_change_after_the_first_reading) {
    ASSERT_FALSE(all_finding_kinds().empty());
    EXPECT_THROW(put_in_force({.date = "2099-01-01"}), std::logic_error);
    EXPECT_TRUE(data_text("findings.json"));
}

TEST(DataInForce, of_the_program_pass_what_newer_ones_have_to) {
    EXPECT_NO_THROW(read_all_data());
}

}  // namespace
}  // namespace rocmtune
