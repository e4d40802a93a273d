// SPDX-License-Identifier: MIT
// Which builds are proposed, for targets and for hosts, and how their lines look.
#include "judge/builds/builds.hpp"

#include <fstream>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

std::vector<Build> asked(BuildsQuestion const& question) {
    return builds_for(question, embedded_builds(), embedded_chips());
}

Build first(BuildsQuestion const& question) {
    return asked(question).at(0);
}

BuildsQuestion about(std::string framework, std::string target) {
    return {.frameworks = {std::move(framework)}, .targets = {std::move(target)}};
}

Host linux_host(std::string const& kernel, std::string const& id = "debian",
                std::string const& version = "13") {
    Host host;
    host.kernel_release.offer(kernel, {"kernel", "uname"});
    host.distribution_id.offer(id, {"kernel", "os-release"});
    host.distribution_version.offer(version, {"kernel", "os-release"});
    return host;
}

// ---- published cases ----------------------------------------------------------------------------

struct Case {
    std::string url;
    json expect;
};

void PrintTo(Case const& row, std::ostream* out) {
    *out << row.url << ' ' << row.expect;
}

std::vector<Case> cases() {
    std::ifstream file(ROCMTUNE_SOURCE_DIR "/tests/builds/cases.json");
    std::vector<Case> rows;
    auto const document = json::parse(file);
    for (auto const& row : document.at("cases"))
        for (auto const& expect : row.value("expect", json::array()))
            rows.push_back({row["url"], expect});
    return rows;
}

class PublishedCase : public testing::TestWithParam<Case> {};

TEST_P(PublishedCase, gets_the_answer_that_helped) {
    auto const& expect = GetParam().expect;
    auto question = about(expect["framework"], expect["target"]);
    if (expect.contains("python")) question.python = expect["python"];
    question.installer = expect.value("installer", "");
    auto const answer = first(question);
    EXPECT_EQ(word_of(answer.answer), expect["answer"].get<std::string>());
    auto const command = answer.command.value_or("");
    for (auto const& text : expect.value("command_has", json::array()))
        EXPECT_THAT(command, HasSubstr(text.get<std::string>()));
    for (auto const& text : expect.value("command_lacks", json::array()))
        EXPECT_THAT(command, Not(HasSubstr(text.get<std::string>())));
    if (expect.contains("reason_has")) {
        EXPECT_EQ(command, "");
        EXPECT_THAT(answer.reason, HasSubstr(expect["reason_has"].get<std::string>()));
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, PublishedCase, testing::ValuesIn(cases()),
                         [](auto const& row) { return "row_" + std::to_string(row.index); });

// ---- all cells ----------------------------------------------------------------------------------

/// Every framework with every target of the profiles and of the data, with every installer.
template <class Visit>
void each_answer(Visit visit) {
    auto const& data = embedded_builds();
    std::vector<std::string> installers{""};
    installers.insert(installers.end(), installer_words.begin(), installer_words.end());
    for (auto const& chip : embedded_chips().all_chips())
        for (auto const& installer : installers)
            visit(asked({.frameworks = data.frameworks,
                         .targets = {std::string(chip.gfx_target)},
                         .installer = installer}),
                  installer);
}

TEST(Builds, of_every_target_are_a_command_with_source_and_date_or_a_reason) {
    each_answer([](std::vector<Build> const& answers, std::string const& installer) {
        for (auto const& it : answers) {
            if (!it.command) {
                EXPECT_NE(it.reason, "") << it.framework;
            }
            if (it.command) {
                EXPECT_NE(it.sources.size(), 0U) << it.framework;
            }
            if (it.command && !installer.empty()) {
                EXPECT_EQ(it.installer, installer);
            }
            if (it.command && it.version) {
                EXPECT_TRUE(it.channel) << it.framework;
            }
        }
    });
}

TEST(Builds, are_never_proposed_with_a_place_that_was_not_filled_in) {
    each_answer([](std::vector<Build> const& answers, std::string const&) {
        for (auto const& it : answers)
            EXPECT_THAT(it.command.value_or(""),
                        testing::AllOf(Not(HasSubstr("{gfx}")), Not(HasSubstr("{version}")),
                                       Not(HasSubstr("{rocm}")), Not(HasSubstr("install rocmtune")),
                                       Not(HasSubstr(":latest"))));
    });
}

TEST(Builds, by_pip_name_what_is_to_be_installed) {
    static std::regex const nothing(R"(pip install( --pre)?( --\S+ http\S+)?\s*(\n|$))");
    each_answer([](std::vector<Build> const& answers, std::string const&) {
        for (auto const& it : answers)
            EXPECT_FALSE(std::regex_search(it.command.value_or(""), nothing))
                << it.framework << ' ' << it.command.value_or("");
    });
}

/// What one person said of a build is shown, and carries no command.
TEST(Builds, that_a_report_alone_tells_of_are_not_proposed) {
    for (auto const& it : asked(about("llama.cpp", "gfx1100")))
        if (it.version == "b10665") {
            EXPECT_FALSE(it.command);
            EXPECT_THAT(it.reason, HasSubstr("only somebody's report"));
            return;
        }
    FAIL() << "the build is not listed";
}

TEST(Builds, without_a_list_of_targets_are_no_answer_for_any) {
    auto const answers = asked(about("tensorflow", "gfx1103"));
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].answer, BuildAnswer::not_recorded);
}

