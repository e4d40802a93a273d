// SPDX-License-Identifier: MIT
// What a GPU is called, what kind it is, and which card it belongs to: names from libdrm's and
// the PCI lists, the rest from the profiles.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/products.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view libdrm_list = "/usr/share/libdrm/amdgpu.ids";
/// Debian and Arch; Fedora and SUSE.
constexpr std::string_view pci_lists[] = {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"};

struct Identity {
    std::uint16_t device = 0;
    std::uint8_t revision = 0;
};

std::optional<Identity> identity(Gpu const& gpu) {
    if (!gpu.pci_device_id || !gpu.pci_revision) return std::nullopt;
    auto const device = to_unsigned(*gpu.pci_device_id);
    auto const revision = to_unsigned(*gpu.pci_revision);
    if (!device || !revision) return std::nullopt;
    return Identity{static_cast<std::uint16_t>(*device), static_cast<std::uint8_t>(*revision)};
}

/// The lists of this host, read at most once and only if a name is wanted.
class NameLists {
  public:
    explicit NameLists(HostRoot const& root) : root_(root) {}

    void offer(Gpu& gpu, ChipSet const& chips) {
        auto const device = gpu.pci_device_id ? to_unsigned(*gpu.pci_device_id) : std::nullopt;
        if (!device)
            return gpu.marketing_name.miss(gpu.pci_device_id.reason(), gpu.pci_device_id.detail());
        auto const id = identity(gpu);
        if (id && from_libdrm(*id, gpu.marketing_name)) return;
        if (id && from_profile(*id, chips, gpu.marketing_name)) return;
        if (!id &&
            from_device_alone(static_cast<std::uint16_t>(*device), chips, gpu.marketing_name))
            return;
        if (from_pci_list(static_cast<std::uint16_t>(*device), gpu.marketing_name)) return;
        gpu.marketing_name.miss(Missing::absent, "in no list of names: PCI device " +
                                                     *gpu.pci_device_id + " revision " +
                                                     gpu.pci_revision.value_or("unknown"));
    }

  private:
    bool from_libdrm(Identity id, Text& fact) {
        if (!libdrm_) libdrm_ = root_.read_bytes(libdrm_list).value.value_or("");
        auto const name = find_amdgpu_name(*libdrm_, id.device, id.revision);
        if (name) fact.offer(std::string(*name), {"amdgpu.ids", std::string(libdrm_list)});
        return name.has_value();
    }

    bool from_profile(Identity id, ChipSet const& chips, Text& fact) {
        auto const* product = chips.find_product(id.device, id.revision);
        if (product)
            fact.offer(std::string(product->name),
                       {"profile", fmt::format("profile {}", product->gfx_target)});
        return product != nullptr;
    }

    bool from_device_alone(std::uint16_t device, ChipSet const& chips, Text& fact) {
        auto const* product = chips.only_product(device);
        if (product)
            fact.offer(std::string(product->name),
                       {"profile", fmt::format("profile {}, the only product of the device id",
                                               product->gfx_target)});
        return product != nullptr;
    }

    bool from_pci_list(std::uint16_t device, Text& fact) {
        auto const [known, fresh] = pci_names_.try_emplace(device);
        if (fresh) known->second = named_in_pci_list(device);
        auto const& [name, path] = known->second;
        if (!name.empty()) fact.offer(name, {"pci.ids", path});
        return !name.empty();
    }

    struct PciName {
        std::string name = {}, path = {};
    };

    PciName named_in_pci_list(std::uint16_t device) const {
        for (auto const path : pci_lists) {
            auto const list = root_.read_bytes(path);
            if (auto const name = list ? find_pci_name(*list, 0x1002, device) : std::nullopt)
                return {std::string(*name), std::string(path)};
        }
        return {};
    }

    HostRoot const& root_;
    std::optional<std::string> libdrm_;
    std::map<std::uint16_t, PciName> pci_names_;  ///< empty: no list names it
};

/// What the product's profile says of its memory.
void offer_memory(Product const* product, Gpu& gpu) {
    auto const why = product == nullptr
                         ? std::string("no profile knows the product")
                         : fmt::format("no source of the profile states it of {}", product->name);
    gpu.memory_type.miss(Missing::absent, why);
    gpu.memory_bandwidth_bytes_per_s.miss(Missing::absent, why);
    if (product == nullptr) return;
    Source const source{"profile", fmt::format("profile {}", product->gfx_target)};
    if (product->memory_type)
        gpu.memory_type.offer(std::string(word_of(*product->memory_type)), source);
    if (product->memory_bandwidth_bytes_per_s)
        gpu.memory_bandwidth_bytes_per_s.offer(*product->memory_bandwidth_bytes_per_s, source);
}

void offer_kind(ChipSet const& chips, Gpu& gpu) {
    auto const id = identity(gpu);
    auto const* product = id ? chips.find_product(id->device, id->revision) : nullptr;
    auto const* chip = gpu.gfx_target ? chips.find_chip(*gpu.gfx_target) : nullptr;
    if (chip == nullptr) {
        auto const why = gpu.gfx_target ? "no profile for " + *gpu.gfx_target
                                        : std::string("gfx target unknown");
        gpu.family.miss(Missing::absent, why);
        return gpu.is_apu.miss(Missing::absent, why);
    }
    Source const source{"profile", fmt::format("profile {}", chip->gfx_target)};
    gpu.family.offer(std::string(chip->family), source);
    if (product != nullptr && product->is_apu) gpu.is_apu.offer(*product->is_apu, source);
    else if (chip->is_apu) gpu.is_apu.offer(*chip->is_apu, source);
    else gpu.is_apu.miss(Missing::absent, fmt::format("{} exists as both", chip->gfx_target));
    if (chip->wavefront_size) gpu.wavefront_size.offer(*chip->wavefront_size, source);
}

}  // namespace

