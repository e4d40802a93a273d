// SPDX-License-Identifier: MIT
// Secrets that tell by their shape what they are: tokens of providers, JSON web tokens, keys.
#pragma once

#include <cstddef>
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

}  // namespace rocmtune
