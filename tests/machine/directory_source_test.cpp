// SPDX-License-Identifier: MIT
// Directory trees as hosts: hostile ones, incomplete ones, and kernels without openat2.
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "machine/host_root.hpp"
#include "machine/path_walk.hpp"
#include "machine/posix_file.hpp"
#include "rocmtune/error.hpp"
#include "support/child.hpp"
#include "support/lost_call.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

std::string on_disk(Tree const& tree, std::string const& path) {
    return tree.path() + path;
}

bool has_openat2() {
    return static_cast<bool>(FileDescriptor(openat2_call(AT_FDCWD, "/", O_PATH, 0)));
}

// ---- what is no host --------------------------------------------------------------------------

void expect_refused(std::string const& root) {
    try {
        directory_source(root);
        ADD_FAILURE() << root << " was taken for a host";
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Exit::usage);
        EXPECT_NE(std::string(error.what()), "");
    }
}

TEST(DirectorySource, a_root_that_is_no_host_is_refused) {
    Tree tree;
    tree.file("/etc/hosts", "x\n").file("/other/readme", "x\n").directory("/empty");
    tree.file("/files/sys", "a file called sys").link("/loop/sys", "sys");
    expect_refused(on_disk(tree, "/nowhere"));
    expect_refused(on_disk(tree, "/etc/hosts"));
    expect_refused(on_disk(tree, "/other"));
    expect_refused(on_disk(tree, "/empty"));
    expect_refused(on_disk(tree, "/files"));
    expect_refused(on_disk(tree, "/loop"));
    expect_refused("/dev/null");
}

TEST(DirectorySource, a_root_whose_only_part_is_a_link_out_of_it_is_refused) {
    Tree tree;
    tree.link("/bait/sys", "/sys").link("/bait/etc", "../../../../../../etc");
    expect_refused(on_disk(tree, "/bait"));
}

TEST(DirectorySource, a_root_with_odd_characters_is_named_without_them) {
    try {
        directory_source("/nowhere/\x1b[31mred\n");
        FAIL();
    } catch (Error const& error) {
        EXPECT_EQ(std::string(error.what()).find_first_of("\x1b\n"), std::string::npos)
            << error.what();
    }
}

TEST(DirectorySource, the_label_says_that_answers_are_not_live) {
    Tree tree;
    EXPECT_NE(tree.root().label().find(tree.path()), std::string::npos);
    EXPECT_EQ(directory_source("/")->label(), "");
    EXPECT_EQ(directory_source("")->label(), "");
}

TEST(DirectorySource, a_tree_has_no_environment_and_no_calls) {
    Tree tree;
    EXPECT_TRUE(tree.root().environment().empty());
    EXPECT_EQ(tree.root().call("uname.release").reason, Missing::not_recorded);
    EXPECT_EQ(tree.root().open_device("/dev/kfd").reason, Missing::not_recorded);
}

// ---- links ------------------------------------------------------------------------------------

/// The same questions with and without openat2; returns the answers as one text.
std::string links_seen(Tree const& tree) {
    auto const root = tree.root();
    std::string text;
    for (std::string const path :
         {"/etc/plain", "/etc/absolute", "/etc/above", "/etc/out", "/etc/loop", "/etc/circle/x",
          "/etc/dangling", "/etc/through-gap", "/etc/through-file", "/etc/dir-link/inner",
          "/etc/plain/below", "/etc/dir", "/etc/zero", "/etc/missing", "/etc/../etc/./plain",
          "/etc//plain", "/etc/chain40", "/etc/fifo", "/etc/parent-of-root"}) {
        auto const file = root.read_bytes(path);
        auto const names = root.list(path);
        auto const target = root.link(path);
        auto const real = root.resolve(path);
        auto const status = root.status(path);
        auto const say = [](auto const& answer) {
            return std::string(missing_name(answer.reason)) + '/' + std::to_string(answer.error);
        };
        text += path + ": read " + (file ? *file : say(file)) + " list " +
                (names ? std::to_string(names->size()) : say(names)) + " link " +
                (target ? *target : say(target)) + " real " + (real ? *real : say(real)) +
                " status " + (status ? std::string(1, status->kind) : say(status)) + '\n';
    }
    return text;
}

