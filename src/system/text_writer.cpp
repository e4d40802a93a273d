// SPDX-License-Identifier: MIT
#include "system/text_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>

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
    auto const control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    };
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

/// A call's value behind `=` has no line end; several lines below it have one each.
std::string call_body(std::string_view text) {
    auto const ended = std::string(text) + '\n';
    if (!text.empty() && text.find('\n') == text.npos && is_plain(ended))
        return fmt::format("= {}\n", text);
    auto const many = is_plain(text) && lines(text).size() > 1;
    return many ? block(text) : fmt::format("base64 {}\n", to_base64(text));
}

/// Links by canonical path of the link itself: what `readlink` said, and where `realpath` led.
class Links {
  public:
    explicit Links(QueryLog const& log) {
        std::map<std::string, std::string> resolved;
        for (auto const& entry : log.entries()) {
            if (!entry.reply.ok) continue;
            if (entry.operation == Operation::link) raw_[entry.path] = entry.reply.text;
            if (entry.operation == Operation::resolve) resolved[entry.path] = entry.reply.text;
        }
        // In order of paths, so that the links above one are known before it.
        for (auto const& [path, target] : resolved) lead(path, target);
        for (auto const& [path, target] : raw_)
            targets_.try_emplace(canonical(path, false), target);
    }

    std::string canonical(std::string const& path, bool follow_last) const {
        auto const read_link = [&](std::string const& at) -> std::optional<std::string> {
            auto const found = targets_.find(at);
            if (found == targets_.end()) return std::nullopt;
            return found->second;
        };
        auto const resolved = resolve_in_root(path, read_link, follow_last);
        return resolved.error == 0 ? resolved.path : path;
    }

    std::map<std::string, std::string> const& targets() const { return targets_; }

  private:
    /// Makes `path` lead to `target`: by the link's own text if that does, else directly.
    void lead(std::string const& path, std::string const& target) {
        if (canonical(path, true) == target) return;
        auto const place = canonical(path, false);
        if (auto const raw = raw_.find(path); raw != raw_.end()) {
            targets_[place] = raw->second;
            if (canonical(path, true) == target) return;
        }
        targets_[place] = target;
    }

    std::map<std::string, std::string> raw_;
    std::map<std::string, std::string> targets_;
};

/// What all answers about one canonical path come to.
struct Place {
    bool exists = false;       ///< something but an error was said of it
    bool listed = false;       ///< its name stands in a list
    bool directory = false;    ///< it is one
    bool names_known = false;  ///< and its names were listed
    int error = 0;             ///< of reading, listing or, if it does not exist, of everything
    std::string body = {};     ///< content or device
};

/// Of the list of installed packages only those that the probe looks for are recorded.
std::string rocm_packages(std::string_view status) {
    std::string kept;
    while (!status.empty()) {
        auto const end = std::min(status.find("\n\n"), status.size());
        auto const stanza = status.substr(0, end);
        auto const name = stanza.substr(0, stanza.find('\n'));
        for (std::string_view const part : {"hip", "hsa", "roc", "amd"})
            if (name.find(part) != name.npos) {
                kept.append(stanza).append("\n\n");
                break;
            }
        status.remove_prefix(std::min(end + 2, status.size()));
    }
    return kept;
}

/// What of a file is written.
std::string recorded_text(std::string_view path, std::string_view text) {
    return path == "/var/lib/dpkg/status" ? rocm_packages(text) : std::string(text);
}

/// Collects entries by canonical path.
class Writer {
  public:
    explicit Writer(QueryLog const& log) : log_(log), links_(log) {
        for (auto const& entry : log.entries()) add(entry);
    }

    std::string text() const {
        std::string result;
        for (auto const& [key, body] : calls_) result += fmt::format("call {} {}", key, body);
        for (auto const& [path, target] : links_.targets())
            result += fmt::format("{} -> {}\n", escape(path, true), escape(target, false));
        for (auto const& [path, place] : places_)
            if (!links_.targets().contains(path))
                result += escape(path, true) + ' ' + body_of(place);
        return result;
    }

