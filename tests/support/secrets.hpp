// SPDX-License-Identifier: MIT
// Secrets made at random for every run, so that no pattern can be tuned to them.
#pragma once

#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

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

/// One of every form that tells by itself: tokens by their shape, URLs, options, headers.
inline std::vector<MadeSecret> made_secrets(SecretMaker& make) {
    std::vector<MadeSecret> all;
    auto const token = [&](std::string form, std::string const& prefix, std::string body,
                           std::string const& end = {}) {
        all.push_back({std::move(form), prefix + body + end, body});
    };
    auto const plain = SecretMaker::plain;
    auto const dashed = SecretMaker::dashed;
    for (auto const* prefix : {"ghp_", "gho_", "ghu_", "ghs_", "ghr_"})
        token(prefix, prefix, make.of(plain, 36));
    token("github_pat_", "github_pat_", make.of(plain, 22) + '_' + make.of(plain, 59));
    token("glpat-", "glpat-", make.of(dashed, 20));
    token("glrt-", "glrt-", make.of(dashed, 20));
    token("hf_", "hf_", make.of(plain, 34));
    token("sk-", "sk-", make.of(plain, 48));
    token("sk-proj-", "sk-proj-", make.of(dashed, 74));
    token("sk-ant-", "sk-ant-api03-", make.of(dashed, 93), "AA");
    token("AKIA", "AKIA", make.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16));
    token("ASIA", "ASIA", make.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16));
    token("AIza", "AIza", make.of(dashed, 35));
    token("ya29.", "ya29.", make.of(dashed, 60));
    token("xoxb-", "xoxb-", make.of("0123456789", 12) + '-' + make.of(plain, 24));
    token("npm_", "npm_", make.of(plain, 36));
    token("pypi-", "pypi-AgEIcHlwaS5vcmc", make.of(dashed, 80));
    token("dckr_pat_", "dckr_pat_", make.of(dashed, 27));
    token("dop_v1_", "dop_v1_", make.hexadecimal(64));
    token("sk_live_", "sk_live_", make.of(plain, 24));
    token("rk_live_", "rk_live_", make.of(plain, 24));
    token("SG.", "SG.", make.of(dashed, 22) + '.' + make.of(dashed, 43));
    token("twilio", "SK", make.hexadecimal(32));
    token("dapi", "dapi", make.hexadecimal(32));
    token("hvs.", "hvs.", make.of(dashed, 90));
    token("nvapi-", "nvapi-", make.of(dashed, 64));
    token("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI",
          make.of(dashed, 24) + '.' + make.of(dashed, 43));
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
