// SPDX-License-Identifier: MIT
// Redaction: what identifies goes, what the report is made of stays.
#include "machine/redact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/host_root.hpp"
#include "machine/host_text.hpp"
#include "machine/redact_text.hpp"
#include "rocmtune/error.hpp"
#include "support/hosts.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr RedactionKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};

std::string redacted(std::string const& body) {
    return redact("rocmtune-host 1\nlabel a test\n" + body, key).text;
}

/// One text as the content of an attribute, redacted, beside a host and a user that are known.
std::string attribute(std::string const& text) {
    auto const host =
        text_source(redacted("call uname.nodename = tardis\n/home/rose/x = 1\n/sys/devices/a " +
                             file_body(text + '\n') + "\n"),
                    "x");
    auto content = host->ask({Operation::read, "/sys/devices/a"}).text;
    content.pop_back();
    return content;
}

std::size_t count_of(Redaction const& redaction, std::string_view kind) {
    for (auto const& count : redaction.replaced)
        if (count.kind == kind) return count.values;
    return 0;
}

TEST(SipHash, gives_the_values_of_its_authors) {
    // vectors.h of the reference implementation: key 00..0f, messages of 0, 1 and 8 bytes 00, 01,
    // ...
    EXPECT_EQ(siphash(key, ""), 0x726fdb47dd0e0e31U);
    EXPECT_EQ(siphash(key, std::string(1, '\0')), 0x74f839c593dc67fdU);
    EXPECT_EQ(siphash(key, std::string("\0\1\2\3\4\5\6\7", 8)), 0x93f5f5799a932462U);
}

TEST(Redact, replaces_by_form) {
    EXPECT_THAT(
        attribute("root=UUID=5f1c6e2a-7d0e-4a52-9a41-3d7b6f0c9e11 ro"),
        MatchesRegex("root=UUID=[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} ro"));
    for (std::string const text :
         {"5f1c6e2a-7d0e-4a52-9a41-3d7b6f0c9e11",
          "/kubepods/pod5f1c6e2a_7d0e_4a52_9a41_3d7b6f0c9e11/x",
          "PARTUUID=4a1b2c3d-01",
          "UUID=12AB-34CD",
          "ip=10.1.2.3",
          "nfs 192.168.7.9:/export",
          "at fe80::1ff:fe23:4567:890a,",
          "2001:db8:0:1:2:3:4:5",
          "::ffff:c0a8:2107",
          "64:FF9B::C0A8:2107",
          "enx3cecef123456",
          "link 3c:ec:ef:12:34:56",
          "3C-EC-EF-12-34-56",
          "GPU-1b51810ad7d004e2",
          "docker-3f4a9b2c1d0e5f6a7b8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c.scope",
          "machine 0123456789abcdef0123456789abcdee",
          "usb 1-2: SerialNumber: 4C530001",
          "on tardis:",
          "vg_tardis/root",
          "tardis.example.org",
          "cd /home/jack/venv",
          "PATH=/Users/jack/bin:/x",
          "/mnt/c/Users/jack/x",
          "by rose@x",
          "/home/rose"}) {
        auto const result = attribute(text);
        EXPECT_NE(result, text);
        EXPECT_THAT(result, Not(HasSubstr("jack")));
        EXPECT_THAT(result, Not(HasSubstr("rose")));
        EXPECT_THAT(result, Not(HasSubstr("tardis")));
        if (text.find("ip=") == text.npos && text.find("nfs") == text.npos) {
            EXPECT_EQ(result.size(), text.size()) << result;
        }
    }
}

