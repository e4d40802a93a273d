// SPDX-License-Identifier: MIT
// Check: one question about a host, and what the answers are made of.
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/host.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/products.hpp"
#include "rocmtune/fact.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/measurement.hpp"
#include "rocmtune/records.hpp"

namespace rocmtune {

struct Advisory;
struct BuildsData;

enum class Profile : std::uint8_t {
    server,   ///< Instinct on bare metal, MI300A included
    guest,    ///< a virtual function, or a GPU passed through to a virtual machine
    desktop,  ///< any other card; usually it drives a display
    apu,      ///< graphics of a processor
};

/// One card: its first row, with what the criteria need to know of it.
struct Card {
    Gpu const* gpu;
    std::string subject;  ///< its PCI address; "host" for a device without one
    Profile profile;
    bool instinct;

    bool is_server() const { return profile == Profile::server; }
    bool is_apu() const { return gpu->is_apu.value_or(false); }
};

/// Whether this is a virtual machine, as far as the firmware's product name tells.
bool is_virtual_machine(Host const& host);

/// An Instinct accelerator, by name or by the family that has no other products.
bool is_instinct(ChipSet const& chips, Gpu const& gpu);

/// The cards that the driver amdgpu runs, in the order of rows. Partitions share one.
std::vector<Card> cards_of(Host const& host, ChipSet const& chips);

/// A process of a Slurm job: its cgroup may keep it from GPUs that are not the job's.
bool in_slurm_job(Host const& host);

/// What is said of a GPU that the container or the job was not given.
std::string kept_out_text(Host const& host);

enum class TrialEnd : std::uint8_t {
    verified,      ///< what came back was right
    wrong,         ///< what came back was not what was sent
    refused,       ///< a call of the runtime failed
    crashed,       ///< the process died in a call
    late,          ///< it did not answer in time, and was killed
    unkillable,    ///< likewise, and SIGKILL did not reach it: it is stuck in the driver
    no_runtime,    ///< this host has no HIP runtime to try it with
    not_possible,  ///< this process is not shown the GPU
    not_allowed,   ///< it would disturb: a job, or a GPU that sleeps
    not_known,     ///< the trial itself failed: nothing is known of the GPU
};

struct Trial {
    std::uint64_t row = 0;  ///< of the GPU, as probe prints it
    TrialEnd end = TrialEnd::not_known;
    std::string message = {};  ///< what happened, without the GPU's name
    std::vector<Evidence> evidence = {};
};

inline std::string fact_text(std::string const& value) {
    return value;
}
inline std::string fact_text(bool value) {
    return value ? "yes" : "no";
}
inline std::string fact_text(std::vector<std::string> const& values) {
    return fmt::format("{}", fmt::join(values, ", "));
}
inline std::string fact_text(DeviceNode const& node) {
    auto text = fmt::format("mode {}, group {}", node.mode.value_or("?"), node.group.value_or("?"));
    return node.usable ? text : fmt::format("{}, open: {}", text, node.error.value_or("refused"));
}
template <class T>
std::string fact_text(T const& value) {
    // Lists of records have no short text: a judgement names the record that it means.
    if constexpr (std::is_arithmetic_v<T>) return fmt::format("{}", value);
    else return {};
}

/// The value of a fact and where it was read.
template <class T>
Evidence evidence(Fact<T> const& fact) {
    return {source_text(fact.source()), fact_text(*fact)};
}

/// What a finding rests on: a fact that has a value, or several observations.
struct Proof {
    std::vector<Evidence> list = {};

    Proof() = default;
    Proof(std::initializer_list<Evidence> observations) : list(observations) {}
    Proof(std::vector<Evidence> observations) : list(std::move(observations)) {}
    template <class T>
    Proof(Fact<T> const& fact) : list{evidence(fact)} {}
};

/// How one check states what it found about one subject, so that every result has the same shape
/// and a fact that could not be read never turns into a pass.
class Verdicts {
  public:
    Verdicts(std::string_view id, std::vector<Finding>& findings, std::string subject = "host")
        : id_(id), findings_(findings), subject_(std::move(subject)) {}

