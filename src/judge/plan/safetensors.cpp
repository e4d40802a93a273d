// SPDX-License-Identifier: MIT
// Safetensors: 8 bytes of length, a JSON header, the data (github.com/huggingface/safetensors).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "judge/plan/weights_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

struct DataType {
    std::string_view name;
    std::uint64_t bits;
    bool is_floating;
};
constexpr std::array data_types{
    DataType{"F64", 64, true},     DataType{"F32", 32, true},    DataType{"F16", 16, true},
    DataType{"BF16", 16, true},    DataType{"F8_E4M3", 8, true}, DataType{"F8_E5M2", 8, true},
    DataType{"F8_E8M0", 8, false}, DataType{"F4", 4, true},      DataType{"F6_E2M3", 6, true},
    DataType{"F6_E3M2", 6, true},  DataType{"I64", 64, false},   DataType{"U64", 64, false},
    DataType{"I32", 32, false},    DataType{"U32", 32, false},   DataType{"I16", 16, false},
    DataType{"U16", 16, false},    DataType{"I8", 8, false},     DataType{"U8", 8, false},
    DataType{"BOOL", 8, false}};

std::uint64_t elements_of(JsonNode const& shape) {
    constexpr std::uint64_t most = std::uint64_t{1} << 46;
    constexpr std::size_t most_dimensions = 16;
    auto const sizes = shape.items();
    if (sizes.size() > most_dimensions) shape.fail("a tensor has at most 16 dimensions");
    std::uint64_t elements = 1;
    for (auto const& size : sizes) {
        auto const one = size.integer(0, most);
        if (one != 0 && elements > most / one) shape.fail("the tensor is larger than any memory");
        elements *= one;
    }
    return elements;
}

void add_tensor(std::string_view name, JsonNode const& node, std::uint64_t data_bytes,
                StoredTensors& all) {
    auto const type = std::ranges::find(data_types, node.at("dtype").string(), &DataType::name);
    if (type == data_types.end()) node.at("dtype").fail("no type of safetensors");
    auto const elements = elements_of(node.at("shape"));
    auto const places = node.at("data_offsets").items();
    if (places.size() != 2) node.at("data_offsets").fail("expected begin and end");
    auto const begin = places[0].integer(0, data_bytes);
    auto const end = places[1].integer(begin, data_bytes);
    if (end - begin != (elements * type->bits + 7) / 8)
        node.fail("its shape does not take the bytes that its places say");
    all.bytes += end - begin;
    if (type->is_floating) all.parameters += elements;
    else all.is_packed |= elements > 1024;
    bool const is_routed = name.find(".experts.") != name.npos;
    if (is_routed && type->is_floating) all.in_experts += elements;
}

}  // namespace

std::uint64_t safetensors_header_bytes(std::string_view file, std::string_view first_8,
                                       std::uint64_t file_bytes) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t size = 0;
    if (first_8.size() != sizeof size) wrong_weights(file, "it is too short for safetensors");
    std::memcpy(&size, first_8.data(), sizeof size);
    if (size < 2 || size > most_header_bytes || size > file_bytes - sizeof size)
        wrong_weights(
            file, fmt::format("its header would have {} bytes: it is no file of safetensors, or "
                              "is cut off",
                              size));
    return size;
}

StoredTensors read_safetensors(std::string_view file, std::string_view header,
                               std::uint64_t data_bytes) {
    StoredTensors all;
    try {
        auto const document = parse_data_file(file, header, most_header_bytes);
        for (auto const& [name, node] : JsonNode(*document).members())
            if (name != "__metadata__") add_tensor(name, node, data_bytes, all);
    } catch (ProfileError const& error) {
        throw Error(error.what(), "the header of the file contradicts itself: fetch it again");
    }
    if (all.bytes > data_bytes)
        wrong_weights(
            file, "its tensors take more bytes than the file has: it is cut off, or they overlap");
    return all;
}

void add_stored(StoredTensors const& more, ModelShape& shape) {
    auto active = more.parameters;
    if (shape.experts)
        active = more.parameters - more.in_experts +
                 more.in_experts / shape.experts->count * shape.experts->per_token;
    shape.file_parameters = shape.file_parameters.value_or(0) + more.parameters;
    shape.file_active = shape.file_active.value_or(0) + active;
    shape.file_bytes = shape.file_bytes.value_or(0) + more.bytes;
}

void take_stored(StoredTensors const& stored, ModelShape& shape) {
    if (stored.is_packed) {
        shape.file_bytes = stored.bytes;
        shape.notes.emplace_back(
            "its files hold packed numbers: parameters are those of config.json");
        return;
    }
    shape.counted = true;
    add_stored(stored, shape);
}

}  // namespace rocmtune
