// SPDX-License-Identifier: MIT
// Classes of kernel messages: what a line of the log says about a GPU. profiles/messages.json.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/finding.hpp"

namespace rocmtune {

/// What a line must name beside the words of its class.
enum class MessageOf : std::uint8_t {
    driver,   ///< a driver of AMD GPUs: amdgpu, kfd, radeon, powerplay or DRM
    address,  ///< the PCI address of an AMD GPU or of a port above one
    any,      ///< nothing: the words alone are enough
    module,   ///< a driver, and it speaks of the driver as a whole, never of one GPU
};

inline constexpr std::array<std::string_view, 4> message_of_words{"driver", "address", "any",
                                                                  "module"};

/// One meaning with all its wordings.
struct MessageClass {
    std::string id;         ///< "RT8001"; ids are never used for something else
    std::string name;       ///< "driver-initialised"
    std::string component;  ///< who prints it: "amdgpu", "pci"
    std::string says;       ///< one sentence
    /// The check that reports it ("RT3601"); empty for what only continues a story.
    std::string finding;
    Verdict verdict = Verdict::pass;            ///< while nothing ended it
    Verdict verdict_elsewhere = Verdict::pass;  ///< the same where the GPU is no Instinct
    Verdict when_ended = Verdict::pass;         ///< once a class of ended_by came later
    bool permanent = false;                     ///< it does not heal with time
    bool unbound = false;                       ///< it counts only where a GPU has no driver
    MessageOf of = MessageOf::driver;
    std::vector<std::string> ended_by;  ///< ids
    std::string after;  ///< id of a class without which, shortly before, a line is not of this one
    /// Pieces between stars stand in the line in this order; `#` is a number above zero.
    std::vector<std::string> wordings;
    std::vector<std::string> excluded;  ///< a line with one of these pieces is not of the class
    std::string next_step;              ///< empty: that of the finding; {gpu} is a PCI address
    std::optional<Action> action;
    std::vector<Reference> sources;

    /// Whether it says that the driver has started on a GPU, which always names the GPU.
    bool is_start() const { return name == "driver-initialised"; }
};

/// All classes, sorted by id. Read from the embedded file at the first call.
/// @throws ProfileError for a file that does not hold what it must.
std::span<MessageClass const> message_classes();

/// The class with this id, or null.
MessageClass const* find_message_class(std::string_view id);

/// The classes of another text than the embedded one; `file` is used in messages.
/// @throws ProfileError
std::vector<MessageClass> parse_message_classes(std::string_view file, std::string_view text);

}  // namespace rocmtune
