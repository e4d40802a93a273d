// SPDX-License-Identifier: MIT
// Snapshots: what goes in comes out, and nothing else is let in.
#include "machine/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <ctime>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "machine/host_root.hpp"
#include "machine/host_text.hpp"
#include "rocmtune/error.hpp"
#include "support/hosts.hpp"
#include "support/tar_bytes.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string const header = "rocmtune-host 1\nlabel a test\nunlisted not-recorded\n";

std::string manifest(json more = json::object()) {
    json document{{"format", "rocmtune-snapshot"},
                  {"version", 1},
                  {"label", "by hand"},
                  {"unlisted", "not-recorded"},
                  {"environment", json::array()},
                  {"calls", json::object()},
                  {"paths", json::object()}};
    document.update(more);
    return document.dump();
}

/// The message of the refusal; empty if there was none.
std::string refusal_of(std::string_view bytes) {
    try {
        (void)archive_source(bytes, "a.tar.gz");
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Exit::usage);
        return error.what();
    }
    return {};
}

std::string refusal_of(TarBytes const& tar) {
    return refusal_of(tar.packed());
}

std::string reread(std::string const& text) {
    return archive_to_host_text(host_text_to_archive(text), "again");
}

HostRoot root_of(TarBytes const& tar) {
    return HostRoot(archive_source(tar.packed(), "a.tar.gz"));
}

// ---- round trips --------------------------------------------------------------------------------

TEST(Snapshot, keeps_every_kind_of_entry) {
    std::string const text =
        header +
        "env A=1\nenv B=two words\\nand \\\\\n"
        "call directory./a\\040b = 0xef53 0755 1 1\ncall identity.uid error EPERM\ncall kernel-log "
        "=\n\tone\n\ttwo\n"
        "call uname.release = 6.14\ncall x base64 AAEC\n"
        "/sys/class/kfd/kfd -> ../../devices/virtual/kfd/kfd\n"
        "/dev/dri dir\n/dev/dri/renderD128 device c 226:128 mode 0660 owner 0:109 open EACCES\n"
        "/etc/a\\040b = text\n/etc/empty =\n/etc/lines =\n\tone\n\t\n\ttwo\n"
        "/proc/1/fdinfo dir EACCES\n/proc/kcore listed EPERM\n/proc/x error ENOENT\n"
        "/sys/d dir unlisted\n/sys/f base64 AAEC\n/sys/y error ENODEV listed\n/sys/z listed\n";
    EXPECT_EQ(reread(text), text);
}

TEST(Snapshot, keeps_names_and_targets_of_any_length_and_any_bytes) {
    std::string const long_part(200, 'x');
    auto const deep = fmt::format("/sys/{0}/{0}/{0}", long_part);
    auto const text = header + fmt::format("{0}/l -> ../{1}/{1}\n{0}/f = 1\n", deep, long_part);
    EXPECT_EQ(reread(text), text);
    EXPECT_EQ(reread(header + "/home/j\xc3\xbcrgen/f = 1\n"),
              header + "/home/j\xc3\xbcrgen/f = 1\n");
    EXPECT_EQ(reread(header + "/home/\xff/f = \xc3\xbc\n"), header + "/home/\xff/f = \xc3\xbc\n");
    EXPECT_EQ(reread(header + "/sys/a\\nb = 1\n"), header + "/sys/a\\nb = 1\n");
}

TEST(Snapshot, keeps_in_its_manifest_what_no_tree_can_hold) {
    std::string const below_link = header + "/a -> b\n/a/c = 1\n/a/d/e -> f\n";
    EXPECT_EQ(HostRoot(archive_source(host_text_to_archive(below_link), "x")).read("/a/c").value,
              "1");
    EXPECT_THAT(reread(header + "/rocmtune.json = mine\n"), HasSubstr("/rocmtune.json = mine\n"));
    auto const long_name = "/sys/" + std::string(300, 'x');
    EXPECT_THAT(reread(header + long_name + " = 1\n"), HasSubstr(long_name + " = 1\n"));
    EXPECT_THAT(reread(header + "/l ->\n"), HasSubstr("/l ->"));
    EXPECT_THAT(reread(header + "/f base64 !\n"), HasSubstr("/f base64 !"));
    EXPECT_THAT(reread(header + "/ dir\n"), HasSubstr("/ dir\n"));
}

