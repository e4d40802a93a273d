// SPDX-License-Identifier: MIT
#include "knowledge/scrub.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"
#include "knowledge/secret_names.hpp"

namespace rocmtune {
namespace {

using std::string_view;

bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}
bool is_quote(char c) {
    return c == '"' || c == '\'' || c == '`';
}
/// Of names of variables, options, headers and keys.
bool is_name_part(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
}

/// Of names of variables: asked for each character of each text.
constexpr auto name_characters = [] {
    std::array<bool, 256> is{};
    for (int c = 0; c < 128; ++c)
        is[static_cast<std::size_t>(c)] = is_name_character(static_cast<char>(c));
    return is;
}();
bool in_name(char c) {
    return name_characters[static_cast<unsigned char>(c)];
}

/// Takes the secrets out of one text, from its start to its end.
class Scrubber {
  public:
    explicit Scrubber(string_view text) : text_(text) {}

    /// Nothing if the text holds no secret.
    std::optional<std::string> run() {
        while (at_ < text_.size()) {
            auto const c = text_[at_];
            if (in_name(c) && c != '_') word();
            else if (c == '<') at_ += std::max<std::size_t>(secret_mark_length(rest()), 1);
            else if (c == '-' && take(private_key_at(rest()))) continue;
            else ++at_;
        }
        if (copied_ == 0) return std::nullopt;
        done_ += text_.substr(copied_);
        return std::move(done_);
    }

  private:
    /// Longer values are secrets or not by their beginning: otherwise a text of many could take the
    /// square of its length.
    static constexpr std::size_t longest_judged = 4096;

    string_view rest() const { return text_.substr(at_); }
    char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\n'; }
    char before(std::size_t at) const { return at > 0 ? text_[at - 1] : '\n'; }

    /// Puts a mark in the place of what stands from `begin` to `end`.
    bool take_out(std::size_t begin, std::size_t end, string_view kind) {
        done_.append(text_.substr(copied_, begin - copied_)).append(secret_mark(kind));
        at_ = copied_ = end;
        return true;
    }
    bool take(ShapedSecret secret) {
        return secret.size > 0 && take_out(at_, at_ + secret.size, secret.kind);
    }

    /// A run of what names and tokens are made of.
    void word() {
        auto const begin = at_;
        for (;;) {
            if (may_begin_token(text_[at_]) && take(token_at(rest()))) return;
            while (at_ < text_.size() && in_name(text_[at_])) ++at_;
            while (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '.')) ++at_;
            if (!in_name(peek(at_))) break;
        }
        if (attached_password(begin)) return;
        auto end = at_;
        while (before(end) == '-' || before(end) == '.') --end;
        auto const next = peek(at_);
        if (next == ':' && rest().starts_with("://")) return address(at_ + 3);
        if (may_have_value(begin, end)) (void)beside(begin, end);
    }

    /// A first look at what follows, since most words are followed by nothing.
    bool may_have_value(std::size_t begin, std::size_t end) const {
        auto at = end;
        while (peek(at) == ' ' || peek(at) == '\t') ++at;
        if (std::string_view("=:\"'\\]").find(peek(at)) != string_view::npos) return true;
        return at > end && (before(begin) == '-' || is_scheme(text_.substr(begin, end - begin)));
    }

    // ---- addresses ------------------------------------------------------------------------------

    /// What stands behind "://": the password of NAME:PASSWORD@HOST, and hooks, whose path is one.
    void address(std::size_t begin) {
        at_ = begin;
        auto const all = text_.substr(begin, longest_judged);
        auto const stop = std::ranges::find_if(
            all, [](char c) { return is_blank(c) || is_quote(c) || c == '<' || c == '>'; });
        auto const whole = all.substr(0, static_cast<std::size_t>(stop - all.begin()));
        if (auto const at = end_of_user(whole); at != whole.npos)
            password_of_user(begin, begin + at);
        else if (auto const path = secret_path_in(whole); path != whole.npos)
            (void)take_out(begin + path, begin + whole.size(), "webhook");
    }

    /// Where the at sign before the host stands. A slash in a password should be written %2F and is
    /// not always: "user:pass" alone would then be a host with a port that is no number.
    static std::size_t end_of_user(string_view whole) {
        auto const authority = whole.substr(0, whole.find_first_of("/?#"));
        if (auto const at = authority.rfind('@'); at != authority.npos) return at;
        auto const colon = authority.find(':');
        bool const is_port = colon == authority.npos ||
                             authority.find_first_not_of("0123456789", colon + 1) == authority.npos;
        auto const other = whole.find("://");
        return is_port || authority.starts_with('[') ? whole.npos
                                                     : whole.substr(0, other).rfind('@');
    }

