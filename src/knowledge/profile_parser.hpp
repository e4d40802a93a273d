// SPDX-License-Identifier: MIT
// One profile file, checked and taken apart, before inheritance.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/data_reader.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {

/// One device id of a product; the source is an id that a bibliography explains.
struct ParsedPciId {
    std::uint16_t device = 0;
    std::optional<std::uint8_t> revision;
    std::string_view source;
    std::string pointer;
};

struct ParsedProduct {
    Product product;
    std::vector<ParsedPciId> pci_ids;
};

/// An entry of "sources": an id of a bibliography, or a source written in place (id empty).
struct ParsedSource {
    Citation source;
    std::string pointer;
};

/// An expectation; its source is an id that a bibliography explains.
struct ParsedExpectation {
    Expectation expectation;
    std::string_view source;
    std::string pointer;
};

/// What a profile says of the hardware, see ChipFacts.
struct ParsedFacts {
    Stated<std::span<std::string_view const>> matrix_instructions;
    Stated<std::span<MatrixKernel const>> matrix_kernels;
    Stated<std::string_view> fp8_format, xnack;
    Stated<bool> ras;
    Stated<std::uint64_t> vgpr_bytes_per_cu, lds_bytes_per_workgroup;
    Stated<std::span<Rate const>> rates;
    Stated<std::span<SupportRange const>> support;
    Stated<HipblasltSupport> hipblaslt;
    Stated<OverrideAdvice> gfx_override;
    Stated<std::span<std::string_view const>> firmware_files;
    std::vector<ParsedExpectation> expectations;
};

/// The id of a source that a bibliography explains.
struct SourceId {
    std::string_view id;
    std::string pointer;
};

struct ParsedRule {
    Rule rule;
    std::vector<SourceId> sources;
};

/// Something with sources.
template <class T>
struct Cited {
    T value;
    std::vector<SourceId> sources;
    std::string pointer;
};

/// Whether they are one variable.
bool is_same(DebugVariable const& one, DebugVariable const& other);

/// Most recommendations of one profile, and most entries of its lists of software.
inline constexpr std::size_t max_rules = 500;
inline constexpr std::size_t max_software = 500;

struct ParsedProfile {
    std::string_view file;     ///< as it was named
    std::string_view name;     ///< the file's stem
    std::string_view extends;  ///< empty: nothing
    Stated<std::string_view> gfx_target, family, codename, generic_target, note;
    Stated<std::uint32_t> simd_per_cu, wavefront_size;
    Stated<bool> is_apu;
    ParsedFacts facts;
    std::vector<std::string_view> gfx_prefixes;
    std::vector<ParsedRule> rules;
    std::vector<Cited<DebugVariable>> debug_variables;
    std::vector<ParsedProduct> products;
    std::vector<ParsedPciId> unnamed_devices;
    std::vector<ParsedSource> sources;
    std::map<std::string_view, Citation> bibliography;
};

/// Reads and checks one profile. Throws ProfileError; references to other profiles and to sources
/// are checked later, by join_profiles.
ParsedProfile parse_profile(ProfileView const& profile, StringPool& pool);

}  // namespace rocmtune
