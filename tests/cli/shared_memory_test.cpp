// SPDX-License-Identifier: MIT
// Memory that the GPU of a processor shares, from the outside: hosts with the figures that people
// published. What check, plan and the one screen say of each agrees with what programs there got.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <regex>

#include "base/text.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Words = std::vector<std::string>;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// A host of tests/hosts with other figures; MiB, and 0 leaves what the host has.
struct Figures {
    char const* host = "strix-halo";
    std::uint64_t memory = 0;
    std::uint64_t carve_out = 0;
    std::uint64_t gtt = 0;
    std::uint64_t limit = 0;          ///< pages_limit
    std::uint64_t offered = 0;        ///< by KFD
    char const* arguments = nullptr;  ///< of the kernel
    char const* module = "ttm";       ///< that has pages_limit
    char const* gttsize = nullptr;    ///< as amdgpu has it
    char const* distribution = nullptr;
};

/// Each match becomes the text.
void become(std::string& host, std::string const& pattern, std::string const& text) {
    auto const changed = std::regex_replace(host, std::regex(pattern, std::regex::multiline), text);
    ASSERT_NE(changed, host) << pattern;
    host = changed;
}

std::string text_of(Figures const& it) {
    auto host = host_text(it.host);
    auto const size = [&](char const* path, std::uint64_t mebibytes) {
        if (mebibytes > 0)
            become(host, fmt::format("^(.*{} = )\\d+$", path),
                   fmt::format("$01{}", mebibytes * mib));
    };
    if (it.memory > 0) {
        become(host, "^\tMemTotal:.*$", fmt::format("\tMemTotal: {} kB", it.memory * 1024));
        become(host, "^\tMemAvailable:.*$",
               fmt::format("\tMemAvailable: {} kB", (it.memory - 4096) * 1024));
    }
    size("mem_info_vram_total", it.carve_out);
    size("mem_info_vis_vram_total", it.carve_out);
    size("mem_info_gtt_total", it.gtt);
    if (it.limit > 0)
        become(host, "^/sys/module/ttm/parameters/pages_limit = .*$",
               fmt::format("/sys/module/{}/parameters/pages_limit = {}", it.module,
                           it.limit * mib / 4096));
    if (it.offered > 0)
        become(host, "^(\theap_type 1\n\tsize_in_bytes )\\d+$",
               fmt::format("$01{}", it.offered * mib));
    if (it.arguments != nullptr)
        become(host, "^/proc/cmdline = .*$",
               fmt::format("/proc/cmdline = root=UUID=0b7a ro {}", it.arguments));
    if (it.gttsize != nullptr)
        become(host, "^(/sys/module/amdgpu/parameters/gttsize = ).*$",
               fmt::format("$01{}", it.gttsize));
    if (it.distribution != nullptr)
        become(host, "^\tID=.*$", fmt::format("\tID={}", it.distribution));
    return host;
}

struct Published {
    char const* name;
    Figures figures;
    double programs_got;  ///< GiB, as the report says; below 0: no setting of it is published
    char const* verdict;
    char const* says;
    char const* step;   ///< part of the next step of RT3206; empty: there is none
    char const* asked;  ///< --params of a model in q4_k_m
    char const* plan;   ///< what plan says of it
    char const* next;   ///< part of plan's next step; empty: it fits
};

void PrintTo(Published const& row, std::ostream* out) {
    *out << row.name;
}

