// SPDX-License-Identifier: MIT
// rocmtune plan from the outside: models, hosts, formats, exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>

#include "base/text.hpp"
#include "plan/gguf_writer.hpp"
#include "show/layout.hpp"
#include "support/reports.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

json config(std::string const& name) {
    return json::parse(content_of(std::string(ROCMTUNE_SOURCE_DIR) + "/tests/plan/models/" + name +
                                  ".json"))
        .at("config");
}

/// A directory with the config.json of a model.
class Model {
  public:
    explicit Model(json const& document) { write_file(path(), document.dump()); }
    std::string path() const { return place_ / "config.json"; }

  private:
    Directory place_;
};

Words plan(Words const& more, std::string const& host = "mi300x-x8") {
    Words words{"plan", "--replay", host_file(host)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(Plan, says_in_text_what_fits) {
    Model const model(config("llama-3-70b"));
    auto const result = run(plan({"--model", model.path(), "--inference", "--sequence", "8192"}));
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("70.55 billion parameters"), HasSubstr("it fits: "),
                                  HasSubstr("q4_k_m"), HasSubstr("MI300X"), HasSubstr("cache")));
    EXPECT_THAT(result.out, Not(HasSubstr("about")));
}

TEST(Plan, counts_in_its_document_and_says_what_each_part_rests_on) {
    Model const model(config("deepseek-v3"));
    auto const document =
        json::parse(run(plan({"--model", model.path(), "--inference", "--json"})).out);
    auto const& it = document.at("plan");
    EXPECT_EQ(it.at("model").at("parameters"), 671026419200);
    EXPECT_EQ(it.at("model").at("counted"), true);
    EXPECT_EQ(it.at("request").at("dtype"), "fp8");
    std::uint64_t sum = 0;
    for (auto const& part : it.at("parts")) {
        sum += part.at("bytes").get<std::uint64_t>();
        for (auto const& id : part.at("sources"))
            EXPECT_TRUE(it.at("sources").contains(id.get<std::string>()));
    }
    EXPECT_NEAR(static_cast<double>(sum), it.at("needed_bytes").get<double>(), 8);
    EXPECT_EQ(it.at("gpus").size(), 8U);
    EXPECT_TRUE(document.contains("host"));
}

struct Row {
    char const* name;
    Words words;
    char const* host;
    int code;
    char const* says;  ///< in the text, or on standard error
};

void PrintTo(Row const& row, std::ostream* out) {
    *out << row.name;
}

