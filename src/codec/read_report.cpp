// SPDX-License-Identifier: MIT
#include "codec/read_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "codec/json_text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view ask_again = "write one with rocmtune probe --json -o FILE";

[[noreturn]] void refuse(std::string const& name, std::string const& what, std::string_view hint) {
    throw Error(fmt::format("{}: {}", printable(name), what), std::string(hint));
}

std::string where(std::string_view text, std::size_t position) {
    auto const before = text.substr(0, position > 0 ? position - 1 : 0);
    auto const line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    auto const column = before.size() - (before.rfind('\n') + 1) + 1;
    return fmt::format("line {}, column {}", line, column);
}

/// Recordings are the other thing of ours that lies about in files.
void refuse_recordings(std::string_view text, std::string const& name) {
    if (text.starts_with("rocmtune-host ") || text.starts_with("\x1f\x8b"))
        refuse(name, "this is a recording and no report",
               fmt::format("rocmtune probe --replay {} --json -o FILE makes one of it",
                           printable(name)));
}

// Bounds of what one host can have; what is above was not written by us.
constexpr JsonLimits report_limits{.levels = 64, .values = 4'000'000, .keys_once = false};
constexpr std::size_t most_gpus = 4096;
constexpr std::size_t most_entries = 4096;  ///< of one map or list of names
constexpr std::size_t most_findings = 65536;

std::string text_or_empty(PlainValue const& value) {
    auto const* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : std::string();
}

/// Gives each member of a measurement its value, if that has the right type.
struct TakeMembers {
    JsonNode const& object;

    template <class T>
    void operator()(Field const& field, T& member) const {
        auto const node = object.find(field.key);
        if (node && node->is_plain()) take(node->plain(), member);
    }

    static void take(PlainValue const& value, std::string& member) {
        member = text_or_empty(value);
    }
    static void take(PlainValue const& value, std::optional<double>& member) {
        member = number_of(value);
    }
    static void take(PlainValue const& value, std::optional<std::int64_t>& member) {
        if (auto const number = number_of(value); number && std::abs(*number) < 1e15)
            member = static_cast<std::int64_t>(*number);
    }
    template <class T>
    static void take(PlainValue const& value, std::optional<T>& member) {
        if constexpr (std::is_constructible_v<PlainValue, T>)
            if (auto const* found = std::get_if<T>(&value)) member = *found;
    }
    static void take(PlainValue const& value, bool& member) {
        if (auto const* truth = std::get_if<bool>(&value)) member = *truth;
    }
    template <class T>
    static void take(PlainValue const&, T&) {}
};

/// Sorts what a document says into a ReadReport. Values of another type than ours tell nothing.
class ReportWalk {
  public:
    ReportWalk(ReadReport& report, ReportParts parts) : report_(report), parts_(parts) {}

    void document(JsonNode const& root) {
        if (!root.is_object()) return;
        std::set<std::string_view> seen;
        root.each([&](JsonNode const& node) {
            within(seen.size(), most_entries, "top-level keys");
            if (!seen.insert(node.key()).second)
                fail(fmt::format("its key '{}' stands twice", printable(node.key())));
            if (node.is_object()) object(node);
            else if (node.is_array()) list(node);
            else if (node.key() == "schema") is_ours_ = node.text() == "rocmtune-report";
            else if (node.key() == "schema_version") report_.schema_version = node.text();
            else if (node.key() == "command") report_.command = node.text();
        });
    }

    bool is_ours() const { return is_ours_; }

  private:
    [[noreturn]] void fail(std::string const& problem) const {
        refuse(report_.name, problem, ask_again);
    }
    void within(std::size_t count, std::size_t most, std::string_view what) const {
        if (count > most) fail(fmt::format("it has more than {} {}", most, what));
    }

    void object(JsonNode const& node) {
        if (node.key() == "host") {
            report_.has_host = true;
            facts(node, FactScope::host, report_.host);
        } else if (node.key() == "tool") {
            if (auto const version = node.find("version")) report_.tool_version = version->text();
        } else if (node.key() == "summary") {
            if (auto const count = node.find("gpus_left_out"))
                report_.is_partial = number_of(count->plain()).value_or(0) > 0;
        }
    }

    void list(JsonNode const& node) {
        auto const each = [&](auto&& take) {
            node.each([&](JsonNode const& item) {
                if (!item.is_object()) return;
                take(item);
                within(report_.findings.size() + report_.measurements.size(), most_findings,
                       "findings and measurements");
            });
        };
        if (node.key() == "findings") each([&](JsonNode const& item) { finding(item); });
        else if (node.key() == "measurements") each([&](JsonNode const& item) { measured(item); });
        else if (node.key() == "recommendations")
            each([&](JsonNode const& item) { recommendation(item); });
    }

    static std::string text(JsonNode const& object, std::string_view key) {
        auto const node = object.find(key);
        return std::string(node ? node->text() : "");
    }

