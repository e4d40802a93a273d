// SPDX-License-Identifier: MIT
#include "bench/devices/gpu.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune::bench {
namespace {

/// HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES of hip_runtime_api.h, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES of
/// cuda.h.
constexpr int local_size_bytes = 3;
/// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES of cuda.h.
constexpr int max_dynamic_shared = 8;
/// What a CUDA kernel may have without being asked for more.
constexpr unsigned usual_shared_bytes = 48 << 10;

std::string_view kernel_file(std::string_view name) {
    auto const wanted = fmt::format("kernels/{}", name);
    for (auto const& embedded : embedded_files())
        if (embedded.name == wanted) return embedded.bytes;
    throw DeviceError(fmt::format("there is no kernel file {}", name));
}

/// The text with what it includes in place: run-time compilers find no files of ours.
std::string source_of(std::string_view file) {
    constexpr std::string_view include = "#include \"";
    std::string text(kernel_file(fmt::format("{}.hip", file)));
    for (auto at = text.find(include); at != text.npos; at = text.find(include)) {
        auto const name = at + include.size();
        auto const end = text.find('"', name);
        text.replace(at, end + 1 - at, kernel_file(text.substr(name, end - name)));
    }
    return text;
}

void* pointer(Address address) {
    return reinterpret_cast<void*>(address);
}

}  // namespace

GpuDevice::GpuDevice(DynamicLibrary runtime, DynamicLibrary compiler, GpuFunctions const& functions,
                     CompilerFunctions const& compiler_functions, GpuTraits traits, DeviceInfo info,
                     StateReader state)
    : runtime_(std::move(runtime)),
      compiler_library_(std::move(compiler)),
      gpu_(functions),
      compiler_(compiler_functions),
      traits_(std::move(traits)),
      info_(std::move(info)),
      state_(std::move(state)) {
    check(gpu_.stream_create(&stream_, non_blocking), "create a stream");
}

GpuDevice::~GpuDevice() {
    for (auto* const event : events_) gpu_.event_destroy(event);
    for (auto* const event : {forked_, second_.joined})
        if (event != nullptr) gpu_.event_destroy(event);
    for (auto const& [key, module] : modules_)
        if (module != nullptr) gpu_.module_unload(module);
    for (auto* const stream : {second_.stream, stream_})
        if (stream != nullptr) gpu_.stream_destroy(stream);
}

void GpuDevice::check(int error, char const* call) const {
    if (error == 0) return;
    auto const text = fmt::format("{}: {} ({})", call, traits_.error_name(runtime_, error), error);
    if (error == traits_.out_of_memory) throw DeviceError(text, "no-memory");
    bool const lost =
        std::find(traits_.lost.begin(), traits_.lost.end(), error) != traits_.lost.end();
    throw DeviceError(text, lost ? "lost" : "error");
}

std::uint64_t GpuDevice::free_bytes() {
    std::size_t free = 0, total = 0;
    check(gpu_.mem_get_info(&free, &total), "ask for free memory");
    if (free > total)
        throw DeviceError(fmt::format("the runtime tells of {} free bytes of {}", free, total));
    return free;
}

Address GpuDevice::allocate(std::size_t bytes) {
    void* memory = nullptr;
    check(gpu_.malloc(&memory, std::max<std::size_t>(bytes, 1)), "allocate device memory");
    return reinterpret_cast<Address>(memory);
}

void GpuDevice::release(Address memory) noexcept {
    (void)gpu_.free(pointer(memory));  // a failure shows in the next call that counts
}

void* GpuDevice::allocate_pinned(std::size_t bytes) {
    void* memory = nullptr;
    check(gpu_.host_malloc(&memory, bytes, 0), "allocate pinned memory");
    return memory;
}

void GpuDevice::release_pinned(void* memory) noexcept {
    (void)gpu_.host_free(memory);
}

void GpuDevice::upload(Address to, void const* from, std::size_t bytes) {
    check(gpu_.memcpy_htod_async(pointer(to), from, bytes, stream_), "copy to the device");
}

void GpuDevice::download(void* to, Address from, std::size_t bytes) {
    check(gpu_.memcpy_dtoh_async(to, pointer(from), bytes, stream_), "copy from the device");
}

void GpuDevice::copy(Address to, Address from, std::size_t bytes) {
    check(gpu_.memcpy_dtod_async(pointer(to), pointer(from), bytes, stream_), "copy on the device");
}

void GpuDevice::fill(Address to, std::uint8_t byte, std::size_t bytes) {
    check(gpu_.memset_d8_async(pointer(to), byte, bytes, stream_), "fill device memory");
}

std::string GpuDevice::compile(KernelRequest const& request,
                               std::vector<std::string> const& options) {
    auto const source = source_of(request.file);
    Handle program = nullptr;
    auto const name = fmt::format("{}.hip", request.file);
    if (compiler_.create_program(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr) != 0)
        throw DeviceError("the run-time compiler takes no program");
    std::vector<char const*> words;
    for (auto const& option : options) words.push_back(option.c_str());
    auto const error =
        compiler_.compile_program(program, static_cast<int>(words.size()), words.data());
    std::size_t size = 0;
    std::string text;
    if (error != 0) {
        if (compiler_.get_log_size(program, &size) == 0 && size > 1) {
            text.resize(size);
            (void)compiler_.get_log(program, text.data());
        }
        (void)compiler_.destroy_program(&program);
        throw DeviceError(fmt::format("{} does not compile for {} (error {}): {}", request.file,
                                      info_.target, error, printable(text.substr(0, 400))));
    }
    if (compiler_.get_code_size(program, &size) == 0) text.resize(size);
    if (text.empty() || compiler_.get_code(program, text.data()) != 0)
        throw DeviceError("the compiler gives no code");
    (void)compiler_.destroy_program(&program);
    return text;
}

