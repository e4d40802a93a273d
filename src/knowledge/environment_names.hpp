// SPDX-License-Identifier: MIT
// Which environment variables concern a GPU stack, and which names promise a secret.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "codec/json_node.hpp"

namespace rocmtune {

/// Where in a name a secret word must stand. Words are the parts between underscores.
enum class SecretMatch : unsigned char {
    anywhere,   ///< in the name: "PASSWORD" in PGPASSWORD
    word,       ///< a whole word: "AUTH" in OLLAMA_AUTH
    word_end,   ///< the end of a word: "TOKEN" in KUBETOKEN, but not in TOKENS
    last_word,  ///< the last word: "KEY" in A_KEY, but not in KEY_FORMAT
};

struct SecretPattern {
    std::string_view text;  ///< in capitals
    SecretMatch match;
};

/// Names, or what they begin with, each with the reason why it is listed.
using ReasonedNames = std::map<std::string_view, std::string_view>;

/// What profiles/environment.json says. Its texts live as long as the file.
struct EnvironmentNames {
    std::shared_ptr<JsonDocument const> file;
    ReasonedNames prefixes;  ///< each ends in an underscore
    ReasonedNames names;
    std::vector<SecretPattern> secrets;  ///< sorted by text
    ReasonedNames not_secret;            ///< names that a pattern catches by accident
};

/// Reads a file as profiles/schema/environment.schema.json describes it. Throws ProfileError.
EnvironmentNames parse_environment_names(std::string_view file, std::string_view text);

/// The embedded ones, read at the first call.
EnvironmentNames const& embedded_environment_names();

/// Whether `probe` shows a variable of this name at all: the GPU stack reads it, or it decides
/// which libraries and devices that stack finds. Everything else in an environment is private.
bool is_relevant_name(std::string_view name);

/// Whether that is said of this very name, and not of all that begin like it.
bool is_listed_name(std::string_view name);

/// Why, for such a name ("tells that the host is WSL"); empty for any other.
std::string_view reason_of_listed_name(std::string_view name);

/// Whether the value behind this name may be a secret: it is never printed, recorded or logged,
/// relevant or not. Lower case counts as upper case.
bool is_secret_name(std::string_view name);

/// The pattern that makes it one, a strong one first; null if it is none.
SecretPattern const* secret_pattern_of(std::string_view name);

/// Whether the word says so by itself, as PASSWORD does; KEY and SESSION mean other things, too.
bool is_strong(SecretPattern const& pattern);

/// Variables by which shells, loaders and interpreters find code. A profile that names them is
/// wrong or hostile, whatever its catalogue says.
bool finds_code(std::string_view name);

}  // namespace rocmtune