Published const cases[] = {
    // antirez/ds4#475: "63968M of GTT memory ready", rocminfo says as much.
    {"strix_halo_at_the_default",
     {.memory = 127936,
      .carve_out = 512,
      .gtt = 63968,
      .limit = 63968,
      .offered = 63968,
      .arguments = "quiet",
      .distribution = "ubuntu"},
     62.5,
     "info",
     "half, as the kernel does unasked; 109 GiB can be allowed",
     "pages_limit=28573696",
     "120B",
     "it does not fit",
     "pages_limit=28573696"},
    // noamsto/nix-amd-ai#42: GTT is 103079215104 bytes, llama.cpp sees 98304 MiB.
    {"strix_halo_raised",
     {.memory = 126000,
      .carve_out = 4096,
      .gtt = 98304,
      .limit = 98304,
      .offered = 98304,
      .arguments = "ttm.pages_limit=25165824 ttm.page_pool_size=25165824",
      .distribution = "nixos"},
     96,
     "pass",
     "96 GiB of 123 GiB of main memory (pages_limit of ttm)",
     "",
     "120B",
     "it fits",
     ""},
    // ROCm issue 5595: "unknown parameter 'gtt_size' ignored", ROCm sees 62.2 GB.
    {"strix_halo_with_a_parameter_that_does_not_exist",
     {.memory = 127386,
      .carve_out = 512,
      .gtt = 63693,
      .limit = 63693,
      .offered = 63693,
      .arguments = "amdgpu.gtt_size=122880",
      .distribution = "ubuntu"},
     62.2,
     "warn",
     "amdgpu has no parameter gtt_size and ignores it",
     "pages_limit=28311552",
     "120B",
     "it does not fit",
     "pages_limit=28311552"},
    // unslothai/unsloth#7960: GTT is 128 GiB, torch sees 62.47 GiB.
    {"strix_halo_with_gttsize_alone",
     {.memory = 127918,
      .carve_out = 512,
      .gtt = 131072,
      .limit = 63959,
      .offered = 63959,
      .arguments = "amdgpu.gttsize=131072",
      .gttsize = "131072",
      .distribution = "ubuntu"},
     62.47,
     "warn",
     "what programs of ROCm take ends at pages_limit of ttm",
     "pages_limit=28573696",
     "120B",
     "it does not fit",
     "pages_limit=28573696"},
    // ROCm issue 5562: Debian 13, the driver of the kernel, "63973M of GTT memory ready".
    {"strix_halo_with_the_parameter_of_another_module",
     {.memory = 127946,
      .carve_out = 512,
      .gtt = 63973,
      .limit = 63973,
      .offered = 63973,
      .arguments = "amdttm.pages_limit=32768000 amdttm.page_pool_size=32768000",
      .distribution = "debian"},
     62.5,
     "warn",
     "amdttm.pages_limit sets nothing here",
     "options ttm pages_limit=28573696",
     "120B",
     "it does not fit",
     "options ttm pages_limit=28573696"},
    // ROCm issue 5444: a carve-out of 96 GiB, Linux up to 6.15; rocminfo says 16651264 KB.
    {"strix_halo_on_an_old_kernel",
     {.memory = 32522,
      .carve_out = 98304,
      .gtt = 16261,
      .limit = 16261,
      .offered = 16261,
      .arguments = "quiet",
      .distribution = "ubuntu"},
     15.88,
     "warn",
     "the firmware set 96 GiB aside for the GPU, but KFD offers programs 15.9 GiB",
     "Linux 6.16.9",
     "70B",
     "it does not fit",
     "Linux 6.16.9"},
    // ollama/ollama#5471: gfx1103 with 64 GB on Linux 6.10, total="27.3 GiB".
    {"phoenix_at_the_default",
     {.host = "phoenix",
      .memory = 55910,
      .carve_out = 8192,
      .gtt = 27955,
      .limit = 27955,
      .offered = 27955},
     27.3,
     "info",
     "half, as the kernel does unasked; 46 GiB can be allowed",
     "pages_limit=12058624",
     "70B",
     "it does not fit",
     "pages_limit=12058624"},
    // rjmalagon/ollama-linux-amd-apu#4: 12582912 pages are 48 GiB.
    {"phoenix_raised",
     {.host = "phoenix", .gtt = 49152, .limit = 49152, .offered = 49152},
     48,
     "pass",
     "48 GiB of 62.6 GiB of main memory (pages_limit of ttm)",
     "",
     "70B",
     "it fits",
     ""},
    // ROCm issue 1732: an APU of the 4000 series, "Global memory size 512MiB".
    {"vega_on_an_old_kernel",
     {.host = "vega-apu", .carve_out = 512, .offered = 512},
     0.5,
     "info",
     "512 MiB, what the firmware set aside, and no main memory",
     "Linux 6.10",
     "8B",
     "it does not fit",
     "Linux 6.10"},
    // The same where KFD offers GTT: half of main memory.
    {"vega_on_a_new_kernel",
     {.host = "vega-apu",
      .memory = 31744,
      .carve_out = 512,
      .gtt = 15872,
      .limit = 15872,
      .offered = 15872},
     15.5,
     "info",
     "half, as the kernel does unasked; 23 GiB can be allowed",
     "pages_limit=6029312",
     "32B",
     "it does not fit",
     "pages_limit=6029312"},
};

