// SPDX-License-Identifier: MIT
// Worker `hsa`: the GPU agents of the ROCr runtime in its order, which HIP's numbers count in.
#include <fmt/format.h>

#include "base/text.hpp"
#include "probe/abi.hpp"
#include "probe/workers.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune {
namespace {

namespace hsa = abi::hsa;

/// What the callback of hsa_iterate_agents works with.
struct Listing {
    WorkerChannel& channel;
    hsa::AgentGetInfo* get_info;
    std::uint64_t gpus = 0;
};

std::optional<std::uint32_t> number(Listing const& listing, hsa::Agent agent, hsa::AgentInfo what) {
    std::uint64_t value[8] = {};  // more than any answer that is a number
    if (listing.get_info(agent, what, value) != hsa::success) return std::nullopt;
    return static_cast<std::uint32_t>(value[0]);
}

std::string text(Listing const& listing, hsa::Agent agent, hsa::AgentInfo what) {
    char value[1024] = {};
    if (listing.get_info(agent, what, value) != hsa::success) return {};
    return text_of(value, sizeof value);
}

struct NumberRow {
    hsa::AgentInfo what;
    char const* key;
};

constexpr NumberRow numbers[] = {{hsa::wavefront_size, "warp_size"},
                                 {hsa::compute_unit_count, "compute_units"},
                                 {hsa::driver_node_id, "kfd_node"}};

void put_address(Listing const& listing, hsa::Agent agent, Json& json) {
    auto const bdf = number(listing, agent, hsa::bdf_id);
    if (!bdf) return;
    json["pci_address"] = address_json(number(listing, agent, hsa::domain).value_or(0), *bdf);
    if (auto const partition = *bdf >> 28; partition != 0) json["partition"] = partition;
}

Json agent_json(Listing const& listing, hsa::Agent agent) {
    Json json{{"index", listing.gpus}};
    put_address(listing, agent, json);
    if (auto const name = text(listing, agent, hsa::product_name); !name.empty())
        json["name"] = name;
    if (auto const target = text(listing, agent, hsa::name); !target.empty())
        json["gcn_arch_name"] = target;
    // "GPU-XX" stands for a GPU without an identifier.
    auto const uuid = text(listing, agent, hsa::uuid);
    if (uuid.starts_with("GPU-") && to_unsigned(uuid.substr(4), 16)) json["uuid"] = uuid;
    for (auto const& row : numbers)
        if (auto const value = number(listing, agent, row.what)) json[row.key] = *value;
    return json;
}

int take_agent(hsa::Agent agent, void* data) {
    auto& listing = *static_cast<Listing*>(data);
    auto const type = number(listing, agent, hsa::device_type);
    if (type != static_cast<std::uint32_t>(hsa::device_type_gpu)) return hsa::success;
    send(listing.channel, "device", agent_json(listing, agent));
    ++listing.gpus;
    return hsa::success;
}

void send_hsa(WorkerChannel& channel, DynamicLibrary const& library) {
    auto* const get = library.symbol<hsa::SystemGetInfo>("hsa_system_get_info");
    std::uint16_t version[2] = {};
    if (get == nullptr || get(hsa::version_major, &version[0]) != hsa::success ||
        get(hsa::version_minor, &version[1]) != hsa::success)
        return;
    send(channel, "runtime", {{"version", fmt::format("{}.{}", version[0], version[1])}});
}

}  // namespace

std::string why_not_hsa_here() {
    return why_not_here(hsa_runtime);
}

void run_hsa_worker(WorkerChannel& channel, std::span<std::string const>) {
    auto const library = open_library(channel, hsa_runtime);
    if (!library) return;
    note_untested_major(channel, *library, hsa_runtime);
    auto* const init = library->symbol<hsa::Init>("hsa_init");
    auto* const iterate = library->symbol<hsa::IterateAgents>("hsa_iterate_agents");
    Listing listing{channel, library->symbol<hsa::AgentGetInfo>("hsa_agent_get_info")};
    if (init == nullptr || iterate == nullptr || listing.get_info == nullptr)
        return fail_without(channel, "hsa_init, hsa_iterate_agents or hsa_agent_get_info");
    auto const status = init();
    // Without a usable /dev/kfd; the reader of device nodes tells why.
    if (status == hsa::out_of_resources)
        return send(channel, "note", fmt::format("hsa_init: {:#x}", status));
    if (status != hsa::success)
        return channel.fail(WorkerStatus::error, fmt::format("hsa_init: {:#x}", status));
    send_hsa(channel, *library);
    auto const end = iterate(take_agent, &listing);
    if (end != hsa::success)
        channel.fail(WorkerStatus::error, fmt::format("hsa_iterate_agents: {:#x}", end));
}

}  // namespace rocmtune
