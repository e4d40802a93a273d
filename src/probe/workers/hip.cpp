// SPDX-License-Identifier: MIT
// Worker `hip`: the devices that programs get from the HIP runtime under the current masks.
// Worker `hiprtc`: whether kernels can be compiled at run time. Nothing is compiled: an unknown
// target makes some versions abort.
#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/dynamic_library.hpp"
#include "probe/abi.hpp"
#include "probe/workers.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune {
namespace {

namespace hip = abi::hip;

std::string error_text(DynamicLibrary const& library, std::string_view function, int error) {
    auto* const name_of = library.symbol<hip::GetErrorName>("hipGetErrorName");
    auto const* const name = name_of == nullptr ? nullptr : name_of(error);
    return fmt::format("{}: {}{}{}", function, error, name == nullptr ? "" : " ",
                       name == nullptr ? "" : name);
}

/// A call `int f(Value*, Arguments...)` whose failure only means that the value is not there.
template <class F, class Value, class... Arguments>
bool ask(DynamicLibrary const& library, char const* function, Value* value,
         Arguments... arguments) {
    auto* const call = library.symbol<F>(function);
    return call != nullptr && call(value, arguments...) == hip::success;
}

void send_hip(WorkerChannel& channel, DynamicLibrary const& library) {
    int number = 0;
    if (!ask<hip::RuntimeGetVersion>(library, "hipRuntimeGetVersion", &number)) return;
    auto const version = hip::decode_version(number);
    send(channel, "runtime",
         {{"version", fmt::format("{}.{}.{}", version.major, version.minor, version.patch)}});
}

/// gfx target with its features, such as gfx90a:sramecc+:xnack-, as the first five or six letters
/// tell. Anything else means that the layout is not what we take it for.
bool is_target(std::string_view text) {
    auto const base = text.substr(0, text.find(':'));
    if (!base.starts_with("gfx") || base.size() < 6 || base.size() > 7) return false;
    return to_unsigned(base.substr(3), 16).has_value() && is_utf8(text) && printable(text) == text;
}

std::string arch_name(DynamicLibrary const& library, int device) {
    auto* get = library.symbol<hip::GetDeviceProperties>("hipGetDevicePropertiesR0600");
    auto const offset = get != nullptr ? hip::arch_name_offset_r0600 : hip::arch_name_offset_r0000;
    if (get == nullptr) get = library.symbol<hip::GetDeviceProperties>("hipGetDeviceProperties");
    hip::Properties properties;
    if (get == nullptr || get(&properties, device) != hip::success) return {};
    return text_of(properties.bytes.data() + offset, hip::arch_name_size);
}

/// The runtime copies the 16 digits behind "GPU-" of ROCr's text (clr rocdevice.cpp); other
/// contents are bytes that we do not interpret.
std::string uuid_text(hip::Uuid const& uuid) {
    std::string_view const bytes(uuid.data(), uuid.size());
    if (to_unsigned(bytes, 16)) return "GPU-" + std::string(bytes);
    std::string text;
    for (auto const byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

void put_texts(DynamicLibrary const& library, int device, Json& json) {
    char text[256] = {};
    constexpr int size = sizeof text - 1;
    if (ask<hip::DeviceGetPciBusId>(library, "hipDeviceGetPCIBusId", text, size, device))
        json["pci_address"] = lower(text);
    std::memset(text, 0, sizeof text);
    if (ask<hip::DeviceGetName>(library, "hipDeviceGetName", text, size, device) && text[0] != 0)
        json["name"] = text;
    if (auto const target = arch_name(library, device); is_target(target))
        json["gcn_arch_name"] = target;
    hip::Uuid uuid{};
    bool const has = ask<hip::DeviceGetUuid>(library, "hipDeviceGetUuid", &uuid, device);
    if (has && uuid != hip::Uuid{}) json["uuid"] = uuid_text(uuid);
}

struct AttributeRow {
    hip::Attribute attribute;
    char const* key;
};

constexpr AttributeRow attributes[] = {{hip::multiprocessor_count, "multiprocessors"},
                                       {hip::warp_size, "warp_size"},
                                       {hip::integrated, "integrated"},
                                       {hip::clock_rate_khz, "clock_khz"}};

/// Where the kernel tells nothing of the memory (WSL), these do. They go out as they are told, also
/// a negative one: what reads the answer says what cannot be.
constexpr AttributeRow of_memory[] = {{hip::memory_bus_bits, "memory_bus_bits"},
                                      {hip::memory_clock_khz, "memory_clock_khz"}};

/// Sizes in bytes do not fit into the int of an attribute; hipDeviceTotalMem has size_t.
void put_numbers(DynamicLibrary const& library, int device, Json& json) {
    std::size_t bytes = 0;
    if (ask<hip::DeviceTotalMem>(library, "hipDeviceTotalMem", &bytes, device))
        json["total_memory_bytes"] = bytes;
    for (auto const& row : attributes) {
        int value = 0;
        if (ask<hip::DeviceGetAttribute>(library, "hipDeviceGetAttribute", &value, row.attribute,
                                         device) &&
            value >= 0)
            json[row.key] = value;
    }
    for (auto const& row : of_memory) {
        int value = 0;
        if (ask<hip::DeviceGetAttribute>(library, "hipDeviceGetAttribute", &value, row.attribute,
                                         device))
            json[row.key] = value;
    }
}

/// Without a driver, without the right to use it and without a GPU the answers are the same two
/// codes; the reader of device nodes tells which it is.
bool is_empty(int error) {
    return error == hip::no_device || error == hip::invalid_device;
}

}  // namespace

void run_hip_worker(WorkerChannel& channel, std::span<std::string const>) {
    auto const library = open_library(channel, hip_runtime);
    if (!library) return;
    note_untested_major(channel, *library, hip_runtime);
    if (auto const loaded = loaded_files_of(hip_runtime.stem); loaded.size() > 1)
        send(channel, "loaded", loaded);
    send_hip(channel, *library);
    auto* const count_devices = library->symbol<hip::GetDeviceCount>("hipGetDeviceCount");
    if (count_devices == nullptr) return fail_without(channel, "hipGetDeviceCount");
    int count = 0;
    auto const error = count_devices(&count);
    if (is_empty(error))
        return send(channel, "note", error_text(*library, "hipGetDeviceCount", error));
    if (error != hip::success)
        return channel.fail(WorkerStatus::error, error_text(*library, "hipGetDeviceCount", error));
    // Nothing sound counts like this, and it must not read as a host without GPUs.
    if (count < 0)
        return channel.fail(WorkerStatus::error,
                            fmt::format("hipGetDeviceCount: it counts {}", count));
    for (int device = 0; device < count; ++device) {
        Json json{{"index", device}};
        put_texts(*library, device, json);
        put_numbers(*library, device, json);
        send(channel, "device", std::move(json));
    }
}

namespace {

constexpr char const* create_program = "hiprtcCreateProgram";

bool compiles(DynamicLibrary const& library) {
    return library.symbol<void()>(create_program) != nullptr;
}

/// hiprtcVersion has answered 9.0 in every release: that is no version to show.
void send_found(WorkerChannel& channel, DynamicLibrary const& library) {
    send(channel, "library", library_json(library));
    auto* const version = library.symbol<abi::hip::RtcVersion>("hiprtcVersion");
    int major = 0;
    int minor = 0;
    if (version == nullptr || version(&major, &minor) != abi::hip::success) return;
    send(channel, "runtime", {{"interface", fmt::format("{}.{}", major, minor)}});
}

}  // namespace

/// The compiler must be that of the HIP runtime's installation. Up to HIP 6 the runtime also has it
/// inside; Debian's 5.2 has it nowhere else, and from 7 on it is in its own library only.
void run_hiprtc_worker(WorkerChannel& channel, std::span<std::string const>) {
    auto const runtime = load(channel, hip_runtime);
    auto const directory = std::filesystem::path(runtime.path()).parent_path().string();
    auto const compiler = runtime ? load(channel, companion_candidates(hip_compiler, directory))
                                  : load(channel, hip_compiler);
    if (compiler && compiles(compiler)) return send_found(channel, compiler);
    if (runtime && compiles(runtime)) return send_found(channel, runtime);
    send(channel, "library", library_json(compiler));
    auto const trouble = load_trouble(compiler);
    if (compiler) fail_without(channel, create_program);
    else if (!trouble.empty()) channel.fail(WorkerStatus::error, trouble);
    else if (runtime)
        channel.fail(WorkerStatus::absent, fmt::format("no libhiprtc beside {}", runtime.path()));
    else channel.fail(WorkerStatus::absent, "libhiprtc is not installed");
}

}  // namespace rocmtune
