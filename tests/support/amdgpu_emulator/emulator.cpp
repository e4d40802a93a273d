// SPDX-License-Identifier: MIT
#include "emulator.hpp"

#include <cstdio>

#include <setjmp.h>
#include <signal.h>

namespace rocmtune::emulator {
namespace {

/// Where a thread goes on after a fault in memory; null while it executes no kernel.
thread_local sigjmp_buf* return_point = nullptr;
thread_local void* fault_address = nullptr;

/// Turns faults of this thread into failures, and leaves those of others to who was there before.
class FaultGuard {
  public:
    explicit FaultGuard(sigjmp_buf& point) {
        return_point = &point;
        struct sigaction action {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        ::sigaction(SIGSEGV, &action, &before_segv_);
        ::sigaction(SIGBUS, &action, &before_bus_);
    }
    ~FaultGuard() {
        ::sigaction(SIGSEGV, &before_segv_, nullptr);
        ::sigaction(SIGBUS, &before_bus_, nullptr);
        return_point = nullptr;
    }
    FaultGuard(FaultGuard const&) = delete;
    FaultGuard& operator=(FaultGuard const&) = delete;

  private:
    static void on_fault(int signal, siginfo_t* info, void*) {
        if (return_point == nullptr) {
            ::sigaction(signal, signal == SIGSEGV ? &before_segv_ : &before_bus_, nullptr);
            return;  // the instruction faults once more
        }
        fault_address = info->si_addr;
        siglongjmp(*return_point, 1);
    }
    inline static struct sigaction before_segv_, before_bus_;
};

/// What the jump leaves behind has no destructors: a kernel's state lies in the slots.
bool run_until_fault(Machine& machine, Packet const& packet, std::vector<Slot>& slots) {
    sigjmp_buf point;
    FaultGuard const guard(point);
    if (sigsetjmp(point, 1) != 0) return false;
    Dispatch(machine, packet, slots).run();
    return true;
}

}  // namespace

void Emulator::execute(std::string const& target, Packet const& packet, Options options) {
    auto const known = target_named(target);
    auto& program = programs_.try_emplace(known.name, known).first->second;
    Machine machine{known, options, &program};
    if (run_until_fault(machine, packet, slots_)) return;
    char text[64];
    std::snprintf(text, sizeof text, "memory fault: nothing is mapped at %p", fault_address);
    throw Failure(text);
}

void Emulator::forget() {
    for (auto& [name, program] : programs_) program.forget();
}

}  // namespace rocmtune::emulator
