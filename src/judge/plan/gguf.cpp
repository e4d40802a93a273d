// SPDX-License-Identifier: MIT
// GGUF as ggml's docs/gguf.md describes it (versions 2 and 3, little-endian).
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/plan/model_bounds.hpp"
#include "judge/plan/weights_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view magic = "GGUF";
constexpr std::uint64_t most_tensors = 1U << 17, most_entries = 1U << 14, most_key_bytes = 1U << 16;

/// The head ended before the header did.
struct TooShort {};

/// Reads numbers and texts one after the other.
class Reader {
  public:
    Reader(std::string_view file, std::string_view head, std::uint64_t file_bytes)
        : file_(file), rest_(head), is_whole_(head.size() == file_bytes) {}

    template <class T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view text(std::uint64_t most) {
        auto const size = number<std::uint64_t>();
        if (size > most)
            wrong_weights(file_, fmt::format("a text in its header has {} bytes", size));
        return take(size);
    }
    std::string_view take(std::uint64_t bytes) {
        if (bytes > rest_.size()) {
            if (is_whole_) wrong_weights(file_, "its header ends with the file: it is cut off");
            throw TooShort{};
        }
        auto const part = rest_.substr(0, bytes);
        rest_.remove_prefix(bytes);
        return part;
    }
    std::string_view file() const { return file_; }

  private:
    std::string_view file_, rest_;
    bool is_whole_;
};

/// Numbers of types of ggml (ggml.h: ggml_type) with elements and bytes of a block (ggml-common.h).
struct TensorType {
    std::uint32_t id;
    std::uint64_t elements, bytes;
};
constexpr TensorType tensor_types[] = {
    {0, 1, 4},      {1, 1, 2},      {2, 32, 18},   {3, 32, 20},    {6, 32, 22},    {7, 32, 24},
    {8, 32, 34},    {9, 32, 36},    {10, 256, 84}, {11, 256, 110}, {12, 256, 144}, {13, 256, 176},
    {14, 256, 210}, {15, 256, 292}, {16, 256, 66}, {17, 256, 74},  {18, 256, 98},  {19, 256, 50},
    {20, 32, 18},   {21, 256, 110}, {22, 256, 82}, {23, 256, 136}, {24, 1, 1},     {25, 1, 2},
    {26, 1, 4},     {27, 1, 8},     {28, 1, 8},    {29, 256, 56},  {30, 1, 2},     {34, 256, 54},
    {35, 256, 66},  {39, 32, 17}};

/// Kinds of values (docs/gguf.md: gguf_metadata_value_type) and their bytes; 8 is a text, 9 a list.
constexpr std::uint64_t value_bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr std::uint32_t text_kind = 8, list_kind = 9;

/// What the header says under its keys: whole numbers (of a list the largest) and texts.
struct Entries {
    std::map<std::string, std::uint64_t, std::less<>> numbers = {};
    std::map<std::string, std::string, std::less<>> texts = {};

    std::optional<std::uint64_t> find(std::string const& key) const {
        auto const found = numbers.find(key);
        return found == numbers.end() ? std::nullopt : std::optional(found->second);
    }
};

bool is_whole(std::uint32_t kind) {
    return kind <= 5 || kind == 10 || kind == 11;
}

/// Little-endian; a negative number is none that a size could be.
std::optional<std::uint64_t> whole_number(std::string_view bytes, std::uint32_t kind) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    bool const is_signed = kind == 1 || kind == 3 || kind == 5 || kind == 11;
    bool const negative = is_signed && (value >> (bytes.size() * 8 - 1)) != 0;
    return negative ? std::nullopt : std::optional(value);
}

void read_list(Reader& reader, std::string const& key, Entries& entries) {
    auto const kind = reader.number<std::uint32_t>();
    auto const count = reader.number<std::uint64_t>();
    if (kind == text_kind) {
        if (count > most_vocabulary)
            wrong_weights(reader.file(), "a list in its header is too long");
        for (std::uint64_t i = 0; i < count; ++i) (void)reader.text(most_header_bytes);
        return;
    }
    if (kind == list_kind) wrong_weights(reader.file(), "its header has a list of lists");
    if (kind >= std::size(value_bytes))
        wrong_weights(reader.file(), fmt::format("a list in its header is of the kind {}, which is "
                                                 "not known",
                                                 kind));
    if (count > most_header_bytes) wrong_weights(reader.file(), "a list in its header is too long");
    for (std::uint64_t i = 0; i < count; ++i) {
        auto const bytes = reader.take(value_bytes[kind]);
        if (!is_whole(kind)) continue;
        auto const value = whole_number(bytes, kind);
        auto& known = entries.numbers[key];
        known = std::max(known, value.value_or(0));
    }
}