TEST(Builds, whose_code_does_not_work_say_what_is_missing) {
    for (auto const& it : asked(about("torch", "gfx906")))
        if (it.rocm == "7.2" && it.version == "2.12.1") {
            EXPECT_FALSE(it.command);
            EXPECT_THAT(it.reason, HasSubstr("rocBLAS has no library"));
            return;
        }
    FAIL() << "the build is not listed";
}

// ---- lines --------------------------------------------------------------------------------------

TEST(Builds, for_several_targets_have_an_extra_for_each) {
    auto question = about("torch", "gfx1100");
    question.targets.emplace_back("gfx1201");
    EXPECT_THAT(first(question).command.value_or(""),
                HasSubstr("\"torch[device-gfx1100,device-gfx1201]==2.14.0+rocm10.1.0\""));
}

TEST(Builds, for_targets_that_no_build_has_together_say_to_choose_one) {
    auto question = about("torch", "gfx940");
    question.targets.emplace_back("gfx1250");
    auto const answer = asked(question).back();
    EXPECT_THAT(answer.reason, HasSubstr("Choose one"));
}

TEST(Builds, of_vllm_by_pip_are_for_the_one_python_that_has_wheels) {
    auto question = about("vllm", "gfx1100");
    question.installer = "pip";
    question.python = "3.12";
    EXPECT_EQ(first(question).command,
              "python3.12 -m pip install --extra-index-url "
              "https://wheels.vllm.ai/rocm/0.20.0/rocm721 \"vllm==0.20.0+rocm721\"");
    question.python = "3.13";
    for (auto const& it : asked(question)) EXPECT_FALSE(it.command) << *it.command;
}

TEST(Builds, that_need_rocm_before_install_it_from_the_index_that_has_it) {
    auto question = about("jax", "gfx1100");
    auto const command = first(question).command.value_or("");
    EXPECT_THAT(command, HasSubstr("--index-url https://stable.repo.amd.com/rocm/whl-next/ "
                                   "\"rocm[libraries,device-gfx1100]==10.1.0\"\n"));
    EXPECT_THAT(command, HasSubstr("\npython3 -m pip install \"jax-rocm10-plugin==0.12.0\""));
}

TEST(Builds, that_stand_beside_torch_install_one_of_the_same_rocm_first) {
    auto const command = first(about("bitsandbytes", "gfx1100")).command.value_or("");
    EXPECT_THAT(command, testing::MatchesRegex(".*torch.*rocm.*10\\.0.*\npython3 -m pip install "
                                               "\"bitsandbytes>=0.50.2\""));
}

