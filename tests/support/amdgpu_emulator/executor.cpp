// SPDX-License-Identifier: MIT
#include "executor.h"

#include <cstring>
#include <mutex>

#include "emulator.hpp"

namespace {

using namespace rocmtune::emulator;

std::mutex lock;

/// Lives as long as the process: threads of a runtime may still come while it ends.
Emulator& emulator() {
    static auto* const made = new Emulator;
    return *made;
}

}  // namespace

char const* amdgpu_execute(char const* target, void const* packet, unsigned device) {
    thread_local std::string message;
    std::lock_guard const one_at_a_time(lock);
    try {
        Packet copy;
        std::memcpy(&copy, packet, sizeof copy);
        emulator().execute(target, copy, options_of_environment());
        return nullptr;
    } catch (std::exception const& failure) {
        message = "GPU " + std::to_string(device) + " (" + target + "): " + failure.what();
        return message.c_str();
    }
}

void amdgpu_forget() {
    std::lock_guard const one_at_a_time(lock);
    emulator().forget();
}
