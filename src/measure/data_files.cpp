// SPDX-License-Identifier: MIT
#include "measure/data_files.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/xdg.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/data_in_force.hpp"
#include "knowledge/embedded.hpp"
#include "machine/held_signals.hpp"
#include "machine/path_walk.hpp"
#include "machine/posix_file.hpp"
#include "machine/reading_child.hpp"
#include "machine/trusted_path.hpp"
#include "measure/gone_without.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;

// ---- in the child -------------------------------------------------------------------------------

constexpr std::size_t profile_cap_bytes = std::size_t{1} << 20;
constexpr std::size_t catalogue_cap_bytes = std::size_t{16} << 20;

/// Files beside the profiles that are something else.
constexpr std::string_view other_files[] = {
    "advisories.json", "builds.json", "causes.json",   "environment.json", "findings.json",
    "messages.json",   "names.json",  "plan.json",     "releases.json",    "symptoms.json",
    "terms.json",      "trials.json", "variables.json"};
/// Those that take the place of the embedded ones as a whole.
constexpr std::pair<DataKind, std::string_view> whole_files[] = {{DataKind::plan, "plan.json"},
                                                                 {DataKind::builds, "builds.json"}};
constexpr std::string_view catalogue_files[] = {"names.json", "variables.json"};
constexpr std::string_view folders[] = {"examples", "schema"};

bool contains(std::span<std::string_view const> names, std::string const& name) {
    return std::ranges::find(names, name) != names.end();
}

DataKind kind_of(fs::path const& path) {
    auto const name = path.filename().string();
    if (contains(catalogue_files, name)) return DataKind::catalogue;
    bool const is_profile = path.extension() == ".json" && !contains(other_files, name);
    return is_profile ? DataKind::profile : DataKind::other;
}

std::string not_readable(std::string const& path, std::string const& why) {
    return fmt::format("cannot read {}: {}", printable(path), why);
}

DataFile read_file(DataKind kind, std::string const& path) {
    bool const is_small = kind != DataKind::catalogue && kind != DataKind::other;
    auto read = read_listed_file(path, is_small ? profile_cap_bytes : catalogue_cap_bytes);
    DataFile file{kind, path, std::move(read.text)};
    if (!read.problem.empty()) file.problem = not_readable(path, read.problem);
    return file;
}

bool exists(std::string const& path) {
    std::error_code error;
    return fs::exists(path, error);
}

void read_listed_files(DataDirectory const& directory, DirectoryContent& content) {
    std::error_code error;
    std::vector<std::string> paths;
    // The increment of a range-for would throw.
    fs::directory_iterator it(directory.path, error), end;
    for (; !error && it != end; it.increment(error))
        if (kind_of(it->path()) != DataKind::other) paths.push_back(it->path().string());
    auto const missing =
        error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    if (error && (directory.must_exist || !missing)) {
        content.problem = not_readable(directory.path, errno_text(error.value()));
        return;
    }
    std::ranges::sort(paths);
    for (auto const& path : paths) content.files.push_back(read_file(kind_of(path), path));
}

DirectoryContent content_of(DataDirectory const& directory) {
    DirectoryContent content;
    if (directory.is_of_home && exists(directory.path))
        content.not_ours = not_for_root(directory.path);
    if (!content.not_ours.empty()) return content;
    read_listed_files(directory, content);
    for (auto const& [kind, name] : whole_files)
        if (auto const path = fmt::format("{}/{}", directory.path, name); exists(path))
            content.files.push_back(read_file(kind, path));
    content.has_folders = std::ranges::any_of(
        folders, [&](auto name) { return exists(fmt::format("{}/{}", directory.path, name)); });
    return content;
}

// The first byte of a message of the child.
constexpr char a_file = 'f';       ///< kind, path, NUL, text
constexpr char a_bad_file = 'b';   ///< kind, path, NUL, why
constexpr char a_problem = 'p';    ///< why the directory cannot be listed
constexpr char not_ours = 'n';     ///< why root leaves the directory alone
constexpr char has_folders = 'h';  ///< there is more below it
constexpr char a_directory = 'd';  ///< all of it was sent

using ContentOf = std::function<DirectoryContent(DataDirectory const&)>;

void send_content(DirectoryContent const& content, Send const& send) {
    for (auto const& [kind, path, text, problem] : content.files)
        send(std::string{problem.empty() ? a_file : a_bad_file, static_cast<char>(kind)} + path +
             '\0' + (problem.empty() ? text : problem));
    if (!content.problem.empty()) send(a_problem + content.problem);
    if (!content.not_ours.empty()) send(not_ours + content.not_ours);
    if (content.has_folders) send(std::string(1, has_folders));
    send(std::string(1, a_directory));
}