Row const rows[] = {
    {"fits", {"--params", "8B", "--inference"}, "rx7900xt-x2", 0, "it fits"},
    {"does_not_fit", {"--params", "70B"}, "rx7900xt-x2", 1, "it does not fit"},
    {"never_fails", {"--params", "70B", "--fail-on", "never"}, "rx7900xt-x2", 0, "it does not fit"},
    {"fits_if_the_estimate_is_right", {"--params", "8B"}, "mi210-x8", 0, "RT7203"},
    {"which_may_count", {"--params", "8B", "--fail-on", "warn"}, "mi210-x8", 1, "RT7203"},
    {"no_gpu", {"--params", "8B"}, "no-gpu", 0, "this host has no AMD GPU"},
    {"partitions",
     {"--params", "8B", "--inference"},
     "mi300x-cpx",
     3,
     "counted for the whole card"},
    {"more_than_a_partition_has",
     {"--params", "900B", "--inference"},
     "mi300x-cpx",
     1,
     "no chosen GPU has that much"},
    {"an_apu", {"--params", "8B", "--inference"}, "strix-halo", 0, "shared"},
    {"a_card_beside_an_apu",
     {"--params", "8B", "--inference", "--dtype", "q4_k_m"},
     "igpu-and-dgpu",
     0,
     "left out: 0000:15:00.0"},
    {"one_gpu", {"--params", "8B", "--inference", "--gpu", "1"}, "mi300x-x8", 0, "on one GPU"},
    {"adapters",
     {"--params", "8B", "--lora", "16", "--base-dtype", "nf4", "--checkpointing", "full", "--loss",
      "chunked"},
     "rx7900xt",
     0,
     "LoRA rank 16 on nf4"},
    {"more_gpus",
     {"--params", "8B", "--gpus", "64", "--checkpointing", "full"},
     "rx7900xt-x2",
     0,
     "of 64 GPUs planned for there are 2 here"},
    {"matrices_over_gpus",
     {"--params", "70B", "--tensor-parallel", "8", "--sequence-parallel", "--checkpointing",
      "full"},
     "mi300x-x8",  // one of its GPUs is in use
     1,
     "matrices over 8 GPUs"},
    {"stages",
     {"--params", "70B", "--tensor-parallel", "4", "--pipeline-parallel", "2", "--gpus", "64"},
     "mi300x-x8",
     1,
     "pipeline of 2 stages"},
    {"uneven_heads",
     {"--params", "70B", "--tensor-parallel", "3"},
     "mi300x-x8",
     2,
     "choose one of 2, 4, 8, 16, 32, 64"},
    {"no_whole_replica",
     {"--params", "70B", "--tensor-parallel", "8", "--gpus", "12"},
     "mi300x-x8",
     2,
     "for example --gpus 16"},
    {"no_stage",
     {"--params", "8B", "--pipeline-parallel", "0"},
     "no-gpu",
     2,
     "needs a number of at least 1"},
    {"no_model", {}, "no-gpu", 2, "plan needs a model"},
    {"two_models", {"--params", "8B", "--model", "x"}, "no-gpu", 2, "exclude each other"},
    {"no_number", {"--params", "eight"}, "no-gpu", 2, "for example --params 70B"},
    {"no_parameters", {"--params", "0"}, "no-gpu", 2, "--params needs a number"},
    {"not_a_number", {"--params", "nan"}, "no-gpu", 2, "--params needs a number"},
    {"no_file", {"--model", "/nowhere/config.json"}, "no-gpu", 2, "cannot read /nowhere"},
    {"a_directory", {"--model", "/"}, "no-gpu", 2, "there is no config.json and no GGUF file"},
    {"no_regular_file", {"--model", "/dev/zero"}, "no-gpu", 2, "it is no regular file"},
    {"half_a_batch", {"--params", "8B", "--batch", "0.5"}, "no-gpu", 2, "--batch needs a number"},
    {"a_fraction",
     {"--params", "8B", "--batch", "1.5"},
     "no-gpu",
     2,
     "--batch needs a whole number"},
    {"too_long", {"--params", "8B", "--sequence", "1e12"}, "no-gpu", 2, "--sequence needs"},
    {"unknown_format",
     {"--params", "8B", "--inference", "--dtype", "q4_k"},
     "no-gpu",
     2,
     "did you mean 'q4_k_m'?"},
    {"unknown_shard", {"--params", "8B", "--shard", "zero4"}, "no-gpu", 2, "--shard cannot be"},
    {"no_such_gpu", {"--params", "8B", "--gpu", "9"}, "mi300x-x8", 2, "there is no GPU '9'"},
    {"memory_and_host",
     {"--params", "8B", "--memory", "24GiB"},
     "no-gpu",
     2,
     "--memory and --replay exclude each other"},
};

class PlanCommand : public testing::TestWithParam<Row> {};

TEST_P(PlanCommand, has_the_exit_code_and_says_why) {
    auto const& row = GetParam();
    auto const result = run(plan(row.words, row.host));
    EXPECT_EQ(result.code, row.code) << result.out << result.err;
    EXPECT_THAT(row.code == 2 ? result.err : result.out, HasSubstr(row.says));
    EXPECT_EQ(result.err.empty(), row.code != 2) << result.err;
    auto words = plan(row.words, row.host);
    words.emplace_back("--json");
    auto const document = json::parse(run(words).out);
    EXPECT_EQ(document.at("exit_code"), row.code);
    EXPECT_EQ(document.contains("plan"), row.code != 2);
}

INSTANTIATE_TEST_SUITE_P(Rows, PlanCommand, testing::ValuesIn(rows),
                         [](auto const& row) { return std::string(row.param.name); });

