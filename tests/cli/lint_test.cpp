// SPDX-License-Identifier: MIT
// rocmtune lint from the command line: exit codes, inputs of every origin, what was accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include <fcntl.h>
#include <sys/mman.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Words = std::vector<std::string>;

/// One fail, one warning, one note.
constexpr auto three_findings =
    "export NCCL_P2P_DISABLE=true\n"
    "export HSA_ENABLE_SDMA=0\n"
    "export NCCL_NSOCKS_PERTHREAD=4\n";

class Lint : public testing::Test {
  protected:
    std::string write(std::string const& name, std::string_view text) {
        auto const path = directory_ / name;
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        write_file(path, text);
        return path;
    }

    /// In the directory, whose files can so be named without their path.
    Outcome lint(Words words, std::map<std::string, std::string> const& environment = {}) {
        words.insert(words.begin(), "lint");
        auto launch = rocmtune_with(words);
        launch.directory = directory_.path();
        for (auto const& [name, value] : environment) launch.environment[name] = value;
        return run(launch);
    }

    /// "train.sh:1 NCCL_P2P_DISABLE fail" for each finding.
    static Words found(Outcome const& outcome) {
        Words list;
        auto const document = json::parse(outcome.out);
        for (auto const& one : document["findings"])
            list.push_back(one["file"].get<std::string>() + ':' + one["line"].dump() + ' ' +
                           one["name"].get<std::string>() + ' ' +
                           one["verdict"].get<std::string>());
        return list;
    }

    Directory directory_;
};