    /// "RT3001": the check and its findings.
    std::string_view id() const { return id_; }
    /// The results of the same check about another subject.
    Verdicts about(std::string subject) const { return {id_, findings_, std::move(subject)}; }

    /// Adds a finding, which lives until the next one is added. Without a step it has the one that
    /// findings.json names for its kind.
    Finding& give(Verdict verdict, std::string message, Proof proof = {},
                  std::string next_step = {}) const;
    void pass(std::string message, Proof proof = {}) const {
        give(Verdict::pass, std::move(message), std::move(proof));
    }
    void skip(std::string message) const { give(Verdict::skip, std::move(message)); }
    void unknown(std::string message, Proof proof = {}) const {
        give(Verdict::unknown, std::move(message), std::move(proof));
    }
    void info(std::string message, Proof proof = {}, std::string step = {}) const {
        give(Verdict::info, std::move(message), std::move(proof), std::move(step));
    }
    void warn(std::string message, Proof proof = {}, std::string step = {}) const {
        give(Verdict::warn, std::move(message), std::move(proof), std::move(step));
    }
    void fail(std::string message, Proof proof = {}, std::string step = {}) const {
        give(Verdict::fail, std::move(message), std::move(proof), std::move(step));
    }

    /// True if the fact has a value. If not, says why the check has no answer about the subject:
    /// skip for what this GPU or host does not have and for a GPU that sleeps, timeout for a
    /// kernel that did not answer, unknown for everything that could not be read.
    template <class T>
    bool have(Fact<T> const& fact, std::string_view what) const {
        if (!fact) miss(fact.reason(), fact.detail(), what);
        return fact.has_value();
    }

    /// The same for what most hosts do not have, and what snapshots that were made before it was
    /// asked for do not hold: of those the check says `otherwise`, as skip.
    template <class T>
    bool have_or_skip(Fact<T> const& fact, std::string_view what, std::string otherwise) const {
        bool const gone =
            fact.reason() == Missing::absent || fact.reason() == Missing::not_recorded;
        if (fact || !gone) return have(fact, what);
        skip(std::move(otherwise));
        return false;
    }

  private:
    void miss(Missing reason, std::string const& detail, std::string_view what) const;

    std::string_view id_;
    std::vector<Finding>& findings_;
    std::string subject_;
};

/// How much time a run may take; a level includes those before it.
enum class CheckLevel : std::uint8_t { quick, medium, long_ };
inline constexpr std::array<std::string_view, 3> check_level_words{"quick", "medium", "long"};

/// Status of a measurement that the end of the run cut off: the GPU may be slow or hang, or not.
inline constexpr std::string_view unfinished_status = "unfinished";

/// What the site said beforehand; it makes some criteria stricter.
struct CheckRules {
    bool strict = false;  ///< the file of expectations says so: a gate, not a look
    bool idle = false;    ///< no GPU should be in use
};

/// What a check judges. All of it lives longer than the check.
struct CheckContext {
    Host const& host;
    ChipSet const& chips;
    std::vector<Card> const& cards;
    CheckRules const& rules;
    std::vector<Trial> const& trials;
    std::vector<Measurement> const& measurements;
    BuildsData const* own_builds = nullptr;  ///< in place of the embedded ones

    /// The card at this PCI address, or null.
    Card const* card_at(std::string_view address) const {
        auto const found =
            std::ranges::find_if(cards, [&](Card const& card) { return card.subject == address; });
        return found == cards.end() ? nullptr : &*found;
    }
    bool has_server() const {
        return std::ranges::any_of(cards, [](Card const& card) { return card.is_server(); });
    }
    std::size_t discrete_cards() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(cards, [](Card const& card) { return !card.is_apu(); }));
    }
};

/// Where a check has no answer, whatever it would find.
enum class Where : std::uint8_t {
    anywhere,
    driver,     ///< not in WSL, where the GPU is behind /dev/dxg
    host_only,  ///< neither there nor in a container, which cannot change the host
    in_wsl,     ///< only there
};

