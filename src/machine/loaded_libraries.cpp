// SPDX-License-Identifier: MIT
#include "machine/loaded_libraries.hpp"

#include <algorithm>
#include <filesystem>

#include <dlfcn.h>

namespace rocmtune {
namespace {

std::string canonical(std::string const& path) {
    std::error_code error;
    auto const real = std::filesystem::canonical(path, error);
    return error ? path : real.string();
}

}  // namespace

/// glibc relocates the addresses of the dynamic section in place on
/// most architectures; where it does not they are small offsets.
std::string soname_of(link_map const& map) {
    ElfW(Addr) strings = 0;
    ElfW(Addr) name = 0;
    bool named = false;
    for (auto const* entry = map.l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
        if (entry->d_tag == DT_SONAME) name = entry->d_un.d_val, named = true;
    }
    if (strings == 0 || !named) return {};
    if (strings < map.l_addr) strings += map.l_addr;
    return reinterpret_cast<char const*>(strings + name);
}

std::set<std::string> loaded_sonames() {
    link_map* map = nullptr;
    auto* const program = ::dlopen(nullptr, RTLD_LAZY);
    if (program == nullptr || ::dlinfo(program, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0)
        return {};
    std::set<std::string> names;
    for (; map != nullptr; map = map->l_next)
        if (auto name = soname_of(*map); !name.empty()) names.insert(std::move(name));
    return names;
}

std::vector<std::string> loaded_files_of(std::string_view library) {
    struct Search {
        std::string_view library;
        std::vector<std::string> files;
    } search{library, {}};
    ::dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* data) {
            auto& found = *static_cast<Search*>(data);
            std::string_view const path = object->dlpi_name != nullptr ? object->dlpi_name : "";
            auto const name = path.substr(path.rfind('/') + 1);
            if (name.starts_with(found.library) && name.find(".so") != name.npos)
                found.files.push_back(canonical(std::string(path)));
            return 0;
        },
        &search);
    auto& files = search.files;
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

}  // namespace rocmtune