TEST_F(Lint, judges_by_the_releases_that_a_file_pins_or_that_are_given) {
    write("Dockerfile", "FROM vllm/vllm-openai-rocm:v0.14.0\nENV VLLM_USE_TRITON_FLASH_ATTN=0\n");
    EXPECT_THAT(lint({"Dockerfile"}).out, HasSubstr("vLLM 0.14.0 (line 1) no longer reads it"));
    EXPECT_THAT(lint({"--for", "vllm=0.9.2", "Dockerfile"}).out, Not(HasSubstr("no longer")));
    write("a.sh", "export VLLM_USE_TRITON_FLASH_ATTN=0\n");
    EXPECT_THAT(lint({"--for", "torch=2.5.1,vllm=0.14", "a.sh"}).out,
                HasSubstr("vLLM 0.14 (--for) no longer reads it"));
    auto const unknown = lint({"--for", "rcom=6.4", "a.sh"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("no setting is known to be read by rcom"));
    EXPECT_EQ(lint({"--for", "vllm", "a.sh"}).code, 2);
}

TEST_F(Lint, finds_what_the_gpus_of_a_host_do_not_have) {
    write("xnack.sh", "export HSA_XNACK=1\n");
    auto const result = lint({"xnack.sh", "--replay", "example:rx7900xt-x2"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, HasSubstr("RT5008"));
}

TEST_F(Lint, has_the_exit_code_of_the_worst_finding_that_counts) {
    write("clean.sh", "export NCCL_DEBUG=WARN\n");
    write("note.sh", "export NCCL_NSOCKS_PERTHREAD=4\n");
    write("warn.sh", "export HSA_ENABLE_SDMA=0\n");
    write("fail.sh", three_findings);
    write("broken.yaml", "services: [\n");
    struct Row {
        Words words;
        int code;
    };
    for (auto const& row : std::vector<Row>{
             {{"clean.sh"}, 0},
             {{"note.sh", "--fail-on", "warn"}, 0},
             {{"warn.sh"}, 0},
             {{"warn.sh", "--fail-on", "warn"}, 1},
             {{"fail.sh"}, 1},
             {{"fail.sh", "-q"}, 1},
             {{"fail.sh", "--format", "sarif"}, 1},
             {{"fail.sh", "--fail-on", "never"}, 0},
             {{"missing.sh", "fail.sh"}, 2},
             {{"fail.sh", "broken.yaml", "--kind", "compose"}, 2},
             {{"--process", "0"}, 2},
             {{"--process", "999999999"}, 2},
             {{"--replay", "example:mi300x-x8"}, 0},
             {{"--replay", "example:no-gpu"}, 3},  // a recording without an environment
         })
        EXPECT_EQ(lint(row.words).code, row.code) << testing::PrintToString(row.words);
}

TEST_F(Lint, judges_the_other_inputs_where_one_cannot_be_read) {
    write("train.sh", three_findings);
    write("broken.yaml", "services:\n  a: [\n");
    auto const outcome =
        lint({"broken.yaml", "missing.sh", "train.sh", "--json", "--kind", "compose"});
    auto const document = json::parse(outcome.out);
    EXPECT_EQ(document["errors"].size(), 2U);
    EXPECT_THAT(outcome.err, HasSubstr("broken.yaml: line 3"));
    EXPECT_EQ(document["summary"]["texts"], 1);
}

TEST_F(Lint, reads_its_own_environment_another_process_and_a_recorded_one) {
    auto const own = lint({"--json", "--sources", "sysfs"}, {{"PYTORCH_ROCM_DEVICE", "0"}});
    EXPECT_THAT(found(own), ElementsAre(":0 PYTORCH_ROCM_DEVICE warn"));

    auto const pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        char* words[] = {const_cast<char*>("/bin/sleep"), const_cast<char*>("20"), nullptr};
        char* variables[] = {const_cast<char*>("HSA_ENABLE_SDMA=0"), nullptr};
        ::execve(words[0], words, variables);
        ::_exit(99);
    }
    Words seen;
    // Between fork and exec the child still has the environment of this test.
    for (int tries = 0; tries < 50 && seen.empty(); ++tries)
        seen = found(lint({"--process", std::to_string(pid), "--json", "--sources", "sysfs"}));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    EXPECT_THAT(seen, ElementsAre(":0 HSA_ENABLE_SDMA warn"));
}

TEST_F(Lint, judges_a_live_environment_by_the_libraries_of_this_machine) {
    using namespace std::string_literals;
    auto const library = write("rocm/lib/libamdhip64.so.7.0.0",
                               "\x7f"
                               "ELF\0\0HIP_FORCE_DEV_KERNARG\0HIP_LAUNCH_BLOCKING\0"s);
    std::map<std::string, std::string> const environment{
        {"ROCM_PATH", directory_.path() + "/rocm"},
        {"ROCMTUNE_CACHE", directory_.path() + "/cache"},
        {"HIP_FORCE_DEV_KERNARG", "1"},
        {"DEBUG_HIP_DYNAMIC_QUEUES", "1"}};
    auto const document =
        json::parse(lint({"--readers", "--json", "--sources", "sysfs"}, environment).out);
    bool is_read_elsewhere = false;
    json own;
    for (auto const& file : document["readers"]) {
        if (file["path"] == library) own = file["names"];
        for (auto const& name : file["names"])
            is_read_elsewhere = is_read_elsewhere || name == "DEBUG_HIP_DYNAMIC_QUEUES";
    }
    EXPECT_EQ(own, (json{"HIP_FORCE_DEV_KERNARG", "HIP_LAUNCH_BLOCKING"}));
    Words without_reader;
    for (auto const& one : document["findings"])
        if (one["id"] == "RT5002") without_reader.push_back(one["name"]);
    if (is_read_elsewhere) EXPECT_THAT(without_reader, IsEmpty());
    else EXPECT_THAT(without_reader, ElementsAre("DEBUG_HIP_DYNAMIC_QUEUES"));

    // Nothing is said of files, unless somebody asks, and never of a recorded host.
    write("train.sh", "export DEBUG_HIP_DYNAMIC_QUEUES=1\n");
    EXPECT_THAT(lint({"train.sh", "--json"}, environment).out, Not(HasSubstr("RT5002")));
    EXPECT_EQ(lint({"--readers", "--replay", "example:mi300x-x8"}).code, 2);
}

TEST_F(Lint, finds_two_copies_of_a_library_in_a_process) {
    // Any file can be mapped; what it is called is what counts.
    Words const copies{write("opt/libamdhip64.so.6", "6"), write("torch/libamdhip64.so", "5")};
    auto const pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        for (auto const& copy : copies) {
            auto const fd = ::open(copy.c_str(), O_RDONLY);
            if (::mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED) ::_exit(99);
        }
        ::pause();
        ::_exit(0);
    }
    Words seen;
    // The child takes a moment.
    for (int tries = 0; tries < 50 && seen.empty(); ++tries) {
        auto const outcome =
            lint({"--process", std::to_string(pid), "--json", "--sources", "sysfs"});
        auto const document = json::parse(outcome.out);
        for (auto const& one : document["findings"])
            if (one["id"] == "RT5014") seen.push_back(one["name"]);
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    EXPECT_THAT(seen, ElementsAre("libamdhip64"));
}

TEST_F(Lint, walks_directories_and_tells_kinds) {
    write("repo/b/compose.yaml", "services: {a: {environment: [PYTORCH_ROCM_DEVICE=0]}}\n");
    write("repo/a/train.sh", "export HSA_ENABLE_SDMA=0\n");
    write("repo/a/values.yaml", "a: {{ .Values.a }}\n");
    auto const outcome = lint({"repo", "--json"});
    EXPECT_THAT(found(outcome), ElementsAre("repo/a/train.sh:1 HSA_ENABLE_SDMA warn",
                                            "repo/b/compose.yaml:1 PYTORCH_ROCM_DEVICE warn"));
    EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Lint, keeps_the_order_of_many_files_that_threads_judge) {
    Words expected;
    for (int i = 100; i < 300; ++i) {
        // Texts of very different length, so that later ones are done first.
        auto const name = "many/" + std::to_string(i) + ".sh";
        auto const lines = static_cast<std::size_t>(i % 7 == 0 ? 20000 : 1);
        write(name, std::string(lines, '\n') + "export HSA_ENABLE_SDMA=0\n");
        expected.push_back(name + ':' + std::to_string(lines + 1) + " HSA_ENABLE_SDMA warn");
    }
    write("many/250.env/unreadable.yaml", "services: {a: [\n");
    auto const outcome = lint({"many", "--json"});
    EXPECT_EQ(found(outcome), expected);
    EXPECT_THAT(outcome.err, HasSubstr("unreadable.yaml"));
}

TEST_F(Lint, accepts_what_a_comment_says) {
    write("train.sh",
          "export HSA_ENABLE_SDMA=0  # rocmtune: ignore=RT5006 broken engine\n"
          "# rocmtune: ignore=RT5001 for the old image\n"
          "export PYTORCH_ROCM_DEVICE=0\n"
          "export HSA_ENABLE_INTERRUPT=0  # rocmtune: ignore=RT5001 another finding\n");
    auto const outcome = lint({"train.sh", "--json"});
    EXPECT_THAT(found(outcome), ElementsAre("train.sh:4 HSA_ENABLE_INTERRUPT warn"));
    EXPECT_EQ(json::parse(outcome.out)["summary"]["accepted"], 2);
}

TEST_F(Lint, accepts_what_an_earlier_report_has_wherever_it_stands_now) {
    write("train.sh", three_findings);
    EXPECT_EQ(lint({"./train.sh", "--json", "-o", "before.json"}).code, 1);
    write("train.sh",
          std::string("# a line more\n") + three_findings + "export HSA_ENABLE_SDMA=0\n");
    auto const outcome = lint({"train.sh", "--baseline", "before.json", "--json"});
    EXPECT_THAT(found(outcome), ElementsAre("train.sh:5 HSA_ENABLE_SDMA warn"));
    EXPECT_EQ(outcome.code, 0);
}

TEST_F(Lint, accepts_what_a_list_says_until_its_day) {
    write("ci/train.sh", three_findings);
    write("accepted",
          "# comment\n\n"
          "RT5004 NCCL_P2P_DISABLE 2999-12-31 a fault is looked for\n"
          "debug-left-on ci/*.sh 2999-12-31 they are short\n"
          "RT5005 * 2020-01-01 long ago\n");
    auto const outcome = lint({"ci/train.sh", "--ignore", "accepted", "--json"});
    EXPECT_THAT(found(outcome), ElementsAre("ci/train.sh:3 NCCL_NSOCKS_PERTHREAD info"));
    EXPECT_THAT(outcome.err, HasSubstr("accepted: line 5: RT5005 for * ran out on 2020-01-01"));
}

TEST_F(Lint, refuses_lists_and_baselines_that_are_none) {
    write("train.sh", three_findings);
    write("no-date", "RT5004 * tomorrow because\n");
    write("no-word", "RT1001 * 2999-01-01 because\n");
    write("other.json", R"({"schema": "rocmtune-report", "schema_version": "1.0",
                           "command": "probe", "findings": []})");
    EXPECT_EQ(lint({"train.sh", "--ignore", "no-date"}).code, 2);
    EXPECT_EQ(lint({"train.sh", "--ignore", "no-word"}).code, 2);
    EXPECT_THAT(lint({"train.sh", "--baseline", "other.json"}).err, HasSubstr("not one of lint"));
    EXPECT_EQ(lint({"train.sh", "--baseline", "no-date"}).code, 2);
}