TEST(Redact, leaves_what_only_looks_alike) {
    for (std::string const text : {"0000:03:00.0",
                                   "0000:03:00.0 0x1002:0x744C 0x1002:0x0E3B",
                                   "127.0.0.1",
                                   "0.0.0.0",
                                   "255.255.255.0",
                                   "6.8.0-60",
                                   "version 1.2.3.4",
                                   "Version: 12.0.1.5",
                                   "1.2.3.4-5ubuntu1",
                                   "libx.so.1.2.3.4",
                                   "1.2.3.4.5",
                                   "300.1.2.3",
                                   "01.2.3.4",
                                   "12:34:56",
                                   "ff:ff:ff:ff:ff:ff",
                                   "00000000-0000-0000-0000-000000000000",
                                   "a::b",
                                   "std::vector",
                                   "::1",
                                   "2.7.0+gitf717b2a1c",
                                   "f717b2af717b2af717b2af717b2af717b2af717b",
                                   "GPU-XX",
                                   "GPU-0000000000000000",
                                   "tardiss",
                                   "primrose",
                                   "cpu_family 25",
                                   "113-D70200-00",
                                   "11743816238423",
                                   "deadbeef",
                                   "0,1,2,3",
                                   "/home",
                                   "/home/",
                                   "2500Mhz *"})
        EXPECT_EQ(attribute(text), text);
}

std::string repeated(std::string_view text, std::size_t count) {
    std::string result;
    while (count-- > 0) result += text;
    return result;
}

TEST(Redact, long_rows_of_groups_are_looked_at_once) {
    // From each group anew, they would take minutes.
    constexpr std::size_t many = 100'000;
    for (auto const& text :
         {repeated("ab:cd:", many), repeated("ab:cd:", many) + "xy", repeated("/home/ ", many)})
        EXPECT_EQ(attribute(text), text);
    // The last six or eight groups alone are an address.
    for (auto const& text : {repeated("ab-cd-", many) + "ab", repeated("2001:", many) + "zz"})
        EXPECT_EQ(attribute(text).substr(0, text.size() / 2), text.substr(0, text.size() / 2));
}

TEST(Redact, addresses_beside_rows_of_groups_are_found) {
    auto const mac = attribute("3c:ec:ef:12:34:56");
    auto const infiniband = attribute(repeated("3c:ec:", 9) + "ef:12");
    EXPECT_NE(mac, "3c:ec:ef:12:34:56");
    EXPECT_NE(infiniband, repeated("3c:ec:", 9) + "ef:12");
    EXPECT_THAT(attribute("aa:bb:cc:dd:ee:ff:01:xy 3c:ec:ef:12:34:56"), HasSubstr("01:xy "));
    for (std::string const around : {"aa:bb:cc:dd:ee:ff:01: {}", "aa:bb:cc:dd:ee:ff:01:02x {} ",
                                     "ab:{}", "12-34-56-78-9a-bc-de {}"})
        EXPECT_THAT(attribute(fmt::format(fmt::runtime(around), "3C-EC-EF-12-34-56")),
                    Not(HasSubstr("3C-EC-EF-12-34-56")))
            << around;
}

TEST(Redact, keeps_equal_ids_equal_in_every_form) {
    auto const text = redacted(
        "call worker.hip = {\"uuid\":\"GPU-1b51810ad7d004e2\"}\n/sys/a/unique_id = "
        "1b51810ad7d004e2\n"
        "/sys/nodes/1/properties =\n\tunique_id 1968496395708007650\n\thive_id "
        "7310482664912205871\n\tgfx_target_version 90402\n"
        "/sys/a/xgmi_hive_info/xgmi_hive_id = 7310482664912205871\n/sys/b = 0x1B51810AD7D004E2\n");
    HostRoot const host(text_source(text, "x"));
    auto const id = *host.read("/sys/a/unique_id");
    EXPECT_THAT(id, MatchesRegex("[1-9a-f][0-9a-f]{15}"));
    EXPECT_NE(id, "1b51810ad7d004e2");
    EXPECT_EQ(*host.call("worker.hip"), "{\"uuid\":\"GPU-" + id + "\"}");
    EXPECT_EQ(lower(*host.read("/sys/b")), "0x" + id);
    auto const hive = *host.read("/sys/a/xgmi_hive_info/xgmi_hive_id");
    EXPECT_NE(hive, "7310482664912205871");
    EXPECT_EQ(*host.read("/sys/nodes/1/properties"),
              fmt::format("unique_id {}\nhive_id {}\ngfx_target_version 90402",
                          *to_unsigned(id, 16), hive));
}

