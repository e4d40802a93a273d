// SPDX-License-Identifier: MIT
#include "knowledge/plan_data.hpp"

#include "knowledge/citation_parser.hpp"
#include "knowledge/json_node.hpp"

namespace rocmtune {
namespace {

constexpr double most_bits = 64;
constexpr double most_bytes = 1e12;
constexpr std::uint64_t most_count = std::uint64_t{1} << 24;

std::string text_of(JsonNode const& node, std::string_view key) {
    return std::string(node.at(key).string());
}

double real_of(JsonNode const& node, std::string_view key, double high) {
    return node.at(key).real(0, high);
}

std::uint64_t count_of(JsonNode const& node, std::string_view key) {
    return node.at(key).integer(1, most_count);
}

std::vector<std::string> texts_of(JsonNode const& node, std::string_view key) {
    std::vector<std::string> texts;
    for (auto const& item : node.at(key).items()) texts.emplace_back(item.string());
    return texts;
}

/// Reads the tables of one document; what they cite must exist.
class Reader {
  public:
    explicit Reader(JsonNode const& root) : root_(root) {}

    PlanData read() {
        root_.expect_keys({"$schema", "schema_version", "sources", "constants", "accuracy",
                           "engines", "cache_formats", "weight_formats", "precisions", "optimizers",
                           "shapes", "families"});
        expect_version_1(root_, "plans");
        read_sources();
        read_constants();
        read_accuracy();
        rows("engines", data_.engines, [&](JsonNode const& node) { return engine(node); });
        rows("cache_formats", data_.cache_formats,
             [&](JsonNode const& node) { return cache_format(node); });
        rows("weight_formats", data_.weight_formats,
             [&](JsonNode const& node) { return weight_format(node); });
        rows("precisions", data_.precisions, [&](JsonNode const& node) { return precision(node); });
        rows("optimizers", data_.optimizers, [&](JsonNode const& node) { return optimizer(node); });
        rows("shapes", data_.shapes, [&](JsonNode const& node) { return shape(node); });
        for (auto const& node : root_.at("families").items())
            data_.families.push_back(family(node));
        return std::move(data_);
    }

  private:
    /// A list with at least one row, no name twice.
    template <class Row, class Read>
    void rows(std::string_view key, std::vector<Row>& into, Read read) {
        for (auto const& node : root_.at(key).items()) {
            auto row = read(node);
            if (find_named(into, row.name) != nullptr) node.at("name").fail("stands twice");
            into.push_back(std::move(row));
        }
        if (into.empty()) root_.at(key).fail("the list is empty");
    }

    void read_sources() {
        for (auto const& [id, node] : root_.at("sources").members()) {
            node.expect_keys({"title", "url", "reference", "version"});
            auto const optional = [&](std::string_view key) -> std::optional<std::string> {
                if (!node.find(key)) return std::nullopt;
                return text_of(node, key);
            };
            auto title = text_of(node, "title");
            if (auto const place = optional("reference")) title += ", " + *place;
            data_.sources[std::string(id)] = {std::move(title), optional("url"),
                                              optional("version")};
        }
    }

    SourceIds sources_of(JsonNode const& node) const {
        for (auto const& item : node.at("sources").items())
            if (!data_.sources.contains(std::string(item.string())))
                item.fail("there is no such source");
        auto ids = texts_of(node, "sources");
        if (ids.empty()) node.at("sources").fail("a number needs a source");
        return ids;
    }

    PlanConstant constant(JsonNode const& node) const {
        node.expect_keys({"value", "about", "sources"});
        return {real_of(node, "value", most_bytes), text_of(node, "about"), sources_of(node)};
    }

    void read_constants() {
        auto const node = root_.at("constants");
        node.expect_keys({"training_runtime_bytes", "logits_bytes", "gathered_layers",
                          "loss_chunks", "sampled_sequences"});
        data_.training_runtime_bytes = constant(node.at("training_runtime_bytes"));
        data_.logits_bytes = constant(node.at("logits_bytes"));
        data_.gathered_layers = constant(node.at("gathered_layers"));
        data_.loss_chunks = constant(node.at("loss_chunks"));
        if (data_.loss_chunks.value < 1) node.at("loss_chunks").fail("one part at least");
        data_.sampled_sequences = constant(node.at("sampled_sequences"));
    }

    void read_accuracy() {
        auto const node = root_.at("accuracy");
        node.expect_keys(
            {"about", "weights_percent", "cache_percent", "inference_percent", "training_percent"});
        data_.accuracy = {
            real_of(node, "weights_percent", 100), real_of(node, "cache_percent", 100),
            real_of(node, "inference_percent", 100), real_of(node, "training_percent", 100)};
    }

    PlanEngine engine(JsonNode const& node) const {
        static constexpr std::string_view splits[] = {"tensor", "layers"};
        node.expect_keys({"name", "split", "share_of_total", "prefill_tokens", "runtime_bytes",
                          "peer_runtime_bytes", "about", "sources"});
        return {.name = text_of(node, "name"),
                .splits_tensors = node.at("split").word(splits) == "tensor",
                .share_of_total = real_of(node, "share_of_total", 1),
                .prefill_tokens = count_of(node, "prefill_tokens"),
                .runtime_bytes = real_of(node, "runtime_bytes", most_bytes),
                .peer_runtime_bytes = real_of(node, "peer_runtime_bytes", most_bytes),
                .about = text_of(node, "about"),
                .sources = sources_of(node)};
    }

