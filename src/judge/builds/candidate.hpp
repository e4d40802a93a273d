// SPDX-License-Identifier: MIT
// A published build that has code for the targets, and what speaks against it.
#pragma once

#include "judge/builds/builds.hpp"

namespace rocmtune {

bool contains(BuildTexts const& texts, std::string_view text);

/// "ubuntu24.04", as the data names releases; empty where the host does not tell.
std::string distribution_release(Host const& host);

/// What all candidates are judged by.
struct BuildsContext {
    BuildsQuestion const& question;
    BuildsData const& data;
    ChipSet const& chips;
    std::vector<std::string> targets = {};   ///< of the question, or their siblings
    std::optional<std::string> python = {};  ///< that was asked for, or is there
};

struct Candidate {
    PublishedBuild const* build = nullptr;
    BuildChannel const* channel = nullptr;
    PublishedBuild const* beside = nullptr;   ///< that is installed before, in the same environment
    std::vector<std::string> withheld = {};   ///< why it is proposed to nobody
    std::vector<std::string> against = {};    ///< why it does not run here
    std::vector<std::string> not_known = {};  ///< what would decide whether it does
    std::vector<std::string> notes = {};

    bool is_usable() const { return withheld.empty() && against.empty(); }
};

/// The builds of a framework with code for the targets of the context that the installer of the
/// question can install, the best first.
std::vector<Candidate> candidates(BuildsContext const& context, std::string_view framework);

/// The lines that install it; empty if the installer of the question cannot.
/// @param set  variables that the program needs
std::string command_for(BuildsContext const& context, Candidate const& candidate,
                        std::map<std::string, std::string> const& set);

/// What pip or uv is told to install by the command, in the environment that is there; empty where
/// the command makes one of its own, or installs otherwise.
BuildTexts installed_by(BuildsContext const& context, Candidate const& candidate);

/// What the command is for: one of installer_words, or shell. Of several the first that is on PATH,
/// where that is known.
std::string installer_of(BuildsContext const& context, Candidate const& candidate);

/// What AMD's table of kernels says against the build, or what is to be known of it; of a host.
void judge_kernel(BuildsContext const& context, Candidate& candidate);

/// References to sources by their keys, each once.
std::vector<Reference> references(BuildsData const& data, BuildTexts const& keys);

/// Whether every one of the sources is a report of somebody.
bool are_reports(BuildsData const& data, BuildTexts const& keys);

}  // namespace rocmtune
