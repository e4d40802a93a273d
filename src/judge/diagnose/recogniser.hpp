// SPDX-License-Identifier: MIT
// Which known messages a text has, whatever its length: memory depends on what is known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/messages.hpp"
#include "knowledge/pattern_set.hpp"
#include "knowledge/symptoms.hpp"

namespace rocmtune {

/// Values that messages name, by group: "gfx", "library".
using SaidValues = std::map<std::string, std::vector<std::string>, std::less<>>;

/// A message that was recognised, and what it can come from.
struct SeenMessage {
    ShownSymptom shown = {};
    std::vector<std::string> causes = {};  ///< ids, the most frequent first
    SaidValues said = {};
    bool of_kernel = false;  ///< a class of messages.json: the log itself is the proof
};

struct RecognisedText {
    std::uint64_t lines = 0;
    std::vector<SeenMessage> messages = {};
    /// The first line that each expression of "line" leaves matches.
    std::map<std::string_view, std::string> matched = {};
    std::vector<UnknownLine> unknown = {};  ///< the first that speak of an error and are not known
};

/// A text of a log as reports may carry it: without secrets, printable, shortened.
std::string shown_line(std::string_view text);

class Recogniser {
  public:
    /// So few lines are what somebody takes for an error, and no log.
    static constexpr std::uint64_t few_lines = 5;

    /// Over the embedded symptoms, causes and classes of kernel messages.
    Recogniser();

    /// A clean line (LineReader) with its number. Lines come in their order.
    void add(std::string_view line, std::uint64_t number);

    /// Whether its words are a message of the GPU's driver, whose name may be cut off.
    bool is_of_driver(std::string_view line) const;

    /// What was recognised, in the order of the first lines.
    RecognisedText take();

  private:
    enum class Kind : std::uint8_t { symptom, excluded, line, error, trouble, no_error };
    struct Entry {
        Kind kind;
        std::size_t symptom = 0;     ///< its place
        std::string_view text = {};  ///< of a "line" leaf
    };
    struct Place {
        std::size_t message = 0;  ///< in text_.messages
        std::size_t width = 0;    ///< bytes that the first match took
    };

    /// What all expressions are for, by their numbers.
    struct Table {
        std::vector<Entry> entries = {};
        std::vector<std::string> expressions = {};
        void add(std::string_view expression, Entry entry);
    };
    explicit Recogniser(Table table);
    static Table embedded_table();

    /// True if the line is known. Of two lines that a terminal made of one, or that are a question
    /// and its answer, only what lies across `seam`, a place in the joined line, counts.
    bool recognise(std::vector<int> const& candidates, std::string_view line, std::uint64_t number,
                   std::size_t seam);
    bool recognise_wrapped(std::string_view line, std::uint64_t number);
    bool is_excluded(std::size_t symptom, std::string_view line) const;
    void record(std::size_t symptom, std::string_view line, std::uint64_t number,
                PatternMatch const& match);
    /// `wanted`: error or trouble.
    bool speaks_of(Kind wanted, std::vector<int> const& candidates, std::string_view line) const;

    std::vector<Entry> entries_;
    std::map<std::size_t, std::vector<int>> excluded_ = {};  ///< by symptom, numbers of expressions
    PatternSet patterns_;
    MessageMatcher kernel_;
    std::map<std::size_t, Place> places_ = {};  ///< by symptom
    RecognisedText text_ = {};
    std::vector<UnknownLine> trouble_ = {};  ///< lines that are errors if nothing else is one
    std::string before_ = {};                ///< the line before, where this one may go on with it
    std::string joined_ = {};
    PatternMatch match_ = {};
};

}  // namespace rocmtune
