// SPDX-License-Identifier: MIT
#include "judge/fleet/value_counts.hpp"

#include <algorithm>

#include "reports/report.hpp"

namespace rocmtune {
namespace {

/// Of a counter it matters whether it is 0; how far it went stands beside the name.
PlainValue category_of(FactWord const* word, PlainValue const& value) {
    if (word == nullptr || word->kind != FactKind::health || is_null(value)) return value;
    auto const text = text_of(value);
    return text == "0" || text == "no" ? value : PlainValue(std::string("not 0"));
}

}  // namespace

ValueCount* ValueCounts::find(PlainValue const& value) {
    auto const tolerance = word_ != nullptr ? word_->tolerance : 0;
    auto const found = std::ranges::find_if(
        values_, [&](ValueCount const& it) { return same_value(it.value, value, tolerance); });
    return found == values_.end() ? nullptr : &*found;
}

void ValueCounts::add(PlainValue const& value, std::uint32_t unit, FleetPools& pools) {
    if (varies_) return;
    ++total_;
    auto const category = category_of(word_, value);
    auto* counted = find(category);
    if (counted == nullptr) {
        if (values_.size() == most_values) {
            varies_ = true;
            values_ = {};
            return;
        }
        counted = &values_.emplace_back(ValueCount{.value = category});
    }
    ++counted->count;
    if (!counted->is_clear && counted->units.size() < most_named) {
        if (category != value) {
            auto it = pools.units[unit];
            it.detail = pools.values.number_of(value);
            unit = pools.units.number_of(it);
        }
        counted->units.push_back(unit);
    }
    forget_clear(*counted);
}

void ValueCounts::add_many(PlainValue const& value, std::uint64_t count,
                           std::vector<std::uint32_t> units) {
    if (count == 0 || varies_) return;
    total_ += count;
    values_.push_back({value, count, std::move(units), false});
    forget_clear(values_.back());
}

/// Nobody asks for the names of a value that this many have, while most have it.
void ValueCounts::forget_clear(ValueCount& counted) const {
    if (counted.is_clear || counted.units.size() < most_named) return;
    if (counted.count * 2 <= total_) return;
    counted.is_clear = true;
    counted.units = {};
}

ValueCount const* ValueCounts::majority() const {
    for (auto const& it : values_)
        if (it.count * 2 > total_) return &it;
    return nullptr;
}

}  // namespace rocmtune
