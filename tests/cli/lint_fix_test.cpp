// SPDX-License-Identifier: MIT
// rocmtune lint that changes files, or shows how: what it changes, and what it leaves alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

/// One value to write in another way, a name that nothing reads, and what a person has to decide.
constexpr auto broken =
    "#!/bin/bash\n"
    "export HIP_FORCE_DEV_KERNARG=True\n"
    "export PYTORCH_ROCM_DEVICE=0\n"
    "export HSA_OVERRIDE_GFX_VERSION=11.0.0\n"
    "python train.py\n";
constexpr auto mended =
    "#!/bin/bash\n"
    "export HIP_FORCE_DEV_KERNARG=1\n"
    "export HSA_OVERRIDE_GFX_VERSION=11.0.0\n"
    "python train.py\n";

class LintFix : public testing::Test {
  protected:
    std::string write(std::string const& name, std::string_view text) {
        auto const path = directory_ / name;
        write_file(path, text);
        return path;
    }
    Outcome lint(Words words) {
        words.insert(words.begin(), "lint");
        auto launch = rocmtune_with(words);
        launch.directory = directory_.path();
        return run(launch);
    }

    Directory directory_;
};

TEST_F(LintFix, changes_what_is_certain_and_tells_what_is_left) {
    auto const path = write("train.sh", broken);
    ASSERT_EQ(::chmod(path.c_str(), 0751), 0);
    auto const outcome = lint({"--fix", "train.sh"});
    EXPECT_EQ(content_of(path), mended);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("train.sh:3:8 warn RT5009"));
    EXPECT_THAT(outcome.out, HasSubstr("1 warn; 2 mended"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("HIP_FORCE_DEV_KERNARG")));
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0751u);
}

TEST_F(LintFix, changes_nothing_the_second_time) {
    auto const path = write("train.sh", broken);
    (void)lint({"--fix", "train.sh"});
    auto const changed = fs::last_write_time(path);
    auto const again = lint({"--fix", "train.sh"});
    EXPECT_EQ(fs::last_write_time(path), changed);
    EXPECT_THAT(again.out, Not(HasSubstr("mended")));
    EXPECT_EQ(lint({"--diff", "train.sh"}).out, "");
}

TEST_F(LintFix, says_in_words_of_the_lines_what_to_do) {
    write("train.sh", broken);
    auto const out = lint({"train.sh"}).out;
    EXPECT_THAT(out, HasSubstr("do: line 2: write HIP_FORCE_DEV_KERNARG=1 instead\n"));
    EXPECT_THAT(out, HasSubstr("do: delete line 3\n"));
    EXPECT_THAT(out, HasSubstr("do: line 4: take HSA_OVERRIDE_GFX_VERSION out, by hand\n"));
}

TEST_F(LintFix, shows_the_change_as_a_diff) {
    auto const path = write("train.sh", broken);
    auto const outcome = lint({"--diff", "train.sh"});
    EXPECT_EQ(outcome.out,
              "--- a/train.sh\n"
              "+++ b/train.sh\n"
              "@@ -1,5 +1,4 @@\n"
              " #!/bin/bash\n"
              "-export HIP_FORCE_DEV_KERNARG=True\n"
              "-export PYTORCH_ROCM_DEVICE=0\n"
              "+export HIP_FORCE_DEV_KERNARG=1\n"
              " export HSA_OVERRIDE_GFX_VERSION=11.0.0\n"
              " python train.py\n");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(content_of(path), broken);
    EXPECT_EQ(lint({"--diff", "train.sh", "-o", "x.patch"}).out, "");
    EXPECT_EQ(content_of(directory_ / "x.patch"), outcome.out);
}

TEST_F(LintFix, keeps_secrets_out_of_a_diff) {
    write("train.sh",
          "export HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123\n"
          "export PYTORCH_ROCM_DEVICE=0\n"
          "export HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123 PYTORCH_ROCM_DEVICE=0\n");
    auto const out = lint({"--diff", "train.sh"}).out;
    EXPECT_THAT(out, HasSubstr("-export PYTORCH_ROCM_DEVICE=0\n"));
    EXPECT_THAT(out, Not(HasSubstr("hf_")));
}

TEST_F(LintFix, computes_the_override_for_the_gpus) {
    auto const path = write("train.sh", "export HSA_OVERRIDE_GFX_VERSION=10.3.0\nx\n");
    (void)lint({"--fix", "train.sh", "--replay", "example:rx7900xt-x2"});
    EXPECT_EQ(content_of(path), "x\n");  // these GPUs need none
}

