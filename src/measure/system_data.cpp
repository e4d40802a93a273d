// SPDX-License-Identifier: MIT
#include "measure/system_data.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/data_date.hpp"
#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "knowledge/data_in_force.hpp"
#include "machine/path_walk.hpp"
#include "machine/reading_child.hpp"
#include "machine/trusted_folder.hpp"
#include "measure/gone_without.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// Of one set: what the codec takes of a file, and of all of them.
constexpr std::size_t file_cap_bytes = max_catalogue_file_bytes;
constexpr std::size_t set_cap_bytes = 2 * max_catalogue_file_bytes;

// ---- in the child -------------------------------------------------------------------------------

std::string file_of(TrustedFolder const& folder, std::string const& name, std::size_t cap) {
    auto read = folder.read(name, cap);
    if (!read.problem.empty())
        throw Error(fmt::format("cannot take {}: {}", printable(name), read.problem));
    return std::move(read.text);
}

/// All files of the folder's list, each with the sum that stands there.
DataSet set_in(TrustedFolder const& folder, DataManifest const& manifest) {
    DataSet set{.date = manifest.date};
    std::size_t bytes = 0;
    for (auto const& [name, sum] : manifest.files) {
        auto text = file_of(folder, name, file_cap_bytes);
        check_sum(manifest, name, text);
        bytes += text.size();
        if (bytes > set_cap_bytes)
            throw Error(fmt::format("the files are larger than {}", human_bytes(set_cap_bytes)));
        set.files.emplace(name, std::move(text));
    }
    return set;
}

constexpr char why_not_taken = 'p';  ///< why the set is not taken
constexpr char date_of_set = 'd';    ///< of a set that is good: its files follow
constexpr char one_file = 'f';       ///< name, NUL, text

void send_set(DataSet const& set, Send const& send) {
    send(date_of_set + set.date);
    for (auto const& [name, text] : set.files) send(one_file + name + '\0' + text);
}

/// Reads and proves the set in one folder. Sends nothing if there need be none and is none, or one
/// of the date of `newest`.
void send_proven_set(DataDirectory const& directory, std::string const& newest,
                     std::function<void()> const& proof, Send const& send) {
    TrustedFolder const folder(directory.path);
    if (folder.is_absent() && !directory.must_exist) return;
    if (!folder.problem().empty()) throw Error(folder.problem());
    auto const manifest = parse_manifest(
        data_manifest_name, file_of(folder, std::string(data_manifest_name), max_data_file_bytes));
    if (manifest.date < newest)
        throw Error(
            fmt::format("they are of {}, and newer ones of {} are here", manifest.date, newest));
    if (manifest.date == newest) return;
    auto const set = set_in(folder, manifest);
    put_in_force(set);
    proof();
    send_set(set, send);
}

void send_set_or_problem(DataDirectory const& directory, std::string const& newest,
                         std::function<void()> const& proof, Send const& send) try {
    send_proven_set(directory, newest, proof, send);
} catch (std::bad_alloc const&) {
    send(why_not_taken + std::string("memory is too short for them"));
} catch (std::exception const& error) {
    send(why_not_taken + std::string(error.what()));
}

// ---- in this process ----------------------------------------------------------------------------

/// What the child sent of one folder.
struct ChildAnswer {
    DataSet set = {};  ///< without a date: none
    std::string problem = {};
};

ChildAnswer answer_of(ChildMessages const& sent) {
    ChildAnswer answer;
    for (auto const& message : sent.messages) {
        if (message.front() == why_not_taken) answer.problem = message.substr(1);
        if (message.front() == date_of_set) answer.set.date = message.substr(1);
        if (message.front() != one_file) continue;
        auto const end = message.find('\0');
        answer.set.files.emplace(message.substr(1, end - 1), message.substr(end + 1));
    }
    if (sent.end == ChildEnd::finished) return answer;
    return {.problem = sent.end == ChildEnd::late ? "they were not read in time"
                                                  : "the process that read them ended early"};
}

/// A host without room for a process keeps the built-in data, too.
ChildAnswer ask_child(std::function<void(Send const&)> const& work,
                      std::chrono::milliseconds limit) try {
    return answer_of(messages_of_child(work, limit));
} catch (Error const& error) {
    return {.problem = error.what()};
}

/// The kernel knows of most hosts at once that they have none, and no child is needed then.
std::vector<DataDirectory> folders_to_read() {
    std::vector<DataDirectory> folders;
    if (auto const* const named = ::secure_getenv(data_variable)) {
        if (*named != '\0') folders.push_back({named, true});
        return folders;
    }
    for (auto const* path : data_folders)
        if (!is_known_absent(path)) folders.push_back({path, false});
    return folders;
}

std::string& folder_in_force() {
    static std::string folder;
    return folder;
}

}  // namespace

void take_system_data(DataChoice const& choice, std::function<void()> const& proof) {
    DataSet newest{.date = std::string(data_date())};
    std::vector<std::pair<std::string, std::string>> refused;
    for (auto const& directory : folders_to_read()) {
        auto const& path = directory.path;
        auto answer = ask_child(
            [&](Send const& send) { send_set_or_problem(directory, newest.date, proof, send); },
            reading_limit(choice));
        if (!answer.problem.empty()) refused.emplace_back(path, std::move(answer.problem));
        if (answer.set.date.empty()) continue;
        newest = std::move(answer.set);
        folder_in_force() = path;
    }
    if (!newest.files.empty()) put_in_force(std::move(newest));
    for (auto const& [path, why] : refused)
        go_on_without(path, {fmt::format("the data in {} are not used: {}; those of {} are",
                                         printable(path), why, data_date()),
                             "rocmtune --version -v says which data are in force"});
}

std::string const& folder_of_data() {
    return folder_in_force();
}

}  // namespace rocmtune