    CacheFormat cache_format(JsonNode const& node) const {
        node.expect_keys({"name", "bits", "sources"});
        return {text_of(node, "name"), real_of(node, "bits", most_bits), sources_of(node)};
    }

    WeightFormat weight_format(JsonNode const& node) const {
        node.expect_keys(
            {"name", "bits", "embedding_bits", "engine", "listed", "methods", "about", "sources"});
        WeightFormat row{.name = text_of(node, "name"),
                         .bits = real_of(node, "bits", most_bits),
                         .embedding_bits = real_of(node, "embedding_bits", most_bits),
                         .engine = text_of(node, "engine"),
                         .listed = node.at("listed").boolean(),
                         .methods = texts_of(node, "methods"),
                         .about = text_of(node, "about"),
                         .sources = sources_of(node)};
        if (find_named(data_.engines, row.engine) == nullptr)
            node.at("engine").fail("there is no such engine");
        return row;
    }

    PlanPrecision precision(JsonNode const& node) const {
        node.expect_keys({"name", "weight_bytes", "gradient_bytes", "master_bytes",
                          "activation_bytes", "about", "sources"});
        return {text_of(node, "name"),
                real_of(node, "weight_bytes", most_bits),
                real_of(node, "gradient_bytes", most_bits),
                real_of(node, "master_bytes", most_bits),
                real_of(node, "activation_bytes", most_bits),
                text_of(node, "about"),
                sources_of(node)};
    }

    PlanOptimizer optimizer(JsonNode const& node) const {
        node.expect_keys(
            {"name", "states", "state_bytes", "follows_weights", "factored", "about", "sources"});
        return {text_of(node, "name"),
                real_of(node, "states", most_bits),
                real_of(node, "state_bytes", most_bits),
                node.at("follows_weights").boolean(),
                node.at("factored").boolean(),
                text_of(node, "about"),
                sources_of(node)};
    }

    PlanShape shape(JsonNode const& node) const {
        node.expect_keys({"name", "parameters", "layers", "hidden", "heads", "kv_heads",
                          "head_size", "intermediate", "vocabulary", "tables", "sources"});
        PlanShape row{.name = text_of(node, "name"),
                      .parameters = node.at("parameters").integer(1, 1'000'000'000'000'000),
                      .layers = count_of(node, "layers"),
                      .hidden = count_of(node, "hidden"),
                      .heads = count_of(node, "heads"),
                      .kv_heads = count_of(node, "kv_heads"),
                      .head_size = count_of(node, "head_size"),
                      .intermediate = count_of(node, "intermediate"),
                      .vocabulary = count_of(node, "vocabulary"),
                      .tables = node.at("tables").integer(1, 2),
                      .sources = sources_of(node)};
        if (!data_.shapes.empty() && row.parameters <= data_.shapes.back().parameters)
            node.at("parameters").fail("shapes stand in the order of their parameters");
        return row;
    }

    PlanFamily family(JsonNode const& node) const;

    JsonNode const& root_;
    PlanData data_;
};

struct Switch {
    std::string_view key;
    bool PlanFamily::*member;
};

constexpr Switch switches[] = {
    {"final_norm", &PlanFamily::final_norm},
    {"embedding_norm", &PlanFamily::embedding_norm},
    {"head_norms", &PlanFamily::head_norms},
    {"gated", &PlanFamily::gated},
    {"qkv_bias", &PlanFamily::qkv_bias},
    {"output_bias", &PlanFamily::output_bias},
    {"mlp_bias", &PlanFamily::mlp_bias},
    {"head_bias", &PlanFamily::head_bias},
    {"expert_bias", &PlanFamily::expert_bias},
    {"shared_gate", &PlanFamily::shared_gate},
    {"sinks", &PlanFamily::sinks},
    {"tied", &PlanFamily::tied},
    {"pooler", &PlanFamily::pooler},
    {"learned_positions", &PlanFamily::learned_positions},
    {"dropout", &PlanFamily::dropout},
    {"decoder", &PlanFamily::decoder},
};

PlanFamily Reader::family(JsonNode const& node) const {
    static constexpr std::string_view norms[] = {"scale", "scale-and-shift"};
    node.expect_keys({"model_types",
                      "norm",
                      "norms_per_layer",
                      "final_norm",
                      "embedding_norm",
                      "head_norms",
                      "gated",
                      "qkv_bias",
                      "output_bias",
                      "mlp_bias",
                      "head_bias",
                      "expert_bias",
                      "shared_gate",
                      "sinks",
                      "tied",
                      "pooler",
                      "learned_positions",
                      "dropout",
                      "decoder",
                      "position_offset",
                      "token_types",
                      "window_pattern"});
    PlanFamily row;
    row.model_types = texts_of(node, "model_types");
    row.norm_vectors = node.at("norm").word(norms) == "scale" ? 1 : 2;
    for (auto const& each : switches)
        if (auto const value = node.find(each.key)) row.*each.member = value->boolean();
    constexpr std::uint64_t most = 64;
    auto const number = [&](std::string_view key, std::uint64_t& into) {
        if (auto const value = node.find(key)) into = value->integer(0, most);
    };
    number("norms_per_layer", row.norms_per_layer);
    number("position_offset", row.position_offset);
    number("token_types", row.token_types);
    number("window_pattern", row.window_pattern);
    return row;
}

}  // namespace

PlanData parse_plan_data(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    return Reader(root).read();
}

}  // namespace rocmtune
