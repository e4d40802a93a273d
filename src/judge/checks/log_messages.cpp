// SPDX-License-Identifier: MIT
#include "judge/checks/log_messages.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace rocmtune {

bool LogEvent::is_past() const {
    bool const lasts = kind->permanent && !ended;
    return !lasts && message->age_seconds.value_or(0) > log_window_seconds;
}

Verdict LogEvent::verdict(bool server) const {
    auto const now = ended ? kind->when_ended : server ? kind->verdict : kind->verdict_elsewhere;
    return is_past() ? std::min(now, Verdict::info) : now;
}

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

}  // namespace rocmtune
