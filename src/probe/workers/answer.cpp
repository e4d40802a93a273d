// SPDX-License-Identifier: MIT
#include "probe/workers/answer.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/text.hpp"
#include "probe/pci_address.hpp"

namespace rocmtune {
namespace {

LoadFailure const* first_trouble(DynamicLibrary const& library) {
    auto const& failures = library.failures();
    auto const found = std::find_if(
        failures.begin(), failures.end(),
        [](LoadFailure const& failure) { return failure.problem != LoadProblem::absent; });
    return found == failures.end() ? nullptr : &*found;
}

DynamicLibrary::Announce announcing(WorkerChannel& channel) {
    return [&](std::string const& candidate) { send(channel, "trying", candidate); };
}

}  // namespace

void send(WorkerChannel& channel, std::string_view kind, Json value) {
    Json line;
    line[std::string(kind)] = std::move(value);
    channel.send(line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json library_json(DynamicLibrary const& library) {
    Json json{{"path", library ? Json(library.path()) : Json(nullptr)}};
    if (!library.soname().empty()) json["soname"] = library.soname();
    json["candidates"] = Json::array();
    for (auto const& failure : library.failures()) {
        Json entry{{"name", failure.candidate}, {"problem", load_problem_name(failure.problem)}};
        if (!failure.culprit.empty()) entry["culprit"] = failure.culprit;
        json["candidates"].push_back(std::move(entry));
    }
    return json;
}

std::string load_trouble(DynamicLibrary const& library) {
    auto const* trouble = first_trouble(library);
    if (trouble == nullptr) return {};
    auto const name = load_problem_name(trouble->problem);
    if (trouble->problem == LoadProblem::other) return trouble->text;
    auto const& culprit = trouble->culprit;
    return fmt::format("{}: {}{}", trouble->candidate, name,
                       culprit.empty() ? std::string() : " (" + culprit + ')');
}

DynamicLibrary load(WorkerChannel& channel, std::vector<std::string> const& candidates) {
    return DynamicLibrary(candidates, announcing(channel));
}

DynamicLibrary load(WorkerChannel& channel, RocmLibrary const& which) {
    auto library = load(channel, named_candidates(which));
    if (!library) library.try_more(listed_candidates(which), announcing(channel));
    return library;
}

std::optional<DynamicLibrary> open_library(WorkerChannel& channel, RocmLibrary const& which) {
    auto library = load(channel, which);
    send(channel, "library", library_json(library));
    if (library) {
        channel.wait_for_release();
        return library;
    }
    auto const trouble = load_trouble(library);
    if (trouble.empty())
        channel.fail(WorkerStatus::absent, fmt::format("{} is not installed", which.stem));
    else channel.fail(WorkerStatus::error, trouble);
    return std::nullopt;
}

void note_untested_major(WorkerChannel& channel, DynamicLibrary const& library,
                         RocmLibrary const& which) {
    auto const& file = library.soname().empty() ? library.path() : library.soname();
    auto const major = major_of(file);
    auto const& known = which.majors;
    if (major.empty() || std::find(known.begin(), known.end(), major) != known.end()) return;
    send(channel, "note",
         fmt::format("{} is a version that rocmtune was not tested with", printable(file)));
}

void fail_without(WorkerChannel& channel, std::string_view function) {
    channel.fail(WorkerStatus::error, fmt::format("missing-symbol: {}", function));
}

std::string text_of(char const* buffer, std::size_t size) {
    return {buffer, ::strnlen(buffer, size)};
}

Json address_json(std::uint64_t domain, std::uint64_t bdf) {
    return decode_location(static_cast<std::uint32_t>(domain), bdf).text();
}

}  // namespace rocmtune
