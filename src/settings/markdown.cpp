// SPDX-License-Identifier: MIT
// Fenced code blocks of Markdown, each read as what it says it is.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "settings/code_block.hpp"
#include "settings/collect.hpp"

namespace rocmtune {
namespace {

using std::string_view;

struct Language {
    string_view name;
    InputKind kind;
};

constexpr Language languages[] = {
    {"sh", InputKind::shell},
    {"bash", InputKind::shell},
    {"shell", InputKind::shell},
    {"zsh", InputKind::shell},
    {"console", InputKind::shell},
    {"shell-session", InputKind::shell},
    {"fish", InputKind::shell},
    {"csh", InputKind::shell},
    {"slurm", InputKind::slurm},
    {"sbatch", InputKind::slurm},
    {"dockerfile", InputKind::dockerfile},
    {"docker", InputKind::dockerfile},
    {"python", InputKind::python},
    {"py", InputKind::python},
    {"dotenv", InputKind::dotenv},
    {"env", InputKind::dotenv},
    {"systemd", InputKind::systemd},
    {"ini", InputKind::systemd},
    {"tcl", InputKind::modulefile},
    {"lua", InputKind::modulefile},
    {"json", InputKind::values},
    {"jsonc", InputKind::values},
    {"nix", InputKind::nix},
    {"make", InputKind::makefile},
    {"makefile", InputKind::makefile},
};

/// The fence that a line begins or ends: its characters, without what follows. Empty: none.
string_view fence_of(string_view line) {
    constexpr std::size_t deepest = 3;  // blanks; four make an indented block
    auto const first = line.find_first_not_of(' ');
    if (first > deepest) return {};  // also if there is none
    auto const c = line[first];
    if (c != '`' && c != '~') return {};
    auto const end = std::min(line.find_first_not_of(c, first), line.size());
    if (c == '`' && line.find(c, end) != line.npos) return {};  // code within a line
    return end - first >= 3 ? line.substr(first, end - first) : string_view();
}

/// The first word behind the fence, in lower case: "```bash title=x", "```{.sh}".
std::string language_of(string_view line, string_view fence) {
    auto rest = trim(line.substr(line.find(fence) + fence.size()));
    while (!rest.empty() && (rest.front() == '{' || rest.front() == '.')) rest.remove_prefix(1);
    return lower(rest.substr(0, rest.find_first_of(" \t,{}:")));
}

/// Nothing but comments and two settings or more, with names in capitals.
bool is_list_of_settings(string_view text) {
    std::size_t found = 0;
    for (auto const each : split(text, '\n')) {
        auto const line = trim(each);
        if (line.empty() || line.starts_with('#')) continue;
        auto const equals = line.find('=');
        if (equals == line.npos || !is_capital_name(line.substr(0, equals))) return false;
        ++found;
    }
    return found > 1;
}

/// Without a language, a block that exports something is a script.
std::optional<InputKind> kind_of_block(string_view language, string_view text) {
    for (auto const& row : languages)
        if (row.name == language) return row.kind;
    if (language == "yaml" || language == "yml") return kind_of("block.yaml", text);
    if (language.empty() && text.find("export ") != text.npos) return InputKind::shell;
    if (language.empty() && is_list_of_settings(text)) return InputKind::dotenv;
    return std::nullopt;
}

/// Prompts become blanks, so that columns stay.
std::string without_prompts(string_view text) {
    std::string result(text);
    for (std::size_t at = 0; at < result.size();) {
        auto const end = std::min(result.find('\n', at), result.size());
        auto const first = result.find_first_not_of(' ', at);
        if (first < end && first + 1 < end && (result[first] == '$' || result[first] == '%') &&
            result[first + 1] == ' ')
            result[first] = ' ';
        at = end + 1;
    }
    return result;
}

/// Editors leave them in pages, where people see blanks. Columns stay.
std::string without_no_break_spaces(std::string text) {
    replace_all(text, "\xC2\xA0", "  ");
    return text;
}

/// Those that end where a line of three dots stands.
bool is_yaml(InputKind kind) {
    constexpr std::array kinds{InputKind::compose, InputKind::kubernetes, InputKind::workflow,
                               InputKind::values};
    return std::ranges::find(kinds, kind) != kinds.end();
}

/// A page writes dots for the lines that it leaves out. The others keep their places.
std::string without_ellipses(std::string text) {
    for (auto const line : split(text, '\n'))
        if (auto const dots = trim(line); is_one_of(dots, {"...", "\xE2\x80\xA6"}))
            std::fill_n(text.begin() + (dots.data() - text.data()), dots.size(), ' ');
    return text;
}

class MarkdownReader {
  public:
    explicit MarkdownReader(InputText const& input) : input_(input), assignments_(input) {}

    std::vector<Assignment> read() {
        auto number = input_.first_line;
        for (std::size_t at = 0; at < input_.text.size(); ++number) {
            auto const end = std::min(input_.text.find('\n', at), input_.text.size());
            line(input_.text.substr(at, end - at), at, std::min(end + 1, input_.text.size()),
                 number);
            at = end + 1;
        }
        return assignments_.take();
    }

  private:
    void line(string_view text, std::size_t from, std::size_t to, std::size_t number) {
        auto const fence = fence_of(text);
        if (fence.empty()) return;
        if (fence_.empty()) {
            begin(fence, language_of(text, fence), to, number);
            return;
        }
        auto const language = language_of(text, fence);
        bool const ends = fence.front() == fence_.front() && fence.size() >= fence_.size();
        if (!ends || (!language.empty() && fence.size() > fence_.size())) return;
        // Behind a fence that is alone, or that nobody closed, a page goes on with the next block.
        bool const is_stray = !language.empty() && language_.empty();
        if (!is_stray) block(input_.text.substr(begin_, from - begin_));
        if (language.empty()) fence_ = {};
        else begin(fence, language, to, number);
    }

    void begin(string_view fence, std::string language, std::size_t at, std::size_t number) {
        fence_ = fence;
        language_ = std::move(language);
        begin_ = at;
        first_line_ = number + 1;
    }

    void block(string_view text) {
        add_code_block({.language = language_, .text = text, .first_line = first_line_},
                       assignments_);
    }

    InputText const& input_;
    AssignmentList assignments_;
    string_view fence_ = {};  // of the open block
    std::string language_ = {};
    std::size_t begin_ = 0, first_line_ = 0;
};

}  // namespace

void add_code_block(CodeBlock const& block, AssignmentList& assignments) {
    auto const kind = kind_of_block(block.language, block.text);
    if (!kind) return;
    auto plain = without_no_break_spaces(without_prompts(block.text));
    if (is_yaml(*kind)) plain = without_ellipses(std::move(plain));
    auto part = assignments.part(plain, assignments.scope, block.first_line);
    part.kind = *kind;
    assignments.add_part(read_if_whole(part), assignments.scope, [&](Assignment& one) {
        one.column += block.indentation;
        one.is_shown = true;
    });
    ++assignments.scope;
}

std::vector<Assignment> read_markdown(InputText const& input) {
    return MarkdownReader(input).read();
}

}  // namespace rocmtune
