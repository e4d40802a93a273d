// SPDX-License-Identifier: MIT
// What the judges of src/judge/lint share: the assignment they look at, and where their findings
// go.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/lint/lint.hpp"

namespace rocmtune {

/// One assignment with what the catalogue says of its name.
struct LintSubject {
    Assignment const& assignment;
    Variable const* variable;  ///< null: the catalogue does not describe the name
    LintContext const& context;

    std::string_view name() const { return assignment.name; }
    /// Whether the value can be judged: there is one, and it is known before the text runs.
    bool has_value() const { return assignment.value.has_value(); }
    std::string_view value() const { return *assignment.value; }
};

/// A kind of finding; its texts stand in profiles/findings.json.
struct LintKind {
    std::string_view id;
    LintClass lint_class;
    Verdict verdict;  ///< where it is certain; what is not certain is a note
};

// Ids are append-only: a new kind takes the next number, whatever its class.
inline constexpr LintKind dead_name{"RT5001", LintClass::dead_name, Verdict::warn};
inline constexpr LintKind no_reader_here{"RT5002", LintClass::no_reader_here, Verdict::info};
inline constexpr LintKind renamed{"RT5003", LintClass::renamed, Verdict::warn};
inline constexpr LintKind bad_value{"RT5004", LintClass::bad_value, Verdict::fail};
inline constexpr LintKind redundant_default{"RT5005", LintClass::redundant_default, Verdict::info};
inline constexpr LintKind debug_left_on{"RT5006", LintClass::debug_left_on, Verdict::warn};
inline constexpr LintKind conflict{"RT5007", LintClass::conflict, Verdict::fail};
inline constexpr LintKind wrong_architecture{"RT5008", LintClass::wrong_architecture,
                                             Verdict::fail};
inline constexpr LintKind gfx_override{"RT5009", LintClass::override, Verdict::warn};
inline constexpr LintKind build_or_launcher{"RT5010", LintClass::build_or_launcher, Verdict::info};
inline constexpr LintKind code_loading{"RT5011", LintClass::security, Verdict::fail};
inline constexpr LintKind unknown_name{"RT5012", LintClass::unknown_name, Verdict::info};
/// A described name, misspelt: nobody else can have meant another one.
inline constexpr LintKind misspelt_name{"RT5012", LintClass::unknown_name, Verdict::warn};
inline constexpr LintKind open_secret{"RT5013", LintClass::security, Verdict::fail};
inline constexpr LintKind mixed_trees{"RT5014", LintClass::conflict, Verdict::fail};

/// Takes what judges say of one assignment.
class LintFindings {
  public:
    LintFindings(LintSubject const& subject, std::vector<Finding>& findings)
        : subject_(subject), findings_(findings) {}
    LintFindings about(LintSubject const& other) const { return {other, findings_}; }

    /// `message` without the name, which the finding carries; `fix` says what to write instead, and
    /// may be empty; without one the setting is better not there at all. What a shell does not
    /// export reaches no program: such a finding is a note, however certain the judge is.
    Finding& add(bool certain, LintKind const& kind, std::string message,
                 std::optional<std::string> fix = {}) const;
    Finding& certain(LintKind const& kind, std::string message,
                     std::optional<std::string> fix = {}) const {
        return add(true, kind, std::move(message), std::move(fix));
    }
    Finding& note(LintKind const& kind, std::string message,
                  std::optional<std::string> fix = {}) const {
        return add(false, kind, std::move(message), std::move(fix));
    }

  private:
    LintSubject const& subject_;
    std::vector<Finding>& findings_;
};

/// Says how the setting of a finding is mended, if the finding is certain.
void mend_by(Finding& finding, Repair::Kind kind, std::string text = {});

/// Whether lint has nothing against this name and value in place of the setting.
bool is_in_order(LintSubject const& subject, std::string_view name, std::string_view value);

/// The environment of a process, which a launcher may have made; all else is text.
inline bool is_running(InputKind kind) {
    return kind == InputKind::environment || kind == InputKind::process;
}

/// What looks for faults has switches, bad values and overrides for that (values.cpp).
bool looks_for_faults(std::string_view file);

// One judge looks at one thing, and gives at most one finding for an assignment.
// names.cpp
void judge_name(LintSubject const&, LintFindings const&);
void judge_readers(LintSubject const&, LintFindings const&);
// values.cpp
void judge_value(LintSubject const&, LintFindings const&);
// architectures.cpp
void judge_override(LintSubject const&, LintFindings const&);
void judge_architecture(LintSubject const&, LintFindings const&);
// owners.cpp
void judge_owner(LintSubject const&, LintFindings const&);
void judge_code_loading(LintSubject const&, LintFindings const&);
void judge_secret(LintSubject const&, LintFindings const&);

/// Everything that one process gets together: the last assignment of each name.
using LintEnvironment = std::map<std::string_view, LintSubject const*>;

// conflicts.cpp
/// Two options of one value: memory that grows without end, on ROCm 7.14 also data that reads back
/// as zeros.
void judge_allocator_options(LintSubject const&, LintFindings const&);
/// Adds what it finds to the list.
void judge_conflicts(LintEnvironment const&, std::vector<Finding>&);

/// The value for people, shortened; something else where it is a secret. Only with a value.
std::string shown_value(LintSubject const& subject);

/// Whether the value has the shape of an access token, whatever its name (owners.cpp).
bool has_secret_shape(std::string_view value);

/// Whether every version of the package that is stated or installed is at least this one; a later
/// text of the package may speak of it otherwise. False where a version is not known.
bool all_installed_are(std::string_view package, std::string_view since,
                       LintContext const& context);

// releases.cpp
/// Options that say their default, or that the stated release of PyTorch does not take.
void judge_allocator_values(LintSubject const&, LintFindings const&);
/// The release of a component that the settings are for: as it is stated, else as it is installed
/// here; nothing where neither is known, or where several versions are installed.
std::optional<StatedRelease> release_of(Component const& component, LintContext const& context);
/// That of the owner of the variable; of a part of ROCm with versions of its own the one that can
/// be compared with `bound`.
std::optional<StatedRelease> release_at_hand(LintSubject const& subject,
                                             std::string_view bound = {});
/// Whether the release has the sources of before `bound`, a version or a day; nothing where the two
/// cannot be compared.
std::optional<bool> is_before(StatedRelease const& release, std::string_view bound,
                              Component const& component);
/// "vLLM 0.9.2 (line 3)"
std::string release_text(StatedRelease const& release, Component const& component);
/// The default of the variable in that release. Where it changed once and the release is not known,
/// nothing.
std::optional<std::string_view> default_at_hand(LintSubject const& subject);

/// "unset NAME", as the fix of what is better not set at all.
std::string removal(std::string_view name);

}  // namespace rocmtune
