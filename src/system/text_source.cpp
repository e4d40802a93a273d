// SPDX-License-Identifier: MIT
// A host written down in the text format of rocmtune-host(5): test hosts, built-in examples.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "system/path.hpp"
#include "system/replies.hpp"

namespace rocmtune {
namespace {

/// One path of the recorded host. Content stays in the text it came from until it is asked for.
struct Node {
    enum class Kind : std::uint8_t {
        implied,
        directory,
        file,
        base64,
        link,
        device,
        error,
        listed
    };
    Kind kind = Kind::implied;
    int error = 0;  ///< of every query (error), of open (device), of reading (listed, directory)
    bool in_listing = true;  ///< whether the directory's list has its name; a recorded miss has not
    std::string_view body;   ///< file: the block after `=`; base64 and link: the rest of the line
    FileStatus status{'d', 0755, 0, 0, 0, 0};
};

using Nodes = std::map<std::string, Node, std::less<>>;

/// Undoes \n, \t, \\ and \NNN (octal).
std::string unescape(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        auto const octal =
            text.size() - i > 3 ? to_unsigned(text.substr(i + 1, 3), 8) : std::nullopt;
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

/// Content of a file entry: the text after `= ` as one line, or the TAB lines below it.
std::string block_text(std::string_view block) {
    auto const first_end = block.find('\n');
    auto const first = block.substr(0, first_end);
    if (first != "=") return std::string(first.substr(2)) + '\n';
    std::string text;
    for (auto line :
         lines(first_end == block.npos ? std::string_view() : block.substr(first_end + 1)))
        text.append(line.substr(1)).append(1, '\n');
    return text;
}

/// RFC 4648 without line breaks; nothing if a character is foreign.
std::optional<std::string> from_base64(std::string_view text) {
    static constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string bytes;
    unsigned bits = 0;
    int have = 0;
    for (auto const c : text) {
        auto const digit = alphabet.find(c);
        if (digit == alphabet.npos) return std::nullopt;
        bits = (bits << 6) | static_cast<unsigned>(digit);
        if ((have += 6) < 8) continue;
        have -= 8;
        bytes += static_cast<char>((bits >> have) & 0xFFU);
    }
    return bytes;
}

/// Reads the text line by line into nodes, calls and environment.
class Parser {
  public:
    Parser(std::string_view text, std::string const& name) : rest_(text), name_(name) {}

    void parse() {
        if (next() != "rocmtune-host 1")
            fail("is no recorded host: the first line must be 'rocmtune-host 1'");
        while (!rest_.empty()) line(next());
        nodes.try_emplace("/");
    }

    Nodes nodes;
    std::map<std::string, std::string_view, std::less<>> calls;  ///< key -> block or "error NAME"
    std::string environment;
    std::string label;
    bool unlisted_is_absent = false;

  private:
    [[noreturn]] void fail(std::string const& what) const {
        throw Error(fmt::format("{}:{}: {}", name_, line_number_, what));
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
        auto const blank = text.find(' ');
        auto const word = text.substr(0, blank);
        auto const value = blank == text.npos ? std::string_view() : text.substr(blank + 1);
        if (word == "label") label = unescape(value);
        else if (word == "unlisted") unlisted(value);
        else if (word == "env") variable(value);
        else if (word == "call") call(value);
        else fail(fmt::format("unknown line '{}'", printable(text.substr(0, 40))));
    }

    void unlisted(std::string_view value) {
        if (value != "absent" && value != "not-recorded")
            fail("'unlisted' takes absent or not-recorded");
        unlisted_is_absent = value == "absent";
    }

    void variable(std::string_view text) {
        if (text.find('=') == text.npos) fail("'env' takes NAME=VALUE");
        environment += unescape(text) + '\0';
    }

    void call(std::string_view text) {
        auto const blank = std::min(text.find(' '), text.size());
        auto const body = text.substr(std::min(blank + 1, text.size()));
        auto const word = body.substr(0, body.find(' '));
        if (word == "error") (void)errno_in(body.substr(word.size()));
        else if (word != "=" && word != "base64")
            fail("'call' takes KEY = VALUE, KEY base64 BYTES or KEY error NAME");
        auto const fresh =
            calls.emplace(text.substr(0, blank), word == "=" ? block_from(body) : body).second;
        if (!fresh) fail("twice: call " + printable(text.substr(0, blank)));
    }

    void entry(std::string_view text) {
        auto const blank = text.find(' ');
        if (blank == text.npos) fail("a path without anything after it");
        auto path = unescape(text.substr(0, blank));
        if (resolve_in_root(path, [](auto const&) { return std::optional<std::string>(); }).path !=
            path)
            fail("not in canonical form: " + printable(path));
        auto const body = text.substr(blank + 1);
        auto const word = body.substr(0, body.find(' '));
        Node node;
        if (word == "=") file(node, body);
        else if (word == "base64") base64(node, body.substr(word.size()));
        else if (word == "->") node.kind = Node::Kind::link, node.body = trim(body.substr(2));
        else if (word == "dir") existing(node, Node::Kind::directory, body.substr(word.size()));
        else if (word == "listed") existing(node, Node::Kind::listed, body.substr(word.size()));
        else if (word == "error") error_node(node, body.substr(word.size()));
        else if (word == "device") device(node, body);
        else fail(fmt::format("unknown entry '{}'", printable(word)));
        add(std::move(path), node);
    }

    void file(Node& node, std::string_view body) {
        node.kind = Node::Kind::file;
        node.body = block_from(body);
        node.status = {'f', 0444, 0, 0, 0, 0};
    }

    void base64(Node& node, std::string_view text) {
        node.kind = Node::Kind::base64;
        node.body = trim(text);
        node.status = {'f', 0444, 0, 0, 0, 0};
    }

    int errno_in(std::string_view name) const {
        auto const error = errno_of(trim(name));
        if (error == 0) fail(fmt::format("unknown errno '{}'", printable(trim(name))));
        return error;
    }

    /// "dir [EACCES]", "listed [EIO]": it is there; with an errno, reading it fails. "dir
    /// unlisted": its names were not asked for.
    void existing(Node& node, Node::Kind kind, std::string_view name) {
        node.kind = kind;
        node.status.kind = kind == Node::Kind::directory ? 'd' : 'f';
        if (kind == Node::Kind::directory && trim(name) == "unlisted")
            return void(node.kind = Node::Kind::implied);
        if (!trim(name).empty()) node.error = errno_in(name);
    }

    /// "error ENODEV [listed]": every access fails; the name may stand in its directory all the
    /// same.
    void error_node(Node& node, std::string_view name) {
        constexpr std::string_view mark = " listed";
        bool const listed = name.ends_with(mark);
        if (listed) name.remove_suffix(mark.size());
        node.kind = Node::Kind::error;
        node.error = errno_in(name);
        node.in_listing = listed || reason_of(node.error) != Missing::absent;
    }

    /// "device c 226:128 mode 0660 owner 0:109 [open EACCES]"
    void device(Node& node, std::string_view body) {
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
        node.kind = Node::Kind::device;
        node.status.kind = part[1][0];
        std::tie(node.status.major, node.status.minor) = pair(2);
        node.status.mode = static_cast<unsigned>(*mode);
        std::tie(node.status.uid, node.status.gid) = pair(6);
        if (part.size() == 7) return;
        if (part[7] != "open" || part.size() < 9) fail("incomplete device entry");
        node.error = errno_in(body.substr(static_cast<std::size_t>(part[8].data() - body.data())));
    }

    /// What is there has parents that are there; what is missing says nothing of its parents.
    void add(std::string path, Node const& node) {
        for (auto end = path.rfind('/'); end != 0 && end != path.npos;
             end = path.rfind('/', end - 1)) {
            auto const [parent, fresh] = nodes.try_emplace(path.substr(0, end));
            if (fresh) parent->second.in_listing = false;
            auto& is_there = parent->second.in_listing;
            if (!fresh &&
                (is_there || !node.in_listing || parent->second.kind != Node::Kind::implied))
                break;
            is_there = node.in_listing;
        }
        auto const [known, fresh] = nodes.try_emplace(path, node);
        if (fresh) return;
        if (known->second.kind != Node::Kind::implied) fail("twice: " + printable(path));
        known->second = node;
    }

    std::string_view rest_;
    std::string const& name_;
    int line_number_ = 0;
};

class TextSource : public HostSource {
  public:
    TextSource(std::string_view text, std::string const& name) : text_(text), parser_(text_, name) {
        parser_.parse();
    }

    Reply ask(Query const& query) override {
        if (query.operation == Operation::call) return call(query.path);
        auto const found = find(query.path, query.operation != Operation::link);
        if (found.reply) return *found.reply;
        auto const& node = *found.node;
        if (node.kind == Node::Kind::error) return failure(node.error);
        switch (query.operation) {
            case Operation::read: return read(node);
            case Operation::list: return list(found.path, node);
            case Operation::link:
                return node.kind == Node::Kind::link ? success(unescape(node.body))
                                                     : failure(EINVAL);
            case Operation::resolve: return success(found.path);
            case Operation::status: return status_reply(node.status);
            default: return open(node);
        }
    }

    std::string environment() override { return parser_.environment; }
    std::string label() const override { return parser_.label; }

  private:
    struct Found {
        std::string path;
        Node const* node = nullptr;
        std::optional<Reply> reply;
    };

    Reply unlisted() const {
        return parser_.unlisted_is_absent ? failure(ENOENT)
                                          : refusal(Missing::not_recorded, "not in the recording");
    }

    /// Only what is missing below it was recorded.
    static bool is_gap(Node const& node) {
        return node.kind == Node::Kind::implied && !node.in_listing;
    }

    Found find(std::string_view path, bool follow_last) const {
        auto const exact = parser_.nodes.find(path);
        if (exact != parser_.nodes.end() &&
            (exact->second.kind != Node::Kind::link || !follow_last) && !is_gap(exact->second))
            return {exact->first, &exact->second, {}};
        auto const read_link = [&](std::string const& at) -> std::optional<std::string> {
            auto const node = parser_.nodes.find(at);
            if (node == parser_.nodes.end() || node->second.kind != Node::Kind::link) return {};
            return unescape(node->second.body);
        };
        auto const resolved = resolve_in_root(path, read_link, follow_last);
        if (resolved.error != 0) return {{}, nullptr, failure(resolved.error)};
        auto const node = parser_.nodes.find(resolved.path);
        if (node == parser_.nodes.end() || is_gap(node->second))
            return {{}, nullptr, below_error(resolved.path)};
        return {resolved.path, &node->second, {}};
    }

    /// Below a directory that refuses, everything is refused; elsewhere the path is unlisted.
    Reply below_error(std::string path) const {
        while (path.size() > 1) {
            path.resize(path.rfind('/'));
            auto const node = parser_.nodes.find(path);
            if (node == parser_.nodes.end()) continue;
            if (node->second.kind == Node::Kind::error) return failure(node->second.error);
            break;
        }
        return unlisted();
    }

    Reply read(Node const& node) const {
        switch (node.kind) {
            case Node::Kind::file: return success(block_text(node.body));
            case Node::Kind::base64: return from_bytes(node.body);
            case Node::Kind::listed:
                return node.error != 0 ? failure(node.error) : content_unknown();
            case Node::Kind::device: return refusal(Missing::invalid, "no regular file");
            default: return failure(EISDIR);
        }
    }

    static Reply from_bytes(std::string_view base64) {
        auto bytes = from_base64(trim(base64));
        return bytes ? success(std::move(*bytes)) : refusal(Missing::invalid, "broken base64");
    }

    static Reply content_unknown() {
        return refusal(Missing::not_recorded, "content not recorded");
    }

    Reply list(std::string const& path, Node const& node) const {
        switch (node.kind) {
            case Node::Kind::directory:
                if (node.error != 0) return failure(node.error);
                break;
            case Node::Kind::implied:
                // Some names are known from the paths below; whether there are more is not.
                if (!parser_.unlisted_is_absent) return content_unknown();
                break;
            case Node::Kind::listed:
                if (node.error != 0) return failure(node.error);
                return parser_.unlisted_is_absent ? failure(ENOTDIR) : content_unknown();
            default: return failure(ENOTDIR);
        }
        return names_reply(names_in(path));
    }

    std::vector<std::string> names_in(std::string const& path) const {
        std::vector<std::string> names;
        auto const prefix = path == "/" ? path : path + '/';
        for (auto at = parser_.nodes.upper_bound(prefix);  // "/" is no name in itself
             at != parser_.nodes.end() && at->first.starts_with(prefix);) {
            auto const end = at->first.find('/', prefix.size());
            if (at->second.in_listing)
                names.push_back(at->first.substr(prefix.size(), end - prefix.size()));
            // '0' follows '/' in ASCII: skips everything below this name.
            at = end == std::string::npos
                     ? std::next(at)
                     : parser_.nodes.lower_bound(at->first.substr(0, end) + '0');
        }
        // `core`, `core-7.14`, `core/lib` are neighbours in this order: a name may come twice.
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        return names;
    }

    Reply open(Node const& node) const {
        if (node.kind != Node::Kind::device) return refusal(Missing::not_recorded, "not recorded");
        return node.error == 0 ? success({}) : failure(node.error);
    }

    Reply call(std::string_view key) const {
        auto const found = parser_.calls.find(key);
        if (found == parser_.calls.end()) return refusal(Missing::not_recorded, "not recorded");
        auto const body = found->second;
        if (body.starts_with("error")) return failure(errno_of(trim(body.substr(5))));
        if (body.starts_with("base64")) return from_bytes(body.substr(6));
        auto text = block_text(body);
        if (body.substr(0, 2) == "= ") text.pop_back();
        return success(std::move(text));
    }

    std::string text_;
    Parser parser_;
};

}  // namespace

std::unique_ptr<HostSource> text_source(std::string_view text, std::string const& name) {
    return std::make_unique<TextSource>(text, name);
}

}  // namespace rocmtune
