// SPDX-License-Identifier: MIT
// --record, --redact and --bug-report of the real program, and --replay of what they write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "knowledge/scrub.hpp"
#include "machine/archive.hpp"
#include "support/run_program.hpp"
#include "support/tar_bytes.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

/// The document without what is stated to differ.
json document_of(std::string const& text) {
    auto document = json::parse(text);
    // That a host is not recorded counts as a missing fact.
    document.at("summary").erase("missing");
    auto& host = document.at("host");
    host.erase("recorded");
    for (auto const* about : {"_sources", "_reasons"})
        if (host.contains(about)) host[about].erase("recorded");
    return document;
}

std::string probe_json(Words more) {
    more.insert(more.begin(), {"probe", "--json"});
    auto const result = run(std::move(more));
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
}

testing::AssertionResult same_report(std::string const& a, std::string const& b) {
    auto const first = document_of(a);
    auto const second = document_of(b);
    if (first == second) return testing::AssertionSuccess();
    return testing::AssertionFailure() << json::diff(first, second).dump(1).substr(0, 4000);
}

class Recorded : public testing::TestWithParam<std::string> {};

TEST_P(Recorded, host_replays_from_a_snapshot) {
    Directory const directory;
    auto const file = directory / "host.tar.gz";
    auto const before = probe_json({"--replay", host_file(GetParam()), "--record", file});
    auto const after = probe_json({"--replay", file});
    EXPECT_TRUE(same_report(before, after));
    EXPECT_TRUE(same_report(probe_json({"--replay", host_file(GetParam())}), after));
    EXPECT_TRUE(content_of(file).starts_with("\x1f\x8b"));
}

TEST_P(Recorded, host_has_the_same_snapshot_twice_and_once_removed) {
    Directory const directory;
    for (auto const* name : {"a", "b"})
        probe_json({"--replay", host_file(GetParam()), "--record", directory / name});
    EXPECT_EQ(content_of(directory / "a"), content_of(directory / "b"));
    probe_json({"--replay", directory / "a", "--record", directory / "c"});
    EXPECT_TRUE(content_of(directory / "a") == content_of(directory / "c"));
}

TEST_P(Recorded, host_in_text_says_what_the_snapshot_says) {
    Directory const directory;
    probe_json({"--replay", host_file(GetParam()), "--record", directory / "a.host"});
    probe_json({"--replay", host_file(GetParam()), "--record", directory / "a.tgz"});
    EXPECT_TRUE(archive_to_host_text(content_of(directory / "a.tgz"), "a") ==
                content_of(directory / "a.host"));
}

TEST_P(Recorded, redacted_host_prints_what_its_file_replays) {
    Directory const directory;
    auto const file = directory / "host.tar.gz";
    auto const printed =
        probe_json({"--replay", host_file(GetParam()), "--record", file, "--redact"});
    EXPECT_EQ(printed, probe_json({"--replay", file}));
    // Nothing but names and ids differs: the reports have the same shape.
    auto const original = document_of(probe_json({"--replay", host_file(GetParam())}));
    for (auto const& change : json::diff(original, document_of(printed)))
        EXPECT_EQ(change.at("op"), "replace") << change;
}

