// SPDX-License-Identifier: MIT
#include "commands/advice.hpp"

#include <algorithm>

#include "commands/harmful.hpp"
#include "commands/verified.hpp"
#include "judge/rules/advise.hpp"
#include "judge/rules/settings.hpp"
#include "measure/data_files.hpp"
#include "measure/host_input.hpp"
#include "measure/selected_rows.hpp"

namespace rocmtune {
namespace {

/// The enumerator of a word that the table of options has let through.
template <class Enumeration, std::size_t count>
Enumeration chosen(std::array<std::string_view, count> const& words, std::string_view word) {
    return static_cast<Enumeration>(std::ranges::find(words, word) - words.begin());
}

}  // namespace

Selection selection_of(Arguments const& arguments, Host const& host) {
    Selection selection;
    if (auto const word = arguments.value("--level"))
        selection.level = chosen<Level>(level_words, *word);
    if (auto const word = arguments.value("--workload"))
        selection.workload = chosen<Workload>(workload_words, *word);
    if (auto const word = arguments.value("--framework"))
        selection.framework = chosen<FrameworkChoice>(framework_words, *word);
    selection.rows = selected_rows(arguments, host);
    return selection;
}

void fill_advice(Arguments const& arguments, Catalogue const& catalogue, ChipSet const& chips,
                 bool elsewhere, Report& report) {
    auto const verified = verified_findings(arguments);
    auto selection = selection_of(arguments, *report.host);
    selection.elsewhere = elsewhere;
    report.advice = advise(*report.host, chips, catalogue, selection);
    drop_harmful(verified, *report.advice);
    SettingOptions const options{.force = arguments.has("--force"),
                                 .clear = arguments.has("--unset")};
    report.settings = make_settings(*report.advice, catalogue, *report.host, selection, options);
    if (options.clear) clear_harmful(*report.host, chips, catalogue, *report.settings);
}

Report advised_report(Arguments const& arguments, Catalogue const& catalogue) {
    Report report;
    report.command = arguments.command;
    auto const chips = chips_for(arguments, catalogue);
    (void)verified_findings(arguments);  // a wrong file is said before the host is read
    report.host = read_host(arguments);
    fill_advice(arguments, catalogue, chips, false, report);
    return report;
}

Report advised_elsewhere(Report const& here, Arguments const& arguments,
                         Catalogue const& catalogue) {
    auto report = here;
    fill_advice(arguments, catalogue, chips_for(arguments, catalogue), true, report);
    return report;
}

}  // namespace rocmtune
