// SPDX-License-Identifier: MIT
#include "reports/fact_kinds.hpp"

#include <algorithm>
#include <type_traits>
#include <unordered_map>

#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

using enum FactKind;
using enum FactShape;
constexpr auto host = FactScope::host;
constexpr auto gpu = FactScope::gpu;

/// Two sizes of memory this near are the same: kernels keep different parts for themselves.
constexpr double memory_tolerance = 0.02;

/// A fact that is not listed is hardware with a shape from its type. `value` stands for that shape.
constexpr FactWord table[] = {
    {"hostname", host, identity},
    {"recorded", host, identity},
    {"user_id", host, identity},
    {"smi_locks", host, state},
    {"kfd_generation", host, state},
    {"memory_available_bytes", host, state},
    {"gpu_processes", host, state, left_out},
    {"kernel_messages", host, state, left_out},
    {"kernel_log_start_seconds", host, state, left_out},
    {"kfd_nodes", host, hardware, left_out},
    {"kernel_release", host, software},
    {"distribution", host, software},
    {"distribution_id", host, software},
    {"distribution_version", host, software},
    {"bios_version", host, firmware},
    {"bios_date", host, firmware},
    {"smt_active", host, setting},
    {"cpu_governor", host, setting},
    {"memory_bytes", host, hardware, value, memory_tolerance},
    {"huge_pages_total", host, setting},
    {"numa_balancing", host, setting},
    {"transparent_hugepages", host, setting},
    {"compaction_proactiveness", host, setting},
    {"compact_unevictable_allowed", host, setting},
    {"kernel_arguments", host, setting, assignments},
    {"numa_nodes", host, hardware, records, memory_tolerance, "node", "cpus memory_bytes"},
    {"amdgpu_state", host, software},
    {"amdgpu_origin", host, software},
    {"amdgpu_version", host, software},
    {"amdgpu_parameters", host, setting},
    {"dkms_builds", host, software},
    {"driver_blacklists", host, setting},
    {"driver_conflicts", host, software},
    {"ttm_limit_bytes", host, setting, value, memory_tolerance},
    {"ttm_pool_bytes", host, setting, value, memory_tolerance},
    {"kfd_access", host, setting, record, 0, "", "usable error mode"},
    {"groups", host, identity},
    {"container", host, software},
    {"is_wsl", host, software},
    {"dxg_access", host, setting, record, 0, "", "usable error mode"},
    {"wsl_runtime_package", host, software},
    {"pid_namespace", host, setting},
    {"seccomp_filter", host, setting},
    {"allowed_cpus", host, setting},
    {"cpu_quota_cpus", host, setting},
    {"caches", host, setting, records, 0, "name", "found_as filesystem"},
    {"memlock_soft_bytes", host, setting},
    {"memlock_hard_bytes", host, setting},
    {"open_files_soft", host, setting},
    {"open_files_hard", host, setting},
    {"shm_bytes", host, setting, value, memory_tolerance},
    {"home_filesystem", host, setting},
    {"selinux_enforcing", host, setting},
    {"cpu_idle_states", host, setting},
    {"rocm_installations", host, software, records, 0, "path", "version kind selected"},
    {"hip_runtime_path", host, software},
    {"hip_runtime_reason", host, software},
    {"hip_runtime_majors", host, software},
    {"runtimes", host, software, records, 0, "name", "status version"},
    {"hip_runtime_loaded", host, software},
    {"python_environment", host, software},
    {"frameworks", host, software, records, 0, "name", "version hip_version"},
    {"environment", host, setting},
    {"environment_hidden", host, setting},

    {"row", gpu, identity},
    {"pci_address", gpu, identity},
    {"uuid", gpu, identity},
    {"unique_id", gpu, identity},
    {"serial_number", gpu, identity},
    {"module", gpu, identity},
    {"partition_index", gpu, identity},
    {"kfd_node", gpu, identity},
    {"gpu_id", gpu, identity},
    {"hip_index", gpu, identity},
    {"rocr_index", gpu, identity},
    {"smi_index", gpu, identity},
    {"drm_card", gpu, identity},
    {"render_node", gpu, identity},
    {"sysfs_path", gpu, identity},
    {"numa_node", gpu, identity},
    {"local_cpus", gpu, identity},
    {"xgmi_hive_id", gpu, identity},
    {"iommu_group", gpu, identity},
    {"link_limited_by", gpu, identity},
    {"gfx_target_reported", gpu, setting},
    {"target_id", gpu, setting},
    {"compute_partition", gpu, setting},
    {"memory_partition", gpu, setting},
    {"render_access", gpu, setting, record, 0, "", "usable error mode"},
    {"driver", gpu, software},
    {"memory_ecc", gpu, setting},
    {"sram_ecc", gpu, setting},
    {"vram_bytes", gpu, hardware, value, memory_tolerance},
    {"visible_vram_bytes", gpu, hardware, value, memory_tolerance},
    {"gtt_bytes", gpu, setting, value, memory_tolerance},
    {"compute_memory_bytes", gpu, hardware, value, memory_tolerance},
    {"vram_used_bytes", gpu, state},
    {"visible_vram_used_bytes", gpu, state},
    {"gtt_used_bytes", gpu, state},
    {"iommu_type", gpu, setting},
    {"drives_display", gpu, setting},
    {"boot_display", gpu, setting},
    {"vbios_version", gpu, firmware},
    {"firmware", gpu, firmware},
    {"metrics_revision", gpu, firmware},
    {"ras_features", gpu, firmware},
    {"power_state", gpu, state},
    {"runtime_status", gpu, state},
    {"performance_level", gpu, setting},
    {"busy_percent", gpu, state},
    {"memory_busy_percent", gpu, state},
    // A link may go down to a lower rate while the GPU idles.
    {"link_current_gt_per_s", gpu, state},
    {"clocks", gpu, setting, records, 0, "name", "levels_mhz"},
    {"temperatures", gpu, hardware, records, 0, "name", "critical_celsius emergency_celsius"},
    {"power_watts", gpu, state},
    {"power_cap_watts", gpu, setting},
    {"power_cap_default_watts", gpu, firmware},
    {"power_cap_min_watts", gpu, firmware},
    {"power_cap_max_watts", gpu, firmware},
    {"graphics_voltage_volts", gpu, state},
    {"fan_rpm", gpu, state},
    {"metrics", gpu, state},
    {"throttle_reasons", gpu, state},
    {"pcie_replay_count", gpu, health},
    {"aer_correctable", gpu, health},
    {"aer_nonfatal", gpu, health},
    {"aer_fatal", gpu, health},
    {"ras_blocks", gpu, health, records, 0, "name", "uncorrectable correctable deferred"},
    {"bad_pages_retired", gpu, health},
    {"bad_pages_pending", gpu, health},
    {"bad_pages_unreservable", gpu, health},
    {"xgmi_errors", gpu, health},
};