void make_links(Tree& tree) {
    tree.file("/etc/plain", "plain\n").file("/etc/dir/inner", "inner\n");
    tree.link("/etc/absolute", "/etc/plain").link("/etc/above", "../../../../../../etc/plain");
    tree.link("/etc/out", tree.path() + "/etc/plain");  // leads nowhere inside the root
    tree.link("/etc/loop", "loop").link("/etc/circle", "elcric").link("/etc/elcric", "circle");
    tree.link("/etc/dangling", "nothing").link("/etc/dir-link", "dir");
    tree.link("/etc/through-gap", "gap/../plain").link("/etc/through-file", "plain/../plain");
    tree.link("/etc/zero", "/dev/zero").link("/etc/parent-of-root", "../..");
    for (int i = 1; i < 40; ++i)
        tree.link("/etc/chain" + std::to_string(i + 1), "chain" + std::to_string(i));
    tree.link("/etc/chain1", "plain");
    ::mkfifo(on_disk(tree, "/etc/fifo").c_str(), 0600);
}

TEST(DirectorySource, a_link_stays_inside_the_root) {
    Tree tree;
    make_links(tree);
    auto const root = tree.root();
    EXPECT_EQ(root.read("/etc/absolute").value, "plain");
    EXPECT_EQ(root.read("/etc/above").value, "plain");
    EXPECT_FALSE(root.read("/etc/out"));
    EXPECT_EQ(root.read("/etc/zero").reason, Missing::not_recorded)
        << "the tree has no /dev at all";
    EXPECT_EQ(root.resolve("/etc/zero").value, std::nullopt);
    EXPECT_EQ(root.resolve("/etc/parent-of-root").value, "/");
    EXPECT_EQ(root.list("/etc/parent-of-root").value, Strings{"etc"});
}

TEST(DirectorySource, loops_and_chains_end_as_in_the_kernel) {
    Tree tree;
    make_links(tree);
    auto const root = tree.root();
    EXPECT_EQ(root.read("/etc/loop").error, ELOOP);
    EXPECT_EQ(root.read("/etc/circle/x").error, ELOOP);
    EXPECT_EQ(root.resolve("/etc/loop").error, ELOOP);
    EXPECT_EQ(root.read("/etc/chain40").value, "plain");
    EXPECT_EQ(root.resolve("/etc/chain40").value, "/etc/plain");
}

TEST(DirectorySource, a_path_does_not_come_back_to_life_by_dots) {
    Tree tree;
    make_links(tree);
    auto const root = tree.root();
    EXPECT_FALSE(root.read("/etc/through-gap"));
    EXPECT_FALSE(root.resolve("/etc/through-gap"));
    EXPECT_FALSE(root.read("/etc/through-file"));
    EXPECT_FALSE(root.resolve("/etc/through-file"));
}

TEST(DirectorySource, reading_a_link_gives_its_text) {
    Tree tree;
    make_links(tree);
    EXPECT_EQ(tree.root().link("/etc/above").value, "../../../../../../etc/plain");
    EXPECT_EQ(tree.root().link("/etc/loop").value, "loop");
    EXPECT_FALSE(tree.root().link("/etc/plain"));
    EXPECT_FALSE(tree.root().link("/"));
}

TEST(DirectorySource, kernels_without_openat2_give_the_same_answers) {
    Tree tree;
    make_links(tree);
    auto const expected = links_seen(tree);
    // ENOSYS: Linux before 5.6. EPERM: a container runtime's filter that does not know the call.
    // EAGAIN: somebody, anywhere, renames or mounts something while `..` is followed.
    for (int const error : {ENOSYS, EPERM, EAGAIN}) {
        auto const result = run_in_child([&] {
            if (!lose_call(SYS_openat2, error) || has_openat2()) return cannot_try;
            auto const seen = links_seen(tree);
            if (seen != expected)
                std::fputs(("with openat2:\n" + expected + "without:\n" + seen).c_str(), stderr);
            return seen == expected ? 0 : 1;
        });
        if (result == cannot_try) GTEST_SKIP() << "no seccomp filters here";
        EXPECT_EQ(result, 0) << error;
    }
}

