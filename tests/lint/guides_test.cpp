// SPDX-License-Identifier: MIT
// What tuning guides on the web recommend, as a script and as a page, from text to findings.
#include <gtest/gtest.h>

#include <set>

#include <fmt/format.h>

#include "judge/lint/lint.hpp"
#include "settings/collect.hpp"

namespace rocmtune {
namespace {

using Lines = std::vector<std::string>;

/// "4 HSA_ENABLE_SDMA debug-left-on warn", one for each finding.
Lines judged(std::string_view text, InputKind kind = InputKind::shell) {
    auto const assignments = read_assignments({.text = text, .file = "guide", .kind = kind});
    Lines lines;
    for (auto const& finding : lint(assignments, {embedded_catalogue(), embedded_chips()}))
        lines.push_back(fmt::format("{} {} {} {}", finding.setting->line, finding.setting->name,
                                    word_of(finding.setting->lint_class),
                                    word_of(finding.verdict)));
    return lines;
}

TEST(Guides, every_variable_that_they_recommend_is_judged) {
    // Line for line: what the component that owns the variable makes of it.
    auto const* const script = R"(export HIP_VISIBLE_DEVICES=0,1
export CUDA_VISIBLE_DEVICES=0,1
export PYTORCH_ROCM_DEVICE=0,1
export GPU_MAX_ALLOC_PERCENT=100
export GPU_SINGLE_ALLOC_PERCENT=90
export GPU_MAX_HEAP_SIZE=100
export HIP_HIDDEN_FREE_MEM=256
export HIP_LAUNCH_BLOCKING=0
export CUDA_LAUNCH_BLOCKING=1
export ROCM_LOG_LEVEL=2
export HSA_ENABLE_SDMA=0
export HSA_ENABLE_INTERRUPT=0
export HSA_UNALIGNED_ACCESS_MODE=1
export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128,expandable_segments:True
export PYTORCH_HIP_ALLOC_CONF=expandable_segments:True,max_split_size_mb:128
export PYTORCH_ROCM_ARCH=gfx1100
export ROCM_HOME=/opt/rocm
export ROCM_PATH=/opt/rocm
export LD_LIBRARY_PATH=$ROCM_HOME/lib:$LD_LIBRARY_PATH
export PATH=$ROCM_HOME/bin:$PATH
export TORCH_BLAS_PREFER_HIPBLASLT=0
export TORCH_COMPILE_BACKEND=inductor
export WORLD_SIZE=2
export MASTER_ADDR=127.0.0.1
export MASTER_PORT=12355
export MIOPEN_FIND_MODE=NORMAL
export MIOPEN_USER_DB_PATH=/var/cache/miopen
export NCCL_DEBUG=INFO
export NCCL_SOCKET_IFNAME=^lo
export NCCL_NSOCKS_PERTHREAD=4
export NCCL_IB_DISABLE=1
export NCCL_P2P_DISABLE=0
)";
    Lines const expected{
        "2 CUDA_VISIBLE_DEVICES redundant-default info",
        "3 PYTORCH_ROCM_DEVICE dead-name warn",
        "4 GPU_MAX_ALLOC_PERCENT dead-name warn",
        "5 GPU_SINGLE_ALLOC_PERCENT bad-value info",
        "6 GPU_MAX_HEAP_SIZE redundant-default info",
        "7 HIP_HIDDEN_FREE_MEM redundant-default info",
        "8 HIP_LAUNCH_BLOCKING redundant-default info",
        "9 CUDA_LAUNCH_BLOCKING debug-left-on warn",
        "9 CUDA_LAUNCH_BLOCKING conflict info",
        "10 ROCM_LOG_LEVEL dead-name warn",
        "11 HSA_ENABLE_SDMA debug-left-on warn",
        "12 HSA_ENABLE_INTERRUPT debug-left-on warn",
        "13 HSA_UNALIGNED_ACCESS_MODE dead-name warn",
        "14 PYTORCH_CUDA_ALLOC_CONF conflict info",
        "15 PYTORCH_HIP_ALLOC_CONF conflict info",
        "16 PYTORCH_ROCM_ARCH build-or-launcher info",
        "22 TORCH_COMPILE_BACKEND redundant-default info",
        "23 WORLD_SIZE build-or-launcher info",
        "24 MASTER_ADDR build-or-launcher info",
        "25 MASTER_PORT build-or-launcher info",
        "28 NCCL_DEBUG debug-left-on warn",
        "29 NCCL_SOCKET_IFNAME bad-value info",
        "30 NCCL_NSOCKS_PERTHREAD redundant-default info",
        "31 NCCL_IB_DISABLE debug-left-on info",
        "32 NCCL_P2P_DISABLE redundant-default info",
    };
    EXPECT_EQ(judged(script), expected);
}

TEST(Guides, blocks_of_a_page_do_not_contradict_each_other) {
    auto const* const page = R"(# Two cards

```bash
export HIP_VISIBLE_DEVICES=0
```

or both:

```bash
export CUDA_VISIBLE_DEVICES=0,1
```
)";
    EXPECT_EQ(judged(page, InputKind::markdown), Lines{});
}

TEST(Guides, a_clean_script_has_no_findings) {
    auto const* const script = R"(#!/bin/bash
#SBATCH --nodes=2
# export HSA_ENABLE_SDMA=0 was needed once
set -euo pipefail
module load rocm
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=29500
export NCCL_SOCKET_IFNAME=hsn0
export NCCL_DEBUG=WARN
export OMP_NUM_THREADS=7
export MIOPEN_USER_DB_PATH="/tmp/${USER}-miopen"
unset HSA_ENABLE_SDMA
echo "export HSA_ENABLE_SDMA=0"
srun python3 train.py --lr 0.1
)";
    EXPECT_EQ(judged(script, InputKind::slurm), Lines{});
}

}  // namespace
}  // namespace rocmtune
