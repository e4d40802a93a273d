// SPDX-License-Identifier: MIT
// Loading libraries by hand: what is loaded, what is wrong with the others, and in which order
// ROCm's are looked for.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/dynamic_library.hpp"
#include "probe/workers/answer.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Strings = std::vector<std::string>;

// ---- what dlerror says (texts of glibc 2.36, collected with real files) -------------------------

struct Text {
    std::string_view candidate;
    std::string_view text;
    LoadProblem problem;
    std::string_view culprit;
};

constexpr Text texts[] = {
    {"libamdhip64.so.7",
     "libamdhip64.so.7: cannot open shared object file: No such file or directory",
     LoadProblem::absent, ""},
    {"/opt/rocm/lib/libamdhip64.so.6",
     "/opt/rocm/lib/libamdhip64.so.6: cannot open shared object file: No such file or directory",
     LoadProblem::absent, ""},
    {"/opt/rocm/lib/libamdhip64.so.6",
     "/opt/rocm/lib/libamdhip64.so.6: cannot open shared object file: Permission denied",
     LoadProblem::denied, ""},
    {"/opt/rocm/lib/libamdhip64.so.6",
     "libhsa-runtime64.so.1: cannot open shared object file: No such file or directory",
     LoadProblem::broken_dependency, "libhsa-runtime64.so.1"},
    {"/opt/rocm/lib/libamdhip64.so.6", "/opt/rocm/lib/libnuma.so.1: invalid ELF header",
     LoadProblem::broken_dependency, "/opt/rocm/lib/libnuma.so.1"},
    {"./empty.so", "./empty.so: file too short", LoadProblem::corrupt, ""},
    {"./short.so", "./short.so: cannot read file data", LoadProblem::corrupt, ""},
    {"./directory.so", "./directory.so: cannot read file data: Is a directory",
     LoadProblem::corrupt, ""},
    {"./text.so", "./text.so: invalid ELF header", LoadProblem::corrupt, ""},
    {"./32bit.so", "./32bit.so: wrong ELF class: ELFCLASS32", LoadProblem::corrupt, ""},
    {"libamdhip64.so.7", "/opt/rocm/lib/libamdhip64.so.7: file too short", LoadProblem::corrupt,
     ""},
    {"libamdhip64.so.7",
     "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by "
     "/opt/rocm/lib/libamdhip64.so.7)",
     LoadProblem::old_system, "GLIBC_2.38"},
    {"./b.so", "./b.so: undefined symbol: hsa_init", LoadProblem::missing_symbol, "hsa_init"},
    {"./b.so", "./b.so: undefined symbol: hsa_init, version ROCR_1", LoadProblem::missing_symbol,
     "hsa_init"},
    {"./b.so", "./b.so: cannot allocate memory in static TLS block", LoadProblem::other, ""},
};

TEST(LoadFailure, is_told_from_the_words_of_the_loader) {
    for (auto const& one : texts) {
        auto const failure = classify_load_failure(one.candidate, one.text);
        EXPECT_EQ(load_problem_name(failure.problem), load_problem_name(one.problem)) << one.text;
        EXPECT_EQ(failure.culprit, one.culprit) << one.text;
        EXPECT_EQ(failure.candidate, one.candidate);
        EXPECT_EQ(failure.text, one.text);
    }
}

// ---- loading ------------------------------------------------------------------------------------

TEST(DynamicLibrary, takes_the_first_that_loads_and_says_what_is_wrong_with_those_before) {
    Tree tree;
    tree.file("/text.so", std::string(100, 'x')).file("/empty.so").directory("/directory.so");
    Strings const candidates{"libno-such-thing.so.9",
                             tree.path() + "/text.so",
                             tree.path() + "/empty.so",
                             tree.path() + "/directory.so",
                             "libm.so.6",
                             "libc.so.6"};
    DynamicLibrary const library(candidates);
    ASSERT_TRUE(library);
    EXPECT_EQ(library.candidate(), "libm.so.6");
    EXPECT_EQ(library.soname(), "libm.so.6");
    EXPECT_THAT(library.path(), testing::StartsWith("/"));
    EXPECT_TRUE(std::filesystem::is_regular_file(library.path()));
    ASSERT_EQ(library.failures().size(), 4U);
    EXPECT_EQ(library.failures()[0].problem, LoadProblem::absent);
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_EQ(library.failures()[i].problem, LoadProblem::corrupt) << i;
}

TEST(DynamicLibrary, announces_each_candidate_before_it_tries_it) {
    Strings announced;
    DynamicLibrary const library(
        Strings{"libno-such-thing.so.9", "libm.so.6", "libc.so.6"},
        [&](std::string const& candidate) { announced.push_back(candidate); });
    EXPECT_THAT(announced, ElementsAre("libno-such-thing.so.9", "libm.so.6"));
}

