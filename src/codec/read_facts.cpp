// SPDX-License-Identifier: MIT
#include "codec/read_report.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

/// The largest whole number up to which a double holds every one.
constexpr double exact_whole = 9007199254740992.0;

template <class T>
constexpr FactShape shape_of() {
    if constexpr (std::is_same_v<T, std::vector<std::string>>) return FactShape::names;
    else if constexpr (requires { typename T::mapped_type; }) return FactShape::map;
    else return FactShape::value;
}

template <class Entity>
std::vector<FactWord> words_from() {
    std::vector<FactWord> all;
    Entity const none{};
    visit_fields(none, [&]<class T>(FactField const& field, Fact<T> const&) {
        FactWord word{field, all.size()};
        if (word.shape == FactShape::by_type) word.shape = shape_of<T>();
        all.push_back(word);
    });
    return all;
}

using Index = std::unordered_map<std::string_view, FactWord const*>;

Index index_of(FactScope scope) {
    Index index;
    for (auto const& word : words_of_facts(scope)) index.emplace(word.key, &word);
    return index;
}

}  // namespace

std::span<FactWord const> words_of_facts(FactScope scope) {
    static auto const of_host = words_from<Host>();
    static auto const of_gpu = words_from<Gpu>();
    return scope == FactScope::host ? of_host : of_gpu;
}

FactWord const* find_fact_word(FactScope scope, std::string_view word) {
    static auto const of_host = index_of(FactScope::host);
    static auto const of_gpu = index_of(FactScope::gpu);
    auto const& index = scope == FactScope::host ? of_host : of_gpu;
    auto const found = index.find(word);
    return found == index.end() ? nullptr : found->second;
}

FactWord const* fact_of_path(FactScope scope, std::string_view path) {
    return find_fact_word(scope, path.substr(0, path.find_first_of(".[")));
}

std::string text_of(PlainValue const& value) {
    struct {
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(bool truth) const { return truth ? "yes" : "no"; }
        std::string operator()(std::string const& text) const { return text; }
        std::string operator()(double number) const {
            if (number == std::floor(number) && std::abs(number) < exact_whole)
                return fmt::format("{:.0f}", number);
            return fmt::format("{}", number);
        }
        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
        std::string operator()(std::uint64_t number) const { return fmt::format("{}", number); }
    } const print;
    return std::visit(print, value);
}

PlainValue const& ReadFacts::at(std::string_view path) const {
    static PlainValue const none;
    auto const found = std::ranges::find(facts, path, &ReadFact::path);
    return found == facts.end() ? none : found->value;
}

std::string ReadFacts::text(std::string_view path) const {
    return text_of(at(path));
}

std::string subject_of(ReadFacts const& gpu) {
    auto const address = gpu.text("pci_address");
    if (address.empty()) {
        auto const row = gpu.text("row");
        return row.empty() ? "GPU" : "GPU " + row;
    }
    return subject_at(address, to_unsigned(gpu.text("partition_index"), 10),
                      to_unsigned(gpu.text("partition_count"), 10));
}

bool same_value(PlainValue const& a, PlainValue const& b, double tolerance) {
    if (a == b) return true;
    if (is_null(a) || is_null(b)) return false;
    if (a.index() != b.index() && text_of(a) == text_of(b)) return true;
    auto const x = number_of(a);
    auto const y = number_of(b);
    return tolerance > 0 && x && y &&
           std::abs(*x - *y) <= tolerance * std::max(std::abs(*x), std::abs(*y));
}

}  // namespace rocmtune
