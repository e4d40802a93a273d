// SPDX-License-Identifier: MIT
// --user, --process, --unit: a host as another process sees it, by files alone.
#include "measure/on_behalf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/checks/checks.hpp"
#include "measure/unit_file.hpp"
#include "probe/reader.hpp"
#include "rocmtune/error.hpp"
#include "support/hosts.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view users =
    "/etc/passwd =\n"
    "\troot:x:0:0:root:/root:/bin/bash\n"
    "\tollama:x:998:997::/usr/share/ollama:/bin/false\n"
    "\tmaria:x:1001:1001::/home/maria:/bin/bash\n";

/// The workstation, whose nodes belong to the group render, with its users and more.
std::string workstation(std::string_view more) {
    auto text = host_text("rx7900xt");
    auto const at = text.find("/etc/group");
    if (at != text.npos) {  // our own groups in place of its
        auto const next = text.find("\n/", at);
        text.erase(at, next + 1 - at);
    }
    return text.append("/etc/group =\n\trender:x:992:maria\n\tvideo:x:44:\n\tollama:x:997:\n")
        .append(users)
        .append(more);
}

Host host_of(Behalf const& behalf, std::string_view more) {
    auto source = on_behalf_of(behalf, text_source(workstation(more), "test"), false);
    return probe({HostRoot(std::shared_ptr<HostSource>(std::move(source)))});
}

/// The file of a unit in the text of a host.
std::string file(std::string const& path, std::string_view content) {
    auto text = path + " =\n";
    for (auto const line : lines(content)) text += fmt::format("\t{}\n", line);
    return text;
}

std::string const unit_path = "/etc/systemd/system/ollama.service";
constexpr std::string_view unit =
    "[Unit]\n"
    "Description=Ollama\n"
    "User=nobody\n"
    "[Service]\n"
    "User=ollama\n"
    "Group=ollama\n"
    "LimitMEMLOCK=64M\n"
    "Environment=\"HIP_VISIBLE_DEVICES=0\" OLLAMA_HOST=0.0.0.0\n"
    "[Install]\n";

Host ollama(std::string_view more = {}) {
    return host_of({Behalf::Of::unit, "ollama"}, file(unit_path, unit) + std::string(more));
}

std::string drop_in(std::string_view content, std::string const& name = "override.conf") {
    return file(unit_path + ".d/" + name, "[Service]\n" + std::string(content));
}

Finding access_of(Host const& host, char const* check = "kfd-access") {
    CheckSelection selection;
    selection.only = {check};
    return run_checks(host, embedded_chips(), selection).front();
}

TEST(Unit, has_the_groups_of_its_user_and_not_of_who_asks) {
    auto const host = ollama();
    EXPECT_EQ(*host.judged_process, "unit ollama.service, run by ollama");
    EXPECT_EQ(*host.user_id, 998U);
    EXPECT_THAT(*host.groups, ElementsAre("ollama"));
    ASSERT_TRUE(host.kfd_access) << host.kfd_access.detail();
    EXPECT_EQ(host.kfd_access->error, "EACCES");
    auto const finding = access_of(host);
    EXPECT_EQ(finding.verdict, Verdict::fail);
    EXPECT_EQ(finding.next_step,
              "sudo usermod -aG render ollama && sudo systemctl restart ollama.service");
}

TEST(Unit, has_what_a_drop_in_adds) {
    auto const host = ollama(drop_in("SupplementaryGroups=video render\n"));
    EXPECT_THAT(*host.groups, ElementsAre("ollama", "render", "video"));
    EXPECT_TRUE(host.kfd_access->usable);
    EXPECT_EQ(access_of(host).verdict, Verdict::pass);
}

TEST(Unit, with_devices_of_its_own_has_no_gpu) {
    auto const host = ollama(drop_in("PrivateDevices=yes\n"));
    EXPECT_EQ(host.kfd_access.reason(), Missing::absent);
    EXPECT_THAT(access_of(host).next_step,
                AllOf(HasSubstr("systemctl edit ollama.service"), HasSubstr("PrivateDevices=no")));
}