TEST(DirectorySource, kernels_without_openat2_reach_far_down) {
    Tree tree;
    std::string deep = "/sys";
    for (int i = 0; i < 40; ++i) deep += "/d" + std::to_string(i);
    tree.file(deep + "/f", "far\n").link("/etc/down", deep);
    auto const result = run_in_child([&] {
        if (!lose_call(SYS_openat2, ENOSYS) || has_openat2()) return cannot_try;
        auto const root = tree.root();
        return root.read(deep + "/f").value == "far" && root.read("/etc/down/f").value == "far" &&
                       root.list("/") && root.list(deep).value == Strings{"f"} &&
                       !root.read(deep + "/f/x")
                   ? 0
                   : 1;
    });
    if (result == cannot_try) GTEST_SKIP() << "no seccomp filters here";
    EXPECT_EQ(result, 0);
}

// ---- files ------------------------------------------------------------------------------------

TEST(DirectorySource, a_fifo_neither_hangs_nor_is_a_file) {
    Tree tree;
    ::mkfifo(on_disk(tree, "/etc/fifo").c_str(), 0600);
    auto const answer = tree.root().read("/etc/fifo");
    EXPECT_FALSE(answer);
    EXPECT_EQ(answer.reason, Missing::invalid);
    EXPECT_EQ(tree.root().status("/etc/fifo")->kind, 'o');
}

/// How often a file was opened since this watch began; looking at it (O_PATH) does not count.
class OpenWatch {
  public:
    explicit OpenWatch(std::string const& path) : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
        if (::inotify_add_watch(fd_.get(), path.c_str(), IN_OPEN) < 0)
            throw std::runtime_error("no inotify");
    }
    bool saw_an_open() const {
        char buffer[4096];
        return ::read(fd_.get(), buffer, sizeof buffer) > 0;
    }

  private:
    FileDescriptor fd_;
};

/// Asks everything of a special file, by its name and through a link.
void ask_all(Tree& tree, std::string const& path) {
    tree.link("/etc/to-it", path);
    auto const root = tree.root();
    for (std::string const& at : {path, std::string("/etc/to-it")}) {
        EXPECT_EQ(root.read(at).reason, Missing::invalid) << at;
        EXPECT_FALSE(root.list(at));
        EXPECT_FALSE(root.open_device(at));
        EXPECT_TRUE(root.status(at));
        (void)root.link(at);
        (void)root.resolve(at);
    }
}

TEST(DirectorySource, a_fifo_of_a_tree_is_never_opened) {
    Tree tree;
    auto const path = on_disk(tree, "/etc/fifo");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    OpenWatch const watch(path);
    ask_all(tree, "/etc/fifo");
    EXPECT_FALSE(watch.saw_an_open());
    ::close(::open(path.c_str(), O_RDONLY | O_NONBLOCK));
    EXPECT_TRUE(watch.saw_an_open()) << "the watch sees nothing";
}

TEST(DirectorySource, a_device_of_a_tree_is_never_opened) {
    Tree tree;
    auto const path = on_disk(tree, "/etc/null");
    if (::mknod(path.c_str(), S_IFCHR | 0666, ::makedev(1, 3)) != 0)
        GTEST_SKIP() << "devices are made by root only";
    OpenWatch const watch(path);
    ask_all(tree, "/etc/null");
    EXPECT_FALSE(watch.saw_an_open());
}

TEST(DirectorySource, a_directory_in_place_of_a_file_is_invalid_and_the_reverse_absent) {
    Tree tree;
    tree.directory("/etc/dir").file("/etc/file", "x\n");
    EXPECT_EQ(tree.root().read("/etc/dir").reason, Missing::invalid);
    EXPECT_EQ(tree.root().read("/etc/dir").error, EISDIR);
    EXPECT_EQ(tree.root().list("/etc/file").error, ENOTDIR);
    EXPECT_EQ(tree.root().read("/etc/file/x").error, ENOTDIR);
}

TEST(DirectorySource, nul_padding_is_cut) {
    Tree tree;
    tree.file("/etc/label", std::string("edge\n") + std::string(4091, '\0'));
    tree.file("/etc/nuls", std::string(100, '\0'));
    EXPECT_EQ(tree.root().read("/etc/label").value, "edge");
    EXPECT_EQ(tree.root().read("/etc/nuls").value, "");
    EXPECT_EQ(tree.root().read_bytes("/etc/label")->size(), 4096U);
}