void read_entry(Reader& reader, Entries& entries) {
    auto const key = std::string(reader.text(most_key_bytes));
    auto const kind = reader.number<std::uint32_t>();
    if (kind == list_kind) return read_list(reader, key, entries);
    if (kind == text_kind) {
        entries.texts[key] = std::string(reader.text(most_header_bytes));
        return;
    }
    if (kind >= std::size(value_bytes))
        wrong_weights(reader.file(), fmt::format("a value in its header is of the kind {}", kind));
    auto const bytes = reader.take(value_bytes[kind]);
    if (!is_whole(kind)) return;
    if (auto const value = whole_number(bytes, kind)) entries.numbers[key] = *value;
}

/// What the tensors take together.
struct Tensors {
    StoredTensors stored = {};
    std::uint64_t vocabulary = 0;
    bool has_head = false;
};

std::uint64_t product(Reader& reader, std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t most = std::uint64_t{1} << 50;
    if (b != 0 && a > most / b) wrong_weights(reader.file(), "a tensor is larger than any memory");
    return a * b;
}

void read_tensor(Reader& reader, Tensors& all) {
    constexpr std::uint32_t most_dimensions = 4;
    auto const name = reader.text(most_key_bytes);
    auto const dimensions = reader.number<std::uint32_t>();
    if (dimensions > most_dimensions)
        wrong_weights(reader.file(), fmt::format("a tensor has {} dimensions", dimensions));
    std::uint64_t elements = 1, last = 0, first = 1;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
        last = reader.number<std::uint64_t>();
        if (i == 0) first = last;
        elements = product(reader, elements, last);
    }
    auto const id = reader.number<std::uint32_t>();
    (void)reader.number<std::uint64_t>();  // where it stands
    auto const type = std::ranges::find(tensor_types, id, &TensorType::id);
    if (type == std::end(tensor_types))
        wrong_weights(reader.file(),
                      fmt::format("a tensor is of the type {}, which is not known", id));
    if (first % type->elements != 0)
        wrong_weights(reader.file(), "the rows of a tensor are no whole number of its blocks");
    all.stored.parameters += elements;
    all.stored.bytes += product(reader, elements / type->elements, type->bytes);
    if (name.find("_exps") != name.npos) all.stored.in_experts += elements;
    if (name == "token_embd.weight") all.vocabulary = last;
    all.has_head |= name == "output.weight";
}

// ---- the shape ----------------------------------------------------------------------------------

/// Numbers under the name of the architecture: "llama.block_count".
class Sizes {
  public:
    Sizes(std::string_view file, Entries const& entries, std::string const& architecture)
        : file_(file), entries_(entries), prefix_(architecture + '.') {}

    std::optional<std::uint64_t> find(std::string const& name, std::uint64_t most) const {
        auto const value = entries_.find(prefix_ + name);
        if (value && *value > most)
            wrong_weights(file_,
                          fmt::format("{}{} is {}, which no model has", prefix_, name, *value));
        return value;
    }
    std::uint64_t at(std::string const& name, std::uint64_t most) const {
        auto const value = find(name, most);
        if (!value) wrong_weights(file_, fmt::format("its header lacks {}{}", prefix_, name));
        if (*value == 0)
            wrong_weights(file_, fmt::format("{}{} is 0, which no model has", prefix_, name));
        return *value;
    }

  private:
    std::string_view file_;
    Entries const& entries_;
    std::string prefix_;
};

void take_latent(Sizes const& sizes, ModelShape& it) {
    auto const rank = sizes.find("attention.kv_lora_rank", most_rank).value_or(0);
    if (rank == 0) return;
    auto const rotated = sizes.at("rope.dimension_count", most_head_size);
    auto const key = sizes.find("attention.key_length_mla", most_head_size).value_or(it.head_size);
    it.latent = {
        .kv_rank = rank,
        .query_rank = sizes.find("attention.q_lora_rank", most_rank).value_or(0),
        .rotated = rotated,
        .plain = key - std::min(key, rotated),
        .value =
            sizes.find("attention.value_length_mla", most_head_size)
                .value_or(
                    sizes.find("attention.value_length", most_head_size).value_or(it.head_size))};
}

void take_experts(Sizes const& sizes, ModelShape& it) {
    auto const count = sizes.find("expert_count", most_experts).value_or(0);
    if (count == 0) return;
    auto const inner =
        sizes.find("expert_feed_forward_length", most_intermediate).value_or(it.intermediate);
    auto const dense = sizes.find("leading_dense_block_count", most_layers).value_or(0);
    it.experts = {
        .count = count,
        .per_token = sizes.at("expert_used_count", count),
        .intermediate = inner,
        .shared_intermediate =
            sizes.find("expert_shared_feed_forward_length", most_intermediate)
                .value_or(inner * sizes.find("expert_shared_count", most_shared).value_or(0)),
        .layers = it.layers - std::min(it.layers, dense)};
}

