// SPDX-License-Identifier: MIT
// The real program as root, where another user has put links, pipes and directories on the way to
// what it writes; and as an ordinary user in places of his own, who is to notice nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

#include <fmt/format.h>

#include <sys/stat.h>

#include "support/other_user.hpp"
#include "support/run_program.hpp"
#include "support/traced.hpp"

namespace rocmtune::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

/// Command lines that write `file`, one for each option that does.
std::vector<Words> writers_of(std::string const& file) {
    auto const host = host_file("rx7900xt");
    return {{"completion", "bash", "-o", file},
            {"probe", "--replay", host, "-o", file},
            {"probe", "--replay", host, "--also", "json:" + file},
            {"probe", "--sources", "sysfs", "--record", file},
            {"probe", "--sources", "sysfs", "--bug-report", file},
            {"check", "--replay", host, "--learn", file}};
}

/// Places that root and the stranger share. What lies in "private" is root's and precious.
class Places {
  public:
    Places() {
        ::chmod(directory_.path().c_str(), 0755);
        make("private", 0700);
        write_file(at("private/victim"), "precious");
    }
    std::string at(std::string_view name) const { return directory_ / name; }
    void make(std::string const& name, mode_t mode, uid_t owner = 0, gid_t group = 0) const {
        fs::create_directory(at(name));
        if (::geteuid() == 0) {
            ASSERT_EQ(::chown(at(name).c_str(), owner, group), 0);
        }
        ASSERT_EQ(::chmod(at(name).c_str(), mode), 0);
    }
    void link(std::string const& name, std::string const& target, uid_t owner) const {
        fs::create_symlink(target, at(name));
        if (::geteuid() == 0) {
            ASSERT_EQ(::lchown(at(name).c_str(), owner, owner), 0);
        }
    }
    bool set_access_list(std::string const& name, std::string const& entry) const {
        Launch launch;
        launch.words = {"/usr/bin/setfacl", "-m", entry, at(name)};
        return run(launch).code == 0;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (auto const& entry : fs::recursive_directory_iterator(directory_.path()))
            names.push_back(fs::relative(entry.path(), directory_.path()));
        std::sort(names.begin(), names.end());
        return names;
    }

  private:
    Directory const directory_;
};

// ---- planted by another user --------------------------------------------------------------------

struct Plant {
    std::string name;
    std::function<void(Places const&)> set;
    std::string written;  ///< what root is asked to write
    std::string reason;
};

void PrintTo(Plant const& plant, std::ostream* out) {
    *out << plant.name;
}

std::vector<Plant> plants() {
    auto const in = [](std::string directory, mode_t mode, uid_t owner = 0, gid_t group = 0) {
        return [=](Places const& places) {
            places.make(directory, mode, owner, group);
            places.link(directory + "/report", places.at("private/victim"), stranger);
        };
    };
    auto const report = "shared/report is a link of user 65534 in a directory that ";
    return {
        {"last_name_in_a_sticky_directory", in("shared", 01777), "shared/report",
         std::string(report) + "everybody may write"},
        {"last_name_in_an_open_directory", in("shared", 0777), "shared/report",
         std::string(report) + "everybody may write"},
        {"last_name_in_a_directory_of_a_group", in("shared", 0775, 0, stranger), "shared/report",
         std::string(report) + "group 65534 may write"},
        {"last_name_in_a_directory_of_his_own", in("shared", 0755, stranger), "shared/report",
         std::string(report) + "user 65534 may write"},
        {"last_name_by_an_access_list",
         [=](Places const& places) {
             in("shared", 0755)(places);
             if (!places.set_access_list("shared", "u:65534:rwx"))
                 GTEST_SKIP() << "setfacl is not installed, or access lists are not supported";
         },
         "shared/report", std::string(report) + "user 65534 may write"},
        {"middle_link",
         [](Places const& places) {
             places.make("shared", 01777);
             places.link("shared/way", places.at("private"), stranger);
         },
         "shared/way/victim",
         "shared/way is a link of user 65534 in a directory that everybody may write"},
        {"middle_link_in_a_planted_directory",
         [](Places const& places) {
             places.make("shared", 01777);
             places.make("shared/his", 0755, stranger);
             places.link("shared/his/way", "../../private", stranger);
         },
         "shared/his/./way/victim",
         "shared/his/way is a link of user 65534 in a directory that user 65534 may write"},
        {"link_behind_a_link_of_root",
         [](Places const& places) {
             places.make("shared", 01777);
             places.link("shared/theirs", places.at("private/victim"), stranger);
             places.link("shared/ours", "theirs", 0);
         },
         "shared/ours", "shared/theirs is a link of user 65534"},
        {"second_name_of_a_link_of_root",
         [](Places const& places) {
             places.make("shared", 0777);
             places.link("ours", places.at("private/victim"), 0);
             // As anybody can where fs.protected_hardlinks is 0.
             ASSERT_EQ(::link(places.at("ours").c_str(), places.at("shared/report").c_str()), 0);
         },
         "shared/report", "shared/report is a link of user 0 in a directory that everybody"},
        {"pipe",
         [](Places const& places) {
             places.make("shared", 01777);
             ASSERT_EQ(::mkfifo(places.at("shared/report").c_str(), 0666), 0);
             ASSERT_EQ(::chown(places.at("shared/report").c_str(), stranger, stranger), 0);
         },
         "shared/report", "shared/report is a pipe of user 65534"},
    };
}

