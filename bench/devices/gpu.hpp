// SPDX-License-Identifier: MIT
// What libamdhip64 + hipRTC and libcuda + NVRTC have in common. HIP was modelled on CUDA's driver
// interface: the functions below take the same arguments in both, under two names. A device
// pointer is one word in both (void*, CUdeviceptr), a handle is a pointer, an error an int.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/code_cache.hpp"
#include "bench/device.hpp"
#include "machine/dynamic_library.hpp"

namespace rocmtune::bench {

using Handle = void*;

/// The functions, by HIP's names. References: hip/hip_runtime_api.h (rocm-5.2.3 to 7.0), cuda.h of
/// CUDA 13.0.
struct GpuFunctions {
    int (*mem_get_info)(std::size_t* free, std::size_t* total);
    int (*malloc)(void** memory, std::size_t bytes);
    int (*free)(void* memory);
    int (*host_malloc)(void** memory, std::size_t bytes, unsigned flags);
    int (*host_free)(void* memory);
    int (*memcpy_htod_async)(void* to, void const* from, std::size_t bytes, Handle stream);
    int (*memcpy_dtoh_async)(void* to, void const* from, std::size_t bytes, Handle stream);
    int (*memcpy_dtod_async)(void* to, void const* from, std::size_t bytes, Handle stream);
    int (*memset_d8_async)(void* to, unsigned char byte, std::size_t bytes, Handle stream);
    int (*stream_create)(Handle* stream, unsigned flags);
    int (*stream_destroy)(Handle stream);
    int (*stream_synchronize)(Handle stream);
    int (*stream_wait_event)(Handle stream, Handle event, unsigned flags);
    int (*event_create)(Handle* event, unsigned flags);
    int (*event_record)(Handle event, Handle stream);
    int (*event_elapsed_time)(float* milliseconds, Handle first, Handle second);
    int (*event_destroy)(Handle event);
    int (*module_load_data)(Handle* module, void const* image);
    int (*module_get_function)(Handle* function, Handle module, char const* name);
    int (*module_unload)(Handle module);
    int (*module_launch_kernel)(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                unsigned block_x, unsigned block_y, unsigned block_z,
                                unsigned lds_bytes, Handle stream, void** arguments, void** extra);
    int (*occupancy)(int* blocks, Handle function, int block, std::size_t lds_bytes);
    int (*func_get_attribute)(int* value, int attribute, Handle function);
    /// Only CUDA needs to be told of more than 48 KiB; null in HIP.
    int (*func_set_attribute)(Handle function, int attribute, int value);
};

/// A run-time compiler. References: hip/hiprtc.h, nvrtc.h of CUDA 13.0.
struct CompilerFunctions {
    int (*version)(int* major, int* minor);
    int (*create_program)(Handle* program, char const* source, char const* name, int headers,
                          char const* const* texts, char const* const* names);
    int (*destroy_program)(Handle* program);
    int (*compile_program)(Handle program, int count, char const* const* options);
    int (*get_log_size)(Handle program, std::size_t* bytes);
    int (*get_log)(Handle program, char* log);
    int (*get_code_size)(Handle program, std::size_t* bytes);
    int (*get_code)(Handle program, char* code);
};

/// Calls between two devices, which differ by more than their names. Devices are indices, errors
/// the backend's. Empty functions: the library has none.
struct PeerCalls {
    std::function<int(int device)> select;  ///< what is allocated next is of this device
    /// Lets both reach each other's memory; an error means that they cannot.
    std::function<int(int device, int peer)> connect;
    std::function<int(void* to, int to_device, void const* from, int from_device, std::size_t bytes,
                      Handle stream)>
        copy;
    std::function<std::string(int device, int peer)> link;
};

/// What the two backends say differently.
struct GpuTraits {
    int out_of_memory;  ///< error numbers that have a status of their own
    std::vector<int> lost;
    std::string target_option;  ///< "--gpu-architecture=" and the target
    std::string compiler;       ///< for the key of the code cache
    std::string (*error_name)(DynamicLibrary const&, int);
    PeerCalls peers = {};
};

/// Looks up `name` or throws DeviceError: the library is too old or no such library.
template <class F>
void look_up(DynamicLibrary const& library, F*& function, char const* name) {
    function = library.symbol<F>(name);
    if (function == nullptr)
        throw DeviceError("missing-symbol: " + std::string(name) + " in " + library.path(),
                          "unsupported");
}

/// Finds all functions under their HIP or CUDA names.
GpuFunctions find_gpu_functions(DynamicLibrary const& library, bool hip);
CompilerFunctions find_compiler_functions(DynamicLibrary const& library, bool hip);

/// State of one GPU as its monitoring library or sysfs tells it.
using StateReader = std::function<HardwareState()>;

/// A stream beside a device's own, of this device or another, and an event of the same one.
struct SecondQueue {
    Handle stream = nullptr;
    Handle joined = nullptr;
};

class GpuDevice : public Device {
  public:
    GpuDevice(DynamicLibrary runtime, DynamicLibrary compiler, GpuFunctions const& functions,
              CompilerFunctions const& compiler_functions, GpuTraits traits, DeviceInfo info,
              StateReader state);
    ~GpuDevice() override;

    DeviceInfo const& info() const override { return info_; }
    std::uint64_t free_bytes() override;
    Address allocate(std::size_t bytes) override;
    void release(Address memory) noexcept override;
    void* allocate_pinned(std::size_t bytes) override;
    void release_pinned(void* memory) noexcept override;
    void upload(Address to, void const* from, std::size_t bytes) override;
    void download(void* to, Address from, std::size_t bytes) override;
    void copy(Address to, Address from, std::size_t bytes) override;
    void fill(Address to, std::uint8_t byte, std::size_t bytes) override;
    void copy_both_ways(Address to, void const* from, void* back, Address source,
                        std::size_t bytes) override;
    Kernel load(KernelRequest const& request) override;
    unsigned occupancy(Kernel const& kernel, unsigned block, unsigned lds_bytes) override;
    unsigned spilled_bytes(Kernel const& kernel) override;
    void launch(Kernel const& kernel, Shape const& shape, Arguments arguments) override;
    std::size_t mark() override;
    void synchronize() override;
    double seconds_between(std::size_t first, std::size_t second) override;
    HardwareState state() override { return state_(); }
    void* native_queue() override { return stream_; }
    std::unique_ptr<Peer> peer(std::uint64_t index) override;

  private:
    friend class GpuPeer;
    /// hipStreamNonBlocking, CU_STREAM_NON_BLOCKING.
    static constexpr unsigned non_blocking = 1;

    /// Runs `there` on the second stream beside `here` on the first; the queue goes on after both.
    void side_by_side(SecondQueue const& second, std::function<void(Handle)> const& here,
                      std::function<void(Handle)> const& there);
    void check(int error, char const* call) const;
    std::string compile(KernelRequest const& request, std::vector<std::string> const& options);
    void allow_lds(Handle function, unsigned bytes);

    DynamicLibrary runtime_;
    DynamicLibrary compiler_library_;
    GpuFunctions gpu_;
    CompilerFunctions compiler_;
    GpuTraits traits_;
    DeviceInfo info_;
    StateReader state_;
    Handle stream_ = nullptr;
    SecondQueue second_;       ///< for copies in the other direction
    Handle forked_ = nullptr;  ///< where a second stream may start
    std::map<std::string, Handle> modules_;
    std::map<Handle, unsigned> allowed_lds_;
    std::vector<Handle> events_;
    std::size_t marks_ = 0;
    bool synchronized_ = true;
};

}  // namespace rocmtune::bench
