// SPDX-License-Identifier: MIT
// The one scrubber: what every document, recording, excerpt, message and log goes through before it
// leaves the program. What it takes out leaves its kind, "<secret: url password>"; the rest stays
// readable. What was scrubbed once stays as it is. Judgements are made before, on the true values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// Takes the secrets out of a text: what tells by its shape (tokens of providers, private keys,
/// JSON web tokens, passwords in URLs, Authorization) and what stands beside a name that promises
/// one (NAME=value, "name": "value", --name value, ?name=value). Nearly all texts hold none, and
/// cost a look at each of their bytes. True if there was one.
bool scrub(std::string& text);
std::string scrubbed(std::string_view text);

/// The same of the value of a variable, an argument or a field: behind a name that promises a
/// secret nothing of it is left.
bool scrub_value(std::string_view name, std::string& value);

/// The same of the words of a command, one by one: "--token" speaks of the word behind it.
bool scrub_words(std::vector<std::string>& words);

}  // namespace rocmtune
