// SPDX-License-Identifier: MIT
// The env formats that are no scripts, as their own readers take them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "knowledge/findings.hpp"
#include "show/env/env_formats.hpp"
#include "support/env_shells.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string render(std::string const& format, Report const& report) {
    return find_env_format(format)->render(report, {});
}

std::vector<std::string> hostile(bool with_controls) {
    auto values = hostile_values();
    if (!with_controls) return values;
    for (auto const& value : control_values()) values.push_back(value);
    return values;
}

/// Settings with these values, also in all their texts.
Report hostile_report(std::vector<std::string> const& values, Variables& expected) {
    std::vector<Setting> items;
    for (auto const& value : values) {
        auto item = setting("RT_" + std::to_string(items.size()), value);
        item.why = value;
        item.sources = {{value, value, value}};
        expected[item.name] = value;
        items.push_back(item);
    }
    auto report = report_with(items);
    for (auto const& value : values) {
        report.advice->recommendations.push_back(
            {.name = value, .value = value, .kind = "practice", .why = value});
        report.advice->undecided.push_back({value, "missing-fact", value, {}, {}});
        report.host->gpus.emplace_back().marketing_name.offer(value, {"pci", "x"});
    }
    return report;
}

Outcome run_in(Directory const& directory, std::vector<std::string> words) {
    Launch launch;
    launch.words = std::move(words);
    launch.directory = directory.path();
    launch.environment["HOME"] = directory.path();
    return run(launch);
}

bool installed(std::string const& program) {
    return std::filesystem::exists(program);
}

// ---- names and values that no format takes ------------------------------------------------------

// ---- what comments say --------------------------------------------------------------------------

TEST(EnvComments, tell_beside_which_variables_one_must_not_be_set) {
    auto item = setting("RT_A", "1");
    item.unless_set = {"RT_B", "RT_C"};
    EXPECT_THAT(render("systemd", report_with({item})),
                HasSubstr("# Not together with RT_B or RT_C.\n"));
}

TEST(EnvComments, tell_that_this_environment_does_not_count_for_a_process_elsewhere) {
    auto report = report_with({setting("RT_A", "1")});
    constexpr auto remark = "# What is set in the environment of rocmtune does not count here.";
    EXPECT_THAT(render("systemd", report), Not(HasSubstr(remark)));
    report.settings->elsewhere = true;
    EXPECT_THAT(render("systemd", report), HasSubstr(remark));
}

TEST(EnvComments, tell_which_GPUs_advice_is_for) {
    auto report = report_with({});
    report.advice->recommendations.push_back(
        {.name = "mixed precision", .value = "bf16", .kind = "precision", .why = "Fast."});
    EXPECT_THAT(render("sh", report), HasSubstr("Beside variables: mixed precision: bf16 (Fast.)"));
    report.advice->recommendations[0].gpus = {"0000:03:00.0", "0000:43:00.0"};
    EXPECT_THAT(render("sh", report),
                HasSubstr("Beside variables, for 0000:03:00.0 and 0000:43:00.0: mixed precision"));
    report.advice->recommendations[0].gpus.resize(8, "0000:c3:00.0");
    EXPECT_THAT(render("sh", report), HasSubstr("for 0000:03:00.0 and 7 more GPUs: mixed"));
}

class EnvFormat : public testing::TestWithParam<std::string> {};

TEST_P(EnvFormat, refuses_names_that_are_no_identifiers) {
    for (std::string const name :
         {"", "A B", "1A", "A-B", "A\nB", "A;touch canary", "A=B", "\u00c4", "A$", "$(x)", "A.B"})
        EXPECT_THROW(render(GetParam(), report_with({setting(name, "1")})), Error) << name;
}

TEST_P(EnvFormat, refuses_to_look_for_a_name_that_is_no_identifier) {
    auto item = setting("RT_A", "1");
    item.unless_set = {"RT_B", "x]; touch canary"};
    EXPECT_THROW(render(GetParam(), report_with({item})), Error);
}

TEST_P(EnvFormat, refuses_a_nul) {
    try {
        render(GetParam(), report_with({setting("RT_A", std::string("a\0b", 3))}));
        FAIL();
    } catch (Error const& error) {
        EXPECT_THAT(error.what(), HasSubstr("RT_A has a NUL"));
        EXPECT_EQ(error.code(), Exit::usage);
    }
}

