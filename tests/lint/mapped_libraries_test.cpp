// SPDX-License-Identifier: MIT
// ROCm libraries of one process, as /proc/PID/maps lists them.
#include "judge/lint/lint.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rocmtune {
namespace {

std::string maps_of(std::vector<std::string> const& paths) {
    std::string text = "00400000-00452000 r-xp 00000000 08:02 173521 /usr/bin/python3.11\n";
    for (auto const& path : paths)
        for (auto const* permissions : {"r--p", "r-xp"})
            text += std::string("7f0000000000-7f0000100000 ") + permissions +
                    " 00000000 08:02 1735 " + path + "\n";
    return text + "7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0 [stack]\n";
}

/// "libamdhip64 fail", one for each finding.
std::vector<std::string> found(std::vector<std::string> const& paths) {
    std::vector<std::string> result;
    for (auto const& finding : lint_mapped_libraries(maps_of(paths)))
        result.push_back(finding.setting->name + ' ' + std::string(word_of(finding.verdict)));
    return result;
}

using Texts = std::vector<std::string>;

TEST(MappedLibraries, of_one_installation_are_in_order) {
    EXPECT_EQ(found({}), Texts{});
    EXPECT_EQ(found({"/opt/rocm-6.3.0/lib/libamdhip64.so.6.3.60300",
                     "/opt/rocm-6.3.0/lib/libhsa-runtime64.so.1.14.60300",
                     "/opt/rocm-6.3.0/lib/libhipblas.so.2", "/opt/rocm-6.3.0/lib/libhipblaslt.so.0",
                     "/usr/lib/x86_64-linux-gnu/libdrm.so.2"}),
              Texts{});
    // Components had directories of their own before ROCm 5.2.
    EXPECT_EQ(found({"/opt/rocm-4.5.0/hip/lib/libamdhip64.so.4",
                     "/opt/rocm-4.5.0/lib/libhsa-runtime64.so.1"}),
              Texts{});
}

TEST(MappedLibraries, that_are_there_twice_are_a_fault) {
    EXPECT_EQ(found({"/opt/rocm-6.3.0/lib/libamdhip64.so.6.3.60300",
                     "/venv/lib/python3.11/site-packages/torch/lib/libamdhip64.so",
                     "/venv/lib/python3.11/site-packages/torch/lib/librccl.so"}),
              Texts{"libamdhip64 fail"});
    EXPECT_EQ(found({"/a b/libamdhip64-46b24d76.so.4 (deleted)", "/a b/libamdhip64.so"}),
              Texts{"libamdhip64 fail"});
}

TEST(MappedLibraries, come_with_a_step) {
    for (auto const& finding :
         lint_mapped_libraries(maps_of({"/a/libamdhip64.so.6", "/b/libamdhip64.so.6"})))
        EXPECT_NE(finding.setting->fix, "");
}

TEST(MappedLibraries, of_two_installations_are_noted) {
    EXPECT_EQ(found({"/opt/rocm-6.3.0/lib/libamdhip64.so.6", "/opt/rocm-5.7.0/lib/librccl.so.1"}),
              Texts{"ROCm info"});
}

TEST(MappedLibraries, takes_no_other_files_for_them) {
    EXPECT_EQ(found({"/a/libamdhip64.so.6", "/b/libamdhip64_fake.so", "/b/libamdhip64.txt",
                     "/b/libamdhip64-tools.so"}),
              Texts{});
}

}  // namespace
}  // namespace rocmtune
