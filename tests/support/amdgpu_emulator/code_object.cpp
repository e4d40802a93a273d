// SPDX-License-Identifier: MIT
// Source: "User Guide for AMDGPU Backend" of LLVM, "Code Object", "Code Object Metadata".
#include "code_object.hpp"

#include <algorithm>

#include <elf.h>
#include <sys/mman.h>

#include <nlohmann/json.hpp>

namespace rocmtune::emulator {
namespace {

using Json = nlohmann::json;

template <class T>
T read_at(std::string const& bytes, u64 offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
        throw Failure("the code object is cut off");
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

Elf64_Ehdr header_of(std::string const& bytes) {
    auto const header = read_at<Elf64_Ehdr>(bytes, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_AMDGPU)
        throw Failure("this is no code object of an AMD GPU");
    return header;
}

template <class F>
void for_each_segment(std::string const& bytes, Elf64_Word type, F f) {
    auto const header = header_of(bytes);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        auto const it = read_at<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
        if (it.p_type != type) continue;
        if (it.p_offset + it.p_filesz > bytes.size()) throw Failure("the code object is cut off");
        f(it);
    }
}

/// The dynamic symbols with their values.
std::map<std::string, u64> symbols_of(std::string const& bytes) {
    std::map<std::string, u64> symbols;
    auto const header = header_of(bytes);
    auto const section = [&](unsigned i) {
        return read_at<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr));
    };
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        auto const table = section(i);
        if (table.sh_type == SHT_RELA && table.sh_size > 0)
            throw Failure("relocations are not emulated");
        if (table.sh_type != SHT_DYNSYM) continue;
        auto const names = section(table.sh_link).sh_offset;
        for (u64 at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
            auto const symbol = read_at<Elf64_Sym>(bytes, table.sh_offset + at);
            symbols[bytes.c_str() + names + symbol.st_name] = symbol.st_value;
        }
    }
    return symbols;
}

/// The metadata, MessagePack in a note.
Json metadata_of(std::string const& bytes) {
    constexpr u32 amdgpu_metadata = 32;  // NT_AMDGPU_METADATA
    Json metadata;
    for_each_segment(bytes, PT_NOTE, [&](Elf64_Phdr const& segment) {
        auto const note = read_at<Elf64_Nhdr>(bytes, segment.p_offset);
        auto const text = segment.p_offset + sizeof note + (note.n_namesz + 3) / 4 * 4;
        if (note.n_type == amdgpu_metadata)
            metadata = Json::from_msgpack(bytes.substr(text, note.n_descsz));
    });
    return metadata;
}

/// What a hidden argument holds for a grid in one dimension; 0: nothing.
u64 hidden_value(std::string const& kind, Grid const& grid) {
    if (kind == "hidden_block_count_x") return grid.groups;
    if (kind == "hidden_group_size_x") return grid.group_size;
    if (kind == "hidden_dynamic_lds_size") return grid.dynamic_lds_bytes;
    constexpr char const* ones[] = {"hidden_block_count_y", "hidden_block_count_z",
                                    "hidden_group_size_y", "hidden_group_size_z",
                                    "hidden_grid_dims"};
    return std::count(std::begin(ones), std::end(ones), kind) > 0 ? 1 : 0;
}

}  // namespace

CodeObject::CodeObject(std::string const& bytes) {
    read_kernels(bytes);  // what it throws leaves no memory behind
    load_segments(bytes);
}

CodeObject::~CodeObject() {
    ::munmap(memory_, size_);
}

void CodeObject::read_kernels(std::string const& bytes) {
    auto const symbols = symbols_of(bytes);
    auto const metadata = metadata_of(bytes);
    for (auto const& it : metadata.at("amdhsa.kernels")) {
        Kernel kernel{symbols.at(it.at(".symbol")), it.at(".kernarg_segment_size")};
        for (auto const& argument : it.value(".args", Json::array()))
            kernel.arguments.push_back(
                {argument.at(".offset"), argument.at(".size"), argument.at(".value_kind")});
        kernels_[it.at(".name")] = std::move(kernel);
    }
}

void CodeObject::load_segments(std::string const& bytes) {
    for_each_segment(bytes, PT_LOAD, [&](Elf64_Phdr const& it) {
        size_ = std::max<std::size_t>(size_, it.p_vaddr + it.p_memsz);
    });
    size_ += most_code_bytes;  // the emulator reads so far
    auto* const memory =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw Failure("no memory for a code object");
    memory_ = static_cast<u8*>(memory);
    for_each_segment(bytes, PT_LOAD, [&](Elf64_Phdr const& it) {
        std::memcpy(memory_ + it.p_vaddr, bytes.data() + it.p_offset, it.p_filesz);
    });
}

CodeObject::Kernel const& CodeObject::find(std::string const& name) const {
    auto const found = kernels_.find(name);
    if (found == kernels_.end()) throw Failure("there is no kernel " + name);
    return found->second;
}

std::string CodeObject::arguments(std::string const& name, std::span<u64 const> slots,
                                  Grid grid) const {
    auto const& kernel = find(name);
    std::string block(kernel.argument_bytes, '\0');
    auto slot = slots.begin();
    for (auto const& it : kernel.arguments) {
        bool const hidden = it.kind.starts_with("hidden_");
        if (!hidden && slot == slots.end()) throw Failure(name + " needs more arguments");
        auto const value = hidden ? hidden_value(it.kind, grid) : *slot++;
        std::memcpy(block.data() + it.offset, &value, std::min(it.size, sizeof value));
    }
    return block;
}

Packet CodeObject::packet(std::string const& name, std::string const& arguments, Grid grid) const {
    auto const* const descriptor = memory_ + find(name).descriptor;
    Packet packet;
    packet.setup = 1;
    packet.workgroup_size = {grid.group_size, 1, 1};
    packet.grid_size = {grid.groups * grid.group_size, 1, 1};
    std::memcpy(&packet.group_segment_size, descriptor, 4);
    std::memcpy(&packet.private_segment_size, descriptor + 4, 4);
    packet.group_segment_size += grid.dynamic_lds_bytes;
    packet.kernel_object = reinterpret_cast<u64>(descriptor);
    packet.kernarg_address = reinterpret_cast<u64>(arguments.data());
    return packet;
}

}  // namespace rocmtune::emulator
