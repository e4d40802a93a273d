// SPDX-License-Identifier: MIT
#include "system/text_writer.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "system/path.hpp"
#include "system/posix_file.hpp"

namespace rocmtune {
namespace {

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

std::string to_base64(std::string_view bytes) {
    static constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        auto const count = std::min<std::size_t>(3, bytes.size() - i);
        unsigned bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = (bits << 8) | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            text += j <= count ? alphabet[(bits >> (18 - 6 * j)) & 0x3FU] : '=';
    }
    return text;
}

/// Text that the line format keeps byte by byte.
bool is_plain(std::string_view text) {
    auto const control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; };
    return text.ends_with('\n') && is_utf8(text) && std::none_of(text.begin(), text.end(), control);
}

/// The part of a line after the path or key: one line behind `=`, more of them below it with TABs.
std::string block(std::string_view text) {
    auto const parts = lines(text);
    if (parts.size() == 1 && !parts[0].empty()) return fmt::format("= {}\n", parts[0]);
    std::string result = "=\n";
    for (auto const line : parts) result += fmt::format("\t{}\n", line);
    return result;
}

std::string file_body(std::string_view text) {
    if (text.empty()) return "=\n";
    return is_plain(text) ? block(text) : fmt::format("base64 {}\n", to_base64(text));
}

/// Collects entries by canonical path: of two answers for one path the fuller one stays.
class Writer {
  public:
    explicit Writer(QueryLog const& log) : log_(log) {
        for (auto const& entry : log.entries())
            if (entry.operation == Operation::resolve && entry.reply.ok && entry.path != entry.reply.text)
                links_[entry.path] = entry.reply.text;
        for (auto const& entry : log.entries()) add(entry);
        for (auto const& [path, target] : links_) bodies_[path] = {fullest, fmt::format("-> {}\n", target)};
    }

    std::string text() const {
        std::string result;
        for (auto const& [key, body] : calls_) result += fmt::format("call {} {}", key, body);
        for (auto const& [path, body] : bodies_)
            if (body.rank > rank_of_place || !has_children(path)) result += escape(path, true) + ' ' + body.text;
        return result;
    }

  private:
    static constexpr int rank_of_place = 2;  ///< up to here an entry says only that a path exists
    static constexpr int fullest = 9;
    struct Body {
        int rank = -1;
        std::string text;
    };

    void put(std::string const& path, int rank, std::string text) {
        auto& body = bodies_[canonical(path)];
        if (rank > body.rank) body = {rank, std::move(text)};
    }

    std::string canonical(std::string const& path) const {
        auto const read_link = [&](std::string const& at) -> std::optional<std::string> {
            auto const found = links_.find(at);
            if (found == links_.end()) return std::nullopt;
            return found->second;
        };
        auto const resolved = resolve_in_root(path, read_link, false);
        return resolved.error == 0 ? resolved.path : path;
    }

    void add(QueryLog::Entry const& entry) {
        auto const& reply = entry.reply;
        if (entry.operation == Operation::call) return add_call(entry);
        if (!reply.ok) {
            if (reply.error != 0 && entry.operation != Operation::open)
                put(entry.path, 3, fmt::format("error {}\n", errno_name(reply.error)));
            return;
        }
        switch (entry.operation) {
            case Operation::read:
                return put(entry.path, 5, reply.truncated ? "error EFBIG\n" : file_body(reply.text));
            case Operation::link: return put(entry.path, 6, fmt::format("-> {}\n", reply.text));
            case Operation::list: return add_names(entry.path, reply.text);
            case Operation::status: return add_status(entry.path, reply.text);
            default: return;
        }
    }

    void add_call(QueryLog::Entry const& entry) {
        if (entry.reply.ok) calls_[entry.path] = block(entry.reply.text);
        else if (entry.reply.error != 0) calls_[entry.path] = fmt::format("error {}\n", errno_name(entry.reply.error));
    }

    void add_names(std::string const& path, std::string const& names) {
        if (names.empty()) put(path, 2, "dir\n");
        for (auto const name : split(names, '\0'))
            if (!name.empty()) put(fmt::format("{}/{}", path == "/" ? "" : path, name), 0, "listed\n");
    }

    void add_status(std::string const& path, std::string const& text) {
        auto const part = words(text);
        if (part.size() != 6) return;
        if (part[0] == "c" || part[0] == "b") {
            put(path, 4, fmt::format("device {} {}:{} mode {} owner {}:{}{}\n", part[0], part[4], part[5], part[1], part[2], part[3], open_error(path)));
        } else {
            put(path, 2, part[0] == "d" ? "dir\n" : "listed\n");
        }
    }

    std::string open_error(std::string const& path) const {
        auto const* reply = log_.find({Operation::open, path});
        return reply == nullptr || reply->ok || reply->error == 0 ? "" : " open " + errno_name(reply->error);
    }

    bool has_children(std::string const& path) const {
        auto const next = bodies_.lower_bound(path + '/');
        return next != bodies_.end() && next->first.starts_with(path + '/');
    }

    QueryLog const& log_;
    std::map<std::string, std::string> links_;
    std::map<std::string, Body> bodies_;
    std::map<std::string, std::string> calls_;
};

}  // namespace

std::string write_host_text(QueryLog const& log, std::string_view environment, std::string_view label) {
    auto text = fmt::format("rocmtune-host 1\nlabel {}\nunlisted not-recorded\n", escape(label, false));
    for (auto const entry : split(environment, '\0'))
        if (!entry.empty()) text += fmt::format("env {}\n", escape(entry, false));
    return text + Writer(log).text();
}

}  // namespace rocmtune
