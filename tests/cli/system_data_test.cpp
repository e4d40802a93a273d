// SPDX-License-Identifier: MIT
// Newer data of the system in place of those of the program: all of them, or none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

#include <sys/stat.h>

#include "base/data_date.hpp"
#include "base/sha256.hpp"
#include "support/other_user.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto newer = "2099-01-02";

/// A folder of data that root has filled with those of the sources.
class SystemData : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "data of the system belong to root";
        std::filesystem::create_directories(folder());
        ::chmod(folder().c_str(), 0755);
        for (auto const& file :
             std::filesystem::directory_iterator(ROCMTUNE_SOURCE_DIR "/profiles"))
            if (file.path().extension() == ".json")
                put(file.path().filename(), content_of(file.path()));
        set_date(newer);
    }

    std::string folder() const { return home_ / "data"; }
    std::string at(std::string const& name) const { return folder() + '/' + name; }

    /// Writes a file, and its sum into the manifest.
    void put(std::string const& name, std::string const& text) {
        write_file(at(name), text);
        ::chmod(at(name).c_str(), 0644);
        manifest_["files"][name] = sha256(text);
    }
    void write_manifest() const { write_file(at("manifest.json"), manifest_.dump(2)); }
    void set_date(std::string const& date) {
        manifest_["format"] = 1;
        manifest_["data_date"] = date;
        write_manifest();
    }
    /// Changes a file as somebody who makes data would: with its sum.
    void change(std::string const& name, std::function<void(json&)> const& how) {
        auto document = json::parse(content_of(at(name)));
        how(document);
        put(name, document.dump());
        write_manifest();
    }

    Outcome outcome_of(std::vector<std::string> words) const {
        auto launch = rocmtune_with(std::move(words));
        launch.environment["ROCMTUNE_DATA"] = folder();
        return run(launch);
    }

    /// The built-in data count, the exit code is as it was, and both places say why.
    void expect_refused(std::string const& why) const {
        auto const outcome =
            outcome_of({"explain", "HSA_XNACK", "--json", "--replay", host_file("mi300x-x8")});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        auto const complaint = "the data in " + folder() + " are not used: ";
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("rocmtune: " + complaint), HasSubstr(why)));
        auto const document = json::parse(outcome.out);
        EXPECT_EQ(document.at("tool").at("data_date"), data_date());
        EXPECT_THAT(document.at("errors").at(0).at("message").get<std::string>(),
                    AllOf(HasSubstr(complaint), HasSubstr(why)));
    }

    json manifest_ = {{"files", json::object()}};
    Directory const home_;
};

TEST_F(SystemData, that_are_newer_take_the_place_of_all_built_in_ones) {
    change("terms.json", [](json& terms) {
        for (auto& term : terms["terms"]) term["summary"] = "Newer words.";
    });
    change("findings.json", [](json& findings) {
        for (auto& finding : findings["findings"]) finding["title"] = "a newer title";
    });
    auto const term = outcome_of({"explain", "amdgpu.gttsize", "--replay", "example:no-gpu"});
    EXPECT_THAT(term.out, HasSubstr("Newer words."));
    EXPECT_EQ(term.err, "");
    EXPECT_THAT(outcome_of({"explain", "RT3001", "--replay", "example:no-gpu"}).out,
                HasSubstr("a newer title"));
    EXPECT_THAT(outcome_of({"--version"}).out, HasSubstr(std::string("(data of ") + newer + ')'));
    auto const document = json::parse(outcome_of({"--json", "--replay", "example:no-gpu"}).out);
    EXPECT_EQ(document.at("tool").at("data_date"), newer);
    EXPECT_THAT(document.at("errors"), IsEmpty());
    EXPECT_THAT(outcome_of({"env", "--replay", "example:mi300x-x8"}).out,
                HasSubstr(std::string("env, data of ") + newer));
    EXPECT_THAT(outcome_of({"report", "--replay", "example:mi300x-x8"}).out,
                HasSubstr(std::string("data of ") + newer));
}

