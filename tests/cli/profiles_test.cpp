// SPDX-License-Identifier: MIT
// --profiles DIR: files that add to what is built in, or take its place, and what is wrong with
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto source =
    R"("sources": ["s"], "bibliography": {"s": {"title": "t", "reference": "r"}})";

/// A profile of a chip whose card is the one of the test host rx7900xt.
std::string chip(std::string const& target, std::string const& parent, std::string const& name) {
    return R"({"schema_version": "1.0", "extends": ")" + parent + R"(", "gfx_target": ")" + target +
           R"(", "products": [{"name": ")" + name +
           R"(", "pci_ids": [{"device": "0x744c", "revisions": ["0xcc"], "source": "s"}]}], )" +
           source + "}";
}

Outcome probe(Directory const& profiles) {
    return run(
        {"probe", "--json", "--replay", host_file("rx7900xt"), "--profiles", profiles.path()});
}

json gpu(Outcome const& result) {
    return json::parse(result.out)["host"]["gpus"][0];
}

TEST(Profiles, of_an_empty_directory_change_nothing) {
    Directory const directory;
    auto const result = probe(directory);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(result.out == run({"probe", "--json", "--replay", host_file("rx7900xt")}).out);
}

TEST(Profiles, of_the_same_name_take_the_place_of_the_built_in) {
    Directory const directory;
    write_file(directory / "gfx1100.json", chip("gfx1100", "rdna3", "Board from the Directory"));
    auto const result = probe(directory);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(gpu(result)["marketing_name"], "Board from the Directory");
    EXPECT_EQ(gpu(result)["family"], "RDNA3");
}

TEST(Profiles, that_extend_their_own_name_add_to_the_built_in) {
    Directory const directory;
    write_file(directory / "gfx1100.json", chip("gfx1100", "gfx1100", "Board from the Directory"));
    auto const result = probe(directory);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(gpu(result)["marketing_name"], "Board from the Directory");
    auto const other = run({"probe", "--json", "--replay", host_file("link-downtrained"),
                            "--profiles", directory.path()});
    EXPECT_EQ(gpu(other)["marketing_name"], "AMD Radeon RX 7900 XTX");
}

TEST(Profiles, of_a_new_chip_and_family_need_no_new_program) {
    Directory const directory;
    write_file(directory / "next.json",
               R"({"schema_version": "1.0", "extends": "common", "family": "NEXT9", )" +
                   std::string(source) + "}");
    write_file(directory / "gfx1999.json", chip("gfx1999", "next", "Board of Tomorrow"));
    write_file(directory / "host",
               "rocmtune-host 1\nlabel new chip\nunlisted absent\n"
               "/sys/bus/pci/devices/0000:03:00.0 -> ../../../devices/pci0000:00/0000:03:00.0\n"
               "/sys/devices/pci0000:00/0000:03:00.0/vendor = 0x1002\n"
               "/sys/devices/pci0000:00/0000:03:00.0/device = 0x744c\n"
               "/sys/devices/pci0000:00/0000:03:00.0/revision = 0xcc\n"
               "/sys/devices/pci0000:00/0000:03:00.0/class = 0x030000\n");
    // The built-in chip gives the card up to the new one.
    write_file(directory / "gfx1100.json",
               R"({"schema_version": "1.0", "extends": "rdna3", "gfx_target": "gfx1100", )" +
                   std::string(source) + "}");
    auto const result =
        run({"probe", "--json", "--replay", directory / "host", "--profiles", directory.path()});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(gpu(result)["gfx_target"], "gfx1999");
    EXPECT_EQ(gpu(result)["family"], "NEXT9");
    EXPECT_EQ(gpu(result)["marketing_name"], "Board of Tomorrow");
}

/// A run whose user keeps files in this directory.
Outcome probe_of_user(Directory const& config, std::vector<std::string> const& more = {}) {
    auto launch = rocmtune_with({"probe", "--json", "--replay", host_file("rx7900xt")});
    launch.words.insert(launch.words.end(), more.begin(), more.end());
    launch.environment["XDG_CONFIG_HOME"] = config.path();
    return run(launch);
}

void write_user_file(Directory const& config, std::string const& name, std::string const& text) {
    std::filesystem::create_directories(config / "rocmtune/profiles");
    write_file(config / ("rocmtune/profiles/" + name), text);
}

