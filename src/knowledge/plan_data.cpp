// SPDX-License-Identifier: MIT
#include "knowledge/plan_data.hpp"

#include <set>

#include "codec/data_reader.hpp"
#include "knowledge/citation_parser.hpp"

namespace rocmtune {
namespace {

constexpr std::uint64_t most_bits = 64;
constexpr std::uint64_t most_bytes = 1'000'000'000'000;
constexpr std::uint64_t most_count = std::uint64_t{1} << 24;
constexpr std::uint64_t most_parameters = 1'000'000'000'000'000;
constexpr std::uint64_t most_of_family = 64;

constexpr std::string_view splits[] = {"tensor", "layers"};
constexpr std::string_view norms[] = {"scale", "scale-and-shift"};

DataKey bits(std::string_view key) {
    return DataKey{key}.up_to(most_bits);
}
DataKey bytes(std::string_view key) {
    return DataKey{key}.up_to(most_bytes);
}
DataKey count(std::string_view key) {
    return DataKey{key}.up_to(most_count);
}
/// Of a family, which says only what is not as usual.
DataKey unusual(std::string_view key) {
    return DataKey{key}.optional().from(0).up_to(most_of_family);
}
DataKey sources() {
    return DataKey{"sources"}.not_empty("a number needs a source");
}
DataKey rows(std::string_view key) {
    return DataKey{key}.not_empty("the list is empty");
}

/// The document, before its sources are those of a report.
struct PlanFile : PlanData {
    DataFileHead head;
    std::map<std::string, Citation> bibliography;
};

}  // namespace

template <class Visitor>
void visit_fields(PlanConstant& it, Visitor&& v) {
    v(bytes("value"), it.value);
    v(DataKey{"about"}, it.about);
    v(sources(), it.sources);
}

template <class Visitor>
void visit_fields(PlanConstants& it, Visitor&& v) {
    v(DataKey{"training_runtime_bytes"}, it.training_runtime_bytes);
    v(DataKey{"logits_bytes"}, it.logits_bytes);
    v(DataKey{"gathered_layers"}, it.gathered_layers);
    v(DataKey{"loss_chunks"}, it.loss_chunks);
    v(DataKey{"sampled_sequences"}, it.sampled_sequences);
}

template <class Visitor>
void visit_fields(PlanAccuracy& it, Visitor&& v) {
    constexpr std::uint64_t all = 100;
    v(DataKey{"about"}.optional(), it.about);
    v(DataKey{"weights_percent"}.up_to(all), it.weights_percent);
    v(DataKey{"cache_percent"}.up_to(all), it.cache_percent);
    v(DataKey{"inference_percent"}.up_to(all), it.inference_percent);
    v(DataKey{"training_percent"}.up_to(all), it.training_percent);
}

template <class Visitor>
void visit_fields(PlanEngine& it, Visitor&& v) {
    v(DataKey{"name"}, it.name);
    v(DataKey{"split"}.one_of(splits), it.split);
    v(DataKey{"share_of_total"}.up_to(1), it.share_of_total);
    v(count("prefill_tokens"), it.prefill_tokens);
    v(bytes("runtime_bytes"), it.runtime_bytes);
    v(bytes("peer_runtime_bytes"), it.peer_runtime_bytes);
    v(DataKey{"about"}, it.about);
    v(sources(), it.sources);
}

template <class Visitor>
void visit_fields(CacheFormat& it, Visitor&& v) {
    v(DataKey{"name"}, it.name);
    v(bits("bits"), it.bits);
    v(sources(), it.sources);
}

template <class Visitor>
void visit_fields(WeightFormat& it, Visitor&& v) {
    v(DataKey{"name"}, it.name);
    v(bits("bits"), it.bits);
    v(bits("embedding_bits"), it.embedding_bits);
    v(DataKey{"engine"}, it.engine);
    v(DataKey{"listed"}, it.listed);
    v(DataKey{"methods"}, it.methods);
    v(DataKey{"about"}, it.about);
    v(sources(), it.sources);
}

template <class Visitor>
void visit_fields(PlanPrecision& it, Visitor&& v) {
    v(DataKey{"name"}, it.name);
    v(bits("weight_bytes"), it.weight_bytes);
    v(bits("gradient_bytes"), it.gradient_bytes);
    v(bits("master_bytes"), it.master_bytes);
    v(bits("activation_bytes"), it.activation_bytes);
    v(DataKey{"about"}, it.about);
    v(sources(), it.sources);
}

template <class Visitor>
void visit_fields(PlanOptimizer& it, Visitor&& v) {
    v(DataKey{"name"}, it.name);
    v(bits("states"), it.states);
    v(bits("state_bytes"), it.state_bytes);
    v(DataKey{"follows_weights"}, it.follows_weights);
    v(DataKey{"factored"}, it.factored);
    v(DataKey{"about"}, it.about);
    v(sources(), it.sources);
}

template <class Visitor>
void visit_fields(PlanShape& it, Visitor&& v) {
    v(DataKey{"name"}, it.name);
    v(DataKey{"parameters"}.up_to(most_parameters), it.parameters);
    v(count("layers"), it.layers);
    v(count("hidden"), it.hidden);
    v(count("heads"), it.heads);
    v(count("kv_heads"), it.kv_heads);
    v(count("head_size"), it.head_size);
    v(count("intermediate"), it.intermediate);
    v(count("vocabulary"), it.vocabulary);
    v(DataKey{"tables"}.up_to(2), it.tables);
    v(sources(), it.sources);
}

template <class Visitor>
void visit_fields(PlanFamily& it, Visitor&& v) {
    v(DataKey{"model_types"}, it.model_types);
    v(DataKey{"norm"}.one_of(norms), it.norm);
    v(unusual("norms_per_layer"), it.norms_per_layer);
    v(unusual("final_norm"), it.final_norm);
    v(unusual("embedding_norm"), it.embedding_norm);
    v(unusual("head_norms"), it.head_norms);
    v(unusual("gated"), it.gated);
    v(unusual("qkv_bias"), it.qkv_bias);
    v(unusual("output_bias"), it.output_bias);
    v(unusual("mlp_bias"), it.mlp_bias);
    v(unusual("head_bias"), it.head_bias);
    v(unusual("expert_bias"), it.expert_bias);
    v(unusual("shared_gate"), it.shared_gate);
    v(unusual("sinks"), it.sinks);
    v(unusual("tied"), it.tied);
    v(unusual("pooler"), it.pooler);
    v(unusual("learned_positions"), it.learned_positions);
    v(unusual("dropout"), it.dropout);
    v(unusual("decoder"), it.decoder);
    v(unusual("position_offset"), it.position_offset);
    v(unusual("token_types"), it.token_types);
    v(unusual("window_pattern"), it.window_pattern);
}

template <class Visitor>
void visit_fields(PlanFile& it, Visitor&& v) {
    visit_fields(it.head, v);
    v(DataKey{"sources"}, it.bibliography);
    v(DataKey{"constants"}, static_cast<PlanConstants&>(it));
    v(DataKey{"accuracy"}, it.accuracy);
    v(rows("engines"), it.engines);
    v(rows("cache_formats"), it.cache_formats);
    v(rows("weight_formats"), it.weight_formats);
    v(rows("precisions"), it.precisions);
    v(rows("optimizers"), it.optimizers);
    v(rows("shapes"), it.shapes);
    v(DataKey{"families"}, it.families);
}

namespace {

/// Whatever is cited, at any depth, must be explained.
void check_sources(JsonNode const& node, PlanFile const& file) {
    if (node.is_plain()) return;
    if (node.key() == "sources" && node.is_array())
        for (auto const& item : node.items())
            if (!file.bibliography.contains(std::string(item.string())))
                item.fail("there is no such source");
    node.each([&](JsonNode const& member) { check_sources(member, file); });
}

/// No name twice.
void check_names(JsonNode const& list) {
    std::set<std::string_view> seen;
    for (auto const& item : list.items())
        if (!seen.insert(item.at("name").string()).second) item.at("name").fail("stands twice");
}

void check(JsonNode const& root, PlanFile& file) {
    expect_version_1(root, "plans");
    check_sources(root, file);
    for (auto const* key :
         {"engines", "cache_formats", "weight_formats", "precisions", "optimizers", "shapes"})
        check_names(root.at(key));
    if (file.loss_chunks.value < 1)
        root.at("constants").at("loss_chunks").fail("one part at least");
    for (auto& engine : file.engines) engine.splits_tensors = engine.split == splits[0];
    for (auto& family : file.families) family.norm_vectors = family.norm == norms[0] ? 1 : 2;
    for (auto const& item : root.at("weight_formats").items())
        if (find_named(file.engines, item.at("engine").string()) == nullptr)
            item.at("engine").fail("there is no such engine");
    auto const shapes = root.at("shapes").items();
    for (std::size_t i = 1; i < shapes.size(); ++i)
        if (file.shapes[i].parameters <= file.shapes[i - 1].parameters)
            shapes[i].at("parameters").fail("shapes stand in the order of their parameters");
}

}  // namespace

PlanData parse_plan_data(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    StringPool pool;
    PlanFile read;
    DataReader(pool).fill(root, read);
    check(root, read);
    for (auto const& [id, citation] : read.bibliography) read.sources[id] = reference_of(citation);
    return read;
}

}  // namespace rocmtune
