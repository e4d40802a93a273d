// SPDX-License-Identifier: MIT
// What libamdhip64 + hipRTC and libcuda + NVRTC have in common. HIP was modelled on CUDA's driver
// interface: the functions below take the same arguments in both, under two names. A device
// pointer is one word in both (void*, CUdeviceptr), a handle is a pointer, an error an int.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/library_functions.hpp"

namespace rocmtune::bench {

/// A library of one of the two.
struct EitherLibrary {
    EitherLibrary(DynamicLibrary opened, bool is_hip) : library(std::move(opened)), hip(is_hip) {}
    DynamicLibrary library;
    bool hip;
    LibraryFunction need(char const* in_hip, char const* in_cuda) const {
        return {library, hip ? in_hip : in_cuda, true};
    }
};

/// References: hip/hip_runtime_api.h (rocm-5.2.3 to 7.0), cuda.h of CUDA 13.0.
struct GpuFunctions : EitherLibrary {
    using EitherLibrary::EitherLibrary;
    Function<int(std::size_t* free, std::size_t* total)> mem_get_info =
        need("hipMemGetInfo", "cuMemGetInfo_v2");
    Function<int(void** memory, std::size_t bytes)> malloc = need("hipMalloc", "cuMemAlloc_v2");
    Function<int(void* memory)> free = need("hipFree", "cuMemFree_v2");
    Function<int(void** memory, std::size_t bytes, unsigned flags)> host_malloc =
        need("hipHostMalloc", "cuMemHostAlloc");
    Function<int(void* memory)> host_free = need("hipHostFree", "cuMemFreeHost");
    Function<int(void* to, void const* from, std::size_t bytes, Handle stream)> memcpy_htod_async =
        need("hipMemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2");
    Function<int(void* to, void const* from, std::size_t bytes, Handle stream)> memcpy_dtoh_async =
        need("hipMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2");
    Function<int(void* to, void const* from, std::size_t bytes, Handle stream)> memcpy_dtod_async =
        need("hipMemcpyDtoDAsync", "cuMemcpyDtoDAsync_v2");
    Function<int(void* to, unsigned char byte, std::size_t bytes, Handle stream)> memset_d8_async =
        need("hipMemsetD8Async", "cuMemsetD8Async");
    Function<int(Handle* stream, unsigned flags)> stream_create =
        need("hipStreamCreateWithFlags", "cuStreamCreate");
    Function<int(Handle stream)> stream_destroy = need("hipStreamDestroy", "cuStreamDestroy_v2");
    Function<int(Handle stream)> stream_synchronize =
        need("hipStreamSynchronize", "cuStreamSynchronize");
    Function<int(Handle stream, Handle event, unsigned flags)> stream_wait_event =
        need("hipStreamWaitEvent", "cuStreamWaitEvent");
    Function<int(Handle* event, unsigned flags)> event_create =
        need("hipEventCreateWithFlags", "cuEventCreate");
    Function<int(Handle event, Handle stream)> event_record =
        need("hipEventRecord", "cuEventRecord");
    Function<int(float* milliseconds, Handle first, Handle second)> event_elapsed_time =
        need("hipEventElapsedTime", "cuEventElapsedTime");
    Function<int(Handle event)> event_destroy = need("hipEventDestroy", "cuEventDestroy_v2");
    Function<int(Handle* module, void const* image)> module_load_data =
        need("hipModuleLoadData", "cuModuleLoadData");
    Function<int(Handle* function, Handle module, char const* name)> module_get_function =
        need("hipModuleGetFunction", "cuModuleGetFunction");
    Function<int(Handle module)> module_unload = need("hipModuleUnload", "cuModuleUnload");
    Function<int(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned lds_bytes,
                 Handle stream, void** arguments, void** extra)>
        module_launch_kernel = need("hipModuleLaunchKernel", "cuLaunchKernel");
    Function<int(int* blocks, Handle function, int block, std::size_t lds_bytes)> occupancy =
        need("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
             "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    Function<int(int* value, int attribute, Handle function)> func_get_attribute =
        need("hipFuncGetAttribute", "cuFuncGetAttribute");
};

/// A run-time compiler. References: hip/hiprtc.h, nvrtc.h of CUDA 13.0.
struct CompilerFunctions : EitherLibrary {
    using EitherLibrary::EitherLibrary;
    Function<int(int* major, int* minor)> version = need("hiprtcVersion", "nvrtcVersion");
    Function<int(Handle* program, char const* source, char const* name, int headers,
                 char const* const* texts, char const* const* names)>
        create_program = need("hiprtcCreateProgram", "nvrtcCreateProgram");
    Function<int(Handle* program)> destroy_program =
        need("hiprtcDestroyProgram", "nvrtcDestroyProgram");
    Function<int(Handle program, int count, char const* const* options)> compile_program =
        need("hiprtcCompileProgram", "nvrtcCompileProgram");
    Function<int(Handle program, std::size_t* bytes)> get_log_size =
        need("hiprtcGetProgramLogSize", "nvrtcGetProgramLogSize");
    Function<int(Handle program, char* log)> get_log =
        need("hiprtcGetProgramLog", "nvrtcGetProgramLog");
    Function<int(Handle program, std::size_t* bytes)> get_code_size =
        need("hiprtcGetCodeSize", "nvrtcGetCUBINSize");
    Function<int(Handle program, char* code)> get_code = need("hiprtcGetCode", "nvrtcGetCUBIN");
};

/// Calls between two devices, which differ by more than their names. Devices are indices, errors
/// the backend's; what both call by the same number stands in gpu.cpp.
class PeerCalls {
  public:
    virtual ~PeerCalls() = default;
    virtual int select(int device) = 0;  ///< what is allocated next is of this device
    virtual int can_access(int* can, int device, int peer) = 0;
    virtual int enable(int peer) = 0;  ///< lets the selected device reach the memory of this one
    virtual int copy(void* to, int to_device, void const* from, int from_device, std::size_t bytes,
                     Handle stream) = 0;
    virtual std::string link(int device, int peer) = 0;
};

/// What the two backends say differently.
struct GpuTraits {
    int out_of_memory;  ///< error numbers that have a status of their own
    std::vector<int> lost;
    std::string compiler;  ///< for the key of the code cache
    std::string (*error_name)(DynamicLibrary const&, int);
    std::shared_ptr<PeerCalls> peers;      ///< null: the library lacks one of them
    std::function<HardwareState()> state;  ///< as its monitoring library or sysfs tells it
};

/// A device behind these functions; the calling thread has selected it.
std::unique_ptr<Device> make_gpu_device(GpuFunctions functions, CompilerFunctions compiler,
                                        GpuTraits traits, DeviceInfo info);

}  // namespace rocmtune::bench
