// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <type_traits>

#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/rules/condition.hpp"

namespace rocmtune {
namespace {

/// A fact as conditions see it: there with a text, known not to be there, or not known.
struct FactAnswer {
    Truth there = Truth::unknown;
    std::string text = {};
    bool is_real = false;                            ///< text is a decimal fraction, no version
    std::vector<std::string> const* list = nullptr;  ///< the texts of a list
    std::optional<std::size_t> count = {};           ///< entries of a list
    bool may_lack_entries = false;                   ///< some of a list could not be read
};

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

/// Takes the value of a fact, or of the entry that the leaf names where the fact is a map.
template <class T>
void take(Condition const& leaf, T const& it, FactAnswer& answer) {
    if constexpr (requires { typename T::mapped_type; }) {
        auto const found = it.find(std::string(leaf.entry));
        if (found == it.end()) answer.there = answer.may_lack_entries ? Truth::unknown : Truth::no;
        else fill(answer, found->second), answer.text = decimal(answer.text);
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
        answer.list = &it;
        answer.text = fmt::format("{}", fmt::join(it, ", "));
        answer.count = it.size();
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
        fill(answer, it);
    } else if constexpr (requires { it.begin(); }) {
        answer.count = it.size();
    }
}

/// The fact of a field leaf in a Gpu or a Host.
template <class Entity>
FactAnswer read_field(Condition const& leaf, Entity const& entity) {
    FactAnswer answer;
    visit_fields(entity, [&](Field const& field, auto const& fact) {
        if (field.key != leaf.name) return;
        answer.there = presence(fact);
        answer.may_lack_entries = !fact.limit().empty();
        if (fact) take(leaf, *fact, answer);
    });
    return answer;
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

/// A comparison with a leaf's operands.
Truth compare(Condition const& leaf, FactAnswer const& answer) {
    if (answer.there == Truth::unknown) return Truth::unknown;
    auto const there = answer.there == Truth::yes;
    if (leaf.comparison == Comparison::present)
        return truth_of(there == (leaf.operands.front() == "true"));
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

void append(std::vector<Because>& all, std::vector<Because>&& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

std::optional<std::string> value_of(FactAnswer const& answer) {
    if (answer.there != Truth::yes) return std::nullopt;
    if (answer.text.empty() && answer.count) return std::to_string(*answer.count);
    return answer.text;
}

Decision leaf_verdict(Condition const& leaf, FactAnswer const& answer, std::string subject,
                      std::string field) {
    return {compare(leaf, answer), {{std::move(subject), std::move(field), value_of(answer)}}};
}

std::string field_name(Condition const& leaf) {
    std::string name(leaf.name);
    if (!leaf.entry.empty()) name.append(":").append(leaf.entry);
    return name;
}

Framework const* find_package(Host const& host, std::string_view name) {
    for (auto const& framework : *host.frameworks) {
        if (framework.name == name) return &framework;
    }
    return nullptr;
}

/// A package's version or, of its HIP, what it was built with.
FactAnswer read_package(Host const& host, std::string_view name, Fact<std::string> Framework::*of) {
    auto const list = presence(host.frameworks);
    if (list != Truth::yes) return {.there = list};
    auto const* package = find_package(host, name);
    if (!package) return {.there = host.frameworks.limit().empty() ? Truth::no : Truth::unknown};
    auto const& version = package->*of;
    return {.there = presence(version), .text = version.value_or("")};
}

/// The installation that the loader takes; where it takes none, the only one there is.
FactAnswer read_rocm(Host const& host) {
    auto const list = presence(host.rocm_installations);
    if (list != Truth::yes) return {.there = list};
    auto const& all = *host.rocm_installations;
    if (all.empty()) return {.there = Truth::no};
    auto used = std::ranges::find_if(all, &RocmInstallation::selected);
    if (used == all.end() && all.size() == 1) used = all.begin();
    if (used == all.end() || !used->version) return {};
    return {.there = Truth::yes, .text = *used->version};
}

FactAnswer read_hip(Host const& host) {
    if (!host.runtimes) return {.there = presence(host.runtimes)};
    for (auto const& runtime : *host.runtimes) {
        if (runtime.name != "hip") continue;
        if (runtime.status == "absent") return {.there = Truth::no};
        if (runtime.version) return {.there = Truth::yes, .text = *runtime.version};
    }
    return {};
}

FactAnswer read_component(Host const& host, std::string_view component) {
    if (component == "rocm") return read_rocm(host);
    if (component == "hip") return read_hip(host);
    return read_package(host, component, &Framework::version);
}

std::string component_field(std::string_view component) {
    auto const version = component == "rocm" || component == "hip";
    return std::string(version ? "version:" : "package:") + std::string(component);
}

Decision installed_verdict(Host const& host, Condition const& leaf) {
    Because fact{.subject = "host", .field = "installed:" + std::string(leaf.name)};
    auto const list = presence(host.rocm_installations);
    if (list != Truth::yes) return {list, {std::move(fact)}};
    for (auto const& installation : *host.rocm_installations) {
        auto const library = installation.libraries.find(std::string(leaf.name));
        if (library == installation.libraries.end()) continue;
        fact.value = library->second;
        return {Truth::yes, {std::move(fact)}};
    }
    auto const complete = host.rocm_installations.limit().empty();
    return {complete ? Truth::no : Truth::unknown, {std::move(fact)}};
}

/// Of a process elsewhere the host does not know what its own one has.
FactAnswer fact_of_host(Condition const& leaf, SelectedHost const& selected) {
    constexpr std::array<std::string_view, 4> of_the_own_process{
        "environment", "environment_hidden", "allowed_cpus", "cpu_quota_cpus"};
    bool const own = std::ranges::find(of_the_own_process, leaf.name) != of_the_own_process.end();
    return own && selected.elsewhere ? FactAnswer{} : read_field(leaf, *selected.host);
}

/// A number known to be in a range, compared with a leaf's operand.
Truth compare_range(Condition const& leaf, std::size_t low, std::size_t high) {
    auto const operand = to_unsigned(leaf.operands.front()).value_or(0);
    switch (leaf.comparison) {
        case Comparison::at_least:
            return low >= operand ? Truth::yes : high < operand ? Truth::no : Truth::unknown;
        case Comparison::below:
            return high < operand ? Truth::yes : low >= operand ? Truth::no : Truth::unknown;
        default:
            if (low == high) return truth_of(low == operand);
            return operand < low || operand > high ? Truth::no : Truth::unknown;
    }
}

Decision list_count(Host const& host, Condition const& leaf) {
    auto const answer = read_field(leaf, host);
    Because fact{"host", std::string(leaf.name), value_of(answer)};
    if (answer.there == Truth::unknown) return {Truth::unknown, {std::move(fact)}};
    auto const low = answer.count.value_or(0);
    auto const high = answer.may_lack_entries ? std::size_t{0} - 1 : low;
    fact.value = std::to_string(low);
    return {compare_range(leaf, low, high), {std::move(fact)}};
}

}  // namespace

InstalledVersion installed_version(Host const& host, std::string_view component) {
    auto const answer = read_component(host, component);
    return {answer.there, {"host", component_field(component), value_of(answer)}};
}

Decision Evaluator::operator()(std::span<Condition const> condition, Gpu const* gpu) {
    if (condition.empty()) return {.truth = Truth::yes};
    return node(condition, gpu);
}

Decision Evaluator::node(std::span<Condition const> nodes, Gpu const* gpu) {
    auto const& top = nodes.front();
    auto const& host = *selected_.host;
    switch (top.kind) {
        case ConditionKind::all:
        case ConditionKind::any: return group(nodes, gpu);
        case ConditionKind::negation: {
            auto inner = node(nodes.subspan(1), gpu);
            inner.truth = opposite(inner.truth);
            return inner;
        }
        case ConditionKind::field:
            if (!top.of_gpu)
                return leaf_verdict(top, fact_of_host(top, selected_), "host", field_name(top));
            return leaf_verdict(top, gpu ? read_field(top, *gpu) : FactAnswer{},
                                gpu ? subject_of(*gpu) : "host", field_name(top));
        case ConditionKind::package:
            return leaf_verdict(top, read_package(host, top.name, &Framework::version), "host",
                                component_field(top.name));
        case ConditionKind::package_hip:
            return leaf_verdict(top, read_package(host, top.name, &Framework::hip_version), "host",
                                component_field(top.name) + ":hip");
        case ConditionKind::version:
            return leaf_verdict(top, read_component(host, top.name), "host",
                                component_field(top.name));
        case ConditionKind::installed: return installed_verdict(host, top);
        case ConditionKind::count: return count(nodes);
        case ConditionKind::line: return line(top);
        case ConditionKind::said: return said(top);
    }
    return {};
}

Decision Evaluator::line(Condition const& leaf) const {
    if (selected_.text == nullptr) return {};
    auto const found = selected_.text->lines.find(leaf.name);
    if (found == selected_.text->lines.end()) return {Truth::no};
    return {Truth::yes, {{"text", "line", found->second}}};
}

/// Whether the fact has this value; of GPUs, that of one of them.
Truth Evaluator::is_among(std::string_view value, Condition const& leaf) const {
    auto truth = Truth::no;
    auto const look = [&](auto const& entity) {
        auto const fact = read_field({.name = leaf.entry}, entity);
        bool const listed = fact.list && std::ranges::find(*fact.list, value) != fact.list->end();
        auto const one = fact.there != Truth::yes ? fact.there
                         : fact.list              ? truth_of(listed)
                                                  : truth_of(fact.text == value);
        truth = std::max(truth, one == Truth::no && fact.may_lack_entries ? Truth::unknown : one);
    };
    if (!leaf.of_gpu) look(*selected_.host);
    else
        for (auto const* gpu : selected_.gpus) look(*gpu);
    return truth;
}

/// Of several values the one that fits best counts. A text that does not name one leaves all open.
Decision Evaluator::said(Condition const& leaf) const {
    auto const field = "said:" + std::string(leaf.name);
    if (selected_.text == nullptr) return {};
    auto const found = selected_.text->said.find(leaf.name);
    bool const some = found != selected_.text->said.end();
    if (leaf.entry.empty() && leaf.comparison == Comparison::present)
        return {compare(leaf, {.there = truth_of(some)}), {{"text", field, std::nullopt}}};
    Decision best{Truth::unknown, {{"text", field, std::nullopt}}};
    if (!some) return best;
    best.truth = Truth::no;
    for (auto const& value : found->second) {
        auto const truth = leaf.entry.empty() ? compare(leaf, {.there = Truth::yes, .text = value})
                                              : is_among(value, leaf);
        if (best.because.front().value && truth <= best.truth) continue;
        best = {truth, {{"text", field, value}}};
    }
    return best;
}

Decision Evaluator::group(std::span<Condition const> nodes, Gpu const* gpu) {
    auto const all = nodes.front().kind == ConditionKind::all;
    auto const decisive = all ? Truth::no : Truth::yes;
    Decision result{.truth = opposite(decisive)};
    for (std::size_t i = 1; i < nodes.front().size; i += nodes[i].size) {
        auto child = node(nodes.subspan(i), gpu);
        if (child.truth == decisive) return child;
        // The first unknown child makes the facts of the decided ones beside the point.
        if (child.truth == Truth::unknown && result.truth != Truth::unknown)
            result = std::move(child);
        else if (child.truth == result.truth) append(result.because, std::move(child.because));
    }
    return result;
}

Decision const& Evaluator::count(std::span<Condition const> nodes) {
    auto const& top = nodes.front();
    if (auto const known = counts_.find(&top); known != counts_.end()) return known->second;
    Decision result;
    if (top.name == "gpus") {
        std::size_t low = 0;
        std::size_t open = 0;
        std::vector<Because> missing;
        for (auto const* gpu : selected_.gpus) {
            auto one = top.size > 1 ? node(nodes.subspan(1), gpu) : Decision{.truth = Truth::yes};
            if (one.truth == Truth::yes) ++low;
            if (one.truth != Truth::unknown) continue;
            ++open;
            append(missing, std::move(one.because));
        }
        result.truth = compare_range(top, low, low + open);
        result.because = std::move(missing);
        if (result.truth != Truth::unknown)
            result.because = {{"host", "gpus", std::to_string(low)}};
    } else if (top.name == "unselected_gpus") {
        result.truth = compare_range(top, selected_.unselected, selected_.unselected);
        result.because = {{"host", "unselected_gpus", std::to_string(selected_.unselected)}};
    } else {
        result = list_count(*selected_.host, top);
    }
    return counts_.emplace(&top, std::move(result)).first->second;
}

}  // namespace rocmtune
