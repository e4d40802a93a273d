// SPDX-License-Identifier: MIT
#include "machine/archive.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json_text.hpp"
#include "machine/host_text.hpp"
#include "machine/plain_tree.hpp"
#include "machine/tar.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::json;
using nlohmann::ordered_json;  // for what we write, in the order of rocmtune-host(5)

constexpr std::string_view format_name = "rocmtune-snapshot";
constexpr int format_version = 1;

/// What a host of 64 partitions takes, twenty times.
constexpr std::size_t most_unpacked_bytes = std::size_t{256} << 20;
/// Sysfs in tar packs to a fiftieth; a bomb of zeros to a thousandth.
constexpr std::size_t most_ratio = 400;
constexpr std::size_t always_unpacked_bytes = std::size_t{16} << 20;

std::string manifest_path() {
    return fmt::format("/{}", manifest_name);
}

std::string header_text(std::string_view label, bool unlisted_is_absent) {
    return fmt::format("{}\nlabel {}\nunlisted {}\n", host_text_header, label,
                       unlisted_is_absent ? "absent" : "not-recorded");
}

/// A manifest as entries of rocmtune-host(5).
struct Manifest {
    std::string head;                          ///< the first lines of the text, calls included
    std::map<std::string, std::string> paths;  ///< escaped path -> body
};

/// JSON holds Unicode only: other bytes become `\NNN`, which the escaped texts know anyway.
std::string json_text(std::string_view escaped) {
    if (is_utf8(escaped)) return std::string(escaped);
    std::string text;
    for (auto const c : escaped)
        if (static_cast<unsigned char>(c) < 0x80) text += c;
        else text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    return text;
}

ordered_json call_json(std::string_view body) {
    if (body.starts_with("error")) return {{"error", std::string(trim(body.substr(5)))}};
    if (body.starts_with("base64")) return {{"base64", std::string(trim(body.substr(6)))}};
    auto const value = call_value(body).value_or("");
    // A value that would not come back in this form keeps its bytes.
    if (call_body(value) != body || !is_utf8(value)) return {{"base64", to_base64(value)}};
    return {{"value", value}};
}

/// rocmtune.json, the part of a snapshot that no file tree can hold. Texts in it are escaped as in
/// rocmtune-host(5), but for calls.
class ManifestReader {
  public:
    explicit ManifestReader(std::string const& archive) : archive_(archive) {}

    Manifest read(std::string_view text) {
        auto const json = document_of(text);
        auto const format = json.find("format");
        if (format == json.end() || *format != format_name)
            fail("it is no manifest of rocmtune",
                 "take it out to replay the archive as a plain tree");
        check_version(json);
        auto const label = line(member(json, "label", Json::value_t::string));
        bool const is_absent = unlisted(line(member(json, "unlisted", Json::value_t::string)));
        Manifest manifest{header_text(label, is_absent) + environment(json), {}};
        if (json.contains("unreached"))
            manifest.head += texts("unreached", member(json, "unreached", Json::value_t::array));
        for (auto const& [key, value] : member(json, "calls", Json::value_t::object).items())
            manifest.head += fmt::format("call {} {}\n", word(key), call(value));
        for (auto const& [path, body] : member(json, "paths", Json::value_t::object).items())
            manifest.paths[path_of(path)] = line(body);
        return manifest;
    }

  private:
    [[noreturn]] void fail(std::string const& why, std::string const& hint = {}) const {
        throw Error(fmt::format("cannot read {}: {}: {}", printable(archive_), manifest_name, why),
                    hint);
    }

    /// An object, or null.
    Json document_of(std::string_view text) const {
        auto json = parse_bounded<Json>(text);
        if (json.is_discarded() && nests_deeper(text))
            fail(fmt::format("it nests deeper than {} levels", most_json_levels));
        return json.is_object() ? std::move(json) : Json();
    }

    void check_version(Json const& json) const {
        auto const& version = member(json, "version", Json::value_t::number_unsigned);
        if (version > format_version)
            fail(fmt::format("version {} is newer than this program", version.dump()),
                 fmt::format("this one reads version {}: take a newer rocmtune", format_version));
        if (version != format_version) fail("there is no version " + version.dump());
    }

    Json const& member(Json const& json, char const* name, Json::value_t type) const {
        auto const found = json.find(name);
        if (found == json.end() || found->type() != type)
            fail(fmt::format("'{}' is missing or wrong", name));
        return *found;
    }

    std::string texts(std::string_view key, Json const& list) const {
        std::string entries;
        for (auto const& entry : list) entries += fmt::format("{} {}\n", key, line(entry));
        return entries;
    }