class Planted : public testing::TestWithParam<std::tuple<Plant, std::string>> {};

TEST_P(Planted, is_refused_and_nothing_is_touched) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
    auto const& [plant, injection] = GetParam();
    if (auto const reason = why_not_injected(); !injection.empty() && !reason.empty())
        GTEST_SKIP() << reason;
    Places const places;
    plant.set(places);
    if (IsSkipped()) return;
    auto const before = places.names();
    for (auto const& words : writers_of(places.at(plant.written))) {
        auto const launch = rocmtune_with(words);
        auto const outcome = run(injection.empty() ? launch : injected(injection, launch));
        EXPECT_EQ(outcome.code, 2) << words.at(words.size() - 2);
        EXPECT_THAT(outcome.err, HasSubstr(plant.reason));
        EXPECT_EQ(content_of(places.at("private/victim")), "precious");
        EXPECT_EQ(places.names(), before);
    }
}

std::string row_name(testing::TestParamInfo<Planted::ParamType> const& row) {
    auto const& injection = std::get<1>(row.param);
    return std::get<0>(row.param).name + (injection.empty()          ? ""
                                          : injection.ends_with("S") ? "_old_kernel"
                                                                     : "_filtered");
}

INSTANTIATE_TEST_SUITE_P(EveryPlace, Planted,
                         testing::Combine(testing::ValuesIn(plants()),
                                          testing::Values("", "openat2:error=ENOSYS",
                                                          "openat2:error=EPERM")),
                         row_name);

/// What root may write into although others may, too: nothing is followed there.
class Shared : public testing::Test {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
        places_.make("shared", 01777);
    }
    void expect_written(std::string const& name) const {
        EXPECT_EQ(run({"completion", "bash", "-o", places_.at(name)}).code, 0) << name;
    }
    mode_t mode_of(std::string const& name) const {
        struct stat s {};
        return ::stat(places_.at(name).c_str(), &s) == 0 ? s.st_mode & 0777U : 0;
    }
    Places const places_;
};

TEST_F(Shared, own_links_are_followed) {
    places_.link("shared/report", places_.at("private/victim"), 0);
    places_.link("shared/way", "../private", 0);
    expect_written("shared/report");
    EXPECT_THAT(content_of(places_.at("private/victim")), HasSubstr("completion"));
    expect_written("shared/way/new");
    EXPECT_TRUE(fs::exists(places_.at("private/new")));
    EXPECT_TRUE(fs::is_symlink(places_.at("shared/report")));
}

