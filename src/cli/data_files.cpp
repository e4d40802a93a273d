// SPDX-License-Identifier: MIT
#include "cli/data_files.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/embedded.hpp"
#include "rocmtune/error.hpp"
#include "system/posix_file.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t profile_cap_bytes = std::size_t{1} << 20;

[[noreturn]] void cannot_read(std::string const& path, std::string const& why) {
    throw Error(fmt::format("cannot read {}: {}", printable(path), why));
}

bool is_profile(std::filesystem::path const& path) {
    constexpr std::string_view others[] = {"environment.json", "findings.json", "variables.json"};
    return path.extension() == ".json" &&
           std::ranges::find(others, path.filename().string()) == std::end(others);
}

std::vector<std::string> profile_paths(std::string const& directory) {
    std::error_code error;
    std::vector<std::string> paths;
    for (auto const& entry : std::filesystem::directory_iterator(directory, error))
        if (is_profile(entry.path())) paths.push_back(entry.path().string());
    if (error) cannot_read(directory, error.message());
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace

std::string user_file(std::string const& path, std::size_t cap) {
    FileDescriptor const fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd) cannot_read(path, errno_text(errno));
    struct stat s {};
    if (::fstat(fd.get(), &s) != 0) cannot_read(path, errno_text(errno));
    if (S_ISDIR(s.st_mode)) cannot_read(path, "it is a directory");
    if (!S_ISREG(s.st_mode)) cannot_read(path, "it is no regular file");
    std::string text;
    char buffer[16384];
    for (ssize_t count = 1; count > 0;) {
        count = ::read(fd.get(), buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) {
            count = 1;
            continue;
        }
        if (count < 0) cannot_read(path, errno_text(errno));
        text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > cap) cannot_read(path, "it is longer than " + human_bytes(cap));
    }
    return text;
}

std::string data_file(Arguments const& arguments, std::string const& name) {
    if (auto const directory = arguments.value("--profiles")) {
        auto const path = *directory + '/' + name;
        if (std::error_code error; std::filesystem::exists(path, error))
            return user_file(path, std::size_t{16} << 20);
    }
    auto const embedded = embedded_file(name);
    if (!embedded) throw Error(fmt::format("there is no {}", printable(name)));
    return std::string(*embedded);
}

ChipSet chips_for(Arguments const& arguments) {
    auto const directory = arguments.value("--profiles");
    if (!directory) return embedded_chips();
    std::vector<ProfileText> texts;
    for (auto const& path : profile_paths(*directory))
        texts.push_back({path, user_file(path, profile_cap_bytes)});
    return with_overrides(embedded_chips(), texts);
}

std::vector<std::string> example_names() {
    std::vector<std::string> names;
    for (auto const& file : embedded_files())
        if (file.name.starts_with("examples/") && file.name.ends_with(".host"))
            names.emplace_back(file.name.substr(9, file.name.size() - 14));
    return names;
}

}  // namespace rocmtune
