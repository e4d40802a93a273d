// SPDX-License-Identifier: MIT
// What the profiles know about GPUs: gfx targets, their families, product names by PCI id; and of
// the software beside them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "knowledge/rule.hpp"

namespace rocmtune {

/// Only the kinds that a product of the profiles has.
enum class MemoryType : std::uint8_t { hbm2, hbm2e, hbm3, hbm3e, gddr6, lpddr5x };

/// As profiles, probe and JSON write them.
inline constexpr std::array<std::string_view, 6> memory_type_words{"HBM2",  "HBM2e", "HBM3",
                                                                   "HBM3E", "GDDR6", "LPDDR5X"};

constexpr std::span<std::string_view const> words_of(MemoryType) {
    return memory_type_words;
}

struct Citation;

/// A variable that check warns about where it is left on.
struct DebugVariable {
    std::string_view name;
    std::string_view off;     ///< the value, beside an empty one, that switches nothing on
    std::string_view effect;  ///< what happens while it is on, as a part of a sentence
    std::span<Citation const* const> sources;  ///< never empty
};

/// "gfx" and so many lower-case hexadecimal digits.
constexpr bool is_gfx_name(std::string_view text, std::size_t fewest, std::size_t most) {
    constexpr std::string_view gfx = "gfx";
    if (!text.starts_with(gfx)) return false;
    text.remove_prefix(gfx.size());
    return text.size() >= fewest && text.size() <= most && is_lower_hexadecimal(text);
}

/// The major version in decimal, minor and stepping as one hexadecimal digit each.
constexpr bool is_gfx_target(std::string_view text) {
    return is_gfx_name(text, 3, 4) && is_digit(text[3]) && text[3] != '0' &&
           (text.size() == 6 || is_digit(text[4]));
}

/// The value of HSA_OVERRIDE_GFX_VERSION that names a target: "9.0.10" for gfx90a. Empty for what
/// is no target.
inline std::string override_version(std::string_view target) {
    if (!is_gfx_target(target)) return {};
    auto const number = [](char digit) {
        return std::to_string(is_digit(digit) ? digit - '0' : digit - 'a' + 10);
    };
    constexpr std::size_t gfx = 3;
    auto const last = target.size() - 1;
    return std::string(target.substr(gfx, last - 1 - gfx)) + '.' + number(target[last - 1]) + '.' +
           number(target[last]);
}

/// What targets may begin with.
constexpr bool is_gfx_prefix(std::string_view text) {
    return is_gfx_name(text, 2, 4);
}

/// Where a value of a profile comes from. Empty parts are not known; title never is empty.
struct Citation {
    std::string_view id;  ///< name in a bibliography; empty for a source written in place
    std::string_view title;
    std::string_view url;
    std::string_view reference;  ///< file, page or section, where a url is not enough
    std::string_view version;
};

/// A source of the profiles as reports carry it.
inline Reference reference_of(Citation const& source) {
    auto const text = [](std::string_view view) {
        return view.empty() ? std::optional<std::string>() : std::optional<std::string>(view);
    };
    auto title = std::string(source.title);
    if (!source.reference.empty()) title.append(", ").append(source.reference);
    return {std::move(title), text(source.url), text(source.version)};
}

/// One product, as its vendor sells it. Figures are per PCI function (of an MI250X: one GCD) of the
/// unpartitioned device; a figure no source confirms is absent.
struct Product {
    std::string_view name;        ///< spelt as in libdrm's amdgpu.ids where it is there
    std::string_view gfx_target;  ///< "gfx1100"
    std::optional<std::uint32_t> compute_units;  ///< CUs, also on RDNA (not WGPs)
    std::optional<std::uint64_t> vram_bytes;
    std::optional<MemoryType> memory_type;  ///< absent also where computers with it differ
    std::optional<std::uint64_t> memory_bandwidth_bytes_per_s;  ///< as published, maybe rounded
    std::optional<std::uint32_t> xcc_count;
    std::optional<std::uint32_t> boost_clock_mhz;  ///< highest engine clock the vendor states
    std::optional<std::uint64_t> last_level_cache_bytes;
    std::optional<std::uint32_t> board_power_watts;
    std::optional<std::uint32_t> pci_functions_per_card;  ///< 2: two GCDs on one module
    std::optional<bool> is_apu;                           ///< absent: as the chip says
    bool virtual_function = false;
    std::string_view note;  ///< one sentence for people; may be empty
};

/// Operations of one data type on one kind of unit, two for a multiply-add.
struct Rate {
    std::string_view data_type;  ///< fp64, fp32, xf32, fp16, bf16, fp8, fp6, fp4, int8 or int4
    std::string_view unit;       ///< vector, dot or matrix
    std::optional<std::uint32_t> per_clock_per_cu = {};  ///< dense; absent: rate not known
};

/// By which instruction our own kernel of matrix products (bench/kernels/gemm_matrix.hip)
/// multiplies a data type.
struct MatrixKernel {
    std::string_view data_type;    ///< fp64, fp16, bf16, fp8 or int8
    std::string_view instruction;  ///< one of matrix_kernel_words
};

/// The instructions that the kernel is written for: LLVM's names of them (BuiltinsAMDGPU.def)
/// without "__builtin_amdgcn_".
inline constexpr std::array<std::string_view, 14> matrix_kernel_words{
    "mfma_f64_16x16x4f64",
    "mfma_f32_32x32x8f16",
    "mfma_f32_32x32x4bf16",
    "mfma_f32_32x32x8bf16_1k",
    "mfma_f32_32x32x16_fp8_fp8",
    "mfma_i32_32x32x8i8",
    "mfma_i32_32x32x16_i8",
    "wmma_f32_16x16x16_f16_w32",
    "wmma_f32_16x16x16_bf16_w32",
    "wmma_i32_16x16x16_iu8_w32",
    "wmma_f32_16x16x16_f16_w32_gfx12",
    "wmma_f32_16x16x16_bf16_w32_gfx12",
    "wmma_f32_16x16x16_fp8_fp8_w32_gfx12",
    "wmma_i32_16x16x16_iu8_w32_gfx12"};

/// In which ROCm releases the vendor lists a target as supported on Linux.
struct SupportRange {
    std::string_view list;   ///< whose list: "rocm" (the main matrix), "rocm-preview", ...
    std::string_view since;  ///< first release
    std::string_view until;  ///< first release without it; empty: none known
    std::string_view note;
};

/// What somebody expects a benchmark to reach, with the conditions under which that was said.
struct Expectation {
    std::string_view product;
    std::string_view benchmark;  ///< gemm
    std::string_view data_type;
    std::uint64_t value = 0;  ///< in 10^9 operations a second
    std::string_view conditions;
    Citation const* source = nullptr;
};

/// HSA_OVERRIDE_GFX_VERSION on this target: what people set, and how that can end.
struct OverrideAdvice {
    std::string_view value;  ///< the usual value; empty: none
    std::string_view risk;   ///< none-needed, low, moderate or high; empty: not known
    std::string_view note;
};

/// hipBLASLt's support of a target.
struct HipblasltSupport {
    std::optional<bool> supported;  ///< absent: not known
    std::string_view since;         ///< first ROCm release
    std::string_view note;
};

/// What is known of the hardware and its software support; parts that no source states are absent.
struct ChipFacts {
    std::span<std::string_view const>
        matrix_instructions;    ///< "MFMA", "WMMA", ...; empty: see below
    bool matrix_known = false;  ///< an empty list above means that there are none
    std::span<MatrixKernel const> matrix_kernels;  ///< each data type at most once
    std::string_view fp8_format;  ///< FNUZ or OCP; the same bits differ by a factor of 2
    std::optional<bool> ras;      ///< false: the driver counts no hardware errors on servers either
    std::string_view xnack;       ///< process (each process chooses), boot (driver option) or none
    std::optional<std::uint64_t> vgpr_bytes_per_cu;
    std::optional<std::uint64_t> lds_bytes_per_workgroup;
    std::span<Rate const> rates;
    std::span<SupportRange const> support;
    std::span<Expectation const> expectations;
    HipblasltSupport hipblaslt;
    OverrideAdvice gfx_override;
    /// What amdgpu cannot start the graphics engine without: files below "amdgpu/", without ".bin".
    std::span<std::string_view const> firmware_files;
};

/// One gfx target (an instruction set with the chips that have it), inheritance resolved.
struct Chip {
    std::string_view gfx_target;               ///< as KFD's gfx_target_version decodes: "gfx90a"
    std::string_view family;                   ///< "GCN5", "CDNA3", "RDNA3.5"; never empty
    std::string_view codename;                 ///< "Navi 31"; empty when no source names one
    std::string_view generic_target;           ///< LLVM's generic target; empty when there is none
    std::optional<std::uint32_t> simd_per_cu;  ///< as KFD counts: CUs = simd_count / simd_per_cu
    std::optional<std::uint32_t> wavefront_size;  ///< the default, in lanes: 32 or 64
    std::optional<bool> is_apu;  ///< absent where products of one target differ (gfx942)
    std::string_view note;
    std::span<Product const> products;
    std::span<Citation const* const> sources;   ///< its own first, then those it inherits from
    std::span<std::string_view const> lineage;  ///< profiles it is made of, its own first
    ChipFacts facts;
};

/// Peak in operations a second: CUs x clock x rate. Absent if the chip has no such unit or its rate
/// is not known. The clock is in MHz; KFD's highest clock may lie above the advertised one.
std::optional<double> peak_per_second(Chip const& chip, std::string_view data_type,
                                      std::string_view unit, std::uint64_t compute_units,
                                      std::uint64_t clock_mhz);

/// A family that stands in for targets without a profile of their own.
struct FamilyPrefix {
    std::string_view prefix;  ///< "gfx110": of the targets whose names begin so
    Chip const* family;       ///< without gfx_target and products
};

/// A PCI device id, with or without revision, and the product it names.
struct PciName {
    std::uint16_t device;
    std::optional<std::uint8_t> revision;
    Product const* product;
    Citation const* source;
};

/// A PCI device id (vendor 1002) and its gfx target.
struct PciTarget {
    std::uint16_t device;
    Chip const* chip;
};

/// A profile as text under a file name. Views into storage that outlives the reader.
struct ProfileView {
    std::string_view name;
    std::string_view text;
};

/// A profile file that was read at run time.
struct ProfileText {
    std::string name;  ///< its path; the file's stem is the profile's name
    std::string text;  ///< JSON, profile.schema.json
};

/// What a set of profiles says, joined. Its parts point into each other.
struct ChipData {
    StringPool pool;
    std::deque<Citation> sources;
    std::vector<Product> products;               ///< in the order of the chips
    std::vector<Chip> chips;                     ///< sorted by gfx_target
    std::vector<Chip> family_chips;              ///< those that stand in for others
    std::vector<PciName> names;                  ///< sorted by device and revision, none first
    std::vector<PciTarget> targets;              ///< sorted by device
    std::vector<FamilyPrefix> families;          ///< sorted by prefix, no prefix begins another
    std::vector<Rule> rules;                     ///< sorted by id
    std::vector<DebugVariable> debug_variables;  ///< in the order of files and lists, each once
    std::vector<ProfileView> profiles;           ///< lowest precedence first

