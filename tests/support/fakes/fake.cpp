// SPDX-License-Identifier: MIT
#include "fake.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <sstream>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// FAKE_LIBRARY is HIP, HIPRTC, HSA, RSMI or AMDSMI.
#define FAKE_TEXT_OF(name) #name
#define FAKE_TEXT(name) FAKE_TEXT_OF(name)

namespace fake {
namespace {

constexpr char const* library = FAKE_TEXT(FAKE_LIBRARY);
constexpr unsigned grandchild_seconds = 20;
constexpr int nonsense = 99;

[[noreturn]] void refuse(std::string const& why) {
    std::fprintf(stderr, "fake %s: %s\n", library, why.c_str());
    ::_exit(nonsense);
}

std::string environment(std::string const& name) {
    char const* const value = std::getenv(name.c_str());
    return value != nullptr ? value : "";
}

/// ADDRESS TARGET CUS BYTES [UNIQUE_ID [NAME...]]
Gpu parse_gpu(std::string const& text) {
    Gpu gpu;
    std::istringstream words(text);
    std::string address;
    std::string unique_id;
    words >> address >> gpu.target >> gpu.compute_units >> gpu.memory_bytes;
    if (!words || std::sscanf(address.c_str(), "%x:%x:%x.%x", &gpu.domain, &gpu.bus, &gpu.device,
                              &gpu.function) != 4)
        refuse("not a GPU: " + text);
    words >> unique_id >> std::ws;
    gpu.unique_id = unique_id.empty() ? 0 : std::strtoull(unique_id.c_str(), nullptr, 16);
    std::getline(words, gpu.name);
    return gpu;
}

std::vector<std::string> split(std::string const& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        if (part.find_first_not_of(" \t") != part.npos) parts.push_back(part);
    return parts;
}

std::vector<Gpu> read_gpus() {
    auto const own = "FAKE_" + std::string(library) + "_GPUS";
    auto const text =
        std::getenv(own.c_str()) != nullptr ? environment(own) : environment("FAKE_GPUS");
    std::vector<Gpu> found;
    for (auto const& one : split(text, ';')) found.push_back(parse_gpu(one));
    return found;
}

// ---- faults -------------------------------------------------------------------------------------

/// WHAT[=NUMBER]@FUNCTION[/GPU][#CALL]
struct Fault {
    std::string what;
    long number = 0;
    std::string function;
    long only_call = 0;  ///< counted from 1; 0: every call
    std::optional<long> gpu = {};
};

/// The GPU that calls are for until the next select(), as hipSetDevice orders it: 0 at the start.
thread_local long selected = 0;

Fault parse_fault(std::string const& text) {
    auto const at = text.find('@');
    auto const equals = text.find('=');
    if (at == text.npos) refuse("not a fault: " + text);
    auto const mark = std::min(text.find('#', at), text.size());
    Fault fault{text.substr(0, std::min(at, equals)), 0, text.substr(at + 1, mark - at - 1)};
    if (equals < at) fault.number = std::strtol(text.c_str() + equals + 1, nullptr, 0);
    if (auto const slash = fault.function.find('/'); slash != text.npos) {
        fault.gpu = std::strtol(fault.function.c_str() + slash + 1, nullptr, 10);
        fault.function.resize(slash);
    }
    if (mark < text.size()) fault.only_call = std::strtol(text.c_str() + mark + 1, nullptr, 10);
    if (mark < text.size() && fault.only_call < 1) refuse("not a fault: " + text);
    return fault;
}

std::vector<Fault> faults_at(std::string_view function) {
    std::vector<Fault> found;
    for (auto const& text : split(environment("FAKE_FAULT"), ','))
        if (auto fault = parse_fault(text);
            fault.function == function && fault.gpu.value_or(selected) == selected)
            found.push_back(std::move(fault));
    return found;
}

/// How often this function has been called, this call included.
long calls_of(std::string_view function) {
    static std::mutex mutex;
    static auto* const calls = new std::map<std::string, long, std::less<>>;
    std::scoped_lock const lock(mutex);
    return ++(*calls)[std::string(function)];
}

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        auto const count = ::write(fd, text.data(), text.size());
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

[[noreturn]] void hang() {
    for (;;) ::pause();
}

/// What a runtime's log level 4, a stray binary and someone's progress bar look like.
std::string garbage() {
    constexpr char noise[] = ":3:rocdevice.cpp : \x1b[2J\xff\xfe\0\x80\r50 %\r";
    return std::string(noise, sizeof noise - 1) + "{\"hello\": 1}\n";
}

/// A child that outlives its parent and keeps every descriptor, out of the reach of a signal to the
/// process group.
void leave_grandchild() {
    if (::fork() != 0) return;
    ::setsid();
    ::sleep(grandchild_seconds);
    ::_exit(0);
}

/// As daemon(3) begins: its parent is gone before the library goes on.
void leave_daemon(long seconds) {
    auto const between = ::fork();
    if (between != 0) return void(::waitpid(between, nullptr, 0));
    ::setsid();
    if (::fork() == 0) ::sleep(static_cast<unsigned>(seconds));
    ::_exit(0);
}

/// A line in the file FAKE_TELL_TALE: what was called, in the order of all processes.
void tell(std::string const& function) {
    auto* const file = std::fopen(environment("FAKE_TELL_TALE").c_str(), "ae");
    if (file == nullptr) refuse("cannot write to FAKE_TELL_TALE");
    std::fprintf(file, "%s\n", function.c_str());
    std::fclose(file);
}

[[noreturn]] void die(int signal) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    ::_exit(nonsense);
}

/// Faults that a status follows, or nothing.
std::optional<long> commit(Fault const& fault) {
    auto const& what = fault.what;
    if (what == "sigsegv") die(SIGSEGV);
    if (what == "abort") std::abort();
    if (what == "hang") hang();
    if (what == "stubborn") return ::signal(SIGTERM, SIG_IGN), hang(), 0;
    if (what == "stop") return ::raise(SIGSTOP), std::nullopt;
    if (what == "exit") ::_exit(static_cast<int>(fault.number));
    if (what == "slow") return ::usleep(static_cast<useconds_t>(fault.number) * 1000), std::nullopt;
    if (what == "error") return fault.number;
    if (what == "tell") return tell(fault.function), std::nullopt;
    if (what == "garbage") return write_all(1, garbage()), write_all(2, garbage()), std::nullopt;
    if (what == "meddle") return write_all(3, garbage()), std::nullopt;
    if (what == "flood") return write_all(1, std::string(32U << 20, 'x')), std::nullopt;
    if (what == "endless")
        for (;;) write_all(1, "still starting ...\n");
    if (what == "daemon") return leave_daemon(fault.number), std::nullopt;
    if (what == "grandchild") return leave_grandchild(), std::nullopt;
    constexpr std::string_view left_to_functions[] = {"count", "wrong", "idle", "nan", "inf"};
    if (std::ranges::find(left_to_functions, what) == std::end(left_to_functions))
        refuse("no such fault: " + what);
    return std::nullopt;
}

/// The pseudo functions HIP_load and HIP_unload stand for what a library does by itself.
__attribute__((constructor)) void load() {
    fault_at(library + std::string("_load"));
}
__attribute__((destructor)) void unload() {
    fault_at(library + std::string("_unload"));
}

}  // namespace

