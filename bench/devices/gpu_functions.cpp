// SPDX-License-Identifier: MIT
// One row a function: its name in HIP and its name in CUDA's driver interface.
#include "bench/devices/gpu.hpp"

namespace rocmtune::bench {
namespace {

struct Lookup {
    DynamicLibrary const& library;
    bool hip;

    template <class F>
    void operator()(F*& function, char const* hip_name, char const* cuda_name) const {
        auto const* const name = hip ? hip_name : cuda_name;
        if (name != nullptr) look_up(library, function, name);
    }
};

}  // namespace

GpuFunctions find_gpu_functions(DynamicLibrary const& library, bool hip) {
    Lookup const find{library, hip};
    GpuFunctions it{};
    find(it.mem_get_info, "hipMemGetInfo", "cuMemGetInfo_v2");
    find(it.malloc, "hipMalloc", "cuMemAlloc_v2");
    find(it.free, "hipFree", "cuMemFree_v2");
    find(it.host_malloc, "hipHostMalloc", "cuMemHostAlloc");
    find(it.host_free, "hipHostFree", "cuMemFreeHost");
    find(it.memcpy_htod_async, "hipMemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2");
    find(it.memcpy_dtoh_async, "hipMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2");
    find(it.memcpy_dtod_async, "hipMemcpyDtoDAsync", "cuMemcpyDtoDAsync_v2");
    find(it.memset_d8_async, "hipMemsetD8Async", "cuMemsetD8Async");
    find(it.stream_create, "hipStreamCreateWithFlags", "cuStreamCreate");
    find(it.stream_destroy, "hipStreamDestroy", "cuStreamDestroy_v2");
    find(it.stream_synchronize, "hipStreamSynchronize", "cuStreamSynchronize");
    find(it.stream_wait_event, "hipStreamWaitEvent", "cuStreamWaitEvent");
    find(it.event_create, "hipEventCreateWithFlags", "cuEventCreate");
    find(it.event_record, "hipEventRecord", "cuEventRecord");
    find(it.event_elapsed_time, "hipEventElapsedTime", "cuEventElapsedTime");
    find(it.event_destroy, "hipEventDestroy", "cuEventDestroy_v2");
    find(it.module_load_data, "hipModuleLoadData", "cuModuleLoadData");
    find(it.module_get_function, "hipModuleGetFunction", "cuModuleGetFunction");
    find(it.module_unload, "hipModuleUnload", "cuModuleUnload");
    find(it.module_launch_kernel, "hipModuleLaunchKernel", "cuLaunchKernel");
    find(it.occupancy, "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
         "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    find(it.func_get_attribute, "hipFuncGetAttribute", "cuFuncGetAttribute");
    find(it.func_set_attribute, nullptr, "cuFuncSetAttribute");
    return it;
}

CompilerFunctions find_compiler_functions(DynamicLibrary const& library, bool hip) {
    Lookup const find{library, hip};
    CompilerFunctions it{};
    find(it.version, "hiprtcVersion", "nvrtcVersion");
    find(it.create_program, "hiprtcCreateProgram", "nvrtcCreateProgram");
    find(it.destroy_program, "hiprtcDestroyProgram", "nvrtcDestroyProgram");
    find(it.compile_program, "hiprtcCompileProgram", "nvrtcCompileProgram");
    find(it.get_log_size, "hiprtcGetProgramLogSize", "nvrtcGetProgramLogSize");
    find(it.get_log, "hiprtcGetProgramLog", "nvrtcGetProgramLog");
    find(it.get_code_size, "hiprtcGetCodeSize", "nvrtcGetCUBINSize");
    find(it.get_code, "hiprtcGetCode", "nvrtcGetCUBIN");
    return it;
}

}  // namespace rocmtune::bench
