// SPDX-License-Identifier: MIT
// The real program as root, with a library that another user could have put where the real loader
// finds it, in every form in which a search path can lead there. Each form is also tried with a
// program that loads as all programs do, so that one that leads nowhere is noticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include <endian.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "support/other_user.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

namespace fs = std::filesystem;

/// How a file or directory is one of another user.
enum class Way { owned, of_a_group, open, sticky, listed };

/// Paths are relative to the test's directory, and "%" stands for it. `ours` is a directory of
/// root; `theirs` is, too, until something of it becomes one of another user.
struct Form {
    char const* name;
    std::string search = "";         ///< LD_LIBRARY_PATH
    std::string files = "theirs/L";  ///< where the library lies that tells of itself (L, N: names)
    std::string foreign = "theirs";  ///< what becomes one of another user
    Way way = Way::owned;
    std::string directory = "";  ///< the working directory
    std::string link = "";       ///< a link ...
    std::string target = "";     ///< ... and where it leads
    /// Search path of ours/L, which then is asked for and needs the other; empty: L is asked for by
    /// its name.
    std::string inner = "";
    std::string kind = "runpath";  ///< of ours/L: tell-tale/KIND
    bool loads_if_ours = true;     ///< where all of it is root's
    bool known_to_all = true;      ///< false: only some loaders on some processors look there
};

std::ostream& operator<<(std::ostream& out, Form const& form) {
    return out << form.name;
}

std::string const up_to_root = "$ORIGIN/../../../../../../../../../../../..";
std::string const up_to_root_in_braces = "${ORIGIN}/../../../../../../../../../../../..";
std::string const library_directories =
    "theirs/lib/L theirs/lib64/L theirs/lib/x86_64-linux-gnu/L theirs/lib/aarch64-linux-gnu/L "
    "theirs/lib/N theirs/lib64/N theirs/lib/x86_64-linux-gnu/N theirs/lib/aarch64-linux-gnu/N";
std::string const platforms =
    "theirs/x86_64/L theirs/haswell/L theirs/xeon_phi/L theirs/aarch64/L "
    "theirs/x86_64/N theirs/haswell/N theirs/xeon_phi/N theirs/aarch64/N";

