// SPDX-License-Identifier: MIT
#include "bench/emulated/device.hpp"

#include <cstring>

#include <sys/mman.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using bench::Address;
using bench::DeviceError;
using emulator::CodeObject;

constexpr std::size_t page = 4096;

std::string path_of(std::string_view file) {
    return fmt::format("{}/bench/kernels/{}.hip", ROCMTUNE_SOURCE_DIR, file);
}

}  // namespace

std::string compiled(std::string const& target, std::string const& file,
                     std::vector<std::string> const& definitions) {
    std::string const directory = ROCMTUNE_KERNEL_CACHE;
    std::filesystem::create_directories(directory);
    auto const name = std::filesystem::path(file).stem().string();
    auto output = fmt::format("{}/{}-{}", directory, target, name);
    for (auto const& definition : definitions) output += "-" + definition;
    Launch launch;
    launch.words = {ROCMTUNE_SOURCE_DIR "/tests/bench/compile_kernel", target, file, output};
    launch.words.insert(launch.words.end(), definitions.begin(), definitions.end());
    if (auto const outcome = run(launch); outcome.code != 0)
        throw std::runtime_error(
            fmt::format("{} does not compile for {}: {}", file, target, outcome.err));
    return content_of(output + ".co");
}

std::string mutated(std::string const& name, std::string const& file, std::string_view right,
                    std::string_view wrong) {
    auto text = content_of(path_of(file));
    auto const at = text.find(right);
    if (at == text.npos || text.find(right, at + 1) != text.npos)
        throw std::runtime_error(fmt::format("{}.hip does not have exactly one: {}", file, right));
    text.replace(at, right.size(), wrong);
    std::string const directory = ROCMTUNE_KERNEL_CACHE "/mutants";
    std::filesystem::create_directories(directory);
    auto path = fmt::format("{}/{}.hip", directory, name);
    if (content_of(path) != text) write_file(path, text);
    return path;
}

EmulatedDevice::EmulatedDevice(std::string const& target, emulator::Options chosen)
    : options(chosen) {
    info_.backend = "hip";
    info_.name = "emulated " + target;
    info_.target = target;
    info_.compute_units = 3;
    info_.lds_bytes = 65536;
    info_.cache_bytes = 1 << 20;
}

EmulatedDevice::~EmulatedDevice() {
    for (auto const& [address, mapping] : mappings_) ::munmap(mapping.first, mapping.second);
}

Address EmulatedDevice::allocate(std::size_t bytes) {
    auto const body = std::max<std::size_t>((bytes + page - 1) / page * page, page);
    auto* const memory =
        ::mmap(nullptr, body + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw DeviceError("out of memory", "no-memory");
    auto* const begin = static_cast<std::uint8_t*>(memory) + page;
    ::mprotect(begin, body, PROT_READ | PROT_WRITE);
    std::memset(begin, 0xEE, body);
    auto const address = reinterpret_cast<Address>(begin + (body - bytes) / 16 * 16);
    mappings_[address] = {memory, body + 2 * page};
    return address;
}

void EmulatedDevice::release(Address memory) noexcept {
    auto const found = mappings_.find(memory);
    if (found == mappings_.end()) return;
    ::munmap(found->second.first, found->second.second);
    mappings_.erase(found);
}

void* EmulatedDevice::allocate_pinned(std::size_t bytes) {
    return reinterpret_cast<void*>(allocate(bytes));
}
void EmulatedDevice::release_pinned(void* memory) noexcept {
    release(reinterpret_cast<Address>(memory));
}

void EmulatedDevice::upload(Address to, void const* from, std::size_t bytes) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
}
void EmulatedDevice::download(void* to, Address from, std::size_t bytes) {
    std::memcpy(to, reinterpret_cast<void const*>(from), bytes);
}
void EmulatedDevice::copy(Address to, Address from, std::size_t bytes) {
    upload(to, reinterpret_cast<void const*>(from), bytes);
}
void EmulatedDevice::fill(Address to, std::uint8_t byte, std::size_t bytes) {
    std::memset(reinterpret_cast<void*>(to), byte, bytes);
}
void EmulatedDevice::copy_both_ways(Address to, void const* from, void* back, Address source,
                                    std::size_t bytes) {
    upload(to, from, bytes);
    download(back, source, bytes);
}

CodeObject const& EmulatedDevice::code_of(bench::KernelRequest const& request) {
    auto const replaced = replaced_files.find(request.file);
    auto const file = replaced == replaced_files.end() ? path_of(request.file) : replaced->second;
    auto& code = code_[fmt::format("{} {}", file, fmt::join(request.definitions, " "))];
    if (!code)
        code = std::make_unique<CodeObject>(compiled(info_.target, file, request.definitions));
    return *code;
}

bench::Kernel EmulatedDevice::load(bench::KernelRequest const& request) {
    std::string const name(request.function);
    auto const& code = code_of(request);
    if (!code.has_kernel(name)) throw DeviceError("there is no kernel " + name, "unsupported");
    functions_.push_back(std::make_unique<Function>(Function{&code, name}));
    return {functions_.back().get(), name};
}

unsigned EmulatedDevice::spilled_bytes(bench::Kernel const& kernel) {
    auto const& function = *static_cast<Function const*>(kernel.function);
    return function.code->packet(function.name, {}, {}).private_segment_size;
}

void EmulatedDevice::launch(bench::Kernel const& kernel, bench::Shape const& shape,
                            bench::Arguments arguments) {
    auto const& function = *static_cast<Function const*>(kernel.function);
    std::array<std::uint64_t, bench::Arguments::most> slots;
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = arguments.get<std::uint64_t>(i);
    emulator::Grid const grid{static_cast<std::uint32_t>(shape.grid),
                              static_cast<std::uint16_t>(shape.block), shape.lds_bytes};
    ++launches;
    try {
        auto const block = function.code->arguments(function.name, slots, grid);
        emulator_.execute(info_.target, function.code->packet(function.name, block, grid), options);
    } catch (emulator::Failure const& failure) {
        throw DeviceError(fmt::format("{} on {}: {}", kernel.name, info_.target, failure.what()));
    }
}

std::size_t EmulatedDevice::mark() {
    return marked_++;
}

double EmulatedDevice::seconds_between(std::size_t first, std::size_t second) {
    return 1e-3 * static_cast<double>(second - first);
}

}  // namespace rocmtune::test
