// SPDX-License-Identifier: MIT
// The scrubber for values and words whose ends are known.
#include <algorithm>

#include "base/text.hpp"
#include "knowledge/scrub.hpp"
#include "knowledge/secret_names.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// "--token" and "-token", without a value of its own.
string_view option_name(string_view word) {
    auto const name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
    return name.size() == word.size() || name.find('=') != name.npos ? string_view() : name;
}

/// The value of a word that has one: what stands behind the first equals sign.
bool scrub_assigned(std::string& word) {
    auto const equals = word.find('=');
    if (equals == word.npos) return false;
    auto const name =
        string_view(word).substr(std::min(word.find_first_not_of('-'), equals), equals);
    auto const promise = promise_of(name.substr(0, name.find('=')), Beside::equals);
    auto const value = string_view(word).substr(equals + 1);
    if (!promise || stands_for_secret(value) ||
        !is_believed(*promise, value, word.front() == '-' ? Beside::option : Beside::equals) ||
        promise->is_header)
        return false;
    word.replace(equals + 1, word.npos, secret_mark(promise->kind));
    return true;
}

bool scrub_argument(std::string& word, std::string const& option) {
    auto const promise = promise_of(option_name(option), Beside::option);
    if (!promise || stands_for_secret(word) || word.starts_with("--") ||
        !is_believed(*promise, word, Beside::option))
        return false;
    word = secret_mark(promise->kind);
    return true;
}

bool scrub_password(std::string& word, PasswordPrograms const& programs,
                    std::string const& option) {
    bool const attached = word.size() > 2 && word.front() == '-' && word[1] != '-';
    auto const value = string_view(word).substr(attached ? 2 : 0);
    auto const name = attached ? string_view(word).substr(1, 1) : option_name(option);
    auto const secret = programs.password_in(name, value, attached);
    if (secret == value.npos) return false;
    word.replace(word.size() - value.size() + secret, word.npos, secret_mark("password"));
    return true;
}

}  // namespace

bool scrub_value(std::string_view name, std::string& value) {
    auto const promise = promise_of(name, Beside::equals);
    if (promise && !value.empty() && secret_mark_length(value) != value.size()) {
        value = secret_mark(promise->kind);
        return true;
    }
    if (!is_proxy(name)) return scrub(value);
    auto assigned = std::string(name) + '=' + value;
    bool const found = scrub(assigned);
    value = assigned.substr(name.size() + 1);
    return found;
}

bool scrub_words(std::vector<std::string>& words) {
    bool found = false;
    PasswordPrograms programs;
    std::string option;
    for (auto& word : words) {
        auto const whole = word;
        found |= scrub_argument(word, option) || scrub_password(word, programs, option) ||
                 scrub_assigned(word) || scrub(word);
        programs.see(whole);
        option = whole;
    }
    return found;
}

}  // namespace rocmtune
