// SPDX-License-Identifier: MIT
// Settings that contradict each other within one environment, and libraries of two trees in one
// process.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/lint/judgement.hpp"
#include "judge/lint/lint.hpp"
#include "knowledge/allocator_options.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// The assignment of this name, if its value is known and not empty; else null.
LintSubject const* set_in(LintEnvironment const& environment, string_view name) {
    auto const found = environment.find(name);
    if (found == environment.end()) return nullptr;
    auto const* subject = found->second;
    return subject->has_value() && !subject->value().empty() ? subject : nullptr;
}

std::string source_of(LintSubject const& subject) {
    auto const& assignment = subject.assignment;
    if (assignment.line == 0) return fmt::format("environment: {}", assignment.name);
    return fmt::format("{}:{}: {}", assignment.file, assignment.line, assignment.name);
}

/// A finding at the later of two assignments that names both.
void add_pair(LintSubject const& a, LintSubject const& b, bool certain, std::string message,
              std::string_view removed, std::vector<Finding>& findings) {
    auto const& at = a.assignment.line > b.assignment.line ? a : b;
    auto& finding =
        LintFindings(at, findings).add(certain, conflict, std::move(message), removal(removed));
    finding.evidence = {{source_of(a), shown_value(a)}, {source_of(b), shown_value(b)}};
    for (auto const* one : {&a, &b}) {
        if (one->name() != removed) continue;
        mend_by(finding, Repair::Kind::remove);
        auto& repair = finding.setting->repair;
        repair.name = one->name();
        repair.line = one->assignment.line;
        repair.column = one->assignment.column;
    }
}

void judge_device_lists(LintEnvironment const& environment, std::vector<Finding>& findings) {
    auto const* hip = set_in(environment, "HIP_VISIBLE_DEVICES");
    auto const* cuda = set_in(environment, "CUDA_VISIBLE_DEVICES");
    if (hip == nullptr || cuda == nullptr) return;
    if (hip->value() != cuda->value())
        return add_pair(
            *hip, *cuda, true,
            fmt::format("HIP_VISIBLE_DEVICES={} and CUDA_VISIBLE_DEVICES={} differ: HIP takes its "
                        "own, vLLM refuses to start",
                        shown_value(*hip), shown_value(*cuda)),
            "CUDA_VISIBLE_DEVICES", findings);
    // In a process they may come from a launcher that sets both.
    if (is_running(cuda->assignment.kind)) return;
    LintFindings(*cuda, findings)
        .note(redundant_default,
              "HIP looks at it only where HIP_VISIBLE_DEVICES is not set; both say the same")
        .evidence = {{source_of(*hip), shown_value(*hip)}};
}

/// Plain numbers; absent if the list has anything else, or a number twice.
std::optional<std::vector<std::uint64_t>> numbers(string_view list) {
    std::vector<std::uint64_t> result;
    for (auto const part : split(list, ',')) {
        auto const number = to_unsigned(trim(part), 10);
        if (!number || std::ranges::find(result, *number) != result.end()) return std::nullopt;
        result.push_back(*number);
    }
    return result;
}

/// HIP counts in the list that ROCr leaves.
void judge_device_numbers(LintEnvironment const& environment, std::vector<Finding>& findings) {
    auto const* rocr = set_in(environment, "ROCR_VISIBLE_DEVICES");
    auto const* hip = set_in(environment, "HIP_VISIBLE_DEVICES");
    if (hip == nullptr) hip = set_in(environment, "CUDA_VISIBLE_DEVICES");
    if (rocr == nullptr || hip == nullptr) return;
    auto const left = numbers(rocr->value());
    auto const wanted = numbers(hip->value());
    if (!left || !wanted || wanted->empty()) return;
    auto const largest = std::ranges::max(*wanted);
    if (largest < left->size()) return;
    add_pair(*rocr, *hip, true,
             fmt::format("{}={} numbers what ROCR_VISIBLE_DEVICES={} leaves: {}, counted from 0; "
                         "there is no number {}",
                         hip->name(), shown_value(*hip), shown_value(*rocr),
                         counted(left->size(), "device"), largest),
             hip->name(), findings);
}

using OptionPairs = std::vector<std::pair<std::string, std::string>>;