    /// null: nobody knows it.
    std::string environment(Json const& json) const {
        auto const found = json.find("environment");
        if (found != json.end() && found->is_null()) return {};
        auto const& list = member(json, "environment", Json::value_t::array);
        return list.empty() ? "env\n" : texts("env", list);
    }

    /// Text that stays on its line.
    std::string line(Json const& json) const {
        if (!json.is_string()) fail("not a text: " + printable(json.dump().substr(0, 40)));
        auto const& text = json.get_ref<std::string const&>();
        if (text.find('\n') != text.npos) fail("a line end in " + printable(text.substr(0, 40)));
        return text;
    }

    std::string word(std::string const& text) const {
        if (text.empty() || text.find_first_of(" \n") != text.npos)
            fail("not a key: " + printable(text.substr(0, 40)));
        return text;
    }

    std::string path_of(std::string const& text) const {
        if (!text.starts_with('/')) fail("not a path: " + printable(text.substr(0, 40)));
        return word(text);
    }

    bool unlisted(std::string const& text) const {
        if (text != "absent" && text != "not-recorded")
            fail("'unlisted' takes absent or not-recorded");
        return text == "absent";
    }

    std::string call(Json const& json) const {
        if (!json.is_object() || json.size() != 1) fail("a call has one of value, base64, error");
        auto const& kind = json.begin().key();
        auto const& text = json.begin().value();
        if (kind == "value" && text.is_string())
            return call_body(text.get_ref<std::string const&>());
        if (kind == "base64" || kind == "error") return fmt::format("{} {}", kind, line(text));
        fail("a call has one of value, base64, error");
    }

    std::string const& archive_;
};

struct Archive {
    TarMembers members;  ///< without the manifest
    std::optional<Manifest> manifest;
};

Archive open_archive(std::string_view bytes, std::string const& name) {
    if (!is_gzip(bytes))
        throw Error(fmt::format("cannot read {}: it is no gzip file", printable(name)));
    auto const cap =
        std::clamp(bytes.size() * most_ratio, always_unpacked_bytes, most_unpacked_bytes);
    Archive archive{read_tar(gunzip(bytes, cap, name), name), {}};
    auto const found = archive.members.find(manifest_path());
    if (found == archive.members.end()) return archive;
    if (found->second.kind != 'f')
        throw Error(
            fmt::format("cannot read {}: its {} is no file", printable(name), manifest_name));
    archive.manifest = ManifestReader(name).read(found->second.text);
    archive.members.erase(found);
    return archive;
}

/// A target is trimmed when read: white space at its ends must not show.
std::string link_body(std::string_view target) {
    if (trim(target).size() == target.size()) return "-> " + escape_value(target);
    std::string text = "-> ";
    for (auto const c : target) text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    return text;
}

/// Entries in the order in which the recorder writes them: links, then everything else by path.
class Bodies {
  public:
    void add(std::string const& path, std::string body) {
        (body.starts_with("->") ? links_ : rest_).emplace(path, std::move(body));
    }
    std::string text() const {
        std::string result;
        for (auto const* part : {&links_, &rest_})
            for (auto const& [path, body] : *part)
                result += fmt::format("{} {}\n", escape_path(path), body);
        return result;
    }

  private:
    std::multimap<std::string, std::string> links_;  // a path given twice is the parser's to refuse
    std::multimap<std::string, std::string> rest_;
};

/// Directories that the manifest describes need no line of the tree.
bool describes_directory(Manifest const& manifest, std::string const& path) {
    auto const found = manifest.paths.find(escape_path(path));
    return found != manifest.paths.end() && found->second.starts_with("dir");
}

std::string entries_text(Archive const& archive) {
    Bodies bodies;
    for (auto const& [path, member] : archive.members) {
        if (path == "/") continue;
        if (member.kind == 'f') bodies.add(path, file_body(member.text));
        else if (member.kind == 'l') bodies.add(path, link_body(member.text));
        else if (!archive.manifest) bodies.add(path, "dir");
        else if (!describes_directory(*archive.manifest, path)) bodies.add(path, "dir unlisted");
    }
    if (archive.manifest)
        for (auto const& [path, body] : archive.manifest->paths)
            bodies.add(unescape_value(path), body);
    return bodies.text();
}

std::string tree_text(Archive const& archive, std::string const& name, bool unlisted_is_absent) {
    return header_text("archive " + escape_value(name), unlisted_is_absent) + entries_text(archive);
}

void refuse_what_is_no_host(Archive const& archive, std::string const& name) {
    for (auto const& [path, member] : archive.members)
        for (auto const part : host_parts)
            if (path.starts_with(part) &&
                (path.size() == part.size() ? member.kind == 'd' : path[part.size()] == '/'))
                return;
    throw Error(
        printable(name) + " is not laid out as a host: it has none of sys, proc, etc, dev, opt",
        "pack the directory that holds sys/: tar -C DIR -czf FILE .");
}

