// SPDX-License-Identifier: MIT
// No secret leaves the program, whatever its form and whatever the way out: one host full of
// secrets, made at random for every run, goes through every command and format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "machine/archive.hpp"
#include "machine/host_text.hpp"
#include "support/run_program.hpp"
#include "support/secrets.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string seed_text() {
    return fmt::format("ROCMTUNE_SEED={}", secrets_seed());
}

/// A host whose environment, kernel, log and libraries hold every form of secret.
class RandomSecrets : public testing::Test {
  protected:
    RandomSecrets() {
        SecretMaker make(secrets_seed());
        forms_ = made_secrets(make);
        write_file(host(), host_with(forms_));
        write_file(directory_ / "run.sh", script());
    }

    std::string host() const { return directory_ / "planted.host"; }

    static std::string name_of(std::size_t i) { return fmt::format("NCCL_NOTE_{}", i); }

    static std::string host_with(std::vector<MadeSecret> const& forms) {
        std::string variables;
        std::string log;
        std::string kernel = "ro quiet";
        std::string printed;
        for (std::size_t i = 0; i < forms.size(); ++i) {
            auto const& text = forms[i].text;
            variables += fmt::format("env {}={}\n", name_of(i), escape_value(text));
            log +=
                fmt::format("<3>[ {}.0] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, {}\n",
                            i + 1, text);
            kernel += " note " + text;
            printed += text + '\n';
        }
        variables += "env OLLAMA_HOST=" + forms.at(url_of(forms)).text + '\n';
        nlohmann::json const answer{{"status", "signal"}, {"signal", 6}, {"evidence", printed}};
        auto text = std::string(host_text_header) + '\n';
        auto const original = rocmtune::test::host_text("rx7900xt");
        for (auto const& entry : host_entries(original)) {
            if (entry.head == "call" && entry.body.starts_with("kernel-log"))
                text += "call kernel-log " + call_body(log) + '\n';
            else if (entry.head == "call" && entry.body.starts_with("worker.hip "))
                text += "call worker.hip " + call_body(answer.dump()) + '\n';
            else if (entry.head == "/proc/cmdline")
                text += "/proc/cmdline " + file_body(kernel + '\n') + '\n';
            else text += fmt::format("{} {}\n", entry.head, entry.body);
        }
        return text + variables;
    }

    static std::size_t url_of(std::vector<MadeSecret> const& forms) {
        auto const found = std::ranges::find(forms, "url password", &MadeSecret::form);
        return static_cast<std::size_t>(found - forms.begin());
    }

    /// Beside every secret stands a setting that lint has something to say of.
    std::string script() const {
        std::string text = "#!/bin/bash\n";
        for (auto const& form : forms_)
            if (form.text.find_first_of("'\n") == std::string::npos)
                text += fmt::format("export HSA_ENABLE_SDMA=0 HIP_NOTE='{}' # was {}\n", form.text,
                                    form.text);
        return text;
    }

    /// Counts pairs of a form and a way out, none of which may have let it through.
    void expect_clean(std::string const& way, std::string const& text) {
        for (auto const& form : forms_) {
            ++pairs_;
            if (text.find(form.hidden) == text.npos) continue;
            auto const at = text.find(form.hidden);
            ADD_FAILURE() << form.form << " comes out by " << way << ": ..."
                          << text.substr(at - std::min<std::size_t>(at, 60), 160) << "...\n"
                          << seed_text();
        }
    }

    Outcome clean_run(std::vector<std::string> const& words) {
        auto launch = rocmtune_with(words);
        launch.directory = directory_.path();
        auto const outcome = run(launch);
        expect_clean(fmt::format("{}", fmt::join(words, " ")), outcome.out + outcome.err);
        return outcome;
    }

    Directory directory_;
    std::vector<MadeSecret> forms_;
    std::size_t pairs_ = 0;
};

TEST_F(RandomSecrets, leave_by_no_format_of_any_command) {
    std::map<std::string, std::vector<std::string>> const formats{
        {"probe", {"text", "json", "ndjson"}},
        {"check", {"text", "json", "junit", "prom", "markdown", "github", "nagios", "npd"}},
        {"report", {"text", "json", "ndjson", "markdown", "html", "prom"}},
        {"env",
         {"sh", "bash", "fish", "csh", "systemd", "docker", "k8s", "dotenv", "github", "modulefile",
          "json"}}};
    for (auto const& [command, names] : formats)
        for (auto const& name : names) {
            std::vector<std::string> words{command, "--replay", host(), "--format", name};
            if (command != "env") words.emplace_back("-v");
            if (command == "env") words.insert(words.end(), {"--level", "aggressive", "--unset"});
            (void)clean_run(words);
        }
    for (auto const& name : {"text", "json", "ndjson", "github", "sarif"}) {
        (void)clean_run({"lint", "run.sh", "-v", "--format", name});
        (void)clean_run({"lint", "--replay", host(), "-v", "--format", name});
    }
    (void)clean_run({"--replay", host()});
    (void)clean_run({"explain", "OLLAMA_HOST", "--replay", host(), "-v"});
    (void)clean_run({"explain", "OLLAMA_HOST", "--replay", host(), "--json"});
    EXPECT_GE(pairs_, 300U);
}

