// SPDX-License-Identifier: MIT
#include "cli/mdoc.hpp"

#include <algorithm>

#include <fmt/ranges.h>

#include "base/text.hpp"

namespace rocmtune::mdoc {

std::string escaped(std::string_view text) {
    std::string result;
    for (auto const c : text) {
        if (c == '\\') result += "\\e";
        else if (c == '-') result += "\\-";
        else result += c;
    }
    if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
    return result;
}

std::string pasted(std::string_view text) {
    std::string result;
    for (auto const c : escaped(text)) {
        if (c == '"') result += "\\(dq";
        else if (c == '\'') result += "\\(aq";
        else if (c == '^') result += "\\(ha";
        else if (c == '~') result += "\\(ti";
        else result += c;
    }
    return '"' + result + '"';
}

std::string sentences(std::string_view text) {
    std::string result;
    for (auto end = text.find(". "); end != text.npos; end = text.find(". ")) {
        result += escaped(text.substr(0, end + 1)) + '\n';
        text.remove_prefix(end + 2);
    }
    return result + escaped(text) + '\n';
}

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

std::string page_head(std::string_view name, int section, std::string_view about) {
    std::string title(name);
    std::ranges::transform(title, title.begin(), to_upper);
    return fmt::format(
        ".\\\" Made from the tables of the program by scripts/update-generated; do not edit.\n"
        ".Dd November 26, 2026\n.Dt {} {}\n.Os\n.Sh NAME\n.Nm {}\n.Nd {}\n",
        title, section, name, about);
}

std::string section(std::string_view name) {
    return fmt::format(".Sh {}\n", name);
}

std::string item(std::string_view name, std::string_view about) {
    return fmt::format(".It {}\n{}{}\n", name, escaped(about), about.ends_with('.') ? "" : ".");
}

std::string example_item(NamedText const& example) {
    return item(fmt::format("Li {}", pasted(example.name)), example.about);
}

std::string list_of(std::string_view items) {
    return fmt::format(".Bl -tag -width Ds\n{}.El\n", items);
}

std::string see_also(std::vector<std::string> const& pages) {
    return section("SEE ALSO") + fmt::format(".Xr {}\n", fmt::join(pages, " ,\n.Xr "));
}

}  // namespace rocmtune::mdoc
