// SPDX-License-Identifier: MIT
// Readers of texts in which a backslash at the end of a line joins it with the next: systemd units
// and Dockerfiles.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "settings/build_arguments.hpp"
#include "settings/collect.hpp"
#include "settings/cursor.hpp"
#include "settings/value_parts.hpp"

namespace rocmtune {
namespace {

/// One line after joining; every byte remembers where it came from.
struct LogicalLine {
    struct Origin {
        std::size_t offset;  ///< of the first byte of this piece in `text`
        std::size_t line;
        std::size_t column;  ///< of that byte, from 1
    };
    std::string text = {};
    std::vector<Origin> origins = {};

    /// Line and column of a byte of the text.
    Origin place(std::size_t offset) const;
};

/// One word of NAME=VALUE lists, without its quotes.
struct ListWord {
    std::string text = {};
    std::size_t offset = 0;  ///< of its first byte in the line
    bool is_open = false;    ///< something in it has to be expanded: its text is not known
};

ListWord take_word(std::string_view line, std::size_t& place, bool expands) {
    ListWord word{.offset = place};
    char quote = '\0';
    for (; place < line.size() && (quote != '\0' || !is_blank(line[place])); ++place) {
        auto const c = line[place];
        if (c == quote) quote = '\0';
        else if (quote == '\0' && (c == '"' || c == '\'')) quote = c;
        else if (c == '\\' && quote != '\'' && place + 1 < line.size()) word.text += line[++place];
        else {
            word.is_open = word.is_open || (expands && quote != '\'' && (c == '$' || c == '`'));
            word.text += c;
        }
    }
    return word;
}

LogicalLine::Origin LogicalLine::place(std::size_t offset) const {
    auto const after = std::ranges::upper_bound(origins, offset, {}, &Origin::offset);
    if (after == origins.begin()) return {};
    auto origin = *std::prev(after);
    origin.column += offset - origin.offset;
    return origin;
}

/// The joined lines of a text. A line that begins with '#' within a continuation is left out, as
/// Docker and systemd do; blanks behind the backslash count for nothing with Docker alone.
std::vector<LogicalLine> logical_lines(InputText const& input) {
    auto const* const blanks = input.kind == InputKind::dockerfile ? " \t" : "";
    std::vector<LogicalLine> result;
    bool continues = false;
    auto number = input.first_line;
    for (auto line : split(input.text, '\n')) {
        auto const here = number++;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (continues && trim(line).starts_with('#')) continue;
        if (!continues) result.emplace_back();
        auto& logical = result.back();
        logical.origins.push_back({logical.text.size(), here, 1});
        auto const kept = line.substr(0, line.find_last_not_of(blanks) + 1);
        continues = kept.ends_with('\\');
        if (continues) line = kept.substr(0, kept.size() - 1);
        logical.text += line;
        if (continues) logical.text += ' ';
    }
    return result;
}

/// Words between blanks from `offset` on; '...' and "..." hold blanks, \ takes the next byte as it
/// is. `expands` says whether $ and ` stand for something.
std::vector<ListWord> list_words(std::string_view line, std::size_t offset, bool expands) {
    std::vector<ListWord> result;
    auto place = offset;
    while (true) {
        while (place < line.size() && is_blank(line[place])) ++place;
        if (place >= line.size()) return result;
        result.push_back(take_word(line, place, expands));
    }
}

/// The value as the program gets it; nothing if it has %h or its like, which are replaced when the
/// unit starts.
std::optional<std::string> without_specifiers(std::string_view text) {
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            ++i;
            if (i < text.size() && text[i] != '%') return std::nullopt;
        }
        value += i < text.size() ? text[i] : '%';
    }
    return value;
}

