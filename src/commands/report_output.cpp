// SPDX-License-Identifier: MIT
#include "commands/report_output.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/written_file.hpp"
#include "measure/data_directories.hpp"
#include "measure/output.hpp"
#include "measure/terminal.hpp"
#include "show/env/env_formats.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

struct Also {
    std::string format;
    std::string file;
};

/// The format of this name, or null.
Format const* find_format_of(std::string_view command, std::string_view name) {
    return command == "env" ? find_env_format(name) : find_format(name, command);
}

std::vector<std::string_view> format_names(std::string_view command) {
    std::vector<std::string_view> names;
    if (command == "env")
        for (auto const& format : all_env_formats()) names.push_back(format.name);
    else
        for (auto const* format : formats_of(command)) names.push_back(format->name);
    return names;
}

Also parse_also(std::string_view command, std::string const& text) {
    auto const colon = text.find(':');
    if (colon == text.npos || colon + 1 == text.size())
        throw Error(fmt::format("--also needs FORMAT:FILE, not '{}'", printable(text)),
                    "for example --also json:report.json");
    Also also{text.substr(0, colon), text.substr(colon + 1)};
    if (also.file == "-")
        throw Error("--also writes to a file", "--format says what standard output gets");
    if (find_format_of(command, also.format) != nullptr) return also;
    auto const names = format_names(command);
    auto const near = meant(also.format, names);
    throw Error(fmt::format("--also knows no format '{}'", printable(also.format)),
                near ? fmt::format("did you mean '{}'?", *near)
                     : fmt::format("choose one of {}", fmt::join(names, ", ")));
}

struct Written {
    std::string option;
    std::string file;
};

std::vector<Written> written_files(Arguments const& arguments) {
    std::vector<Written> files;
    for (auto const* option : {"--output", "--record", "--bug-report", "--learn"})
        if (auto const name = arguments.value(option); name && *name != "-")
            files.push_back({option, *name});
    for (auto const& also : arguments.values("--also"))
        files.push_back({"--also", parse_also(arguments.command, also).file});
    return files;
}

/// The last output would silently replace the others.
void refuse_shared_files(Arguments const& arguments) {
    std::map<std::pair<std::string, std::string>, std::string> options;  // by what they replace
    for (auto const& [option, name] : written_files(arguments)) {
        auto const target = Destination(name).identity();
        if (!target) continue;
        auto const [other, is_new] = options.emplace(*target, option);
        if (!is_new)
            throw Error(fmt::format("{} and {} write the same file {}", other->second, option,
                                    printable(name)),
                        "give each of them a file of its own");
    }
}

/// The same report in every format. It must outlive what is returned.
ReportFor alike(Report const& report) {
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): what is captured, not a parameter
    return [&report](Format const&) -> Report const& { return report; };
}

/// A file has no terminal: no colour, and the usual width.
TextStyle file_style(Arguments const& arguments) {
    TextStyle style;
    style.verbosity = arguments.count("--verbose");
    return style;
}

}  // namespace

std::string format_name(Arguments const& arguments) {
    if (arguments.has("--json") && arguments.has("--format") &&
        arguments.value("--format") != "json")
        throw Error("--json and --format exclude each other",
                    "--json is --format json; --also json:FILE writes it beside another format");
    if (arguments.has("--json")) return "json";
    return arguments.value("--format").value_or(arguments.command == "env" ? "sh" : "text");
}

std::string render_report(Report const& report, std::string_view format,
                          Arguments const& arguments) {
    auto const style =
        arguments.has("--output") ? file_style(arguments) : terminal_style(arguments);
    return find_format_of(arguments.command, format)->render(report, style);
}

std::vector<std::string> files_written_by(Arguments const& arguments) {
    std::vector<std::string> names;
    for (auto& [option, name] : written_files(arguments)) names.push_back(std::move(name));
    return names;
}

void check_outputs(Arguments const& arguments) {
    (void)format_name(arguments);
    for (auto const& also : arguments.values("--also")) (void)parse_also(arguments.command, also);
    refuse_shared_files(arguments);
}

void write_report(Report& report, Arguments const& arguments) {
    for (auto const& [problem, hint] : directories_not_read())
        report.errors.push_back({problem, hint, Exit::undetermined});
    scrub(report);
    write_report(alike(report), arguments);
}

void write_report(ReportFor const& report_for, Arguments const& arguments) {
    // The side files come first: if one cannot be written, nothing was printed yet that says
    // otherwise.
    for (auto const& text : arguments.values("--also")) {
        auto const also = parse_also(arguments.command, text);
        auto const& format = *find_format_of(arguments.command, also.format);
        replace_file(also.file, format.render(report_for(format), file_style(arguments)));
    }
    bool const to_file = arguments.value("--output").value_or("-") != "-";
    if (arguments.has("--quiet") && !to_file) return;
    auto const name = format_name(arguments);
    auto const& report = report_for(*find_format_of(arguments.command, name));
    write_output(arguments, render_report(report, name, arguments));
}

std::vector<WantedDocument> wanted_documents(Arguments const& arguments) {
    std::vector<WantedDocument> documents;
    for (auto const& text : arguments.values("--also")) {
        auto const also = parse_also(arguments.command, text);
        documents.push_back({also.format, also.file, file_style(arguments)});
    }
    auto const file = arguments.value("--output").value_or("-");
    if (file != "-") documents.push_back({format_name(arguments), file, file_style(arguments)});
    else if (!arguments.has("--quiet"))
        documents.push_back(
            {format_name(arguments), "",
             arguments.has("--output") ? file_style(arguments) : terminal_style(arguments)});
    return documents;
}

}  // namespace rocmtune
