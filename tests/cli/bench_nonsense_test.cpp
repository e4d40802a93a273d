// SPDX-License-Identifier: MIT
// `rocmtune bench` where runtimes and libraries tell what cannot be: it is said, and neither a
// figure nor a percentage is made of it.
#include "support/bench_run.hpp"

namespace rocmtune::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

BenchRun bench_with(std::vector<std::string> words, Variables more) {
    more.insert({"ROCM_PATH", release("7")});
    return BenchRun(std::move(words), more);
}

void expect_no_percentage(json const& one) {
    EXPECT_TRUE(one.at("efficiency").is_null()) << one;
}

struct Attribute {
    char const* name;
    char const* told;  ///< FAKE_ATTRIBUTES
    char const* note;
};

void PrintTo(Attribute const& it, std::ostream* out) {
    *out << it.name;
}

constexpr Attribute attributes[] = {
    {"cache_of_four_kib", "19=4096", "cache of the runtime: 4096 bytes cannot be"},
    {"cache_as_large_as_the_memory", "19=2147483647", "cannot be beside 1 GiB of memory"},
    {"units_without_number", "63=2147483647", "compute units of the runtime: 2147483647 cannot be"},
    {"lds_in_kib", "74=64", "LDS of a block by the runtime: 64 bytes cannot be"},
};

class ToldOfAGpu : public testing::TestWithParam<Attribute> {};

TEST_P(ToldOfAGpu, is_noted_and_not_used) {
    auto const& it = GetParam();
    auto const run =
        bench_with({"bandwidth", "--size", "65536"},
                   {{"FAKE_ATTRIBUTES", it.told},
                    {"FAKE_GPUS", "0000:83:00.0 gfx90a 104 1073741824 0 Instinct MI210"}});
    for (auto const& one : run.measurements()) {
        expect_honest(one);
        expect_no_percentage(one);
        EXPECT_THAT(one.at("notes"), Contains(HasSubstr(it.note))) << one;
    }
}

INSTANTIATE_TEST_SUITE_P(Fakes, ToldOfAGpu, testing::ValuesIn(attributes),
                         [](auto const& test) { return std::string(test.param.name); });

TEST(BenchNonsense, is_said_once_in_the_text) {
    auto launch = rocmtune_with({"bench", "bandwidth", "--backend", "hip", "--quick", "--time",
                                 "0.001", "--size", "65536"});
    launch.environment.insert(
        {{"ROCM_PATH", release("7")}, {"FAKE_GPUS", one_gpu}, {"FAKE_ATTRIBUTES", "19=4096"}});
    auto const text = run(launch).out;
    std::string const note = "cache of the runtime: 4096 bytes cannot be";
    EXPECT_THAT(text, HasSubstr(note));
    EXPECT_EQ(text.find(note), text.rfind(note)) << text;
}

TEST(BenchNonsense, what_a_runtime_tells_rightly_has_no_note) {
    auto const it = bench_with({"bandwidth", "--size", "65536"}, {});
    for (auto const& one : it.measurements()) EXPECT_EQ(one.at("notes"), json::array()) << one;
}

TEST(BenchNonsense, a_gpu_without_compute_units_launches_no_empty_grid) {
    auto const it = bench_with({"bandwidth", "--size", "65536"}, {{"FAKE_ATTRIBUTES", "63=0"}});
    for (auto const& one : it.measurements()) {
        expect_honest(one);
        EXPECT_NE(one.at("status"), "error") << one;  // as the fake calls a grid of no blocks
    }
}

TEST(BenchNonsense, times_that_are_no_numbers_are_no_figures) {
    for (auto const* const fault : {"nan=1@hipEventElapsedTime", "inf=1@hipEventElapsedTime"}) {
        auto const it = bench_with({"bandwidth", "--size", "65536"}, {{"FAKE_FAULT", fault}});
        EXPECT_EQ(it.outcome.code, 1) << it.outcome.err;
        for (auto const& one : it.measurements()) {
            expect_honest(one);
            EXPECT_EQ(one.at("status"), "wrong-result") << fault << one;
            // The first to see is the kernel that did not run; copies and fills did.
            if (one.at("metric") == "device-fill" || one.at("metric") == "host-to-device") {
                EXPECT_THAT(one.at("detail").get<std::string>(),
                            HasSubstr("by the device's clock a repetition took"));
            }
        }
    }
}

TEST(BenchNonsense, more_free_memory_than_memory_is_an_error) {
    auto const it =
        bench_with({"bandwidth", "--size", "65536"}, {{"FAKE_FAULT", "wrong=1@hipMemGetInfo"}});
    EXPECT_EQ(it.outcome.code, 1);
    ASSERT_FALSE(it.measurements().empty());
    for (auto const& one : it.measurements()) {
        expect_honest(one);
        EXPECT_THAT(one.at("detail").get<std::string>(),
                    HasSubstr("the runtime tells of 8589934593 free bytes of 8589934592"));
    }
}

TEST(BenchNonsense, a_size_beyond_the_memory_is_no_memory_for_every_benchmark) {
    for (auto const* const size : {"8589934592", "1125899906842624"}) {
        auto const it = bench_with({"all", "--size", size}, {});
        EXPECT_EQ(it.outcome.code, 1) << it.outcome.err;
        for (auto const& one : it.measurements()) {
            expect_honest(one);
            auto const metric = one.at("metric").get<std::string>();
            // Copies from and to the host have sizes of their own.
            if (metric.starts_with("host-") || metric.ends_with("-host") || metric == "both-ways")
                continue;
            EXPECT_THAT(one.at("status").get<std::string>(),
                        testing::AnyOf("no-memory", "unsupported"))
                << one;
        }
    }
}

TEST(BenchNonsense, collectives_with_no_numbers_are_no_figures) {
    auto const two_gpus =
        std::string(one_gpu) + ";0000:85:00.0 gfx90a 104 8589934592 0 Instinct MI210";
    for (auto const* const fault : {"nan=1@ncclAllReduce", "inf=1@ncclAllReduce",
                                    "nan=1@hipEventElapsedTime", "inf=1@hipEventElapsedTime"}) {
        auto const it = bench_with({"collectives", "--size", "4096"},
                                   {{"FAKE_GPUS", two_gpus}, {"FAKE_FAULT", fault}});
        EXPECT_EQ(it.outcome.code, 1) << it.outcome.err;
        for (auto const& one : it.measurements()) {
            expect_honest(one);
            if (one.at("metric") == "all-reduce-bus") {
                EXPECT_EQ(one.at("status"), "wrong-result") << fault << one;
            }
        }
    }
}

}  // namespace
}  // namespace rocmtune::test
