// SPDX-License-Identifier: MIT
// Explanation: what one name is, who reads it, and what it means on this host.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocmtune/recommendation.hpp"
#include "rocmtune/target.hpp"

namespace rocmtune {

/// One component that reads a name, and whether this host has it.
struct ExplainedReader {
    std::string component = {};               ///< "ROCr (HSA runtime)"
    std::optional<bool> installed = {};       ///< absent: cannot be told
    std::optional<std::string> version = {};  ///< of what is installed
    std::optional<std::string> where = {};    ///< directory or file
    std::optional<std::string> text_date =
        {};  ///< of the newest text in which the reader was found
    std::optional<std::string> absent_by = {};  ///< newest text that no longer reads it
};

template <SameEntity<ExplainedReader> Self, class Visitor>
void visit_fields(Self& reader, Visitor&& v) {
    v(Field{"component", "library, framework or tool that reads it"}, reader.component);
    v(Field{"installed", "whether this host has it; null if that cannot be told"},
      reader.installed);
    v(Field{"version", "version that is installed"}, reader.version);
    v(Field{"where", "where it is installed"}, reader.where);
    v(Field{"text_date", "date of the newest text in which the reader was found"},
      reader.text_date);
    v(Field{"absent_by", "date of the first text without it; null: it is still read"},
      reader.absent_by);
}

/// The answer of `rocmtune explain NAME`.
struct Explanation {
    std::string name = {};
    std::string kind = {};  ///< environment, allocator, ..., practice; finding, symptom or target
    std::string status =
        {};  ///< public, internal, deprecated, dead, never-existed, name-only, unknown
    std::string use = {};  ///< runtime, debug, build, launcher, code-loading, cosmetic, or empty
    std::string summary = {};  ///< one sentence
    std::vector<ExplainedReader> readers = {};
    std::string values = {};         ///< what its reader takes, in words
    std::string default_value = {};  ///< in words; empty: not known
    std::vector<std::string> former_defaults = {};
    std::string effect = {};
    std::string here = {};  ///< what it does on this host, and what `env` makes of it
    std::optional<std::string> current = {};  ///< its value in this environment
    std::string read_as = {};  ///< how its reader takes that value; empty if it is not set
    std::string harm = {};
    std::string folklore = {};  ///< what is said of it, and why that is wrong
    std::string security = {};
    std::string instead = {};  ///< the name to use in its place; empty: none
    Validity validity = {};
    std::vector<std::string> found_in = {};  ///< files of this host that hold the name
    std::vector<std::string> near = {};      ///< known names like an unknown one
    std::vector<Reference> sources = {};
    std::string last_verified = {};
    std::optional<ExplainedTarget> target = {};  ///< of a gfx target
};

template <SameEntity<Explanation> Self, class Visitor>
void visit_fields(Self& explanation, Visitor&& v) {
    v(Field{"name", "what was asked about"}, explanation.name);
    v(Field{"kind",
            "environment, allocator, precision, option, api, practice, host, finding, symptom or "
            "target"},
      explanation.kind);
    v(Field{"status",
            "public, internal, deprecated, dead, never-existed, name-only (read somewhere, nothing "
            "more is known) or unknown"},
      explanation.status);
    v(Field{"use", "runtime, debug, build, launcher, code-loading or cosmetic; may be empty"},
      explanation.use);
    v(Field{"summary", "the answer in one sentence"}, explanation.summary);
    v(Field{"readers", "what reads it"}, explanation.readers);
    v(Field{"values", "what its reader takes; of a finding, the check that gives it"},
      explanation.values);
    v(Field{"default_value", "what holds where it is not set"}, explanation.default_value);
    v(Field{"former_defaults", "defaults that once were others"}, explanation.former_defaults);
    v(Field{"effect", "what it does"}, explanation.effect);
    v(Field{"here", "what it does on this host"}, explanation.here);
    v(Field{"current", "its value in this environment; null: it is not set"}, explanation.current);
    v(Field{"read_as", "how its reader takes that value"}, explanation.read_as);
    v(Field{"harm", "what it can break"}, explanation.harm);
    v(Field{"folklore", "what is said of it, and why that is wrong"}, explanation.folklore);
    v(Field{"security", "what it lets others do"}, explanation.security);
    v(Field{"instead", "name to use in its place; of a finding, what to do"}, explanation.instead);
    v(Field{"validity", "versions for which that is known"}, explanation.validity);
    v(Field{"found_in", "files of this host in which the name stands"}, explanation.found_in);
    v(Field{"near", "known names like it, if it is not known"}, explanation.near);
    v(Field{"sources", "who says so"}, explanation.sources);
    v(Field{"last_verified", "date on which the sources were last read"},
      explanation.last_verified);
    v(Field{"target", "what the profiles know of a gfx target; null for anything else"},
      explanation.target);
}

}  // namespace rocmtune
