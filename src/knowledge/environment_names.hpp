// SPDX-License-Identifier: MIT
// Which environment variables concern a GPU stack, and which names promise a secret.
#pragma once

#include <span>
#include <string_view>

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

/// Made of profiles/environment.json at build; the lists of names are sorted.
struct EnvironmentTables {
    std::span<std::string_view const> prefixes;  ///< each ends in an underscore
    std::span<std::string_view const> names;
    std::span<SecretPattern const> secrets;        ///< by text
    std::span<std::string_view const> not_secret;  ///< names that a pattern catches by accident
};

/// Whether `probe` shows a variable of this name at all: the GPU stack reads it, or it decides
/// which libraries and devices that stack finds. Everything else in an environment is private.
bool is_relevant_name(std::string_view name);

/// Whether that is said of this very name, and not of all that begin like it.
bool is_listed_name(std::string_view name);

/// Whether the value behind this name may be a secret: it is never printed, recorded or logged,
/// relevant or not. Lower case counts as upper case.
bool is_secret_name(std::string_view name);

/// The pattern that makes it one, a strong one first; null if it is none.
SecretPattern const* secret_pattern_of(std::string_view name);

/// Whether the word says so by itself, as PASSWORD does; KEY and SESSION mean other things, too.
bool is_strong(SecretPattern const& pattern);

}  // namespace rocmtune