TEST_F(SystemData, that_say_the_same_change_nothing_but_the_date) {
    for (auto const& words : {std::vector<std::string>{"check", "--replay", "example:mi300x-x8"},
                              {"builds", "--replay", "example:mi300x-x8"},
                              {"explain", "gfx942", "--replay", "example:mi300x-x8"}}) {
        auto const ours = run(rocmtune_with(words)), theirs = outcome_of(words);
        EXPECT_EQ(theirs.out, ours.out) << words.front();
        EXPECT_EQ(theirs.code, ours.code) << words.front();
    }
}

TEST_F(SystemData, that_are_older_are_named_and_not_used) {
    set_date("2020-01-01");
    expect_refused("they are of 2020-01-01, and newer ones of " + std::string(data_date()));
}

TEST_F(SystemData, of_the_same_day_are_not_worth_a_word) {
    set_date(std::string(data_date()));
    auto const outcome = outcome_of({"--version"});
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out, run(rocmtune_with({"--version"})).out);
}

TEST_F(SystemData, are_looked_for_nowhere_if_the_variable_is_empty) {
    auto launch = rocmtune_with({"--version"});
    launch.environment["ROCMTUNE_DATA"] = "";
    EXPECT_THAT(run(launch).out, HasSubstr("(data of " + std::string(data_date()) + ')'));
}

TEST_F(SystemData, of_a_later_format_say_which_of_both_is_older) {
    manifest_ = {{"format", 2}, {"sets", {"everything is elsewhere"}}};
    write_manifest();
    expect_refused("has format 2, and this program reads up to 1: this program is older than the");
}

TEST_F(SystemData, that_lack_a_file_are_refused) {
    std::filesystem::remove(at("gfx942.json"));
    expect_refused("cannot take gfx942.json: no such file or directory (ENOENT)");
    manifest_["files"].erase("gfx942.json");
    write_manifest();
    expect_refused("gfx942.json is not in the list");
    std::filesystem::remove(at("manifest.json"));
    expect_refused("cannot take manifest.json: no such file or directory (ENOENT)");
    std::filesystem::remove_all(folder());
    expect_refused("no such file or directory (ENOENT)");
}

TEST_F(SystemData, with_one_file_of_another_set_are_refused) {
    write_file(at("messages.json"), content_of(at("messages.json")) + "\n");
    expect_refused("messages.json is not the file that manifest.json means");
}

