// SPDX-License-Identifier: MIT
#include "base/filesystem.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.hpp"

namespace rocmtune {
namespace {

enum class Place : std::uint8_t {
    here,
    elsewhere,       ///< on the network
    left_by_miopen,  ///< on the network, and MIOpen can tell
};

struct Filesystem {
    std::uint64_t magic;
    std::string_view name;
    Place place;
};

// Magic numbers: statfs(2), include/uapi/linux/magic.h; for those that are not in the kernel the
// table of coreutils' stat. FUSE may be either: it counts as local.
constexpr std::array filesystems{
    Filesystem{0xef53, "ext", Place::here},
    Filesystem{0x58465342, "xfs", Place::here},
    Filesystem{0x9123683e, "btrfs", Place::here},
    Filesystem{0x2fc12fc1, "zfs", Place::here},
    Filesystem{0xf2f52010, "f2fs", Place::here},
    Filesystem{0x01021994, "tmpfs", Place::here},
    Filesystem{0x794c7630, "overlay", Place::here},
    Filesystem{0x65735546, "fuse", Place::here},
    Filesystem{0x01021997, "9p", Place::here},  // between a guest and its own host
    Filesystem{0x6969, "nfs", Place::left_by_miopen},
    Filesystem{0x517b, "smb", Place::left_by_miopen},
    Filesystem{0xff534d42, "cifs", Place::left_by_miopen},
    Filesystem{0xfe534d42, "smb2", Place::left_by_miopen},
    Filesystem{0x5346414f, "afs", Place::left_by_miopen},
    Filesystem{0x00c36400, "ceph", Place::left_by_miopen},
    Filesystem{0x0bd00bd0, "lustre", Place::left_by_miopen},
    Filesystem{0x47504653, "gpfs", Place::elsewhere},
    Filesystem{0x19830326, "beegfs", Place::elsewhere},
    Filesystem{0xaad7aaea, "panfs", Place::elsewhere},
};

Place place_of(std::string_view kind) {
    auto const* const found = std::ranges::find(filesystems, kind, &Filesystem::name);
    return found == filesystems.end() ? Place::here : found->place;
}

}  // namespace

std::optional<std::string> filesystem_kind(std::string_view magic) {
    auto const number = to_unsigned(magic, 0);
    if (!number) return std::nullopt;
    auto const* const found = std::ranges::find(filesystems, *number, &Filesystem::magic);
    return std::string(found == filesystems.end() ? magic : found->name);
}

bool is_network_filesystem(std::string_view kind) {
    return place_of(kind) != Place::here;
}

bool is_left_by_miopen(std::string_view kind) {
    return place_of(kind) == Place::left_by_miopen;
}

}  // namespace rocmtune
