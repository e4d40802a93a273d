// SPDX-License-Identifier: MIT
#include "commands/tune_journal.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "bench/code_cache.hpp"
#include "codec/json_text.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_bytes = std::size_t{32} << 20;

std::string text_of(std::span<EnvironmentChange const> changes) {
    std::string text;
    for (auto const& change : changes)
        text += change.name + (change.value ? '=' + *change.value : "") + '\n';
    return text;
}

std::string line_of(std::string const& changes, verify::Run const& run) {
    Json json{{"changes", changes},     {"ok", run.ok},           {"value", run.value},
              {"unit", run.unit},       {"problem", run.problem}, {"wrong", run.wrong},
              {"seconds", run.seconds}, {"mapped", run.mapped}};
    auto const& it = run.conditions;
    if (it.clock_mhz) json["clock"] = *it.clock_mhz;
    if (it.temperature_celsius) json["temperature"] = *it.temperature_celsius;
    if (it.others_load) json["load"] = *it.others_load;
    return json.dump(-1, ' ', true, Json::error_handler_t::replace) + '\n';
}

std::optional<double> number_in(Json const& json, char const* key) {
    auto const found = json.find(key);
    if (found == json.end()) return std::nullopt;
    return found->get<double>();
}

verify::Run run_of(Json const& json) {
    return {.ok = json.at("ok"),
            .wrong = json.at("wrong"),
            .value = json.at("value"),
            .unit = json.at("unit"),
            .problem = json.at("problem"),
            .seconds = json.at("seconds"),
            .conditions = {.clock_mhz = number_in(json, "clock"),
                           .temperature_celsius = number_in(json, "temperature"),
                           .others_load = number_in(json, "load")},
            .mapped = json.at("mapped")};
}

}  // namespace

TuneJournal::TuneJournal(std::string const& subject, bool resume, std::uint64_t seed)
    : name_(sha256(subject).substr(0, 16) + ".jsonl"),
      directory_(PrivateDirectory::make(bench::cache_directory() + "/tune")),
      seed_(seed) {
    if (resume && directory_) read(directory_.read(name_, most_bytes));
}

std::string TuneJournal::head() const {
    Json json{{"seed", seed_}};
    if (limits_) {
        json["limits"] = Json::array();
        for (auto const kind : *limits_) json["limits"].push_back(word_of(kind));
    }
    return json.dump() + '\n';
}

void TuneJournal::read_head(std::string_view line) {
    auto const json = parse_bounded<Json>(line);
    seed_ = json.at("seed");
    if (!json.contains("limits")) return;
    limits_.emplace();
    for (auto const& word : json.at("limits")) {
        auto const place = std::ranges::find(limit_kind_words, word.get<std::string>());
        if (place != limit_kind_words.end())
            limits_->push_back(static_cast<LimitKind>(place - limit_kind_words.begin()));
    }
}

/// A line that was cut ends what is known.
void TuneJournal::read(std::string const& text) try {
    bool is_first = true;
    for (auto const line : lines(text)) {
        if (std::exchange(is_first, false)) {
            read_head(line);
            continue;
        }
        auto const json = parse_bounded<Json>(line);
        if (json.is_discarded()) return;
        runs_.emplace_back(json.at("changes"), run_of(json));
        text_ += fmt::format("{}\n", line);
    }
} catch (Json::exception const&) {
}

verify::Runner TuneJournal::over(verify::Runner runner) {
    return
        [this, runner = std::move(runner)](std::span<EnvironmentChange const> changes, bool watch) {
            auto const asked = text_of(changes);
            if (next_ < runs_.size() && runs_[next_].first == asked) return runs_[next_++].second;
            if (next_ < runs_.size()) runs_.resize(next_);  // from here on it is another search
            auto run = runner(changes, watch);
            if (!run.interrupted) keep(asked, run);
            return run;
        };
}

void TuneJournal::keep(std::string const& changes, verify::Run const& run) {
    runs_.emplace_back(changes, run);
    next_ = runs_.size();
    text_ += line_of(changes, run);
    if (directory_ && text_.size() < most_bytes) directory_.write(name_, head() + text_);
}

void TuneJournal::end() const {
    if (directory_) directory_.remove(name_);
}

}  // namespace rocmtune
