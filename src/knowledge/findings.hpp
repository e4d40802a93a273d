// SPDX-License-Identifier: MIT
// What each id of a finding means (profiles/findings.json), and how a judgement becomes a finding.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/host.hpp"
#include "codec/json_node.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// One kind of finding. All texts are non-empty and live as long as their file.
struct FindingKind {
    std::string_view id;     ///< "RT1001"
    std::string_view title;  ///< a few words without the subject
    std::string_view meaning;
    Action action = Action::none;
    std::string_view next_step;  ///< where the judgement knows nothing better
    std::vector<Citation> sources;
};

/// The kinds of one file, sorted by id.
struct FindingKinds {
    std::shared_ptr<JsonDocument const> file;
    std::vector<FindingKind> kinds;
};

/// Reads a file as profiles/schema/findings.schema.json describes it. Throws ProfileError.
FindingKinds parse_finding_kinds(std::string_view file, std::string_view text);

/// The embedded kinds, read at the first call.
std::span<FindingKind const> all_finding_kinds();

/// The embedded kind with this id, or null.
FindingKind const* find_finding_kind(std::string_view id);

/// A finding of a kind that profiles/findings.json knows, with the action, the next step and the
/// sources that stand there. Evidence is the caller's to add.
/// @throws std::logic_error if there is no such kind.
Finding make_finding(std::string_view id, Verdict verdict, std::string subject,
                     std::string message);

/// What fills the places of a step.
struct StepPlaces {
    std::string_view gpu = {};           ///< a PCI address; empty where the reader is to name one
    std::string_view setting = {};       ///< as a word of a shell; empty where nothing was set
    std::string_view distribution = {};  ///< an ID of os-release(5); empty where it is not known
    bool dkms = false;                   ///< the driver comes from AMD's packages
    bool in_container = false;           ///< what the step changes lies on the host
};

/// The places that a host fills; they live as long as the host.
StepPlaces places_of(Host const& host);

/// The text with {gpu}, {setting}, {install-firmware}, {install-headers}, {install-hip} and
/// {rebuild-initramfs} filled.
std::string filled_step(std::string_view text, StepPlaces const& places = {});

}  // namespace rocmtune
