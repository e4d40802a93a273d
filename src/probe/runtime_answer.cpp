// SPDX-License-Identifier: MIT

#include "probe/runtime_answer.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/host.hpp"
#include "base/text.hpp"
#include "codec/json_text.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

/// More devices than any host has end the reading of an answer.
constexpr std::size_t device_limit = 1024;
constexpr std::size_t list_limit = 32;
constexpr std::size_t evidence_limit = 512;

struct StatusRow {
    std::string_view status;
    Missing reason;
};

constexpr StatusRow statuses[] = {
    {"ok", Missing::absent},           {"absent", Missing::absent},
    {"error", Missing::failed},        {"signal", Missing::failed},
    {"timeout", Missing::timeout},     {"unkillable", Missing::timeout},
    {"suspended", Missing::suspended}, {"skipped", Missing::not_read},
};

Json const* member(Json const& object, char const* key) {
    auto const found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? &*found : nullptr;
}

std::optional<std::string> text(Json const& object, char const* key) {
    auto const* value = member(object, key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return printable(value->get_ref<std::string const&>());
}

std::optional<std::uint64_t> number(Json const& object, char const* key) {
    auto const* value = member(object, key);
    if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
    return value->get<std::uint64_t>();
}

/// Also what cannot be: a number below zero.
std::optional<double> real(Json const& object, char const* key) {
    auto const* value = member(object, key);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    return value->get<double>();
}

/// An identifier of 64 bits as 16 digits.
std::optional<std::string> hexadecimal_id(std::optional<std::string> id) {
    if (!id || id->size() != 16 || !to_unsigned(*id, 16)) return std::nullopt;
    return id;
}

std::optional<std::string> uuid_of(Json const& device) {
    auto uuid = text(device, "uuid");
    if (!uuid || !uuid->starts_with("GPU-")) return std::nullopt;
    return hexadecimal_id(uuid->substr(4)) ? uuid : std::nullopt;
}

RuntimeDevice device_of(Json const& json, std::uint64_t position) {
    RuntimeDevice device;
    device.index = number(json, "index").value_or(position);
    if (auto const address = text(json, "pci_address"))
        device.address = parse_pci_address(*address);
    device.partition = number(json, "partition");
    device.name = text(json, "name");
    device.target_id = text(json, "gcn_arch_name");
    device.uuid = uuid_of(json);
    device.unique_id = hexadecimal_id(text(json, "unique_id"));
    if (!device.unique_id && device.uuid) device.unique_id = device.uuid->substr(4);
    device.memory_bytes = number(json, "total_memory_bytes");
    device.compute_units = number(json, "compute_units");
    device.multiprocessors = number(json, "multiprocessors");
    device.wavefront_size = number(json, "warp_size");
    device.memory_bus_bits = real(json, "memory_bus_bits");
    device.memory_clock_khz = real(json, "memory_clock_khz");
    device.kfd_node = number(json, "kfd_node");
    return device;
}

/// The line comes when loading is over, well or not.
void take_library(Json const& library, RuntimeAnswer& answer) {
    answer.trying.reset();
    answer.record.library = text(library, "path");
    auto const* candidates = member(library, "candidates");
    if (candidates == nullptr || !candidates->is_array()) return;
    for (auto const& candidate : *candidates) {
        auto const name = text(candidate, "name");
        auto const problem = text(candidate, "problem");
        if (!name || !problem) continue;
        // That most names of a list lead nowhere is how such a list is; that a path does not exist
        // means that a variable names the wrong place.
        bool const expected = *problem == "absent" && name->find('/') == name->npos;
        if (expected || answer.record.candidates.size() >= list_limit) continue;
        auto const culprit = text(candidate, "culprit");
        answer.record.candidates.push_back(
            fmt::format("{}: {}{}", *name, *problem, culprit ? " (" + *culprit + ')' : ""));
    }
}

void take_loaded(Json const& files, RuntimeAnswer& answer) {
    if (!files.is_array()) return;
    for (auto const& file : files)
        if (file.is_string() && answer.loaded.size() < list_limit)
            answer.loaded.push_back(printable(file.get_ref<std::string const&>()));
}

/// One line of the worker: an object with one member, which says what it is.
void take_line(Json const& line, RuntimeAnswer& answer) {
    auto& record = answer.record;
    if (auto candidate = text(line, "trying")) answer.trying = std::move(candidate);
    if (auto const* library = member(line, "library")) take_library(*library, answer);
    if (auto const* runtime = member(line, "runtime")) record.version = text(*runtime, "version");
    if (auto const* loaded = member(line, "loaded")) take_loaded(*loaded, answer);
    if (auto note = text(line, "note"); note && record.notes.size() < list_limit)
        record.notes.push_back(std::move(*note));
    if (auto const* device = member(line, "device");
        device != nullptr && answer.devices.size() < device_limit)
        answer.devices.push_back(device_of(*device, answer.devices.size()));
}

RuntimeAnswer unreadable(RuntimeAnswer answer, std::string_view why) {
    answer.record.status = "error";
    answer.record.detail = why;
    answer.reason = Missing::failed;
    return answer;
}

/// The end of a long text, as crashes are told about last.
std::string tail(std::string const& text) {
    auto const end = trim(text);
    if (end.size() <= evidence_limit) return printable(end);
    return "... " + printable(end.substr(end.size() - evidence_limit));
}

}  // namespace