OptionPairs sorted_options(string_view text) {
    OptionPairs pairs;
    for (auto const& option : parse_allocator_options(text).options)
        pairs.emplace_back(option.key, option.value);
    std::ranges::sort(pairs);
    return pairs;
}

/// Two names of one list of options, with the same options.
bool say_the_same(LintSubject const& a, LintSubject const& b) {
    return is_allocator_variable(a.name()) && is_allocator_variable(b.name()) &&
           sorted_options(a.value()) == sorted_options(b.value());
}

bool has_value(LintSubject const* subject, string_view value) {
    return subject != nullptr && (value.empty() || subject->value() == value);
}

bool is_within(string_view version, Contradiction const& row) {
    auto const after_since = compare_versions(version, row.since);
    auto const after_until = compare_versions(version, row.until);
    return (row.since.empty() || (after_since && *after_since >= 0)) &&
           (row.until.empty() || (after_until && *after_until < 0));
}

/// Whether the row speaks of the stated version of its package, else of every installed one. Where
/// none is known to be here, a program with any version may get the settings.
bool speaks_of_all(Contradiction const& row, LintContext const& context) {
    if (row.package.empty()) return true;
    auto const stated = std::ranges::find(context.releases, row.package, &StatedRelease::package);
    if (stated != context.releases.end()) return is_within(stated->version, row);
    auto const* host = context.host;
    if (host == nullptr || !host->frameworks || !host->frameworks.limit().empty()) return false;
    auto const is_other = [&](Framework const& it) { return it.name != row.package; };
    auto const outside = [&](Framework const& it) {
        return !is_other(it) && !is_within(it.version.value_or(""), row);
    };
    return !std::ranges::all_of(*host->frameworks, is_other) &&
           std::ranges::none_of(*host->frameworks, outside);
}

/// What the catalogue says of this variable beside the other one, with their values here.
struct Pair {
    LintSubject const* first;
    LintSubject const* second;
    Contradiction const* row;
};

/// The pairs of one variable; of several rows with the same other one the first that holds.
std::vector<Pair> pairs_of(LintSubject const& subject, LintEnvironment const& environment) {
    std::vector<Pair> pairs;
    auto const* first = set_in(environment, subject.name());
    for (auto const& row : subject.variable->contradictions) {
        auto const* second = set_in(environment, row.with);
        if (!has_value(first, row.value) || !has_value(second, row.with_value)) continue;
        bool const is_said = std::ranges::find(pairs, second, &Pair::second) != pairs.end();
        if (!is_said && speaks_of_all(row, subject.context)) pairs.push_back({first, second, &row});
    }
    return pairs;
}

void judge_pairs(LintEnvironment const& environment, std::vector<Finding>& findings) {
    for (auto const& [name, subject] : environment) {
        // An alias may have a reader of its own.
        if (subject->variable == nullptr || subject->variable->name != name) continue;
        for (auto const& [first, second, row] : pairs_of(*subject, environment)) {
            // Who sets both alike means every version.
            if (say_the_same(*first, *second)) continue;
            add_pair(*first, *second, row->certain,
                     fmt::format("{} and {}: {}", name, row->with, row->why), row->remove,
                     findings);
        }
    }
}

/// Sockets are the product of the two; threads are 0 on ordinary network cards.
void judge_sockets(LintEnvironment const& environment, std::vector<Finding>& findings) {
    auto const* sockets = set_in(environment, "NCCL_NSOCKS_PERTHREAD");
    if (sockets == nullptr || environment.contains("NCCL_SOCKET_NTHREADS")) return;
    LintFindings(*sockets, findings)
        .note(redundant_default,
              "without NCCL_SOCKET_NTHREADS it does nothing on ordinary network cards");
}

/// Libraries of ROCm that lie in its own directory for libraries, and nowhere else by right.
constexpr std::array<std::string_view, 14> libraries{
    "libamdhip64",  "libhiprtc",  "libhsa-runtime64", "libamd_comgr", "librocblas",
    "libhipblaslt", "libhipblas", "librocsolver",     "librocsparse", "librocfft",
    "librocrand",   "libMIOpen",  "libmigraphx",      "librccl"};

