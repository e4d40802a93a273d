// SPDX-License-Identifier: MIT
// What an agent may ask for: commands that only look, with the options of them that it may give.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace rocmtune {

/// What stands beside the options of a tool.
enum class ToolInput {
    none,
    text,       ///< "text", read by the command from its standard input; without it the host
    name,       ///< "name", one word
    framework,  ///< "framework" and "target", words
};

struct Tool {
    std::string_view name;     ///< of the tool, and of the command behind it
    std::string_view options;  ///< blank-separated; of the table of options, which describes them
    std::string_view fixed;    ///< blank-separated words that are always given
    ToolInput input = ToolInput::none;
};

/// None of them starts a program of others, lets a GPU work, reads the environment of another
/// process or writes a file.
std::span<Tool const> all_tools();

/// The tool of this name, or null.
Tool const* find_tool(std::string_view name);

/// The tool as `tools/list` gives it: name, description, JSON Schema of its arguments.
nlohmann::ordered_json described(Tool const& tool);

/// What a call of a tool runs.
struct ToolCall {
    std::vector<std::string> words;  ///< command and options
    std::string input;               ///< for its standard input
    bool is_json = false;            ///< it prints a document
};

/// @param allowed  absolute folders below which files may be named
/// @throws Error for arguments that the tool does not take, and for files elsewhere
ToolCall call_of(Tool const& tool, nlohmann::json const& arguments,
                 std::span<std::string const> allowed);

}  // namespace rocmtune