TEST_F(RandomSecrets, leave_by_no_recording_and_by_nothing_that_is_made_of_one) {
    for (std::string const option : {"", "--redact"}) {
        auto const file = option.empty() ? "plain.host" : "redacted.host";
        std::vector<std::string> words{"probe", "--replay", host(), "--json", "--record", file};
        if (!option.empty()) words.push_back(option);
        auto const live = clean_run(words);
        expect_clean(std::string("--record ") + option, content_of(directory_ / file));
        write_file(directory_ / (option + ".json"), live.out);
    }
    (void)clean_run({"probe", "--replay", host(), "--bug-report", "bug.host"});
    expect_clean("--bug-report", content_of(directory_ / "bug.host"));
    for (auto const& name : {"text", "json", "markdown"})
        (void)clean_run({"compare", ".json", "--redact.json", "--format", name, "-v"});
}

TEST_F(RandomSecrets, of_reports_by_other_hands_leave_by_neither_compare_nor_fleet) {
    auto document = nlohmann::ordered_json::parse(
        run({"probe", "--replay", host_file("rx7900xt"), "--json"}).out);
    write_file(directory_ / "a.json", document.dump());
    auto& host = document["host"];
    for (std::size_t i = 0; i < forms_.size(); ++i)
        host["environment"][name_of(i)] = forms_[i].text;
    host["environment"]["HF_TOKEN"] = forms_.front().hidden;
    host["kernel_arguments"].push_back("note=" + forms_.front().text);
    write_file(directory_ / "b.json", document.dump());
    for (auto const& name : {"text", "json", "markdown"})
        (void)clean_run({"compare", "a.json", "b.json", "--format", name, "-v"});
    for (auto const& name : {"text", "json", "markdown", "html", "prom", "slurm"})
        (void)clean_run({"fleet", "a.json", "a.json", "a.json", "b.json", "--format", name, "-v"});
}

TEST_F(RandomSecrets, leave_by_no_message) {
    for (auto const& form : forms_) {
        (void)clean_run({"probe", "--replay", form.text});
        (void)clean_run({"probe", "--" + form.text});
        (void)clean_run({"env", "--level", form.text, "--json"});
    }
    (void)clean_run({"check", "--replay", forms_.front().text, "--format", "nagios"});
    std::vector<std::string> words{"run", "--replay", host(), "--dry-run", "--", "serve"};
    for (auto const& form : forms_) words.push_back(form.text);
    words.insert(words.end(), {"--hf-token", forms_.front().hidden});
    (void)clean_run(words);
}

TEST_F(RandomSecrets, of_this_process_leave_neither_by_report_nor_by_log_nor_by_recording) {
    auto launch =
        rocmtune_with({"probe", "-v", "--sources", "sysfs", "--record", directory_ / "live.host",
                       "--also", "json:" + directory_ / "json"});
    for (std::size_t i = 0; i < forms_.size(); ++i) launch.environment[name_of(i)] = forms_[i].text;
    launch.environment["LD_LIBRARY_PATH"] = "/opt/" + forms_.front().text + "/lib";
    launch.environment["ROCMTUNE_LOG"] = "trace";
    auto const outcome = run(launch);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_clean("probe -v", outcome.out);
    expect_clean("the log", outcome.err);
    expect_clean("the recording", content_of(directory_ / "live.host"));
    expect_clean("--also json", content_of(directory_ / "json"));
    auto const environment =
        nlohmann::json::parse(content_of(directory_ / "json"))["host"]["environment"];
    for (std::size_t i = 0; i < forms_.size(); ++i)
        EXPECT_THAT(environment.at(name_of(i)).get<std::string>(), HasSubstr("<secret: "))
            << forms_[i].form;
}

