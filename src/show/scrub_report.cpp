// SPDX-License-Identifier: MIT
#include "show/scrub_report.hpp"

#include <algorithm>
#include <array>
#include <concepts>

#include "base/text.hpp"
#include "knowledge/scrub.hpp"

namespace rocmtune {
namespace {

template <class T>
concept Record = requires(T& value) {
    visit_fields(value, [](auto const&...) {});
};

/// "HF_TOKEN" of "environment: HF_TOKEN" and of "environment[HF_TOKEN]".
std::string_view last_name(std::string_view text) {
    if (text.ends_with(']')) text.remove_suffix(1);
    auto begin = text.size();
    while (begin > 0 && is_name_character(text[begin - 1])) --begin;
    return text.substr(begin);
}

bool names_a_value(std::string_view key) {
    constexpr std::array<std::string_view, 4> keys{"name", "source", "fact", "field"};
    return std::ranges::find(keys, key) != keys.end();
}
bool is_named_value(std::string_view key) {
    constexpr std::array<std::string_view, 5> keys{"value", "a", "b", "usual", "current"};
    return std::ranges::find(keys, key) != keys.end();
}

/// Visits the fields of one record; a field that names what another one holds comes before it.
class RecordScrubber {
  public:
    explicit RecordScrubber(bool keeps_value = false) : keeps_value_(keeps_value) {}

    template <class T>
    void operator()(Field const& field, T& value) {
        if (keeps_value_ && field.key == "value") return;
        clean(value, is_named_value(field.key) ? std::string_view(name_) : std::string_view());
        if constexpr (std::same_as<T, std::string>)
            if (names_a_value(field.key)) name_ = last_name(value);
    }

    template <class T>
    void operator()(Inlined, std::optional<T>& record) {
        clean(record, {});
    }

  private:
    static void clean(std::string& text, std::string_view name) {
        if (name.empty()) scrub(text);
        else scrub_value(name, text);
    }
    static void clean(PlainValue& value, std::string_view name) {
        if (auto* text = std::get_if<std::string>(&value)) clean(*text, name);
    }
    template <class T>
    static void clean(std::optional<T>& value, std::string_view name) {
        if (value) clean(*value, name);
    }
    template <class T>
    static void clean(std::vector<T>& values, std::string_view name) {
        if constexpr (!std::is_arithmetic_v<T>)
            for (auto& value : values) clean(value, name);
    }
    template <class T>
    static void clean(std::map<std::string, T>& values, std::string_view) {
        for (auto& [key, value] : values) clean(value, key);
    }
    template <class T>
    static void clean(Fact<T>& fact, std::string_view name) {
        fact.rewrite([&](T& value) { clean(value, name); }, [](std::string& text) { scrub(text); });
    }
    template <class T>
    static void clean(T& value, std::string_view) {
        if constexpr (Record<T>) {
            RecordScrubber visitor(std::same_as<T, Setting> || std::same_as<T, Recommendation>);
            visit_fields(value, visitor);
        }
        if constexpr (std::same_as<T, Finding>)
            if (value.setting) scrub(value.setting->excerpt);
    }

    friend void rocmtune::scrub(Report& report);
    friend void rocmtune::scrub(Finding& finding);

    bool keeps_value_;
    std::string name_;
};

}  // namespace

void scrub(Finding& finding) {
    RecordScrubber::clean(finding, {});
}

void scrub(Report& report) {
    RecordScrubber::clean(report, {});
    RecordScrubber::clean(report.verify, {});
    if (report.check) scrub(report.check->undetermined);
}

}  // namespace rocmtune
