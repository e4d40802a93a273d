// SPDX-License-Identifier: MIT
// The shells that env scripts are for, as real programs: what a script leaves in an environment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rocmtune/report.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {

using Variables = std::map<std::string, std::string>;

struct Shell {
    std::string label;
    std::string format;              ///< row of the table of env formats
    std::vector<std::string> words;  ///< program and options
    std::string source;              ///< line that reads the script
    std::string set_local;           ///< "%n" and "%v": a variable that is not exported
    std::string show_local;          ///< prints a variable's value without a line end
    std::string left;                ///< prints names of ours that are defined
    std::string strict = {};         ///< the shell's checks on
};

inline void PrintTo(Shell const& shell, std::ostream* out) {
    *out << shell.label;
}

inline std::vector<Shell> all_shells() {
    std::string const posix_left =
        "set | grep _rocmtune || true; command -v rocmtune_deactivate || true\n";
    auto const posix = [&](std::string label, std::string format, std::vector<std::string> words) {
        return Shell{std::move(label), std::move(format),     std::move(words), ". ./script\n",
                     "%n='%v'\n",      "printf %s \"$%n\"\n", posix_left,       "set -eu\n"};
    };
    return {posix("dash", "sh", {"/usr/bin/dash"}),
            posix("bash_as_sh", "sh", {"/usr/bin/bash", "--norc"}),
            posix("zsh", "sh", {"/usr/bin/zsh", "-f"}),
            posix("bash", "bash", {"/usr/bin/bash", "--norc"}),
            {"fish",
             "fish",
             {"/usr/bin/fish", "--no-config"},
             "source ./script\n",
             "set -g %n '%v'\n",
             "printf %s \"$%n\"\n",
             "set | grep _rocmtune; functions -a -n | string split , | grep rocmtune; true\n"},
            {"tcsh",
             "csh",
             {"/usr/bin/tcsh", "-f"},
             "source ./script\n",
             "set %n = '%v'\n",
             "printf %s \"$%n\"\n",
             "set | grep _rocmtune\nalias | grep rocmtune\ntrue\n"}};
}

inline std::string with_name(std::string text, std::string const& name,
                             std::string const& value = {}) {
    for (auto const& [mark, word] :
         {std::pair{std::string("%n"), name}, {std::string("%v"), value}})
        for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + word.size()))
            text.replace(at, mark.size(), word);
    return text;
}

/// NAME=VALUE pairs ended by NUL, as env -0 prints them, without what shells count in.
inline Variables variables_in(std::string const& text) {
    Variables result;
    for (std::size_t start = 0; start < text.size();) {
        auto const end = text.find('\0', start);
        auto const pair = text.substr(start, end - start);
        auto const sign = pair.find('=');
        if (pair.substr(0, sign) != "_") result[pair.substr(0, sign)] = pair.substr(sign + 1);
        start = end + 1;
    }
    return result;
}

/// What a shell had before, while and after a script was in force.
struct Trace {
    Variables before, during, again, after;
    std::string locals;     ///< values of the local variables at the end, one a line
    std::string left;       ///< names of ours that are still defined
    std::string said;       ///< standard error
    bool injected = false;  ///< a file `canary` appeared
    int code = 0;
};

/// Sources `script` twice, undoes it, and looks each time.
inline Trace trace(Shell const& shell, std::string const& script, Variables const& exported,
                   Variables const& locals, std::string const& changed = {}) {
    Directory const directory;
    write_file(directory / "script", script);
    auto main = shell.strict;
    for (auto const& [name, value] : locals) main += with_name(shell.set_local, name, value);
    main += "/usr/bin/env -0 > before\n" + shell.source + "/usr/bin/env -0 > during\n" +
            shell.source + "/usr/bin/env -0 > again\n" + changed +
            "rocmtune_deactivate\n/usr/bin/env -0 > after\n";
    for (auto const& [name, value] : locals) main += with_name(shell.show_local, name) + "echo\n";
    write_file(directory / "main", main + "echo END\n" + shell.left);
    Launch launch;
    launch.words = shell.words;
    launch.words.emplace_back("./main");
    launch.directory = directory.path();
    for (auto const& [name, value] : exported) launch.environment[name] = value;
    launch.environment["HOME"] = directory.path();
    auto const result = run(launch);
    auto const cut = result.out.find("END\n");
    auto const read = [&](char const* name) { return variables_in(content_of(directory / name)); };
    return {read("before"),
            read("during"),
            read("again"),
            read("after"),
            result.out.substr(0, cut),
            cut == std::string::npos ? "it did not come to its end" : result.out.substr(cut + 4),
            result.err,
            std::filesystem::exists(directory / "canary"),
            result.code};
}

/// Texts that a script must hand on as they are.
inline std::vector<std::string> hostile_values() {
    return {"",
            " ",
            "a b",
            "'",
            "\"",
            "''",
            "$(touch canary)",
            "`touch canary`",
            "${IFS}x",
            "$HOME",
            "$$",
            "$",
            "!!",
            "!x",
            "a!b!",
            "!",
            "\\",
            "a\\",
            "\\\\",
            "\\'",
            "\\!",
            "\\n",
            "\\x41",
            "%h",
            "%%",
            "-d",
            "-f",
            "(",
            ")",
            "= (",
            "*",
            "?",
            "~",
            "{a,b}",
            "[",
            "]",
            "[exec touch canary]",
            "#",
            "; touch canary",
            "&& touch canary",
            "| touch canary",
            "\" ; touch canary ; \"",
            "' ; touch canary ; '",
            "\\' ; touch canary ; \\'",
            "> canary",
            "EOF",
            "END_OF_VALUE",
            "a=b",
            "=",
            "<<x",
            "$(FOO)",
            "\u00fc",
            "\u5bbd",
            "a:b::c:",
            "{",
            "}",
            "} ; touch canary",
            std::string(3000, 'x'),
            "^a^b",
            "@",
            "0",
            "true"};
}

/// Those that have line ends and other control characters.
inline std::vector<std::string> control_values() {
    return {"\n",
            "a\nb",
            "a\n",
            "\n\n",
            "x\ntouch canary",
            "'\ntouch canary\n'",
            "\"\ntouch canary\n\"",
            "\t",
            "\x1b[2J",
            "\x01",
            "a\nEND_OF_VALUE\nPATH=/",
            "\\\ntouch canary",
            "!\n",
            "a\rb"};
}

inline Setting setting(std::string name, std::optional<std::string> value) {
    Setting result;
    result.name = std::move(name);
    result.value = std::move(value);
    result.why = "It helps.";
    result.sources = {{"A text", {}, {}}};
    return result;
}

inline Report report_with(std::vector<Setting> items, bool force = false) {
    Report report;
    report.command = "env";
    report.host.emplace();
    report.advice.emplace();
    auto& settings = report.settings.emplace();
    settings.fingerprint = "0123456789abcdef";
    settings.level = "balanced";
    settings.workload = "none";
    settings.framework = "auto";
    settings.force = force;
    settings.items = std::move(items);
    return report;
}

}  // namespace rocmtune::test
