// SPDX-License-Identifier: MIT
#include "dispatch.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dlfcn.h>

#include "events.hpp"
#include "faults.hpp"

namespace fake_kfd {
namespace {

std::string_view variable(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

[[noreturn]] void give_up(char const* reason) {
    std::fprintf(stderr, "fake_kfd: %s\n", reason);
    std::abort();
}

template <class Function>
Function* function(void* library, char const* name) {
    auto* const found = reinterpret_cast<Function*>(::dlsym(library, name));
    if (found == nullptr) give_up(::dlerror());
    return found;
}

struct Executor {
    char const* (*execute)(char const* target, void const* packet, unsigned device);
    void (*forget)();
};

std::atomic<bool> executor_is_loaded{false};

Executor const& executor() {
    static Executor const it = [] {
        void* const library =
            ::dlopen(std::string(variable("FAKE_KFD_EXECUTOR")).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) give_up(::dlerror());
        Executor const found{
            function<char const*(char const*, void const*, unsigned)>(library, "amdgpu_execute"),
            function<void()>(library, "amdgpu_forget")};
        executor_is_loaded = true;
        return found;
    }();
    return it;
}

std::atomic<bool> lost{false};

bool stop_by_memory_fault(Gpu const& gpu, std::uint64_t address) {
    raise_memory_fault(gpu.id, address);
    return false;
}

bool lose(Gpu const& gpu) {
    lost = true;
    raise_reset(gpu.id);
    return false;
}

/// The executor's words of an access that meets nothing end with its address: "memory fault: ...
/// 0x7f...".
bool execute(Gpu const& gpu, std::uint64_t packet) {
    char const* const reason =
        executor().execute(gpu.target.c_str(), reinterpret_cast<void const*>(packet), gpu.number);
    if (reason == nullptr) return true;
    std::fprintf(stderr, "fake_kfd: GPU %u: %s\n", gpu.number, reason);
    std::string_view const text = reason;
    if (text.find("memory fault") == text.npos) std::abort();
    return stop_by_memory_fault(gpu, std::strtoull(reason + text.rfind(" 0x"), nullptr, 16));
}

}  // namespace

bool packets_are_executed() {
    return variable("FAKE_KFD_QUEUES") == "execute";
}

bool packets_are_taken() {
    return packets_are_executed() || variable("FAKE_KFD_QUEUES") == "complete";
}

bool dispatch(Gpu const& gpu, std::uint64_t packet) {
    /// Not a page of any allocation.
    constexpr std::uint64_t nowhere = 0xdead000;
    auto const fault = fault_word("dispatch");
    if (fault == "lost") return true;
    if (fault == "hang") return false;
    if (fault == "gone") return lose(gpu);
    if (fault == "fault") return stop_by_memory_fault(gpu, nowhere);
    return !packets_are_executed() || execute(gpu, packet);
}

void forget_code() {
    if (executor_is_loaded) executor().forget();
}

bool is_a_gpu_lost() {
    return lost;
}

}  // namespace fake_kfd