void take_window(Sizes const& sizes, ModelShape& it) {
    auto const window = sizes.find("attention.sliding_window", most_positions).value_or(0);
    if (window == 0) return;
    if (it.family.window_pattern == 0) {
        it.notes.push_back(
            fmt::format("some layers look back at {} tokens only; which, its header "
                        "does not say: the cache is counted as if none did",
                        window));
        return;
    }
    it.window = window;
    it.windowed_layers = it.layers - it.layers / it.family.window_pattern;
}

ModelShape shape_of(std::string_view file, Entries const& entries, Tensors const& tensors,
                    PlanData const& data) {
    ModelShape it;
    auto const found = entries.texts.find("general.architecture");
    if (found == entries.texts.end()) wrong_weights(file, "its header lacks general.architecture");
    it.name = file;
    it.architecture = found->second;
    it.counted = true;
    if (auto const* family = family_of(it.architecture, data)) it.family = *family;
    Sizes const sizes(file, entries, it.architecture);
    it.layers = sizes.at("block_count", most_layers);
    it.hidden = sizes.at("embedding_length", most_hidden);
    it.heads = sizes.at("attention.head_count", most_heads);
    it.kv_heads =
        std::min(it.heads, sizes.find("attention.head_count_kv", most_heads).value_or(it.heads));
    if (it.kv_heads == 0) wrong_weights(file, "no layer has heads of keys and values");
    it.head_size =
        sizes.find("attention.key_length", most_head_size).value_or(it.hidden / it.heads);
    it.intermediate = sizes.find("feed_forward_length", most_intermediate).value_or(4 * it.hidden);
    it.vocabulary = std::min(tensors.vocabulary, most_vocabulary);
    it.max_positions = sizes.find("context_length", most_positions);
    it.tied = !tensors.has_head;
    take_latent(sizes, it);
    take_experts(sizes, it);
    take_window(sizes, it);
    if (auto const type = entries.find("general.file_type"))
        it.stored_as = fmt::format("gguf:{}", *type);
    else it.stored_as = "gguf:";
    return it;
}

struct Header {
    Entries entries = {};
    Tensors tensors = {};
};

Header read_header(Reader& reader, std::uint64_t file_bytes) {
    if (reader.take(magic.size()) != magic) wrong_weights(reader.file(), "it is no GGUF file");
    auto const version = reader.number<std::uint32_t>();
    if (version == 2U << 24 || version == 3U << 24)
        wrong_weights(reader.file(), "it is GGUF for processors of the other byte order");
    if (version < 2 || version > 3)
        wrong_weights(reader.file(),
                      fmt::format("it is GGUF of version {}; 2 and 3 are known", version));
    auto const tensor_count = reader.number<std::uint64_t>();
    auto const entry_count = reader.number<std::uint64_t>();
    if (tensor_count > most_tensors || entry_count > most_entries)
        wrong_weights(reader.file(), fmt::format("its header claims {} tensors and {} values, "
                                                 "more than any model has",
                                                 tensor_count, entry_count));
    Header header;
    for (std::uint64_t i = 0; i < entry_count; ++i) read_entry(reader, header.entries);
    for (std::uint64_t i = 0; i < tensor_count; ++i) read_tensor(reader, header.tensors);
    if (auto const bytes = header.tensors.stored.bytes; bytes > file_bytes)
        wrong_weights(reader.file(),
                      fmt::format("its tensors take {}, the file has {}: it is cut off",
                                  human_bytes(bytes), human_bytes(file_bytes)));
    return header;
}

/// What `read` makes of the header; absent where the head is too short for it.
template <class Read>
auto of_header(std::string_view file, std::string_view head, std::uint64_t file_bytes, Read read)
    -> std::optional<decltype(read(Header{}))> {
    Reader reader(file, head, file_bytes);
    try {
        return read(read_header(reader, file_bytes));
    } catch (TooShort const&) {
        return std::nullopt;
    }
}

}  // namespace

static_assert(std::endian::native == std::endian::little, "sizes are read as they stand");

bool is_gguf(std::string_view head) {
    return head.starts_with(magic);
}

std::optional<ModelShape> read_gguf(std::string_view file, std::string_view head,
                                    std::uint64_t file_bytes, PlanData const& data) {
    return of_header(file, head, file_bytes, [&](Header const& header) {
        auto shape = shape_of(file, header.entries, header.tensors, data);
        shape.file_parameters = shape.file_active = shape.file_bytes = 0;
        add_stored(header.tensors.stored, shape);
        return shape;
    });
}

std::optional<StoredTensors> read_gguf_part(std::string_view file, std::string_view head,
                                            std::uint64_t file_bytes) {
    return of_header(file, head, file_bytes,
                     [](Header const& header) { return header.tensors.stored; });
}

void wrong_weights(std::string_view file, std::string const& what) {
    throw Error(fmt::format("{}: {}", printable(file), what),
                "--model takes GGUF files, a folder of safetensors, and config.json");
}

}  // namespace rocmtune