TEST(DynamicLibrary, made_for_another_processor_is_corrupt_and_not_absent) {
    Tree tree;
    // An ELF header of 64 bytes for EM_AARCH64 or EM_X86_64, whichever this is not.
    std::ifstream in("/proc/self/exe", std::ios::binary);
    std::string header(4096, '\0');
    in.read(header.data(), static_cast<std::streamsize>(header.size()));
    header[18] = header[18] == 62 ? static_cast<char>(183) : static_cast<char>(62);
    tree.file("/foreign.so", header);
    DynamicLibrary const library(Strings{tree.path() + "/foreign.so"});
    ASSERT_EQ(library.failures().size(), 1U);
    EXPECT_EQ(library.failures()[0].problem, LoadProblem::corrupt) << library.failures()[0].text;
}

TEST(DynamicLibrary, gives_functions_by_type_and_null_for_unknown_ones) {
    DynamicLibrary const library(Strings{"libm.so.6"});
    auto* const root = library.symbol<double(double)>("sqrt");
    ASSERT_NE(root, nullptr);
    EXPECT_EQ(root(9.0), 3.0);
    EXPECT_EQ(library.symbol<void()>("hipGetDevicePropertiesR0600"), nullptr);
}

TEST(DynamicLibrary, that_does_not_load_is_empty_and_gives_no_function) {
    DynamicLibrary const library(Strings{"/nowhere/libamdhip64.so.7"});
    EXPECT_FALSE(library);
    EXPECT_EQ(library.path(), "");
    EXPECT_EQ(library.symbol<void()>("hipInit"), nullptr);
    EXPECT_FALSE(DynamicLibrary(Strings{}));
}

TEST(LoadedFiles, are_those_of_this_process) {
    DynamicLibrary const library(Strings{"libm.so.6"});
    EXPECT_THAT(loaded_files_of("libm"), ElementsAre(library.path()));
    EXPECT_THAT(loaded_files_of("libamdhip64-of-nobody"), IsEmpty());
}

// ---- candidates ---------------------------------------------------------------------------------

/// Variables for the length of a test.
class Candidates : public testing::Test {
  protected:
    void SetUp() override {
        for (auto const* name : {"ROCM_PATH", "HIP_PATH", "ROCM_HOME", "VIRTUAL_ENV",
                                 "LD_LIBRARY_PATH", "ROCMTUNE_LIBAMDHIP64", "ROCMTUNE_LIBHIPRTC"})
            set(name, nullptr);
    }
    void TearDown() override {
        for (auto const& [name, value] : before_)
            value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }
    void set(std::string const& name, char const* value) {
        auto const* old = std::getenv(name.c_str());
        before_.emplace(name, old == nullptr ? std::optional<std::string>() : std::string(old));
        value != nullptr ? ::setenv(name.c_str(), value, 1) : ::unsetenv(name.c_str());
    }
    /// The candidates inside the test's tree, without its path.
    Strings in_tree(Strings const& all) const {
        Strings inside;
        for (auto const& candidate : all)
            if (candidate.starts_with(tree_.path()))
                inside.push_back(candidate.substr(tree_.path().size()));
        return inside;
    }
    Tree tree_;