TEST(Unit, may_use_only_the_devices_that_it_is_allowed) {
    auto const groups = std::string("SupplementaryGroups=render\n");
    auto const kfd_only = ollama(drop_in(groups + "DeviceAllow=/dev/kfd rw\n"));
    EXPECT_TRUE(kfd_only.kfd_access->usable);
    EXPECT_EQ(kfd_only.gpus.front().render_access->error, "EPERM");
    EXPECT_THAT(access_of(kfd_only, "render-access").next_step, HasSubstr("DeviceAllow=char-drm"));
    auto const both =
        ollama(drop_in(groups + "DeviceAllow=/dev/kfd rw\nDeviceAllow=char-drm rw\n"));
    EXPECT_TRUE(both.gpus.front().render_access->usable);
    EXPECT_EQ(ollama(drop_in(groups + "DevicePolicy=closed\n")).kfd_access->error, "EPERM");
}

TEST(Unit, has_its_own_environment_and_limits) {
    auto const host = ollama(
        drop_in("Environment=HSA_OVERRIDE_GFX_VERSION=10.3.0\nEnvironmentFile=-/etc/ollama.env\n") +
        file("/etc/ollama.env", "HIP_VISIBLE_DEVICES=1\nROCR_VISIBLE_DEVICES=0\n") +
        drop_in("UnsetEnvironment=ROCR_VISIBLE_DEVICES\n", "a.conf"));
    ASSERT_TRUE(host.environment);
    EXPECT_EQ(host.environment->at("HSA_OVERRIDE_GFX_VERSION"), "10.3.0");
    EXPECT_EQ(host.environment->at("HIP_VISIBLE_DEVICES"), "1") << "the file comes last";
    EXPECT_EQ(*host.memlock_soft_bytes, 64U << 20U);
    EXPECT_FALSE(host.open_files_soft) << "the unit does not state it";
}

TEST(Unit, may_not_write_where_its_protection_forbids) {
    auto const caches = std::string(
        "call directory./usr/share/ollama/.config/miopen = 0xef53 0700 998 997\n"
        "/usr/share/ollama/.config/miopen dir\n");
    auto const writable = [&](std::string_view protection) {
        auto const host = ollama(caches + drop_in(protection));
        for (auto const& cache : host.caches.value_or({}))
            if (cache.name == "miopen-databases") return cache.writable;
        return std::optional<bool>();
    };
    EXPECT_EQ(writable(""), true);
    EXPECT_EQ(writable("ProtectSystem=strict\n"), false);
    EXPECT_EQ(writable("ProtectSystem=strict\nReadWritePaths=/usr/share/ollama\n"), true);
}

TEST(Unit, is_found_as_systemd_finds_it) {
    HostRoot const root(std::shared_ptr<HostSource>(text_source(
        "rocmtune-host 1\nunlisted absent\nenv\n" +
            file("/usr/lib/systemd/system/a@.service", "[Service]\nUser=vendor\n") +
            file("/etc/systemd/system/b.service", "[Service]\nUser=one\nDeviceAllow=/dev/kfd\n") +
            file("/usr/lib/systemd/system/b.service", "[Service]\nUser=hidden\n") +
            file("/usr/lib/systemd/system/b.service.d/10.conf", "[Service]\nUser=ten\n") +
            file("/etc/systemd/system/b.service.d/10.conf", "[Service]\nUser=two\n") +
            file("/etc/systemd/system/b.service.d/20.conf", "User=no section\n") +
            file("/run/systemd/system/b.service.d/30.conf",
                 "[Service]\nDeviceAllow=\nDeviceAllow=/dev/dri \\\nrw\n"),
        "test")));
    EXPECT_EQ(find_unit(root, "a@x")->value("User"), "vendor");
    auto const b = find_unit(root, "b");
    ASSERT_TRUE(b);
    EXPECT_EQ(b->value("User"), "two");
    EXPECT_THAT(b->values("DeviceAllow"), ElementsAre(HasSubstr("/dev/dri")));
    EXPECT_EQ(b->files.size(), 4U);
    EXPECT_FALSE(find_unit(root, "c"));
    EXPECT_FALSE(find_unit(root, "../b.service"));
}

