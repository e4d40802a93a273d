// SPDX-License-Identifier: MIT
// Worker `liveness INDEX ADDRESS`: lets one GPU do the least that any program needs - it is opened,
// gives 4 KiB of memory, takes a pattern and gives it back; then a kernel writes 64 KiB, since
// engines of their own may do the copies of a GPU that does not compute. Answers, before each call
// that may hang or die, {"step": CALL}; for the copy, and if that was right for the kernel, one of
//     {"copied": BYTES}  {"computed": BYTES}
//     {"wrong": {"what": "copied"|"computed", "offset": BYTES, "expected": N, "got": N,
//                "bytes": HOW_MANY, "of": BYTES}}
//     {"refused": TEXT}     the runtime's own words
//     {"moved": ADDRESS}    the number stands for another GPU than the caller means
//     {"no_kernel": TEXT}   why none could be made; that is no fault of the GPU
#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/data.hpp"
#include "bench/device.hpp"
#include "bench/worker.hpp"
#include "probe/abi.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune::bench {
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

template <class Values>
bool is_right(WorkerChannel& channel, char const* what, Values const& expected, Values const& got) {
    auto const size = sizeof expected[0];
    auto const first =
        static_cast<std::size_t>(std::ranges::mismatch(expected, got).in1 - expected.begin());
    if (first == expected.size()) {
        send(channel, what, first * size);
        return true;
    }
    std::size_t wrong = 0;
    for (auto i = first; i < expected.size(); ++i) wrong += expected[i] != got[i] ? 1U : 0U;
    send(channel, "wrong",
         {{"what", what},
          {"offset", first * size},
          {"expected", expected[first]},
          {"got", got[first]},
          {"bytes", wrong * size},
          {"of", expected.size() * size}});
    return false;
}

bool copy_there_and_back(Trial& trial, WorkerChannel& channel, std::uint64_t device) {
    auto const expected = pattern_of(device);
    auto got = inverse_of(expected);
    void* memory = nullptr;
    if (!trial.call<hip::Malloc>("hipMalloc", &memory, expected.size())) return false;
    if (memory == nullptr) return trial.refuse("hipMalloc: success without memory");
    void* const back = got.data();
    void const* const there = expected.data();
    if (!trial.call<hip::Memcpy>("hipMemcpy", memory, there, expected.size(),
                                 hip::host_to_device) ||
        !trial.call<hip::Memcpy>("hipMemcpy", back, static_cast<void const*>(memory), got.size(),
                                 hip::device_to_host) ||
        !trial.call<hip::Free>("hipFree", memory))
        return false;
    return is_right(channel, "copied", expected, got);
}

// ---- the kernel ---------------------------------------------------------------------------------

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t block = 256;
constexpr std::uint32_t blocks = 64;

Words words_of(std::uint32_t seed) {
    Words words(std::size_t{blocks} * block);
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = mixed(i * 0x9e3779b9U + seed);
    return words;
}

/// Lets the kernel write over the inverse of what it is to write.
Words written_by(Device& device, Kernel const& kernel, Words const& expected, std::uint32_t seed,
                 WorkerChannel& channel) {
    auto words = expected;
    for (auto& word : words) word = ~word;
    Buffer const memory(device, words.size() * sizeof words[0]);
    send(channel, "step", "hipMemcpyHtoDAsync");
    device.upload(memory.address(), words.data(), memory.bytes());
    device.synchronize();
    send(channel, "step", "hipModuleLaunchKernel");
    device.launch(
        kernel, {.grid = blocks, .block = block},
        Arguments().add(memory.address()).add(static_cast<std::uint32_t>(words.size())).add(seed));
    send(channel, "step", "hipStreamSynchronize");
    device.synchronize();
    send(channel, "step", "hipMemcpyDtoHAsync");
    device.download(words.data(), memory.address(), memory.bytes());
    device.synchronize();
    return words;
}

/// What goes wrong while the kernel is made or loaded does not accuse the GPU: the compiler of an
/// old release does not know new ones, and some abort.
void compute(WorkerChannel& channel, std::uint64_t index) {
    std::unique_ptr<Device> device;
    Kernel kernel;
    send(channel, "step", making_a_kernel);
    try {
        device = find_backend("hip")->open(index);
        kernel = device->load({"pattern", "rt_pattern"});
    } catch (DeviceError const& error) {
        return send(channel, error.status() == "lost" ? "refused" : "no_kernel", error.what());
    }
    auto const seed = static_cast<std::uint32_t>(index + 1);
    auto const expected = words_of(seed);
    try {
        (void)is_right(channel, "computed", expected,
                       written_by(*device, kernel, expected, seed, channel));
    } catch (DeviceError const& error) {
        send(channel, "refused", error.what());
    }
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
    if (copy_there_and_back(trial, channel, *index)) compute(channel, *index);
}

}  // namespace rocmtune::bench
