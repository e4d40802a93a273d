// SPDX-License-Identifier: MIT
// Names: dead, renamed, misspelt, without a reader on this host.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "base/text.hpp"
#include "judge/lint/judgement.hpp"
#include "judge/lint/lint.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

/// Which characters a name has (lower half) and which it has twice (upper half), a bit for each of
/// 32 classes. One slip takes at most one character away and brings one in: it changes two bits at
/// most.
std::uint64_t letters_of(std::string_view name) {
    std::uint32_t once = 0;
    std::uint32_t twice = 0;
    for (auto const c : name) {
        auto const bit = std::uint32_t{1} << (static_cast<unsigned char>(c) % 32);
        twice |= once & bit;
        once |= bit;
    }
    return std::uint64_t{twice} << 32 | once;
}

/// Without std::popcount(), which is a call where the processor's own instruction may be missing.
bool has_more_bits(std::uint64_t word, std::size_t most) {
    for (; word != 0; word &= word - 1)
        if (most-- == 0) return true;
    return false;
}

/// Whether the names are equal without their digits.
bool are_siblings(std::string_view a, std::string_view b) {
    auto one = a.begin();
    auto other = b.begin();
    for (;;) {
        one = std::find_if_not(one, a.end(), is_digit);
        other = std::find_if_not(other, b.end(), is_digit);
        if (one == a.end() || other == b.end()) return one == a.end() && other == b.end();
        if (*one++ != *other++) return false;
    }
}

/// edit_distance() to one name of at most 64 bytes: a column of its matrix is the bits of a word
/// (H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances",
/// Nordic Journal of Computing 10, 2003).
class DistanceTo {
  public:
    explicit DistanceTo(std::string_view name) : size_(name.size()) {
        for (std::size_t i = 0; i < name.size(); ++i) places(name[i]) |= std::uint64_t{1} << i;
    }

    /// `size_` must not be 0.
    std::size_t from(std::string_view other) {
        auto const last = std::uint64_t{1} << (size_ - 1);
        // Where the value below is larger by one, where it is smaller, and where the diagonal
        // stays.
        std::uint64_t larger = ~std::uint64_t{0}, smaller = 0, equal = 0, before = 0;
        auto distance = size_;
        for (auto const c : other) {
            auto const here = places(c);
            auto const swapped = ((~equal & here) << 1) & before;
            equal = (((here & larger) + larger) ^ larger) | here | smaller | swapped;
            auto right_larger = smaller | ~(equal | larger);
            auto right_smaller = equal & larger;
            if ((right_larger & last) != 0) ++distance;
            if ((right_smaller & last) != 0) --distance;
            right_larger = right_larger << 1 | 1;
            right_smaller <<= 1;
            larger = right_smaller | ~(equal | right_larger);
            smaller = right_larger & equal;
            before = here;
        }
        return distance;
    }

  private:
    std::uint64_t& places(char c) { return places_[static_cast<unsigned char>(c)]; }

    std::size_t size_;
    std::array<std::uint64_t, 256> places_ = {};  ///< of each byte in the name
};

using Words = std::vector<std::string_view>;
constexpr std::size_t fewest_words = 3;

std::string key_of(Words words) {
    std::ranges::sort(words);
    return fmt::format("{}", fmt::join(words, "_"));
}

bool is_dead(Variable const& variable) {
    return variable.status == "dead" || variable.status == "never-existed";
}

std::string use_instead(LintSubject const& subject, std::string_view name) {
    if (!subject.has_value() || is_secret(subject.assignment)) return fmt::format("use {}", name);
    return fmt::format("{}={}", name, subject.value());
}

void add_dead(LintSubject const& subject, LintFindings const& findings) {
    auto const& variable = *subject.variable;
    std::string message =
        variable.status == "dead" ? "nothing reads it any more" : "nothing ever read it";
    if (!variable.replaced_by.empty())
        message += variable.status == "dead"
                       ? fmt::format("; the name was changed to {}", variable.replaced_by)
                       : fmt::format("; {} is what is read", variable.replaced_by);
    // Where things are built it does no harm: people set it beside others that are read.
    bool const is_built =
        subject.assignment.builds || subject.assignment.kind == InputKind::dockerfile;
    auto& finding =
        findings.add(variable.use != "build" || !is_built, dead_name, std::move(message));
    finding.evidence = {{"catalogue", std::string(variable.effect)}};
    mend_by(finding, Repair::Kind::remove);
    finding.setting->repair.is_dead = true;
}