TEST(UnitLimit, is_a_number_two_or_none) {
    EXPECT_EQ(unit_limit("infinity"), "unlimited unlimited");
    EXPECT_EQ(unit_limit("1024:524288"), "1024 524288");
    EXPECT_EQ(unit_limit("64M"), "67108864 67108864");
    EXPECT_FALSE(unit_limit(""));
    EXPECT_FALSE(unit_limit("many"));
    EXPECT_FALSE(unit_limit("99999999999999999999T"));
}

TEST(User, has_the_groups_that_a_login_gives) {
    auto const host = host_of({Behalf::Of::user, "maria"}, "");
    EXPECT_EQ(*host.judged_process, "user maria");
    EXPECT_THAT(*host.groups, ElementsAre("1001", "render"));
    EXPECT_TRUE(host.kfd_access->usable);
    EXPECT_FALSE(host.environment) << "what a login sets is not known";
    EXPECT_FALSE(host_of({Behalf::Of::user, "998"}, "").kfd_access->usable);
    EXPECT_THAT(access_of(host_of({Behalf::Of::user, "ollama"}, "")).next_step,
                HasSubstr("usermod -aG render ollama"));
}

TEST(Process, has_what_proc_says_of_it) {
    auto const host =
        host_of({Behalf::Of::process, "4711"},
                "/proc/4711/status =\n\tName:\tpython3\n\tUid:\t1001\t1001\t1001\t1001\n"
                "\tGid:\t1001\t1001\t1001\t1001\n\tGroups:\t44 1001 \n\tSeccomp:\t2\n"
                "/proc/4711/limits =\n"
                "\tMax open files            1024                 524288               files     \n"
                "\tMax locked memory         8388608              unlimited            bytes     \n"
                // HIP_VISIBLE_DEVICES=0, HOME=/home/maria
                "/proc/4711/environ base64 SElQX1ZJU0lCTEVfREVWSUNFUz0wAEhPTUU9L2hvbWUvbWFyaWEA\n");
    EXPECT_EQ(*host.judged_process, "process 4711, run by maria");
    EXPECT_THAT(*host.groups, ElementsAre("1001", "video"));
    EXPECT_EQ(host.kfd_access->error, "EACCES");
    EXPECT_EQ(host.environment->at("HIP_VISIBLE_DEVICES"), "0");
    EXPECT_EQ(*host.memlock_soft_bytes, 8388608U);
    EXPECT_EQ(*host.open_files_hard, 524288U);
    EXPECT_EQ(host.seccomp_filter.value(), true);
}

TEST(Behalf, of_nobody_is_an_error) {
    EXPECT_THROW(host_of({Behalf::Of::unit, "none"}, ""), Error);
    EXPECT_THROW(host_of({Behalf::Of::user, "none"}, ""), Error);
    EXPECT_THROW(host_of({Behalf::Of::process, "4711"}, ""), Error);
    EXPECT_THROW(host_of({Behalf::Of::process, "self"}, ""), Error);
}

TEST(BehalfOptions, judge_one_process_at_a_time) {
    EXPECT_EQ(run({"check", "--user", "root", "--unit", "ollama"}).code, 2);
    EXPECT_EQ(run({"check", "--unit", "no-such-unit-here"}).code, 2);
    auto const own = run({"check", "--process", std::to_string(::getpid()), "--json"});
    EXPECT_THAT(own.out, HasSubstr("\"judged_process\": \"process "));
}

}  // namespace
}  // namespace rocmtune::test
