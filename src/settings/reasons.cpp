// SPDX-License-Identifier: MIT
// Whether words beside a setting say why it is there: a script that works round a fault says so,
// and a document that speaks of debugging sets debug switches.
#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// Whether one of the words, each with a blank before it, begins a word of the text.
bool has_one(string_view text, std::initializer_list<string_view> words) {
    std::string plain(" ");
    for (auto const c : text) plain += is_name_character(c) ? c : ' ';
    return has_one_of(lower(plain), words);
}

/// What is there for a fault, or against one.
bool speaks_of_faults(string_view text) {
    return has_one(text,
                   {" workaround",    " work around",  " hang",     " flaky",       " deadlock",
                    " wedge",         " crash",        " unstable", " stabili",     " corrupt",
                    " fault",         " artifact",     " prevent",  " critical",    " required",
                    " single gpu",    " wip",          " broken",   " not support", " without this",
                    " without these", " getting error"});
}

/// What a document speaks of above an example, or above the answer of a server, which nobody sets.
/// Comments beside a switch repeat what it does.
bool shows_debugging(string_view text) {
    return has_one(text, {" debug", " verbos", " profil", " troubleshoot", " diagnos", " logging",
                          " trac", " dump", " response", " returns", " returned"});
}

bool speaks_of_amd(string_view text) {
    auto const small = lower(text);
    return has_one_of(small,
                      {"amd", "rocm", "rccl", "gfx", "mi2", "mi3", "hsa_", "radeon", "instinct"}) ||
           has_word(small, "hip", "");
}

/// Whether the text speaks of NVIDIA's GPUs or programs, and of nothing of AMD's.
bool is_for_nvidia(string_view text) {
    return has_one_of(lower(text),
                      {"nvidia", "nccl-tests", "gpudirect", "h100", "h200", "b200", "a100"}) &&
           !speaks_of_amd(text);
}

/// The same of a heading or the name of a file: there CUDA is NVIDIA's, too.
bool is_title_for_nvidia(string_view text) {
    return is_for_nvidia(text) || (lower(text).find("cuda") != text.npos && !speaks_of_amd(text));
}

/// What programs for NVIDIA's GPUs read, too.
bool is_shared_with_nvidia(Assignment const& one) {
    return one.name.starts_with("NCCL_") || one.name.starts_with("CUDA_");
}

/// The names that the text itself uses: $NAME, ${NAME}. NAME=$NAME only passes it on, or shows it.
std::set<string_view> used_names(string_view text) {
    std::set<string_view> names;
    for (auto at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
        auto const rest = text.substr(at + (text.substr(at + 1).starts_with('{') ? 2 : 1));
        auto const end = std::ranges::find_if_not(rest, is_name_character);
        auto const name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
        auto before = text.substr(0, at);
        if (before.ends_with('"')) before.remove_suffix(1);
        // Whether it is set may be asked of any name.
        if (before.ends_with("-z ") || before.ends_with("-n ")) continue;
        // NAME=$NAME, "NAME: $NAME"
        if (before.ends_with(' ')) before.remove_suffix(1);
        bool const is_label = before.ends_with('=') || before.ends_with(':');
        if (is_label && before.substr(0, before.size() - 1).ends_with(name)) continue;
        names.insert(name);
    }
    return names;
}

class Reasons {
  public:
    explicit Reasons(InputText const& input)
        : lines_(split(input.text, '\n')),
          first_line_(input.first_line),
          in_document_(is_document(input.kind)) {}

    /// `number` counts as in assignments.
    bool stand_beside(std::size_t number) const {
        auto const index = index_of(number);
        if (index == lines_.size()) return false;
        auto const above = in_document_ ? text_above(index) : std::string();
        return speaks_of_faults(comment_in(lines_[index])) ||
               speaks_of_faults(comment_above(index)) || speaks_of_faults(above) ||
               shows_debugging(above);
    }

    /// Whether what a document says above the block is of NVIDIA's GPUs alone.
    bool are_for_nvidia(std::size_t number) const {
        auto const index = index_of(number);
        return in_document_ && index < lines_.size() && is_title_for_nvidia(text_above(index));
    }