TEST(Redact, keeps_small_and_missing_ids) {
    std::string const body =
        "/sys/n/properties =\n\tunique_id 0\n\thive_id 18446744073709551615\n\tsimd_count 4\n";
    EXPECT_THAT(redacted(body), HasSubstr(body));
}

TEST(Redact, replaces_names_and_homes_in_paths_targets_calls_and_variables) {
    auto const text = redacted(
        "env HOME=/data/users/jack\nenv PATH=/home/jack\\\\x/bin:/usr/bin\nenv "
        "MASTER_ADDR=head-1.lab.example\n"
        "call uname.nodename = tardis.lab.example\ncall filesystem./home/rose = 5\n/etc/hostname = "
        "tardis\n"
        "/home/rose\\040t/venv/pyvenv.cfg =\n\thome = /home/rose t/x\n\ton tardis\n"
        "/opt/rocm -> /home/rose/rocm\n/etc/group "
        "=\n\tvideo:x:44:jack,rose\n\tmickey:x:1000:\n\tollama:x:998:ollama\n");
    for (std::string const secret : {"jack", "rose", "tardis", "mickey", "head-1", "lab.example"})
        EXPECT_THAT(text, Not(HasSubstr(secret)));
    EXPECT_THAT(text, HasSubstr("video:x:44:"));
    EXPECT_THAT(text, HasSubstr("ollama:x:998:ollama"));
    EXPECT_THAT(text, HasSubstr("/venv/pyvenv.cfg ="));
    EXPECT_THAT(text, HasSubstr("/opt/rocm -> /home/"));
}

TEST(Redact, replaces_serial_numbers_but_not_what_firmware_says_instead) {
    auto const text = redacted(
        "/sys/devices/a/serial_number = 692250100000\n/sys/class/dmi/id/product_serial = "
        "CZ3J-0042X\n"
        "/sys/class/dmi/id/board_serial = Default string\n/sys/class/dmi/id/chassis_serial = 0\n"
        "/sys/class/dmi/id/board_asset_tag = 0000000\n/sys/devices/b = made by CZ3J-0042X\n");
    EXPECT_THAT(text, Not(HasSubstr("692250100000")));
    EXPECT_THAT(text, Not(HasSubstr("CZ3J-0042X")));
    EXPECT_THAT(text,
                testing::ContainsRegex("product_serial = [A-Z]{2}[0-9][A-Z]-[0-9]{4}[A-Z]\n"));
    EXPECT_THAT(text, HasSubstr("board_serial = Default string\n"));
    EXPECT_THAT(text, HasSubstr("chassis_serial = 0\n"));
    EXPECT_THAT(text, HasSubstr("board_asset_tag = 0000000\n"));
}

TEST(Redact, a_host_called_like_something_ordinary_renames_nothing_else) {
    auto const text = redacted(
        "call uname.nodename = amdgpu\n/etc/hostname = amdgpu\n/sys/module/amdgpu/version = 6.12\n"
        "/proc/modules = amdgpu 1\n");
    EXPECT_THAT(text, Not(HasSubstr("nodename = amdgpu")));
    EXPECT_THAT(text, Not(HasSubstr("hostname = amdgpu")));
    EXPECT_THAT(text, HasSubstr("/sys/module/amdgpu/version"));
    EXPECT_THAT(text, HasSubstr("/proc/modules = amdgpu 1"));
    auto const rare = redacted("call uname.nodename = rocker\n/sys/rocker/x = rocker\n");
    EXPECT_THAT(rare, HasSubstr("/sys/rocker/x = rocker"));
}

