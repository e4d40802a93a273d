// SPDX-License-Identifier: MIT
// A code object in memory, as a loader leaves it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "dispatch.hpp"

namespace rocmtune::emulator {

/// Workgroups of a launch and their size, in x; there is one in y and z.
struct Grid {
    u32 groups = 1;
    u16 group_size = 1;
    u32 dynamic_lds_bytes = 0;
};

class CodeObject {
  public:
    /// @param bytes  an ELF file for amdgcn-amd-amdhsa, not bundled. @throws Failure
    explicit CodeObject(std::string const& bytes);
    ~CodeObject();
    CodeObject(CodeObject const&) = delete;
    CodeObject& operator=(CodeObject const&) = delete;

    bool has_kernel(std::string const& name) const { return kernels_.count(name) != 0; }

    /// What a kernel gets: the declared arguments, each from a slot of eight bytes, and those that
    /// the compiler adds of its own accord.
    std::string arguments(std::string const& name, std::span<u64 const> slots, Grid grid) const;
    /// @param arguments  must live until the kernel has ended
    Packet packet(std::string const& name, std::string const& arguments, Grid grid) const;

  private:
    struct Argument {
        std::size_t offset, size;
        std::string kind;  ///< "global_buffer", "by_value", "hidden_..."
    };
    struct Kernel {
        u64 descriptor = 0;  ///< within the memory
        std::size_t argument_bytes = 0;
        std::vector<Argument> arguments = {};
    };

    Kernel const& find(std::string const& name) const;
    void load_segments(std::string const& bytes);
    void read_kernels(std::string const& bytes);

    u8* memory_ = nullptr;
    std::size_t size_ = 0;
    std::map<std::string, Kernel> kernels_;
};

}  // namespace rocmtune::emulator
