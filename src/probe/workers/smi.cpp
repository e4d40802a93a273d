// SPDX-License-Identifier: MIT
// Workers `amd_smi` and `rocm_smi`: the devices of AMD SMI, by handles and scalars only, and
// those of ROCm SMI, which sees all of the host whatever the masks.
#include <algorithm>
#include <cstring>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "probe/abi.hpp"
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

namespace {

namespace rsmi = abi::rsmi;

class RocmSmi {
  public:
    RocmSmi(WorkerChannel& channel, DynamicLibrary const& library)
        : channel_(channel), library_(library) {}

    void send_runtime() const {
        rsmi::Version version{};
        if (!ask<rsmi::VersionGet>("rsmi_version_get", &version)) return;
        send(channel_, "runtime",
             {{"version", fmt::format("{}.{}.{}", version.major, version.minor, version.patch)},
              {"layout", has_v6_layout() ? "v6" : "v5"}});
    }

    Json device(std::uint32_t index) const {
        Json json{{"index", index}};
        put_address(index, json);
        put_unique_id(index, json);
        char name[256] = {};
        if (ask<rsmi::DeviceName>("rsmi_dev_name_get", index, name, sizeof name - 1) &&
            name[0] != 0)
            json["name"] = name;
        std::uint64_t bytes = 0;
        if (ask<rsmi::DeviceMemoryTotal>("rsmi_dev_memory_total_get", index, rsmi::memory_vram,
                                         &bytes))
            json["total_memory_bytes"] = bytes;
        put_clock(index, json);
        return json;
    }

  private:
    template <class F, class... Arguments>
    bool ask(char const* function, Arguments... arguments) const {
        auto* const call = library_.symbol<F>(function);
        return call != nullptr && call(arguments...) == rsmi::success;
    }

    bool has_v6_layout() const { return library_.symbol<void()>(rsmi::symbol_of_v6) != nullptr; }

    /// Domain in bits 63:32, partition in 31:28 since 6.2, bus, device and function below
    /// (rocm_smi.h, rsmi_dev_pci_id_get).
    void put_address(std::uint32_t index, Json& json) const {
        std::uint64_t bdf = 0;
        if (!ask<rsmi::DeviceUint64>("rsmi_dev_pci_id_get", index, &bdf)) return;
        json["pci_address"] = address_json(bdf >> 32, bdf);
        if (auto const partition = (bdf >> 28) & 0xFU; partition != 0)
            json["partition"] = partition;
    }

    void put_unique_id(std::uint32_t index, Json& json) const {
        std::uint64_t id = 0;
        if (ask<rsmi::DeviceUint64>("rsmi_dev_unique_id_get", index, &id) && id != 0)
            json["unique_id"] = fmt::format("{:016x}", id);
    }

    template <class T>
    static T value_at(rsmi::Buffer const& buffer, std::size_t offset) {
        T value{};
        std::memcpy(&value, buffer.bytes.data() + offset, sizeof value);
        return value;
    }

    /// The engine clock now, in MHz.
    void put_clock(std::uint32_t index, Json& json) const {
        rsmi::Buffer buffer;
        if (!ask<rsmi::DeviceClock>("rsmi_dev_gpu_clk_freq_get", index, rsmi::clock_system,
                                    buffer.bytes.data()))
            return;
        auto const& layout = has_v6_layout() ? rsmi::frequencies_v6 : rsmi::frequencies_v5;
        auto const count = value_at<std::uint32_t>(buffer, layout.count);
        auto const current = value_at<std::uint32_t>(buffer, layout.current);
        if (current >= count || count > rsmi::max_frequencies_v5 + 1) return;
        auto const hertz =
            value_at<std::uint64_t>(buffer, layout.frequencies + current * sizeof(std::uint64_t));
        json["engine_clock_mhz"] = hertz / 1'000'000;
    }

    WorkerChannel& channel_;
    DynamicLibrary const& library_;
};

}  // namespace

/// rsmi_shut_down is not called: the end of the process frees all there is.
void run_rocm_smi_worker(WorkerChannel& channel, std::span<std::string const>) {
    auto const library = open_library(channel, rocm_smi);
    if (!library) return;
    note_untested_major(channel, *library, rocm_smi);
    RocmSmi const smi(channel, *library);
    smi.send_runtime();
    auto* const init = library->symbol<rsmi::Init>("rsmi_init");
    auto* const count_devices =
        library->symbol<rsmi::NumMonitorDevices>("rsmi_num_monitor_devices");
    if (init == nullptr || count_devices == nullptr) return fail_without(channel, "rsmi_init");
    auto const status = init(rsmi::thread_only_mutex);
    // Its answer on a host without any graphics driver.
    if (status == rsmi::init_error && ::access("/sys/class/drm", F_OK) != 0)
        return send(channel, "note", "rsmi_init: there is no /sys/class/drm");
    if (status != rsmi::success)
        return channel.fail(WorkerStatus::error, fmt::format("rsmi_init: {}", status));
    std::uint32_t count = 0;
    if (auto const error = count_devices(&count); error != rsmi::success)
        return channel.fail(WorkerStatus::error,
                            fmt::format("rsmi_num_monitor_devices: {}", error));
    for (std::uint32_t index = 0; index < count; ++index)
        send(channel, "device", smi.device(index));
}

}  // namespace rocmtune