/// What a check asks: once of the host, or of each card, whose results are then about it.
class Judge {
  public:
    using OfHost = void (*)(CheckContext const&, Verdicts const&);
    using OfCard = void (*)(CheckContext const&, Card const&, Verdicts const&);

    constexpr Judge(OfHost judge) : of_host_(judge) {}
    constexpr Judge(OfCard judge) : of_card_(judge) {}

    void operator()(CheckContext const& context, Verdicts const& verdicts) const {
        if (of_host_ != nullptr) return of_host_(context, verdicts);
        for (auto const& card : context.cards)
            of_card_(context, card, verdicts.about(card.subject));
    }

  private:
    OfHost of_host_ = nullptr;
    OfCard of_card_ = nullptr;
};

/// One row of a theme's file.
struct Check {
    std::string_view id;    ///< of its findings: "RT3001"
    std::string_view name;  ///< for --only and --skip
    std::string_view theme;
    CheckLevel level;
    bool essential;  ///< without an answer nothing is known of the GPUs: exit code 3
    Where where;
    Judge judge;
};

// The checks of each file, sorted by id. A new one takes the next number of its theme; no number is
// used twice.
std::span<Check const> driver_checks();
std::span<Check const> driver_build_checks();
std::span<Check const> access_checks();
std::span<Check const> enumeration_checks();
std::span<Check const> host_checks();
std::span<Check const> network_checks();
std::span<Check const> link_checks();
std::span<Check const> power_checks();
std::span<Check const> hardware_checks();
std::span<Check const> kernel_log_checks();
std::span<Check const> rocm_checks();
std::span<Check const> framework_checks();
std::span<Check const> cache_checks();
std::span<Check const> wsl_checks();
std::span<Check const> library_code_checks();
std::span<Check const> advisory_checks();
std::span<Check const> measured_checks();

/// One advisory that was asked for by its id: what holds, or that nothing does, or that it cannot
/// be told.
void judge_advisory(Advisory const& advisory, Host const& host, std::vector<Finding>& findings);

/// Gives the worst that the log holds of the classes of this check's finding about the subject, a
/// PCI address or "host"; false if it holds nothing.
bool tell_from_log(CheckContext const& context, std::string const& subject,
                   Verdicts const& verdicts);

/// Gives what is asked of modules that do not have such a parameter; true if nothing is.
bool judge_module_options(CheckContext const& context, Verdicts const& verdicts);

/// The message with which KFD refuses this GPU for want of PCIe atomics, or null.
KernelMessage const* rejects_atomics(CheckContext const& context, std::string const& address);

/// The step for a node whose open failed.
std::string way_in(Host const& host, DeviceNode const& node);

/// The step for a node that does not exist; `path` is /dev/kfd or a render node.
std::string way_to_missing(Host const& host, std::string const& path);

/// Whether one of Host::dkms_builds is installed for this kernel.
bool dkms_installed_for(std::vector<std::string> const& builds, std::string_view kernel);

/// The discrete GPUs that compute, or the only GPU: what somebody installs a framework for.
std::vector<Card const*> compute_cards(CheckContext const& context);

/// Whether one of these is the target or the generic target of its group, whose code it runs too.
bool has_code_for(CheckContext const& context, std::vector<std::string> const& targets,
                  std::string const& target);

struct TorchAdvice {
    std::string step;  ///< a command that installs it, or one that tells what is left; empty
                       ///< without targets
    std::vector<Evidence> evidence;
};

/// The published build of PyTorch that has code for all these gfx targets and fits the host best,
/// as `builds` says. Where vLLM is installed, which is built against its own torch, and where no
/// build can be proposed, the step names the command that tells more.
TorchAdvice torch_for(CheckContext const& context, std::vector<std::string> const& targets);

/// The first ROCm release of AMD's main list that supports a target, if `release` is older than
/// that and no build of torch of it, or of one before it, has code for the target; else empty.
/// Lists of previews and of Ryzen say nothing here.
std::string first_release_after(CheckContext const& context, std::string const& target,
                                std::string_view release);

/// A process that computes; not another check, nor a daemon that only watches.
bool is_job(GpuProcess const& process);

}  // namespace rocmtune
