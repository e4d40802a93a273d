// SPDX-License-Identifier: MIT
#include "probe/library_code.hpp"

#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/device_code.hpp"
#include "probe/parsers.hpp"

namespace rocmtune {
namespace {

/// A library that loads its kernels from files, and where they lie below lib/.
struct KernelFiles {
    std::string_view library;
    std::string_view directory;
};

/// Tensile names the index of what is loaded when it is needed after the target, since ROCm 5.4;
/// a library without one such file may keep its kernels elsewhere.
constexpr KernelFiles kernel_files[] = {
    {"librocblas", "rocblas/library"},
    {"libhipblaslt", "hipblaslt/library"},
};

/// Asked for by name, target by target: the directories hold thousands of files.
std::vector<std::string> tensile_targets_in(HostRoot const& root, std::string const& directory,
                                            ChipSet const& chips) {
    std::set<std::string_view> known;
    for (auto const& chip : chips.all_chips()) {
        known.insert(chip.gfx_target);
        if (!chip.generic_target.empty()) known.insert(chip.generic_target);
    }
    std::vector<std::string> targets;
    // Builds that keep each target apart have a directory for it.
    for (auto const* const form :
         {"{0}/TensileLibrary_lazy_{1}.dat", "{0}/{1}/TensileLibrary_lazy_{1}.dat"}) {
        for (auto const target : known)
            if (root.exists(fmt::format(fmt::runtime(form), directory, target)))
                targets.emplace_back(target);
        if (!targets.empty()) break;
    }
    return targets;
}

/// Of the libraries that load their code from files.
void add_file_targets(HostRoot const& root, RocmPlace const& place, ChipSet const& chips,
                      std::map<std::string, std::vector<std::string>>& all) {
    for (auto const& files : kernel_files) {
        if (!place.libraries.files.contains(std::string(files.library))) continue;
        for (auto const& directory : place.library_directories) {
            auto const path = fmt::format("{}/{}", directory, files.directory);
            auto const status = root.status(path);
            if (!status || status->kind != 'd') continue;
            if (auto targets = tensile_targets_in(root, path, chips); !targets.empty())
                all[std::string(files.library)] = std::move(targets);
        }
    }
}

/// Libraries that have all their code in themselves.
constexpr std::string_view code_libraries[] = {"librccl"};

void add_code_targets(HostRoot const& root, RocmPlace const& place,
                      std::map<std::string, std::vector<std::string>>& all) {
    for (auto const library : code_libraries) {
        auto const file = place.libraries.files.find(std::string(library));
        if (file == place.libraries.files.end()) continue;
        for (auto const& directory : place.library_directories) {
            Fact<std::vector<std::string>> targets;
            offer_code_targets(root, fmt::format("{}/{}", directory, file->second), {}, targets);
            if (targets && targets.limit().empty()) all[file->first] = *targets;
        }
    }
}

/// MIOpen brings compiled kernels for some targets (gfx90a68.kdb, gfx942130.kdb: the number of
/// compute units follows); for others it compiles them when they are needed.
void add_miopen_targets(Listings& listings, RocmPlace const& place,
                        std::map<std::string, std::vector<std::string>>& all) {
    constexpr char const* miopen = "libMIOpen";
    if (!place.libraries.files.contains(miopen)) return;
    auto const& names = listings.names(place.path + "/share/miopen/db");
    if (!names) return;
    std::set<std::string> targets;
    for (auto const& name : *names)
        if (auto target = miopen_target(name); target && name.ends_with(".kdb"))
            targets.insert(std::move(*target));
    if (!targets.empty()) all[miopen] = {targets.begin(), targets.end()};
}

}  // namespace

std::map<std::string, std::vector<std::string>> library_targets(HostRoot const& root,
                                                                Listings& listings,
                                                                RocmPlace const& place,
                                                                ChipSet const& chips) {
    std::map<std::string, std::vector<std::string>> all;
    add_file_targets(root, place, chips, all);
    add_code_targets(root, place, all);
    add_miopen_targets(listings, place, all);
    return all;
}

void offer_code_targets(HostRoot const& root, std::string const& file, std::string_view reader,
                        Fact<std::vector<std::string>>& fact) {
    auto const answer = root.call("device-code." + file);
    if (!answer) {
        bool const is_known =
            answer.reason != Missing::absent && answer.reason != Missing::not_recorded;
        if (is_known) fact.miss(answer.reason, answer.detail);
        return;
    }
    auto const code = device_code_in(*answer);
    auto const why = printable(file) + (code.is_packed ? ": not all code in it can be unpacked"
                                                       : ": not all of its code was read");
    bool const is_whole = !code.is_packed && !code.is_cut;
    if (code.targets.empty()) {
        if (!is_whole) fact.miss(Missing::unsupported, why);
        return;
    }
    if (!is_whole) fact.limit(Missing::unsupported, why);
    fact.offer({code.targets.begin(), code.targets.end()}, {reader, printable(file)});
}

}  // namespace rocmtune
