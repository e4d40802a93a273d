// SPDX-License-Identifier: MIT
#include "codec/json_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace rocmtune {
namespace {

/// Behind the closing quote of the string whose content begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
    for (at = text.find_first_of("\"\\", at); at < text.size() && text[at] == '\\';)
        at = text.find_first_of("\"\\", std::min(at + 2, text.size()));
    return at < text.size() ? at + 1 : text.size();
}

/// Goes through a text from token to token; what lies outside of it is a NUL.
class Walk {
  public:
    explicit Walk(std::string_view text) : text_(text) {}

    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_blanks() {
        while (here() == ' ' || here() == '\n' || here() == '\t' || here() == '\r') ++at_;
    }

    /// The byte, if it is the next one.
    bool take(char wanted) {
        skip_blanks();
        if (here() != wanted) return false;
        ++at_;
        return true;
    }

    std::string_view string() {
        skip_blanks();
        auto const first = at_;
        skip_string();
        return text_.substr(first, at_ - first);
    }

    std::string_view value() {
        skip_blanks();
        auto const first = at_;
        skip_value();
        auto const value = text_.substr(first, at_ - first);
        return value.substr(0, value.find_last_not_of(" \n\t\r") + 1);
    }

    /// The rest from a place on, up to here.
    std::string_view since(std::size_t first) const { return text_.substr(first, at_ - first); }
    std::size_t place() const { return at_; }

  private:
    static constexpr std::array<bool, 256> telling = [] {
        std::array<bool, 256> bytes{};
        for (char const c : std::string_view("\"[]{},"))
            bytes[static_cast<unsigned char>(c)] = true;
        return bytes;
    }();

    /// Up to the comma or bracket that ends it.
    void skip_value() {
        for (std::size_t depth = 0; at_ < text_.size();) {
            auto const c = text_[at_];
            if (!telling[static_cast<unsigned char>(c)]) {
                ++at_;
            } else if (c == '"') {
                skip_string();
            } else if (c == '[' || c == '{') {
                ++depth, ++at_;
            } else {
                if (depth == 0) return;
                depth -= c != ',' ? 1 : 0;
                ++at_;
            }
        }
    }

    /// From one quote to after the other.
    void skip_string() {
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
            if (text_[at_] == '\\') ++at_;
        if (at_ < text_.size()) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::vector<WrittenMember> take_members(Walk& walk, std::string_view opened,
                                        std::vector<WrittenMember>* inside) {
    std::vector<WrittenMember> members;
    if (!walk.take('{') || walk.take('}')) return members;
    do {
        auto const key = walk.string();
        if (!walk.take(':')) break;
        walk.skip_blanks();
        auto const first = walk.place();
        if (inside != nullptr && key == opened && walk.here() == '{') {
            *inside = take_members(walk, {}, nullptr);
            members.push_back({key, walk.since(first)});
        } else {
            members.push_back({key, walk.value()});
        }
    } while (walk.take(','));
    walk.take('}');
    return members;
}

}  // namespace

bool nests_deeper(std::string_view text, std::size_t levels) {
    std::size_t open = 0;
    for (std::size_t at = text.find_first_of("\"[]{}"); at < text.size();
         at = text.find_first_of("\"[]{}", at)) {
        if (text[at] == '"') {
            at = end_of_string(text, at + 1);
            continue;
        }
        bool const opens = text[at] == '[' || text[at] == '{';
        if (opens && ++open > levels) return true;
        if (!opens && open > 0) --open;
        ++at;
    }
    return false;
}

std::vector<WrittenMember> written_members(std::string_view object) {
    Walk walk(object);
    return take_members(walk, {}, nullptr);
}

std::vector<WrittenMember> written_members(std::string_view object, std::string_view key,
                                           std::vector<WrittenMember>& of_key) {
    Walk walk(object);
    return take_members(walk, key, &of_key);
}

}  // namespace rocmtune
