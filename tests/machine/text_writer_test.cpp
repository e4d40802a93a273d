// SPDX-License-Identifier: MIT
// Recording: what was asked reads back with the same answers.
#include "machine/guard.hpp"
#include "machine/host_text.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include <nlohmann/json.hpp>

#include "codec/json.hpp"
#include "machine/gpu_packages.hpp"
#include "machine/replies.hpp"
#include "probe/reader.hpp"
#include "support/hosts.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

std::unique_ptr<HostSource> reread(QueryLog const& log) {
    return text_source(write_host_text(log, {}, "again"), "again");
}

/// Of a status, a recording keeps the kind; mode and owner only of device nodes. Of packages it
/// keeps those that have to do with GPUs.
std::string essence(Query const& query, std::string const& text) {
    if (query.path == dpkg_status) return gpu_packages_of(query.path, text);
    bool const device = text.starts_with('c') || text.starts_with('b');
    return query.operation == Operation::status && !device ? text.substr(0, 1) : text;
}

/// Asks again for all that the log has; the first difference as text, or nothing.
std::string difference(QueryLog const& log, HostSource& source) {
    for (auto const& entry : log.entries()) {
        if (entry.reply.reason == Missing::not_recorded) continue;
        Query const query{entry.operation, entry.path};
        auto const reply = source.ask(query);
        bool const same = entry.reply.ok ? reply.ok && essence(query, reply.text) ==
                                                           essence(query, entry.reply.text)
                                         : !reply.ok && reply.reason == entry.reply.reason &&
                                               reply.error == entry.reply.error;
        if (!same)
            return fmt::format("operation {} of {}: ok {} errno {} '{}' became ok {} errno {} '{}'",
                               static_cast<int>(entry.operation), entry.path, entry.reply.ok,
                               entry.reply.error, entry.reply.text, reply.ok, reply.error,
                               reply.text);
    }
    return {};
}

/// A log that is filled by hand.
class Log {
  public:
    Log& add(Operation operation, std::string path, Reply reply) {
        log_.add(operation, std::move(path), std::move(reply));
        return *this;
    }
    Log& read(std::string path, std::string content) {
        return add(Operation::read, std::move(path), success(std::move(content)));
    }
    Log& list(std::string path, std::vector<std::string> names) {
        return add(Operation::list, std::move(path), names_reply(std::move(names)));
    }
    Log& fail(Operation operation, std::string path, int error) {
        return add(operation, std::move(path), failure(error));
    }
    void expect_same() const {
        EXPECT_EQ(difference(log_, *reread(log_)), "") << write_host_text(log_, {}, "log");
    }
    QueryLog const& get() const { return log_; }

  private:
    QueryLog log_;
};

TEST(TextWriter, what_was_not_reached_reads_back_as_that) {
    Log log;
    log.read("/a", "x\n").list("/d", {"b c"});
    log.add(Operation::read, "/d/b c", unreached(Missing::timeout));
    log.add(Operation::status, "/a", unreached(Missing::failed));
    log.add(Operation::call, "uname.release", unreached(Missing::timeout));
    log.expect_same();
    auto const text = write_host_text(log.get(), {}, "log");
    EXPECT_NE(text.find("unreached timeout read /d/b\\040c\nunreached failed status /a\n"
                        "unreached timeout call uname.release\n"),
              text.npos)
        << text;
    EXPECT_EQ(reread(log.get())->ask({Operation::read, "/d/b c"}).text,
              "the time for reading was used up");
}

TEST(TextWriter, a_call_about_a_path_with_blanks_comes_back) {
    Log log;
    log.add(Operation::call, "directory./home/me/my cache", success("0xef53 0755 1 1"));
    log.add(Operation::call, "head./a\\b c", failure(EACCES));
    log.expect_same();
}

TEST(TextWriter, an_empty_environment_is_not_an_unknown_one) {
    QueryLog const log;
    EXPECT_EQ(text_source(write_host_text(log, "", "x"), "x")->environment(), "");
    EXPECT_EQ(text_source(write_host_text(log, {}, "x"), "x")->environment(), std::nullopt);
}

TEST(TextWriter, content_comes_back_byte_by_byte) {
    Log log;
    int i = 0;
    for (std::string const content :
         {"",           "\n",     "\n\n",  "a",       "a\n",     "a\nb",     "a\nb\n",     " a \n",
          "\ta\n",      "= a\n",  "a\r\n", "\r\n",    "# a\n",   "/a = b\n", "a\x1b[0m\n", "\xff\n",
          "\xc3\xa4\n", "\x7f\n", "a\n\n", "\n\na\n", "\\n\\\n", "\f\n"})
        log.read("/f" + std::to_string(++i), content);
    log.read("/nul", std::string("a\0b\0", 4)).read("/long", std::string(70000, 'x') + '\n');
    log.expect_same();
}

