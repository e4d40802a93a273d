// SPDX-License-Identifier: MIT
// Settings: what one process is to run with, out of what the rules advise. `env` writes them down,
// `run` starts a command with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocmtune/recommendation.hpp"

namespace rocmtune {

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
