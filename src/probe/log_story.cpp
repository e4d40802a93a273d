// SPDX-License-Identifier: MIT
#include "probe/log_story.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "probe/parsers.hpp"
#include "probe/pci_address.hpp"

namespace rocmtune {
namespace {

constexpr double day_seconds = 86400;
/// A step that no pause explains: the clock was set. Servers are quiet for months; a clock that
/// lost its battery wakes up decades ago.
constexpr double longest_pause_seconds = 366 * day_seconds;

/// Lines and time within which a line without address belongs to its neighbour with one. A reset of
/// all GPUs of a hive prints some hundred lines a second.
constexpr std::uint64_t near_lines = 400;
constexpr double near_seconds = 30;

/// Addresses that are told apart; a log that names more was made to.
constexpr std::size_t most_places = 512;
constexpr std::size_t most_events = 4096;
constexpr std::size_t most_gpus = 256;

/// A log that begins in its first second begins at boot: no driver is loaded before.
constexpr double boot_ends_seconds = 1;

bool contains(std::string_view text, std::string_view piece) {
    return text.find(piece) != text.npos;
}

bool names_amd(std::string_view text) {
    for (std::string_view const name : {"amdgpu", "kfd", "radeon", "powerplay"})
        if (contains(text, name)) return true;
    return false;
}

/// The older driver printed many messages in the name of DRM alone, as other drivers do.
bool names_driver(std::string_view text) {
    if (names_amd(text)) return true;
    if (!contains(text, "[drm")) return false;
    for (std::string_view const other : {"i915", "nouveau", "nvidia", "mgag200", "virtio", "xe "})
        if (contains(text, other)) return false;
    return true;
}

/// "amdgpu 0000:03:00.0: ..." and what the PCI core says of a new device of AMD: the address is
/// that of a GPU.
bool introduces_gpu(MessageClass const& kind, std::string_view text, std::string const& address) {
    auto const short_address = std::string_view(address).substr(address.find(':') + 1);
    for (std::string_view const driver : {"amdgpu ", "radeon ", "amdgpu: probe of ",
                                          "radeon: probe of ", "[drm] Initialized amdgpu"}) {
        auto const at = text.find(driver);
        if (at == text.npos) continue;
        constexpr std::size_t longest_between = 60;
        if (contains(lower(text.substr(at, driver.size() + longest_between)), short_address))
            return true;
    }
    return kind.name == "gpu-found";
}

}  // namespace

void LogClock::advance(double seconds) {
    has_time_ = true;
    if (seconds > 0 && seconds < longest_pause_seconds) elapsed_ += seconds;
}

void LogClock::step(LogLine const& line) {
    if (line.step_seconds) return advance(*line.step_seconds);
    if (line.seconds) {
        advance(seconds_ ? *line.seconds - *seconds_ : 0);
        seconds_ = line.seconds;
    } else if (line.day_seconds) {
        bool const other_day = day_seconds_ && line.date != date_;
        auto const step = day_seconds_ ? *line.day_seconds - *day_seconds_ : 0;
        advance(other_day ? step + day_seconds : step);
        day_seconds_ = line.day_seconds;
        date_ = line.date;
    }
}

LogStory::LogStory(MessageMatcher const& matcher, Host const& host) : matcher_(matcher) {
    for (auto const& gpu : host.gpus) {
        if (!gpu.pci_address) continue;
        if (!present_.insert(*gpu.pci_address).second) continue;  // a partition of the same
        if (gpu.pci_device_id)
            models_["1002:" + gpu.pci_device_id->substr(2)].push_back(*gpu.pci_address);
        // The path of a device nests the ports above it.
        for (auto const& port : pci_addresses_in(gpu.sysfs_path.value_or("")))
            if (port != *gpu.pci_address) below_[port].push_back(*gpu.pci_address);
    }
}

/// What an earlier boot said ended with it.
void LogStory::begin_boot() {
    events_.clear();
    newest_.clear();
    bridges_.clear();
    clock_ = LogClock();
    start_seconds_ = 0;
}

void LogStory::note_start(LogLine const& line) {
    if (line.boot || line.text.starts_with("Linux version ")) return begin_boot();
    if (line_number_ != 1 || !line.seconds) return;
    start_seconds_ = *line.seconds < boot_ends_seconds ? 0 : *line.seconds;
}

/// "pci 0000:00:01.1: PCI bridge to [bus 01-03]": what hung on a port that has nothing below it
/// now.
void LogStory::note_bridge(std::string_view text) {
    constexpr std::string_view words = ": PCI bridge to [bus ";
    auto const at = text.find(words);
    if (!text.starts_with("pci ") || at == text.npos || bridges_.size() >= most_places) return;
    auto const address = parse_pci_address(std::string(text.substr(4, at - 4)));
    auto range = text.substr(at + words.size());
    range = range.substr(0, range.find(']'));
    auto const ends = split_once(range, '-').value_or(std::pair(range, range));
    auto const low = to_unsigned(ends.first, 16);
    auto const high = to_unsigned(ends.second, 16);
    if (!address || !low || !high) return;
    auto const port = address->text();
    bridges_[port] = {port.substr(0, port.find(':')), *low, *high};
}

/// The GPU of this address, or of another function of the same card; empty if there is none.
std::string LogStory::gpu_of(MessageClass const& kind, std::string_view text,
                             std::string const& address) const {
    if (present_.contains(address) || introduces_gpu(kind, text, address)) return address;
    auto const card = address.substr(0, address.rfind('.')) + ".0";
    return present_.contains(card) ? card : std::string();
}

/// The address that a line is about: that of a GPU, else that of a device which is no port above
/// one, since ports also report the errors of others below them, else that of the port.
std::string LogStory::place_of(MessageClass const& kind, std::string_view text) const {
    auto const named = pci_addresses_in(text);
    for (auto const& address : named)
        if (auto gpu = gpu_of(kind, text, address); !gpu.empty()) return gpu;
    for (auto const& address : named)
        if (!below_.contains(address) && !bridges_.contains(address)) return address;
    if (!named.empty()) return named.front();
    // Linux kfd_device.c names a device by its ids: "skipped device 1002:744c".
    auto const id = text.find("1002:");
    auto const found =
        id == text.npos ? models_.end() : models_.find(std::string(text.substr(id, 9)));
    return found != models_.end() && found->second.size() == 1 ? found->second.front()
                                                               : std::string();
}

bool LogStory::is_near(Event const& event) const {
    return line_number_ - event.line_number <= near_lines &&
           clock_.elapsed() - event.elapsed <= near_seconds;
}

/// Whether what must stand shortly before a line of this class does.
bool LogStory::follows(MessageClass const& kind) const {
    // An oops prints some sixty lines; a warning prints as many of its own.
    constexpr std::uint64_t lines_of_an_oops = 80;
    if (kind.after.empty()) return true;
    auto const before = newest_.find(kind.after);
    return before != newest_.end() && before->second > last_warning_ &&
           line_number_ - before->second <= lines_of_an_oops;
}

/// The GPU whose open story this class ends, where the line names none.
std::string LogStory::last_opened(MessageClass const& kind) const {
    std::string place;
    std::uint64_t newest = 0;
    for (auto const& [key, event] : events_) {
        auto const& ended_by = key.second->ended_by;
        bool const ends = std::ranges::find(ended_by, kind.id) != ended_by.end();
        if (!ends || !is_near(event) || event.line_number < newest) continue;
        newest = event.line_number;
        place = key.first;
    }
    return place;
}

/// The GPU that the driver is setting up just now, to which a failed start without address belongs.
std::string LogStory::starting_gpu(MessageClass const& kind) const {
    std::string place;
    std::uint64_t newest = 0;
    if (kind.finding != "RT3604") return place;
    for (auto const& [key, event] : events_) {
        bool const starts = key.second->name == "driver-starting" && !key.first.empty();
        if (!starts || !is_near(event) || event.line_number < newest) continue;
        newest = event.line_number;
        place = key.first;
    }
    for (auto const& [key, event] : events_)
        if (key.first == place && key.second->is_start() && event.line_number > newest) return {};
    return place;
}

/// Lines without address that came shortly before this one are about its GPU. The start of the next
/// GPU is no sequel to a start that failed.
void LogStory::adopt(MessageClass const& kind, std::string const& address) {
    for (auto at = events_.lower_bound({std::string(), nullptr});
         at != events_.end() && at->first.first.empty();) {
        auto const& pending = *at->first.second;
        auto const& event = at->second;
        bool const same = !kind.finding.empty() && kind.finding == pending.finding;
        bool const may_end = !pending.permanent || !kind.is_start();
        bool const ends =
            may_end && std::ranges::find(pending.ended_by, kind.id) != pending.ended_by.end();
        if (!is_near(event) || (!same && !ends)) {
            ++at;
            continue;
        }
        auto moved = events_.extract(at++);
        record({address, moved.key().second}, moved.mapped());
    }
}

void LogStory::record(std::pair<std::string, MessageClass const*> const& key, Event const& event) {
    auto const found = events_.find(key);
    if (found == events_.end()) {
        events_.emplace(key, event);
        return;
    }
    auto const count = found->second.count + event.count;
    if (event.line_number >= found->second.line_number) found->second = event;
    found->second.count = count;
}

void LogStory::add(std::string_view text) {
    auto const line = take_log_line(text, storage_);
    if (!line) return;
    ++line_number_;
    note_start(*line);
    clock_.step(*line);
    note_bridge(line->text);
    if (line->text.starts_with("WARNING: ")) last_warning_ = line_number_;
    auto const* const kind =
        matcher_.match(line->text, [this](MessageClass const& one) { return follows(one); });
    if (kind == nullptr) return;
    bool const of_module = kind->of == MessageOf::module;
    if ((of_module || kind->of == MessageOf::driver) && !names_driver(line->text)) return;
    auto place = of_module ? std::string() : place_of(*kind, line->text);
    if (kind->of == MessageOf::address && place.empty()) return;
    if (!place.empty()) adopt(*kind, place);
    else if (!of_module && !kind->is_start()) place = last_opened(*kind);
    if (place.empty() && !of_module) place = starting_gpu(*kind);
    bool const has_room = events_.size() < most_events || events_.contains({place, kind});
    is_cut_ |= !has_room;
    if (!has_room) return;
    newest_[kind->id] = line_number_;
    record({place, kind}, {1, line_number_, clock_.elapsed(), clock_.has_time(), line->seconds,
                           printable(line->text)});
}

std::set<std::string> LogStory::known_gpus() const {
    auto gpus = present_;
    for (auto const& [key, event] : events_)
        if (gpus.size() < most_gpus && !key.first.empty() &&
            introduces_gpu(*key.second, event.text, key.first))
            gpus.insert(key.first);
    return gpus;
}

/// The GPUs that an address stands for: itself, or those below a port.
std::vector<std::string> LogStory::gpus_at(std::string const& address,
                                           std::set<std::string> const& gpus) const {
    if (gpus.contains(address)) return {address};
    if (auto const found = below_.find(address); found != below_.end()) return found->second;
    std::vector<std::string> found;
    auto const bridge = bridges_.find(address);
    if (bridge == bridges_.end()) return found;
    for (auto const& gpu : gpus) {
        auto const bus = to_unsigned(gpu.substr(gpu.find(':') + 1, 2), 16).value_or(0);
        bool const same_domain = gpu.substr(0, gpu.find(':')) == bridge->second.domain;
        if (same_domain && bus >= bridge->second.low && bus <= bridge->second.high)
            found.push_back(gpu);
    }
    return found;
}

std::vector<KernelMessage> LogStory::messages(std::optional<double> now) const {
    auto const gpus = known_gpus();
    std::vector<std::pair<std::uint64_t, KernelMessage>> told;
    // Later than the newest line by as much as the clock says, and never before it.
    auto const rest = now && clock_.seconds() ? std::max(0.0, *now - *clock_.seconds()) : 0.0;
    auto const tell = [&](MessageClass const& kind, Event const& event,
                          std::optional<std::string> gpu) {
        KernelMessage message{.seconds = event.seconds,
                              .pci_address = std::move(gpu),
                              .symptom = kind.id,
                              .count = event.count,
                              .text = event.text};
        // Of a microsecond; the figure is a difference of large ones.
        constexpr double digits = 1e6;
        if (event.has_time)
            message.age_seconds =
                std::round((clock_.elapsed() - event.elapsed + rest) * digits) / digits;
        told.emplace_back(event.line_number, std::move(message));
    };
    for (auto const& [key, event] : events_) {
        auto const& kind = *key.second;
        if (told.size() >= most_messages) break;
        if (!key.first.empty()) {
            for (auto const& gpu : gpus_at(key.first, gpus)) tell(kind, event, gpu);
        } else if (kind.of != MessageOf::address && (!gpus.empty() || names_amd(event.text))) {
            // A line without address belongs to the only GPU.
            bool const only = gpus.size() == 1 && kind.of != MessageOf::module;
            tell(kind, event, only ? std::optional(*gpus.begin()) : std::nullopt);
        }
    }
    // Of one line about several GPUs, in their order.
    std::ranges::sort(told, {}, [](auto const& one) {
        return std::pair(one.first, one.second.pci_address.value_or(""));
    });
    std::vector<KernelMessage> messages;
    for (auto& one : told) messages.push_back(std::move(one.second));
    return messages;
}

}  // namespace rocmtune