    /// Whether the block of a document has nothing but this line, comments and [sections].
    bool is_whole_example(std::size_t number) const {
        auto first = index_of(number);
        if (!in_document_ || first == lines_.size()) return false;
        auto const is_empty = [&](std::size_t index) {
            return trim(lines_[index]).empty() || is_comment(lines_[index]) ||
                   trim(lines_[index]).starts_with('[');
        };
        auto last = first + 1;
        while (first > 0 && is_empty(first - 1)) --first;
        while (last < lines_.size() && is_empty(last)) ++last;
        return first > 0 && is_start_of_block(first - 1) &&
               (last == lines_.size() || is_end_of_block(first - 1, last));
    }

  private:
    /// Of a line, by its number; one more than all for what is none.
    std::size_t index_of(std::size_t number) const {
        return number < first_line_ ? lines_.size() : std::min(number - first_line_, lines_.size());
    }

    static bool is_fence(string_view line) {
        auto const text = trim(line);
        return text.starts_with("```") || text.starts_with("~~~");
    }

    /// A fence, or in rst a line that is indented as the directive is.
    bool is_end_of_block(std::size_t start, std::size_t index) const {
        return is_fence(lines_[start]) ? is_fence(lines_[index])
                                       : indentation(lines_[index]) <= indentation(lines_[start]);
    }

    static string_view comment_in(string_view line) {
        for (string_view const sign : {" #", "\t#", " //"})
            if (auto const at = line.find(sign); at != line.npos) return line.substr(at);
        return {};
    }

    static bool is_comment(string_view line) {
        auto const text = trim(line);
        return text.starts_with('#') || text.starts_with("//") || text.starts_with("--");
    }

    /// The nearest lines of comment above, without an empty line between.
    std::string comment_above(std::size_t index) const {
        constexpr std::size_t farthest = 20;
        auto const end = index - std::min(index, farthest);
        while (index > end && !trim(lines_[index - 1]).empty() && !is_comment(lines_[index - 1]))
            --index;
        std::string text;
        for (; index > end && is_comment(lines_[index - 1]); --index)
            text.append(lines_[index - 1]).append(" ");
        return text;
    }

    /// Of a document: the lines above the block that the line is in, and the heading above them.
    std::string text_above(std::size_t index) const {
        constexpr std::size_t most = 4;
        while (index > 0 && !is_start_of_block(index - 1)) --index;
        std::string text;
        for (std::size_t found = 0; index > 0 && found < most; --index) {
            auto const line = trim(lines_[index - 1]);
            if (line.empty()) continue;
            text.append(line).append(" ");
            if (line.starts_with('#')) break;
            ++found;
        }
        return text;
    }

    bool is_start_of_block(std::size_t index) const {
        auto const text = trim(lines_[index]);
        return is_fence(text) || text.ends_with("::") || text.starts_with(".. code");
    }

    std::vector<string_view> lines_;
    std::size_t first_line_;
    bool in_document_;
};

}  // namespace

void mark_reasons(InputText const& input, std::vector<Assignment>& found) {
    // More settings than this are no text that people have explained.
    constexpr std::size_t most_settings = 1'000;
    if (found.empty() || found.size() > most_settings) return;
    Reasons const reasons(input);
    auto const used = used_names(input.text);
    bool const for_nvidia = std::ranges::any_of(found, is_shared_with_nvidia) &&
                            (is_for_nvidia(input.text) ||
                             (is_title_for_nvidia(input.file) && !speaks_of_amd(input.text)));
    for (auto& one : found) {
        one.for_nvidia = one.for_nvidia || for_nvidia ||
                         (is_shared_with_nvidia(one) && reasons.are_for_nvidia(one.line));
        one.is_used_here = one.is_used_here || used.contains(one.name);
        one.in_branch =
            one.in_branch || reasons.is_whole_example(one.line) || reasons.stand_beside(one.line);
    }
}

}  // namespace rocmtune
