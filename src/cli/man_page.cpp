// SPDX-License-Identifier: MIT
// rocmtune(1) in mdoc(7), from the same tables as parsing and help.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "cli/help.hpp"
#include "cli/mdoc.hpp"
#include "cli/options.hpp"

namespace rocmtune {
namespace {

using namespace mdoc;

constexpr NamedText exit_codes[] = {
    {"0", "fine; probe gives it on a host without GPUs, too"},
    {"1", "findings at or above the asked level, missed expectation, failed measurement"},
    {"2", "usage, bad input, output that cannot be written"},
    {"3", "could not determine: denied, timed out, nothing judged"},
    {"4", "no GPU where one was asked for"},
    {"5", "a fault of rocmtune itself"},
    {"125", "of run: rocmtune itself failed, before the command was started"},
    {"126", "of run: the command cannot be run"},
    {"127", "of run: there is no such command"},
    {"128+n", "ended by signal n"},
};

/// What monitoring systems ask their plugins for, in place of the codes above.
constexpr NamedText monitoring_codes[] = {
    {"nagios", "0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN, which a usage error is, too"},
    {"npd",
     "0 OK, 1 a problem, 2 unknown, which a usage error is, too (Node Problem Detector of "
     "Kubernetes)"},
};

constexpr NamedText variables[] = {
    {"NO_COLOR", "if set and not empty: no colours (https://no-color.org)"},
    {"CLICOLOR_FORCE", "if set and not empty: colours into pipes, too"},
    {"COLUMNS", "width of the output where there is no terminal to ask"},
    {"TERM", "dumb: no colours"},
    {"LC_ALL, LC_CTYPE, LANG",
     "where the locale is not UTF-8, other characters than ASCII show as ?"},
    {"ROCMTUNE_LOG",
     "debug: every file that was looked at, with the outcome, to standard error; trace: with short "
     "contents"},
    {"ROCM_PATH, HIP_PATH, ROCM_HOME, LD_LIBRARY_PATH",
     "where ROCm installations are looked for; as root only libraries are loaded that nobody but "
     "root can have put there, with all that they need: others are refused as untrusted, and "
     "directories of LD_LIBRARY_PATH where others could put one, relative ones, empty elements and "
     "such with $ORIGIN, $LIB or $PLATFORM are left out"},
    {"ROCMTUNE_LEFT_OUT",
     "set for the processes that load libraries: what was left out of LD_LIBRARY_PATH; not for "
     "users"},
    {"ROCMTUNE_LIBAMDHIP64, ROCMTUNE_LIBHIPRTC, ROCMTUNE_LIBHSA_RUNTIME64, ROCMTUNE_LIBROCM_SMI64, "
     "ROCMTUNE_LIBAMD_SMI, ROCMTUNE_LIBROCBLAS, ROCMTUNE_LIBHIPBLASLT, ROCMTUNE_LIBCUDA, "
     "ROCMTUNE_LIBNVRTC, ROCMTUNE_LIBOPENBLAS, ROCMTUNE_LIBRCCL",
     "the one file to load as that library, in place of the search for it"},
    {"XDG_CONFIG_HOME, HOME",
     "where profiles of the user lie: rocmtune/profiles in the first, .config/rocmtune/profiles in "
     "the second; root takes none that somebody else could have written (sudo -E)"},
    {"ROCMTUNE_DATA",
     "the one folder of newer data, in place of those below FILES; empty: the built-in data count"},
    {"ROCMTUNE_SANDBOX",
     "off: commands that only read what others wrote keep their rights, as valgrind needs it"},
    {"ROCMTUNE_CACHE, XDG_CACHE_HOME, HOME", "where compiled kernels are kept"},
    {"VIRTUAL_ENV, CONDA_PREFIX, PYTHONPATH, PATH", "which Python environment is the active one"},
};

constexpr std::string_view written_files =
    "A file that is written is replaced by a new one, readable for its owner alone unless the old "
    "one was this user's, nobody else can have given it that name, and its mode says otherwise; "
    "links that lead to it stay. A link, pipe or device on the way, also in the middle, is used "
    "only if this user, root or the owner of its directory made it, or nobody but these and the "
    "groups of this user may make entries there; access lists count. As root nothing is followed "
    "that anybody else could have put there, and a cache is used only where nobody else may write "
    "on the way to it. Else the exit code is 2. /dev/stdout and other descriptors are written "
    "where they stand.";

/// Each with its page, which has the options.
std::string commands_section() {
    std::string items;
    for (auto const& command : all_commands()) {
        auto about = std::string(command.about);
        about[0] = to_upper(about[0]);
        items += item(fmt::format("Ic {}", command.name), about) +
                 fmt::format("See\n.Xr rocmtune-{} 1 .\n", command.name);
    }
    return section("COMMANDS") + list_of(items) + ".Pp\n" +
           sentences(
               "Without a command the options of probe count, and the checks add what they find "
               "wrong.");
}

/// "env, run and explain".
std::string in_a_row(std::string_view names) {
    auto text = fmt::format("{}", fmt::join(words(names), ", "));
    if (auto const comma = text.rfind(", "); comma != text.npos) text.replace(comma, 2, " and ");
    return text;
}

/// "not in compare and fleet, which read files; not in ..."
std::string lacks_of(std::string_view option) {
    std::string text;
    for (auto const& row : lacking_options()) {
        auto const options = words(row.options);
        if (std::find(options.begin(), options.end(), option) == options.end()) continue;
        text += fmt::format("{}not in {}, {}", text.empty() ? "" : "; ", in_a_row(row.commands),
                            row.why);
    }
    return text.empty() ? "in every command" : text;
}

/// What a reader who knows an option from one command would look for in vain in another.
std::string common_section() {
    std::string text = section("COMMON OPTIONS") +
                       sentences(
                           "Commands share these options; what each is for stands in the "
                           "page of a command. Where one is missing, that has a reason.") +
                       ".Bl -tag -width Ds\n";
    for (auto const option : common_options())
        text += item(fmt::format("Fl {}", escaped(option.substr(1))), lacks_of(option));
    return text + ".El\n.Pp\n" +
           sentences(
               "With -q nothing is printed but errors; files of -o and --also are written all the "
               "same. --gpu chooses what is judged or shown: probe leaves out other GPUs with "
               "their links and findings and says in summary.gpus_left_out how many, lint asks for "
               "these GPUs alone whether a setting is for another architecture, and in bench and "
               "verify cuda:N is a device of CUDA, elsewhere HIP's device N. --fail-on hides exit "
               "code 1 only.");
}

/// The first of each command; its page has the others.
std::string examples_section() {
    std::string items;
    for (auto const& command : all_commands())
        if (!command.examples.empty())
            items += example_item({command.examples.front().line, command.examples.front().about});
    return section("EXAMPLES") + list_of(items);
}

std::vector<std::string> other_pages() {
    std::vector<std::string> pages;
    for (auto const& command : all_commands())
        pages.push_back(fmt::format("rocmtune-{} 1", command.name));
    std::sort(pages.begin(), pages.end());
    pages.insert(pages.begin(), "rocm-smi 1");
    for (auto const* page : {"host 5", "profile 5", "snapshot 5", "facts 7", "findings 7"})
        pages.push_back(fmt::format("rocmtune-{}", page));
    return pages;
}

constexpr std::string_view description =
    ".Sh SYNOPSIS\n.Nm\n.Op Ar options\n.Nm\n.Ar command\n.Op Ar options\n.Op Ar argument\n"
    ".Sh DESCRIPTION\n.Nm\nshows which AMD GPUs and which ROCm software a Linux host has, on "
    "healthy, broken and\nGPU\\-less hosts alike.\n"
    "Without a command it shows one screen about this host.\n"
    "Every fact has a source or a reason why it is missing; what is not known is never shown as "
    "0.\nThe facts are listed in\n.Xr rocmtune-facts 7 ,\nthe findings in\n.Xr "
    "rocmtune-findings 7 .\n"
    "Commands that only read what others wrote, such as compare, fleet, lint of files and all with "
    "\\-\\-replay or \\-\\-root, give up all other rights first, as far as the kernel lets them; "
    "rocmtune \\-\\-version \\-v says what is on.\n";

}  // namespace

std::string man_page() {
    auto text =
        page_head("rocmtune", 1, "the truth about AMD GPU hosts") + std::string(description);
    text += commands_section() + common_section();
    text += section("ENVIRONMENT") + list(variables);
    text += section("SECRETS") +
            sentences(
                "What promises or is a secret is taken out of every document, recording, message "
                "and log. The value of a variable whose name promises one (HF_TOKEN, VLLM_API_KEY) "
                "is never shown. In other texts its kind stands in its place, as <secret: url "
                "password> or <secret: token of GitHub>: tokens of providers, JSON web tokens and "
                "private keys, passwords in addresses, Authorization, options such as --api-key X "
                "and mysql -pX, assignments such as password=X, signatures in addresses. "
                "Judgements rest on the true values, and run passes those on.");
    text +=
        section("FILES") + ".Bl -tag -width Ds\n" +
        item("Pa /etc/rocmtune/profiles",
             "profiles and catalogue of the administrator, see rocmtune-profile(5)") +
        item("Pa ~/.config/rocmtune/profiles", "those of the user, which come before them") +
        item("Pa /usr/local/share/rocmtune/data , /usr/share/rocmtune/data",
             "newer data than those of the program (the package rocmtune-data), taken in their "
             "place as a whole if nobody but root could have written them and all of them can be "
             "read, else named and left alone; every document and --version say the date of the "
             "data in force, --version -v and explain data also where they lie and how old they "
             "are; see rocmtune-profile(5)") +
        item("Pa /usr/share/libdrm/amdgpu.ids", "product names by PCI device and revision") +
        item("Pa /usr/share/misc/pci.ids", "product names by PCI device, if nothing else has one") +
        ".El\n" + ".Pp\n" + sentences(written_files);
    text += section("EXIT STATUS") + "The first of 128+n, 5, 2, 1, 3, 4, 0 that holds:\n" +
            list(exit_codes) + ".Pp\n" +
            sentences(
                "check --format nagios and npd use the codes of those systems, whatever --also "
                "writes beside them:") +
            list(monitoring_codes);
    text += examples_section() + see_also(other_pages());
    return folded(text);
}

}  // namespace rocmtune
