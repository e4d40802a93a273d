// SPDX-License-Identifier: MIT
// rocmtune builds from the outside: targets, hosts, formats, exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "show/layout.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

Words builds(Words const& more, std::string const& host = "rx7900xt") {
    Words words{"builds", "--replay", host_file(host)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(Builds, of_a_host_are_told_in_lines_that_can_be_pasted) {
    auto const result = run(builds({"torch"}));
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("gfx1100"), HasSubstr("python3 -m pip install"),
                                  HasSubstr("\"torch[device-gfx1100]=="), HasSubstr("source"),
                                  HasSubstr("2026-10")));
}

TEST(Builds, name_what_they_would_break_and_what_cannot_be_read) {
    Directory const place;
    auto const file = place / "x.host";
    std::string const site = "/home/user/venv/lib/python3.12/site-packages/";
    write_file(file, content_of(host_file("rx7900xt-x2")) + site +
                         "peft-9.dist-info/METADATA =\n\tName: peft\n\tVersion: 9\n"
                         "\tRequires-Dist: torch (==2.5.1)\n" +
                         site + "xformers-1.0.dist-info/RECORD listed\n");
    auto const document = json::parse(run({"builds", "torch", "--replay", file, "--json"}).out);
    auto const best = document.at("builds").at(0);
    EXPECT_THAT(best.at("breaks").get<Words>(), testing::Contains("peft 9 asks for torch ==2.5.1"));
    EXPECT_THAT(best.at("notes").dump(), HasSubstr("xformers"));
}

TEST(Builds, of_a_target_need_no_host) {
    auto const result = run({"builds", "torch", "gfx1031", "--json"});
    EXPECT_EQ(result.code, 0) << result.err;
    auto const document = json::parse(result.out);
    EXPECT_FALSE(document.contains("host"));
    EXPECT_EQ(document.at("builds").at(0).at("runs_here"), nullptr);
    EXPECT_THAT(document.at("builds").at(0).at("command").get<std::string>(),
                HasSubstr("device-gfx1031"));
}

/// An image is one word, which no shell takes in parts.
std::size_t words_of_line(std::string_view line) {
    return rocmtune::words(line).size();
}

TEST(Builds, fit_the_width_but_for_words_that_cannot_be_broken) {
    for (auto const* columns : {"80", "100"})
        for (auto const& words :
             {builds({"torch"}), builds({}, "strix-halo"), builds({"vllm", "-v"})}) {
            auto launch = rocmtune_with(words);
            launch.environment["COLUMNS"] = columns;
            auto const text = run(launch).out;
            for (auto const line : lines(text))
                if (line.find("https://") == line.npos && words_of_line(line) > 1) {
                    EXPECT_LE(display_width(line), to_unsigned(columns).value()) << line;
                }
        }
}

TEST(Builds, of_all_frameworks_are_a_table_and_no_failure) {
    auto const result = run(builds({}, "strix-halo"));
    EXPECT_EQ(result.code, 0) << result.err;
    for (auto const* name : {"torch", "vllm", "llama.cpp", "ollama", "onnxruntime", "rocm"})
        EXPECT_THAT(result.out, HasSubstr(name));
}

TEST(Builds, in_markdown_stand_their_lines_in_blocks) {
    auto const result = run(builds({"torch", "--format", "markdown"}));
    EXPECT_THAT(result.out, HasSubstr("```\npython3 -m pip install --index-url "));
}

TEST(Builds, by_uv_are_a_section_as_it_is) {
    auto const result = run(builds({"torch", "--with", "uv", "--python", "3.12"}));
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("    [dependency-groups]\n"), HasSubstr("    [[tool.uv.index]]\n"),
                      HasSubstr("python_version == '3.12'")));
}

TEST(Builds, print_the_targets_as_tools_take_them) {
    auto const result = run(builds({"--targets"}));
    EXPECT_THAT(result.out, HasSubstr("PYTORCH_ROCM_ARCH=gfx1100"));
    auto const document = json::parse(run(builds({"--targets", "--json"})).out);
    EXPECT_EQ(document.at("target_values").at(0).at("value"), "amdgpu_target=gfx1100");
}

struct Row {
    char const* name;
    Words words;
    int code;
    char const* says;  ///< in what is printed, or what standard error says
};

void PrintTo(Row const& row, std::ostream* out) {
    *out << row.name;
}

class BuildsCode : public testing::TestWithParam<Row> {};

TEST_P(BuildsCode, is_that_of_the_contract) {
    auto const result = run(GetParam().words);
    EXPECT_EQ(result.code, GetParam().code) << result.out << result.err;
    EXPECT_THAT(result.out + result.err, HasSubstr(GetParam().says));
}

Row const rows[] = {
    {"a_build", {"builds", "torch", "gfx942"}, 0, "device-gfx942"},
    {"none", {"builds", "vllm", "gfx1031"}, 1, "In no list of vLLM"},
    {"an_override_only", {"builds", "ollama", "gfx1031"}, 1, "HSA_OVERRIDE_GFX_VERSION=10.3.0"},
    {"whether_is_not_recorded", {"builds", "onnxruntime", "gfx1033"}, 3, "not recorded"},
    {"not_recorded", {"builds", "onnxruntime", "gfx940"}, 3, "not recorded"},
    {"a_python_without_build",
     {"builds", "torch", "gfx1201", "--with", "pip", "--python", "3.7"},
     1,
     "not 3.7"},
    {"no_python", {"builds", "torch", "gfx1201", "--python", "x"}, 2, "for example --python 3.12"},
    {"python_2", {"builds", "torch", "gfx1201", "--python", "2.7"}, 2, "for example --python 3.12"},
    {"a_whole_version_of_python",
     {"builds", "torch", "gfx1201", "--python", "3.12.4", "--with", "uv"},
     0,
     "python_version == '3.12'"},
    {"no_such_framework", {"builds", "pytorch", "gfx942"}, 2, "did you mean 'torch'?"},
    {"no_such_target", {"builds", "gfx9999"}, 2, "knows the target 'gfx9999'"},
    {"a_feature_of_a_target", {"builds", "gfx90a:xnack+"}, 2, "knows the target"},
    {"an_old_target", {"builds", "rocm", "gfx803"}, 0, "librocblas-dev"},
    {"target_and_host", {"builds", "gfx942", "--gpu", "0"}, 2, "exclude each other"},
    {"no_such_installer", {"builds", "gfx942", "--with", "conda"}, 2, "--with"},
    {"a_host_without_gpu", builds({}, "no-gpu"), 3, "name one: rocmtune builds gfx1100"},
};

INSTANTIATE_TEST_SUITE_P(Rows, BuildsCode, testing::ValuesIn(rows),
                         [](auto const& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace rocmtune::test
