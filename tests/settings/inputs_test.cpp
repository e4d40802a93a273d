// SPDX-License-Identifier: MIT
// Files, directories and processes as inputs, and comments that accept findings.
#include "settings/inputs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "settings/collect.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class Inputs : public testing::Test {
  protected:
    Inputs() {
        std::string pattern = (fs::temp_directory_path() / "rocmtune-inputs-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory");
        directory_ = pattern;
    }
    ~Inputs() override { fs::remove_all(directory_); }

    std::string write(std::string const& name, std::string const& text) {
        auto const path = directory_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }

    void visit(std::string const& path, std::optional<InputKind> kind = std::nullopt) {
        for (auto const& file : input_files(path)) visit_file(file, kind, visitor_);
    }

    fs::path directory_;
    Names seen_, problems_;
    InputVisitor visitor_{
        [this](InputText const& text) { seen_.push_back(fs::path(text.file).filename().string()); },
        [this](std::string const& message) { problems_.push_back(message); },
        [this](std::string const& message) { problems_.push_back(message); }};
};

TEST_F(Inputs, of_a_directory_are_its_files_of_known_kinds_in_order) {
    write("b.sh", "export A=1\n");
    write("a/x.env", "A=1\n");
    write("notes.txt", "export A=1\n");
    write("tool", "#!/bin/sh\n");
    write("data", "A=1\n");
    write("program", std::string("\x7f"
                                 "ELF\0\0",
                                 6));
    write(".git/hooks.sh", "export A=1\n");
    fs::create_directory_symlink(directory_, directory_ / "again");
    visit(directory_.string());
    EXPECT_EQ(seen_, (Names{"x.env", "b.sh", "tool"}));
    EXPECT_EQ(problems_, Names{});
}

TEST_F(Inputs, that_were_named_and_cannot_be_read_are_said) {
    visit(write("binary.sh", std::string("A\0B", 3)));
    visit(write("what.txt", "A=1"));
    visit((directory_ / "missing.sh").string());
    visit("/dev/zero");
    EXPECT_EQ(seen_, Names{});
    ASSERT_EQ(problems_.size(), 4u);
    EXPECT_NE(problems_[0].find("is no text"), std::string::npos);
    EXPECT_NE(problems_[1].find("--kind"), std::string::npos);
    EXPECT_NE(problems_[2].find("ENOENT"), std::string::npos);
    EXPECT_NE(problems_[3].find("regular file"), std::string::npos);
}

TEST_F(Inputs, that_are_too_long_are_left_out) {
    visit(write("long.sh", std::string(input_cap_bytes + 1, 'x')));
    EXPECT_EQ(seen_, Names{});
    EXPECT_EQ(problems_.size(), 1u);
}

TEST_F(Inputs, have_the_kind_that_the_user_says) {
    visit(write("what.txt", "A=1"), InputKind::dotenv);
    EXPECT_EQ(seen_, Names{"what.txt"});
}

TEST_F(Inputs, may_be_processes) {
    bool found = false;
    visit_process(::getpid(),
                  {[&](InputText const& text) { found = text.kind == InputKind::process; },
                   visitor_.problem});
    EXPECT_TRUE(found);
    visit_process(-1, visitor_);
    EXPECT_EQ(problems_.size(), 1u);
}

TEST(IgnoreComments, speak_of_their_line_or_of_the_next) {
    auto const comments = ignore_comments(
        "export A=1  # rocmtune: ignore=RT5006 a faulty SDMA engine\n"
        "# rocmtune: ignore=RT5001,RT5003\n"
        "export B=1\n"
        "# rocmtune: ignore=nothing\n");
    ASSERT_EQ(comments.size(), 2u);
    EXPECT_EQ(comments[0].line, 1u);
    EXPECT_EQ(comments[0].ids, Names{"RT5006"});
    EXPECT_EQ(comments[0].reason, "a faulty SDMA engine");
    EXPECT_EQ(comments[1].line, 3u);
    EXPECT_EQ(comments[1].ids, (Names{"RT5001", "RT5003"}));
    EXPECT_EQ(comments[1].reason, "");
}

}  // namespace
}  // namespace rocmtune