// ---- in this process ----------------------------------------------------------------------------

DataFile file_in(std::string const& message) {
    auto const end = message.find('\0');
    DataFile file{static_cast<DataKind>(message[1]), message.substr(2, end - 2)};
    (message.front() == a_file ? file.text : file.problem) = message.substr(end + 1);
    return file;
}

/// Appends the directories that were read whole. Returns how many they are.
std::size_t take_contents(std::vector<std::string> const& messages,
                          std::vector<DirectoryContent>& contents) {
    std::size_t directories = 0;
    DirectoryContent next;
    for (auto const& message : messages) {
        auto const what = message.front();
        if (what == a_file || what == a_bad_file) next.files.push_back(file_in(message));
        if (what == a_problem) next.problem = message.substr(1);
        if (what == not_ours) next.not_ours = message.substr(1);
        if (what == has_folders) next.has_folders = true;
        if (what != a_directory) continue;
        contents.push_back(std::exchange(next, {}));
        ++directories;
    }
    return directories;
}

/// A directory that took longer than this is not waited for. On a busy host a process may take a
/// good part of the shortest time to start.
constexpr std::chrono::milliseconds shortest_reading{1'000};
constexpr std::chrono::milliseconds longest_reading{10'000};

/// Directories that this process goes on without, with what to say of each.
std::map<std::string, NotRead>& gone_without() {
    static std::map<std::string, NotRead> directories;
    return directories;
}

}  // namespace

std::chrono::milliseconds reading_limit(DataChoice const& choice) {
    return std::clamp(choice.patience.value_or(longest_reading), shortest_reading, longest_reading);
}

void go_on_without(std::string const& directory, NotRead const& what) {
    if (gone_without().emplace(directory, what).second) tell(what.problem, what.hint);
}

namespace {

/// Goes on without a directory, except one that the user asked for: it may lie in a home that is of
/// somebody else (a service without its own), or on a file server that is gone.
void give_up(DataDirectory const& directory, std::string const& problem) {
    if (directory.must_exist) throw Error(problem);
    go_on_without(directory.path, {problem + "; nothing in it is in force", ""});
}

/// Under sudo the home may be that of the caller, who must not decide what root does.
void leave_alone(DataDirectory const& directory, std::string const& why) {
    auto const shown = printable(directory.path);
    go_on_without(
        directory.path,
        {fmt::format("{} is left alone, since this is root and {}; nothing in it is in force",
                     shown, why),
         fmt::format("sudo -H takes the profiles of root; --profiles {} takes these",
                     shell_word(directory.path))});
}

/// Takes out of what was read of directories why nothing of it counts.
void give_up_those_with_a_problem(std::span<DataDirectory const> directories,
                                  std::span<DirectoryContent> contents) {
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (auto const problem = std::exchange(contents[i].problem, {}); !problem.empty())
            give_up(directories[i], problem);
        if (auto const why = std::exchange(contents[i].not_ours, {}); !why.empty())
            leave_alone(directories[i], why);
    }
}

/// The directories that may have something to read. Most hosts have none, and need no child then.
std::vector<DataDirectory> directories_to_read(DataChoice const& choice) {
    auto all = data_directories(choice);
    std::erase_if(all, [](auto const& one) {
        return !one.must_exist && (gone_without().contains(one.path) || is_known_absent(one.path));
    });
    return all;
}

/// What `content_of_one` finds in the directories, in their order.
std::vector<DirectoryContent> read_guarded(DataChoice const& choice,
                                           ContentOf const& content_of_one) {
    auto const all = directories_to_read(choice);
    std::vector<DirectoryContent> contents;
    for (std::span<DataDirectory const> left(all); !left.empty();) {
        auto const [messages, end] = messages_of_child(
            [&](Send const& send) {
                for (auto const& one : left) send_content(content_of_one(one), send);
            },
            reading_limit(choice));
        auto const read = take_contents(messages, contents);
        give_up_those_with_a_problem(left, std::span(contents).last(read));
        // What a signal has cut short is no fault of the directory.
        if (end == ChildEnd::finished || read == left.size() || HeldSignals::waiting()) break;
        if (end == ChildEnd::broken)
            throw Error(
                fmt::format("the process that read {} ended early", printable(left[read].path)),
                std::string(hint_of_broken_child), Exit::undetermined);
        give_up(left[read], not_readable(left[read].path, "it was not read in time"));
        left = left.subspan(read + 1);
    }
    return contents;
}

}  // namespace