  private:
    std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(Candidates, are_only_the_file_that_the_override_names) {
    set("ROCMTUNE_LIBAMDHIP64", "/tmp/fake.so");
    EXPECT_THAT(library_candidates(hip_runtime), ElementsAre("/tmp/fake.so"));
    set("ROCMTUNE_LIBHIPRTC", "/tmp/fake-compiler.so");
    EXPECT_THAT(companion_candidates(hip_compiler, "/opt/rocm/lib"),
                ElementsAre("/tmp/fake-compiler.so"));
}

TEST_F(Candidates, of_a_named_installation_come_first_known_majors_newest_first_each_file_once) {
    tree_.file("/lib/libamdhip64.so.6.4.1").link("/lib/libamdhip64.so.6", "libamdhip64.so.6.4.1");
    tree_.file("/lib/libamdhip64.so.7.0.2").link("/lib/libamdhip64.so.7", "libamdhip64.so.7.0.2");
    tree_.file("/lib/libamdhip64.so.8").link("/lib/libamdhip64.so", "libamdhip64.so.7");
    set("ROCM_PATH", tree_.path().c_str());
    auto const all = library_candidates(hip_runtime);
    EXPECT_THAT(in_tree(all), ElementsAre("/lib/libamdhip64.so.7", "/lib/libamdhip64.so.6",
                                          "/lib/libamdhip64.so.8"));
    EXPECT_THAT(all.front(), HasSubstr(tree_.path()));
}

TEST_F(Candidates, of_the_loader_are_versioned_names_then_the_bare_one) {
    auto const all = library_candidates(hip_runtime);
    ASSERT_GE(all.size(), 4U);
    EXPECT_THAT(
        Strings(all.begin(), all.begin() + 4),
        ElementsAre("libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"));
}

TEST_F(Candidates, of_a_variable_that_leads_nowhere_leave_a_trace) {
    set("ROCM_PATH", "/no/such/rocm");
    EXPECT_EQ(library_candidates(hip_runtime).front(), "/no/such/rocm/lib/libamdhip64.so");
}

TEST_F(Candidates, with_an_unknown_major_are_found_by_listing) {
    tree_.file("/x/libamdhip64.so.11.2").file("/x/libamdhip64.so.9");
    set("LD_LIBRARY_PATH", (tree_.path() + "/x").c_str());
    EXPECT_THAT(in_tree(library_candidates(hip_runtime)),
                ElementsAre("/x/libamdhip64.so.11.2", "/x/libamdhip64.so.9"));
}

TEST_F(Candidates, in_a_python_environment_come_last) {
    tree_.file("/lib/python3.12/site-packages/_rocm_sdk_core/lib/libamdhip64.so.7");
    set("VIRTUAL_ENV", tree_.path().c_str());
    EXPECT_EQ(library_candidates(hip_runtime).back(),
              tree_.path() + "/lib/python3.12/site-packages/_rocm_sdk_core/lib/libamdhip64.so.7");
}

TEST_F(Candidates, of_a_companion_are_those_of_its_directory) {
    tree_.file("/lib/libhiprtc.so.7")
        .file("/lib/libhiprtc-builtins.so.7")
        .file("/other/libhiprtc.so.6");
    EXPECT_THAT(companion_candidates(hip_compiler, tree_.path() + "/lib"),
                ElementsAre(tree_.path() + "/lib/libhiprtc.so.7"));
}

TEST_F(Candidates, in_directories_with_odd_names_are_found) {
    tree_.file("/odd [*]/lib/libamdhip64.so.6");
    set("ROCM_PATH", (tree_.path() + "/odd [*]").c_str());
    EXPECT_THAT(in_tree(library_candidates(hip_runtime)),
                ElementsAre("/odd [*]/lib/libamdhip64.so.6"));
}

// ---- behind another library in its process ------------------------------------------------------

constexpr std::string_view math_majors[] = {"6"};
/// Loaded into this test as it is into every program of C++.
RocmLibrary const loaded_library{"libm", "ROCMTUNE_TEST_LIBM", math_majors};

TEST_F(Candidates, that_lead_to_the_loaded_file_or_to_none_that_is_loaded_may_be_asked_here) {
    ASSERT_THAT(loaded_files_of("libm"), SizeIs(1));
    EXPECT_EQ(why_not_here(loaded_library), "");
    EXPECT_EQ(why_not_here(hip_runtime), "");
}

TEST_F(Candidates, that_lead_to_another_file_than_the_loaded_one_may_not_be_asked_here) {
    tree_.file("/x/libm.so.6").file("/lib/libm.so.6");
    auto const refused = HasSubstr("is loaded by another library");
    set("ROCMTUNE_TEST_LIBM", (tree_.path() + "/x/libm.so.6").c_str());
    EXPECT_THAT(why_not_here(loaded_library), refused);
    set("ROCMTUNE_TEST_LIBM", "/nonexistent/libm.so.6");
    EXPECT_THAT(why_not_here(loaded_library), refused);
    set("ROCMTUNE_TEST_LIBM", nullptr);
    set("ROCM_PATH", tree_.path().c_str());
    EXPECT_THAT(why_not_here(loaded_library), refused);
    set("ROCM_PATH", nullptr);
    for (auto const& path : {tree_.path() + "/x", "/nonexistent;" + tree_.path() + "/x",
                             std::string("/nonexistent/$LIB")}) {
        set("LD_LIBRARY_PATH", path.c_str());
        EXPECT_THAT(why_not_here(loaded_library), refused) << path;
    }
}

TEST_F(Candidates, that_lead_to_the_loaded_file_by_another_name_may_be_asked_here) {
    tree_.link("/lib/libm.so.6", loaded_files_of("libm").front());
    set("ROCM_PATH", tree_.path().c_str());
    EXPECT_EQ(why_not_here(loaded_library), "");
}

TEST_F(Candidates, are_listed_only_behind_those_that_have_names) {
    tree_.file("/x/libamdhip64.so.9");
    set("LD_LIBRARY_PATH", (tree_.path() + "/x").c_str());
    EXPECT_THAT(in_tree(named_candidates(hip_runtime)), IsEmpty());
    EXPECT_THAT(in_tree(listed_candidates(hip_runtime)), ElementsAre("/x/libamdhip64.so.9"));
}

TEST_F(Candidates, of_a_named_installation_are_not_listed_again) {
    tree_.file("/lib/libamdhip64.so.6");
    set("ROCM_PATH", tree_.path().c_str());
    set("LD_LIBRARY_PATH", (tree_.path() + "/lib").c_str());
    EXPECT_THAT(in_tree(named_candidates(hip_runtime)), ElementsAre("/lib/libamdhip64.so.6"));
    EXPECT_THAT(in_tree(listed_candidates(hip_runtime)), IsEmpty());
}

TEST(MajorOf, is_the_first_number_behind_so) {
    EXPECT_EQ(major_of("libamdhip64.so.7"), "7");
    EXPECT_EQ(major_of("/opt/rocm/lib/libamdhip64.so.6.3.60300"), "6");
    EXPECT_EQ(major_of("librocm_smi64.so"), "");
}

}  // namespace
}  // namespace rocmtune::test