    void password_of_user(std::size_t begin, std::size_t end) {
        auto const user = text_.substr(begin, end - begin);
        auto const colon = user.find(':');
        // Without a colon a long one is a token: https://TOKEN@host. Several addresses may have run
        // into one.
        auto const name = colon == user.npos ? user : user.substr(0, user.find_first_of("@:"));
        constexpr std::size_t longest_name = 20;
        bool const is_token = name.size() >= longest_name && looks_random(name);
        if (is_token && name.size() != colon)
            (void)take_out(begin, begin + name.size(), "url password");
        auto const from = begin + colon + 1;
        bool const is_secret =
            colon != user.npos && from < end && !stands_for_secret(text_.substr(from, end - from));
        if (is_secret) (void)take_out(from, end, "url password");
    }

    // ---- names ----------------------------------------------------------------------------------

    struct Place {
        std::size_t begin;
        std::size_t end;
    };

    /// What stands beside a name, if the name and its separator promise a secret.
    bool beside(std::size_t begin, std::size_t end) {
        auto const name = text_.substr(begin, end - begin);
        bool const option = before(begin) == '-';
        auto at = end;
        while (std::string_view("\"'\\]").find(peek(at)) != string_view::npos && at < end + 3) ++at;
        bool const closed = at > end;
        while (peek(at) == ' ' || peek(at) == '\t') ++at;
        auto const separator = peek(at);
        bool const blank_alone =
            option && !closed && at > end && separator != '=' && separator != ':';
        if (separator == '=' || separator == ':') {
            while (std::string_view("=:>").find(peek(at)) != string_view::npos && at < text_.size())
                ++at;
            while (peek(at) == ' ' || peek(at) == '\t') ++at;
        } else if (!blank_alone && !(at > end && is_scheme(name))) return false;
        if (at >= text_.size() || is_blank(text_[at])) return false;
        if (!option && is_scheme(name) && separator != '=' && separator != ':')
            return credentials(at);
        if (is_proxy(name) && separator == '=') return address(at), true;
        auto const how = before(begin) == '?' || before(begin) == '&' ? Beside::query
                         : separator == ':'                           ? Beside::colon
                         : option                                     ? Beside::option
                                                                      : Beside::equals;
        auto const promise = promise_of(name, how);
        if (!promise) return blank_alone && login(name, at);
        return how == Beside::colon ? behind_colon(*promise, at) : value(*promise, at, how);
    }

    /// "Bearer X" and "Basic X" (RFC 6750, RFC 7617).
    bool credentials(std::size_t begin) {
        auto const size =
            static_cast<std::size_t>(std::ranges::find_if_not(text_.substr(begin),
                                                              [](char c) {
                                                                  return is_name_part(c) ||
                                                                         c == '+' || c == '/' ||
                                                                         c == '=' || c == '~';
                                                              }) -
                                     text_.substr(begin).begin());
        constexpr std::size_t least = 8;
        bool const is_secret = size >= least && looks_random(text_.substr(begin, size));
        return is_secret && take_out(begin, begin + size, "authorization");
    }

    /// curl -u NAME:PASSWORD and its like.
    bool login(string_view option, std::size_t at) {
        auto const found = bare_value(at);
        auto const value = text_.substr(found.begin, found.end - found.begin);
        auto const secret = programs_before(at).password_in(option, value, false);
        return secret != value.npos && take_out(found.begin + secret, found.end, "password");
    }

    /// mysql -pPASSWORD and its like, of which the word begins with the option.
    bool attached_password(std::size_t begin) {
        if (before(begin) != '-' || (begin > 1 && !is_blank(text_[begin - 2])) ||
            begin + 1 >= text_.size() || is_blank(text_[begin + 1]))
            return false;
        auto const found = value_at(begin + 1);
        auto const value = text_.substr(found.begin, found.end - found.begin);
        auto const secret = programs_before(begin).password_in(text_.substr(begin, 1), value, true);
        return secret != value.npos && take_out(found.begin + secret, found.end, "password");
    }

    /// Places are asked for from the front to the back; a word does not end here.
    PasswordPrograms const& programs_before(std::size_t at) {
        if (at > programs_to_) programs_.see(text_.substr(programs_to_, at - programs_to_));
        programs_to_ = std::max(programs_to_, at);
        return programs_;
    }

    bool behind_colon(Promise const& promise, std::size_t at) {
        if (promise.is_cookie && !stands_for_secret(text_.substr(at)))
            return take_out(at, end_of_line(at), promise.kind);
        auto const found = value_at(at);
        auto const value = text_.substr(found.begin, found.end - found.begin);
        bool const is_last = found.end >= text_.size() || peek(found.end) == '\n';
        bool const is_quoted = found.begin > at;
        bool const is_sure = promise.strong && (is_quoted || (promise.is_password && is_last));
        if (!is_sure && !looks_random(value)) return scheme_of(promise, found);
        return this->value(promise, at, Beside::colon);
    }

