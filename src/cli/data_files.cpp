// SPDX-License-Identifier: MIT
#include "cli/data_files.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>

#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/xdg.hpp"
#include "cli/output.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/profile_values.hpp"
#include "rocmtune/error.hpp"
#include "system/held_signals.hpp"
#include "system/named_file.hpp"
#include "system/reading_child.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t profile_cap_bytes = std::size_t{1} << 20;
constexpr std::size_t catalogue_cap_bytes = std::size_t{16} << 20;

[[noreturn]] void cannot_read(std::string const& path, std::string const& why) {
    throw Error(fmt::format("cannot read {}: {}", printable(path), why));
}

std::string content(FileDescriptor const& fd, std::string const& path, std::size_t cap) {
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

std::string listed_file(std::string const& path, std::size_t cap) {
    auto const listed = open_listed_file(path);
    if (!listed.problem.empty()) cannot_read(path, listed.problem);
    return content(listed.file, path, cap);
}

/// Files beside the profiles that are something else.
constexpr std::string_view other_files[] = {"environment.json", "findings.json", "names.json",
                                            "plan.json", "variables.json"};

bool is_profile(std::filesystem::path const& path) {
    return path.extension() == ".json" &&
           std::ranges::find(other_files, path.filename().string()) == std::end(other_files);
}

bool is_catalogue(std::filesystem::path const& path) {
    return path.filename() == "variables.json" || path.filename() == "names.json";
}

/// Paths of the wanted files in one directory, sorted by name.
std::vector<std::string> paths_in(DataDirectory const& directory,
                                  bool (*wanted)(std::filesystem::path const&)) {
    std::error_code error;
    std::vector<std::string> paths;
    // The increment of a range-for would throw.
    std::filesystem::directory_iterator it(directory.path, error), end;
    for (; !error && it != end; it.increment(error))
        if (wanted(it->path())) paths.push_back(it->path().string());
    auto const missing =
        error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    if (error && (directory.must_exist || !missing)) cannot_read(directory.path, error.message());
    std::sort(paths.begin(), paths.end());
    return paths;
}

// ---- reading in a child process: a home on a file server that is gone answers never -------------

// The first byte of a message of that process.
constexpr char a_file = 'f';       ///< path, NUL, text
constexpr char a_problem = 'p';    ///< why it cannot go on
constexpr char a_directory = 'd';  ///< all of it was read

/// A directory that took longer than this is not waited for. On a busy host a process may take a
/// good part of the shortest time to start.
constexpr std::chrono::milliseconds shortest_reading{1'000};
constexpr std::chrono::milliseconds longest_reading{10'000};

std::chrono::milliseconds reading_limit(Arguments const& arguments) {
    return std::clamp(arguments.seconds("--timeout").value_or(longest_reading), shortest_reading,
                      longest_reading);
}

std::vector<std::string>& silent() {
    static std::vector<std::string> directories;
    return directories;
}

bool is_silent(DataDirectory const& directory) {
    return std::ranges::find(silent(), directory.path) != silent().end();
}

std::string not_read_text(std::string const& directory) {
    return fmt::format("{} was not read in time: nothing in it is in force", printable(directory));
}

/// Goes on without a directory, except one that the user asked for.
void give_up(DataDirectory const& directory) {
    if (directory.must_exist) cannot_read(directory.path, "it was not read in time");
    silent().push_back(directory.path);
    print_error(fmt::format("rocmtune: {}\n", not_read_text(directory.path)));
}

using FilesOf = std::function<std::vector<ProfileText>(DataDirectory const&)>;

void send_files(std::span<DataDirectory const> directories, FilesOf const& files_of,
                Send const& send) try {
    for (auto const& directory : directories) {
        if (directory.must_exist || !is_silent(directory))
            for (auto const& [path, text] : files_of(directory)) send(a_file + path + '\0' + text);
        send(std::string(1, a_directory));
    }
} catch (Error const& error) {
    send(a_problem + std::string(error.what()));
}

ProfileText file_in(std::string const& message) {
    auto const end = message.find('\0');
    return {message.substr(1, end - 1), message.substr(end + 1)};
}

/// Appends the files of the directories that were read whole. Returns how many they are.
std::size_t take_files(std::vector<std::string> const& messages, std::vector<ProfileText>& texts) {
    std::size_t directories = 0;
    auto whole = texts.size();
    for (auto const& message : messages) {
        if (message.front() == a_problem) throw Error(message.substr(1));
        if (message.front() == a_file) texts.push_back(file_in(message));
        else ++directories, whole = texts.size();
    }
    texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(whole), texts.end());
    return directories;
}

/// What `files_of` finds in the directories, in their order.
std::vector<ProfileText> read_guarded(Arguments const& arguments, FilesOf const& files_of) {
    auto const all = data_directories(arguments);
    std::vector<ProfileText> texts;
    for (std::span<DataDirectory const> left(all); !left.empty();) {
        auto const [messages, finished] = messages_of_child(
            [&](Send const& send) { send_files(left, files_of, send); }, reading_limit(arguments));
        auto const read = take_files(messages, texts);
        // What a signal has cut short is no fault of the directory.
        if (finished || read == left.size() || HeldSignals::waiting()) break;
        give_up(left[read]);
        left = left.subspan(read + 1);
    }
    return texts;
}

/// The wanted files of all directories, lowest precedence first.
std::vector<ProfileText> texts_for(Arguments const& arguments, std::size_t cap,
                                   bool (*wanted)(std::filesystem::path const&)) {
    return read_guarded(arguments, [&](DataDirectory const& directory) {
        std::vector<ProfileText> texts;
        for (auto const& path : paths_in(directory, wanted))
            texts.push_back({path, listed_file(path, cap)});
        return texts;
    });
}

/// The file of this name of the directory with the highest precedence that has one.
std::optional<ProfileText> file_for(Arguments const& arguments, std::string const& name,
                                    std::size_t cap) {
    auto texts = read_guarded(arguments, [&](DataDirectory const& directory) {
        auto const path = directory.path + '/' + name;
        std::error_code error;
        if (!std::filesystem::exists(path, error)) return std::vector<ProfileText>();
        return std::vector<ProfileText>{{path, listed_file(path, cap)}};
    });
    if (texts.empty()) return std::nullopt;
    return std::move(texts.back());
}

}  // namespace

std::string user_file(std::string const& path, std::size_t cap) {
    auto const named = open_named_file(path);
    if (!named.problem.empty()) cannot_read(path, named.problem);
    if (named.is_directory) cannot_read(path, "it is a directory");
    return content(named.file, path, cap);
}

std::vector<DataDirectory> data_directories(Arguments const& arguments) {
    std::vector<DataDirectory> all{{"/etc/rocmtune/profiles", false}};
    if (auto const home = config_home(::secure_getenv("XDG_CONFIG_HOME"), ::secure_getenv("HOME")))
        all.push_back({*home + "/rocmtune/profiles", false});
    if (auto const asked = arguments.value("--profiles")) all.push_back({*asked, true});
    return all;
}

std::string data_file(Arguments const& arguments, std::string const& name) {
    if (auto const file = file_for(arguments, name, catalogue_cap_bytes)) return file->text;
    auto const embedded = embedded_file(name);
    if (!embedded) throw Error(fmt::format("there is no {}", printable(name)));
    return std::string(*embedded);
}

ChipSet chips_for(Arguments const& arguments) {
    auto const texts = texts_for(arguments, profile_cap_bytes, is_profile);
    return texts.empty() ? embedded_chips() : with_overrides(embedded_chips(), texts);
}

ChipSet chips_for(Arguments const& arguments, Catalogue const& catalogue) {
    auto chips = chips_for(arguments);
    check_rule_values(chips, embedded_chips(), catalogue);
    return chips;
}

Catalogue catalogue_for(Arguments const& arguments) {
    auto const texts = texts_for(arguments, catalogue_cap_bytes, is_catalogue);
    return texts.empty() ? embedded_catalogue() : with_overrides(embedded_catalogue(), texts);
}

PlanData plan_data_for(Arguments const& arguments) {
    constexpr auto name = "plan.json";
    if (auto const file = file_for(arguments, name, profile_cap_bytes))
        return parse_plan_data(file->name, file->text);
    return parse_plan_data(name, embedded_file(name).value());
}

std::vector<std::string> directories_not_read() {
    std::vector<std::string> texts;
    for (auto const& directory : silent()) texts.push_back(not_read_text(directory));
    return texts;
}

std::vector<std::string> example_names() {
    std::vector<std::string> names;
    for (auto const& file : embedded_files())
        if (file.name.starts_with("examples/") && file.name.ends_with(".host"))
            names.emplace_back(file.name.substr(9, file.name.size() - 14));
    return names;
}

}  // namespace rocmtune