Form const forms[] = {
    {.name = "colon", .search = "%/none:%/theirs"},
    {.name = "semicolon", .search = "%/none;%/theirs"},
    {.name = "semicolon_at_the_end", .search = "%/theirs;"},
    {.name = "slash_at_the_end", .search = "%/theirs/"},
    {.name = "two_slashes", .search = "%//theirs"},
    {.name = "dots", .search = "%/ours/.././theirs"},
    {.name = "lib",
     .search = "%/theirs/$LIB",
     .files = library_directories,
     .loads_if_ours = false},
    {.name = "lib_in_braces",
     .search = "%/theirs/${LIB}",
     .files = library_directories,
     .loads_if_ours = false},
    {.name = "platform",
     .search = "%/theirs/$PLATFORM",
     .files = platforms,
     .loads_if_ours = false},
    {.name = "platform_in_braces",
     .search = "%/theirs/${PLATFORM}",
     .files = platforms,
     .loads_if_ours = false},
    {.name = "origin", .search = up_to_root + "%/theirs", .loads_if_ours = false},
    {.name = "origin_in_braces",
     .search = up_to_root_in_braces + "%/theirs",
     .loads_if_ours = false},
    {.name = "tls",
     .search = "%/ours",
     .files = "ours/tls/L",
     .foreign = "ours/tls",
     .known_to_all = false},
    {.name = "x86_64",
     .search = "%/ours",
     .files = "ours/x86_64/L",
     .foreign = "ours/x86_64",
     .known_to_all = false},
    {.name = "tls_x86_64",
     .search = "%/ours",
     .files = "ours/tls/x86_64/L",
     .foreign = "ours/tls/x86_64",
     .known_to_all = false},
    {.name = "haswell",
     .search = "%/ours",
     .files = "ours/haswell/avx512_1/L ours/haswell/L",
     .foreign = "ours/haswell",
     .known_to_all = false},
    {.name = "hwcaps_2",
     .search = "%/ours",
     .files = "ours/glibc-hwcaps/x86-64-v2/L",
     .foreign = "ours/glibc-hwcaps/x86-64-v2",
     .known_to_all = false},
    {.name = "hwcaps_3",
     .search = "%/ours",
     .files = "ours/glibc-hwcaps/x86-64-v3/L",
     .foreign = "ours/glibc-hwcaps",
     .known_to_all = false},
    {.name = "empty_at_the_start",
     .search = ":%/none",
     .directory = "theirs",
     .loads_if_ours = false},
    {.name = "empty_at_the_end",
     .search = "%/none:",
     .directory = "theirs",
     .loads_if_ours = false},
    {.name = "empty_in_the_middle",
     .search = "%/none:;%/none",
     .directory = "theirs",
     .loads_if_ours = false},
    {.name = "dot", .search = ".", .directory = "theirs", .loads_if_ours = false},
    {.name = "relative", .search = "theirs", .loads_if_ours = false},
    {.name = "relative_upwards",
     .search = "../theirs",
     .directory = "ours",
     .loads_if_ours = false},
    {.name = "file", .search = "%/ours", .files = "ours/L", .foreign = "ours/L"},
    {.name = "directory_above", .search = "%/theirs/below", .files = "theirs/below/L"},
    {.name = "directory_of_a_group", .search = "%/theirs", .way = Way::of_a_group},
    {.name = "file_of_a_group",
     .search = "%/theirs",
     .foreign = "theirs/L",
     .way = Way::of_a_group},
    {.name = "open_directory", .search = "%/theirs", .way = Way::open},
    {.name = "open_file", .search = "%/theirs", .foreign = "theirs/L", .way = Way::open},
    {.name = "sticky_directory", .search = "%/theirs", .way = Way::sticky},
    {.name = "directory_with_access_list", .search = "%/theirs", .way = Way::listed},
    {.name = "file_with_access_list",
     .search = "%/theirs",
     .foreign = "theirs/L",
     .way = Way::listed},
    {.name = "link", .search = "%/ours", .link = "ours/L", .target = "../theirs/L"},
    {.name = "link_in_the_middle",
     .search = "%/ours/way",
     .link = "ours/way",
     .target = "../theirs"},
    {.name = "link_in_an_open_directory",
     .search = "%/theirs/way",
     .files = "ours/L",
     .way = Way::open,
     .link = "theirs/way",
     .target = "../ours"},
    {.name = "link_as_processor_directory",
     .search = "%/ours",
     .link = "ours/tls",
     .target = "../theirs",
     .known_to_all = false},
    // ---- what a library needs
    {.name = "runpath", .files = "theirs/N", .inner = "%/theirs"},
    {.name = "rpath", .files = "theirs/N", .inner = "%/theirs", .kind = "rpath"},
    {.name = "runpath_of_origin", .files = "theirs/N", .inner = "$ORIGIN/../theirs"},
    {.name = "runpath_of_origin_in_braces", .files = "theirs/N", .inner = "${ORIGIN}/../theirs"},
    {.name = "rpath_of_origin", .files = "theirs/N", .inner = "$ORIGIN/../theirs", .kind = "rpath"},
    {.name = "second_in_runpath", .files = "theirs/N", .inner = "%/none:%/theirs"},
    {.name = "empty_in_runpath", .files = "theirs/N", .directory = "theirs", .inner = "%/none:"},
    {.name = "relative_in_runpath", .files = "theirs/N", .inner = "theirs"},
    {.name = "lib_in_runpath",
     .files = library_directories,
     .inner = "%/theirs/$LIB",
     .loads_if_ours = false},
    {.name = "platform_in_runpath",
     .files = platforms,
     .inner = "%/theirs/$PLATFORM",
     .loads_if_ours = false},
    {.name = "processor_directory_in_runpath",
     .files = "ours/tls/x86_64/N",
     .foreign = "ours/tls",
     .inner = "$ORIGIN",
     .known_to_all = false},
    {.name = "hwcaps_in_runpath",
     .files = "ours/glibc-hwcaps/x86-64-v2/N",
     .foreign = "ours/glibc-hwcaps/x86-64-v2",
     .inner = "$ORIGIN",
     .known_to_all = false},
    {.name = "needed_file", .files = "ours/N", .foreign = "ours/N", .inner = "$ORIGIN"},
    {.name = "needed_file_with_access_list",
     .files = "ours/N",
     .foreign = "ours/N",
     .way = Way::listed,
     .inner = "$ORIGIN"},
    {.name = "needed_through_a_link",
     .files = "theirs/N",
     .link = "ours/N",
     .target = "../theirs/N",
     .inner = "$ORIGIN"},
    {.name = "needed_from_the_search_path",
     .search = "%/none:%/theirs",
     .files = "theirs/N",
     .inner = "%/none"},
    {.name = "needed_from_behind_a_semicolon",
     .search = "%/none;%/theirs",
     .files = "theirs/N",
     .inner = "%/none"},
    {.name = "needed_by_what_is_needed",
     .files = "theirs/N",
     .inner = "%/ours:%/theirs",
     .kind = "chain"},
};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// As setfacl -m u:65534:rwx; 0 or errno.
int let_stranger_write(std::string const& path) {
    struct {
        posix_acl_xattr_header header{htole32(POSIX_ACL_XATTR_VERSION)};
        posix_acl_xattr_entry entries[5] = {
            {htole16(ACL_USER_OBJ), htole16(7), htole32(0xffffffffU)},
            {htole16(ACL_USER), htole16(7), htole32(stranger)},
            {htole16(ACL_GROUP_OBJ), htole16(5), htole32(0xffffffffU)},
            {htole16(ACL_MASK), htole16(7), htole32(0xffffffffU)},
            {htole16(ACL_OTHER), htole16(5), htole32(0xffffffffU)}};
    } const list;
    return ::setxattr(path.c_str(), "system.posix_acl_access", &list, sizeof list, 0) == 0 ? 0
                                                                                           : errno;
}

