// SPDX-License-Identifier: MIT
#include "machine/host_root.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.hpp"
#include "machine/gpu_packages.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

/// Files that may be longer than an attribute.
struct LargeFile {
    std::string_view prefix;
    std::string_view suffix;
    std::size_t cap_bytes;
};

/// cpuinfo: 1.5 KiB for each of up to some thousand logical CPUs. stat: a line a CPU, a number an
/// interrupt. modules: one line a module.
/// Package lists and the loader's cache grow with the installation.
constexpr std::array large_files{
    LargeFile{"/proc/cpuinfo", "", std::size_t{8} << 20},
    LargeFile{"/proc/stat", "", std::size_t{1} << 20},
    LargeFile{"/proc/modules", "", std::size_t{1} << 20},
    LargeFile{"/proc/self/mountinfo", "", std::size_t{1} << 20},
    LargeFile{dpkg_status, "", std::size_t{32} << 20},
    LargeFile{dnf_packages, "", std::size_t{4} << 20},
    LargeFile{"/var/lib/dkms/amdgpu/", "/make.log", std::size_t{8} << 20},
    LargeFile{"/etc/ld.so.cache", "", std::size_t{8} << 20},
    LargeFile{"/usr/share/misc/pci.ids", "", std::size_t{8} << 20},
    LargeFile{"/usr/share/hwdata/pci.ids", "", std::size_t{8} << 20},
    LargeFile{"/usr/share/libdrm/amdgpu.ids", "", std::size_t{1} << 20},
    LargeFile{"/lib/modules/", "/modules.builtin", std::size_t{1} << 20},
    LargeFile{"", "/METADATA", std::size_t{1} << 20},
};

/// What a failure says to people: the path, and the errno or our own words.
std::string detail_of(Operation operation, std::string_view path, Reply const& reply) {
    auto const subject = operation == Operation::call ? std::string(path) : printable(path);
    if (reply.error == EFBIG) return subject + ": longer than " + human_bytes(read_cap(path));
    if (reply.error == ETIMEDOUT) return subject + ": no answer in time (ETIMEDOUT)";
    if (reply.error != 0) return subject + ": " + errno_name(reply.error);
    return reply.text.empty() ? subject : subject + ": " + reply.text;
}

Answer<std::string> to_text(Answer<std::string> answer, std::string_view path) {
    if (!answer) return answer;
    auto& text = *answer.value;
    text.resize(std::min(text.find('\0'), text.size()));
    auto const control = [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return byte < 0x20 && byte != '\n' && byte != '\t' && byte != '\r' && byte != '\f';
    };
    if (std::any_of(text.begin(), text.end(), control))
        return {std::nullopt, Missing::invalid, 0,
                printable(path) + ": binary data in a text file"};
    text.resize(static_cast<std::size_t>(text.find_last_not_of(" \t\r\n\f") + 1));
    return answer;
}

}  // namespace

std::size_t read_cap(std::string_view path) {
    for (auto const& file : large_files)
        if (path.starts_with(file.prefix) && path.ends_with(file.suffix)) return file.cap_bytes;
    return read_cap_bytes;
}

Reply names_reply(std::vector<std::string> names) {
    std::sort(names.begin(), names.end(), natural_less);
    std::string text;
    for (auto const& name : names) text += name + '\0';
    return success(std::move(text));
}

HostRoot::HostRoot(std::shared_ptr<HostSource> source) : source_(std::move(source)) {}

Answer<std::string> HostRoot::ask(Operation operation, std::string_view path) const {
    auto reply = source_->ask({operation, path});
    // A recording keeps of a file that is too long that it was: the two say the same.
    if (reply.truncated) reply = failure(EFBIG);
    if (reply.ok) return {std::move(reply.text), Missing::absent, 0, {}};
    return {std::nullopt, reply.reason, reply.error, detail_of(operation, path, reply)};
}

Answer<std::string> HostRoot::read(std::string_view path) const {
    return to_text(ask(Operation::read, path), path);
}

Answer<std::string> HostRoot::read_bytes(std::string_view path) const {
    return ask(Operation::read, path);
}

Answer<std::vector<std::string>> HostRoot::list(std::string_view path) const {
    auto const answer = ask(Operation::list, path);
    if (!answer) return answer.failure<std::vector<std::string>>();
    std::vector<std::string> names;
    for (auto const name : split(*answer, '\0'))
        if (!name.empty()) names.emplace_back(name);
    return {std::move(names), Missing::absent, 0, {}};
}

Answer<std::string> HostRoot::link(std::string_view path) const {
    return ask(Operation::link, path);
}

Answer<std::string> HostRoot::resolve(std::string_view path) const {
    return ask(Operation::resolve, path);
}

Answer<FileStatus> HostRoot::status(std::string_view path) const {
    auto const answer = ask(Operation::status, path);
    if (!answer) return answer.failure<FileStatus>();
    auto const parts = words(*answer);
    if (parts.size() != 6) return {std::nullopt, Missing::invalid, 0, std::string(path)};
    auto const number = [&](std::size_t i, int base) {
        return static_cast<unsigned>(to_unsigned(parts[i], base).value_or(0));
    };
    return {FileStatus{parts[0][0], number(1, 8), number(2, 10), number(3, 10), number(4, 10),
                       number(5, 10)},
            Missing::absent,
            0,
            {}};
}

Answer<bool> HostRoot::open_device(std::string_view path) const {
    auto const answer = ask(Operation::open, path);
    if (!answer) return answer.failure<bool>();
    return {true, Missing::absent, 0, {}};
}

Answer<std::string> HostRoot::call(std::string_view key) const {
    return ask(Operation::call, key);
}

std::vector<std::pair<std::string, std::string>> HostRoot::environment() const {
    std::vector<std::pair<std::string, std::string>> variables;
    auto const block = source_->environment().value_or("");
    for (auto const entry : split(block, '\0')) {
        auto const parts = split_once(entry, '=');
        if (parts && !parts->first.empty()) variables.emplace_back(parts->first, parts->second);
    }
    return variables;
}

std::optional<std::string> HostRoot::environment_value(std::string_view name) const {
    for (auto const& [key, value] : environment())
        if (key == name) return value;
    return std::nullopt;
}

}  // namespace rocmtune
