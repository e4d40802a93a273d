// SPDX-License-Identifier: MIT
// A host written down in the text format of rocmtune-host(5): test hosts, built-in examples.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/host_root.hpp"
#include "machine/host_text.hpp"
#include "machine/path.hpp"
#include "machine/posix_file.hpp"
#include "machine/replies.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// One path of the recorded host. Content stays in the text it came from until it is asked for.
struct HostNode {
    enum class Kind : std::uint8_t { implied, directory, file, link, device, error, listed };
    Kind kind = Kind::implied;
    int error = 0;  ///< of every query (error), of open (device), of reading (listed, directory)
    bool in_listing = true;  ///< whether the directory's list has its name; a recorded miss has not
    std::string_view body;   ///< file: the body of the entry (host_text.hpp); link: the target
    FileStatus status{'d', 0755, 0, 0, 0, 0};
};

/// The host in a text. Views point into that text.
struct ParsedHost {
    std::map<std::string, HostNode, std::less<>> nodes;            ///< by canonical path
    std::map<std::string, std::string_view, std::less<>> calls;    ///< key -> body of the entry
    std::map<std::pair<Operation, std::string>, Reply> unreached;  ///< queries without an answer
    std::optional<std::string> environment;                        ///< as HostSource::environment()
    std::string label;
    bool unlisted_is_absent = false;
};

/// Of paths and nodes, directories that only the paths below them name included: a line of 4 KiB
/// could make 64 of them. An archive with all members that it may have takes half of it.
constexpr std::size_t most_tree_bytes = std::size_t{128} << 20;

/// Reads the text line by line into nodes, calls and environment.
class Parser {
  public:
    Parser(std::string_view text, std::string const& name) : rest_(text), name_(name) {}

    ParsedHost parse() {
        if (next() != host_text_header)
            fail(fmt::format("is no recorded host: the first line must be '{}'", host_text_header),
                 "rocmtune probe --record FILE makes one; a report of --json holds too little to "
                 "replay");
        while (!rest_.empty()) line(next());
        host_.nodes.try_emplace("/");
        return std::move(host_);
    }

  private:
    [[noreturn]] void fail(std::string const& what, std::string const& hint = {}) const {
        throw Error(fmt::format("{}:{}: {}", name_, line_number_, what), hint);
    }

    std::string_view next() {
        auto const end = std::min(rest_.find('\n'), rest_.size());
        auto const text = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++line_number_;
        return text;
    }

    /// The text from `start`, the rest of the current line, to the end of the TAB lines below it.
    /// A value on the line itself has none: they would be lost.
    std::string_view block_from(std::string_view start) {
        while (start == "=" && rest_.starts_with('\t')) next();
        auto const end = rest_.data();
        auto block = std::string_view(start.data(), static_cast<std::size_t>(end - start.data()));
        if (block.ends_with('\n')) block.remove_suffix(1);
        return block;
    }

    void line(std::string_view text) {
        if (text.empty() || text.starts_with('#')) return;
        if (text.starts_with('/')) return entry(text);
        auto const [word, value] = cut_at(text, ' ');
        if (word == "label") host_.label = unescape_value(value);
        else if (word == "unlisted") unlisted(value);
        else if (word == "env") variable(value);
        else if (word == "unreached") unreached(value);
        else if (word == "call") call(value);
        else fail(fmt::format("unknown line '{}'", printable(text.substr(0, 40))));
    }

    void unlisted(std::string_view value) {
        if (value != "absent" && value != "not-recorded")
            fail("'unlisted' takes absent or not-recorded");
        host_.unlisted_is_absent = value == "absent";
    }

    /// Without a name: the environment is known, and this may be all of it.
    void variable(std::string_view text) {
        if (!host_.environment) host_.environment.emplace();
        if (text.empty()) return;
        if (text.find('=') == text.npos) fail("'env' takes NAME=VALUE");
        *host_.environment += unescape_value(text) + '\0';
    }

    /// "timeout read /path"
    void unreached(std::string_view text) {
        auto const part = split(text, ' ');
        auto const operation = part.size() == 3 ? operation_of(part[1]) : std::nullopt;
        auto const reply = reply_of_unreached(part[0]);
        if (!operation || !reply)
            fail(
                "'unreached' takes timeout, failed or stuck, what was to be asked, and of which "
                "path");
        host_.unreached.emplace(std::pair(*operation, unescape_value(part[2])), *reply);
    }

    void call(std::string_view text) {
        auto const [key, body] = cut_at(text, ' ');
        auto const word = body.substr(0, body.find(' '));
        if (word == "error") (void)errno_in(body.substr(word.size()));
        else if (word != "=" && word != "base64")
            fail("'call' takes KEY = VALUE, KEY base64 BYTES or KEY error NAME");
        auto const content = word == "=" ? block_from(body) : body;
        if (!host_.calls.emplace(unescape_value(key), content).second)
            fail("twice: call " + printable(key));
    }

