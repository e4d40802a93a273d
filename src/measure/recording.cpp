// SPDX-License-Identifier: MIT
#include "measure/recording.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/scrub.hpp"
#include "machine/archive.hpp"
#include "machine/host_text.hpp"
#include "measure/output.hpp"

namespace rocmtune {
namespace {

/// Beside the ROCm names: what decides where software is looked for.
constexpr std::string_view recorded_names[] = {"CONDA_PREFIX",
                                               "HOME",
                                               "LD_LIBRARY_PATH",
                                               "PATH",
                                               "PYTHONPATH",
                                               "VIRTUAL_ENV",
                                               "KUBERNETES_SERVICE_HOST",
                                               "APPTAINER_CONTAINER",
                                               "SINGULARITY_CONTAINER",
                                               "container"};

bool is_recorded_name(std::string_view name) {
    for (auto const known : recorded_names)
        if (name == known) return true;
    return is_relevant_name(name);
}

/// What the readers look at, and no more. Of a secret the name stays, with an empty value: a replay
/// then says, too, that such a variable is set. A value that holds one stays without it.
std::string recorded_environment(std::string const& block) {
    std::string result;
    for (auto const entry : split(block, '\0')) {
        auto const name = entry.substr(0, entry.find('='));
        if (name.empty() || !is_recorded_name(name)) continue;
        auto value = std::string(entry.substr(std::min(name.size() + 1, entry.size())));
        if (is_secret_name(name)) value.clear();
        scrub_value(name, value);
        result.append(name).append(1, '=').append(value).append(1, '\0');
    }
    return result;
}

/// A recording holds no secrets, redacted or not. Bytes of devices are no texts.
QueryLog without_secrets(QueryLog const& log, std::vector<RecordedFile> const& more) {
    QueryLog clean;
    for (auto const& entry : log.entries()) {
        auto reply = entry.reply;
        if (is_utf8(reply.text)) scrub(reply.text);
        clean.add(entry.operation, scrubbed(entry.path), std::move(reply));
    }
    for (auto const& [path, text] : more)
        clean.add(Operation::read, path, {.ok = true, .text = scrubbed(text)});
    return clean;
}

std::string host_text(GuardedSource& source, bool redacted, std::vector<RecordedFile> const& more) {
    auto label = source.label().empty() ? std::string("recorded host") : source.label();
    if (redacted) label += ", redacted";
    auto environment = source.environment();
    if (environment) environment = recorded_environment(*environment);
    return write_host_text(without_secrets(source.log(), more), environment, scrubbed(label));
}

void write(std::string const& text, Recording& recording) {
    auto const bytes = recording.file.ends_with(".host") ? text : host_text_to_archive(text);
    replace_file(recording.file, bytes);
    recording.bytes = bytes.size();
}

/// Writes the file, if there is to be one, and returns what stands in it.
std::string record_with(std::vector<RecordedFile> const& more, GuardedSource& source, bool redacts,
                        Recording& recording) {
    auto text = host_text(source, redacts, more);
    if (redacts) {
        recording.redaction = redact(text, redaction_key());
        text = recording.redaction->text;
    }
    if (!recording.file.empty()) write(text, recording);
    return text;
}

void say(Redaction const& redaction) {
    auto text = fmt::format("rocmtune: redacted {}\n", replaced_text(redaction));
    if (redaction.dropped_log_lines > 0)
        text += fmt::format("  left out: {}\n", dropped_text(redaction));
    for (auto const& left : redaction.left) text += fmt::format("  still inside: {}\n", left);
    print_error(text);
}

}  // namespace

std::shared_ptr<HostSource> record(RecordingChoice const& choice,
                                   std::shared_ptr<GuardedSource> source, Recording& recording) {
    recording.file = choice.file;
    auto text = record_with({}, *source, choice.redacts, recording);
    if (recording.more) text = record_with(recording.more(), *source, choice.redacts, recording);
    if (!choice.redacts) return source;
    if (!choice.is_quiet) say(*recording.redaction);
    return text_source(text, "the redacted recording");
}

std::string replaced_text(Redaction const& redaction) {
    std::string text;
    for (auto const& [kind, values] : redaction.replaced) {
        // One address, one id: the plural of every kind but "addresses" ends in a single s.
        auto singular = kind;
        if (values == 1) singular.remove_suffix(kind.ends_with("addresses") ? 2 : 1);
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", values, singular);
    }
    return text.empty() ? "nothing: no name, id or address was found" : text;
}

}  // namespace rocmtune