TEST_P(EnvFormat, says_which_value_it_cannot_carry) {
    for (auto const& value : hostile(true)) try {
            EXPECT_NE(render(GetParam(), report_with({setting("RT_A", value)})), "");
        } catch (Error const& error) {
            EXPECT_THAT(error.what(), HasSubstr("RT_A"));
            EXPECT_THAT(error.hint(), HasSubstr("--format sh"));
        }
}

TEST_P(EnvFormat, gives_equal_bytes_for_equal_reports) {
    auto const report = report_with({setting("RT_A", "1"), setting("RT_B", {})});
    EXPECT_EQ(render(GetParam(), report), render(GetParam(), report));
}

std::vector<std::string> script_formats() {
    std::vector<std::string> names;
    for (auto const& format : all_env_formats())
        if (format.name != "json") names.emplace_back(format.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Every, EnvFormat, testing::ValuesIn(script_formats()),
                         [](auto const& format) { return format.param; });

TEST(EnvFormats, that_have_encodings_refuse_bytes_that_are_no_utf8) {
    for (std::string const format :
         {"fish", "csh", "systemd", "k8s", "dotenv", "github", "modulefile"})
        EXPECT_THROW(render(format, report_with({setting("RT_A", "\xff\xfe")})), Error) << format;
    EXPECT_THAT(render("sh", report_with({setting("RT_A", "\xff\xfe")})),
                HasSubstr("export RT_A='\xff\xfe'"));
}

// ---- systemd ------------------------------------------------------------------------------------

TEST(Systemd, finds_no_fault_in_a_drop_in_with_hostile_values) {
    if (!installed("/usr/bin/systemd-analyze")) GTEST_SKIP() << "systemd is not installed";
    Variables expected;
    auto report = hostile_report(hostile(true), expected);
    report.settings->items.push_back(setting("RT_GONE", {}));
    Directory const directory;
    write_file(directory / "job.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n");
    std::filesystem::create_directory(directory / "job.service.d");
    write_file(directory / "job.service.d/rocmtune.conf", render("systemd", report));
    auto const result = run_in(directory, {"/usr/bin/systemd-analyze", "verify", "./job.service"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out + result.err, "");
}

TEST(Systemd, escapes_as_its_syntax_page_says) {
    auto const text = render("systemd", report_with({setting("RT_A", "50% \"x\" \\ $HOME\nb")}));
    EXPECT_THAT(text, HasSubstr("\nEnvironment=\"RT_A=50%% \\\"x\\\" \\\\ $HOME\\x0ab\"\n"));
    EXPECT_THAT(render("systemd", report_with({setting("RT_A", {})})),
                HasSubstr("\nUnsetEnvironment=RT_A\n"));
}

// ---- environment modules ------------------------------------------------------------------------

constexpr char const* modulecmd = "/usr/lib/x86_64-linux-gnu/modulecmd.tcl";

/// What bash has before, with and after a module.
struct ModuleTrace {
    Variables before, with, after;
    std::string said;
};

ModuleTrace load_module(std::string const& text, Variables const& exported) {
    Directory const directory;
    std::filesystem::create_directory(directory / "modules");
    write_file(directory / "modules/tuned", text);
    write_file(directory / "main", "module() { eval \"$(/usr/bin/tclsh " + std::string(modulecmd) +
                                       " bash \"$@\")\"; }\n"
                                       "export MODULEPATH=$PWD/modules LOADEDMODULES= _LMFILES_=\n"
                                       "/usr/bin/env -0 > before\nmodule load tuned\n/usr/bin/env "
                                       "-0 > with\nmodule unload tuned\n/usr/bin/env -0 > after\n");
    Launch launch;
    launch.words = {"/usr/bin/bash", "--norc", "./main"};
    launch.directory = directory.path();
    for (auto const& [name, value] : exported) launch.environment[name] = value;
    auto const result = run(launch);
    auto const read = [&](char const* name) {
        auto variables = variables_in(content_of(directory / name));
        // The bookkeeping of Environment Modules itself.
        std::erase_if(variables, [](auto const& v) {
            return v.first.starts_with("__MODULES_") || v.first == "LOADEDMODULES" ||
                   v.first == "_LMFILES_";
        });
        return variables;
    };
    EXPECT_FALSE(std::filesystem::exists(directory / "canary"));
    return {read("before"), read("with"), read("after"), result.err};
}

class Modulefile : public testing::Test {
  protected:
    void SetUp() override {
        if (!installed(modulecmd)) GTEST_SKIP() << "environment-modules is not installed";
    }
};

TEST_F(Modulefile, hands_on_hostile_values_and_takes_them_back) {
    Variables expected;
    auto values = hostile(false);
    std::erase_if(values, [](auto const& value) { return value.find('~') != std::string::npos; });
    auto const seen = load_module(render("modulefile", hostile_report(values, expected)), {});
    EXPECT_EQ(seen.said, "");
    for (auto const& [name, value] : expected) EXPECT_EQ(seen.with.at(name), value) << name;
    EXPECT_EQ(seen.after, seen.before);
}

TEST_F(Modulefile, keeps_what_is_set) {
    auto const text =
        render("modulefile", report_with({setting("RT_A", "new"), setting("RT_B", "new")}));
    auto const seen = load_module(text, {{"RT_A", "old"}});
    EXPECT_EQ(seen.with.at("RT_A"), "old");
    EXPECT_EQ(seen.with.at("RT_B"), "new");
    EXPECT_EQ(seen.after, seen.before);
}

TEST_F(Modulefile, sets_nothing_beside_a_variable_that_it_must_not_meet) {
    auto item = setting("RT_A", "new");
    item.unless_set = {"RT_NONE", "RT_OTHER"};
    auto const text = render("modulefile", report_with({item}));
    EXPECT_EQ(load_module(text, {}).with.at("RT_A"), "new");
    auto const seen = load_module(text, {{"RT_OTHER", ""}});
    EXPECT_FALSE(seen.with.contains("RT_A"));
    EXPECT_EQ(seen.after, seen.before);
}

TEST_F(Modulefile, with_force_brings_the_old_value_back) {
    auto const seen = load_module(render("modulefile", report_with({setting("RT_A", "new")}, true)),
                                  {{"RT_A", "old"}});
    EXPECT_EQ(seen.with.at("RT_A"), "new");
    EXPECT_EQ(seen.after.at("RT_A"), "old");
}

// ---- containers ---------------------------------------------------------------------------------

/// A host with two GPUs whose nodes, groups and limits are known.
Report container_report(std::vector<Setting> items) {
    auto report = report_with(std::move(items));
    auto& host = *report.host;
    Source const from{"test", "x"};
    host.kfd_access.offer({.path = "/dev/kfd", .usable = true, .group_id = 109}, from);
    for (std::uint64_t row = 0; row < 2; ++row) {
        auto& gpu = host.gpus.emplace_back();
        gpu.row.offer(row, from);
        gpu.driver.offer("amdgpu", from);
        gpu.kfd_node.offer(row + 1, from);
        gpu.uuid.offer("GPU-000000000000000" + std::to_string(row), from);
        gpu.render_access.offer({.path = "/dev/dri/renderD" + std::to_string(128 + row),
                                 .usable = true,
                                 .group_id = row == 0 ? 109 : 44},
                                from);
    }
    host.kfd_nodes.offer({}, from);
    host.shm_bytes.offer(1 << 30, from);
    // Those of the shell, which a container is not to have.
    host.memlock_soft_bytes.offer(8 << 20, from);
    host.memlock_hard_bytes.offer(8 << 20, from);
    host.open_files_soft.offer(1024, from);
    host.open_files_hard.offer(4096, from);
    return report;
}

/// The words that docker would be called with.
std::vector<std::string> docker_words(std::string const& script, Variables const& exported = {}) {
    Directory const directory;
    write_file(directory / "script", script);
    write_file(directory / "docker", "#!/bin/sh\nprintf '%s\\0' \"$@\"\n");
    std::filesystem::permissions(directory / "docker", std::filesystem::perms::owner_all);
    Launch launch;
    launch.words = {"/usr/bin/dash", "./script", "image", "a b"};
    launch.directory = directory.path();
    launch.environment["PATH"] = directory.path();
    for (auto const& [name, value] : exported) launch.environment[name] = value;
    auto const result = run(launch);
    EXPECT_EQ(result.err, "");
    EXPECT_FALSE(std::filesystem::exists(directory / "canary"));
    std::vector<std::string> words;
    for (std::size_t start = 0; start < result.out.size(); start = result.out.find('\0', start) + 1)
        words.emplace_back(result.out.c_str() + start);
    return words;
}

TEST(Docker, gets_devices_and_groups_of_this_host_and_limits_that_programs_on_gpus_need) {
    EXPECT_THAT(
        docker_words(render("docker", container_report({setting("RT_A", "1")}))),
        testing::ElementsAre("run", "--rm", "--device=/dev/kfd", "--device=/dev/dri/renderD128",
                             "--device=/dev/dri/renderD129", "--group-add=44", "--group-add=109",
                             "--shm-size=17179869184", "--ulimit=memlock=-1:-1",
                             "--ulimit=nofile=65536:1048576", "--env=RT_A=1", "image", "a b"));
}

TEST(Docker, gets_the_selected_gpus_only) {
    auto report = container_report({});
    report.settings->rows = {1};
    EXPECT_THAT(docker_words(render("docker", report)),
                testing::AllOf(testing::Contains("--device=/dev/dri/renderD129"),
                               Not(testing::Contains("--device=/dev/dri/renderD128"))));
}

TEST(Docker, gets_no_mask_beside_selected_devices) {
    auto report = container_report({setting("ROCR_VISIBLE_DEVICES", "1")});
    EXPECT_THAT(render("docker", report), HasSubstr("--env='ROCR_VISIBLE_DEVICES=1'"));
    report.settings->rows = {1};
    EXPECT_THAT(render("docker", report), Not(HasSubstr("VISIBLE_DEVICES")));
}

TEST(Docker, gets_hostile_values_as_they_are) {
    Variables expected;
    auto const words = docker_words(render("docker", hostile_report(hostile(true), expected)));
    for (auto const& [name, value] : expected)
        EXPECT_THAT(words, testing::Contains("--env=" + name + '=' + value));
}

TEST(Docker, says_what_is_not_known) {
    auto report = report_with({});
    auto& gpu = report.host->gpus.emplace_back();
    gpu.driver.offer("amdgpu", {"test", "x"});
    gpu.render_access.miss(Missing::denied);
    EXPECT_THAT(render("docker", report),
                testing::AllOf(HasSubstr("render node of GPU 0 is not known here (denied)"),
                               HasSubstr("/dev/kfd is not known")));
}

TEST(Docker, gets_the_node_of_a_gpu_that_sleeps) {
    auto report = container_report({});
    auto& gpu = report.host->gpus[1];
    gpu.render_access = {};
    gpu.render_access.miss(Missing::suspended);
    gpu.render_node.offer("renderD129", {"test", "x"});
    auto const text = render("docker", report);
    EXPECT_THAT(docker_words(text), testing::Contains("--device=/dev/dri/renderD129"));
    EXPECT_THAT(text, HasSubstr("the group of /dev/dri/renderD129 is not known here (suspended)"));
}

TEST(Docker, gets_no_gpu_that_a_process_here_cannot_use) {
    auto report = container_report({});
    auto& hidden = report.host->gpus[0];
    hidden.render_access = {};
    hidden.render_access.miss(Missing::absent);
    hidden.render_node.offer("renderD128", {"test", "x"});
    auto& passed_through = report.host->gpus.emplace_back();
    passed_through.row.offer(2, {"test", "x"});
    passed_through.driver.offer("vfio-pci", {"test", "x"});
    auto const text = render("docker", report);
    EXPECT_THAT(text, HasSubstr("# Note: a process here cannot use GPUs 0, 2: left out\n"));
    EXPECT_THAT(docker_words(text), Not(testing::Contains(HasSubstr("renderD128"))));
}

TEST(Docker, gets_what_RT3210_advises_and_not_the_default_of_containers) {
    auto report = container_report({});
    report.host->container.offer("docker", {"test", "x"});
    report.host->shm_bytes = {};
    report.host->shm_bytes.offer(64 << 20, {"test", "x"});
    auto const text = render("docker", report);
    EXPECT_THAT(docker_words(text), testing::Contains("--shm-size=17179869184"));
    auto const kinds = all_finding_kinds();
    auto const kind = std::ranges::find(kinds, "RT3210", &FindingKind::id);
    EXPECT_THAT(kind->next_step, HasSubstr("--shm-size=16g"));
}

/// The document as a YAML parser reads it.
nlohmann::json yaml(std::string const& text) {
    Directory const directory;
    write_file(directory / "file", text);
    auto const result =
        run_in(directory, {"/usr/bin/python3", "-c",
                           "import json, sys, yaml\njson.dump(yaml.safe_load(open('file', "
                           "encoding='utf-8')), sys.stdout)"});
    EXPECT_EQ(result.code, 0) << result.err << text;
    return nlohmann::json::parse(result.out, nullptr, false);
}

class Kubernetes : public testing::Test {
  protected:
    void SetUp() override {
        Directory const directory;
        if (run_in(directory, {"/usr/bin/python3", "-c", "import yaml"}).code != 0)
            GTEST_SKIP() << "python3-yaml is not installed";
    }
};

TEST_F(Kubernetes, gets_a_fragment_with_the_needs_of_this_host) {
    auto const document = yaml(render("k8s", container_report({setting("RT_A", "1")})));
    EXPECT_EQ(document, nlohmann::json::parse(
                            R"({"spec": {"securityContext": {"supplementalGroups": [44, 109]},
        "containers": [{"name": "main", "env": [{"name": "RT_A", "value": "1"}], "resources": {"limits": {"amd.com/gpu": 2}},
                        "volumeMounts": [{"name": "shared-memory", "mountPath": "/dev/shm"}]}],
        "volumes": [{"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": "17179869184"}}]}})"));
}

