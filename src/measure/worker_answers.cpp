// SPDX-License-Identifier: MIT
#include "measure/worker_answers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/host.hpp"
#include "knowledge/scrub.hpp"
#include "machine/held_signals.hpp"
#include "machine/host_commands.hpp"
#include "machine/kernel_log.hpp"
#include "machine/replies.hpp"
#include "probe/workers.hpp"

namespace rocmtune {
namespace {

using std::chrono::milliseconds;

/// Long enough for what a sound host needs many times over; starting HIP takes longer the more GPUs
/// there are.
constexpr milliseconds usual_deadline{10000};
constexpr milliseconds large_host_deadline{30000};
constexpr std::size_t large_host_gpus = 8;

/// The answer for all workers where the command line wants none; empty if it does.
std::string why_never(HostChoice const& choice) {
    if (choice.behalf)
        return unasked_reply("skipped", "libraries answer this process, not another one");
    if (choice.sysfs_only) return unasked_reply("skipped", "--sources sysfs");
    if (choice.is_watched) return unasked_reply("skipped", "--watch asks the kernel only");
    return {};
}

/// The same where a GPU sleeps that is not to be woken.
std::string why_not_now(HostChoice const& choice, Host const& host) {
    auto const* gpu = choice.wake ? nullptr : sleeping_gpu(host);
    if (gpu == nullptr) return {};
    return unasked_reply(
        "suspended", fmt::format("it would wake {}", gpu->pci_address.value_or("a sleeping GPU")));
}

/// How the time that is left is shared out: the SMI workers run one after the other, and each may
/// need time to be ended. What run_workers() says of its own duration decides the sums.
struct Schedule {
    WorkerMachinery machinery;
    milliseconds deadline;
    milliseconds deadline_alone;

    Schedule(milliseconds budget, std::size_t gpus) {
        auto const longest = gpus >= large_host_gpus ? large_host_deadline : usual_deadline;
        auto const share = std::max(budget / 2, milliseconds(8));
        machinery.grace = std::min(machinery.grace, share / 8);
        machinery.patience = std::min(machinery.patience, share / 4);
        auto const ending = 2 * machinery.grace + machinery.patience;
        deadline = std::min(longest, 2 * share - ending);
        deadline_alone = std::min(longest, share - ending);
    }

    milliseconds of(std::string_view worker) const {
        return runs_alone(worker) ? deadline_alone : deadline;
    }
};

constexpr char const* only_checks = "only checks and reports ask for it";

/// HIP takes the longest to load.
constexpr std::string_view slowest_worker = "hip";

std::vector<WorkerRequest> requests(bool ahead) {
    std::vector<WorkerRequest> all;
    for (auto const& worker : all_workers()) {
        auto const host = host_of_worker(worker.name);
        bool const is_slowest = worker.name == slowest_worker || host == slowest_worker;
        all.push_back({.name = std::string(worker.name),
                       .arguments = {},
                       .alone = runs_alone(worker.name),
                       .guest_of = std::string(host),
                       .held = ahead && is_slowest});
    }
    return all;
}

}  // namespace

Reply WithoutWorkers::ask(Query const& query) {
    bool const later = query.operation == Operation::call &&
                       (is_worker_key(query.path) || query.path == journal_key ||
                        (is_command_key(query.path) && !asks_programs_));
    return later ? refusal(Missing::not_read, "asked later") : inner_.ask(query);
}

Reply WithPrograms::ask(Query const& query) {
    bool const is_open = query.operation == Operation::call && is_command_key(query.path) &&
                         inner_->log().find(query) == nullptr;
    if (!is_open) return inner_->ask(query);
    constexpr milliseconds longest{3000};
    HeldSignals const held;
    std::string const key(query.path);
    inner_->answer_call(key,
                        key == rpm_packages_key && !asks_rpm_
                            ? refusal(Missing::not_read, only_checks)
                            : command_reply(key, std::clamp(left_(), milliseconds(1), longest)));
    return inner_->ask(query);
}

void answer_journal_call(GuardedSource& source, bool wanted, milliseconds budget) {
    auto const ring = source.ask({Operation::call, kernel_log_key});
    if (ring.ok && log_begins_at_boot(ring.text)) return;
    // A journal of gigabytes takes longer than the log is worth.
    constexpr milliseconds longest{3000};
    HeldSignals const held;
    source.answer_call(std::string(journal_key),
                       wanted ? journal_reply(std::clamp(budget, milliseconds(1), longest))
                              : refusal(Missing::not_read, only_checks));
}

LibraryQuestions::LibraryQuestions(HostChoice const& choice, std::function<milliseconds()> left)
    : choice_(choice), left_(std::move(left)), refused_(why_never(choice)) {}

void LibraryQuestions::ask_beside(GuardedSource& source, std::function<Host()> const& seen) {
    if (refused_.empty()) {
        run_.emplace(requests(true), WorkerMachinery());
        run_->wait_for(source, [&] { return source.has_passed_mark(); });
        go(seen());
    }
    if (run_) run_->wait_for(source, [] { return false; });
    source.finish();
}

void LibraryQuestions::go(Host const& host) {
    if (refused_.empty()) refused_ = why_not_now(choice_, host);
    if (!refused_.empty()) return run_.reset();
    if (!run_) run_.emplace(requests(false), WorkerMachinery());
    Schedule const schedule(left_(), host.gpus.size());
    std::vector<milliseconds> deadlines;
    for (auto const& worker : all_workers()) deadlines.push_back(schedule.of(worker.name));
    run_->go(deadlines, schedule.machinery);
    has_gone_ = true;
}

void LibraryQuestions::finish(GuardedSource& source, Host const& host) {
    if (!has_gone_) go(host);
    if (!refused_.empty())
        for (auto const& worker : all_workers())
            source.answer_call(worker_key(worker.name), success(refused_));
    if (!run_) return;
    for (auto& outcome : run_->finish()) {
        // What libraries print is kept as JSON, in which a text is not as easily read.
        scrub(outcome.evidence), scrub(outcome.detail);
        source.answer_call(worker_key(outcome.name), success(worker_reply(outcome)));
    }
}

}  // namespace rocmtune