/// Whether every installed version of its owner reads the newer name.
bool knows_newer_name(LintSubject const& subject) {
    auto const& variable = *subject.variable;
    return !variable.readers.empty() && !variable.until.empty() &&
           all_installed_are(variable.readers.front()->package, variable.until, subject.context);
}

/// What the stated or installed release of the owner says of the last that reads the name: true if
/// it is an older one, false if a newer; nothing where that is not known.
std::optional<bool> still_reads(LintSubject const& subject) {
    auto const release = release_at_hand(subject, subject.variable->until);
    if (!release) return std::nullopt;
    return is_before(*release, subject.variable->until, *subject.variable->readers.front());
}

void add_no_longer_read(LintSubject const& subject, LintFindings const& findings) {
    auto const& variable = *subject.variable;
    auto const& owner = *variable.readers.front();
    auto const release = release_at_hand(subject, variable.until).value();
    // A fork may keep what others have removed.
    auto& finding = findings.add(!release.is_fork, dead_name,
                                 fmt::format("{} no longer reads it; versions from {} on do not",
                                             release_text(release, owner), variable.until));
    mend_by(finding, Repair::Kind::remove);
}

/// Whether the release is older than the first that reads the name. What was only seen somewhere
/// may have been there before, and other readers have versions of their own.
bool is_too_old(LintSubject const& subject) {
    auto const& variable = *subject.variable;
    if (variable.validity_kind != "known" || variable.readers.size() != 1) return false;
    if (variable.name != subject.name()) return false;
    auto const release = release_at_hand(subject, variable.since);
    return release && is_before(*release, variable.since, *variable.readers.front()) == true;
}

void add_not_yet_read(LintSubject const& subject, LintFindings const& findings) {
    auto const& variable = *subject.variable;
    auto const& owner = *variable.readers.front();
    auto const release = release_at_hand(subject, variable.since).value();
    findings.add(!release.is_fork, dead_name,
                 fmt::format("{} does not read it yet; versions from {} on do",
                             release_text(release, owner), variable.since));
}

/// `reads`: whether the release that the settings are for still reads the old name.
std::string name_now(LintSubject const& subject, std::optional<bool> reads) {
    auto const& variable = *subject.variable;
    auto message = fmt::format("its name is {} now", variable.replaced_by);
    if (reads != false) return message;
    auto const release = release_at_hand(subject, variable.until).value();
    return message + fmt::format(", also for {}", release_text(release, *variable.readers.front()));
}

/// Whether the value is what the reader does without it.
bool asks_for_nothing(LintSubject const& subject) {
    if (!subject.has_value()) return false;
    auto const& variable = *subject.variable;
    bool const is_off = is_one_of(lower(subject.value()), {"0", "false", "no", "off"});
    return variable.default_value ? means_default(variable, subject.value())
                                  : is_off && variable.default_text == "off";
}

void add_renamed(LintSubject const& subject, std::optional<bool> reads,
                 LintFindings const& findings) {
    bool const sure = reads == false || knows_newer_name(subject);
    if (!sure && asks_for_nothing(subject)) return;
    auto const name = subject.variable->replaced_by;
    mend_by(findings.add(sure, renamed, name_now(subject, reads), use_instead(subject, name)),
            Repair::Kind::rename, std::string(name));
}

void add_deprecated(LintSubject const& subject, LintFindings const& findings) {
    auto const& variable = *subject.variable;
    auto const reads = variable.until.empty() ? std::nullopt : still_reads(subject);
    if (reads == true) return;
    // An older version knows the older name only.
    if (reads == false && variable.replaced_by.empty()) add_no_longer_read(subject, findings);
    else if (!variable.replaced_by.empty()) add_renamed(subject, reads, findings);
    else if (!variable.until.empty())
        findings.note(dead_name,
                      fmt::format("versions from {} on no longer read it", variable.until));
}

/// NCCL_BLOCKING_WAIT, which became TORCH_NCCL_BLOCKING_WAIT. Other aliases are no older names.
bool is_shorter_alias(LintSubject const& subject) {
    auto const name = subject.variable->name;
    return name.size() > subject.name().size() && name.ends_with(subject.name());
}