TEST_F(Kubernetes, reads_hostile_values_as_they_are_but_for_doubled_dollars) {
    Variables expected;
    auto const document = yaml(render("k8s", hostile_report(hostile(true), expected)));
    ASSERT_TRUE(document.is_object());
    auto const& list = document["spec"]["containers"][0]["env"];
    ASSERT_EQ(list.size(), expected.size());
    for (auto const& entry : list) {
        auto value = expected.at(entry["name"]);
        for (auto at = value.find('$'); at != std::string::npos; at = value.find('$', at + 2))
            value.insert(at, 1, '$');
        EXPECT_EQ(entry["value"], value);
    }
}

TEST_F(Kubernetes, gets_no_mask_that_would_hide_what_the_device_plugin_chose) {
    auto const text = render("k8s", container_report({setting("ROCR_VISIBLE_DEVICES", "1")}));
    EXPECT_THAT(text, Not(HasSubstr("name: ROCR_VISIBLE_DEVICES")));
    EXPECT_THAT(text, HasSubstr("# Note: ROCR_VISIBLE_DEVICES is left out"));
}

TEST(KubernetesCount, has_usable_gpus_that_no_mask_hides) {
    auto const one = HasSubstr("amd.com/gpu: 1\n");
    EXPECT_THAT(
        render("k8s", container_report({setting("ROCR_VISIBLE_DEVICES", "GPU-0000000000000001")})),
        one);
    auto report = container_report({});
    report.host->gpus[0].render_access = {};
    report.host->gpus[0].render_access.miss(Missing::absent);
    EXPECT_THAT(render("k8s", report), one);
    for (auto& gpu : report.host->gpus) {
        gpu.driver = {};
        gpu.driver.offer("vfio-pci", {"test", "x"});
    }
    EXPECT_THAT(render("k8s", report), Not(HasSubstr("amd.com/gpu")));
}

