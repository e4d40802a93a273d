// SPDX-License-Identifier: MIT
// rocmtune(1) in mdoc(7), from the same tables as parsing and help.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "knowledge/findings.hpp"
#include "probe/reader.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

struct NamedText {
    std::string_view name;
    std::string_view about;
};

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

constexpr NamedText reasons[] = {
    {"not-read", "no reader looked for it on this kind of host"},
    {"not-recorded", "the recording or tree does not say"},
    {"absent", "looked for, and this host does not have it"},
    {"unsupported", "the device or its driver has no such thing"},
    {"invalid", "read, but not in the documented format"},
    {"suspended", "not asked, because asking would wake a sleeping GPU"},
    {"failed", "the kernel answered with an error"},
    {"timeout", "the kernel did not answer in time"},
    {"denied", "exists, but this user or container may not read it"},
};

/// A leading dot or quote would be a request, a backslash an escape; a hyphen stays a hyphen. A
/// list of words (a|b|c) may be broken behind each bar.
std::string roff(std::string_view text) {
    std::string result;
    for (auto const c : text) {
        if (c == '\\') result += "\\e";
        else if (c == '-') result += "\\-";
        else result += c;
    }
    if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
    return result;
}

/// A line to be pasted, as one argument of a request: of more than one, quotes would be eaten and a
/// lone "." taken as the end of a sentence. groff makes typographic characters of some others.
std::string pasted(std::string_view text) {
    std::string result;
    for (auto const c : roff(text)) {
        if (c == '"') result += "\\(dq";
        else if (c == '\'') result += "\\(aq";
        else if (c == '^') result += "\\(ha";
        else if (c == '~') result += "\\(ti";
        else result += c;
    }
    return '"' + result + '"';
}

/// A sentence a line, as mdoc wants it: the formatter then knows where sentences end.
std::string sentences(std::string_view text) {
    std::string result;
    for (auto end = text.find(". "); end != text.npos; end = text.find(". ")) {
        result += roff(text.substr(0, end + 1)) + '\n';
        text.remove_prefix(end + 2);
    }
    return result + roff(text) + '\n';
}

/// Lines of text as mandoc wants them, at most 80 bytes: the page is also read as a source. Not
/// broken where the next line would be a request, or the formatter would see the end of a sentence.
std::string folded(std::string_view page) {
    constexpr std::size_t longest = 80;
    auto const may_break = [](std::string_view text, std::size_t at) {
        constexpr std::string_view ends = ".?!:";
        return text[at] == ' ' && at > 0 && ends.find(text[at - 1]) == ends.npos &&
               text[at + 1] != '.' && text[at + 1] != '\'';
    };
    std::string result;
    while (!page.empty()) {
        auto line = page.substr(0, page.find('\n') + 1);
        page.remove_prefix(line.size());
        while (line.size() > longest + 1 && !line.starts_with('.')) {
            auto at = longest;
            while (at > 0 && !may_break(line, at)) --at;
            if (at == 0) break;
            result.append(line.substr(0, at)) += '\n';
            line.remove_prefix(at + 1);
        }
        result += line;
    }
    return result;
}

std::string section(std::string_view name) {
    return fmt::format(".Sh {}\n", name);
}

std::string item(std::string_view name, std::string_view about) {
    return fmt::format(".It {}\n{}{}\n", name, roff(about), about.ends_with('.') ? "" : ".");
}

template <class Rows>
std::string list(Rows const& rows) {
    std::string text = ".Bl -tag -width Ds\n";
    for (auto const& row : rows) text += item(roff(row.name), row.about);
    return text + ".El\n";
}

/// What an option takes: a list of words (a|b|c) may be broken behind each bar.
std::string argument(std::string_view metavar) {
    return fmt::format(" Ar {}", fmt::join(split(roff(metavar), '|'), "|\\:"));
}

std::string option_item(Option const& option) {
    std::string name;
    if (option.letter != 0) name = fmt::format("Fl {} , ", option.letter);
    name += fmt::format("Fl {}", roff(option.name.substr(1)));
    if (!option.metavar.empty()) name += argument(option.metavar);
    return item(name, option.help);
}