TEST(Profiles, of_the_user_need_no_option) {
    Directory const config;
    write_user_file(config, "gfx1100.json", chip("gfx1100", "rdna3", "Board of the User"));
    auto const result = probe_of_user(config);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(gpu(result)["marketing_name"], "Board of the User");
    Directory const directory;
    write_file(directory / "gfx1100.json", chip("gfx1100", "rdna3", "Board from the Directory"));
    EXPECT_EQ(gpu(probe_of_user(config, {"--profiles", directory.path()}))["marketing_name"],
              "Board from the Directory");
}

TEST(Profiles, of_the_user_lie_in_the_home_directory_too) {
    Directory const home;
    std::filesystem::create_directories(home / ".config/rocmtune/profiles");
    write_file(home / ".config/rocmtune/profiles/gfx1100.json",
               chip("gfx1100", "rdna3", "Board at Home"));
    auto launch = rocmtune_with({"probe", "--json", "--replay", host_file("rx7900xt")});
    launch.environment["HOME"] = home.path();
    EXPECT_EQ(gpu(run(launch))["marketing_name"], "Board at Home");
}

TEST(Profiles, of_the_user_that_are_wrong_are_named) {
    Directory const config;
    write_user_file(config, "gfx1100.json", R"({"schema_version": "1.0", "sources": [1]})");
    auto const result = probe_of_user(config);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr(config / "rocmtune/profiles/gfx1100.json: /sources/0: "));
}

TEST(Profiles, of_the_user_that_cannot_be_read_are_an_error_and_a_missing_directory_is_none) {
    Directory const config;
    EXPECT_EQ(probe_of_user(config).code, 0);
    std::filesystem::create_directories(config / "rocmtune/profiles/gfx1100.json");
    auto const result = probe_of_user(config);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("it is a directory"));
}

TEST(Profiles, leave_other_files_alone) {
    Directory const directory;
    write_file(directory / "README.md", "{");
    for (auto const* other : {"advisories.json", "causes.json", "environment.json", "findings.json",
                              "messages.json", "names.json", "releases.json", "symptoms.json",
                              "terms.json", "trials.json", "variables.json"})
        write_file(directory / other, "{");
    std::filesystem::create_directory(directory / "schema");
    EXPECT_EQ(probe(directory).code, 0);
}

TEST(Profiles, bring_examples_of_their_own) {
    Directory const directory;
    std::filesystem::create_directory(directory / "examples");
    write_file(directory / "examples/mine.host",
               "rocmtune-host 1\nlabel mine\n/etc/hostname = own\n");
    auto const result = run({"probe", "--replay", "example:mine", "--profiles", directory.path()});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("own"));
    auto const none = run({"probe", "--replay", "example:min", "--profiles", directory.path()});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("no example"));
}

struct Wrong {
    char const* name;
    std::string content;
    char const* says;  ///< after the path of the file
};

void PrintTo(Wrong const& wrong, std::ostream* out) {
    *out << wrong.name;
}

class WrongProfile : public testing::TestWithParam<Wrong> {};

TEST_P(WrongProfile, is_named_with_file_and_place) {
    Directory const directory;
    write_file(directory / "gfx1100.json", GetParam().content);
    auto const result = probe(directory);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, StartsWith("rocmtune: "));
    EXPECT_THAT(result.err, HasSubstr(directory / "gfx1100.json"));
    EXPECT_THAT(result.err, HasSubstr(GetParam().says));
    EXPECT_EQ(json::parse(result.out)["exit_code"], 2);
}

INSTANTIATE_TEST_SUITE_P(
    Table, WrongProfile,
    testing::Values(Wrong{"empty", "", "not valid JSON"},
                    Wrong{"cut_off", "{\n  \"schema_version\": \"1.0\",\n", "line 3"},
                    Wrong{"list", "[]", "expected an object"},
                    Wrong{"unknown_key", R"({"colour": 1})", "/colour: unknown key"},
                    Wrong{"no_utf8", "{\"a\": \"\xff\"}", "not valid JSON"},
                    Wrong{"binary", std::string("\0\0\0", 3), "not valid JSON"},
                    Wrong{"deep", std::string(100000, '['), "nested deeper"},
                    Wrong{"huge", std::string(2 << 20, ' '), "longer than 1 MiB"},
                    Wrong{"no_parent", chip("gfx1100", "nobody", "n"), "nobody"},
                    Wrong{"wrong_type",
                          R"({"schema_version": "1.0", "extends": "rdna3", "gfx_target": 11})",
                          "/gfx_target"}),
    [](auto const& row) { return std::string(row.param.name); });

