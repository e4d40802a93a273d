// SPDX-License-Identifier: MIT
// ExplainedTarget: what the profiles know of one gfx target. Absent means that no source states it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocmtune/field.hpp"

namespace rocmtune {

/// One product with the target; figures are per PCI function of the unpartitioned device.
struct TargetProduct {
    std::string name = {};
    std::vector<std::string> pci_ids = {};  ///< "0x744c:0xc8"; without revision: all of them
    std::optional<std::uint64_t> compute_units = {};
    std::optional<std::uint64_t> vram_bytes = {};
    std::optional<std::string> memory_type = {};
    std::optional<std::uint64_t> memory_bandwidth_bytes_per_s = {};
    std::optional<std::uint64_t> last_level_cache_bytes = {};
    std::optional<std::uint64_t> boost_clock_mhz = {};
    std::optional<std::uint64_t> xcc_count = {};
    std::optional<std::uint64_t> board_power_watts = {};
    std::optional<std::uint64_t> pci_functions_per_card = {};
    std::optional<bool> is_apu = {};
    bool virtual_function = false;
    std::string note = {};
};

template <SameEntity<TargetProduct> Self, class Visitor>
void visit_fields(Self& product, Visitor&& v) {
    v(Field{"name", "product, as its vendor calls it"}, product.name);
    v(Field{"pci_ids",
            "PCI devices of AMD that are this product, with the revision if one matters"},
      product.pci_ids);
    v(Field{"compute_units", "compute units"}, product.compute_units);
    v(Field{"vram_bytes", "memory of its own"}, product.vram_bytes);
    v(Field{"memory_type", "kind of memory"}, product.memory_type);
    v(Field{"memory_bandwidth_bytes_per_s", "bandwidth of the memory, as published"},
      product.memory_bandwidth_bytes_per_s);
    v(Field{"last_level_cache_bytes", "last cache before the memory (Infinity Cache)"},
      product.last_level_cache_bytes);
    v(Field{"boost_clock_mhz", "highest engine clock that the vendor states"},
      product.boost_clock_mhz);
    v(Field{"xcc_count", "accelerator dies (XCDs)"}, product.xcc_count);
    v(Field{"board_power_watts", "power of the board, as published"}, product.board_power_watts);
    v(Field{"pci_functions_per_card", "GPUs on one card or module"},
      product.pci_functions_per_card);
    v(Field{"is_apu", "shares the memory of the processor"}, product.is_apu);
    v(Field{"virtual_function", "the share of a card that a virtual machine gets"},
      product.virtual_function);
    v(Field{"note", "what is to be known of it; may be empty"}, product.note);
}

/// Operations of one data type on one kind of unit, two for a multiply-add, dense.
struct TargetRate {
    std::string data_type = {};
    std::string unit = {};  ///< vector, dot or matrix
    std::optional<std::uint64_t> per_clock_per_cu = {};
};

template <SameEntity<TargetRate> Self, class Visitor>
void visit_fields(Self& rate, Visitor&& v) {
    v(Field{"data_type", "fp64, fp32, xf32, fp16, bf16, fp8, fp6, fp4, int8 or int4"},
      rate.data_type);
    v(Field{"unit", "vector, dot or matrix"}, rate.unit);
    v(Field{"per_clock_per_cu", "operations per clock and compute unit, dense"},
      rate.per_clock_per_cu);
}

/// Releases of ROCm whose list of supported targets has it.
struct TargetSupport {
    std::string list = {};  ///< "rocm" is the main matrix
    std::string since = {};
    std::optional<std::string> until = {};
    std::string note = {};
};

template <SameEntity<TargetSupport> Self, class Visitor>
void visit_fields(Self& support, Visitor&& v) {
    v(Field{"list", "list of the vendor that has it: rocm is the main one for Linux"},
      support.list);
    v(Field{"since", "first release"}, support.since);
    v(Field{"until", "first release without it; null: none known"}, support.until);
    v(Field{"note", "what is to be known of it; may be empty"}, support.note);
}

/// One gfx target, or a generic target of LLVM, of which only the targets behind it are told.
struct ExplainedTarget {
    std::vector<std::string> targets = {};  ///< itself, or those that a generic one stands for
    std::optional<std::string> family = {};
    std::optional<std::string> codename = {};
    std::optional<std::string> generic_target = {};
    std::optional<bool> is_apu = {};
    std::optional<std::uint64_t> wavefront_size = {};  ///< lanes
    std::optional<std::vector<std::string>> matrix_instructions = {};
    std::optional<std::string> fp8_format = {};  ///< FNUZ or OCP
    std::optional<std::string> xnack = {};       ///< process, boot or none
    std::optional<std::uint64_t> vgpr_bytes_per_cu = {};
    std::optional<std::uint64_t> lds_bytes_per_workgroup = {};
    std::vector<TargetRate> rates = {};
    std::vector<TargetSupport> rocm_support = {};
    std::optional<bool> hipblaslt_supported = {};
    std::optional<std::string> hipblaslt_since = {};  ///< first release of ROCm
    std::string hipblaslt_note = {};
    std::optional<std::string> override_version = {};  ///< of HSA_OVERRIDE_GFX_VERSION
    std::optional<std::string> override_risk = {};     ///< none-needed, low, moderate or high
    std::string override_note = {};
    std::vector<std::string> overridden_by = {};  ///< targets that people override to this one
    std::vector<TargetProduct> products = {};
};

template <SameEntity<ExplainedTarget> Self, class Visitor>
void visit_fields(Self& target, Visitor&& v) {
    v(Field{"targets", "the target itself, or those that a generic one stands for"},
      target.targets);
    v(Field{"family", "family of chips"}, target.family);
    v(Field{"codename", "name of the chip"}, target.codename);
    v(Field{"generic_target", "generic target of LLVM whose code runs on it"},
      target.generic_target);
    v(Field{"is_apu", "shares the memory of the processor; null: products differ"}, target.is_apu);
    v(Field{"wavefront_size", "lanes of a wave, where a program does not ask for others"},
      target.wavefront_size);
    v(Field{"matrix_instructions", "kinds of matrix instructions; empty: it has none"},
      target.matrix_instructions);
    v(Field{"fp8_format", "FNUZ or OCP: the same bits differ by a factor of 2"}, target.fp8_format);
    v(Field{"xnack", "who can switch retries of page faults on: process, boot or none"},
      target.xnack);
    v(Field{"vgpr_bytes_per_cu", "vector registers of a compute unit"}, target.vgpr_bytes_per_cu);
    v(Field{"lds_bytes_per_workgroup", "local memory that a workgroup can have"},
      target.lds_bytes_per_workgroup);
    v(Field{"rates", "operations per clock, by data type and unit"}, target.rates);
    v(Field{"rocm_support", "releases that list it as supported on Linux"}, target.rocm_support);
    v(Field{"hipblaslt_supported", "whether hipBLASLt has code for it"},
      target.hipblaslt_supported);
    v(Field{"hipblaslt_since", "first release of ROCm whose hipBLASLt has"},
      target.hipblaslt_since);
    v(Field{"hipblaslt_note", "what is to be known of that; may be empty"}, target.hipblaslt_note);
    v(Field{"override_version", "what people give HSA_OVERRIDE_GFX_VERSION for it"},
      target.override_version);
    v(Field{"override_risk", "none-needed, low, moderate or high"}, target.override_risk);
    v(Field{"override_note", "how an override can end; may be empty"}, target.override_note);
    v(Field{"overridden_by", "targets that people override to this one"}, target.overridden_by);
    v(Field{"products", "products that have it"}, target.products);
}

}  // namespace rocmtune
