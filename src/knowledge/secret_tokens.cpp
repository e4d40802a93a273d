// SPDX-License-Identifier: MIT
#include "knowledge/secret_names.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// What a token is made of behind its prefix.
enum class Made : std::uint8_t {
    letters_digits,
    word,
    dashed,
    dotted,
    base64,
    hexadecimal,
    capitals
};

bool fits(char c, Made made) {
    bool const plain = is_letter(c) || is_digit(c);
    switch (made) {
        case Made::letters_digits: return plain;
        case Made::word: return plain || c == '_';
        case Made::dashed: return plain || c == '_' || c == '-';
        case Made::dotted: return plain || c == '_' || c == '-' || c == '.' || c == '=';
        case Made::base64: return plain || c == '+' || c == '/' || c == '=' || c == '_' || c == '-';
        case Made::hexadecimal: return is_hexadecimal(c);
        case Made::capitals: return is_digit(c) || (c >= 'A' && c <= 'Z');
    }
    return false;
}

struct TokenShape {
    string_view prefix;
    Made made;
    std::size_t least;  ///< characters behind the prefix
    string_view kind;
};

/// Prefixes and lengths: the issuers' own texts, the rules of gitleaks (config/gitleaks.toml as of
/// 09242ce) and of detect-secrets (detect_secrets/plugins), read in November 2026. No length is
/// more than gitleaks asks for where it asks for one, so that a longer token of tomorrow is found,
/// too; but for EAAA (Square, there 22), with which base64 of small numbers begins. Of Artifactory
/// detect-secrets takes 10 behind AKC, which names have, too. tests/support/token_forms.hpp has the
/// rules that are held. Not here are rules without a prefix (Azure's client secrets, ClickHouse),
/// most of shops, payment and mail, and those for a value beside the name of its service: here that
/// name has to promise a secret. By prefix.
constexpr TokenShape shapes[] = {
    {"A3T", Made::capitals, 17, "key of AWS"},
    {"ABIA", Made::capitals, 16, "key of AWS"},
    {"ABSK", Made::base64, 100, "key of AWS"},
    {"ACCA", Made::capitals, 16, "key of AWS"},
    {"AGE-SECRET-KEY-1", Made::capitals, 58, "key of age"},
    {"AIza", Made::dashed, 35, "key of Google"},
    {"AKCp", Made::letters_digits, 60, "key of Artifactory"},
    {"AKIA", Made::capitals, 16, "key of AWS"},
    {"API-", Made::capitals, 26, "key of Octopus Deploy"},
    {"ASIA", Made::capitals, 16, "key of AWS"},
    {"ATATT3", Made::dotted, 100, "token of Atlassian"},
    {"EAAA", Made::dashed, 56, "token of Square"},
    {"GOCSPX-", Made::dashed, 24, "secret of Google"},
    {"GR1348941", Made::dashed, 20, "token of GitLab"},
    {"HRKU-AA", Made::dashed, 50, "key of Heroku"},
    {"LTAI", Made::letters_digits, 16, "key of Alibaba"},
    {"PMAK-", Made::dashed, 50, "key of Postman"},
    {"SG.", Made::dotted, 60, "key of SendGrid"},
    {"SK", Made::hexadecimal, 32, "key of Twilio"},
    {"ZXlK", Made::base64, 44, "JSON web token"},
    {"api_org_", Made::letters_digits, 30, "token of Hugging Face"},
    {"atlasv1.", Made::dotted, 60, "token of Terraform"},
    {"bedrock-api-key-", Made::base64, 28, "key of AWS"},
    {"cmVmd", Made::letters_digits, 59, "token of Artifactory"},
    {"dapi", Made::hexadecimal, 32, "token of Databricks"},
    {"dckr_oat_", Made::dashed, 20, "token of Docker"},
    {"dckr_pat_", Made::dashed, 20, "token of Docker"},
    {"doo_v1_", Made::hexadecimal, 64, "token of DigitalOcean"},
    {"dop_v1_", Made::hexadecimal, 64, "token of DigitalOcean"},
    {"dor_v1_", Made::hexadecimal, 64, "token of DigitalOcean"},
    {"dp.pt.", Made::letters_digits, 40, "token of Doppler"},
    {"dt0c01.", Made::dotted, 60, "token of Dynatrace"},
    {"eyJrIjoi", Made::letters_digits, 70, "key of Grafana"},
    {"fm1a_", Made::base64, 60, "token of Fly.io"},
    {"fm1r_", Made::base64, 60, "token of Fly.io"},
    {"fm2_", Made::base64, 60, "token of Fly.io"},
    {"fo1_", Made::dashed, 40, "token of Fly.io"},
    {"gho_", Made::word, 36, "token of GitHub"},
    {"ghp_", Made::word, 36, "token of GitHub"},
    {"ghr_", Made::word, 36, "token of GitHub"},
    {"ghs_", Made::word, 36, "token of GitHub"},
    {"ghu_", Made::word, 36, "token of GitHub"},
    {"github_pat_", Made::word, 36, "token of GitHub"},
    {"glagent-", Made::dashed, 50, "token of GitLab"},
    {"glc_", Made::base64, 32, "token of Grafana"},
    {"glcbt-", Made::dashed, 20, "token of GitLab"},
    {"gldt-", Made::dashed, 20, "token of GitLab"},
    {"glffct-", Made::dashed, 20, "token of GitLab"},
    {"glft-", Made::dashed, 20, "token of GitLab"},
    {"glimt-", Made::dashed, 20, "token of GitLab"},
    {"gloas-", Made::dashed, 64, "token of GitLab"},
    {"glpat-", Made::dotted, 20, "token of GitLab"},
    {"glptt-", Made::dashed, 40, "token of GitLab"},
    {"glrt-", Made::dotted, 20, "token of GitLab"},
    {"glsa_", Made::word, 40, "token of Grafana"},
    {"glsoat-", Made::dashed, 20, "token of GitLab"},
    {"gsk_", Made::letters_digits, 40, "key of Groq"},
    {"hf_", Made::letters_digits, 30, "token of Hugging Face"},
    {"hvb.", Made::dashed, 80, "token of Vault"},
    {"hvr.", Made::dashed, 80, "token of Vault"},
    {"hvs.", Made::dashed, 24, "token of Vault"},
    {"lin_api_", Made::letters_digits, 40, "key of Linear"},
    {"lsv2_", Made::word, 40, "key of LangSmith"},
    {"npm_", Made::letters_digits, 36, "token of npm"},
    {"ntn_", Made::letters_digits, 40, "token of Notion"},
    {"nvapi-", Made::dashed, 40, "key of NVIDIA"},
    {"ops_eyJ", Made::base64, 100, "token of 1Password"},
    {"pat.", Made::dotted, 68, "token of Harness"},
    {"pnu_", Made::letters_digits, 36, "key of Prefect"},
    {"pplx-", Made::letters_digits, 40, "key of Perplexity"},
    {"pul-", Made::hexadecimal, 40, "token of Pulumi"},
    {"pypi-", Made::dashed, 50, "token of PyPI"},
    {"r8_", Made::letters_digits, 36, "token of Replicate"},
    {"rdme_", Made::letters_digits, 64, "key of ReadMe"},
    {"rk_live_", Made::letters_digits, 10, "key of Stripe"},
    {"rk_prod_", Made::letters_digits, 10, "key of Stripe"},
    {"rk_test_", Made::letters_digits, 10, "key of Stripe"},
    {"rubygems_", Made::hexadecimal, 48, "key of RubyGems"},
    {"sat.", Made::dotted, 68, "token of Harness"},
    {"sgp_", Made::word, 40, "token of Sourcegraph"},
    {"sha256~", Made::dashed, 43, "token of OpenShift"},
    {"shpat_", Made::hexadecimal, 32, "token of Shopify"},
    {"shpca_", Made::hexadecimal, 32, "token of Shopify"},
    {"shppa_", Made::hexadecimal, 32, "token of Shopify"},
    {"shpss_", Made::hexadecimal, 32, "secret of Shopify"},
    {"sk-", Made::letters_digits, 32, "key of OpenAI"},
    {"sk-admin-", Made::dashed, 32, "key of OpenAI"},
    {"sk-ant-", Made::dashed, 32, "key of Anthropic"},
    {"sk-or-", Made::dashed, 32, "key of OpenRouter"},
    {"sk-proj-", Made::dashed, 32, "key of OpenAI"},
    {"sk-svcacct-", Made::dashed, 32, "key of OpenAI"},
    {"sk_live_", Made::letters_digits, 10, "key of Stripe"},
    {"sk_prod_", Made::letters_digits, 10, "key of Stripe"},
    {"sk_test_", Made::letters_digits, 10, "key of Stripe"},
    {"sntrys_", Made::base64, 60, "token of Sentry"},
    {"sntryu_", Made::hexadecimal, 64, "token of Sentry"},
    {"sq0atp-", Made::dashed, 22, "token of Square"},
    {"sq0csp-", Made::dashed, 40, "secret of Square"},
    {"tskey-", Made::dashed, 20, "key of Tailscale"},
    {"v1.0-", Made::dashed, 171, "key of Cloudflare"},
    {"wandb_v1_", Made::word, 30, "key of Weights & Biases"},
    {"xai-", Made::letters_digits, 70, "key of xAI"},
    {"xapp-", Made::dashed, 24, "token of Slack"},
    {"xkeysib-", Made::dashed, 64, "key of Brevo"},
    {"xoxa-", Made::dashed, 8, "token of Slack"},
    {"xoxb-", Made::dashed, 20, "token of Slack"},
    {"xoxe-", Made::dashed, 20, "token of Slack"},
    {"xoxe.xox", Made::dashed, 20, "token of Slack"},
    {"xoxo-", Made::dashed, 10, "token of Slack"},
    {"xoxp-", Made::dashed, 20, "token of Slack"},
    {"xoxr-", Made::dashed, 8, "token of Slack"},
    {"xoxs-", Made::dashed, 10, "token of Slack"},
    {"ya29.", Made::dashed, 20, "token of Google"},
};
static_assert(std::ranges::is_sorted(shapes, {}, &TokenShape::prefix));