/// What the commands of a line set, from the byte `from` on. `last_scope`, in which they begin,
/// becomes the last scope there.
void add_commands(LogicalLine const& line, std::size_t from, std::size_t& last_scope,
                  AssignmentList& assignments) {
    auto found = read_shell(assignments.part(std::string_view(line.text).substr(from), last_scope));
    assignments.add_part(std::move(found), last_scope, [&](Assignment& one) {
        auto const place = line.place(from + one.column - 1);
        one.line = place.line;
        one.column = place.column;
    });
}

class UnitReader {
  public:
    explicit UnitReader(InputText const& input) : input_(input), assignments_(input) {}

    std::vector<Assignment> read() {
        for (auto const& line : logical_lines(input_)) take(line);
        return assignments_.take();
    }

  private:
    void take(LogicalLine const& line) {
        auto const text = trim(line.text);
        if (text.empty() || text.front() == '#' || text.front() == ';') return;
        auto const equals = line.text.find('=');
        if (equals == std::string::npos) return;
        auto const key = trim(std::string_view(line.text).substr(0, equals));
        if (key == "Environment" || key == "DefaultEnvironment") environment(line, equals + 1);
        if (key.starts_with("Exec")) command(line, equals + 1);
        if (key == "UnsetEnvironment")
            for (auto const& word : list_words(line.text, equals + 1, false))
                add(line, word, word.text.substr(0, word.text.find('='))).unset = true;
    }

    void environment(LogicalLine const& line, std::size_t from) {
        auto const words = list_words(line.text, from, false);
        // An empty list takes back what the unit set before.
        if (words.empty()) assignments_.all.clear();
        for (auto const& word : words) {
            auto const equals = word.text.find('=');
            if (equals == std::string::npos) continue;
            auto const name = word.text.substr(0, equals);
            if (is_variable_name(name))
                add(line, word, name).value =
                    without_specifiers(std::string_view(word.text).substr(equals + 1));
        }
    }

    /// What a command line sets for what it starts: env A=1, docker run -e A=1, sh -c "export A=1".
    void command(LogicalLine const& line, std::size_t from) {
        from = std::min(line.text.find_first_not_of(" \t-@:+!|", from), line.text.size());
        auto last_scope = assignments_.scope + ++commands_;
        add_commands(line, from, last_scope, assignments_);
        commands_ = last_scope - assignments_.scope;
    }

    Assignment& add(LogicalLine const& line, ListWord const& word, std::string_view name) {
        bool const quoted = line.text[word.offset] == '"' || line.text[word.offset] == '\'';
        auto const place = line.place(word.offset + (quoted ? 1 : 0));
        return assignments_.add(name, std::nullopt, place.line, place.column);
    }

    InputText const& input_;
    AssignmentList assignments_;
    std::size_t commands_ = 0;  ///< scopes beside that of the unit
};

class DockerfileReader {
  public:
    explicit DockerfileReader(InputText const& input)
        : input_(input), assignments_(input), last_scope_(input.first_scope) {}

    std::vector<Assignment> read() {
        for (auto const& line : logical_lines(input_)) take(line);
        return assignments_.take();
    }

  private:
    void take(LogicalLine const& line) {
        auto const words = list_words(line.text, 0, true);
        if (words.empty() || words.front().text.starts_with('#')) return;
        auto const instruction = lower(words.front().text);
        auto const from = words.front().offset + words.front().text.size();
        if (instruction == "from") stage(words);
        if (instruction == "arg") arguments(line, from, words);
        if (instruction == "env") environment(line, from, words);
        if (instruction == "run") run(line, from);
    }

    void arguments(LogicalLine const& line, std::size_t from, std::vector<ListWord> const& words) {
        arguments_.declare(std::string_view(line.text).substr(from));
        for (auto const& word : words) names_.insert(word.text.substr(0, word.text.find('=')));
    }

    /// Whether an image of this name has a distribution, or Python, and sets no paths of libraries.
    static bool is_bare(std::string_view image) {
        for (std::string_view const host : {"docker.io/", "library/"})
            if (image.starts_with(host)) image.remove_prefix(host.size());
        return is_one_of(image.substr(0, image.find_first_of(":@")),
                         {"almalinux", "archlinux", "centos", "debian", "fedora", "python",
                          "rockylinux", "ubuntu"});
    }

