// SPDX-License-Identifier: MIT
// Worker `liveness INDEX ADDRESS`: lets one GPU do the least that any program needs - it is opened,
// gives 4 KiB of memory, takes a pattern and gives it back. Answers, before each call that may hang
// or die, {"step": CALL}; at the end one of
//     {"verified": {"bytes": 4096}}
//     {"wrong": {"offset": N, "expected": BYTE, "got": BYTE, "bytes": HOW_MANY}}
//     {"refused": TEXT}     the runtime's own words
//     {"moved": ADDRESS}    the number stands for another GPU than the caller means
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "probe/abi/hip.hpp"
#include "probe/workers.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune {
namespace {

namespace hip = abi::hip;

using Bytes = std::array<unsigned char, 4096>;

/// Every GPU gets a pattern of its own: memory of a neighbour must not look right.
Bytes pattern_of(std::uint64_t device) {
    Bytes bytes;
    auto state = 0x9e3779b97f4a7c15U * (device + 1);
    for (auto& byte : bytes) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        byte = static_cast<unsigned char>(state >> 56);
    }
    return bytes;
}

/// The inverse of what is to come: a copy that moved nothing differs in every byte.
Bytes inverse_of(Bytes bytes) {
    for (auto& byte : bytes) byte = static_cast<unsigned char>(~byte);
    return bytes;
}

/// One call after the other, each announced; after the first that fails none is made.
class Trial {
  public:
    Trial(WorkerChannel& channel, DynamicLibrary const& library)
        : channel_(channel), library_(library) {}

    /// True if the call was made and succeeded.
    template <class F, class... Arguments>
    bool call(char const* name, Arguments... arguments) {
        auto* const function = library_.symbol<F>(name);
        if (function == nullptr) return refuse(fmt::format("{}: no such function", name));
        send(channel_, "step", name);
        auto const error = function(arguments...);
        return error == hip::success || refuse(error_text(name, error));
    }

    bool refuse(std::string const& text) {
        send(channel_, "refused", text);
        return false;
    }

  private:
    std::string error_text(char const* name, int error) const {
        auto* const name_of = library_.symbol<hip::GetErrorName>("hipGetErrorName");
        auto const* const word = name_of == nullptr ? nullptr : name_of(error);
        return fmt::format("{}: {}{}{}", name, error, word == nullptr ? "" : " ",
                           word == nullptr ? "" : word);
    }

    WorkerChannel& channel_;
    DynamicLibrary const& library_;
};

/// Without the function, which is another number in every runtime for partitions.
std::string_view place(std::string_view address) {
    return address.substr(0, address.rfind('.'));
}

/// The numbers of HIP follow masks and the order of the bus; a test of the wrong GPU would accuse
/// an innocent one.
bool is_meant(Trial& trial, WorkerChannel& channel, int device, std::string_view address) {
    char text[64] = {};
    constexpr int size = sizeof text - 1;
    if (!trial.call<hip::DeviceGetPciBusId>("hipDeviceGetPCIBusId", text, size, device))
        return false;
    auto const there = lower(text);
    if (address.empty() || place(there) == place(address)) return true;
    send(channel, "moved", there);
    return false;
}

void compare(WorkerChannel& channel, Bytes const& expected, Bytes const& got) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += expected[i] != got[i] ? 1U : 0U;
    if (wrong == 0) return send(channel, "verified", {{"bytes", expected.size()}});
    std::size_t first = 0;
    while (expected[first] == got[first]) ++first;
    send(channel, "wrong",
         {{"offset", first}, {"expected", expected[first]}, {"got", got[first]}, {"bytes", wrong}});
}

void copy_there_and_back(Trial& trial, WorkerChannel& channel, std::uint64_t device) {
    auto const expected = pattern_of(device);
    auto got = inverse_of(expected);
    void* memory = nullptr;
    if (!trial.call<hip::Malloc>("hipMalloc", &memory, expected.size())) return;
    if (memory == nullptr) return (void)trial.refuse("hipMalloc: success without memory");
    void* const back = got.data();
    void const* const there = expected.data();
    if (!trial.call<hip::Memcpy>("hipMemcpy", memory, there, expected.size(),
                                 hip::host_to_device) ||
        !trial.call<hip::Memcpy>("hipMemcpy", back, static_cast<void const*>(memory), got.size(),
                                 hip::device_to_host) ||
        !trial.call<hip::Free>("hipFree", memory))
        return;
    compare(channel, expected, got);
}

}  // namespace

void run_liveness_worker(WorkerChannel& channel, std::span<std::string const> arguments) {
    auto const index = arguments.empty() ? std::nullopt : to_unsigned(arguments[0], 10);
    if (!index) return channel.fail(WorkerStatus::error, "it needs the number of a device");
    auto const library = open_library(channel, hip_runtime);
    if (!library) return;
    Trial trial(channel, *library);
    int count = 0;
    auto const device = static_cast<int>(*index);
    if (!trial.call<hip::GetDeviceCount>("hipGetDeviceCount", &count)) return;
    if (device < 0 || device >= count)
        return (void)trial.refuse(fmt::format("device {} is not among {}", *index, count));
    if (!trial.call<hip::SetDevice>("hipSetDevice", device)) return;
    if (!is_meant(trial, channel, device, arguments.size() > 1 ? arguments[1] : "")) return;
    copy_there_and_back(trial, channel, *index);
}

}  // namespace rocmtune
