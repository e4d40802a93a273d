// SPDX-License-Identifier: MIT
// Any bytes as a text of every kind: the same assignments twice, with names that are names and
// places within the text; and lint over them, whose messages are safe to print and whose changes
// change nothing else.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "judge/lint/lint.hpp"
#include "rocmtune/error.hpp"
#include "settings/collect.hpp"
#include "settings/repair.hpp"

namespace {

using namespace rocmtune;

/// An edit lies in the text, has lines and columns there, and is one that mends nothing else.
void check(Mender const& mender, Edit const& edit, Repair const& repair) {
    auto const text = mender.lines().text();
    if (edit.begin > edit.end || edit.end > text.size()) std::abort();
    auto const change = change_of(edit, mender.lines());
    bool const is_ordered = change.line < change.end_line ||
                            (change.line == change.end_line && change.column <= change.end_column);
    if (!is_ordered || change.column == 0 || !mender.holds({&edit, 1}, {&repair, 1})) std::abort();
}

void check(std::string_view text, InputKind kind) {
    InputText const input{.text = text, .file = "f", .kind = kind};
    std::vector<Assignment> assignments;
    try {
        assignments = read_assignments(input);
    } catch (Error const&) {
        return;  // YAML that is none
    }
    auto const last_line = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    for (auto const& assignment : assignments)
        if (!is_variable_name(assignment.name) || assignment.line > last_line) std::abort();
    if (read_assignments(input).size() != assignments.size()) std::abort();
    Mender const mender(input, assignments);
    for (auto const& finding : lint(assignments, {embedded_catalogue(), embedded_chips()})) {
        if (finding.message != printable(finding.message) || !finding.setting) std::abort();
        auto const& repair = finding.setting->repair;
        if (auto const edit = mender.edit_for(repair)) check(mender, *edit, repair);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    constexpr auto kinds = static_cast<unsigned>(InputKind::values) + 1;
    auto const kind = static_cast<InputKind>(data[0] % kinds);
    check(text, kind);
    (void)kind_of("file", text);
    return 0;
}