TEST_F(Shared, a_directory_of_another_user_gets_a_file_for_its_owner_alone) {
    places_.make("shared/his", 0777, stranger, stranger);
    expect_written("shared/his/report");
    struct stat s {};
    ASSERT_EQ(::stat(places_.at("shared/his/report").c_str(), &s), 0);
    EXPECT_EQ(s.st_uid, 0U);
    EXPECT_EQ(s.st_mode & 0777U, 0600U);
}

TEST_F(Shared, a_second_name_of_a_file_does_not_say_who_may_read_the_report) {
    write_file(places_.at("public"), "for everybody");
    ::chmod(places_.at("public").c_str(), 0644);
    fs::create_hard_link(places_.at("public"), places_.at("shared/report"));
    expect_written("shared/report");
    struct stat s {};
    ASSERT_EQ(::stat(places_.at("shared/report").c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 0777U, 0600U);
    EXPECT_EQ(content_of(places_.at("public")), "for everybody");
}

/// Who may write a directory gives names in it to files of root, and its owner says whom new files
/// belong to and who else may read them.
TEST_F(Shared, a_file_that_another_user_may_have_named_does_not_say_who_may_read_the_report) {
    places_.make("shared/his", 02755, stranger, stranger);
    places_.make("shared/listed", 0755, stranger, stranger);
    places_.make("shared/open", 0777);
    bool const has_list = places_.set_access_list("shared/listed", "d:u:65534:rwx");
    for (std::string const directory : {"his", "listed", "open"}) {
        if (directory == "listed" && !has_list) continue;
        for (mode_t const mode : {0644U, 0640U, 0666U}) {
            auto const report = places_.at("shared/" + directory + "/report");
            std::ofstream(report) << "of root";
            ::chmod(report.c_str(), mode);
            expect_written("shared/" + directory + "/report");
            EXPECT_EQ(mode_of("shared/" + directory + "/report"), 0600U)
                << directory << ' ' << mode;
        }
    }
}

TEST_F(Shared, a_file_of_ours_in_a_directory_that_keeps_names_says_who_may_read_the_report) {
    for (std::string const name : {"shared/report", "private/report"}) {
        std::ofstream(places_.at(name)) << "of root";
        ::chmod(places_.at(name).c_str(), 0644);
        expect_written(name);
        EXPECT_EQ(mode_of(name), 0644U) << name;
    }
}

TEST_F(Shared, a_cache_is_not_used_where_another_user_may_write) {
    places_.make("shared/his", 0755, stranger, stranger);
    places_.link("shared/way", places_.at("private"), stranger);
    places_.make("shared/his/cache", 0700);
    for (auto const* const path : {"shared/his/cache", "shared/his/new", "shared/way/cache"}) {
        auto launch = rocmtune_with({"cache", "status", "--json"});
        launch.environment["ROCMTUNE_CACHE"] = places_.at(path);
        auto const cache = nlohmann::json::parse(run(launch).out).at("cache");
        EXPECT_THAT(cache.at("problem").dump(), HasSubstr("is not used: ")) << path;
        launch.words.at(2) = "clear";
        EXPECT_EQ(run(launch).code, 2) << path;
    }
}

// ---- places of the user's own -------------------------------------------------------------------

/// Runs as the stranger where the test is root, else as whoever runs it.
class OwnPlaces : public testing::Test {
  protected:
    void SetUp() override {
        if (auto const reason = program_.why_unreachable(); is_root_ && !reason.empty())
            GTEST_SKIP() << reason;
        places_.make("home", 0755, stranger, stranger);
    }
    Launch by_user(Launch launch) const {
        if (!is_root_) return launch;
        std::replace(launch.words.begin(), launch.words.end(), std::string(ROCMTUNE_BINARY),
                     program_.path());
        return started_by(
            {"/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"},
            std::move(launch));
    }
    void expect_written(std::string const& name, std::string const& real) const {
        auto const outcome =
            run(by_user(rocmtune_with({"completion", "bash", "-o", places_.at(name)})));
        EXPECT_EQ(outcome.code, 0) << name << ": " << outcome.err;
        EXPECT_THAT(content_of(places_.at(real)), HasSubstr("completion")) << real;
    }
    /// A script of bash, with the program as $0.
    Outcome bash(std::string const& script) const {
        auto launch = started_by({"/bin/bash", "-c", script}, rocmtune_with({}));
        launch.directory = places_.at("home");
        return run(by_user(std::move(launch)));
    }

    bool const is_root_ = ::geteuid() == 0;
    ProgramForEverybody const program_;
    Places const places_;
};

TEST_F(OwnPlaces, own_links_are_followed) {
    places_.make("home/real", 0755, stranger, stranger);
    places_.link("home/way", "real", stranger);
    places_.link("home/report", "real/report", stranger);
    expect_written("home/way/first", "home/real/first");
    expect_written("home/report", "home/real/report");
}

TEST_F(OwnPlaces, own_links_in_a_directory_for_everybody_are_followed) {
    places_.make("tmp", 01777);
    places_.link("tmp/way", places_.at("home"), stranger);
    expect_written("tmp/way/report", "home/report");
    expect_written("tmp/new", "tmp/new");
    expect_written("tmp/new", "tmp/new");
}

TEST_F(OwnPlaces, links_of_root_and_of_who_owns_the_directory_are_followed) {
    if (!is_root_) GTEST_SKIP() << "needs root to be several users";
    places_.make("open", 0777, 1001, 1001);
    places_.link("open/of_root", places_.at("home"), 0);
    places_.link("open/of_owner", places_.at("home"), 1001);
    expect_written("open/of_root/first", "home/first");
    expect_written("open/of_owner/second", "home/second");
}

TEST_F(OwnPlaces, links_of_colleagues_in_a_directory_of_the_own_group_are_followed) {
    if (!is_root_) GTEST_SKIP() << "needs root to be several users";
    places_.make("project", 02775, 0, stranger);
    places_.make("project/run5", 02775, 1001, stranger);
    places_.link("project/latest", "run5", 1001);
    expect_written("project/latest/report", "project/run5/report");
}

TEST_F(OwnPlaces, links_of_others_are_not_followed_where_everybody_makes_them) {
    if (!is_root_) GTEST_SKIP() << "needs root to be several users";
    places_.make("tmp", 01777);
    write_file(places_.at("home/mine"), "precious");
    ASSERT_EQ(::chown(places_.at("home/mine").c_str(), stranger, stranger), 0);
    places_.link("tmp/report", places_.at("home/mine"), 1001);
    auto const outcome =
        run(by_user(rocmtune_with({"completion", "bash", "-o", places_.at("tmp/report")})));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("tmp/report is a link of user 1001"));
    EXPECT_EQ(content_of(places_.at("home/mine")), "precious");
}

