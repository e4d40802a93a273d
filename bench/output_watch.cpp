// SPDX-License-Identifier: MIT
#include <cstring>

#include <fmt/format.h>

#include "bench/session.hpp"

namespace rocmtune::bench {
namespace {

bool is_spoiled(std::uint8_t const* bytes, std::size_t count) {
    return std::all_of(bytes, bytes + count, [](auto byte) { return byte == spoiled_byte; });
}

}  // namespace

Output device_output(Device& device, Address memory, std::size_t bytes) {
    return {.bytes = bytes,
            .spoil = [&device, memory](
                         std::size_t offset,
                         std::size_t count) { device.fill(memory + offset, spoiled_byte, count); },
            .read = [&device, memory](
                        void* to, std::size_t offset,
                        std::size_t count) { device.download(to, memory + offset, count); }};
}

Output copied_output(Device& device, std::size_t bytes,
                     std::function<void(std::size_t, Address, std::size_t)> write,
                     std::function<void(Address, std::size_t, std::size_t)> fetch) {
    constexpr std::size_t most_at_once = std::size_t{1} << 20;
    auto const pattern = std::make_shared<Buffer>(device, std::min(bytes, most_at_once));
    auto const between = std::make_shared<Buffer>(device, std::min(bytes, most_at_once));
    device.fill(pattern->address(), spoiled_byte, pattern->bytes());
    return {.bytes = bytes,
            .spoil =
                [=](std::size_t offset, std::size_t count) {
                    for (std::size_t done = 0; done < count; done += pattern->bytes())
                        write(offset + done, pattern->address(),
                              std::min(pattern->bytes(), count - done));
                },
            .read =
                [=, &device](void* to, std::size_t offset, std::size_t count) {
                    fetch(between->address(), offset, count);
                    device.download(to, between->address(), count);
                }};
}

OutputWatch::OutputWatch(Device& device, std::vector<Output> outputs, bool exact)
    : device_(device),
      outputs_(std::move(outputs)),
      exact_(exact),
      pieces_(device, 2 * most_rounds * outputs_.size() * piece_bytes) {}

std::size_t OutputWatch::place(Output const& output, std::size_t round) {
    auto const last = output.bytes - piece(output);
    auto const spread = last / (most_rounds - 1) * (round % most_rounds) / piece_bytes;
    return std::min(output.focus.value_or(spread * piece_bytes), last);
}

std::uint8_t* OutputWatch::slot(std::size_t output, std::size_t round, bool done) const {
    auto const index = (output * most_rounds + round % most_rounds) * 2 + (done ? 1 : 0);
    return static_cast<std::uint8_t*>(pieces_.data()) + index * piece_bytes;
}

void OutputWatch::read(std::size_t round, bool done) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        // A copy that is lost leaves what must not be read before or after.
        std::memset(slot(i, round, done), done ? spoiled_byte : 0, piece_bytes);
        outputs_[i].read(slot(i, round, done), place(outputs_[i], round), piece(outputs_[i]));
    }
}

void OutputWatch::before() {
    for (auto const& output : outputs_) output.spoil(place(output, rounds_), piece(output));
    read(rounds_, false);
}

void OutputWatch::after() {
    read(rounds_++, true);
}

void OutputWatch::collect() {
    for (; collected_ < rounds_; ++collected_)
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            auto const count = piece(outputs_[i]);
            auto const* const seen = slot(i, collected_, true);
            results_.insert(results_.end(), seen, seen + count);
            if (lost_spoiling_.empty() && !is_spoiled(slot(i, collected_, false), count))
                lost_spoiling_ = fmt::format(
                    "before repetition {} of those that were watched the output was "
                    "not overwritten: a fill or a copy was lost",
                    collected_ + 1);
        }
}

void OutputWatch::watch(std::function<void()> const& queue) {
    for (std::size_t i = 0; i < most_rounds; ++i) {
        before();
        queue();
        after();
    }
    device_.synchronize();
    collect();
}

std::string OutputWatch::verdict(std::function<void()> const& queue,
                                 std::function<std::string()> const& check) {
    for (auto const& output : outputs_) output.spoil(0, output.bytes);
    queue();
    device_.synchronize();
    auto lost = complaint();  // before the check, which may use the outputs for itself
    auto wrong = check();
    return wrong.empty() ? lost : wrong;
}

std::string OutputWatch::complaint() {
    for (std::size_t round = 0; round < std::min(rounds_, most_rounds); ++round) read(round, true);
    device_.synchronize();
    auto const* seen = results_.data();
    for (std::size_t round = 0; round < collected_; ++round)
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            auto const count = piece(outputs_[i]);
            bool const same = std::memcmp(seen, slot(i, round, true), count) == 0;
            auto const* const what = is_spoiled(seen, count) ? "left no result"
                                     : same || !exact_       ? nullptr
                                                             : "left another result than the last";
            seen += count;
            if (what != nullptr)
                return fmt::format("repetition {} of {} that were watched {}: work was lost",
                                   round + 1, rounds_, what);
        }
    return lost_spoiling_;
}

}  // namespace rocmtune::bench