std::string commands_section() {
    std::string text = section("COMMANDS");
    for (auto const& command : all_commands()) {
        text += fmt::format(".Ss {}{}{}\n", command.name,
                            command.positional.name.empty() ? "" : " ", command.positional.name);
        auto about = roff(command.about);
        about[0] = to_upper(about[0]);
        text += fmt::format("{}.\n{}.Bl -tag -width Ds\n", about, sentences(command.details));
        for (auto const* option : options_of(command.name)) text += option_item(*option);
        text += item("Fl h , Fl \\-help", "show help") + ".El\n";
    }
    text += ".Pp\n" + sentences(
                          "Without a command the options of probe count, and the checks add what "
                          "they find wrong.");
    return text;
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
                           "Commands share these options; what each is for stands with the "
                           "command. Where one is missing, that has a reason.") +
                       ".Bl -tag -width Ds\n";
    for (auto const option : common_options())
        text += item(fmt::format("Fl {}", roff(option.substr(1))), lacks_of(option));
    return text + ".El\n.Pp\n" +
           sentences(
               "With -q nothing is printed but errors; files of -o and --also are written all the "
               "same. --gpu chooses what is judged or shown: probe leaves out other GPUs with "
               "their links and findings and says in summary.gpus_left_out how many, lint asks for "
               "these GPUs alone whether a setting is for another architecture, and in bench and "
               "verify cuda:N is a device of CUDA, elsewhere HIP's device N. --fail-on hides exit "
               "code 1 only.");
}

std::string examples_section() {
    std::string text = section("EXAMPLES") + ".Bl -tag -width Ds\n";
    for (auto const& command : all_commands())
        for (auto const& example : command.examples)
            text += item(fmt::format("Li {}", pasted(example.line)), example.about);
    return text + ".El\n";
}

template <class Entity>
std::string facts_of(std::string_view title) {
    std::string text = fmt::format(".Ss {}\n.Bl -tag -width Ds\n", title);
    Entity const none{};
    visit_fields(none, [&](auto const& field, auto const&) {
        if constexpr (requires { field.help; })
            text += item(fmt::format("Li {}", roff(field.key)), field.help);
    });
    return text + ".El\n";
}

std::string facts_section() {
    return section("FACTS") +
           "The keys of the JSON document and the lines of\n.Ic probe \\-v .\n"
           "A fact without a value has a reason: see\n.Sx REASONS .\n" +
           facts_of<Host>("Host") + facts_of<Gpu>("GPU") + facts_of<Link>("Link");
}

std::string findings_section() {
    std::string text = section("FINDINGS") +
                       "What\n.Nm\nfound wrong or worth knowing; a healthy host has none.\n"
                       "An id is never used for something else.\n" +
                       facts_of<Finding>("Keys") + ".Ss Ids\n.Bl -tag -width Ds\n";
    for (auto const& kind : all_finding_kinds()) {
        text += fmt::format(".It {}\n{}.\n{}", kind.id, roff(kind.title), sentences(kind.meaning));
        text += fmt::format("To do: {}.\n", roff(filled_step(kind.next_step)));
    }
    return text + ".El\n";
}

std::string readers_section() {
    std::string text = section("READERS") +
                       "What is looked at, in this order.\nThe word stands before each source "
                       "in\n.Ic probe \\-vv\nand in the JSON document.\n.Bl -tag -width Ds\n";
    for (auto const& reader : all_readers()) text += item(roff(reader.name), reader.about);
    return text + ".El\n";
}

}  // namespace

std::string man_page() {
    std::string text =
        ".\\\" Made from the tables of src/cli by scripts/update-generated; do not edit.\n"
        ".Dd November 21, 2026\n.Dt ROCMTUNE 1\n.Os\n.Sh NAME\n.Nm rocmtune\n.Nd the truth about "
        "AMD GPU hosts\n"
        ".Sh SYNOPSIS\n.Nm\n.Op Ar options\n.Nm\n.Ar command\n.Op Ar options\n.Op Ar argument\n"
        ".Sh DESCRIPTION\n.Nm\nshows which AMD GPUs and which ROCm software a Linux host has, on "
        "healthy, broken and\n"
        "GPU\\-less hosts alike.\nWithout a command it shows one screen about this host.\n"
        "Every fact has a source or a reason why it is missing; what is not known is never shown "
        "as 0.\n"
        "Commands that only read what others wrote, such as compare, fleet, lint of files and all "
        "with \\-\\-replay or \\-\\-root, give up all other rights first, as far as the kernel "
        "lets them; rocmtune \\-\\-version \\-v says what is on.\n";
    text += commands_section() + common_section();
    text += facts_section() + section("REASONS") + list(reasons) + findings_section() +
            readers_section();
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
    text += examples_section();
    text += section("SEE ALSO") +
            ".Xr rocm-smi 1 ,\n.Xr rocmtune-bench 1 ,\n.Xr rocmtune-builds 1 ,\n.Xr rocmtune-check "
            "1 ,\n.Xr "
            "rocmtune-compare 1 ,\n.Xr rocmtune-diagnose 1 ,\n.Xr rocmtune-env 1 ,\n.Xr "
            "rocmtune-fleet 1 ,\n.Xr rocmtune-mcp 1 ,\n.Xr rocmtune-plan "
            "1 ,\n.Xr rocmtune-report 1 ,\n.Xr rocmtune-verify 1 ,\n.Xr rocmtune-host 5 ,\n.Xr "
            "rocmtune-profile 5 ,\n.Xr rocmtune-snapshot 5\n";
    return folded(text);
}

}  // namespace rocmtune
