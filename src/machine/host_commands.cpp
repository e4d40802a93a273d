// SPDX-License-Identifier: MIT
#include "machine/host_commands.hpp"

#include <algorithm>
#include <array>

#include <unistd.h>

#include "base/text.hpp"
#include "machine/command.hpp"
#include "machine/gpu_packages.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

/// amdgpu names 700 files of firmware and 100 parameters; 5000 packages are a large installation.
constexpr std::size_t most_program_bytes = std::size_t{4} << 20;

/// The first of these programs that is here; the last, if none is.
std::string program_of(std::initializer_list<char const*> places) {
    for (auto const* const place : places)
        if (::access(place, X_OK) == 0) return place;
    return *(places.end() - 1);
}

bool is_module_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_';
    });
}

Reply module_info(std::string_view module, std::chrono::milliseconds deadline) {
    if (!is_module_name(module)) return failure(EINVAL);
    auto reply =
        output_of_program({program_of({"/usr/sbin/modinfo", "/usr/bin/modinfo", "/sbin/modinfo"}),
                           "-F", "parmtype", std::string(module)},
                          deadline, most_program_bytes);
    if (reply.ok) reply.text = module_parameters_in(reply.text);
    return reply;
}

Reply rpm_packages(std::chrono::milliseconds deadline) {
    auto reply = output_of_program(
        {"/usr/bin/rpm", "-qa", "--qf", "%{NAME} %{EPOCHNUM}:%{VERSION}-%{RELEASE}\n"}, deadline,
        most_program_bytes);
    if (reply.ok) reply.text = gpu_packages_in(reply.text);
    return reply;
}

}  // namespace

bool is_command_key(std::string_view key) {
    return key.starts_with(module_info_key) || key == rpm_packages_key;
}

Reply command_reply(std::string_view key, std::chrono::milliseconds deadline) {
    if (key == rpm_packages_key) return rpm_packages(deadline);
    if (key.starts_with(module_info_key))
        return module_info(key.substr(module_info_key.size()), deadline);
    return failure(ENOSYS);
}

Reply output_of_program(std::vector<std::string> words, std::chrono::milliseconds deadline,
                        std::size_t most_bytes) {
    CommandRequest request;
    request.words = std::move(words);
    request.deadline = deadline;
    request.most_output_bytes = most_bytes;
    auto outcome = run_command(request);
    switch (outcome.end) {
        case CommandEnd::exited: break;
        case CommandEnd::not_started: return failure(ENOENT);
        case CommandEnd::timeout: return failure(ETIMEDOUT);
        case CommandEnd::signalled:
        case CommandEnd::interrupted: return failure(EINTR);
    }
    if (trim(outcome.output).empty()) return failure(outcome.code == 0 ? EACCES : EIO);
    return success(std::move(outcome.output));
}

std::string module_parameters_in(std::string_view modinfo) {
    std::string kept;
    for (auto const line : lines(modinfo)) {
        auto const name = line.substr(0, line.find(':'));
        if (is_module_name(name)) kept.append("parm ").append(name).append("\n");
    }
    return kept;
}

std::string gpu_packages_in(std::string_view rpm) {
    std::string kept;
    for (auto const line : lines(rpm))
        if (concerns_gpus(line)) kept.append(line).append("\n");
    return kept;
}

}  // namespace rocmtune
