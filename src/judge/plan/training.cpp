// SPDX-License-Identifier: MIT
// Training. GPUs of a replica share matrices (tensor) and layers (pipeline); replicas share what
// --shard says. The stage that needs the most counts: the first keeps the activations of as many
// batches as there are stages, the last has the scores (sources "activations", "pipeline").
#include <fmt/format.h>
#include <algorithm>

#include "judge/plan/parts.hpp"

namespace rocmtune {
namespace {

/// Elements that a layer keeps of a token: those before and behind matrices, which each GPU has as
/// a whole, and those between them, which are split as the matrices are.
struct Kept {
    double whole = 0, split = 0;
};

/// Of the elements in an MLP: its input, what each matrix gives, the activation function's result,
/// and with a gate the product of both.
Kept mlp_elements(ModelShape const& it) {
    auto const inner = it.family.gated ? 4.0 : 2.0;
    Kept const dense{real(it.hidden), inner * real(it.intermediate)};
    if (!it.experts || it.experts->layers == 0) return dense;
    auto const& experts = *it.experts;
    auto const working = real(experts.per_token);
    Kept const with{
        working * real(it.hidden) + real(experts.count),
        inner * (working * real(experts.intermediate) + real(experts.shared_intermediate))};
    auto const share = real(experts.layers) / real(it.layers);
    return {share * with.whole + (1 - share) * dense.whole,
            share * with.split + (1 - share) * dense.split};
}

/// Of the elements in attention: its input, queries, keys, values, and the input of the last
/// matrix.
Kept attention_elements(ModelShape const& it, std::uint64_t tensor) {
    auto const hidden = real(it.hidden);
    if (it.latent) {
        auto const& latent = *it.latent;
        auto const head = real(latent.plain + latent.rotated);
        auto const compressed = real(latent.kv_rank + latent.rotated + latent.query_rank);
        return {hidden + compressed, real(it.heads) * (2 * head + 2 * real(latent.value))};
    }
    // GPUs beyond the heads of keys and values repeat them.
    auto const repeated = std::max(1.0, real(tensor) / real(it.kv_heads));
    return {hidden, 2 * real(it.head_size) * (real(it.heads) + repeated * real(it.kv_heads))};
}

/// Scores of one token with all others: two copies and, with dropout, a third and a mask of bytes.
double score_bytes(ModelShape const& it, Setup const& setup) {
    if (setup.flash) return 0;
    auto const each = setup.precision->activation_bytes * (it.family.dropout ? 2 : 1) +
                      (it.family.dropout ? 1 : 0);
    return real(it.heads) * real(setup.sequence) * each / real(setup.tensor);
}

/// Bytes of what replicas share from this step on.
double shared(double bytes, Setup const& setup, Shard first) {
    return setup.shard >= first ? bytes / real(setup.replicas()) : bytes;
}

std::string shared_by(Setup const& setup, Shard first) {
    if (setup.shard < first || setup.replicas() == 1) return {};
    return fmt::format(" / {} {}", setup.replicas(),
                       setup.gpus_of_replica() > 1 ? "replicas" : "GPUs");
}

/// Of all parameters, the part that a GPU of this stage has.
double share_of_model(ModelShape const& it, Setup const& setup, Stage const& stage) {
    return real(parameters_on_gpu(it, setup.tensor, stage)) / real(count_parameters(it).total);
}

/// "8.03B parameters", or what a GPU has of them.
std::string parameters_text(double all, double share, Setup const& setup) {
    if (setup.gpus_of_replica() == 1) return short_count(all) + " parameters";
    return fmt::format("{} of {} parameters", short_count(all * share), short_count(all));
}

Part weights(ModelShape const& it, Setup const& setup, Stage const& stage) {
    auto const count = real(parameters_of(it));
    auto const share = share_of_model(it, setup, stage);
    auto const each = setup.precision->weight_bytes;
    auto const bytes = setup.lora_rank ? weight_bytes(it, *setup.base) : count * each;
    auto const how = parameters_text(count, share, setup) +
                     (setup.lora_rank ? fmt::format(", frozen in {}", setup.base->name)
                                      : fmt::format(" x {:g} bytes", each));
    return {"weights", shared(bytes * share, setup, Shard::zero3),
            how + shared_by(setup, Shard::zero3),
            setup.lora_rank ? setup.base->sources : setup.precision->sources};
}

/// What is trained, and the part of it on a GPU of the stage.
struct Trained {
    double all = 0, share = 1;
};

/// Of an adapter's two matrices one is split and one is whole where GPUs share matrices: counted as
/// whole.
Trained trained(ModelShape const& it, Setup const& setup, Stage const& stage) {
    if (!setup.lora_rank) return {real(parameters_of(it)), share_of_model(it, setup, stage)};
    return {real(adapter_parameters(it, *setup.lora_rank)), real(stage.layers) / real(it.layers)};
}

/// `each` bytes of what is trained.
Part for_each_trained(std::string name, double each, std::string const& text, Shard first,
                      Trained const& it, Setup const& setup) {
    return {std::move(name),
            shared(it.all * it.share * each, setup, first),
            parameters_text(it.all, it.share, setup) + text + shared_by(setup, first),
            {}};
}

Part adapters(Trained const& it, Setup const& setup) {
    if (!setup.lora_rank) return {};
    auto const each = setup.precision->weight_bytes;
    auto part = for_each_trained("adapters", each, fmt::format(" x {:g} bytes", each), Shard::zero3,
                                 it, setup);
    part.formula =
        fmt::format("rank {} at all matrices of the layers: {}", *setup.lora_rank, part.formula);
    part.sources = {"lora"};
    return part;
}

Part gradients(Trained const& it, Setup const& setup) {
    auto const each = setup.precision->gradient_bytes;
    auto part = for_each_trained("gradients", each, fmt::format(" x {:g} bytes", each),
                                 Shard::zero2, it, setup);
    part.sources = {"zero"};
    return part;
}

/// Bytes that the optimiser keeps of a parameter beside the copy in 32 bits.
double state_bytes(ModelShape const& it, Setup const& setup) {
    auto const& optimizer = *setup.optimizer;
    // A matrix of h rows and about h columns has 2 h numbers in place of h^2.
    if (optimizer.factored) return optimizer.state_bytes * 2 / real(it.hidden);
    auto const& precision = *setup.precision;
    bool const all_small = precision.master_bytes == 0 && precision.weight_bytes < 4;
    auto const each =
        optimizer.follows_weights && all_small ? precision.weight_bytes : optimizer.state_bytes;
    return optimizer.states * each;
}

Part optimizer_states(Trained const& it, Setup const& setup) {
    auto const copy = setup.precision->master_bytes;
    auto const states = state_bytes(*setup.shape, setup);
    auto part = for_each_trained(
        "optimizer", copy + states,
        fmt::format(" x ({:g} bytes of copy + {:.4g} of {})", copy, states, setup.optimizer->name),
        Shard::zero1, it, setup);
    part.sources = setup.optimizer->sources;
    if (std::ranges::find(part.sources, "zero") == part.sources.end())
        part.sources.emplace_back("zero");
    return part;
}

/// How many batches a stage keeps at a time, and which stage that is.
std::string in_flight_text(Setup const& setup, Stage const& stage) {
    if (setup.pipeline == 1) return {};
    if (stage.is_last) return "; last stage";
    return fmt::format("; first stage, {} batches at a time", stage.in_flight);
}

Part activations(ModelShape const& it, Setup const& setup, Stage const& stage) {
    auto const tokens = real(setup.batch) * real(setup.sequence);
    auto const layer = activation_bytes_per_token(it, setup);
    auto const input = real(it.hidden) * setup.precision->activation_bytes /
                       (setup.splits_sequence ? real(setup.tensor) : 1);
    auto const kept = setup.recompute ? input : layer;
    auto const bytes = tokens * (real(stage.in_flight) * (real(stage.layers) * kept + input) +
                                 (setup.recompute ? layer : 0));
    auto formula =
        fmt::format("{:.0f} tokens x {} layers x {:.0f} bytes", tokens, stage.layers, kept);
    if (setup.recompute)
        formula += fmt::format(" (inputs of layers) + one layer of {:.0f} bytes a token", layer);
    SourceIds sources{"activations"};
    if (setup.flash) sources.emplace_back("flash-attention");
    if (setup.pipeline > 1) sources.emplace_back("pipeline");
    return {"activations", bytes, formula + in_flight_text(setup, stage), sources};
}

Part logits(ModelShape const& it, Setup const& setup, Stage const& stage) {
    if (!it.family.decoder || !stage.is_last) return {};
    auto const& data = *setup.data;
    auto const tokens = real(setup.batch) * real(setup.sequence);
    auto const chunks = setup.chunked_loss ? data.loss_chunks.value : 1;
    auto sources = data.logits_bytes.sources;
    if (setup.chunked_loss) sources = data.loss_chunks.sources;
    return {"logits",
            tokens / chunks * real(it.vocabulary) * data.logits_bytes.value / real(setup.tensor),
            fmt::format("{:.0f} tokens x {} words x {:g} bytes{}{}", tokens, it.vocabulary,
                        data.logits_bytes.value,
                        setup.chunked_loss ? fmt::format(" / {:g} chunks", chunks) : "",
                        setup.tensor > 1 ? fmt::format(" / {} GPUs", setup.tensor) : ""),
            sources};
}

/// What zero3 holds of others' shares: layers at work with their gradients, and the tables.
Part gathered(ModelShape const& it, Setup const& setup, Stage const& stage) {
    if (setup.shard != Shard::zero3 || setup.replicas() < 2) return {};
    auto const tables = parameters_on_gpu(it, setup.tensor, {0, stage.is_first, stage.is_last, 1});
    auto const layer = real(count_parameters(it).layer) / real(setup.tensor);
    auto const layers = std::min(real(stage.layers), setup.data->gathered_layers.value);
    auto const per_parameter =
        setup.lora_rank ? setup.base->bits / 8 : setup.precision->weight_bytes;
    auto const gradient = setup.lora_rank ? 0 : setup.precision->gradient_bytes;
    auto const bytes = (layers * layer + real(tables)) * per_parameter + layer * gradient;
    return {"gathered", bytes,
            fmt::format("{:g} whole layers of {}, a layer's gradients, and the tables of tokens",
                        layers, short_count(layer)),
            setup.data->gathered_layers.sources};
}

Part runtime(PlanConstant const& constant) {
    return {"runtime", constant.value, constant.about, constant.sources};
}

Parts parts_of_stage(Setup const& setup, Stage const& stage) {
    auto const& shape = *setup.shape;
    auto const what = trained(shape, setup, stage);
    return {weights(shape, setup, stage),     adapters(what, setup),
            gradients(what, setup),           optimizer_states(what, setup),
            activations(shape, setup, stage), logits(shape, setup, stage),
            gathered(shape, setup, stage),    runtime(setup.data->training_runtime_bytes)};
}

}  // namespace

double activation_bytes_per_token(ModelShape const& it, Setup const& setup) {
    auto const mlp = mlp_elements(it);
    auto const attention = attention_elements(it, setup.tensor);
    auto const norms = real(it.family.norms_per_layer) * real(it.hidden);
    // A byte for each element that dropout may clear, behind attention and behind the MLP.
    auto const masks = it.family.dropout ? 2 * real(it.hidden) : 0;
    auto const tensor = real(setup.tensor);
    auto const bytes = setup.precision->activation_bytes;
    auto const whole = (norms + attention.whole + mlp.whole) * bytes + masks;
    return whole / (setup.splits_sequence ? tensor : 1) +
           (attention.split + mlp.split) * bytes / tensor + score_bytes(it, setup);
}

Parts training_parts(Setup const& setup) {
    auto const& shape = *setup.shape;
    if (setup.pipeline == 1) return parts_of_stage(setup, {.layers = shape.layers});
    auto const layers = (shape.layers + setup.pipeline - 1) / setup.pipeline;
    auto first = parts_of_stage(setup, {layers, true, false, setup.pipeline});
    auto last = parts_of_stage(setup, {layers, false, true, 1});
    return sum_of(first) >= sum_of(last) ? first : last;
}

}  // namespace rocmtune