std::string Gpu::address() const {
    char text[64];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", domain, bus, device, function);
    return text;
}

std::string Gpu::uuid() const {
    char text[64];
    std::snprintf(text, sizeof text, "GPU-%016llx", static_cast<unsigned long long>(unique_id));
    return unique_id != 0 ? text : "GPU-XX";
}

std::vector<Gpu> const& gpus() {
    static thread_local std::vector<Gpu> found;
    found = read_gpus();  // anew at every call: a test process changes its environment
    return found;
}

Gpu const* gpu(std::int64_t ordinal) {
    auto const& all = gpus();
    auto const index = static_cast<std::size_t>(ordinal);
    return ordinal >= 0 && index < all.size() ? &all[index] : nullptr;
}

std::optional<long> fault_at(std::string_view function) {
    auto const call = calls_of(function);
    std::optional<long> status;
    for (auto const& fault : faults_at(function)) {
        if (fault.only_call != 0 && fault.only_call != call) continue;
        if (auto const ordered = commit(fault)) status = ordered;
    }
    return status;
}

std::optional<long> ordered(std::string_view what, std::string_view function) {
    for (auto const& fault : faults_at(function))
        if (fault.what == what) return fault.number;
    return std::nullopt;
}

std::optional<float> no_number(std::string_view function) {
    if (ordered("nan", function)) return std::numeric_limits<float>::quiet_NaN();
    if (ordered("inf", function)) return std::numeric_limits<float>::infinity();
    return std::nullopt;
}

void select(int gpu) {
    selected = gpu;
}

int count_of(std::string_view function, std::size_t true_count) {
    return static_cast<int>(ordered("count", function).value_or(static_cast<long>(true_count)));
}

void put_text(char* room, std::size_t size, std::string_view text) {
    std::memset(room, 0, size);
    std::copy_n(text.begin(), std::min(size, text.size()), room);
}

}  // namespace fake
