// SPDX-License-Identifier: MIT
#include "judge/rules/fact_answer.hpp"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/version.hpp"

namespace rocmtune {
namespace {

/// Firmware versions stand as hexadecimal numbers; conditions write them in decimal.
std::string decimal(std::string const& text) {
    if (!text.starts_with("0x")) return text;
    auto const number = to_unsigned(text, 0);
    return number ? std::to_string(*number) : text;
}

template <class T>
void fill(FactAnswer& answer, T const& value) {
    if constexpr (std::is_same_v<T, bool>) {
        answer.text = value ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        answer.text = fmt::format("{}", value);
        answer.is_real = std::is_floating_point_v<T>;
    } else {
        answer.text = value;
    }
}

/// Reads the field of a leaf while visiting.
class FieldReader {
  public:
    explicit FieldReader(Condition const& leaf) : leaf_(leaf) {}

    template <class T>
    void operator()(Field const& field, Fact<T> const& fact) {
        if (field.key != leaf_.name) return;
        answer_.there = presence(fact);
        answer_.may_lack_entries = !fact.limit().empty();
        if (fact.has_value()) value(*fact);
    }

    FactAnswer take() { return std::move(answer_); }

  private:
    template <class T>
    void value(T const& it) {
        if constexpr (requires { typename T::mapped_type; }) entry(it);
        else if constexpr (std::is_same_v<T, std::vector<std::string>>) names(it);
        else if constexpr (requires {
                               it.size();
                               it.begin();
                           } &&
                           !std::is_same_v<T, std::string>)
            records(it.size());
        else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
            fill(answer_, it);
    }

    void names(std::vector<std::string> const& list) {
        answer_.list = &list;
        answer_.text = fmt::format("{}", fmt::join(list, ", "));
        records(list.size());
    }

    void records(std::size_t count) { answer_.count = count; }

    template <class Map>
    void entry(Map const& map) {
        auto const found = map.find(std::string(leaf_.entry));
        if (found != map.end()) {
            fill(answer_, found->second);
            answer_.text = decimal(answer_.text);
            return;
        }
        answer_.there = answer_.may_lack_entries ? Truth::unknown : Truth::no;
    }

    Condition const& leaf_;
    FactAnswer answer_ = {};
};

template <class Entity>
FactAnswer read(Condition const& leaf, Entity const& entity) {
    FieldReader reader(leaf);
    visit_fields(entity, reader);
    return reader.take();
}

/// -1, 0 or 1; absent if the texts cannot be ordered.
std::optional<int> order(std::string_view text, std::string_view operand, bool is_real) {
    if (is_real) {
        auto const a = to_real(text);
        auto const b = to_real(operand);
        if (!a || !b) return std::nullopt;
        return *a < *b ? -1 : *a > *b ? 1 : 0;
    }
    auto const result = compare_versions(text, operand);
    if (!result) return std::nullopt;
    return *result < 0 ? -1 : *result > 0 ? 1 : 0;
}

}  // namespace

FactAnswer read_field(Condition const& leaf, Gpu const& gpu) {
    return read(leaf, gpu);
}

FactAnswer read_field(Condition const& leaf, Host const& host) {
    return read(leaf, host);
}

Truth compare(Condition const& leaf, FactAnswer const& answer) {
    if (answer.there == Truth::unknown) return Truth::unknown;
    auto const there = answer.there == Truth::yes;
    if (leaf.comparison == Comparison::present) {
        return truth_of(there == (leaf.operands.front() == "true"));
    }
    if (!there) return Truth::no;
    auto const& operand = leaf.operands.front();
    switch (leaf.comparison) {
        case Comparison::is: return truth_of(answer.text == operand);
        case Comparison::in:
            return truth_of(std::ranges::find(leaf.operands, answer.text) != leaf.operands.end());
        case Comparison::starts_with: return truth_of(answer.text.starts_with(operand));
        case Comparison::contains: {
            auto const found =
                answer.list && std::ranges::find(*answer.list, operand) != answer.list->end();
            return !found && answer.may_lack_entries ? Truth::unknown : truth_of(found);
        }
        case Comparison::at_least:
        case Comparison::below: {
            auto const sign = order(answer.text, operand, answer.is_real);
            if (!sign) return Truth::unknown;
            return truth_of((*sign >= 0) == (leaf.comparison == Comparison::at_least));
        }
        case Comparison::present: break;
    }
    return Truth::unknown;
}

}  // namespace rocmtune
