// SPDX-License-Identifier: MIT
// Build: one way to get a framework for the gfx targets of somebody's GPUs: `rocmtune builds`.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rocmtune/records.hpp"

namespace rocmtune {

/// What an answer is; the better one stands before.
enum class BuildAnswer : std::uint8_t {
    build,         ///< a published build with code for the targets
    override_,     ///< a published build for a sibling, whose code an override lets run
    source,        ///< the makers' way to build it for the targets
    none,          ///< there is none, and it is known why
    not_recorded,  ///< nothing that was read says whether there is one
};
inline constexpr std::array<std::string_view, 5> build_answer_words{"build", "override", "source",
                                                                    "none", "not-recorded"};
constexpr std::string_view word_of(BuildAnswer answer) {
    return build_answer_words[static_cast<std::size_t>(answer)];
}
constexpr std::span<std::string_view const> words_of(BuildAnswer) {
    return build_answer_words;
}

struct Build {
    std::string framework = {};
    BuildAnswer answer = BuildAnswer::none;
    std::optional<std::string> version = {};
    std::optional<std::string> status = {};   ///< current, superseded, preview or nightly
    std::optional<std::string> channel = {};  ///< where it is published, for people
    std::optional<std::vector<std::string>> targets = {};
    std::optional<std::vector<std::string>> python = {};
    std::optional<std::string> rocm = {}, glibc = {};
    std::optional<std::string> installer = {};  ///< of the command: pip, uv, docker, ...
    std::optional<std::string> command = {};    ///< lines to paste; absent: nothing is proposed
    std::optional<bool> runs_here = {};         ///< absent: something that decides it is not known
    std::string reason = {};                    ///< of runs_here, or why there is no command
    std::vector<std::string> breaks = {};       ///< what is installed and would no longer fit
    std::map<std::string, std::string> environment = {};
    std::vector<std::string> notes = {};
    std::optional<std::string> seen = {};
    std::vector<Reference> sources = {};
};

template <SameEntity<Build> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"framework", "framework or library"}, it.framework);
    v(Field{"answer",
            "build (published, with code for the targets), override (published for a sibling), "
            "source (built here), none, or not-recorded"},
      it.answer);
    v(Field{"version", "version of the framework"}, it.version);
    v(Field{"status", "current, superseded (a newer one is in the same place), preview or nightly"},
      it.status);
    v(Field{"channel", "where it is published"}, it.channel);
    v(Field{"targets", "gfx targets that it has code for; null: not recorded"}, it.targets);
    v(Field{"python", "versions of Python that it is for; null: not recorded, or no matter"},
      it.python);
    v(Field{"rocm", "release of ROCm that it holds or needs"}, it.rocm);
    v(Field{"glibc", "least glibc"}, it.glibc);
    v(Field{"installer", "what the command is for: pip, uv, docker, podman, apt, dnf or shell"},
      it.installer);
    v(Field{"command", "lines to paste (of uv, of pyproject.toml); null: nothing is proposed"},
      it.command);
    v(Field{"runs_here",
            "false: something that is known speaks against it; null: not all of it is known, or no "
            "host was asked"},
      it.runs_here);
    v(Field{"reason", "why it does not run here, what is not known, or why there is no command"},
      it.reason);
    v(Field{"breaks", "packages of this environment that would no longer have what they ask for"},
      it.breaks);
    v(Field{"environment", "variables that it needs"}, it.environment);
    v(Field{"notes", "what is to be known of it"}, it.notes);
    v(Field{"seen", "date of publication, else of the text that shows it"}, it.seen);
    v(Field{"sources", "who says so"}, it.sources);
}

/// The targets of the GPUs as one tool wants to be told of them.
struct TargetValue {
    std::string consumer = {};  ///< who reads it: "Spack"
    std::string name = {};      ///< "PYTORCH_ROCM_ARCH"
    std::string value = {};     ///< as it is typed: "PYTORCH_ROCM_ARCH=gfx1100;gfx1201"
};

template <SameEntity<TargetValue> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"consumer", "who reads it"}, it.consumer);
    v(Field{"name", "name of the variable or option"}, it.name);
    v(Field{"value", "the setting as it is typed"}, it.value);
}

/// What builds was asked for, and the answers: of a framework together, the best first.
struct BuildsView {
    std::vector<std::string> targets = {};  ///< that a build must have code for
    bool chosen = false;                    ///< one framework was asked for
    std::string about = {};                 ///< the targets, and what is known of this host
    std::string data_date = {};
    std::vector<Build> builds = {};
    std::vector<TargetValue> target_values = {};
};

template <SameEntity<BuildsView> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"builds", ""}, it.builds);
    v(Field{"target_values", ""}.only_if(!it.target_values.empty()), it.target_values);
}

}  // namespace rocmtune