/// What Kubernetes sets for every service: HIP_SERVICE_HOST, HIP_PORT_80_TCP_ADDR.
bool is_service_name(std::string_view name) {
    return name.ends_with("_SERVICE_HOST") || name.find("_SERVICE_PORT") != name.npos ||
           name.find("_PORT_") != name.npos || name.ends_with("_PORT");
}

bool has_prefix(std::string_view name, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Names that probe shows, of projects whose names the index does not have in full.
bool is_foreign(std::string_view name) {
    return has_prefix(name,
                      {"GOMP_", "KMP_", "MKL_", "MPICH_GPU_", "OMP_", "OPENBLAS_", "RAY_", "TF_"});
}

/// What scripts call their own things: AITER_COMMIT, GPU_ARCH_LIST, ROCM_VERSION.
bool is_own_name(std::string_view name) {
    constexpr std::array<std::string_view, 18> endings{
        "_ARCH",   "_BRANCH", "_COMMIT", "_DIR", "_HOME",    "_IMAGE",
        "_LIST",   "_NAME",   "_PATH",   "_REF", "_REPO",    "_ROOT",
        "_SHA256", "_TAG",    "_URL",    "_VER", "_VERSION", "_WORKSPACE"};
    return std::ranges::any_of(endings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

/// Of projects that add names in every release, of builds that compute them (DeepSpeed's
/// DS_BUILD_), and of nobody (GPU_LAYERS): that no text speaks of such a name tells nothing of it.
bool is_of_an_open_family(std::string_view name) {
    return has_prefix(name, {"DS_BUILD_", "GGML_", "GPU_", "MORI_", "SGLANG_"});
}

/// Names with such a word are read by builds for other vendors' devices: TORCH_MUSA_ARCH_LIST.
bool is_of_another_vendor(std::string_view name) {
    return std::ranges::any_of(split(name, '_'), [](std::string_view word) {
        return is_one_of(word, {"MUSA", "NPU", "XPU", "HPU", "TPU", "MLU", "MACA", "GCU", "MPS",
                                "ASCEND", "SYCL", "NEURON"});
    });
}

std::string_view family_of(std::string_view name) {
    return name.substr(0, name.find('_'));
}

/// The name that was meant, with the reason to think so. Scripts' own names look like those of
/// other families: GPU_NAME is no misspelt TPU_NAME.
struct MeantName {
    std::string_view name;
    std::string_view reason;
};

/// Whether one word alone differs, and two letters of it, of fewer than eight: WEBUI is no DEBUG.
/// The same letters in another order are a slip of the hand.
bool is_another_word(std::string_view name, std::string_view known) {
    constexpr std::size_t long_word = 8;
    auto const words = split(name, '_');
    auto const others = split(known, '_');
    if (words.size() != others.size()) return false;
    auto const [word, other] = std::ranges::mismatch(words, others);
    if (word == words.end() || !std::ranges::equal(word + 1, words.end(), other + 1, others.end()))
        return false;
    if (word->size() != other->size() || word->size() >= long_word) return false;
    auto const same = std::inner_product(word->begin(), word->end(), other->begin(), std::size_t{0},
                                         std::plus<>(), std::equal_to<>());
    return word->size() - same > 1 && !std::ranges::is_permutation(*word, *other);
}

/// Whether the value may be meant for the name: a place in the file system, a number or a switch,
/// where its reader takes one.
bool fits(LintSubject const& subject, std::string_view name) {
    auto const* variable = subject.context.catalogue.find(name);
    if (variable == nullptr || !subject.has_value() || subject.value().empty()) return true;
    auto const value = subject.value();
    if (variable->type == "path") return value.find_first_of("/~$<") != value.npos;
    if (read_value(*variable, value).reading == Reading::valid) return true;
    bool const is_number = is_one_of(variable->type, {"bool", "int", "size", "float"});
    auto const first = std::min(value.find_first_not_of("+-."), value.size() - 1);
    return !is_number || is_digit(value[first]) ||
           is_one_of(lower(value), {"true", "false", "yes", "no", "on", "off"});
}

std::optional<MeantName> meant_name(LintSubject const& subject) {
    auto const& near_names = *subject.context.near_names;
    auto const name = subject.name();
    auto const near = near_names.nearest_to(name);
    if (near && !is_another_word(name, *near) && fits(subject, *near) &&
        (!is_own_name(name) || family_of(*near) == family_of(name)))
        return MeantName{*near, "is one letter or two away"};
    if (auto const same = near_names.with_words_of(name)) return MeantName{*same, "has its words"};
    return std::nullopt;
}

void add_unknown(LintSubject const& subject, LintFindings const& findings) {
    // What stays in the script is nobody else's to read.
    if (!subject.assignment.exported || is_of_another_vendor(subject.name())) return;
    auto const& catalogue = subject.context.catalogue;
    if (auto const meant = meant_name(subject)) {
        bool const is_described = catalogue.find(meant->name) != nullptr;
        auto& finding = findings.certain(
            is_described ? misspelt_name : unknown_name,
            fmt::format("no known component reads this name; {} {}", meant->name, meant->reason),
            use_instead(subject, meant->name));
        // The new name may bring a finding of its own: NCCL_DEBUG=INFO.
        if (is_described && subject.has_value() &&
            is_in_order(subject, meant->name, subject.value()))
            mend_by(finding, Repair::Kind::rename, std::string(meant->name));
    } else if (!is_own_name(subject.name()) && !is_of_an_open_family(subject.name()) &&
               !subject.assignment.is_used_here) {
        findings.note(
            unknown_name,
            fmt::format("no text read up to {} speaks of this name", catalogue.names().date()), "");
    }
}

/// The default that all texts with a reader state; empty where they differ or state none.
std::string_view stated_default(std::vector<KnownName> const& readers) {
    std::string_view found;
    for (auto const& reader : readers) {
        if (!reader.absent_by.empty()) continue;
        if (reader.default_value.empty()) return {};
        if (!found.empty() && found != reader.default_value) return {};
        found = reader.default_value;
    }
    // Python's False may stand there for bool(getenv(...)), to which every text is true.
    return found == "False" ? std::string_view() : found;
}

/// A name that only the index of names knows.
void judge_indexed(LintSubject const& subject, std::vector<KnownName> const& readers,
                   LintFindings const& findings) {
    auto const usual = stated_default(readers);
    if (!usual.empty() && subject.has_value() && subject.value() == usual) {
        if (!subject.assignment.exported) return;
        findings.note(redundant_default, fmt::format("{} is the default in the texts that read it",
                                                     shown_value(subject)));
        return;
    }
    auto const gone = [](KnownName const& reader) { return !reader.absent_by.empty(); };
    if (!std::ranges::all_of(readers, gone)) return;
    auto const last = std::ranges::max(readers, {}, &KnownName::absent_by);
    findings.note(dead_name, fmt::format("{} read it once; a text of {} no longer does",
                                         last.component->title, last.absent_by));
}

std::vector<std::string_view> reader_ids(LintSubject const& subject) {
    std::vector<std::string_view> ids;
    if (subject.variable != nullptr)
        for (auto const* reader : subject.variable->readers) ids.push_back(reader->id);
    for (auto const& reader : subject.context.catalogue.readers(subject.name()))
        if (std::ranges::find(ids, reader.component->id) == ids.end() && reader.absent_by.empty())
            ids.push_back(reader.component->id);
    return ids;
}

/// Whether everything that may read the name was looked at: else it may have a reader unseen.
bool all_scanned(std::vector<std::string_view> const& ids, ReaderIndex const& index) {
    return !ids.empty() && std::ranges::all_of(ids, [&](std::string_view id) {
        return std::ranges::binary_search(index.components, id);
    });
}

}  // namespace

std::optional<std::string_view> NearNames::nearest_to(std::string_view name) const {
    constexpr std::size_t long_name = 12;
    if (name.empty() || name.size() > longest) return std::nullopt;
    std::call_once(once_, [this] { read_names(); });
    std::size_t limit = name.size() >= long_name ? 2 : 1;
    auto const letters = letters_of(name);
    DistanceTo distance(name);
    Known const* best = nullptr;
    for (auto size = name.size() - std::min(name.size(), limit); size <= name.size() + limit;
         ++size)
        for (auto const& known : by_length_[size]) {
            // This saves the long way for nearly all of thousands of names.
            if (has_more_bits(letters ^ known.letters, 2 * limit)) continue;
            auto const found = distance.from(known.name);
            if (found > limit || are_siblings(name, known.name)) continue;
            if (best != nullptr && found == limit && best->rank < known.rank) continue;
            best = &known;
            limit = found;
        }
    return best != nullptr ? std::optional(best->name) : std::nullopt;
}

std::optional<std::string_view> NearNames::with_words_of(std::string_view name) const {
    if (name.size() > longest) return std::nullopt;
    std::call_once(once_, [this] { read_names(); });
    auto const find = [&](Words words) -> std::optional<std::string_view> {
        auto const found = by_words_.find(key_of(std::move(words)));
        if (found == by_words_.end() || found->second.empty()) return std::nullopt;
        return found->second;
    };
    auto const words = split(name, '_');
    if (words.size() < fewest_words) return std::nullopt;
    if (auto const same = find(words)) return same;
    for (std::size_t i = 1; i < words.size() && words.size() > fewest_words; ++i) {
        auto fewer = words;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        auto const same = find(fewer);
        // With its words in order it is made from the known one: HIP_VISIBLE_DEVICES_BEFORE.
        if (same && !same->starts_with(fmt::format("{}", fmt::join(fewer, "_")))) return same;
    }
    return std::nullopt;
}

void NearNames::read_words(std::string_view name) const {
    auto words = split(name, '_');
    auto const add = [&] {
        auto const key = key_of(words);
        auto const [place, is_new] = by_words_.emplace(key, name);
        // A name with just these words is meant before longer ones.
        bool const is_whole = place->second.size() == key.size();
        if (!is_new && !is_whole)
            place->second = name.size() == key.size() ? name : std::string_view();
    };
    if (words.size() < fewest_words) return;
    add();
    words.pop_back();
    if (words.size() >= fewest_words) add();
}

void NearNames::read_names() const {
    std::size_t rank = 0;
    auto const add = [&](std::string_view name) {
        if (name.size() < by_length_.size())
            by_length_[name.size()].push_back({letters_of(name), name, rank++});
    };
    // A dead name is none that anybody should be sent to.
    for (auto const& variable : catalogue_.all()) {
        if (variable.kind != "environment" || is_dead(variable)) continue;
        add(variable.name);
        read_words(variable.name);
    }
    for (auto const known : catalogue_.names().all()) add(known);
}

void judge_name(LintSubject const& subject, LintFindings const& findings) {
    if (subject.variable != nullptr) {
        if (is_dead(*subject.variable)) return add_dead(subject, findings);
        if (is_too_old(subject)) return add_not_yet_read(subject, findings);
        if (subject.variable->status == "deprecated") return add_deprecated(subject, findings);
        if (is_shorter_alias(subject))
            findings.note(renamed, fmt::format("an older name of {}", subject.variable->name),
                          use_instead(subject, subject.variable->name));
        return;
    }
    auto const& names = subject.context.catalogue.names();
    auto const name = subject.name();
    if (!is_relevant_name(name) || name.starts_with("ROCMTUNE_")) return;
    auto const readers = names.readers(name);
    if (!readers.empty()) return judge_indexed(subject, readers, findings);
    bool const is_known = is_listed_name(name) || names.family(name) != nullptr;
    if (!is_known && !is_service_name(name) && !is_foreign(name)) add_unknown(subject, findings);
}

void judge_readers(LintSubject const& subject, LintFindings const& findings) {
    auto const* index = subject.context.readers;
    if (index == nullptr || !is_relevant_name(subject.name())) return;
    if (subject.variable != nullptr && is_dead(*subject.variable)) return;
    // Names that are made up at run time stand nowhere, and PATH or RANK everywhere.
    bool const is_family = subject.variable != nullptr && subject.variable->name.ends_with('>');
    if (is_family || subject.context.catalogue.names().family(subject.name()) != nullptr) return;
    if (subject.name().find('_') == subject.name().npos) return;
    if (std::ranges::binary_search(index->names, subject.name())) return;
    auto const ids = reader_ids(subject);
    if (!all_scanned(ids, *index)) return;
    findings.note(no_reader_here,
                  fmt::format("no reader found on this host; looked in {}", fmt::join(ids, ", ")),
                  "");
}

}  // namespace rocmtune