TEST(DirectorySource, binary_data_is_no_text) {
    Tree tree;
    tree.file("/etc/binary",
              "\x7f"
              "ELF\x02\x01");
    tree.file("/etc/escape", "RX 7900\x1b[2J\n");
    EXPECT_EQ(tree.root().read("/etc/binary").reason, Missing::invalid);
    EXPECT_EQ(tree.root().read("/etc/escape").reason, Missing::invalid);
    EXPECT_EQ(tree.root().read_bytes("/etc/binary").value,
              "\x7f"
              "ELF\x02\x01");
}

TEST(DirectorySource, an_empty_file_is_an_empty_text) {
    Tree tree;
    tree.file("/etc/empty").file("/etc/blank", " \n\t\n");
    EXPECT_EQ(tree.root().read("/etc/empty").value, "");
    EXPECT_EQ(tree.root().read("/etc/blank").value, "");
}

TEST(DirectorySource, a_file_longer_than_the_cap_is_invalid_and_costs_little) {
    Tree tree;
    tree.file("/etc/huge", "head").file("/etc/cap", std::string(read_cap_bytes, 'x'));
    tree.file("/etc/over", std::string(read_cap_bytes + 1, 'x'));
    std::filesystem::resize_file(on_disk(tree, "/etc/huge"), std::uintmax_t{1} << 30);
    auto const answer = tree.root().read_bytes("/etc/huge");
    EXPECT_EQ(answer.reason, Missing::invalid);
    EXPECT_EQ(answer.detail, "/etc/huge: longer than 64 KiB");
    EXPECT_EQ(tree.root().read("/etc/cap")->size(), read_cap_bytes);
    EXPECT_EQ(tree.root().read("/etc/over").reason, Missing::invalid);
}

TEST(DirectorySource, files_known_to_be_long_have_a_higher_cap) {
    Tree tree;
    tree.file("/proc/cpuinfo", std::string(1 << 20, 'x'))
        .file("/proc/cpuinfo-not", std::string(9 << 20, 'x'));
    EXPECT_EQ(tree.root().read_bytes("/proc/cpuinfo")->size(), std::size_t{1} << 20);
    EXPECT_EQ(read_cap("/sys/anything"), read_cap_bytes);
}

TEST(DirectorySource, an_endless_file_stops_at_the_cap) {
    // The only endless regular files are those of procfs; a real device must not be read at all.
    auto const live = HostRoot(directory_source("/"));
    EXPECT_EQ(live.read_bytes("/dev/zero").reason, Missing::invalid);
    EXPECT_EQ(live.read_bytes("/dev/full").reason, Missing::invalid);
}

TEST(DirectorySource, an_unreadable_file_is_denied) {
    if (::geteuid() == 0) GTEST_SKIP() << "mode bits do not bind root";
    Tree tree;
    tree.file("/etc/secret", "x\n").file("/etc/closed/file", "x\n");
    std::filesystem::permissions(on_disk(tree, "/etc/secret"), std::filesystem::perms::none);
    std::filesystem::permissions(on_disk(tree, "/etc/closed"), std::filesystem::perms::none);
    EXPECT_EQ(tree.root().read("/etc/secret").reason, Missing::denied);
    EXPECT_EQ(tree.root().list("/etc/closed").reason, Missing::denied);
    EXPECT_EQ(tree.root().read("/etc/closed/file").reason, Missing::denied);
    EXPECT_EQ(tree.root().resolve("/etc/closed/file").reason, Missing::denied);
    std::filesystem::permissions(on_disk(tree, "/etc/closed"), std::filesystem::perms::owner_all);
}

