// SPDX-License-Identifier: MIT
// Recommendation: one setting that the evidence supports for this host, and Advice: all of them,
// with what was not decided and why. Made by judge/rules/. Settings: what one process is to run
// with, out of that; `env` writes them down, `run` starts a command with them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/records.hpp"

namespace rocmtune {

/// What a recommendation asks the user to do.
enum class SettingKind { environment, allocator, precision, option, api, practice, host };
inline constexpr std::array<std::string_view, 7> setting_kind_words{
    "environment", "allocator", "precision", "option", "api", "practice", "host"};

/// How much evidence a setting needs: documented by its owner for this target and version;
/// + vendor tuning guides for the workload; + experimental or confirmed on this host only.
enum class Level { conservative, balanced, aggressive };
inline constexpr std::array<std::string_view, 3> level_words{"conservative", "balanced",
                                                             "aggressive"};

enum class Workload { none, training, llm_training, inference, development };
inline constexpr std::array<std::string_view, 5> workload_words{"none", "training", "llm-training",
                                                                "inference", "development"};

/// The framework a setting is for; automatic takes what is installed.
enum class FrameworkChoice { automatic, none, pytorch, vllm, jax, tensorflow, onnxruntime };
inline constexpr std::array<std::string_view, 7> framework_words{
    "auto", "none", "pytorch", "vllm", "jax", "tensorflow", "onnxruntime"};

constexpr std::span<std::string_view const> words_of(SettingKind) {
    return setting_kind_words;
}
constexpr std::span<std::string_view const> words_of(Level) {
    return level_words;
}
constexpr std::span<std::string_view const> words_of(Workload) {
    return workload_words;
}
constexpr std::span<std::string_view const> words_of(FrameworkChoice) {
    return framework_words;
}

/// In which versions of the reading component a setting is known to work as described.
struct Validity {
    std::string kind = "unknown";  ///< known (a range), observed (versions seen) or unknown
    std::optional<std::string> since = {};   ///< first version or date, inclusive
    std::optional<std::string> until = {};   ///< first version or date in which it no longer holds
    std::vector<std::string> versions = {};  ///< versions it was observed in
    std::optional<std::string> of = {};      ///< whose versions: rocm, hip, a package, a component
    /// The newest version, or date of a version, whose text was read for it; absent: not stated.
    std::optional<std::string> checked = {};
};

template <SameEntity<Validity> Self, class Visitor>
void visit_fields(Self& validity, Visitor&& v) {
    v(Field{"kind", "known (a range), observed (single versions) or unknown"}, validity.kind);
    v(Field{"since", "first version or date for which it holds"}, validity.since);
    v(Field{"until", "first version or date for which it no longer holds"}, validity.until);
    v(Field{"versions", "versions in which it was observed"}, validity.versions);
    v(Field{"of", "whose versions: rocm, hip, a Python package or a component of the catalogue"},
      validity.of);
    v(Field{"checked", "newest version, or its date, whose text was read for it"},
      validity.checked);
}

/// A fact of this host that made a rule fire, or whose absence left it open.
struct Because {
    std::string subject = {};               ///< "host", or the PCI address[/partition] of a GPU
    std::string field = {};                 ///< a key of visit_fields, or "package:torch"
    std::optional<std::string> value = {};  ///< as text; absent: the fact is missing
};

template <SameEntity<Because> Self, class Visitor>
void visit_fields(Self& because, Visitor&& v) {
    v(Field{"subject", "host, or the PCI address of a GPU"}, because.subject);
    v(Field{"field", "key of the fact"}, because.field);
    v(Field{"value", "its value; null if the fact is missing"}, because.value);
}

/// One setting that the evidence supports for this host.
struct Recommendation {
    std::string name = {};   ///< variable, option, API or practice
    std::string value = {};  ///< the value to set; the text of the advice for a practice
    std::string kind = {};   ///< word of SettingKind
    std::string level = {};  ///< lowest level at which it is given
    std::vector<std::string> workloads = {};  ///< empty: every workload
    std::string why = {};                     ///< one sentence for people
    std::vector<Because> because = {};
    std::vector<Reference> sources = {};  ///< never empty
    Validity validity = {};
    std::string confidence = {};  ///< documented, source or observed
    std::optional<std::string> verify_with =
        {};                 ///< benchmark of `rocmtune verify`; absent: none can tell
    std::string from = {};  ///< profile file and JSON pointer of the rule
    /// The GPUs it is for, as `because` names them; empty: every selected one.
    std::vector<std::string> gpus = {};
    std::vector<std::string> unless_set = {};  ///< variables that it must not meet where it is set
};

template <SameEntity<Recommendation> Self, class Visitor>
void visit_fields(Self& advice, Visitor&& v) {
    v(Field{"name", "variable, option, API or practice"}, advice.name);
    v(Field{"value", "value to set, or the advice itself"}, advice.value);
    v(Field{"kind", "environment, allocator, precision, option, api, practice or host"},
      advice.kind);
    v(Field{"level", "lowest level at which it is given"}, advice.level);
    v(Field{"workloads", "workloads it is for; empty: all"}, advice.workloads);
    v(Field{"why", "reason in one sentence"}, advice.why);
    v(Field{"because", "facts of this host that it rests on"}, advice.because);
    v(Field{"sources", "who says so"}, advice.sources);
    v(Field{"validity", "versions for which that is known"}, advice.validity);
    v(Field{"confidence", "documented (by the owner), source (read in its code) or observed"},
      advice.confidence);
    v(Field{"verify_with", "benchmark that can prove it; null if none can"}, advice.verify_with);
    v(Field{"from", "profile and place of the rule"}, advice.from);
    v(Field{"gpus", "PCI addresses of the GPUs it is for; empty: all that were selected"},
      advice.gpus);
    v(Field{"unless_set", "variables beside which it must not be set"}, advice.unless_set);
}

/// A rule that gave no recommendation although it was near one: open, or held back.
struct Undecided {
    std::string name = {};
    /// missing-fact, not-every-gpu, validity-unknown, component-default, conflict,
    /// unknown-target (a GPU without profile of its own), not-settable (its use forbids it),
    /// measured-harmful (a report of verify says so), measured-elsewhere (one of tune does, of
    /// another host)
    std::string reason = {};
    std::string detail = {};  ///< one sentence: what is missing, which GPU differs
    std::vector<Because> missing = {};
    std::string from = {};
    std::vector<std::string> gpus = {};  ///< of not-every-gpu: those that it would be right for
};

template <SameEntity<Undecided> Self, class Visitor>
void visit_fields(Self& open, Visitor&& v) {
    v(Field{"name", "setting that was considered"}, open.name);
    v(Field{"reason",
            "missing-fact, not-every-gpu, validity-unknown, component-default, conflict, "
            "unknown-target, not-settable, measured-harmful or measured-elsewhere"},
      open.reason);
    v(Field{"detail", "what is missing or different"}, open.detail);
    v(Field{"missing", "facts that would decide it"}, open.missing);
    v(Field{"from", "profile and place of the rule"}, open.from);
    v(Field{"gpus", "of not-every-gpu, the GPUs that it would be right for"}, open.gpus);
}

/// A setting that was weighed and left out, because it is known that nothing asks for it here.
struct Considered {
    std::string name = {};
    std::string why = {};  ///< half a sentence: "not needed, gfx1100 is supported"
};

template <SameEntity<Considered> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name", "setting that was considered"}, it.name);
    v(Field{"why", "why it is left out"}, it.why);
}