    ChipData() = default;
    ChipData(ChipData const&) = delete;
    ChipData& operator=(ChipData const&) = delete;
};

/// Read-only look-ups over one set of profiles. Cheap to copy; the results of a look-up live as
/// long as one copy of the set, those of the embedded set as long as the program.
class ChipSet {
  public:
    explicit ChipSet(std::shared_ptr<ChipData const> data) : data_(std::move(data)) {}
    /// The profiles that are part of the program, read at the first question.
    static ChipSet embedded() { return ChipSet(nullptr); }

    /// The chip of a target such as "gfx942", or null.
    Chip const* find_chip(std::string_view gfx_target) const;

    /// The family whose prefix a target without a profile of its own has, or null.
    Chip const* find_family(std::string_view gfx_target) const;

    /// What the profiles recommend, sorted by id.
    std::span<Rule const> rules() const { return data().rules; }

    /// What check warns about where it is left on.
    std::span<DebugVariable const> debug_variables() const { return data().debug_variables; }

    /// The product of a PCI device id and revision: the entry of exactly this revision, else one
    /// that holds for every revision, else null. Never the name of another revision.
    Product const* find_product(std::uint16_t device, std::uint8_t revision) const;

    /// The product of a PCI device id whose revision is not known, if all its revisions are one
    /// product; else null.
    Product const* only_product(std::uint16_t device) const;

    /// The chip behind a PCI device id, for kernels whose KFD prints no gfx_target_version; or
    /// null.
    Chip const* chip_of_device(std::uint16_t device) const;

    /// Every chip, sorted by gfx_target as text.
    std::span<Chip const> all_chips() const { return data().chips; }

    /// Every PCI id with the product that it names, sorted by device and revision.
    std::span<PciName const> all_names() const { return data().names; }

    /// Every profile this set was made of, overrides last.
    std::span<ProfileView const> profiles() const { return data().profiles; }

  private:
    static ChipData const& embedded_data();
    ChipData const& data() const { return data_ != nullptr ? *data_ : embedded_data(); }

    std::shared_ptr<ChipData const> data_;  ///< null for the embedded ones
};

/// The profiles this program was built with, read at the first question.
ChipSet const& embedded_chips();

/// The set that results when files are laid over another set, in the given order (last wins). A
/// file takes the place of the profile with the same stem, whose heirs follow it; if it extends its
/// own name, it adds to that profile instead. Throws ProfileError (json_node.hpp).
ChipSet with_overrides(ChipSet const& base, std::vector<ProfileText> const& files);

}  // namespace rocmtune