TEST_F(SystemData, whose_list_is_broken_are_refused) {
    write_file(at("manifest.json"), "{ no JSON");
    expect_refused("manifest.json: not valid JSON");
    write_file(at("manifest.json"), std::string(100'000, '['));
    expect_refused("manifest.json");
    write_file(at("manifest.json"), std::string(2'000'000, ' '));
    expect_refused("cannot take manifest.json: it is longer than 1 MiB");
    manifest_["data_date"] = "yesterday";
    write_manifest();
    expect_refused("expected a date such as");
    manifest_["data_date"] = newer;
    manifest_["files"]["../terms.json"] = sha256("");
    write_manifest();
    expect_refused("expected the name of a file beside this one");
}

TEST_F(SystemData, that_cannot_be_read_as_data_are_refused_as_a_whole) {
    put("symptoms.json", "{ no JSON");
    write_manifest();
    expect_refused("symptoms.json: not valid JSON");
    put("symptoms.json", content_of(ROCMTUNE_SOURCE_DIR "/profiles/symptoms.json"));
    change("variables.json", [](json& file) { file["variables"][7]["parser"] = "oracle"; });
    expect_refused("variables.json: /variables/7/parser");
    put("variables.json", content_of(ROCMTUNE_SOURCE_DIR "/profiles/variables.json"));
    change("symptoms.json", [](json& file) { file["symptoms"][0]["patterns"] = {"((("}; });
    expect_refused("(((");
    put("symptoms.json", content_of(ROCMTUNE_SOURCE_DIR "/profiles/symptoms.json"));
    put("extra.json", R"({"neither": "a profile nor anything known"})");
    write_manifest();
    expect_refused("extra.json");
}

TEST_F(SystemData, without_a_finding_that_the_program_names_are_refused) {
    change("findings.json", [](json& file) { file["findings"].erase(3); });
    expect_refused("is not there any more");
}

TEST_F(SystemData, that_are_too_large_are_refused_unread) {
    std::filesystem::resize_file(at("names.json"), std::uintmax_t{1} << 40);
    expect_refused("cannot take names.json: it is longer than 16 MiB");
}

TEST_F(SystemData, are_files_that_lie_there_themselves) {
    auto const elsewhere = home_ / "terms.json";
    std::filesystem::rename(at("terms.json"), elsewhere);
    std::filesystem::create_symlink(elsewhere, at("terms.json"));
    expect_refused("cannot take terms.json: it is a link");
    std::filesystem::remove(at("terms.json"));
    ASSERT_EQ(::mkfifo(at("terms.json").c_str(), 0644), 0);
    expect_refused("cannot take terms.json: it is no regular file");
    std::filesystem::remove(at("terms.json"));
    std::filesystem::create_directory(at("terms.json"));
    expect_refused("cannot take terms.json: it is no regular file");
}

TEST_F(SystemData, are_those_of_root_alone) {
    ASSERT_EQ(::chown(at("causes.json").c_str(), stranger, 0), 0);
    expect_refused("cannot take causes.json: it belongs to user 65534");
    ASSERT_EQ(::chown(at("causes.json").c_str(), 0, 0), 0);
    ::chmod(at("plan.json").c_str(), 0664);
    ASSERT_EQ(::chown(at("plan.json").c_str(), 0, 50), 0);
    expect_refused("cannot take plan.json: it is writable by group 50");
    ::chmod(at("plan.json").c_str(), 0666);
    expect_refused("cannot take plan.json: it is writable by everybody");
    ::chmod(at("plan.json").c_str(), 0644);
    ::chmod(folder().c_str(), 0777);
    expect_refused("is writable by everybody");
    ::chmod(folder().c_str(), 0755);
    ASSERT_EQ(::chown(folder().c_str(), stranger, stranger), 0);
    expect_refused("belongs to user 65534");
}

TEST_F(SystemData, serve_everybody) {
    ProgramForEverybody const program;
    if (auto const why = program.why_unreachable(); !why.empty()) GTEST_SKIP() << why;
    ::chmod(home_.path().c_str(), 0755);
    ::chmod(at("manifest.json").c_str(), 0644);
    auto launch = program.by_stranger(rocmtune_with({"--version"}));
    launch.environment["ROCMTUNE_DATA"] = folder();
    EXPECT_THAT(run(launch).out, HasSubstr(std::string("(data of ") + newer + ')'));
}

TEST_F(SystemData, are_told_with_their_folder_and_components) {
    for (auto const& words : {std::vector<std::string>{"--version", "-v"},
                              {"explain", "data", "--replay", "example:mi300x-x8"}}) {
        auto const outcome = outcome_of(words);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_THAT(outcome.out,
                    AllOf(HasSubstr(std::string("Data of ") + newer + ", from " + folder()),
                          HasSubstr("PyTorch")));
    }
    auto const document =
        json::parse(outcome_of({"explain", "data", "--json", "--replay", "example:mi300x-x8"}).out);
    auto const& readers = document.at("explanations").at(0).at("readers");
    EXPECT_GT(readers.size(), 60U);
    EXPECT_TRUE(readers.back().at("text_date").is_string());
}

TEST(BuiltInData, say_which_texts_are_over_a_year_older) {
    auto const outcome = run(rocmtune_with({"explain", "data", "--replay", "example:no-gpu"}));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("Data of " + std::string(data_date()) + ", built in."),
                                   HasSubstr(", over a year before these data)")));
}

TEST(DataOfTheCommandLine, decide_nothing_that_root_changes) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    Directory const place;
    write_file(place / "a.sh", "export HSA_XNACK=1\n");
    auto const outcome =
        run(rocmtune_with({"lint", "--fix", "--profiles", place.path(), place / "a.sh"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("as root --fix changes files by the data of the system"));
    EXPECT_EQ(content_of(place / "a.sh"), "export HSA_XNACK=1\n");
}

}  // namespace
}  // namespace rocmtune::test