/// Sorts the entries of a recording into what a tree can hold and what only the manifest can.
class Packer {
  public:
    explicit Packer(std::string_view host_text) {
        for (auto const& entry : host_entries(host_text)) take(entry);
        for (auto const& [path, body] : entries_)
            if (body.starts_with("->") || file_content(body)) leaves_.insert(path);
    }

    std::string tar() {
        TarWriter members;
        for (auto const& [path, body] : entries_)
            if (!has_place(path) || !add(members, path, body))
                paths_.emplace(escape_path(path), body);
        TarWriter all;  // with the manifest in front, where people look first
        all.file(manifest_path(), manifest());
        all.append(members);
        return std::move(all).finish();
    }

  private:
    void take(HostEntry const& entry) {
        if (entry.is_path()) entries_.emplace(unescape_value(entry.head), entry.body);
        else if (entry.head == "label") label_ = entry.body;
        else if (entry.head == "unlisted") unlisted_is_absent_ = entry.body == "absent";
        else if (entry.head == "env") variable(entry.body);
        else if (entry.head == "unreached") unreached_.push_back(json_text(entry.body));
        else {
            auto const [key, body] = cut_at(entry.body, ' ');
            calls_.emplace(key, body);
        }
    }

    void variable(std::string_view text) {
        if (environment_.is_null()) environment_ = ordered_json::array();
        if (!text.empty()) environment_.push_back(json_text(text));
    }

    std::string manifest() {
        // ordered_json looks a key up before it adds one: thousands of paths are added as a whole.
        ordered_json::object_t calls;
        for (auto const& [key, body] : calls_) calls.push_back({json_text(key), call_json(body)});
        ordered_json::object_t paths;
        for (auto const& [path, body] : paths_) paths.push_back({json_text(path), json_text(body)});
        ordered_json json{{"format", format_name},
                          {"version", format_version},
                          {"label", json_text(label_)},
                          {"unlisted", unlisted_is_absent_ ? "absent" : "not-recorded"},
                          {"environment", environment_},
                          {"calls", std::move(calls)},
                          {"paths", std::move(paths)}};
        if (!unreached_.empty()) json["unreached"] = unreached_;
        return json.dump(1) + '\n';
    }

    /// Nothing in a tree can lie below a file or a link, or take the place of the manifest.
    bool has_place(std::string_view path) const {
        if (!is_tar_path(path) || path == "/" || path == manifest_path()) return false;
        for (auto end = path.rfind('/'); end != 0 && end != path.npos;
             end = path.rfind('/', end - 1))
            if (leaves_.contains(path.substr(0, end))) return false;
        return true;
    }

    /// False if the manifest has to say it.
    static bool add(TarWriter& tar, std::string_view path, std::string_view body) {
        if (body == "dir") tar.directory(path);
        if (body.starts_with("->"))
            return add_link(tar, path, unescape_value(trim(body.substr(2))));
        auto const content = file_content(body);
        if (content) tar.file(path, *content);
        return content.has_value();
    }

    static bool add_link(TarWriter& tar, std::string_view path, std::string const& target) {
        bool const fits =
            !target.empty() && is_tar_path(target) && target.find('\0') == target.npos;
        if (fits) tar.link(path, target);
        return fits;
    }

    std::string_view label_;
    bool unlisted_is_absent_ = false;
    ordered_json environment_ = nullptr;  ///< null: not known
    ordered_json unreached_ = ordered_json::array();
    std::map<std::string_view, std::string_view> calls_;
    std::map<std::string, std::string_view> paths_;  ///< escaped, what only the manifest can hold
    std::map<std::string, std::string_view> entries_;
    std::unordered_set<std::string_view> leaves_;  ///< files and links
};

}  // namespace

std::unique_ptr<HostSource> archive_source(std::string_view bytes, std::string const& name) {
    auto const archive = open_archive(bytes, name);
    if (archive.manifest) return text_source(archive.manifest->head + entries_text(archive), name);
    refuse_what_is_no_host(archive, name);
    return plain_tree_source(text_source(tree_text(archive, name, true), name));
}

std::string archive_to_host_text(std::string_view bytes, std::string const& name) {
    auto const archive = open_archive(bytes, name);
    return archive.manifest ? archive.manifest->head + entries_text(archive)
                            : tree_text(archive, name, false);
}

std::string host_text_to_archive(std::string_view host_text) {
    check_host_text(host_text, "the recording");
    return gzip(Packer(host_text).tar());
}

}  // namespace rocmtune