class LibraryForm : public testing::TestWithParam<Form> {
  protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "needs root to be two users";
        for (auto const* const name : {"ours", "theirs"}) fs::create_directory(directory_ / name);
        std::istringstream files(GetParam().files);
        for (std::string file; files >> file;) put("libneeded.so.1", named(file), "");
        if (!GetParam().inner.empty()) put_needing();
        if (!GetParam().link.empty())
            fs::create_symlink(named(GetParam().target), directory_ / named(GetParam().link));
        for (auto const& entry : fs::recursive_directory_iterator(directory_.path()))
            if (!entry.is_symlink()) fs::permissions(entry.path(), fs::perms(0755));
        fs::permissions(directory_.path(), fs::perms(0755));
    }

    /// L and N are short for the names of the libraries.
    static std::string named(std::string path) {
        if (path.ends_with("/L")) path.replace(path.size() - 1, 1, "libamdhip64.so.7");
        if (path.ends_with("/N")) path.replace(path.size() - 1, 1, "libneeded.so.1");
        return path;
    }
    std::string here(std::string const& text) const {
        return replaced(text, "%", directory_.path());
    }

    /// A copy of a library of the fakes, with its search path written over.
    void put(std::string const& fake, std::string const& place, std::string const& inner) const {
        auto bytes = content_of(std::string(ROCMTUNE_FAKES_DIR "/tell-tale/") + fake);
        auto path = here(inner);
        path.resize(255);
        fs::create_directories(fs::path(directory_ / place).parent_path());
        write_file(directory_ / place, replaced(bytes, std::string(255, 'P'), path));
    }

    void put_needing() const {
        auto const& form = GetParam();
        put(form.kind + "/libamdhip64.so.7", "ours/libamdhip64.so.7", form.inner);
        if (form.kind == "chain") put("chain/libmiddle.so.1", "ours/libmiddle.so.1", "%/theirs");
    }

    /// Gives it to another user; 0 or errno.
    int give_away() const {
        auto const path = directory_ / named(GetParam().foreign);
        switch (GetParam().way) {
            case Way::owned: return ::chown(path.c_str(), stranger, stranger) == 0 ? 0 : errno;
            case Way::of_a_group:
                return ::chown(path.c_str(), 0, 50) == 0 && ::chmod(path.c_str(), 0775) == 0
                           ? 0
                           : errno;
            case Way::open: return ::chmod(path.c_str(), 0777) == 0 ? 0 : errno;
            case Way::sticky: return ::chmod(path.c_str(), 01777) == 0 ? 0 : errno;
            case Way::listed: return let_stranger_write(path);
        }
        return EINVAL;
    }

    std::string asked() const {
        return GetParam().inner.empty() ? "libamdhip64.so.7" : directory_ / "ours/libamdhip64.so.7";
    }

    /// Whether this program loads the library that tells of itself.
    bool loads(Launch launch) const {
        auto const mark = directory_ / "mark";
        fs::remove(mark);
        launch.environment["FAKE_TELL_TALE"] = mark;
        launch.environment["LD_LIBRARY_PATH"] = here(GetParam().search);
        launch.environment["ROCMTUNE_LIBAMDHIP64"] = asked();
        launch.directory = directory_ / GetParam().directory;
        out_ = run(launch).out;
        return fs::exists(mark);
    }
    bool rocmtune_loads() const { return loads(rocmtune_with({"probe", "--json"})); }
    bool others_load() const {
        Launch launch;
        launch.words = {ROCMTUNE_LOAD_LIBRARY, asked()};
        return loads(launch);
    }

    Directory const directory_;
    mutable std::string out_;
};

TEST_P(LibraryForm, of_another_user_is_not_loaded_by_root) {
    auto const& form = GetParam();
    EXPECT_EQ(rocmtune_loads(), form.loads_if_ours && (form.known_to_all || others_load())) << out_;
    auto const error = give_away();
    if (error == ENOTSUP) GTEST_SKIP() << "the file system has no access lists";
    ASSERT_EQ(error, 0);
    if (!others_load() && !form.known_to_all)
        GTEST_SKIP() << "this loader does not look there on this processor";
    EXPECT_TRUE(others_load()) << "the form leads nowhere";
    EXPECT_FALSE(rocmtune_loads()) << out_;
}

INSTANTIATE_TEST_SUITE_P(All, LibraryForm, testing::ValuesIn(forms),
                         [](auto const& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace rocmtune::test