TEST(Builds, that_stand_beside_torch_follow_the_one_that_is_there) {
    auto const with = [&](std::string const& version) {
        Framework torch{.name = "torch"};
        torch.version.offer(version, {"python", "/venv"});
        Host there;
        there.frameworks.offer({torch}, {"python", "/venv"});
        return there;
    };
    auto question = about("bitsandbytes", "gfx1100");
    auto const old = with("2.11.0+rocm7.1");
    question.host = &old;
    auto const fitting = first(question);
    EXPECT_EQ(fitting.rocm, "7.1.1");
    EXPECT_EQ(fitting.command, "python3 -m pip install \"bitsandbytes>=0.50.2\"");
    auto const rocm10 = with("2.14.0+rocm10.1.0");
    question.host = &rocm10;
    EXPECT_THAT(first(question).reason, HasSubstr("torch here for 10.1.0"));
}

TEST(Builds, in_containers_keep_the_groups_of_the_user_under_podman) {
    auto question = about("vllm", "gfx942");
    question.installer = "podman";
    EXPECT_THAT(first(question).command.value_or(""),
                testing::AllOf(HasSubstr("podman run -it --rm --device=/dev/kfd"),
                               HasSubstr("--group-add=keep-groups")));
}

TEST(Builds, that_the_installer_does_not_have_point_at_those_of_others) {
    auto question = about("vllm", "gfx1100");
    question.installer = "apt";
    auto const answers = asked(question);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_THAT(answers[0].reason, HasSubstr("rocmtune builds vllm gfx1100"));
}

// ---- hosts --------------------------------------------------------------------------------------

TEST(Builds, for_another_distribution_do_not_run_here) {
    auto question = about("llama.cpp", "gfx1100");
    question.installer = "apt";
    auto const host = linux_host("6.12.0", "ubuntu", "24.04");
    question.host = &host;
    auto const answer = first(question);
    EXPECT_EQ(answer.runs_here, false);
    EXPECT_THAT(answer.reason, HasSubstr("forky, sid"));
}

TEST(Builds, whose_python_is_not_known_here_are_not_said_to_run) {
    auto question = about("torch", "gfx1100");
    auto const host = linux_host("6.12.0");
    question.host = &host;
    auto const answer = first(question);
    EXPECT_EQ(answer.runs_here, std::nullopt);
    EXPECT_THAT(answer.reason, HasSubstr("the version of Python here"));
    EXPECT_TRUE(answer.command);
}

Host with_python(std::string const& site) {
    auto host = linux_host("6.18.4");
    host.frameworks.offer({}, {"python", site});
    return host;
}

TEST(Builds, are_judged_by_the_python_of_the_active_environment) {
    auto const host = with_python("/venv/lib/python3.13/site-packages");
    EXPECT_EQ(python_of(host), "3.13");
    EXPECT_EQ(python_of(Host{}), std::nullopt);
    EXPECT_EQ(python_of(with_python("/usr/lib/python3/dist-packages")), std::nullopt);
    auto question = about("vllm", "gfx1100");
    question.installer = "pip";
    question.host = &host;
    EXPECT_THAT(first(question).reason, HasSubstr("it is for Python 3.12, not 3.13"));
}

TEST(Builds, whose_glibc_is_newer_than_that_of_the_host_do_not_run) {
    auto const host = with_python("/venv/lib/python3.12/site-packages");
    auto question = about("vllm", "gfx1100");
    question.installer = "pip";
    question.host = &host;
    question.glibc = "2.31";
    EXPECT_EQ(first(question).runs_here, false);
    question.glibc = "2.36";
    EXPECT_EQ(first(question).runs_here, true);
    question.glibc.reset();
    EXPECT_EQ(first(question).runs_here, std::nullopt);
}