/// Everything the rules say about one host and one selection, sorted by name.
struct Advice {
    std::vector<Recommendation> recommendations;
    std::vector<Undecided> undecided;
    std::vector<Considered> considered = {};
};

template <SameEntity<Advice> Self, class Visitor>
void visit_fields(Self& advice, Visitor&& v) {
    v(Field{"recommendations", ""}, advice.recommendations);
    v(Field{"undecided", ""}, advice.undecided);
    v(Field{"considered", ""}, advice.considered);
}

/// What the user asked to be advised for.
struct Selection {
    Level level = Level::balanced;
    Workload workload = Workload::none;
    FrameworkChoice framework = FrameworkChoice::automatic;
    std::vector<std::uint64_t> rows = {};  ///< GPU rows; empty: every GPU of the host
    /// The settings are for a process that the host's own one does not start: a container, a unit.
    /// The environment and the CPUs of the own one say nothing about it.
    bool elsewhere = false;
};

/// One environment variable that is to be set or cleared.
struct Setting {
    std::string name = {};                    ///< [A-Za-z_][A-Za-z0-9_]*
    std::optional<std::string> value = {};    ///< absent: the variable is cleared
    std::optional<std::string> current = {};  ///< its value in this environment; absent: not set
    bool keep = false;                        ///< it is set already, and stays as it is
    std::string why = {};                     ///< one sentence for people
    Validity validity = {};
    std::vector<Reference> sources = {};
    std::vector<std::string> unless_set = {};  ///< variables beside which it must not be set
};

template <SameEntity<Setting> Self, class Visitor>
void visit_fields(Self& setting, Visitor&& v) {
    v(Field{"name", "environment variable"}, setting.name);
    v(Field{"value", "value to set; null: it is cleared"}, setting.value);
    v(Field{"current", "its value in this environment; null: it is not set"}, setting.current);
    v(Field{"keep", "it is set already and stays as it is (--force overwrites)"}, setting.keep);
    v(Field{"why", "reason in one sentence"}, setting.why);
    v(Field{"validity", "versions for which that is known"}, setting.validity);
    v(Field{"sources", "who says so"}, setting.sources);
    v(Field{"unless_set", "variables beside which it must not be set"}, setting.unless_set);
}

/// Everything that an env script holds, and what it was made for.
struct Settings {
    std::string fingerprint = {};  ///< of the host, 16 hexadecimal digits
    std::string level = {};        ///< words of the options
    std::string workload = {};
    std::string framework = {};
    std::vector<std::uint64_t> rows = {};  ///< selected GPUs; empty: every GPU of the host
    bool force = false;                    ///< variables that are set already are overwritten
    std::vector<Setting> items = {};       ///< by name
    bool elsewhere = false;                ///< as Selection::elsewhere
};

template <SameEntity<Settings> Self, class Visitor>
void visit_fields(Self& settings, Visitor&& v) {
    v(Field{"fingerprint", "equal for hosts that the rules cannot tell apart"},
      settings.fingerprint);
    v(Field{"level", "conservative, balanced or aggressive"}, settings.level);
    v(Field{"workload", "what the settings are for, or none"}, settings.workload);
    v(Field{"framework", "framework they are for; auto: what is installed"}, settings.framework);
    v(Field{"rows", "rows of the selected GPUs; empty: every GPU"}, settings.rows);
    v(Field{"force", "variables that are set already are overwritten"}, settings.force);
    v(Field{"items", "variables to set or to clear, by name"}, settings.items);
    v(Field{"elsewhere", "for another environment than this one, which was not looked at"},
      settings.elsewhere);
}

}  // namespace rocmtune
