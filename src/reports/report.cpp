// SPDX-License-Identifier: MIT
#include "reports/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "host/subject.hpp"
#include "reports/report_sax.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view ask_again = "write one with rocmtune probe --json -o FILE";

/// The largest whole number up to which a double holds every one.
constexpr double exact_whole = 9007199254740992.0;

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

[[noreturn]] void refuse_syntax(std::string_view text, std::string const& name,
                                ReportSax const& sax) {
    if (!sax.problem().empty()) refuse(name, sax.problem(), ask_again);
    if (sax.error_position() > text.size())
        refuse(name, "it ends in the middle of the document", "copy or write it once more");
    refuse(name,
           fmt::format("this is no JSON, from {}: {}", where(text, sax.error_position()),
                       sax.mistake()),
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
    refuse_recordings(text, name);
    if (trim(text).empty()) refuse(name, "it is empty", ask_again);
    ReadReport report;
    report.name = name;
    ReportSax sax(report, parts);
    bool const is_json = nlohmann::json::sax_parse(text.begin(), text.end(), &sax);
    if (!is_json) refuse_syntax(text, name, sax);
    if (!sax.is_object() || !sax.is_ours())
        refuse(name, "this is no report of rocmtune", ask_again);
    check_version(report, name);
    return report;
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

std::optional<double> number_of(PlainValue const& value) {
    if (auto const* number = std::get_if<double>(&value)) return *number;
    if (auto const* number = std::get_if<std::uint64_t>(&value))
        return static_cast<double>(*number);
    if (auto const* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
    return std::nullopt;
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
