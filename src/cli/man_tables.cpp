// SPDX-License-Identifier: MIT
// Pages of the manual that are tables: rocmtune-facts(7), rocmtune-findings(7); and what the page
// of a command has from the tables of options and commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "cli/help.hpp"
#include "cli/mdoc.hpp"
#include "cli/options.hpp"
#include "knowledge/findings.hpp"
#include "probe/reader.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

using namespace mdoc;

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

/// What an option takes: a list of words (a|b|c) may be broken behind each bar.
std::string argument(std::string_view metavar) {
    return fmt::format(" Ar {}", fmt::join(split(escaped(metavar), '|'), "|\\:"));
}

std::string option_item(Option const& option) {
    std::string name;
    if (option.letter != 0) name = fmt::format("Fl {} , ", option.letter);
    name += fmt::format("Fl {}", escaped(option.name.substr(1)));
    if (!option.metavar.empty()) name += argument(option.metavar);
    return item(name, option.help);
}

std::string readers_section() {
    std::string text = section("READERS") +
                       "What is looked at, in this order.\nThe word stands before each source "
                       "in\n.Ic probe \\-vv\nand in the JSON document.\n";
    return text + list(all_readers());
}

template <class Entity>
std::string facts_of(std::string_view title) {
    std::string text = fmt::format(".Ss {}\n.Bl -tag -width Ds\n", title);
    Entity const none{};
    visit_fields(none, [&](auto const& field, auto const&) {
        if constexpr (requires { field.help; })
            text += item(fmt::format("Li {}", escaped(field.key)), field.help);
    });
    return text + ".El\n";
}

std::string facts_page() {
    return page_head("rocmtune-facts", 7, "the facts that rocmtune knows of a host and its GPUs") +
           section("DESCRIPTION") +
           "The keys of the JSON document and the lines of\n.Ic probe \\-v .\n"
           "A fact without a value has a reason: see\n.Sx REASONS .\n" +
           facts_of<Host>("Host") + facts_of<Gpu>("GPU") + facts_of<Link>("Link") +
           section("REASONS") + list(reasons) + readers_section() +
           see_also({"rocmtune 1", "rocmtune-probe 1", "rocmtune-findings 7"});
}

std::string findings_page() {
    std::string ids;
    for (auto const& kind : all_finding_kinds()) {
        ids +=
            fmt::format(".It {}\n{}.\n{}", kind.id, escaped(kind.title), sentences(kind.meaning));
        ids += fmt::format("To do: {}.\n", escaped(filled_step(kind.next_step)));
    }
    return page_head("rocmtune-findings", 7, "what rocmtune finds wrong or worth knowing") +
           section("DESCRIPTION") +
           sentences(
               "A healthy host has no findings but notes. An id is never used for something "
               "else.") +
           facts_of<Finding>("Keys") + ".Ss Ids\n" + list_of(ids) +
           see_also({"rocmtune 1", "rocmtune-check 1", "rocmtune-explain 1", "rocmtune-facts 7"});
}

/// Text that scripts/man-pages puts between the same two lines of a page.
std::string block(std::string_view name, std::string_view text) {
    return fmt::format(
        ".\\\" Begin {}: made from the tables of the program by scripts/update-generated.\n"
        "{}.\\\" End {}.\n",
        name, text, name);
}

std::string parts_of_page(Command const& command) {
    std::string options;
    for (auto const* option : options_of(command.name)) options += option_item(*option);
    options += item("Fl h , Fl \\-help", "show help");
    std::string examples;
    for (auto const& example : command.examples)
        examples += example_item({example.line, example.about});
    return block("description", sentences(command.details)) +
           block("options", section("OPTIONS") + list_of(options)) +
           block("examples", section("EXAMPLES") + list_of(examples));
}

}  // namespace

std::string man_tables(std::string_view name) {
    if (name == "facts") return folded(facts_page());
    if (name == "findings") return folded(findings_page());
    auto const* command = find_command(name);
    return command == nullptr ? std::string() : folded(parts_of_page(*command));
}

}  // namespace rocmtune
