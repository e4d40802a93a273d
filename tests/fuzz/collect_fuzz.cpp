// SPDX-License-Identifier: MIT
// Any bytes as a text of every kind: the same assignments twice, with names that are names and
// places within the text; and lint over them, whose messages are safe to print.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "judge/lint/lint.hpp"
#include "rocmtune/error.hpp"
#include "settings/collect.hpp"

namespace {

using namespace rocmtune;

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
    for (auto const& finding : lint(assignments, {embedded_catalogue(), embedded_chips()}))
        if (finding.message != printable(finding.message) || !finding.setting) std::abort();
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