TEST(Plan, of_given_memory_reads_no_host) {
    auto const result = run({"plan", "--params", "405B", "--inference", "--dtype", "fp8",
                             "--memory", "192GiB", "--gpus", "8", "--json"});
    EXPECT_EQ(result.code, 0) << result.err;
    auto const document = json::parse(result.out);
    EXPECT_FALSE(document.contains("host"));
    EXPECT_EQ(document.at("plan").at("gpus")[0].at("total_bytes"), 192 * (std::uint64_t{1} << 30));
    for (auto const& [text, bytes] : {std::pair("80GB", 80e9), std::pair("24G", 0x1p30 * 24),
                                      std::pair("1.5TiB", 0x1p40 * 1.5)}) {
        auto const other = json::parse(
            run({"plan", "--params", "1B", "--memory", text, "--fail-on", "never", "--json"}).out);
        EXPECT_EQ(other.at("plan").at("gpus")[0].at("total_bytes"), bytes) << text;
    }
    for (auto const* text : {"24", "0", "GiB", "-1GiB", "many"})
        EXPECT_EQ(run({"plan", "--params", "1B", "--memory", text}).code, 2) << text;
}

/// The command that a failure prints does what it promises.
TEST(Plan, names_a_command_that_fits) {
    for (auto const* host : {"rx7900xt-x2", "mi210-x8"})
        for (auto const* size : {"8B", "70B"})
            for (bool const inference : {false, true}) {
                Words words = plan({"--params", size, "--json"}, host);
                if (inference) words.emplace_back("--inference");
                else words.insert(words.end(), {"--shard", "ddp"});
                auto const document = json::parse(run(words).out);
                if (document.at("plan").at("fits") != false) continue;
                auto const step = document.at("plan").at("next_step").get<std::string>();
                ASSERT_THAT(step, testing::StartsWith("rocmtune plan "));
                std::istringstream line(step.substr(9, step.find("   #") - 9));
                Words next;
                for (std::string word; line >> word;) next.push_back(word);
                EXPECT_THAT(next, testing::IsSupersetOf({std::string("--replay"), host_file(host)}))
                    << "it plans for another host";
                EXPECT_EQ(run(next).code, 0) << host << ": " << step;
            }
}

/// Nothing of what chose host and GPUs is lost, whatever a shell would make of it.
TEST(Plan, keeps_the_chosen_gpus_in_the_command_that_it_names) {
    Directory const place;
    auto const recording = place / "it's $HOME.host";
    write_file(recording, content_of(host_file("mi210-x8")));
    auto const step = [](Words words) {
        words.insert(words.begin(), {"plan", "--params", "8B", "--shard", "ddp", "--json"});
        return json::parse(run(words).out).at("plan").at("next_step").get<std::string>();
    };
    auto const quoted = posix_quoted(recording);
    for (auto const& [words, kept] : std::vector<std::pair<Words, std::string>>{
             {{"--replay", recording, "--gpu", "0"}, " --replay " + quoted + " --gpu 0 "},
             {{"--replay", recording, "--gpu", "0", "--gpu", "hip:1"}, " --gpu 0 --gpu hip:1 "},
             {{"--memory", "24G"}, " --memory 24G "}}) {
        auto const text = step(words);
        EXPECT_THAT(text, HasSubstr(kept));
        Launch launch;
        launch.words = {"/bin/sh", "-c", std::string(ROCMTUNE_BINARY) + text.substr(8)};
        auto const result = run(launch);
        EXPECT_EQ(result.code, 0) << text << result.err;
    }
}