INSTANTIATE_TEST_SUITE_P(All, Recorded, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

TEST(RecordLive, machine_replays) {
    Directory const directory;
    auto launch = rocmtune_with({"probe", "--json", "--record", directory / "live.tar.gz"});
    launch.environment["HIP_VISIBLE_DEVICES"] = "0";
    auto const live = run(launch);
    EXPECT_EQ(live.code, 0) << live.err;
    auto const replayed = probe_json({"--replay", directory / "live.tar.gz"});
    EXPECT_TRUE(same_report(live.out, replayed));
    EXPECT_EQ(json::parse(replayed).at("host").at("recorded"), "recorded host");
}

/// Both formats, which hold the same.
std::string const formats[] = {"live.tar.gz", "live.host"};

TEST(RecordLive, an_empty_environment_replays_as_an_empty_one) {
    for (auto const& name : formats) {
        Directory const directory;
        auto launch =
            rocmtune_with({"probe", "--json", "--sources", "sysfs", "--record", directory / name});
        launch.environment.clear();
        auto const live = run(launch);
        ASSERT_EQ(live.code, 0) << live.err;
        auto const replayed = probe_json({"--replay", directory / name});
        EXPECT_EQ(json::parse(replayed).at("host").at("environment"), json::object());
        EXPECT_TRUE(same_report(live.out, replayed));
        // Redaction and a second recording keep it.
        probe_json({"--replay", directory / name, "--redact", "-q", "-o", directory / "x",
                    "--record", directory / "again"});
        EXPECT_EQ(
            json::parse(probe_json({"--replay", directory / "again"})).at("host").at("environment"),
            json::object());
    }
}

TEST(RecordTree, an_environment_that_is_not_known_stays_unknown) {
    for (auto const& name : formats) {
        Directory const directory;
        std::filesystem::create_directories(directory / "root/etc");
        auto const before =
            probe_json({"--root", directory / "root", "--record", directory / name});
        auto const after = probe_json({"--replay", directory / name});
        EXPECT_TRUE(json::parse(before).at("host").at("environment").is_null());
        EXPECT_TRUE(json::parse(after).at("host").at("environment").is_null());
    }
}

/// Reading ends somewhere, at the start, in the middle or behind the last question.
class Interrupted : public testing::TestWithParam<int> {};

TEST_P(Interrupted, reading_replays_as_what_it_was) {
    auto const seconds = fmt::format("{}", GetParam() / 1000.0);
    for (auto const& name : formats) {
        Directory const directory;
        auto const live = run({"probe", "--json", "--timeout", seconds, "--sources", "sysfs",
                               "--record", directory / name});
        ASSERT_EQ(live.code, 0) << live.err;
        auto const replayed = probe_json({"--replay", directory / name});
        EXPECT_TRUE(same_report(live.out, replayed));
        probe_json({"--replay", directory / name, "--record", directory / "again"});
        EXPECT_TRUE(same_report(replayed, probe_json({"--replay", directory / "again"})));
    }
}

INSTANTIATE_TEST_SUITE_P(AfterMilliseconds, Interrupted, testing::Values(1, 2, 4, 8, 16, 32));

TEST(RecordLive, machine_redacted_does_not_name_itself) {
    Directory const directory;
    auto const result = run({"probe", "--json", "--record", directory / "live.host", "--redact"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.err, HasSubstr("rocmtune: redacted "));
    EXPECT_THAT(result.err, HasSubstr("still inside: "));
    char name[256] = {};
    ASSERT_EQ(::gethostname(name, sizeof name - 1), 0);
    auto const line = "call uname.nodename = " + std::string(name) + "\n";
    if (std::string_view(name) != "localhost") {
        EXPECT_THAT(content_of(directory / "live.host"), Not(HasSubstr(line)));
    }
}

TEST(Redact, alone_redacts_what_is_printed) {
    auto const result = run({"probe", "--replay", host_file("rx7900xt-x2"), "--redact"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, Not(HasSubstr("forge")));
    EXPECT_THAT(result.out, Not(HasSubstr("/home/user/")));
    EXPECT_THAT(result.err, StartsWith("rocmtune: redacted 1 host name, 1 user name, "));
    EXPECT_EQ(run({"probe", "--replay", host_file("rx7900xt-x2"), "--redact", "-q"}).err, "");
}

TEST(BugReport, is_a_redacted_recording_and_a_text_about_it) {
    Directory const directory;
    auto const result = run(
        {"probe", "--replay", host_file("mi300x-x8"), "--bug-report", directory / "bug.tar.gz"});
    EXPECT_EQ(result.code, 0);
    for (auto const* part :
         {"### What rocmtune got wrong", "### Summary", "```text\n8 AMD GPUs on ", "rocmtune 1.",
          "### The recording", "`bug.tar.gz` (", "- replaced: 1 host name", "- still inside: "})
        EXPECT_THAT(result.out, HasSubstr(part));
    EXPECT_THAT(result.out, Not(HasSubstr("mi300x-07")));
    EXPECT_THAT(result.out, Not(HasSubstr(directory.path())));
    EXPECT_THAT(directory.names(), ElementsAre("bug.tar.gz"));
    auto const text = archive_to_host_text(content_of(directory / "bug.tar.gz"), "bug");
    EXPECT_THAT(text, Not(HasSubstr("mi300x-07")));
    EXPECT_THAT(text, Not(HasSubstr("1b51810ad7d004e2")));
}

TEST(BugReport, goes_to_the_file_of_output) {
    Directory const directory;
    auto const result = run({"probe", "--replay", host_file("no-gpu"), "--bug-report",
                             directory / "b", "-o", directory / "b.md"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(content_of(directory / "b.md"), StartsWith("### What rocmtune got wrong"));
}

TEST(BugReport, excludes_other_outputs) {
    for (Words const& more : {Words{"--json"}, Words{"--format", "text"}, Words{"--record", "x"},
                              Words{"--also", "json:x"}, Words{"--watch", "1"}}) {
        Directory const directory;
        Words words{"probe", "--bug-report", directory / "bug"};
        words.insert(words.end(), more.begin(), more.end());
        EXPECT_EQ(run(words).code, 2) << testing::PrintToString(more);
        EXPECT_THAT(directory.names(), ElementsAre());
    }
}

// ---- what is refused writes nothing -------------------------------------------------------------

TEST(HostileSnapshot, ends_with_2_and_writes_nothing) {
    auto const sys = TarBytes().file("sys/ok");
    std::vector<std::string> const archives{
        TarBytes(sys).file("../../etc/x").packed(),
        TarBytes(sys).file("/tmp/x").packed(),
        TarBytes(sys).link("sys/l", "/").file("sys/l/x").packed(),
        TarBytes(sys).file("sys/ok").packed(),
        TarBytes(sys).add({.name = "sys/h", .type = '1', .target = "sys/ok"}).packed(),
        TarBytes(sys).file("rocmtune.json", "{}").packed(),
        sys.packed().substr(0, 40),
        gzip("x"),
        sys.tar(),
        "PK\x03\x04"};
    for (auto const& bytes : archives) {
        Directory const directory;
        write_file(directory / "bad", bytes);
        auto launch = rocmtune_with(
            {"probe", "--replay", "bad", "--record", "out", "-o", "report", "--also", "json:also"});
        launch.directory = directory.path();
        auto const result = run(launch);
        EXPECT_EQ(result.code, 2);
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, StartsWith("rocmtune: "));
        EXPECT_THAT(result.err, HasSubstr("bad"));
        EXPECT_THAT(directory.names(), ElementsAre("bad"));
    }
}

TEST(Record, to_a_directory_that_is_missing_ends_with_2) {
    auto const result =
        run({"probe", "--replay", host_file("no-gpu"), "--record", "/nonexistent/x.tar.gz"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("cannot write /nonexistent/x.tar.gz"));
}

// ---- what others recorded -----------------------------------------------------------------------

std::vector<std::string> captures() {
    std::vector<std::string> files;
    std::error_code error;
    for (auto const& entry :
         std::filesystem::directory_iterator(std::string(ROCMTUNE_SHARED_DIR) + "/captures", error))
        if (entry.path().string().ends_with(".tar.gz")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

TEST(Captures, replay_as_the_directories_they_hold) {
    if (captures().empty()) GTEST_SKIP() << "no recorded hosts in " ROCMTUNE_SHARED_DIR "/captures";
    for (auto const& file : captures()) {
        Directory const directory;
        ASSERT_EQ(std::system(fmt::format("tar -xzf '{}' -C '{}'", file, directory.path()).c_str()),
                  0);
        auto const archive = probe_json({"--replay", file});
        EXPECT_TRUE(same_report(probe_json({"--root", directory.path()}), archive)) << file;
        EXPECT_GE(json::parse(archive).at("host").at("gpus").size(), 1U) << file;
    }
}

/// A tree says otherwise than a recording why something was not recorded.
void only_kinds_of_reasons(json& document) {
    if (!document.is_structured()) return;
    if (document.is_object() && document.contains("_reasons"))
        for (auto& reason : document["_reasons"])
            reason = reason.get<std::string>().substr(0, reason.get<std::string>().find(':'));
    for (auto& child : document) only_kinds_of_reasons(child);
}

TEST(Captures, replay_from_their_own_snapshots) {
    if (captures().empty()) GTEST_SKIP() << "no recorded hosts in " ROCMTUNE_SHARED_DIR "/captures";
    for (auto const& file : captures()) {
        Directory const directory;
        auto before =
            document_of(probe_json({"--replay", file, "--record", directory / "again.tar.gz"}));
        auto after = document_of(probe_json({"--replay", directory / "again.tar.gz"}));
        only_kinds_of_reasons(before);
        only_kinds_of_reasons(after);
        EXPECT_TRUE(before == after) << file << json::diff(before, after).dump(1).substr(0, 4000);
    }
}

/// What stands in real files, their names, and digests of 16 to 64 digits as programs print them.
std::vector<std::string> harmless_texts(std::string const& name, std::string const& content) {
    auto const digits = fmt::format("{:016x}", std::hash<std::string>()(name + content));
    auto const digest = digits + digits.substr(3) + digits.substr(7) + digits + digits;
    return {content,
            name,
            name + '=' + content,
            "GPU-" + digits + " at commit " + digest.substr(0, 40) + " of " + name,
            "image@sha256:" + digest.substr(0, 64) + " etag: \"" + digest.substr(0, 32) + '"',
            "key=" + name + " build-id " + digest.substr(0, 40)};
}

TEST(Captures, hold_nothing_that_the_scrubber_takes_for_a_secret) {
    if (captures().empty()) GTEST_SKIP() << "no recorded hosts in " ROCMTUNE_SHARED_DIR "/captures";
    std::size_t texts = 0;
    for (auto const& file : captures()) {
        Directory const directory;
        ASSERT_EQ(std::system(fmt::format("tar -xzf '{}' -C '{}'", file, directory.path()).c_str()),
                  0);
        for (auto const& entry : std::filesystem::recursive_directory_iterator(directory.path())) {
            if (!entry.is_regular_file() || entry.is_symlink()) continue;
            auto const name = entry.path().string().substr(directory.path().size());
            for (auto const& text : harmless_texts(name, content_of(entry.path()))) {
                EXPECT_EQ(scrubbed(text), text) << file << ": " << name;
                ++texts;
            }
        }
    }
    EXPECT_GT(texts, 10'000U);
}

}  // namespace
}  // namespace rocmtune::test