FactWord const* find_row(FactScope scope, std::string_view word) {
    auto const row = std::find_if(std::begin(table), std::end(table), [&](FactWord const& it) {
        return it.scope == scope && it.word == word;
    });
    return row == std::end(table) ? nullptr : row;
}

template <class T>
constexpr FactShape shape_of(std::type_identity<Fact<T>>) {
    if constexpr (std::is_same_v<T, std::vector<std::string>>) return names;
    else if constexpr (std::is_same_v<T, std::map<std::string, std::string>> ||
                       std::is_same_v<T, std::map<std::string, double>>)
        return map;
    else return value;
}

template <class Entity>
std::vector<FactWord> words_from(FactScope scope) {
    std::vector<FactWord> all;
    Entity const none{};
    visit_fields(none, [&]<class T>(Field const& field, T const&) {
        auto const* row = find_row(scope, field.key);
        auto word = row != nullptr ? *row : FactWord{field.key, scope};
        if (word.shape == value) word.shape = shape_of(std::type_identity<T>{});
        word.place = all.size();
        all.push_back(word);
    });
    return all;
}

using Index = std::unordered_map<std::string_view, FactWord const*>;

Index index_of(FactScope scope) {
    Index index;
    for (auto const& word : words_of_facts(scope)) index.emplace(word.word, &word);
    return index;
}

}  // namespace

std::span<FactWord const> words_of_facts(FactScope scope) {
    static auto const of_host = words_from<Host>(host);
    static auto const of_gpu = words_from<Gpu>(gpu);
    return scope == host ? of_host : of_gpu;
}

FactWord const* find_fact_word(FactScope scope, std::string_view word) {
    static auto const of_host = index_of(host);
    static auto const of_gpu = index_of(gpu);
    auto const& index = scope == host ? of_host : of_gpu;
    auto const found = index.find(word);
    return found == index.end() ? nullptr : found->second;
}

std::vector<std::string_view> stray_fact_words() {
    std::vector<std::string_view> stray;
    for (auto const& row : table)
        if (find_fact_word(row.scope, row.word) == nullptr) stray.push_back(row.word);
    return stray;
}

FactWord const* fact_of_path(FactScope scope, std::string_view path) {
    return find_fact_word(scope, path.substr(0, path.find_first_of(".[")));
}

}  // namespace rocmtune