std::optional<std::string> RuntimeDevice::target() const {
    if (!target_id) return std::nullopt;
    return target_id->substr(0, target_id->find(':'));
}

RuntimeAnswer parse_runtime_answer(std::string_view name, std::string_view content) {
    RuntimeAnswer answer;
    answer.record.name = name;
    auto const reply = parse_bounded<Json>(content);
    auto const status = text(reply, "status");
    if (!status)
        return unreadable(std::move(answer), "its recorded answer is no JSON object with a status");
    auto const* const known =
        std::find_if(std::begin(statuses), std::end(statuses),
                     [&](StatusRow const& row) { return row.status == *status; });
    if (known == std::end(statuses))
        return unreadable(std::move(answer), "unknown status " + *status);
    answer.record.status = *status;
    answer.reason = known->reason;
    answer.record.detail = text(reply, "detail");
    if (auto const* evidence = member(reply, "evidence");
        evidence != nullptr && evidence->is_string() && !answer.complete())
        answer.record.evidence = tail(evidence->get<std::string>());
    auto const* lines = member(reply, "answer");
    if (lines != nullptr && lines->is_array())
        for (auto const& line : *lines) take_line(line, answer);
    bool const loads = answer.reason != Missing::absent && !answer.record.library && answer.trying;
    if (loads) answer.record.notes.push_back("it ended while loading " + *answer.trying);
    bool const counts = answer.complete() && name != "hiprtc";
    if (counts) answer.record.devices = answer.devices.size();
    return answer;
}

namespace {

using Rows = std::vector<std::size_t>;
using MatchKind = RuntimeMatch::Kind;

/// What tells the rows of one bus and slot apart: the partition, or the PCI function.
std::uint64_t part_of(Gpu const& gpu) {
    if (is_partition(gpu)) return gpu.partition_index.value_or(0);
    return parse_pci_address(gpu.pci_address.value_or("")).value_or(PciAddress{}).function;
}

std::uint64_t part_of(RuntimeDevice const& device) {
    return device.partition.value_or(device.address ? device.address->function : 0);
}

template <class Test>
Rows rows_where(std::vector<Gpu> const& gpus, Test test) {
    Rows rows;
    for (std::size_t row = 0; row < gpus.size(); ++row)
        if (test(gpus[row])) rows.push_back(row);
    return rows;
}

/// Kernels before Linux 7 give all partitions of a card one identifier: then it tells nothing.
Rows rows_with_identifier(RuntimeDevice const& device, std::vector<Gpu> const& gpus) {
    if (!device.unique_id) return {};
    return rows_where(gpus,
                      [&](Gpu const& gpu) { return gpu.unique_id.value() == device.unique_id; });
}

class Matcher {
  public:
    Matcher(std::span<RuntimeDevice const> devices, std::vector<Gpu> const& gpus,
            bool names_partitions)
        : devices_(devices), gpus_(gpus), names_partitions_(names_partitions) {}

