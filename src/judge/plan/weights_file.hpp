// SPDX-License-Identifier: MIT
// The headers of files of weights: foreign data, of which every count and size is bounded. No
// weight is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "judge/plan/model.hpp"

namespace rocmtune {

/// The largest header that is read: the lists of tokens of the largest models take some MiB.
inline constexpr std::uint64_t most_header_bytes = std::uint64_t{64} << 20;

/// What a file of weights holds.
struct StoredTensors {
    std::uint64_t parameters = 0;  ///< numbers of floating point, or of blocks that stand for them
    std::uint64_t in_experts = 0;  ///< of those, in tensors of routed experts
    std::uint64_t bytes = 0;
    bool is_packed = false;  ///< some tensors hold integers, so that parameters are not counted
};

/// Whether the file begins as GGUF does.
bool is_gguf(std::string_view head);

/// Says what is wrong with a file of weights. @throws Error always
[[noreturn]] void wrong_weights(std::string_view file, std::string const& what);

/// The shape by the header of a GGUF file (ggml: docs/gguf.md), its parameters counted over its
/// tensors. Absent if `head` ends before the header does, and the file goes on.
/// @param head        the first bytes of the file
/// @param file_bytes  of the whole file
/// @throws Error for what is no GGUF file, lacks a size, or contradicts itself.
std::optional<ModelShape> read_gguf(std::string_view file, std::string_view head,
                                    std::uint64_t file_bytes, PlanData const& data);

/// The tensors of a further part of a GGUF model, whose first part has the values. As read_gguf().
std::optional<StoredTensors> read_gguf_part(std::string_view file, std::string_view head,
                                            std::uint64_t file_bytes);

/// Adds the tensors of a further file to those of the shape.
void add_stored(StoredTensors const& more, ModelShape& shape);

/// The length of the JSON header behind the first 8 bytes.
/// @throws Error if it is longer than the file or than any header.
std::uint64_t safetensors_header_bytes(std::string_view file, std::string_view first_8,
                                       std::uint64_t file_bytes);

/// @param header      the JSON text
/// @param data_bytes  of the file behind it
/// @throws Error for a header that contradicts itself or the size of the file.
StoredTensors read_safetensors(std::string_view file, std::string_view header,
                               std::uint64_t data_bytes);

/// Takes what the files of a model hold into the shape that its config.json states.
void take_stored(StoredTensors const& stored, ModelShape& shape);

}  // namespace rocmtune