TEST(DirectorySource, a_user_without_rights_is_denied_even_if_root_runs_the_tests) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to become nobody";
    Tree tree;
    tree.file("/etc/secret", "x\n");
    std::filesystem::permissions(on_disk(tree, "/etc/secret"), std::filesystem::perms::none);
    std::filesystem::permissions(tree.path(), std::filesystem::perms::all);
    auto const result = run_in_child([&] {
        constexpr uid_t nobody = 65534;
        if (::setgid(nobody) != 0 || ::setuid(nobody) != 0) return cannot_try;
        return tree.root().read("/etc/secret").reason == Missing::denied ? 0 : 1;
    });
    if (result == cannot_try) GTEST_SKIP() << "cannot become nobody";
    EXPECT_EQ(result, 0);
}

TEST(DirectorySource, names_are_sorted_by_their_numbers) {
    Tree tree;
    for (auto const* name : {"card10", "card2", "card1", "card02"})
        tree.directory("/sys/class/drm/" + std::string(name));
    EXPECT_EQ(tree.root().list("/sys/class/drm").value,
              (Strings{"card1", "card02", "card2", "card10"}));
    EXPECT_EQ(tree.root().list("/sys/class/drm/").value, tree.root().list("/sys/class/drm").value);
}

TEST(DirectorySource, a_name_may_be_anything) {
    Tree tree;
    tree.file("/etc/odd/a\nb", "1\n").file("/etc/odd/\xff\x1b[0m", "2\n");
    auto const names = tree.root().list("/etc/odd");
    ASSERT_TRUE(names);
    ASSERT_EQ(names->size(), 2U);
    for (auto const& name : *names) EXPECT_TRUE(tree.root().read("/etc/odd/" + name)) << name;
}

TEST(DirectorySource, status_tells_kind_and_mode) {
    Tree tree;
    tree.file("/etc/f", "x").link("/etc/l", "f").directory("/etc/d");
    std::filesystem::permissions(on_disk(tree, "/etc/f"),
                                 static_cast<std::filesystem::perms>(0640));
    EXPECT_EQ(tree.root().status("/etc/f")->kind, 'f');
    EXPECT_EQ(tree.root().status("/etc/f")->mode, 0640U);
    EXPECT_EQ(tree.root().status("/etc/l")->kind, 'f') << "links are followed";
    EXPECT_EQ(tree.root().status("/etc/d")->kind, 'd');
    EXPECT_EQ(HostRoot(directory_source("/")).status("/dev/null")->kind, 'c');
    EXPECT_EQ(HostRoot(directory_source("/")).status("/dev/null")->major, 1U);
}

// ---- absent or not recorded (plain trees) -------------------------------------------------------

TEST(DirectorySource, a_missing_file_is_absent_only_where_its_area_has_an_entry) {
    Tree tree;
    tree.file("/sys/class/drm/version", "x\n").directory("/sys/class/kfd").directory("/proc");
    auto const reason = [&](char const* path) { return tree.root().read(path).reason; };
    EXPECT_EQ(reason("/sys/class/drm/card0/device/vendor"), Missing::absent);
    EXPECT_EQ(reason("/sys/class/kfd/kfd/topology"), Missing::not_recorded) << "an empty area";
    EXPECT_EQ(reason("/sys/module/amdgpu/initstate"), Missing::not_recorded) << "no area";
    EXPECT_EQ(reason("/proc/cpuinfo"), Missing::not_recorded);
    EXPECT_EQ(reason("/dev/kfd"), Missing::not_recorded);
    EXPECT_EQ(reason("/opt/rocm/.info/version"), Missing::not_recorded);
    EXPECT_EQ(reason("/lib/modules/x"), Missing::not_recorded) << "in no area";
    tree.file("/sys/module/ttm/version", "x\n").file("/proc/version", "x\n").file("/opt/x", "x");
    EXPECT_EQ(reason("/sys/module/amdgpu/initstate"), Missing::absent);
    EXPECT_EQ(reason("/proc/cpuinfo"), Missing::absent);
    EXPECT_EQ(reason("/opt/rocm/.info/version"), Missing::absent);
}