TEST(TextWriter, calls_come_back_byte_by_byte) {
    Log log;
    int i = 0;
    for (std::string const content : {"", "a", "a\n", "a\nb", "a\nb\n", "\n",
                                      "evil\n/dev/kfd = 1\nenv A=1\n", " a", "\x1b", "\r"})
        log.add(Operation::call, "key" + std::to_string(++i), success(content));
    log.fail(Operation::call, "denied", EPERM).fail(Operation::call, "odd", 133);
    log.expect_same();
}

TEST(TextWriter, paths_and_targets_may_hold_any_character) {
    Log log;
    for (std::string const name :
         {"a b", "a\nb", "a\\040b", "\\", "\xff", "\x1b[0m", "-> x", "=", "a\tb", "a\rb"}) {
        log.read("/d/" + name, name + '\n');
        log.add(Operation::link, "/l/" + name, success("t/" + name));
    }
    log.expect_same();
}

TEST(TextWriter, nothing_that_was_read_becomes_a_line_of_its_own) {
    Log log;
    log.read("/a\nenv INJECTED=1", "x\n").add(Operation::link, "/b", success("c\nenv INJECTED=1"));
    log.add(Operation::call, "uname.nodename", success("x\nenv INJECTED=1"));
    auto const text =
        write_host_text(log.get(), std::string("A=1\nenv INJECTED=1\0", 19), "l\nenv INJECTED=1");
    HostRoot const root(text_source(text, "again"));
    EXPECT_EQ(root.environment_value("INJECTED"), std::nullopt) << text;
    EXPECT_EQ(root.environment_value("A"), "1\nenv INJECTED=1");
    EXPECT_EQ(root.label(), "l\nenv INJECTED=1");
}

TEST(TextWriter, every_errno_comes_back) {
    Log log;
    for (int error = 1; error < 134; ++error) {
        auto const path = "/e" + std::to_string(error);
        if (error != EISDIR) log.fail(Operation::read, path + "/read", error);
        log.fail(Operation::list, path + "/list", error)
            .fail(Operation::status, path + "/status", error);
    }
    log.expect_same();
}

TEST(TextWriter, a_file_that_exists_and_cannot_be_read_is_both) {
    Log log;
    log.add(Operation::status, "/a", status_reply({'f', 0600, 0, 0, 0, 0}))
        .fail(Operation::read, "/a", EACCES);
    log.add(Operation::resolve, "/d", success("/d"))
        .add(Operation::status, "/d", status_reply({'d', 0700, 0, 0, 0, 0}));
    log.fail(Operation::list, "/d", EACCES);
    auto const source = reread(log.get());
    HostRoot const root{std::shared_ptr<HostSource>(reread(log.get()))};
    EXPECT_EQ(root.status("/a")->kind, 'f');
    EXPECT_EQ(root.read("/a").reason, Missing::denied);
    EXPECT_EQ(root.status("/d")->kind, 'd');
    EXPECT_EQ(root.list("/d").reason, Missing::denied);
}

TEST(TextWriter, a_listed_name_stays_listed_whatever_reading_it_says) {
    Log log;
    log.list("/ras", {"a", "b", "c"})
        .fail(Operation::read, "/ras/a", ENODEV)
        .fail(Operation::status, "/ras/b", ENOENT);
    log.read("/ras/c", "ue: 0\n");
    log.expect_same();
}

TEST(TextWriter, a_directory_that_was_not_listed_has_no_names) {
    Log log;
    log.add(Operation::status, "/a", status_reply({'d', 0755, 0, 0, 0, 0}))
        .read("/b/c", "1\n")
        .list("/e", {});
    HostRoot const root{std::shared_ptr<HostSource>(reread(log.get()))};
    EXPECT_EQ(root.status("/a")->kind, 'd');
    EXPECT_EQ(root.list("/a").reason, Missing::not_recorded);
    EXPECT_EQ(root.list("/b").reason, Missing::not_recorded);
    EXPECT_EQ(root.list("/e")->size(), 0U);
}

