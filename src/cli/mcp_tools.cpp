// SPDX-License-Identifier: MIT
#include "cli/mcp_tools.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "cli/options.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// The liveness check lets each GPU copy and compute: that is for people to start.
constexpr std::array tools{
    Tool{"probe", "--root --replay --sources --gpu --visible --verbose --format", ""},
    Tool{"check", "--root --replay --only --skip --expect-gpus --gpu --fail-on --verbose --format",
         "--skip=liveness"},
    Tool{"lint", "--root --replay --kind --for --min-level --verbose --format", "",
         ToolInput::text},
    Tool{"explain", "--root --replay --level --workload --framework --gpu --verbose --format", "",
         ToolInput::name},
    Tool{"diagnose", "--root --replay --gpu --verbose --format", "", ToolInput::text},
    Tool{"env", "--root --replay --level --workload --framework --gpu --unset --format", ""},
    Tool{"plan",
         "--root --replay --params --model --inference --dtype --cache-dtype --optimizer --shard "
         "--tensor-parallel --pipeline-parallel --sequence-parallel --checkpointing --lora "
         "--base-dtype --batch --sequence --gpus --memory --verbose "
         "--format",
         ""},
    Tool{"builds", "--root --replay --gpu --python --with --targets --verbose --format", "",
         ToolInput::framework},
};

/// Of longer words none is a path, a name or a number.
constexpr std::size_t most_word_bytes = 4096;

/// The options of a tool, in the order of the manual.
std::vector<Option const*> offered_by(Tool const& tool) {
    auto const named = words(tool.options);
    std::vector<Option const*> result;
    for (auto const* option : options_of(tool.name))
        if (std::ranges::find(named, option->name) != named.end()) result.push_back(option);
    return result;
}

/// "--min-level" is "min_level": programs write such keys as names.
std::string key_of(Option const& option) {
    std::string key(option.name.substr(2));
    std::ranges::replace(key, '-', '_');
    return key;
}

/// A table, a page or lines for another program are no answer to an agent.
constexpr std::array<std::string_view, 2> report_formats{"text", "json"};

ordered_json choices_for(Tool const& tool, Option const& option) {
    if (option.name == "--format" && tool.name != "env") return report_formats;
    return choices_of(option.metavar);
}

ordered_json schema_of(Tool const& tool, Option const& option) {
    if (option.value == Value::none) return {{"type", "boolean"}, {"description", option.help}};
    ordered_json value{{"type", option.value == Value::number ? "number" : "string"}};
    if (option.value == Value::word) value["enum"] = choices_for(tool, option);
    if (option.repeatable) value = {{"type", "array"}, {"items", value}};
    value["description"] = option.value == Value::word
                               ? std::string(option.help)
                               : fmt::format("{}: {}", option.metavar, option.help);
    return value;
}

ordered_json words_schema(std::string_view description) {
    return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", description}};
}

void add_input(Tool const& tool, ordered_json& schema) {
    auto const& positional = find_command(tool.name)->positional;
    auto& properties = schema["properties"];
    switch (tool.input) {
        case ToolInput::none: break;
        case ToolInput::text:
            properties["text"] = {
                {"type", "string"},
                {"description", tool.name == "lint"
                                    ? "a script or another file that sets variables; without it "
                                      "the environment of this server is judged"
                                    : "what a program or the kernel printed; without it the kernel "
                                      "log and the checks of this host are judged"}};
            break;
        case ToolInput::name:
            properties["name"] = {{"type", "string"}, {"description", positional.help}};
            schema["required"] = {"name"};
            break;
        case ToolInput::framework:
            properties["frameworks"] = words_schema("of " + positional.choices + "; none: all");
            properties["targets"] = words_schema("gfx targets in place of this host");
            break;
    }
}

// ---- a call -------------------------------------------------------------------------------------

std::string const& word_in(std::string_view key, json const& value) {
    if (!value.is_string()) throw Error(fmt::format("'{}' is to be a string", key));
    auto const& word = value.get_ref<std::string const&>();
    if (word.size() > most_word_bytes || word.find('\0') != word.npos)
        throw Error(fmt::format("'{}' is no word: it has a zero byte or more than {} bytes", key,
                                most_word_bytes));
    return word;
}

/// A word that stands alone on a command line.
std::string plain_word(std::string_view key, json const& value) {
    auto const& word = word_in(key, value);
    if (word.empty() || word.front() == '-')
        throw Error(fmt::format("'{}' is empty or begins with a dash", key));
    return word;
}

