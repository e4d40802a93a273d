// SPDX-License-Identifier: MIT
#include "bench/devices/gpu.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/code_cache.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune::bench {
namespace {

/// HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES of hip_runtime_api.h, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES of
/// cuda.h.
constexpr int local_size_bytes = 3;
/// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES of cuda.h.
constexpr int max_dynamic_shared = 8;
/// What a kernel may have of it in CUDA without being asked for more; in HIP it may have all.
constexpr unsigned usual_shared_bytes = 48 << 10;

std::string_view kernel_file(std::string_view name) {
    if (auto const bytes = embedded_file(fmt::format("kernels/{}", name))) return *bytes;
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

/// A stream beside a device's own, of this device or another, and an event of the same one.
struct SecondQueue {
    Handle stream = nullptr;
    Handle joined = nullptr;
};

class GpuDevice : public Device {
  public:
    GpuDevice(GpuFunctions functions, CompilerFunctions compiler, GpuTraits traits, DeviceInfo info)
        : gpu_(std::move(functions)),
          compiler_(std::move(compiler)),
          traits_(std::move(traits)),
          info_(std::move(info)) {
        check(gpu_.stream_create(&stream_, non_blocking), "create a stream");
    }

    ~GpuDevice() override {
        for (auto* const event : events_) gpu_.event_destroy(event);
        for (auto* const event : {forked_, second_.joined})
            if (event != nullptr) gpu_.event_destroy(event);
        for (auto const& [key, module] : modules_)
            if (module != nullptr) gpu_.module_unload(module);
        for (auto* const stream : {second_.stream, stream_})
            if (stream != nullptr) gpu_.stream_destroy(stream);
    }
    DeviceInfo const& info() const override { return info_; }

    std::uint64_t free_bytes() override {
        std::size_t free = 0, total = 0;
        check(gpu_.mem_get_info(&free, &total), "ask for free memory");
        if (free > total)
            throw DeviceError(fmt::format("the runtime tells of {} free bytes of {}", free, total));
        return free;
    }

    Address allocate(std::size_t bytes) override {
        void* memory = nullptr;
        check(gpu_.malloc(&memory, std::max<std::size_t>(bytes, 1)), "allocate device memory");
        return reinterpret_cast<Address>(memory);
    }
    void release(Address memory) noexcept override {
        (void)gpu_.free(pointer(memory));  // a failure shows in the next call that counts
    }

    void* allocate_pinned(std::size_t bytes) override {
        void* memory = nullptr;
        check(gpu_.host_malloc(&memory, bytes, 0), "allocate pinned memory");
        return memory;
    }
    void release_pinned(void* memory) noexcept override { (void)gpu_.host_free(memory); }

    void upload(Address to, void const* from, std::size_t bytes) override {
        check(gpu_.memcpy_htod_async(pointer(to), from, bytes, stream_), "copy to the device");
    }
    void download(void* to, Address from, std::size_t bytes) override {
        check(gpu_.memcpy_dtoh_async(to, pointer(from), bytes, stream_), "copy from the device");
    }
    void copy(Address to, Address from, std::size_t bytes) override {
        check(gpu_.memcpy_dtod_async(pointer(to), pointer(from), bytes, stream_),
              "copy on the device");
    }
    void fill(Address to, std::uint8_t byte, std::size_t bytes) override {
        check(gpu_.memset_d8_async(pointer(to), byte, bytes, stream_), "fill device memory");
    }

    void copy_both_ways(Address to, void const* from, void* back, Address source,
                        std::size_t bytes) override {
        if (second_.stream == nullptr)
            check(gpu_.stream_create(&second_.stream, non_blocking), "create a stream");
        if (second_.joined == nullptr)
            check(gpu_.event_create(&second_.joined, 0), "create an event");
        side_by_side(
            second_,
            [&](Handle stream) {
                check(gpu_.memcpy_htod_async(pointer(to), from, bytes, stream),
                      "copy to the device");
            },
            [&](Handle stream) {
                check(gpu_.memcpy_dtoh_async(back, pointer(source), bytes, stream),
                      "copy from the device");
            });
    }

    Kernel load(KernelRequest const& request) override {
        std::vector<std::string> options{"--gpu-architecture=" + info_.target, "-std=c++17"};
        for (auto const& definition : request.definitions) options.push_back("-D" + definition);
        auto const key = fmt::format("{} {}", request.file, fmt::join(options, " "));
        auto& module = modules_[key];
        if (module == nullptr) {
            auto const code_key = fmt::format("{}\n{}\n{}", traits_.compiler,
                                              fmt::join(options, " "), source_of(request.file));
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
        check(gpu_.module_get_function(&kernel.function, module, kernel.name.c_str()),
              "find a kernel");
        return kernel;
    }

    unsigned occupancy(Kernel const& kernel, unsigned block, unsigned lds_bytes) override {
        allow_lds(kernel.function, lds_bytes);
        int blocks = 0;
        check(gpu_.occupancy(&blocks, kernel.function, static_cast<int>(block), lds_bytes),
              "ask for occupancy");
        return static_cast<unsigned>(std::max(blocks, 1));
    }
    unsigned spilled_bytes(Kernel const& kernel) override {
        int bytes = 0;
        check(gpu_.func_get_attribute(&bytes, local_size_bytes, kernel.function),
              "ask for the memory of a kernel");
        return static_cast<unsigned>(std::max(bytes, 0));
    }

    void launch(Kernel const& kernel, Shape const& shape, Arguments arguments) override {
        allow_lds(kernel.function, shape.lds_bytes);
        auto pointers = arguments.pointers();
        check(gpu_.module_launch_kernel(kernel.function, static_cast<unsigned>(shape.grid), 1, 1,
                                        shape.block, 1, 1, shape.lds_bytes, stream_,
                                        pointers.data(), nullptr),
              "launch a kernel");
    }

    std::size_t mark() override {
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
    void synchronize() override {
        check(gpu_.stream_synchronize(stream_), "wait for the device");
        synchronized_ = true;
    }
    double seconds_between(std::size_t first, std::size_t second) override {
        float milliseconds = 0;
        check(gpu_.event_elapsed_time(&milliseconds, events_.at(first), events_.at(second)),
              "read an event");
        return static_cast<double>(milliseconds) * 1e-3;
    }

    HardwareState state() override { return traits_.state(); }
    void* native_queue() override { return stream_; }
    std::unique_ptr<Peer> peer(std::uint64_t index) override;

  private:
    friend class GpuPeer;
    /// hipStreamNonBlocking, CU_STREAM_NON_BLOCKING.
    static constexpr unsigned non_blocking = 1;

    /// Runs `there` on the second stream beside `here` on the first; the queue goes on after both.
    void side_by_side(SecondQueue const& second, std::function<void(Handle)> const& here,
                      std::function<void(Handle)> const& there) {
        if (forked_ == nullptr) check(gpu_.event_create(&forked_, 0), "create an event");
        check(gpu_.event_record(forked_, stream_), "record an event");
        check(gpu_.stream_wait_event(second.stream, forked_, 0), "wait for an event");
        here(stream_);
        there(second.stream);
        check(gpu_.event_record(second.joined, second.stream), "record an event");
        check(gpu_.stream_wait_event(stream_, second.joined, 0), "wait for an event");
    }

    void check(int error, char const* call) const {
        if (error == 0) return;
        auto const text =
            fmt::format("{}: {} ({})", call, traits_.error_name(gpu_.library, error), error);
        if (error == traits_.out_of_memory) throw DeviceError(text, "no-memory");
        bool const lost = std::ranges::find(traits_.lost, error) != traits_.lost.end();
        throw DeviceError(text, lost ? "lost" : "error");
    }

    std::string compile(KernelRequest const& request, std::vector<std::string> const& options) {
        auto const source = source_of(request.file);
        Handle program = nullptr;
        auto const name = fmt::format("{}.hip", request.file);
        if (compiler_.create_program(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr) !=
            0)
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

    void allow_lds(Handle function, unsigned bytes) {
        if (gpu_.hip || bytes <= usual_shared_bytes) return;
        auto& allowed = allowed_lds_[function];
        if (allowed >= bytes) return;
        auto* const set = need<int(Handle, int, int)>(gpu_.library, "cuFuncSetAttribute");
        check(set(function, max_dynamic_shared, static_cast<int>(bytes)), "allow shared memory");
        allowed = bytes;
    }

    GpuFunctions gpu_;
    CompilerFunctions compiler_;
    GpuTraits traits_;
    DeviceInfo info_;
    Handle stream_ = nullptr;
    SecondQueue second_;       ///< for copies in the other direction
    Handle forked_ = nullptr;  ///< where a second stream may start
    std::map<std::string, Handle> modules_;
    std::map<Handle, unsigned> allowed_lds_;
    std::vector<Handle> events_;
    std::size_t marks_ = 0;
    bool synchronized_ = true;
};

// ---- a second GPU beside an opened one ----------------------------------------------------------

/// hipErrorPeerAccessUnsupported, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED; ..._ALREADY_ENABLED.
constexpr int unsupported = 217;
constexpr int already_enabled = 704;

/// Lets `device` reach the memory of `peer`; an error means that it cannot.
int open_way(PeerCalls& calls, int device, int peer) {
    int can = 0;
    if (auto const error = calls.can_access(&can, device, peer)) return error;
    if (can == 0) return unsupported;
    if (auto const error = calls.select(device)) return error;
    auto const error = calls.enable(peer);
    return error == already_enabled ? 0 : error;
}

/// Whether both reach each other's memory from now on. The device is selected afterwards.
bool connect(PeerCalls& calls, int device, int peer) {
    auto const there = open_way(calls, peer, device);
    auto const here = open_way(calls, device, peer);
    return (calls.select(device) | there | here) == 0;
}

class GpuPeer : public Peer {
  public:
    GpuPeer(GpuDevice& device, int index)
        : device_(device),
          calls_(*device.traits_.peers),
          own_(static_cast<int>(device.info_.index)),
          index_(index),
          direct_(connect(calls_, own_, index)),
          link_(calls_.link(own_, index)) {}

    ~GpuPeer() override {
        if (queue_.stream == nullptr) return;
        (void)calls_.select(index_);
        if (queue_.joined != nullptr) (void)device_.gpu_.event_destroy(queue_.joined);
        (void)device_.gpu_.stream_destroy(queue_.stream);
        (void)calls_.select(own_);
    }

    std::string link() const override { return link_; }
    bool is_direct() const override { return direct_; }

    Address allocate(std::size_t bytes) override {
        void* memory = nullptr;
        on_peer("allocate memory of the peer", [&] { return device_.gpu_.malloc(&memory, bytes); });
        return reinterpret_cast<Address>(memory);
    }

    void release(Address memory) noexcept override {
        // CUDA frees what belongs to the current context only. Failures show in the next call.
        (void)calls_.select(index_);
        (void)device_.gpu_.free(pointer(memory));
        (void)calls_.select(own_);
    }

    void send(Address to_peer, Address from, std::size_t bytes) override {
        copy(to_peer, index_, from, own_, bytes, device_.stream_);
    }
    void fetch(Address to, Address from_peer, std::size_t bytes) override {
        copy(to, own_, from_peer, index_, bytes, device_.stream_);
    }

    /// Each device sends: a copy that is fetched from afar is the slower kind.
    void exchange(Address to_peer, Address from, Address to, Address from_peer, std::size_t bytes,
                  unsigned times) override {
        make_queue();
        auto const repeat = [&](Address there, int to_device, Address here, int from_device) {
            return [=, this](Handle stream) {
                for (unsigned i = 0; i < times; ++i)
                    copy(there, to_device, here, from_device, bytes, stream);
            };
        };
        device_.side_by_side(queue_, repeat(to_peer, index_, from, own_),
                             repeat(to, own_, from_peer, index_));
    }

  private:
    void copy(Address to, int to_device, Address from, int from_device, std::size_t bytes,
              Handle stream) {
        device_.check(
            calls_.copy(pointer(to), to_device, pointer(from), from_device, bytes, stream),
            "copy between devices");
    }

    /// Makes a call while the peer is selected. `what` it does stands in the error.
    template <class F>
    void on_peer(char const* what, F const& call) {
        device_.check(calls_.select(index_), "select the peer");
        auto const error = call();
        device_.check(calls_.select(own_), "select the device");
        device_.check(error, what);
    }

    /// Streams and events are of the device that is selected when they are made.
    void make_queue() {
        if (queue_.joined != nullptr) return;
        on_peer("create a stream of the peer", [&] {
            auto const& gpu = device_.gpu_;
            auto const error = queue_.stream == nullptr
                                   ? gpu.stream_create(&queue_.stream, GpuDevice::non_blocking)
                                   : 0;
            return error == 0 ? gpu.event_create(&queue_.joined, 0) : error;
        });
    }

    GpuDevice& device_;
    PeerCalls& calls_;
    int own_;
    int index_;
    bool direct_;
    std::string link_;
    SecondQueue queue_ = {};  ///< of the peer, made when it first sends
};

std::unique_ptr<Peer> GpuDevice::peer(std::uint64_t index) {
    if (traits_.peers == nullptr)
        throw DeviceError("the library has no copies between devices", "unsupported");
    return std::make_unique<GpuPeer>(*this, static_cast<int>(index));
}

}  // namespace

std::unique_ptr<Device> make_gpu_device(GpuFunctions functions, CompilerFunctions compiler,
                                        GpuTraits traits, DeviceInfo info) {
    return std::make_unique<GpuDevice>(std::move(functions), std::move(compiler), std::move(traits),
                                       std::move(info));
}

}  // namespace rocmtune::bench
