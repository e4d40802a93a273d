// SPDX-License-Identifier: MIT
#include "machine/archive.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/archive_manifest.hpp"
#include "machine/gzip.hpp"
#include "machine/host_text.hpp"
#include "machine/plain_tree.hpp"
#include "machine/tar.hpp"
#include "machine/text_parser.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// What a host of 64 partitions takes, twenty times.
constexpr std::size_t most_unpacked_bytes = std::size_t{256} << 20;
/// Sysfs in tar packs to a fiftieth; a bomb of zeros to a thousandth.
constexpr std::size_t most_ratio = 400;
constexpr std::size_t always_unpacked_bytes = std::size_t{16} << 20;

std::string manifest_path() {
    return fmt::format("/{}", manifest_name);
}

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
    archive.manifest = parse_manifest(found->second.text, name);
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

std::string header_text(std::string_view label, bool unlisted_is_absent) {
    return fmt::format("{}\nlabel {}\nunlisted {}\n", host_text_header, label,
                       unlisted_is_absent ? "absent" : "not-recorded");
}

std::string snapshot_text(Archive const& archive) {
    auto const& manifest = *archive.manifest;
    auto text = header_text(manifest.label, manifest.unlisted_is_absent);
    if (manifest.environment && manifest.environment->empty()) text += "env\n";
    if (manifest.environment)
        for (auto const& entry : *manifest.environment) text += fmt::format("env {}\n", entry);
    for (auto const& query : manifest.unreached) text += fmt::format("unreached {}\n", query);
    for (auto const& [key, body] : manifest.calls) text += fmt::format("call {} {}\n", key, body);
    return text + entries_text(archive);
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
                manifest_.paths[escape_path(path)] = body;
        TarWriter all;  // with the manifest in front, where people look first
        all.file(manifest_path(), manifest_json(manifest_));
        all.append(members);
        return std::move(all).finish();
    }

  private:
    void take(HostEntry const& entry) {
        if (entry.is_path()) entries_.emplace(unescape_value(entry.head), entry.body);
        else if (entry.head == "label") manifest_.label = entry.body;
        else if (entry.head == "unlisted") manifest_.unlisted_is_absent = entry.body == "absent";
        else if (entry.head == "env") variable(entry.body);
        else if (entry.head == "unreached") manifest_.unreached.emplace_back(entry.body);
        else call(entry.body);
    }

    void variable(std::string_view text) {
        if (!manifest_.environment) manifest_.environment.emplace();
        if (!text.empty()) manifest_.environment->emplace_back(text);
    }

    void call(std::string_view text) {
        auto const blank = std::min(text.find(' '), text.size());
        manifest_.calls.emplace(text.substr(0, blank),
                                text.substr(std::min(blank + 1, text.size())));
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

    Manifest manifest_;
    std::map<std::string, std::string_view> entries_;
    std::unordered_set<std::string_view> leaves_;  ///< files and links
};

}  // namespace

std::unique_ptr<HostSource> archive_source(std::string_view bytes, std::string const& name) {
    auto const archive = open_archive(bytes, name);
    if (archive.manifest) return text_source(snapshot_text(archive), name);
    refuse_what_is_no_host(archive, name);
    return plain_tree_source(text_source(tree_text(archive, name, true), name));
}

std::string archive_to_host_text(std::string_view bytes, std::string const& name) {
    auto const archive = open_archive(bytes, name);
    return archive.manifest ? snapshot_text(archive) : tree_text(archive, name, false);
}

std::string host_text_to_archive(std::string_view host_text) {
    (void)parse_host_text(host_text, "the recording");
    return gzip(Packer(host_text).tar());
}

}  // namespace rocmtune