TEST(DirectorySource, every_kind_of_question_knows_absent_from_not_recorded) {
    Tree tree;
    tree.file("/dev/null-like", "x");
    auto const root = tree.root();
    EXPECT_EQ(root.list("/dev/dri").reason, Missing::absent);
    EXPECT_EQ(root.status("/dev/kfd").reason, Missing::absent);
    EXPECT_EQ(root.link("/dev/kfd").reason, Missing::absent);
    EXPECT_EQ(root.resolve("/dev/kfd").reason, Missing::absent);
    EXPECT_EQ(root.list("/opt/x").reason, Missing::not_recorded);
    EXPECT_EQ(root.status("/opt/x").reason, Missing::not_recorded);
    EXPECT_EQ(root.link("/opt/x").reason, Missing::not_recorded);
    EXPECT_EQ(root.resolve("/opt/x").reason, Missing::not_recorded);
    EXPECT_EQ(root.resolve("/opt/x/y").reason, Missing::not_recorded);
}

TEST(DirectorySource, an_area_that_is_a_file_or_a_loop_says_nothing) {
    Tree tree;
    tree.file("/opt", "a file").link("/proc", "proc");
    EXPECT_EQ(tree.root().read("/opt/rocm").reason, Missing::not_recorded);
    EXPECT_EQ(tree.root().read("/proc/cpuinfo").error, ELOOP);
}

TEST(DirectorySource, a_live_system_lacks_what_is_missing) {
    auto const live = HostRoot(directory_source("/"));
    EXPECT_EQ(live.read("/opt/no-such-directory/file").reason, Missing::absent);
    EXPECT_EQ(live.resolve("/no-such-directory/file").reason, Missing::absent);
    EXPECT_TRUE(live.call("uname.release"));
    EXPECT_TRUE(live.call("identity.gids"));
    EXPECT_TRUE(live.call("limit.memlock"));
    EXPECT_TRUE(live.call("filesystem./"));
    EXPECT_FALSE(live.call("filesystem./no-such-directory"));
    auto const home = live.call("home.filesystem");  // not every build user has one
    EXPECT_TRUE(!home || home.value->starts_with("0x"));
    EXPECT_EQ(live.call("no-such-call").reason, Missing::unsupported);
}

TEST(DirectorySource, a_live_system_tells_what_a_directory_lies_on_and_who_may_write_there) {
    Tree tree;
    tree.directory("/etc/cache dir").file("/etc/file", "x");
    std::filesystem::permissions(tree.path() + "/etc/cache dir", std::filesystem::perms(01757));
    auto const live = HostRoot(directory_source("/"));
    auto const answer = live.call("directory." + tree.path() + "/etc/cache dir");
    ASSERT_TRUE(answer) << answer.detail;
    auto const part = words(*answer);
    ASSERT_EQ(part.size(), 5U) << *answer;
    EXPECT_TRUE(part[0].starts_with("0x"));
    EXPECT_EQ(part[1], "1757");
    EXPECT_EQ(part[2], std::to_string(::geteuid()));
    EXPECT_EQ(part[4], "w");
    EXPECT_FALSE(live.call("directory." + tree.path() + "/etc/file"));
    EXPECT_EQ(live.call("directory./no-such-directory").reason, Missing::absent);
    EXPECT_EQ(tree.root().call("directory./etc").reason, Missing::not_recorded);
}

TEST(DirectorySource, a_live_system_shows_the_head_of_a_file_and_no_device) {
    Tree tree;
    tree.file("/etc/long", std::string(1000, 'x')).file("/etc/empty");
    auto const live = HostRoot(directory_source("/"));
    auto const head = [&](std::string const& path) { return live.call("head." + path); };
    EXPECT_EQ(head(tree.path() + "/etc/long").value, "1000\n" + std::string(512, 'x'));
    EXPECT_EQ(head(tree.path() + "/etc/empty").value, "0\n");
    EXPECT_EQ(head("/dev/zero").reason, Missing::invalid);
    EXPECT_EQ(head(tree.path() + "/etc").reason, Missing::invalid);
    EXPECT_EQ(head("/no-such-file").reason, Missing::absent);
}

TEST(DirectorySource, the_root_keeps_its_place_when_standard_input_was_closed) {
    Tree tree;
    tree.file("/etc/hosts", "x\n");
    auto const result = run_in_child([&] {
        ::close(0);
        auto const root = tree.root();
        ::close(0);  // as a redirection of standard input does
        return root.read("/etc/hosts").value == "x" ? 0 : 1;
    });
    EXPECT_EQ(result, 0);
}

}  // namespace
}  // namespace rocmtune::test