    void finding(JsonNode const& node) {
        auto& finding = report_.findings.emplace_back();
        finding.id = text(node, "id");
        finding.verdict = text(node, "verdict");
        if (!parts_.texts_of_findings) return;
        finding.subject = text(node, "subject");
        finding.message = text(node, "message");
    }

    void recommendation(JsonNode const& node) {
        auto const value = node.find("value");
        report_.recommendations.push_back(
            {text(node, "name"), value ? value->plain() : PlainValue()});
    }

    void measured(JsonNode const& node) {
        auto& it = report_.measurements.emplace_back();
        it.status.clear();
        visit_fields(it, TakeMembers{node});
        auto const parameters = node.find("parameters");
        if (parameters && parameters->is_object())
            visit_fields(it.parameters, TakeMembers{*parameters});
        if (auto const samples = node.find("samples"); samples && parts_.samples)
            plain_items(*samples, [&](PlainValue const& value) {
                if (auto const number = number_of(value)) it.samples.push_back(*number);
            });
        if (auto const labels = node.find("labels"))
            plain_items(*labels, [&](PlainValue const& value) {
                it.labels.push_back(text_or_empty(value));
            });
    }

    /// Calls `take` with each element of a list that is no list or object itself.
    template <class Take>
    static void plain_items(JsonNode const& list, Take&& take) {
        if (!list.is_array()) return;
        list.each([&](JsonNode const& item) {
            if (item.is_plain()) take(item.plain());
        });
    }

    void facts(JsonNode const& node, FactScope scope, ReadFacts& out) {
        std::vector<bool> seen(words_of_facts(scope).size(), false);
        out.known = seen;
        bool seen_gpus = false;
        node.each([&](JsonNode const& member) {
            if (scope == FactScope::host && member.key() == "gpus" && member.is_array()) {
                if (std::exchange(seen_gpus, true)) fail("its key 'gpus' stands twice");
                return gpus(member);
            }
            if (member.key() == "_reasons" && member.is_object() && parts_.reasons)
                member.each([&](JsonNode const& reason) {
                    out.reasons[std::string(reason.key())] = reason.text();
                });
            auto const* const word = find_fact_word(scope, member.key());
            if (word == nullptr) return;  // of a newer minor version, or our _sources
            if (seen[word->place]) fail(fmt::format("its fact '{}' stands twice", word->key));
            seen[word->place] = true;
            if (word->kind == FactKind::state && !parts_.momentary) return;
            fact(member, *word, out);
        });
        if (auto const reasons = node.find("_reasons"); reasons && reasons->is_object())
            take_unlimited(*reasons, scope, out);
    }

    void gpus(JsonNode const& list) {
        list.each([&](JsonNode const& gpu) {
            if (!gpu.is_object()) return;
            report_.gpus.emplace_back();
            within(report_.gpus.size(), most_gpus, "GPUs");
            facts(gpu, FactScope::gpu, report_.gpus.back());
        });
    }

    /// A limit that is not set has no number, and is known all the same.
    static void take_unlimited(JsonNode const& reasons, FactScope scope, ReadFacts& out) {
        static auto const no_limit =
            fmt::format("{}: {}", missing_name(Missing::unsupported), unlimited);
        std::vector<bool> no_limits(out.known.size(), false);
        reasons.each([&](JsonNode const& reason) {
            auto const* const word = find_fact_word(scope, reason.key());
            if (word != nullptr && reason.text() == no_limit) no_limits[word->place] = true;
        });
        for (auto& fact : out.facts) {
            auto const* const word =
                is_null(fact.value) ? find_fact_word(scope, fact.path) : nullptr;
            if (word == nullptr || !no_limits[word->place]) continue;
            fact.value = std::string(unlimited);
            out.known[word->place] = true;
        }
    }

    void fact(JsonNode const& node, FactWord const& word, ReadFacts& out) {
        bool const is_list = word.shape == FactShape::names ||
                             word.shape == FactShape::assignments ||
                             word.shape == FactShape::records;
        bool const is_object = word.shape == FactShape::map || word.shape == FactShape::record;
        if (node.is_plain()) {
            if (word.shape == FactShape::left_out) return;
            if (word.shape != FactShape::value && !node.is_null()) return;
            if (!node.is_null()) out.known[word.place] = true;
            out.facts.push_back({std::string(word.key), node.plain()});
        } else if (node.is_array() ? is_list : is_object) {
            out.known[word.place] = true;
            if (word.shape == FactShape::map) map(node, word, out);
            else if (word.shape == FactShape::record) record(node, word, out);
            else if (word.shape == FactShape::records) records(node, word, out);
            else names(node, word, out);
        }
    }

