// SPDX-License-Identifier: MIT
#include "settings/reader_scan.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace rocmtune {
namespace {

constexpr std::size_t ending_bytes = 4;
/// No name is longer, so of a longer word only this much is kept from one window to the next.
constexpr std::size_t most_kept = 256;
constexpr std::size_t window_bytes = std::size_t{1} << 20;

constexpr std::array<bool, 256> word_characters = [] {
    std::array<bool, 256> table{};
    for (int c = 0; c < 256; ++c)
        table[static_cast<std::size_t>(c)] =
            (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    return table;
}();

bool is_word(char c) {
    return word_characters[static_cast<unsigned char>(c)];
}

/// What strings(1) takes for the end of a text.
bool ends_text(char c) {
    auto const byte = static_cast<unsigned char>(c);
    return (byte < ' ' && c != '\t') || byte >= 127;
}

std::uint32_t ending_of(std::string_view word) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, word.data() + word.size() - ending_bytes, ending_bytes);
    return bytes;
}

std::size_t hash_of(std::uint32_t bytes) {
    return (bytes * 2654435761U) >> 16U;
}

}  // namespace

class NameFinder::Scan {
  public:
    Scan(NameFinder const& finder, ReaderFileKind kind)
        : finder_(finder), kind_(kind), found_(finder.names_.size(), false) {}

    /// @returns how many bytes at the end of the text have to be seen again with what follows.
    std::size_t take(std::string_view text, bool is_last) {
        std::size_t i = 0;
        while (i < text.size()) {
            if (!is_word(text[i])) {
                ++i;
                continue;
            }
            auto const first = i;
            while (i < text.size() && is_word(text[i])) ++i;
            if (i == text.size() && !is_last) return std::min(i - first, most_kept);
            judge(text.substr(first, i - first), i == text.size() || ends_text(text[i]));
        }
        return 0;
    }

    std::vector<std::string_view> result() const {
        std::vector<std::string_view> names;
        for (std::size_t i = 0; i < found_.size(); ++i)
            if (found_[i]) names.push_back(finder_.names_[i]);
        return names;
    }

  private:
    void judge(std::string_view word, bool at_end) {
        if (word.size() < ending_bytes || (kind_ == ReaderFileKind::library && !at_end)) return;
        auto const ending = ending_of(word);
        if (!finder_.may_end_[hash_of(ending)]) return;
        for (auto const& row :
             std::ranges::equal_range(finder_.endings_, ending, {}, &Ending::bytes)) {
            auto const name = finder_.names_[row.name];
            bool const fits =
                kind_ == ReaderFileKind::library ? word.ends_with(name) : word == name;
            if (fits) found_[row.name] = true;
        }
    }

    NameFinder const& finder_;
    ReaderFileKind kind_;
    std::vector<bool> found_;
};

NameFinder::NameFinder(std::vector<std::string_view> names)
    : names_(std::move(names)), may_end_(std::size_t{1} << 16U, false) {
    std::erase_if(names_, [](std::string_view name) {
        return name.size() < ending_bytes || name.size() > most_kept;
    });
    std::ranges::sort(names_);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    for (std::uint32_t i = 0; i < names_.size(); ++i) {
        endings_.push_back({ending_of(names_[i]), i});
        may_end_[hash_of(endings_.back().bytes)] = true;
    }
    std::ranges::sort(endings_, {}, &Ending::bytes);
}

std::vector<std::string_view> NameFinder::find(
    ReaderFileKind kind, std::function<std::size_t(char*, std::size_t)> const& read) const {
    Scan scan(*this, kind);
    std::vector<char> window(window_bytes);
    std::size_t kept = 0;
    while (true) {
        auto const count = read(window.data() + kept, window.size() - kept);
        std::string_view const text(window.data(), kept + count);
        kept = scan.take(text, count == 0);
        if (count == 0) return scan.result();
        std::memmove(window.data(), text.data() + text.size() - kept, kept);
    }
}

}  // namespace rocmtune
