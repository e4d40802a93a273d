// SPDX-License-Identifier: MIT
// Any bytes as the value of a variable, for every parser and type of value: the same answer twice,
// a reason for whatever is not valid, and notes that are safe to print.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "base/text.hpp"
#include "knowledge/value_parsers.hpp"

namespace {

using namespace rocmtune;

constexpr std::string_view types[] = {"bool", "int",  "float",   "size",    "enum",   "text",
                                      "path", "list", "devices", "version", "options"};
constexpr std::string_view listed[] = {"NORMAL=1", "FAST=2", "plain"};

void check(Variable const& variable, std::string_view text) {
    auto const read = read_value(variable, text);
    auto const again = read_value(variable, text);
    auto const has_reason = read.reading == Reading::valid || !read.note.empty();
    if (read.meaning != again.meaning || read.reading != again.reading || !has_reason ||
        printable(read.note) != read.note) {
        std::abort();
    }
    means_default(variable, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    Variable variable{};
    variable.words.assign(std::begin(listed), std::end(listed));
    variable.minimum = -1;
    variable.maximum = 100;
    variable.default_value = "1";
    for (auto const& parser : value_parser_names) {
        for (auto const& type : types) {
            variable.parser = parser;
            variable.type = type;
            check(variable, text);
        }
    }
    return 0;
}
