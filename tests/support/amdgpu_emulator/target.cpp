// SPDX-License-Identifier: MIT
#include "target.hpp"

#include <algorithm>
#include <iterator>

#include "instruction.hpp"

namespace rocmtune::emulator {
namespace {

struct Row {
    std::string_view name;
    unsigned generation;
    bool packs_work_item, returns_with_sc0, fnuz;
};

constexpr Row rows[] = {
    {"gfx906", 9, false, false, false},   {"gfx908", 9, false, false, false},
    {"gfx90a", 9, true, false, false},    {"gfx942", 9, true, true, true},
    {"gfx1030", 10, false, false, false}, {"gfx1100", 11, true, false, false},
    {"gfx1151", 11, true, false, false},  {"gfx1200", 12, true, false, false},
    {"gfx1201", 12, true, false, false},
};

}  // namespace

Target target_named(std::string_view name) {
    auto const base = name.substr(0, name.find(':'));
    auto const* const row = std::find_if(std::begin(rows), std::end(rows),
                                         [&](Row const& it) { return it.name == base; });
    if (row == std::end(rows))
        throw Failure("the emulator does not know the target " + std::string(name));
    return {std::string(base), row->generation, row->packs_work_item, row->returns_with_sc0,
            row->fnuz};
}

}  // namespace rocmtune::emulator