TEST(Redact, finds_names_in_capitals_and_other_hosts) {
    auto const text = redacted(
        "call uname.nodename = gpu-node17.lab.acme.example\n/etc/hostname = gpu-node17\n"
        "env MASTER_ADDR=head-1\nenv OLLAMA_HOST=http://anna@files.acme.example:11434/x\n"
        "env SLURM_NODELIST=frontal,rack[01-04]\nenv HF_ENDPOINT=https://huggingface.co\n"
        "/sys/devices/a = on GPU-NODE17 and gpu-node18, HEAD-1; see http://files.acme.example/\n"
        "/sys/devices/b = mail to acme.example, from db7.lab.acme.example and frontal\n");
    for (std::string const secret :
         {"node17", "NODE17", "node18", "head-1", "HEAD-1", "files", "acme", "db7", "frontal"})
        EXPECT_THAT(text, Not(HasSubstr(secret)));
    EXPECT_THAT(text, HasSubstr("https://huggingface.co"));
}

TEST(Redact, gives_a_host_one_alias_with_its_domain_and_without) {
    auto const text = redacted(
        "call uname.nodename = tardis.lab.example\n/etc/hostname = tardis\n"
        "/sys/devices/a = TARDIS tardis.lab.example lab.example\n");
    HostRoot const host(text_source(text, "x"));
    auto const name = *host.read("/etc/hostname");
    auto const full = *host.call("uname.nodename");
    auto const line = *host.read("/sys/devices/a");
    auto const words = split(line, ' ');
    EXPECT_TRUE(full.starts_with(name + '.')) << full;
    EXPECT_EQ(words[0], upper(name));
    EXPECT_EQ(words[1], full);
    EXPECT_EQ(words[2], full.substr(name.size() + 1));
}

TEST(Redact, finds_homes_wherever_they_are) {
    auto const text = redacted(
        "env HOME=/gpfs/people/jack\nenv PATH=/gpfs/people/rose/bin:/nfs/home/donna/bin\n"
        "/users/martha/x = /homes/wilfred/y\n");
    for (std::string const secret : {"jack", "rose", "donna", "martha", "wilfred"})
        EXPECT_THAT(text, Not(HasSubstr(secret)));
    EXPECT_THAT(redacted("env HOME=/var/lib/ollama\n/var/lib/dpkg/x = 1\n"),
                HasSubstr("/var/lib/dpkg/x = 1"));
}

TEST(Redact, a_user_called_like_a_part_of_proc_renames_nothing_there) {
    for (std::string const user : {"user", "self", "net", "root"}) {
        auto const text =
            redacted("env HOME=/home/" + user + "\n/proc/self/ns/user -> user:[4026531837]\n" +
                     "/proc/net/dev = 1\n/home/" + user + "/x = 1\n");
        EXPECT_THAT(text, HasSubstr("/proc/self/ns/user -> user:[4026531837]")) << user;
        EXPECT_THAT(text, HasSubstr("/proc/net/dev = 1")) << user;
        EXPECT_THAT(text, Not(HasSubstr("/home/" + user + "/x"))) << user;
    }
}

TEST(Redact, finds_ids_in_the_spellings_of_other_programs) {
    std::string const id = "3f4a9b2c1d0e5f6a7b8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c";
    auto const text = redacted(
        "/sys/class/dmi/id/product_serial = CZ3J-0042X\n"
        "/proc/self/cgroup = 0::/docker-" +
        id +
        ".scope\n"
        "call kernel-log =\n\t<6>[ 1.0] amdgpu 0000:03:00.0: cz3j0042x, container 3f4a9b2c1d0e,\n"
        "\t<6>[ 1.0] amdgpu 0000:03:00.0: XGMI: Add node 0, hive 0x57a1d3c2b4e60f18.\n"
        "\t<6>[ 1.0] amdgpu 0000:03:00.0: unique_id: 0x9b51810ad7d004e2\n"
        "\t<6>[ 1.0] amdgpu 0000:03:00.0: Serial Number: PCB01234-567\n"
        "/sys/devices/a = mac 3cec.ef12.3456 guid 506b:4b03:00a1:b2c3\n"
        "/sys/devices/b = ns 4b03.00a1 v 1.2.3 0x00007f5c12345678 5c12:3456\n");
    for (std::string const secret : {"cz3j0042x", "0042X", "3f4a9b2c1d0e", "57a1d3c2b4e60f18",
                                     "9b51810ad7d004e2", "PCB01234", "3cec.ef12", "506b:4b03"})
        EXPECT_THAT(text, Not(HasSubstr(secret)));
    EXPECT_THAT(text,
                HasSubstr("/sys/devices/b = ns 4b03.00a1 v 1.2.3 0x00007f5c12345678 5c12:3456"));
    EXPECT_THAT(text, HasSubstr("XGMI: Add node 0, hive 0x"));
}