    bool value(Promise const& promise, std::size_t at, Beside how) {
        auto const found = value_at(at);
        auto const value = text_.substr(found.begin, found.end - found.begin);
        if (scheme_of(promise, found)) return true;
        if (stands_for_secret(value) || !is_believed(promise, value, how)) return false;
        bool const is_cut = found.end - found.begin >= longest_judged;
        return take_out(found.begin, is_cut ? bare_value(found.begin, text_.size()).end : found.end,
                        promise.kind);
    }

    /// Authorization: Bearer X. The scheme stays.
    bool scheme_of(Promise const& promise, Place const& found) {
        auto const scheme = text_.substr(found.begin, found.end - found.begin);
        auto const word = scheme.substr(0, scheme.find(' '));
        if (!promise.is_header || !is_scheme(word)) return false;
        auto at = found.begin + word.size();
        while (peek(at) == ' ') ++at;
        auto const end = std::max(found.end, bare_value(at).end);
        return at < end && !stands_for_secret(text_.substr(at, end - at)) &&
               take_out(at, end, promise.kind);
    }

    // ---- how far a value goes -------------------------------------------------------------------

    std::size_t end_of_line(std::size_t at) {
        auto const quote = enclosing_quote(at);
        auto const end =
            text_.find_first_of(quote == '\0' ? "\n\r" : std::string("\n\r") + quote, at);
        return std::min(end, text_.size());
    }

    Place value_at(std::size_t at) {
        auto const from = at + (text_[at] == '\\' && is_quote(peek(at + 1)) ? 1 : 0);
        if (!is_quote(text_[from])) return bare_value(at);
        auto const quote = text_[from];
        if (from == at && quote == enclosing_quote(at) && !in_name(peek(at + 1))) return {at, at};
        auto end = from + 1;
        while (end < text_.size() && text_[end] != quote)
            end += from == at && text_[end] == '\\' ? 2 : 1;
        end = std::min(end, text_.size());
        return {from + 1, before(end) == '\\' && from > at ? end - 1 : end};
    }

    /// Up to a blank, the quote that the whole stands in, or a separator that begins something new.
    Place bare_value(std::size_t begin, std::size_t most = longest_judged) {
        auto const quote = enclosing_quote(begin);
        auto const stop = std::min(text_.size(), begin + std::min(most, text_.size()));
        auto end = begin;
        while (end < stop && !is_blank(text_[end]) && text_[end] != quote && !begins_new(end) &&
               secret_mark_length(text_.substr(end)) == 0)
            ++end;
        while (end > begin && std::string_view("])},").find(text_[end - 1]) != string_view::npos)
            --end;
        return {begin, end};
    }

    /// ", ; & |" before a blank, the end or another NAME=; line ends that JSON and C write as \n.
    bool begins_new(std::size_t at) const {
        auto const c = text_[at];
        if (c == '\\') return std::string_view("nrt\"").find(peek(at + 1)) != string_view::npos;
        if (std::string_view(",;&|").find(c) == string_view::npos) return false;
        auto end = at + 1;
        if (is_blank(peek(end)) || peek(end) == c || is_quote(peek(end))) return true;
        while (is_name_part(peek(end))) ++end;
        return end > at + 1 && (peek(end) == '=' || peek(end) == ':');
    }

    /// The quote that was opened in this line before this place and not closed. Places are asked
    /// for from the front to the back, so that each byte is looked at once.
    char enclosing_quote(std::size_t at) {
        if (at < quoted_to_) quoted_to_ = 0, quote_ = '\0';
        for (; quoted_to_ < at; ++quoted_to_) {
            auto const c = text_[quoted_to_];
            auto const last = before(quoted_to_);
            if (c == '\n') quote_ = '\0';
            else if (c == quote_) quote_ = '\0';
            else if (quote_ == '\0' && is_quote(c) && !is_letter(last) && !is_digit(last))
                quote_ = c;
        }
        return quote_;
    }

    string_view text_;
    std::size_t at_ = 0;
    std::size_t copied_ = 0;     ///< of the text, what `done_` has already
    std::size_t quoted_to_ = 0;  ///< `quote_` is the one that is open here
    char quote_ = '\0';
    PasswordPrograms programs_;  ///< of the text up to this place:
    std::size_t programs_to_ = 0;
    std::string done_;
};

}  // namespace

bool scrub(std::string& text) {
    auto clean = Scrubber(text).run();
    if (clean) text = std::move(*clean);
    return clean.has_value();
}

std::string scrubbed(std::string_view text) {
    return Scrubber(text).run().value_or(std::string(text));
}

}  // namespace rocmtune