TEST_F(Lint, names_the_kinds_where_it_cannot_tell_what_the_only_file_is) {
    write("notes.txt", "nothing\n");
    write("train.sh", "export HSA_ENABLE_SDMA=0\n");
    auto const alone = lint({"notes.txt"});
    EXPECT_EQ(alone.code, 2);
    EXPECT_THAT(alone.err, HasSubstr("cannot tell what notes.txt is"));
    EXPECT_THAT(alone.err, HasSubstr("dockerfile, compose, kubernetes"));
    auto const among_others = lint({"notes.txt", "train.sh", "--fail-on", "warn", "--json"});
    EXPECT_EQ(among_others.code, 1);
    EXPECT_THAT(among_others.err, HasSubstr("cannot tell what notes.txt is"));
    EXPECT_THAT(found(among_others), ElementsAre("train.sh:1 HSA_ENABLE_SDMA warn"));
}

TEST_F(Lint, tells_one_story_of_one_setting) {
    write("a.sh", "export HSA_OVERRIDE_GFX_VERSION=10_3_0\n");
    auto const outcome = lint({"a.sh", "--json"});
    EXPECT_THAT(found(outcome), ElementsAre("a.sh:1 HSA_OVERRIDE_GFX_VERSION fail"));
    EXPECT_THAT(outcome.out, HasSubstr("also override (RT5009)"));
    EXPECT_THAT(outcome.out, HasSubstr("HSA_OVERRIDE_GFX_VERSION=10.3.0"));
}