// ---- lines --------------------------------------------------------------------------------------

/// As the runner of GitHub Actions reads its environment file.
Variables github_variables(std::string const& text) {
    Variables result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        auto const sign = line.find('=');
        auto const heredoc = line.find("<<");
        if (heredoc == std::string::npos || sign < heredoc) {
            result[line.substr(0, sign)] = line.substr(sign + 1);
            continue;
        }
        auto const end = line.substr(heredoc + 2);
        auto& value = result[line.substr(0, heredoc)];
        std::string more;
        for (bool first = true; std::getline(lines, more) && more != end; first = false)
            value += (first ? "" : "\n") + more;
        EXPECT_EQ(more, end);
    }
    return result;
}

TEST(Github, lines_carry_every_value) {
    Variables expected;
    auto const text = render("github", hostile_report(hostile(true), expected));
    EXPECT_EQ(github_variables(text), expected);
    EXPECT_THAT(text, Not(HasSubstr("# ")));
}

TEST(Github, lines_leave_out_what_is_kept) {
    auto item = setting("RT_A", "new");
    item.keep = true;
    EXPECT_EQ(render("github", report_with({item})), "");
}

TEST(Dotenv, lines_are_plain_and_odd_values_are_refused) {
    auto const text = render("dotenv", report_with({setting("RT_A", "/a/b:c,d=1")}));
    EXPECT_THAT(text, HasSubstr("\nRT_A=/a/b:c,d=1\n"));
    for (std::string const value : {"a b", "'", "$HOME", "#", "\"", "\\"})
        EXPECT_THROW(render("dotenv", report_with({setting("RT_A", value)})), Error) << value;
}

}  // namespace
}  // namespace rocmtune::test
