// SPDX-License-Identifier: MIT
// What people ask about that is no variable: parameters of the driver, arguments of the kernel,
// files, libraries, options of programs, words. profiles/terms.json.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/symptoms.hpp"

namespace rocmtune {

/// A fact of probe's JSON that shows a term here.
struct TermFact {
    std::string field = {};
    std::optional<std::string> entry = {};  ///< of a field that is a list by name
};

/// Texts may be empty where nothing is to be said.
struct Term {
    std::string name = {};  ///< "amdgpu.gttsize"
    std::string kind = {};  ///< module-parameter, kernel-argument, file, library, option or word
    std::vector<std::string> aliases = {};
    std::string status = {};   ///< public, deprecated, dead or never-existed
    std::string summary = {};  ///< one sentence
    std::string values = {};   ///< what it takes
    std::string default_value = {};
    std::string effect = {};
    std::string harm = {};
    std::string folklore = {};  ///< what is said of it, and why that is wrong
    std::string instead = {};   ///< name to use in its place
    std::optional<std::string> since = {}, until = {};  ///< "kernel 4.2"
    std::vector<std::string> see = {};  ///< other terms, variables, findings, targets
    std::optional<TermFact> fact = {};
    std::vector<DataSource> sources = {};
};

/// Sorted by name. Read from the embedded file at the first call.
/// @throws ProfileError for a file that does not hold what it must.
std::span<Term const> all_terms();

/// The term of this name or alias, exactly or, if there is none, in any case; or null.
Term const* find_term(std::string_view name);

/// The terms of another text than the embedded one; `file` is used in messages.
/// @throws ProfileError
std::vector<Term> parse_terms(std::string_view file, std::string_view text);

}  // namespace rocmtune