TEST_F(Lint, finds_nothing_in_nothing_only_where_it_says_that_nothing_was_judged) {
    EXPECT_THAT(lint({"missing.sh"}).out, HasSubstr("0 settings in 0 texts: nothing was judged"));
    write("clean.sh", "export NCCL_DEBUG=WARN\n");
    EXPECT_THAT(lint({"clean.sh"}).out, HasSubstr("1 setting in 1 text: nothing found"));
}

TEST_F(Lint, takes_a_compose_file_without_services_for_what_its_name_says) {
    write("docker-compose.yaml", "");
    auto const outcome = lint({"docker-compose.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("0 settings in 1 text"));
}

TEST_F(Lint, decides_by_the_PyTorch_of_the_host_which_allocator_name_is_read) {
    write("p.env",
          "PYTORCH_ALLOC_CONF=garbage_collection_threshold:0.8\n"
          "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128\n");
    auto const here = lint({"p.env", "--replay", "example:mi300x-x8"});
    EXPECT_THAT(here.out, HasSubstr("PyTorch before 2.9 does\n    not read PYTORCH_ALLOC_CONF"));
    EXPECT_THAT(here.out, HasSubstr("do: delete line 1\n"));
    EXPECT_EQ(here.code, 1);
    auto const anywhere = lint({"-v", "p.env"});
    EXPECT_THAT(anywhere.out, HasSubstr("depends on PyTorch's version"));
    EXPECT_EQ(anywhere.code, 0);
}

TEST_F(Lint, says_to_take_a_setting_out_of_a_command) {
    write("run.sh", "docker run -e HSA_OVERRIDE_GFX_VERSION=10.3.0 image\n");
    EXPECT_THAT(lint({"run.sh"}).out,
                HasSubstr("do: line 1: take HSA_OVERRIDE_GFX_VERSION out, by hand"));
}

TEST_F(Lint, writes_the_same_document_to_every_place) {
    write("a.sh", three_findings);
    write("b.sh", three_findings);
    for (std::string const format : {"text", "json", "ndjson", "github", "sarif"}) {
        auto const printed = lint({"a.sh", "b.sh", "--format", format});
        EXPECT_EQ(lint({"a.sh", "b.sh", "--format", format, "-o", "out"}).code, printed.code);
        EXPECT_EQ(lint({"a.sh", "b.sh", "-q", "--also", format + ":also"}).out, "");
        EXPECT_EQ(content_of(directory_ / "out"), printed.out) << format;
        EXPECT_EQ(content_of(directory_ / "also"), printed.out) << format;
    }
}

TEST_F(Lint, ends_a_document_that_was_begun_with_what_went_wrong) {
    write("a.sh", three_findings);
    auto const outcome = lint({"a.sh", "--json", "--also", "sarif:missing/a.sarif"});
    EXPECT_EQ(outcome.code, 2);
    auto const document = json::parse(outcome.out);  // one, and no second one behind it
    EXPECT_EQ(document["exit_code"], 2);
    EXPECT_EQ(document["findings"].size(), 3U);
    EXPECT_THAT(document["errors"].dump(), HasSubstr("cannot write missing/a.sarif"));
    EXPECT_THAT(outcome.err, HasSubstr("cannot write missing/a.sarif"));
}

TEST_F(Lint, shows_the_findings_of_one_line_once_and_sorted) {
    // The last line repeats what the first anchors: it is judged there, where it stands.
    write("compose.yaml",
          "x-env: &env {PYTORCH_ROCM_DEVICE: 0, HSA_ENABLE_SDMA: 0}\n"
          "services:\n"
          "  a: {environment: *env}\n"
          "  b: {environment: {<<: *env, NCCL_P2P_DISABLE: 'true'}}\n");
    auto const outcome = lint({"compose.yaml", "--json"});
    EXPECT_THAT(found(outcome), ElementsAre("compose.yaml:1 PYTORCH_ROCM_DEVICE warn",
                                            "compose.yaml:1 HSA_ENABLE_SDMA warn",
                                            "compose.yaml:4 NCCL_P2P_DISABLE fail"));
}

TEST_F(Lint, never_shows_a_credential) {
    auto const* const token = "hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
    write("train.sh", std::string("export HF_TOKEN=") + token + " HSA_ENABLE_SDMA=0\n");
    for (std::string const format : {"text", "json", "github", "sarif", "ndjson"}) {
        auto const outcome = lint({"train.sh", "-v", "--format", format});
        EXPECT_THAT(outcome.out, HasSubstr("HSA_ENABLE_SDMA")) << format;
        EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(token))) << format;
    }
}

}  // namespace
}  // namespace rocmtune::test
