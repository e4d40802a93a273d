// SPDX-License-Identifier: MIT
// Classes of kernel messages: what a line of the log says about a GPU. profiles/messages.json.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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

constexpr std::span<std::string_view const> words_of(MessageOf) {
    return message_of_words;
}

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
    Verdict when_ended = Verdict::info;         ///< once a class of ended_by came later
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

/// Literal bytes that every wording must have in a row: by these it is found.
inline constexpr std::size_t least_anchor_bytes = 8;

/// The longest literal piece of a wording.
std::string_view anchor_of(std::string_view wording);

/// Whether the pieces of the wording stand in the text in their order: `*` is any text, `#` a
/// number above zero, decimal or with 0x.
bool has_wording(std::string_view text, std::string_view wording);

/// Finds classes in texts. The classes must outlive it.
class MessageMatcher {
  public:
    explicit MessageMatcher(std::span<MessageClass const> classes);

    using Condition = std::function<bool(MessageClass const&)>;

    /// The class whose wording fits with the most literal bytes, or null; only those that meet the
    /// condition. What a class asks for beside its words (MessageOf) is left to the caller.
    MessageClass const* match(std::string_view text, Condition const& may_be) const;
    MessageClass const* match(std::string_view text) const;

  private:
    struct Wording {
        MessageClass const* kind;
        std::string_view text;
        std::size_t literal_bytes;
    };
    bool fits(Wording const& wording, std::string_view text) const;

    /// By the first eight bytes of the anchor.
    std::unordered_map<std::uint64_t, std::vector<Wording>> by_anchor_;
    /// A hash of eight bytes that is not here starts no anchor: almost every place of every line.
    std::bitset<1U << 16> may_start_;
};

}  // namespace rocmtune