bool lies_below(std::filesystem::path const& file, std::filesystem::path const& folder) {
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

/// Links are followed before it is looked where a file lies, and the command gets what they lead
/// to.
std::string allowed_file(std::string const& file, std::span<std::string const> allowed) {
    std::error_code error;
    auto const real = std::filesystem::canonical(file, error);
    auto const permits = [&](auto const& folder) { return lies_below(real, folder); };
    if (!error && std::ranges::any_of(allowed, permits)) return real;
    auto const folders = printable(fmt::format("{}", fmt::join(allowed, ", ")));
    throw Error(fmt::format("'{}' is not below a folder that this server was allowed to read",
                            printable(file)),
                allowed.empty() ? "start it with rocmtune mcp --allow DIR" : "allowed: " + folders);
}

std::string value_of(Option const& option, json const& value,
                     std::span<std::string const> allowed) {
    auto const key = key_of(option);
    if (option.value == Value::number) {
        if (!value.is_number()) throw Error(fmt::format("'{}' is to be a number", key));
        return value.dump();
    }
    auto const& word = word_in(key, value);
    bool const is_file = option.value == Value::file || option.value == Value::directory;
    bool const is_example = option.name == "--replay" && word.starts_with("example:");
    return is_file && !is_example ? allowed_file(word, allowed) : word;
}

void add_option(Option const& option, json const& value, std::span<std::string const> allowed,
                std::vector<std::string>& words) {
    auto const key = key_of(option);
    if (option.value == Value::none) {
        if (!value.is_boolean()) throw Error(fmt::format("'{}' is to be true or false", key));
        if (value.get<bool>()) words.emplace_back(option.name);
        return;
    }
    if (!option.repeatable)
        return words.push_back(fmt::format("{}={}", option.name, value_of(option, value, allowed)));
    if (!value.is_array()) throw Error(fmt::format("'{}' is to be a list", key));
    for (auto const& one : value)
        words.push_back(fmt::format("{}={}", option.name, value_of(option, one, allowed)));
}

/// False if this is none of the keys beside the options.
bool add_input(Tool const& tool, std::string const& key, json const& value, ToolCall& call) {
    if (tool.input == ToolInput::text && key == "text") {
        if (!value.is_string()) throw Error("'text' is to be a string");
        call.input = value.get<std::string>();
        call.words.emplace_back("-");
        return true;
    }
    if (tool.input == ToolInput::name && key == "name") {
        call.words.push_back(plain_word(key, value));
        return true;
    }
    if (tool.input != ToolInput::framework || (key != "frameworks" && key != "targets"))
        return false;
    if (!value.is_array()) throw Error(fmt::format("'{}' is to be a list", key));
    for (auto const& word : value) call.words.push_back(plain_word(key, word));
    return true;
}

[[noreturn]] void unknown_key(Tool const& tool, std::string const& key) {
    auto const schema = described(tool)["inputSchema"]["properties"];
    std::vector<std::string_view> known;
    for (auto const& [name, unused] : schema.items()) known.emplace_back(name);
    throw Error(fmt::format("{} takes no '{}'", tool.name, printable(key)),
                suggestion(key, known, fmt::format("it takes {}", fmt::join(known, ", "))));
}

}  // namespace

std::span<Tool const> all_tools() {
    return tools;
}

Tool const* find_tool(std::string_view name) {
    auto const found = std::ranges::find(tools, name, &Tool::name);
    return found == tools.end() ? nullptr : &*found;
}

ordered_json described(Tool const& tool) {
    auto const& command = *find_command(tool.name);
    ordered_json schema{{"type", "object"}, {"properties", ordered_json::object()}};
    add_input(tool, schema);
    for (auto const* option : offered_by(tool))
        schema["properties"][key_of(*option)] = schema_of(tool, *option);
    schema["additionalProperties"] = false;
    return {{"name", tool.name},
            {"title", "rocmtune " + std::string(tool.name)},
            {"description", fmt::format("{}. {}", command.about, command.details)},
            {"inputSchema", schema},
            {"annotations",
             {{"readOnlyHint", true}, {"destructiveHint", false}, {"openWorldHint", false}}}};
}

ToolCall call_of(Tool const& tool, json const& arguments, std::span<std::string const> allowed) {
    if (!arguments.is_object()) throw Error("arguments are to be an object");
    ToolCall call{.words = {std::string(tool.name)}, .input = {}};
    for (auto const word : words(tool.fixed)) call.words.emplace_back(word);
    auto const options = offered_by(tool);
    for (auto const& [key, value] : arguments.items()) {
        if (add_input(tool, key, value, call)) continue;
        auto const option =
            std::ranges::find(options, key, [](auto const* one) { return key_of(*one); });
        if (option == options.end()) unknown_key(tool, key);
        add_option(**option, value, allowed, call.words);
        if (key == "format") call.is_json = value == "json";
    }
    if (tool.input == ToolInput::name && !arguments.contains("name"))
        throw Error(fmt::format("{} needs a 'name'", tool.name));
    return call;
}

}  // namespace rocmtune
