// SPDX-License-Identifier: MIT
#include "judge/verify/experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocmtune::verify {
namespace {

using testing::Contains;
using testing::Field;
using testing::IsEmpty;

TEST(Witness, is_a_file_of_the_reader) {
    EXPECT_TRUE(belongs_to("/usr/lib/libamdhip64.so.6", "libamdhip64"));
    EXPECT_TRUE(belongs_to("/opt/x/libamdhip64-1a2b3c.so", "libamdhip64"));
    EXPECT_TRUE(belongs_to("/x/openblas-pthread/libopenblasp-r0.3.21.so", "libopenblas"));
    EXPECT_TRUE(belongs_to("/x/numpy.libs/libscipy_openblas64_-ff.so", "libopenblas"));
    EXPECT_TRUE(belongs_to("/usr/lib/x86_64-linux-gnu/libc.so.6", "libc.so"));
    EXPECT_TRUE(belongs_to("/usr/lib/x86_64-linux-gnu/libc-2.31.so", "libc.so"));
    EXPECT_TRUE(belongs_to("/usr/lib/libtcmalloc_minimal.so.4.5.9", "libtcmalloc"));
}

TEST(Witness, is_no_file_of_a_similar_name) {
    EXPECT_FALSE(belongs_to("/usr/lib/libcudart.so.12", "libcuda"));
    EXPECT_FALSE(belongs_to("/usr/lib/libhipblaslt.so", "libhipblas"));
    EXPECT_FALSE(belongs_to("/home/me/libamdhip64.so/data", "libamdhip64"));
    EXPECT_FALSE(belongs_to("/usr/lib/libcuda.so", ""));
    EXPECT_FALSE(belongs_to("/v/lib/python3.11/site-packages/torch/lib/libc10.so", "libc.so"));
    EXPECT_FALSE(belongs_to("/usr/lib/libc++.so.1", "libc.so"));
    EXPECT_FALSE(belongs_to("/lib/libc.musl-x86_64.so.1", "libc.so"));
}

TEST(Witness, of_a_python_package_is_what_it_has_compiled) {
    EXPECT_TRUE(belongs_to("/v/lib/python3.11/site-packages/torch/lib/libc10.so", "torch"));
    EXPECT_FALSE(belongs_to("/v/lib/python3.11/site-packages/torchvision/_C.so", "torch"));
    EXPECT_FALSE(belongs_to("/src/torch/libc10.so", "torch"));
}

TEST(Witness, readers_come_from_the_catalogue) {
    auto const package = [](char const* name) { return Field(&Reader::package, name); };
    EXPECT_THAT(readers_of("OPENBLAS_NUM_THREADS", embedded_catalogue()),
                Contains(package("libopenblas")));
    EXPECT_THAT(readers_of("HSA_ENABLE_SDMA", embedded_catalogue()),
                Contains(package("libhsa-runtime64")));
    for (auto const* name : {"MALLOC_ARENA_MAX", "GLIBC_TUNABLES"})
        EXPECT_THAT(readers_of(name, embedded_catalogue()), Contains(package("libc.so")));
    EXPECT_THAT(readers_of("MALLOC_CONF", embedded_catalogue()), Contains(package("libjemalloc")));
    EXPECT_THAT(readers_of("CUDA_DEVICE_MAX_CONNECTIONS", embedded_catalogue()),
                Contains(package("libcuda")));
    EXPECT_THAT(readers_of("NOBODY_READS_THIS", embedded_catalogue()), IsEmpty());
}

TEST(Witness, is_found_among_the_mapped_files) {
    std::vector<Reader> const readers{{"A", ""}, {"OpenBLAS", "libopenblas"}};
    EXPECT_EQ(seen_reader(readers, {"/lib/libc.so.6", "/lib/libopenblas.so.0"}),
              "/lib/libopenblas.so.0");
    EXPECT_EQ(seen_reader(readers, {"/lib/libc.so.6"}), "");
}

}  // namespace
}  // namespace rocmtune::verify
