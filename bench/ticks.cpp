// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/data.hpp"
#include "bench/host_threads.hpp"
#include "bench/ticks.hpp"
#include "machine/posix_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::bench {
namespace {

// ---- made up ------------------------------------------------------------------------------------

constexpr float made_up_tick = 0.25F;
constexpr std::uint32_t price_seed = 99;
constexpr std::uint32_t volume_seed = 1234567;

std::uint32_t random_word(std::uint64_t i, std::uint32_t seed) {
    return mixed(static_cast<std::uint32_t>(i) * 0x9e3779b9U +
                 static_cast<std::uint32_t>(i >> 32) * 0x85ebca77U + seed);
}

/// Sum of four uniform numbers: near enough to normal, and the same on every host.
float near_normal(std::uint64_t i) {
    auto const a = random_word(i, price_seed + 1), b = random_word(i, price_seed + 2);
    auto const sum = static_cast<float>(
        static_cast<std::int32_t>((a & 0xffff) + (a >> 16) + (b & 0xffff) + (b >> 16)));
    constexpr float mean = 2 * 65535.0F;
    constexpr float deviation = 37837.2F;  // 65536 * sqrt(4 / 12)
    return (sum - mean) * (1 / deviation);
}

/// Up, down (15 % each) or nowhere, as real ticks do.
int step_of(std::uint64_t i) {
    auto const word = random_word(i, price_seed) >> 16;
    constexpr std::uint32_t share = 65536 * 15 / 100;
    return word < share ? 1 : word < 2 * share ? -1 : 0;
}

/// A walk that turns round at the ends of the rows.
std::uint32_t reflected(std::int64_t position, std::uint32_t bins) {
    if (bins == 1) return 0;
    auto const period = 2 * (static_cast<std::int64_t>(bins) - 1);
    auto const place = ((position % period) + period) % period;
    return static_cast<std::uint32_t>(std::min(place, period - place));
}

void put_walk(std::vector<float>& offsets, std::uint32_t bins) {
    std::vector<std::int64_t> sums(processor_count() + 1);
    auto const walk = [&](unsigned part, unsigned parts, std::int64_t at, bool put) {
        auto const range = part_of(offsets.size(), part, parts);
        for (auto i = range.begin; i < range.end; ++i) {
            at += step_of(i);
            if (put) offsets[i] = static_cast<float>(reflected(at, bins)) * made_up_tick;
        }
        return at;
    };
    in_parallel(
        [&](unsigned part, unsigned parts) { sums[part + 1] = walk(part, parts, 0, false); });
    sums[0] = bins / 2;
    for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
    in_parallel([&](unsigned part, unsigned parts) { (void)walk(part, parts, sums[part], true); });
}

ROCMTUNE_CLONES void put_uniform(float* offsets, Range range, std::uint32_t bins) {
    for (auto i = range.begin; i < range.end; ++i) {
        auto const row = (std::uint64_t{random_word(i, price_seed)} * bins) >> 32;
        offsets[i] = static_cast<float>(static_cast<std::int32_t>(row)) * made_up_tick;
    }
}

ROCMTUNE_CLONES void put_normal(float* offsets, Range range, std::uint32_t bins) {
    auto const middle_row = bins / 2;
    auto const middle = static_cast<float>(middle_row), last = static_cast<float>(bins - 1);
    for (auto i = range.begin; i < range.end; ++i) {
        auto const row = std::rint(middle + 10 * near_normal(i));
        offsets[i] = (row < 0 ? 0 : row > last ? last : row) * made_up_tick;
    }
}

void put_rows(std::string_view distribution, std::vector<float>& offsets, std::uint32_t bins) {
    in_parallel([&](unsigned part, unsigned parts) {
        auto const range = part_of(offsets.size(), part, parts);
        if (distribution == "uniform") return put_uniform(offsets.data(), range, bins);
        if (distribution == "normal") return put_normal(offsets.data(), range, bins);
        auto const middle_row = bins / 2;
        std::fill(offsets.begin() + static_cast<std::ptrdiff_t>(range.begin),
                  offsets.begin() + static_cast<std::ptrdiff_t>(range.end),
                  static_cast<float>(middle_row) * made_up_tick);
    });
}

/// Log-normal volumes with a median of 20, by table: the exponential would take longer than all
/// else.
std::vector<float> volume_table() {
    std::mt19937 random(volume_seed);
    std::lognormal_distribution<float> volume(3, 1);
    std::vector<float> table(65536);
    for (auto& value : table) value = volume(random);
    return table;
}

// ---- scale --------------------------------------------------------------------------------------

struct VolumeFacts {
    double sum = 0;
    float largest = 0;
    std::uint64_t rounded = 0;
    std::uint64_t vanished = 0;
};

ROCMTUNE_CLONES void look_at(float const* volumes, Range range, VolumeFacts& facts) {
    for (auto i = range.begin; i < range.end; ++i) facts.sum += static_cast<double>(volumes[i]);
    for (auto i = range.begin; i < range.end; ++i)
        facts.largest = volumes[i] > facts.largest ? volumes[i] : facts.largest;
}

/// Which volumes the scale does not hold exactly: multiplying by a power of two does not round.
ROCMTUNE_CLONES void count_losses(float const* volumes, Range range, float factor,
                                  VolumeFacts& facts) {
    for (auto i = range.begin; i < range.end; ++i) {
        float const exact = volumes[i] * factor;
        facts.rounded += exact != std::rint(exact) ? 1 : 0;
        facts.vanished += volumes[i] > 0 && std::rint(exact) == 0 ? 1 : 0;
    }
}

void choose_scale(Ticks& ticks) {
    std::vector<VolumeFacts> facts(processor_count());
    auto const each = [&](auto const& f) {
        in_parallel([&](unsigned part, unsigned parts) {
            f(part_of(ticks.size(), part, parts), facts[part]);
        });
    };
    each([&](Range range, VolumeFacts& own) { look_at(ticks.volumes.data(), range, own); });
    double sum = 0;
    float largest = 0;
    for (auto const& own : facts) sum += own.sum, largest = std::max(largest, own.largest);
    // Rounding may add half a unit to each volume: far less than the margin below 2^62.
    ticks.scale = VolumeScale::for_volumes(static_cast<double>(largest), sum);
    each([&](Range range, VolumeFacts& own) {
        count_losses(ticks.volumes.data(), range, ticks.scale.factor(), own);
    });
    for (auto const& own : facts) ticks.rounded += own.rounded, ticks.vanished += own.vanished;
}

/// The reference: one tick after the other, by the functions that state the contract.
ROCMTUNE_CLONES void add_up(Ticks const& ticks, Range range, std::vector<std::uint64_t>& sums) {
    for (auto i = range.begin; i < range.end; ++i)
        sums[ticks.grid.row_of(ticks.offsets[i])] += ticks.scale.fixed(ticks.volumes[i]);
}

// ---- a user's own -------------------------------------------------------------------------------

/// 2 GiB of fp32; what is read of it takes four times as much memory.
constexpr std::size_t most_pairs = std::size_t{1} << 28;
constexpr std::size_t longest_line_bytes = 4096;

struct Pairs {
    std::vector<double> prices;
    std::vector<float> volumes;
};

/// What a file of ticks has, for the hint of an error.
constexpr auto ticks_form =
    "ticks are lines PRICE,VOLUME below the header price,volume, or pairs of fp32 (.f32)";

[[noreturn]] void refuse(std::string const& path, std::string_view place, std::uint64_t number,
                         std::string_view what) {
    throw Error(fmt::format("{}: {} {}: {}", printable(path), place, number, what), ticks_form);
}

void add_pair(Pairs& pairs, std::string const& path, std::string_view place, std::uint64_t number,
              double price, double volume) {
    if (!std::isfinite(price)) refuse(path, place, number, "the price is not a finite number");
    if (!std::isfinite(volume) || !std::isfinite(static_cast<float>(volume)))
        refuse(path, place, number, "the volume is not a finite number");
    if (volume < 0) refuse(path, place, number, "the volume is negative");
    if (pairs.prices.size() == most_pairs)
        refuse(path, place, number, fmt::format("there are more than {} ticks", most_pairs));
    pairs.prices.push_back(price);
    pairs.volumes.push_back(static_cast<float>(volume));
}

bool parse_number(std::string_view text, double& number) {
    text = trim(text);
    auto const result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc() && result.ptr == text.data() + text.size() && !text.empty();
}

[[noreturn]] void cannot_read(std::string const& path, std::string const& why) {
    throw Error(fmt::format("cannot read {}: {}", printable(path), why));
}

/// A regular file, piece by piece. What hangs when it is opened or read, or never ends, is none.
class Input {
  public:
    explicit Input(std::string const& path) : path_(path) {
        // The command reads it, and so does each worker: a pipe would be empty by then.
        auto opened = open_listed_file(path);
        if (!opened.problem.empty()) cannot_read(path, opened.problem);
        file_.reset(::fdopen(opened.file.release(), "rb"));
        if (file_ == nullptr) cannot_read(path, errno_text(errno));
    }

