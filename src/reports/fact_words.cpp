// SPDX-License-Identifier: MIT
#include "reports/fact_words.hpp"

#include <type_traits>
#include <unordered_map>
#include <vector>

#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

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

}  // namespace rocmtune
