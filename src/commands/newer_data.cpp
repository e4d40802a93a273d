// SPDX-License-Identifier: MIT
#include "commands/newer_data.hpp"

#include "commands/output.hpp"
#include "judge/diagnose/recogniser.hpp"
#include "judge/rules/explain.hpp"
#include "knowledge/data_in_force.hpp"
#include "measure/system_data.hpp"
#include "rocmtune/report.hpp"
#include "show/documents.hpp"

namespace rocmtune {

void take_newer_data(DataChoice const& choice) {
    take_system_data(choice, [] {
        read_all_data();
        Recogniser const patterns;  // which are compiled here
    });
}

std::string data_age_text() {
    Report report;
    report.command = "explain";
    report.explanations.push_back(explain_data(embedded_catalogue(), {}, folder_of_data()));
    return as_text(report, style_of({}));
}

}  // namespace rocmtune