TEST(Plan, fits_its_columns_whatever_the_file_says) {
    for (auto const& [name, text] : hostile_texts()) {
        auto const valid = json(text).dump(-1, ' ', true, json::error_handler_t::replace);
        auto document = config("mixtral-8x7b");
        document["model_type"] = json::parse(valid);
        Model const model(document);
        for (auto const* format : {"text", "markdown", "json", "ndjson"})
            for (auto const* columns : {"80", "100"}) {
                auto launch = rocmtune_with(
                    plan({"--model", model.path(), "--inference", "-v", "--format", format}));
                launch.environment["COLUMNS"] = columns;
                auto const result = run(launch);
                // Control characters are refused with their place.
                if (result.code == 2) continue;
                EXPECT_EQ(result.code, 0) << result.err;
                for (auto const c : result.out)
                    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << format;
                if (std::string(format).ends_with("json")) {
                    EXPECT_TRUE(json::accept(result.out)) << name;
                } else if (std::string(format) == "text") {
                    std::istringstream lines(result.out);
                    for (std::string line; std::getline(lines, line);)
                        EXPECT_LE(display_width(line), std::stoul(columns)) << line;
                } else {
                    EXPECT_THAT(result.out, Not(HasSubstr("<script")));
                }
            }
    }
}

/// -v says what the document says of the need: each number of bytes, formula and source.
TEST(Plan, verbose_carries_the_facts_of_the_document) {
    Model const model(config("mixtral-8x7b"));
    for (auto const* mode : {"--inference", "--attention=flash"}) {
        auto const words = plan({"--model", model.path(), mode});
        auto launch = rocmtune_with(words);
        launch.words.emplace_back("-v");
        launch.environment["COLUMNS"] = "1000";
        auto const text = run(launch).out;
        launch.words.back() = "--json";
        auto const document = json::parse(run(launch).out);
        auto const& it = document.at("plan");
        for (auto const& part : it.at("parts"))
            EXPECT_THAT(text, HasSubstr(part.at("bytes").dump() +
                                        " bytes: " + part.at("formula").get<std::string>()));
        for (auto const& source : it.at("sources"))
            EXPECT_THAT(text, HasSubstr(source.at("url").get<std::string>()));
        for (auto const& note : it.at("notes"))
            EXPECT_THAT(text, HasSubstr(note.get<std::string>()));
        for (auto const* key : {"layers", "hidden", "vocabulary", "parameters",
                                "embedding_parameters", "cache_elements_per_token"})
            EXPECT_THAT(text, HasSubstr(it.at("model").at(key).dump())) << key;
    }
}

TEST(Plan, takes_its_data_from_profiles) {
    Directory const place;
    auto data = json::parse(content_of(std::string(ROCMTUNE_SOURCE_DIR) + "/profiles/plan.json"));
    data["families"][0]["model_types"] = {"house-model"};
    data["constants"]["training_runtime_bytes"]["value"] = 7;
    write_file(place / "plan.json", data.dump());
    auto document = config("llama-3-8b");
    document["model_type"] = "house-model";
    Model const model(document);
    Words words = plan({"--model", model.path(), "--json", "--fail-on", "never"});
    EXPECT_EQ(json::parse(run(words).out).at("plan").at("model").at("counted"), false);
    words.insert(words.end(), {"--profiles", place.path()});
    auto const it = json::parse(run(words).out).at("plan");
    EXPECT_EQ(it.at("model").at("counted"), true);
    EXPECT_EQ(it.at("parts").back().at("bytes"), 7);
    data["optimizers"][0]["states"] = "two";
    write_file(place / "plan.json", data.dump());
    auto const wrong = run(words);
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("plan.json: /optimizers/0/states: expected a number"));
}

TEST(Plan, refuses_a_file_that_is_too_large) {
    Directory const place;
    write_file(place / "config.json", "{" + std::string(2 << 20, ' ') + "}");
    auto const result = run(plan({"--model", place / "config.json"}));
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("it is longer than 1 MiB"));
}

std::string gguf_bytes(char const* model) {
    return gguf_of(config(model), q4_k).text() + std::string(64, '\0');
}

/// The sizes are those of the whole model: the file ends as it would, in a hole.
std::string write_gguf(Directory const& place, char const* name, char const* model) {
    auto const path = place / name;
    write_file(path, gguf_bytes(model));
    std::filesystem::resize_file(path, std::uint64_t{1} << 38);
    return path;
}