TEST_F(LintFix, gives_the_same_changes_to_programs) {
    write("train.sh", broken);
    auto const report = json::parse(lint({"train.sh", "--json"}).out);
    auto const& changes = report["findings"][1]["changes"];
    EXPECT_EQ(changes, json::parse(R"([{"line": 3, "column": 1, "end_line": 4, "end_column": 1,
                                        "text": ""}])"));
    auto const sarif = json::parse(lint({"train.sh", "--format", "sarif"}).out);
    auto const& results = sarif["runs"][0]["results"];
    EXPECT_EQ(results[0]["fixes"][0]["artifactChanges"][0]["replacements"][0],
              json::parse(R"({"deletedRegion": {"startLine": 2, "startColumn": 30, "endLine": 2,
                              "endColumn": 34}, "insertedContent": {"text": "1"}})"));
    EXPECT_FALSE(results[2].contains("fixes"));
}

TEST_F(LintFix, leaves_accepted_and_mild_findings_alone) {
    auto const path = write("train.sh",
                            "export HIP_FORCE_DEV_KERNARG=True # rocmtune: ignore=RT5004 so it is\n"
                            "export PYTORCH_ROCM_DEVICE=0\n");
    EXPECT_THAT(lint({"--fix", "--min-level", "fail", "train.sh"}).out, HasSubstr("1 accepted"));
    EXPECT_EQ(content_of(path),
              "export HIP_FORCE_DEV_KERNARG=True # rocmtune: ignore=RT5004 so it is\n"
              "export PYTORCH_ROCM_DEVICE=0\n");
}

TEST_F(LintFix, follows_a_link_of_the_user) {
    auto const path = write("train.sh", broken);
    fs::create_symlink("train.sh", directory_ / "link.sh");
    (void)lint({"--fix", "link.sh"});
    EXPECT_EQ(content_of(path), mended);
    EXPECT_TRUE(fs::is_symlink(directory_ / "link.sh"));
}

TEST_F(LintFix, refuses_files_that_would_not_stay_what_they_are) {
    auto const path = write("train.sh", broken);
    auto const refused = [&](std::string const& why) {
        auto const outcome = lint({"--fix", "train.sh"});
        EXPECT_EQ(outcome.code, 2) << why;
        EXPECT_THAT(outcome.err, HasSubstr("cannot change train.sh: " + why));
        EXPECT_THAT(outcome.out, HasSubstr("HIP_FORCE_DEV_KERNARG"));
        EXPECT_EQ(content_of(path), broken);
    };
    ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
    refused("it is read-only");
    ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
    fs::create_hard_link(path, directory_ / "other.sh");
    refused("it has several names");
    fs::remove(path);
    fs::create_symlink("other.sh", path);
    if (::geteuid() != 0) return;
    constexpr uid_t somebody = 12345;
    ASSERT_EQ(::lchown(path.c_str(), somebody, somebody), 0);
    refused("train.sh is a link of user 12345");
}

TEST_F(LintFix, keeps_the_owner) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root has files of others to change";
    auto const path = write("train.sh", broken);
    ASSERT_EQ(::chown(path.c_str(), 12345, 12346), 0);
    (void)lint({"--fix", "train.sh"});
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(std::pair(status.st_uid, status.st_gid), std::pair(12345u, 12346u));
    EXPECT_EQ(content_of(path), mended);
}

TEST_F(LintFix, is_refused_where_nothing_can_be_changed) {
    write("train.sh", broken);
    for (auto const& words : std::vector<Words>{{"--fix"},
                                                {"--diff"},
                                                {"--fix", "-"},
                                                {"--fix", "--diff", "train.sh"},
                                                {"--diff", "--json", "train.sh"},
                                                {"--diff", "--format", "sarif", "train.sh"},
                                                {"--fix", "--baseline", "x.json", "train.sh"}})
        EXPECT_EQ(lint(words).code, 2) << testing::PrintToString(words);
}

TEST_F(LintFix, shows_the_worst_first_and_folds_notes) {
    write("a.sh", "export NCCL_NSOCKS_PERTHREAD=4\nexport PYTORCH_ROCM_DEVICE=0\n");
    write("b.sh", "export HIP_FORCE_DEV_KERNARG=True\n");
    auto const out = lint({"a.sh", "b.sh"}).out;
    EXPECT_LT(out.find("b.sh:1:8 fail"), out.find("a.sh:2:8 warn"));
    EXPECT_THAT(out, Not(HasSubstr("a.sh:1:8")));
    EXPECT_THAT(out, HasSubstr("redundant-default: 1 info: a.sh:1 NCCL_NSOCKS_PERTHREAD\n"));
    EXPECT_THAT(lint({"-v", "a.sh"}).out, HasSubstr("a.sh:1:8 info"));
    EXPECT_THAT(lint({"--min-level", "fail", "a.sh", "b.sh"}).out, HasSubstr("texts: 1 fail\n"));
}

}  // namespace
}  // namespace rocmtune::test
