// SPDX-License-Identifier: MIT
// Worker `amd_smi`: the devices of AMD SMI, by handles and scalars only.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "probe/abi/amdsmi.hpp"
#include "probe/workers.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune {
namespace {

namespace smi = abi::amdsmi;

/// A host has a few sockets of up to 8 partitions each; a larger count is no count.
constexpr std::uint32_t most_handles = 1024;

struct Functions {
    smi::Init* init;
    smi::GetSockets* sockets;
    smi::GetProcessors* processors;
    smi::GetBdf* bdf;
    smi::GetMemoryTotal* memory;

    explicit Functions(DynamicLibrary const& library)
        : init(library.symbol<smi::Init>("amdsmi_init")),
          sockets(library.symbol<smi::GetSockets>("amdsmi_get_socket_handles")),
          processors(library.symbol<smi::GetProcessors>("amdsmi_get_processor_handles")),
          bdf(library.symbol<smi::GetBdf>("amdsmi_get_gpu_device_bdf")),
          memory(library.symbol<smi::GetMemoryTotal>("amdsmi_get_gpu_memory_total")) {}

    bool complete() const {
        return init != nullptr && sockets != nullptr && processors != nullptr && bdf != nullptr;
    }
};

/// The handles of one level: asked for their number first, then for themselves.
template <class Get>
std::vector<smi::Handle> handles(Get const& get, int& status) {
    std::uint32_t count = 0;
    smi::Handle* const none = nullptr;
    status = get(&count, none);
    if (status != smi::success || count > most_handles) return {};
    std::vector<smi::Handle> list(count);
    if (count > 0) status = get(&count, list.data());
    list.resize(std::min<std::size_t>(list.size(), count));
    return list;
}

Json device_json(Functions const& functions, smi::Handle processor, std::uint64_t index) {
    Json json{{"index", index}};
    smi::Bdf bdf = 0;
    if (functions.bdf(processor, &bdf) == smi::success)
        json["pci_address"] = address_json(bdf >> 16, bdf & 0xFFFFU);
    std::uint64_t bytes = 0;
    if (functions.memory != nullptr &&
        functions.memory(processor, smi::memory_vram, &bytes) == smi::success)
        json["total_memory_bytes"] = bytes;
    return json;
}

void send_devices(WorkerChannel& channel, Functions const& functions) {
    int status = smi::success;
    auto const sockets =
        handles([&](auto* count, auto* list) { return functions.sockets(count, list); }, status);
    if (status != smi::success)
        return channel.fail(WorkerStatus::error,
                            fmt::format("amdsmi_get_socket_handles: {}", status));
    std::uint64_t index = 0;
    for (auto* const socket : sockets) {
        auto const get = [&](auto* count, auto* list) {
            return functions.processors(socket, count, list);
        };
        auto const processors = handles(get, status);
        if (status != smi::success)
            return channel.fail(WorkerStatus::error,
                                fmt::format("amdsmi_get_processor_handles: {}", status));
        for (auto* const processor : processors)
            send(channel, "device", device_json(functions, processor, index++));
    }
}

}  // namespace

/// amdsmi_get_lib_version is not asked: its structure lost a member in 25.3. The soname is the
/// number that decides which programs work with it.
void run_amd_smi_worker(WorkerChannel& channel, std::span<std::string const>) {
    auto const library = open_library(channel, amd_smi);
    if (!library) return;
    note_untested_major(channel, *library, amd_smi);
    if (auto const major = major_of(library->soname()); !major.empty())
        send(channel, "runtime", {{"version", major}});
    Functions const functions(*library);
    if (!functions.complete()) return fail_without(channel, "amdsmi_get_processor_handles");
    auto const status = functions.init(smi::init_amd_gpus);
    if (status == smi::driver_not_loaded || status == smi::no_driver)
        return send(channel, "note", fmt::format("amdsmi_init: {} (no driver)", status));
    if (status != smi::success)
        return channel.fail(WorkerStatus::error, fmt::format("amdsmi_init: {}", status));
    send_devices(channel, functions);
}

}  // namespace rocmtune
