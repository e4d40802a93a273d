// SPDX-License-Identifier: MIT
#include "settings/value_parts.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// The bytes of what begins with $ or `: "$NAME", "${...}"; all that is left of any other.
std::size_t size_of_expansion(std::string_view text) {
    if (text.starts_with("${")) return std::min(text.find('}'), text.size() - 1) + 1;
    std::size_t size = 1;
    while (size < text.size() && is_name_character(text[size])) ++size;
    return size > 1 && text.front() == '$' ? size : text.size();
}

}  // namespace

void ValueParts::add(std::string_view text, bool is_known) {
    constexpr std::size_t longest = 64 * 1024;
    constexpr std::size_t most = 64;
    size_ += text.size();
    bool const joins = is_known && !parts_.empty() && parts_.back().is_known;
    is_too_long_ = is_too_long_ || size_ > longest || (!joins && parts_.size() == most);
    if (is_too_long_) parts_.clear();
    else if (joins) parts_.back().text += text;
    else parts_.push_back({std::string(text), is_known});
}

void ValueParts::add(std::string_view known) {
    add(known, true);
}

void ValueParts::add_unknown(std::string_view text) {
    add(text, false);
}

std::optional<std::string> ValueParts::whole() const {
    if (is_too_long_) return std::nullopt;
    if (parts_.empty()) return std::string();
    return parts_.size() == 1 && parts_[0].is_known ? std::optional(parts_[0].text) : std::nullopt;
}

std::vector<ValuePart> ValueParts::take() {
    std::erase_if(parts_, [](ValuePart const& part) { return part.is_known && part.text.empty(); });
    auto const known = std::ranges::count_if(parts_, &ValuePart::is_known);
    if (known == 0 || known == std::ssize(parts_)) return {};
    return std::move(parts_);
}

ValueParts value_parts(std::string_view text) {
    ValueParts parts;
    while (!text.empty()) {
        auto const known = std::min(text.find_first_of("$`"), text.size());
        if (known > 0) parts.add(text.substr(0, known));
        text.remove_prefix(known);
        auto const size = text.empty() ? 0 : size_of_expansion(text);
        if (size > 0) parts.add_unknown(text.substr(0, size));
        text.remove_prefix(size);
    }
    return parts;
}

}  // namespace rocmtune