class SharedMemoryCase : public testing::TestWithParam<Published> {
  public:
    SharedMemoryCase() { write_file(host_, text_of(GetParam().figures)); }

    json asked(Words words) const {
        words.insert(words.end(), {"--replay", host_, "--json"});
        return json::parse(run(words).out);
    }

  private:
    Directory place_;
    std::string host_ = place_ / "x.host";
};

/// The worst of what RT3206 says: a firmware's carve-out is a finding of its own.
json worst(json const& findings) {
    json found = findings.at(0);
    for (auto const& one : findings)
        if (one.at("verdict") == "warn") found = one;
    return found;
}

TEST_P(SharedMemoryCase, check_says_what_is_wrong_and_what_mends_it) {
    auto const& row = GetParam();
    auto const found = worst(asked({"check", "--only", "RT3206"}).at("findings"));
    EXPECT_EQ(found.at("verdict"), row.verdict) << found;
    EXPECT_THAT(found.at("message").get<std::string>(), HasSubstr(row.says));
    auto const step = found.at("next_step").get<std::string>();
    if (*row.step == '\0') EXPECT_EQ(step, "");
    else EXPECT_THAT(step, HasSubstr(row.step));
}

TEST_P(SharedMemoryCase, plan_has_what_programs_got_and_the_same_step) {
    auto const& row = GetParam();
    auto const words = Words{"plan", "--inference", "--dtype", "q4_k_m", "--params", row.asked};
    auto const plan = asked(words).at("plan");
    auto const& gpu = plan.at("gpus").at(0);
    EXPECT_NEAR(gpu.at("total_bytes").get<double>() / 0x1p30, row.programs_got,
                row.programs_got / 100);
    EXPECT_EQ(plan.at("fits").get<bool>(), std::string_view(row.plan) == "it fits") << plan;
    auto const next = plan.at("next_step").get<std::string>();
    if (*row.next == '\0') EXPECT_EQ(next, "");
    else EXPECT_THAT(next, HasSubstr(row.next));
}

INSTANTIATE_TEST_SUITE_P(Rows, SharedMemoryCase, testing::ValuesIn(cases),
                         [](auto const& row) { return std::string(row.param.name); });

/// mi300a.rst: three quarters at the default of that page, all of it with 134217728 pages.
TEST(SharedMemory, of_four_mi300a_is_raised_to_all_of_it) {
    auto const found =
        json::parse(
            run({"check", "--only", "RT3206", "--replay", host_file("mi300a-x4"), "--json"}).out)
            .at("findings")
            .at(0);
    EXPECT_THAT(found.at("message").get<std::string>(), HasSubstr("384 GiB of 512 GiB"));
    EXPECT_THAT(found.at("next_step").get<std::string>(), HasSubstr("pages_limit=134217728"));
    auto const plan = json::parse(run({"plan", "--inference", "--params", "400B", "--replay",
                                       host_file("mi300a-x4"), "--json"})
                                      .out)
                          .at("plan");
    EXPECT_EQ(plan.at("gpus").size(), 4U);
    EXPECT_NEAR(plan.at("gpus").at(0).at("total_bytes").get<double>() / 0x1p30, 96, 0.1);
}

}  // namespace
}  // namespace rocmtune::test
