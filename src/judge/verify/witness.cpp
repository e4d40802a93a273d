// SPDX-License-Identifier: MIT
#include "judge/verify/witness.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace rocmtune::verify {
namespace {

/// Libraries whose files have other names, too. Debian and OpenBLAS name the threading
/// (libopenblasp, libopenblaso), wheels of NumPy and SciPy rename it.
struct OtherName {
    std::string_view package;
    std::string_view name;
};
constexpr std::array other_names{
    OtherName{"libopenblas", "libopenblasp"},
    OtherName{"libopenblas", "libopenblaso"},
    OtherName{"libopenblas", "libscipy_openblas"},
    OtherName{"libmkl_rt", "libmkl_core"},
};

/// libcuda is libcuda.so.1 and not libcudart.so.12.
bool is_named(std::string_view file_name, std::string_view name) {
    if (!file_name.starts_with(name)) return false;
    auto const rest = file_name.substr(name.size());
    return !rest.empty() && !is_letter(rest.front());
}

bool is_package_directory(std::string_view file, std::string_view package) {
    for (std::string_view const packages : {"/site-packages/", "/dist-packages/"}) {
        auto const place = file.find(packages);
        if (place == file.npos) continue;
        auto const rest = file.substr(place + packages.size());
        if (rest.starts_with(package) && rest.substr(package.size()).starts_with('/')) return true;
    }
    return false;
}

void add(std::string_view title, std::string_view package, std::vector<Reader>& readers) {
    auto const same = [&](Reader const& reader) { return reader.package == package; };
    if (package.empty() || std::none_of(readers.begin(), readers.end(), same))
        readers.push_back({std::string(title), std::string(package)});
}

}  // namespace

std::vector<Reader> readers_of(std::string_view name, Catalogue const& catalogue) {
    std::vector<Reader> readers;
    if (auto const* const variable = catalogue.find(name))
        for (auto const* const component : variable->readers)
            add(component->title, component->package, readers);
    for (auto const& known : catalogue.readers(name))
        if (known.absent_by.empty() && known.scope == "runtime")
            add(known.component->title, known.component->package, readers);
    return readers;
}

bool belongs_to(std::string_view file, std::string_view package) {
    if (package.empty()) return false;
    if (!package.starts_with("lib")) return is_package_directory(file, package);
    auto const file_name = file.substr(file.rfind('/') + 1);
    if (is_named(file_name, package)) return true;
    return std::any_of(other_names.begin(), other_names.end(), [&](OtherName const& other) {
        return other.package == package && is_named(file_name, other.name);
    });
}

std::string witness_of(std::vector<Reader> const& readers, std::set<std::string> const& mapped) {
    for (auto const& reader : readers)
        for (auto const& file : mapped)
            if (belongs_to(file, reader.package)) return file;
    return {};
}

}  // namespace rocmtune::verify
