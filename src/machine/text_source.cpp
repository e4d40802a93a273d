// SPDX-License-Identifier: MIT
// A host written down in the text format of rocmtune-host(5): test hosts, built-in examples.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "machine/host_text.hpp"
#include "machine/path.hpp"
#include "machine/replies.hpp"
#include "machine/text_parser.hpp"

namespace rocmtune {
namespace {

class TextSource : public HostSource {
  public:
    TextSource(std::string text, std::string const& name)
        : text_(std::move(text)), host_(parse_host_text(text_, name)) {}

    Reply ask(Query const& query) override {
        if (auto const* reply = unreached_reply(query)) return *reply;
        if (query.operation == Operation::call) return call(query.path);
        auto const found = find(query.path, query.operation != Operation::link);
        if (found.reply) return *found.reply;
        auto const& node = *found.node;
        if (node.kind == HostNode::Kind::error) return failure(node.error);
        switch (query.operation) {
            case Operation::read: return read(node);
            case Operation::list: return list(found.path, node);
            case Operation::link:
                return node.kind == HostNode::Kind::link ? success(unescape_value(node.body))
                                                         : failure(EINVAL);
            case Operation::resolve: return success(found.path);
            case Operation::status: return status_reply(node.status);
            default: return open(node);
        }
    }

    std::optional<std::string> environment() override { return host_.environment; }
    std::string label() const override { return host_.label; }

  private:
    struct Found {
        std::string path;
        HostNode const* node = nullptr;
        std::optional<Reply> reply;
    };

    Reply const* unreached_reply(Query const& query) const {
        if (host_.unreached.empty()) return nullptr;
        auto const found = host_.unreached.find({query.operation, std::string(query.path)});
        return found == host_.unreached.end() ? nullptr : &found->second;
    }

    Reply unlisted() const {
        return host_.unlisted_is_absent ? failure(ENOENT)
                                        : refusal(Missing::not_recorded, "not in the recording");
    }

    /// Only what is missing below it was recorded.
    static bool is_gap(HostNode const& node) {
        return node.kind == HostNode::Kind::implied && !node.in_listing;
    }

    Found find(std::string_view path, bool follow_last) const {
        auto const exact = host_.nodes.find(path);
        if (exact != host_.nodes.end() &&
            (exact->second.kind != HostNode::Kind::link || !follow_last) && !is_gap(exact->second))
            return {exact->first, &exact->second, {}};
        auto const read_link = [&](std::string const& at) -> std::optional<std::string> {
            auto const node = host_.nodes.find(at);
            if (node == host_.nodes.end() || node->second.kind != HostNode::Kind::link) return {};
            return unescape_value(node->second.body);
        };
        auto const resolved = resolve_in_root(path, read_link, follow_last);
        if (resolved.error != 0) return {{}, nullptr, failure(resolved.error)};
        auto const node = host_.nodes.find(resolved.path);
        if (node == host_.nodes.end() || is_gap(node->second))
            return {{}, nullptr, below_error(resolved.path)};
        return {resolved.path, &node->second, {}};
    }

    /// Below a directory that refuses, everything is refused; elsewhere the path is unlisted.
    Reply below_error(std::string path) const {
        while (path.size() > 1) {
            path.resize(path.rfind('/'));
            auto const node = host_.nodes.find(path);
            if (node == host_.nodes.end()) continue;
            if (node->second.kind == HostNode::Kind::error) return failure(node->second.error);
            break;
        }
        return unlisted();
    }

    Reply read(HostNode const& node) const {
        switch (node.kind) {
            case HostNode::Kind::file: return from_body(file_content(node.body));
            case HostNode::Kind::listed:
                return node.error != 0 ? failure(node.error) : content_unknown();
            case HostNode::Kind::device: return refusal(Missing::invalid, "no regular file");
            default: return failure(EISDIR);
        }
    }

    static Reply from_body(std::optional<std::string> content) {
        return content ? success(std::move(*content)) : refusal(Missing::invalid, "broken base64");
    }

    static Reply content_unknown() {
        return refusal(Missing::not_recorded, "content not recorded");
    }

    Reply list(std::string const& path, HostNode const& node) const {
        switch (node.kind) {
            case HostNode::Kind::directory:
                if (node.error != 0) return failure(node.error);
                break;
            case HostNode::Kind::implied:
                // Some names are known from the paths below; whether there are more is not.
                if (!host_.unlisted_is_absent) return content_unknown();
                break;
            case HostNode::Kind::listed:
                if (node.error != 0) return failure(node.error);
                return host_.unlisted_is_absent ? failure(ENOTDIR) : content_unknown();
            default: return failure(ENOTDIR);
        }
        return names_reply(names_in(path));
    }

    std::vector<std::string> names_in(std::string const& path) const {
        std::vector<std::string> names;
        auto const prefix = path == "/" ? path : path + '/';
        for (auto at = host_.nodes.upper_bound(prefix);  // "/" is no name in itself
             at != host_.nodes.end() && at->first.starts_with(prefix);) {
            auto const end = at->first.find('/', prefix.size());
            if (at->second.in_listing)
                names.push_back(at->first.substr(prefix.size(), end - prefix.size()));
            // '0' follows '/' in ASCII: skips everything below this name.
            at = end == std::string::npos ? std::next(at)
                                          : host_.nodes.lower_bound(at->first.substr(0, end) + '0');
        }
        // `core`, `core-7.14`, `core/lib` are neighbours in this order: a name may come twice.
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        return names;
    }

    Reply open(HostNode const& node) const {
        if (node.kind != HostNode::Kind::device)
            return refusal(Missing::not_recorded, "not recorded");
        return node.error == 0 ? success({}) : failure(node.error);
    }

    Reply call(std::string_view key) const {
        auto const found = host_.calls.find(key);
        if (found == host_.calls.end()) return refusal(Missing::not_recorded, "not recorded");
        auto const body = found->second;
        if (body.starts_with("error")) return failure(errno_of(trim(body.substr(5))));
        return from_body(call_value(body));
    }

    std::string text_;
    ParsedHost host_;
};

}  // namespace

std::unique_ptr<HostSource> text_source(std::string text, std::string const& name) {
    return std::make_unique<TextSource>(std::move(text), name);
}

}  // namespace rocmtune
