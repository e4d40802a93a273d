// SPDX-License-Identifier: MIT
#include "settings/shell_blocks.hpp"

#include <algorithm>
#include <ranges>

#include "base/text.hpp"
#include "settings/collect.hpp"

namespace rocmtune {
namespace {

using std::string_view;
using Words = std::span<ShellToken const>;

constexpr std::size_t deepest = 16;  // the number of blocks around a setting that are asked

bool is_branch(char kind) {
    return kind == 'i' || kind == 'c';
}

std::vector<std::string> gpus_in(Words words) {
    std::vector<std::string> gpus;
    for (auto const& word : words)
        for (auto const& part : word.parts)
            if (part.kind == WordPart::Kind::literal)
                std::ranges::move(gpus_named_in(part.text), std::back_inserter(gpus));
    return gpus;
}

/// [ "$A" != gfx1100 ], ! grep, grep -v
bool has_denial(Words words) {
    return std::ranges::any_of(words, [](ShellToken const& word) {
        auto const text = word.plain();
        return text.starts_with('!') || is_one_of(text, {"-v", "-qv", "-vq", "-ne"});
    });
}

bool is_test(Words words) {
    return !words.empty() && is_one_of(words.front().plain(), {"[", "[[", "test", "grep", "egrep"});
}

}  // namespace

void ShellBlocks::open(char kind) {
    open_.push_back({.kind = kind});
    if (is_branch(kind)) ++branches_;
}

void ShellBlocks::close(string_view kinds) {
    if (open_.empty() || kinds.find(open_.back().kind) == kinds.npos) return;
    if (is_branch(open_.back().kind)) --branches_;
    open_.pop_back();
}

void ShellBlocks::ask(Block& block) {
    block = {.kind = block.kind, .is_asking = true};
}

void ShellBlocks::keyword(string_view word) {
    if (is_one_of(word, {"if", "case", "switch"})) open(word == "if" ? 'i' : 'c');
    else if (is_one_of(word, {"while", "until", "for", "select", "foreach"})) open('d');
    else if (word == "{") open('{');
    else if (word == "}") close("{");
    else if (word == "fi" || word == "endif") close("i");
    else if (word == "done") close("d");
    else if (word == "esac") close("c");
    else if (word == "end") close("dic");
    if (is_one_of(word, {"if", "case"}) || (word == "elif" && is_in('i'))) ask(open_.back());
    if (word == "then" && is_in('i')) open_.back().is_asking = false;
    if (word == "else" && is_in('i')) open_.back() = {.kind = 'i'};
}

void ShellBlocks::operation(string_view what) {
    if (what != "&&") line_gpus_.clear();
    if (what == "(") open('(');
    if (what == ")" && is_in('c')) open_.back().is_asking = false;
    if (what == ")") close("(");
    if (what.starts_with(";;") && is_in('c')) ask(open_.back());
}

void ShellBlocks::words(Words words) {
    if (!open_.empty() && open_.back().is_asking) {
        auto& block = open_.back();
        std::ranges::move(gpus_in(words), std::back_inserter(block.gpus));
        block.denies =
            block.denies || has_denial(words) || block.gpus.size() > max_gpus_of_condition;
        if (block.denies) block.gpus.clear();
    } else if (is_test(words) && !has_denial(words)) {
        line_gpus_ = gpus_in(words);
        if (line_gpus_.size() > max_gpus_of_condition) line_gpus_.clear();
    }
}

std::vector<std::string> const& ShellBlocks::gpus() const {
    if (!line_gpus_.empty()) return line_gpus_;
    for (auto const& block : open_ | std::views::reverse | std::views::take(deepest))
        if (!block.is_asking && !block.gpus.empty()) return block.gpus;
    return line_gpus_;
}

}  // namespace rocmtune
