// SPDX-License-Identifier: MIT
#include "bench/runner.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/bandwidth.hpp"
#include "codec/record_json.hpp"

namespace rocmtune::bench {
namespace {

/// Samples and profiles of the largest run.
constexpr std::size_t most_answer_bytes = std::size_t{256} << 20;
constexpr std::chrono::milliseconds listing_deadline{30000};

/// Of what a worker printed the line that tells most: the last, but a page fault before it. After
/// that one ROCr 5.2 to 6 print their own failed assertion (VMFaultHandler in
/// core/runtime/runtime.cpp).
std::string_view telling_line(std::string_view evidence) {
    constexpr std::string_view page_fault = "Memory access fault by GPU";
    auto const end = evidence.find_last_not_of('\n');
    if (end == evidence.npos) return {};
    auto const fault = evidence.rfind(page_fault);
    auto const within = fault == evidence.npos ? end : fault;
    auto const before = evidence.rfind('\n', within);
    auto const start = before == evidence.npos ? 0 : before + 1;
    return evidence.substr(start, std::min(evidence.find('\n', within), end + 1) - start);
}

/// What the lines of a worker have said so far.
class Answer {
  public:
    Answer(Options const& options, Progress const& progress)
        : options_(options), progress_(progress) {}

    void hear(std::string_view line) {
        auto const document = parse_line(line);
        if (!document) return;
        JsonNode(*document).each([&](JsonNode const& said) {
            try {
                take(said);
            } catch (Error const&) {
                misheard(said.key());
            }
        });
    }

    std::vector<std::string> take_libraries() { return std::move(libraries_); }

    /// Gives every step that has no result the reason why.
    std::vector<Measurement> finish(WorkerOutcome const& outcome) {
        bool const ok = outcome.status == WorkerStatus::ok;
        auto const reason = reason_of(outcome) + problem_;
        if (!planned_) refuse(status_of(outcome.status), reason);
        for (auto i = done_; i < results_.size() && planned_ && !refused_; ++i) {
            bool const began = i == current_ && begun_;
            results_[i].status = ok ? "error" : began ? status_of(outcome.status) : "error";
            results_[i].detail = began || ok ? reason : "not run: " + reason;
        }
        return std::move(results_);
    }

  private:
    void take(JsonNode const& said) {
        auto const kind = said.key();
        if (kind == "plan") reader_.read(said, results_);
        if (kind == "begin") begin(said);
        if (kind == "measurement" && current_ < results_.size()) {
            auto result = results_[current_];
            reader_.read(said, result);
            results_[current_] = std::move(result);
            done_ = current_ + 1;
        }
        if (kind == "libraries") reader_.read(said, libraries_);
        if (kind == "refused") refuse(said);
        planned_ = planned_ || kind == "plan" || kind == "refused";
    }

    /// What stands in the answer is no such record; JSON has no infinite number, so null may stand
    /// for one.
    void misheard(std::string_view kind) {
        auto const problem = fmt::format("what it said of its {} cannot be read", kind);
        if (kind == "plan") results_.clear();
        if (kind != "measurement" || current_ >= results_.size())
            return void(problem_ = "; " + problem);
        results_[current_].status = "error";
        results_[current_].detail = problem + ": a number is infinite or a value of a wrong kind";
        done_ = current_ + 1;
    }

    void begin(JsonNode const& index) {
        reader_.read(index, current_);
        begun_ = true;
        if (progress_ && current_ < results_.size())
            progress_(results_[current_], current_, results_.size());
    }

    void refuse(JsonNode const& said) {
        std::string status = "error";
        std::string detail;
        reader_.member(said, "status", status);
        reader_.member(said, "detail", detail);
        refuse(status, detail);
    }

    void refuse(std::string const& status, std::string const& detail) {
        Measurement result;
        result.benchmark = options_.benchmarks.front();
        result.metric = "open";
        result.backend = options_.backend;
        result.parameters.index = options_.device;
        result.status = status;
        result.detail = detail;
        results_ = {std::move(result)};
        refused_ = true;
    }

    static std::string status_of(WorkerStatus status) {
        bool const late = status == WorkerStatus::timeout || status == WorkerStatus::unkillable;
        return late ? "timeout" : "error";
    }

    static std::string reason_of(WorkerOutcome const& outcome) {
        auto text = fmt::format("{}{}{}", worker_status_name(outcome.status),
                                outcome.detail.empty() ? "" : ": ", outcome.detail);
        auto const line = telling_line(outcome.evidence);
        return line.empty() ? text : fmt::format("{}; it printed: {}", text, line);
    }

    Options const& options_;
    Progress const& progress_;
    RecordReader reader_{"bench"};
    std::vector<Measurement> results_;
    std::vector<std::string> libraries_;
    std::string problem_ = {};  ///< of what was said besides measurements
    std::size_t current_ = 0;
    std::size_t done_ = 0;
    bool begun_ = false;
    bool planned_ = false;
    bool refused_ = false;
};

}  // namespace

DeviceList list_devices(std::string_view backend, WorkerMachinery const& machinery) {
    WorkerRequest const request{
        .name = "bench-devices", .arguments = {std::string(backend)}, .deadline = listing_deadline};
    auto const outcome = run_workers({&request, 1}, machinery).front();
    DeviceList list;
    if (outcome.status != WorkerStatus::ok)
        list.problem = fmt::format("{}: {}", worker_status_name(outcome.status), outcome.detail);
    for (auto const& line : outcome.answer) {
        auto const document = parse_line(line);
        auto const said = document ? JsonNode(*document).find("device") : std::nullopt;
        if (!said) continue;
        try {
            DeviceInfo device;
            RecordReader("bench-devices").read(*said, device);
            list.devices.push_back(std::move(device));
        } catch (Error const&) {
            list.problem = "what it said of a device cannot be read";
        }
    }
    return list;
}

std::vector<Measurement> run_benchmark(Options const& options, std::chrono::milliseconds silence,
                                       Progress const& progress, WorkerMachinery machinery,
                                       std::chrono::milliseconds lifetime) {
    return watch_benchmark(options, silence, progress, std::move(machinery), lifetime).measurements;
}

BenchRun watch_benchmark(Options const& options, std::chrono::milliseconds silence,
                         Progress const& progress, WorkerMachinery machinery,
                         std::chrono::milliseconds lifetime) {
    machinery.most_answer_bytes = most_answer_bytes;
    Answer answer(options, progress);
    WorkerRequest const request{.name = "bench",
                                .arguments = {json_of(options).dump()},
                                .deadline = silence,
                                .heard = [&](std::string_view line) { answer.hear(line); },
                                .lifetime = lifetime};
    auto const outcome = run_workers({&request, 1}, machinery).front();
    BenchRun run{answer.finish(outcome), {}};
    label_slower_than_others(run.measurements);
    run.libraries = answer.take_libraries();
    return run;
}

}  // namespace rocmtune::bench
