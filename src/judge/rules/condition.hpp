// SPDX-License-Identifier: MIT
// Conditions of rules over a host, in three-valued logic: what the host does not say is unknown,
// and the answer names it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/host.hpp"
#include "knowledge/rule.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/recommendation.hpp"

namespace rocmtune {

/// Ordered: "all" is the least of its children, "any" the greatest (Kleene).
enum class Truth : std::uint8_t { no, unknown, yes };

constexpr Truth truth_of(bool value) {
    return value ? Truth::yes : Truth::no;
}
constexpr Truth opposite(Truth truth) {
    return truth == Truth::yes ? Truth::no : truth == Truth::no ? Truth::yes : Truth::unknown;
}

/// An answer with the facts that it rests on; of an unknown one those that are missing.
struct Decision {
    Truth truth = Truth::unknown;
    std::vector<Because> because = {};
};

/// What a text says that is diagnosed, for the leaves "line" and "said" of causes.
struct TextFacts {
    /// The first line that each expression of such leaves matches.
    std::map<std::string_view, std::string> lines = {};
    std::map<std::string, std::vector<std::string>, std::less<>> said = {};  ///< values by group
};

/// What conditions speak about.
struct SelectedHost {
    Host const* host = nullptr;
    std::vector<Gpu const*> gpus = {};  ///< the selected ones, in the order of their rows
    std::size_t unselected = 0;         ///< usable GPUs that were not selected
    bool elsewhere = false;             ///< as Selection::elsewhere
    TextFacts const* text = nullptr;    ///< null: there is no text
};

/// Evaluates conditions over what was selected, which must outlive it. Counts are made once each.
class Evaluator {
  public:
    explicit Evaluator(SelectedHost const& selected) : selected_(selected) {}

    /// The condition for one GPU, or for the host alone (null): facts of a GPU are then unknown. An
    /// empty condition holds.
    Decision operator()(std::span<Condition const> condition, Gpu const* gpu);

  private:
    Decision node(std::span<Condition const> nodes, Gpu const* gpu);
    Decision group(std::span<Condition const> nodes, Gpu const* gpu);
    Decision const& count(std::span<Condition const> nodes);
    Decision line(Condition const& leaf) const;
    Decision said(Condition const& leaf) const;
    Truth is_among(std::string_view value, Condition const& leaf) const;

    SelectedHost const& selected_;
    std::map<Condition const*, Decision> counts_ = {};
};

/// The version of "rocm" (the installation in use), "hip" (the runtime that answered) or a Python
/// package. Truth::no: not installed. The Because holds the version as text.
struct InstalledVersion {
    Truth there = Truth::unknown;
    Because fact = {};
};
InstalledVersion installed_version(Host const& host, std::string_view component);

/// A fact that was looked for and is not there is known to be lacking; any other reason leaves it
/// open.
template <class T>
Truth presence(Fact<T> const& fact) {
    if (fact.has_value()) return Truth::yes;
    auto const lacking = fact.reason() == Missing::absent || fact.reason() == Missing::unsupported;
    return lacking ? Truth::no : Truth::unknown;
}

}  // namespace rocmtune