/// libamdhip64 of /opt/rocm/lib/libamdhip64.so.6, also where auditwheel has put a hash behind it
/// (libamdhip64-46b24d76.so.4); empty for any other file.
std::string_view library_of(std::string_view path) {
    auto const file = path.substr(path.rfind('/') + 1);
    auto const end = file.find(".so");
    if (end == file.npos) return {};
    for (auto const name : libraries) {
        if (!file.starts_with(name)) continue;
        auto const rest = file.substr(name.size(), end - name.size());
        constexpr std::size_t hash_digits = 8;
        bool const is_hash = rest.size() == hash_digits + 1 && rest.front() == '-';
        if (rest.empty() || is_hash) return name;
    }
    return {};
}

/// The tree that a library belongs to. Old releases had a directory for each component.
std::string tree_of(std::string_view path) {
    constexpr std::string_view opt = "/opt/";
    auto const directory = path.substr(0, path.rfind('/'));
    if (!path.starts_with(opt)) return std::string(directory);
    return std::string(directory.substr(0, directory.find('/', opt.size())));
}

/// Address, permissions, offset, device, inode and then the path, which may have blanks in it.
std::string_view path_of(std::string_view line) {
    auto const at = line.find('/');
    auto path = at == line.npos ? std::string_view() : line.substr(at);
    constexpr std::string_view deleted = " (deleted)";
    if (path.ends_with(deleted)) path.remove_suffix(deleted.size());
    return path;
}

Finding mixed(std::string_view name, bool certain, std::string message,
              std::set<std::string> const& places) {
    auto finding = make_finding(mixed_trees.id, certain ? mixed_trees.verdict : Verdict::info,
                                "host", fmt::format("{}: {}", name, message));
    finding.setting = SettingPlace{.lint_class = mixed_trees.lint_class,
                                   .certain = certain,
                                   .name = std::string(name),
                                   .fix =
                                       "start the process with one installation in "
                                       "LD_LIBRARY_PATH, or with the framework's alone"};
    for (auto const& place : places) finding.evidence.push_back({"maps", printable(place)});
    return finding;
}

}  // namespace

bool all_installed_are(string_view package, string_view since, LintContext const& context) {
    Contradiction row{};
    row.package = package;
    row.since = since;
    return !package.empty() && speaks_of_all(row, context);
}

void judge_allocator_options(LintSubject const& subject, LintFindings const& findings) {
    if (!is_allocator_variable(subject.name()) || !subject.has_value()) return;
    if (!is_refuted(parse_allocator_options(subject.value()))) return;
    // Before, builds for ROCm ignored the first of the two with a warning.
    constexpr string_view first_with_segments = "2.11";
    findings
        .add(all_installed_are("torch", first_with_segments, subject.context), conflict,
             "expandable_segments:True with max_split_size_mb: reserved memory grows until the GPU "
             "is full, and live data was reported to read back as zeros")
        .evidence = {{source_of(subject), shown_value(subject)}};
}

void judge_conflicts(LintEnvironment const& environment, std::vector<Finding>& findings) {
    judge_device_lists(environment, findings);
    judge_device_numbers(environment, findings);
    judge_pairs(environment, findings);
    judge_sockets(environment, findings);
}

std::vector<Finding> lint_mapped_libraries(std::string_view maps) {
    std::map<std::string_view, std::set<std::string>> copies;
    std::set<std::string> trees;
    for (auto const line : split(maps, '\n')) {
        auto const path = path_of(line);
        auto const name = library_of(path);
        if (name.empty()) continue;
        copies[name].emplace(path);
        trees.insert(tree_of(path));
    }
    std::vector<Finding> findings;
    for (auto const& [name, paths] : copies)
        if (paths.size() > 1)
            findings.push_back(mixed(
                name, true,
                fmt::format("the process has {} copies of it, each with a state of its own: {}",
                            paths.size(), printable(fmt::format("{}", fmt::join(paths, ", ")))),
                paths));
    if (findings.empty() && trees.size() > 1)
        findings.push_back(
            mixed("ROCm", false,
                  fmt::format("the process takes libraries from {} installations: {}", trees.size(),
                              printable(fmt::format("{}", fmt::join(trees, ", ")))),
                  trees));
    return findings;
}

}  // namespace rocmtune
