// SPDX-License-Identifier: MIT
#include "knowledge/written_members.hpp"

#include <cstddef>

namespace rocmtune {
namespace {

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
        std::size_t depth = 0;
        for (; at_ < text_.size(); ++at_) {
            auto const c = text_[at_];
            if (c == '"') {
                skip_string();
                --at_;
            } else if (c == '[' || c == '{') {
                ++depth;
            } else if (c == ']' || c == '}' || c == ',') {
                if (depth == 0) break;
                if (c != ',') --depth;
            }
        }
        auto const value = text_.substr(first, at_ - first);
        return value.substr(0, value.find_last_not_of(" \n\t\r") + 1);
    }

  private:
    /// From one quote to after the other.
    void skip_string() {
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
            if (text_[at_] == '\\') ++at_;
        if (at_ < text_.size()) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<WrittenMember> written_members(std::string_view object) {
    std::vector<WrittenMember> members;
    Walk walk(object);
    if (!walk.take('{') || walk.take('}')) return members;
    do {
        auto const key = walk.string();
        if (!walk.take(':')) break;
        members.push_back({key, walk.value()});
    } while (walk.take(','));
    return members;
}

}  // namespace rocmtune
