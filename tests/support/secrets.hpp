// SPDX-License-Identifier: MIT
// Secrets made at random for every run, so that no pattern can be tuned to them.
#pragma once

#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/token_forms.hpp"

namespace rocmtune::test {

/// ROCMTUNE_SEED repeats a run that failed.
inline unsigned secrets_seed() {
    auto const* given = std::getenv("ROCMTUNE_SEED");
    static unsigned const seed =
        given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device{}();
    return seed;
}

class SecretMaker {
  public:
    explicit SecretMaker(unsigned seed) : engine_(seed) {}

    std::string of(std::string_view alphabet, std::size_t size) {
        std::uniform_int_distribution<std::size_t> index(0, alphabet.size() - 1);
        std::string made;
        while (made.size() < size) made += alphabet[index(engine_)];
        return made;
    }
    /// Letters and digits, at least one of each kind.
    std::string word(std::size_t size) { return "q7Z" + of(plain, size - 3); }
    std::string hexadecimal(std::size_t size) { return of("0123456789abcdef", size); }

    /// Of what a letter of TokenForm stands for.
    std::string of_class(char letter, std::size_t size) {
        switch (letter) {
            case 'l': return of(plain.substr(10), size);
            case 's': return of("0123456789abcdefghijklmnopqrstuvwxyz", size);
            case 'C': return of(plain.substr(0, 36), size);
            case 't': return of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", size);
            case 'n': return of("0123456789", size);
            case 'x': return hexadecimal(size);
            case 'd': return of(std::string(dashed) + '-', size);
            case 'b': return of(std::string(plain) + "+/", size);
            default: return of(plain, size);
        }
    }

    static constexpr std::string_view plain =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static constexpr std::string_view dashed =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";

  private:
    std::mt19937 engine_;
};

/// A secret as it stands in a text, and the part of it that must not come out.
struct MadeSecret {
    std::string form;    ///< for people: "token of GitHub"
    std::string text;    ///< what stands in a value: a URL, a token, an option with its value
    std::string hidden;  ///< must stand nowhere
};

/// The longest part that is made must not come out.
inline MadeSecret made_token(SecretMaker& make, TokenForm const& form) {
    MadeSecret made{.form = std::string(form.rule), .text = {}, .hidden = {}};
    for (std::size_t at = 0; at < form.token.size(); ++at) {
        if (form.token[at] != '%') {
            made.text += form.token[at];
            continue;
        }
        std::size_t size = 0;
        while (std::string_view("0123456789").find(form.token[++at]) != std::string_view::npos)
            size = size * 10 + static_cast<std::size_t>(form.token[at] - '0');
        auto const part = make.of_class(form.token[at], size);
        made.text += part;
        if (part.size() > made.hidden.size()) made.hidden = part;
    }
    return made;
}

/// One of every form that tells by itself: tokens by their shape, URLs, options, headers.
inline std::vector<MadeSecret> made_secrets(SecretMaker& make) {
    std::vector<MadeSecret> all;
    auto const token = [&](std::string form, std::string const& prefix, std::string body,
                           std::string const& end = {}) {
        all.push_back({std::move(form), prefix + body + end, body});
    };
    for (auto const& form : token_forms) all.push_back(made_token(make, form));
    auto const dashed = SecretMaker::dashed;
    token("ya29.", "ya29.", make.of(dashed, 60));
    token("dckr_pat_", "dckr_pat_", make.of(dashed, 27));
    token("nvapi-", "nvapi-", make.of(dashed, 64));
    auto const in_url = [&](std::string form, std::string const& before, std::string const& after) {
        auto const password = make.word(16);
        all.push_back({std::move(form), before + password + after, password});
    };
    in_url("url password", "https://anna:", "@files.example.org:8443/x");
    in_url("url with token", "https://", make.word(30) + "@files.example.org/x");
    in_url("url password, slash in it", "postgres://anna:a/", "@db.example.org/x");
    in_url("query token", "https://files.example.org/x?v=1&access_token=", "&y=2");
    in_url("query sig", "https://x.blob.example.org/c?se=1&sig=", "&sp=r");
    in_url("query signature", "https://x.example.org/c?X-Amz-Signature=", "");
    in_url("slack hook", "https://hooks.slack.com/services/T0/B0/", "");
    in_url("option with blank", "serve --api-key ", " --port 80");
    in_url("option with equals", "serve --token=", " --port 80");
    in_url("quoted option", "serve --password '", "' --port 80");
    in_url("header", "curl -H 'Authorization: Bearer ", "' http://127.0.0.1");
    in_url("basic header", "curl -H \"Authorization: Basic ", "==\" http://127.0.0.1");
    in_url("curl -u", "curl -u anna:", " http://127.0.0.1");
    in_url("assignment", "env DB_PASSWORD=", " serve");
    in_url("field", R"({"user": "anna", "clientSecret": ")", "\"}");
    in_url("connection", "Server=db;User=anna;Password=", ";Port=1");
    in_url("account key", "AccountName=x;AccountKey=", "==;EndpointSuffix=y");
    in_url("private key", "-----BEGIN PRIVATE KEY-----\\n", "\\n-----END PRIVATE KEY-----");
    return all;
}

}  // namespace rocmtune::test
