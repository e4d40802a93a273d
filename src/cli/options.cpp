// SPDX-License-Identifier: MIT
#include "cli/options.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// The order is that of help and man page: what the command does, then what it prints.
constexpr std::array options{
    Option{"--root", 0, Value::directory, "DIR",
           "read the host whose files lie under DIR, laid out as a chroot would be", "probe"},
    Option{"--replay", 0, Value::file, "FILE|example:NAME",
           "read a recorded host (snapshot, text or tar.gz of a tree), or one of the built-in "
           "examples",
           "probe"},
    Option{"--record", 0, Value::file, "FILE",
           "write every answer of this host to FILE, to be read by --replay: text if its name ends "
           "in .host, else a snapshot (tar.gz)",
           "probe"},
    Option{"--redact", 0, Value::none, "",
           "replace names of hosts and users, serial numbers, ids and addresses in what is "
           "recorded and printed",
           "probe"},
    Option{"--bug-report", 0, Value::file, "FILE",
           "record to FILE, redacted, and print a text to paste into an issue", "probe"},
    Option{"--sources", 0, Value::word, "all|sysfs",
           "what to ask: the kernel and the GPU libraries (all), or the kernel only; with --watch "
           "only the kernel is asked",
           "probe"},
    Option{"--wake", 0, Value::none, "",
           "read clocks, power and counters of suspended GPUs and ask the GPU libraries, which "
           "wakes them; each answer may then take 10 seconds instead of one",
           "probe"},
    Option{"--visible", 0, Value::text, "NAME=VALUE",
           "say which GPUs a process with this mask sees (ROCR_, HIP_, CUDA_VISIBLE_DEVICES or "
           "GPU_DEVICE_ORDINAL), on top of the environment",
           "probe", true},
    Option{"--watch", 0, Value::number, "SECONDS",
           "repeat every SECONDS and print one JSON document a line", "probe"},
    Option{"--count", 0, Value::number, "N", "with --watch: stop after N documents", "probe"},
    Option{"--timeout", 0, Value::number, "SECONDS",
           "give up reading after SECONDS (30); what is known by then is printed", "probe"},
    Option{"--profiles", 0, Value::directory, "DIR",
           "take profiles, schemas and examples in DIR before the built-in ones", "probe schema"},
    Option{"--format", 0, Value::word, "text|json|ndjson", "how to print", "probe"},
    Option{"--json", 0, Value::none, "", "the same as --format json", "probe"},
    Option{"--output", 'o', Value::file, "FILE",
           "print to FILE, which is replaced only when everything is written",
           "probe schema completion"},
    Option{"--also", 0, Value::text, "FORMAT:FILE", "print a second time, in FORMAT to FILE",
           "probe", true},
    Option{"--quiet", 'q', Value::none, "", "print nothing but errors", "probe"},
    Option{"--verbose", 'v', Value::none, "",
           "every fact with its value or the reason why it is missing; -vv adds sources", "probe",
           true},
    Option{"--no-color", 0, Value::none, "", "no colours, also on a terminal", "probe"},
};

bool takes(Option const& option, std::string_view command) {
    auto const names = words(option.commands);
    return option.commands == "*" || std::find(names.begin(), names.end(), command) != names.end();
}

}  // namespace

std::span<Option const> all_options() {
    return options;
}

/// rocmtune alone takes what probe takes: it shows the same screen.
std::vector<Option const*> options_of(std::string_view command) {
    std::vector<Option const*> result;
    for (auto const& option : options)
        if (takes(option, command.empty() ? "probe" : command)) result.push_back(&option);
    return result;
}

std::vector<std::string_view> choices_of(std::string_view metavar) {
    return split(metavar, '|');
}

}  // namespace rocmtune
