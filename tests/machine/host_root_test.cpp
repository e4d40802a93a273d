// SPDX-License-Identifier: MIT
// HostRoot: replies become values or reasons.
#include "machine/host_root.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <map>

#include "machine/replies.hpp"

namespace rocmtune::test {
namespace {

/// Gives one prepared reply to everything.
class OneReply : public HostSource {
  public:
    explicit OneReply(Reply reply, std::string environment = {})
        : reply_(std::move(reply)), environment_(std::move(environment)) {}
    Reply ask(Query const&) override { return reply_; }
    std::optional<std::string> environment() override { return environment_; }

  private:
    Reply reply_;
    std::string environment_;
};

HostRoot says(Reply reply) {
    return HostRoot(std::make_shared<OneReply>(std::move(reply)));
}

TEST(HostRoot, trailing_white_space_goes_and_leading_stays) {
    EXPECT_EQ(says(success("  a b \t\r\n\n")).read("/x").value, "  a b");
    EXPECT_EQ(says(success(" \n")).read("/x").value, "");
}

TEST(HostRoot, text_ends_at_the_first_nul) {
    EXPECT_EQ(says(success(std::string("a\0b\n", 4))).read("/x").value, "a");
    EXPECT_EQ(says(success(std::string("\0\x01", 2))).read("/x").value, "");
    EXPECT_EQ(says(success(std::string("a\0b\n", 4))).read_bytes("/x")->size(), 4U);
}

TEST(HostRoot, control_characters_are_no_text_but_white_space_is) {
    EXPECT_EQ(says(success("a\tb\r\nc\fd\n")).read("/x").value, "a\tb\r\nc\fd");
    for (char const control : {'\x01', '\x07', '\x08', '\x0b', '\x1b', '\x1f'}) {
        auto const answer = says(success(std::string("a") + control)).read("/x\x1b");
        EXPECT_EQ(answer.reason, Missing::invalid) << static_cast<int>(control);
        EXPECT_EQ(answer.detail, "/x\\x1b: binary data in a text file");
    }
}

TEST(HostRoot, a_failure_keeps_its_errno_and_says_it) {
    auto const answer = says(failure(EACCES)).read("/x");
    EXPECT_FALSE(answer);
    EXPECT_EQ(answer.error, EACCES);
    EXPECT_EQ(answer.reason, Missing::denied);
    EXPECT_EQ(answer.detail, "/x: EACCES");
    EXPECT_EQ(says(failure(ETIMEDOUT)).list("/x").reason, Missing::timeout);
    EXPECT_EQ(says(refusal(Missing::not_recorded, "why")).status("/x").detail, "/x: why");
}

TEST(HostRoot, a_file_too_long_says_the_same_live_and_recorded) {
    auto cut = success("part");
    cut.truncated = true;
    auto const live = says(cut).read("/x");
    auto const recorded = says(failure(EFBIG)).read("/x");
    EXPECT_EQ(live.reason, Missing::invalid);
    EXPECT_EQ(live.detail, "/x: longer than 64 KiB");
    EXPECT_EQ(live.detail, recorded.detail);
    EXPECT_EQ(live.reason, recorded.reason);
}

TEST(HostRoot, every_errno_has_a_name_that_reads_back) {
    for (int error = 1; error < 200; ++error)
        EXPECT_EQ(errno_of(errno_name(error)), error) << error;
    for (auto const* name :
         {"", "EWHAT", "errno", "errno ", "errno 0", "errno -1", "errno 99999", "errno 5x"})
        EXPECT_EQ(errno_of(name), 0) << name;
}

TEST(HostRoot, errnos_of_the_driver_have_their_reason) {
    EXPECT_EQ(reason_of(ENOENT), Missing::absent);
    EXPECT_EQ(reason_of(EPERM), Missing::denied);
    EXPECT_EQ(reason_of(EOPNOTSUPP), Missing::unsupported);
    EXPECT_EQ(reason_of(EBUSY), Missing::failed);
    EXPECT_EQ(reason_of(ELOOP), Missing::invalid);
    EXPECT_EQ(reason_of(4095), Missing::failed);
}

TEST(HostRoot, a_status_reply_reads_back) {
    FileStatus const node{'c', 0660, 0, 109, 226, 128};
    auto const status = says(status_reply(node)).status("/dev/x");
    ASSERT_TRUE(status);
    EXPECT_EQ(status->kind, 'c');
    EXPECT_EQ(status->mode, 0660U);
    EXPECT_EQ(status->gid, 109U);
    EXPECT_EQ(status->major, 226U);
    EXPECT_EQ(status->minor, 128U);
    EXPECT_EQ(says(success("c 660 0")).status("/x").reason, Missing::invalid);
    EXPECT_EQ(says(success("")).status("/x").reason, Missing::invalid);
}

TEST(HostRoot, names_end_at_their_nul) {
    EXPECT_EQ(says(names_reply({"b", "a10", "a9"})).list("/x").value,
              (std::vector<std::string>{"a9", "a10", "b"}));
    EXPECT_EQ(says(names_reply({})).list("/x").value, std::vector<std::string>{});
}

TEST(HostRoot, the_environment_splits_at_the_first_equals_sign) {
    HostRoot const root(
        std::make_shared<OneReply>(Reply{}, std::string("A=1=2\0B=\0=C:\0NONE\0A=3\0", 22)));
    EXPECT_EQ(root.environment().size(), 3U);
    EXPECT_EQ(root.environment_value("A"), "1=2") << "getenv(3) takes the first";
    EXPECT_EQ(root.environment_value("B"), "");
    EXPECT_EQ(root.environment_value("NONE"), std::nullopt);
}

}  // namespace
}  // namespace rocmtune::test
