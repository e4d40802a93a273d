// SPDX-License-Identifier: MIT
// What the profiles know about GPUs: gfx targets, their families, and product names by PCI id.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocmtune {

/// Where a value of a profile comes from. Empty parts are not known; title never is empty.
struct Citation {
    std::string_view id;  ///< name in a bibliography; empty for a source written in place
    std::string_view title;
    std::string_view url;
    std::string_view reference;  ///< file, page or section, where a url is not enough
    std::string_view version;
};

/// One product, as its vendor sells it. Figures are per PCI function (of an MI250X: one GCD) of the
/// unpartitioned device; a figure no source confirms is absent.
struct Product {
    std::string_view name;        ///< spelt as in libdrm's amdgpu.ids where it is there
    std::string_view gfx_target;  ///< "gfx1100"
    std::optional<std::uint32_t> compute_units;  ///< CUs, also on RDNA (not WGPs)
    std::optional<std::uint64_t> vram_bytes;
    std::optional<std::uint64_t> memory_bandwidth_bytes_per_s;
    std::optional<std::uint32_t> xcc_count;
    std::optional<std::uint32_t> pci_functions_per_card;  ///< 2: two GCDs on one module
    std::optional<bool> is_apu;                           ///< absent: as the chip says
    bool virtual_function = false;
    std::string_view note;  ///< one sentence for people; may be empty
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
    std::span<Citation const* const> sources;  ///< its own first, then those it inherits from
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

/// Sorted tables: chips by gfx_target, names by (device, revision; none first), targets by device.
struct ChipTables {
    std::span<Chip const> chips;
    std::span<PciName const> names;
    std::span<PciTarget const> targets;
    std::span<ProfileView const> profiles;  ///< lowest precedence first
};

/// Read-only look-ups over one set of profiles. Cheap to copy; the results of a look-up live as
/// long as one copy of the set, those of the embedded set as long as the program.
class ChipSet {
  public:
    explicit ChipSet(ChipTables const& tables, std::shared_ptr<void const> owner = nullptr)
        : tables_(tables), owner_(std::move(owner)) {}

    /// The chip of a target such as "gfx942", or null.
    Chip const* find_chip(std::string_view gfx_target) const;

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
    std::span<Chip const> all_chips() const { return tables_.chips; }

    /// Every profile this set was made of, overrides last.
    std::span<ProfileView const> profiles() const { return tables_.profiles; }

  private:
    ChipTables tables_;
    std::shared_ptr<void const> owner_;
};

/// The profiles this program was built with: constant tables, nothing is parsed or allocated.
ChipSet const& embedded_chips();

/// The set that results when files are laid over another set, in the given order (last wins). A
/// file takes the place of the profile with the same stem, whose heirs follow it; if it extends its
/// own name, it adds to that profile instead. Throws ProfileError (profile_error.hpp).
ChipSet with_overrides(ChipSet const& base, std::vector<ProfileText> const& files);

}  // namespace rocmtune
