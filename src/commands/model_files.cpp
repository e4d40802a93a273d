// SPDX-License-Identifier: MIT
#include "commands/model_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "codec/json_node.hpp"
#include "judge/plan/weights_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 2000;

bool is_file(std::string const& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

ModelShape config_shape(std::string const& path, PlanData const& data, FilePatience patience) {
    try {
        return read_model_config(path, user_file(path, max_data_file_bytes, patience), data);
    } catch (ProfileError const& error) {
        throw Error(error.what(),
                    "--model takes the config.json of a model (Hugging Face Transformers), a GGUF "
                    "file or a folder of safetensors");
    }
}

// ---- GGUF ---------------------------------------------------------------------------------------

/// What `read` makes of the header, of which more is read if it is long.
template <class Read>
auto of_gguf(std::string const& path, FilePatience patience, Read read) {
    constexpr std::uint64_t usual = std::uint64_t{16} << 20;
    for (auto const most : {usual, most_header_bytes}) {
        auto const head = user_file_head(path, most, patience);
        if (auto result = read(head)) return *result;
    }
    throw Error(fmt::format("{}: its header is longer than {}", printable(path),
                            human_bytes(most_header_bytes)),
                "no known model has such a header: fetch the file again");
}

/// "x-00001-of-00003.gguf" stands for its three files; another name for itself.
std::vector<std::string> gguf_parts(std::string const& path) {
    constexpr std::string_view ending = ".gguf";
    constexpr std::size_t digits = 5;  // llama.cpp: llama_split_path
    std::string_view const stem(path.data(), path.size() - ending.size());
    auto const of = stem.rfind("-of-");
    if (of == stem.npos || of < digits || stem.size() != of + 4 + digits) return {path};
    auto const count = to_unsigned(stem.substr(of + 4), 10);
    if (!count || *count == 0 || *count > most_files) return {path};
    std::vector<std::string> parts;
    for (std::uint64_t i = 1; i <= *count; ++i)
        parts.push_back(
            fmt::format("{}{:05}{}{}", stem.substr(0, of - digits), i, stem.substr(of), ending));
    return parts;
}

/// The first part has the values; each has tensors of its own.
ModelShape gguf_model(std::string const& path, PlanData const& data, FilePatience patience) {
    auto const parts = gguf_parts(path);
    auto shape = of_gguf(parts.front(), patience, [&](UserFileHead const& head) {
        return read_gguf(parts.front(), head.text, head.file_bytes, data);
    });
    shape.name = path;
    for (std::size_t i = 1; i < parts.size(); ++i)
        add_stored(of_gguf(parts[i], patience,
                           [&](UserFileHead const& head) {
                               return read_gguf_part(parts[i], head.text, head.file_bytes);
                           }),
                   shape);
    return shape;
}

// ---- safetensors --------------------------------------------------------------------------------

StoredTensors safetensors_file(std::string const& path, FilePatience patience) {
    constexpr std::uint64_t length = 8;
    auto const first = user_file_head(path, length, patience);
    auto const size = safetensors_header_bytes(path, first.text, first.file_bytes);
    auto const head = user_file_head(path, length + size, patience);
    return read_safetensors(path, std::string_view(head.text).substr(length),
                            head.file_bytes - length - size);
}

/// The files that model.safetensors.index.json lists.
std::set<std::string> listed_files(std::string const& index, FilePatience patience) {
    std::set<std::string> names;
    auto const text = user_file(index, most_header_bytes, patience);
    try {
        auto const document = parse_data_file(index, text, most_header_bytes);
        for (auto const& [tensor, file] : JsonNode(*document).at("weight_map").members())
            if (names.emplace(file.string()).second &&
                (names.size() > most_files || file.string().find('/') != std::string::npos))
                file.fail("no name of a file beside this one, or too many");
    } catch (ProfileError const& error) {
        throw Error(error.what(), "the list of its files is damaged: fetch it again");
    }
    return names;
}

std::set<std::string> files_ending(std::string const& folder, std::string_view ending) {
    std::set<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        auto const name = it->path().filename().string();
        if (name.ends_with(ending) && names.size() < most_files) names.insert(name);
    }
    return names;
}

/// A repository can have its weights twice: in parts, and as consolidated.safetensors.
std::set<std::string> files_of_weights(std::string const& folder, FilePatience patience) {
    auto const index = folder + "/model.safetensors.index.json";
    if (is_file(index)) return listed_files(index, patience);
    auto names = files_ending(folder, ".safetensors");
    if (names.contains("model.safetensors")) return {"model.safetensors"};
    if (names.size() > 1) names.erase("consolidated.safetensors");
    return names;
}