    RuntimeMatch match(std::size_t at) const {
        auto const& device = devices_[at];
        if (!device.address) return by_identifier(device);
        auto const card = rows_where(gpus_, [&](Gpu const& gpu) {
            auto const address = parse_pci_address(gpu.pci_address.value_or(""));
            return address && address->card() == device.address->card();
        });
        return card.empty() ? by_identifier(device) : on_card(at, card);
    }

  private:
    RuntimeMatch by_identifier(RuntimeDevice const& device) const {
        auto rows = rows_with_identifier(device, gpus_);
        // libhsakmt renumbers nodes where some are hidden, so this is the last resort.
        if (rows.empty() && !device.address && device.kfd_node)
            rows = rows_where(
                gpus_, [&](Gpu const& gpu) { return gpu.kfd_node.value() == device.kfd_node; });
        if (rows.size() == 1) return {MatchKind::row, std::move(rows), false};
        return {};
    }

    /// The devices on the card of this one, in the runtime's order.
    std::vector<std::size_t> companions(std::size_t at) const {
        std::vector<std::size_t> list;
        for (std::size_t i = 0; i < devices_.size(); ++i)
            if (devices_[i].address && devices_[i].address->card() == devices_[at].address->card())
                list.push_back(i);
        return list;
    }

    RuntimeMatch on_card(std::size_t at, Rows const& card) const {
        auto const& device = devices_[at];
        auto const part = part_of(device);
        auto const others = companions(at);
        // Old runtimes print function 0 for every device.
        if (card.size() == 1 && (part == 0 || part == part_of(gpus_[card.front()])) &&
            others.size() == 1)
            return {MatchKind::row, card};
        std::set<std::uint64_t> parts;
        for (auto const i : others) parts.insert(part_of(devices_[i]));
        bool const tells = parts.size() == others.size() && (names_partitions_ || parts.size() > 1);
        if (tells || !is_partition(gpus_[card.front()])) return with_part(part, card);
        return without_part(at, card, others);
    }

    RuntimeMatch with_part(std::uint64_t part, Rows const& card) const {
        for (auto const row : card)
            if (part_of(gpus_[row]) == part) return {MatchKind::row, {row}};
        return {};
    }

    /// The runtime names the card only. If it lists every partition, they are in order.
    RuntimeMatch without_part(std::size_t at, Rows const& card,
                              std::vector<std::size_t> const& others) const {
        Rows known;
        for (auto const row : rows_with_identifier(devices_[at], gpus_))
            if (std::find(card.begin(), card.end(), row) != card.end()) known.push_back(row);
        if (known.size() == 1) return {MatchKind::row, known};
        if (others.size() != card.size()) return {MatchKind::some_row, card};
        auto const position = std::find(others.begin(), others.end(), at) - others.begin();
        return {MatchKind::row, {card[static_cast<std::size_t>(position)]}};
    }

    std::span<RuntimeDevice const> devices_;
    std::vector<Gpu> const& gpus_;
    bool names_partitions_;
};

}  // namespace

std::vector<RuntimeMatch> match_devices(std::span<RuntimeDevice const> devices,
                                        std::vector<Gpu> const& gpus, bool names_partitions) {
    Matcher const matcher(devices, gpus, names_partitions);
    std::vector<RuntimeMatch> matches;
    for (std::size_t at = 0; at < devices.size(); ++at) matches.push_back(matcher.match(at));
    return matches;
}

}  // namespace rocmtune
