// SPDX-License-Identifier: MIT
#include "machine/host_text.hpp"

#include <algorithm>
#include <cerrno>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/gpu_packages.hpp"
#include "machine/guard.hpp"
#include "machine/path.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

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

/// Collects entries by canonical path.
class Writer {
  public:
    explicit Writer(QueryLog const& log) : log_(log), links_(log) {
        for (auto const& entry : log.entries()) add(entry);
    }

    std::string text() const {
        std::string result;
        for (auto const& [key, body] : calls_)
            result += fmt::format("call {} {}", escape_path(key), body);
        for (auto const& [path, target] : links_.targets())
            result += fmt::format("{} -> {}\n", escape_path(path), escape_value(target));
        for (auto const& [path, place] : places_)
            if (!links_.targets().contains(path))
                result += escape_path(path) + ' ' + body_of(place);
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
        // A query without an answer says nothing of what others about this path said.
        if (!unreached_word(entry.reply).empty()) return;
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
        if (entry.reply.ok) calls_[entry.path] = call_body(entry.reply.text) + '\n';
        else if (entry.reply.error != 0)
            calls_[entry.path] = fmt::format("error {}\n", errno_name(entry.reply.error));
    }

    void add_content(QueryLog::Entry const& entry) {
        auto& file = place(entry.path);
        file.exists = true;
        if (entry.reply.truncated) file.error = EFBIG;
        else file.body = file_body(gpu_packages_of(entry.path, entry.reply.text)) + '\n';
    }

    void add_names(std::string const& path, std::string const& names) {
        auto const directory = links_.canonical(path, true);
        places_[directory].directory = places_[directory].names_known = true;
        for (auto const name : split(names, '\0'))
            if (!name.empty() && (path != pacman_packages || concerns_gpus(name)))
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

/// An empty environment is one line without a name; one that is not known has no line.
std::string environment_lines(std::optional<std::string_view> environment) {
    if (!environment) return {};
    std::string text;
    for (auto const entry : split(*environment, '\0'))
        if (!entry.empty()) text += fmt::format("env {}\n", escape_value(entry));
    return text.empty() ? "env\n" : text;
}

std::string unreached_lines(QueryLog const& log) {
    std::string text;
    for (auto const& entry : log.entries())
        if (auto const word = unreached_word(entry.reply); !word.empty())
            text += fmt::format("unreached {} {} {}\n", word, operation_name(entry.operation),
                                escape_path(entry.path));
    return text;
}

}  // namespace

std::string write_host_text(QueryLog const& log, std::optional<std::string_view> environment,
                            std::string_view label) {
    return fmt::format("{}\nlabel {}\nunlisted not-recorded\n", host_text_header,
                       escape_value(label)) +
           environment_lines(environment) + unreached_lines(log) + Writer(log).text();
}

}  // namespace rocmtune