/// By first character, the first of its rows; none: the number of rows.
constexpr auto first_rows = [] {
    std::array<std::uint8_t, 256> rows{};
    rows.fill(static_cast<std::uint8_t>(std::size(shapes)));
    for (auto i = std::size(shapes); i-- > 0;)
        rows[static_cast<unsigned char>(shapes[i].prefix.front())] = static_cast<std::uint8_t>(i);
    return rows;
}();

std::size_t first_row(char c) {
    return first_rows[static_cast<unsigned char>(c)];
}

/// Of hostile texts no more is looked at than this, from each place anew.
constexpr std::size_t longest = 8192;

std::size_t run_of(string_view text, Made made) {
    text = text.substr(0, longest);
    auto const end = std::ranges::find_if_not(text, [&](char c) { return fits(c, made); });
    return static_cast<std::size_t>(end - text.begin());
}

/// A token that goes on in letters or digits of another kind is something else.
bool goes_on(string_view rest) {
    return !rest.empty() && (is_letter(rest.front()) || is_digit(rest.front()));
}

ShapedSecret shape_at(string_view text, TokenShape const& shape) {
    if (!text.starts_with(shape.prefix)) return {};
    auto const body = text.substr(shape.prefix.size());
    auto size = run_of(body, shape.made);
    while (size > 0 && body[size - 1] == '.') --size;  // the end of a sentence
    bool const is_token =
        size >= shape.least && !goes_on(body.substr(size)) && is_varied(body.substr(0, size));
    return is_token ? ShapedSecret{shape.prefix.size() + size, shape.kind} : ShapedSecret{};
}