    /// The next line without its end; false behind the last one.
    bool line(std::string& text, std::uint64_t number) {
        text.clear();
        auto c = ::getc_unlocked(file_.get());
        bool const some = c != EOF;
        for (; c != EOF && c != '\n'; c = ::getc_unlocked(file_.get())) {
            if (text.size() == longest_line_bytes)
                refuse(path_, "line", number,
                       fmt::format("longer than {} bytes", longest_line_bytes));
            text += static_cast<char>(c);
        }
        check();
        return some;
    }

    /// Up to `size` bytes; fewer at the end only.
    std::size_t bytes(void* into, std::size_t size) {
        auto const count = std::fread(into, 1, size, file_.get());
        check();
        return count;
    }

  private:
    void check() {
        if (std::ferror(file_.get()) != 0) cannot_read(path_, errno_text(errno));
    }
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string const& path_;
    std::unique_ptr<std::FILE, Close> file_;
};

Pairs read_csv(std::string const& path) {
    Input file(path);
    Pairs pairs;
    std::string line;
    for (std::uint64_t number = 1; file.line(line, number); ++number) {
        auto const text = trim(line);
        if (number == 1) {
            if (lower(text) != "price,volume")
                refuse(path, "line", 1, "the header price,volume is missing");
            continue;
        }
        if (text.empty()) continue;
        auto const comma = text.find(',');
        double price = 0, volume = 0;
        if (comma == text.npos || !parse_number(text.substr(0, comma), price) ||
            !parse_number(text.substr(comma + 1), volume))
            refuse(path, "line", number, "not two numbers with a comma between them");
        add_pair(pairs, path, "line", number, price, volume);
    }
    return pairs;
}

Pairs read_f32(std::string const& path) {
    static_assert(std::endian::native == std::endian::little);
    Input file(path);
    Pairs pairs;
    float pair[2];
    for (std::uint64_t number = 1;; ++number) {
        auto const size = file.bytes(pair, sizeof pair);
        if (size == 0) return pairs;
        if (size != sizeof pair) refuse(path, "pair", number, "the file ends inside it");
        add_pair(pairs, path, "pair", number, static_cast<double>(pair[0]),
                 static_cast<double>(pair[1]));
    }
}

}  // namespace