/// What a program printed is not in its report today; what it was called with is.
TEST_F(RandomSecrets, of_a_measured_command_leave_neither_by_its_report_nor_by_its_errors) {
    std::string printed;
    std::string line = "cat printed; cat printed >&2; echo rate 1";
    std::vector<std::string> words{"/bin/cat", "printed"};
    for (auto const& form : forms_) {
        printed += form.text + '\n';
        words.push_back(form.text);
        if (form.text.find('\'') == std::string::npos) line += " '" + form.text + '\'';
    }
    write_file(directory_ / "printed", printed);
    auto const measure = [&](std::vector<std::string> const& more, std::string const& metric) {
        std::vector<std::string> all{"verify", "--assume-read", "NCCL_NOTE", "--setting",
                                     "NCCL_NOTE=" + forms_.at(url_of(forms_)).text};
        all.insert(all.end(), {"--budget", "1", "--metric", metric});
        all.insert(all.end(), more.begin(), more.end());
        (void)clean_run(all);
    };
    for (std::string const format : {"text", "json", "markdown"}) {
        measure({"-v", "--format", format, "--command", line}, "rate");
        measure({"-v", "--format", format, "--command", line + "; exit 3"}, "rate");
        measure({"-v", "--format", format, "--command", line}, "no such figure");
        measure({"-v", "--format", format, "--command", line}, "/x");
        auto behind = std::vector<std::string>{"-v", "--format", format, "--"};
        behind.insert(behind.end(), words.begin(), words.end());
        measure(behind, "rate");
    }
    measure({"--command", "true", "--json"}, forms_.front().text + "(");
    EXPECT_GE(pairs_, 16 * forms_.size());
}

/// The kernel's log where only the journal has it, and what processes call themselves.
TEST_F(RandomSecrets, of_the_journal_and_of_other_processes_leave_by_no_format) {
    std::string journal = "<5>[ 0.0] Linux version 6.8.0\n";
    std::string processes;
    constexpr std::size_t first = 50'000;
    for (std::size_t i = 0; i < forms_.size(); ++i) {
        journal += fmt::format("<3>[ {}.0] amdgpu 0000:05:00.0: amdgpu: [drm] {}\n", i + 1,
                               forms_[i].text);
        auto const pid = first + i;
        processes += fmt::format(
            "/sys/devices/virtual/kfd/kfd/proc/{}/vram_23391 = 4096\n/proc/{}/comm {}\n", pid, pid,
            file_body(forms_[i].text + '\n'));
    }
    auto text = std::string(host_text_header) + '\n' + processes +
                "call kernel-log error EPERM\ncall kernel-log.journal " + call_body(journal) + '\n';
    auto const original = rocmtune::test::host_text("mi300x-x8");
    for (auto const& entry : host_entries(original))
        if (entry.head != "call" || !entry.body.starts_with("kernel-log"))
            text += fmt::format("{} {}\n", entry.head, entry.body);
    auto const recording = directory_ / "processes.host";
    write_file(recording, text);
    auto const told = clean_run({"probe", "--replay", recording, "--json"});
    auto const seen = nlohmann::json::parse(told.out)["host"];
    EXPECT_GE(seen["gpu_processes"].size(), forms_.size());
    EXPECT_FALSE(seen["kernel_messages"].is_null());
    for (std::string const format : {"text", "ndjson"})
        (void)clean_run({"probe", "-v", "--replay", recording, "--format", format});
    for (std::string const format : {"text", "json", "junit", "prom", "markdown", "github"})
        (void)clean_run({"check", "-v", "--replay", recording, "--format", format});
    (void)clean_run({"report", "--replay", recording, "--format", "html"});
    for (std::string const option : {"--record", "--bug-report"}) {
        (void)clean_run({"probe", "--replay", recording, option, "again.host"});
        expect_clean(option, content_of(directory_ / "again.host"));
        EXPECT_THAT(content_of(directory_ / "again.host"), HasSubstr("kernel-log.journal"));
    }
}

TEST_F(RandomSecrets, taken_out_of_a_recording_leave_its_replay_as_it_was) {
    auto const live =
        run({"probe", "--json", "--replay", host(), "--record", directory_ / "again"});
    auto const replay = run({"probe", "--json", "--replay", directory_ / "again"});
    auto const document = [](std::string const& text) {
        auto read = nlohmann::json::parse(text);
        for (auto* of : {"recorded", "_sources", "_reasons"}) read["host"].erase(of);
        return read;
    };
    EXPECT_EQ(nlohmann::json::diff(document(live.out), document(replay.out)).dump(1), "[]")
        << seed_text();
}

TEST_F(RandomSecrets, in_a_variable_reach_the_program_that_run_starts) {
    auto launch = rocmtune_with({"run", "--replay", host(), "--", "printenv", "NCCL_NOTE"});
    launch.environment["NCCL_NOTE"] = forms_.front().text;
    EXPECT_EQ(run(launch).out, forms_.front().text + '\n');
}

TEST(SecretFree, hosts_and_settings_come_out_as_they_went_in) {
    for (auto const& host : host_names()) {
        auto const text = run({"report", "--parts", "probe,check,env,lint", "--json", "--replay",
                               host_file(host)})
                              .out;
        EXPECT_THAT(text, Not(HasSubstr("<secret: "))) << host;
        EXPECT_THAT(text, HasSubstr("\"host\"")) << host;
    }
}

}  // namespace
}  // namespace rocmtune::test
