// SPDX-License-Identifier: MIT
// What the kernel said about the GPUs. Classes of messages are data (profiles/messages.json); here
// is what follows from their order, their age and the state of the GPU.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "judge/checks/check.hpp"
#include "knowledge/messages.hpp"

namespace rocmtune {
namespace {

/// What lies further back is past: the window of AMD's Primus.
constexpr double log_window_seconds = 900;

/// A message with its class, and whether a later one ended what it says.
struct LogEvent {
    MessageClass const* kind;
    KernelMessage const* message;
    bool ended = false;

    /// A state that does not heal.
    bool lasts() const { return kind->permanent && !ended; }
    /// How bad it is now. What lies further back is only worth knowing: it was dealt with, or the
    /// GPU's state shows it.
    Verdict verdict(bool server) const {
        auto const now = ended    ? kind->when_ended
                         : server ? kind->verdict
                                  : kind->verdict_elsewhere;
        bool const is_past = !lasts() && message->age_seconds.value_or(0) > log_window_seconds;
        return is_past ? std::min(now, Verdict::info) : now;
    }
};

/// All events, oldest first; messages whose class this program does not know are left out.
std::vector<LogEvent> log_events(Host const& host) {
    std::vector<LogEvent> events;
    if (!host.kernel_messages) return events;
    for (auto const& message : *host.kernel_messages)
        if (auto const* const kind = find_message_class(message.symptom))
            events.push_back({kind, &message});
    // The newest line of each class stands in its place: what comes behind is later. Whether a card
    // was unplugged tells whenever it was said: the link goes down at the same time.
    std::map<std::string_view, std::set<std::string_view>> later;
    auto const place = [](LogEvent const& event) -> std::string_view {
        auto const& address = event.message->pci_address;
        return address ? std::string_view(*address) : std::string_view();
    };
    for (auto const& event : events)
        if (event.kind->name == "egpu-unplugged") later[place(event)].insert(event.kind->id);
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
        auto& seen = later[place(*event)];
        event->ended = std::ranges::any_of(
            event->kind->ended_by, [&](std::string const& id) { return seen.contains(id); });
        seen.insert(event->kind->id);
    }
    return events;
}

/// The newest message about this GPU that has the class of this name, or null.
KernelMessage const* find_message(Host const& host, std::string const& address,
                                  std::string_view class_name) {
    if (!host.kernel_messages) return nullptr;
    for (auto const& message : *host.kernel_messages) {
        auto const* const kind = find_message_class(message.symptom);
        if (kind != nullptr && kind->name == class_name &&
            message.pci_address.value_or("") == address)
            return &message;
    }
    return nullptr;
}

std::string span_text(double seconds) {
    constexpr double hour = 3600;
    return seconds < 120         ? fmt::format("{:.0f} seconds", seconds)
           : seconds < 2 * hour  ? fmt::format("{:.0f} minutes", seconds / 60)
           : seconds < 48 * hour ? fmt::format("{:.0f} hours", seconds / hour)
                                 : fmt::format("{:.0f} days", seconds / (24 * hour));
}

std::string age_text(KernelMessage const& message) {
    auto const age = message.age_seconds.value_or(0);
    return age > log_window_seconds ? fmt::format(", {} ago", span_text(age)) : std::string();
}

/// A GPU that the log may speak of: of the host, or one that only the log knows.
struct LogSubject {
    std::string name;  ///< its PCI address; "host" for what belongs to no GPU in particular
    Gpu const* gpu;    ///< null if it is not there
    bool server;
    bool is_bound;  ///< it has a driver; of the host: every GPU has one
};

bool is_without_driver(Gpu const& gpu) {
    return !gpu.driver && gpu.driver.reason() == Missing::absent;
}

bool is_given_away(Gpu const& gpu) {
    return gpu.driver.value() == "vfio-pci";
}

std::vector<LogSubject> subjects_of(CheckContext const& context,
                                    std::vector<LogEvent> const& events) {
    std::vector<LogSubject> subjects;
    auto const is_listed = [&](std::string const& name) {
        return std::ranges::find(subjects, name, &LogSubject::name) != subjects.end();
    };
    for (auto const& gpu : context.host.gpus) {
        auto const name = gpu.pci_address.value_or("");
        if (!gpu.sysfs_path || name.empty() || is_listed(name)) continue;
        auto const* const card = context.card_at(name);
        bool const server =
            card != nullptr ? card->is_server()
                            : is_instinct(context.chips, gpu) && !is_virtual_machine(context.host);
        subjects.push_back({name, &gpu, server, !is_without_driver(gpu)});
    }
    bool const has_server = std::ranges::any_of(subjects, &LogSubject::server);
    for (auto const& event : events) {
        auto const name = event.message->pci_address.value_or("host");
        auto const same = [&](Gpu const& gpu) { return gpu.pci_address.value_or("") == name; };
        bool const given_away = std::ranges::any_of(context.host.gpus, same);
        if (!is_listed(name) && !given_away)
            subjects.push_back(
                {name, nullptr, has_server,
                 name == "host" && std::ranges::none_of(context.host.gpus, is_without_driver)});
    }
    return subjects;
}

/// What one check has to say of one subject: the worst, and all that belongs to it.
struct Worst {
    Verdict verdict = Verdict::pass;
    std::uint64_t lines = 0;
    LogEvent const* event = nullptr;
    std::vector<LogEvent const*> all = {};