TEST(TextWriter, links_lead_where_they_led) {
    Log log;
    log.add(Operation::resolve, "/class/x/device", success("/devices/pci/1"));
    log.add(Operation::link, "/class/x", success("../devices/drm/x"));
    log.add(Operation::resolve, "/class/x", success("/devices/drm/x"));
    log.read("/class/x/device/vendor", "0x1002\n").read("/devices/pci/1/device", "0x744c\n");
    log.add(Operation::resolve, "/bin/python3", success("/bin/python3.11"));
    log.add(Operation::status, "/bin/python3", status_reply({'f', 0755, 0, 0, 0, 0}));
    log.add(Operation::link, "/opt/rocm", success("rocm-6")).list("/opt/rocm", {"lib"});
    log.add(Operation::link, "/plain", failure(EINVAL)).read("/plain", "x\n");
    log.expect_same();
    HostRoot const root{std::shared_ptr<HostSource>(reread(log.get()))};
    EXPECT_EQ(root.read("/devices/pci/1/vendor").value, "0x1002");
}

TEST(TextWriter, devices_keep_numbers_owner_and_the_errno_of_opening) {
    Log log;
    log.add(Operation::status, "/dev/kfd", status_reply({'c', 0660, 0, 109, 235, 0}))
        .fail(Operation::open, "/dev/kfd", 133);
    log.add(Operation::status, "/dev/r", status_reply({'c', 0660, 0, 109, 226, 128}))
        .add(Operation::open, "/dev/r", success({}));
    log.expect_same();
}

// ---- whole hosts ------------------------------------------------------------------------------

class EveryHost : public testing::TestWithParam<std::string> {};

std::string report(std::shared_ptr<HostSource> source) {
    auto json = to_json(probe({HostRoot(std::move(source))}));
    // A recording has another label than the host it was made of.
    json.erase("recorded");
    json["_sources"].erase("recorded");
    return json_text(json, true);
}

std::shared_ptr<GuardedSource> guarded(std::unique_ptr<HostSource> source) {
    return std::make_shared<GuardedSource>(
        std::move(source),
        [](HostSource& asked) {
            (void)probe({HostRoot(std::shared_ptr<HostSource>(&asked, [](HostSource*) {}))});
        },
        GuardLimits{});
}

TEST_P(EveryHost, is_recorded_and_replayed_without_a_difference) {
    auto const live = guarded(host_source(GetParam()));
    EXPECT_GT(live->log().entries().size(), 10U);
    auto const first = write_host_text(live->log(), live->environment(), "again");
    auto const replay = std::shared_ptr<HostSource>(text_source(first, "again"));
    EXPECT_EQ(difference(live->log(), *replay), "");
    EXPECT_EQ(report(live), report(replay));
    EXPECT_EQ(report(live), report(host_source(GetParam()))) << "guarded and plain";

    auto const second = guarded(text_source(first, "again"));
    EXPECT_EQ(write_host_text(second->log(), second->environment(), "again"), first)
        << "a recording of a recording";
}

INSTANTIATE_TEST_SUITE_P(TextWriter, EveryHost, testing::ValuesIn(host_names()),
                         [](auto const& test) { return test_name(test.param); });

TEST(TextWriter, a_tree_with_links_is_recorded_and_replayed_without_a_difference) {
    Tree tree;
    tree.file("/sys/devices/pci0000:00/0000:03:00.0/vendor", "0x1002\n");
    tree.file("/sys/devices/pci0000:00/0000:03:00.0/class", "0x030000\n");
    tree.file("/sys/devices/pci0000:00/0000:03:00.0/device", "0x744c\n");
    tree.link("/sys/bus/pci/devices/0000:03:00.0", "../../../devices/pci0000:00/0000:03:00.0");
    tree.link("/sys/devices/pci0000:00/0000:03:00.0/driver", "../../../bus/pci/drivers/amdgpu");
    tree.file("/usr/bin/python3.11", "")
        .link("/usr/bin/python3", "python3.11")
        .file("/proc/version", "Linux\n");
    tree.file("/opt/rocm-6.3.0/.info/version", "6.3.0-39\n").link("/opt/rocm", "/opt/rocm-6.3.0");
    tree.file("/opt/rocm-6.3.0/lib/libamdhip64.so.6.3.60300", "")
        .link("/opt/rocm-6.3.0/lib/libamdhip64.so.6", "libamdhip64.so.6.3.60300");
    auto const live = guarded(directory_source(tree.path()));
    auto const replay = std::shared_ptr<HostSource>(reread(live->log()));
    EXPECT_EQ(difference(live->log(), *replay), "") << write_host_text(live->log(), {}, "tree");
}

}  // namespace
}  // namespace rocmtune::test
