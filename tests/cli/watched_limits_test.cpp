// SPDX-License-Identifier: MIT
// Small programs that are made to be limited by one thing each, watched as they run. What the
// machine that tests lacks, a GPU or scarce memory, is a tree that changes meanwhile.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/command.hpp"
#include "measure/program_watch.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// ---- programs -----------------------------------------------------------------------------------

[[noreturn]] void spin() {
    for (unsigned volatile turns = 0;;) turns = turns + 1;
}

[[noreturn]] void sleep_for_ever() {
    for (;;) ::pause();
}

[[noreturn]] void spin_on_all_processors() {
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) std::thread(spin).detach();
    spin();
}

[[noreturn]] void touch_new_pages() {
    constexpr std::size_t size = std::size_t{32} << 20;
    for (;;) {
        auto* const area = static_cast<char*>(
            ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (area == MAP_FAILED) ::_exit(1);
        ::madvise(area, size, MADV_NOHUGEPAGE);
        for (std::size_t i = 0; i < size; i += 4096) static_cast<char volatile*>(area)[i] = 1;
        ::munmap(area, size);
    }
}

[[noreturn]] void start_short_programs() {
    for (;;) {
        pid_t const child = ::vfork();
        if (child == 0) {
            ::execl("/bin/true", "true", nullptr);
            ::_exit(1);
        }
        ::waitpid(child, nullptr, 0);
    }
}

/// A tenth of the time it works, in short pieces.
[[noreturn]] void work_now_and_then() {
    for (;;) {
        for (auto const end = Clock::now() + 5ms; Clock::now() < end;) {
        }
        std::this_thread::sleep_for(45ms);
    }
}

[[noreturn]] void hold_memory() {
    std::string const held(std::size_t{256} << 20, 'x');
    for (unsigned volatile turns = held.size() & 1U;;) turns = turns + 1;
}

/// Each block is on the disk before the next one is written.
[[noreturn]] void write_through(std::string const& path) {
    int const file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::string const block(std::size_t{1} << 20, 'x');
    for (off_t at = 0;; at = (at + 1) % 64)
        if (::pwrite(file, block.data(), block.size(), at << 20) < 0 || ::fdatasync(file) != 0)
            ::_exit(1);
}

// ---- a card that changes ------------------------------------------------------------------------

/// The running system, with what a tree has of GPUs and memory in front of it.
class WithTree : public HostSource {
  public:
    explicit WithTree(std::string const& tree)
        : live_(directory_source("/")), tree_(directory_source(tree)), path_(tree) {}

    Reply ask(Query const& query) override {
        if (query.path == "/proc/self/ns/pid") return success("pid:[4026531836]");
        bool const is_of_tree =
            query.path.starts_with("/sys/") ||
            (query.path == "/proc/meminfo" && std::filesystem::exists(path_ + "/proc/meminfo"));
        return is_of_tree ? tree_->ask(query) : live_->ask(query);
    }
    std::optional<std::string> environment() override { return live_->environment(); }

  private:
    std::shared_ptr<HostSource> live_;
    std::shared_ptr<HostSource> tree_;
    std::string path_;
};

/// One GPU, and what each look at it is to find.
class Card {
  public:
    explicit Card(Tree& tree) : tree_(tree) {
        tree.directory("/sys/bus/pci/drivers/amdgpu/0000:03:00.0");
        put("power/runtime_status", "active");
        put("current_link_speed", "16.0 GT/s PCIe");
        put("current_link_width", "16");
        put("mem_info_vram_total", "17179869184");
        put("hwmon/hwmon4/power1_cap", "300000000");
        put("hwmon/hwmon4/temp2_crit", "110000");
        std::string const node = "/sys/class/kfd/kfd/topology/nodes/1/";
        tree.file(node + "gpu_id", "4711\n");
        tree.file(node + "properties", "domain 0\nlocation_id 768\n");
        show(0, 0, 30, 45);
        memory(4);
        traffic(0);
    }

    /// Percent, watts, degrees.
    void show(int busy, int memory_busy, int watts, int celsius) {
        put("gpu_busy_percent", fmt::format("{}", busy));
        put("mem_busy_percent", fmt::format("{}", memory_busy));
        put("hwmon/hwmon4/power1_average", fmt::format("{}000000", watts));
        put("hwmon/hwmon4/temp2_input", fmt::format("{}000", celsius));
    }
    /// GiB in use.
    void memory(int used) {
        put("mem_info_vram_used", fmt::format("{}", std::uint64_t(used) << 30));
    }
    /// Pages that two nodes have handed out, most of them on another node than wanted.
    void pages(int turn) {
        for (int node : {0, 1})
            tree_.file(fmt::format("/sys/devices/system/node/node{}/numastat", node),
                       fmt::format("numa_hit {}\nnuma_miss {}\nother_node {}\n", 1000 + turn * 100,
                                   turn * 3000, turn * 3000));
    }
    /// GB a second on the link.
    void traffic(int rate) { put("pcie_bw", fmt::format("{} 0 1000", rate * 1'000'000)); }
    void hold(pid_t process, int units) {
        auto const directory = fmt::format("/sys/class/kfd/kfd/proc/{}", process);
        if (!std::exchange(texts_[directory], std::to_string(units)).empty()) return;
        tree_.file(directory + "/vram_4711", "1073741824\n");
        tree_.file(directory + "/stats_4711/cu_occupancy", fmt::format("{}\n", units));
    }

  private:
    /// A file that is written is empty for a moment: it is, only where it changes.
    void put(std::string const& name, std::string const& text) {
        if (std::exchange(texts_[name], text) == text) return;
        tree_.file("/sys/bus/pci/devices/0000:03:00.0/" + name, text + '\n');
    }
    Tree& tree_;
    std::map<std::string, std::string> texts_;
};

/// What happens on the card and the host while a program runs; `turn` counts from 0, some 20 a
/// second.
using Happens = std::function<void(Card&, int turn)>;

struct Case {
    std::string_view name;
    std::set<LimitKind> right;
    std::function<void()> program;
    Happens happens = {};
    bool scarce_memory = false;
};

pid_t start(std::function<void()> const& program) {
    pid_t const child = ::fork();
    if (child != 0) return child;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    program();
    ::_exit(0);
}

Observation observe(Case const& one) {
    constexpr auto runs_for = 2200ms;
    Tree tree;
    if (one.scarce_memory)
        tree.file("/proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable: 300000 kB\n");
    tree.directory("/sys/devices");
    std::optional<Card> card;
    pid_t const program = start(one.program);
    if (one.happens) {
        card.emplace(tree);
        card->hold(program, 0);
        one.happens(*card, 0);
    }
    auto const path = tree.path();
    ProgramWatch watch(program, [path] { return HostRoot(std::make_shared<WithTree>(path)); });
    auto const end = Clock::now() + runs_for;
    for (int turn = 0; Clock::now() < end; ++turn) {
        if (card) one.happens(*card, turn);
        watch.take();
        std::this_thread::sleep_for(50ms);
    }
    auto observation = watch.finish();
    ::kill(program, SIGKILL);
    ::waitpid(program, nullptr, 0);
    return observation;
}

/// The first limit that is not that others keep the machine busy that tests.
ObservedLimit first_limit(Observation const& it, Case const& one) {
    for (auto const& limit : it.limits)
        if (limit.kind != LimitKind::other_users || one.right.contains(LimitKind::other_users))
            return limit;
    return it.limits.front();
}

/// Where files are on a disk; nothing where they are in memory.
std::optional<std::string> folder_on_disk() {
    constexpr long tmpfs = 0x01021994;  // linux/magic.h
    for (auto const& folder : {std::filesystem::temp_directory_path().string(), std::string(".")}) {
        struct statfs info {};
        if (::statfs(folder.c_str(), &info) == 0 && info.f_type != tmpfs) return folder;
    }
    return std::nullopt;
}

std::vector<Case> cases(std::string const& file) {
    auto const steady = [](int busy, int memory_busy, int watts, int celsius) {
        return [=](Card& card, int) { card.show(busy, memory_busy, watts, celsius); };
    };
    std::vector<Case> all{
        {"one thread", {LimitKind::one_thread, LimitKind::processors}, spin},
        {"all processors", {LimitKind::processors}, spin_on_all_processors},
        {"page faults", {LimitKind::page_faults}, touch_new_pages},
        {"asleep", {LimitKind::nothing_seen}, sleep_for_ever},
        {"now and then", {LimitKind::waiting}, work_now_and_then},
        {"short programs", {LimitKind::one_thread, LimitKind::processors}, start_short_programs},
        {"memory of the host", {LimitKind::host_memory}, hold_memory, {}, true},
        {"launches",
         {LimitKind::launches},
         spin,
         [](Card& card, int turn) { card.show(turn % 2 == 0 ? 60 : 15, 5, 90, 60); }},
        {"copies",
         {LimitKind::copies},
         sleep_for_ever,
         [](Card& card, int turn) {
             card.show(turn % 4 == 0 ? 40 : 5, 10, 80, 55), card.traffic(28);
         }},
        {"busy GPU, idle host", {LimitKind::gpu_compute}, sleep_for_ever, steady(99, 30, 210, 70)},
        {"memory of the GPU",
         {LimitKind::gpu_memory_bandwidth},
         sleep_for_ever,
         steady(98, 88, 230, 72)},
        {"full memory of the GPU",
         {LimitKind::gpu_memory},
         sleep_for_ever,
         [](Card& card, int) { card.show(20, 5, 90, 50), card.memory(16); }},
        {"power",
         {LimitKind::power},
         sleep_for_ever,
         [](Card& card, int turn) { card.show(97 + turn % 3, 40, 296 + turn % 6, 80); }},
        {"temperature",
         {LimitKind::temperature},
         spin,
         [](Card& card, int turn) { card.show(95, 40, 250, std::min(100 + turn, 109)); }},
        {"NUMA", {LimitKind::numa}, spin, [](Card& card, int turn) { card.pages(turn); }},
        {"other users",
         {LimitKind::other_users},
         sleep_for_ever,
         [](Card& card, int) { card.show(99, 30, 200, 70), card.hold(1, 60); }},
    };
    if (!file.empty()) all.push_back({"disk", {LimitKind::disk}, [file] { write_through(file); }});
    return all;
}

TEST(WatchedPrograms, get_the_word_of_what_limits_them) {
    auto const folder = folder_on_disk();
    auto const file = folder ? *folder + fmt::format("/rocmtune-watched-{}", ::getpid()) : "";
    std::string table;
    int wrong = 0;
    for (auto const& one : cases(file)) {
        auto const it = observe(one);
        auto const limit = first_limit(it, one);
        bool const right = one.right.contains(limit.kind);
        wrong += right ? 0 : 1;
        table += fmt::format("{:<24} {:<22} {} {:.2f} {}\n", one.name, word_of(limit.kind),
                             right ? "right" : "WRONG", limit.share, limit.says);
        EXPECT_GE(it.samples, 3U) << one.name;
        EXPECT_FALSE(limit.doubt.empty()) << one.name;
    }
    if (!file.empty()) std::filesystem::remove(file);
    if (std::getenv("ROCMTUNE_TEST_TABLE") != nullptr) std::cout << table;
    EXPECT_LE(wrong, 1) << table;
}

// ---- the watch ----------------------------------------------------------------------------------

TEST(ProgramWatch, sees_the_memory_of_a_program_and_its_short_children) {
    auto const it = observe({"", {}, hold_memory});
    ASSERT_TRUE(it.resident_bytes);
    EXPECT_GE(it.resident_bytes->peak, 250e6);
    auto const starts = observe({"", {}, start_short_programs});
    ASSERT_TRUE(starts.busiest_thread_share && starts.processors_share && starts.processors);
    // Most of the time is that of children that have ended before anybody looked.
    EXPECT_GT(starts.processors_share->mean * *starts.processors,
              starts.busiest_thread_share->mean);
}

TEST(ProgramWatch, ends_by_itself_with_the_program) {
    pid_t const program = start([] { std::this_thread::sleep_for(300ms); });
    ProgramWatch watch(program);
    ::waitpid(program, nullptr, 0);
    for (int i = 0; i < 1000 && watch.file() >= 0; ++i) {
        watch.take();
        std::this_thread::sleep_for(10ms);
    }
    EXPECT_EQ(watch.file(), -1);
    EXPECT_EQ(watch.finish().limits.size(), 1U);
}

TEST(ProgramWatch, of_a_process_that_is_not_there_sees_nothing) {
    ProgramWatch watch(1 << 30);
    auto const it = watch.finish();
    ASSERT_EQ(it.limits.size(), 1U);
    EXPECT_EQ(it.limits.front().kind, LimitKind::nothing_seen);
}

TEST(ProgramWatch, begins_when_a_command_has_begun) {
    std::optional<ProgramWatch> watch;
    pid_t seen = 0;
    int turns = 0;
    CommandRequest request{.words = {"sh", "-c", "echo $$; sleep 0.5"}};
    request.on_start = [&](pid_t process) { watch.emplace(seen = process); };
    request.on_turn = [&] { ++turns, watch->take(); };
    auto const outcome = run_command(request);
    ASSERT_TRUE(watch);
    EXPECT_EQ(outcome.output, std::to_string(seen) + '\n');
    EXPECT_GE(turns, 2);
    EXPECT_GE(watch->finish().samples, 1U);
    watch.reset();
    turns = 0;
    request.words = {"no-such-program-here"};
    EXPECT_EQ(run_command(request).end, CommandEnd::not_started);
    EXPECT_EQ(turns, 0) << "nothing has begun";
}

}  // namespace
}  // namespace rocmtune::test
