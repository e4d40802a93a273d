// SPDX-License-Identifier: MIT
// Assignments in Compose files, Kubernetes manifests and workflows of GitHub Actions.
#include <gtest/gtest.h>

#include <optional>

#include <fmt/format.h>

#include "rocmtune/error.hpp"
#include "settings/collect.hpp"
#include "settings/yaml_tree.hpp"

namespace rocmtune {
namespace {

using Lines = std::vector<std::string>;

/// "2:8 NAME=VALUE @1": line, column, and the number of the environment.
Lines read(InputKind kind, std::string_view text) {
    Lines lines;
    for (auto const& one : read_assignments({.text = text, .file = "f", .kind = kind}))
        lines.push_back(fmt::format("{}:{} {}={} @{}", one.line, one.column, one.name,
                                    one.value.value_or("?"), one.scope));
    return lines;
}

std::string problem_of(std::string_view text) {
    try {
        (void)parse_yaml(text, 1);
    } catch (Error const& error) {
        return error.what();
    }
    return {};
}

TEST(Compose, has_both_forms_of_environment) {
    EXPECT_EQ(read(InputKind::compose, R"(services:
  a:
    environment:
      A: 1
      "B": 'x y'
      PASSED:
      D: cost $$5
      E: ${FROM_OUTSIDE:-x}
  b:
    environment:
      - A=1
      - "B=x=y"
      - PASSED
)"),
              (Lines{"4:7 A=1 @1", "5:8 B=x y @1", "7:7 D=cost $5 @1", "8:7 E=x @1", "11:9 A=1 @2",
                     "12:10 B=x=y @2"}));
}

TEST(Compose, follows_anchors_and_what_overrides_them) {
    EXPECT_EQ(read(InputKind::compose, R"(x-all: &all
  A: 1
  B: 1
services:
  a:
    environment:
      <<: *all
      B: 2
  b: {environment: *all}
)"),
              (Lines{"8:7 B=2 @1", "2:3 A=1 @1", "2:3 A=1 @2", "3:3 B=1 @2"}));
}

TEST(Compose, reads_what_its_shells_run_but_no_build_arguments) {
    EXPECT_EQ(read(InputKind::compose, R"(services:
  a:
    build: {args: {A: 1}}
    command: ["bash", "-ec", "export B=2; ./run"]
  b:
    command: ["./run", "export C=3"]
)"),
              (Lines{"4:38 B=2 @1"}));
}

TEST(Kubernetes, has_env_of_containers_of_every_kind_of_object) {
    EXPECT_EQ(
        read(InputKind::kubernetes, R"(apiVersion: batch/v1
kind: Job
spec:
  template:
    spec:
      initContainers:
        - env: [{name: A, value: "0"}]
      containers:
        - name: NOT_A_SETTING
          env:
            - name: A
              value: "1"
            - name: B
              value: $(A)/x
            - name: C
              valueFrom: {fieldRef: {fieldPath: status.podIP}}
---
apiVersion: v1
kind: ConfigMap
data:
  D: "2"
  a-file.sh: |
    export E=3
)"),
        (Lines{"7:24 A=0 @1", "11:21 A=1 @2", "13:21 B=? @2", "15:21 C=? @2", "21:3 D=2 @3"}));
}

TEST(Kubernetes, reads_scripts_at_their_place_in_the_file) {
    EXPECT_EQ(read(InputKind::kubernetes, R"(apiVersion: v1
kind: Pod
spec:
  containers:
    - command: [/bin/sh, -c]
      args:
        - |

          # export X=0
          export A=1
            export B=2
)"),
              (Lines{"10:18 A=1 @1", "11:20 B=2 @1"}));
}

TEST(Workflow, has_env_of_all_levels_and_scripts) {
    EXPECT_EQ(
        read(InputKind::workflow, R"(on: push
env: {A: 1}
jobs:
  t:
    env: {B: True, C: "True"}
    steps:
      - uses: some/action
        with: {X: 1}
      - env: {D: "${{ matrix.d }}"}
        run: export E=1
      - shell: python
        run: export F=1
      - run: >
          export
          G=1
)"),
        (Lines{"2:7 A=1 @1", "2:7 A=1 @2", "5:11 B=true @2", "5:20 C=True @2", "2:7 A=1 @4",
               "5:11 B=true @4", "5:20 C=True @4", "9:15 D=? @4", "10:21 E=1 @5", "14:11 G=1 @7"}));
}

TEST(Yaml, that_cannot_be_read_is_an_error_with_its_line) {
    EXPECT_EQ(problem_of("a: 1\nb: [\n").substr(0, 7), "line 3:");
    EXPECT_EQ(problem_of(std::string(100'000, '[')), "nested more than 500 deep");
    std::string many;
    for (std::size_t i = 0; i <= max_yaml_nodes; ++i) many += "- a\n";
    EXPECT_NE(problem_of(many).find("more than 200000 values"), std::string::npos);
}

TEST(Yaml, with_a_quote_that_does_not_end_is_an_error) {
    EXPECT_EQ(problem_of("a: 1\nb:\n- \"c\n- d\n"), "line 3: a quoted text without an end");
    EXPECT_EQ(problem_of("a: &x 'it''s\nb: ''\n"), "line 1: a quoted text without an end");
    EXPECT_EQ(problem_of("a: \"b\\\"\n"), "line 1: a quoted text without an end");
    EXPECT_EQ(problem_of("\""), "line 1: a quoted text without an end");
    for (auto const* whole :
         {"a: ''", "a: \"\"", "a: 'it''s'", "a: \"b\\\"\"", "a: \"b\n  c\"\n", "a: 'x'  # it's",
          "a: ''''", "- \"\\\\\"", "a: don't", "'a': b", "a: 'b'\r\n---\r\nc: \"d\"\r\n"})
        EXPECT_EQ(problem_of(whole), "") << whole;
}

TEST(Yaml, that_refers_to_itself_ends) {
    EXPECT_EQ(read(InputKind::kubernetes, R"(apiVersion: v1
kind: Pod
spec: &a
  again: *a
  <<: *a
  containers: [{env: [{name: A, value: x}]}]
)"),
              (Lines{"6:30 A=x @1"}));
}

TEST(Yaml, of_a_few_bytes_stays_small) {
    std::string text = "x0: &a0 {environment: {A: 1}}\n";
    for (int i = 1; i < 60; ++i)
        text += fmt::format("x{0}: &a{0} {{<<: [*a{1}, *a{1}, *a{1}, *a{1}]}}\n", i, i - 1);
    text += "services: {s: *a10}\n";
    EXPECT_EQ(read(InputKind::compose, text), (Lines{"1:24 A=1 @1"}));
}

/// The bytes of all values, or nothing if the text is refused.
std::optional<std::size_t> value_bytes(InputKind kind, std::string_view text) try {
    std::size_t bytes = 0;
    for (auto const& one : read_assignments({.text = text, .file = "f", .kind = kind}))
        bytes += one.value.value_or("").size();
    return bytes;
} catch (Error const&) {
    return std::nullopt;
}

/// One scalar of 60 kB at the top, and a line that names it many times.
std::string repeated(std::string_view top, std::string_view line, int times) {
    auto text = fmt::format("x: &x \"{}{}\"\n{}", "A=", std::string(60'000, 'y'), top);
    for (int i = 0; i < times; ++i) text += fmt::format(fmt::runtime(line), i);
    return text;
}

TEST(Yaml, repeats_a_long_scalar_only_so_often) {
    struct {
        InputKind kind;
        std::string_view top, line;
    } const texts[] = {
        {InputKind::compose, "services:\n a:\n  environment:\n", "   B{}: *x\n"},
        {InputKind::compose, "services:\n a:\n  environment:\n", "   - *x\n"},
        {InputKind::compose, "services:\n", " s{}: {{entrypoint: [sh, -c], command: *x}}\n"},
        {InputKind::workflow, "env:\n", " B{}: *x\n"},
        {InputKind::workflow, "jobs:\n j:\n  steps:\n", "  - run: *x\n"},
    };
    for (auto const& [kind, top, line] : texts) {
        EXPECT_TRUE(value_bytes(kind, repeated(top, line, 20))) << line;
        EXPECT_EQ(value_bytes(kind, repeated(top, line, 1000)), std::nullopt) << line;
    }
}

TEST(Yaml, repeats_an_environment_of_long_values_only_so_often) {
    auto text = "env: {A: " + std::string(60'000, 'y') + "}\njobs:\n j:\n  steps:\n";
    for (int i = 0; i < 1000; ++i) text += "  - env: {B: 1}\n";
    EXPECT_EQ(value_bytes(InputKind::workflow, text), std::nullopt);
}

TEST(Yaml, repeats_a_long_list_only_so_often) {
    std::string text = "x: &x [";
    for (int i = 0; i < 10'000; ++i) text += "a,";
    text += "]\nservices:\n";
    for (int i = 0; i < 1000; ++i) text += fmt::format(" s{}: {{command: *x}}\n", i);
    EXPECT_NE(problem_of(text).find("repeat more than"), std::string::npos);
}

TEST(Markdown, passes_over_yaml_that_is_only_a_part) {
    EXPECT_EQ(read(InputKind::markdown, R"(```yaml
services:
  a: {environment: [A=1]}
```
```yaml
services: [
```
```yaml
other: {environment: [B=1]}
```
)"),
              (Lines{"3:21 A=1 @1"}));
}

TEST(Markdown, reads_yaml_that_leaves_lines_out) {
    EXPECT_EQ(read(InputKind::markdown, R"(```yaml
services:
  a:
    ...
    environment:
      A: 1
...
  b:
    …
    environment: [B=1]
```
)"),
              (Lines{"6:7 A=1 @1", "10:19 B=1 @2"}));
}

}  // namespace
}  // namespace rocmtune
