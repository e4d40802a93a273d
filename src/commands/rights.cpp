// SPDX-License-Identifier: MIT
#include "commands/rights.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "commands/report_output.hpp"
#include "machine/sandbox.hpp"
#include "measure/host_input.hpp"
#include "measure/output_process.hpp"

namespace rocmtune {
namespace {

using When = std::optional<Moment>;

When always(Arguments const&) {
    return Moment::arguments_are_known;
}

When recorded(Arguments const& arguments) {
    return reads_this_host(arguments) ? std::nullopt : always(arguments);
}

When recorded_or_named_files(Arguments const& arguments) {
    return arguments.positionals.empty() ? recorded(arguments) : always(arguments);
}

/// Files are judged for this host if it is asked for; an environment of another process is not
/// theirs to read who have no rights.
When lint(Arguments const& arguments) {
    if (arguments.has("--process")) return std::nullopt;
    bool const for_this_host = arguments.has("--gpu") || arguments.has("--readers");
    bool const has_texts = !arguments.positionals.empty();
    if (!reads_this_host(arguments) || (has_texts && !for_this_host))
        return Moment::outputs_are_open;
    return has_texts ? When(Moment::host_is_read) : std::nullopt;
}

/// --memory plans without a host; else the description of a model waits for the host.
When plan(Arguments const& arguments) {
    if (arguments.has("--memory")) return always(arguments);
    if (!reads_this_host(arguments)) return always(arguments);
    return arguments.has("--model") ? When(Moment::host_is_read) : std::nullopt;
}

struct Row {
    std::string_view command;  ///< empty: rocmtune alone
    When (*when)(Arguments const&);
};

/// Commands that are not here start programs, measure, or read nothing of others.
constexpr Row rows[] = {
    {"", recorded},        {"probe", recorded}, {"env", recorded},
    {"explain", recorded}, {"check", recorded}, {"report", recorded_or_named_files},
    {"lint", lint},        {"plan", plan},      {"compare", always},
    {"fleet", always},
};

When when(Arguments const& arguments) {
    auto const* const row = std::ranges::find(rows, arguments.command, &Row::command);
    return row == std::end(rows) ? std::nullopt : row->when(arguments);
}

/// A container is often looked at through /proc/PID/root.
OtherProcesses others_of(Arguments const& arguments) {
    auto names = arguments.positionals;
    for (auto const* option : {"--root", "--replay"})
        if (auto const name = arguments.value(option)) names.push_back(*name);
    bool const named = std::ranges::any_of(
        names, [](std::string const& name) { return name.starts_with("/proc/"); });
    return named ? OtherProcesses::readable : OtherProcesses::hidden;
}

/// Valgrind and the like need rights of their own in the process that they look into.
bool is_switched_off() {
    auto const* const value = ::secure_getenv("ROCMTUNE_SANDBOX");
    return value != nullptr && std::string_view(value) == "off";
}

}  // namespace

void give_up_rights(Arguments const& arguments, Moment moment) {
    if (when(arguments) != moment || is_switched_off()) return;
    auto const others = others_of(arguments);
    auto files = files_written_by(arguments);
    // Our signals must reach the process that writes, and nobody else.
    if (!files.empty() && others == OtherProcesses::hidden) keep_signals_among_us();
    if (start_output_process(std::move(files))) (void)enter_sandbox(others);
}

std::string rights_text() {
    std::string const head =
        "Commands that only read what others wrote give up all other rights before:\n";
    if (is_switched_off()) return head + "  off: ROCMTUNE_SANDBOX is set to it\n";
    auto const sandbox = enter_sandbox();
    return fmt::format("{}  Landlock: {}\n  filter of system calls (seccomp): {}\n", head,
                       sandbox.landlock.says, sandbox.filter.says);
}

}  // namespace rocmtune