std::vector<DataDirectory> data_directories(DataChoice const& choice) {
    std::vector<DataDirectory> all{{"/etc/rocmtune/profiles", false}};
    auto const& asked = choice.directory;
    auto const home = config_home(::secure_getenv("XDG_CONFIG_HOME"), ::secure_getenv("HOME"));
    auto const own = home ? std::optional(*home + "/rocmtune/profiles") : std::nullopt;
    if (own && own != asked) all.push_back({*own, false, true});
    if (asked) all.push_back({*asked, true});
    return all;
}

std::vector<DirectoryContent> const& directory_contents(DataChoice const& choice) {
    static std::map<std::vector<std::string>, std::vector<DirectoryContent>> known;
    std::vector<std::string> paths;
    for (auto const& directory : data_directories(choice)) paths.push_back(directory.path);
    auto found = known.find(paths);
    if (found == known.end())
        found = known.emplace(std::move(paths), read_guarded(choice, content_of)).first;
    return found->second;
}

std::vector<DataFile> files_in_folders(DataChoice const& choice, std::string const& name) {
    std::vector<DataFile> files;
    if (std::ranges::none_of(directory_contents(choice), &DirectoryContent::has_folders))
        return files;
    for (auto& content : read_guarded(choice, [&](DataDirectory const& directory) {
             auto const path = directory.path + '/' + name;
             DirectoryContent one;
             if (exists(path)) one.files.push_back(read_file(DataKind::other, path));
             return one;
         }))
        std::ranges::move(content.files, std::back_inserter(files));
    return files;
}

std::vector<NotRead> directories_not_read() {
    std::vector<NotRead> all;
    for (auto const& [path, what] : gone_without()) all.push_back(what);
    return all;
}

// ---- files by name ------------------------------------------------------------------------------

namespace {

std::string const& text_of(DataFile const& file) {
    if (!file.problem.empty()) throw Error(file.problem);
    return file.text;
}

/// The files of a kind in all directories, lowest precedence first.
std::vector<ProfileText> texts_for(DataChoice const& choice, DataKind kind) {
    std::vector<ProfileText> texts;
    for (auto const& directory : directory_contents(choice))
        for (auto const& file : directory.files)
            if (file.kind == kind) texts.push_back({file.path, text_of(file)});
    return texts;
}

}  // namespace

std::string data_file(DataChoice const& choice, std::string const& name) {
    std::optional<std::string> own;
    for (auto const& file : files_in_folders(choice, name)) own = text_of(file);
    if (own) return *own;
    auto const embedded = embedded_file(name);
    if (!embedded) throw Error(fmt::format("there is no {}", printable(name)));
    return std::string(*embedded);
}

ChipSet chips_for(DataChoice const& choice) {
    auto const texts = texts_for(choice, DataKind::profile);
    return texts.empty() ? embedded_chips() : with_overrides(embedded_chips(), texts);
}

ChipSet chips_for(DataChoice const& choice, Catalogue const& catalogue) {
    auto chips = chips_for(choice);
    check_rule_values(chips, embedded_chips(), catalogue);
    return chips;
}

Catalogue catalogue_for(DataChoice const& choice) {
    auto const texts = texts_for(choice, DataKind::catalogue);
    return texts.empty() ? embedded_catalogue() : with_overrides(embedded_catalogue(), texts);
}

namespace {

/// The file of this kind in the directory with the highest precedence that has one, or null.
DataFile const* whole_file(DataChoice const& choice, DataKind kind) {
    DataFile const* own = nullptr;
    for (auto const& directory : directory_contents(choice))
        for (auto const& file : directory.files)
            if (file.kind == kind) own = &file, (void)text_of(file);
    return own;
}

}  // namespace

PlanData plan_data_for(DataChoice const& choice) {
    constexpr auto name = "plan.json";
    if (auto const* own = whole_file(choice, DataKind::plan))
        return parse_plan_data(own->path, own->text);
    return parse_plan_data(name, data_text(name).value());
}

BuildsData builds_data_for(DataChoice const& choice) {
    auto const own = own_builds_for(choice);
    return own ? *own : embedded_builds();
}

std::shared_ptr<BuildsData const> own_builds_for(DataChoice const& choice) {
    auto const* own = whole_file(choice, DataKind::builds);
    if (own == nullptr) return nullptr;
    return std::make_shared<BuildsData const>(parse_builds_data(own->path, own->text));
}

std::vector<std::string> example_names() {
    std::vector<std::string> names;
    for (auto const& file : embedded_files())
        if (file.name.starts_with("examples/") && file.name.ends_with(".host"))
            names.emplace_back(file.name.substr(9, file.name.size() - 14));
    return names;
}

}  // namespace rocmtune
