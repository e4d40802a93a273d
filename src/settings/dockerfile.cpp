// SPDX-License-Identifier: MIT
// ENV and RUN of Dockerfiles. ARG reaches no program of the finished image.
#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/logical_lines.hpp"

namespace rocmtune {
namespace {

class DockerfileReader {
  public:
    explicit DockerfileReader(InputText const& input)
        : input_(input),
          scope_(input.first_scope),
          last_scope_(input.first_scope),
          repeatable_bytes_(input.repeatable_bytes) {}

    std::vector<Assignment> read() {
        for (auto const& line : logical_lines(input_.text, input_.first_line)) take(line);
        return std::move(assignments_);
    }

  private:
    void take(LogicalLine const& line) {
        auto const words = list_words(line.text, 0, true);
        if (words.empty() || words.front().text.starts_with('#')) return;
        auto const instruction = lower(words.front().text);
        auto const from = words.front().offset + words.front().text.size();
        if (instruction == "from") stage(words);
        if (instruction == "env") environment(line, from, words);
        if (instruction == "run") run(line, from);
    }

    /// A stage begins with the environment of the one it is made from.
    void stage(std::vector<ListWord> const& words) {
        std::size_t image = 1;
        while (image < words.size() && words[image].text.starts_with("--")) ++image;
        if (image >= words.size()) return;
        auto const base = stages_.find(lower(words[image].text));
        if (base == stages_.end()) {
            scope_ = ++last_scope_;
        } else {
            // Stages of one parent do not meet: only the first goes on in its scope.
            scope_ = base->second;
            base->second = ++last_scope_;
        }
        if (image + 2 < words.size() && lower(words[image + 1].text) == "as")
            stages_.insert_or_assign(lower(words[image + 2].text), scope_);
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

    void add(LogicalLine const& line, ListWord const& word, std::string name, std::string value,
             bool is_open) {
        auto const place = line.place(word.offset);
        make_room(assignments_);
        assignments_.push_back({.name = std::move(name),
                                .value = is_open ? std::nullopt : std::optional(std::move(value)),
                                .file = input_.file,
                                .line = place.line,
                                .column = place.column,
                                .kind = input_.kind,
                                .scope = scope_});
    }

    /// The shell of one RUN ends with it: it builds the image.
    void run(LogicalLine const& line, std::size_t from) {
        auto const command = std::string_view(line.text).substr(from);
        auto found = read_shell({.text = command,
                                 .file = input_.file,
                                 .kind = input_.kind,
                                 .first_scope = ++last_scope_,
                                 .repeatable_bytes = repeatable_bytes_});
        repeatable_bytes_ = left_to_repeat(repeatable_bytes_, found);
        for (auto& assignment : found) {
            auto const place = line.place(from + assignment.column - 1);
            assignment.line = place.line;
            assignment.column = place.column;
            assignment.builds = true;
            last_scope_ = std::max(last_scope_, assignment.scope);
            make_room(assignments_);
            assignments_.push_back(std::move(assignment));
        }
    }

    InputText const& input_;
    std::vector<Assignment> assignments_ = {};
    std::map<std::string, std::size_t, std::less<>> stages_ = {};
    std::size_t scope_;
    std::size_t last_scope_;
    std::size_t repeatable_bytes_;
};

}  // namespace

std::vector<Assignment> read_dockerfile(InputText const& input) {
    return DockerfileReader(input).read();
}

}  // namespace rocmtune
