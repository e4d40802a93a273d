// SPDX-License-Identifier: MIT
// Which cause of the errors in a text is so on a host. Opens nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "judge/diagnose/recogniser.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Whether a message or a line of the text is an error.
bool shows_error(RecognisedText const& text);

/// The ids of all that the messages can come from, as they are ranked where nothing is known of the
/// host: errors before consequences, then as they stand in the text.
std::vector<std::string> possible_causes(RecognisedText const& text);

/// What makes the kernel print messages of this class: combinations that are known to fail, what
/// can be behind the finding of the class, and this. Only what is bad has causes.
std::vector<std::string> causes_of(MessageClass const& kind);

/// The kernel's messages as those of a text; a class that is only worth knowing is a note.
/// `lines_of` holds the lines of each class, by id; it may lack some.
void add_kernel_messages(std::vector<KernelMessage> const& messages,
                         std::map<std::string, std::vector<std::uint64_t>> const& lines_of,
                         RecognisedText& text);

/// What is known of the host beside its facts.
struct KnownOfHost {
    Host const& host;
    std::vector<Finding> const& findings;  ///< of checks and of lint, for possible causes
    std::vector<std::uint64_t> rows = {};  ///< of the GPUs that are meant; empty: all
};

/// Judges a text.
Diagnosis diagnose(RecognisedText text, KnownOfHost const& known);

/// Judges a host without a text: what its log and its checks found.
Diagnosis diagnose_host(KnownOfHost const& known);

/// The themes of which the checks found nothing wrong, and something in order.
std::vector<std::string> ruled_out(std::vector<Finding> const& findings);

}  // namespace rocmtune