void read_names(ProbeContext const& context, Host& host) {
    NameLists lists(context.root);
    for (auto& gpu : host.gpus) {
        lists.offer(gpu, chips_of(context));
        offer_kind(chips_of(context), gpu);
        offer_memory(product_of(chips_of(context), gpu), gpu);
    }
}

namespace {

/// Takes the next line off the front of `list`.
std::string_view next_line(std::string_view& list) {
    auto const end = std::min(list.find('\n'), list.size());
    auto const line = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    return line;
}

/// "Navi 31 [Radeon RX 7900 XT]" is known to buyers by the part in brackets.
std::string_view in_brackets(std::string_view name) {
    auto const open = name.rfind('[');
    auto const close = name.rfind(']');
    if (open == name.npos || close == name.npos || close < open + 2) return name;
    return name.substr(open + 1, close - open - 1);
}

}  // namespace

std::optional<std::string_view> find_amdgpu_name(std::string_view list, std::uint16_t device,
                                                 std::uint8_t revision) {
    while (!list.empty()) {
        auto const line = next_line(list);
        auto const first = line.find(',');
        auto const second = first == line.npos ? first : line.find(',', first + 1);
        if (second == line.npos || line.starts_with('#')) continue;
        auto const id = to_unsigned(trim(line.substr(0, first)), 16);
        auto const entry = to_unsigned(trim(line.substr(first + 1, second - first - 1)), 16);
        auto const name = trim(line.substr(second + 1));
        if (id == device && entry == revision && !name.empty() && is_utf8(name)) return name;
    }
    return std::nullopt;
}

std::optional<std::string_view> find_pci_name(std::string_view list, std::uint16_t vendor,
                                              std::uint16_t device) {
    bool in_vendor = false;
    while (!list.empty()) {
        auto const line = next_line(list);
        if (line.empty() || line[0] == '#' || line.starts_with("\t\t")) continue;
        bool const is_device = line[0] == '\t';
        auto const body = is_device ? line.substr(1) : line;
        auto const id = body.size() > 5 ? to_unsigned(body.substr(0, 4), 16) : std::nullopt;
        if (!is_device) {
            if (in_vendor) return std::nullopt;  // vendors follow one another
            in_vendor = id == vendor;
        } else if (in_vendor && id == device) {
            auto const name = trim(in_brackets(trim(body.substr(4))));
            if (!name.empty() && is_utf8(name)) return name;
        }
    }
    return std::nullopt;
}

namespace {

constexpr std::string_view rows_reader = "rows";

/// The one row that a row's widest XGMI links lead to; nothing if several are equally wide.
std::optional<std::uint64_t> closest_row(Host const& host, std::uint64_t row) {
    std::optional<std::uint64_t> closest;
    std::uint64_t widest = 0;
    for (auto const& link : host.links) {
        auto const rate = link.max_bandwidth_mb_per_s.value_or(0);
        if (link.from_row != row || !link.to_row || link.kind != "xgmi" || rate < widest) continue;
        if (rate == widest && closest == link.to_row) continue;  // in both io_links and p2p_links
        closest = rate == widest ? std::nullopt : link.to_row;
        widest = rate;
    }
    return closest;
}

void offer_pair(Host& host, Gpu& gpu) {
    auto const partner = closest_row(host, *gpu.row);
    if (!partner || closest_row(host, *partner) != *gpu.row || !host.gpus[*partner].pci_address)
        return gpu.module.miss(Missing::absent,
                               "one of two dies of a card; KFD does not tell which is the other");
    gpu.module.offer(std::min(*gpu.pci_address, *host.gpus[*partner].pci_address),
                     {rows_reader, "widest XGMI link of the two dies"});
}

}  // namespace

void offer_modules(ChipSet const& chips, Host& host) {
    for (auto& gpu : host.gpus) {
        if (!gpu.pci_address) {
            gpu.module.miss(gpu.pci_address.reason(), gpu.pci_address.detail());
            continue;
        }
        auto const* product = product_of(chips, gpu);
        if (product != nullptr && product->pci_functions_per_card == 2U) offer_pair(host, gpu);
        else gpu.module.offer(*gpu.pci_address, {rows_reader, "pci_address"});
    }
}

}  // namespace rocmtune
