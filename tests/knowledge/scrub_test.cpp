// SPDX-License-Identifier: MIT
// What the scrubber takes out, what stands in its place, and what it leaves alone.
#include "knowledge/scrub.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/text.hpp"
#include "support/secrets.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Case {
    std::string text;
    std::string expected;
};

TEST(Scrub, leaves_the_kind_of_a_secret_and_the_rest_of_the_value) {
    SecretMaker make(secrets_seed());
    auto const x = make.word(20);
    auto const token = make.word(24);
    std::vector<Case> const cases{
        {"http://anna:" + x + "@host:11434/v1", "http://anna:<secret: url password>@host:11434/v1"},
        {"https://" + token + "@one=anna:" + x + "@proxy:3128",
         "https://<secret: url password>@one=anna:<secret: url password>@proxy:3128"},
        {"amqp://:" + x + "@host", "amqp://:<secret: url password>@host"},
        {"a hf_" + x + x + " b", "a <secret: token of Hugging Face> b"},
        {"\"ghp_" + x + x + "\",", "\"<secret: token of GitHub>\","},
        {"serve --api-key " + x + " -v", "serve --api-key <secret: api key> -v"},
        {"serve --hf-token=" + x, "serve --hf-token=<secret: token>"},
        {"rd.luks.key=/etc/key quiet luks.passphrase=" + x + " ro",
         "rd.luks.key=/etc/key quiet luks.passphrase=<secret: passphrase> ro"},
        {"Authorization: Bearer " + x, "Authorization: Bearer <secret: authorization>"},
        {"-H 'authorization: token " + x + "' y",
         "-H 'authorization: token <secret: authorization>' y"},
        {"X-Api-Key: " + x, "X-Api-Key: <secret: api key>"},
        {"Cookie: a=" + x + "; b=" + x + "\nHost: y", "Cookie: <secret: cookie>\nHost: y"},
        {R"({"apiKey": ")" + x + R"(", "n": 1})", R"({"apiKey": "<secret: api key>", "n": 1})"},
        {R"(x "{\"password\": \")" + x + R"(\"}")",
         R"(x "{\"password\": \"<secret: password>\"}")"},
        {"password: hunter\nport: 1", "password: <secret: password>\nport: 1"},
        {"mount -o user=a,password=" + x + ",vers=3",
         "mount -o user=a,password=<secret: password>,vers=3"},
        {"https_proxy=anna:" + x + "@proxy:3128",
         "https_proxy=anna:<secret: url password>@proxy:3128"},
        {"sshpass -p " + x + " ssh host", "sshpass -p <secret: password> ssh host"},
        {"mysqldump -u root -p" + x + " db >f", "mysqldump -u root -p<secret: password> db >f"},
        {"docker exec db mysql -uroot -p'" + x + " !' db",
         "docker exec db mysql -uroot -p'<secret: password>' db"},
        {"/usr/bin/mysqladmin -phunter ping", "/usr/bin/mysqladmin -p<secret: password> ping"},
        {"ipmitool -H bmc -U admin -P " + x + " sdr",
         "ipmitool -H bmc -U admin -P <secret: password> sdr"},
        {"curl -uanna:" + x + " \\\n http://127.0.0.1",
         "curl -uanna:<secret: password> \\\n http://127.0.0.1"},
        {"mysql \\\n  -p" + x, "mysql \\\n  -p<secret: password>"},
        {"redis-cli -a " + x + " ping", "redis-cli -a <secret: password> ping"},
        {"ldapsearch -w " + x + " -p 389", "ldapsearch -w <secret: password> -p 389"},
        {"-----BEGIN RSA PRIVATE KEY-----\n" + x + "\n-----END RSA PRIVATE KEY-----\nend",
         "<secret: private key>\nend"},
    };
    for (auto const& [text, expected] : cases) {
        EXPECT_EQ(scrubbed(text), expected) << text << "\nROCMTUNE_SEED=" << secrets_seed();
        EXPECT_EQ(scrubbed(expected), expected) << "scrubbed twice";
    }
}

TEST(Scrub, takes_out_every_form_between_any_neighbours) {
    SecretMaker make(secrets_seed());
    for (int round = 0; round < 20; ++round)
        for (auto const& secret : made_secrets(make))
            for (std::string const around : {" ", "\n", ", ", "; ", "|"}) {
                auto const text = "x" + around + secret.text + around + "y";
                EXPECT_THAT(scrubbed(text), Not(HasSubstr(secret.hidden)))
                    << secret.form << ": " << text << "\nROCMTUNE_SEED=" << secrets_seed();
            }
}

TEST(Scrub, of_a_value_behind_a_name_that_promises_a_secret_leaves_nothing) {
    for (std::string const name :
         {"HF_TOKEN", "VLLM_API_KEY", "DB_PASS_PHRASE", "X_ACCESSKEY", "A_SIGNATURE", "A_SESSION",
          "A_PIN", "clientSecret", "api-key"}) {
        std::string value = "some words of it";
        EXPECT_TRUE(scrub_value(name, value)) << name;
        EXPECT_EQ(secret_mark_length(value), value.size()) << name << ": " << value;
    }
}

TEST(Scrub, of_words_looks_at_the_word_behind_an_option) {
    std::vector<std::string> words{"serve",  "--token", "abc def", "--password=a b'c",
                                   "--port", "80",      "-u",      "a:b"};
    EXPECT_TRUE(scrub_words(words));
    EXPECT_THAT(words,
                testing::ElementsAre("serve", "--token", "<secret: token>",
                                     "--password=<secret: password>", "--port", "80", "-u", "a:b"));
    words = {"curl", "-u", "anna:hunter", "http://127.0.0.1"};
    EXPECT_TRUE(scrub_words(words));
    EXPECT_EQ(words[2], "anna:<secret: password>");
    words = {"mysql", "-uroot", "-phunter 2", "-P3306", "-p", "database"};
    EXPECT_TRUE(scrub_words(words));
    EXPECT_THAT(words, testing::ElementsAre("mysql", "-uroot", "-p<secret: password>", "-P3306",
                                            "-p", "database"));
}

TEST(Scrub, leaves_alone_what_is_no_secret) {
    for (std::string const text :
         {"TOKENIZERS_PARALLELISM=false",
          "MAX_TOKENS=4096",
          "--max-model-len 4096 --max-num-batched-tokens 8192",
          "PWD=/root",
          "KEYBOARD=us",
          "AUTHOR=Anna",
          "XDG_SESSION_TYPE=x11",
          "MONKEY=banana1",
          "SSH_AUTH_SOCK=/run/user/1000/keyring/ssh",
          "HSA_ENABLE_SDMA=0",
          "NCCL_IB_PKEY=0x1234",
          "image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
          "commit 5ce37f1c0a6e1c1ad1f4d8a9b3a2f8c7d6e5f4a3",
          "GPU-d3c1b2a495867766",
          "0000:03:00.0",
          "b3f1e6a2-7c1d-4a57-9d0e-1f2a3b4c5d6e",
          "/opt/rocm-6.3.0/lib/libamdhip64.so.6.3.60300",
          "https://github.com/ROCm/ROCm/issues/4021#issuecomment-2222",
          "git@github.com:ROCm/rocm-smi.git",
          "https://git@github.com/ROCm/x.git",
          "video=HDMI-A-1:1920x1080@60",
          "root=UUID=0a1b2c3d-1111-2222-3333-444455556666",
          "api_key: the key of the service",
          "HF_TOKEN: a credential stands in the file, it seems",
          "password is not set",
          "token $HF_TOKEN",
          "--token ${HF_TOKEN}",
          "--token $(cat /run/token)",
          "API_KEY=",
          "PASSWORD=\"\"",
          "password=********",
          "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
          "cache_key=true",
          "docker run --user 1000:1000 -p 8080:80 image",
          "docker run --name mysql -p8080:80 -p 3306:3306 image",
          "mysqldump -u root -p database -h127.0.0.1 -P3306 --port=3306",
          "mysql -p$PASSWORD db",
          "mysql db <dump && mkdir -pv /data; tar -pxf x",
          "sshpass -e ssh -p 2222 host",
          "pip install mysql\nmkdir -pv /a && cp -pr a b",
          "ssh -p 2222 host; patch -p1",
          "MIOPEN_TRACE_PASSES=1",
          "Basic understanding of GPUs",
          "SECRET_FILE=/run/secrets/x",
          "amdgpu 0000:03:00.0: amdgpu: SMU: response:0xFFFFFFFF for index:6",
          "[drm] PSP load tmr failed!",
          "Loaded X.509 cert 'Fedora kernel signing key: 964b5df60a9acfaf98ac61ad63da13d0fcd806f9'",
          "GFX11_KEY=1",
          "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
          "<secret: token of GitHub>",
          "https://a.example.org/x?v=1&k=2"}) {
        EXPECT_EQ(scrubbed(text), text);
    }
}

TEST(Scrub, of_random_text_without_a_secret_changes_nothing) {
    SecretMaker make(secrets_seed());
    for (int i = 0; i < 2000; ++i) {
        auto const hash = make.hexadecimal(40);
        auto const text =
            "/opt/" + make.of("abcdef-", 8) + "/" + hash + ".so:" + make.hexadecimal(64) + " " +
            make.of("abcdefghijklmnopqrstuvwxyz", 12) + "=" + make.of("0123456789", 6) +
            " 0000:" + make.hexadecimal(2) + ":00.0 GPU-" + make.hexadecimal(16);
        EXPECT_EQ(scrubbed(text), text) << "ROCMTUNE_SEED=" << secrets_seed();
    }
}

/// What the scrubber changes in the lines of the files below a directory.
std::vector<std::string> changed_lines(std::string const& directory, std::size_t& lines_read) {
    std::vector<std::string> changed;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(
             std::string(ROCMTUNE_SOURCE_DIR) + '/' + directory)) {
        if (!entry.is_regular_file()) continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line); ++lines_read)
            if (scrub(line)) changed.push_back(line);
    }
    return changed;
}

TEST(Scrub, of_recorded_hosts_logs_and_settings_changes_the_invented_secrets_alone) {
    std::size_t lines_read = 0;
    EXPECT_THAT(changed_lines("tests/hosts", lines_read),
                testing::ElementsAre("env HF_TOKEN=<secret: token>"));
    EXPECT_THAT(changed_lines("profiles/examples", lines_read), testing::IsEmpty());
    EXPECT_THAT(changed_lines("tests/incidents/logs", lines_read), testing::IsEmpty());
    EXPECT_THAT(changed_lines("tests/lint/corpus", lines_read),
                testing::UnorderedElementsAre("OPENAI_API_KEY=<secret: api key>",
                                              "export HF_TOKEN=<secret: token>"));
    EXPECT_GT(lines_read, 20'000U);
}

TEST(Scrub, takes_any_bytes) {
    SecretMaker make(secrets_seed());
    for (int i = 0; i < 20000; ++i) {
        auto const text = make.of("-:=@/?&'\"\\ \n<>abkeypwtokn_.{}", 24);
        auto const once = scrubbed(text);
        EXPECT_EQ(scrubbed(once), once) << text << "\nROCMTUNE_SEED=" << secrets_seed();
    }
}

}  // namespace
}  // namespace rocmtune::test
