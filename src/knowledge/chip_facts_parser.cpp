// SPDX-License-Identifier: MIT
#include "knowledge/chip_facts_parser.hpp"

#include <algorithm>
#include <array>

#include "base/version.hpp"
#include "knowledge/citation_parser.hpp"

namespace rocmtune {
namespace {

constexpr std::array<std::string_view, 10> data_types{"fp64", "fp32", "xf32", "fp16", "bf16",
                                                      "fp8",  "fp6",  "fp4",  "int8", "int4"};
constexpr std::array<std::string_view, 3> units{"vector", "dot", "matrix"};
constexpr std::array<std::string_view, 2> fp8_formats{"FNUZ", "OCP"};
constexpr std::array<std::string_view, 3> xnack_words{"process", "boot", "none"};
constexpr std::array<std::string_view, 4> risks{"none-needed", "low", "moderate", "high"};
constexpr std::array<std::string_view, 1> benchmarks{"gemm"};

// Far beyond today's chips; they catch slips of units and digits.
constexpr std::uint64_t most_rate = 1'000'000;
constexpr std::uint64_t most_bytes_per_cu = std::uint64_t{1} << 30;
constexpr std::uint64_t most_gflops = 1'000'000'000;

class Parser {
  public:
    Parser(JsonNode const& root, StringPool& pool) : root_(root), pool_(pool) {}

    ParsedFacts read() const {
        ParsedFacts facts;
        state("matrix_instructions", facts.matrix_instructions,
              [this](JsonNode const& node) { return texts(node); });
        state("matrix_kernels", facts.matrix_kernels,
              [this](JsonNode const& node) { return matrix_kernels(node); });
        state("ras", facts.ras, [](JsonNode const& node) { return node.boolean(); });
        state("fp8_format", facts.fp8_format,
              [](JsonNode const& node) { return node.word(fp8_formats); });
        state("xnack", facts.xnack, [](JsonNode const& node) { return node.word(xnack_words); });
        auto const bytes = [](JsonNode const& node) { return node.integer(1, most_bytes_per_cu); };
        state("vgpr_bytes_per_cu", facts.vgpr_bytes_per_cu, bytes);
        state("lds_bytes_per_workgroup", facts.lds_bytes_per_workgroup, bytes);
        state("rates", facts.rates, [this](JsonNode const& node) { return rates(node); });
        state("rocm_support", facts.support,
              [this](JsonNode const& node) { return support(node); });
        state("hipblaslt", facts.hipblaslt,
              [this](JsonNode const& node) { return hipblaslt(node); });
        state("override_gfx_version", facts.gfx_override,
              [this](JsonNode const& node) { return gfx_override(node); });
        if (auto const list = root_.find("expectations")) {
            for (auto const& item : list->items()) facts.expectations.push_back(expectation(item));
        }
        return facts;
    }

  private:
    /// A key that may be left out (inherited) or null (not known).
    template <class T, class Read>
    void state(std::string_view key, Stated<T>& out, Read read) const {
        auto const node = root_.find(key);
        if (!node) return;
        out.emplace(node->is_null() ? std::nullopt : std::optional<T>(read(*node)));
    }

    std::span<std::string_view const> texts(JsonNode const& node) const {
        std::vector<std::string_view> all;
        for (auto const& item : node.items()) all.push_back(item.string());
        return pool_.keep(std::move(all));
    }

    /// {"fp16": "mfma_f32_32x32x8f16"}
    std::span<MatrixKernel const> matrix_kernels(JsonNode const& node) const {
        node.expect_keys({"fp64", "fp16", "bf16", "fp8", "int8"});
        std::vector<MatrixKernel> all;
        for (auto const& [type, instruction] : node.members())
            all.push_back({type, instruction.word(matrix_kernel_words)});
        return pool_.keep(std::move(all));
    }

    /// {"fp16": {"matrix": 2048, "vector": null}}: null is a unit whose rate is not known.
    std::span<Rate const> rates(JsonNode const& node) const {
        std::vector<Rate> all;
        for (auto const& [type, by_unit] : node.members()) {
            if (std::ranges::find(data_types, type) == data_types.end()) {
                by_unit.fail("unknown data type");
            }
            for (auto const& [unit, rate] : by_unit.members()) {
                if (std::ranges::find(units, unit) == units.end()) rate.fail("unknown unit");
                Rate one{.data_type = type, .unit = unit};
                if (!rate.is_null()) {
                    one.per_clock_per_cu = static_cast<std::uint32_t>(rate.integer(1, most_rate));
                }
                all.push_back(one);
            }
        }
        return pool_.keep(std::move(all));
    }

    std::string_view version(JsonNode const& parent, std::string_view key) const {
        auto const text = text_or_empty(parent, key);
        if (!text.empty() && !version_parts(text)) {
            parent.at(key).fail("expected a version such as \"6.2\"");
        }
        return text;
    }

    std::span<SupportRange const> support(JsonNode const& node) const {
        std::vector<SupportRange> all;
        for (auto const& item : node.items()) {
            item.expect_keys({"list", "since", "until", "note"});
            all.push_back({.list = item.at("list").string(),
                           .since = version(item, "since"),
                           .until = version(item, "until"),
                           .note = text_or_empty(item, "note")});
            auto const& range = all.back();
            auto const order = compare_versions(range.since, range.until);
            if (order && *order >= 0) item.fail("the range ends before it begins");
        }
        return pool_.keep(std::move(all));
    }

    HipblasltSupport hipblaslt(JsonNode const& node) const {
        node.expect_keys({"supported", "since", "note"});
        HipblasltSupport out;
        auto const supported = node.at("supported");
        if (!supported.is_null()) out.supported = supported.boolean();
        out.since = version(node, "since");
        out.note = text_or_empty(node, "note");
        return out;
    }

    OverrideAdvice gfx_override(JsonNode const& node) const {
        node.expect_keys({"value", "risk", "note"});
        OverrideAdvice out;
        out.value = text_or_empty(node, "value");
        auto const risk = node.at("risk");
        if (!risk.is_null()) out.risk = risk.word(risks);
        out.note = text_or_empty(node, "note");
        return out;
    }

    ParsedExpectation expectation(JsonNode const& node) const {
        node.expect_keys(
            {"product", "benchmark", "data_type", "gigaflops", "conditions", "source"});
        ParsedExpectation out;
        out.pointer = node.pointer();
        out.source = node.at("source").string();
        out.expectation = {.product = node.at("product").string(),
                           .benchmark = node.at("benchmark").word(benchmarks),
                           .data_type = node.at("data_type").word(data_types),
                           .value = node.at("gigaflops").integer(1, most_gflops),
                           .conditions = text_or_empty(node, "conditions")};
        return out;
    }

    JsonNode const& root_;
    StringPool& pool_;
};

}  // namespace

ParsedFacts parse_chip_facts(JsonNode const& root, StringPool& pool) {
    return Parser(root, pool).read();
}

}  // namespace rocmtune