  private:
    static std::string body_of(Place const& place) {
        if (!place.body.empty()) return place.body;
        auto const error = place.error == 0 ? std::string() : ' ' + errno_name(place.error);
        if (place.directory)
            return fmt::format("dir{}\n",
                               place.names_known || place.error != 0 ? error : " unlisted");
        if (place.exists || place.error == 0) return fmt::format("listed{}\n", error);
        return fmt::format("error{}{}\n", error, place.listed ? " listed" : "");
    }

    Place& place(std::string const& path) { return places_[links_.canonical(path, true)]; }

    void add(QueryLog::Entry const& entry) {
        if (entry.operation == Operation::call) return add_call(entry);
        if (!entry.reply.ok) return add_error(entry);
        switch (entry.operation) {
            case Operation::read: return add_content(entry);
            case Operation::list: return add_names(entry.path, entry.reply.text);
            case Operation::status: return add_status(entry.path, entry.reply.text);
            case Operation::resolve: place(entry.path).exists = true; return;
            default: return;
        }
    }

    void add_error(QueryLog::Entry const& entry) {
        auto const error = entry.reply.error;
        if (error == 0 || entry.operation == Operation::open) return;
        // That it is no link says that it is there.
        if (entry.operation == Operation::link && error == EINVAL) place(entry.path).exists = true;
        else if (entry.operation == Operation::link)
            places_[links_.canonical(entry.path, false)].error = error;
        else if (entry.operation == Operation::read && error == EISDIR)
            place(entry.path).directory = true;
        else place(entry.path).error = error;
    }

    void add_call(QueryLog::Entry const& entry) {
        if (entry.reply.ok) calls_[entry.path] = call_body(entry.reply.text);
        else if (entry.reply.error != 0)
            calls_[entry.path] = fmt::format("error {}\n", errno_name(entry.reply.error));
    }

    void add_content(QueryLog::Entry const& entry) {
        auto& file = place(entry.path);
        file.exists = true;
        if (entry.reply.truncated) file.error = EFBIG;
        else file.body = file_body(recorded_text(entry.path, entry.reply.text));
    }

    void add_names(std::string const& path, std::string const& names) {
        auto const directory = links_.canonical(path, true);
        places_[directory].directory = places_[directory].names_known = true;
        for (auto const name : split(names, '\0'))
            if (!name.empty())
                places_[fmt::format("{}/{}", directory == "/" ? "" : directory, name)].listed =
                    true;
    }

    void add_status(std::string const& path, std::string const& text) {
        auto const part = words(text);
        if (part.size() != 6) return;
        auto& at = place(path);
        at.exists = true;
        at.directory |= part[0] == "d";
        if (part[0] == "c" || part[0] == "b")
            at.body = fmt::format("device {} {}:{} mode {} owner {}:{}{}\n", part[0], part[4],
                                  part[5], part[1], part[2], part[3], open_error(path));
    }

    std::string open_error(std::string const& path) const {
        auto const* reply = log_.find({Operation::open, path});
        return reply == nullptr || reply->ok || reply->error == 0
                   ? ""
                   : " open " + errno_name(reply->error);
    }

    QueryLog const& log_;
    Links links_;
    std::map<std::string, Place> places_;
    std::map<std::string, std::string> calls_;
};

}  // namespace

std::string write_host_text(QueryLog const& log, std::string_view environment,
                            std::string_view label) {
    auto text =
        fmt::format("rocmtune-host 1\nlabel {}\nunlisted not-recorded\n", escape(label, false));
    for (auto const entry : split(environment, '\0'))
        if (!entry.empty()) text += fmt::format("env {}\n", escape(entry, false));
    return text + Writer(log).text();
}

}  // namespace rocmtune
