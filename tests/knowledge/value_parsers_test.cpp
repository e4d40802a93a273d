// SPDX-License-Identifier: MIT
// What each component makes of a value, at the edges of its grammar.
#include "knowledge/value_parsers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <ostream>

namespace rocmtune {

void PrintTo(Reading reading, std::ostream* out) {
    *out << std::array{"valid", "misread", "ignored",
                       "rejected"}[static_cast<std::size_t>(reading)];
}

namespace {

constexpr auto valid = Reading::valid;
constexpr auto misread = Reading::misread;
constexpr auto ignored = Reading::ignored;
constexpr auto rejected = Reading::rejected;

Variable variable(std::string_view parser, std::string_view type) {
    Variable out{};
    out.parser = parser;
    out.type = type;
    return out;
}

struct Case {
    std::string parser, type, text;
    Reading reading;
    std::string meaning;
};

void PrintTo(Case const& one, std::ostream* out) {
    *out << one.parser << "/" << one.type << " '" << one.text << "'";
}

class AValue : public testing::TestWithParam<Case> {};

TEST_P(AValue, is_taken_as_its_reader_takes_it) {
    auto const& [parser, type, text, reading, meaning] = GetParam();
    auto const read = read_value(variable(parser, type), text);
    EXPECT_EQ(read.reading, reading) << read.note;
    EXPECT_EQ(read.meaning, meaning);
    if (reading != valid) {
        EXPECT_NE(read.note, "") << "a value that is not valid has a reason";
    }
}

#define VALUES(suite, ...) INSTANTIATE_TEST_SUITE_P(suite, AValue, testing::Values(__VA_ARGS__))

VALUES(HipFlags, Case{"hip_flag", "bool", "1", valid, "1"},
       Case{"hip_flag", "bool", "0", valid, "0"}, Case{"hip_flag", "bool", "true", valid, "1"},
       Case{"hip_flag", "bool", "false", valid, "0"}, Case{"hip_flag", "bool", "2", valid, "1"},
       Case{"hip_flag", "bool", "-1", valid, "1"}, Case{"hip_flag", "bool", "True", misread, "0"},
       Case{"hip_flag", "bool", "yes", misread, "0"}, Case{"hip_flag", "bool", "on", misread, "0"},
       Case{"hip_flag", "bool", "", misread, "0"}, Case{"hip_flag", "bool", "off", valid, "0"},
       Case{"hip_flag", "bool", "1x", misread, "1"}, Case{"hip_flag", "bool", "0x1", misread, "0"},
       Case{"hip_flag", "bool", " 1", valid, "1"}, Case{"hip_flag", "int", "4", valid, "4"},
       Case{"hip_flag", "int", "0x10", misread, "0"}, Case{"hip_flag", "int", "", misread, "0"},
       Case{"hip_flag", "int", "many", misread, "0"}, Case{"hip_flag", "int", "12k", misread, "12"},
       Case{"hip_flag", "int", "-1", valid, "-1"},
       Case{"hip_flag", "int", "2147483647", valid, "2147483647"},
       Case{"hip_flag", "int", "2147483648", misread, "-2147483648"},
       Case{"hip_flag", "int", "4294967297", misread, "1"},
       Case{"hip_flag", "int", "010", valid, "10"},
       Case{"hip_flag", "size", "4294967297", valid, "4294967297"},
       Case{"hip_flag", "size", "9223372036854775808", misread, "9223372036854775807"},
       Case{"hip_flag", "text", "a", valid, "a"}, Case{"hip_flag", "text", "\"a b\"", valid, "a b"},
       Case{"hip_flag", "text", " \"a\" ", valid, "a"}, Case{"hip_flag", "text", "\"", valid, "\""},
       Case{"hip_flag", "text", "\"\"", valid, ""}, Case{"hip_flag", "text", "", misread, " "});

VALUES(Rocr, Case{"rocr_exact", "bool", "1", valid, "1"},
       Case{"rocr_exact", "bool", "0", valid, "0"}, Case{"rocr_exact", "bool", "", ignored, ""},
       Case{"rocr_exact", "bool", "true", ignored, ""},
       Case{"rocr_exact", "bool", "01", ignored, ""}, Case{"rocr_exact", "bool", " 1", ignored, ""},
       Case{"rocr_exact", "size", "1048576", valid, "1048576"},
       Case{"rocr_exact", "size", "-1", misread, "18446744073709551615"},
       Case{"rocr_exact", "size", "18446744073709551615", valid, "18446744073709551615"},
       Case{"rocr_exact", "size", "18446744073709551616", misread, "18446744073709551615"},
       Case{"rocr_exact", "size", "0x100", misread, "0"},
       Case{"rocr_exact", "int", "", ignored, ""}, Case{"rocr_exact", "int", "few", misread, "0"},
       Case{"rocr_exact", "text", "/lib/x.so", valid, "/lib/x.so"});

VALUES(Thunk, Case{"thunk", "bool", "0", valid, "0"}, Case{"thunk", "bool", "1", valid, "1"},
       Case{"thunk", "bool", "", misread, "1"}, Case{"thunk", "bool", "false", misread, "1"},
       Case{"thunk", "bool", "00", misread, "1"}, Case{"thunk", "int", "3", valid, "3"},
       Case{"thunk", "int", "x", ignored, ""}, Case{"thunk", "int", "", ignored, ""},
       Case{"thunk", "version", "11.0.0", valid, "11.0.0"},
       Case{"thunk", "version", "9.0.10", valid, "9.0.10"},
       Case{"thunk", "version", "09.00.06", valid, "9.0.6"},
       Case{"thunk", "version", "63.255.255", valid, "63.255.255"},
       Case{"thunk", "version", "64.0.0", rejected, ""},
       Case{"thunk", "version", "11.256.0", rejected, ""},
       Case{"thunk", "version", "11.0.256", rejected, ""},
       Case{"thunk", "version", "11.0", rejected, ""},
       Case{"thunk", "version", "11.0.0.0", rejected, ""},
       Case{"thunk", "version", "11.0.0 ", rejected, ""},
       Case{"thunk", "version", "gfx1100", rejected, ""},
       Case{"thunk", "version", "9.0.a", rejected, ""}, Case{"thunk", "version", "", rejected, ""},
       Case{"thunk", "version", "-1.0.0", rejected, ""});

VALUES(Rccl, Case{"nccl_param", "int", "4", valid, "4"},
       Case{"nccl_param", "int", "0x10", valid, "16"},
       Case{"nccl_param", "int", "010", misread, "8"}, Case{"nccl_param", "int", "07", valid, "7"},
       Case{"nccl_param", "int", "08", misread, "0"}, Case{"nccl_param", "int", "", ignored, ""},
       Case{"nccl_param", "int", " ", ignored, ""},
       Case{"nccl_param", "bool", "true", misread, "0"},
       Case{"nccl_param", "int", "-2", valid, "-2"}, Case{"nccl_param", "int", "0x", misread, "0"},
       Case{"nccl_param", "int", "9223372036854775807", valid, "9223372036854775807"},
       Case{"nccl_param", "int", "9223372036854775808", ignored, ""},
       Case{"nccl_param", "int", "-9223372036854775808", valid, "-9223372036854775808"},
       Case{"nccl_param", "int", "-9223372036854775809", ignored, ""},
       Case{"nccl_param", "int", "4M", misread, "4"},
       Case{"nccl_text", "list", "^lo", valid, "^lo"});

VALUES(PyTorch, Case{"torch_check_env", "bool", "1", valid, "1"},
       Case{"torch_check_env", "bool", "0", valid, "0"},
       Case{"torch_check_env", "bool", "True", ignored, ""},
       Case{"torch_check_env", "bool", "", ignored, ""},
       Case{"torch_check_env", "int", "x", rejected, ""},
       Case{"torch_check_env", "int", "30", valid, "30"},
       Case{"torch_allocator", "bool", "True", valid, "1"},
       Case{"torch_allocator", "bool", "False", valid, "0"},
       Case{"torch_allocator", "bool", "true", rejected, ""},
       Case{"torch_allocator", "bool", "1", rejected, ""},
       Case{"torch_allocator", "float", "0.8", valid, "0.8"},
       Case{"torch_allocator", "float", "much", rejected, ""},
       Case{"torch_allocator", "options", "max_split_size_mb : 128", valid,
            "max_split_size_mb:128"},
       Case{"torch_allocator", "options", "max_split_size_mb:19", rejected, ""},
       Case{"tunableop", "bool", "1", valid, "1"}, Case{"tunableop", "bool", "true", ignored, ""},
       Case{"tunableop", "int", "30", valid, "30"}, Case{"tunableop", "int", "-5", misread, "0"},
       Case{"tunableop", "int", "x", misread, "0"}, Case{"tunableop", "int", "-0", valid, "0"});

VALUES(MIOpen, Case{"miopen_bool", "bool", "1", valid, "1"},
       Case{"miopen_bool", "bool", "0", valid, "0"},
       Case{"miopen_bool", "bool", "ENABLED", valid, "1"},
       Case{"miopen_bool", "bool", "Off", valid, "0"},
       Case{"miopen_bool", "bool", "", rejected, ""},
       Case{"miopen_bool", "bool", "2", rejected, ""},
       Case{"miopen_bool", "bool", " 1", rejected, ""},
       Case{"miopen_bool", "bool", "y", rejected, ""},
       Case{"miopen_number", "int", "0x10", valid, "16"},
       Case{"miopen_bool", "int", "16", valid, "16"},
       Case{"miopen_number", "int", "x", misread, "0"},
       Case{"miopen_number", "int", "", misread, "0"},
       Case{"miopen_number", "int", "-1", misread, "18446744073709551615"},
       Case{"miopen_bool", "path", "/tmp/a", valid, "/tmp/a"});

VALUES(
    Python, Case{"vllm_bool", "bool", "1", valid, "1"},
    Case{"vllm_bool", "bool", "TRUE", valid, "1"}, Case{"vllm_bool", "bool", "0", valid, "0"},
    Case{"vllm_bool", "bool", "False", valid, "0"}, Case{"vllm_bool", "bool", "yes", misread, "0"},
    Case{"vllm_bool", "bool", "on", misread, "0"}, Case{"vllm_bool", "bool", "", misread, "0"},
    Case{"vllm_bool", "int", " 8 ", valid, "8"}, Case{"vllm_bool", "int", "8k", rejected, ""},
    Case{"vllm_bool", "int", "", rejected, ""}, Case{"vllm_bool", "float", "0.5", valid, "0.5"},
    Case{"vllm_bool", "float", "half", rejected, ""}, Case{"triton_bool", "bool", "On", valid, "1"},
    Case{"triton_bool", "bool", "1", valid, "1"}, Case{"triton_bool", "bool", "Yes", valid, "1"},
    Case{"triton_bool", "bool", "0", valid, "0"}, Case{"triton_bool", "int", "x", rejected, ""},
    Case{"triton_bool", "bool", "y", valid, "1"}, Case{"triton_bool", "bool", "2", misread, "0"},
    Case{"exact_true", "bool", "TRUE", valid, "1"},
    Case{"exact_true", "bool", "true", misread, "0"}, Case{"exact_true", "bool", "1", misread, "0"},
    Case{"exact_true", "bool", "FALSE", valid, "0"}, Case{"exact_true", "bool", "0", valid, "0"});

VALUES(Devices, Case{"devices_hip", "devices", "0,1", valid, "0,1"},
       Case{"devices_hip", "devices", "0, 1", misread, "0"},
       Case{"devices_hip", "devices", "01", misread, ""},
       Case{"devices_hip", "devices", "0,0,1", misread, "0,1"},
       Case{"devices_hip", "devices", "-1", misread, ""},
       Case{"devices_hip", "devices", "", valid, ""},
       Case{"devices_hip", "devices", "0,", valid, "0"},
       Case{"devices_hip", "devices", ",0", misread, ""},
       Case{"devices_hip", "devices", "\"0,1\"", valid, "0,1"},
       Case{"devices_hip", "devices", "GPU-1234", valid, "GPU-1234"},
       Case{"devices_rocr", "devices", "0, 1", valid, "0,1"},
       Case{"devices_rocr", "devices", "0x1,2", valid, "1,2"},
       Case{"devices_rocr", "devices", "1,010", misread, "1,8"},
       Case{"devices_rocr", "devices", "1,1,2", misread, "1"},
       Case{"devices_rocr", "devices", "4294967297,2", misread, "1,2"},
       Case{"devices_rocr", "devices", "4294967295", misread, ""},
       Case{"devices_rocr", "devices", "99999999999999999999", misread, ""},
       Case{"devices_rocr", "devices", "0,x,1", misread, "0"},
       Case{"devices_rocr", "devices", "0,,1", rejected, ""},
       Case{"devices_rocr", "devices", ",", rejected, ""},
       Case{"devices_rocr", "devices", "gpu-12ab", valid, "GPU-12AB"},
       Case{"devices_rocr", "devices", "GPU-", misread, ""},
       Case{"devices_rocr", "devices", "GPU-12345678901234567", misread, ""},
       Case{"devices_rocr", "devices", "", valid, ""},
       Case{"devices_rocr", "devices", "-1", misread, ""});

VALUES(Plain, Case{"text", "text", "any $(x)\n", valid, "any $(x)\n"},
       Case{"path", "path", "", valid, ""}, Case{"integer", "int", "12", valid, "12"},
       Case{"integer", "int", "+12", valid, "12"}, Case{"integer", "int", "-0", valid, "0"},
       Case{"integer", "int", "x", misread, "0"}, Case{"integer", "int", "", ignored, ""},
       Case{"integer", "float", "0.5", valid, "0.5"}, Case{"real", "float", "0.50", valid, "0.5"},
       Case{"real", "float", "1e-3", valid, "0.001"}, Case{"real", "float", "nan", misread, "0"},
       Case{"real", "float", "", misread, "0"}, Case{"", "bool", "1", valid, "1"});

VALUES(OpenMp, Case{"omp", "int", "8", valid, "8"}, Case{"omp", "int", "8, 2", valid, "8,2"},
       Case{"omp", "int", "0", ignored, ""}, Case{"omp", "int", "-1", ignored, ""},
       Case{"omp", "int", "", ignored, ""}, Case{"omp", "int", "8,", ignored, ""},
       Case{"omp", "bool", "TRUE", valid, "1"}, Case{"omp", "bool", " false ", valid, "0"},
       Case{"omp", "bool", "1", ignored, ""});

TEST(ValueParsers, numbers_outside_of_the_documented_range_are_no_valid_ones) {
    auto level = variable("hip_flag", "int");
    level.minimum = 0;
    level.maximum = 5;
    EXPECT_EQ(read_value(level, "5").reading, valid);
    EXPECT_EQ(read_value(level, "6").reading, misread);
    EXPECT_EQ(read_value(level, "6").note, "outside of 0 to 5");
    EXPECT_EQ(read_value(level, "-1").reading, misread);
    auto debug = variable("thunk", "int");
    debug.maximum = 7;
    EXPECT_EQ(read_value(debug, "8").reading, ignored) << "libhsakmt looks at the range";
    auto size = variable("rocr_exact", "size");
    size.maximum = 9223372036854775807;
    EXPECT_EQ(read_value(size, "9223372036854775808").reading, misread);
}

TEST(ValueParsers, words_count_as_their_reader_compares_them) {
    auto debug = variable("nccl_text", "enum");
    debug.words = {"WARN", "INFO"};
    debug.default_value = "WARN";
    EXPECT_EQ(read_value(debug, "info").meaning, "INFO");
    EXPECT_EQ(read_value(debug, "loud").reading, ignored);
    EXPECT_EQ(read_value(debug, "loud").meaning, "WARN") << "ignored means the default";
    EXPECT_EQ(read_value(debug, "loud").note, "it is none of WARN, INFO");
    debug.parser = "torch_allocator";
    EXPECT_EQ(read_value(debug, "info").reading, rejected);
    EXPECT_EQ(read_value(debug, "INFO").reading, valid);
}

TEST(ValueParsers, a_number_stands_for_a_word_where_the_reader_has_both) {
    auto mode = variable("miopen_word", "enum");
    mode.words = {"NORMAL=1", "DYNAMIC_HYBRID=5"};
    mode.default_value = "DYNAMIC_HYBRID";
    EXPECT_EQ(read_value(mode, "normal").meaning, "NORMAL");
    EXPECT_EQ(read_value(mode, "1").meaning, "NORMAL");
    EXPECT_EQ(read_value(mode, "4").reading, ignored);
    EXPECT_EQ(read_value(mode, "").reading, ignored);
    EXPECT_EQ(read_value(mode, "QUICK").reading, rejected);
    EXPECT_TRUE(means_default(mode, "5"));
    EXPECT_TRUE(means_default(mode, "dynamic_hybrid"));
    EXPECT_FALSE(means_default(mode, "1"));
    EXPECT_FALSE(means_default(mode, "QUICK"));
}

TEST(ValueParsers, the_default_is_recognised_in_every_spelling) {
    auto flag = variable("hip_flag", "bool");
    EXPECT_FALSE(means_default(flag, "1")) << "its default is not known";
    flag.default_value = "1";
    EXPECT_TRUE(means_default(flag, "true"));
    EXPECT_TRUE(means_default(flag, "7"));
    EXPECT_FALSE(means_default(flag, "0"));
    EXPECT_FALSE(means_default(flag, "True")) << "HIP takes it as off";
    auto exact = variable("rocr_exact", "bool");
    EXPECT_TRUE(means_default(exact, "yes")) << "ignored, whatever the default is";
}

TEST(ValueParsers, every_parser_and_type_takes_any_bytes) {
    std::array<std::string_view, 11> constexpr types{"bool",    "int",     "float",  "size",
                                                     "enum",    "text",    "path",   "list",
                                                     "devices", "version", "options"};
    std::string const bytes("\0\xff\x80\"'$(`\n=:,[]>0x9999999999999999999999-", 40);
    for (auto const& parser : value_parser_names) {
        for (auto const& type : types) {
            auto const subject = variable(parser, type);
            for (std::size_t first = 0; first < bytes.size(); ++first) {
                auto const text = bytes.substr(first);
                auto const read = read_value(subject, text);
                EXPECT_EQ(read.note.find('\n'), std::string::npos) << "notes can be printed";
                EXPECT_EQ(read_value(subject, text).meaning, read.meaning);
            }
        }
    }
}

}  // namespace
}  // namespace rocmtune