TEST_F(OwnPlaces, descriptors_get_it_where_they_stand) {
    auto const outcome = bash(
        "{ echo before; \"$0\" completion fish -o /dev/stdout; echo after; } >out\n"
        "\"$0\" completion fish -o /dev/fd/7 7>seven\n"
        "{ echo before; \"$0\" completion fish -o /proc/self/fd/1; } >>out");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    auto const once = content_of(places_.at("home/seven"));
    EXPECT_THAT(once, HasSubstr("fish completion"));
    EXPECT_EQ(content_of(places_.at("home/out")), "before\n" + once + "after\nbefore\n" + once);
}

TEST_F(OwnPlaces, a_descriptor_for_reading_is_not_written) {
    auto const outcome = bash("echo precious >in; \"$0\" completion fish -o /dev/fd/7 7<in");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(content_of(places_.at("home/in")), "precious\n");
}

TEST_F(OwnPlaces, process_substitution_gets_all_of_it) {
    auto const outcome = bash(
        "\"$0\" completion fish -o >(cat >out); \"$0\" completion fish >same\n"
        "for i in 1 2 3 4 5 6 7 8 9; do cmp -s out same && exit; sleep 1; done\n"
        "exit 1");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(OwnPlaces, a_cache_behind_own_links_is_used) {
    places_.make("home/scratch", 0755, stranger, stranger);
    places_.link("home/.cache", "scratch", stranger);
    auto launch = rocmtune_with({"cache", "status", "--json"});
    launch.environment["HOME"] = places_.at("home");
    auto const outcome = run(by_user(launch));
    auto const cache = nlohmann::json::parse(outcome.out).at("cache");
    EXPECT_FALSE(cache.contains("problem") && cache.at("problem").is_string()) << cache;
}

// ---- names and file systems that are no help ----------------------------------------------------

/// No part of a file is left, and what was there stays.
class NoHalves : public testing::Test {
  protected:
    NoHalves() { write_file(directory_ / "report", "old"); }
    Launch launch(std::string const& name) const {
        auto launch = rocmtune_with({"completion", "bash", "-o", name});
        launch.directory = directory_.path();
        return launch;
    }
    void expect_refused(Launch const& launch, std::string const& reason) const {
        auto const outcome = run(launch);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("cannot write "));
        EXPECT_THAT(outcome.err, HasSubstr(reason));
        EXPECT_EQ(content_of(directory_ / "report"), "old");
        EXPECT_THAT(directory_.names(), ElementsAre("report"));
    }
    Directory const directory_;
};