std::vector<std::uint64_t> Ticks::sums() const {
    std::vector<std::uint64_t> all(grid.bins);
    in_parallel([&](unsigned part, unsigned parts) {
        std::vector<std::uint64_t> own(grid.bins);
        auto const range = part_of(size(), part, parts);
        add_up(*this, range, own);
        for (std::size_t row = 0; row < own.size(); ++row)
            if (own[row] != 0)
                std::atomic_ref(all[row]).fetch_add(own[row], std::memory_order_relaxed);
    });
    return all;
}

Ticks make_ticks(std::string_view distribution, std::uint64_t count, std::uint32_t bins) {
    Ticks ticks;
    ticks.grid =
        PriceGrid::of_ticks(0, static_cast<double>(bins - 1) * static_cast<double>(made_up_tick),
                            static_cast<double>(made_up_tick));
    ticks.offsets.resize(count);
    ticks.volumes.resize(count);
    if (distribution == "walk") put_walk(ticks.offsets, bins);
    else put_rows(distribution, ticks.offsets, bins);
    auto const table = volume_table();
    in_parallel([&](unsigned part, unsigned parts) {
        auto const range = part_of(count, part, parts);
        for (auto i = range.begin; i < range.end; ++i)
            ticks.volumes[i] = table[random_word(i, volume_seed) & 0xffff];
    });
    choose_scale(ticks);
    return ticks;
}

Ticks read_ticks(std::string const& path, std::uint64_t bins, std::optional<double> tick) {
    auto const pairs = path.ends_with(".f32") ? read_f32(path) : read_csv(path);
    if (pairs.prices.empty())
        throw Error(fmt::format("{}: there are no ticks", printable(path)), ticks_form);
    auto const [low, high] = std::minmax_element(pairs.prices.begin(), pairs.prices.end());
    Ticks ticks;
    // Rows of --tick lie on its multiples, wherever the lowest price lies.
    auto const first = tick ? std::nearbyint(*low / *tick) * *tick : *low;
    ticks.grid =
        tick ? PriceGrid::of_ticks(first, *high, *tick) : PriceGrid::over_range(*low, *high, bins);
    ticks.offsets.reserve(pairs.prices.size());
    for (auto const price : pairs.prices)
        ticks.offsets.push_back(static_cast<float>(std::max(price - first, 0.0)));
    ticks.volumes = pairs.volumes;
    choose_scale(ticks);
    return ticks;
}

}  // namespace rocmtune::bench
