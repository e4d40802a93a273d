// SPDX-License-Identifier: MIT
// Lines of all kinds and releases, each with its class: tests/knowledge/message_lines.txt.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/text.hpp"
#include "knowledge/messages.hpp"

namespace rocmtune::test {
namespace {

std::string known_lines() {
    std::ifstream file(ROCMTUNE_SOURCE_DIR "/tests/knowledge/message_lines.txt");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(MessageLines, are_of_the_class_that_was_judged_right) {
    MessageMatcher const matcher(message_classes());
    auto const text = known_lines();
    std::size_t count = 0;
    for (auto const row : lines(text)) {
        if (row.empty() || row.starts_with('#')) continue;
        auto const [id, line] = split_once(row, ' ').value();
        auto const* const kind = matcher.match(line);
        EXPECT_EQ(kind == nullptr ? "-" : kind->id, id) << line;
        ++count;
    }
    EXPECT_GT(count, 200U);
}

}  // namespace
}  // namespace rocmtune::test