TEST(Profiles, that_lead_in_a_circle_over_files_are_refused) {
    Directory const directory;
    write_file(directory / "rdna3.json",
               R"({"schema_version": "1.0", "extends": "rdna4", )" + std::string(source) + "}");
    write_file(directory / "rdna4.json",
               R"({"schema_version": "1.0", "extends": "rdna3", )" + std::string(source) + "}");
    auto const result = probe(directory);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("rdna3"));
    EXPECT_THAT(result.err, HasSubstr("rdna4"));
}

TEST(Profiles, that_are_no_files_are_refused_at_once) {
    Directory const directory;
    auto const path = directory / "gfx1100.json";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_THAT(probe(directory).err, HasSubstr("it is no regular file"));
    std::filesystem::remove(path);
    std::filesystem::create_symlink("gfx1100.json", path);
    EXPECT_THAT(probe(directory).err, HasSubstr("ELOOP"));
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    EXPECT_THAT(probe(directory).err, HasSubstr("it is a directory"));
    EXPECT_EQ(probe(directory).code, 2);
}

/// A profile of common rules with one that sets a variable.
std::string setting(std::string const& name, std::string const& value,
                    std::string const& kind = "environment") {
    return R"({"schema_version": "1.0", "extends": "common", "recommendations": [{"id": "mine",
        "name": ")" +
           name + R"(", "kind": ")" + kind + R"(", "value": ")" + value +
           R"(", "level": "balanced", "why": "A test.", "validity": {"kind": "known"},
        "confidence": "observed", "sources": ["s"]}], )" +
           source + "}";
}

Outcome env_with(std::string const& profile) {
    Directory const directory;
    write_file(directory / "common.json", profile);
    auto result =
        run({"env", "--json", "--replay", host_file("mi300x-x8"), "--profiles", directory.path()});
    auto const at = result.err.find(directory.path());
    if (at != std::string::npos) result.err.erase(at, directory.path().size() + 1);
    return result;
}

struct Refused {
    char const* name;
    char const* value;
    char const* says;
};

void PrintTo(Refused const& refused, std::ostream* out) {
    *out << refused.name << '=' << refused.value;
}

class RefusedSetting : public testing::TestWithParam<Refused> {};

TEST_P(RefusedSetting, of_a_profile_is_named_with_file_and_place) {
    auto const result = env_with(setting(GetParam().name, GetParam().value));
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, StartsWith("rocmtune: common.json: /recommendations/0/"));
    EXPECT_THAT(result.err, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedSetting,
    testing::Values(Refused{"MIOPEN_FIND_MODE", "SLOW", "/value: SLOW is no value"},
                    Refused{"PYTORCH_ALLOC_CONF", "bogus:1", "/value: bogus:1 is no value"},
                    Refused{"NCCL_MIN_NCHANNELS", "many", "/value: many is no value"},
                    Refused{"PYTORCH_ALLOC_CONF", "expandable_segments:True,max_split_size_mb:128",
                            "/value: expandable_segments:True and max_split_size_mb"},
                    Refused{"ROCM_MADE_UP_NAME", "1",
                            "/name: the catalogue knows no variable ROCM_MADE_UP_NAME"}));

TEST(Profiles, may_set_values_that_their_readers_take) {
    auto const result = env_with(setting("NCCL_MIN_NCHANNELS", "32"));
    EXPECT_EQ(result.code, 0) << result.err;
    auto const advice = json::parse(result.out)["recommendations"];
    EXPECT_TRUE(std::any_of(advice.begin(), advice.end(), [](json const& one) {
        return one["name"] == "NCCL_MIN_NCHANNELS" && one["value"] == "32";
    })) << advice;
}

TEST(Profiles, that_set_what_finds_code_are_told_so) {
    for (auto const* name : {"PATH", "LD_PRELOAD", "LD_LIBRARY_PATH"}) {
        auto const result = env_with(setting(name, "/tmp"));
        ASSERT_EQ(result.code, 0) << result.err;
        auto const document = json::parse(result.out);
        for (auto const& advice : document["recommendations"]) EXPECT_NE(advice["name"], name);
        auto const& open = document["undecided"];
        EXPECT_TRUE(std::any_of(open.begin(), open.end(),
                                [&](json const& one) {
                                    return one["name"] == name && one["reason"] == "not-settable";
                                }))
            << name << open;
    }
}

}  // namespace
}  // namespace rocmtune::test