TEST(Snapshot, tells_absent_from_not_recorded) {
    HostRoot const host(
        archive_source(host_text_to_archive(header + "/sys/a error ENOENT\n/sys/b = 1\n"), "x"));
    EXPECT_EQ(host.read("/sys/a").reason, Missing::absent);
    EXPECT_EQ(host.read("/sys/c").reason, Missing::not_recorded);
    EXPECT_EQ(host.list("/sys").reason, Missing::not_recorded);
}

TEST(Snapshot, of_equal_recordings_has_equal_bytes) {
    auto const text = host_text("mi300x-x8");
    auto const bytes = host_text_to_archive(text);
    EXPECT_EQ(bytes, host_text_to_archive(text));
    EXPECT_EQ(bytes, host_text_to_archive(archive_to_host_text(bytes, "x")));
    EXPECT_EQ(bytes.substr(4, 4), std::string(4, '\0'));  // the time of RFC 1952
}

TEST(Snapshot, of_malformed_text_is_refused) {
    EXPECT_THROW((void)host_text_to_archive("rocmtune-host 1\n/a nonsense\n"), Error);
    EXPECT_THROW((void)host_text_to_archive(""), Error);
}

class SnapshotOf : public testing::TestWithParam<std::string> {};

TEST_P(SnapshotOf, says_what_the_text_says) {
    auto const once = reread(host_text(GetParam()));
    EXPECT_EQ(reread(once), once);
    auto const text = host_source(GetParam());
    auto const snapshot = archive_source(host_text_to_archive(host_text(GetParam())), "x");
    EXPECT_EQ(text->environment(), snapshot->environment());
    EXPECT_EQ(text->label(), snapshot->label());
    for (auto const& entry : host_entries(once)) {
        auto const path = unescape_value(
            entry.is_path() ? entry.head : entry.body.substr(0, entry.body.find(' ')));
        for (auto const operation :
             {Operation::read, Operation::list, Operation::link, Operation::resolve,
              Operation::status, Operation::open, Operation::call}) {
            auto const a = text->ask({operation, path});
            auto const b = snapshot->ask({operation, path});
            ASSERT_TRUE(a.ok == b.ok && a.error == b.error && a.reason == b.reason &&
                        a.text == b.text)
                << path << " operation " << static_cast<int>(operation);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, SnapshotOf, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

// ---- plain trees --------------------------------------------------------------------------------

TEST(PlainTree, is_read_as_a_directory_would_be) {
    auto const host = root_of(TarBytes()
                                  .directory("./")
                                  .directory("./sys/")
                                  .file("./sys/class/drm/version", "drm\n")
                                  .link("./sys/class/kfd", "/sys/class/drm")
                                  .file("DERIVED.txt"));
    EXPECT_EQ(host.read("/sys/class/kfd/version").value, "drm");
    EXPECT_EQ(host.read("/sys/class/drm/card0").reason, Missing::absent);
    EXPECT_EQ(host.read("/etc/os-release").reason, Missing::not_recorded);
    EXPECT_EQ(host.call("uname.release").reason, Missing::not_recorded);
    EXPECT_EQ(host.open_device("/dev/kfd").reason, Missing::not_recorded);
    EXPECT_TRUE(host.environment().empty());
    EXPECT_EQ(host.label(), "archive a.tar.gz");
}

TEST(PlainTree, a_file_longer_than_the_cap_is_invalid) {
    auto const host = root_of(TarBytes().file("sys/a", std::string(read_cap_bytes + 1, 'x')));
    EXPECT_EQ(host.read("/sys/a").reason, Missing::invalid);
}

TEST(PlainTree, that_is_no_host_is_refused) {
    EXPECT_THAT(refusal_of(TarBytes().file("photos/a")), HasSubstr("not laid out as a host"));
    EXPECT_THAT(refusal_of(TarBytes().file("sysx/a")), HasSubstr("not laid out as a host"));
    EXPECT_THAT(refusal_of(TarBytes().file("sys")), HasSubstr("not laid out as a host"));
}

TEST(PlainTree, with_names_that_this_locale_cannot_show_keeps_them) {
    auto const host =
        root_of(TarBytes().pax("path", "etc/j\xc3\xbcrgen").file("etc/j").file("etc/\xc3\xa9"));
    EXPECT_EQ(host.read("/etc/j\xc3\xbcrgen").value, "1");
    EXPECT_EQ(host.read("/etc/\xc3\xa9").value, "1");
}

// ---- hostile archives ---------------------------------------------------------------------------

struct Hostile {
    std::string name;
    TarBytes tar;
    std::string message;
};

TarBytes sys() {
    return TarBytes().file("sys/ok");
}

TarBytes many(std::size_t count) {
    TarBytes tar;
    for (std::size_t i = 0; i < count; ++i) tar.directory(fmt::format("sys/{}", i));
    return tar;
}

TarBytes deep(int levels) {
    std::string name = "sys";
    for (int i = 0; i < levels; ++i) name += "/a";
    return sys().pax("path", name).file("x");
}

/// GNU tar's old sparse format: one piece of data at the end of a terabyte.
TarBytes sparse() {
    TarHeader hole{.name = "sys/hole",
                   .type = 'S',
                   .size = 512,
                   .magic = std::string("ustar  \0", 8),
                   .extra = {}};
    hole.extra = std::string(41, '\0') + fmt::format("{:011o} {:011o} ", (1ULL << 32) - 512, 512);
    hole.extra.resize(138, '\0');
    hole.extra += fmt::format("{:011o} ", 1ULL << 32);
    return sys().add(hole, std::string(512, 'x'));
}

std::vector<Hostile> const& hostiles() {
    static std::vector<Hostile> const all{
        {"above_the_root", sys().file("../etc/passwd"), "'..'"},
        {"above_the_root_later", sys().file("sys/../../etc/passwd"), "'..'"},
        {"dots_at_the_end", sys().directory("sys/.."), "'..'"},
        {"dots_in_pax", sys().pax("path", "sys/../../x").file("x"), "'..'"},
        {"absolute", sys().file("/etc/passwd"), "absolute"},
        {"absolute_in_pax", sys().pax("path", "/etc/passwd").file("x"), "absolute"},
        {"below_a_link", sys().link("sys/l", "/etc").file("sys/l/passwd"), "below a link"},
        {"below_a_later_link", sys().file("sys/l/passwd").link("sys/l", "/etc"), "below a link"},
        {"far_below_a_link", sys().link("sys/l", "/etc").file("sys/l/a/b/c"), "below a link"},
        {"below_a_file", sys().file("sys/f").file("sys/f/a"), "below a file"},
        {"hard_link", sys().add({.name = "sys/h", .type = '1', .target = "sys/ok"}), "hard link"},
        {"hard_link_outside", sys().add({.name = "sys/h", .type = '1', .target = "/etc/shadow"}),
         "hard link"},
        {"character_device", sys().add({.name = "dev/null", .type = '3'}), "device"},
        {"block_device", sys().add({.name = "dev/sda", .type = '4'}), "device"},
        {"fifo", sys().add({.name = "dev/fifo", .type = '6'}), "FIFO"},
        {"twice", sys().file("sys/ok"), "twice"},
        {"twice_by_spelling", sys().file("./sys//ok"), "twice"},
        {"twice_by_kind", sys().directory("sys/ok/"), "twice"},
        {"link_without_target", sys().link("sys/l", ""), "without a target"},
        {"sparse", sparse(), "sparse"},
        {"sparse_in_pax",
         sys().pax("GNU.sparse.major", "1").pax("GNU.sparse.realsize", "99999999999").file("sys/s"),
         ""},
        {"long_component", sys().pax("path", "sys/" + std::string(256, 'x')).file("x"), "too long"},
        {"long_path", sys().pax("path", "sys/" + std::string(5000, 'x')).file("x"), "too long"},
        {"too_deep", deep(64), "too long"},
        {"many_members", many(200'001), "members"},
        {"size_beyond_the_end", sys().add({.name = "sys/a", .size = 1 << 20}, "1"),
         "longer than the archive"},
        {"size_beyond_everything",
         sys().add({.name = "sys/a", .size = (std::size_t{1} << 33) - 1}, "1"),
         "longer than the archive"},
        {"size_over_the_end_mark", sys().add({.name = "sys/a", .size = 1500}, "1"),
         "end is missing"},
        {"manifest_is_a_link", sys().link("rocmtune.json", "sys/ok"), "no file"},
    };
    return all;
}

class HostileArchive : public testing::TestWithParam<Hostile> {};

TEST_P(HostileArchive, is_refused) {
    auto const message = refusal_of(GetParam().tar);
    EXPECT_THAT(message, HasSubstr("a.tar.gz"));
    EXPECT_THAT(lower(message), HasSubstr(lower(GetParam().message)));
    EXPECT_EQ(printable(message), message);
}

INSTANTIATE_TEST_SUITE_P(All, HostileArchive, testing::ValuesIn(hostiles()),
                         [](auto const& hostile) { return hostile.param.name; });

TEST(HostileArchives, links_that_lead_out_of_the_root_stay_inside) {
    auto const host =
        root_of(sys().link("sys/out", "../../../../etc/passwd").link("sys/abs", "/etc/passwd"));
    EXPECT_NE(host.read("/sys/out").reason, Missing::failed);
    EXPECT_FALSE(host.read("/sys/abs"));
    EXPECT_EQ(host.link("/sys/abs").value, "/etc/passwd");
}

TEST(HostileArchives, every_truncation_is_refused) {
    auto const bytes = sys().file("sys/a", std::string(3000, 'x')).packed();
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_NE(refusal_of(bytes.substr(0, size)), "") << size;
}

TEST(HostileArchives, every_changed_byte_is_refused_or_harmless) {
    auto const bytes = host_text_to_archive(header + "/sys/a = 1\n");
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        auto changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        // Time, level, system and the bits behind the last block are of no matter.
        if (refusal_of(changed).empty()) {
            EXPECT_EQ(gunzip(changed, bytes.size() * 100, "x"),
                      gunzip(bytes, bytes.size() * 100, "x"));
        }
    }
}

TEST(HostileArchives, a_tar_cut_between_its_members_is_refused) {
    EXPECT_THAT(refusal_of(gzip(sys().open())), HasSubstr("end is missing"));
    EXPECT_NE(refusal_of(gzip("")), "");
    EXPECT_NE(refusal_of(gzip("no tar at all\n")), "");
    EXPECT_NE(refusal_of(gzip(std::string(4096, 'x'))), "");
}

TEST(HostileArchives, what_follows_the_end_is_refused) {
    EXPECT_THAT(refusal_of(sys().packed() + "x"), HasSubstr("bytes follow"));
    EXPECT_THAT(refusal_of(sys().packed() + sys().packed()), HasSubstr("bytes follow"));
}

TEST(HostileArchives, gzip_in_gzip_is_no_tar) {
    EXPECT_NE(refusal_of(gzip(sys().packed())), "");
}

TEST(HostileArchives, a_bomb_is_given_up_early) {
    [[maybe_unused]] auto const start = std::clock();
    auto const bomb = gzip(std::string(std::size_t{300} << 20, '\0'));
    [[maybe_unused]] auto const packed = std::clock();
    EXPECT_THAT(refusal_of(bomb), HasSubstr("unpacked it is longer"));
    [[maybe_unused]] auto const unpacked = std::clock();
    // Packing is the measure of this machine, but zlib is built without a sanitizer. Processor
    // time: what else runs here does not count.
#if !defined(ROCMTUNE_SLOWED_BY_TSAN)
    EXPECT_LT(unpacked - packed, packed - start + CLOCKS_PER_SEC);
#endif
}

// ---- manifests ----------------------------------------------------------------------------------

std::string refusal_of_manifest(std::string_view text) {
    return refusal_of(sys().file("rocmtune.json", text));
}

TEST(Manifest, by_hand_replays) {
    auto const text = manifest({{"environment", {"HIP_VISIBLE_DEVICES=0"}},
                                {"calls", {{"uname.release", {{"value", "6.1"}}}}},
                                {"paths", {{"/dev/kfd", "error EACCES"}, {"/sys", "dir"}}}});
    auto const host = root_of(sys().directory("sys").file("rocmtune.json", text));
    EXPECT_EQ(host.environment_value("HIP_VISIBLE_DEVICES"), "0");
    EXPECT_EQ(host.call("uname.release").value, "6.1");
    EXPECT_EQ(host.read("/dev/kfd").reason, Missing::denied);
    EXPECT_EQ(host.list("/sys").value, std::vector<std::string>{"ok"});
    EXPECT_EQ(host.label(), "by hand");
}

TEST(Manifest, tells_an_empty_environment_from_an_unknown_one) {
    auto const environment = [](json const& value) {
        auto const text = manifest({{"environment", value}});
        return archive_source(sys().file("rocmtune.json", text).packed(), "a")->environment();
    };
    EXPECT_EQ(environment(json::array()), "");
    EXPECT_EQ(environment(nullptr), std::nullopt);
}

TEST(Manifest, keeps_what_was_not_reached) {
    auto const text = header +
                      "env\nunreached timeout read /a\\040b\nunreached failed call x\n"
                      "unreached stuck list /b\n";
    EXPECT_EQ(archive_to_host_text(host_text_to_archive(text), "a"), text);
    EXPECT_NE(refusal_of_manifest(manifest({{"unreached", {"timeout read /a\n/b = 1"}}})), "");
    EXPECT_NE(refusal_of_manifest(manifest({{"unreached", {"soon read /a"}}})), "");
    EXPECT_NE(refusal_of_manifest(manifest({{"unreached", "timeout read /a"}})), "");
}

TEST(Manifest, of_others_is_refused) {
    for (std::string const text : {"", "{}", "[]", "null", "{", "{\"format\":\"tar\"}",
                                   "{\"format\":1}", "\xff", "\"rocmtune-snapshot\""})
        EXPECT_THAT(refusal_of_manifest(text), HasSubstr("no manifest of rocmtune")) << text;
    EXPECT_NE(refusal_of_manifest(std::string(100000, '[')), "");
}

TEST(Manifest, that_nests_too_deep_ends_no_process) {
    constexpr std::size_t levels = 500'000;
    auto const nest = std::string(levels, '[') + std::string(levels, ']');
    for (std::string const key : {"format", "label", "version", "environment", "calls", "more"}) {
        auto const text = fmt::format("{{\"{}\":{},{}", key, nest, manifest().substr(1));
        EXPECT_THAT(refusal_of_manifest(text), HasSubstr("deeper than 64 levels")) << key;
    }
    EXPECT_NE(refusal_of_manifest(manifest({{"environment", {json::parse(R"([[[1]]])")}}})), "");
}

TEST(Manifest, keeps_paths_within_the_bounds_of_a_tree) {
    std::string deep;
    for (int i = 0; i < 65; ++i) deep += "/a";
    EXPECT_THAT(refusal_of_manifest(manifest({{"paths", {{deep, "error EIO"}}}})),
                HasSubstr("deeper than 64 levels"));
    auto const target = "-> " + std::string(4097, 'a');
    EXPECT_THAT(refusal_of_manifest(manifest({{"paths", {{"/sys/l", target}}}})),
                HasSubstr("target longer than 4096 bytes"));
}

TEST(Manifest, of_a_newer_format_is_refused_with_advice) {
    EXPECT_THAT(refusal_of_manifest(manifest({{"version", 2}})),
                HasSubstr("newer than this program"));
    for (json const& version : {json(0), json(-1), json("1"), json(1.5), json()})
        EXPECT_NE(refusal_of_manifest(manifest({{"version", version}})), "") << version;
}

TEST(Manifest, cannot_smuggle_lines) {
    for (json const& more : {json{{"label", "a\n/etc/x = 1"}},
                             json{{"environment", {"A=1\nenv B=2"}}},
                             json{{"environment", {"novalue"}}},
                             json{{"environment", {1}}},
                             json{{"calls", {{"a b", {{"value", "1"}}}}}},
                             json{{"calls", {{"", {{"value", "1"}}}}}},
                             json{{"calls", {{"a", {{"error", "EIO\n/x = 1"}}}}}},
                             json{{"calls", {{"a", {{"error", "ENONSENSE"}}}}}},
                             json{{"calls", {{"a", {{"value", "1"}, {"error", "EIO"}}}}}},
                             json{{"calls", {{"a", "1"}}}},
                             json{{"calls", json::array()}},
                             json{{"paths", {{"/a", "dir\n/b = 1"}}}},
                             json{{"paths", {{"/a b", "dir"}}}},
                             json{{"paths", {{"a", "dir"}}}},
                             json{{"paths", {{"/a/../b", "dir"}}}},
                             json{{"paths", {{"/a", "nonsense"}}}},
                             json{{"paths", {{"/a", ""}}}},
                             json{{"paths", {{"/sys/ok", "= 2"}}}},
                             json{{"paths", {{"/a", 1}}}},
                             json{{"unlisted", "maybe"}},
                             json{{"label", 1}}})
        EXPECT_NE(refusal_of_manifest(manifest(more)), "") << more;
}

TEST(Manifest, may_have_keys_that_are_not_known_yet) {
    EXPECT_EQ(refusal_of_manifest(manifest({{"more", {1, 2}}})), "");
}

TEST(Manifest, calls_keep_their_lines) {
    auto const text = manifest({{"calls", {{"log", {{"value", "/etc/x = 1\nenv A=1\n"}}}}}});
    EXPECT_EQ(root_of(sys().file("rocmtune.json", text)).call("log").value,
              "/etc/x = 1\nenv A=1\n");
}

}  // namespace
}  // namespace rocmtune::test