void GpuDevice::side_by_side(SecondQueue const& second, std::function<void(Handle)> const& here,
                             std::function<void(Handle)> const& there) {
    if (forked_ == nullptr) check(gpu_.event_create(&forked_, 0), "create an event");
    check(gpu_.event_record(forked_, stream_), "record an event");
    check(gpu_.stream_wait_event(second.stream, forked_, 0), "wait for an event");
    here(stream_);
    there(second.stream);
    check(gpu_.event_record(second.joined, second.stream), "record an event");
    check(gpu_.stream_wait_event(stream_, second.joined, 0), "wait for an event");
}

void GpuDevice::copy_both_ways(Address to, void const* from, void* back, Address source,
                               std::size_t bytes) {
    if (second_.stream == nullptr)
        check(gpu_.stream_create(&second_.stream, non_blocking), "create a stream");
    if (second_.joined == nullptr) check(gpu_.event_create(&second_.joined, 0), "create an event");
    side_by_side(
        second_,
        [&](Handle stream) {
            check(gpu_.memcpy_htod_async(pointer(to), from, bytes, stream), "copy to the device");
        },
        [&](Handle stream) {
            check(gpu_.memcpy_dtoh_async(back, pointer(source), bytes, stream),
                  "copy from the device");
        });
}

Kernel GpuDevice::load(KernelRequest const& request) {
    std::vector<std::string> options{traits_.target_option, "-std=c++17"};
    for (auto const& definition : request.definitions) options.push_back("-D" + definition);
    auto const key = fmt::format("{} {}", request.file, fmt::join(options, " "));
    auto& module = modules_[key];
    if (module == nullptr) {
        auto const code_key = fmt::format("{}\n{}\n{}", traits_.compiler, fmt::join(options, " "),
                                          source_of(request.file));
        auto code = cached_code(code_key);
        if (code && gpu_.module_load_data(&module, code->data()) != 0) {
            module = nullptr;
            code.reset();  // damaged, or of another world: made anew
        }
        if (!code) {
            code = compile(request, options);
            check(gpu_.module_load_data(&module, code->data()), "load a module");
            keep_code(code_key, *code);
        }
    }
    Kernel kernel{nullptr, std::string(request.function)};
    check(gpu_.module_get_function(&kernel.function, module, kernel.name.c_str()), "find a kernel");
    return kernel;
}

void GpuDevice::allow_lds(Handle function, unsigned bytes) {
    if (gpu_.func_set_attribute == nullptr || bytes <= usual_shared_bytes) return;
    auto& allowed = allowed_lds_[function];
    if (allowed >= bytes) return;
    check(gpu_.func_set_attribute(function, max_dynamic_shared, static_cast<int>(bytes)),
          "allow shared memory");
    allowed = bytes;
}

unsigned GpuDevice::occupancy(Kernel const& kernel, unsigned block, unsigned lds_bytes) {
    allow_lds(kernel.function, lds_bytes);
    int blocks = 0;
    check(gpu_.occupancy(&blocks, kernel.function, static_cast<int>(block), lds_bytes),
          "ask for occupancy");
    return static_cast<unsigned>(std::max(blocks, 1));
}

unsigned GpuDevice::spilled_bytes(Kernel const& kernel) {
    int bytes = 0;
    check(gpu_.func_get_attribute(&bytes, local_size_bytes, kernel.function),
          "ask for the memory of a kernel");
    return static_cast<unsigned>(std::max(bytes, 0));
}

void GpuDevice::launch(Kernel const& kernel, Shape const& shape, Arguments arguments) {
    allow_lds(kernel.function, shape.lds_bytes);
    auto pointers = arguments.pointers();
    check(gpu_.module_launch_kernel(kernel.function, static_cast<unsigned>(shape.grid), 1, 1,
                                    shape.block, 1, 1, shape.lds_bytes, stream_, pointers.data(),
                                    nullptr),
          "launch a kernel");
}

std::size_t GpuDevice::mark() {
    if (synchronized_) marks_ = 0;
    synchronized_ = false;
    if (marks_ == events_.size()) {
        Handle event = nullptr;
        check(gpu_.event_create(&event, 0), "create an event");
        events_.push_back(event);
    }
    check(gpu_.event_record(events_[marks_], stream_), "record an event");
    return marks_++;
}

void GpuDevice::synchronize() {
    check(gpu_.stream_synchronize(stream_), "wait for the device");
    synchronized_ = true;
}

double GpuDevice::seconds_between(std::size_t first, std::size_t second) {
    float milliseconds = 0;
    check(gpu_.event_elapsed_time(&milliseconds, events_.at(first), events_.at(second)),
          "read an event");
    return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace rocmtune::bench