TEST(Redact, leaves_the_mark_of_a_secret_as_it_is) {
    auto const text =
        redacted("env HOME=/home/token\n/sys/devices/a = token <secret: token of GitHub>\n");
    EXPECT_THAT(text, HasSubstr("<secret: token of GitHub>"));
    EXPECT_THAT(text, Not(HasSubstr("= token <")));
}

TEST(Redact, names_that_say_nothing_stay) {
    EXPECT_THAT(redacted("call uname.nodename = localhost\n/etc/hostname = localhost\n"),
                HasSubstr("= localhost\n"));
}

TEST(Redact, keeps_of_the_kernel_log_what_is_about_gpus) {
    auto const result = redact(
        "rocmtune-host 1\ncall kernel-log =\n\t<6>[ 1.0] usb 1-2: Product: Jack's phone\n\t<6>[ "
        "2.0] amdgpu 0000:03:00.0: ready on tardis\n"
        "\t<4>[ 3.0] pcieport 0000:00:01.1: AER: error\ncall uname.nodename = tardis\n",
        key);
    EXPECT_THAT(result.text, Not(HasSubstr("phone")));
    EXPECT_THAT(result.text, HasSubstr("amdgpu 0000:03:00.0: ready on"));
    EXPECT_THAT(result.text, HasSubstr("AER: error"));
    EXPECT_THAT(result.text, Not(HasSubstr("tardis")));
    EXPECT_EQ(result.dropped_log_lines, 1U);
    EXPECT_EQ(dropped_text(result), "1 line of the kernel log, not about GPUs");
    auto const none = redact("rocmtune-host 1\ncall kernel-log =\n\t<6>a\n\t<6>b\n", key);
    EXPECT_FALSE(trim(*HostRoot(text_source(none.text, "x")).call("kernel-log")).empty());
}

TEST(Redact, binary_files_keep_their_length) {
    auto const cache = std::string("x\0/home/jack/lib/libamdhip64.so\0/usr/lib/y\0", 43);
    auto const text = redacted("env HOME=/home/jack\n/etc/ld.so.cache " + file_body(cache) +
                               "\n/home/jack/lib/x = 1\n");
    auto const host = text_source(text, "x");
    auto const content = host->ask({Operation::read, "/etc/ld.so.cache"}).text;
    EXPECT_EQ(content.size(), cache.size());
    EXPECT_THAT(content, Not(HasSubstr("jack")));
    auto const at = content.find("/home/") + 6;
    EXPECT_THAT(text, HasSubstr("/home/" + content.substr(at, 4) +
                                "/lib/x = 1\n"));  // still the same directory
}

TEST(Redact, the_serial_number_in_pci_configuration_space_is_cleared) {
    std::string config(0x120, '\0');
    config.replace(0x100, 12, std::string("\x03\x00\x01\x11\x11\x22\x33\x44\x55\x66\x77\x88", 12));
    auto const text = redacted("/sys/devices/a/config " + file_body(config) + "\n");
    auto const content =
        text_source(text, "x")->ask({Operation::read, "/sys/devices/a/config"}).text;
    EXPECT_EQ(content.substr(0x100, 4), config.substr(0x100, 4));
    EXPECT_EQ(content.substr(0x104), std::string(0x120 - 0x104, '\0'));
    // A list that goes round ends.
    config.replace(0x100, 4, std::string("\x01\x00\x01\x10", 4));
    (void)redacted("/sys/devices/a/config " + file_body(config) + "\n");
}

