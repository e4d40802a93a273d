// SPDX-License-Identifier: MIT
// Many equal processes of srun or mpirun: one prints, one of each host writes, all have their exit
// code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "commands/rank.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Variables = std::map<std::string, std::string>;

std::optional<Rank> rank_in(Variables const& variables) {
    return rank_of([&](char const* name) -> char const* {
        auto const found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

TEST(Rank, is_none_outside_of_launchers) {
    EXPECT_FALSE(rank_in({}));
    EXPECT_FALSE(rank_in({{"SLURM_JOB_ID", "12"}}));
    EXPECT_FALSE(rank_in({{"SLURM_PROCID", "first"}}));
}

TEST(Rank, is_that_of_the_innermost_launcher) {
    Variables const batch{{"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}};
    EXPECT_TRUE(rank_in(batch)->speaks());
    auto mpi = batch;
    mpi["OMPI_COMM_WORLD_RANK"] = "5";
    mpi["OMPI_COMM_WORLD_LOCAL_RANK"] = "1";
    EXPECT_EQ(rank_in(mpi)->world, 5U);
    EXPECT_FALSE(rank_in(mpi)->writes());
    EXPECT_EQ(rank_in({{"PMI_RANK", "3"}})->world, 3U);
}

TEST(Rank, of_the_first_process_of_another_host_writes_files_and_does_not_speak) {
    auto const rank = rank_in({{"SLURM_PROCID", "8"}, {"SLURM_LOCALID", "0"}});
    EXPECT_FALSE(rank->speaks());
    EXPECT_TRUE(rank->writes());
}

Outcome check_as(std::string const& host, Variables const& variables,
                 std::vector<std::string> const& more = {}) {
    std::vector<std::string> words{"check", "--replay", host_file(host)};
    words.insert(words.end(), more.begin(), more.end());
    auto launch = rocmtune_with(words);
    for (auto const& [name, value] : variables) launch.environment[name] = value;
    return run(launch);
}

TEST(Ranks, print_once) {
    EXPECT_THAT(check_as("mi300x-x8", {{"SLURM_PROCID", "0"}}).out, HasSubstr("GPUs judged"));
    for (auto const* const name : {"SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
        auto const other = check_as("mi300x-x8", {{name, "1"}});
        EXPECT_THAT(other.out, IsEmpty()) << name;
        EXPECT_THAT(other.err, IsEmpty()) << name;
        EXPECT_EQ(other.code, 0);
        EXPECT_THAT(check_as("mi300x-x8", {{name, "1"}, {"SLURM_LOCALID", "0"}}, {"-o", "-"}).out,
                    IsEmpty());
    }
}

TEST(Ranks, keep_their_exit_code_and_one_line_says_why) {
    auto const other = check_as("mi300x-degraded", {{"SLURM_PROCID", "3"}});
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.out, IsEmpty());
    EXPECT_THAT(other.err, HasSubstr("rank 3 on "));
    EXPECT_THAT(other.err, HasSubstr("exit code 1"));
}

TEST(Ranks, write_one_file_on_each_host) {
    Directory const directory;
    Variables const second{{"SLURM_PROCID", "9"}, {"SLURM_LOCALID", "1"}};
    Variables const first{{"SLURM_PROCID", "8"}, {"SLURM_LOCALID", "0"}};
    EXPECT_EQ(check_as("mi300x-x8", second, {"-o", directory / "report"}).code, 0);
    EXPECT_THAT(directory.names(), IsEmpty());
    EXPECT_EQ(check_as("mi300x-x8", first, {"-o", directory / "report"}).code, 0);
    EXPECT_THAT(content_of(directory / "report"), HasSubstr("GPUs judged"));
}

}  // namespace
}  // namespace rocmtune::test
