// SPDX-License-Identifier: MIT
// Explanation: what one name is, who reads it, and what it means on this host. ExplainedTarget:
// what the profiles know of one gfx target; absent means that no source states it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocmtune/fact.hpp"
#include "rocmtune/recommendation.hpp"

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

/// One component that reads a name, and whether this host has it.
struct ExplainedReader {
    std::string component = {};               ///< "ROCr (HSA runtime)"
    std::optional<bool> installed = {};       ///< absent: cannot be told
    std::optional<std::string> version = {};  ///< of what is installed
    std::optional<std::string> where = {};    ///< directory or file
    std::optional<std::string> text_date =
        {};  ///< of the newest text in which the reader was found
    std::optional<std::string> absent_by = {};  ///< newest text that no longer reads it
};

template <SameEntity<ExplainedReader> Self, class Visitor>
void visit_fields(Self& reader, Visitor&& v) {
    v(Field{"component", "library, framework or tool that reads it"}, reader.component);
    v(Field{"installed", "whether this host has it; null if that cannot be told"},
      reader.installed);
    v(Field{"version", "version that is installed"}, reader.version);
    v(Field{"where", "where it is installed"}, reader.where);
    v(Field{"text_date", "date of the newest text in which the reader was found"},
      reader.text_date);
    v(Field{"absent_by", "date of the first text without it; null: it is still read"},
      reader.absent_by);
}

/// The answer of `rocmtune explain NAME`.
struct Explanation {
    std::string name = {};
    std::string kind = {};  ///< environment, allocator, ..., practice; finding, symptom or target
    std::string status =
        {};  ///< public, internal, deprecated, dead, never-existed, name-only, unknown
    std::string use = {};  ///< runtime, debug, build, launcher, code-loading, cosmetic, or empty
    std::string summary = {};  ///< one sentence
    std::vector<ExplainedReader> readers = {};
    std::string values = {};         ///< what its reader takes, in words
    std::string default_value = {};  ///< in words; empty: not known
    std::vector<std::string> former_defaults = {};
    std::string effect = {};
    std::string here = {};  ///< what it does on this host, and what `env` makes of it
    std::optional<std::string> current = {};  ///< its value in this environment
    std::string read_as = {};  ///< how its reader takes that value; empty if it is not set
    std::string harm = {};
    std::string folklore = {};  ///< what is said of it, and why that is wrong
    std::string security = {};
    std::string instead = {};  ///< the name to use in its place; empty: none
    Validity validity = {};
    std::vector<std::string> see = {};       ///< what else speaks of it: names and ids
    std::vector<std::string> found_in = {};  ///< files of this host that hold the name
    std::vector<std::string> near = {};      ///< known names like an unknown one
    std::vector<Reference> sources = {};
    std::string last_verified = {};
    std::optional<ExplainedTarget> target = {};  ///< of a gfx target
};

template <SameEntity<Explanation> Self, class Visitor>
void visit_fields(Self& explanation, Visitor&& v) {
    v(Field{"name", "what was asked about"}, explanation.name);
    v(Field{"kind",
            "environment, allocator, precision, option, api, practice, host, finding, symptom, "
            "target, "
            "module-parameter, kernel-argument, file, library or word"},
      explanation.kind);
    v(Field{"status",
            "public, internal, deprecated, dead, never-existed, name-only (read somewhere, nothing "
            "more is known) or unknown"},
      explanation.status);
    v(Field{"use", "runtime, debug, build, launcher, code-loading or cosmetic; may be empty"},
      explanation.use);
    v(Field{"summary", "the answer in one sentence"}, explanation.summary);
    v(Field{"readers", "what reads it"}, explanation.readers);
    v(Field{"values", "what its reader takes; of a finding, the check that gives it"},
      explanation.values);
    v(Field{"default_value", "what holds where it is not set"}, explanation.default_value);
    v(Field{"former_defaults", "defaults that once were others"}, explanation.former_defaults);
    v(Field{"effect", "what it does"}, explanation.effect);
    v(Field{"here", "what it does on this host"}, explanation.here);
    v(Field{"current", "its value in this environment; null: it is not set"}, explanation.current);
    v(Field{"read_as", "how its reader takes that value"}, explanation.read_as);
    v(Field{"harm", "what it can break"}, explanation.harm);
    v(Field{"folklore", "what is said of it, and why that is wrong"}, explanation.folklore);
    v(Field{"security", "what it lets others do"}, explanation.security);
    v(Field{"instead", "name to use in its place; of a finding, what to do"}, explanation.instead);
    v(Field{"validity", "versions for which that is known"}, explanation.validity);
    v(Field{"see", "names and ids that also speak of it"}, explanation.see);
    v(Field{"found_in", "files of this host in which the name stands"}, explanation.found_in);
    v(Field{"near", "known names like it, if it is not known"}, explanation.near);
    v(Field{"sources", "who says so"}, explanation.sources);
    v(Field{"last_verified", "date on which the sources were last read"},
      explanation.last_verified);
    v(Field{"target", "what the profiles know of a gfx target; null for anything else"},
      explanation.target);
}

}  // namespace rocmtune