TEST(Redact, versions_of_software_are_no_addresses) {
    std::string const body =
        "/var/lib/dpkg/status =\n\tVersion: 5\n\tDepends: x (>= 1.2.3.4)\n\t /etc/x "
        "0123456789abcdef0123456789abcdee\n"
        "/opt/rocm/.info/version = 6.4.1.2\n";
    EXPECT_THAT(redacted(body), HasSubstr(body));
}

TEST(Redact, another_key_gives_other_aliases) {
    std::string const text = "rocmtune-host 1\ncall uname.nodename = tardis\n";
    EXPECT_EQ(redact(text, key).text, redact(text, key).text);
    EXPECT_NE(redact(text, key).text, redact(text, {1, 2}).text);
    EXPECT_EQ(redaction_key().size(), 2U);
}

TEST(Redact, different_values_stay_different) {
    std::string body;
    for (char c = 'a'; c <= 'z'; ++c) body += fmt::format("/home/{}/x = 1\n", c);
    auto const text = redacted(body);
    std::set<std::string_view> paths;
    for (auto const& entry : host_entries(text)) paths.insert(entry.head);
    EXPECT_EQ(paths.size(), 27U);  // and the label
}

TEST(Redact, counts_what_it_replaced_and_says_what_it_left) {
    auto const result = redact(
        "rocmtune-host 1\nenv NCCL_DEBUG=INFO\ncall uname.nodename = tardis\n/proc/cmdline = "
        "a\n/proc/1/comm = x\n"
        "/sys/a = 10.1.2.3 10.1.2.3 10.1.2.4\n",
        key);
    EXPECT_EQ(count_of(result, "host names"), 1U);
    EXPECT_EQ(count_of(result, "IP addresses"), 2U);
    EXPECT_EQ(count_of(result, "user names"), 0U);
    EXPECT_THAT(result.left, testing::Contains(HasSubstr("command line")));
    EXPECT_THAT(result.left, testing::Contains(HasSubstr("processes")));
    EXPECT_THAT(result.left, testing::Contains(HasSubstr("1 environment variable ")));
    EXPECT_THAT(result.left, Not(testing::Contains(HasSubstr("packages"))));
}

TEST(Redact, finds_names_in_what_was_not_reached_and_keeps_an_empty_environment) {
    auto const result = redact(
        "rocmtune-host 1\nenv\nunreached timeout read /home/alice/.venv/bin\n/home/alice -> /x\n",
        key);
    EXPECT_THAT(result.text, Not(HasSubstr("alice")));
    EXPECT_THAT(result.text, HasSubstr("\nenv\nunreached timeout read /home/"));
}

TEST(Redact, of_no_recording_is_refused) {
    EXPECT_THROW((void)redact("nonsense", key), Error);
}

class RedactedHost : public testing::TestWithParam<std::string> {};

TEST_P(RedactedHost, is_a_host_without_its_name_and_ids) {
    auto const original = host_text(GetParam());
    auto const text = redact(original, key).text;
    HostRoot const host(text_source(text, "redacted"));
    auto const name = HostRoot(text_source(original, "x")).call("uname.nodename");
    if (name && *name != "localhost") {
        EXPECT_NE(host.call("uname.nodename").value, name.value);
    }
    for (auto const& entry : host_entries(original))
        if (entry.head.ends_with("/unique_id") || entry.head.ends_with("/serial_number")) {
            auto const content = file_content(entry.body).value_or("");
            auto const id = trim(content);
            if (id.size() > 8) {
                EXPECT_THAT(text, Not(HasSubstr(std::string(id))));
            }
        }
}

INSTANTIATE_TEST_SUITE_P(All, RedactedHost, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

}  // namespace
}  // namespace rocmtune::test