    void map(JsonNode const& node, FactWord const& word, ReadFacts& out) {
        auto const first = out.facts.size();
        auto const start = word.key.size() + 1;
        node.each([&](JsonNode const& entry) {
            within(out.facts.size() - first, most_entries, "entries in one fact");
            for (auto i = first; i < out.facts.size(); ++i)
                if (std::string_view(out.facts[i].path).substr(start) == entry.key())
                    fail(fmt::format("its entry '{}' of '{}' stands twice", printable(entry.key()),
                                     word.key));
            if (entry.is_plain())
                out.facts.push_back({fmt::format("{}.{}", word.key, entry.key()), entry.plain()});
        });
    }

    /// "iommu=pt" is the setting "iommu" with the value "pt"; a plain name is one that is there.
    void names(JsonNode const& node, FactWord const& word, ReadFacts& out) {
        auto const first = out.facts.size();
        plain_items(node, [&](PlainValue const& value) {
            within(out.facts.size() - first, most_entries, "entries in one fact");
            auto const name = text_or_empty(value);
            auto const equals =
                word.shape == FactShape::assignments ? name.find('=') : std::string::npos;
            auto path = fmt::format("{}[{}]", word.key, name.substr(0, equals));
            if (equals == name.npos) out.facts.push_back({std::move(path), true});
            else out.facts.push_back({std::move(path), name.substr(equals + 1)});
        });
    }

    void records(JsonNode const& node, FactWord const& word, ReadFacts& out) {
        std::size_t count = 0;
        node.each([&](JsonNode const& item) {
            if (!item.is_object()) return;
            within(++count, most_entries, "entries in one fact");
            record(item, word, out);
        });
    }

    void record(JsonNode const& node, FactWord const& word, ReadFacts& out) {
        std::size_t members = 0;
        node.each([&](JsonNode const& member) {
            within(members += member.is_object() ? 0 : 1, most_entries, "members of one entry");
            if (member.is_array()) (void)joined(member);
        });
        auto prefix = std::string(word.key);
        if (!word.record_key.empty()) {
            auto const key = node.find(word.record_key);
            if (!key || key->is_object()) return;
            prefix += fmt::format("[{}]", text_of(member_value(*key)));
        }
        for (auto const name : words(word.members)) {
            auto const member = node.find(name);
            if (!member || member->is_object() || is_empty_list(*member)) continue;
            out.facts.push_back({fmt::format("{}.{}", prefix, name), member_value(*member)});
        }
    }

    static bool is_empty_list(JsonNode const& node) {
        return node.is_array() && node.items().empty();
    }

    /// A list is one value of its record: its elements with commas between them.
    PlainValue member_value(JsonNode const& node) const {
        return node.is_plain() ? node.plain() : joined(node);
    }
    std::string joined(JsonNode const& list) const {
        std::string whole;
        std::size_t count = 0;
        plain_items(list, [&](PlainValue const& value) {
            within(++count, most_entries, "values in one list");
            whole.append(count > 1 ? ", " : "").append(text_of(value));
        });
        return whole;
    }

    ReadReport& report_;
    ReportParts parts_;
    bool is_ours_ = false;
};

[[noreturn]] void refuse_syntax(std::string_view text, std::string const& name,
                                JsonProblem const& problem) {
    if (problem.position == 0)
        refuse(name, (problem.message.starts_with("nested") ? "it is " : "") + problem.message,
               ask_again);
    if (problem.position > text.size())
        refuse(name, "it ends in the middle of the document", "copy or write it once more");
    refuse(name,
           fmt::format("this is no JSON, from {}: {}", where(text, problem.position),
                       json_mistake(problem.message)),
           ask_again);
}

/// Minor versions only add keys; of a major version that we do not know we know nothing.
void check_version(ReadReport const& report, std::string const& name) {
    auto const& version = report.schema_version;
    auto const dot = version.find('.');
    auto const major = to_unsigned(std::string_view(version).substr(0, dot), 10);
    auto const minor = dot == version.npos
                           ? std::nullopt
                           : to_unsigned(std::string_view(version).substr(dot + 1), 10);
    if (!major || !minor) refuse(name, "it states no schema_version", ask_again);
    if (*major != 1)
        refuse(name,
               fmt::format("its schema_version is {}, this program reads 1.x", printable(version)),
               *major > 1 ? "a newer rocmtune wrote it: use that one here, too" : ask_again);
}

}  // namespace

ReadReport read_report(std::string_view text, std::string const& name, ReportParts parts) {
    JsonDocument document(name, text.size());
    return read_report(text, name, parts, document);
}

ReadReport read_report(std::string_view text, std::string const& name, ReportParts parts,
                       JsonDocument& document) {
    refuse_recordings(text, name);
    if (trim(text).empty()) refuse(name, "it is empty", ask_again);
    auto const problem = read_json(document, text, report_limits);
    ReadReport report;
    report.name = name;
    ReportWalk walk(report, parts);
    // What stands before a mistake may be wrong itself.
    if (!document.is_empty()) walk.document(JsonNode(document));
    if (problem) refuse_syntax(text, name, *problem);
    if (!walk.is_ours()) refuse(name, "this is no report of rocmtune", ask_again);
    check_version(report, name);
    return report;
}

}  // namespace rocmtune
