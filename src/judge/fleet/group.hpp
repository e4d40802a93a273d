// SPDX-License-Identifier: MIT
// The hosts of one kind: what each fact says, counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "judge/fleet/figures.hpp"
#include "judge/fleet/value_counts.hpp"
#include "reports/report.hpp"

namespace rocmtune {

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
