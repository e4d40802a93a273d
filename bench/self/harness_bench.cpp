// SPDX-License-Identifier: MIT
// What the time stamps of `rocmtune bench` cost: a copy kernel measured as every benchmark is
// (measure() of bench/sampling.cpp), beside the same kernel launched without a pause between two
// stamps; the two take turns, so that noise meets both. Arguments: backend, device.
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/statistics.hpp"
#include "bench/session.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::size_t sizes_mib[] = {64, 128, 256, 1024, 4096};
constexpr int rounds = 9;
constexpr double bare_seconds = 0.2;

/// A copy of one size, and both ways to time it. GB/s.
struct Copy {
    Copy(Session& of, std::size_t size)
        : session(of), bytes(size), from(of.device, size), to(of.device, size) {
        auto& device = session.device;
        bool const gpu = device.info().backend != "cpu";
        Shape const shape{gpu ? bytes / 16 / 256 : device.info().compute_units, gpu ? 256U : 1U};
        auto const arguments =
            Arguments().add(from.address()).add(to.address()).add<std::uint64_t>(bytes / 16);
        device.fill(from.address(), 0x5A, bytes);
        work.queue = [&device, shape, arguments, kernel = device.load({"bandwidth", "rt_copy"})] {
            device.launch(kernel, shape, arguments);
        };
        work.amount = 2 * static_cast<double>(bytes);
        work.check = [] { return std::string(); };
    }

    double measured() {
        Measurement result;
        measure(session, work, result);
        return result.value.value_or(0);
    }

    double without_stamps(std::size_t launches) {
        auto& device = session.device;
        work.queue();
        auto const first = device.mark();
        for (std::size_t i = 0; i < launches; ++i) work.queue();
        auto const last = device.mark();
        device.synchronize();
        return work.amount * static_cast<double>(launches) / device.seconds_between(first, last) *
               1e-9;
    }

    Session& session;
    std::size_t bytes;
    Buffer from, to;
    Work work;
};

void compare(Session& session, std::size_t bytes) {
    Copy copy(session, bytes);
    std::vector<double> measured, bare;
    for (int round = 0; round < rounds; ++round) {
        measured.push_back(copy.measured());
        auto const each = copy.work.amount / measured.back() * 1e-9;
        bare.push_back(copy.without_stamps(static_cast<std::size_t>(bare_seconds / each) + 1));
    }
    auto const ours = summarize(measured).median;
    auto const theirs = summarize(bare).median;
    fmt::print("{:5} MiB {:8.1f} us {:9.2f} GB/s measured {:9.2f} without stamps: {:+.2f} %\n",
               bytes >> 20, copy.work.amount / theirs * 1e-3, ours, theirs,
               (theirs / ours - 1) * 100);
}

}  // namespace
}  // namespace rocmtune::bench

int main(int count, char** words) {
    using namespace rocmtune::bench;
    auto const* const backend = find_backend(count > 1 ? words[1] : "cpu");
    if (backend == nullptr) return 2;
    auto const device = backend->open(count > 2 ? std::strtoul(words[2], nullptr, 10) : 0);
    Options options;
    options.seconds = 0.2;
    Session session{*device, options};
    for (auto const mib : sizes_mib)
        if (2 * (mib << 20) <= session.budget_bytes()) compare(session, mib << 20);
    return 0;
}
