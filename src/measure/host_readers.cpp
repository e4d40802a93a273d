// SPDX-License-Identifier: MIT
#include "measure/host_readers.hpp"

#include <set>

#include "bench/code_cache.hpp"
#include "settings/host_readers.hpp"

namespace rocmtune {
namespace {

/// The ids of all that read the name, as catalogue and index say.
std::set<std::string_view> readers_of(std::string_view name, Catalogue const& catalogue) {
    std::set<std::string_view> ids;
    if (auto const* variable = catalogue.find(name))
        for (auto const* reader : variable->readers) ids.insert(reader->id);
    for (auto const& reader : catalogue.readers(name)) ids.insert(reader.component->id);
    return ids;
}

}  // namespace

std::vector<ReaderFile> scanned_readers(Host const& host, Catalogue const& catalogue) {
    auto files = installed_reader_files(host);
    scan_reader_files(files, names_to_find(catalogue), bench::cache_directory());
    return files;
}

ReaderIndex index_of(std::vector<ReaderFile> const& files, Catalogue const& catalogue) {
    std::set<std::string> names, packages, incomplete;
    std::set<std::string_view> seen;
    for (auto const& file : files) {
        (file.complete ? packages : incomplete).insert(file.package);
        names.insert(file.names.begin(), file.names.end());
        for (auto const& name : file.names) {
            auto const ids = readers_of(name, catalogue);
            if (ids.size() != 1) continue;
            auto const* component = catalogue.component(*ids.begin());
            if (component != nullptr && component->package == file.package)
                seen.insert(component->id);
        }
    }
    ReaderIndex index{.names = {names.begin(), names.end()}};
    for (auto const id : seen) {
        auto const package = std::string(catalogue.component(id)->package);
        if (packages.contains(package) && !incomplete.contains(package))
            index.components.emplace_back(id);
    }
    return index;
}

}  // namespace rocmtune
