// SPDX-License-Identifier: MIT
// Reader `processes`: who holds a GPU, from KFD's list and from the open files of processes.
#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "probe/parsers.hpp"
#include "probe/pci_address.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view processes_reader = "processes";
constexpr std::string_view kfd_directory = "/sys/class/kfd/kfd/proc";

/// Bounds of the search through open files, at 5 us each: about 15 ms on a large host. The newest
/// processes come first, because the oldest numbers are those of kernel threads and services.
constexpr std::size_t max_processes = 1024;
constexpr std::size_t max_files = 2048;
constexpr std::size_t max_queues = 64;

/// A sum that is unknown as soon as one part is.
class Sum {
  public:
    void add(std::optional<std::uint64_t> part) {
        bool const fits =
            part && total_ && *part <= std::numeric_limits<std::uint64_t>::max() - *total_;
        total_ = fits ? std::optional(*total_ + *part) : std::nullopt;
    }
    std::optional<std::uint64_t> value() const { return total_; }

  private:
    std::optional<std::uint64_t> total_ = 0;
};

void add_once(std::vector<std::string>& names, std::string const& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

class ProcessSearch {
  public:
    ProcessSearch(HostRoot root, Host const& host) : root_(std::move(root)), host_(host) {
        for (auto const& gpu : host.gpus)
            if (gpu.gpu_id && gpu.pci_address) address_of_[*gpu.gpu_id] = *gpu.pci_address;
        if (auto const self = root_.link("/proc/self")) own_pid_ = to_unsigned(*self, 10);
    }

    void state(Fact<std::vector<GpuProcess>>& fact) {
        read_kfd();
        read_open_files();
        std::sort(found_.begin(), found_.end(),
                  [](GpuProcess const& a, GpuProcess const& b) { return a.pid < b.pid; });
        tried_.offer(fact, std::move(found_), {processes_reader, std::move(where_)});
    }

  private:
    bool in_own_pid_namespace() const { return host_.pid_namespace.value_or(false); }

    std::optional<std::string> name_of(std::uint64_t pid) const {
        return root_.read(fmt::format("/proc/{}/comm", pid)).value;
    }

    /// KFD lists a process until its memory is given back; one that waits to be reaped is there.
    /// Where /proc hides processes nobody can tell.
    std::optional<bool> is_gone(std::uint64_t pid) const {
        auto const status = root_.status(fmt::format("/proc/{}", pid));
        if (status) return false;
        bool const sees_all = root_.exists("/proc/1");
        return status.reason == Missing::absent && sees_all ? std::optional(true) : std::nullopt;
    }

    // ---- KFD: one directory for each process that opened /dev/kfd -------------------------------

    void read_kfd() {
        auto const names = root_.list(kfd_directory);
        if (!names) return miss_kfd(names);
        where_ = kfd_directory;
        std::size_t others = 0;
        for (auto const& name : *names) {
            auto const pid = to_unsigned(name, 10);
            if (!pid || pid == own_pid_) continue;
            ++others;
            if (!in_own_pid_namespace()) read_kfd_process(*pid);
        }
        // The directories have the numbers of the first namespace (kfd_create_process_sysfs): here
        // they would name other processes, and this one cannot be told apart.
        if (others > 0 && in_own_pid_namespace())
            tried_.add(
                Missing::unsupported,
                fmt::format("KFD lists {} processes by numbers of the host, this one perhaps "
                            "among them",
                            others));
    }

    /// Kernels before 5.8 have KFD but no list of its processes.
    void miss_kfd(Answer<std::vector<std::string>> const& names) {
        if (names.reason == Missing::absent && root_.exists("/sys/class/kfd/kfd"))
            tried_.add(Missing::unsupported, "this kernel does not list the processes of KFD");
        else tried_.add(names);
    }

    void read_kfd_process(std::uint64_t pid) {
        auto const directory = fmt::format("{}/{}", kfd_directory, pid);
        GpuProcess process{.pid = pid, .through = "kfd"};
        Sum vram;
        bool holds = false;
        auto const names = root_.list(directory);
        if (!names && names.reason == Missing::absent) return;  // it has ended meanwhile
        if (!names) return tried_.add(names);
        // There is a file for every GPU of the host; only memory or a queue shows that it is held.
        for (auto const& name : *names) {
            auto const id =
                name.starts_with("vram_") ? to_unsigned(name.substr(5), 10) : std::nullopt;
            if (!id) continue;
            auto const text = root_.read(directory + '/' + name);
            auto const bytes = text ? to_unsigned(*text, 10) : std::nullopt;
            vram.add(bytes);
            if (bytes == 0) continue;
            holds = true;
            if (bytes) add_gpu(process, *id);
        }
        for (auto const id : gpus_of_queues(directory + "/queues")) {
            holds = true;
            add_gpu(process, id);
        }
        if (!holds) return;
        process.name = name_of(pid);
        process.vram_bytes = vram.value();
        process.gone = is_gone(pid);
        add(std::move(process));
    }

    std::vector<std::uint64_t> gpus_of_queues(std::string const& directory) const {
        std::vector<std::uint64_t> ids;
        auto const names = root_.list(directory).value.value_or(std::vector<std::string>());
        for (std::size_t i = 0; i < std::min(names.size(), max_queues); ++i) {
            auto const text = root_.read(fmt::format("{}/{}/gpuid", directory, names[i]));
            auto const id = text ? to_unsigned(*text, 10) : std::nullopt;
            if (id && std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
        }
        return ids;
    }

    void add_gpu(GpuProcess& process, std::uint64_t gpu_id) const {
        auto const known = address_of_.find(gpu_id);
        if (known != address_of_.end()) add_once(process.gpus, known->second);
    }

    // ---- open files: graphics and video ---------------------------------------------------------

    void read_open_files() {
        // Every open file of a driver holds its module (fops_get), so 0 users means no open file.
        auto const users = root_.read("/sys/module/amdgpu/refcnt");
        if (users && *users == "0") return;
        auto const names = root_.list("/proc");
        if (!names) return tried_.add(names);
        where_ += where_.empty() ? "/proc/*/fdinfo" : ", /proc/*/fdinfo";
        std::vector<std::uint64_t> pids;
        for (auto const& name : *names)
            if (auto const pid = to_unsigned(name, 10)) pids.push_back(*pid);
        std::sort(pids.begin(), pids.end(), std::greater<>());
        note_hidden(pids);
        std::size_t looked_at = 0;
        for (auto const pid : pids) {
            if (looked_at == max_processes || files_left_ == 0) break;
            ++looked_at;
            if (pid != own_pid_ && !is_known(pid)) read_process(pid);
        }
        if (looked_at < pids.size())
            tried_.add(Missing::not_read, fmt::format("open files of the newest {} of {} processes "
                                                      "were looked at",
                                                      looked_at, pids.size()));
        if (denied_ > 0)
            tried_.add(Missing::denied, fmt::format("open files of {} process{} of other users",
                                                    denied_, denied_ == 1 ? "" : "es"));
    }

    /// Process 1 is always there; where it is out of sight, so are others (proc(5), hidepid).
    void note_hidden(std::vector<std::uint64_t> const& pids) {
        if (pids.empty() || pids.back() != 1)
            tried_.add(Missing::denied, "/proc hides processes of other users");
        if (in_own_pid_namespace())
            tried_.add(Missing::unsupported,
                       "processes outside this PID namespace are out of sight");
    }

    bool is_known(std::uint64_t pid) const {
        return std::any_of(found_.begin(), found_.end(),
                           [&](GpuProcess const& process) { return process.pid == pid; });
    }

    void read_process(std::uint64_t pid) {
        auto const directory = fmt::format("/proc/{}", pid);
        auto const files = root_.list(directory + "/fdinfo");
        if (!files) {
            if (files.reason == Missing::denied) ++denied_;
            else if (files.reason != Missing::absent) tried_.add(files);
            return;
        }
        std::map<std::pair<std::string, std::string>, DrmClient> clients;
        for (auto const& file : *files) {
            if (files_left_ == 0) break;
            --files_left_;
            if (auto client = read_file(directory, file)) {
                auto const key = std::pair(client->pci_address, client->client_id);
                // Without an id each file is a client of its own.
                clients.emplace(
                    client->client_id.empty() ? std::pair(key.first, "fd " + file) : key,
                    std::move(*client));
            }
        }
        if (!clients.empty()) add_clients(pid, clients);
    }

    /// fdinfo alone is read, not the links in fd: a recording is no place for the names of open
    /// files, and asking what they are may hang on a network file system.
    std::optional<DrmClient> read_file(std::string const& directory,
                                       std::string const& file) const {
        auto const text = root_.read(fmt::format("{}/fdinfo/{}", directory, file));
        return text ? parse_fdinfo(*text) : std::nullopt;
    }

    void add_clients(std::uint64_t pid,
                     std::map<std::pair<std::string, std::string>, DrmClient> const& clients) {
        GpuProcess process{.pid = pid, .name = name_of(pid), .through = "drm"};
        Sum vram;
        for (auto const& [key, client] : clients) {
            vram.add(client.vram_bytes);
            add_once(process.gpus, client.pci_address);
        }
        process.vram_bytes = vram.value();
        add(std::move(process));
    }

    void add(GpuProcess process) { found_.push_back(std::move(process)); }

    HostRoot root_;
    Host const& host_;
    std::map<std::uint64_t, std::string> address_of_;
    std::optional<std::uint64_t> own_pid_;
    std::vector<GpuProcess> found_;
    std::string where_;
    std::size_t files_left_ = max_files;
    std::size_t denied_ = 0;
    Tried tried_;
};

/// "1234 KiB"; no unit means bytes (drm-usage-stats.rst), Linux 5.14 wrote kB.
std::optional<std::uint64_t> memory_bytes(std::string_view text) {
    auto const part = words(text);
    if (part.empty() || part.size() > 2) return std::nullopt;
    auto const number = to_unsigned(part[0], 10);
    auto const unit = part.size() == 2 ? part[1] : std::string_view("B");
    auto const shift = unit == "B"                     ? 0
                       : unit == "KiB" || unit == "kB" ? 10
                       : unit == "MiB"                 ? 20
                                                       : -1;
    if (!number || shift < 0 || *number > (std::numeric_limits<std::uint64_t>::max() >> shift))
        return std::nullopt;
    return *number << shift;
}

}  // namespace

std::optional<DrmClient> parse_fdinfo(std::string_view text) {
    std::map<std::string_view, std::string_view> values;
    for (auto const& [key, value] : key_value_lines(text, ':')) values.emplace(key, value);
    auto const value = [&](std::string_view key) {
        auto const found = values.find(key);
        return found == values.end() ? std::string_view() : found->second;
    };
    bool const modern = values.contains("drm-driver");
    if (modern ? value("drm-driver") != "amdgpu" : !values.contains("vram mem"))
        return std::nullopt;
    auto const address = parse_pci_address(value(modern ? "drm-pdev" : "pdev"));
    if (!address) return std::nullopt;
    DrmClient client;
    client.pci_address = address->text();
    client.client_id = std::string(value(modern ? "drm-client-id" : "pasid"));
    for (auto const key : {"drm-memory-vram", "drm-resident-vram", "vram mem"})
        if (!client.vram_bytes && values.contains(key))
            client.vram_bytes = memory_bytes(value(key));
    return client;
}

void read_processes(ProbeContext const& context, Host& host) {
    if (!host.gpus.empty()) return ProcessSearch(context.root, host).state(host.gpu_processes);
    auto const names = context.root.list(kfd_directory);
    if (!names && names.reason != Missing::absent) return miss(host.gpu_processes, names);
    host.gpu_processes.miss(Missing::absent, "no AMD GPU was found");
}

}  // namespace rocmtune