constexpr string_view web_token_start = "eyJ";

/// Three parts in base64url, of which the first two are JSON objects (RFC 7519): "eyJ" is `{"`. The
/// signature may be missing or cut.
ShapedSecret web_token_at(string_view text) {
    constexpr std::size_t least = 12;
    if (!text.starts_with(web_token_start)) return {};
    auto const header = run_of(text, Made::dashed);
    if (header < least || text.substr(header, 1) != ".") return {};
    auto const claims = run_of(text.substr(header + 1), Made::dashed);
    if (claims < least) return {};
    auto const size = header + 1 + claims;
    auto const signature =
        text.substr(size, 1) == "." ? 1 + run_of(text.substr(size + 1), Made::dashed) : 0;
    return {size + signature, "JSON web token"};
}

/// Of Vault before 1.10 (gitleaks: vault-service-token): letters alone are a name in a program.
ShapedSecret old_vault_token_at(string_view text) {
    constexpr string_view prefix = "s.";
    constexpr std::size_t size = 24;
    if (!text.starts_with(prefix)) return {};
    auto const body =
        text.substr(prefix.size(), run_of(text.substr(prefix.size()), Made::letters_digits));
    bool const is_token = body.size() == size && std::ranges::any_of(body, is_digit) &&
                          std::ranges::any_of(body, is_letter) && is_varied(body);
    return is_token ? ShapedSecret{prefix.size() + size, "token of Vault"} : ShapedSecret{};
}

}  // namespace

bool may_begin_token(char c) {
    return first_row(c) < std::size(shapes) || c == web_token_start.front();
}

ShapedSecret token_at(string_view text) {
    if (text.empty()) return {};
    auto found = web_token_at(text);
    if (found.size == 0) found = old_vault_token_at(text);
    // Of two prefixes that fit the longer one stands behind the other.
    for (auto row = first_row(text.front());
         row < std::size(shapes) && shapes[row].prefix.front() == text.front(); ++row)
        if (auto const at = shape_at(text, shapes[row]); at.size > 0) found = at;
    return found;
}

ShapedSecret private_key_at(string_view text) {
    constexpr string_view start = "-----BEGIN ";
    constexpr std::size_t longest_title = 80;
    if (!text.starts_with(start)) return {};
    auto const title = text.substr(start.size(), longest_title);
    auto const dashes = title.find("-----");
    if (title.substr(0, dashes).find("PRIVATE KEY") == title.npos) return {};
    auto const last = text.find("-----END ", start.size());
    if (last == text.npos) return {text.size(), "private key"};
    auto const end = text.find("-----", last + start.size());
    return {end == text.npos ? text.size() : end + 5, "private key"};
}

bool is_varied(string_view text) {
    std::array<bool, 256> seen{};
    for (auto const c : text) seen[static_cast<unsigned char>(c)] = true;
    constexpr std::ptrdiff_t enough = 8;
    return std::ranges::count(seen, true) >= enough;
}

}  // namespace rocmtune
