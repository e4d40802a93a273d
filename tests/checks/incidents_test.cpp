// SPDX-License-Identifier: MIT
// Kernel logs of real incidents and of healthy hosts (tests/incidents): what the checks say of
// them. Half of them, by a hash of their links, was looked at for the first time when all was done.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.hpp"
#include "judge/checks/checks.hpp"
#include "knowledge/messages.hpp"
#include "probe/log_story.hpp"

namespace rocmtune::test {
namespace {

using Json = nlohmann::json;

std::string const folder = ROCMTUNE_SOURCE_DIR "/tests/incidents/";

std::string text_of(std::string const& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<Json> incidents() {
    std::vector<Json> rows;
    auto const index = text_of(folder + "index.ndjson");
    for (auto const line : lines(index)) rows.push_back(Json::parse(line));
    return rows;
}

/// The ports that the incident names above a GPU, as they stand in its path.
std::string path_of(Json const& row, std::string const& address) {
    std::string path = "/sys/devices/pci0000:00";
    auto const ports = row.value("ports", Json::object());
    for (auto const& [port, below] : ports.items())
        if (std::find(below.begin(), below.end(), address) != below.end()) path += '/' + port;
    return path + '/' + address;
}

/// Whether KFD has the GPU: as it has every GPU of which nothing else is expected. Where the log
/// does not say which GPUs KFD left out, it has none.
bool is_in_kfd(Json const& row, Json const& gpu) {
    for (auto const& one : row.at("expect"))
        if ((one.at("finding") == "RT3102" || one.at("finding") == "RT3305") &&
            (one.at("subject") == gpu.at("address") || one.at("subject") == "host"))
            return false;
    return gpu.at("driver") == "amdgpu";
}

Host host_of(Json const& row) {
    Host host;
    Source const source{"pci", "incident"};
    host.pci_functions.offer(64, source);
    for (auto const& one : row.at("gpus")) {
        auto const driver = one.at("driver").get<std::string>();
        auto const kind = one.at("kind").get<std::string>();
        if (kind == "guest" && !host.system_product) host.system_product.offer("KVM", source);
        if (driver == "gone") continue;
        auto const address = one.at("address").get<std::string>();
        auto& gpu = host.gpus.emplace_back();
        gpu.pci_address.offer(std::string(address), source);
        gpu.sysfs_path.offer(path_of(row, address), source);
        gpu.is_apu.offer(kind == "apu", source);
        if (kind == "server") gpu.marketing_name.offer("AMD Instinct", source);
        if (one.contains("device_id"))
            gpu.pci_device_id.offer(one.at("device_id").get<std::string>(), source);
        if (is_in_kfd(row, one)) gpu.kfd_node.offer(1, source);
        else gpu.kfd_node.miss(Missing::absent);
        if (driver == "none") gpu.driver.miss(Missing::absent);
        else gpu.driver.offer(std::string(driver), source);
    }
    static MessageMatcher const matcher(message_classes());
    LogStory story(matcher, host);
    auto const log = text_of(folder + "logs/" + row.at("name").get<std::string>() + ".log");
    for (auto const line : lines(log)) story.add(line);
    host.kernel_messages.offer(story.messages({}), source);
    if (auto const start = story.start_seconds())
        host.kernel_log_start_seconds.offer(double{*start}, source);
    return host;
}

bool meets(Finding const& finding, Json const& expected) {
    if (finding.id != expected.at("finding").get<std::string>()) return false;
    auto const subject = expected.at("subject").get<std::string>();
    bool const of_host = subject.find(':') == std::string::npos;
    if (!of_host && finding.subject != subject) return false;
    auto const verdict = word_of(finding.verdict);
    auto const also = expected.value("also_ok", std::vector<std::string>());
    return verdict == expected.at("verdict").get<std::string>() ||
           std::ranges::find(also, verdict) != also.end();
}

bool is_alarm(Finding const& finding) {
    return finding.verdict == Verdict::warn || finding.verdict == Verdict::fail;
}

/// Why the findings are not what is expected; empty if they are.
std::string mistake_in(std::vector<Finding> const& findings, Json const& expected) {
    if (expected.empty())
        for (auto const& finding : findings)
            if (is_alarm(finding))
                return "alarm: " + finding.id + ' ' + finding.subject + ' ' + finding.message;
    bool some = false;
    bool wants_some = false;
    for (auto const& one : expected) {
        bool const met =
            std::ranges::any_of(findings, [&](Finding const& f) { return meets(f, one); });
        bool const is_choice = one.value("any", false);
        wants_some |= is_choice;
        some |= is_choice && met;
        if (!is_choice && !met) return "missed: " + one.dump();
    }
    return wants_some && !some ? "missed: one of " + expected.dump() : std::string();
}

struct Score {
    std::size_t right = 0, all = 0, alarms = 0, healthy = 0;
};

Score score_of(std::string const& half) {
    Score score;
    CheckSelection selection;
    selection.only = {"kernel-log", "RT3006", "RT3102", "RT3305"};
    for (auto const& row : incidents()) {
        if (row.at("half") != half) continue;
        auto const findings = run_checks(host_of(row), embedded_chips(), selection);
        auto const mistake = mistake_in(findings, row.at("expect"));
        bool const healthy = row.at("expect").empty();
        (healthy ? score.healthy : score.all) += 1;
        if (mistake.empty()) score.right += healthy ? 0 : 1;
        else if (healthy) ++score.alarms;
        if (!mistake.empty())
            std::cout << row.at("name").get<std::string>() << ": " << mistake << '\n';
    }
    std::cout << half << ": " << score.right << " of " << score.all << " incidents, "
              << score.alarms << " alarms on " << score.healthy << " healthy logs\n";
    return score;
}

/// The halves, each named by what was known of it when it was scored for the first time:
/// tests/incidents/README.md has those scores.
class Incidents : public testing::TestWithParam<char const*> {};

TEST_P(Incidents, are_named_and_healthy_hosts_raise_no_alarm) {
    auto const score = score_of(GetParam());
    EXPECT_GE(static_cast<double>(score.right), 0.95 * static_cast<double>(score.all));
    EXPECT_EQ(score.alarms, 0U);
}

INSTANTIATE_TEST_SUITE_P(Halves, Incidents,
                         testing::Values("seen", "unseen", "fresh", "fresh2-seen",
                                         "fresh2-unseen"));

}  // namespace
}  // namespace rocmtune::test
