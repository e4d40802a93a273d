// SPDX-License-Identifier: MIT
// Whether repetitions have run at all: a right result may be left over from an earlier one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/device.hpp"

namespace rocmtune::bench {

/// What an output is spoiled with: no number in any floating-point type, and no sum or pattern that
/// a benchmark makes.
inline constexpr std::uint8_t spoiled_byte = 0xFF;

/// Where a repetition leaves its result. Both functions queue.
struct Output {
    std::size_t bytes = 0;
    std::function<void(std::size_t offset, std::size_t bytes)> spoil = {};
    /// To pinned host memory.
    std::function<void(void* to, std::size_t offset, std::size_t bytes)> read = {};
    /// Where alone a repetition leaves something else than nothing; absent: everywhere.
    std::optional<std::size_t> focus = {};
};

/// Memory of the device itself.
Output device_output(Device& device, Address memory, std::size_t bytes);

/// Memory that only copies of pieces reach, another device's or the host's. `write` and `fetch`
/// queue copies between it and memory of this device.
Output copied_output(Device& device, std::size_t bytes,
                     std::function<void(std::size_t offset, Address from, std::size_t bytes)> write,
                     std::function<void(Address to, std::size_t offset, std::size_t bytes)> fetch);

/// Spoils a small piece of the output before a repetition and looks at it before and after, in the
/// queue and without waiting, each time at another place. One that was lost leaves the piece
/// spoiled; a spoiling that was lost does not. So many repetitions in a row as are watched catch
/// every device that loses one of as many.
class Witness {
  public:
    /// Repetitions between two calls of collect().
    static constexpr std::size_t most_rounds = 16;

    /// @param exact  every repetition gives the same bits
    Witness(Device& device, std::vector<Output> outputs, bool exact = true);

    void before();  ///< queues what comes before a repetition
    void after();   ///< queues what comes after it
    /// Takes in what was seen since the last call. The device has finished all that was queued.
    void collect();

    /// Watches most_rounds repetitions that nobody samples. Waits for the device.
    void watch(std::function<void()> const& queue);

    /// Repeats the work once more on outputs that are spoiled as a whole. Empty if `check` finds
    /// that right and no watched repetition was lost, else what is wrong. Waits for the device.
    std::string verdict(std::function<void()> const& queue,
                        std::function<std::string()> const& check);

  private:
    /// What was wrong with those that were watched, beside the result that is in the outputs now.
    std::string complaint();
    static constexpr std::size_t piece_bytes = 256;

    std::size_t piece(Output const& output) const;
    std::size_t place(Output const& output, std::size_t round) const;
    /// Where the host finds a look of this round.
    std::uint8_t* slot(std::size_t output, std::size_t round, bool done) const;
    void look(std::size_t round, bool done);

    Device& device_;
    std::vector<Output> outputs_;
    bool exact_;
    PinnedBuffer looks_;
    std::size_t rounds_ = 0;                  ///< watched so far
    std::size_t collected_ = 0;               ///< of them, seen
    std::vector<std::uint8_t> results_ = {};  ///< a piece of each output of each round
    std::string lost_spoiling_ = {};
};

}  // namespace rocmtune::bench
