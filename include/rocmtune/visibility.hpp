// SPDX-License-Identifier: MIT
// Visibility: which GPUs a process sees under a set of mask variables, layer by layer.
#pragma once

#include "rocmtune/records.hpp"

namespace rocmtune {

/// One GPU as a runtime numbers it.
struct VisibleDevice {
    std::uint64_t index = 0;                ///< the runtime's own number
    std::optional<std::uint64_t> row = {};  ///< row of the GPU in this report
    std::optional<std::uint64_t> kfd_node = {};
    std::optional<std::string> pci_address = {};
    std::optional<std::uint64_t> partition_index = {};
};

template <SameEntity<VisibleDevice> Self, class Visitor>
void visit_fields(Self& device, Visitor&& v) {
    v(Field{"index", "number that the runtime gives it"}, device.index);
    v(Field{"row", "row of the GPU in this report"}, device.row);
    v(Field{"kfd_node", "its node in the KFD topology"}, device.kfd_node);
    v(Field{"pci_address", "PCI address of the card"}, device.pci_address);
    v(Field{"partition_index", "partition of the card"}, device.partition_index);
}

/// What one runtime shows.
struct VisibleStage {
    std::optional<std::string> variable = {};  ///< the mask that decides; absent if none does
    std::optional<std::vector<VisibleDevice>> devices = {};  ///< absent if it cannot be known
    std::vector<std::string> notes = {};  ///< ignored tokens, failures, assumptions, in words
};

template <SameEntity<VisibleStage> Self, class Visitor>
void visit_fields(Self& stage, Visitor&& v) {
    v(Field{"variable", "variable that decides; null if no mask does"}, stage.variable);
    v(Field{"devices", "devices in order; null if that cannot be known"}, stage.devices);
    v(Field{"notes", "what was ignored or assumed, and why"}, stage.notes);
}

/// What torch.cuda shows. PyTorch computes on HIP's devices in HIP's order, but counts them itself.
struct VisibleTorch {
    std::optional<std::string> variable = {};
    std::optional<std::vector<VisibleDevice>> devices = {};
    std::optional<std::uint64_t> count = {};  ///< with the Python package amdsmi
    std::optional<std::uint64_t> count_without_amdsmi = {};
    std::optional<std::string> error = {};  ///< the exception that counting raises
    std::vector<std::string> notes = {};
};

template <SameEntity<VisibleTorch> Self, class Visitor>
void visit_fields(Self& torch, Visitor&& v) {
    v(Field{"variable", "variable that PyTorch counts by; null if none"}, torch.variable);
    v(Field{"devices", "devices it counts and HIP has; null if that cannot be known"},
      torch.devices);
    v(Field{"count", "torch.cuda.device_count() where the package amdsmi is installed"},
      torch.count);
    v(Field{"count_without_amdsmi", "the same where it is not"}, torch.count_without_amdsmi);
    v(Field{"error", "exception that torch.cuda.device_count() raises"}, torch.error);
    v(Field{"notes", "what was ignored or assumed, and why"}, torch.notes);
}

/// The answer of `probe --visible`.
struct Visibility {
    std::map<std::string, std::string> variables = {};  ///< the masks of the process
    std::vector<std::string> given = {};                ///< those of them that --visible set
    VisibleStage rocr = {};
    VisibleStage hip = {};
    VisibleTorch pytorch = {};
};

template <SameEntity<Visibility> Self, class Visitor>
void visit_fields(Self& visibility, Visitor&& v) {
    v(Field{"variables", "mask variables of the process"}, visibility.variables);
    v(Field{"given", "those of them that --visible set"}, visibility.given);
    v(Field{"rocr", "what ROCr shows, and with it OpenMP and OpenCL"}, visibility.rocr);
    v(Field{"hip", "what HIP shows"}, visibility.hip);
    v(Field{"pytorch", "what PyTorch shows"}, visibility.pytorch);
}

}  // namespace rocmtune
