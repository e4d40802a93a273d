// SPDX-License-Identifier: MIT
// Secrets that tell by their shape what they are: tokens of providers, JSON web tokens, keys.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rocmtune {

/// A secret at the start of a text.
struct ShapedSecret {
    std::size_t size = 0;        ///< in bytes; 0: there is none
    std::string_view kind = {};  ///< what stands in its mark: "token of GitHub"
};

/// Whether a token can begin with this character.
bool may_begin_token(char c);

/// The token at the start of a text, as its issuer, gitleaks and detect-secrets describe it. What
/// comes before the text must be no letter or digit. "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" stands
/// for a token and is none.
ShapedSecret token_at(std::string_view text);

/// A private key in PEM at the start of a text, up to its last line, or to the end of the text
/// where that is missing.
ShapedSecret private_key_at(std::string_view text);

/// Whether a text has enough different characters for something that was made at random.
bool is_varied(std::string_view text);

/// What stands beside a name of this kind may be a secret.
struct Promise {
    std::string kind;          ///< for its mark: "api key"
    bool strong = false;       ///< the word means nothing else, as "password"
    bool is_password = false;  ///< people make them up: they may look like words
    bool is_pin = false;       ///< digits are enough
    bool is_lone = false;      ///< the word is the whole name
    bool is_header = false;    ///< Authorization: a scheme stands before the secret
    bool is_cookie = false;    ///< Cookie: the rest of the line
};

/// How a value stands beside a name.
enum class Beside : unsigned char {
    equals,  ///< NAME=VALUE
    colon,   ///< NAME: VALUE
    option,  ///< --name VALUE, --name=VALUE
    query,   ///< ?name=VALUE&name=VALUE
};

/// Nothing for a name that promises no secret. apiKey, api-key and API_KEY are one name. In a query
/// of an address "sig" and "key" do, too.
std::optional<Promise> promise_of(std::string_view name, Beside how);

/// Whether the value beside such a name is a secret, as far as that can be seen.
bool is_believed(Promise const& promise, std::string_view value, Beside how);

/// Whether a text looks made at random: letters with digits, or capitals among small letters.
bool looks_random(std::string_view text);

/// A text that stands for a secret to be filled in ("$TOKEN", "<token>", "****"), a mark of ours,
/// or a switch.
bool stands_for_secret(std::string_view value);

/// Bearer, Basic, ...: the word before credentials (RFC 9110, 11.1).
bool is_scheme(std::string_view word);

/// The variables and options that name a proxy: curl takes NAME:PASSWORD@HOST without a scheme.
bool is_proxy(std::string_view name);

/// Where in an address the path begins that is a secret itself (hooks of Slack and others); npos.
std::size_t secret_path_in(std::string_view address);

/// The programs in a text whose short options take passwords, as they come.
class PasswordPrograms {
  public:
    /// What follows what was seen before. Words are not cut in two.
    void see(std::string_view text);

    /// Where in the value behind a short option, or attached to it, the password begins: "sshpass
    /// -p PASSWORD", "mysql -pPASSWORD", "curl -u NAME:PASSWORD"; npos: nowhere.
    std::size_t password_in(std::string_view option, std::string_view value, bool attached) const;

  private:
    unsigned all_ = 0;      ///< a bit for each row of the table
    unsigned command_ = 0;  ///< those since the last end of a command
};

}  // namespace rocmtune
