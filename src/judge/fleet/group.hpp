// SPDX-License-Identifier: MIT
// The hosts of one kind: what each fact says, counted in little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codec/read_report.hpp"
#include "rocmtune/fleet.hpp"

namespace rocmtune {

/// Numbers count from 0, which is T{}. At most 2^32 - 1 things.
template <class T, class Hash = std::hash<T>>
class Pool {
  public:
    Pool() { (void)number_of(T{}); }

    std::uint32_t number_of(T const& it) {
        if (2 * (all_.size() + 1) > slots_.size()) grow();
        auto& slot = slot_of(it);
        if (slot == free) {
            slot = static_cast<std::uint32_t>(all_.size());
            all_.push_back(it);
        }
        return slot;
    }

    T const& operator[](std::uint32_t number) const { return all_[number]; }

  private:
    static constexpr std::uint32_t free = ~std::uint32_t{0};

    /// Where the thing is, or where it is to go: at its hash or behind it.
    std::uint32_t& slot_of(T const& it) {
        // Spreads what has the same low bits, as sizes of memories do (Fibonacci hashing).
        constexpr std::uint64_t spread = 0x9e3779b97f4a7c15U;
        auto at = (Hash{}(it)*spread >> 32) % slots_.size();
        while (slots_[at] != free && !(all_[slots_[at]] == it)) at = (at + 1) % slots_.size();
        return slots_[at];
    }

    /// At least half of the slots stay free, so that a search is short.
    void grow() {
        constexpr std::size_t first_size = 64;
        slots_.assign(slots_.empty() ? first_size : 2 * slots_.size(), free);
        for (std::uint32_t number = 0; number < all_.size(); ++number)
            slot_of(all_[number]) = number;
    }

    std::deque<T> all_ = {};
    std::vector<std::uint32_t> slots_ = {};
};

/// A host or GPU while it is being counted: numbers in the pools.
struct CountedUnit {
    std::uint32_t host = 0;
    std::uint32_t gpu = 0;     ///< of the empty text: the host itself
    std::uint32_t detail = 0;  ///< a value; of null: none

    bool operator==(CountedUnit const&) const = default;
};

struct HashOfUnit {
    std::uint64_t operator()(CountedUnit const& unit) const {
        constexpr std::uint64_t prime = 0x100000001b3U;
        return (unit.host * prime ^ unit.gpu) * prime ^ unit.detail;
    }
};

/// What all groups share.
struct FleetPools {
    Pool<std::string> texts = {};
    Pool<PlainValue> values = {};
    Pool<CountedUnit, HashOfUnit> units = {};
};

/// One value with those that have it.
struct ValueCount {
    PlainValue value = {};
    std::uint64_t count = 0;
    std::vector<std::uint32_t> units = {};  ///< at most most_named; none of a clear majority
    bool is_clear = false;
};

class ValueCounts {
  public:
    static constexpr std::size_t most_values = 64;
    static constexpr std::size_t most_named = 1024;

    explicit ValueCounts(FactWord const* word) : word_(word) {}

    /// `word` is null for facts of our own making (the number of GPUs).
    FactWord const* word() const { return word_; }
    void add(PlainValue const& value, std::uint32_t unit, FleetPools& pools);
    /// Adds `count` units of which only some are named.
    void add_many(PlainValue const& value, std::uint64_t count, std::vector<std::uint32_t> units);

    std::uint64_t total() const { return total_; }
    /// More values than anybody could look at: the fact is no property of a group.
    bool varies() const { return varies_; }
    bool is_uniform() const { return values_.size() == 1; }
    /// The value that more than half have, or null.
    ValueCount const* majority() const;
    std::vector<ValueCount> const& values() const { return values_; }

    std::uint64_t last_unit = 0;  ///< number of the last unit that was counted, from 1

  private:
    ValueCount* find(PlainValue const& value);
    void forget_clear(ValueCount& counted) const;

    FactWord const* word_;
    std::vector<ValueCount> values_;
    std::uint64_t total_ = 0;
    bool varies_ = false;
};

/// A distribution of positive figures: exact up to `exact_figures`, beyond that in bins of 0.05 %.
class FigureSketch {
  public:
    static constexpr std::size_t exact_figures = 4096;

    void add(double figure);
    std::uint64_t count() const { return count_; }
    double median() const;
    /// Median absolute deviation from the median.
    double deviation() const;
    double least() const { return least_; }
    double most() const { return most_; }

  private:
    struct Weighted {
        double value;
        std::uint64_t weight;
    };

    std::vector<Weighted> weighted() const;
    static double middle(std::vector<Weighted> values);
    void add_to_bin(double figure);

    std::vector<double> exact_;
    std::map<std::int32_t, std::uint64_t> bins_;
    std::uint64_t count_ = 0;
    double least_ = 0;
    double most_ = 0;
};

/// The figures of one measurement over a group, with the names of the worst.
class FigureCounts {
  public:
    FigureCounts(std::string unit, bool lower_is_better)
        : unit_(std::move(unit)), lower_is_better_(lower_is_better) {}