TEST(PlanFiles, of_gguf_are_read_by_their_header) {
    Directory const place;
    auto const file = write_gguf(place, "llama.gguf", "llama-3-8b");
    auto const result = run(plan({"--model", file, "--inference", "--json", "--gpu", "0"}));
    EXPECT_EQ(result.code, 0) << result.err;
    auto const it = json::parse(result.out).at("plan");
    EXPECT_EQ(it.at("model").at("parameters"), 8030261248);
    EXPECT_EQ(it.at("request").at("dtype"), "q4_k_m");
    EXPECT_EQ(it.at("parts")[0].at("bytes"), it.at("model").at("stored_bytes"));
    write_file(place / "cut.gguf", gguf_bytes("llama-3-8b").substr(0, 500));
    auto const cut = run(plan({"--model", place / "cut.gguf"}));
    EXPECT_EQ(cut.code, 2);
    EXPECT_THAT(cut.err, HasSubstr("cut off"));
    write_file(place / "empty.gguf", "");
    EXPECT_THAT(run(plan({"--model", place / "empty.gguf"})).err,
                HasSubstr("it does not begin as a GGUF file does"));
}

TEST(PlanFiles, of_safetensors_need_the_config_beside_them) {
    Directory const place;
    write_file(place / "model.safetensors", bytes(std::uint64_t{2}) + "{}");
    auto const result = run(plan({"--model", place / "model.safetensors"}));
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("there is no config.json beside it"));
}

TEST(PlanFiles, of_a_folder_count_its_safetensors) {
    Directory const place;
    write_file(place / "config.json", config("llama-3.2-1b").dump());
    json const header = {
        {"w", {{"dtype", "BF16"}, {"shape", {10, 10}}, {"data_offsets", {0, 200}}}}};
    auto const text = header.dump();
    write_file(place / "model.safetensors",
               bytes(std::uint64_t{text.size()}) + text + std::string(200, '\0'));
    auto const document =
        json::parse(run(plan({"--model", place.path(), "--inference", "--json"})).out);
    EXPECT_EQ(document.at("plan").at("model").at("parameters"), 100);
    EXPECT_EQ(document.at("plan").at("model").at("stored_bytes"), 200);
    write_file(place / "model.safetensors", bytes(std::uint64_t{1} << 50) + text);
    EXPECT_EQ(run(plan({"--model", place.path()})).code, 2);
}

TEST(PlanFiles, of_the_cache_of_hugging_face_are_found_by_id) {
    Directory const place;
    auto const model = place / "models--meta--llama";
    std::filesystem::create_directories(model + "/refs");
    std::filesystem::create_directories(model + "/snapshots/0123abcd");
    write_file(model + "/refs/main", "0123abcd");
    write_file(model + "/snapshots/0123abcd/config.json", config("llama-3-8b").dump());
    Launch launch;
    launch.words = plan({"--model", "meta/llama", "--inference", "--json"});
    launch.words.insert(launch.words.begin(), ROCMTUNE_BINARY);
    launch.environment["HF_HUB_CACHE"] = place.path();
    auto const found = run(launch);
    EXPECT_EQ(found.code, 0) << found.err;
    EXPECT_EQ(json::parse(found.out).at("plan").at("model").at("parameters"), 8030261248);
    write_file(model + "/refs/main", "../../etc");
    EXPECT_EQ(run(launch).code, 2);
    launch.words = {ROCMTUNE_BINARY, "plan", "--model", "meta/other"};
    auto const missing = run(launch);
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, HasSubstr("hf download meta/other"));
}

TEST(PlanFiles, several_are_judged_together) {
    Model const one(config("llama-3-8b")), other(config("qwen2.5-7b"));
    Words const words{"plan",    "--model", one.path(), "--model", other.path(), "--inference",
                      "--dtype", "q8_0",    "--memory", "12GiB",   "--json"};
    auto const result = run(words);
    EXPECT_EQ(result.code, 1) << result.err;
    auto const document = json::parse(result.out);
    EXPECT_EQ(document.at("plans").size(), 2U);
    EXPECT_FALSE(document.contains("plan"));
    EXPECT_EQ(document.at("findings").at(0).at("id"), "RT7201");
}

}  // namespace
}  // namespace rocmtune::test
