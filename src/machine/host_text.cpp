// SPDX-License-Identifier: MIT
#include "machine/host_text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// In the order of Operation.
constexpr std::array<std::string_view, 7> operation_names{"read",   "list", "link", "resolve",
                                                          "status", "open", "call"};

constexpr std::string_view base64_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Text that the line format keeps byte by byte.
bool is_plain(std::string_view text) {
    auto const control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    };
    return text.ends_with('\n') && is_utf8(text) && std::none_of(text.begin(), text.end(), control);
}

/// Text that ends its last line: behind `=` if it is one line that is not empty, else below it.
std::string block(std::string_view text) {
    auto const parts = lines(text);
    if (parts.size() == 1 && !parts[0].empty()) return fmt::format("= {}", parts[0]);
    std::string result = "=";
    for (auto const line : parts) result.append("\n\t").append(line);
    return result;
}

std::string binary(std::string_view bytes) {
    return "base64 " + to_base64(bytes);
}

/// The text of the TAB lines below `=`.
std::string block_lines(std::string_view body) {
    std::string text;
    auto const end = body.find('\n');
    if (end == body.npos) return text;
    for (auto const line : lines(body.substr(end + 1))) text.append(line.substr(1)).append(1, '\n');
    return text;
}

std::string escape(std::string_view text, bool blanks_too) {
    std::string result;
    for (auto const c : text) {
        if (c == '\\') result += "\\\\";
        else if (c == '\n') result += "\\n";
        else if (c == ' ' && blanks_too) result += "\\040";
        else result += c;
    }
    return result;
}

/// The end of an entry that starts at the start of `text`: behind its TAB lines.
std::size_t entry_end(std::string_view text) {
    auto end = std::min(text.find('\n'), text.size());
    while (end + 1 < text.size() && text[end + 1] == '\t')
        end = std::min(text.find('\n', end + 1), text.size());
    return end;
}

}  // namespace

HostEntry cut_at(std::string_view text, char separator) {
    auto const end = std::min(text.find(separator), text.size());
    return {text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
}

std::vector<HostEntry> host_entries(std::string_view text) {
    std::vector<HostEntry> entries;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
    while (!text.empty()) {
        text.remove_prefix(1);
        auto const entry = text.substr(0, entry_end(text));
        text.remove_prefix(entry.size());
        if (entry.empty() || entry[0] == '#') continue;
        entries.push_back(cut_at(entry, ' '));
    }
    return entries;
}

std::string escape_value(std::string_view text) {
    return escape(text, false);
}

std::string escape_path(std::string_view path) {
    return escape(path, true);
}

std::string unescape_value(std::string_view text) {
    auto const plain = std::min(text.find('\\'), text.size());
    std::string result(text.substr(0, plain));
    for (auto i = plain; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        bool const has_three = text.size() - i > 3;
        auto const octal = has_three ? to_unsigned(text.substr(i + 1, 3), 8) : std::nullopt;
        if (octal && *octal < 256) {
            result += static_cast<char>(*octal);
            i += 3;
            continue;
        }
        auto const c = text[++i];
        result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    return result;
}

std::string_view operation_name(Operation operation) {
    return operation_names[static_cast<std::size_t>(operation)];
}

std::optional<Operation> operation_of(std::string_view name) {
    auto const found = std::ranges::find(operation_names, name);
    if (found == operation_names.end()) return std::nullopt;
    return static_cast<Operation>(found - operation_names.begin());
}

std::string to_base64(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        auto const count = std::min<std::size_t>(3, bytes.size() - i);
        unsigned bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = (bits << 8) | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            text += j <= count ? base64_alphabet[(bits >> (18 - 6 * j)) & 0x3FU] : '=';
    }
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string bytes;
    unsigned bits = 0;
    int have = 0;
    for (auto const c : text) {
        auto const digit = base64_alphabet.find(c);
        if (digit == base64_alphabet.npos) return std::nullopt;
        bits = (bits << 6) | static_cast<unsigned>(digit);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        bytes += static_cast<char>((bits >> have) & 0xFFU);
    }
    return bytes;
}

std::string file_body(std::string_view content) {
    if (content.empty()) return "=";
    return is_plain(content) ? block(content) : binary(content);
}

std::string call_body(std::string_view value) {
    auto const ended = std::string(value) + '\n';
    bool const one_line = !value.empty() && value.find('\n') == value.npos;
    if (one_line && is_plain(ended)) return fmt::format("= {}", value);
    bool const many_lines = is_plain(value) && lines(value).size() > 1;
    return many_lines ? block(value) : binary(value);
}

std::optional<std::string> file_content(std::string_view body) {
    if (body.starts_with("= ")) return std::string(body.substr(2)) + '\n';
    if (body == "=" || body.starts_with("=\n")) return block_lines(body);
    if (body.starts_with("base64")) return from_base64(trim(body.substr(6)));
    return std::nullopt;
}

std::optional<std::string> call_value(std::string_view body) {
    if (body.starts_with("= ")) return std::string(body.substr(2));
    return file_content(body);
}

}  // namespace rocmtune
