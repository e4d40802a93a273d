// SPDX-License-Identifier: MIT
#include "knowledge/secret_names.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "knowledge/environment_names.hpp"

namespace rocmtune {
namespace {

using std::string_view;

bool is_small(char c) {
    return c >= 'a' && c <= 'z';
}
bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

bool is_among(string_view word, std::initializer_list<string_view> list) {
    return std::ranges::find(list, word) != list.end();
}

/// API_KEY for api-key, x.apiKey's last words too: as names of variables are written.
std::string as_variable(string_view name) {
    constexpr std::size_t longest = 128;
    name.remove_prefix(name.size() - std::min(name.size(), longest));
    std::string made;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (i > 0 && is_small(name[i - 1]) && is_capital(name[i])) made += '_';
        made += name[i] == '-' || name[i] == '.' ? '_' : to_upper(name[i]);
    }
    return made;
}

/// "key-file", "tokenPath": the place of a secret is none.
bool is_place(string_view name) {
    return name.ends_with("_FILE") || name.ends_with("_PATH") || name.ends_with("_DIR") ||
           name.ends_with("FILE");
}

std::string kind_of(SecretPattern const& pattern) {
    auto kind = lower(pattern.text);
    std::ranges::replace(kind, '_', ' ');
    return kind;
}

bool is_password(string_view pattern) {
    return is_among(pattern,
                    {"PASSWORD", "PASSWD", "PASSPHRASE", "PASS_PHRASE", "PASS", "PWD", "SECRET"});
}

/// Whether the last letters of a name are a word of their own without the help of capitals.
bool parts_before(string_view name, std::size_t letters) {
    return name.size() == letters || !is_letter(name[name.size() - letters - 1]);
}

bool is_number(string_view value) {
    return value.find_first_not_of("0123456789.+-") == value.npos;
}

/// How an option takes a password.
constexpr unsigned attached_to_it = 1;  ///< -pPASSWORD
constexpr unsigned behind_it = 2;       ///< -p PASSWORD
constexpr unsigned with_user = 4;       ///< NAME:PASSWORD, either way

struct PasswordOption {
    string_view program;
    string_view options;
    unsigned how;
};

/// By the manuals of the programs. What stands behind "mysql -p" and a blank is the name of a
/// database: mysql(1) and mariadb(1) take a password only where there is no blank. gitleaks has a
/// rule for curl's -u and --user (curl-auth-user) and none for the other programs: "-p" alone says
/// nothing; beside the program's name it does.
constexpr PasswordOption password_options[] = {
    {"7z", "p", attached_to_it},
    {"7za", "p", attached_to_it},
    {"curl", "uU", with_user},
    {"ipmitool", "P", attached_to_it | behind_it},
    {"ldapadd", "w", attached_to_it | behind_it},
    {"ldapmodify", "w", attached_to_it | behind_it},
    {"ldapsearch", "w", attached_to_it | behind_it},
    {"login", "p", behind_it},
    {"mariadb", "p", attached_to_it},
    {"mariadb-dump", "p", attached_to_it},
    {"mongodump", "p", behind_it},
    {"mongosh", "p", behind_it},
    {"mysql", "p", attached_to_it},
    {"mysqladmin", "p", attached_to_it},
    {"mysqlcheck", "p", attached_to_it},
    {"mysqldump", "p", attached_to_it},
    {"mysqlimport", "p", attached_to_it},
    {"mysqlshow", "p", attached_to_it},
    {"redis-cli", "a", behind_it},
    {"sshpass", "p", attached_to_it | behind_it},
};

bool is_part_of_program(char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_';
}

unsigned program_bit(string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    for (unsigned i = 0; i < std::size(password_options); ++i)
        if (word == password_options[i].program) return 1U << i;
    return 0;
}

/// A line, or what a shell runs on its own: not a line that goes on in the next one.
bool ends_command(string_view before, string_view rest) {
    if (rest.front() == '\n') return !before.ends_with('\\');
    return rest.starts_with("&&") || rest.starts_with("; ") || rest.starts_with("| ");
}

/// "docker run --name mysql -p8080:80", "sshpass -e ssh -p 2222"
bool is_port(string_view value) {
    constexpr std::size_t longest = 5;
    auto const bare = value.substr(0, value.find_first_of(":/"));
    return (bare.size() <= longest || bare.find('.') != bare.npos) &&
           value.find_first_not_of("0123456789.:-/") == value.npos;
}

}  // namespace