void take_weights(std::string const& folder, std::set<std::string> const& names,
                  FilePatience patience, ModelShape& shape) {
    StoredTensors sum;
    std::size_t missing = 0;
    for (auto const& name : names) {
        auto const path = folder + '/' + name;
        if (!is_file(path)) {
            ++missing;
            continue;
        }
        auto const one = safetensors_file(path, patience);
        sum.parameters += one.parameters;
        sum.in_experts += one.in_experts;
        sum.bytes += one.bytes;
        sum.is_packed |= one.is_packed;
    }
    if (missing == 0) return take_stored(sum, shape);
    shape.notes.push_back(
        fmt::format("of {} files of weights {} are not there: parameters are "
                    "those of config.json",
                    names.size(), missing));
}

ModelShape folder_shape(std::string const& folder, PlanData const& data, FilePatience patience) {
    auto const config = folder + "/config.json";
    if (!is_file(config)) {
        auto const models = files_ending(folder, ".gguf");
        if (models.size() == 1) return gguf_model(folder + '/' + *models.begin(), data, patience);
        if (!models.empty() && gguf_parts(*models.begin()).size() == models.size())
            return gguf_model(folder + '/' + *models.begin(), data, patience);
        if (models.empty())
            throw Error(
                fmt::format("{}: there is no config.json and no GGUF file", printable(folder)),
                "name the folder of a model, or a file");
        throw Error(fmt::format("{}: there are {} GGUF files", printable(folder), models.size()),
                    fmt::format("name one: {}", printable(folder + '/' + *models.begin())));
    }
    auto shape = config_shape(config, data, patience);
    shape.name = folder;
    if (auto const names = files_of_weights(folder, patience); !names.empty())
        take_weights(folder, names, patience, shape);
    return shape;
}

// ---- the cache of Hugging Face ------------------------------------------------------------------

bool is_part_of_id(std::string_view text) {
    return !text.empty() && text.size() <= 96 && text.front() != '.' &&
           std::ranges::all_of(text, [](char c) {
               return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                      c == '_' || c == '.';
           });
}

/// "ORGANISATION/NAME"
bool is_model_id(std::string_view name) {
    auto const slash = name.find('/');
    return slash != name.npos && is_part_of_id(name.substr(0, slash)) &&
           is_part_of_id(name.substr(slash + 1));
}

std::string variable(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// huggingface_hub/constants.py: HF_HUB_CACHE, else HF_HOME/hub, else ~/.cache/huggingface/hub.
std::string cache_folder() {
    if (auto const cache = variable("HF_HUB_CACHE"); !cache.empty()) return cache;
    if (auto const home = variable("HF_HOME"); !home.empty()) return home + "/hub";
    if (auto const cache = variable("XDG_CACHE_HOME"); !cache.empty())
        return cache + "/huggingface/hub";
    return variable("HOME") + "/.cache/huggingface/hub";
}

bool is_revision(std::string_view text) {
    return !text.empty() && text.size() <= 64 && is_lower_hexadecimal(text);
}

ModelShape cached_model(std::string const& id, PlanData const& data, FilePatience patience) {
    auto const cache = cache_folder();
    auto folder = id;
    folder.replace(folder.find('/'), 1, "--");
    folder = fmt::format("{}/models--{}", cache, folder);
    auto const reference = folder + "/refs/main";
    if (!is_file(reference))
        throw Error(fmt::format("there is no file '{}', and no such model in {}", printable(id),
                                printable(cache)),
                    fmt::format("hf download {} --include config.json   # fetches its shape", id));
    auto const revision = std::string(trim(user_file(reference, 256, patience)));
    if (!is_revision(revision))
        throw Error(fmt::format("{}: expected the name of a revision", printable(reference)),
                    fmt::format("hf download {}   # writes it again", id));
    auto shape = folder_shape(folder + "/snapshots/" + revision, data, patience);
    shape.name = id;
    return shape;
}

}  // namespace

ModelShape model_shape(std::string const& name, PlanData const& data, FilePatience patience) {
    std::error_code error;
    auto const kind = fs::status(name, error).type();
    if (kind == fs::file_type::directory) return folder_shape(name, data, patience);
    if (kind == fs::file_type::not_found && is_model_id(name))
        return cached_model(name, data, patience);
    if (kind != fs::file_type::regular) return config_shape(name, data, patience);
    if (is_gguf(user_file_head(name, 4, patience).text)) return gguf_model(name, data, patience);
    if (name.ends_with(".gguf")) wrong_weights(name, "it does not begin as a GGUF file does");
    if (!name.ends_with(".safetensors")) return config_shape(name, data, patience);
    auto const folder = fs::path(name).parent_path().string();
    auto const config = folder.empty() ? "config.json" : folder + "/config.json";
    if (!is_file(config))
        throw Error(fmt::format("{}: there is no config.json beside it", printable(name)),
                    "the layers and heads of a model stand there: fetch it, too");
    auto shape = config_shape(config, data, patience);
    shape.name = name;
    take_stored(safetensors_file(name, patience), shape);
    return shape;
}

}  // namespace rocmtune
