// SPDX-License-Identifier: MIT
// Reader `cpu`: processors, main memory and NUMA nodes.
#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view cpu_reader = "cpu";
constexpr std::string_view cpu_directory = "/sys/devices/system/cpu/";
constexpr std::string_view node_directory = "/sys/devices/system/node";

/// Nodes looked at; kernels go up to 1024 (CONFIG_NODES_SHIFT).
constexpr std::size_t max_nodes = 1024;
/// Cores or packages counted by reading one file each.
constexpr std::uint64_t max_groups = 4096;

std::optional<bool> zero_or_one(std::string_view text) {
    if (text != "0" && text != "1") return std::nullopt;
    return text == "1";
}

/// CPUs online as /sys says; where it does not, as /proc/cpuinfo does.
void read_threads(HostRoot const& root, CpuInfo const& info, Host& host) {
    offer_parsed(root, std::string(cpu_directory) + "online", cpu_reader, host.cpu_threads,
                 [](std::string_view text) -> std::optional<std::uint64_t> {
                     auto const cpus = parse_cpu_list(text);
                     if (!cpus || cpus->empty()) return std::nullopt;
                     return cpus->size();
                 });
    if (!host.cpu_threads && info.threads > 0)
        host.cpu_threads.offer(info.threads, {cpu_reader, "/proc/cpuinfo"});
}

/// How many groups the online CPUs form, when the file `name` of each CPU lists its group: one read
/// for each group.
Answer<std::uint64_t> count_groups(HostRoot const& root, std::string_view name) {
    using Result = Answer<std::uint64_t>;
    auto const path = std::string(cpu_directory) + "online";
    auto const online = root.read(path);
    if (!online) return online.failure<std::uint64_t>();
    auto left = parse_cpu_list(*online);
    if (!left || left->empty()) return Result{{}, Missing::invalid, 0, path};
    for (std::uint64_t groups = 1; groups <= max_groups; ++groups) {
        auto const file = fmt::format("{}cpu{}/topology/{}", cpu_directory, left->front(), name);
        auto const text = root.read(file);
        if (!text) return text.failure<std::uint64_t>();
        auto const group = parse_cpu_list(*text);
        auto const in_group = [&](std::uint32_t cpu) {
            return std::binary_search(group->begin(), group->end(), cpu);
        };
        if (!group || !in_group(left->front())) return Result{{}, Missing::invalid, 0, file};
        std::erase_if(*left, in_group);
        if (left->empty()) return Result{groups, {}, 0, {}};
    }
    return Result{{}, Missing::invalid, 0, path + ": too many CPUs"};
}

/// Counts in /sys what /proc/cpuinfo did not tell. `tried` has its failure, if it failed.
void offer_groups(HostRoot const& root, std::string_view name, Tried tried, Number& fact) {
    auto const groups = count_groups(root, name);
    if (groups)
        return fact.offer(*groups,
                          {cpu_reader, fmt::format("{}cpu*/topology/{}", cpu_directory, name)});
    tried.add(groups);
    tried.state(fact);
}

/// One read of /proc/cpuinfo tells all of this on x86; elsewhere the topology files do. In a
/// container /proc/cpuinfo may be a fake that lists some CPUs only (lxcfs): then nothing is
/// counted.
void read_topology(HostRoot const& root, CpuInfo const& info, Tried const& tried, Host& host) {
    if (info.threads > 0 && host.cpu_threads && *host.cpu_threads != info.threads) {
        auto const why = fmt::format("/proc/cpuinfo lists {} CPUs, but {} are online", info.threads,
                                     *host.cpu_threads);
        host.cpu_sockets.miss(Missing::invalid, why);
        host.cpu_cores.miss(Missing::invalid, why);
        return;
    }
    // The old names of package_cpus_list and core_cpus_list: every kernel has them.
    if (info.sockets)
        host.cpu_sockets.offer(*info.sockets, {cpu_reader, "/proc/cpuinfo:physical id"});
    else offer_groups(root, "core_siblings_list", tried, host.cpu_sockets);
    if (info.cores) host.cpu_cores.offer(*info.cores, {cpu_reader, "/proc/cpuinfo:core id"});
    else offer_groups(root, "thread_siblings_list", tried, host.cpu_cores);
}

void read_processors(HostRoot const& root, Host& host) {
    auto const text = root.read("/proc/cpuinfo");
    CpuInfo const info = text ? parse_cpuinfo(*text) : CpuInfo{};
    if (info.model) {
        host.cpu_model.offer(*info.model, {cpu_reader, "/proc/cpuinfo:model name"});
    } else if (!text) {
        miss(host.cpu_model, text);
    } else {
        host.cpu_model.miss(info.threads > 0 ? Missing::absent : Missing::invalid,
                            "/proc/cpuinfo names no model");
    }
    read_threads(root, info, host);
    Tried tried;
    if (!text) tried.add(text);
    read_topology(root, info, tried, host);
}

