// SPDX-License-Identifier: MIT
// A device of the benchmarks whose kernels are compiled by clang and executed by the emulator: what
// is launched, and how, is the benchmarks' own code.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/gemm.hpp"
#include "code_object.hpp"
#include "emulator.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune::test {

/// All targets that clang 19 compiles the kernels for.
inline constexpr char const* targets[] = {"gfx906",  "gfx908",  "gfx90a",  "gfx942", "gfx1030",
                                          "gfx1100", "gfx1151", "gfx1200", "gfx1201"};

/// All orders in which waves can take turns. Lockstep alone hides most races.
inline constexpr emulator::Schedule schedules[] = {
    emulator::Schedule::in_order, emulator::Schedule::reverse, emulator::Schedule::lockstep,
    emulator::Schedule::random};

/// @param definitions  "RT_DOUBLE"
/// @return the code object, compiled or as it was compiled before
/// @throws std::runtime_error with what the compiler says
std::string compiled(std::string const& target, std::string const& file,
                     std::vector<std::string> const& definitions);

/// bench/kernels/FILE.hip with a mistake, in a file of its own.
/// @param right  stands in it exactly once
/// @return the path of the new file
/// @throws std::runtime_error if it does not
std::string mutated(std::string const& name, std::string const& file, std::string_view right,
                    std::string_view wrong);

class EmulatedDevice : public bench::Device {
  public:
    explicit EmulatedDevice(std::string const& target, emulator::Options options = {});
    ~EmulatedDevice() override;

    /// Other text in place of bench/kernels/NAME.hip.
    std::map<std::string, std::string, std::less<>> replaced_files = {};
    emulator::Options options;
    std::uint64_t launches = 0;

    bench::DeviceInfo const& info() const override { return info_; }
    bench::DeviceInfo& changed_info() { return info_; }
    bench::MatrixUnits matrix_units() const {
        return bench::matrix_units_of(embedded_chips(), info_.target);
    }
    std::uint64_t free_bytes() override { return std::uint64_t{1} << 32; }

    /// Between two pages that cannot be touched, as near to the upper one as 16 bytes allow.
    bench::Address allocate(std::size_t bytes) override;
    void release(bench::Address memory) noexcept override;
    void* allocate_pinned(std::size_t bytes) override;
    void release_pinned(void* memory) noexcept override;

    void upload(bench::Address to, void const* from, std::size_t bytes) override;
    void download(void* to, bench::Address from, std::size_t bytes) override;
    void copy(bench::Address to, bench::Address from, std::size_t bytes) override;
    void fill(bench::Address to, std::uint8_t byte, std::size_t bytes) override;
    void copy_both_ways(bench::Address to, void const* from, void* back, bench::Address source,
                        std::size_t bytes) override;

    bench::Kernel load(bench::KernelRequest const& request) override;
    unsigned occupancy(bench::Kernel const&, unsigned, unsigned) override { return 1; }
    unsigned spilled_bytes(bench::Kernel const& kernel) override;
    /// @throws DeviceError with what the emulator says
    void launch(bench::Kernel const& kernel, bench::Shape const& shape,
                bench::Arguments arguments) override;

    /// Time is the number of launches.
    std::size_t mark() override;
    void synchronize() override { marked_ = 0; }
    double seconds_between(std::size_t first, std::size_t second) override;
    HardwareState state() override { return {}; }

  private:
    struct Function {
        emulator::CodeObject const* code;
        std::string name;
    };

    emulator::CodeObject const& code_of(bench::KernelRequest const& request);

    bench::DeviceInfo info_;
    emulator::Emulator emulator_;
    std::map<std::string, std::unique_ptr<emulator::CodeObject>> code_;
    std::vector<std::unique_ptr<Function>> functions_;
    std::map<bench::Address, std::pair<void*, std::size_t>> mappings_;
    std::size_t marked_ = 0;
};

}  // namespace rocmtune::test
