// SPDX-License-Identifier: MIT
// Reading of files that cannot hang the program: a child process reads, and sends what it has got.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

enum class ChildEnd : std::uint8_t {
    finished,  ///< the work came to its end
    late,      ///< it did not in time, or a signal asks this program to end
    broken,    ///< the child ended early: no memory, or somebody killed it
};

struct ChildMessages {
    std::vector<std::string> messages;  ///< those that came whole, in their order
    ChildEnd end = ChildEnd::broken;
};

inline constexpr std::string_view hint_of_broken_child =
    "see whether memory is short, or what has killed it (dmesg)";

using Send = std::function<void(std::string_view message)>;

/// Runs `work` in a child process that holds none of our files, for at most `limit`, and no longer
/// than until a signal asks this program to end. A child that is stuck in the kernel (a file server
/// that does not answer) is killed and not waited for.
/// @throws Error (Exit::undetermined) if no child can be started.
ChildMessages messages_of_child(std::function<void(Send const&)> const& work,
                                std::chrono::milliseconds limit);

}  // namespace rocmtune