    void entry(std::string_view text) {
        auto const blank = text.find(' ');
        if (blank == text.npos) fail("a path without anything after it");
        auto path = unescape_value(text.substr(0, blank));
        if (!is_bounded_path(path))
            fail(fmt::format("longer than {} bytes or deeper than {} levels: {}...",
                             longest_path_bytes, most_path_levels, printable(path.substr(0, 40))));
        if (!is_canonical(path)) fail("not in canonical form: " + printable(path));
        auto const body = text.substr(blank + 1);
        auto const word = body.substr(0, body.find(' '));
        HostNode node;
        if (word == "=") file(node, block_from(body));
        else if (word == "base64") file(node, body);
        else if (word == "->") link(node, body.substr(word.size()));
        else if (word == "dir") existing(node, HostNode::Kind::directory, body.substr(word.size()));
        else if (word == "listed") existing(node, HostNode::Kind::listed, body.substr(word.size()));
        else if (word == "error") error_node(node, body.substr(word.size()));
        else if (word == "device") device(node, body);
        else fail(fmt::format("unknown entry '{}'", printable(word)));
        add(path, node);
    }

    static void file(HostNode& node, std::string_view body) {
        node.kind = HostNode::Kind::file;
        node.body = body;
        node.status = {'f', 0444, 0, 0, 0, 0};
    }

    void link(HostNode& node, std::string_view target) const {
        node.kind = HostNode::Kind::link;
        node.body = trim(target);
        if (unescape_value(node.body).size() > longest_path_bytes)
            fail(fmt::format("a target longer than {} bytes", longest_path_bytes));
    }

    int errno_in(std::string_view name) const {
        auto const error = errno_of(trim(name));
        if (error == 0) fail(fmt::format("unknown errno '{}'", printable(trim(name))));
        return error;
    }

    /// "dir [EACCES]", "listed [EIO]": it is there; with an errno, reading it fails. "dir
    /// unlisted": its names were not asked for.
    void existing(HostNode& node, HostNode::Kind kind, std::string_view name) {
        node.kind = kind;
        node.status.kind = kind == HostNode::Kind::directory ? 'd' : 'f';
        if (kind == HostNode::Kind::directory && trim(name) == "unlisted")
            return void(node.kind = HostNode::Kind::implied);
        if (!trim(name).empty()) node.error = errno_in(name);
    }

    /// "error ENODEV [listed]": every access fails; the name may stand in its directory all the
    /// same.
    void error_node(HostNode& node, std::string_view name) {
        constexpr std::string_view mark = " listed";
        bool const listed = name.ends_with(mark);
        if (listed) name.remove_suffix(mark.size());
        node.kind = HostNode::Kind::error;
        node.error = errno_in(name);
        node.in_listing = listed || reason_of(node.error) != Missing::absent;
    }

    /// "device c 226:128 mode 0660 owner 0:109 [open EACCES]"
    void device(HostNode& node, std::string_view body) {
        auto const part = words(body);
        auto const pair = [&](std::size_t i) {
            auto const numbers = split(part[i], ':');
            auto const a = to_unsigned(numbers[0]);
            auto const b = numbers.size() == 2 ? to_unsigned(numbers[1]) : std::nullopt;
            if (!a || !b || std::max(*a, *b) > 0xFFFFFFFFU)
                fail(fmt::format("'{}' is no pair of numbers", printable(part[i])));
            return std::pair(static_cast<unsigned>(*a), static_cast<unsigned>(*b));
        };
        auto const mode = part.size() < 7 ? std::nullopt : to_unsigned(part[4], 8);
        if (!mode || *mode > 07777 || part[3] != "mode" || part[5] != "owner" ||
            (part[1] != "c" && part[1] != "b"))
            fail("incomplete device entry");
        node.kind = HostNode::Kind::device;
        node.status.kind = part[1][0];
        std::tie(node.status.major, node.status.minor) = pair(2);
        node.status.mode = static_cast<unsigned>(*mode);
        std::tie(node.status.uid, node.status.gid) = pair(6);
        if (part.size() == 7) return;
        if (part[7] != "open" || part.size() < 9) fail("incomplete device entry");
        node.error = errno_in(body.substr(static_cast<std::size_t>(part[8].data() - body.data())));
    }

    /// What is there has parents that are there; what is missing says nothing of its parents.
    void add(std::string const& path, HostNode const& node) {
        for (auto end = path.rfind('/'); end != 0 && end != path.npos;
             end = path.rfind('/', end - 1)) {
            auto const [parent, fresh] = host_.nodes.try_emplace(path.substr(0, end));
            if (fresh) count(parent->first), parent->second.in_listing = false;
            auto& is_there = parent->second.in_listing;
            if (!fresh &&
                (is_there || !node.in_listing || parent->second.kind != HostNode::Kind::implied))
                break;
            is_there = node.in_listing;
        }
        auto const [known, fresh] = host_.nodes.try_emplace(path, node);
        if (fresh) return count(known->first);
        if (known->second.kind != HostNode::Kind::implied) fail("twice: " + printable(path));
        known->second = node;
    }

    void count(std::string const& path) {
        tree_bytes_ += path.size() + sizeof(HostNode);
        if (tree_bytes_ > most_tree_bytes)
            fail(fmt::format("its paths take more than {}", human_bytes(most_tree_bytes)));
    }

    ParsedHost host_;
    std::string_view rest_;
    std::string const& name_;
    int line_number_ = 0;
    std::size_t tree_bytes_ = 0;
};

class TextSource : public HostSource {
  public:
    TextSource(std::string text, std::string const& name)
        : text_(std::move(text)), host_(Parser(text_, name).parse()) {}

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

void check_host_text(std::string_view text, std::string const& name) {
    (void)Parser(text, name).parse();
}

std::unique_ptr<HostSource> text_source(std::string text, std::string const& name) {
    return std::make_unique<TextSource>(std::move(text), name);
}

}  // namespace rocmtune