    /// A stage begins with the environment of the one it is made from.
    void stage(std::vector<ListWord> const& words) {
        arguments_.begin_stage({});
        names_.clear();
        std::size_t image = 1;
        while (image < words.size() && words[image].text.starts_with("--")) ++image;
        if (image >= words.size()) return;
        auto const base = stages_.find(lower(words[image].text));
        is_bare_ = base == stages_.end() && is_bare(words[image].text);
        if (base == stages_.end()) {
            assignments_.scope = ++last_scope_;
        } else {
            // Stages of one parent do not meet: only the first goes on in its scope.
            assignments_.scope = base->second;
            base->second = ++last_scope_;
        }
        if (image + 2 < words.size() && lower(words[image + 1].text) == "as")
            stages_.insert_or_assign(lower(words[image + 2].text), assignments_.scope);
    }

    void environment(LogicalLine const& line, std::size_t from,
                     std::vector<ListWord> const& words) {
        if (words.size() < 2) return;
        // ENV NAME the rest of the line
        if (words[1].text.find('=') == std::string::npos) {
            if (words.size() < 3 || !is_variable_name(words[1].text)) return;
            auto const rest = trim(std::string_view(line.text).substr(words[2].offset));
            add(line, words[1], words[1].text, std::string(rest), rest.find('$') != rest.npos);
            return;
        }
        for (auto const& word : list_words(line.text, from, true)) {
            auto const equals = word.text.find('=');
            if (equals == std::string::npos) continue;
            auto const name = word.text.substr(0, equals);
            if (is_variable_name(name))
                add(line, word, name, word.text.substr(equals + 1), word.is_open);
        }
    }

    void add(LogicalLine const& line, ListWord const& word, std::string_view name,
             std::string value, bool is_open) {
        auto const place = line.place(word.offset);
        // The default of an ARG stands there until somebody builds with another one.
        if (is_open) value = arguments_.replaced(value);
        bool const is_unknown = is_open && value.find_first_of("$`") != std::string::npos;
        auto parts = is_unknown ? value_parts(value) : ValueParts();
        auto& one =
            assignments_.add(name, is_unknown ? std::nullopt : std::optional(std::move(value)),
                             place.line, place.column);
        one.parts = parts.take();
        // The first LD_LIBRARY_PATH=/x:$LD_LIBRARY_PATH, where no image has set it.
        bool const is_first = names_.insert(one.name).second && is_bare_ && name != "PATH";
        for (auto& part : one.parts)
            if (is_first && is_one_of(part.text, {'$' + one.name, "${" + one.name + '}',
                                                  "${" + one.name + ":-}"}))
                part = {};
        one.conditional = is_open && !is_unknown;
    }

    /// The shell of one RUN ends with it: it builds the image.
    void run(LogicalLine const& line, std::size_t from) {
        auto const first = assignments_.all.size();
        add_commands(line, from, ++last_scope_, assignments_);
        // RUN NAME=$NAME COMMAND hands on what the file has.
        for (auto& one : std::span(assignments_.all).subspan(first)) {
            one.builds = true;
            one.is_used_here = names_.contains(one.name);
        }
    }

    InputText const& input_;
    AssignmentList assignments_;
    BuildArguments arguments_ = {};
    std::map<std::string, std::size_t, std::less<>> stages_ = {};
    std::set<std::string, std::less<>> names_ = {};  ///< of ARG and ENV in this stage
    bool is_bare_ = false;
    std::size_t last_scope_;
};

}  // namespace

/// Environment= of units, after systemd.exec(5).
std::vector<Assignment> read_systemd(InputText const& input) {
    return UnitReader(input).read();
}

/// ENV and RUN. ARG reaches no program of the finished image.
std::vector<Assignment> read_dockerfile(InputText const& input) {
    return DockerfileReader(input).read();
}

}  // namespace rocmtune