std::optional<Promise> promise_of(string_view name, Beside how) {
    constexpr std::size_t shortest = 3;
    if (name.size() < shortest) return std::nullopt;
    auto const variable = as_variable(name);
    if (how == Beside::query && is_among(variable, {"SIG", "KEY", "CODE"}))
        return Promise{.kind = variable == "SIG" ? "signature" : lower(variable),
                       .strong = true,
                       .is_password = true};
    auto const* pattern = secret_pattern_of(variable);
    if (pattern == nullptr) return std::nullopt;
    auto const text = pattern->text;
    return Promise{
        .kind = kind_of(*pattern),
        .strong = (is_strong(*pattern) && !is_place(variable)) ||
                  is_among(text, {"AUTHORIZATION", "PASS", "PWD", "CREDS", "BEARER", "JWT", "DSN"}),
        .is_password = is_password(text),
        .is_pin = text == "PIN" && parts_before(name, text.size()),
        .is_lone = variable.size() == text.size(),
        .is_header = is_among(text, {"AUTH", "AUTHORIZATION"}),
        .is_cookie = is_among(text, {"COOKIE", "COOKIES"})};
}

bool is_believed(Promise const& promise, string_view value, Beside how) {
    constexpr std::size_t shortest_pin = 4, longest_number = 9;
    if (promise.is_pin && is_number(value)) return value.size() >= shortest_pin;
    if (is_number(value) && value.size() <= longest_number) return promise.is_password;
    // "signing key: 5f1c..." and "key=..." are said of what is no secret, too.
    bool const is_prose =
        promise.is_lone && (how == Beside::colon || promise.kind.starts_with("key"));
    if (promise.strong || how == Beside::query) return true;
    if (is_prose && how != Beside::option) return false;
    return looks_random(value) || (promise.is_header && value.find(':') != value.npos);
}

bool looks_random(string_view text) {
    constexpr std::size_t shortest = 8;
    if (text.size() < shortest || text.starts_with("0x") || text.starts_with('/') ||
        text.starts_with('.') || text.find("=/") != text.npos || text.starts_with("UUID=") ||
        text.find(' ') != text.npos)
        return false;
    auto const digits = std::ranges::count_if(text, is_digit);
    auto const capitals = std::ranges::count_if(text, is_capital);
    auto const small = std::ranges::count_if(text, is_small);
    return is_varied(text.substr(0, 64)) &&
           ((digits > 0 && capitals + small > 1) || (capitals > 1 && small > 1));
}

bool stands_for_secret(string_view value) {
    if (value.empty() || secret_mark_length(value) > 0) return true;
    auto const first = value.front();
    bool const is_reference =
        first == '$' || first == '%' || first == '<' || first == '[' || first == '{';
    bool const is_one_character = value.find_first_not_of(value.front()) == value.npos;
    return is_reference || is_one_character ||
           is_among(lower(value), {"true", "false", "yes", "no", "on", "off", "none", "null",
                                   "unknown", "unset", "default", "auto", "xxx", "..."});
}

bool is_scheme(string_view word) {
    constexpr std::array<string_view, 6> schemes{"BEARER", "BASIC",     "TOKEN",
                                                 "DIGEST", "NEGOTIATE", "APIKEY"};
    return std::ranges::any_of(schemes, [&](string_view scheme) {
        return std::ranges::equal(word, scheme, {}, to_upper);
    });
}

bool is_proxy(string_view name) {
    return upper(name).ends_with("PROXY");
}

std::size_t secret_path_in(string_view address) {
    for (string_view const hook :
         {"hooks.slack.com/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
          "webhook.office.com/", "api.telegram.org/bot"})
        if (auto const at = address.find(hook);
            at != address.npos && at + hook.size() < address.size() &&
            secret_mark_length(address.substr(at + hook.size())) == 0)
            return at + hook.size();
    return address.npos;
}

void PasswordPrograms::see(string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        auto const rest = text.substr(at);
        auto const end = std::ranges::find_if_not(rest, is_part_of_program) - rest.begin();
        auto const seen = program_bit(rest.substr(0, static_cast<std::size_t>(end)));
        all_ |= seen, command_ |= seen;
        if (end == 0 && ends_command(text.substr(0, at), rest)) command_ = 0;
        at += static_cast<std::size_t>(std::max<std::ptrdiff_t>(end, 1));
    }
}

std::size_t PasswordPrograms::password_in(string_view option, string_view value,
                                          bool attached) const {
    if (all_ == 0 || value.empty() || stands_for_secret(value)) return value.npos;
    auto const how = attached ? attached_to_it : behind_it;
    for (unsigned i = 0; i < std::size(password_options); ++i) {
        auto const& row = password_options[i];
        bool const is_long = row.how == with_user && is_among(option, {"user", "proxy-user"});
        bool const is_option = option.size() == 1 && row.options.find(option) != row.options.npos;
        if ((all_ & 1U << i) == 0 || !(is_option || is_long)) continue;
        auto const colon = value.find(':');
        if (row.how == with_user && colon != value.npos && colon + 1 < value.size() &&
            secret_mark_length(value.substr(colon + 1)) == 0)
            return colon + 1;
        if ((row.how & how) != 0 && (command_ & 1U << i) != 0 && !is_port(value)) return 0;
    }
    return value.npos;
}

}  // namespace rocmtune
