// SPDX-License-Identifier: MIT
// Files inside the program, and the literals they are written as.
#include "knowledge/embedded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "knowledge/build_tool.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {
namespace {

/// What a compiler makes of adjacent literals with the escapes that cpp_literal uses.
std::string compiled(std::string_view literals) {
    std::string out;
    bool inside = false;
    for (std::size_t i = 0; i < literals.size(); ++i) {
        if (literals[i] == '"') {
            inside = !inside;
        } else if (inside && literals[i] != '\\') {
            out += literals[i];
        } else if (inside && literals[++i] == 'n') {
            out += '\n';
        } else if (inside && literals[i] >= '0' && literals[i] <= '7') {
            out += static_cast<char>(std::stoi(std::string(literals.substr(i, 3)), nullptr, 8));
            i += 2;
        } else if (inside) {
            out += literals[i];
        }
    }
    return out;
}

TEST(Embedded, the_table_is_sorted_and_every_file_is_found_by_its_name) {
    auto const files = embedded_files();
    ASSERT_FALSE(files.empty());
    EXPECT_TRUE(std::ranges::is_sorted(files, std::ranges::less_equal{}, &EmbeddedFile::name));
    for (auto const& file : files) {
        EXPECT_EQ(embedded_file(file.name), file.bytes) << file.name;
    }
}

TEST(Embedded, a_name_that_is_not_there_is_no_empty_file) {
    EXPECT_EQ(embedded_file(""), std::nullopt);
    EXPECT_EQ(embedded_file("no/such/file"), std::nullopt);
    EXPECT_EQ(embedded_file("zzzz"), std::nullopt);
}

TEST(Embedded, the_schemas_are_there_and_are_json) {
    for (auto const* ending : {"profile.schema.json", "environment.schema.json"}) {
        auto const is_it = [&](EmbeddedFile const& file) { return file.name.ends_with(ending); };
        auto const file = std::ranges::find_if(embedded_files(), is_it);
        ASSERT_NE(file, embedded_files().end()) << ending;
        auto const schema = nlohmann::json::parse(file->bytes);
        EXPECT_EQ(schema.at("$schema"), "http://json-schema.org/draft-07/schema#");
    }
}

TEST(CppLiteral, a_byte_that_cannot_stand_in_a_literal_is_escaped) {
    EXPECT_EQ(cpp_literal("a\"b\\c"), R"("a\"b\\c")");
    EXPECT_EQ(cpp_literal(std::string_view("\0"
                                           "1",
                                           2)),
              R"("\0001")");
    EXPECT_EQ(cpp_literal("\xff"), R"("\377")");
    EXPECT_EQ(cpp_literal("a\nb"), "\"a\\n\"\n    \"b\"");
}

TEST(CppLiteral, every_pair_of_bytes_survives) {
    std::string bytes;
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            bytes += static_cast<char>(first);
            bytes += static_cast<char>(second);
        }
    }
    EXPECT_EQ(compiled(cpp_literal(bytes)), bytes);
}

TEST(CppLiteral, lines_of_the_generated_source_stay_short) {
    auto const literal = cpp_literal(std::string(10000, '\x01'));
    std::size_t longest = 0;
    for (std::size_t at = 0; at < literal.size();) {
        auto const end = std::min(literal.find('\n', at), literal.size());
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    EXPECT_LE(longest, 110u);
}

TEST(CppLiteral, an_empty_view_and_one_with_a_nul_have_their_length) {
    EXPECT_EQ(cpp_view(""), "{}");
    EXPECT_EQ(cpp_view(std::string_view("\0", 1)), "{\"\\000\", 1}");
}

TEST(CompactJson, loses_white_space_between_tokens_and_nothing_else) {
    EXPECT_EQ(compact_json("{\n  \"a b\" : [1,\t2 , \"\"],\r\n \"c\": {} }\n"),
              R"({"a b":[1,2,""],"c":{}})");
    EXPECT_EQ(compact_json(R"(["a\" , b", "c\\\\" , " d"])"), R"(["a\" , b","c\\\\"," d"])");
}

TEST(Embedded, the_data_that_the_program_reads_is_compact) {
    std::size_t read = 0;
    for (auto const& file : embedded_files()) {
        if (!file.name.ends_with(".json") || file.name.starts_with("schema/")) continue;
        EXPECT_EQ(file.bytes, compact_json(file.bytes)) << file.name;
        ++read;
    }
    EXPECT_GE(read, 46u);
}

TEST(Embedded, the_schema_has_the_kinds_of_memory_that_are_known) {
    auto const text = embedded_file("schema/profile.schema.json");
    ASSERT_TRUE(text);
    auto const schema = nlohmann::json::parse(*text);
    std::vector<std::string> words;
    for (auto const& word :
         schema.at("definitions").at("product").at("properties").at("memory_type").at("enum"))
        if (!word.is_null()) words.push_back(word);
    EXPECT_EQ(words, std::vector<std::string>(memory_type_words.begin(), memory_type_words.end()));
}

}  // namespace
}  // namespace rocmtune
