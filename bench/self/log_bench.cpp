// SPDX-License-Identifier: MIT
// How long the kernel log takes: logs of tests/incidents, repeated to 64 MiB, told line by line to
// a host with eight GPUs. Build the target log_bench and run it on one core.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "knowledge/messages.hpp"
#include "machine/host_source.hpp"
#include "machine/kernel_log.hpp"
#include "probe/log_story.hpp"
#include "probe/reader.hpp"

namespace {

using namespace rocmtune;

constexpr std::size_t log_bytes = std::size_t{64} << 20;

std::string content_of(std::filesystem::path const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string const& large_log() {
    static std::string const log = [] {
        std::string all;
        for (auto const& entry :
             std::filesystem::directory_iterator(ROCMTUNE_SOURCE_DIR "/tests/incidents/logs"))
            all += content_of(entry.path());
        std::string text;
        while (text.size() < log_bytes) text += all;
        return text;
    }();
    return log;
}

Host eight_gpus() {
    auto const text = content_of(ROCMTUNE_SOURCE_DIR "/tests/hosts/mi300x-x8/host");
    return probe({HostRoot(std::shared_ptr<HostSource>(text_source(text, "mi300x-x8")))});
}

/// Calls the consumer with each line of the log.
template <class Consumer>
void each_line(std::string_view log, Consumer&& consume) {
    while (!log.empty()) {
        auto const end = std::min(log.find('\n'), log.size());
        consume(log.substr(0, end));
        log.remove_prefix(std::min(end + 1, log.size()));
    }
}

void filtering(benchmark::State& state) {
    std::size_t kept = 0;
    for (auto _ : state)
        each_line(large_log(), [&](auto line) { kept += may_concern_a_gpu(line); });
    benchmark::DoNotOptimize(kept);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(large_log().size()));
}
BENCHMARK(filtering)->Unit(benchmark::kMillisecond);

void telling(benchmark::State& state) {
    MessageMatcher const matcher(message_classes());
    auto const host = eight_gpus();
    for (auto _ : state) {
        LogStory story(matcher, host);
        each_line(large_log(), [&](auto line) { story.add(line); });
        benchmark::DoNotOptimize(story.messages({}));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(large_log().size()));
}
BENCHMARK(telling)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
