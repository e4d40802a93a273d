// SPDX-License-Identifier: MIT
// How a text changes so that a setting in it is mended, and nothing else. What is not surely so is
// left to a person.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/finding.hpp"
#include "settings/collect.hpp"

namespace rocmtune {

/// Bytes of a text, and what is to stand there in place of them.
struct Edit {
    std::size_t begin = 0, end = 0;
    std::string text = {};
    /// What its maker looked at. Edits whose parts do not touch can be made together.
    std::size_t seen_begin = 0, seen_end = 0;
};

/// The lines of a text, which has to outlive it.
class SourceLines {
  public:
    explicit SourceLines(std::string_view text);

    std::string_view text() const { return text_; }
    std::size_t count() const { return starts_.size(); }
    /// The number of the line, from 1, that holds a byte.
    std::size_t line_of(std::size_t place) const;
    /// Where a line begins; behind the last one the end of the text.
    std::size_t begin(std::size_t line) const;
    /// Without its end.
    std::string_view line(std::size_t line) const;
    /// Where the next line begins.
    std::size_t next(std::size_t line) const { return begin(line + 1); }
    /// The nearest line above that is neither blank nor a comment; 0: none.
    std::size_t filled_above(std::size_t line) const;

  private:
    std::string_view text_;
    std::vector<std::size_t> starts_;
};

/// A text in which settings are to be mended.
class Mender {
  public:
    /// `found`: what read_assignments(input) gives. Both outlive it.
    Mender(InputText const& input, std::span<Assignment const> found);

    /// The one change that carries out the repair. Nothing where the place is not known to the
    /// byte, where something else in the text speaks of the name, where the text would no longer be
    /// valid, or where another setting would change.
    std::optional<Edit> edit_for(Repair const& repair) const;

    /// The same without the last of these: holds() has to follow.
    std::optional<Edit> planned_edit(Repair const& repair) const;

    /// Whether the edits change just what the repairs say. Reads the changed text.
    bool holds(std::span<Edit const> edits, std::span<Repair const> repairs) const;

    SourceLines const& lines() const { return lines_; }

  private:
    bool is_spoken_of(Repair const& repair, Edit const& edit) const;
    bool is_set_twice(Repair const& repair) const;

    InputText const& input_;
    std::span<Assignment const> found_;
    SourceLines lines_;
};

/// The text with edits that do not overlap.
std::string with_edits(std::string_view text, std::vector<Edit> edits);

/// Lines and columns of an edit.
TextChange change_of(Edit const& edit, SourceLines const& lines);

}  // namespace rocmtune
