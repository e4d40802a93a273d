// SPDX-License-Identifier: MIT
// LD_PRELOAD library: /dev/kfd and /dev/dri/renderD* of a machine without an AMD GPU. The
// unmodified libamdhip64, libhsa-runtime64 and libhsakmt run above it; which GPUs there are is said
// by the topology below /sys/class/kfd alone (see run_on_tree).
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults.hpp"
#include "kfd.hpp"

namespace fake_kfd {
namespace {

constexpr int not_ours = -2;
constexpr int is_kfd = -1;  ///< else the number of a render node
constexpr off64_t device_size = off64_t{1} << 42;

/// What each descriptor stands for: 0 for nothing, else the device plus 2.
std::array<std::atomic<int>, 4096> devices{};

int device_of(int fd) {
    auto const index = static_cast<std::size_t>(fd);
    return fd >= 0 && index < devices.size() ? devices[index] - 2 : not_ours;
}

void remember(int fd, int device) {
    auto const index = static_cast<std::size_t>(fd);
    if (fd >= 0 && index < devices.size()) devices[index] = device + 2;
}

template <class Function>
Function* next(char const* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// "kfd" or "renderD128" of a path in /dev, else empty.
std::string_view device_name(char const* path) {
    std::string_view const text = path != nullptr ? path : "";
    if (text == "/dev/kfd") return "kfd";
    constexpr std::string_view nodes = "/dev/dri/";
    return text.starts_with("/dev/dri/renderD") ? text.substr(nodes.size()) : "";
}

/// Whether the tree has this device: its DRM minor, or the topology for /dev/kfd.
bool exists(std::string_view name) {
    auto const path = name == "kfd" ? std::string("/sys/class/kfd/kfd/topology")
                                    : "/sys/class/drm/" + std::string(name);
    return ::access(path.c_str(), F_OK) == 0;
}

/// A descriptor for the device, -1 with errno, or not_ours.
int open_device(char const* path) {
    auto const name = device_name(path);
    if (name.empty()) return not_ours;
    if (!exists(name)) errno = ENOENT;
    else errno = fault_of(name);
    if (errno != 0) return -1;
    int const fd = ::memfd_create(std::string(name).c_str(), MFD_CLOEXEC);
    if (fd < 0 || ::ftruncate64(fd, device_size) != 0) return -1;
    remember(fd, name == "kfd" ? is_kfd : std::stoi(std::string(name.substr(7))));
    return fd;
}

/// amdgpu's marketing name of a render node, from its sysfs directory.
char const* board_name(int minor) {
    static thread_local std::array<char, 128> text;
    auto const path = "/sys/class/drm/renderD" + std::to_string(minor) + "/device/product_name";
    std::FILE* const file = std::fopen(path.c_str(), "re");
    if (file == nullptr) return nullptr;
    int const fields = std::fscanf(file, "%127[^\n]", text.data());
    std::fclose(file);
    return fields == 1 ? text.data() : nullptr;
}

bool takes_mode(int flags) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

}  // namespace
}  // namespace fake_kfd

// NOLINTBEGIN: the names and the variable arguments are the C library's.
#define FAKE_KFD_OPEN(name)                                              \
    int name(char const* path, int flags, ...) {                         \
        int const fd = fake_kfd::open_device(path);                      \
        if (fd != fake_kfd::not_ours) return fd;                         \
        static auto* const real = fake_kfd::next<decltype(name)>(#name); \
        if (!fake_kfd::takes_mode(flags)) return real(path, flags);      \
        va_list arguments;                                               \
        va_start(arguments, flags);                                      \
        auto const mode = va_arg(arguments, mode_t);                     \
        va_end(arguments);                                               \
        return real(path, flags, mode);                                  \
    }

extern "C" {

FAKE_KFD_OPEN(open)
FAKE_KFD_OPEN(open64)

int close(int fd) {
    fake_kfd::remember(fd, fake_kfd::not_ours);
    static auto* const real = fake_kfd::next<decltype(close)>("close");
    return real(fd);
}

int ioctl(int fd, unsigned long request, ...) noexcept {
    va_list arguments;
    va_start(arguments, request);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    int const device = fake_kfd::device_of(fd);
    if (device == fake_kfd::is_kfd) return fake_kfd::kfd_ioctl(request, argument);
    static auto* const real = fake_kfd::next<int(int, unsigned long, ...)>("ioctl");
    return real(fd, request, argument);
}

// What libhsakmt asks libdrm_amdgpu: the name of the board behind a render node (amdgpu.h).
int amdgpu_device_initialize(int fd, std::uint32_t* major, std::uint32_t* minor, void** device) {
    int const number = fake_kfd::device_of(fd);
    if (number < 0) return -ENODEV;
    *major = 3;
    *minor = 49;
    *device = reinterpret_cast<void*>(static_cast<std::intptr_t>(number));
    return 0;
}
int amdgpu_device_deinitialize(void*) {
    return 0;
}
char const* amdgpu_get_marketing_name(void* device) {
    return fake_kfd::board_name(static_cast<int>(reinterpret_cast<std::intptr_t>(device)));
}

}  // extern "C"
// NOLINTEND
