// SPDX-License-Identifier: MIT
// bench gemm of the real program with rocBLAS and hipBLASLt: real shared objects behind the real
// loader, which compute rightly, wrongly, not at all, or refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Case {
    char const* name;
    char const* metric;
    char const* fault;
    char const* status;
    char const* says;
};

void PrintTo(Case const& it, std::ostream* out) {
    *out << it.name;
}

json figure_of(std::string const& metric, std::string const& fault, std::string const& type) {
    auto launch = rocmtune_with({"bench", "gemm", "--backend", "hip", "--dtype", type, "--size",
                                 "256", "--time", "0.001", "--quick", "--json"});
    std::string const fakes = ROCMTUNE_FAKES_DIR;
    // The library of the metric alone; the other is not there.
    bool const rocblas = metric.ends_with("rocblas");
    launch.environment.insert(
        {{"ROCM_PATH", fakes + "/rocm-7"},
         {"FAKE_GPUS", "0000:83:00.0 gfx90a 104 1073741824 0 Instinct MI210"},
         {"FAKE_FAULT", fault},
         {rocblas ? "ROCMTUNE_LIBROCBLAS" : "ROCMTUNE_LIBHIPBLASLT",
          fakes + (rocblas ? "/blas/lib/librocblas.so.5" : "/blas/lib/libhipblaslt.so.1")}});
    auto const result = run(launch);
    auto const document = json::parse(result.out);
    for (auto const& one : document.at("measurements"))
        if (one.at("metric") == metric) return one;
    return {{"status", "no such metric: " + metric}, {"detail", result.out + result.err}};
}

class MatrixLibrary : public testing::TestWithParam<Case> {};

TEST_P(MatrixLibrary, has_a_figure_only_where_its_result_is_right) {
    auto const& it = GetParam();
    auto const figure = figure_of(it.metric, it.fault, std::string(it.metric).substr(0, 4));
    EXPECT_EQ(figure["status"], it.status) << figure;
    bool const right = figure["status"] == "ok";
    EXPECT_EQ(figure.value("verified", false), right) << figure;
    EXPECT_EQ(figure["value"].is_number(), right) << figure;
    EXPECT_THAT(right ? "" : figure["detail"].get<std::string>(), HasSubstr(it.says));
}

Case const cases[] = {
    {"rocblas", "fp32-rocblas", "", "ok", ""},
    {"rocblas_that_is_wrong", "fp32-rocblas", "wrong=700@rocblas_gemm_ex", "wrong-result",
     "row 2 of 256 is wrong"},
    {"rocblas_with_a_nan", "fp32-rocblas", "nan=700@rocblas_gemm_ex", "wrong-result",
     "row 2 of 256 is wrong: its check sum is nan"},
    {"rocblas_with_an_infinity", "fp32-rocblas", "inf=700@rocblas_gemm_ex", "wrong-result",
     "row 2 of 256 is wrong"},
    {"rocblas_that_does_nothing", "fp32-rocblas", "idle=1@rocblas_gemm_ex", "wrong-result",
     "row 0 of 256 is wrong"},
    {"rocblas_that_fails", "fp32-rocblas", "error=6@rocblas_gemm_ex", "error",
     "rocblas_gemm_ex: status 6"},
    {"rocblas_without_a_handle", "fp32-rocblas", "error=1@rocblas_create_handle", "error",
     "rocblas_create_handle: status 1"},
    {"rocblas_without_the_type", "fp64-rocblas", "", "error", "rocblas_gemm_ex: status 3"},
    {"hipblaslt", "fp32-hipblaslt", "", "ok", ""},
    {"hipblaslt_that_is_wrong", "fp32-hipblaslt", "wrong=700@hipblasLtMatmul", "wrong-result",
     "row 2 of 256 is wrong"},
    {"hipblaslt_with_a_nan", "fp32-hipblaslt", "nan=700@hipblasLtMatmul", "wrong-result",
     "row 2 of 256 is wrong: its check sum is nan"},
    {"hipblaslt_that_does_nothing", "fp32-hipblaslt", "idle=1@hipblasLtMatmul", "wrong-result",
     "row 0 of 256 is wrong"},
    {"hipblaslt_that_fails", "fp32-hipblaslt", "error=14@hipblasLtMatmul", "error",
     "hipblasLtMatmul: status 14"},
    {"hipblaslt_without_a_kernel", "fp32-hipblaslt", "error=7@hipblasLtMatmulAlgoGetHeuristic",
     "unsupported", "has no kernel for fp32"},
};

INSTANTIATE_TEST_SUITE_P(Fakes, MatrixLibrary, testing::ValuesIn(cases),
                         [](auto const& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace rocmtune::test
