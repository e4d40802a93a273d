// SPDX-License-Identifier: MIT
// The real program as root and as somebody else, with a GPU library that others could have put
// where it lies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include "support/other_user.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class TrustedLibrary : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
        std::filesystem::create_directories(directory_ / "rocm/lib");
        std::filesystem::copy_file(ROCMTUNE_FAKES_DIR "/rocm-7/lib/libamdhip64.so.7", library());
        for (auto const* const path : {"", "rocm", "rocm/lib", "rocm/lib/libamdhip64.so.7"})
            set_mode(path, 0755);
    }

    void set_mode(std::string_view path, mode_t mode) const {
        ASSERT_EQ(::chmod((directory_ / path).c_str(), mode), 0);
    }
    std::string library() const { return directory_ / "rocm/lib/libamdhip64.so.7"; }

    Launch launch(std::string const& file) const {
        auto launch = rocmtune_with({"probe", "--json"});
        launch.environment["ROCMTUNE_LIBAMDHIP64"] = file;
        launch.environment["FAKE_GPUS"] = "0000:03:00.0 gfx1100 42 21458059264 0 Radeon";
        launch.directory = directory_.path();
        return launch;
    }

    static json hip_of(Launch const& launch) {
        auto const result = run(launch);
        EXPECT_EQ(result.code, 0) << result.err;
        auto const document = json::parse(result.out);
        for (auto const& runtime : document.at("host").at("runtimes"))
            if (runtime.at("name") == "hip") return runtime;
        return {};
    }

    void expect_loaded(Launch const& launch) const {
        auto const record = hip_of(launch);
        EXPECT_EQ(record.at("status"), "ok") << record;
        EXPECT_EQ(record.at("devices"), 1) << record;
    }

    void expect_refused(Launch const& launch, std::string const& why) const {
        auto const record = hip_of(launch);
        EXPECT_EQ(record.at("status"), "error") << record;
        EXPECT_TRUE(record.at("devices").is_null()) << record;
        EXPECT_THAT(record.dump(), HasSubstr("untrusted (" + why));
    }

    Directory const directory_;
};

TEST_F(TrustedLibrary, of_root_is_loaded_by_root) {
    expect_loaded(launch(library()));
}

TEST_F(TrustedLibrary, in_a_directory_for_everybody_is_not_loaded_by_root) {
    set_mode("rocm/lib", 0777);
    expect_refused(launch(library()), directory_ / "rocm/lib is writable by everybody");
    set_mode("rocm/lib", 01777);
    expect_refused(launch(library()), directory_ / "rocm/lib is writable by everybody");
}

TEST_F(TrustedLibrary, below_a_directory_for_everybody_is_not_loaded_by_root) {
    set_mode("rocm", 0777);
    expect_refused(launch(library()), directory_ / "rocm is writable by everybody");
}

TEST_F(TrustedLibrary, below_a_directory_of_a_group_is_not_loaded_by_root) {
    ASSERT_EQ(::chown((directory_ / "rocm").c_str(), 0, 50), 0);
    set_mode("rocm", 0775);
    expect_refused(launch(library()), directory_ / "rocm is writable by group 50");
}

TEST_F(TrustedLibrary, that_everybody_may_write_is_not_loaded_by_root) {
    set_mode("rocm/lib/libamdhip64.so.7", 0666);
    expect_refused(launch(library()), library() + " is writable by everybody");
}

TEST_F(TrustedLibrary, of_somebody_else_is_not_loaded_by_root) {
    ASSERT_EQ(::chown((directory_ / "rocm/lib").c_str(), stranger, stranger), 0);
    expect_refused(launch(library()), directory_ / "rocm/lib belongs to user 65534");
}

TEST_F(TrustedLibrary, is_judged_where_links_lead) {
    set_mode("rocm/lib", 0777);
    std::filesystem::create_directory(directory_ / "good");
    std::filesystem::create_symlink("../rocm/lib/libamdhip64.so.7", directory_ / "good/hip.so");
    expect_refused(launch(directory_ / "good/hip.so"), directory_ / "rocm/lib is writable");
}

TEST_F(TrustedLibrary, is_judged_where_links_lie) {
    std::filesystem::create_directory(directory_ / "open");
    set_mode("open", 0777);
    std::filesystem::create_symlink("../rocm/lib", directory_ / "open/lib");
    expect_refused(launch(directory_ / "open/lib/libamdhip64.so.7"),
                   directory_ / "open is writable");
}

TEST_F(TrustedLibrary, on_a_relative_path_is_not_loaded_by_root) {
    expect_refused(launch("rocm/lib/libamdhip64.so.7"),
                   "rocm/lib/libamdhip64.so.7 is a relative path");
}

TEST_F(TrustedLibrary, is_not_taken_from_an_open_search_path) {
    auto by_name = launch("libamdhip64.so.7");
    by_name.environment["LD_LIBRARY_PATH"] = directory_ / "rocm/lib";
    expect_loaded(by_name);
    set_mode("rocm/lib", 0777);
    expect_refused(by_name, directory_ / "rocm/lib is writable by everybody");
    by_name.environment["LD_LIBRARY_PATH"] = "rocm/lib";
    expect_refused(by_name, "rocm/lib/libamdhip64.so.7 is a relative path");
}

TEST_F(TrustedLibrary, that_is_not_there_is_absent_and_not_untrusted) {
    set_mode("rocm/lib", 0777);
    EXPECT_EQ(hip_of(launch(directory_ / "rocm/lib/none.so")).at("status"), "absent");
}

TEST_F(TrustedLibrary, may_be_anywhere_for_an_ordinary_user) {
    set_mode("rocm", 0777);
    set_mode("rocm/lib", 0777);
    ProgramForEverybody const program;
    if (auto const reason = program.why_unreachable(); !reason.empty()) GTEST_SKIP() << reason;
    for (auto const& file : {library(), std::string("rocm/lib/libamdhip64.so.7")})
        expect_loaded(program.by_stranger(launch(file)));
}

}  // namespace
}  // namespace rocmtune::test