TEST(Builds, are_not_installed_among_the_packages_of_the_distribution) {
    auto host = with_python("/usr/lib/python3.13/site-packages");
    host.python_environment.offer("/usr", {"python", "/usr/bin/python3"});
    auto question = about("torch", "gfx1100");
    question.host = &host;
    EXPECT_THAT(first(question).command.value_or(""),
                HasSubstr("python3 -m venv rocm-env && . rocm-env/bin/activate\n"));
}

struct KernelCase {
    std::string kernel, id, version, rocm;
    std::string says;  ///< empty: nothing of the kernel
};

class StrixHaloKernel : public testing::TestWithParam<KernelCase> {};

TEST_P(StrixHaloKernel, is_judged_by_the_table_of_amd) {
    auto const& row = GetParam();
    auto question = about("ollama", "gfx1151");
    if (row.rocm != "7.2.1") question = about("torch", "gfx1151");
    auto const host = linux_host(row.kernel, row.id, row.version);
    question.host = &host;
    for (auto const& it : asked(question)) {
        if (it.rocm != row.rocm || it.status == "nightly") continue;
        std::string text = it.reason;
        for (auto const& note : it.notes) text += note;
        if (row.says.empty()) {
            EXPECT_THAT(text, Not(HasSubstr("kernel (")));
        } else {
            EXPECT_THAT(text, HasSubstr(row.says));
        }
        return;
    }
    FAIL() << "no build for ROCm " << row.rocm;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, StrixHaloKernel,
    testing::Values(
        KernelCase{"6.18.4", "arch", "", "7.2.1", ""},
        KernelCase{"6.17.0-14-generic", "ubuntu", "24.04", "7.2.1", "unstable with this kernel"},
        KernelCase{"6.17.0-19-generic", "ubuntu", "24.04", "7.2.1", ""},
        KernelCase{"6.14.0-1018-oem", "ubuntu", "24.04", "7.2.1", ""},
        KernelCase{"6.14.0-1017-oem", "ubuntu", "24.04", "7.2.1", "unstable with this kernel"},
        KernelCase{"6.17.8", "fedora", "43", "7.2.1", ""},
        KernelCase{"6.17.8", "nobara", "43", "7.2.1", "unstable with this kernel"},
        KernelCase{"6.18.9", "fedora", "43", "7.1", "unsupported with this kernel"},
        KernelCase{"6.12.0", "debian", "13", "10.1.0", "AMD asks for Linux 6.18.4"}));

TEST(BuildTargets, of_a_host_are_those_of_cards_before_those_of_processors) {
    Host host;
    auto const add = [&](std::string target, bool apu, std::uint64_t row) {
        Gpu gpu;
        gpu.row.offer(row, {"kfd", "x"});
        gpu.kfd_node.offer(row + 1, {"kfd", "x"});
        gpu.gfx_target.offer(std::move(target), {"kfd", "x"});
        gpu.is_apu.offer(apu, {"kfd", "x"});
        host.gpus.push_back(gpu);
    };
    add("gfx1036", true, 0);
    add("gfx1100", false, 1);
    add("gfx1100", false, 2);
    EXPECT_EQ(targets_of(host, {}), std::vector<std::string>{"gfx1100"});
    EXPECT_EQ(targets_of(host, {0, 2}), (std::vector<std::string>{"gfx1100", "gfx1036"}));
    host.gpus.resize(1);
    EXPECT_EQ(targets_of(host, {}), std::vector<std::string>{"gfx1036"});
}

TEST(BuildTargets, are_written_as_each_tool_takes_them) {
    std::vector<std::string> texts;
    for (auto const& it : target_values({"gfx1100", "gfx1201"}, embedded_builds()))
        texts.push_back(it.value);
    EXPECT_THAT(texts, testing::IsSupersetOf({"amdgpu_target=gfx1100,gfx1201",
                                              "PYTORCH_ROCM_ARCH=\"gfx1100;gfx1201\"",
                                              "-DGPU_TARGETS=\"gfx1100;gfx1201\""}));
}

}  // namespace
}  // namespace rocmtune::test