    void add(double figure, FleetUnit const& unit);
    FleetFigure summary(std::string group, std::string measured) const;
    /// One outlier for each GPU that is slow beyond doubt, the slowest first.
    std::vector<FleetOutlier> slow(std::string const& group, std::string const& measured) const;

  private:
    struct Candidate {
        double badness;  ///< larger is worse
        double figure;
        FleetUnit unit;
    };

    std::string unit_;
    bool lower_is_better_;
    FigureSketch sketch_;
    std::vector<Candidate> worst_;  ///< a heap, the least bad of them on top
};

/// Product and models of GPU: what makes hosts comparable.
struct GroupKey {
    std::string product = {};
    std::string model = {};

    auto operator<=>(GroupKey const&) const = default;
};

GroupKey key_of(ReadReport const& report);

/// GPUs that can be compared: one model in one partition mode ("SPX NPS1"; empty where there is
/// none). Partitions of another size are other devices.
struct GpuKind {
    std::string model = {};
    std::string mode = {};

    auto operator<=>(GpuKind const&) const = default;
};

/// The facts of a host or of a GPU in little room.
struct PackedFacts {
    std::optional<GpuKind> kind = {};  ///< nothing: of the host
    std::uint32_t unit = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> facts = {};  ///< path and value
    std::vector<bool> known = {};
};

/// The facts of one host are kept as they are: counts of each would take ten times the room, and
/// many a fleet has hosts that are like no other. They are counted when a second one comes.
class Group {
  public:
    explicit Group(FleetPools& pools) : pools_(pools) {}

    /// Counts the facts of one host.
    void add_host(ReadReport const& report, std::string const& host);
    /// Counts what a report of one of the hosts found and measured. `identity` is the host's, and
    /// `counted` what was found on it before: reports of several commands may find the same.
    void add_results(ReadReport const& report, std::string const& host, std::uint64_t identity,
                     std::unordered_set<std::uint64_t>& counted);

    /// Whether facts are kept that are not counted yet.
    bool is_lone() const { return !lone_.empty(); }
    /// The same group with all facts counted.
    Group counted() const;

    std::uint64_t hosts() const { return hosts_; }
    std::uint64_t gpus() const { return gpus_; }
    /// The models as the first reports name them, "A and B"; one without a name by its id.
    std::string model_name() const;
    /// How many models the GPUs are of; 0 where none is known.
    std::size_t models() const { return model_names_.size(); }
    /// Facts of hosts.
    std::map<std::string, ValueCounts const*> host_facts() const { return sorted(host_scope_); }
    /// Facts of GPUs, of each kind.
    std::vector<std::map<std::string, ValueCounts const*>> gpu_facts() const;
    ValueCounts const& gpu_counts() const { return gpu_counts_; }
    /// "1x AMD Radeon RX 7900 XTX and 1x AMD Radeon 780M Graphics", by host.
    ValueCounts const& compositions() const { return compositions_; }
    ValueCounts const& partition_modes() const { return partition_modes_; }
    /// By what was measured, with the kind of GPU where several kinds were.
    std::map<std::string, FigureCounts const*> figures() const;
    /// By "id verdict": the hosts whose own checks said so.
    std::map<std::pair<std::string, std::string>, ValueCount> const& findings() const {
        return findings_;
    }
    bool left_paths_out() const { return left_paths_out_; }

  private:
    struct Scope {
        std::unordered_map<std::string, ValueCounts> facts = {};
        std::uint64_t units = 0;
        std::vector<std::uint64_t> known = {};  ///< by FactWord::place: units that know the fact
        std::vector<std::uint32_t> early = {};  ///< the first units, with what they know
        std::vector<std::vector<bool>> early_known = {};
    };

    std::uint32_t unit_of(std::string const& host, ReadFacts const* gpu = nullptr);
    void add_facts(std::optional<GpuKind> const& kind, ReadFacts const& facts, std::uint32_t unit);
    PackedFacts packed(std::optional<GpuKind> const& kind, ReadFacts const& facts,
                       std::uint32_t unit) const;
    void count_lone();
    void count(std::optional<GpuKind> const& kind, ReadFacts const& facts, std::uint32_t unit);
    Scope* scope_of(std::optional<GpuKind> const& kind);
    ValueCounts* counts_for(FactScope which, Scope& scope, std::string const& path);
    void count_lacking(Scope& scope, ReadFacts const& facts, std::uint32_t unit);
    static std::map<std::string, ValueCounts const*> sorted(Scope const& scope);
    std::string name_of(GpuKind const& kind) const;

    FleetPools& pools_;
    std::vector<PackedFacts> lone_ = {};  ///< of the first host, until there is another
    Scope host_scope_;
    std::map<GpuKind, Scope> gpu_scopes_;
    ValueCounts gpu_counts_{nullptr};
    ValueCounts compositions_{nullptr};
    ValueCounts partition_modes_{nullptr};
    std::map<std::pair<std::string, GpuKind>, FigureCounts> figures_;
    std::map<std::pair<std::string, std::string>, ValueCount> findings_;
    std::map<std::string, std::string> model_names_;
    std::uint64_t hosts_ = 0;
    std::uint64_t gpus_ = 0;
    bool left_paths_out_ = false;
};

}  // namespace rocmtune