    void add(LogEvent const& found, bool server, bool is_bound) {
        lines += found.message->count;
        all.push_back(&found);
        auto bad = found.verdict(server);
        if (found.kind->unbound && is_bound) bad = std::min(bad, Verdict::info);
        // pass, info, warn, fail; of equals what does not heal, then the first: it is the cause.
        bool const no_worse =
            event != nullptr &&
            (bad < verdict || (bad == verdict && (!found.lasts() || event->lasts())));
        if (no_worse) return;
        verdict = bad;
        event = &found;
    }
};

/// MES 0x83 of linux-firmware of November 2025 faults and hangs on gfx1151; it was taken back.
bool has_broken_mes(Gpu const& gpu) {
    if (gpu.gfx_target.value() != "gfx1151" || !gpu.firmware) return false;
    auto const mes = gpu.firmware->find("mes");
    if (mes == gpu.firmware->end()) return false;
    constexpr std::uint64_t version_bits = 0xfff;  // Linux amdgpu_mes.h, AMDGPU_MES_VERSION_MASK
    return (to_unsigned(mes->second, 0).value_or(0) & version_bits) == 0x83;
}

void blame_mes(Finding& finding) {
    finding.message += "; MES firmware 0x83 of this GPU is known for that";
    finding.action = Action::config;
    finding.next_step =
        "{install-firmware}   # a release from December 2025 on, without MES 0x83; then: "
        "{rebuild-initramfs}, and reboot";
    finding.sources.insert(finding.sources.begin(),
                           Reference{.title = "ROCm issue 5724: MES 0x83 on Strix Halo",
                                     .url = "https://github.com/ROCm/ROCm/issues/5724"});
}

void tell(Worst const& worst, LogSubject const& subject, Verdicts const& verdicts) {
    auto const& [verdict, lines, event, all] = worst;
    auto const& kind = *event->kind;
    auto const& message = *event->message;
    auto says = kind.says;
    if (says.ends_with('.')) says.pop_back();
    auto const stamp = message.seconds
                           ? fmt::format("kernel-log: {} s after boot", *message.seconds)
                           : std::string("kernel-log");
    auto& finding =
        verdicts.give(verdict,
                      fmt::format("{}{}{} ({}): {}", says, event->ended ? "; that ended well" : "",
                                  age_text(message), kind.id, message.text),
                      {{stamp, message.text}});
    constexpr std::size_t most_lines = 6;
    for (auto const* other : all)
        if (other != event && finding.evidence.size() < most_lines)
            finding.evidence.push_back({"kernel-log, " + other->kind->id, other->message->text});
    if (lines > 1) finding.evidence.push_back({"kernel-log: lines", std::to_string(lines)});
    // What belongs to no GPU in particular can name none in a step.
    bool const nameable =
        subject.name != "host" || kind.next_step.find("{gpu}") == std::string::npos;
    if (!kind.next_step.empty() && nameable) finding.next_step = kind.next_step;
    if (kind.action && verdict != Verdict::info) finding.action = *kind.action;
    finding.sources.insert(finding.sources.begin(), kind.sources.begin(), kind.sources.end());
    bool const hung = finding.id == "RT3601" || finding.id == "RT3602";
    if (hung && subject.gpu != nullptr && has_broken_mes(*subject.gpu)) blame_mes(finding);
}

/// Of a GPU that virtual machines have, the host's log tells what bus and IOMMU see.
bool concerns(LogEvent const& event, LogSubject const& subject) {
    bool const away = subject.gpu != nullptr && is_given_away(*subject.gpu);
    return event.message->pci_address.value_or("host") == subject.name &&
           (!away || event.kind->of == MessageOf::address);
}

Worst worst_of(std::vector<LogEvent> const& events, std::string_view finding,
               LogSubject const& subject) {
    Worst worst;
    for (auto const& event : events)
        if (event.kind->finding == finding && concerns(event, subject))
            worst.add(event, subject.server, subject.is_bound);
    return worst;
}

/// Whether the log goes back to where this GPU's driver started.
bool covers(CheckContext const& context, std::string const& address) {
    auto const& host = context.host;
    if (host.kernel_log_start_seconds.value_or(1) <= 0) return true;
    return find_message(host, address, "driver-starting") != nullptr ||
           find_message(host, address, "driver-initialised") != nullptr;
}

std::string start_text(Host const& host) {
    auto const& start = host.kernel_log_start_seconds;
    return start ? fmt::format("the kernel log begins {} after boot", span_text(*start))
                 : std::string("the kernel log does not show where it begins");
}

/// What a check says where the log holds nothing of its kind. A state that does not heal may have
/// been told before the log begins.
void tell_nothing(CheckContext const& context, std::string const& address, bool permanent,
                  std::string_view nothing, Verdicts const& verdicts) {
    if (auto const& cut = context.host.kernel_messages.limit(); !cut.empty())
        return verdicts.unknown("the kernel log was not kept whole: " + cut);
    if (!permanent || covers(context, address)) return verdicts.pass(std::string(nothing));
    verdicts.unknown(start_text(context.host) + ": what came before is not known");
}

/// Where no driver is bound and the log does not say why, the driver has not set the GPU up.
bool tell_unbound(CheckContext const& context, LogSubject const& subject, Verdicts const& at) {
    if (subject.gpu == nullptr || !is_without_driver(*subject.gpu)) return false;
    if (!covers(context, subject.name)) return false;
    at.skip("no driver is bound, and the kernel log does not say why");
    return true;
}

/// A GPU that the driver had set up and that is not on the bus any more. Where the bus was not
/// read, nothing is known to be gone.
bool tell_gone(CheckContext const& context, LogSubject const& subject, Verdicts const& at) {
    if (subject.gpu != nullptr || subject.name == "host" || !context.host.pci_functions)
        return false;
    auto const* const seen = find_message(context.host, subject.name, "driver-initialised");
    if (seen == nullptr) return false;
    bool const unplugged = find_message(context.host, subject.name, "egpu-unplugged") != nullptr;
    at.give(unplugged ? Verdict::info : Verdict::fail,
            unplugged ? "this GPU was unplugged"
                      : "the driver had set this GPU up, and now it is not on the PCI bus",
            {{"kernel-log", seen->text}});
    return true;
}

/// What one check asks the log.
struct Question {
    std::string_view id;
    std::string_view nothing;  ///< what is said where the log holds nothing of the kind
    /// May speak of a GPU before a line that is only worth knowing; true if it did.
    bool (*unless)(CheckContext const&, LogSubject const&, Verdicts const&) = nullptr;
};

constexpr Question questions[] = {
    {"RT3601", "no hang and no reset in the kernel log"},
    {"RT3602", "no page fault in the kernel log"},
    {"RT3603", "no hardware error in the kernel log"},
    {"RT3604", "the driver set the GPU up", tell_unbound},
    {"RT3605", "no lost link in the kernel log", tell_gone},
    {"RT3606", "no warning of the driver in the kernel log"},
};

void judge_log(CheckContext const& context, Verdicts const& verdicts) {
    if (!verdicts.have(context.host.kernel_messages, "kernel log")) return;
    auto const& question = *std::ranges::find(questions, verdicts.id(), &Question::id);
    auto const events = log_events(context.host);
    bool const permanent = std::ranges::any_of(message_classes(), [&](MessageClass const& kind) {
        return kind.permanent && kind.finding == question.id;
    });
    for (auto const& subject : subjects_of(context, events)) {
        auto const at = verdicts.about(subject.name);
        auto const worst = worst_of(events, question.id, subject);
        if (worst.event != nullptr && worst.verdict > Verdict::info) tell(worst, subject, at);
        else if (question.unless != nullptr && question.unless(context, subject, at)) continue;
        else if (worst.event != nullptr) tell(worst, subject, at);
        else if (subject.gpu == nullptr) continue;
        else if (is_given_away(*subject.gpu)) at.skip("it is given to virtual machines");
        else tell_nothing(context, subject.name, permanent, question.nothing, at);
    }
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check kernel_log_rows[] = {
    {"RT3601", "log-resets", "kernel-log", quick, false, driver, judge_log},
    {"RT3602", "log-page-faults", "kernel-log", quick, false, driver, judge_log},
    {"RT3603", "log-hardware-errors", "kernel-log", quick, false, driver, judge_log},
    {"RT3604", "log-driver-errors", "kernel-log", quick, false, driver, judge_log},
    {"RT3605", "log-lost-links", "kernel-log", quick, false, driver, judge_log},
    {"RT3606", "log-warnings", "kernel-log", quick, false, driver, judge_log},
};
// clang-format on

}  // namespace

bool tell_from_log(CheckContext const& context, std::string const& subject,
                   Verdicts const& verdicts) {
    auto const events = log_events(context.host);
    auto const* const card = context.card_at(subject);
    LogSubject const about{subject, card != nullptr ? card->gpu : nullptr,
                           card != nullptr ? card->is_server() : context.has_server(), true};
    auto const worst = worst_of(events, verdicts.id(), about);
    if (worst.event != nullptr) tell(worst, about, verdicts.about(subject));
    return worst.event != nullptr;
}

KernelMessage const* rejects_atomics(CheckContext const& context, std::string const& address) {
    if (auto const* message = find_message(context.host, address, "kfd-rejects-atomics"))
        return message;
    // Linux kfd_device.c names the device by its ids, and several cards may have them.
    auto const* const message = find_message(context.host, "", "kfd-rejects-atomics");
    auto const* const card = context.card_at(address);
    if (message == nullptr || card == nullptr || !card->gpu->pci_device_id) return nullptr;
    auto const id = "1002:" + card->gpu->pci_device_id->substr(2);
    return message->text.find(id) == std::string::npos ? nullptr : message;
}

std::span<Check const> kernel_log_checks() {
    return kernel_log_rows;
}

}  // namespace rocmtune
