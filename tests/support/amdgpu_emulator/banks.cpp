// SPDX-License-Identifier: MIT
#include "banks.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace rocmtune::emulator {
namespace {

constexpr unsigned banks = 32;

/// What the name of an instruction says.
struct Access {
    bool load = false;
    unsigned places = 0;  ///< 1 or 2; 0: no load or store
    unsigned words = 1;   ///< of each
    unsigned stride = 1;  ///< offsets of two places count so many of them
};

Access access_of(std::string const& name) {
    Access it;
    it.load = name.starts_with("ds_load_");
    if (!it.load && !name.starts_with("ds_store_")) return it;
    bool const two = name.find("2addr") != name.npos;
    it.places = two ? 2 : 1;
    if (name.find("stride64") != name.npos) it.stride = 64;
    unsigned bits = 0;
    auto const digits = name.find_last_not_of("0123456789") + 1;
    std::from_chars(name.data() + digits, name.data() + name.size(), bits);
    it.words = std::max(bits / 32, 1U);
    return it;
}

/// The group of a lane.
unsigned group_of(unsigned lane, unsigned lanes, Access const& access) {
    unsigned const size = access.words == 1 ? 32 : access.words == 2 ? 16 : 8;
    if (size != 8 || lanes == 32 || !access.load) return lane / size;
    // 0-3 and 20-23, 4-7 and 16-19, 8-11 and 28-31, 12-15 and 24-27; then the other half.
    constexpr unsigned groups[] = {0, 1, 2, 3, 1, 0, 3, 2};
    return lane / 32 * 4 + groups[lane % 32 / 4];
}

/// Clocks that one place of all lanes takes.
LdsClocks::Count clocks(Wave const& wave, Access const& access, Lanes<u32> const& bases,
                        i64 offset) {
    std::map<unsigned, std::array<std::set<u32>, banks>> groups;
    for_each_lane(wave.active(), [&](unsigned lane) {
        auto const first = static_cast<u32>(bases[lane] + offset) / 4;
        auto& words = groups[group_of(lane, wave.lanes, access)];
        for (u32 word = first; word < first + access.words; ++word)
            words[word % banks].insert(word);
    });
    LdsClocks::Count count;
    for (auto const& [number, words] : groups) {
        std::size_t most = 0;
        for (auto const& bank : words) most = std::max(most, bank.size());
        count.taken += most;
    }
    count.least = groups.size();
    return count;
}

}  // namespace

void LdsClocks::add(Wave const& wave, Instruction const& it) {
    auto const access = access_of(it.name);
    if (access.places == 0) return;
    auto const bases = lanes_of<u32>(wave, it.operands.at(access.load ? 1 : 0));
    auto const unit = access.places == 2 ? i64{4} * access.words * access.stride : 1;
    auto& sum = counts_[it.text];
    for (auto const offset : {it.offset, it.offset1}) {
        auto const count = clocks(wave, access, bases, offset * unit);
        sum.taken += count.taken;
        sum.least += count.least;
        if (access.places == 1) break;
    }
}

LdsClocks::Count LdsClocks::total() const {
    Count total;
    for (auto const& [text, count] : counts_)
        total.taken += count.taken, total.least += count.least;
    return total;
}

std::string LdsClocks::worst() const {
    std::string text;
    u64 most = 0;
    for (auto const& [one, count] : counts_)
        if (count.taken - count.least > most) text = one, most = count.taken - count.least;
    return text;
}

}  // namespace rocmtune::emulator