TEST_F(NoHalves, of_names_that_are_no_files) {
    std::string long_path = "./";
    while (long_path.size() < 4096) long_path += "./";
    expect_refused(launch("report/"), "ENOTDIR");
    expect_refused(launch("new/"), "ENOENT");
    expect_refused(launch("none/../new"), "ENOENT");
    expect_refused(launch("."), "EISDIR");
    expect_refused(launch(".."), "EISDIR");
    expect_refused(launch("/"), "EISDIR");
    expect_refused(launch(std::string(256, 'n')), "ENAMETOOLONG");
    expect_refused(launch(long_path + "new"), "ENAMETOOLONG");
}

TEST_F(NoHalves, of_names_that_are_long_or_odd_but_fine) {
    for (auto const& name : {std::string(255, 'n'), std::string("two\nlines"),
                             std::string("./x/../x/tab\t"), std::string("\xff")}) {
        fs::create_directory(directory_ / "x");
        EXPECT_EQ(run(launch(name)).code, 0) << name;
        EXPECT_TRUE(fs::is_regular_file(directory_ / name)) << name;
    }
}

TEST_F(NoHalves, when_a_call_fails_in_the_middle) {
    if (auto const reason = why_not_injected(); !reason.empty()) GTEST_SKIP() << reason;
    for (std::string const call :
         {"renameat:error=EXDEV", "fsync:error=EIO:when=1", "fchmod:error=EPERM"})
        expect_refused(injected(call, launch("report")), call.substr(call.find('=') + 1, 3));
}

TEST_F(NoHalves, on_a_full_disk) {
    if (auto const reason = why_not_mounted(); !reason.empty()) GTEST_SKIP() << reason;
    auto const full = started_by({"/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                                  "mkdir disk && mount -t tmpfs -o size=4k none disk || exit 99\n"
                                  "\"$0\" \"$@\"; code=$?; ls -A disk; exit $code"},
                                 launch("disk/report"));
    auto const outcome = run(full);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("the disk is full"));
}

TEST_F(NoHalves, over_a_file_that_is_mounted) {
    if (auto const reason = why_not_mounted(); !reason.empty()) GTEST_SKIP() << reason;
    expect_refused(after_mounting("mount --bind report report", launch("report")), "EBUSY");
}

TEST_F(NoHalves, where_access_lists_are_not_supported_or_cannot_be_read) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
    if (auto const reason = why_not_injected(); !reason.empty()) GTEST_SKIP() << reason;
    Places const places;
    places.make("shared", 0775);
    places.link("shared/new", places.at("private/new"), stranger);
    auto const write = launch(places.at("shared/new"));
    EXPECT_EQ(run(injected("getxattr:error=EIO", write)).code, 2);
    EXPECT_FALSE(fs::exists(places.at("private/new")));
    EXPECT_EQ(run(injected("getxattr:error=EOPNOTSUPP", write)).code, 0);
}

}  // namespace
}  // namespace rocmtune::test
