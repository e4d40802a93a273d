// SPDX-License-Identifier: MIT
// The access reader: identity, /dev/kfd, render nodes.
#include <gtest/gtest.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view groups =
    "/etc/group =\n\troot:x:0:\n\tvideo:x:44:user\n\trender:x:109:user\n";

Host with_gpu(std::string_view render_node) {
    Host host;
    host.gpus.emplace_back();
    host.gpus[0].render_node.offer(std::string(render_node), {"kfd", "test"});
    return host;
}

TEST(Access, a_usable_node_names_group_and_mode) {
    auto const host = read(read_access, recorded(std::string(groups) +
                                                 "/dev/kfd device c 235:0 mode 0660 owner 0:109\n"
                                                 "/sys/class/kfd/kfd/dev = 235:0\n"));
    ASSERT_TRUE(host.kfd_access);
    EXPECT_TRUE(host.kfd_access->usable);
    EXPECT_FALSE(host.kfd_access->error);
    EXPECT_EQ(host.kfd_access->group, "render");
    EXPECT_EQ(host.kfd_access->group_id, 109U);
    EXPECT_EQ(host.kfd_access->mode, "0660");
}

TEST(Access, a_refused_node_names_the_errno) {
    auto const open = [](std::string const& error) {
        return read(read_access,
                    recorded("/dev/kfd device c 235:0 mode 0666 owner 0:993 open " + error + "\n"))
            .kfd_access;
    };
    EXPECT_FALSE(open("EACCES")->usable);
    EXPECT_EQ(open("EACCES")->error, "EACCES");
    EXPECT_EQ(open("EPERM")->error, "EPERM");  // a device cgroup
    EXPECT_EQ(open("EPERM")->group, "993") << "a group without a name here";
}

TEST(Access, a_missing_node_is_absent_and_an_unrecorded_one_unknown) {
    EXPECT_EQ(read(read_access, recorded("")).kfd_access.reason(), Missing::absent);
    EXPECT_EQ(read(read_access, fragment("")).kfd_access.reason(), Missing::not_recorded);
}

TEST(Access, a_directory_in_place_of_the_device_is_invalid) {
    auto const host = read(read_access, recorded("/dev/kfd dir\n"));
    EXPECT_FALSE(host.kfd_access);
    EXPECT_EQ(host.kfd_access.reason(), Missing::invalid);
    EXPECT_NE(host.kfd_access.detail().find("directory"), std::string::npos);
}

TEST(Access, a_node_of_another_driver_is_invalid) {
    auto const host = read(read_access, recorded("/dev/kfd device c 235:0 mode 0660 owner 0:0\n"
                                                 "/sys/class/kfd/kfd/dev = 511:0\n"));
    EXPECT_EQ(host.kfd_access.reason(), Missing::invalid);
}

TEST(Access, each_gpu_has_its_render_node) {
    auto host = with_gpu("renderD128");
    read_access(
        recorded(std::string(groups) +
                 "/dev/dri/renderD128 device c 226:128 mode 0660 owner 0:109 open EACCES\n"),
        host);
    ASSERT_TRUE(host.gpus[0].render_access);
    EXPECT_EQ(host.gpus[0].render_access->path, "/dev/dri/renderD128");
    EXPECT_EQ(host.gpus[0].render_access->error, "EACCES");
    EXPECT_EQ(host.gpus[0].render_access->group, "render");
}

TEST(Access, a_render_node_that_was_not_passed_in_is_absent) {
    auto host = with_gpu("renderD129");
    read_access(recorded("/dev/dri/renderD128 device c 226:128 mode 0660 owner 0:109\n"), host);
    EXPECT_EQ(host.gpus[0].render_access.reason(), Missing::absent);
}

TEST(Access, a_render_node_with_a_foreign_number_is_invalid) {
    auto host = with_gpu("renderD129");
    read_access(recorded("/dev/dri/renderD129 device c 226:128 mode 0660 owner 0:109\n"), host);
    EXPECT_EQ(host.gpus[0].render_access.reason(), Missing::invalid);
    host = with_gpu("../../etc/passwd");
    read_access(recorded(""), host);
    EXPECT_EQ(host.gpus[0].render_access.reason(), Missing::invalid);
}

TEST(Access, a_sleeping_gpu_is_not_opened_unless_asked_for) {
    auto context = recorded("/dev/dri/renderD128 device c 226:128 mode 0666 owner 0:0\n");
    auto host = with_gpu("renderD128");
    host.gpus[0].runtime_status.offer("suspended", {"pci", "test"});
    read_access(context, host);
    EXPECT_EQ(host.gpus[0].render_access.reason(), Missing::suspended);
    context.options.wake = true;
    read_access(context, host);
    EXPECT_TRUE(host.gpus[0].render_access->usable);
}

TEST(Access, a_gpu_without_render_node_keeps_the_reason) {
    Host host;
    host.gpus.emplace_back();
    host.gpus[0].render_node.miss(Missing::not_recorded, "no tree");
    read_access(recorded(""), host);
    EXPECT_EQ(host.gpus[0].render_access.reason(), Missing::not_recorded);
}

TEST(Access, identity_is_named_where_names_are_known) {
    auto const host =
        read(read_access, recorded(std::string(groups) + "call identity.uid = 1000\n"
                                                         "call identity.gids = 1000 44 109\n"));
    EXPECT_EQ(*host.user_id, 1000U);
    EXPECT_EQ(*host.groups, (Strings{"1000", "video", "render"}));
}

TEST(Access, odd_identity_is_invalid) {
    auto const host = read(read_access, recorded("call identity.uid = root\n"
                                                 "call identity.gids = 1 two\n"));
    EXPECT_EQ(host.user_id.reason(), Missing::invalid);
    EXPECT_EQ(host.groups.reason(), Missing::invalid);
    auto const missing = read(read_access, recorded(""));
    EXPECT_EQ(missing.user_id.reason(), Missing::not_recorded);
    EXPECT_EQ(missing.groups.reason(), Missing::not_recorded);
}

TEST(Access, malformed_group_lines_are_left_out) {
    auto const names = parse_group_file(
        "video:x:44:a,b\n#c:x:1:\nbroken\n:x:2:\nneg:x:-3:\n"
        "first:x:5:\nsecond:x:5:\nx:y:z:\n+::::\n");
    EXPECT_EQ(names.size(), 2U);
    EXPECT_EQ(names.at(44), "video");
    EXPECT_EQ(names.at(5), "first");
}

}  // namespace
}  // namespace rocmtune::test