void offer_meminfo(Answer<std::string> const& text, std::string_view key, Number& fact) {
    if (!text) return miss(fact, text);
    auto const where = "/proc/meminfo:" + std::string(key);
    if (auto const value = meminfo_value(*text, key)) fact.offer(*value, {cpu_reader, where});
    else if (text->find(key) == std::string::npos) fact.miss(Missing::absent, where);
    else fact.miss(Missing::invalid, where);
}

void read_memory(HostRoot const& root, Host& host) {
    auto const text = root.read("/proc/meminfo");
    offer_meminfo(text, "MemTotal", host.memory_bytes);
    offer_meminfo(text, "MemAvailable", host.memory_available_bytes);
    offer_meminfo(text, "HugePages_Total", host.huge_pages_total);
}

/// A node may have no CPUs: then the file holds just a newline.
std::optional<std::string> node_cpus(HostRoot const& root, std::string const& path) {
    auto const text = root.read(path);
    if (!text || !parse_cpu_list(*text)) return std::nullopt;
    if (text->empty() && !holds_blank_line(root, path)) return std::nullopt;
    return *text;
}

void read_nodes(HostRoot const& root, Host& host) {
    std::string const directory(node_directory);
    auto const names = root.list(directory);
    if (!names) return miss(host.numa_nodes, names);
    std::vector<NumaNode> nodes;
    for (auto const& name : *names) {
        auto const number =
            name.starts_with("node") ? to_unsigned(name.substr(4), 10) : std::nullopt;
        if (!number) continue;
        if (nodes.size() == max_nodes)
            return host.numa_nodes.miss(Missing::invalid,
                                        directory + ": more nodes than Linux has");
        auto const path = directory + '/' + name;
        NumaNode node{*number, node_cpus(root, path + "/cpulist"), {}};
        if (auto const memory = root.read(path + "/meminfo"))
            node.memory_bytes = meminfo_value(*memory, "MemTotal");
        nodes.push_back(std::move(node));
    }
    if (nodes.empty()) return host.numa_nodes.miss(Missing::absent, directory + ": no nodes");
    host.numa_nodes.offer(std::move(nodes), {cpu_reader, directory});
}

/// The block of one CPU in /proc/cpuinfo, as far as it has been read.
struct Block {
    std::optional<std::uint64_t> package;
    std::optional<std::uint64_t> core;
};

}  // namespace

std::optional<std::uint64_t> meminfo_value(std::string_view text, std::string_view key) {
    for (auto const line : lines(text)) {
        auto const parts = split_once(line, ':');
        if (!parts) continue;
        auto const name = words(parts->first);
        if (name.empty() || name.back() != key) continue;
        auto const value = words(parts->second);
        auto const number = value.empty() ? std::nullopt : to_unsigned(value[0], 10);
        if (!number || value.size() > 2) return std::nullopt;
        if (value.size() == 1) return number;
        if (value[1] != "kB" || *number > std::numeric_limits<std::uint64_t>::max() / 1024)
            return std::nullopt;
        return *number * 1024;  // the kernel's kB are KiB
    }
    return std::nullopt;
}

CpuInfo parse_cpuinfo(std::string_view text) {
    CpuInfo info;
    std::vector<Block> blocks;
    for (auto const line : lines(text)) {
        // A large host has 10000 lines; four keys of them count.
        if (line.empty() || (line[0] != 'p' && line[0] != 'm' && line[0] != 'c')) continue;
        auto const parts = split_once(line, ':');
        if (!parts) continue;
        auto const key = trim(parts->first);
        auto const value = trim(parts->second);
        if (key == "processor" && to_unsigned(value, 10)) {
            blocks.emplace_back();
        } else if (blocks.empty()) {
            continue;
        } else if (key == "model name" && !info.model && !value.empty() && value != "unknown") {
            info.model = std::string(value);  // x86 prints "unknown" for a CPU without a name
        } else if (key == "physical id") {
            blocks.back().package = to_unsigned(value, 10);
        } else if (key == "core id") {
            blocks.back().core = to_unsigned(value, 10);
        }
    }
    info.threads = blocks.size();
    auto const complete = [](Block const& block) { return block.package && block.core; };
    if (blocks.empty() || !std::all_of(blocks.begin(), blocks.end(), complete)) return info;
    std::set<std::uint64_t> packages;
    std::set<std::pair<std::uint64_t, std::uint64_t>> cores;
    for (auto const& block : blocks) {
        packages.insert(*block.package);
        cores.emplace(*block.package, *block.core);
    }
    info.sockets = packages.size();
    info.cores = cores.size();
    return info;
}

void read_cpu(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    std::string const directory(cpu_directory);
    read_processors(root, host);
    offer_parsed(root, directory + "smt/active", cpu_reader, host.smt_active, zero_or_one);
    offer_text(root, directory + "cpu0/cpufreq/scaling_governor", cpu_reader, host.cpu_governor);
    read_memory(root, host);
    read_nodes(root, host);
}

}  // namespace rocmtune
